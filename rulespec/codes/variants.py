"""Faults of variants: where they belong, which place is meant, and what becomes of it."""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "V001",
        "There is nothing that the variant could extend",
        cause="What is written under `extends` is neither the game whose folder `variants` this is, nor a variant next to this one, "
        "nor the id of a shipped game, nor a path from the folder of the variant.",
        bad="extends: high_crad",
        good="extends: high_card",
        fix="Name the game by its id or path, as it is named in its own file or folder.",
    ),
    entry(
        "V002",
        "Variants extend each other without end",
        cause="A variant may extend another one, eight deep at most, and none may come back to itself.",
        fix="Let one of them extend the game.",
    ),
    entry(
        "V003",
        "A path that cannot be read",
        cause="A path is a section, then names with dots between them, and brackets for the items of lists.",
        bad="""
            - set: options..pace
              to: fast
        """,
        good="""
            - set: options.pace.default
              to: fast
        """,
        fix="Quote a name that holds dots or brackets; close every bracket.",
    ),
    entry(
        "V004",
        "A path that leads nowhere",
        cause="The game has nothing of that name there, or no item of a list fits.",
        bad="""
            - set: options.pace.defalt
              to: fast
        """,
        good="""
            - set: options.pace.default
              to: fast
        """,
        fix="Check the spelling; `rulespec diff` writes paths of all that differs between two games.",
    ),
    entry(
        "V005",
        "A path that leads to several places",
        cause="More than one item of the lists there fits, and a change is made in exactly one place.",
        bad="""
            - insert: [turn]
              after: phases.game[turn]
            - remove: phases.game[turn]
        """,
        good="""
            - insert: [turn]
              after: phases.game[turn]
            - remove: phases.game.do[2]
        """,
        fix="Name an item that is around it, another key of it, or its number in its own list.",
    ),
    entry(
        "V006",
        "It is not what it was",
        cause="`was` says what the variant found when it was written, and the game says something else there now.",
        bad="""
            - set: options.pace.default
              was: fast
              to: slow
        """,
        good="""
            - set: options.pace.default
              was: slow
              to: fast
        """,
        fix="See whether the change still makes sense, and write under `was` what the game says now.",
    ),
    entry(
        "V007",
        "Two variants that cannot be played together",
        cause="Both change the same thing, and not to the same; or one changes what the other is put into or next to; or both insert at "
        "the same place of a list, so that nothing says which comes first.",
        fix="Leave one out, or write a variant that extends one of them and says what holds when both are played; where only the order is "
        "open, one that extends both, `extends: [first, second]`.",
    ),
    entry(
        "V008",
        "A change that does not fit the place",
        cause="`set` is for one text or number, names go into mappings and items into lists, and what a variant says of itself "
        "cannot be changed.",
        bad="""
            - set: phases.turn.do
              to: skip
        """,
        good="""
            - replace: phases.turn.do
              with: [skip]
        """,
        fix="Use the kind of change that the message names.",
    ),
    entry(
        "V009",
        "It is there already",
        cause="A change inserts a name that is there.",
        bad="""
            - insert: {pace: {values: [slow, fast]}}
              into: options
        """,
        good="""
            - insert: {weather: {values: [dry, wet]}}
              into: options
        """,
        fix="Change what is there by `set` or `replace`, or choose another name.",
    ),
    entry(
        "V010",
        "The id and the name of the file differ",
        cause="A variant is asked for by the name of its file, and saves name it by its id.",
        fix="Name the file as its `id` says, with .yaml after it.",
    ),
    entry(
        "V011",
        "A change that changes nothing",
        cause="What the variant asks for is so already.",
        bad="""
            - set: options.pace.default
              to: slow
        """,
        good="""
            - set: options.pace.default
              to: fast
        """,
        fix="Leave the change out, or look whether another place was meant.",
    ),
    entry(
        "V012",
        "A variant of another game",
        cause="The file is a variant, but not of the game that it is to be played with, or it is no variant at all.",
        fix="Name a variant of this game; a file of a variant can be played by itself.",
    ),
    entry(
        "V013",
        "Too many changes",
        cause="A variant may list 1,000 changes; a hundred variants may be laid over one game, with 5,000 changes together.",
        fix="Replace a whole table or section at once, or write a game of its own.",
    ),
    entry(
        "V014",
        "What a bundle extends is not several variants",
        cause="A list under `extends` names several variants of one game, each once, that are played at once.",
        bad="extends: [high_card, high_card]",
        good="extends: high_card",
        fix="Leave out what is named twice, and the game itself: the variants extend it.",
    ),
    entry(
        "V015",
        "A variant that changes nothing",
        cause="Its rules are those of what it extends; or without it, the variants that are played at once are played alike: the others "
        "say the same, or replace what it changes. Lint says so of the variant's own file, of a bundle, and of variants that are named.",
        fix="Leave it out, or let it change what the others use.",
    ),
    entry(
        "V016",
        "The game of a variant has changed",
        cause="The variant is stamped (`base`) with digests of the sections that its game had, and some are not the same now.",
        fix="See whether its changes still make sense (`rulespec diff` shows them), and stamp it again: `rulespec variant FILE --stamp`.",
    ),
    entry(
        "V017",
        "A variant for any game that does not fit this one",
        cause="The variant extends `any game`, and needs something of the game that it does not have: it says what and why. Or it is "
        "looked at by itself, without a game.",
        fix="Name a game that has what it needs, and the variant with `--variant`; or write a variant of the game itself.",
    ),
)
