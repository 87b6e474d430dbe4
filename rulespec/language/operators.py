"""The operators: what the grammar's signs and forms become, each by the name of the body that it calls.

A function is known by its facts alone.  An operator has a meaning of its own to whoever rewrites expressions, as `not` and `=` have in
logic, so passes, lint and back ends look for it, and make calls of it, by the names here.
"""

from __future__ import annotations

from collections.abc import Mapping

NOT = "not_"
EQUAL = "eq"  # a == b
DIFFERENT = "ne"  # a != b
LESS = "lt"  # a < b, or b > a
AT_MOST = "le"  # a <= b, or b >= a
IS_NONE = "is_none"  # a is none
NO_ITEM = "no_item"  # a is empty
CONTAINS = "contains"  # b in a
ADD = "add"  # a + b, of numbers
SUBTRACT = "sub"  # a - b, of numbers
MULTIPLY = "mul"  # a * b, of numbers
UNION = "union"  # a + b, of sets
CONCAT = "concat"  # a + b, of lists
WITHOUT = "minus"  # a - b, of sets and lists
INTERVAL = "interval"  # a..b
PACK = "pack"  # a record, or a list, of its parts
PART = "get"  # a part of a record
AMOUNT = "bag_one"  # a of b: a bag

ORDERED: Mapping[str, tuple[str, bool]] = {  # by its sign what a comparison calls, and whether with the sides exchanged
    "<": (LESS, False),
    ">": (LESS, True),
    "<=": (AT_MOST, False),
    ">=": (AT_MOST, True),
}
ARITHMETIC: Mapping[str, str] = {"+": ADD, "-": SUBTRACT, "*": MULTIPLY}
