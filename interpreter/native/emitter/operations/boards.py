"""Functions of boards whose arguments are sets: what hangs together, and neighbours in some directions.

Those of cells and directions alone are tables of their results (`tabulation`).
"""

from __future__ import annotations

from typing import Any

from interpreter.native.emitter import sets
from interpreter.native.emitter.forms import NUMBER, SET, WIDE_SET, Bits, Val
from interpreter.native.emitter.operations.call import Call, Writers
from interpreter.python.facts import Fact, of_value
from rulespec.language.facts import CForm
from rulespec.library import boards


def steps(call: Call, board: Any) -> tuple[str, int]:
    """A table of the cell that each direction leads to from each cell (-1: none), and how many directions there are."""
    grid = boards.grid(board)
    rows = [grid.at(cell, offset) for cell in range(len(grid.places)) for offset in grid.offsets]
    fact = Fact("int", -1, len(grid.places))
    return call.w.table(tuple(-1 if r is None else r for r in rows), NUMBER, fact), len(grid.offsets)


def cells_of(call: Call) -> int:
    """How many cells the board has."""
    return len(call.constant(-1)[5])


def neighbouring_in(call: Call) -> Val:
    """The cells next to a cell in some directions."""
    name, ways = steps(call, call.constant(-1))
    out, c, x = call.w.name("o"), call.w.name("c"), call.w.name()
    cell = call.w.index(call.vals[0], cells_of(call))
    near = Val(x, NUMBER, Fact("int", 0, cells_of(call) - 1))
    put = call.w.adder(out, call.form)(near)
    loop = call.w.each_of(
        call.vals[1], lambda d: f"V {x}={name}[{c}*{ways}+{call.w.index(d, ways)}]; if({x}>=0&&{x}!={c}){{{put}}}"
    )
    order = "" if isinstance(call.form, Bits) else f"SORT({out}) DISTINCT({out})"
    return call.filled(out, f"V {c}={cell};", loop + order)


def group(call: Call) -> Val:
    """The cells of a set that hang together with a cell of it, in all or in some directions."""
    board, form = call.constant(-1), call.form
    if form not in (SET, WIDE_SET):
        return wide_group(call, board)
    if call.name == "group":
        rows = tuple(boards.grid(board).around(c, boards.every(board)) for c in range(cells_of(call)))
    else:
        rows = tuple(boards.grid(board).around(c, call.constant(2)) for c in range(cells_of(call)))
    t = call.type
    name = call.w.table(rows, form, of_value(rows).item or Fact("items"))
    cell, left, whole, todo = (call.w.name(x) for x in "clgt")
    head = f"V {cell}={call.w.index(call.vals[0], cells_of(call))}; {t} {left}={call.w.as_form(call.vals[1], form)},{whole}=0,{todo}=0;"
    begin = f"if({left}>>{cell}&1){{{todo}={whole}=({t})1<<{cell}; {left}&=~{whole};}}"
    step = f"{t} near={name}[low{t}({todo})]&{left}; {todo}&={todo}-1; {left}&=~near; {whole}|=near; {todo}|=near;"
    return call.gives(f"({{{head} {begin} FUEL(S,{cells_of(call)}); while({todo}){{{step}}} {whole};}})")


def wide_group(call: Call, board: Any) -> Val:
    """The same on a board of more cells than a set of bits has: they are reached one after another, and told in order."""
    name, ways = steps(call, board)
    cells = cells_of(call)
    out, cell, left, todo, n, x = (call.w.name(x) for x in "ocltnx")
    used = boards.every(board) if call.name == "group" else call.constant(2)
    near = "".join(
        f"{{V x={name}[{x}*{ways}+{d}]; if(x>=0&&{left}[x]==1){{{left}[x]=2; {todo}[{n}++]=(int16_t)x;}}}}"
        for d in used
    )
    head = f"V {cell}={call.w.index(call.vals[0], cells)}; uint8_t {left}[{cells}]={{0}}; int16_t {todo}[{cells}]; int {n}=0;"
    if isinstance(call.form, Bits):
        return group_of_vector(call, name, ways, used)
    some = call.w.each_of(call.vals[1], lambda v: f"{left}[{call.w.index(v, cells)}]=1;")
    begin = f"if({left}[{cell}]){{{left}[{cell}]=2; {todo}[{n}++]=(int16_t){cell};}} FUEL(S,{cells});"
    reach = f"while({n}){{int {x}={todo}[--{n}]; {near}}}"
    tell = f"for(V {x}=0;{x}<{cells};{x}++)if({left}[{x}]==2){{{call.w.adder(out, call.form)(Val(x, NUMBER, Fact('int', 0, cells - 1)))}}}"
    return call.filled(out, head, f"{some} {begin} {reach} {tell}")


def group_of_vector(call: Call, name: str, ways: int, used: tuple[int, ...]) -> Val:
    """The same where sets are vectors of words."""
    cells, t, form = cells_of(call), call.type, call.form
    out, cell, left, todo, n, x = (call.w.name(x) for x in "ocltnx")
    take = f"{sets.taken(left, 'x', t)} {sets.put(out, 'x', t)} {todo}[{n}++]=(int16_t)x;"
    near = "".join(f"{{V x={name}[{x}*{ways}+{d}]; if(x>=0&&{sets.has(left, 'x', t)}){{{take}}}}}" for d in used)
    head = f"V {cell}={call.w.index(call.vals[0], cells)}; {t} {left}={call.w.as_form(call.vals[1], form)};"
    head += f" int16_t {todo}[{cells}]; int {n}=0;"
    begin = f"{{V x={cell}; if({sets.has(left, 'x', t)}){{{take}}}}} FUEL(S,{cells});"
    return call.filled(out, head, f"{begin} while({n}){{int {x}={todo}[--{n}]; {near}}}")


BOARDS: Writers = {CForm.NEIGHBOURS_IN: neighbouring_in, CForm.GROUP: group}
