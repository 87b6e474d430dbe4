"""Lint: what can never happen, never end or never hold.

The line of each bad example where the finding stands is marked `# here`.
"""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "L030",
        "A condition always or never holds",
        cause="The ranges of variables, options and the number of players, and the conditions around it, leave one answer "
        "in every setup. One of the ways on is never taken: a sign, a bound or a name is wrong.",
        bad="""
            phases:
              game:
                do:
                  - if: size(players) > 4  # here
                    then: [turn]
        """,
        good="""
            phases:
              game:
                do:
                  - if: size(players) == 4
                    then: [turn]
        """,
        fix="Correct the condition, or leave it out.",
    ),
    entry(
        "L040",
        "No way leads to a step",
        cause="The step before it always leaves these steps: by `stop`, `return`, `give`, `end` or `win`, or by a loop without an end.",
        bad="""
            phases:
              game:
                do:
                  - win: p1
                  - log: The game is over  # here
        """,
        good="""
            phases:
              game:
                do:
                  - log: The game is over
                  - win: p1
        """,
        fix="Put the step before the one that leaves, or give that one an `if`.",
    ),
    entry(
        "L041",
        "A loop never ends",
        cause="Nothing in the loop changes what its condition reads, and nothing leads out of it: once begun, the game stands still.",
        bad="""
            phases:
              game:
                do:
                  - while: size(deck) > 2  # here
                    do:
                      - {set: active, to: left_of(active)}
        """,
        good="""
            phases:
              game:
                do:
                  - while: size(deck) > 2
                    do:
                      - {draw: 1, from: deck, to: active.hand}
                      - {set: active, to: left_of(active)}
        """,
        fix="Change in the loop what the condition reads, or leave it by `stop when`.",
    ),
    entry(
        "L043",
        "Rules set each other off without an end",
        cause="Each of the rules announces, whatever happens, an event that the next one hears, and none has a condition or a limit.",
        bad="""
            events:
              storm:
            rules:
              thunder:  # here
                after: storm
                do:
                  - announce: storm
            phases:
              game:
                do:
                  - announce: storm
        """,
        good="""
            events:
              storm:
            rules:
              thunder:
                after: storm
                limit: once per game
                do:
                  - announce: storm
            phases:
              game:
                do:
                  - announce: storm
        """,
        fix="Give one of the rules a `limit` or a `where`.",
    ),
    entry(
        "L044",
        "A rule does nothing about what it waits for",
        cause="A rule `always` acts as long as its condition holds. Its steps change nothing that the condition reads.",
        bad="""
            rules:
              ruin:
                always: x in Place where x.damage > 8  # here
                do:
                  - {set: target, to: x}
            phases:
              game:
                do:
                  - {add: 1, to: target.damage}
        """,
        good="""
            rules:
              ruin:
                always: x in Place where x.damage > 8
                do:
                  - {set: x.damage, to: 0}
            phases:
              game:
                do:
                  - {add: 1, to: target.damage}
        """,
        fix="Change in its steps what it waits for, or let it react to an event.",
    ),
    entry(
        "L050",
        "There is nothing to choose from",
        cause="Always, or for some number of players, the choice is from nothing, and neither `or none` nor `else` stands there.",
        bad="""
            phases:
              game:
                do:
                  - choose: number  # here
                    by: p1
                    from: 3..size(players)
                  - {add: number, to: p1.coins}
        """,
        good="""
            phases:
              game:
                do:
                  - choose: number
                    by: p1
                    from: 1..size(players)
                  - {add: number, to: p1.coins}
        """,
        fix="Choose from something else, say what happens `else`, or put the choice under an `if`.",
    ),
    entry(
        "L060",
        "A number leaves the range of its variable",
        cause="Whenever this step is done, always or for some number of players, the number is outside the range: an error in play.",
        bad="""
            state:
              hour: 1..12
            phases:
              game:
                do:
                  - if: hour == 6
                    then: [turn]
                  - {set: hour, to: size(players) - 2}  # here
        """,
        good="""
            state:
              hour: 0..12
            phases:
              game:
                do:
                  - if: hour == 6
                    then: [turn]
                  - {set: hour, to: size(players) - 2}
        """,
        fix="Correct the number or the range; `stops: yes` stops at its ends.",
    ),
    entry(
        "L052",
        "There is not enough to deal to all",
        cause="So many to each player are more, all together, than there are pieces of the kind, always or for some number of players: "
        "the last players get fewer, or nothing.",
        bad="""
            phases:
              game:
                do:
                  - deal: 2  # here
                    from: deck
                    to: hand
        """,
        good="""
            phases:
              game:
                do:
                  - deal: hand_size
                    from: deck
                    to: hand
        """,
        fix="Deal fewer, look the number up in a table by `players`, or add pieces; allow the finding if some shall get less.",
    ),
    entry(
        "L079",
        "A condition does not say why",
        cause="A player who chooses what the condition refuses, or asks for all options, reads only that the rules do not allow it.",
        bad="""
            phases:
              game:
                do:
                  - choose: rival
                    by: p1
                    from: players
                    only:
                      - if: rival.coins < 3  # here
                  - set: active
                    to: rival
        """,
        good="""
            phases:
              game:
                do:
                  - choose: rival
                    by: p1
                    from: players
                    only:
                      - if: rival.coins < 3
                        why: "{rival} is too rich"
                  - set: active
                    to: rival
        """,
        fix="Say why in a few words, as a person would at the table.",
    ),
    entry(
        "L062",
        "`rival` where more than two may play",
        cause="`rival(p)` is the other one of two players. With three or more it has no answer, and each game ends there in an error. "
        "It is reported for the first number of players with which the step is reached.",
        bad="""
            players: 2..4
            phases:
              game:
                do:
                  - set: active  # here
                    to: rival(active)
        """,
        good="""
            players: 2..4
            phases:
              game:
                do:
                  - set: active
                    to: left_of(active)
        """,
        fix="Say `left_of(p)`, let a player be chosen, or go through all others: `q in players where q != p`. What is for two players "
        "alone stands under `if: size(players) == 2`.",
    ),
    entry(
        "L063",
        "What is stated of the returns is never so",
        cause="What `utility` states contradicts itself, or what `end of game` gives: no game could end without an error (R021).",
        bad="""
            end of game:
              winners: most(p in players by p.coins)
              utility: {max: -2}  # here
        """,
        good="""
            end of game:
              returns: this.coins
              utility: {min: 0}
        """,
        fix="State what holds at all ends, or leave it out; without it programs take what follows from the rules.",
    ),
    entry(
        "L131",
        "A loop asks who does not fit any more",
        cause="`for` settles before the first step whom it goes through. A step for one of them changes what the condition reads of "
        "another, who then is asked, though the condition does not hold for that player any longer: the dead have a turn.",
        bad="""
            state:
              per Player:
                life: {is: 0..5, starts: 3, stops: yes, seen by: all}
            phases:
              game:
                do:
                  - for: p in players where p.life > 0  # here
                    do:
                      - choose: victim
                        by: p
                        from: those(q in players where q.life > 0)
                      - {lose: 2, from: victim.life}
        """,
        good="""
            state:
              per Player:
                life: {is: 0..5, starts: 3, stops: yes, seen by: all}
            phases:
              game:
                do:
                  - for: p in players where p.life > 0
                    do:
                      - if: p.life > 0
                        then:
                          - choose: victim
                            by: p
                            from: those(q in players where q.life > 0)
                          - {lose: 2, from: victim.life}
        """,
        fix="Test again before the question.",
    ),
    entry(
        "L132",
        "Two may take the same",
        cause="Players choose together from what is the same for all, and what each has chosen goes to their place. Where two choose "
        "the same, the second takes it from the first, and nothing says so.",
        bad="""
            pieces:
              Stone: {rows: {flint: {}, slate: {}, chalk: {}}}
            zones:
              market: {of: Stone, starts with: all, seen by: all}
              shelf: {of: Stone, per: Player, seen by: all}
            phases:
              game:
                do:
                  - together: p in players
                    do:
                      - choose: stone
                        by: p
                        from: market
                    then:
                      - move: p.stone  # here
                        to: p.shelf
        """,
        good="""
            pieces:
              Stone: {rows: {flint: {}, slate: {}, chalk: {}}}
            zones:
              market: {of: Stone, starts with: all, seen by: all}
              shelf: {of: Stone, per: Player, seen by: all}
            phases:
              game:
                do:
                  - for: p in players
                    do:
                      - choose: stone
                        by: p
                        from: market
                      - move: stone
                        to: p.shelf
        """,
        fix="Compare the answers before they are moved, or let players choose in turn.",
    ),
    entry(
        "L135",
        "A text with the signs of another language",
        cause="In a text, only what stands in single braces is worked out. People read everything else as it is: the letter `f` and the "
        "quotes behind it, `$`, `%`, `<` and `>`.",
        bad="""
            phases:
              game:
                do:
                  - for: p in players
                    do:
                      - log: f"{p} has {p.coins} coins"  # here
        """,
        good="""
            phases:
              game:
                do:
                  - for: p in players
                    do:
                      - log: "{p} has {p.coins} coins"
        """,
        fix="Leave the signs out, and put each name in single braces.",
    ),
    entry(
        "L136",
        "What is shown may be of nothing",
        cause="A picture, a look or a board asks for an item of a collection that may be empty. That is an error in play (R001), which "
        "stands in place of the table.",
        bad="""
            map:
              picture:
                symbol: first(discard).colour  # here
        """,
        good="""
            map:
              picture:
                symbol: if discard is empty then none else first(discard).colour
        """,
        fix="Say what is shown where nothing lies: `none`, or another text.",
    ),
)
