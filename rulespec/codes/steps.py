"""Faults of steps."""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "E405",
        "This is not a zone",
        cause="Pieces are moved between zones, and something else is named.",
        bad="""
            - move: top(discard)
              to: p.coins
        """,
        good="""
            - move: top(discard)
              to: p.hand
        """,
        fix="Name a zone, with its player or place where it has one.",
    ),
    entry(
        "E406",
        "From where is not said",
        cause="`all`, and pieces that are alike, must be taken from a zone that is named.",
        bad="""
            - move: 2 of ruby
              to: p.stock
        """,
        good="""
            - move: 2 of ruby
              from: bank
              to: p.stock
        """,
        fix="Write `from:` and the zone.",
    ),
    entry(
        "E407",
        "The zone is for other pieces",
        cause="A zone holds pieces of one kind.",
        bad="""
            - draw: 1
              from: deck
              to: p.stock
        """,
        good="""
            - draw: 1
              from: deck
              to: p.hand
        """,
        fix="Name a zone of the same kind.",
    ),
    entry(
        "E408",
        "Nothing is drawn from there",
        cause="A zone that is neither shuffled nor a pile has no top and no chance.",
        bad="""
            - draw: 1
              from: p.shown
              to: p.hand
        """,
        good="""
            - draw: 1
              from: deck
              to: p.hand
        """,
        fix="Declare `order: shuffled` or `order: as laid`, or use `pick`.",
    ),
    entry(
        "E409",
        "The zone cannot be shuffled",
        cause="Only a zone with `order: shuffled` has pieces of which nobody knows the order.",
        bad="""
            - shuffle: discard
        """,
        good="""
            - shuffle: deck
        """,
        fix="Declare the zone with `order: shuffled`.",
    ),
    entry(
        "E418",
        "The pieces lie in another zone",
        cause="With `move: PIECES`, `from` says where they lie, and what is moved is taken from somewhere else.",
        bad="""
            - move: top(discard)
              from: deck
              to: p.hand
        """,
        good="""
            - move: top(discard)
              to: p.hand
        """,
        fix="Leave `from` out: a piece is moved from wherever it lies. Or take the piece from that zone.",
    ),
    entry(
        "E500",
        "There is no such verb or procedure",
        cause="The first key of a step is a verb of the language or a procedure of the game.",
        bad="""
            - darw: 1
              from: deck
              to: p.hand
        """,
        good="""
            - draw: 1
              from: deck
              to: p.hand
        """,
        fix="Check the spelling; the verb must be the first key of the step.",
    ),
    entry(
        "E501",
        "The name would have no value",
        cause="A step with an `if` makes a name that later steps could use, though it may not be done.",
        bad="""
            - let: leader
              be: p
              if: p.coins > 0
        """,
        good="""
            - if: p.coins > 0
              then:
                - let: leader
                  be: p
        """,
        fix="Put the steps that need the name under an `if:` step.",
    ),
    entry(
        "E502",
        "This cannot be done together",
        cause="Inside `together` all choose on the same state, unseen by each other: nothing may change there, and nothing "
        "may be shown.  So `into` and `log` cannot stand there either.",
        bad="""
            - together: p in players
              do:
                - choose: bid
                  by: p
                  from: 0..3
                - lose: bid
                  from: p.coins
        """,
        good="""
            - together: p in players
              do:
                - choose: bid
                  by: p
                  from: 0..3
              then:
                - lose: p.bid
                  from: p.coins
        """,
        fix="Put what follows from the choices under `then`: `set` for `into`, and a line of the log.",
    ),
    entry(
        "E503",
        "A result is given or missing",
        cause="A procedure with `gives` ends by `give`, one without by `return`; only the first has a result to name.",
        bad="""
            procedures:
              leader:
                do:
                  - give: p1
        """,
        good="""
            procedures:
              leader:
                gives: Player
                do:
                  - give: p1
        """,
        fix="Declare `gives`, or leave the result out.",
    ),
    entry(
        "E504",
        "Who is asked?",
        cause="A choice says `by` whom it is made, unless there is a `me` here.",
        bad="""
            phases:
              game:
                do:
                  - choose: card
                    from: p1.hand
        """,
        good="""
            phases:
              game:
                do:
                  - choose: card
                    by: active
                    from: active.hand
                    or none: Pass
        """,
        fix="Write `by:` and a player.",
    ),
    entry(
        "E505",
        "This cannot be set",
        cause="Only variables of the state, and names made by `let`, change.",
        bad="""
            - set: red_1.value
              to: 3
        """,
        good="""
            - set: p.coins
              to: 3
        """,
        fix="Make it a variable under `state`, if it changes.",
    ),
    entry(
        "E506",
        "A zone is not set",
        cause="What lies in a zone changes by moving pieces.",
        bad="""
            - set: p.hand
              to: empty
        """,
        good="""
            - move: all
              from: p.hand
              to: discard
        """,
        fix="Use `move` or `draw`.",
    ),
    entry(
        "E507",
        "`match` leaves something out",
        cause="Every member that the value can be has its steps, or `else` stands for the rest.",
        bad="""
            - match: led
              with:
                red: [skip]
                blue: [skip]
        """,
        good="""
            - match: led
              with:
                red: [skip]
                else: [skip]
        """,
        fix="Add the members, or `else`.",
    ),
    entry(
        "E508",
        "The type of a new name is not known",
        cause="`empty` and `none` alone do not say of what.",
        bad="""
            - let: kept
              be: empty
        """,
        good="""
            - let: kept
              be: empty
              is: set of Card
        """,
        fix="Write `is:` and the type.",
    ),
    entry(
        "E509",
        "There is no loop to stop",
        cause="`stop` leaves the innermost loop, and here is none.",
        bad="""
            procedures:
              halt:
                do:
                  - stop
        """,
        good="""
            procedures:
              halt:
                do:
                  - return
        """,
        fix="Use `end` for a phase, `return` or `give` for a procedure.",
    ),
    entry(
        "E510",
        "There is no amount to name",
        cause="`as` names how much a number really changed; a set or a bag has no such number.",
        bad="""
            state:
              marked: set of Place
            procedures:
              mark:
                do:
                  - add: shore
                    to: marked
                    as: more
        """,
        good="""
            state:
              marked: set of Place
            procedures:
              mark:
                do:
                  - add: shore
                    to: marked
        """,
        fix="Leave `as` out.",
    ),
    entry(
        "E511",
        "A procedure calls itself",
        cause="Following the procedures that a procedure calls leads back to it.",
        bad="""
            procedures:
              ping: {do: [pong]}
              pong: {do: [ping]}
        """,
        good="""
            procedures:
              ping:
                do:
                  - while: active.coins > 0
                    do: [pong]
              pong:
                do:
                  - {lose: 1, from: active.coins}
        """,
        fix="Take the call out, and put what is done again into a loop: `while`, `until` or `repeat`, with the condition for which it "
        "was called. The message shows each call of the ring; one of them goes.",
    ),
    entry(
        "E512",
        "A scope that need not be going on",
        cause="What belongs to a scope is there only while it goes on; these steps can be reached without it. No scope is going on when "
        "the game begins, or when it is over.",
        bad="""
            functions:
              foe: rival(attacker)
            phases:
              game:
                do:
                  - win: foe
        """,
        good="""
            functions:
              foe: rival(attacker)
            phases:
              game:
                do:
                  - scope: Combat
                    with: {attacker: active}
                    do:
                      - win: foe
        """,
        fix="Put the steps into the scope, or give what they need as a parameter; keep what counts at the end under `state:`.",
    ),
    entry(
        "E513",
        "A question inside `at once`",
        cause="What happens at once is one batch: nobody is asked in the middle of it, nor by what it calls.",
        bad="""
            phases:
              game:
                do:
                  - at once:
                      - may: Take a coin?
                        by: active
                        do:
                          - add: 1
                            to: active.coins
        """,
        good="""
            phases:
              game:
                do:
                  - may: Take a coin?
                    by: active
                    do:
                      - at once:
                          - add: 1
                            to: active.coins
        """,
        fix="Ask before the batch, and do in it what was chosen.",
    ),
    entry(
        "E514",
        "Looking ahead at a question",
        cause="`after(...)` runs a procedure on a copy of the position. Where it asks a player or draws by chance, nobody knows "
        "how it goes on; the same holds for what it calls and for the rules that it sets off.",
        bad="""
            procedures:
              take_some:
                do:
                  - choose: n
                    by: active
                    from: 1..3
                  - add: n
                    to: active.coins
            phases:
              game:
                do:
                  - if: after(take_some, active.coins > 5)
                    then: [{win: active}]
                  - take_some
        """,
        good="""
            procedures:
              take:
                takes: {n: 1..3}
                do:
                  - add: n
                    to: active.coins
            phases:
              game:
                do:
                  - choose: n
                    by: active
                    from: 1..3
                    only:
                      - if: after(take(n), active.coins <= 5)
                        why: you would have more than 5
                  - take: n
        """,
        fix="Put what follows from an answer into a procedure of its own that takes the answer, and look ahead at that.",
    ),
    entry(
        "E515",
        "Looking ahead without an end",
        cause="What the procedure does, or a rule that it sets off, asks this very condition again.",
        bad="""
            events: {grown: {}}
            rules:
              more:
                after: grown
                where: after(grow, p1.coins) < 5
                do:
                  - add: 1
                    to: p1.coins
            procedures:
              grow: {do: [{announce: grown}]}
            phases:
              game: {do: [grow]}
        """,
        good="""
            events: {grown: {}}
            rules:
              more:
                after: grown
                where: after(pay, p1.coins) < 5
                do: [pay]
            procedures:
              grow: {do: [{announce: grown}]}
              pay: {do: [{add: 1, to: p1.coins}]}
            phases:
              game: {do: [grow]}
        """,
        fix="Look ahead at a procedure that does less: one that does not set off the rule that asks.",
    ),
)
