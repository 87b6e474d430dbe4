"""Sets of items as masks: what a test selects from a set of at most 64 members, worked out for all of them at once.

A test over an item is taken apart.  `and`, `or` and `not` become `&`, `|` and `~`; `array[item] == value` is a bit board of the array,
which every store keeps up; what reads nothing but the item and values of small ranges is a table of sets, made now with the closures of the
reference machine.  Functions are looked through.  What is left is tested item by item.

Tests may so be worked out where the rules would not come to them.  A fault there hands the answer over, which is right and only slower.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from interpreter.native.emitter.effects import EffectWriter
from interpreter.native.emitter.forms import NUMBER, SET, Val
from interpreter.native.emitter.types import Unsupported
from interpreter.native.emitter.writer import Env
from interpreter.python.facts import below, items
from interpreter.reference.expressions import Compiler
from rulespec import ir
from rulespec.ir.reads import reads

ITEM, KEY = 90, 100  # the locals of a test that is tabulated: the item, and the values that it reads
MOST_ROWS = 2048  # of a table of sets
MOST_VALUES = 64  # of a value that such a table is indexed by
DEEPEST = 12  # functions within functions


class NoMask(Exception):
    """This test cannot be worked out for all items at once."""


def conjuncts(e: ir.Expr) -> list[ir.Expr]:
    """The tests of which an `and` is made."""
    if isinstance(e, ir.Cond) and e.other == ir.Const(False):
        return [*conjuncts(e.test), *conjuncts(e.then)]
    return [e]


def free_of(e: ir.Expr, its: frozenset[int]) -> bool:
    """Whether an expression does not read the item."""
    mask = reads(e)
    return not any(mask >> k & 1 for k in its)


class MaskWriter(EffectWriter):
    """Writes filters of sets as masks."""

    depth = 0

    def filtered(self, source: ir.Expr, tests: list[ir.Expr], index: int, env: Env) -> tuple[Val, list[ir.Expr]] | None:
        """The items that pass all tests that can be worked out for all of them at once, and the tests that are left."""
        start = self.members(source, env)
        if start is None:
            return None
        code, size = start
        masks, guards, rest = [code] if code else [], [], []
        its = frozenset([index])
        for test in (part for whole in tests for part in conjuncts(whole)):
            try:
                if free_of(test, its):  # it keeps the others from being looked at
                    guards.append(self.test(test, env))
                else:
                    masks.append(self.mask(test, its, env, size))
            except (NoMask, Unsupported):
                rest.append(test)
        if len(masks) == bool(code) and not guards:
            return None
        full = "" if code else f"&{(1 << size) - 1:#x}ULL"
        whole = f"({'&'.join(masks) or '~(M)0'}{full})"
        guarded = f"({'&&'.join(guards)}?{whole}:0)" if guards else whole
        paid = size * self.weights.item(*tests) + 1  # as if they were tested one by one
        return Val(f"paid(S,{paid},{guarded})", SET, items(below(size), size, True)), rest

    def members(self, source: ir.Expr, env: Env) -> tuple[str, int] | None:
        """A set as C ("" for all of 0..n-1), and n; None where it is no set of so few."""
        if isinstance(source, ir.Const):
            value = source.value
            if not isinstance(value, tuple) or not value or not all(type(x) is int and 0 <= x < 64 for x in value):
                return None
            if list(value) != sorted(set(value)):
                return None
            full = value == tuple(range(len(value)))
            return ("" if full else f"{sum(1 << x for x in value):#x}ULL"), value[-1] + 1
        if isinstance(source, ir.Comp):
            return None
        try:
            fact = self.fact(source, env)
            if (
                fact.what != "items"
                or fact.none
                or self.form(fact) != SET
                or fact.item is None
                or fact.item.high is None
            ):
                return None
            v = self.expr(source, env)
        except Unsupported:
            return None
        return None if v.known or v.form != SET else (v.code, fact.item.high + 1)

    def mask(self, e: ir.Expr, its: frozenset[int], env: Env, size: int) -> str:
        """C of the set of all items below `size` that pass a test, and perhaps of others above."""
        if free_of(e, its):
            return f"(-(M)!!({self.test(e, env)}))"
        match e:
            case ir.Cond(test, then, other) if free_of(test, its):
                yes, no = self.mask(then, its, env, size), self.mask(other, its, env, size)
                return f"({self.test(test, env)}?{yes}:{no})"
            case ir.Cond(test, then, other) if other == ir.Const(False):
                return f"({self.mask(test, its, env, size)}&{self.mask(then, its, env, size)})"
            case ir.Cond(test, then, other) if then == ir.Const(True):
                return f"({self.mask(test, its, env, size)}|{self.mask(other, its, env, size)})"
            case ir.Op("not_", (inner,)):
                return f"(~{self.mask(inner, its, env, size)})"
            case ir.Op("eq" | "ne" as name, (ir.Load(base, ir.Local(i), extent), other)) if i in its and free_of(
                other, its
            ):
                v = self.expr(other, env)
                if self.boarded(base, extent) and v.form == NUMBER:
                    return f"({'~' if name == 'ne' else ''}{self.board(base, v)})"
            case ir.Op("is_none", (ir.Load(base, ir.Local(i), extent),)) if i in its and self.boarded(base, extent):
                return f"S->b{self.slots.group(base).base}[0]"
            case ir.Op("contains", (inner, ir.Local(i))) if i in its and free_of(inner, its):
                v = self.expr(inner, env)
                if v.form == SET and not v.known:
                    return f"({v.code})"
            case ir.Once(_, value):
                return self.mask(value, its, env, size)
            case ir.Bind(index, value, body) if free_of(value, its) and value != ir.Const(None):
                return self.mask(body, its - {index}, {**env, index: self.expr(value, env)}, size)
            case ir.Invoke(function, args):
                return self.mask_of_call(function, args, its, env, size)
        return self.tabulated(e, its, env, size)

    def mask_of_call(self, function: int, args: tuple[ir.Expr, ...], its: frozenset[int], env: Env, size: int) -> str:
        """The mask of a function's body, its arguments in place of its parameters."""
        inner: Env = {}
        inside = set()
        for k, arg in enumerate(args):
            if isinstance(arg, ir.Local) and arg.index in its:
                inside.add(k)
            elif not free_of(arg, its):
                raise NoMask
            else:
                inner[k] = self.expr(arg, env)
        if self.depth > DEEPEST or function in self.recursive or self.weights.call(function):
            raise NoMask
        self.depth += 1
        try:
            return self.mask(self.program.functions[function].body, frozenset(inside), inner, size)
        finally:
            self.depth -= 1

    # --- bit boards ----------------------------------------------------------------------------------------------
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
            return f"({{V x={v.code}; x=={self.none}?S->b{group.base}[0]:(uint64_t)x<{boards - 1}?S->b{group.base}[x+1]:(M)0;}})"
        if v.fact.none:
            return f"S->b{group.base}[({{V x={v.code}; x=={self.none}?0:x+1;}})]"
        return f"S->b{group.base}[{v.code}+1]"

    # --- tables ------------------------------------------------------------------------------------------------------
    def tabulated(self, e: ir.Expr, its: frozenset[int], env: Env, size: int) -> str:
        """A table of the sets that a test selects, by the values that it reads."""
        keys: list[tuple[ir.Expr, Val]] = []
        bare = self.stripped(e, its, env, keys)
        domains = [[*([None] if v.fact.none else []), *range(v.fact.low or 0, (v.fact.high or 0) + 1)] for _, v in keys]
        count = 1
        for domain in domains:
            count *= len(domain)
        if count > MOST_ROWS:
            raise NoMask
        name = self.masks(selected(bare, domains, size))
        at = "0"
        for (_, v), domain in zip(keys, domains, strict=True):
            low = v.fact.low or 0
            k = f"({{V k={v.code}; k=={self.none}?0:k-({low})+1;}})" if v.fact.none else f"({v.code}-({low}))"
            at = f"({at})*{len(domain)}+{k}" if at != "0" else k
        return f"{name}[{at}]"

    def stripped(self, e: ir.Expr, its: frozenset[int], env: Env, keys: list[tuple[ir.Expr, Val]]) -> ir.Expr:
        """A test with locals for the item and for what it reads beside; raises NoMask."""
        if isinstance(e, ir.Const):
            return e
        if isinstance(e, ir.Local) and e.index in its:
            return ir.Local(ITEM)
        if free_of(e, its):
            inner = e.value if isinstance(e, ir.Known) else e
            for k, (old, _) in enumerate(keys):
                if old == inner:
                    return ir.Local(KEY + k)
            v = self.expr(inner, env)
            low, high = v.fact.low, v.fact.high
            if v.form != NUMBER or v.fact.what != "int" or low is None or high is None or high - low > MOST_VALUES:
                raise NoMask
            keys.append((inner, v))
            return ir.Local(KEY + len(keys) - 1)
        match e:
            case ir.Op(name, args):
                return ir.Op(name, tuple(self.stripped(a, its, env, keys) for a in args))
            case ir.Cond(test, then, other):
                a, b, c = (self.stripped(x, its, env, keys) for x in (test, then, other))
                return ir.Cond(a, b, c)
            case ir.Column(values, index):
                return ir.Column(values, self.stripped(index, its, env, keys))
            case ir.Known(value, what):
                return ir.Known(self.stripped(value, its, env, keys), what)
        raise NoMask


def selected(test: ir.Expr, domains: list[list[Any]], size: int) -> tuple[int, ...]:
    """For each combination of values the set of items that pass a test; raises NoMask where one is a fault that could be told."""
    run = Compiler(()).expr(test)
    locals_: list[Any] = [None] * (KEY + len(domains) + 1)
    rows = []
    for values in product(*domains):
        locals_[KEY : KEY + len(domains)] = values
        row = 0
        for item in range(size):
            locals_[ITEM] = item
            try:
                row |= bool(run([], locals_)) << item
            except Exception:  # whatever a test raises for values that the rules never come to
                if None not in values:
                    raise NoMask from None
        rows.append(row)
    return tuple(rows)
