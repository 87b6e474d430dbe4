"""Faults of cases."""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "K001",
        "A file of cases without cases",
        cause="A file in the folder `cases` has the sections `cases`, `positions` and `invariants`, or some of them.",
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
        cause="The cases of a game have different names, in whichever file they stand; so have its positions.",
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
        "K004",
        "There is no such case",
        cause="`rulespec test --case` names a case that the game does not have.",
        bad="rulespec test my_game --case a_lin",
        good="rulespec test my_game --case a_line",
        fix="`rulespec test GAME -k TEXT` runs every case with a text in its name.",
    ),
    entry(
        "K005",
        "A mark for coverage that is not understood",
        cause="A comment that begins with `coverage:` says of its line, or of the next where it stands alone, that it cannot be "
        "reached, and why.",
        bad="- stop when: deck is empty  # coverage: ignore",
        good="- stop when: deck is empty  # coverage: unreachable because there are always more cards than players",
        fix="Write `# coverage: unreachable because` and the reason.",
    ),
    entry(
        "K006",
        "A mark for coverage that is not needed",
        cause="All that begins on the marked line was reached by the cases and random games, or nothing that could run begins "
        "there.",
        bad="- end: game  # coverage: unreachable because nobody ever wins",
        good="- end: game",
        fix="Take the mark out, or put it on the line that it is meant for.",
    ),
    entry(
        "K007",
        "A case that checks nothing",
        cause="The script only gives answers, and nothing is said of what must hold then: the case would pass whatever the rules do.",
        bad="""
            a_move:
              play:
                - p1: forward
        """,
        good="""
            a_move:
              play:
                - p1: forward
              expect: [place == 1]
        """,
        fix="Write what must hold at the end under `expect:`, or on the way what is asked, offered, refused or seen.",
    ),
    entry(
        "K008",
        "An answer that no question has",
        cause="`refuse` names an answer that must not be allowed. A name that no question of the game could ever be answered by is "
        "refused whatever the rules say, so it is taken for a mistake.",
        bad="""
            play:
              - refuse: {p1: fowrard}
        """,
        good="""
            play:
              - refuse: {p1: forward}
                why: The way is blocked
        """,
        fix="Write the answer as it is written where it is allowed; with `why`, the case also says for which reason it is refused.",
    ),
    entry(
        "K009",
        "Nothing to test",
        cause="`rulespec test` was asked to run cases, and there is none: the game or the variant has none of its own, or none fits "
        "what was asked for.",
        bad="rulespec test my_game -k no_such_text",
        good="rulespec test my_game",
        fix="Write a case, or ask for those that are there; `rulespec diff` shows how the cases of a game come out in a variant.",
    ),
    entry(
        "K010",
        "A case fails",
        cause="The game was played as the case says, and something that the case expects does not hold.",
        fix="Read at which line it differs: either the rules are wrong, or the case is.",
    ),
    entry(
        "K011",
        "A case stops in the middle of something",
        cause="The script ends while somebody is still asked, and does not say so. What the game would go on with is not tested, which "
        "may be what is meant.",
        bad="""
            play:
              - p1: forward
        """,
        good="""
            play:
              - p1: forward
              - asks: p2
        """,
        fix="End the script with `asks:` and who is asked, or play on to the end.",
    ),
    entry(
        "K012",
        "There is no such position",
        cause="`position` of a case names what stands under `positions`, in the game or in any file of its cases.",
        bad="""
            cases:
              the_end:
                position: nearly_oevr
        """,
        good="""
            positions:
              nearly_over: [{set: lamps, to: 1}]
            cases:
              the_end:
                position: nearly_over
        """,
        fix="Write the position as it is named there.",
    ),
    entry(
        "K013",
        "A position that no case begins with",
        cause="The steps of a position are checked where a case begins with it. With this one none does.",
        fix="Begin a case with it, by `position:`, or take it out.",
    ),
    entry(
        "K014",
        "A fact that always holds",
        cause="What is expected is true of any position, by the types of what it reads: no mistake in the rules could make the case fail.",
        bad="""
            a_move:
              play:
                - p1: forward
              expect: [place >= 0]
        """,
        good="""
            a_move:
              play:
                - p1: forward
              expect: [place == 1]
        """,
        fix="Say what the rules have to bring about.",
    ),
    entry(
        "K015",
        "A case that expects what it lays itself",
        cause="The case runs nothing and plays nothing, and says only that variables are what `given` has set them to.",
        bad="""
            a_move:
              given: [{set: place, to: 3}]
              expect: [place == 3]
        """,
        good="""
            a_move:
              given: [{set: place, to: 3}]
              play:
                - p1: forward
              expect: [place == 4]
        """,
        fix="Let it `run` a procedure or `play` answers, and expect the result.",
    ),
    entry(
        "K016",
        "A case that is a copy of another",
        cause="Two cases begin alike, do the same and expect the same. Most often the second was copied, and then not changed.",
        bad="""
            a_step:
              play:
                - p1: forward
              expect: [place == 1]
            a_step_back:
              play:
                - p1: forward
              expect: [place == 1]
        """,
        good="""
            a_step:
              play:
                - p1: forward
              expect: [place == 1]
            a_step_back:
              play:
                - p1: back
              expect: [place == 0]
        """,
        fix="Change in it what it was copied for, or take it out.",
    ),
    entry(
        "K017",
        "A game without cases",
        cause="Nothing says what the rules have to bring about: a change that breaks one of them is noticed by nobody.",
        fix="Write a case for each rule that you had to look up. `rulespec new case` begins one for a rule, `case NAME` while you play "
        "writes one down.",
    ),
)
