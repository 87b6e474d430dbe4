"""Lint: what people read, where the rules beside it say otherwise.

The line of each bad example where the finding stands is marked `# here`.
"""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "L105",
        "A text says another number",
        cause="What people read says one number, and the steps or the condition next to it have another.",
        bad="""
            phases:
              game:
                do:
                  - offer: action
                    by: p1
                    options:
                      work:
                        say: Get two coins  # here
                        do:
                          - {add: 3, to: p1.coins, if: p1.coins < 9}
        """,
        good="""
            phases:
              game:
                do:
                  - offer: action
                    by: p1
                    options:
                      work:
                        say: Get two coins
                        do:
                          - {add: 2, to: p1.coins, if: p1.coins < 9}
        """,
        fix="Change the text or the rule.",
    ),
    entry(
        "L106",
        "A text names another player",
        cause="The step changes something for one player, and its line of the log names only another.",
        bad="""
            phases:
              game:
                do:
                  - for: p in players
                    do:
                      - set: left_of(p).coins  # here
                        to: 3
                        log: "{p} begins with three coins"
        """,
        good="""
            phases:
              game:
                do:
                  - for: p in players
                    do:
                      - set: p.coins
                        to: 3
                        log: "{p} begins with three coins"
        """,
        fix="Write the same player in both, or name both in the text.",
    ),
    entry(
        "L115",
        "The end says the contrary",
        cause="`about` says that the most or the highest wins, and the end of the game looks for the least.",
        bad="""
            about: The most coins win.
            phases:
              game:
                do:
                  - {set: p1.coins, to: 3}
            end of game:
              rank: ranking(p in players by 0 - p.coins)  # here
        """,
        good="""
            about: The most coins win.
            phases:
              game:
                do:
                  - {set: p1.coins, to: 3}
            end of game:
              rank: ranking(p in players by p.coins)
        """,
        fix="Change the end or what `about` says.",
    ),
    entry(
        "L116",
        "A quote that begins nowhere",
        cause="A text without quotes around it ends with one. The one before it was forgotten, and people read this one.",
        bad="""
            phases:
              game:
                do:
                  - log: They go home"  # here
        """,
        good="""
            phases:
              game:
                do:
                  - log: "They go home"
        """,
        fix="Put both quotes or none.",
    ),
    entry(
        "L120",
        "A reason says the contrary of its condition",
        cause="`why` says why something is refused. Here it says what the condition asks for: that nothing is there, or that "
        "something is.",
        bad="""
            phases:
              game:
                do:
                  - offer: deed
                    by: p1
                    options:
                      sell:
                        say: Sell a card
                        if: p1.hand is empty  # here
                        why: There is nothing to sell
                        do: [{move: all, from: p1.hand, to: discard}]
                      rest: {say: Rest, do: [skip]}
        """,
        good="""
            phases:
              game:
                do:
                  - offer: deed
                    by: p1
                    options:
                      sell:
                        say: Sell a card
                        if: p1.hand is not empty
                        why: There is nothing to sell
                        do: [{move: all, from: p1.hand, to: discard}]
                      rest: {say: Rest, do: [skip]}
        """,
        fix="Turn the condition round, or say why it refuses.",
    ),
    entry(
        "L121",
        "The least stands where people read of the most",
        cause="A text names something and speaks of the highest or the most of it, no text speaks of the lowest or the least, and the "
        "lowest is looked for; or the other way round.",
        bad="""
            about: Whoever has the most coins pays one.
            phases:
              game:
                do:
                  - for: p in least(p in players by p.coins)  # here
                    do:
                      - {lose: 1, from: p.coins}
        """,
        good="""
            about: Whoever has the most coins pays one.
            phases:
              game:
                do:
                  - for: p in most(p in players by p.coins)
                    do:
                      - {lose: 1, from: p.coins}
        """,
        fix="Change what is looked for or what is said.",
    ),
    entry(
        "L134",
        "Rules read what nobody can see",
        cause="Players are to see what rules go by. A field is shown where its piece, place or word can be looked at closely, by a look, "
        "or by the picture of the map; names such as `code` and `source` are taken for notes of the author.",
        bad="""
            pieces:
              Stone:
                fields: {code: 1..9}  # here
                rows: {flint: [2], slate: [7]}
            zones:
              market: {of: Stone, starts with: all}
            phases:
              game:
                do:
                  - choose: stone
                    by: p1
                    from: Stone
                  - if: stone.code > 5
                    then:
                      - win: p1
        """,
        good="""
            pieces:
              Stone:
                fields: {code: 1..9}
                rows: {flint: [2], slate: [7]}
            zones:
              market: {of: Stone, starts with: all}
            table:
              look: {Stone: {facts: {code: yes}}}
            phases:
              game:
                do:
                  - choose: stone
                    by: p1
                    from: Stone
                  - if: stone.code > 5
                    then:
                      - win: p1
        """,
        fix="Show it, under `table: look:` or in the picture of the map; `facts: {code: no}` there says that people need not know it, "
        "`facts: no` so of all fields of a type.",
    ),
)
