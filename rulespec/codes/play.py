"""Answers that cannot be given, and games that cannot be set up."""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "P001",
        "No such action",
        cause="The number is not the action of any candidate.",
        fix="Use one of `legal_actions()`.",
    ),
    entry(
        "P002",
        "Not allowed",
        cause="The rules forbid this candidate now; the message gives their reason.",
        fix="Choose another one.",
    ),
    entry(
        "P003",
        "Not asked",
        cause="It is not this player who is to decide.",
        fix="Ask `current_player()` or `pending_players()` whose turn it is.",
    ),
    entry(
        "P004",
        "The game is over",
        cause="Nobody has anything to decide any more.",
        fix="Start a new game.",
    ),
    entry(
        "P005",
        "Unknown name",
        cause="The text is neither the name nor the label of a candidate.",
        bad="rde_7",
        good="red_7",
        fix="Write one of the names that the question lists.",
    ),
    entry(
        "P006",
        "Several options of that name",
        cause="The label fits more than one option.",
        bad="Red",
        good="red_2",
        fix="Write the name instead of the label.",
    ),
    entry(
        "P007",
        "Nothing to take back",
        cause="No decision is kept that could be taken back.",
        fix="Positions made with `undo=False` or read from a save keep none.",
    ),
    entry(
        "P008",
        "Wrong setup of a position",
        cause="The seed, the way of chance or the procedure to start with cannot be used.",
        bad="seed=-1",
        good="seed=7",
        fix="A seed is a whole number of at most 64 bits; chance is `seeded` or `explicit`.",
    ),
    entry(
        "P009",
        "The history is not kept",
        cause="The position was made with `record=False`: what led to it is not known any more.",
        bad="game.new_state(seed=7, record=False).information_state(0)",
        good="game.new_state(seed=7).information_state(0)",
        fix="Make it with `record=True`, which is what happens if nothing is said.",
    ),
    entry(
        "P010",
        "Not for so many players",
        cause="A game says for how many players it is.",
        bad="rulespec play GAME --players 9",
        good="rulespec play GAME --players 2",
        fix="Choose a number that the game allows; `rulespec list` shows it.",
    ),
    entry(
        "P011",
        "An option that the game has not",
        cause="The option, or its value, is not one that the game declares, or not one for so many players.",
        bad="rulespec play GAME --option pace=quick",
        good="rulespec play GAME --option pace=fast",
        fix="Use one of the values that the message lists; for other numbers of players an option keeps its default.",
    ),
    entry(
        "P012",
        "No such variant",
        cause="The game has no variant of that name: a file in its folder `variants`. A path names a variant elsewhere.",
        bad="rulespec play GAME --variant mistyped",
        good="rulespec play GAME --variant named",
        fix="`rulespec list` shows the variants of each game.",
    ),
    entry(
        "P013",
        "Not playable natively",
        cause='`backend="native"` was asked for, and there is no object of the game: no C compiler, no extension module, no folder to '
        "keep it in, or the compiler did not take it.",
        bad='rulespec.Game(gamedef, backend="native")',
        good="rulespec.Game(gamedef)",
        fix="`rulespec list --verbose` says what is missing. Without `backend` the game is played natively where it can be.",
    ),
    entry(
        "P014",
        "Somebody is asked, and nobody answers",
        cause="`odds` follows what chance may give. A player is asked on the way, and it is not said who answers.",
        bad="rulespec odds GAME --ask winners",
        good="rulespec odds GAME --ask winners --bot random",
        fix="`--bot random` answers uniformly, another bot as it plays; or run only what asks nobody.",
    ),
    entry(
        "P015",
        "It may go on for ever",
        cause="`odds` looks at where a position ends. This one may reach positions from which no end follows.",
        fix="Let the rules end it, or run a part of them that ends.",
    ),
    entry(
        "P016",
        "Native play leaves a place to Python",
        cause="The place has no C, so that each answer that reaches it is given in Python: the same, and tens of times slower. "
        "All else of the game is played in C.",
        fix="Nothing is wrong, and where it is reached seldom nothing has to be done. Otherwise say it without what has no C, such as "
        "a text that values are filled into and that is kept in a variable.",
    ),
)
