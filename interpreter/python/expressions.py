"""Code of expressions: each becomes a Python expression, with the statements that must run before it in a block.

Loops are loops (`loops`), so no function is made at run time.  What makes the reference machine fault makes the code raise
something: the machine then runs the answer again and says what is wrong and where, so the code keeps no places and may work
things out in another order.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, assert_never

from interpreter.python import bags, gathering, operations
from interpreter.python.facts import fits, flat, longest, may_be_long
from interpreter.python.loops import LoopWriter
from interpreter.python.memo_cost import GIVEN, LOOPS
from interpreter.python.patterns import counts_items, in_a_row, name_of, something
from interpreter.python.pool import Pool
from interpreter.python.templates import statements, tuple_of
from interpreter.runtime.limits import BIGGEST, LIMIT
from rulespec import ir
from rulespec.analysis import transfer
from rulespec.analysis.domain import ANY, Fact
from rulespec.ir.reads import LONG, goes_through, numbers, reads
from rulespec.ir.weight import FEW, TOLL, toll, tolled
from rulespec.language import operators
from rulespec.language.facts import Form, Needs, Python
from rulespec.language.registry import builds, facts

PLAIN = frozenset({ir.Const, ir.Local, ir.Load, ir.Column})  # too cheap to be stored for reuse
INLINE = 24  # nodes of a function that is inlined, at most


class ExpressionWriter(LoopWriter):
    """Writes expressions."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool)
        self.depth = 0  # depth of inlined functions
        self.remembers = False  # results of calls are reused from M, as nothing is stored meanwhile

    def shared(self, key: Any, make: Callable[[], Any]) -> ast.Name:
        """The global name of a value that functions share."""
        return self.pool.table_of(key, make)

    # --- expressions -------------------------------------------------------------------------------
    def expr(self, e: ir.Expr) -> ast.expr:
        """The Python of an expression; statements that must run before it are added to the block."""
        cls = e.__class__
        if cls in PLAIN and e not in self.again:
            return self.expr_anew(e)
        if cls in LOOPS and self.span == self.copies == 1 and self.keeps(e):
            return self.pool.memo.write(self, e)
        number, free = self.pool.value_numbers.of(e)
        if number < 0:
            return self.expr_anew(e)
        key = (number, *[name_of(self.local(k)) for k in free])
        if key in self.here:
            written, looks = self.here[key]
            self.looks += looks
            return written
        looks, counting = self.looks, self.counting
        written = self.expr_anew(e)
        if isinstance(e, ir.Comp) or (isinstance(e, ir.Op) and facts(e.name).held) or e in self.again:
            written = self.held(written)
        if (
            isinstance(written, ast.Name) and self.counting == counting
        ):  # code that counts its items must count each time
            self.here[key] = written, self.looks - looks
        return written

    def keeps(self, e: ir.Expr) -> bool:
        """Whether the expression has a memo that outlives the answer."""
        return not self.remembers and self.pool.memo.pays(e, self.widest, GIVEN if e is self.whole else 0)

    def expr_anew(self, e: ir.Expr) -> ast.expr:
        """The same without a memo of the expression itself."""
        match e:
            case ir.Const(value):
                return self.const(value)
            case ir.Local(index):
                return self.local(index)
            case ir.Load(base, at, size):
                return self.load(base, at, size)
            case ir.Column(values, index):
                return self.column(values, self.expr(index))
            case ir.Op(op, args):
                return self.op(op, args)
            case ir.Cond(test, then, other):
                return self.cond(test, then, other)
            case ir.Bind(index, ir.Const(None), body):  # it may be there for an `ir.Once`
                with self.bound(index, None, ANY) as variable:
                    self.add("$v = None", v=variable)
                    return self.expr(body)
            case ir.Bind(index, value, body):
                fact = self.fact(value)
                with self.bound(index, self.held(self.expr(value)), fact):
                    return self.expr(body)
            case ir.Once(index, value):
                return self.once(index, value)
            case ir.Comp():
                return self.comp(e)
            case ir.Fold():
                return self.fold(e)
            case ir.Invoke(function, args):
                return self.invoke(function, args)
            case ir.Known(value):
                held = self.held(self.expr(value))
                if self.fact(value).none and name_of(held) not in self.present:
                    self.add("if $v is None: raise Stop", v=held)
                return held
            case ir.Completable():
                return self.completable(e)
            case ir.After():
                return self.after(e)
            case ir.Setting():
                raise ValueError(f"{e.name} is left in a specialised program")
            case _:
                assert_never(e)

    def load(self, base: int, at: ir.Expr | None, size: int) -> ast.expr:
        """`Load`: a slot."""
        if at is None:
            return self.make("S[$n]", n=self.const(base))
        index = self.expr(at)
        if isinstance(index, ast.Constant):
            if isinstance(index.value, int) and 0 <= index.value < size:
                return self.make("S[$n]", n=self.const(base + index.value))
            return self.failure()
        return self.make("S[$d[$i]]", d=self.pool.places(base, size), i=index)

    def failure(self) -> ast.expr:
        """An expression that is always a fault."""
        self.add("raise Stop")
        return self.const(None)

    def column(self, values: tuple[Any, ...], index: ast.expr) -> ast.expr:
        """A row of a fixed table."""
        if isinstance(index, ast.Constant):
            at = index.value
            return self.const(values[at]) if isinstance(at, int) and 0 <= at < len(values) else self.failure()
        return self.make("$d[$i]", d=self.pool.rows(values), i=index)

    def cond(self, test: ir.Expr, then: ir.Expr, other: ir.Expr) -> ast.expr:
        """`Cond`: one of two values; the other is not evaluated."""
        condition = self.expr(test)
        if isinstance(condition, ast.Constant):
            return self.expr(then if condition.value else other)
        with self.aside() as first:
            a = self.expr(then)
        with self.aside() as second:
            b = self.expr(other)
        if not first and not second:
            if isinstance(b, ast.Constant) and b.value is False:
                return self.make("$t and $a", t=condition, a=a)
            if isinstance(a, ast.Constant) and a.value is True:
                return self.make("$t or $b", t=condition, b=b)
            return self.make("$a if $t else $b", t=condition, a=a, b=b)
        t = self.temp()
        first += statements("$t = $v", self.line, t=t, v=a)
        second += statements("$t = $v", self.line, t=t, v=b)
        self.add("if $c:\n $a\nelse:\n $b", c=condition, a=first, b=second)
        return self.name(t)

    def once(self, index: int, value: ir.Expr) -> ast.expr:
        """`Once`: a value that is evaluated when it is first needed; its variable is None until then."""
        variable = self.local(index)
        assert isinstance(variable, ast.Name)
        with self.aside() as work:
            written = self.expr(value)
            self.add("$x = $v", x=variable.id, v=written)
        self.add("if $x is None:\n $w", x=variable, w=work)
        return variable

    # --- operations ----------------------------------------------------------------------------------
    def op(self, op: str, args: tuple[ir.Expr, ...]) -> ast.expr:
        """`Op`: a call of a library function."""
        if len(args) == 1 and isinstance(args[0], ir.Comp):
            fused = self.fused(op, args[0])
            if fused is not None:
                return fused
        if op == operators.CONCAT:
            parts = [*in_a_row(ir.Op(op, args))]
            if len(parts) > 2 or any(isinstance(part, ir.Comp | ir.Cond) for part in parts):
                together = self.fact(ir.Op(op, args))
                return self.tolled(gathering.gathered(self, parts, together), together, 2 * len(parts))
        holds = something(op, args)
        if holds is not None and not may_be_long(self.fact(holds[0])):
            nothing = self.pool.nothing(holds[0])
            if nothing is not None:
                return self.make("$a != $z" if holds[1] else "$a == $z", a=self.expr(holds[0]), z=self.const(nothing))
            return self.make("any($a)" if holds[1] else "not any($a)", a=self.expr(holds[0]))
        values = self.exprs(args)
        for n in tolled(op, args):
            values[n] = self.tolled(values[n], self.fact(args[n]))
        if all(isinstance(v, ast.Constant) for v in values):
            folded = self.pool.evaluate(op, tuple(v.value for v in values if isinstance(v, ast.Constant)))
            if folded is not None:
                return self.const(folded[0])
        made_expr = self.apply(op, args, values)
        checked = self.checked(op, args, made_expr) if facts(op).grows else made_expr
        return self.tolled(checked, self.fact(ir.Op(op, args))) if builds(op) else checked

    def tolled(self, value: ast.expr, fact: Fact, times: int = 1) -> ast.expr:
        """A collection, whose items are counted where they may be many, in code that counts them each time."""
        if isinstance(value, ast.Constant):
            cost = toll(value.value) * times
            if cost:
                self.counting += 1
                self.add("F[0] -= $n\nif F[0] < 0: raise Stop", n=self.const(cost))
            return value
        if not may_be_long(fact):
            return value
        self.counting += 1
        value = self.held(value)
        item = fact.item if fact.what == "items" and not fact.none else None
        inner = None if item is None else longest(item)
        counted = "F[0] -= $n * ($i >> $toll)\n if F[0] < 0: raise Stop"
        holes = {"v": value, "n": self.const(times), "toll": self.const(TOLL)}
        if inner == 0:
            self.add(f"if len($v) > $few:\n {counted}".replace("$i", "len($v)"), few=self.const(FEW), **holes)
        elif inner is None and item is not None and item.what == "items" and not item.none and flat(item):
            items = self.temp()
            self.add("$i = len($v) + sum(map(len, $v))", v=value, i=items)
            self.add(f"if $i > $few:\n {counted}", few=self.const(FEW), i=self.name(items), **holes)
        else:
            test = "$v.__class__ is tuple" if inner is None else f"len($v) > {FEW // (1 + inner)}"
            self.add(f"if {test}:\n {counted}".replace("($i >> $toll)", "toll($v)"), v=value, n=self.const(times))
        return value

    def exprs(self, args: tuple[ir.Expr, ...]) -> list[ast.expr]:
        """Several expressions, each evaluated once."""
        return [self.expr(a) for a in args]

    def apply(self, op: str, args: tuple[ir.Expr, ...], values: list[ast.expr]) -> ast.expr:
        """A call: a shorter form where the arguments allow it, otherwise the function's template or its body."""
        return self.shortened(op, args, values) or self.written(op, args, values) or self.called(op, values)

    def shortened(self, op: str, args: tuple[ir.Expr, ...], values: list[ast.expr]) -> ast.expr | None:
        """A comparison or difference for which Python has a shorter form; None for any other call."""
        match op, values[1:]:
            case operators.EQUAL, [ast.Constant(value=None)]:
                return self.make("$a is None", a=values[0])
            case operators.EQUAL | operators.DIFFERENT, [ast.Constant(value=0)] if counts_items(args[0]):
                match values[0]:
                    case ast.Call(func=ast.Name(id="len"), args=[whole]):
                        return self.make("not $a" if op == operators.EQUAL else "$a != ()", a=whole)
            case operators.WITHOUT, [one] if (
                isinstance(args[1], ir.Op) and args[1].name == operators.PACK and len(args[1].args) == 1
            ):
                return self.without(values[0], one)
        return None

    def written(self, op: str, args: tuple[ir.Expr, ...], values: list[ast.expr]) -> ast.expr | None:
        """A call as the function's definition writes it; None where it does not, or not for such arguments."""
        python = facts(op).python
        match python.form:
            case Form.TUPLE:
                return tuple_of(values, self.line)
            case Form.TABLE:
                if not isinstance(args[0], ir.Const):
                    return None
                return self.make(python.template, a=self.pool.table(args[0].value), b=values[1])
            case Form.MEMBERS:
                return self.by_member(op, values)
            case Form.EACH_KIND | Form.EVERY_KIND:
                return bags.by_kind(self, python, args, values)
            case Form.BAG_OF_ONE:
                return bags.of_one(self, *values)
            case Form.INDEX:
                return self.template(python, values) if bags.natural(values[1]) else None
            case Form.TEST:
                return self.tested(self.fact(args[0]), *values[:3])
            case Form.FROM_ONE:
                at = self.fact(args[1])
                return self.template(python, values) if at.bounded and at.within(1, BIGGEST) else None
            case Form.PLAIN:
                last = values[-1] if values else None
                if python.last is not None and not (isinstance(last, ast.Constant) and last.value == python.last):
                    return None
                if python.needs is Needs.SORTABLE and not all(operations.comparable(self.fact(a)) for a in args):
                    return None
                return self.template(python, values)
        assert_never(python.form)

    def template(self, python: Python, values: list[ast.expr]) -> ast.expr | None:
        """A template with its arguments; None if there is none, or for so many arguments."""
        text = python.template
        holes = [letter for letter in "abc" if f"${letter}" in text]
        if not text or len(holes) + (python.last is not None) != len(values):
            return None
        given = {h: self.held(v) if text.count(f"${h}") > 1 else v for h, v in zip(holes, values, strict=False)}
        return self.make(text, **given)

    def tested(self, fact: Fact, value: ast.expr, low: ast.expr, high: ast.expr) -> ast.expr | None:
        """A value with a test of its bounds, where its fact does not make that idle."""
        if not isinstance(low, ast.Constant) or not isinstance(high, ast.Constant):
            return None
        if fact.within(low.value, high.value):  # type: ignore[arg-type]
            return value
        held = self.held(value)
        missing = "$v is not None and " if fact.none else ""
        self.add(f"if {missing}not $low <= $v <= $high: raise Stop", v=held, low=low, high=high)
        return held

    def by_member(self, op: str, values: list[ast.expr]) -> ast.expr | None:
        """A row for each member of a kind, of which the last argument says how many there are; None if it is not constant."""
        number = values[-1]
        if not isinstance(number, ast.Constant) or not isinstance(number.value, int):
            return None
        body = self.pool.bodies(op)
        return self.column(tuple(body(member, number.value) for member in range(number.value)), values[0])

    def called(self, op: str, values: list[ast.expr]) -> ast.expr:
        """A call of the body."""
        call, rest = self.pool.body(op, values)
        return self.make("$f(*$args)", f=call, args=rest)

    def without(self, whole: ast.expr, removed: ast.expr) -> ast.expr:
        """A collection without one item."""
        return self.make(
            "without($a, $x)",
            a=whole,
            x=self.make("$x[0]", x=removed) if not isinstance(removed, ast.Tuple) else removed.elts[0],
        )

    def checked(self, op: str, args: tuple[ir.Expr, ...], value: ast.expr) -> ast.expr:
        """The value with a check of its size, unless its fact makes the check unnecessary."""
        fact = transfer.reliable(op, [self.fact(a) for a in args])
        if fits(fact):
            return value
        held = self.held(value)
        if fact.what == "int" and not fact.none:
            self.add(
                "if not $low <= $v <= $high: raise Stop", v=held, low=self.const(-BIGGEST), high=self.const(BIGGEST)
            )
        elif fact.what == "items" and not fact.none:
            self.add("if len($v) > $limit: raise Stop", v=held, limit=self.const(LIMIT))
        else:
            self.add("check($v)", v=held)
        return held

    # --- functions -----------------------------------------------------------------------------------
    def invoke(self, function: int, args: tuple[ir.Expr, ...]) -> ast.expr:
        """A function of the game: inlined if it is small, otherwise called."""
        source = self.program.functions[function]
        facts = [self.fact(a) for a in args]
        values = [self.held(self.expr(a)) if self.remembers else self.expr(a) for a in args]
        called = self.remembers and goes_through(source.body) >= LONG
        called = called or (self.span != 1 and self.pool.memo.pays(source.body, given=GIVEN))
        if not called and self.depth < 8 and self.pool.function_size(function) * self.copies <= INLINE:
            outer = self.names, self.facts
            held = [self.held(v) for v in values]
            self.names = dict(enumerate(held))
            self.facts = {
                k: self.fact(ir.Const(value.value)) if isinstance(value, ast.Constant) else facts[k]
                for k, value in enumerate(held)
            }
            self.depth += 1
            try:
                return self.expr(source.body)
            finally:
                self.depth -= 1
                self.names, self.facts = outer
        self.counting += self.pool.memo.work(source.body) > 0 or self.pool.weights.call(function) > 0
        call = self.make("$f(S, *$args)", f=self.pool.function(function), args=values)
        if not self.remembers:
            return call
        known, before = self.temp(), self.temp()
        key = tuple_of([self.const(function), *values], self.line)
        self.add(
            "$t = M.get($k)\nif $t is None:\n $n = F[0]\n $t = $c\n M[$k] = ($t2, $n2 - F[0])\n"
            "else:\n F[0] -= $t2[1]\n if F[0] < 0: raise Stop\n $t = $t2[0]",
            t=known,
            t2=self.name(known),
            n=before,
            n2=self.name(before),
            k=key,
            c=call,
        )
        return self.name(known)

    def completable(self, e: ir.Completable) -> ast.expr:
        """Whether a selection can be completed."""
        parts = [self.expr(part) for part in (e.chosen, e.items, e.low, e.high)]
        if e.whole is None:
            ordered = self.fact(e.items).ordered and operations.is_items(self.fact(e.items))
            return self.make("completable_in_order(*$parts)" if ordered else "completable(*$parts)", parts=parts)
        free = numbers(reads(e.whole) & ~(1 << e.index))
        self.counting += 1
        test, captured = self.pool.condition(e.whole, e.index, free), [self.local(i) for i in free]
        return self.make(
            "completable_where(*$parts, F, $n, partial($test, S, *$captured))",
            parts=parts,
            n=self.const(self.pool.weights.item(e.whole)),
            test=test,
            captured=captured,
        )

    def after(self, e: ir.After) -> ast.expr:
        """What an expression would be after a procedure."""
        args = self.exprs(e.args)
        free = numbers(reads(e.value))
        self.counting += 1
        return self.held(
            self.make(
                "$f(S, *$args, *$free)",
                f=self.pool.after(e, {k: self.fact(ir.Local(k)) for k in free}),
                args=args,
                free=[self.local(k) for k in free],
            )
        )
