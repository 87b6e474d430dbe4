"""Faults of expressions: how they are written, and what their values are."""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "E001",
        "The expression cannot be read",
        cause="An expression, a loop header, a type or a text with braces is not written as the language has it.",
        bad="""
            - if: p.coins = 3
              then: [skip]
        """,
        good="""
            - if: p.coins == 3
              then: [skip]
        """,
        fix="Put right what the message points at; it says what could stand there.",
    ),
    entry(
        "E002",
        "The expression is too long or too deep",
        cause="An expression may have 4,096 characters, be nested or chained 64 deep, and its numbers have 18 digits.",
        fix="Give a part of it a name: a value, a function or a `let`.",
    ),
    entry(
        "E003",
        "The game has too many expressions",
        cause="There is a limit to the expressions of one game, so that checking it always ends soon.",
        fix="Move what is alike to tables, functions and procedures.",
    ),
    entry(
        "E004",
        "Not all was looked through",
        cause="Ranges of values were followed through the game until a limit. What is reported is right, but more may be wrong.",
        fix="Name parts of long conditions as functions, and take apart what is deeply nested.",
    ),
    entry(
        "E201",
        "This is of another type than is expected",
        cause="A value of one type stands where one of another is wanted.",
        bad="""
            - add: red
              to: p.coins
        """,
        good="""
            - add: 2
              to: p.coins
        """,
        fix="Look at what is found and what is expected, below the message.",
    ),
    entry(
        "E202",
        "The function does not take this",
        cause="An argument is of a type that the function does not take at this position.",
        bad="""
            functions:
              less: min(active, 2)
        """,
        good="""
            functions:
              less: min(active.coins, 2)
        """,
        fix="Look at the signature below the message.",
    ),
    entry(
        "E203",
        "The value may be none",
        cause="A value of type `... or none` stands where something must be there.",
        bad="""
            - add: 1
              to: bidder.coins
        """,
        good="""
            - if: bidder is known
              then:
                - add: 1
                  to: bidder.coins
        """,
        fix="Test it with `is known` before, or write `... otherwise ...`.",
    ),
    entry(
        "E204",
        "An interval has no end",
        cause="`1..` can be a type or the bounds of a choice, but cannot be counted through.",
        bad="""
            - for: n in 1..
              do: [skip]
        """,
        good="""
            - for: n in 1..p.coins
              do: [skip]
        """,
        fix="Give both ends.",
    ),
    entry(
        "E205",
        "The branches differ",
        cause="The values after `then` and `else`, or on the two sides of `otherwise`, are of different types.",
        bad="""
            functions:
              lead: if active == p1 then led else 3
        """,
        good="""
            functions:
              lead: if active == p1 then led else red
        """,
        fix="Make both of one type.",
    ),
    entry(
        "E206",
        "This has no parts",
        cause="What stands before the dot is a number or the like, of which nothing more is known.",
        bad="""
            functions:
              odd: active.coins.value
        """,
        good="""
            functions:
              even: active.coins
        """,
        fix="Check the path, part by part.",
    ),
    entry(
        "E207",
        "These cannot be combined",
        cause="An operator does not combine values of these types.",
        bad="""
            functions:
              odd: active.hand + 1
        """,
        good="""
            functions:
              even: size(active.hand) + 1
        """,
        fix="Take the size, the number or the part that is meant.",
    ),
    entry(
        "E208",
        "This is never none",
        cause="A test for none, or an `otherwise`, of a value that is always there.",
        bad="""
            functions:
              somebody: active otherwise p1
        """,
        good="""
            functions:
              somebody: bidder otherwise p1
        """,
        fix="Leave the test out, or declare the variable with `or none`.",
    ),
    entry(
        "E209",
        "Compared with `empty`",
        cause="Whether something is empty is asked with `is empty`, not by comparing.",
        bad="""
            functions:
              out: deck == empty
        """,
        good="""
            functions:
              out: deck is empty
        """,
        fix="Write `is empty` or `is not empty`.",
    ),
    entry(
        "E210",
        "This comparison is always the same",
        cause="The two sides are of types that have no value in common.",
        bad="""
            functions:
              rich: active == 3
        """,
        good="""
            functions:
              rich: active.coins == 3
        """,
        fix="Compare the part that is meant.",
    ),
    entry(
        "E218",
        "Texts are in no order",
        cause="A set keeps its items in an order of theirs, and a text has none: what is filled into it may be hidden.",
        bad="""
            state:
              names: set of Text
        """,
        good="""
            state:
              names: list of Text
        """,
        fix="Keep texts in a list.",
    ),
    entry(
        "E219",
        "A fraction has no place here",
        cause="Numbers are whole. Only what players get at the end may be divided: as the whole of `returns`, in a branch of "
        "`if` or next to `+` and `-`, by a number that "
        "is written, has a range, or is at most that of the players.",
        bad="""
            functions:
              half: p1.coins / 2
        """,
        good="""
            functions:
              half: div(p1.coins, 2)
            end of game:
              returns: this.coins / 2
        """,
        fix="Divide whole numbers by `div`, which rounds down; write `a / b` in `returns` itself.",
    ),
    entry(
        "E300",
        "There is no such function",
        cause="Something is called that is neither a function of the language nor one of the game.",
        bad="""
            functions:
              total: summ(p.coins for p in players)
        """,
        good="""
            functions:
              total: sum(p.coins for p in players)
        """,
        fix="Check the spelling; the reference lists the functions.",
    ),
    entry(
        "E301",
        "Too many or too few arguments",
        cause="A function, procedure, condition, menu or event is given other arguments than it takes.",
        bad="""
            functions:
              follows: must_follow(active, led)
        """,
        good="""
            functions:
              follows: must_follow(active)
        """,
        fix="Look at what it takes, below the message.",
    ),
    entry(
        "E302",
        "A function without its arguments",
        cause="The name of a function is alone, and it needs arguments.",
        bad="""
            functions:
              cards: size
        """,
        good="""
            functions:
              cards: size(deck)
        """,
        fix="Write the arguments in parentheses.",
    ),
    entry(
        "E303",
        "A function is defined by itself",
        cause="Following the functions that a function calls leads back to it.",
        bad="""
            functions:
              hen: egg + 1
              egg: hen + 1
        """,
        good="""
            functions:
              hen: egg + 1
              egg: 1
        """,
        fix="Count or sum over a collection instead, or use a loop in a procedure.",
    ),
    entry(
        "E304",
        "This is not a function",
        cause="Something is called with arguments that takes none.",
        bad="""
            functions:
              odd: {takes: {n: Number}, is: n(3)}
        """,
        good="""
            functions:
              even: {takes: {n: Number}, is: n + 3}
        """,
        fix="Leave the parentheses out.",
    ),
    entry(
        "E305",
        "The function binds in another way",
        cause="`most` and its kin need `by` and a number, `all` needs `have` and a condition; others take neither.",
        bad="""
            functions:
              richest: most(p in players)
        """,
        good="""
            functions:
              richest: most(p in players by p.coins)
        """,
        fix="Look at the form below the message.",
    ),
    entry(
        "E306",
        "Functions call each other too deep",
        cause="The chain of functions that call one another is longer than the limit.",
        fix="Merge some of them.",
    ),
)
