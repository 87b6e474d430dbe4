"""Sets of cells that spread: from each cell to those in its row of a table, from all of them at once.

Where few distances lead from cells to the cells in their rows, as to neighbours on a board, a set spreads by a shift for each distance.
What hangs together is a set that has spread until it grows no more; whether something is reached is known as soon as it is.
"""

from __future__ import annotations

from interpreter.native.emitter.sets import constant, words_of

MOST_DISTANCES = 12
LARGEST = 128  # numbers of a set that is shifted


def distances(rows: tuple[int, ...]) -> dict[int, int] | None:
    """How far away the members of rows lie, which are sets of bits, and for each distance the numbers in whose rows there is one.

    None where these are too many."""
    found: dict[int, int] = {}
    for x, row in enumerate(rows):
        while row:
            y = (row & -row).bit_length() - 1
            found[y - x] = found.get(y - x, 0) | 1 << x
            row &= row - 1
            if len(found) > MOST_DISTANCES:
                return None
    return found


def spread(name: str, rows: tuple[int, ...]) -> str | None:
    """The C of a function that gives all that is in the rows of the numbers in a set; None where this takes too many shifts."""
    top = max((row.bit_length() for row in rows), default=0)
    size = max(len(rows), top, 1)
    ways = distances(rows) if size <= LARGEST else None
    if ways is None:
        return None
    words = words_of(size - 1)
    kind, whole, width = "MW"[words - 1], (1 << size) - 1, 64 * words
    parts, cut = [], False
    for by, start in sorted(ways.items()):
        others = ((1 << len(rows)) - 1) & ~start
        moved = (others << by if by > 0 else others >> -by) & (1 << width) - 1
        code = "m"
        if moved & whole:  # who has no member that far away must not find another there
            code = f"(m&{constant(start, words)})"
        elif moved:
            cut = True
        parts.append(f"{code}<<{by}" if by > 0 else f"{code}>>{-by}" if by else code)
    code = "|".join(parts) or "0"
    code = f"({code})&{constant(whole, words)}" if cut else code
    return f"static inline {kind} {name}({kind} m){{return {code};}}"
