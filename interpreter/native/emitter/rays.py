"""Tests that follow rays, for all items at once.

Where the rows of a table lead from each item as far away (a ray of a board, its neighbours in a direction), a set of cells becomes the
set of items that have one of them at a place of their row by a shift.  So `any` and `all` over a row are a loop over its places, and what
begins with the first or last cell of a row that passes a test is divided by which place that is: at each, the items for which it is the
one are a set.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from interpreter.native.emitter.conditions import free_of
from interpreter.native.emitter.forms import NUMBER, Lane, Val, word_of
from interpreter.native.emitter.leading import Leading, ended, leading
from interpreter.native.emitter.masks import MaskWriter, NoMask, Relative
from interpreter.native.emitter.opened import NotOpened, Opener, choices, inner_choice
from interpreter.native.emitter.writer import Env
from rulespec import ir
from rulespec.analysis.domain import Fact, below, items
from rulespec.ir.walk import within
from rulespec.language import operators
from rulespec.language.facts import CForm, Reduction
from rulespec.language.registry import facts as facts_of
from rulespec.passes.fold import asked_items, simplify
from rulespec.passes.rewrite import rewrite
from rulespec.system.records import dataclass

MOST_PLACES = 1024  # of the rows of one item together
MOST_CHOICES = 40  # steps in which a test is divided


@dataclass(frozen=True, slots=True)
class Rows:
    """A row of cells for each item and each value of a key (None: there is one); of each place how far away and of which items."""

    cells: tuple[tuple[tuple[int, ...], ...], ...]
    key: ir.Expr | None
    keys: int
    places: int
    offsets: tuple[int, ...]
    there: tuple[int, ...]
    extent: int


class RayWriter(MaskWriter):
    """Writes tests that follow rays."""

    steps = 0
    probing = False

    @cached_property
    def opener(self) -> Opener:
        """What writes tests out."""
        return Opener(self.program.functions, self.weights, self.recursive)

    def whole(self, test: ir.Expr, its: frozenset[int], env: Env, size: int) -> str:
        """C of the set of all items that pass a test; raises NoMask."""
        try:
            return super().whole(test, its, env, size)
        except NoMask:
            pass
        try:
            opened, values = self.opener.written_out(test, its)
        except NotOpened:
            raise NoMask from None
        head, inner = "", dict(env)
        for local, value in values.items():
            v, x = self.expr(value, inner), self.name()
            if not v.known:
                head += f"{self.type(v.form)} {x}={v.code};"
                v = replace(v, code=x)
            inner[local] = v
        before, self.steps = self.steps, 0
        try:
            code = self.followed(opened, its, inner, size)
        finally:
            self.steps = before
        return f"({{{head} {code};}})" if head else code

    def followed(self, e: ir.Expr, its: frozenset[int], env: Env, size: int) -> str:
        """C of a set, by what a test is made of."""
        self.steps += 1
        if self.steps > MOST_CHOICES:
            raise NoMask
        try:
            return self.mask(e, its, env, size)
        except NoMask:
            pass
        chosen = self.chosen(e, its)
        if chosen is not None:
            return self.divided(*chosen, e, its, env, size)
        head = self.headed(e, its)
        if head is not None:
            return self.ended(head, e, its, env, size)
        part = inner_choice(e.test if isinstance(e, ir.Cond) else e)
        if part is not None:
            then, other = self.replaced(e, part, part.then), self.replaced(e, part, part.other)
            return self.branched(part.test, then, other, its, env, size)
        kind = word_of(size)
        match e:
            case ir.Op(operators.NOT, (inner,)):
                return f"(~({kind})({self.followed(inner, its, env, size)}))"
            case ir.Op(name, (ir.Comp(value=None, key=None) as loop,)) if (wanted := facts_of(name).reduces) in (
                Reduction.SOME,
                Reduction.NO_ITEM,
            ):
                some = self.some(loop, its, env, size)
                return some if wanted is Reduction.SOME else f"(~({kind})({some}))"
            case ir.Cond(test, then, other):
                return self.branched(test, then, other, its, env, size)
        raise NoMask

    def replaced(self, e: ir.Expr, old: ir.Expr, new: ir.Expr) -> ir.Expr:
        """An expression with another in place of each part that is equal to one, in its simplest form."""
        return rewrite(e, lambda part: new if part == old else self.simple(part))

    def simple(self, part: ir.Expr) -> ir.Expr:
        """An expression whose parts are in their simplest form in its own: cells beside the item are there."""
        match part:
            case ir.Op(operators.IS_NONE, (ir.Local(i),)) if i in self.relatives:
                return ir.Const(False)
            case ir.Known(ir.Local(i) as cell) if i in self.relatives:
                return cell
        return simplify(part)

    def branched(self, test: ir.Expr, then: ir.Expr, other: ir.Expr, its: frozenset[int], env: Env, size: int) -> str:
        """C of a set that is one where a test holds, another where it does not."""
        kind, m = word_of(size), self.name("m")
        if free_of(test, its):
            return (
                f"({self.test(test, env)}?{self.followed(then, its, env, size)}:{self.followed(other, its, env, size)})"
            )
        at = self.followed(test, its, env, size)
        yes = f"{m}&{self.followed(then, its, env, size)}" if then != ir.Const(False) else "0"
        if other == ir.Const(False):
            return f"({{{kind} {m}={at}; if({m}){m}={yes}; {m};}})"
        return f"({{{kind} {m}={at}; {m}=({yes})|(~{m}&{self.followed(other, its, env, size)}); {m};}})"

    def some(self, loop: ir.Comp, its: frozenset[int], env: Env, size: int) -> str:
        """C of the items for which any of a collection passes a test."""
        kind, m = word_of(size), self.name("m")
        test = loop.where or ir.Const(True)
        if free_of(loop.source, its):
            if self.probing or self.answered_by_each(loop, its, env, size):
                raise NoMask

            def unite(x: Val) -> str:
                return f"{m}|={self.followed(test, its, {**env, loop.index: x}, size)};"

            each = self.each(loop.source, env, unite, size * self.weights.item(loop.where))
            return f"({{{kind} {m}=0; {each} {m};}})"
        rows = self.rows_of(loop.source, its, size)

        def at_place(relative: int, inner: Env) -> str:
            one = self.replaced(test, ir.Local(loop.index), ir.Local(relative))
            return f"{m}|=v&{self.followed(one, its | {relative}, inner, size)};"

        places = self.each_place(rows, env, size, "1", at_place, self.weights.item(loop.where), False)
        return f"({{{kind} {m}=0; {places} {m};}})"

    def answered_by_each(self, loop: ir.Comp, its: frozenset[int], env: Env, size: int) -> bool:
        """Whether a loop's test can be worked out for all of its items at once, if it is looked at for one of ours."""
        one = {k: Val(self.name(), NUMBER, below(size)) for k in its if k not in self.relatives}
        self.probing = True  # without loops within, so that this is not tried again for each of them
        try:
            return self.masked(loop, {**env, **one}) is not None
        finally:
            self.probing = False

    # --- what begins with a cell of a row ------------------------------------------------------------------------
    def chosen(self, e: ir.Expr, its: frozenset[int]) -> tuple[ir.Comp, bool] | None:
        """A row of which a test looks at the first, or the last, that passes another; and whether it is the last."""
        for part in choices(e):
            if isinstance(part, ir.Op) and (end := facts_of(part.name).c.form) in (CForm.FIRST, CForm.LAST):
                row = part.args[0]
                if isinstance(row, ir.Comp) and row.value is None and row.key is None and not free_of(row.source, its):
                    return row, end is CForm.LAST
        return None

    def divided(self, row: ir.Comp, last: bool, e: ir.Expr, its: frozenset[int], env: Env, size: int) -> str:
        """C of a set that is divided by which cell of a row is the first that passes a test, or the last."""
        rows = self.rows_of(row.source, its, size)
        kind, m, free = word_of(size), self.name("m"), self.name("f")
        head, stops = self.stops(rows, row.index, row.where, its, env, size)

        def at_place(relative: int, inner: Env) -> str:
            here = self.known_end(e, row, last, ir.Local(relative))
            passing = self.followed(here, its | {relative}, inner, size)
            return f"{kind} a={stops(relative, inner)}; {free}&=~a; if(a){m}|=a&{passing};"

        places = self.each_place(rows, env, size, free, at_place, self.weights.item(row.where), last)
        none = self.replaced(e, row, ir.Const(()))
        rest = "" if none == ir.Const(False) else f"{m}|={free}&{self.followed(none, its, env, size)};"
        return f"({{{kind} {m}=0,{free}=~({kind})0; {head} {places} {rest} {m};}})"

    def headed(self, e: ir.Expr, its: frozenset[int]) -> Leading | None:
        """A row of which a test asks how many cells at its head pass another."""
        for part in choices(e):
            if (
                isinstance(part, ir.Fold)
                and (head := leading(part, self.opener.fresh()))
                and not free_of(head.row, its)
            ):
                return head
        return None

    def ended(self, head: Leading, e: ir.Expr, its: frozenset[int], env: Env, size: int) -> str:
        """C of a set that is divided by where the head of a row ends."""
        rows = self.rows_of(head.row, its, size)
        kind, m, free = word_of(size), self.name("m"), self.name("f")
        before, stops = self.stops(rows, head.cell, head.ends, its, env, size)

        def at_place(relative: int, inner: Env) -> str:
            at = ir.Local(self.relatives[relative].place), ir.Local(relative)
            passing = self.followed(ended(e, head, at, self.simple), its | {relative}, inner, size)
            return f"{kind} a={stops(relative, inner)}; {free}&=~a; if(a){m}|=a&{passing};"

        places = self.each_place(rows, env, size, free, at_place, self.weights.item(head.fold.body), False)
        whole = ended(e, head, None, self.simple)
        rest = "" if whole == ir.Const(False) else f"{m}|={free}&{self.followed(whole, its, env, size)};"
        return f"({{{kind} {m}=0,{free}=~({kind})0; {before} {places} {rest} {m};}})"

    def stops(
        self, rows: Rows, cell: int, test: ir.Expr | None, its: frozenset[int], env: Env, size: int
    ) -> tuple[str, Callable[[int, Env], str]]:
        """C that stands before a loop over the places of rows, and what gives the items, of `v`, whose cell there passes a test."""
        if test is None:
            return "", lambda *_: "v"
        if free_of(test, its):
            cells, word = self.name("c"), word_of(max(rows.extent, size))
            head = f"{word} {cells}={self.whole(test, frozenset([cell]), env, rows.extent)};"
            return head, lambda relative, _: f"v&shift{word}({cells},{self.relatives[relative].offset})"

        def stops(relative: int, inner: Env) -> str:
            one = self.replaced(test, ir.Local(cell), ir.Local(relative))
            return f"v&{self.followed(one, its | {relative}, inner, size)}"

        return "", stops

    def known_end(self, e: ir.Expr, row: ir.Comp, last: bool, cell: ir.Local) -> ir.Expr:
        """A test where it is known which cell a row begins with, or ends with; raises NoMask where it looks at the row otherwise."""

        def change(part: ir.Expr) -> ir.Expr:
            match part:
                case ir.Op(name, (inner,)) if inner == row:
                    known = facts_of(name)
                    if known.c.form is (CForm.LAST if last else CForm.FIRST):
                        return cell
                    if known.reduces in (Reduction.SOME, Reduction.NO_ITEM):
                        return ir.Const(known.reduces is Reduction.SOME)
                case ir.Op(_, (_, _)) if (asked := asked_items(part)) is not None and asked[0] == row:
                    return ir.Const(asked[1])
            return self.simple(part)

        found = rewrite(e, change)
        if any(part == row for part in within(found)):
            raise NoMask
        return found

    def each_place(
        self, rows: Rows, env: Env, size: int, free: str, body: Callable[[int, Env], str], cost: int, last: bool
    ) -> str:
        """A loop over the places of rows, where `v` are the items that have one there, of those that are free."""
        key, place, relative = (self.opener.fresh() for _ in range(3))
        k, j, o = self.name("k"), self.name("j"), self.name("o")
        code = "0" if rows.key is None else self.index(self.expr(rows.key, env), rows.keys)
        self.relatives[relative] = Relative(rows.cells, key, place, o)
        inner = {**env, key: Val(k, NUMBER, below(rows.keys)), place: Val(j, NUMBER, below(rows.places))}
        at = f"{k}*{rows.places}+{j}"
        kind = word_of(size)
        offsets = self.table(rows.offsets, NUMBER, Fact("int", -128, 128))
        free = "" if free == "1" else f"&{free}"
        there = f"{kind} v={self.masks(rows.there)}[{at}]{free}; if(!v){'continue' if last else 'break'};"
        loop = f"for(int {j}={rows.places - 1};{j}>=0;{j}--)" if last else f"for(int {j}=0;{j}<{rows.places};{j}++)"
        paid = f"FUEL(S,{size * rows.places * cost + 1});"
        try:
            inside = body(relative, inner)
        finally:
            del self.relatives[relative]
        return f"{{V {k}={code}; {paid} {loop}{{{there} int {o}={offsets}[{at}]; {inside}}}}}"

    def rows_of(self, source: ir.Expr, its: frozenset[int], size: int) -> Rows:
        """The rows of a table under the item; raises NoMask where they are none, or do not lead as far from all items."""
        match source:
            case ir.Column(values, ir.Local(i)) if i in its and i not in self.relatives:
                key, cells = None, tuple((row,) for row in values)
            case ir.Op(operators.PART, (ir.Column(values, ir.Local(i)), key)) if (
                i in its and i not in self.relatives and free_of(key, its)
            ):
                cells = values
            case _:
                raise NoMask
        if len(cells) < size or not all(isinstance(rows, tuple) and len(rows) == len(cells[0]) for rows in cells):
            raise NoMask
        known = id(values), size
        if known not in self.shapes:
            self.shapes[known] = source, shape(cells[:size], key)
        rows = self.shapes[known][1]
        if rows is None:
            raise NoMask
        return Rows(rows.cells, key, rows.keys, rows.places, rows.offsets, rows.there, rows.extent)

    @cached_property
    def shapes(self) -> dict[tuple[int, int], tuple[ir.Expr, Rows | None]]:
        """The rows of tables, by their ids, with what holds them."""
        return {}

    # --- rows of one item -------------------------------------------------------------------------------------------
    def lane(self, e: ir.Expr, env: Env) -> Val | None:
        """Some of a row of a table as a lane; None where it is none."""
        if not isinstance(e, ir.Comp) or e.value is not None or e.key is not None or e.where is None:
            return None
        row = self.row_of(e.source, env)
        if row is None:
            return None
        lists, place = row
        falls = [list(one) == sorted(one, reverse=True) for one in lists]
        if not all(fall or list(one) == sorted(one) for fall, one in zip(falls, lists, strict=True)):
            return None
        found = self.filtered(e.source, [e.where], e.index, env, unordered=True)
        if found is None or found[1]:
            return None
        down = tuple(int(fall and len(one) > 1) for fall, one in zip(falls, lists, strict=True))
        code = str(down[0]) if len(set(down)) == 1 else f"{self.table(down, NUMBER, below(2))}[{place}]"
        top = max((max(one) for one in lists if one), default=0) + 1
        longest = max(map(len, lists))
        return Val(found[0].code, Lane(1 if top <= 64 else 2, code), items(below(top), longest))

    def invoke(self, function: int, args: tuple[ir.Expr, ...], env: Env) -> Val:
        """A call of a function of the game; one that only looks at rows that it is given is written out."""
        body = self.program.functions[function].body
        if function in self.recursive or not any(isinstance(a, ir.Comp) for a in args):
            return super().invoke(function, args, env)
        lanes = {k: v for k, a in enumerate(args) if looked_at(body, k) and (v := self.lane(a, env)) is not None}
        if not lanes:
            return super().invoke(function, args, env)
        head, inner = "", {}
        for k, arg in enumerate(args):
            text, inner[k] = self.put_aside(lanes.get(k) or self.expr(arg, env))
            head += text
        cost = self.weights.call(function)
        if cost:
            head += f"FUEL(S,{cost});"
        result = self.expr(body, inner)
        return result if result.known else replace(result, code=f"({{{head} {result.code};}})")

    def bind(self, index: int, value: ir.Expr, body: ir.Expr, env: Env) -> Val:
        """A value with a local of its own; a row that is only looked at is no list."""
        lane = self.lane(value, env) if looked_at(body, index) else None
        if lane is None:
            return super().bind(index, value, body, env)
        head, x = self.put_aside(lane)
        result = self.expr(body, {**env, index: x})
        return result if result.known else replace(result, code=f"({{{head} {result.code};}})")

    def put_aside(self, v: Val) -> tuple[str, Val]:
        """C that declares a variable for a value, and the variable."""
        if v.known:
            return "", v
        x, form = self.name(), v.form
        if not isinstance(form, Lane):
            return f"{self.type(form)} {x}={v.code};", replace(v, code=x)
        d = self.name("d")
        head = f"{'MW'[form.words - 1]} {x}={v.code}; int {d}={form.down};"
        return head, replace(v, code=x, form=Lane(form.words, d))


def shape(cells: tuple[tuple[tuple[int, ...], ...], ...], key: ir.Expr | None) -> Rows | None:
    """Rows as places; None where a place does not lie as far from all items, or a cell is none below 128."""
    size, keys = len(cells), len(cells[0])
    places = max((len(row) for rows in cells for row in rows), default=0)
    if not 0 < keys * places <= MOST_PLACES:
        return None
    offsets, there, top = [], [], 0
    for k in range(keys):
        for j in range(places):
            has = [(s, cells[s][k][j]) for s in range(size) if j < len(cells[s][k])]
            if any(type(cell) is not int or not 0 <= cell < 128 for _, cell in has) or len({c - s for s, c in has}) > 1:
                return None
            offsets.append(has[0][1] - has[0][0] if has else 0)
            there.append(sum(1 << s for s, _ in has))
            top = max([top, *(cell for _, cell in has)])
    full = tuple(tuple((*row, *[0] * (places - len(row))) for row in rows) for rows in cells)
    return Rows(full, key, keys, places, tuple(offsets), tuple(there), top + 1)


def looked_at(body: ir.Expr, local: int) -> bool:
    """Whether a function only asks of a parameter whether there are items, how many, the first or the last, and which."""
    forms = (CForm.FIRST, CForm.LAST, CForm.ONLY, CForm.SIZE, CForm.EXISTENCE, CForm.MEMBERSHIP)
    looks = sum(
        1
        for e in within(body)
        if isinstance(e, ir.Op) and e.args and e.args[0] == ir.Local(local) and facts_of(e.name).c.form in forms
    )
    loops = sum(1 for e in within(body) if isinstance(e, ir.Comp) and e.source == ir.Local(local))
    return looks + loops == sum(1 for e in within(body) if e == ir.Local(local))
