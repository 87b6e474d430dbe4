"""What a board may have besides its size: its edges and corners, and how what stands on its cells is drawn."""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.language.files import ABOUT
from rulespec.language.shapes import Block, Key

PARTS: Mapping[str, Key] = {
    "edges": Key("name", "The type of the edges between cells and around the board, for walls and roads. A cell has its `edges`, an edge "
                 "its `cells`; they are named `a1_a2` by their cells, or `a1_w` by a cell and a direction.", "Edge"),
    "sides": Key("name", "The same as `edges`, by the name that cells then have for them; a board has one of the two.", "Wall"),
    "corners": Key("name", "The type of the corners of cells. A corner has its `cells` and its `edges`; it is named `a1_ne` by the first "
                   "of its cells and where it lies there.", "Corner"),
}  # fmt: skip
PICTURE = Block("a picture of a board", "What is shown of `this` cell when the board is drawn.", {
    "symbol": Key("expr", "What stands there: a member of a type, a piece, or none.", "this.disc"),
    "symbols": Key("names of sign", "Which sign a member has; those not named get letters of their names.", "{p1: X, p2: O}"),
    "colour": Key("expr", "Whose colour it has: a member of a type, or none. Of players, letters are large for the first and small for "
                  "the second.", "this.disc"),
    "colours": Key("names of colour", "Which colour a member has; those not named get one of the others.", "{p1: red}"),
    "about": ABOUT},
    needs={"symbols": ("symbol",), "colours": ("colour",)})  # fmt: skip
