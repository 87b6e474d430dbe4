"""Lint: what is well formed and most likely not what was meant.

The line of each bad example where the finding stands is marked `# here`.
"""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "L091",
        "The same stands twice",
        cause="Both sides of an operator are the same, or one that `and`, `or`, a set or the conditions of a choice have already. "
        "Most often another name was meant.",
        bad="""
            functions:
              wealth: p1.coins + p1.coins  # here
            phases:
              game:
                do:
                  - if: wealth > 9
                    then: [turn]
        """,
        good="""
            functions:
              wealth: p1.coins + p2.coins
            phases:
              game:
                do:
                  - if: wealth > 9
                    then: [turn]
        """,
        fix="Write the name that was meant; twice as much of something is `2 * ...`.",
    ),
    entry(
        "L092",
        "Both ways are the same",
        cause="`else` is a copy of `then`, so that the condition decides nothing.",
        bad="""
            phases:
              game:
                do:
                  - if: p1.coins > p2.coins
                    then:
                      - {add: 1, to: p1.coins}
                    else:
                      - {add: 1, to: p1.coins}  # here
        """,
        good="""
            phases:
              game:
                do:
                  - if: p1.coins > p2.coins
                    then:
                      - {add: 1, to: p1.coins}
                    else:
                      - {add: 1, to: p2.coins}
        """,
        fix="Change the way that was copied, or do the steps without a condition.",
    ),
    entry(
        "L093",
        "A copy with one name left as it was",
        cause="Neighbouring entries are alike but for a name that each repeats wherever it belongs; one of them has another's name.",
        bad="""
            state: {clubs_led: 0..9, cups_led: 0..9, coins_led: 0..9}
            functions:
              tricks: clubs_led + cups_led + coins_led
            phases:
              game:
                do:
                  - {if: tricks > 9, then: [turn]}
                  - {set: clubs_led, to: clubs_led - 1, log: Fewer}
                  - {set: cups_led, to: cups_led - 1, log: Fewer}
                  - {set: coins_led, to: cups_led - 1, log: Fewer}  # here
        """,
        good="""
            state: {clubs_led: 0..9, cups_led: 0..9, coins_led: 0..9}
            functions:
              tricks: clubs_led + cups_led + coins_led
            phases:
              game:
                do:
                  - {if: tricks > 9, then: [turn]}
                  - {set: clubs_led, to: clubs_led - 1, log: Fewer}
                  - {set: cups_led, to: cups_led - 1, log: Fewer}
                  - {set: coins_led, to: coins_led - 1, log: Fewer}
        """,
        fix="Write the name of this entry.",
    ),
    entry(
        "L094",
        "A text names a value without braces",
        cause="People read the name, and not what it is: in a text, only what stands in braces is worked out.",
        bad="""
            phases:
              game:
                do:
                  - for: p in players
                    do:
                      - log: p has {p.coins} coins  # here
        """,
        good="""
            phases:
              game:
                do:
                  - for: p in players
                    do:
                      - log: "{p} has {p.coins} coins"
        """,
        fix="Put the name in braces; a text that begins with a brace stands in quotes.",
    ),
    entry(
        "L095",
        "A text ends before a `#`",
        cause="In YAML, ` #` begins a comment, unless the text stands in quotes. What follows is not shown to people.",
        bad="""
            phases:
              game:
                do:
                  - log: The turn of player #1 begins  # here
        """,
        good="""
            phases:
              game:
                do:
                  - log: "The turn of player #1 begins"
        """,
        fix="Put the text in quotes; a comment has a space behind its `#`.",
    ),
    entry(
        "L096",
        "Who chooses is among those to choose from",
        cause="The question speaks of another player, or what that player has is moved to the one who chooses; all players can be chosen.",
        bad="""
            phases:
              game:
                do:
                  - choose: victim
                    by: p1
                    from: players  # here
                    say: Which opponent loses a coin?
                  - {lose: 1, from: victim.coins}
        """,
        good="""
            phases:
              game:
                do:
                  - choose: victim
                    by: p1
                    from: players - set(p1)
                    say: Which opponent loses a coin?
                  - {lose: 1, from: victim.coins}
        """,
        fix="Leave out the one who chooses: `players - set(me)`, or a condition with its reason under `only`.",
    ),
    entry(
        "L097",
        "A cost is not taken",
        cause="People read of a cost, and there must be enough of a number; but no step that follows touches it.",
        bad="""
            phases:
              game:
                do:
                  - offer: action
                    by: p1
                    options:
                      bribe:
                        say: Pay three coins for another turn
                        if: p1.coins >= 3  # here
                        do: [turn]
                      work: {say: Work, do: [{add: 1, to: p1.coins}]}
        """,
        good="""
            phases:
              game:
                do:
                  - offer: action
                    by: p1
                    options:
                      bribe:
                        say: Pay three coins for another turn
                        if: p1.coins >= 3
                        do:
                          - {lose: 3, from: p1.coins}
                          - turn
                      work: {say: Work, do: [{add: 1, to: p1.coins}]}
        """,
        fix="Take it: `lose: ...` and `from: ...`; where it need only be there, let the texts say so.",
    ),
)
