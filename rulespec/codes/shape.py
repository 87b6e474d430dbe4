"""Faults of the shape of a file: what may stand where."""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "S001",
        "Something else must stand here",
        cause="There is a text where a list or mapping must stand, or the other way round, or nothing at all.",
        bad="""
            zones:
              market: Card
        """,
        good="""
            zones:
              market: {of: Card}
        """,
        fix="Write what the message names; the reference shows an example of each key.",
    ),
    entry(
        "S002",
        "There is no such key here",
        cause="A section, a declaration, a step or a call has a key that it does not know.",
        bad="""
            - draw: 1
              form: deck
              from: deck
              to: p.hand
        """,
        good="""
            - draw: 1
              from: deck
              to: p.hand
        """,
        fix="Check the spelling; the message lists the keys, or the nearest one.",
    ),
    entry(
        "S003",
        "A key is missing",
        cause="A declaration or step lacks a key without which it says nothing.",
        bad="""
            - draw: 1
              to: p.hand
        """,
        good="""
            - draw: 1
              from: deck
              to: p.hand
        """,
        fix="Add the key that the message names.",
    ),
    entry(
        "S004",
        "There is no such word here",
        cause="Only certain words may stand under this key.",
        bad="""
            zones:
              market: {of: Card, order: sorted}
        """,
        good="""
            zones:
              market: {of: Card, order: as laid}
        """,
        fix="Use one of the words that the message lists.",
    ),
    entry(
        "S005",
        "A number is too small or too large here",
        cause="Numbers that say how many there are have bounds.",
        bad="""
            pools:
              Column: {size: 0}
        """,
        good="""
            pools:
              Column: {size: 4}
        """,
        fix="Write a number within the bounds.",
    ),
    entry(
        "S010",
        "The players are not written as players are",
        cause="`players` is a number, a range, or a mapping of names to labels; there are 1 to 32.",
        bad="""
            players: 4..2
        """,
        good="""
            players: 2..4
        """,
        fix="Write 2, or 2..5, or {white: White, black: Black}.",
    ),
    entry(
        "S011",
        "The values of an option are not written as values are",
        cause="An option has a list of words or of numbers, a range of numbers, or is `Yes or no`.",
        bad="""
            options:
              weather: {values: rain}
        """,
        good="""
            options:
              weather: {values: [rain, sun]}
        """,
        fix="Write a list, a range such as 1..3, or Yes or no.",
    ),
    entry(
        "S012",
        "A limit is not written as a limit is",
        cause="A limit says how often and during what: a phase, a scope, an event, or the game.",
        bad="""
            rules:
              thorns: {after: damage_done, limit: rarely, do: [skip]}
        """,
        good="""
            rules:
              thorns: {after: damage_done, limit: once per turn, do: [skip]}
        """,
        fix="Write `once per turn`, `twice per Combat` or `3 times per game`.",
    ),
    entry(
        "S013",
        "The end of a lasting effect is not written as one",
        cause="With `begin`, `until` names the phase or scope with which the effect ends.",
        bad="""
            - begin: broken_ground
              with: {ground: target}
              until: tomorrow
        """,
        good="""
            - begin: broken_ground
              with: {ground: target}
              until: end of turn
        """,
        fix="Write `end of` and a name; a condition that ends the effect stands in its declaration.",
    ),
    entry(
        "S014",
        "Another version of the language",
        cause="The game is written in a version of the language that this program does not read.",
        bad="""
            rulespec: 2
            id: from_the_future
            players: 2
            phases:
              game: {do: [skip]}
        """,
        good="""
            rulespec: 1
            id: from_the_future
            players: 2
            phases:
              game: {do: [skip]}
        """,
        fix="Use the program that the game was written for, or write `rulespec: 1`.",
    ),
)
