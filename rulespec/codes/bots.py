"""Faults of bots."""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "B001",
        "There is no such bot",
        cause="A bot is `random`, `search` (or `search:200`, with so many playouts, or `search:2s`, with so many seconds), one "
        "of the folder `bots` of the game, by its name, or the path of a file.",
        bad="rulespec simulate my_game --bot carefull",
        good="rulespec simulate my_game --bot careful",
        fix="`rulespec list GAME` names the bots of a game.",
    ),
    entry(
        "B002",
        "A bot has another name than its file",
        cause="A bot is asked for by the name of its file, so `bot:` says the same name.",
        fix="Give both the same name.",
    ),
    entry(
        "B003",
        "There is no such question",
        cause="`at` names a choice by the name that the game gives it: of `choose`, `offer`, `arrange`, `may` or a rule that may be "
        "declined. With `in`, it must be asked in that procedure or phase, or in what that calls.",
        bad="prefers: [{at: crad, score: card.value}]",
        good="prefers: [{at: card, score: card.value}]",
        fix="Write the name as it stands in the game, after `choose:` or `offer:`.",
    ),
    entry(
        "B004",
        "There is no such option",
        cause="`choose` and `avoid` name options as the answers of a case do: a member, an option of an offer, `none`, `done`, `yes`, "
        "`no`; what a rule adds to a menu by the rule's name, with the piece after a dot if it is one only.",
        bad="prefers: [{at: deal, choose: sel}]",
        good="prefers: [{at: deal, choose: sell}]",
        fix="Write one of the options of that question.",
    ),
    entry(
        "B005",
        "A bot reads what its seat may not see",
        cause="A bot knows what its seat knows by what is declared: its own hand, what lies open, how many cards the others hold. "
        "What a seat was shown by a look is not known to its bot either.",
        bad="prefers: [{at: card, score: sum(c.value for c in p2.hand)}]",
        good="prefers: [{at: card, score: card.value * size(p2.hand)}]",
        fix="Speak of `me` where the owner sees it, or of how many there are.",
    ),
    entry(
        "B006",
        "A preference prefers nothing",
        cause="It has neither `choose`, `avoid`, `score`, `weight` nor `count`, and its `if` says nothing of the options.",
        bad="prefers: [{at: card, if: size(me.hand) > 1}]",
        good="prefers: [{at: card, if: size(me.hand) > 1, score: card.value}]",
        fix="Say what is preferred then, or let the condition speak of the option.",
    ),
    entry(
        "B007",
        "An expression of a bot cannot be worked out",
        cause="While a game was played, an expression of a bot divided by zero, took the first of nothing or the like.",
        fix="Add a condition under which it has a value: `if`, or `if ... then ... else ...`.",
    ),
    entry(
        "B010",
        "A bot reads a name that is no more",
        cause="A bot may read the names of the steps that ask, as long as the game keeps them: those that the question or anything after "
        "it reads. A position holds no others.",
        bad="prefers: [{at: card, score: card.value - before}]",
        good="prefers: [{at: card, score: card.value - total}]",
        fix='Speak of what the name was made of, or let the question say it: `say: "More than {before}?"`.',
    ),
    entry(
        "B009",
        "A count where nothing is counted",
        cause="`count` says how many of a kind are chosen, kind by kind, from a bag or where the same may be chosen more than once.",
        bad="prefers: [{at: card, count: 2}]",
        good="prefers: [{at: gems, count: 2}]",
        fix="Take `count` out, or say with `at` which choice of a bag is meant.",
    ),
    entry(
        "B008",
        "A bot that is no mapping",
        cause="The file of a bot is a mapping with `bot:` and its name, and with what it prefers.",
        bad="[careful]",
        good="bot: careful",
        fix="Begin the file with `bot: NAME`.",
    ),
    entry(
        "B011",
        "A game that cannot be played exactly",
        cause="`alphabeta` works out what each answer leads to if both play as well as can be. It is for two players, of whom one wins "
        "what the other loses, who see everything and answer in turn.",
        bad="rulespec simulate GAME --bot alphabeta",
        good="rulespec simulate GAME --bot search:200",
        fix="Let a search play it.",
    ),
    entry(
        "B012",
        "A position that cannot be played exactly",
        cause="`alphabeta` looks at 200,000 positions for a decision, or as many as its name says, "
        "and 300 decisions ahead. What chance has yet to give, and a line that "
        "comes back to a position, have no worth that it could know.",
        bad="rulespec simulate GAME --bot alphabeta",
        good="rulespec simulate GAME --bot alphabeta:4",
        fix="Say how many moves it looks ahead, how long, or at how many positions, as `alphabeta:1000000p`; or let a search play.",
    ),
)
