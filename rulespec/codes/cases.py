"""Faults of cases."""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "K001",
        "A file of cases without cases",
        cause="A file in the folder `cases` has one section, `cases`.",
        bad="given: []",
        good="""
            cases:
              nobody_wins:
                expect: [winners is none]
        """,
        fix="Put the cases under `cases:`, each with a name.",
    ),
    entry(
        "K002",
        "Two cases of one name",
        cause="The cases of a game have different names, in whichever file they stand.",
        fix="Give one of them another name.",
    ),
    entry(
        "K003",
        "No such player or entry",
        cause="An entry of a script begins with a player, or with a word such as `chance`, `refuse` or `expect`.",
        bad="""
            play:
              - player1: red_1
        """,
        good="""
            play:
              - p1: red_1
        """,
        fix="Write the player as the game names it: p1, p2 and so on, or by the name under `players`.",
    ),
    entry(
        "K010",
        "A case fails",
        cause="The game was played as the case says, and something that the case expects does not hold.",
        fix="Read at which line it differs: either the rules are wrong, or the case is.",
    ),
)
