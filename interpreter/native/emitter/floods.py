"""Whether cells that hang together reach something: looked for while they are found, and no further than that.

`any(q in free where any(r in neighbours(q) where r in group(p, cells)))`, however it is spread over functions, asks of a group only
whether something lies in it or next to it.  The group grows by `spread` from its cell on, and is done as soon as that is so.  What is
counted is as if the group were found as a whole and every item tested.
"""

from __future__ import annotations

from collections.abc import Set
from contextlib import suppress
from dataclasses import dataclass

from interpreter.native.emitter.closures import items_of
from interpreter.native.emitter.conditions import free_of
from interpreter.native.emitter.crossed import CrossedWriter
from interpreter.native.emitter.forms import NUMBER, SET, WIDE_SET, Bits, Val, word_of
from interpreter.native.emitter.masks import NoMask, distinct
from interpreter.native.emitter.operations.boards import cells_of, rows_of_group
from interpreter.native.emitter.operations.call import Call
from interpreter.native.emitter.sets import LARGEST_SET, constant, words_of
from interpreter.native.emitter.texts import Variable
from interpreter.native.emitter.types import Unreached, Unsupported
from interpreter.native.emitter.writer import Env
from rulespec import ir
from rulespec.analysis.domain import BOOL, below
from rulespec.ir.walk import conjuncts, within
from rulespec.language import operators
from rulespec.language.facts import CForm, Reduction
from rulespec.language.registry import facts as facts_of
from rulespec.passes.fold import asked_items


@dataclass(frozen=True, slots=True)
class Opened:
    """An expression within calls and locals: C that comes before it, what is counted for the calls, which locals are worked out once."""

    e: ir.Expr
    env: Env
    head: str
    paid: int
    once: frozenset[int]


class FloodWriter(CrossedWriter):
    """Writes tests of cells that hang together."""

    def op(self, name: str, e: ir.Op, env: Env) -> Val:
        """A function of the registry."""
        asked = asked_items(e)
        code = None if asked is None else self.met(asked[0], env)
        if asked is None or code is None:
            return super().op(name, e, env)
        return Val(f"({'' if asked[1] else '!'}{code})", NUMBER, BOOL)

    def fold(self, e: ir.Fold, env: Env, *, here: bool = False) -> Val:
        """A value that each item makes another; a set to which each adds some of its row of a table grows by all of them at once."""
        match e:
            case ir.Fold(acc, _, item, _, ir.Op(operators.UNION, (ir.Local(joined), more))) if joined == acc:
                try:
                    return self.grown(e, item, items_of(more), env)
                except (NoMask, Unsupported, Unreached):
                    pass
        return super().fold(e, env, here=here)

    def grown(self, e: ir.Fold, item: int, more: ir.Expr, env: Env) -> Val:
        """A set, and of the rows of a table for each item of another all that pass a test; raises NoMask, Unsupported, Unreached."""
        match more:
            case ir.Comp(index, ir.Column(values, ir.Local(at)), where, None, None) if at == item:
                tests = [] if where is None else conjuncts(where)
            case ir.Column(values, ir.Local(at)) if at == item:
                index, where, tests = -1, None, []
            case _:
                raise NoMask
        if not all(free_of(test, frozenset([item, e.acc])) for test in tests):
            raise NoMask
        if not all(isinstance(row, tuple) and whole_numbers(row) for row in values):
            raise NoMask
        size = max((x + 1 for row in values for x in row), default=1)
        fact = self.fact(e, env)
        form, of, start = self.form(fact), self.expr(e.source, env), self.expr(e.start, env)
        spread = self.spread(tuple(sum(1 << x for x in row) for row in values))
        fits = isinstance(of.form, Bits) and not of.known and form == Bits(words_of(max(size, len(values)) - 1))
        if spread is None or not fits or not isinstance(form, Bits) or of.form.words > form.words:  # type: ignore[union-attr]
            raise NoMask
        t, s = self.type(form), self.name("s")
        each = 1 + max(map(len, values)) * self.weights.item(where) + self.weights.item(more)
        code = "&".join([f"{spread}({s})", *(self.passing(test, index, form, size, env) for test in tests)])
        whole = code if start.known and not start.const else f"{self.as_form(start, form)}|({code})"
        return Val(f"({{{t} {s}={self.as_form(of, form)}; FUEL(S,pop{t}({s})*{each}+1); {whole};}})", form, fact)

    def passing(self, test: ir.Expr, item: int, form: Bits, size: int, env: Env) -> str:
        """C of the set of all numbers below a size that pass a test, and perhaps of others; raises NoMask, Unsupported."""
        if form in (SET, WIDE_SET):
            return self.whole(test, frozenset([item]), {**env, item: Val(Variable("x"), NUMBER, below(size))}, size)
        mask = self.inclusion(test, item, form, env)
        if mask is None:
            raise NoMask
        return mask

    def met(self, e: ir.Expr, env: Env) -> str | None:
        """C of whether a collection has items, which are cells of a group or next to one; None for any other."""
        outer, self.there = self.there, frozenset()
        try:
            return self.looked_for(self.laid_open(e, env))
        except (NoMask, Unsupported, Unreached):
            return None
        finally:
            self.there = outer

    def laid_open(self, e: ir.Expr, env: Env, once: frozenset[int] = frozenset()) -> Opened:
        """An expression without the calls and locals around it; raises Unsupported, Unreached."""
        head, paid = "", 0
        while True:
            match e:
                case ir.Once(index, value) if index in once:
                    e = value
                case ir.Invoke(function, args) if function not in self.recursive:
                    facts = self.types.parameters[function]
                    known = [f for f in facts if f is not None]
                    if len(known) < len(facts):
                        raise Unreached
                    given = [Val(self.fitted(a, env, f), self.form(f), f) for a, f in zip(args, known, strict=True)]
                    own = [self.bound(v) for v in given]
                    head += "".join(text for text, _ in own)
                    e, env, once = (
                        self.program.functions[function].body,
                        dict(enumerate(v for _, v in own)),
                        frozenset(),
                    )
                    paid += self.weights.call(function)
                case ir.Bind(index, ir.Const(None), body):
                    e, once = body, once | {index}
                case _:
                    return Opened(e, env, head, paid, once)

    def looked_for(self, o: Opened) -> str | None:
        """C of whether there is an item of a comprehension over a group, or over what is next to it; raises NoMask, Unsupported."""
        match o.e:
            case ir.Comp(index, source, where, None, None) if where is not None:
                pass
            case _:
                return None
        tests = conjuncts(where)
        whole = self.group_of(source, o, frozenset())
        if whole is not None:
            size = cells_of(whole[1])
            return self.flooded(o, whole, index, "", size, tests, None, size * self.weights.item(where))
        start = self.members(source, o.env)
        if start is None:
            return None
        code, size = start
        for k, test in enumerate(tests):
            near, asked = rows_within(test, index)
            group = None if asked is None else self.group_of(asked.args[0], o, frozenset([index]))
            if group is not None and (near is None or len(near) >= size):
                paid = size * self.weights.item(where)
                if near is not None:
                    paid += size * (max(map(len, near)) * self.weights.item(asked) + 1)
                return self.flooded(o, group, index, code, size, [*tests[:k], *tests[k + 1 :]], near, paid)
        return None

    def group_of(self, e: ir.Expr, o: Opened, free: Set[int]) -> tuple[Opened, Call] | None:
        """The call for a group that an expression is, which nothing else asks for; None where it is something else."""
        if not free_of(e, frozenset(free)):
            return None
        if isinstance(e, ir.Once) and sum(x == e for x in within(o.e)) > 1:
            return None  # it is worked out as a whole, and kept
        if not isinstance(e, ir.Once | ir.Invoke | ir.Op):
            return None
        inner = self.laid_open(e, o.env, o.once)
        if not isinstance(inner.e, ir.Op) or facts_of(inner.e.name).c.form is not CForm.GROUP:
            return None
        if not isinstance(inner.e.args[-1], ir.Const):
            return None  # in a graph that changes
        return inner, Call(self, inner.e.name, inner.e.args, inner.env)

    def flooded(
        self,
        o: Opened,
        group: tuple[Opened, Call],
        index: int,
        among: str,
        size: int,
        tests: list[ir.Expr],
        near: tuple[tuple[int, ...], ...] | None,
        paid: int,
    ) -> str | None:
        """C that lets a group grow until one of the items is in it (`near`: or has a cell of its row in it) for which the tests hold."""
        inner, call = group
        cells, rows = cells_of(call), rows_of_group(call)
        spread = None if rows is None else self.spread(rows)
        if spread is None or call.form not in (SET, WIDE_SET) or word_of(size) != word_of(cells):
            return None
        reach, paid = "", paid + o.paid + inner.paid + cells + 1
        if near is not None:
            leads = tuple(sum(1 << q for q in range(size) if x in near[q]) for x in range(cells))
            reach = self.spread(leads) or ""
            if not reach:
                return None
        env = {**o.env, index: Val(Variable("x"), NUMBER, below(size))}
        masks = [among or constant((1 << size) - 1, 1 if size <= 64 else 2)]
        masks += [self.whole(test, frozenset([index]), env, size) for test in self.grouped(tests, frozenset([index]))]
        kind = call.type
        cell, left, grown, wanted, found = (self.name(x) for x in "clgwr")
        head = (
            f"{inner.head} V {cell}={self.index(call.vals[0], cells)}; {kind} {left}={self.as_form(call.vals[1], call.form)},"
            f"{wanted}={'&'.join(masks)},{grown}=({kind})1<<{cell}; V {found}=0; FUEL(S,{paid});"
        )
        look = f"if({{}}&{wanted}){{{{{found}=1;break;}}}}"
        grow = f"n&={left}&~{grown}; if(!n)break; {grown}|=n;"
        if reach == spread:
            step = f"{kind} n={spread}({grown}); {look.format('n')} {grow}"
        else:
            step = f"{look.format(f'{reach}({grown})' if reach else grown)} {kind} n={spread}({grown}); {grow}"
        return f"({{{o.head} {head} if({left}>>{cell}&1)for(;;){{{step}}} {found};}})"


def whole_numbers(row: tuple[object, ...]) -> bool:
    """Whether these are numbers that sets of bits have room for."""
    return all(type(x) is int and 0 <= x < LARGEST_SET for x in row)


def rows_within(test: ir.Expr, item: int) -> tuple[tuple[tuple[int, ...], ...] | None, ir.Op | None]:
    """Of a test whether an item, or any of its row, is in a collection: the rows (None: it is the item itself), and what asks that."""
    match test:
        case ir.Op(operators.CONTAINS, (_, ir.Local(i))) if i == item:
            return None, test
        case ir.Op(
            name,
            (
                ir.Comp(
                    r, ir.Column(values, ir.Local(i)), ir.Op(operators.CONTAINS, (of, ir.Local(x))) as asked, None, None
                ),
            ),
        ) if i == item and x == r and facts_of(name).reduces is Reduction.SOME and free_of(of, frozenset([r])):
            with suppress(TypeError):
                if all(distinct(row) for row in values):
                    return values, asked
    return None, None
