"""Lint: names, numbers and places that do not fit what stands beside them.

The line of each bad example where the finding stands is marked `# here`.
"""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "L101",
        "A name is not used",
        cause="An answer, a throw, a name by `let` or what a loop is at is read by nothing that follows, or what is "
        "asked of each thing does not speak of it. Most often another name stands where it was meant, or a "
        "step is missing.",
        bad="""
            phases:
              game:
                do:
                  - choose: lucky  # here
                    by: p1
                    from: players
                    say: Who gets a coin?
                  - {add: 1, to: p1.coins, if: p1.coins < 9}
        """,
        good="""
            phases:
              game:
                do:
                  - choose: lucky
                    by: p1
                    from: players
                    say: Who gets a coin?
                  - {add: 1, to: lucky.coins, if: lucky.coins < 9}
        """,
        fix="Read it where it was meant, or leave it out.",
    ),
    entry(
        "L102",
        "A step changes nothing",
        cause="It goes from a place to the same place, sets a variable to what it is, stands twice, or the step "
        "behind it undoes or overwrites it.",
        bad="""
            phases:
              game:
                do:
                  - {set: p1.coins, to: 3}
                  - {set: p1.coins, to: 4}  # here
        """,
        good="""
            phases:
              game:
                do:
                  - {set: p1.coins, to: 3}
                  - {set: p2.coins, to: 4}
        """,
        fix="Write the name that was meant in one of them.",
    ),
    entry(
        "L103",
        "A condition looks at something else",
        cause="A condition under `only` does not speak of what is chosen, so that it allows all or nothing; or its "
        "reason speaks of something that the condition does not look at.",
        bad="""
            phases:
              game:
                do:
                  - choose: payer
                    by: p1
                    from: players
                    only:
                      - {if: p1.coins > 0, why: There are no coins}  # here
                    say: Who pays?
                    else: return
                  - {lose: 1, from: payer.coins, if: payer.coins > 0}
        """,
        good="""
            phases:
              game:
                do:
                  - choose: payer
                    by: p1
                    from: players
                    only:
                      - {if: payer.coins > 0, why: There are no coins}
                    say: Who pays?
                    else: return
                  - {lose: 1, from: payer.coins}
        """,
        fix="Let the condition look at what is chosen; what holds for the whole question stands in an `if` before it.",
    ),
    entry(
        "L104",
        "More or less is asked for than is taken",
        cause="The condition of an option asks for so much of a number, and its steps take another amount of it, or "
        "take it from another.",
        bad="""
            phases:
              game:
                do:
                  - offer: action
                    by: p1
                    options:
                      work:
                        say: Work
                        if: p1.coins >= 2  # here
                        why: There are too few coins
                        do:
                          - {lose: 3, from: p1.coins}
                          - turn
        """,
        good="""
            phases:
              game:
                do:
                  - offer: action
                    by: p1
                    options:
                      work:
                        say: Work
                        if: p1.coins >= 3
                        why: There are too few coins
                        do:
                          - {lose: 3, from: p1.coins}
                          - turn
        """,
        fix="Let both be the same.",
    ),
    entry(
        "L107",
        "The turn does not pass, or passes the wrong way",
        cause="In the loop of the game one variable is asked each time and nothing sets it; or it goes to the "
        "right, against the clock, and no text of the game says so.",
        bad="""
            state: {mover: Player}
            phases:
              game:
                do:
                  - set: mover
                    to: p2
                  - until: any(p in players where p.coins > 9)  # here
                    do:
                      - choose: lucky
                        by: mover
                        from: players
                        say: Who gets a coin?
                      - {add: 1, to: lucky.coins}
        """,
        good="""
            state: {mover: Player}
            phases:
              game:
                do:
                  - set: mover
                    to: p2
                  - until: any(p in players where p.coins > 9)
                    do:
                      - choose: lucky
                        by: mover
                        from: players
                        say: Who gets a coin?
                      - {add: 1, to: lucky.coins}
                      - set: mover
                        to: left_of(mover)
        """,
        fix="Set the variable at the end of the loop; say in `about` where play goes counter-clockwise.",
    ),
    entry(
        "L108",
        "The winner is not the one who was found",
        cause="A condition asks whether any player fulfils something, and then somebody wins of whom it did not speak.",
        bad="""
            state: {mover: Player}
            phases:
              game:
                do:
                  - set: mover
                    to: p2
                  - if: any(p in players where p.coins > 9)
                    then:
                      - win: mover  # here
        """,
        good="""
            phases:
              game:
                do:
                  - if: any(p in players where p.coins > 9)
                    then:
                      - win: those(p in players where p.coins > 9)
        """,
        fix="Let those win who fulfil the condition, or ask it of the one who wins.",
    ),
    entry(
        "L109",
        "The same is given twice",
        cause="A function or step that needs two things of one sort is given the same one for both.",
        bad="""
            functions:
              richer:
                takes: {a: Player, b: Player}
                is: a.coins > b.coins
            phases:
              game:
                do:
                  - for: p in players
                    do:
                      - {add: 1, to: p.coins, if: "richer(p, p)"}  # here
        """,
        good="""
            functions:
              richer:
                takes: {a: Player, b: Player}
                is: a.coins > b.coins
            phases:
              game:
                do:
                  - for: p in players
                    do:
                      - {add: 1, to: p.coins, if: "richer(p, left_of(p)) and p.coins < 9"}
        """,
        fix="Write the other name.",
    ),
    entry(
        "L110",
        "What is chosen here is taken there",
        cause="A piece is chosen from a zone of one player and moved from the same zone of another.",
        bad="""
            phases:
              game:
                do:
                  - choose: card
                    by: p1
                    from: p1.hand
                    say: Which card?
                    else: return
                  - move: card
                    from: p2.hand  # here
                    to: discard
        """,
        good="""
            phases:
              game:
                do:
                  - choose: card
                    by: p1
                    from: p1.hand
                    say: Which card?
                    else: return
                  - move: card
                    from: p1.hand
                    to: discard
        """,
        fix="Name the same zone in both steps.",
    ),
    entry(
        "L111",
        "A copy was left as it was",
        cause="Two functions have the same body, `more` and `fewer` do the same, or what is done for one member is "
        "what another one does, with that one's name.",
        bad="""
            functions:
              richest: first(most(p in players by p.coins))
              poorest: first(most(p in players by p.coins))  # here
            phases:
              game:
                do:
                  - {add: 1, to: poorest.coins, if: poorest.coins < 9}
                  - {lose: 1, from: richest.coins, if: richest.coins > 0}
        """,
        good="""
            functions:
              richest: first(most(p in players by p.coins))
              poorest: first(least(p in players by p.coins))
            phases:
              game:
                do:
                  - {add: 1, to: poorest.coins, if: poorest.coins < 9}
                  - {lose: 1, from: richest.coins, if: richest.coins > 0}
        """,
        fix="Change what the copy should do otherwise, or use one of them in place of the other.",
    ),
    entry(
        "L112",
        "A row is never looked up",
        cause="A table is only looked up by names, and nothing names this row.",
        bad="""
            types:
              Deed: [found, bought, stolen]
            tables:
              worth:
                by: Deed
                gives: 1..3
                rows:
                  found: 1
                  bought: 2
                  stolen: 3  # here
            phases:
              game:
                do:
                  - {set: p1.coins, to: worth(found)}
                  - {set: p2.coins, to: worth(bought) + worth(bought) * 2}
        """,
        good="""
            types:
              Deed: [found, bought, stolen]
            tables:
              worth:
                by: Deed
                gives: 1..3
                rows:
                  found: 1
                  bought: 2
                  stolen: 3
            phases:
              game:
                do:
                  - {set: p1.coins, to: worth(found)}
                  - {set: p2.coins, to: worth(bought) + worth(stolen) * 2}
        """,
        fix="Look it up where it was meant, or leave it out.",
    ),
    entry(
        "L113",
        "The score does not decide who wins",
        cause="What is shown as the score at the end and what finds the winners have nothing in common.",
        bad="""
            phases:
              game:
                do:
                  - {set: p1.coins, to: 3}
            end of game:
              rank: ranking(p in players by size(p.hand))  # here
              score: {Coins: this.coins}
        """,
        good="""
            phases:
              game:
                do:
                  - {set: p1.coins, to: 3}
            end of game:
              rank: ranking(p in players by p.coins)
              score: {Coins: this.coins}
        """,
        fix="Find the winners by what the score shows, or show what decides.",
    ),
    entry(
        "L114",
        "A deck lies open, or is never shuffled",
        cause="A shuffled zone that people draw from is seen by all, so that they know what comes; or one whose "
        "order nobody sees is drawn from in the order of its rows.",
        bad="""
            zones:
              stack: {of: Card, order: shuffled, starts with: "those(c in Card where c.value > 2)"}  # here
            phases:
              game:
                do:
                  - draw: 1
                    from: stack
                    to: p1.hand
        """,
        good="""
            zones:
              stack: {of: Card, order: shuffled, seen by: none, starts with: "those(c in Card where c.value > 2)"}
            phases:
              game:
                do:
                  - draw: 1
                    from: stack
                    to: p1.hand
        """,
        fix="Say `seen by: none`, or `order: shuffled`.",
    ),
    entry(
        "L117",
        "A limit is not looked at here",
        cause="A hand or a number has a limit, which is seen to behind some steps that fill it. Behind this one nothing looks at it, "
        "nor where its procedure is run. That may be as it is meant: a limit at the end of a turn is none at its beginning.",
        bad="""
            procedures:
              take:
                do:
                  - {draw: 2, from: deck, to: p1.hand}
                  - while: size(p1.hand) > 3
                    do:
                      - {choose: card, by: p1, from: p1.hand}
                      - {move: card, to: discard}
            phases:
              game:
                do:
                  - take
                  - {draw: 3, from: deck, to: p1.hand}  # here
        """,
        good="""
            procedures:
              take:
                do:
                  - {draw: 2, from: deck, to: p1.hand}
                  - while: size(p1.hand) > 3
                    do:
                      - {choose: card, by: p1, from: p1.hand}
                      - {move: card, to: discard}
            phases:
              game:
                do:
                  - {draw: 3, from: deck, to: p1.hand}
                  - take
        """,
        fix="Look at the limit here too, best in a procedure of its own that all run; leave it if the limit holds at one time only.",
    ),
    entry(
        "L122",
        "Two fields are mixed up",
        cause="A field of something is compared with a name that is another of its fields: the row with the column, the price with the "
        "weight.",
        bad="""
            types:
              Cell:
                fields: {row: 1..3, column: 1..3}
                rows: {one: [1, 2], two: [2, 3]}
            phases:
              game:
                do:
                  - for: column in 1..3
                    do:
                      - if: any(c in Cell where c.row == column) or all(c in Cell have c.column > 1)  # here
                        then:
                          - {add: 1, to: p1.coins}
        """,
        good="""
            types:
              Cell:
                fields: {row: 1..3, column: 1..3}
                rows: {one: [1, 2], two: [2, 3]}
            phases:
              game:
                do:
                  - for: column in 1..3
                    do:
                      - if: any(c in Cell where c.column == column) or all(c in Cell have c.row > 1)
                        then:
                          - {add: 1, to: p1.coins}
        """,
        fix="Compare with the field of that name.",
    ),
    entry(
        "L119",
        "A part of a condition is the same for all",
        cause="One of several parts of a condition on many does not speak of the one that is looked at, but of another of its kind, of "
        "which the condition asks the same elsewhere. Then it holds for all or for none.",
        bad="""
            phases:
              game:
                do:
                  - for: q in players
                    do:
                      - if: any(p in players where q.coins > 3 and p.coins < q.coins)  # here
                        then:
                          - {add: 1, to: q.coins}
        """,
        good="""
            phases:
              game:
                do:
                  - for: q in players
                    do:
                      - if: any(p in players where p.coins > 3 and p.coins < q.coins)
                        then:
                          - {add: 1, to: q.coins}
        """,
        fix="Name the one that is looked at; what holds for all of them stands outside.",
    ),
    entry(
        "L130",
        "A limit is never used up",
        cause="It is that of the event which the rule reacts to. Each time the event is announced, also within itself, it counts afresh, "
        "and a rule acts once each time anyway.",
        bad="""
            events:
              storm:
            rules:
              thunder:
                after: storm
                limit: once per storm  # here
                do:
                  - log: Thunder
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
                  - log: Thunder
            phases:
              game:
                do:
                  - announce: storm
        """,
        fix="Name the phase or scope in which the rule may act so often, or leave the limit out.",
    ),
)
