"""What the invented games have in common, and what expressions may read there.

Numbers lie at the edges of what machines count with; there are tables with holes, collections that are empty or have one item,
negative items.
"""

from __future__ import annotations

from rulespec.language.types import (
    BOOL,
    INT,
    BagType,
    EntityType,
    IntType,
    ListType,
    OptionType,
    SetType,
    Type,
)

EDGES = (
    -(1 << 59), -(1 << 32), -(1 << 31) - 1, -(1 << 31), -100_000, -129, -128, -127, -5, -3, -1,
    0, 1, 2, 3, 5, 7, 63, 64, 127, 128, 255, 256, 32_767, 32_768, 65_536, 100_000,
    (1 << 31) - 1, 1 << 31, (1 << 31) + 1, 1 << 32, 1 << 59, 10**18 - 1,
)  # fmt: skip
SMALL = (-3, -1, 0, 1, 2, 3, 5)
PLAYER, COLOUR, CARD, GEM, SQUARE, PLACE, WAY = map(
    EntityType, ("Player", "Colour", "Card", "Gem", "Square", "Place", "Direction")
)
MEMBERS = {
    "Player": ("p1", "p2"),
    "Colour": ("red", "blue", "green"),
    "Card": ("ace", "king", "queen", "jack", "ten"),
    "Gem": ("ruby", "jade"),
    "Square": ("a1", "b1", "c2", "b3"),
    "Place": ("shore", "ford", "hill", "isle"),
    "Direction": ("n", "s", "e", "w", "ne"),
    "Comparison": ("fewer", "equal", "more"),
}
LETTERS = {"Cell": SQUARE, "Place": PLACE, "Direction": WAY, "Player": PLAYER, "Comparison": EntityType("Comparison")}
ITEMS: tuple[Type, ...] = (INT, INT, IntType(-5, 5), COLOUR, CARD, PLAYER, GEM, SQUARE, PLACE)
NEVER = {"payments", "border", "those", "each"}  # what gives records, and what is written as comprehensions here

# What is read: (text, type).  `{...}` is filled with an expression of that type.
NUMBERS = (
    "tiny", "byte", "word", "wide", "huge", "any_number", "down", "round", "{Player}.coins", "{Square}.mark", "{Card}.value",
    "{Card}.worth", "grid({small})", "holes({small})", "prize({Colour})",
    "doubled({number})", "{Card}.strength", "sum_to({small})", "{Player}.most_worth",
)  # fmt: skip
TRUTHS = ("flag", "{Player}.out", "{Card}.wild", "is_odd({number})")
VALUES: tuple[tuple[str, Type], ...] = (
    ("who", PLAYER), ("led", COLOUR), ("{Card}.colour", COLOUR), ("at", SQUARE), ("spot", PLACE), ("{Colour}.partner", COLOUR),
    ("numbers", ListType(INT)), ("few", SetType(IntType(-5, 5))), ("sizes", SetType(IntType(0, 99))),
    ("deltas", ListType(IntType(-128, 127))), ("colours", SetType(COLOUR)), ("trail",
    ListType(SQUARE)), ("{Card}.tags", SetType(COLOUR)), ("{Player}.hand", SetType(CARD)),
    ("pile", ListType(CARD)), ("nothing", ListType(INT)), ("(1..{small})", SetType(INT)), ("({small}..{small})", SetType(INT)),
    ("purse", BagType("Gem")), ("bank", BagType("Gem")), ("{Colour}.price", BagType("Gem")), ("none_left", SetType(CARD)),
    ("ones", SetType(IntType(-5, 5))), ("{Square}.near", SetType(SQUARE)),
    ("maybe", OptionType(IntType(0, 9))), ("bidder", OptionType(PLAYER)), ("tint", OptionType(COLOUR)), ("bound", OptionType(INT)),
)  # fmt: skip

GAME = """\
rulespec: 1
id: invented
title: Invented
players: 2

types:
  Colour:
    fields: {partner: Colour, price: bag of Gem}
    rows: {red: [blue, 2 of ruby], blue: [green, 1 of ruby + 3 of jade], green: [red, 0 of jade]}
  Gem: {rows: {ruby: {}, jade: {}}}

pieces:
  Card:
    fields: {colour: Colour, value: -5..9, worth: Number, wild: Yes or no, tags: set of Colour, bonus: set of Gem}
    rows:
      ace: [red, -5, 4294967296, "yes", [red], [ruby]]
      king: [blue, 9, -2147483648, "no", [red, green], [jade]]
      queen: [green, 0, 1, "no", [], [ruby, jade]]
      jack: [red, 3, 2147483647, "yes", [blue], []]
      ten: [blue, -1, 0, "no", [red, blue, green], [jade]]

boards:
  Square: {square: 3 x 3, forward: {p1: n, p2: s}}

map:
  nodes:
    Place: {rows: {shore: {}, ford: {}, hill: {}, isle: {}}}
  links:
    Path:
      fields: {a: Place, b: Place}
      rows: [[shore, ford], [ford, hill]]

zones:
  deck: {of: Card, starts with: "set(ace)"}
  hand: {of: Card, per: Player, starts with: "if this == p1 then set(queen) else set(jack, ten)"}
  pile: {of: Card, order: as laid, starts with: set(king)}
  none_left: {of: Card}
  stack: {of: Card, order: shuffled, seen by: none}
  bank: {of: Gem, kept as: counts, starts with: 3 of ruby + 2 of jade}

state:
  tiny: {is: -5..5, starts: -3}
  byte: {is: 0..255, starts: 200}
  word: {is: -2147483648..2147483647, starts: 2147483647}
  wide: {is: 0..4294967296, starts: 4294967295}
  huge: {is: 0.., starts: 900000000000000000}
  any_number: {is: Number, starts: -7}
  down: {is: ..0, starts: -4000000000}
  round: 0..9999
  flag: Yes or no
  who: Player
  led: Colour
  at: Square
  spot: Place
  maybe: 0..9 or none
  bidder: Player or none
  tint: {is: Colour or none, starts: green}
  bound: {is: Number or none, starts: 5000000000}
  numbers: {is: list of Number, starts: "list(-3, 4294967296, 0)"}
  nothing: list of Number
  few: {is: set of -5..5, starts: "set(-5, 0, 4)"}
  ones: {is: set of -5..5, starts: set(-1)}
  sizes: {is: set of 0..99, starts: "set(1, 64, 99)"}
  deltas: {is: list of -128..127, starts: "list(-128, 127, -1, -1)"}
  colours: {is: set of Colour, starts: "set(red, green)"}
  trail: {is: list of Square, starts: "list(a1, c2)"}
  purse: {is: bag of Gem, starts: 1 of jade}
  grid: {by: [-2..2], is: -9..9, starts: 2}
  score: Number
  truth: Yes or no
  per Player: {coins: {is: 0..99, starts: 3}, out: Yes or no}
  per Square: {mark: {is: 0..2, starts: 1}}

tables:
  holes: {by: "0..2", gives: Number, rows: {0: 5, 1: -2147483648, 2: 4294967297}}
  prize: {by: Colour, gives: "-3..300", rows: {red: -3, blue: 255, green: 300}}

functions:
  doubled: {takes: {a: Number}, gives: Number, is: a + a}
  is_odd: {takes: {a: Number}, is: "mod(a, 2) == 1"}
  sum_to: {takes: {a: Number}, gives: Number, is: "sum(k * k for k in 1..a)"}

values:
  Card:
    strength: {base: this.value, layers: [{add: 2, if: this.wild}, {clamp: -4..9}]}
  Player:
    most_worth: {is: "highest(c.worth for c in this.hand)"}
  Square:
    near: {gives: set of Square, is: those(x in neighbours(this) where x.mark > 0)}

events:
  hit: {takes: {n: Number, c: Card}}

procedures:
  shake:
    takes: {a: Number, p: Player}
    do:
      - {set: any_number, to: a - any_number}
      - {set: flag, to: not flag}
      - {add: 1, to: p.coins}
"""
TARGETS: tuple[tuple[str, Type], ...] = (
    ("score", INT), ("score", INT), ("any_number", INT), ("tiny", INT), ("byte", INT), ("word", INT), ("wide", INT), ("huge", INT),
    ("down", INT), ("truth", BOOL), ("flag", BOOL), ("who", PLAYER),
    ("led", COLOUR), ("at", SQUARE), ("spot", PLACE), ("maybe", OptionType(INT)),
    ("bidder", OptionType(PLAYER)), ("tint", OptionType(COLOUR)), ("bound", OptionType(INT)), ("numbers", ListType(INT)),
    ("few", SetType(INT)), ("sizes", SetType(INT)), ("deltas", ListType(INT)), ("colours", SetType(COLOUR)), ("trail", ListType(SQUARE)),
    ("purse", BagType("Gem")), ("ones", SetType(INT)), ("{Player}.coins", INT),
    ("{Square}.mark", INT), ("grid({small})", INT), ("{Player}.out", BOOL),
)  # fmt: skip
