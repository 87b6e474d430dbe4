"""Code of questions: Python functions for each point where somebody is asked.

s7(S, frame)   the seat that is asked at point 7
a7(S, frame)   its legal answers: for a site whose actions are values a list, in the order of the actions; otherwise a dict
               from the action to the answer
c7(S, frame)   what chance is asked at point 7: the items and their weights
o3(S, *args)   whether the option that rule 3 adds to a menu is legal
"""

from __future__ import annotations

import ast
from functools import reduce

from interpreter.python.expressions import ExpressionWriter
from interpreter.python.patterns import in_a_row, kept_once
from interpreter.python.pool import Pool
from interpreter.python.procedures import ProcedureWriter
from interpreter.python.templates import function, statements, tuple_of
from interpreter.reference.sites import PLAIN
from rulespec import ir
from rulespec.analysis.domain import ANY, NONE, of_value
from rulespec.ir.reads import read_by_all
from rulespec.language import operators


def distinct(source: ast.expr) -> bool:
    """Whether an expression is a constant without duplicates."""
    items = source.value if isinstance(source, ast.Constant) else None
    return isinstance(items, tuple) and len(set(items)) == len(items)


class QuestionWriter:
    """Writes the functions of the points of one procedure."""

    def __init__(self, pool: Pool, procedure: ProcedureWriter) -> None:
        self.pool = pool
        self.program = pool.program
        self.procedure = procedure

    def writer(self, point: int) -> ExpressionWriter:
        w = ExpressionWriter(self.pool)
        w.facts = dict(self.procedure.facts)
        w.line = self.procedure.line(self.program.points[point].position)
        return w

    def site(self, point: int) -> ir.Site:
        """The site of an `Ask`."""
        site = self.program.points[point]
        instruction = self.program.procedures[site.procedure].code[site.position]
        assert isinstance(instruction, ir.Ask)
        return self.program.sites[instruction.site]

    def unpack(self, point: int) -> list[ast.stmt]:
        """Unpacks the locals of a frame that a question may read."""
        kept = self.program.points[point].kept
        targets = ", ".join(["_", "_", *(f"l{k}" for k in kept)])
        return statements(f"{targets} = frame") if kept else []

    def seat(self, point: int) -> ast.FunctionDef:
        """Who is asked."""
        w = self.writer(point)
        w.block += self.unpack(point)
        w.add("return $v", v=w.expr(self.site(point).player))
        return function(f"s{point}", ["S", "frame"], w.block, w.line)

    def lottery(self, point: int) -> ast.FunctionDef:
        """What chance is asked."""
        w = self.writer(point)
        site = self.program.points[point]
        draw = self.program.procedures[site.procedure].code[site.position]
        assert isinstance(draw, ir.Draw)
        w.block += self.unpack(point)
        items = w.expr(draw.items)
        weights = w.const(None) if draw.weights is None else w.expr(draw.weights)
        w.add("return $i, $w", i=items, w=weights)
        return function(f"c{point}", ["S", "frame"], w.block, w.line)

    def legal(self, point: int) -> ast.FunctionDef:
        """The legal answers."""
        site = self.site(point)
        w = self.writer(point)
        w.remembers = True
        w.add("M.clear()")
        w.block += self.unpack(point)
        for reason in site.reasons:
            for index in kept_once(reason.test):
                w.add("$x = None", x=f"l{index}")
        player = w.expr(site.player)
        if not w.fact(site.player).within(0, self.program.players - 1):
            w.add("if not 0 <= $p < $n: raise Stop", p=w.held(player), n=w.const(self.program.players))
        first, rest = self.listed(w, site)
        if site.code == "value":
            self.values(w, site, self.each_once(w, site.items, True))
        else:
            self.positions(w, site, first, rest)
        return function(f"a{point}", ["S", "frame"], w.block, w.line)

    def each_once(self, w: ExpressionWriter, items: ir.Expr, ascending: bool = False) -> ast.expr:
        """The items of a collection without duplicates."""
        fact = w.fact(items)
        source = w.expr(items)
        if fact.ordered:
            return source
        if not distinct(source):
            source = w.make("dict.fromkeys($s)", s=source)
        return w.make("sorted($s)", s=source) if ascending else source

    def listed(self, w: ExpressionWriter, site: ir.Site) -> tuple[tuple[int, ...], ir.Expr]:
        """The branches that a site begins with, whose tests are written one behind another, and the items that follow."""
        first, *rest = in_a_row(site.items)
        if site.code == "value" or not site.branches or not isinstance(first, ir.Const):
            return (), site.items
        numbers = first.value
        following = reduce(lambda a, b: ir.Op(operators.CONCAT, (a, b)), rest) if rest else ir.Const(())
        fact = w.fact(following)
        pairs = fact.size == 0 or (fact.item is not None and fact.item.what == "items")  # equal to no number
        plain = all(isinstance(v, int) and 0 <= v < len(site.branches) for v in numbers)
        return (numbers, following) if pairs and plain and distinct(w.const(numbers)) else ((), site.items)

    def values(self, w: ExpressionWriter, site: ir.Site, source: ast.expr) -> None:
        """The answers of a site whose actions are values."""
        plain = not self.tested(site)
        if plain and site.none is None:
            w.add("return $s", s=source)
            return
        if plain:
            w.add("o = [*$s]", s=source)
        else:
            w.add("o = []")
            self.each(w, site, site.items, source, "o.append($v)")
        if site.none is not None:
            self.willing(w, site, "o.append(None)")
        w.add("return o")

    def positions(self, w: ExpressionWriter, site: ir.Site, first: tuple[int, ...], rest: ir.Expr) -> None:
        """The answers of a site whose actions are positions."""
        w.add("o = {}")
        for n, number in enumerate(first):
            with w.bound(site.item, w.const(number), of_value(number)):
                with w.aside() as passing:
                    w.add("o[$n] = $v", n=w.const(n), v=w.const(number))
                    for reason in reversed([*site.reasons, *site.branches[number].reasons]):
                        passing = self.guarded(w, reason, passing)
                w.block += passing
        last: ast.expr = w.const(len(first))
        if rest != ir.Const(()):
            w.add("n = $n", n=last)
            self.each(w, site, rest, self.each_once(w, rest), "o[n] = $v", "n += 1")
            last = w.name("n")
        if site.none is not None:
            self.willing(w, site, "o[$n] = None", n=last)
        w.add("return o")

    def tested(self, site: ir.Site) -> bool:
        return bool(site.reasons or any(b.reasons for b in site.branches) or self.menu(site) is not False)

    def menu(self, site: ir.Site) -> bool | None:
        """Whether candidates may be options that rules add: never, or (None) where they are pairs."""
        options = any(rule.option is not None for rule in self.program.rules)
        if site.arguments or (site.branches and options):
            return True
        return None if options and site.type.what not in (*PLAIN, "entity", "bool") else False

    def each(
        self, w: ExpressionWriter, site: ir.Site, items: ir.Expr, source: ast.expr, then: str, always: str = ""
    ) -> None:
        """A loop over candidates with `then` for those that are legal."""
        item = w.fact(items).item or ANY
        with w.repeated(items), w.bound(site.item, None, item) as variable:
            with w.aside() as inner:
                tests = [w.expr(reason.test) for reason in site.reasons[:1]]
                with w.aside() as passing:
                    w.add(then, v=w.name(variable))
                    for reason in reversed(site.reasons[1:]):
                        passing = self.guarded(w, reason, passing)
                    if any(b.reasons for b in site.branches) or self.menu(site) is not False:
                        passing = self.branches(w, site, variable, passing)
                if tests:
                    w.add("if $t:\n $b", t=tests[0], b=passing)
                else:
                    w.block += passing
                if always:
                    w.add(always)
            w.add("for $x in $s:\n $b", x=variable, s=source, b=inner)

    def guarded(self, w: ExpressionWriter, reason: ir.Reason, then: list[ast.stmt]) -> list[ast.stmt]:
        """Statements that run if a reason holds."""
        with w.aside() as out:
            test = w.expr(reason.test)
            w.add("if $t:\n $b", t=test, b=then)
        return out

    def branches(self, w: ExpressionWriter, site: ir.Site, variable: str, then: list[ast.stmt]) -> list[ast.stmt]:
        """Statements that run if the branch, or the option that a rule adds, is legal."""
        with w.aside() as out:
            w.add("ok = True")
            number = w.name(variable)
            if self.menu(site) is not False:
                arguments = tuple_of(w.exprs(site.arguments), w.line)
                w.add(
                    "if $v.__class__ is tuple:\n ok = options[$v[0]](S, *instance($v[1]), *$a)", v=number, a=arguments
                )
            item = w.facts.get(site.item, ANY)
            for index, branch in enumerate(() if item.what == "items" and not item.none else site.branches):
                for reason in branch.reasons:
                    with w.aside() as tested:
                        w.add("ok = $t", t=w.expr(reason.test))
                    w.add("if ok is True and $v == $n:\n $b", v=number, n=w.const(index), b=tested)
            w.add("if ok:\n $b", b=then)
        return out

    def willing(self, w: ExpressionWriter, site: ir.Site, then: str, **holes: ast.expr) -> None:
        """The none option."""
        assert site.none is not None
        with w.bound(site.item, w.const(None), NONE), w.aside() as passing:
            w.add(then, **holes)
            for reason in reversed(site.none.reasons):
                passing = self.guarded(w, reason, passing)
        w.block += passing

    def option(self, rule: ir.Rule) -> ast.FunctionDef:
        """Whether what a rule adds to a menu is legal; its arguments are the instance's, then the site's."""
        assert rule.option is not None
        w = ExpressionWriter(self.pool)
        w.counts = w.remembers = True
        read = read_by_all(reason.test for reason in rule.option.reasons).bit_length()
        for k in range(read):
            w.add("$x = args[$k]", x=f"l{k}", k=w.const(k))
        w.facts = self.pool.evaluator.locals(rule.locals)
        with w.aside() as out:
            for reason in rule.option.reasons:
                w.add("if not $t: return False", t=w.expr(reason.test))
            w.add("return True")
        w.block += out
        body = function(f"o{rule.index}", ["S"], w.block, w.line)
        body.args.vararg = ast.arg("args", None, lineno=1, col_offset=0, end_lineno=1, end_col_offset=0)
        return body
