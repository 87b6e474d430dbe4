"""Sets of cells that spread: from each cell to those in its row of a table, from all of them at once.

Where few distances lead from cells to the cells in their rows, as to neighbours on a board, a set spreads by a shift for each distance.
What hangs together is a set that has spread until it grows no more; whether something is reached is known as soon as it is.
"""

from __future__ import annotations

from interpreter.native.emitter.sets import LARGEST_SET, constant, is_vector, letter, words_of

MOST_DISTANCES = 12  # of sets of one word or two
MOST_TERMS = 96  # of larger ones: shifts of a word
ONE = (1 << 64) - 1


def distances(rows: tuple[int, ...]) -> dict[int, int]:
    """How far away the members of rows lie, which are sets of bits, and for each distance the numbers in whose rows there is one."""
    found: dict[int, int] = {}
    for x, row in enumerate(rows):
        while row:
            y = (row & -row).bit_length() - 1
            found[y - x] = found.get(y - x, 0) | 1 << x
            row &= row - 1
    return found


def spread(name: str, rows: tuple[int, ...]) -> str | None:
    """The C of a function that gives all that is in the rows of the numbers in a set; None where this takes too many shifts."""
    top = max((row.bit_length() for row in rows), default=0)
    size = max(len(rows), top, 1)
    if size > LARGEST_SET:
        return None
    ways, words = distances(rows), words_of(size - 1)
    whole, parts, cut = (1 << size) - 1, [], False
    for by, start in sorted(ways.items()):
        others = ((1 << len(rows)) - 1) & ~start
        moved = (others << by if by > 0 else others >> -by) & (1 << 64 * words) - 1
        cut |= bool(moved & ~whole)
        # Who has no member that far away must not find another there.
        parts.append((by, start if moved & whole else None))
    kind = letter(words)
    if not is_vector(kind):
        if len(ways) > MOST_DISTANCES:
            return None
        shifted = (one_word(by, None if only is None else constant(only, words)) for by, only in parts)
        code = "|".join(shifted) or "0"
        code = f"({code})&{constant(whole, words)}" if cut else code
        return f"static inline {kind} {name}({kind} m){{return {code};}}"
    used = -(-size // 64)
    items, most = [], 0
    for k in range(words):
        terms = [term for by, only in parts if (term := word(k, by, only, used))] if k < used else []
        code, most = "|".join(terms) or "0", most + len(terms)
        items.append(f"({code})&{whole >> 64 * k & ONE:#x}ULL" if cut and k == used - 1 else code)
    made = f"static inline {kind} {name}({kind} m){{return ({kind}){{{','.join(items)}}};}}"
    return made if most <= MOST_TERMS else None


def one_word(by: int, only: str | None) -> str:
    """C of a set, or of some of it, with all its numbers so much higher."""
    code = "m" if only is None else f"(m&{only})"
    return f"{code}<<{by}" if by > 0 else f"{code}>>{-by}" if by else code


def word(k: int, by: int, only: int | None, used: int) -> str:
    """C of word `k` of a set with all its numbers so much higher; "" where there is nothing."""
    far, bits = divmod(by, 64)
    terms = []
    for at, shift in ((k - far, bits), (k - far - 1, bits - 64)):
        some = 0 if not 0 <= at < used else ONE if only is None else only >> 64 * at & ONE
        if shift > -64 and (some << shift if shift > 0 else some >> -shift) & ONE:
            code = f"m[{at}]" if only is None else f"(m[{at}]&{some:#x}ULL)"
            terms.append(code + (f"<<{shift}" if shift > 0 else f">>{-shift}" if shift else ""))
    return "|".join(terms)
