"""Sets of items as masks: what a test selects from a set of at most 128 members, worked out for all of them at once.

A test over an item is taken apart.  `and`, `or` and `not` become `&`, `|` and `~`; `array[item] == value` is a bit board of the array,
which every store keeps up; what reads nothing but the item and values of small ranges is a table of sets, made now with the closures of the
reference machine.  Functions are looked through.  What is left is tested item by item.

Tests may so be worked out where the rules would not come to them.  A fault there hands the answer over, which is right and only slower.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from interpreter.native.emitter.calls import loops
from interpreter.native.emitter.conditions import free_of
from interpreter.native.emitter.effects import EffectWriter
from interpreter.native.emitter.forms import NUMBER, SET, WIDE_SET, Bits, Val, word_of
from interpreter.native.emitter.sets import constant
from interpreter.native.emitter.texts import Variable
from interpreter.native.emitter.types import Unsupported
from interpreter.native.emitter.writer import FEW_COUNTED, Env
from interpreter.reference.expressions import Compiler
from rulespec import ir
from rulespec.analysis.domain import below, items
from rulespec.ir.walk import conjuncts, within
from rulespec.language import operators
from rulespec.language.facts import Reduction
from rulespec.language.registry import facts as facts_of
from rulespec.system.records import dataclass

# The locals of a test that is tabulated: the item, the value of an array there, and the values that it reads beside.
ITEM, VALUE, KEY = 90, 91, 100
MOST_ROWS = 2048  # of a table of sets
MOST_VALUES = 64  # of a value that such a table is indexed by
DEEPEST = 12  # functions within functions
WHOLE = ir.Comp | ir.Fold | ir.Invoke | ir.After  # what is not looked through where a test is tabulated


class NoMask(Exception):
    """This test cannot be worked out for all items at once."""


@dataclass(frozen=True, slots=True)
class Relative:
    """A cell that lies beside each item, as far from all: `cells[item][key][place]`, `key` and `place` being locals.

    `offset` is the C of how far."""

    cells: tuple[tuple[tuple[int, ...], ...], ...]
    key: int
    place: int
    offset: str


class MaskWriter(EffectWriter):
    """Writes filters of sets as masks."""

    depth = 0

    @cached_property
    def relatives(self) -> dict[int, Relative]:
        """The locals that are beside the item of a test."""
        return {}

    @cached_property
    def rows(self) -> dict[tuple[str, str, int], tuple[tuple[int, ...], tuple[int, ...]]]:
        """What tests select and where they have no answer, by the tests and the values that they read."""
        return {}

    def filtered(
        self, source: ir.Expr, tests: list[ir.Expr], index: int, env: Env, unordered: bool = False
    ) -> tuple[Val, list[ir.Expr]] | None:
        """The items that pass all tests that can be worked out for all of them at once, and the tests that are left."""
        start = self.members(source, env) or (self.listed(source, env) if unordered else None)
        if start is None:
            return self.filtered_vector(source, tests, index, env)
        code, size = start
        most = self.fact(source, env).size
        many, each = f"{size if most is None else min(size, most)}", self.weights.item(*tests)
        head = ""  # they are counted as if they were tested one by one
        if isinstance(source, ir.Const):
            many = f"{len(source.value)}"
        elif code and size * each > FEW_COUNTED:
            s = self.name("s")
            head, code, many = f"{word_of(size)} {s}={code};", s, f"pop{word_of(size)}({s})"
        masks: list[str] = [code] if code else []
        guards: list[str] = []
        known, outer = 0, None if not self.faulty(code) else 0  # guards that stand before all that may be a fault
        rest: list[ir.Expr] = []
        its, one, first = frozenset([index]), {**env, index: Val(Variable("x"), NUMBER, below(size))}, ""
        for test in self.grouped(tests, its):
            if outer is None and (first.strip() or any(map(self.faulty, masks))):
                outer = known
            known = len(guards)
            if (
                rest and (before := self.before(rest[-1], its, one)) is None
            ):  # what follows must not keep an item from it
                rest.append(test)
                continue
            first = f"{first} {before}" if rest else first
            try:
                if free_of(test, its):  # it keeps the others from being looked at
                    guards.append(self.test(test, env))
                else:
                    masks.append(self.whole(test, its, env, size))
            except (NoMask, Unsupported):
                rest.append(test)
                masks += self.leading(test, its, env, size)
        if len(masks) == bool(code) and not guards:
            return None
        form = SET if size <= 64 else WIDE_SET
        full = "" if code else f"&{constant((1 << size) - 1, form.words)}"
        whole = f"({'&'.join(masks) or f'~({word_of(size)})0'}{full})"
        if outer is None:
            outer = known if first.strip() or any(map(self.faulty, masks)) else len(guards)
        guarded, later = whole, "&&".join(guards[outer:])
        if later and any(map(self.faulty, masks)):  # they are looked at first, as each item is
            guarded = f"({{{word_of(size)} m={whole}; {later}?m:0;}})"
        elif later:
            guarded = f"({later}?{whole}:0)"
        if first.strip():
            guarded = f"({{{first} {guarded};}})"
        if outer:
            guarded = f"({'&&'.join(guards[:outer])}?{guarded}:0)"
        whole = f"paid{word_of(size)}(S,{many}*{each}+1,{guarded})"
        return Val(f"({{{head} {whole};}})" if head else whole, form, items(below(size), size, True)), rest

    def filtered_vector(
        self, source: ir.Expr, tests: list[ir.Expr], index: int, env: Env
    ) -> tuple[Val, list[ir.Expr]] | None:
        """The same of a set of more members: only whether they are in other sets is looked at for all of them."""
        try:
            form = self.form(self.fact(source, env))
            if not isinstance(form, Bits) or form in (SET, WIDE_SET) or isinstance(source, ir.Const):
                return None
            s, t = self.name("s"), self.type(form)
            masks: list[str] = [s]
            rest = [part for whole in tests for part in conjuncts(whole)]
            while rest and (mask := self.inclusion(rest[0], index, form, env)) is not None:
                masks.append(mask)
                rest.pop(0)
            if len(masks) == 1:
                return None
            v = self.expr(source, env)
        except Unsupported:
            return None
        paid = f"FUEL(S,pop{t}({s})*{self.weights.item(*tests)}+1);"
        return Val(f"({{{t} {s}={self.as_form(v, form)}; {paid} {'&'.join(masks)};}})", form, v.fact), rest

    def inclusion(self, test: ir.Expr, index: int, form: Bits, env: Env) -> str | None:
        """The C of the items of which a test holds that asks whether they are in a set, or not in it; None for another test."""
        match test:
            case ir.Op(operators.NOT, (inner,)):
                mask = self.inclusion(inner, index, form, env)
                return None if mask is None else f"~{mask}"
            case ir.Op(operators.CONTAINS, (of, ir.Local(i))) if i == index and free_of(of, frozenset([index])):
                v = self.expr(of, env)
                if isinstance(v.form, Bits) and v.form.words <= form.words and not self.faulty(v.code):
                    return f"({self.as_form(v, form)})"
        return None

    def before(self, test: ir.Expr, its: frozenset[int], env: Env) -> str | None:
        """C of what a test does first, whatever the item, if that may be a fault and nothing after it may; None where that may too."""
        code = ""
        try:
            while isinstance(test, ir.Bind) and free_of(test.value, its) and test.value != ir.Const(None):
                v = self.expr(test.value, env)
                code += f"(void){v.code};" if self.faulty(v.code) else ""
                env, test = {**env, test.index: v if v.known else Val(Variable("y"), v.form, v.fact)}, test.body
            return None if self.faulty(self.test(test, env)) else code
        except Unsupported:
            return None

    def whole(self, test: ir.Expr, its: frozenset[int], env: Env, size: int) -> str:
        """C of the set of all items that pass a test; raises NoMask."""
        return self.mask(test, its, env, size)

    def grouped(self, tests: list[ir.Expr], its: frozenset[int]) -> list[ir.Expr]:
        """The conjuncts of tests; those that look at the same array at the item are one, as each may keep the next from a fault."""
        out: list[ir.Expr] = []
        for test in (part for whole in tests for part in conjuncts(whole)):
            array = self.looks_at(test, its)
            if out and array is not None and array == self.looks_at(out[-1], its):
                out[-1] = ir.Cond(out[-1], test, ir.Const(False))
            else:
                out.append(test)
        return out

    def looks_at(self, test: ir.Expr, its: frozenset[int]) -> int | None:
        """The only array that a test looks at at the item, if it has bit boards."""
        arrays = {
            e.base
            for e in within(test)
            if isinstance(e, ir.Load) and isinstance(e.index, ir.Local) and e.index.index in its - self.relatives.keys()
        }
        sizes = {e.size for e in within(test) if isinstance(e, ir.Load) and e.base in arrays}
        if len(arrays) != 1 or len(sizes) != 1 or any(isinstance(e, WHOLE) for e in within(test)):
            return None
        base, size = next(iter(arrays)), next(iter(sizes))
        return base if self.boarded(base, size) else None

    def listed(self, source: ir.Expr, env: Env) -> tuple[str, int] | None:
        """The items of a constant list, found by numbers, as a set; None where it is none, or holds an item twice."""
        row = self.row_of(source, env)
        if row is None:
            return None
        lists, place = row
        rows = tuple(sum(1 << x for x in one) for one in lists)
        return f"{self.masks(rows)}[{place}]", max((row.bit_length() for row in rows), default=0) or 1

    def row_of(self, source: ir.Expr, env: Env) -> tuple[list[tuple[int, ...]], str] | None:
        """The lists that a constant table holds, each of distinct numbers below 128, and the C of which it is; None for another source."""
        lists: list[Any]
        match source:
            case ir.Column(values, index):
                lists, at = list(values), [(index, len(values))]
            case ir.Op(operators.PART, (ir.Column(values, index), second)):
                sizes = {len(row) if isinstance(row, tuple) else 0 for row in values}
                if len(sizes) != 1 or 0 in sizes:
                    return None
                lists, at = [one for row in values for one in row], [(index, len(values)), (second, max(sizes))]
            case _:
                return None
        if not all(isinstance(one, tuple) and distinct(one) for one in lists):
            return None
        place = "0"
        for key, size in at:
            code = self.index(self.expr(key, env), size)
            place = f"({place})*{size}+{code}" if place != "0" else code
        return lists, place

    def members(self, source: ir.Expr, env: Env) -> tuple[str, int] | None:
        """A set as C ("" for all of 0..n-1), and n; None where it is no set of at most 128."""
        if isinstance(source, ir.Const):
            value = source.value
            if not isinstance(value, tuple) or not value or not all(type(x) is int and 0 <= x < 128 for x in value):
                return None
            if list(value) != sorted(set(value)):
                return None
            full = value == tuple(range(len(value)))
            return ("" if full else constant(sum(1 << x for x in value), 1 + (value[-1] > 63))), value[-1] + 1
        if isinstance(source, ir.Comp):
            whole = None if source.key is not None else self.masked(source, env)
            return None if whole is None or whole.fact.item is None else (whole.code, (whole.fact.item.high or 0) + 1)
        try:
            fact = self.fact(source, env)
            if (
                fact.what != "items"
                or fact.none
                or self.form(fact) not in (SET, WIDE_SET)
                or fact.item is None
                or fact.item.high is None
            ):
                return None
            v = self.expr(source, env)
        except Unsupported:
            return None
        return None if v.known or v.form not in (SET, WIDE_SET) else (v.code, fact.item.high + 1)

    def mask(self, e: ir.Expr, its: frozenset[int], env: Env, size: int) -> str:
        """C of the set of all items below `size` that pass a test, and perhaps of others above."""
        if free_of(e, its):
            return f"(-({word_of(size)})!!({self.test(e, env)}))"
        match e:
            case ir.Cond(
                ir.Cond(a, ir.Const(True), b), ir.Const(True), c
            ):  # a test that comes first may guard the last
                return self.mask(ir.Cond(a, ir.Const(True), ir.Cond(b, ir.Const(True), c)), its, env, size)
            case ir.Cond(ir.Cond(a, b, ir.Const(False)), c, ir.Const(False)):
                return self.mask(ir.Cond(a, ir.Cond(b, c, ir.Const(False)), ir.Const(False)), its, env, size)
            case ir.Cond(test, then, other) if free_of(test, its):
                yes, no = self.mask(then, its, env, size), self.mask(other, its, env, size)
                return f"({self.test(test, env)}?{yes}:{no})"
            case ir.Cond(test, then, other) if other == ir.Const(False):
                with suppress(NoMask):
                    if self.looks_at(e, its) is not None:
                        return self.tabulated(e, its, env, size)
                return self.both(self.mask(test, its, env, size), self.mask(then, its, env, size), size)
            case ir.Cond(test, then, other) if then == ir.Const(True):
                with suppress(NoMask):
                    return f"({self.mask(test, its, env, size)}|{self.mask(other, its, env, size)})"
                if self.looks_at(e, its) is None:  # where it does, the first test may keep the second from a fault
                    raise NoMask
            case ir.Op(operators.NOT, (inner,)):
                return (
                    f"(~({word_of(size)})({self.mask(inner, its, env, size)}))"  # all bits of the width that is wanted
                )
            case ir.Op(operators.EQUAL | operators.DIFFERENT as name, (ir.Load(base, ir.Local(i), extent), other)) if (
                i in its and free_of(other, its)
            ):
                v = self.expr(other, env)
                if self.boarded(base, extent) and v.form == NUMBER and self.covered(i, extent, size):
                    return f"({'~' if name == operators.DIFFERENT else ''}{self.beside(self.board(base, v), i, extent, size)})"
            case ir.Op(operators.IS_NONE, (ir.Load(base, ir.Local(i), extent),)) if (
                i in its and self.boarded(base, extent) and self.covered(i, extent, size)
            ):
                return self.beside(f"S->b{self.slots.group(base).base}[0]", i, extent, size)
            case ir.Op(operators.CONTAINS, (inner, ir.Local(i))) if i in its and free_of(inner, its):
                v = self.expr(inner, env)
                if not v.known and (v.form == SET or (v.form == WIDE_SET and size > 64)):
                    return f"({self.beside(v.code, i, 64 if v.form == SET else 128, size)})"
            case ir.Op(name, (ir.Comp(index, ir.Column(values, ir.Local(i)), where, None, None),)) if (
                i in its - self.relatives.keys()
                and where is not None
                and facts_of(name).reduces in (Reduction.SOME, Reduction.NO_ITEM)
                and free_of(where, its)
                and size <= len(values)
            ):
                found = self.near(values[:size], index, where, env)
                return found if facts_of(name).reduces is Reduction.SOME else f"(~({word_of(size)})({found}))"
            case ir.Once(_, value):
                return self.mask(value, its, env, size)
            case ir.Bind(index, value, body) if free_of(value, its) and value != ir.Const(None):
                return self.mask(body, its - {index}, {**env, index: self.expr(value, env)}, size)
            case ir.Invoke(function, args):
                return self.mask_of_call(function, args, its, env, size)
        return self.tabulated(e, its, env, size)

    def both(self, one: str, two: str, size: int) -> str:
        """C of what is in both of two sets; one that takes a loop is not looked for where the other is empty."""
        if loops(one) > loops(two):
            one, two = two, one
        if not loops(two):
            return f"({one}&{two})"
        m = self.name("m")
        return f"({{{word_of(size)} {m}={one}; {m}?{m}&{two}:0;}})"

    def near(self, rows: tuple[Any, ...], index: int, test: ir.Expr, env: Env) -> str:
        """C of the set of all numbers whose row has a member that passes a test: of each such member the numbers in whose rows it is."""
        if not all(isinstance(row, tuple) and all(type(x) is int and 0 <= x < 128 for x in row) for row in rows):
            raise NoMask
        members = max((x + 1 for row in rows for x in row), default=1)
        passing = self.mask(
            test, frozenset([index]), {**env, index: Val(Variable("x"), NUMBER, below(members))}, members
        )
        where = tuple(sum(1 << k for k, row in enumerate(rows) if x in row) for x in range(members))
        kind, m, o = word_of(members), self.name("m"), self.name("o")
        used = constant(sum(1 << x for x, numbers in enumerate(where) if numbers), 1 if members <= 64 else 2)
        paid = len(rows) * (max(map(len, rows)) * self.weights.item(test) + 1)  # as if all were looked at
        spread = self.spread(where) if word_of(len(rows)) == kind else None
        if spread is not None:
            return f"({{FUEL(S,{paid}); {spread}({passing}&{used});}})"
        loop = f"for(;{m};{m}&={m}-1){o}|={self.masks(where)}[low{kind}({m})];"
        return f"({{FUEL(S,{paid}); {kind} {m}={passing}&{used}; {word_of(len(rows))} {o}=0; {loop} {o};}})"

    def mask_of_call(self, function: int, args: tuple[ir.Expr, ...], its: frozenset[int], env: Env, size: int) -> str:
        """The mask of a function's body, its arguments in place of its parameters."""
        inside, inner = self.given(function, args, its, env)
        if self.weights.call(function):
            raise NoMask
        self.depth += 1
        try:
            return self.mask(self.program.functions[function].body, inside, inner, size)
        finally:
            self.depth -= 1

    def given(
        self, function: int, args: tuple[ir.Expr, ...], its: frozenset[int], env: Env
    ) -> tuple[frozenset[int], Env]:
        """The parameters that are the item, and the others; raises NoMask where an argument is something else of the item."""
        inner: Env = {}
        inside = set()
        for k, arg in enumerate(args):
            if isinstance(arg, ir.Local) and arg.index in its and arg.index not in self.relatives:
                inside.add(k)
            elif not free_of(arg, its):
                raise NoMask
            else:
                inner[k] = self.expr(arg, env)
        if self.depth > DEEPEST or function in self.recursive:
            raise NoMask
        return frozenset(inside), inner

    def leading(self, test: ir.Expr, its: frozenset[int], env: Env, size: int) -> list[str]:
        """Sets without which a call cannot say yes: what its function asks first, as far as that can be worked out for all items."""
        masks: list[str] = []
        before: list[str] = []  # tests that keep what follows from being looked at
        if isinstance(test, ir.Invoke):
            with suppress(NoMask, Unsupported):
                inside, inner = self.given(test.function, test.args, its, env)
                self.depth += 1
                try:
                    for part in self.grouped([self.program.functions[test.function].body], inside):
                        mask = self.mask(part, inside, inner, size)
                        masks.append(f"({'&&'.join(before)}?{mask}:0)" if before and self.faulty(mask) else mask)
                        if free_of(part, inside):
                            before.append(self.test(part, inner))
                finally:
                    self.depth -= 1
        return masks

    # --- bit boards ----------------------------------------------------------------------------------------------
    def covered(self, i: int, extent: int, size: int) -> bool:
        """Whether an array has a place for each item, or for what is beside it."""
        return i in self.relatives or size <= extent

    def beside(self, places: str, i: int, extent: int, size: int) -> str:
        """C of the items that are, or are beside, one of some places."""
        relative = self.relatives.get(i)
        return places if relative is None else f"shift{word_of(max(extent, size))}({places},{relative.offset})"

    def boarded(self, base: int, extent: int) -> bool:
        """Whether an array of slots has bit boards: one for None and one for each value."""
        group = self.slots.group(base)
        return group.base in self.slots.boards and base == group.base and extent == group.size

    def board(self, base: int, v: Val) -> str:
        """The bit board of a value."""
        group = self.slots.group(base)
        boards, high = self.slots.boards[group.base], group.fact.high or 0
        if v.fact.what == "never":
            return f"S->b{group.base}[0]"
        inside = v.fact.low is not None and v.fact.high is not None and v.fact.low >= 0 and v.fact.high <= high
        if not inside:
            return f"({{V x={v.code}; x=={self.none}?S->b{group.base}[0]:(uint64_t)x<{boards - 1}?S->b{group.base}[x+1]:0;}})"
        if v.fact.none:
            return f"S->b{group.base}[({{V x={v.code}; x=={self.none}?0:x+1;}})]"
        return f"S->b{group.base}[{v.code}+1]"

    # --- tables ------------------------------------------------------------------------------------------------------
    def tabulated(self, e: ir.Expr, its: frozenset[int], env: Env, size: int) -> str:
        """A table of the sets that a test selects, by the values that it reads."""
        strip = Stripper(self, env)
        bare = strip.bare(e, its, {})
        at, domains = self.combined(strip)
        values = 1 if strip.array is None else self.slots.boards[strip.array]
        if prod(map(len, domains)) * values > MOST_ROWS:
            raise NoMask
        if strip.array is not None:
            domains.append([None, *range(values - 1)])
        rows, unanswered = self.selected(bare, domains, size)
        at = self.with_answers(at, unanswered)
        if strip.array is None:
            return f"{self.masks(rows)}[{at}]"
        return self.from_boards(rows, strip.array, values, at, size)

    def combined(self, strip: Stripper) -> tuple[str, list[list[Any]]]:
        """C of the place of the values that a test reads among all combinations of what they may be, and what each may be."""
        domains: list[list[Any]] = []
        at = "0"
        for _, v in strip.keys:
            low = v.fact.low or 0
            domain = [*([None] if v.fact.none else []), *range(low, (v.fact.high or 0) + 1)]
            k = f"({{V k={v.code}; k=={self.none}?0:k-({low})+1;}})" if v.fact.none else f"({v.code}-({low}))"
            at = f"({at})*{len(domain)}+{k}" if at != "0" else k
            domains.append(domain)
        return at, domains

    def with_answers(self, at: str, unanswered: tuple[int, ...]) -> str:
        """C of a place in a table; a fault where one of the values that it stands for is none and the rules need it."""
        if not any(unanswered):
            return at
        k = self.name("k")
        return f"({{V {k}={at}; if({self.masks(unanswered)}[{k}])fault(S); {k};}})"

    def selected(self, bare: ir.Expr, domains: list[list[Any]], size: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """See `selected`; each is worked out once."""
        key = (repr(bare), repr(domains), size)
        if key not in self.rows:
            self.rows[key] = selected(bare, domains, size)
        return self.rows[key]

    def from_boards(self, rows: tuple[int, ...], array: int, values: int, at: str, size: int) -> str:
        """C of a set, where `rows` has for each combination of keys, and for each value of the array, what is selected of its board."""
        board, m, v, kind = f"S->b{array}", self.name("m"), self.name("v"), word_of(size)
        if size > self.slots.group(array).size:
            raise NoMask
        full = (1 << size) - 1
        if all(row in (0, full) for row in rows):
            chosen = tuple(
                sum(1 << k for k, row in enumerate(rows[start : start + values]) if row)
                for start in range(0, len(rows), values)
            )
            if at == "0":
                return united(board, chosen[0], values)
            each = f"for(M {v}={self.masks(chosen)}[{at}];{v};{v}&={v}-1){m}|={board}[lowM({v})];"
            return f"({{{kind} {m}=0; {each} {m};}})"
        used = [k for k in range(values) if any(rows[k::values])]
        low, high = used[0], used[-1] + 1
        table = f"const __typeof__({self.masks(rows)}[0])*t=&{self.masks(rows)}[({at})*{values}];"
        return f"({{{kind} {m}=0; {table} for(int {v}={low};{v}<{high};{v}++){m}|=t[{v}]&{board}[{v}]; {m};}})"


class Stripper:
    """Makes a test one of locals alone: of the item, of what it reads beside (`keys`), and of the value of one array at the item."""

    def __init__(self, writer: MaskWriter, env: Env, most: int = MOST_VALUES) -> None:
        self.writer = writer
        self.env = env
        self.most = most  # values of one that it reads beside
        self.keys: list[tuple[ir.Expr, Val]] = []
        self.array: int | None = None

    def bare(self, e: ir.Expr, its: frozenset[int], bound: dict[int, ir.Expr]) -> ir.Expr:
        """The test with locals; `bound` are locals of it with what stands for them.  Raises NoMask."""
        if isinstance(e, ir.Const):
            return e
        if isinstance(e, ir.Local) and e.index in bound:
            return bound[e.index]
        if isinstance(e, ir.Local) and e.index in self.writer.relatives:
            relative = self.writer.relatives[e.index]
            row = ir.Op(operators.PART, (ir.Column(relative.cells, ir.Local(ITEM)), self.key(ir.Local(relative.key))))
            return ir.Op(operators.PART, (row, self.key(ir.Local(relative.place))))
        if isinstance(e, ir.Local) and e.index in its:
            return ir.Local(ITEM)
        if free_of(e, its | bound.keys()):
            with suppress(NoMask, Unsupported):  # of what has too many values, or is a row of a table, the parts may do
                return self.key(e)
        match e:
            case ir.Load(base, index, size) if index is not None and self.bare(index, its, bound) == ir.Local(ITEM):
                if not self.writer.boarded(base, size) or self.array not in (None, base):
                    raise NoMask
                self.array = base
                return ir.Local(VALUE)
            case ir.Op(name, args):
                return ir.Op(name, tuple(self.bare(a, its, bound) for a in args))
            case ir.Cond(test, then, other):
                a, b, c = (self.bare(x, its, bound) for x in (test, then, other))
                return ir.Cond(a, b, c)
            case ir.Column(values, index):
                return ir.Column(values, self.bare(index, its, bound))
            case ir.Known(value, what):
                return ir.Known(self.bare(value, its, bound), what)
            case ir.Once(_, value):
                return self.bare(value, its, bound)
            case ir.Bind(index, value, body) if value != ir.Const(None):
                return self.bare(body, its, {**bound, index: self.bare(value, its, bound)})
        raise NoMask

    def of_data(self, e: ir.Expr, its: frozenset[int]) -> bool:
        """Whether an expression depends on the item and fixed data alone."""
        with suppress(NoMask, Unsupported):
            return (
                not any(isinstance(part, ir.Local) and part.index != ITEM for part in within(self.bare(e, its, {})))
                and self.array is None
            )
        return False

    def key(self, e: ir.Expr) -> ir.Expr:
        """The local of a value that does not depend on the item."""
        inner = e.value if isinstance(e, ir.Known) else e
        for k, (old, _) in enumerate(self.keys):
            if old == inner:
                return ir.Local(KEY + k)
        v = self.writer.expr(inner, self.env)
        low, high = v.fact.low, v.fact.high
        if v.form != NUMBER or v.fact.what != "int" or low is None or high is None or high - low > self.most:
            raise NoMask
        self.keys.append((inner, v))
        return ir.Local(KEY + len(self.keys) - 1)


def united(board: str, chosen: int, values: int) -> str:
    """C of the union of some of an array's boards, which share all its cells."""
    inside = [f"{board}[{k}]" for k in range(values) if chosen >> k & 1]
    outside = [f"{board}[{k}]" for k in range(values) if not chosen >> k & 1]
    if len(outside) < len(inside):
        return f"(~({'|'.join(outside) or '(W)0'}))"
    return f"({'|'.join(inside) or '(W)0'})"


def distinct(items: tuple[Any, ...]) -> bool:
    """Whether these are numbers below 128, each but once."""
    return all(type(x) is int and 0 <= x < 128 for x in items) and len(set(items)) == len(items)


def selected(test: ir.Expr, domains: list[list[Any]], size: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For each combination of values the set of items that pass a test; raises NoMask where one is a fault though all are there.

    The values are those of the keys and then, if the test looks at an array at the item, the array's.  Second, for each combination
    of keys, is 1 where a key is none and the test of an item a fault."""
    run = Compiler(()).expr(test)
    looks = any(e == ir.Local(VALUE) for e in within(test))
    keys = len(domains) - looks
    locals_: list[Any] = [None] * (KEY + len(domains) + 1)
    rows: list[int] = []
    unanswered = [0] * prod(map(len, domains[:keys]))
    for values in product(*domains):
        locals_[KEY : KEY + keys] = values[:keys]
        locals_[VALUE] = values[-1] if looks else None
        row = 0
        for item in range(size):
            locals_[ITEM] = item
            try:
                row |= bool(run([], locals_)) << item
            except Exception:  # whatever a test raises for values that the rules never come to
                if None not in values[:keys]:
                    raise NoMask from None
                unanswered[len(rows) // (len(domains[-1]) if looks else 1)] = 1
        rows.append(row)
    return tuple(rows), tuple(unanswered)
