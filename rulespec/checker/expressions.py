"""From an expression as written to a typed expression of the program."""

from __future__ import annotations

from typing import assert_never

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.calls import Calls
from rulespec.checker.context import Written
from rulespec.checker.env import Env, Typed, call_frame, looping
from rulespec.checker.inference import (
    high_of,
    low_of,
)
from rulespec.checker.layers import layered
from rulespec.checker.operators import Operators
from rulespec.checker.reader import BAD, held_to, never_fits
from rulespec.checker.sentences import taken
from rulespec.expr import parser, printer, syntax, template
from rulespec.language.types import (
    BOOL,
    INT,
    PLAYERS,
    TEXT,
    UNKNOWN,
    BagType,
    EmptyType,
    EntityType,
    IntType,
    ListType,
    NoneType,
    OptionType,
    RecordType,
    SetType,
    Type,
    UnknownType,
    item_of,
    join,
)  # fmt: skip
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode

MAX_DEPTH = 40  # of functions that call each other: they are evaluated without suspending


class Expressions(Calls, Operators):
    """The expressions of one game: the entry points, and the way down to each form."""

    def of(self, node: Node | None, env: Env, want: Type | None = None) -> Typed:
        """The expression in a scalar; with `want`, converted to that type or reported."""
        expr, given = self.natural(node, env, want)
        return expr, given if want is None or node is None else want

    def default(self, parameter: symbols.Parameter, env: Env) -> ir.Expr:
        """What stands for an argument that is left out: it sees no names of the place where it is left out."""
        assert parameter.default is not None
        return self.given(parameter.default, Env(env.frame, depth=env.depth), parameter)

    def given(self, node: Node, env: Env, parameter: symbols.Parameter) -> ir.Expr:
        """The expression in a scalar as an argument."""
        expr, given = self.natural(node, env, parameter.type)
        never_fits(self.context, given, parameter.type, parameter.name, node.span)
        return held_to((expr, given), parameter)

    def given_tree(self, scalar: ScalarNode, tree: syntax.Expr, env: Env, parameter: symbols.Parameter) -> ir.Expr:
        """A parsed expression of a scalar as an argument."""
        expr, given = self.natural_tree(scalar, tree, env, parameter.type)
        never_fits(self.context, given, parameter.type, parameter.name, scalar.at(tree.start, tree.end))
        return held_to((expr, given), parameter)

    def players(self, node: Node, env: Env) -> ir.Expr:
        """Players as a set: one, several, or `all`."""
        if isinstance(node, ScalarNode) and node.value == "all":
            return ir.Op("seats", (ir.Setting("players"),))
        expr, t = self.of(node, env)
        if isinstance(t, EntityType) and t.kind == "Player":
            return ir.Op("pack", (expr,))
        return expr if isinstance(t, UnknownType) else self.of(node, env, PLAYERS)[0]

    def hinted(self, node: Node | None, env: Env, hint: Type | None) -> Typed:
        """The expression in a scalar, of whatever type; the one hinted at tells which member a name means."""
        if not isinstance(node, ScalarNode) or hint is None:
            return self.of(node, env)
        tree = parser.expression(node, self.context.diagnostics) if self.context.may_parse(node) else None
        outer, self.scalar = self.scalar, node
        try:
            return BAD if tree is None else self.expr(tree, env, hint)
        finally:
            self.scalar = outer

    def natural(self, node: Node | None, env: Env, want: Type | None) -> Typed:
        """The same, with the type that the expression has of itself."""
        if not isinstance(node, ScalarNode):
            if node is not None:
                self.context.error("S001", "this is no expression", node.span, expected="an expression")
            return BAD
        tree = self.parsed(node, want) if self.context.may_parse(node) else None
        return BAD if tree is None else self.natural_tree(node, tree, env, want)

    def parsed(self, node: ScalarNode, want: Type | None) -> syntax.Expr | None:
        """The expression in a scalar, reported if it is none."""
        try:
            return parser.parse_expr(node.value)
        except parser.ExprSyntaxError as error:
            if want == TEXT and node.style in ("single", "double") and '"' not in node.value:
                error.help = (
                    f"YAML has taken the quotes away; a text stands in quotes of its own: '\"{node.value}\"'",
                )
            error.report(node, self.context.diagnostics)
            return None

    def tree(self, scalar: ScalarNode, tree: syntax.Expr, env: Env, want: Type | None = None) -> Typed:
        """A parsed expression of a scalar."""
        expr, given = self.natural_tree(scalar, tree, env, want)
        return expr, given if want is None else want

    def natural_tree(self, scalar: ScalarNode, tree: syntax.Expr, env: Env, want: Type | None) -> Typed:
        """A parsed expression of a scalar, with the type that it has of itself."""
        outer, self.scalar = self.scalar, scalar
        self.context.written[id(scalar), tree.start, tree.end] = Written(scalar, tree, env.locals)
        try:
            value = self.expr(tree, env, want)
            expr = value[0] if want is None else self.convert(value, want, tree)
            if BOOL in (want, value[1]):
                self.context.conditions[id(expr)] = (expr, scalar, tree.start, tree.end)
            return expr, value[1]
        finally:
            self.scalar = outer

    def text(self, node: Node | None, env: Env) -> ir.Text:
        """A text with expressions in braces."""
        if not isinstance(node, ScalarNode):
            return ir.Text(())
        self.context.texts[id(node)] = node, env.locals
        parts: list[str | tuple[ir.Expr, ir.Type]] = []
        outer, self.scalar = self.scalar, node
        for part in (template.template(node, self.context.diagnostics) if self.context.may_parse(node) else None) or ():
            if isinstance(part, str):
                parts.append(part)
            else:
                self.context.written[id(node), part.start, part.end] = Written(node, part, env.locals)
                value, t = self.expr(part, env)
                parts.append((value, self.context.type_of(t)))
        self.scalar = outer
        return ir.Text(tuple(parts))

    def words(self, node: syntax.Text, written: str, env: Env) -> Typed:
        """A text as a value; what stands in its braces is worked out where the text stands."""
        try:
            parts = template.parse_template(written)
        except parser.ExprSyntaxError as error:
            if self.scalar is not None:
                error.shifted(node.text_start).report(self.scalar, self.context.diagnostics)
            return BAD
        filled: list[str | tuple[ir.Expr, ir.Type]] = []
        for part in parts:
            if isinstance(part, str):
                filled.append(part)
            else:
                value, t = self.expr(syntax.shift(part, node.text_start), env)
                filled.append((value, self.context.type_of(t)))
        return self.context.text_value(ir.Text(tuple(filled))), TEXT

    def learned(self, node: Node | None, holds: bool) -> frozenset[str]:
        """Which expressions are not none where the condition in a scalar holds (or does not)."""
        try:
            return self.facts(parser.parse_expr(node.value), holds) if isinstance(node, ScalarNode) else frozenset()
        except parser.ExprSyntaxError:
            return frozenset()

    def type(self, node: Node | None) -> Type:
        """The type in a scalar."""
        if not isinstance(node, ScalarNode):
            return UNKNOWN
        if isinstance(node.resolve(), int | float) and not isinstance(node.resolve(), bool):
            return UNKNOWN  # the schema wants a text here, and has said so
        tree = parser.type_(node, self.context.diagnostics) if self.context.may_parse(node) else None
        return UNKNOWN if tree is None else self.type_tree(node, tree)

    def type_tree(self, node: ScalarNode, tree: syntax.TypeExpr) -> Type:
        match tree:
            case syntax.TypeRange(low=low, high=high):
                if low is not None and high is not None and low > high:
                    self.context.error(
                        "E102",
                        f"there is no number in {low}..{high}",
                        node.at(tree.start, tree.end),
                        expected=f"{high}..{low}",
                    )
                    return INT
                return IntType(low, high)
            case syntax.TypeOption(item=item):
                inner = self.type_tree(node, item)
                return inner if isinstance(inner, OptionType) else OptionType(inner)
            case syntax.TypeOf(ctor=ctor, item=item):
                inner = self.type_tree(node, item)
                if ctor == "set":
                    return self.of_no_texts(SetType(inner), node.at(tree.start, tree.end))
                if ctor == "list":
                    return ListType(inner)
                if isinstance(inner, EntityType):
                    return BagType(inner.kind)
                if not isinstance(inner, UnknownType):
                    self.context.error(
                        "E102", f"a bag holds members of a type with names, not {inner}", node.at(item.start, item.end)
                    )
                return UNKNOWN
            case syntax.TypeName(id=name):
                return self.context.name_of_type(name, node.at(tree.start, tree.end))
            case syntax.TypePer():
                self.context.error("E102", "this type cannot stand here", node.at(tree.start, tree.end))
                return UNKNOWN
            case _:
                assert_never(tree)

    def binder(self, node: ScalarNode, env: Env) -> tuple[Env, int, ir.Expr, ir.Expr | None, Type]:
        """A loop header `x in items where c`: the environment inside, the local, the items, the condition, the item's type.

        The local is the last of the loop's own three (see ir.Next).
        """
        tree = parser.binder(node, self.context.diagnostics)
        outer, self.scalar = self.scalar, node
        try:
            if tree is None:
                env.frame.vague = True
                inner, first = env.fresh(*looping(UNKNOWN))
                return inner, first + 2, ir.Const(()), None, UNKNOWN
            items, t = self.collection(tree.coll, env)
            inner, first = env.fresh(*looping(t))
            index = first + 2
            inner = inner.called(tree.var, index, item_of(t)).knowing(self.among(tree))
            where = None if tree.where is None else self.condition(tree.where, inner)
            inner = inner.knowing(self.header(tree))
            return inner, index, items, where, item_of(t)
        finally:
            self.scalar = outer

    def expr(self, node: syntax.Expr, env: Env, want: Type | None = None) -> Typed:
        """The typed expression; `want` helps to find the members of types and is not enforced."""
        match node:
            case syntax.Num(value=value):
                return ir.Const(value), IntType(value, value)
            case syntax.Text(value=text):
                return self.words(node, text, env)
            case syntax.Name():
                return self.narrow(self.name(node, env, want), node, env)
            case syntax.Attr():
                return self.narrow(self.attribute(node, env), node, env)
            case syntax.Call():
                return self.narrow(self.call(node, env, want), node, env)
            case syntax.Unary():
                return self.unary(node, env)
            case syntax.Binary():
                return self.binary(node, env, want)
            case syntax.Compare():
                return self.compare(node, env), BOOL
            case syntax.In():
                return self.contains(node, env), BOOL
            case syntax.Includes():
                return self.includes(node, env), BOOL
            case syntax.Is():
                return self.state_of(node, env), BOOL
            case syntax.Interval():
                return self.interval(node, env)
            case syntax.If():
                return self.conditional(node, env, want)
            case syntax.Tuple(items=parts):
                return self.record([self.expr(part, env) for part in parts])
            case syntax.Comp():
                return self.comprehension(node, env, want)
            case _:
                assert_never(node)

    def unary(self, node: syntax.Unary, env: Env) -> Typed:
        """`not x` and `-x`."""
        if node.op == "not":
            return ir.Op("not_", (self.condition(node.x, env),)), BOOL
        operand, t = self.number(node.x, env)
        if isinstance(operand, ir.Const) and isinstance(operand.value, int):
            return ir.Const(-operand.value), IntType(-operand.value, -operand.value)
        least, most = (t.low, t.high) if isinstance(t, IntType) else (None, None)
        return ir.Op("neg", (operand,)), IntType(None if most is None else -most, None if least is None else -least)

    def interval(self, node: syntax.Interval, env: Env) -> Typed:
        """`low..high`."""
        if node.low is None or node.high is None:
            return self.bad("E204", "an open interval has no end to count to", node, help=["give both ends: low..high"])
        a, b = self.number(node.low, env), self.number(node.high, env)
        return ir.Op("interval", (a[0], b[0])), ListType(IntType(low_of(a[1]), high_of(b[1])))

    def conditional(self, node: syntax.If, env: Env, want: Type | None) -> Typed:
        """`if c then a else b`: what `c` tells is known in `a`, and its opposite in `b`."""
        test = self.condition(node.cond, env)
        one = self.expr(node.then, env.knowing(self.facts(node.cond, True)), want)
        two = self.expr(node.other, env.knowing(self.facts(node.cond, False)), want or one[1])
        both = join(one[1], two[1])
        if both is None:
            return self.bad("E205", f"the branches differ: {one[1]} and {two[1]}", node)
        written = None if self.scalar is None else self.scalar.at(node.cond.start, node.cond.end)
        return ir.Cond(test, self.convert(one, both, node.then), self.convert(two, both, node.other), written), both

    def record(self, parts: list[Typed]) -> Typed:
        """`(a, b)`: a record whose fields are called 1, 2 and so on."""
        name = "(" + ", ".join(str(t) for _, t in parts) + ")"
        fields = tuple((str(number), t) for number, (_, t) in enumerate(parts, 1))
        return ir.Op("pack", tuple(e for e, _ in parts)), RecordType(name, fields)

    def narrow(self, value: Typed, node: syntax.Expr, env: Env) -> Typed:
        """An optional value that is known here is one of its inner type."""
        expr, t = value
        if isinstance(t, OptionType) and env.known and (text := printer.to_text(node)) in env.known:
            return ir.Known(expr, text), t.item
        return value

    def compile_function(self, function: symbols.Function) -> bool:
        """Check a function's body once; False if it is being checked just now, which means recursion."""
        if function.busy:
            return False
        if function.index is not None:
            return True
        if self.depth >= MAX_DEPTH:
            self.context.error("E306", f"functions call each other more than {MAX_DEPTH} deep", function.span)
            function.index, function.result = 0, function.result or UNKNOWN
            return True
        function.busy = True
        self.depth += 1
        outer = self.scalar
        env = call_frame([(p.name, p.type) for p in function.parameters])
        body, t = self.function_body(function, env)
        self.scalar = outer
        function.reads, function.scopes, function.ahead = env.frame.reads, env.frame.scopes, env.frame.ahead
        if function.result is None:
            function.result = t
        function.index = self.context.add_function(function.name, len(function.parameters), env, body, t, function.span)
        function.busy = False
        self.depth -= 1
        self.unsaid.append(function)
        while self.unsaid and not self.depth:  # what it says may name itself, and whatever is being checked just now
            self.depth += 1
            self.said(self.unsaid.pop())
            self.depth -= 1
        self.scalar = outer
        return True

    def function_body(self, function: symbols.Function, env: Env) -> Typed:
        if function.what == "condition":
            return self.condition_body(function, env), BOOL
        if function.made is not None:
            return function.made(env)
        node = function.node
        if not isinstance(node, MapNode):
            return self.of(node, env, function.result)
        env, let = self.let(node.get("let"), env)
        whole = "layers" in node or "base" in node
        body, t = layered(self, function, node, env) if whole else self.of(node.get("is"), env, function.result)
        for index, value in reversed(let):
            body = ir.Bind(index, value, body)
        return body, t

    def let(self, node: Node | None, env: Env) -> tuple[Env, list[tuple[int, ir.Expr]]]:
        """The names under `let` of a function, each in sight of those after it: the environment, and their locals with the values."""
        bound: list[tuple[int, ir.Expr]] = []
        for key, written in node.entries if isinstance(node, MapNode) else ():
            value, t = self.of(written, env)
            if key.value in env.locals or key.value in self.context.names:
                taken(self.context, key, steps=False)
            if isinstance(t, EmptyType | NoneType):
                message = f"the type of {ticked(key.value)} is not known"
                self.context.error("E508", message, key.span, help=["write in its place what it stands for"])
                t = UNKNOWN
            env, index = env.bind(key.value, t)
            bound.append((index, value))
        return env, bound

    def said(self, function: symbols.Function) -> None:
        """Check what a condition says, whether or not a choice asks for it."""
        begin = known = call_frame([(p.name, p.type) for p in function.parameters])
        for test, why in function.reasons:
            self.text(why, known.knowing(self.learned(test, False)))
            known = known.knowing(self.learned(test, True))
        self.text(function.why_not, known if function.enough is None else begin)

    def condition_body(self, function: symbols.Function, env: Env) -> ir.Expr:
        holds: ir.Expr = ir.Const(True)
        for test, _ in reversed(function.reasons):
            holds = ir.Cond(self.of(test, env, BOOL)[0], holds, ir.Const(False), test.span)
        if function.enough is not None:
            holds = ir.Cond(self.of(function.enough, env, BOOL)[0], ir.Const(True), holds)
        return holds
