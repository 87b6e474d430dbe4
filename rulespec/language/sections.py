"""What a game may declare: every section and every key below it, defined once.

From these tables, and the verbs of the registry, come the JSON Schemas, the validation of a game's shape and the
reference.  A *scalar* is one text or number, a *block* a mapping with keys of its own, a *union* a choice between
shapes.  A shape is written `expr`, `names of zone`, `list of type`, or several with ` | ` between them, of which at
most one is a mapping and at most one a list.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.language.board_keys import PARTS, PICTURE
from rulespec.language.files import ABOUT, FILES
from rulespec.language.palette import COLOURS, LINE_STYLES
from rulespec.language.shapes import Block, Key, Scalar, Union

NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"

SCALARS: Mapping[str, Scalar] = {
    "expr": Scalar("an expression", checked=True),
    "binder": Scalar("a loop header: a name in a collection", ("string",), checked=True),
    "type": Scalar("a type", ("string",), checked=True),
    "text": Scalar("a text"),
    "name": Scalar("a name", ("string", "number")),
    "new name": Scalar(
        "a new name",
        ("string",),
        pattern=NAME,
        code="E106",
        pattern_says="a name has letters, digits and _ only, and no digit first",
    ),
    "word": Scalar("a word"),
    "setting": Scalar(
        "a new name or a whole number",
        ("string", "integer"),
        pattern=r"^([A-Za-z_][A-Za-z0-9_]*|0|-?[1-9][0-9]{0,17})$",
        code="E106",
        pattern_says="a value of an option is a name, of letters, digits and _ with no digit first, or a number of at most 18 digits",
    ),
    "flag": Scalar("yes or no", ("string",), words=("yes", "no"), code="S004"),
    "index": Scalar("a type or a range", ("string", "integer")),
    "range": Scalar("a range", ("string", "integer")),
    "number": Scalar("a whole number", ("integer",), low=0),
    "playouts": Scalar("a whole number", ("integer",), low=1, high=1_000_000),
    "decisions": Scalar("a whole number", ("integer",), low=1, high=1_000_000),
    "size": Scalar("a whole number", ("integer",), low=1, high=1000),
    "many": Scalar("a whole number", ("integer",), low=1, high=1_000_000_000),
    "percent": Scalar("a percentage, such as 2 or 0.5", ("number",)),
    "bot name": Scalar("the name of a bot"),
    "result": Scalar("a whole number", ("integer",)),
    "share": Scalar(
        "a whole number, or a fraction",
        ("integer", "string"),
        pattern=r"^(0|-?[1-9][0-9]{0,17})(/[1-9][0-9]{0,9})?$",
        pattern_says="what a player gets is a whole number such as 2, or a fraction such as 1/3",
    ),
    "nothing": Scalar("nothing", ("null",)),
    "version": Scalar("the version of the language", ("integer",), words=(1,), code="S014"),
    "seats": Scalar("a number or a range of players", ("string", "integer"), code="S010"),
    "choices": Scalar("a range or `Yes or no`", ("string", "integer"), code="S011"),
    "code": Scalar(
        "the code of an error in play",
        ("string",),
        pattern=r"^R[0-9]{3}$",
        pattern_says="the code of an error in play is R and three digits, such as R001",
    ),
    "viewers": Scalar("all, none, owner, or a set of players", ("string",)),
    "path": Scalar("the path of a place in the game", ("string",)),
    "colour": Scalar("a colour", ("string",), words=COLOURS, code="S004"),
    "icon": Scalar("the name of an icon, or a sign of one or two letters", ("string", "integer")),
    "way": Scalar("up or down", ("string",), words=("up", "down"), code="S004"),
    "line style": Scalar("a style of line", ("string",), words=LINE_STYLES, code="S004"),
    "sign": Scalar(
        "a sign of one or two letters",
        ("string", "integer"),
        pattern=r"^\S{1,2}$",
        pattern_says="a sign is one or two letters, without a space",
    ),
}

UNIONS: Mapping[str, Union] = {
    "step or word": Union("a step", "step | bare word", "A step, or a bare word: a procedure without arguments."),
    "steps": Union("steps", "step | list of step or word | bare word", "Steps, one after another."),
    "cites": Union("ids of sources", "list of text | text", "Lines or rulings of the `sources` that this rests on."),
    "reason or expr": Union("a condition", "reason | expr", "A condition, alone or with its reason."),
    "reasons": Union(
        "conditions",
        "reason | list of reason or expr | expr",
        "What is allowed; the reason of the first that fails is shown.",
    ),
    "none": Union("a text, or a mapping with say, if, why, do", "declined | text", "A willing no."),
    "branch or text": Union("an option", "branch | text | nothing", "A named option."),
    "branches": Union("options by name", "names of branch or text", "Named options."),
    "arms": Union("steps by member", "names of steps", "Steps for each member, or `else`."),
    "map": Union("values by name", "names of expr", "Values by name."),
    "levels": Union("a value, or several", "list of text | text", "The values of an option that are played."),
    "seating or bot": Union("a bot, or seats with their bots", "seating | bot name", "Who plays."),
    "exprs": Union("expressions", "list of expr | expr", "Expressions."),
    "rows": Union(
        "rows",
        "names of row | list of row | range",
        "The members: by name, as a list, so many by a range, or `each(...)`.",
    ),
    "row": Union("a row", "names of data | list of data | data", "The fields of a member, by name or in order."),
    "data": Union("data", "anything", "A value, a list or a mapping."),
    "columns": Union("types by name", "names of type", "Fields with their types, and a default after ` = `."),
    "parameters": Union("types by name", "names of type", "Parameters with their types, and a default after ` = `."),
    "indices": Union("a type or a range, or several", "list of index | index", "What something is counted by."),
    "type of pieces": Union(
        "words, or a type with rows", "kind | list of new name", "A closed list of words, or a type with rows."
    ),
    "members": Union("words", "names of text | list of new name", "Words, with labels if they are a mapping."),
    "titles": Union(
        "a text, or texts by member", "names of text | text", "Titles of members, by `this` or one by one."
    ),
    "remark or text": Union("a text", "remark | text", "A text, alone or with when it is shown."),
    "graph or expr": Union("a graph", "graph | expr", "Which links belong to the graph."),
    "values of option": Union(
        "words or numbers, a range, or `Yes or no`", "list of setting | choices", "What the option can be set to."
    ),
    "variable or type": Union(
        "a type, or a variable", "variable | type", "A variable: its type, or all that is to be said of it."
    ),
    "function or expr": Union(
        "an expression, or a function", "function | expr", "A function: an expression, or with parameters."
    ),
    "value or expr": Union("an expression, or a value", "value | expr", "Something that follows from `this` member."),
    "values of kind": Union("values by name", "names of value or expr", "Values of the members of a type or view."),
    "event or nothing": Union("an event", "event | nothing", "An event, with its parameters if it has any."),
    "rules of piece": Union("rules by name", "names of rule", "The rules of a piece."),
    "rules of kind": Union("rules by piece", "names of rules of piece", "The rules of a kind's pieces, or of `each`."),
    "modified": Union("a value", "list of change | expr", "The value that the rule changes, or several."),
    "source or text": Union("a source", "source | text", "A text with lines, or a ruling."),
    "seats or names": Union("a number or a range of players", "names of text | seats", "How many play, or who."),
    "answers": Union("an option's name, or several", "list of text | text", "What is answered, in order."),
    "asked": Union("a player, or a question by player", "names of text | name", "Who is asked, and what."),
    "seen": Union("what is seen, by name", "names of data", "What an observation says, by name."),
    "one or more": Union("a name, or several", "list of name | name", "Names of what there is."),
}


def shared(**keys: Key) -> dict[str, Key]:
    """Keys with those that every declaration has."""
    return {**{name.replace("_", " ").strip(): key for name, key in keys.items()}, "about": ABOUT, "cites": CITES}


CITES = Key(
    "cites", "Lines or rulings of the `sources` that this rests on; they are checked to be listed.", "[L12-14, H1]"
)
TAKES = Key("parameters", "Parameters with their types.", "{p: Player, amount: 0..9 = 1}")
GIVES = Key("type", "The type of the result.", "Player")
LET = Key(
    "map",
    "Values with names, worked out first and once, each for those after it and for the result.",
    "{most: highest(p.coins for p in players)}",
)
DO = Key("steps", "What happens.", "[skip]")
IF = Key("expr", "A condition.", "size(deck) > 0")
WHY = Key("text", "What is said where the condition does not hold.", "The deck is empty")
SAY = Key("text", "The text of the option; expressions stand in braces.", "Take {card}")
ONLY = Key("reasons", "Further conditions with their reasons.", "[{if: deck is not empty, why: The deck is empty}]")
FIELDS = Key("columns", "Fixed fields of each member, with their types.", "{rank: 1..13, suit: Suit}")
ROWS = Key(
    "rows",
    "The members with their fields; `copies` in a row makes several of one. `each(suit in Suit, rank in 2..14)` makes one for each "
    "combination.",
    "{ace: [1, cups], two: {rank: 2, suit: cups}}",
)
WHERE = Key("expr", "With rows by `each`: which combinations there are.", "rank > 2")
COPIES = Key("expr", "With rows by `each`: how many of each; 1, if left out.", "if rank == 1 then 3 else 2")
TABLE = Key(
    "text", "A file next to the game with the rows: YAML, or comma-separated values with a header.", "cards.csv"
)
COUNT = Key("number", "How many members there must be, copies included; lint counts them.", "60")
NOUN = Key("text", "What a member is called whose face is hidden.", "card")
TITLE = Key(
    "titles",
    "What people call its members: a text about `this`, which stays so, or one for each that is named. The id stays an answer.",
    '"the {this}"',
)
SHOWN = Key(
    "flag",
    "Whether people are shown it, each as far as they see what it follows from; it takes nothing or one member of a type. No, if left out.",
    "yes",
)
SEEN = Key(
    "viewers",
    "Who sees it: `all` (if left out), `none`, `owner`, or a set of players that may speak of `this`.",
    "owner",
)

RULE: dict[str, Key] = {
    "before": Key("name", "The event before whose effect the rule acts.", "damage_done"),
    "instead of": Key("name", "The event that the rule replaces.", "damage_done"),
    "after": Key("name", "The event after whose effect the rule acts.", "damage_done"),
    "always": Key("expr", "Acts as long as this holds, or once for each item of a collection.",
                  "x in Place where x.damage > 9"),
    "modify": Key("modified",
                  "The value with layers that the rule changes: of every member, or of one by `path.value`.",
                  "target_number"),
    "by": Key("changes", "What the value is changed by, in which layer.", "{add: 1}"),
    "adds to": Key("name", "The menu that the rule adds an option to.", "turn_actions"),
    "say": SAY,
    "if": IF,
    "why": WHY,
    "only": ONLY,
    "during": Key("name", "The scope in which the rule is alive.", "Combat"),
    "live": Key("expr", "Whether the rule of `this` piece is alive.", "this in me.hand"),
    "where": Key("expr", "Whether it applies to this event.", "amount > 1"),
    "seen by": Key("word", "`all`: that it acts, and for what, is known to all, whatever its condition is worked out of.", "all",
                   words=("all",)),
    "me": Key("expr", "Whose rule it is; the owner of the zone the piece lies in, if left out.", "p1"),
    "order rank": Key("word", "Whether it acts before or after the other rules.", "first", words=("first", "last")),
    "limit": Key("text", "How often: `once per NAME` of a phase, scope or event, or per game.", "once per turn"),
    "may": Key("text", "The question, where the rule can be declined.", "Draw a card?"),
    "do": DO,
}  # fmt: skip

DO_BESIDE = {"before": ("do",), "instead of": ("do",), "after": ("do",), "always": ("do",)}

PROCEDURE = shared(
    takes=TAKES,
    gives=GIVES,
    stages=Key(
        "word", "Whether its choices are one move, which is taken back as one.", "one move", words=("one move",)
    ),
    do=Key("steps", "The steps.", "[skip]", required=True),
)

BLOCKS: Mapping[str, Block] = {
    "game": Block("a game", "The rules of a game.", {
        "rulespec": Key("version", "The version of the language.", "1", required=True),
        "id": Key("new name", "The name of the game for programs.", "high_card", required=True),
        "title": Key("text", "The name of the game for people.", "High card"),
        "about": Key("text", "The game in a sentence.", "The highest card wins."),
        "parts": Key("list of text", "Further files next to this one: their sections are added to these.",
                     "[cards.yaml]"),
        "part of": Key("text", "In a further file: the main file that it belongs to.", "game.yaml"),
        "players": Key("seats or names", "How many may play, or the players' names with titles.",
                       "{p1: White, p2: Black, p3: Red}", required=True),
        "fewest players": Key("number", "With players that have names: how few of them may play, the first ones; all, if left out.", "2"),
        "most decisions": Key("decisions",
                              "How many decisions a game may take at most; 100000, if not said. More are an error in play: the game "
                              "does not end.", "5000"),
        "types": Key("names of type of pieces", "Closed lists of words, and types of pieces that are alike.",
                     "{Suit: [cups, coins]}"),
        "pieces": Key("names of piece", "Components with an identity, such as cards.",
                      "{Card: {fields: {rank: 1..13}, rows: {ace: [1]}}}"),
        "map": Key("board", "Places, the links between them, and named graphs.",
                   "{nodes: {Place: {rows: {ford: {}, hill: {}}}}, "
                   "links: {Road: {fields: {a: Place, b: Place}, rows: [[ford, hill]]}}}"),
        "boards": Key("names of grid", "Boards by name; the name is the type of their cells, and `Direction` that of the directions.",
                      "{Square: {square: 8 x 8}}"),
        "pools": Key("names of pool", "A fixed number of things that are needed for a while.", "{Column: {size: 4}}"),
        "options": Key("names of option", "What may be set before a game.",
                       "{pace: {values: [slow, fast], default: slow}}"),
        "plurals": Key("names of text", "Words of which numbers are shown, as people read them, with their plurals: titles, nouns, and the "
                       "words of `counted(n, word)`.", "{card: cards, Dwarven axe: Dwarven axes}"),
        "views": Key("names of view", "Named subsets of a type.", "{Occupied: {of: Place, where: this.damage > 0}}"),
        "state": Key("variables", "Variables, and under `per KIND` those that each member of a type has.",
                     "{active: Player, per Player: {coins: {is: 0..99, starts: 3}}, per Place: {damage: 0..9}}"),
        "zones": Key("names of zone", "Where pieces lie.",
                     "{deck: {of: Card, order: shuffled, starts with: all}, "
                     "hand: {of: Card, per: Player, seen by: owner}}"),
        "scopes": Key("names of scope", "Stretches of the game with a memory of their own.",
                      "{Combat: {state: {attacker: Player}}}"),
        "repetition": Key("memory of positions", "What makes a position, for rules that ask whether it has been before.",
                          "{position: [active, damage]}"),
        "tables": Key("names of lookup", "Values by key.", "{hand_size: {by: players, rows: {2: 7, 3: 5}}}"),
        "functions": Key("names of function or expr", "Pure functions.", "{poorest: least(p in players by p.coins)}"),
        "values": Key("names of values of kind",
                      "What follows from the members of a type or view; written like a field.",
                      "{Player: {wealth: this.coins + size(this.hand)}}"),
        "conditions": Key("names of condition", "Conditions with reasons.",
                          "{can_pay: {takes: {p: Player}, if: p.coins > 0, why: No coins}}"),
        "events": Key("names of event or nothing", "What rules may react to.",
                      "{damage_done: {takes: {amount: 0..9}}}"),
        "menus": Key("names of menu", "Named lists of options, open to additions by rules.",
                     "{turn_actions: {options: {rest: {say: Rest}}}}"),
        "lasting": Key("names of effect", "Rules with arguments that live for a while.",
                       "{slowed: {takes: {p: Player}, where: active == p}}"),
        "rules": Key("names of rule", "Rules that react, hold always, change a value or add to a menu.",
                     "{thorns: {after: damage_done, do: [skip]}}"),
        "rules of": Key("names of rules of kind", "Rules that pieces carry, by kind and piece.",
                        "{Card: {each: {draws: {after: damage_done, do: [skip]}}}}"),
        "procedures": Key("names of procedure", "Steps with a name and parameters: the game's own verbs.",
                          "{rest: {takes: {p: Player}, do: [skip]}}"),
        "phases": Key("names of procedure", "Procedures that can be ended by name; play begins in `game`.",
                      "{game: {do: [skip]}}"),
        "end of game": Key("ending", "Who wins, or what each player gets; without it, a game that runs out of steps is a draw.",
                           "{rank: ranking(p in players by p.coins)}"),
        "table": Key("shown table",
                     "How people are shown the table: what stands on components, where zones and variables go. What is "
                     "not said follows from the declarations.",
                     "{look: {Card: {corner: \"{this.rank}\"}}, zones: {deck: {shown: no}}}"),
        "sources": Key("names of source or text", "The texts that `cites` may name.",
                       "{L: {title: The rules, lines: 170}, H1: Aces are high.}"),
        "invariants": Key("exprs", "What holds at every decision of every case, and of every random game of `rulespec test`.",
                          "[size(deck) <= 52]"),
        "positions": Key("names of steps", "Positions with names for cases: the steps that lay the table.",
                         "{nearly_over: [{move: all, from: deck, to: p1.hand}]}"),
        "cases": Key("names of case", "Tests of the game.", "{nobody_wins: {expect: [winners is none]}}"),
    }, unless="part of"),
    "kind": Block("a type", "Members: words with labels, rows of pieces that are alike, or faces of pieces.", shared(
        faces_of=Key("name", "The kind of piece whose faces are the members; copies have one. `card.face` is that of a card, by the name "
                             "of the type; a face says what a card is and not which, so that naming it shows nothing.", "Card"),
        members=Key("members", "The members, with labels if they are a mapping.", "{red: Red, blue: Blue}"),
        fields=FIELDS, rows=ROWS, where=WHERE, copies=COPIES, table=TABLE, count=COUNT, title=TITLE, noun=NOUN)),
    "piece": Block("a kind of piece", "A kind of piece: its fields and its pieces.",
                   shared(fields=FIELDS, rows=ROWS, where=WHERE, copies=COPIES, table=TABLE, count=COUNT, title=TITLE, noun=NOUN)),
    "board": Block("a map", "Places and links.", {
        "nodes": Key("names of piece", "A type of places with its fields.", "{Place: {rows: {ford: {}, hill: {}}}}",
                     required=True),
        "links": Key("names of piece",
                     "A type of links: its first fields are `a` and `b`, their ends; `one_way` makes a direction.",
                     "{Road: {fields: {a: Place, b: Place}, rows: [[ford, hill]]}}"),
        "graphs": Key("names of graph or expr", "Named parts of the map.", "{dry: l in Road where l.a != ford}"),
        "picture": Key("picture", "How the map is drawn; without it, names and links, wherever there is room.",
                       "{x: this.x, y: this.y, lines: [\"{this.damage}\"]}"),
        "about": ABOUT}),
    "grid": Block("a board", "A board: its cells are members of a type, named a1, a2, ... by column and row, with the fields `column` "
                  "and `row`, numbers from 1.", shared(
        square=Key("name", "Columns x rows, numbers or options that are numbers; the directions are n, ne, e, se, s, sw, w and nw.",
                   "8 x 8"),
        hex=Key("name", "Columns x rows of a rhombus, whose rows each lie half a cell further right than the one below; or the side of "
                "a hexagon. The directions are ne, e, se, sw, w and nw.", "11 x 11"),
        without=Key("list of name", "Cells that are left out; on a square board also all `dark` ones, as a1 is, or `light`.", "[a1, b1]"),
        wraps=Key("word", "What goes round: behind the last column comes the first, above the highest row the lowest.", "columns",
                  words=("columns", "rows", "both")),
        **PARTS,
        title=TITLE,
        forward=Key("names of name", "The direction that is forward for each player, for `forward(p)`.", "{p1: n, p2: s}"),
        picture=Key("picture of a board", "How what stands on its cells is shown; without it, by letters of its name, and the colour of "
                    "its player.", "{symbol: this.row, colour: this.disc}"))),
    "picture of a board": PICTURE,
    "picture": Block("a picture", "How a map is drawn. Its expressions speak of `this` place, those of its links of `this` link.", {
        "x": Key("expr", "How far to the right a place lies, in any unit; nothing that changes in play.", "this.x"),
        "y": Key("expr", "How far down it lies.", "this.y"),
        "title": Key("text", "What a place is called; its name, if left out.", "\"{this}\""),
        "lines": Key("list of remark or text", "What stands there now, line by line.",
                     "[\"{this.damage} damage\", {say: Target, if: this == target}]"),
        "colour": Key("expr", "Whose colour it has: a member of a type, or none.", "this.side"),
        "colours": Key("names of colour", "Which colour a member has; those not named get one of the others.", "{red: red}"),
        "symbol": Key("expr", "What is said of it by a sign: a member of a type, or none.", "this.side"),
        "symbols": Key("names of sign", "Which sign a member has; those not named get letters of their names.", "{red: R}"),
        "strong": Key("expr", "Whether its outline is thick.", "this == tower"),
        "links": Key("picture of links", "How links are drawn.", "{style: this.surface}"),
        "about": ABOUT},
        needs={"x": ("y",), "y": ("x",), "colours": ("colour",), "symbols": ("symbol",)}),
    "shown table": Block("a table", "How people are shown the table; where nothing is said, `docs/table.md` says what they are shown.", {
        "look": Key("names of look", "What stands on the members of a type.", "{Card: {corner: \"{this.rank}\"}}"),
        "zones": Key("names of spot", "Where zones lie, and how.", "{deck: {shown: no}, hand: {title: cards in hand}}"),
        "state": Key("names of told variable", "Where variables are shown, and how.", "{active: {shown: no}}"),
        "boards": Key("names of board look", "How boards are drawn, and which types are boards.", "{Suit: {column: number(this), row: 1}}"),
        "seats": Key("names of colour", "The colours of players.", "{p1: red, p2: blue}"),
        "order": Key("names of way", "Types whose members stand from the last to the first: `down`.", "{Suit: down}"),
        "about": ABOUT}),
    "look": Block("a look", "What stands on `this` member of a type, which nothing changes in play; `no` where nothing is to stand.", {
        "colour": Key("expr", "Its colour: that of a member of a type.", "this.suit"),
        "colours": Key("names of colour", "Which colour a member has; those not named have their own, or another.", "{cups: red}"),
        "corner": Key("list of remark or text | text", "What stands in its corner: the first that is shown.", "\"{this.rank}\""),
        "symbol": Key("expr", "Its sign: that of a member of a type.", "this.suit"),
        "symbols": Key("names of icon", "Which icon or letters a member has; those not named have that of their name.",
                       "{cups: cup}"),
        "cost": Key("expr", "What it costs: a bag.", "empty"),
        "title": Key("list of remark or text | text", "What is written on it: the first that is shown.", "\"{this}\""),
        "lines": Key("list of remark or text | text", "What is written below, line by line.", "[\"Worth {this.rank}\"]"),
        "sort": Key("list of expr | expr", "By what the pieces of a hand are sorted.", "[this.suit, this.rank]"),
        "facts": Key("names of text | flag",
                     "What its fields are called for whoever looks closely: `no` for one that nobody reads, `yes` for one that is shown "
                     "besides whatever else says it. `no` for all: they are for the rules alone.",
                     "{vp: victory points, batch: no}"),
        "about": Key("text", "What is shown to whoever looks at one closely.", "Stars heal."), "cites": CITES},
        needs={"colours": ("colour",), "symbols": ("symbol",)}),
    "spot": Block("a zone on the table", "Where a zone lies, and how.", {
        "at": Key("word", "In the middle (a trick: a place for each player), at its player, or with the others.", "centre",
                  words=("centre", "seat", "table")),
        "as": Key("word", "How it is drawn; `stack` and `closed` are opened when somebody asks.", "closed",
                  words=("hand", "row", "pile", "deck", "stack", "closed", "count")),
        "title": Key("text", "What it is called.", "the trick"),
        "shown": Key("flag", "Whether it is shown at all; yes, if left out.", "no"),
        "about": ABOUT}),
    "told variable": Block("a variable on the table", "Where a variable is shown, and how.", {
        "at": Key("word", "At its player, or with the others of the table.", "table", words=("seat", "table")),
        "as": Key("word", "As a track, or as a number or word.", "track", words=("track", "plain")),
        "from": Key("result", "Where the track begins; with its range, if left out.", "0"),
        "to": Key("result", "Where the track ends; with its range, if left out.", "20"),
        "title": Key("text", "What it is called.", "victory points"),
        "shown": Key("flag", "Whether it is shown at all; yes, if left out.", "no"),
        "about": ABOUT}),
    "board look": Block("a board on the table", "How the cells of a board, or the members of a type, are drawn side by side.", {
        "look": Key("word", "How cells and what stands there are drawn.", "chequered", words=("plain", "chequered", "disc", "mark")),
        "column": Key("expr", "Of a type that is no board: the column of `this` member, from the left.", "number(this)"),
        "row": Key("expr", "Its row, from above, or with `up` from below.", "1"),
        "up": Key("flag", "Whether rows are counted from below.", "yes"),
        "if": Key("expr", "Whether `this` member is on the board; all are, if left out.", "this != cups"),
        "answers": Key("names of expr", "Questions whose answers stand for the cells that have this value.", "{}"),
        "edges": Key("names of name", "Whose the edges of a board are, by direction: drawn in the player's colour.", "{n: p1, s: p1}"),
        "about": ABOUT},
        needs={"column": ("row",), "row": ("column",)}),
    "remark": Block("a line of a picture", "A text that is shown at a place.", {
        "say": Key("text", "The text; expressions stand in braces.", "Damage {this.damage}", required=True),
        "if": Key("expr", "Whether it is shown.", "this.damage > 0")}),
    "picture of links": Block("a picture of links", "How links are drawn, by `this` link.", {
        "style": Key("expr", "Which line it has: that of a member of a type, or of none, the plain one.", "this.surface"),
        "styles": Key("names of line style", "Which line a member has; those not named get one of the others.", "{track: dashed}"),
        "title": Key("remark or text", "What is written next to it.", "{say: Steep, if: this.steep}")},
        needs={"styles": ("style",)}),
    "graph": Block("a graph", "A named part of the map.",
                   shared(links=Key("expr", "Its links.", "l in Road where l.a != ford", required=True))),
    "pool": Block("a pool", "A fixed number of things.", shared(size=Key("size", "How many.", "4", required=True), title=TITLE)),
    "option": Block("an option", "A setting of the game.", shared(
        values=Key("values of option", "A list of words or of numbers, a range of numbers, or `Yes or no`.", "[slow, fast]"),
        default=Key("word", "What it is if nobody says; the first, if left out.", "slow"),
        players=Key("seats", "For how many players it is; all, if left out. With others it has its default.", "3"))),
    "view": Block("a view", "A named subset of a type.", shared(
        of=Key("name", "The type.", "Place", required=True),
        where=Key("expr", "Which members, by `this`.", "this.damage > 0", required=True))),
    "variables": Block("variables", "Variables by name; `per KIND` has those that each member of a type has.", {},
                       others="variable or type"),
    "variable": Block("a variable", "A variable of the state.", shared(
        is_=Key("type", "Its type.", "0..6", required=True),
        by=Key("indices", "One for each member of these types.", "[Track, 1..3]"),
        stops=Key("flag", "Whether it stops at the ends of its range; if not, leaving the range is an error in play.", "yes"),
        starts=Key("expr",
                   "What it is at the beginning; may speak of `this` member. If left out: none, no, the first member, "
                   "nothing in it, or the number of its range that is next to 0. Nobody is shown a first member where the rules "
                   "always set the variable before they read it: it is none until then.",
                   "3"),
        seen_by=SEEN,
        shown=Key("flag", "Whether people are shown it on the table; yes, if left out. `no` for a helper of the rules: "
                  "who may see it still finds it in their observation.", "no"))),
    "zone": Block("a zone", "Where pieces lie.", shared(
        of=Key("name", "The kind of piece.", "Card", required=True),
        per=Key("indices", "One zone for each member of these types.", "Player"),
        order=Key("word", "`shuffled`: no order until something is drawn; `as laid`: a pile; `free` (if left out): a set.",
                  "shuffled",
                  words=("shuffled", "as laid", "free")),
        kept_as=Key("word", "Pieces that are alike are counted, and none has a name.", "counts", words=("counts",)),
        seen_by=SEEN,
        count_seen_by=Key("viewers", "Who sees how many lie there; all, if left out, even where the pieces are hidden.", "all"),
        top_seen_by=Key("viewers", "Who sees the top one of a pile that they do not see; nobody, if left out.", "all"),
        refill_from=Key("expr",
                        "The zone whose pieces go into this one when something is drawn from it and it is empty. A pile is turned over "
                        "onto a pile: what was laid there first is drawn first. `order: shuffled` draws them at random.",
                        "discard"),
        returns_to=Key("expr",
                       "In a scope: the zone to which goes what lies there when the scope ends; may speak of `this`.",
                       "this.hand"),
        starts_with=Key("expr", "What lies there at the beginning: `all`, a set or a bag, which may speak of `this`.",
                        "all"))),
    "memory of positions": Block("a memory of positions", "`remember position` is the step that counts a position as one that has "
                                 "been, and `times_before` says how often the one of now has been counted.", shared(
        position=Key("exprs", "What makes a position: variables and zones, all of each, or expressions.",
                     "[active, damage]", required=True),
        forgets=Key("expr", "Where this holds when a position is remembered, those before are forgotten: they could not come again, "
                    "or do not count.", "round == 0"))),
    "scope": Block("a scope", "A stretch of the game with a memory.", shared(
        within=Key("name", "The scope inside which it runs.", "Combat"),
        state=Key("variables", "Variables that live as long as it does.", "{attacker: Player}"),
        zones=Key("names of zone", "Zones that live as long as it does.", "{shown: {of: Card, per: Player}}"))),
    "lookup": Block("a table", "Values by key.", shared(
        by=Key("indices", "The keys: types, ranges or `players`, the number of players.", "[players, Suit]",
               required=True),
        gives=Key("type", "The type of its values; a number if left out.", "0..9"),
        rows=Key("rows", "A value for every key.", "{2: 7, 3: 5}", required=True))),
    "function": Block("a function", "A pure function.", shared(
        takes=TAKES, gives=GIVES, let=LET,
        is_=Key("expr", "Its value.", "p.coins > amount"),
        base=Key("expr", "The value before any layer.", "5"),
        layers=Key("list of layer", "Changes of the base, in order.", "[{modifiers: add}, {clamp: 2..6}]"), shown=SHOWN),
        needs={"layers": ("base",)}),
    "value": Block("a value", "Something that follows from `this` member.", shared(
        takes=TAKES, gives=GIVES, let=LET,
        is_=Key("expr", "The value.", "this.coins + 1"),
        base=Key("expr", "The value before any layer.", "5"),
        layers=Key("list of layer", "Changes of the base, in order; rules change it where a layer says `modifiers`.",
                   "[{modifiers: add}, {clamp: 2..6}]"), shown=SHOWN), needs={"layers": ("base",)}),
    "layer": Block("a layer", "A change of a value with layers.", {
        "modifiers": Key("word", "Here rules change the value, in this way.", "add",
                         words=("add", "subtract", "set", "raise", "cap")),
        "raise to": Key("expr", "At least this.", "6"),
        "lower to": Key("expr", "At most this.", "2"),
        "set to": Key("expr", "This instead.", "4"),
        "add": Key("expr", "So much more.", "1"),
        "subtract": Key("expr", "So much less.", "1"),
        "clamp": Key("expr", "Into this range.", "2..6"),
        "if": Key("expr", "Whether this layer applies.", "this.coins > 0"),
        "named": Key("text", "What the layer is called.", "ford")}),
    "condition": Block("a condition", "A condition with reasons.", shared(
        takes=TAKES,
        enough=Key("expr", "Holds whatever else does not.", "p == active"),
        all=Key("list of reason or expr", "All of these, each with its reason; conditions in it bring their own, "
                "also in `and`, `or`, `not`, `if`, `any(x in xs where c(x))` and `all(x in xs have c(x))`.",
                "[{if: p.coins > 0, why: No coins}]"),
        if_=Key("expr", "A single condition.", "p.coins > 0"),
        why=WHY,
        why_not=Key("text", "What is said where it holds and `not` of it is wanted.", "You have coins"), shown=SHOWN)),
    "reason": Block("a reason", "A condition with what is said where it does not hold.", {
        "if": Key("expr", "What must hold.", "size(deck) > 0", required=True),
        "why": WHY}),
    "event": Block("an event", "Something rules may react to.", shared(takes=TAKES)),
    "menu": Block("a menu", "Named options, open to additions by rules.", shared(
        takes=TAKES, options=Key("branches", "Its own options.", "{rest: {say: Rest}}"))),
    "branch": Block("an option of a choice", "A named option.", {
        "say": SAY, "if": IF, "why": WHY, "only": ONLY, "do": DO, "cites": CITES}),
    "declined": Block("a willing no", "What it is called, when it is allowed, and what follows.", {
        "say": Key("text", "Its text.", "Pass"), "if": IF, "why": WHY, "only": ONLY, "do": DO}),
    "rule": Block("a rule", "A rule: when it is heard, whether it applies, and what it does.",
                  {**RULE, "about": ABOUT, "cites": CITES},
                  needs=DO_BESIDE, texts_need={"modify": ("by",)}),
    "changes": Block("a change", "What a value is changed by.", {
        "add": Key("expr", "So much more.", "1"),
        "subtract": Key("expr", "So much less.", "1"),
        "set": Key("expr", "This instead.", "6"),
        "raise": Key("expr", "At least this.", "6"),
        "cap": Key("expr", "At most this.", "2"),
        "ignore": Key("name", "A named layer is left out.", "ford"),
        "if": Key("expr", "Whether it is changed.", "this == active")}),
    "change": Block("a change", "One of several values that a rule changes.", {
        "of": Key("expr", "The value.", "target_number", required=True),
        "by": Key("changes", "What it is changed by.", "{add: 1}", required=True)}),
    "effect": Block("a lasting effect", "A rule with arguments that lives for a while.", {
        "takes": TAKES,
        "until": Key("expr", "It ends when this holds.", "p.coins == 0"),
        "at end": Key("steps", "What happens when it ends.", "[skip]"),
        **RULE, "about": ABOUT, "cites": CITES},
        needs=DO_BESIDE, texts_need={"modify": ("by",)}),
    "procedure": Block("a procedure", "Steps with a name.", PROCEDURE),
    "ending": Block("an end of the game", "What follows when the game is over.", shared(
        before=Key("steps", "Last steps.", "[skip]"),
        returns=Key("expr", "What `this` player gets: a number, or an exact fraction by `/`: `pot / size(best)`.", "this.coins - 3"),
        losers=Key("expr",
                   "The set of losers, or `all`: they get -1 and the others 1; with `winners`, who is in neither gets 0.",
                   "set(p2)"),
        winners=Key("expr",
                    "The set of winners, or `all`: they get 1; the others get -1, and all get 0 where nobody has won.",
                    "set(p1)"),
        rank=Key("expr", "The players in groups, the best first.", "ranking(p in players by p.coins)"),
        utility=Key("stated utility",
                    "What is always so of what players get, for programs that learn or search; each end of a game is held to it.",
                    "{sum: 0, min: -26}"),
        score=Key("map", "What is shown of `this` player, line by line: to each as far as it follows from what they see, at the end to "
                  "all; `none` where it is not for that player.",
                  "{Coins: this.coins}"))),
    "stated utility": Block("what is stated of the returns", "Numbers that are known before play, from players and options alone. An end "
                            "of a game that breaks one is an error in play (R021).", {
        "sum": Key("expr", "What all players get together: 0 in a zero-sum game.", "0"),
        "min": Key("expr", "What each player gets at least.", "-26"),
        "max": Key("expr", "What each player gets at most.", "0"),
        "identical": Key("flag", "Whether all players get the same, as in a game of all against the rules.", "yes"),
        "about": ABOUT, "cites": CITES}),
    "source": Block("a source", "A text that `cites` names by its lines: L5-7.", {
        "title": Key("text", "What it is called.", "The rules"),
        "lines": Key("number", "How many lines it has.", "170"),
        "about": ABOUT}),
    "case": Block("a case", "A test of the game: a position, what happens, and what must hold.", {
        "about": Key("text", "The case in a sentence.", "A trump wins the trick."),
        "cites": CITES,
        "players": Key("number", "How many play; the least number, if left out.", "4"),
        "options": Key("names of word", "Options of the game.", "{pace: fast}"),
        "seed": Key("number", "The seed of the chance that the script leaves open.", "3"),
        "within": Key("name", "The scope in which `given` and `run` stand; it is still going on when `expect` looks.", "Combat"),
        "position": Key("one or more", "The position that the case begins with, or several that are laid one after another: names "
                        "under `positions`.", "nearly_over"),
        "given": Key("steps", "Steps without choices, run as one batch after the set-up and the `position`; what they draw is the "
                     "first that `chance` gives.", "[{set: active, to: p2}]"),
        "run": Key("steps", "What is run; the whole game, if left out.", "[skip]"),
        "play": Key("list of entry", "What happens, in order.",
                    "[{p1: red_7}, {p2: [red_9, done]}, {chance: [red_1, 6]}]"),
        "expect": Key("exprs", "What holds after the last answer.", "[size(p1.hand) == 4]"),
        "returns": Key("list of share", "The returns at the end of the game: whole numbers, or fractions such as 1/3.", "[1, -1]"),
        "winners": Key("one or more", "Who has won when the game is over, however the rules say so: players, `all` or `nobody`.", "p1"),
        "fault": Key("code", "The run is expected to end in this error in play.", "R001"),
        "finish": Key("word", "After the script, play on by random answers to the end.", "random", words=("random",)),
        "invariants": Key("exprs", "What holds at every decision.", "[size(deck) <= 52]")},
        needs={"within": ("run",)}),
    "entry": Block("an entry of a script", "A player with the option that is answered, or one of these keys.", {
        "chance": Key("answers", "The outcomes of the next draws.", "[red_1, 6]"),
        "given": Key("steps", "Steps between two answers, as those of `given` of the case, but without draws.",
                     "[{set: active, to: p2}]"),
        "refuse": Key("names of answers", "What a player may not answer now.", "{p2: blue_11}"),
        "why": Key("text", "With `refuse`: a part of the reason that is shown.", "You hold yellow"),
        "offers": Key("names of answers", "Exactly what a player may answer now.", "{p2: [yellow_7, yellow_9]}"),
        "asks": Key("asked", "Who is asked now, and by which question; `nobody` where all that was run is over.", "p2"),
        "expect": Key("exprs", "What holds now.", "[active == p2]"),
        "sees": Key("names of seen", "What a player sees: ids, how many if none is seen, a value, or `hidden`.", "{p2: {hand.p1: 3}}"),
        "take back": Key("name", "The player whose last answer is taken back.", "p2"),
        "cannot take back": Key("name", "The player whose last answer cannot be taken back.", "p2")}, others="answers"),
    **FILES,
}  # fmt: skip


def is_mapping(shape: str) -> bool:
    """Whether a shape without alternatives is a mapping."""
    return shape in BLOCKS or shape == "step" or shape.startswith("names of ")


def parts(shape: str) -> list[str]:
    """The alternatives of a shape, those of unions in it among them."""
    alternatives: list[str] = []
    for part in shape.split(" | "):
        alternatives.extend(parts(UNIONS[part].shape) if part in UNIONS else [part])
    return alternatives


NAMES = "names, each with a colon and a value"  # a mapping, as authors are told of it


def phrase(shape: str) -> str:
    """A shape in plain words."""
    if shape in UNIONS:
        return UNIONS[shape].phrase
    phrases = []
    for part in shape.split(" | "):
        if part in SCALARS:
            phrases.append(SCALARS[part].phrase)
        elif part in BLOCKS:
            phrases.append(BLOCKS[part].title)
        elif part.startswith(("names of ", "list of ")):
            phrases.append(NAMES if part.startswith("names") else "a list")
        else:
            phrases.append({"step": "a step"}.get(part, part))
    return ", or ".join(phrases)
