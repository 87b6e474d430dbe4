"""Errors of a game's rules while it is played."""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "R001",
        "A function has no answer",
        cause="A function was asked for something that is not there, such as the first item of an empty list.",
        bad="""
            - move: top(discard)
              to: p1.hand
        """,
        good="""
            - if: size(discard) > 0
              then:
                - move: top(discard)
                  to: p1.hand
        """,
        fix="Test for the case before, or say what holds then with `otherwise`.",
    ),
    entry(
        "R002",
        "A collection is too large",
        cause="A list, set or range has more than 100000 items, or a text that is filled in more than 1000 characters and values. Or so "
        "many things are chosen one after another, or put in order, that more than 4000000 options would be offered.",
        bad="""
            - for: n in 1..1000000
              do: skip
        """,
        good="""
            - for: n in 1..100
              do: skip
        """,
        fix="Bound the numbers that the collection is made of.",
    ),
    entry(
        "R003",
        "No such place",
        cause="A variable, zone, table or field was asked for an index outside its range, or a member of a type "
        "was used as one of a view that it is not in.",
        fix="Check the number or the piece that is used as an index.",
    ),
    entry(
        "R004",
        "A value outside its range",
        cause="A variable was to be set to a value below or above what its type allows, or an argument is outside the range of its "
        "parameter.",
        bad="""
            - lose: 4
              from: p1.coins
        """,
        good="""
            - lose: min(4, p1.coins)
              from: p1.coins
        """,
        fix="Test before the change, widen the range, or write `stops: yes` if the ends hold by rule.",
    ),
    entry(
        "R005",
        "Too many steps",
        cause="The game ran on for very many steps without asking anybody: a loop that does not end, or rules that "
        "set each other off for ever.",
        bad="""
            - while: p1.coins > 0
              do:
                - add: 0
                  to: p1.coins
        """,
        good="""
            - while: p1.coins > 0
              do:
                - lose: 1
                  from: p1.coins
        """,
        fix="Look at the stack of procedures and rules below the message; give the loop or the rule an end.",
    ),
    entry(
        "R006",
        "Too deep",
        cause="More than 4,096 procedures and rules run within each other, or more than 512 where somebody is asked: a rule sets "
        "itself off without an end, or a chain of events that has one is longer than that.",
        fix="Give the rule a `limit`, or a condition that its own effect makes false; work off a chain that is so long in a loop.",
    ),
    entry(
        "R007",
        "A number is too large",
        cause="A calculation left the range of 64-bit numbers.",
        bad="""
            - let: n
              be: 4000000000
            - set: n
              to: n * n * n
        """,
        good="""
            - let: n
              be: 4000
            - set: n
              to: n * n * n
        """,
        fix="Bound the numbers that are multiplied or added up.",
    ),
    entry(
        "R008",
        "Nothing to choose",
        cause="Somebody must choose and no candidate is legal.",
        bad="""
            - choose: card
              by: p1
              from: p1.hand
        """,
        good="""
            - choose: card
              by: p1
              from: p1.hand
              or none: Pass
        """,
        fix="Say what happens then: `or none` for a willing no, `else` for nothing to ask.",
    ),
    entry(
        "R009",
        "Nothing to draw from",
        cause="Chance is to pick among no items, or among items whose weights are all 0 or negative.",
        bad="""
            - roll: 1
              die: p1.coins - 3
              as: face
        """,
        good="""
            - roll: 1
              die: p1.coins
              as: face
        """,
        fix="Test before, or see that the pile is refilled.",
    ),
    entry(
        "R010",
        "None where a value is needed",
        cause="A value of type `... or none` is none, and the rules use it as if it were there.",
        fix="Test with `is known`, or say `otherwise`.",
    ),
    entry(
        "R011",
        "A check failed",
        cause="A `check` of the game's author does not hold.",
        bad="""
            - check: p1.coins > 5
              why: Too few coins
        """,
        good="""
            - check: p1.coins > 2
              why: Too few coins
        """,
        fix="The message is the author's; look at what happened before.",
    ),
    entry(
        "R012",
        "More than there is",
        cause="More pieces were to be taken from a zone than lie there.",
        bad="""
            - move: 5 of ruby
              from: bank
              to: p1.stock
        """,
        good="""
            - move: min(5, count(bank, ruby)) of ruby
              from: bank
              to: p1.stock
        """,
        fix="Test before, or take as many as there are.",
    ),
    entry(
        "R013",
        "Left without being there",
        cause="A phase, scope or loop was to be ended that does not run at that moment.",
        bad="""
            - end: turn
        """,
        good="""
            - end: game
        """,
        fix="End it only from steps that run inside it.",
    ),
    entry(
        "R014",
        "Too much to look at",
        cause="Expressions took more than three million steps of work between two decisions: each item that is looked at counts "
        "as many as what is asked of it takes.",
        fix="Narrow the sets that are searched; ask in several steps.",
    ),
    entry(
        "R016",
        "No such player",
        cause="A choice, or sealed choices, are to be made by a player who is not in the game.",
        fix="See where the player comes from.",
    ),
    entry(
        "R017",
        "The game does not end",
        cause="The players have taken as many decisions as a game may have: 100000, or what the rules say under "
        "`most decisions`. The message names the questions that are asked most.",
        bad="""
            - while: p1.coins < 9
              do:
                - choose: paid
                  by: p1
                  from: 0..3
        """,
        good="""
            - while: p1.coins < 9
              do:
                - choose: paid
                  by: p1
                  from: 0..3
                - add: 1
                  to: p1.coins
        """,
        fix="See that each round of these questions brings the game nearer to its end. If games may be that long, say so: "
        "`most decisions: 500000`.",
    ),
    entry(
        "R018",
        "The same position again",
        cause="A position comes back, and on the way nobody had a choice and chance had no say: the game goes round for ever.",
        bad="""
            - while: p1.coins < 9
              do:
                - choose: paid
                  by: p1
                  from: 3..3
        """,
        good="""
            - while: p1.coins < 9
              do:
                - choose: paid
                  by: p1
                  from: 3..3
                - add: 1
                  to: p1.coins
        """,
        fix="Let the round end when nobody can do anything any more, for instance after everybody has passed.",
    ),
    entry(
        "R019",
        "The piece lies elsewhere",
        cause="A piece was to be moved `from` a zone and lies in another one, or in none.",
        bad="""
            - draw: 1
              from: deck
              to: p1.hand
            - for: card in Card
              do:
                - move: card
                  from: deck
                  to: discard
        """,
        good="""
            - draw: 1
              from: deck
              to: p1.hand
            - for: card in deck
              do:
                - move: card
                  from: deck
                  to: discard
        """,
        fix="Test `card in deck` before, or leave `from` out: a piece is moved from wherever it lies.",
    ),
    entry(
        "R020",
        "A value of the wrong form",
        cause="A value is not of the type that the rules promise. The checker should have found this.",
        fix="Please report it together with the game.",
    ),
    entry(
        "R021",
        "The returns are not what the rules state",
        cause="The game has ended, and what the players get is not what `utility` under `end of game` states: another sum, less than "
        "`min`, more than `max`, or not the same for all with `identical`. The message says what was found.",
        bad="""
            end of game:
              returns: this.coins
              utility: {sum: 0}
        """,
        good="""
            end of game:
              returns: this.coins
              utility: {min: 0}
        """,
        fix="Correct the formula of the returns, or state what is true of all ends of the game.",
    ),
)
