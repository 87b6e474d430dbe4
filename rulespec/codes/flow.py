"""What players are shown and must not depend on what they may not know.  None of these can be switched off."""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "F001",
        "What may be chosen leaks a secret",
        cause="Which answers are legal, or thinkable, is worked out from something that the player who is asked may not know.",
        bad="""
            phases:
              game:
                do:
                  - choose: card
                    by: p1
                    from: p1.hand
                    only:
                      - if: not any(c in p2.hand where c.colour == card.colour)
                        why: Not that one
        """,
        good="""
            phases:
              game:
                do:
                  - choose: card
                    by: p1
                    from: p1.hand
                    only:
                      - if: not any(c in p2.shown where c.colour == card.colour)
                        why: Not that one
        """,
        fix="Let the condition read what the player may see, or show it before: `reveal:`, `look:`, `seen by:`.",
    ),
    entry(
        "F002",
        "The text of a question leaks a secret",
        cause="A prompt, a reason or the text of an option says something that the player who is asked may not know.",
        bad="""
            phases:
              game:
                do:
                  - choose: card
                    by: p1
                    from: p1.hand
                    say: "Your neighbour has {count(c in p2.hand where c.colour == red)} red cards"
        """,
        good="""
            phases:
              game:
                do:
                  - choose: card
                    by: p1
                    from: p1.hand
                    say: "Your neighbour has {size(p2.hand)} cards"
        """,
        fix="Say how many there are, or what all may see; or show it before: `reveal:`, `look:`, `seen by:`.",
    ),
    entry(
        "F003",
        "Being asked leaks a secret",
        cause="All see who is asked.  Here that depends on something that not all may know, such as a player's hand.",
        bad="""
            phases:
              game:
                do:
                  - if: p1.hand includes red_5
                    then:
                      - choose: c
                        by: p1
                        from: Colour
        """,
        good="""
            phases:
              game:
                do:
                  - choose: c
                    by: p1
                    from: Colour
                    only:
                      - if: p1.hand includes red_5
                        why: Only with the red 5
                    or none: Nothing
        """,
        fix="Ask in any case, with the condition under `only:`; or in secret with `together:`; or `reveal:` it before.",
    ),
    entry(
        "F004",
        "A line of the log leaks a secret",
        cause="The line, or that it stands there, depends on something that not all who read it may know.",
        bad="""
            phases:
              game:
                do:
                  - choose: card
                    by: p1
                    from: p1.hand
                  - log: "{p1} plays a card of {card.value}"
                  - move: card
                    to: p1.shown
        """,
        good="""
            phases:
              game:
                do:
                  - choose: card
                    by: p1
                    from: p1.hand
                  - move: card
                    to: p1.shown
                    log: "{p1} plays a card of {card.value}"
        """,
        fix="Name the piece itself, which others read as its noun, or log it once it has been moved or revealed. "
        "Where the rules let all know an answer and no more, put it under a name with `let:` and `seen by: all`, and go by that name.",
    ),
    entry(
        "F005",
        "A choice among pieces that the player does not see",
        cause="Every candidate is shown to the player who chooses, and these are where that player does not see them. What a variable "
        "keeps of pieces is shown to who sees them where they lie: cards that it names wherever they lie are such candidates, too.",
        bad="""
            phases:
              game:
                do:
                  - choose: card
                    by: p1
                    from: p2.hand
                  - move: card
                    to: p1.hand
        """,
        good="""
            phases:
              game:
                do:
                  - pick: 1
                    from: p2.hand
                    as: stolen
                  - move: stolen
                    to: p1.hand
        """,
        fix="Let chance take one unseen with `pick:`, or show them before with `look:`. What is named wherever it lies is a face: "
        "`Face: {faces of: Card}` under `types`.",
    ),
    entry(
        "F006",
        "A variable leaks a secret",
        cause="A variable is given a value that some who see the variable may not know.",
        bad="""
            phases:
              game:
                do:
                  - set: round
                    to: count(c in p1.hand where c.colour == red)
                  - choose: c
                    by: p2
                    from: Colour
        """,
        good="""
            phases:
              game:
                do:
                  - reveal: p1.hand
                  - set: round
                    to: count(c in p1.hand where c.colour == red)
                  - choose: c
                    by: p2
                    from: Colour
        """,
        fix="Say who may know it: `seen by:` with the variable, `seen by: all` where the rules make it known.",
    ),
    entry(
        "F007",
        "A move leaks a secret",
        cause="Whether pieces are moved, or how many, depends on something that those who see it may not know.",
        bad="""
            phases:
              game:
                do:
                  - if: p1.hand includes red_5
                    then:
                      - move: red_1
                        to: discard
                  - choose: c
                    by: p2
                    from: Colour
        """,
        good="""
            phases:
              game:
                do:
                  - reveal: p1.hand
                  - if: p1.hand includes red_5
                    then:
                      - move: red_1
                        to: discard
                  - choose: c
                    by: p2
                    from: Colour
        """,
        fix="Show first what decides it, with `reveal:`, or hide how many lie there: `count seen by:`. "
        "Where the rules let all know the answer and no more, put it under a name with `let:` and `seen by: all`, and go by that name.",
    ),
    entry(
        "F008",
        "Not all was looked through for secrets",
        cause="The game is too large, or calls procedures in too many ways. What is reported is right, but more may leak.",
        fix="Let procedures be called in fewer ways, and watch with `rulespec play` what each player sees.",
    ),
)
