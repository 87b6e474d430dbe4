"""The files beside a game, key by key: variants, bots and studies."""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.language.shapes import Block, Key

ABOUT = Key("text", "A sentence for people.", "What a player holds.")

FILES: Mapping[str, Block] = {
    "variant": Block("a variant", "A file in the folder `variants` of a game: what it changes.", {
        "extends": Key("list of text | text", "The game, by its id or path, or another variant next to this one; a list of variants is "
                       "all of them at once, and where two insert at one place the first comes first.", "high_card", required=True),
        "id": Key("new name", "The name of the variant, as its file is named.", "two_suits", required=True),
        "title": Key("text", "The name of the variant for people.", "High card with two suits"),
        "about": Key("text", "What differs, in a sentence.", "Half of the cards are left out."),
        "author": Key("text", "Who has written it.", "A club"),
        "link": Key("text", "Where more is to be read.", "https://example.org/rules"),
        "base": Key("names of text", "The sections of the game for which it was written, each with its digest: `rulespec variant FILE "
                    "--stamp` writes them, and lint says which have changed since.", "{phases: 3f9a1c0b}"),
        "needs": Key("list of need", "What a variant for `any game` needs of one, and why it is refused where that is not there.",
                     "[{has: end of game.rank, why: The game has no ranking.}]"),
        "changes": Key("list of amendment", "What is changed, one after another.",
                       "[{set: options.pace.default, was: slow, to: fast}]"),
        "positions": Key("names of steps", "Positions with names for its cases, besides those of the game.",
                         "{nearly_over: [{move: all, from: deck, to: p1.hand}]}"),
        "cases": Key("names of case", "Tests of the variant.", "{nobody_wins: {expect: [winners is none]}}"),
        "changed cases": Key("list of name", "Cases of the game that come out otherwise in the variant, as they should: `rulespec diff` "
                             "tells of the others.", "[the_longest_row_wins]")}),
    "bot": Block("a bot", "A file in the folder `bots` of a game: a player that is data.", {
        "bot": Key("new name", "The name of the bot, as its file is named.", "careful", required=True),
        "title": Key("text", "The name of the bot for people.", "A careful player"),
        "about": Key("text", "How it plays, in a sentence.", "Plays its highest card."),
        "functions": Key("names of function or expr", "Functions of its own, which its expressions may use besides those of the game.",
                         "{worth: {takes: {p: Player}, is: p.coins * 2}}"),
        "prefers": Key("list of preference", "What it prefers, the most important first; chance decides what they leave open.",
                       "[{at: card, score: card.value}]"),
        "search": Key("search", "What the preferences leave open is tried out, in games that go on by these preferences, else at random.",
                      "{playouts: 200}")}),
    "preference": Block("a preference", "What a bot prefers where it is asked; of the options that are left, the others drop out.", {
        "at": Key("list of name | name", "The choices that it is about, by their names; all, if left out.", "card"),
        "in": Key("list of name | name", "Only while one of these procedures or phases runs.", "turn"),
        "if": Key("expr", "Only these options, or only then: may speak of the option by the name of the choice, and of `me`.",
                  "card.value > 3"),
        "choose": Key("list of text | text", "These options, by their names: the first of them that may be chosen.", "[pass, none]"),
        "avoid": Key("list of text | text", "Any options but these.", "none"),
        "score": Key("expr", "Those with the highest number.", "card.value"),
        "weight": Key("expr", "One of them, each as likely as its number says.", "card.value + 1"),
        "count": Key("expr", "Where it is asked how many of a kind: as near to this number as may be.", "2"),
        "about": ABOUT}),
    "search": Block("a search", "Games that are played on, to see what an option is worth.", {
        "playouts": Key("playouts", "How many for a decision; 100, if left out.", "200"),
        "depth": Key("size", "How many decisions each is played on; to the end of the game, if left out.", "40"),
        "value": Key("expr", "How good a position is for `me`, for the last position of each; if left out, what the game gives.",
                     "me.coins - 3")}, needs={"depth": ("value",)}),
    "need": Block("a need", "What a game must have, or must not have, for a variant of any game.", {
        "has": Key("list of path | path", "A place that the game must have, or several of which it must have one.", "end of game.rank"),
        "lacks": Key("list of path | path", "A place that the game must not have, or several.", "end of game"),
        "players": Key("seats",
                       "How many players it must have, neither more nor fewer; of a range, some number that may play.", "3..9"),
        "why": Key("text", "What is said where it is refused.", "Nobody wins by a step.", required=True)}),
    "amendment": Block("a change of a game", "One of `set`, `wrap`, `replace`, `insert` and `remove`, and what goes with it.", {
        "set": Key("path", "The place of a text or number that becomes another, which stands under `to`.",
                   "options.pace.default"),
        "to": Key("text", "With `set`: what it is now.", "fast"),
        "wrap": Key("path", "The place of an expression that becomes part of another one, which stands under `with` and names it `before`.",
                    "functions.worth.is"),
        "replace": Key("path", "The place of anything else, such as a step, which is replaced by what stands under `with`.",
                       "procedures.trick[choose card]"),
        "with": Key("data", "With `replace`: what is there now; in place of a step also several steps.",
                    "[{shuffle: deck}, {draw: 1, from: deck, to: p.hand}]"),
        "insert": Key("data", "What is new: names with what stands under them, or items of a list such as steps.",
                      "{shuffle: deck}"),
        "into": Key("path", "With `insert`: the mapping or list at whose end it is put.", "procedures.trick.do"),
        "before": Key("path", "With `insert`: the entry or item before which it is put.",
                      "procedures.trick[choose card]"),
        "after": Key("path", "With `insert`: the entry or item after which it is put.",
                     "pieces.Card.rows.ace"),
        "remove": Key("path", "The place of what is left out.", "pieces.Card.rows.joker"),
        "was": Key("data", "What was there before: if the game is changed one day, the variant is looked at again.", "slow"),
        "about": Key("text", "Why.", "For children.")}),
    "study": Block("a study", "Many games that are played to learn something: which, how many, and what is measured in them.", {
        "study": Key("new name", "The name of the study, as its file is named.", "balance", required=True),
        "title": Key("text", "The name of the study for people.", "Is it fair?"),
        "about": Key("text", "What is to be learnt.", "Whether the first player wins more often."),
        "seed": Key("number", "Where the random numbers of all games begin; 1, if left out.", "7"),
        "games": Key("many", "How many games of each arm; 1000, if left out.", "500"),
        "interval": Key("percent", "Games go on until the interval of each share of wins is no wider than so many percentage points.",
                        "4"),
        "most games": Key("many", "With `interval`: but no more than so many of each arm; 100000, if left out.", "20000"),
        "confidence": Key("percent", "Of the intervals, in percent; 95, if left out.", "99"),
        "arms": Key("names of arm", "What is played: each name stands for all combinations of what its keys list.",
                    "{usual: {players: [2, 3]}}", required=True),
        "measure": Key("measure", "What is looked at in the games, besides who wins and how long they last.",
                       "{tallies: {undecided: winners is none}}")}, needs={"most games": ("interval",)}),
    "arm": Block("an arm of a study", "How a game is played. Arms that differ in one thing alone are compared with the first of them.", {
        "game": Key("text", "The game, by its id or its path from the study's folder; that next to the study, if left out.", "high_card"),
        "players": Key("list of number | number", "How many play; the fewest that the game allows, if left out.", "[2, 3]"),
        "variants": Key("list of text | text", "Variants, by their names; `none` is the game itself, `a + b` are two at once.",
                        "[none, two_suits]"),
        "options": Key("names of levels", "Options with their values; the others keep their defaults.", "{pace: [slow, fast]}"),
        "bots": Key("list of seating or bot | seating | bot name", "Who plays: a bot for all seats, or a mapping of seats.",
                    "[random, {p1: 'search:20', others: random}]"),
        "most decisions": Key("decisions", "How many decisions a game may take; what its rules say, if left out.", "5000")}),
    "seating": Block("bots by seat", "Seats by name with their bots.", {
        "others": Key("text", "The bot of the seats that are not named; random, if left out.", "random")}, others="bot name"),
    "measure": Block("what a study measures", "Expressions at the end of each game, and what is seen while some games are played.", {
        "tallies": Key("names of expr", "Expressions that are worked out at the end of each game: numbers, words, yes or no.",
                       "{undecided: winners is none}"),
        "causes": Key("names of expr", "Why a game ended so: the first of these conditions that holds at its end.",
                      "{drawn: winners is none}"),
        "lead": Key("expr", "How well `me` stands after each decision: who leads, how often that changes, and when it is decided.",
                    "me.coins"),
        "followed": Key("number", "In how many games of each arm each decision is looked at: what is open, offered, taken, who "
                        "leads; 200, if left out.", "50"),
        "questions": Key("list of text | text", "Of the questions, only these; all, if left out.", "card"),
        "pieces": Key("list of text | text", "Of the types whose members are chosen, such as cards, only these; all, if left out.",
                      "Card"),
        "watched": Key("number", "In how many games of each arm it is counted which rules run; 20, if left out. They play slowly.", "10"),
        "rules": Key("list of text | text", "Of the rules, only these; all, if left out.", "high_wins")}),
}  # fmt: skip

# Which keys of an amendment go together: those that must, and those that may stand beside each.
AMENDMENTS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "set": (("to",), ("was", "about")),
    "wrap": (("with",), ("was", "about")),
    "replace": (("with",), ("was", "about")),
    "insert": ((), ("into", "before", "after", "about")),
    "remove": ((), ("was", "about")),
}
