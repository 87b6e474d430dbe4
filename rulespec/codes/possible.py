"""Lint: what may be so and is not sure, shown by `rulespec lint --notes` only.

The line of each bad example where the finding stands is marked `# here`.
"""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "L042",
        "Nobody ever wins",
        cause="No step that can be reached is a `win`, and `end of game` says neither `returns`, `winners` nor `rank`: at the end "
        "all have 0. That is as it should be in a piece of a game, and seldom in a whole one.",
        bad="""
            rulespec: 1
            id: for_nothing
            players: 2
            phases:
              game:  # here
                do:
                  - log: Well played
        """,
        good="""
            rulespec: 1
            id: for_something
            players: 2
            phases:
              game:
                do:
                  - log: Well played
                  - win: p1
        """,
        fix="Say who has won by `win`, or what each has under `end of game`.",
    ),
    entry(
        "L045",
        "Rules may set each other off",
        cause="Each of the rules may announce an event that the next one hears, and none has a limit. It ends only if "
        "a condition on the way fails one day.",
        bad="""
            events:
              storm:
            rules:
              thunder:  # here
                after: storm
                where: p1.coins < 9
                do:
                  - {add: 1, to: p1.coins, if: p1.coins < 99}
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
                  - {add: 1, to: p1.coins, if: p1.coins < 99}
                  - announce: storm
            phases:
              game:
                do:
                  - announce: storm
        """,
        fix="Give one of them a `limit`, or make sure that a condition fails.",
    ),
    entry(
        "L051",
        "There may be nothing to choose from",
        cause="What is known at this step does not show that there is anything to choose from. If there is nothing one day, it is an "
        "error in play; often the rules do not say either what happens then.",
        bad="""
            phases:
              game:
                do:
                  - choose: card  # here
                    by: p1
                    from: those(c in p1.hand where c.value > 3)
                  - move: card
                    to: discard
        """,
        good="""
            phases:
              game:
                do:
                  - choose: card
                    by: p1
                    from: those(c in p1.hand where c.value > 3)
                    else: return
                  - move: card
                    to: discard
        """,
        fix="Say what happens `else`, or put an `if` before the choice; leave it where the rules of the game see to it.",
    ),
    entry(
        "L061",
        "A number may leave the range of its variable",
        cause="What is known at this step does not keep the number in the range that is declared. If it leaves it one day, it is an "
        "error in play.",
        bad="""
            phases:
              game:
                do:
                  - {add: size(p1.hand), to: p1.coins}  # here
        """,
        good="""
            phases:
              game:
                do:
                  - if: p1.coins < 90
                    then:
                      - {add: size(p1.hand), to: p1.coins}
        """,
        fix="Put a condition before it, widen the range, or let the variable stop at its ends by `stops: yes`.",
    ),
    entry(
        "L077",
        "One combination is missing or there twice",
        cause="The rows have every combination of some values once, but for one. Sometimes that is the game; often a row was left "
        "out or written twice. `count` says how many there must be.",
        bad="""
            types:
              Shape: [ring, cross, star]
              Size: [small, middle, large]
            pieces:
              Token:  # here
                fields: {shape: Shape, size: Size}
                rows:
                  a: [ring, small]
                  b: [ring, middle]
                  c: [ring, large]
                  d: [cross, small]
                  e: [cross, middle]
                  f: [cross, large]
                  g: [star, small]
                  h: [star, middle]
            phases:
              game:
                do:
                  - {add: size(those(t in Token where t.shape == star and t.size == large)), to: p1.coins, if: p1.coins < 9}
        """,
        good="""
            types:
              Shape: [ring, cross, star]
              Size: [small, middle, large]
            pieces:
              Token:
                fields: {shape: Shape, size: Size}
                rows:
                  a: [ring, small]
                  b: [ring, middle]
                  c: [ring, large]
                  d: [cross, small]
                  e: [cross, middle]
                  f: [cross, large]
                  g: [star, small]
                  h: [star, middle]
                  i: [star, large]
            phases:
              game:
                do:
                  - {add: size(those(t in Token where t.shape == star and t.size == large)), to: p1.coins, if: p1.coins < 9}
        """,
        fix="Add or remove the row, or leave it as it is.",
    ),
    entry(
        "L080",
        "No answer lies on the table",
        cause="A choice is among members of a type that lie nowhere, so that players cannot point at one and are given buttons.",
        bad="""
            types:
              Weather: [sun, rain]
            state:
              weather: {is: Weather, seen by: all}
            phases:
              game:
                do:
                  - choose: sky  # here
                    by: p1
                    from: Weather
                    into: weather
        """,
        good="""
            types:
              Weather: [sun, rain]
            state:
              weather: {is: Weather, seen by: all}
            table:
              boards: {Weather: {column: number(this), row: 1}}
            phases:
              game:
                do:
                  - choose: sky
                    by: p1
                    from: Weather
                    into: weather
        """,
        fix="Let pieces stand for its members, lay them out under `table: boards:`, or leave it at buttons.",
    ),
    entry(
        "L082",
        "What is shown is seen by nobody",
        cause="A value is shown to each player who sees what it follows from, and no player sees all that this one follows from.",
        bad="""
            state:
              secret: {is: 0..9, seen by: none}
            functions:
              double: {is: secret * 2, shown: yes}  # here
            phases:
              game:
                do:
                  - {set: secret, to: 3}
        """,
        good="""
            state:
              secret: {is: 0..9, seen by: all}
            functions:
              double: {is: secret * 2, shown: yes}
            phases:
              game:
                do:
                  - {set: secret, to: 3}
        """,
        fix="Show what follows from things that players see, or leave out `shown`.",
    ),
    entry(
        "L118",
        "Very many items are looked at at each decision",
        cause="An expression is estimated to look at more than 20,000 items whenever somebody is asked, or whenever its step runs: "
        "milliseconds, which bots that try many games feel. It is estimated from the sizes of collections and after all that is "
        "done to make it cheap, for the most players: what depends on fixed data alone is a table by then, whatever the style, and "
        "costs nothing here.",
        bad="""
            boards:
              Field: {square: 8 x 8}
            state:
              per Field:
                height: 0..9
            phases:
              game:
                do:
                  - choose: field
                    by: p1
                    from: Field
                    only:
                      - {if: "count(a in Field, b in Field where a.height + b.height == field.height) < 3", why: Too high}  # here
                  - {add: 1, to: field.height, if: field.height < 9}
                  - win: p1
        """,
        good="""
            boards:
              Field: {square: 8 x 8}
            state:
              per Field:
                height: 0..9
            phases:
              game:
                do:
                  - choose: field
                    by: p1
                    from: Field
                    only:
                      - if: count(a in neighbours(field), b in neighbours(field) where a.height + b.height == field.height) < 3
                        why: Too high
                  - {add: 1, to: field.height, if: field.height < 9}
                  - win: p1
        """,
        fix="Look at fewer items: at neighbours, rays, lines or what lies in a zone; test what is fixed first; or keep up to date by "
        "steps, in a variable, what would be counted anew each time.",
    ),
    entry(
        "L133",
        "What is stated of the returns follows anyway",
        cause="What `utility` states holds at each end of the game whatever the players do: it follows from the rules.",
        bad="""
            end of game:
              winners: set(p1)
              utility: {min: -1}  # here
        """,
        good="""
            end of game:
              winners: set(p1)
        """,
        fix="Leave it out, or leave it as a check that the rules stay so.",
    ),
)
