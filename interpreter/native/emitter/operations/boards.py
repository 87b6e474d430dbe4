"""Functions of boards whose arguments are sets, or whose results are too many for a table: what hangs together, neighbours in some
directions, lines.

Those of cells and directions alone are tables of their results (`tabulation`).
"""

from __future__ import annotations

from typing import Any

from interpreter.native.emitter import sets
from interpreter.native.emitter.forms import NUMBER, SET, WIDE_SET, Bits, Form, Val
from interpreter.native.emitter.operations import maps
from interpreter.native.emitter.operations.call import Call, Writers
from interpreter.native.emitter.operations.scalars import tabulated
from rulespec import ir
from rulespec.analysis.domain import Fact, below
from rulespec.language.facts import CForm
from rulespec.library import boards
from rulespec.system.records import dataclass


def is_graph(board: Any) -> bool:
    """Whether this is no board, but says of each place, or part of a board, which are next to it."""
    return not board or isinstance(board[0], tuple)


def steps(call: Call, board: Any) -> tuple[str, int]:
    """A table of the cell that each direction leads to from each cell (-1: none), and how many directions there are.

    In a graph the neighbours of a place take the places of the directions.
    """
    if is_graph(board):
        most = max(1, 1, *map(len, board))
        near = tuple(x for row in board for x in (*row, *[-1] * (most - len(row))))
        return call.w.table(near, NUMBER, Fact("int", -1, len(board))), most
    grid = boards.grid(board)
    rows = [grid.at(cell, offset) for cell in range(len(grid.places)) for offset in grid.offsets]
    fact = Fact("int", -1, len(grid.places))
    return call.w.table(tuple(-1 if r is None else r for r in rows), NUMBER, fact), len(grid.offsets)


def cells_of(call: Call) -> int:
    """How many cells the board has."""
    board = call.constant(-1)
    return len(board) if is_graph(board) else len(board[5])


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


def ways_of(call: Call) -> boards.Cells | None:
    """The directions in which cells hang together; None where they are worked out in play."""
    board = call.constant(-1)
    if is_graph(board):
        return tuple(range(max(1, 1, *map(len, board))))
    if len(call.args) == 3:
        return boards.every(board)
    return call.args[2].value if isinstance(call.args[2], ir.Const) else None


def rows_of_group(call: Call) -> tuple[int, ...] | None:
    """For each cell those that hang together with it, as a set of bits; None where the directions are worked out in play."""
    board, ways = call.constant(-1), ways_of(call)
    if ways is None:
        return None
    if is_graph(board):
        return tuple(sum(1 << near for near in row) for row in board)
    return tuple(sum(1 << c for c in boards.grid(board).around(cell, ways)) for cell in range(cells_of(call)))


def group(call: Call) -> Val:
    """The cells of a set that hang together with a cell of it, in all or in some directions."""
    if not isinstance(call.args[-1], ir.Const):
        return maps.group(call)
    board, form, rows = call.constant(-1), call.form, rows_of_group(call)
    if form not in (SET, WIDE_SET):
        return wide_group(call, board)
    t = call.type
    cell, left, whole, todo = (call.w.name(x) for x in "clgt")
    head = f"V {cell}={call.w.index(call.vals[0], cells_of(call))}; {t} {left}={call.w.as_form(call.vals[1], form)},{whole}=0"
    paid = f"FUEL(S,{cells_of(call)});"
    spread = None if rows is None else call.w.spread(rows)
    if spread is not None:
        grow = f"for({t} n={whole}=({t})1<<{cell};n;{whole}|=n)n={spread}({whole})&{left}&~{whole};"
        return call.gives(f"({{{head}; {paid} if({left}>>{cell}&1){grow} {whole};}})")
    if rows is None:  # of each cell a row for each direction
        grid = boards.grid(board)
        table = call.w.masks(
            tuple(sum(1 << n for n in grid.around(c, (d,))) for c in range(cells_of(call)) for d in boards.every(board))
        )
        used, n = len(boards.every(board)), call.w.name("d")
        head += f"; M {n}={call.w.as_form(call.vals[2], Bits(1))}"
        near = f"({{{t} m=0; int a=low{t}({todo})*{used}; for(M d={n};d;d&=d-1)m|={table}[a+lowM(d)]; m;}})"
    else:
        near = f"{call.w.masks(rows)}[low{t}({todo})]"
    begin = f"if({left}>>{cell}&1){{{todo}={whole}=({t})1<<{cell}; {left}&=~{whole};}}"
    step = f"{t} near={near}&{left}; {todo}&={todo}-1; {left}&=~near; {whole}|=near; {todo}|=near;"
    return call.gives(f"({{{head}; {t} {todo}=0; {begin} {paid} while({todo}){{{step}}} {whole};}})")


@dataclass(frozen=True, slots=True)
class Marks:
    """C that knows which cells of a set are reached: `before` all else and `begin` say it first, `test` asks whether a cell belongs to the
    set and is not reached, `take` marks it as reached, and `reached` asks that afterwards.  So much is counted as is `paid`; `rest` is the
    set without what is reached, where it is kept as one.
    """

    begin: str
    test: str
    take: str
    reached: str
    paid: str
    before: str = ""
    rest: str = ""


def wide_group(call: Call, board: Any, counted: bool = False) -> Val:
    """The same on a board of more cells than a set of bits has: they are reached one after another, and given in their order.

    `counted`: only how many there are.
    """
    name, every = steps(call, board)
    cells, ways = cells_of(call), ways_of(call)
    out, cell, reached, n, k, x = (call.w.name(letter) for letter in "ocrnkx")
    form, item = None if counted else call.form, Val(x, NUMBER, below(cells))
    marks = tested(call, item) or (taken_out(call, item) if stays_whole(call, form) else marked(call, item))
    put = "" if marks.rest or not isinstance(form, Bits) else sets.put(out, x, sets.letter(form.words))
    head = f"V {cell}={call.w.index(call.vals[0], cells)}; int16_t {reached}[{cells}]; int {n}=0;"
    take = f"if({marks.test}){{{marks.take} {put} {reached}[{n}++]=(int16_t){x};}}"
    step = f"V {x}={name}[{reached}[{k}]*{every}+%s]; if({x}>=0){take}"
    if ways is None:
        used = call.w.name("d")
        head += f" M {used}={call.w.as_form(call.vals[2], Bits(1))};"
        near = f"for(M d={used};d;d&=d-1){{{step % 'lowM(d)'}}}"
    else:
        near = "".join(f"{{{step % d}}}" for d in ways)
    begin = f"{marks.before} {head} {marks.begin} FUEL(S,{marks.paid}); {{V {x}={cell}; {take}}}"
    walk = f"{begin} for(int {k}=0;{k}<{n};{k}++){{{near}}}"
    if counted:
        return Val(f"({{{walk} (V){n};}})", NUMBER, Fact("int", 0, cells))
    if marks.rest:
        return call.gives(f"({{{walk} {marks.rest} }})")
    if put:
        return call.filled(out, "", walk)
    add = call.w.adder(out, call.form)(item)
    return call.filled(out, walk, f"for(V {x}=0;{n}&&{x}<{cells};{x}++)if({marks.reached}){{{n}--; {add}}}")


def stays_whole(call: Call, form: Form | None) -> bool:
    """Whether the set is one of bits, and what is wanted of it too, or a number."""
    of = call.vals[1].form
    return isinstance(of, Bits) and of.words > 2 and form in (None, of)


def tested(call: Call, x: Val) -> Marks | None:
    """Where the set is of the cells that pass a test: those that the walk comes to are tested, and no others."""
    cells, seen = cells_of(call), call.w.name("l")
    source, env, before = call.args[1], call.env, ""
    while isinstance(source, ir.Invoke) and source.function not in call.w.recursive:
        own = [call.w.bound(call.w.expr(a, env)) for a in source.args]
        before += "".join(text for text, _ in own)
        source, env = call.w.program.functions[source.function].body, dict(enumerate(v for _, v in own))
    if not isinstance(source, ir.Comp) or not source.value is source.key is None or source.where is None:
        return None
    test = call.w.test(source.where, {**env, source.index: x})
    if source.source != ir.Const(tuple(range(cells))) or call.w.faulty(f"{before} {test}"):
        return None
    at = f"{seen}[{x.code}]"
    paid = cells * (1 + call.w.weights.item(source.where)) + 1
    once = f"!{at}&&({at}=1,{test})"
    return Marks(f"uint8_t {seen}[{cells}]={{0}};", once, f"{at}=2;", f"{at}==2", str(paid), before)


def taken_out(call: Call, x: Val) -> Marks:
    """Of a set of bits: what is reached is taken out of it."""
    of, seen, whole = call.vals[1].form, call.w.name("l"), call.w.name("w")
    assert isinstance(of, Bits)
    t = sets.letter(of.words)
    begin = (
        f"{t} {whole}={call.w.as_form(call.vals[1], of)}; M {seen}[{of.words}]; memcpy({seen},&{whole},sizeof {seen});"
    )
    return Marks(
        begin,
        test := f"{seen}[{x.code}>>6]>>({x.code}&63)&1",
        sets.taken(seen, x.code, t),
        f"!({test})",
        f"pop{t}({whole})+{cells_of(call) + 1}",
        rest=f"{t} left; memcpy(&left,{seen},sizeof left); {whole}&~left;",
    )


def marked(call: Call, x: Val) -> Marks:
    """Of any other set: a mark for each of its cells."""
    cells, seen = cells_of(call), call.w.name("l")
    mark = call.w.each_of(call.vals[1], lambda v: f"{seen}[{call.w.index(v, cells)}]=1;")
    at = f"{seen}[{x.code}]"
    return Marks(f"uint8_t {seen}[{cells}]={{0}}; {mark}", f"{at}==1", f"{at}=2;", f"{at}==2", str(cells))


def size_of_group(call: Call) -> Val:
    """How many cells hang together, on a board of more cells than a set of bits has."""
    return wide_group(call, call.constant(-1), counted=True)


def between(call: Call) -> Val:
    """The cells on the line from one cell to another: walked where there are too many results for a table."""
    if call.w.types.tables.of(call.name, call.args, [v.fact for v in call.vals]) is not None:
        return tabulated(call)
    board, cells = call.constant(-1), cells_of(call)
    name, ways = steps(call, board)
    out, a, b, d, x = (call.w.name(letter) for letter in "oabdx")
    way = tabulated(Call(call.w, "direction", call.args, call.env))
    add = call.w.adder(out, call.form)(Val(x, NUMBER, below(cells)))
    head = f"V {a}={call.w.index(call.vals[0], cells)},{b}={call.w.index(call.vals[1], cells)},{d}={way.code};"
    walk = f"for(V {x}={name}[{a}*{ways}+{d}];{x}!={b};{x}={name}[{x}*{ways}+{d}]){{{add}}}"
    return call.filled(out, head, f"if({d}!={call.w.none}){{{walk}}}")


BOARDS: Writers = {CForm.NEIGHBOURS_IN: neighbouring_in, CForm.GROUP: group, CForm.BETWEEN: between}
