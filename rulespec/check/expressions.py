"""From an expression as written to a typed expression of the program."""

from __future__ import annotations

from collections.abc import Sequence as Items
from itertools import chain

from rulespec import ir, model
from rulespec.check.context import MAX_GUESSES, Game
from rulespec.check.env import Env, LocalVar, Typed, call_frame
from rulespec.expr import parser, printer, syntax, template
from rulespec.registry import FunctionDef, Signature, functions
from rulespec.types import (
    BOOL, EMPTY, INT, NONE, PLAYERS, TEXT, UNKNOWN, BagType, BoolType, EmptyType, EntityType, IntType, ListType,
    ManyType, NoneType, OptionType, RankedType, RecordType, SetType, Type, UnknownType, VarType, fits, is_many, item_of, join,
)  # fmt: skip
from rulespec.yamltree import Mapping, Node, Scalar

MAX_DEPTH = 40  # of functions that call each other: they are evaluated without suspending
BAD: Typed = (ir.Const(None), UNKNOWN)
ORDERED = {"<": ("lt", False), ">": ("lt", True), "<=": ("le", False), ">=": ("le", True)}


class Expressions:
    """Checks the expressions of one game; knows where it stands only through the environment it is given."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.scalar: Scalar | None = None  # the one being read, for places
        self.depth = 0  # of functions being checked because others need them

    # --- entry points -------------------------------------------------------------------------------------------------
    def of(self, node: Node | None, env: Env, want: Type | None = None) -> Typed:
        """The expression in a scalar; with `want`, converted to that type or reported."""
        if not isinstance(node, Scalar):
            if node is not None:
                self.game.error("S001", "an expression is expected here", node.span, expected="an expression")
            return BAD
        tree = parser.expression(node, self.game.diagnostics) if self.game.may_parse(node) else None
        return BAD if tree is None else self.tree(node, tree, env, want)

    def tree(self, scalar: Scalar, tree: syntax.Expr, env: Env, want: Type | None = None) -> Typed:
        """A parsed expression of a scalar."""
        outer, self.scalar = self.scalar, scalar
        try:
            value = self.expr(tree, env, want)
            return value if want is None else (self.convert(value, want, tree), want)
        finally:
            self.scalar = outer

    def text(self, node: Node | None, env: Env) -> ir.Text:
        """A text with expressions in braces."""
        if not isinstance(node, Scalar):
            return ir.Text(())
        parts: list[str | tuple[ir.Expr, ir.Printer]] = []
        outer, self.scalar = self.scalar, node
        for part in (template.template(node, self.game.diagnostics) if self.game.may_parse(node) else None) or ():
            if isinstance(part, str):
                parts.append(part)
            else:
                value, t = self.expr(part, env)
                parts.append((value, self.game.printer(t)))
        self.scalar = outer
        return ir.Text(tuple(parts))

    def type(self, node: Node | None) -> Type:
        """The type in a scalar."""
        if not isinstance(node, Scalar):
            return UNKNOWN
        tree = parser.type_(node, self.game.diagnostics) if self.game.may_parse(node) else None
        return UNKNOWN if tree is None else self.type_tree(node, tree)

    def type_tree(self, node: Scalar, tree: syntax.TypeExpr) -> Type:
        match tree:
            case syntax.TypeRange(low=low, high=high):
                return IntType(low, high)
            case syntax.TypeOption(item=item):
                inner = self.type_tree(node, item)
                return inner if isinstance(inner, OptionType) else OptionType(inner)
            case syntax.TypeOf(ctor=ctor, item=item):
                inner = self.type_tree(node, item)
                if ctor == "set":
                    return SetType(inner)
                if ctor == "list":
                    return ListType(inner)
                if isinstance(inner, EntityType):
                    return BagType(inner.kind)
                if not isinstance(inner, UnknownType):
                    self.game.error("E102", f"a bag holds members of a type with names, not {inner}",
                                    node.at(item.start, item.end))  # fmt: skip
                return UNKNOWN
            case syntax.TypeName(id=name):
                return self.game.name_of_type(name, node.at(tree.start, tree.end))
        self.game.error("E102", "this type cannot stand here", node.at(tree.start, tree.end))
        return UNKNOWN

    def binder(self, node: Scalar, env: Env) -> tuple[Env, int, ir.Expr, ir.Expr | None, Type]:
        """A loop header `x in items where c`: the environment inside, the local, the items, the condition, the item's type.

        The local is the third of the loop's own (see ir.Next).
        """
        tree = parser.binder(node, self.game.diagnostics)
        outer, self.scalar = self.scalar, node
        try:
            if tree is None:
                inner, index = env.skip(2).bind("", UNKNOWN)
                return inner, index, ir.Const(()), None, UNKNOWN
            items, t = self.collection(tree.coll, env.skip(3))
            inner, index = env.skip(2).bind(tree.var, item_of(t))
            where = None if tree.where is None else self.condition(tree.where, inner)
            inner = inner.knowing(self.facts(tree.where, True)) if tree.where else inner
            return inner, index, items, where, item_of(t)
        finally:
            self.scalar = outer

    # --- faults -------------------------------------------------------------------------------------------------------
    def bad(self, code: str, message: str, node: syntax.Node, *, expected: str | None = None, found: str | None = None,
            help: Items[str] = ()) -> Typed:  # fmt: skip
        if self.scalar is not None:
            span = self.scalar.at(node.start, node.end)
            self.game.error(code, message, span, expected=expected, found=found, help=help)
        return BAD

    def convert(self, value: Typed, want: Type, node: syntax.Expr) -> ir.Expr:
        """The value as one of type `want`, reported if it cannot be."""
        expr, t = value
        if isinstance(t, UnknownType) or isinstance(want, UnknownType):
            return expr
        if isinstance(t, EmptyType) and isinstance(want, BagType):
            return ir.Const(self.game.default_of(want))
        if isinstance(want, SetType) and isinstance(t, ListType) and fits(t.item, want.item):
            return ir.Op("to_set", (expr,))
        if isinstance(want, OptionType) and not isinstance(t, OptionType | NoneType):
            return self.convert(value, want.item, node)
        if isinstance(want, EntityType) and want.view and isinstance(t, EntityType) and t.kind == want.kind and not t.view:
            test = self.game.views[want.view].test
            self.compile_function(test)
            return ir.Op("narrow", (expr, ir.Invoke(test.index or 0, (expr,))))
        if fits(t, want):
            return expr
        if isinstance(t, OptionType) and fits(t.item, want):
            self.bad("E203", f"`{printer.to_text(node)}` may be none", node, expected=str(want), found=str(t),
                     help=["test it with `is known` before, or write `... otherwise ...`"])  # fmt: skip
        else:
            self.bad("E201", f"this is {article(t)}, and {article(want)} is expected", node, expected=str(want), found=str(t))
        return expr

    def condition(self, node: syntax.Expr, env: Env) -> ir.Expr:
        """A yes or no."""
        return self.convert(self.expr(node, env, BOOL), BOOL, node)

    def number(self, node: syntax.Expr, env: Env) -> Typed:
        value = self.expr(node, env, INT)
        if isinstance(value[1], IntType | UnknownType):
            return value
        return self.convert(value, INT, node), INT

    def collection(self, node: syntax.Expr, env: Env, want: Type | None = None) -> Typed:
        """A list or set: of anything countable, a bag or an interval too."""
        value, t = self.expr(node, env, want)
        if isinstance(t, BagType):
            return ir.Op("bag_kinds", (value,)), SetType(EntityType(t.kind))
        if isinstance(t, EmptyType):
            return value, ListType(UNKNOWN)
        if is_many(t) or isinstance(t, UnknownType):
            return value, t
        return self.bad("E201", f"this is {article(t)}, and a list or set is expected", node, expected="a list or set",
                        found=str(t))  # fmt: skip

    # --- what is known ------------------------------------------------------------------------------------------------
    def facts(self, node: syntax.Expr | None, holds: bool) -> frozenset[str]:
        """Which expressions are not none where the condition holds (or does not)."""
        match node:
            case syntax.Is(x=x, what="known" | "none" as what, negated=negated):
                if ((what == "known") != negated) == holds:
                    return frozenset({printer.to_text(x)})
            case syntax.Unary(op="not", x=x):
                return self.facts(x, not holds)
            case syntax.Binary(op="and" | "or" as op, left=a, right=b):
                if (op == "and") == holds:
                    return self.facts(a, holds) | self.facts(b, holds)
            case syntax.Compare(op="==" | "!=" as op, left=a, right=b):
                if (op == "==") == holds and not any(isinstance(x, syntax.Name) and x.id == "none" for x in (a, b)):
                    return frozenset({printer.to_text(x) for x in (a, b) if not self.optional_text(x)})
            case syntax.In(item=x, negated=negated) if negated != holds:
                return frozenset({printer.to_text(x)})
        return frozenset()

    def optional_text(self, node: syntax.Expr) -> bool:
        return not isinstance(node, syntax.Name | syntax.Attr)

    # --- expressions --------------------------------------------------------------------------------------------------
    def expr(self, node: syntax.Expr, env: Env, want: Type | None = None) -> Typed:
        """The typed expression; `want` helps to find the members of types and is not enforced."""
        match node:
            case syntax.Num(value=value):
                return ir.Const(value), IntType(value, value)
            case syntax.Text(value=text):
                return ir.Const(text), TEXT
            case syntax.Name():
                return self.narrow(self.name(node, env, want), node, env)
            case syntax.Attr():
                return self.narrow(self.attribute(node, env), node, env)
            case syntax.Call():
                return self.narrow(self.call(node, env, want), node, env)
            case syntax.Unary(op="not", x=x):
                return ir.Op("not_", (self.condition(x, env),)), BOOL
            case syntax.Unary(x=x):
                value, t = self.number(x, env)
                if isinstance(value, ir.Const) and isinstance(value.value, int):
                    return ir.Const(-value.value), IntType(-value.value, -value.value)
                low, high = (t.low, t.high) if isinstance(t, IntType) else (None, None)
                return ir.Op("neg", (value,)), IntType(None if high is None else -high, None if low is None else -low)
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
            case syntax.Interval(low=low, high=high):
                if low is None or high is None:
                    return self.bad("E204", "an open interval has no end to count to", node,
                                    help=["give both ends: low..high"])  # fmt: skip
                a, b = self.number(low, env), self.number(high, env)
                bounds = IntType(low_of(a[1]), high_of(b[1]))
                return ir.Op("interval", (a[0], b[0])), ListType(bounds)
            case syntax.If(cond=cond, then=then, other=other):
                test = self.condition(cond, env)
                one = self.expr(then, env.knowing(self.facts(cond, True)), want)
                two = self.expr(other, env.knowing(self.facts(cond, False)), want or one[1])
                t = join(one[1], two[1])
                if t is None:
                    return self.bad("E205", f"the branches differ: {one[1]} and {two[1]}", node)
                return ir.Cond(test, self.convert(one, t, then), self.convert(two, t, other)), t
            case syntax.Tuple(items=parts):
                made = [self.expr(part, env) for part in parts]
                record = RecordType("(" + ", ".join(str(t) for _, t in made) + ")",
                                    tuple((str(i + 1), t) for i, (_, t) in enumerate(made)))  # fmt: skip
                return ir.Op("pack", tuple(e for e, _ in made)), record
            case syntax.Comp():
                return self.comprehension(node, env, want)
        raise AssertionError(node)

    def narrow(self, value: Typed, node: syntax.Expr, env: Env) -> Typed:
        """An optional value that is known here is one of its inner type."""
        expr, t = value
        if isinstance(t, OptionType) and env.known and (text := printer.to_text(node)) in env.known:
            return ir.Known(expr, text), t.item
        return value

    def name(self, node: syntax.Name, env: Env, want: Type | None) -> Typed:
        name = node.id
        match name:
            case "yes" | "no":
                return ir.Const(name == "yes"), BOOL
            case "none":
                return ir.Const(None), NONE
            case "empty":
                return ir.Const(()), EMPTY
            case "players":
                return ir.Op("seats", (ir.Setting("players"),)), PLAYERS
            case "winners":
                return ir.Load(ir.WINNERS), OptionType(PLAYERS)
        if local := env.locals.get(name):
            return ir.Local(local.index), local.type
        symbol = self.game.names.get(name)
        if symbol is not None:
            return self.symbol(symbol, (), node, env)
        if (member := self.member(name, want)) is not None:
            return member
        if name in self.game.kinds:
            kind = self.game.kinds[name]
            self.game.used.add(name)
            return self.game.members_of(kind), SetType(kind.type)
        if name in self.game.views:
            return self.view_members(self.game.views[name], env)
        owners = self.game.members.get(name, [])
        if len(owners) == 1:
            return ir.Const(owners[0][1]), owners[0][0].type
        if owners:
            names = [f"{kind.name}.{name}" for kind, _ in owners]
            return self.bad("E103", f"`{name}` is a member of {len(owners)} types", node, help=["write " + " or ".join(names)])
        if name == "me":
            return self.bad("E105", "there is no `me` here", node,
                            help=["`me` is the player whose rule it is; say who with `by:` or a parameter"])  # fmt: skip
        if name == "this":
            return self.bad("E105", "there is no `this` here", node)
        if name in functions():
            return self.bad("E302", f"`{name}` is a function and wants arguments", node,
                            expected=functions()[name].signatures[0].text)  # fmt: skip
        return self.missing(name, node, env, want)

    def missing(self, name: str, node: syntax.Expr, env: Env, want: Type | None) -> Typed:
        span = self.scalar.at(node.start, node.end) if self.scalar else None
        inner = unwrap(want)
        own = self.game.kinds[inner.kind].members if isinstance(inner, EntityType) else []
        if span is not None:
            if isinstance(inner, EntityType) and own and self.game.guesses <= MAX_GUESSES:
                from rulespec.diagnostics import nearest

                near = [*own, *env.locals, *self.game.names]
                self.game.guesses += len(near)
                close = nearest(name, near) if self.game.guesses <= MAX_GUESSES else None
                self.game.error("E100", f"there is nothing named `{name}` here", span, expected=str(inner),
                                help=[f"did you mean `{close}`?"] if close else
                                [f"{inner} has " + ", ".join(own[:8]) + (" ..." if len(own) > 8 else "")])  # fmt: skip
            else:
                candidates = chain(env.locals, self.game.names, self.game.members, self.game.kinds, functions())
                self.game.unknown("E100", "thing", name, span, candidates)
        return BAD

    def member(self, name: str, want: Type | None) -> Typed | None:
        """A member of the type expected here."""
        inner = unwrap(want)
        if isinstance(inner, EntityType):
            for kind, number in self.game.members.get(name, []):
                if kind.name == inner.kind:
                    return ir.Const(number), kind.type
        return None

    def resolvable(self, node: syntax.Expr, env: Env) -> bool:
        """Whether a bare name means something without an expected type."""
        if not isinstance(node, syntax.Name):
            return True
        return (
            node.id in env.locals or node.id in self.game.names or node.id in self.game.kinds or node.id in self.game.views
            or node.id in ("yes", "no", "none", "empty", "players", "winners")
        )  # fmt: skip

    def view_members(self, view: model.View, env: Env) -> Typed:
        self.compile_function(view.test)
        env.frame.reads |= view.test.reads
        self.game.used.add(view.name)
        inner, index = env.bind("", view.kind.type)
        test = ir.Invoke(view.test.index or 0, (ir.Local(index),))
        return ir.Comp(index, self.game.members_of(view.kind), test), SetType(EntityType(view.kind.name, view.name))

    # --- symbols ------------------------------------------------------------------------------------------------------
    def symbol(self, symbol: model.Symbol, args: tuple[Typed, ...], node: syntax.Expr, env: Env) -> Typed:
        """What a name with its indices stands for."""
        match symbol:
            case model.Variable() | model.Zone():
                self.game.used.add(symbol.name)
                if len(args) != len(symbol.per):
                    return self.wants(symbol.name, [str(model.index_type(i)) for i in symbol.per], len(args), node)
                env.frame.reads.add(symbol.base)
                if symbol.scope is not None:
                    env.frame.scopes.add(symbol.scope.name)
                return ir.Load(symbol.base, self.place(symbol.per, args, node), symbol.size), symbol.type
            case model.Option():
                self.game.used.add(symbol.name)
                return ir.Setting(symbol.name), symbol.type
            case model.Field():
                if len(args) != 1:
                    return self.wants(symbol.name, ["a piece"], len(args), node)
                return ir.Column(tuple(symbol.values), args[0][0]), symbol.type
            case model.Function():
                self.game.used.add(symbol.name)
                return self.invoke(symbol, args, node, env)
            case model.Table():
                self.game.used.add(symbol.name)
                return self.lookup(symbol, args, node)
        raise AssertionError(symbol)

    def wants(self, name: str, types: list[str], given: int, node: syntax.Expr) -> Typed:
        if not types:
            return self.bad("E301", f"`{name}` takes no arguments", node)
        wanted = "argument" if len(types) == 1 else "arguments"
        return self.bad("E301", f"`{name}` wants {len(types)} {wanted} and has {given}", node,
                        expected=f"{name}({', '.join(types)})")  # fmt: skip

    def place(self, per: tuple[model.Index, ...], args: tuple[Typed, ...], node: syntax.Expr) -> ir.Expr | None:
        """The offset of a variable or zone among its own."""
        offset: ir.Expr | None = None
        for index, arg in zip(per, args, strict=True):
            value = self.convert(arg, model.index_type(index), node)
            if isinstance(index, model.Numbers):
                value = ir.Op("sub", (value, ir.Const(index.low))) if index.low else value
            if offset is None:
                offset = value
            else:
                offset = ir.Op("add", (ir.Op("mul", (offset, ir.Const(model.index_size(index)))), value))
        return offset

    def invoke(self, function: model.Function, args: tuple[Typed, ...], node: syntax.Expr, env: Env) -> Typed:
        parameters = function.parameters
        if len(args) != len(parameters):
            return self.wants(function.name, [f"{p.name}: {p.type}" for p in parameters], len(args), node)
        if not self.compile_function(function):
            self.bad("E303", f"`{function.name}` is defined by itself", node, help=["functions must not be recursive"])
            return BAD
        env.frame.reads |= function.reads
        env.frame.scopes |= function.scopes
        values = tuple(self.convert(a, p.type, node) for a, p in zip(args, parameters, strict=True))
        return ir.Invoke(function.index or 0, values), function.result or UNKNOWN

    def lookup(self, table: model.Table, args: tuple[Typed, ...], node: syntax.Expr) -> Typed:
        keys = [k for k in table.keys if k != "players"]
        if len(args) != len(keys):
            return self.wants(table.name, [str(model.index_type(k)) for k in keys if k != "players"], len(args), node)
        parts: list[ir.Expr] = []
        given = iter(args)
        for key in table.keys:
            if key == "players":
                parts.append(ir.Setting("players"))
            else:
                parts.append(self.convert(next(given), model.index_type(key), node))
        if len(parts) == 1:
            rows = tuple((key[0], value) for key, value in table.rows.items())
            return ir.Op("row", (ir.Const(rows), parts[0])), table.type
        return ir.Op("row", (ir.Const(tuple(table.rows.items())), ir.Op("pack", tuple(parts)))), table.type

    def compile_function(self, function: model.Function) -> bool:
        """Check a function's body once; False if it is being checked just now, which means recursion."""
        if function.busy:
            return False
        if function.index is not None:
            return True
        if self.depth >= MAX_DEPTH:
            self.game.error("E306", f"functions call each other more than {MAX_DEPTH} deep", function.span)
            function.index, function.result = 0, function.result or UNKNOWN
            return True
        function.busy = True
        self.depth += 1
        outer = self.scalar
        env = call_frame([(p.name, p.type) for p in function.parameters])
        body, t = self.function_body(function, env)
        self.scalar = outer
        function.reads, function.scopes = env.frame.reads, env.frame.scopes
        if function.result is None:
            function.result = t
        self.game.out_functions.append(
            ir.Function(function.name, len(function.parameters), env.frame.locals, body, function.span)
        )
        function.index = len(self.game.out_functions) - 1
        function.busy = False
        self.depth -= 1
        return True

    def function_body(self, function: model.Function, env: Env) -> Typed:
        if function.what == "condition":
            return self.condition_body(function, env), BOOL
        node = function.node
        if isinstance(node, Mapping):
            if "layers" in node or "base" in node:
                from rulespec.check.layers import layered

                return layered(self, function, node, env)
            node = node.get("is")
        return self.of(node, env, function.result)

    def condition_body(self, function: model.Function, env: Env) -> ir.Expr:
        holds: ir.Expr = ir.Const(True)
        for test, _ in reversed(function.reasons):
            holds = ir.Cond(self.of(test, env, BOOL)[0], holds, ir.Const(False))
        if function.enough is not None:
            holds = ir.Cond(self.of(function.enough, env, BOOL)[0], ir.Const(True), holds)
        return holds

    # --- x.y ----------------------------------------------------------------------------------------------------------
    def attribute(self, node: syntax.Attr, env: Env, args: tuple[Typed, ...] = ()) -> Typed:
        base = node.obj
        if isinstance(base, syntax.Name) and not (base.id in env.locals or base.id in self.game.names):
            if base.id in self.game.kinds:
                kind = self.game.kinds[base.id]
                found = self.member(node.name, kind.type)
                if found is not None:
                    return found
                self.game.unknown("E104", f"member of {kind.name}", node.name, self.span_of_name(node), kind.members)
                return BAD
            if base.id in self.game.scopes and node.name in self.game.scopes[base.id].names:
                return self.symbol(self.game.scopes[base.id].names[node.name], args, node, env)
        # a variable per two kinds: p.level.strength, p.level(track)
        if isinstance(base, syntax.Attr) and not args and (pair := self.partial(base, env)) is not None:
            symbol, owner = pair
            index = symbol.per[1]
            if isinstance(index, model.Kind):
                if found := self.member(node.name, index.type):
                    return self.symbol(symbol, (owner, found), node, env)
                if local := env.locals.get(node.name):
                    return self.symbol(symbol, (owner, (ir.Local(local.index), local.type)), node, env)
                self.game.unknown("E104", f"member of {index.name}", node.name, self.span_of_name(node), index.members)
                return BAD
        value = self.expr(base, env)
        t = value[1]
        if isinstance(t, UnknownType):
            return BAD
        if isinstance(t, OptionType):
            self.bad("E203", f"`{printer.to_text(base)}` may be none", base, found=str(t),
                     help=["test it with `is known` before, or write `... otherwise ...`"])  # fmt: skip
            return BAD
        if isinstance(t, RecordType):
            for position, (name, part) in enumerate(t.fields):
                if name == node.name:
                    return ir.Op("get", (value[0], ir.Const(position))), part
            self.game.unknown("E104", f"field of {t.name}", node.name, self.span_of_name(node), [n for n, _ in t.fields])
            return BAD
        if not isinstance(t, EntityType):
            return self.bad("E206", f"{article(t)} has no parts", node, found=str(t))
        kind = self.game.kinds[t.kind]
        if node.name in env.sealed and kind.what == "player":
            local, position, part = env.sealed[node.name]
            return ir.Op("get", (ir.Op("get", (ir.Local(local), value[0])), ir.Const(position))), part
        symbol_here = kind.attributes.get(node.name)
        if symbol_here is None:
            special = self.special(kind, node, value, env)
            if special is not None:
                return special
            function = self.game.names.get(node.name)
            if isinstance(function, model.Function) and function.parameters and self.takes(function, kind):
                return self.symbol(function, (value, *args), node, env)
            if not isinstance(self.scalar, Scalar):
                return BAD
            self.game.unknown("E104", f"part of {t}", node.name, self.span_of_name(node),
                              [*kind.attributes, *env.sealed])  # fmt: skip
            return BAD
        return self.symbol(symbol_here, (value, *args), node, env)

    def takes(self, function: model.Function, kind: model.Kind) -> bool:
        first = function.parameters[0].type
        return isinstance(first, EntityType) and first.kind == kind.name

    def partial(self, node: syntax.Attr, env: Env) -> tuple[model.Variable | model.Zone, Typed] | None:
        """`p.level` where level has a second index."""
        name = node.obj.id if isinstance(node.obj, syntax.Name) else ""
        if name and not self.resolvable(node.obj, env) and len(self.game.members.get(name, ())) != 1:
            return None
        if not any(
            isinstance(s, model.Variable | model.Zone) and len(s.per) == 2
            for kind in self.game.kinds.values() if (s := kind.attributes.get(node.name))
        ):  # fmt: skip
            return None
        owner = self.expr(node.obj, env)
        if isinstance(owner[1], EntityType):
            symbol = self.game.kinds[owner[1].kind].attributes.get(node.name)
            if isinstance(symbol, model.Variable | model.Zone) and len(symbol.per) == 2:
                return symbol, owner
        return None

    def span_of_name(self, node: syntax.Attr):  # type: ignore[no-untyped-def]
        assert self.scalar is not None
        return self.scalar.at(node.name_start or node.start, node.end)

    def special(self, kind: model.Kind, node: syntax.Attr, value: Typed, env: Env) -> Typed | None:
        """What pieces know by themselves: who owns the zone they lie in, and which index of it."""
        if kind.what != "piece" or kind.location is None:
            return None
        location = ir.Load(kind.location, value[0], len(kind.members))
        env.frame.reads.add(kind.location)
        if node.name == "in_play":
            return ir.Op("le", (ir.Const(0), location)), BOOL
        wanted = "Player" if node.name == "owner" else None
        rows: list[tuple[ir.Value, ir.Value]] = []
        place: model.Kind | None = None
        for zone in self.game.zones:
            if zone.kind is not kind or not zone.per or not isinstance(zone.per[0], model.Kind):
                continue
            first = zone.per[0]
            if first.name != wanted and not (wanted is None and node.name == "place" and first.what == "node"):
                continue
            place = first
            stride = zone.size // len(first.members)
            rows.extend((zone.base + i, i // stride) for i in range(zone.size))
        if place is None:
            return None
        return ir.Op("row_or_none", (ir.Const(tuple(rows)), location)), OptionType(place.type)

    # --- calls --------------------------------------------------------------------------------------------------------
    def call(self, node: syntax.Call, env: Env, want: Type | None) -> Typed:
        if isinstance(node.func, syntax.Attr):
            args = tuple(self.argument(arg, env, self.parameter_type(node.func, position, env))
                         for position, arg in enumerate(node.args))  # fmt: skip
            return self.attribute(node.func, env, args)
        name = node.func.id
        if name in env.locals:
            return self.bad("E304", f"`{name}` is not a function", node.func)
        symbol = self.game.names.get(name)
        if symbol is None:
            for kind in self.game.kinds.values():
                own = kind.attributes.get(name)
                if isinstance(own, model.Function | model.Field):
                    symbol = own
                    break
        if isinstance(symbol, model.Function):
            wants = [p.type for p in symbol.parameters]
        elif isinstance(symbol, model.Variable | model.Zone):
            wants = [model.index_type(i) for i in symbol.per]
        elif isinstance(symbol, model.Table):
            wants = [model.index_type(i) for i in symbol.keys if i != "players"]
        elif name in functions():
            return self.library(functions()[name], node, env, want)
        elif symbol is not None and not isinstance(symbol, model.Field):
            return self.bad("E304", f"`{name}` is not a function", node.func)
        elif symbol is None:
            names = [n for n, s in self.game.names.items() if isinstance(s, model.Function | model.Table) or
                     getattr(s, "per", ())]  # fmt: skip
            assert self.scalar is not None
            self.game.unknown("E300", "function", name, self.scalar.at(node.func.start, node.func.end),
                              [*names, *functions()])  # fmt: skip
            return BAD
        else:
            wants = []
        args = tuple(self.expr(a, env, wants[i] if i < len(wants) else None) for i, a in enumerate(node.args))
        return self.symbol(symbol, args, node, env)

    def parameter_type(self, func: syntax.Attr, position: int, env: Env) -> Type | None:
        """The type of an argument of `x.f(a)`."""
        for kind in self.game.kinds.values():
            symbol = kind.attributes.get(func.name)
            if isinstance(symbol, model.Variable | model.Zone) and len(symbol.per) > position + 1:
                return model.index_type(symbol.per[position + 1])
            if isinstance(symbol, model.Function) and len(symbol.parameters) > position + 1:
                return symbol.parameters[position + 1].type
        function = self.game.names.get(func.name)
        if isinstance(function, model.Function) and len(function.parameters) > position + 1:
            return function.parameters[position + 1].type
        return None

    def argument(self, node: syntax.Expr, env: Env, want: Type | None) -> Typed:
        return self.expr(node, env, want)

    def library(self, function: FunctionDef, node: syntax.Call, env: Env, want: Type | None) -> Typed:
        """A call of a function of the language."""
        if function.name in MAP_FUNCTIONS:
            from rulespec.check.maps import map_call

            return map_call(self, function.name, node, env)
        if function.name in ("payments", "payable"):
            from rulespec.check.maps import payment_call

            return payment_call(self, function.name, node, env)
        first: Typed | None = None
        if function.binds and len(node.args) == 1:
            first = self.bound(function, node.args[0], env, want)
        candidates = [s for s in function.signatures if accepts(s, len(node.args))]
        if not candidates:
            return self.bad("E301", f"`{function.name}` is not called with {len(node.args)} arguments", node,
                            expected=" or ".join(s.text for s in function.signatures))  # fmt: skip
        hint = None if len(candidates) > 1 else argument_want(candidates[0], 0, {}, want)
        if len(candidates) > 1 and want is not None and function.name == "set":
            hint = item_of(want) if not isinstance(item_of(want), UnknownType) else None
        made: list[Typed] = []
        if node.args:
            made.append(first or self.expr(node.args[0], env, hint))
            if isinstance(made[0][1], UnknownType):
                for arg in node.args[1:]:
                    self.quiet(arg, env)
                return BAD
            kept = [s for s in candidates if unify(self.parameter(s, 0), made[0][1], {})]
            if not kept:
                return self.bad("E202", f"`{function.name}` does not take {article(made[0][1])}", node.args[0],
                                expected=" or ".join(s.text for s in candidates), found=str(made[0][1]))  # fmt: skip
            candidates = kept
        signature = candidates[0]
        binding: dict[str, Type] = {}
        values: list[ir.Expr] = []
        for position, arg in enumerate(node.args):
            wanted = self.parameter(signature, position)
            if position > 0:
                made.append(self.expr(arg, env, substitute(wanted, binding)))
            value, t = made[position]
            if isinstance(t, UnknownType):
                return BAD
            if isinstance(t, EmptyType) and isinstance(wanted, BagType):
                t = BagType(str(substitute(VarType(wanted.kind), binding)))
                value = ir.Const(self.game.default_of(t))
            if not unify(wanted, t, binding):
                inner = t.item if isinstance(t, OptionType) else None
                if inner is not None and unify(wanted, inner, dict(binding)):
                    return self.bad("E203", f"`{printer.to_text(arg)}` may be none", arg, found=str(t),
                                    help=["test it with `is known` before, or write `... otherwise ...`"])  # fmt: skip
                shown = substitute(wanted, binding)
                return self.bad("E202", f"this is {article(t)}, and `{function.name}` takes {article(shown)} here", arg,
                                expected=signature.text, found=str(t))  # fmt: skip
            values.append(value)
        for hidden in signature.hidden:
            values.append(self.hidden(hidden, binding))
        result = substitute(signature.result, binding)
        if function.name == "those" and made:
            result = made[0][1]
        if function.name in ("min", "max") or function.name in ("sum", "clamp", "abs", "highest", "lowest"):
            result = number_result(function.name, [t for _, t in made])
        if function.name in ("div", "mod") and isinstance(made[1][1], IntType):
            result = division(function.name, made[0][1], made[1][1])
        if function.name == "points":
            bounds = made[0][1]
            result = join(bounds, IntType(0, 0)) or INT
        return ir.Op(signature.body, tuple(values)), result

    def quiet(self, node: syntax.Expr, env: Env) -> None:
        """Check an argument for its own faults only."""
        if isinstance(node, syntax.Call | syntax.Attr | syntax.Binary | syntax.Compare):
            self.expr(node, env)

    def parameter(self, signature: Signature, position: int) -> Type:
        parameters = signature.parameters
        return parameters[min(position, len(parameters) - 1)].type

    def hidden(self, name: str, binding: dict[str, Type]) -> ir.Expr:
        """An argument that only the checker knows."""
        if name == "players":
            return ir.Setting("players")
        t = binding.get(name.removeprefix("members of "))
        if isinstance(t, EntityType):
            return self.game.size_of(self.game.kinds[t.kind])
        return ir.Const(0)

    def bound(self, function: FunctionDef, arg: syntax.Expr, env: Env, want: Type | None) -> Typed | None:
        """The argument of a function that binds: a comprehension, or `x in items` with a new name x."""
        if isinstance(arg, syntax.In) and not arg.negated and isinstance(arg.item, syntax.Name):
            if not self.resolvable(arg.item, env) and arg.item.id not in self.game.members:
                arg = syntax.Comp(None, arg.item.id, arg.coll, None, None, None, start=arg.start, end=arg.end)
        if not isinstance(arg, syntax.Comp):
            return None
        if function.binds == "by" and arg.word != "by":
            return self.bad("E305", f"`{function.name}` wants to know by which number", arg,
                            expected=f"{function.name}(x in items by number)")  # fmt: skip
        if function.binds != "by" and arg.word == "by":
            return self.bad("E305", f"`{function.name}` takes no `by`", arg)
        if function.binds == "have" and arg.word is None:
            return self.bad("E305", f"`{function.name}` wants to know what all items have", arg,
                            expected=f"{function.name}(x in items have condition)")  # fmt: skip
        return self.comprehension(arg, env, None if want is None else ManyType(item_of(want)))

    def comprehension(self, node: syntax.Comp, env: Env, want: Type | None) -> Typed:
        items, t = self.collection(node.coll, env)
        inner, index = env.bind(node.var, item_of(t))
        where = None if node.where is None else self.condition(node.where, inner)
        deeper = inner.knowing(self.facts(node.where, True)) if node.where is not None else inner
        key: ir.Expr | None = None
        if node.key is not None and node.word == "have":
            have = ir.Op("not_", (self.condition(node.key, deeper),))
            where = have if where is None else ir.Cond(where, have, ir.Const(False))
        elif node.key is not None:
            key, kind = self.expr(node.key, deeper)
            if not isinstance(kind, IntType | RecordType | UnknownType):
                self.bad("E201", f"this is {article(kind)}, and a number is expected after `by`", node.key,
                         expected="a number, or several in parentheses", found=str(kind))  # fmt: skip
        if node.value is None:
            made = ir.Comp(index, items, where, None, key)
            return made, RankedType(item_of(t)) if key is not None else t
        value, own = self.expr(node.value, deeper, item_of(want) if want is not None else None)
        made = ir.Comp(index, items, where, value, key)
        return made, RankedType(own) if key is not None else ListType(own)

    # --- operators ----------------------------------------------------------------------------------------------------
    def binary(self, node: syntax.Binary, env: Env, want: Type | None) -> Typed:
        match node.op:
            case "and":
                left = self.condition(node.left, env)
                right = self.condition(node.right, env.knowing(self.facts(node.left, True)))
                return ir.Cond(left, right, ir.Const(False)), BOOL
            case "or":
                left = self.condition(node.left, env)
                right = self.condition(node.right, env.knowing(self.facts(node.left, False)))
                return ir.Cond(left, ir.Const(True), right), BOOL
            case "otherwise":
                return self.otherwise(node, env, want)
            case "of":
                return self.of_kind(node, env)
        a = self.expr(node.left, env, want)
        b = self.expr(node.right, env, a[1])
        if isinstance(a[1], UnknownType) or isinstance(b[1], UnknownType):
            return BAD
        if isinstance(a[1], IntType) and isinstance(b[1], IntType):
            op = {"+": "add", "-": "sub", "*": "mul"}[node.op]
            return ir.Op(op, (a[0], b[0])), arithmetic(node.op, a[1], b[1])
        if node.op == "*":
            if isinstance(a[1], BagType) and isinstance(b[1], IntType):
                return ir.Op("bag_mul", (a[0], b[0])), a[1]
            return self.bad("E207", f"`*` does not multiply {article(a[1])} by {article(b[1])}", node)
        return self.joined(node, a, b)

    def joined(self, node: syntax.Binary, a: Typed, b: Typed) -> Typed:
        """+ and - of bags, lists and sets."""
        (left, s), (right, t) = a, b
        if isinstance(s, BagType) or isinstance(t, BagType):
            bag = s if isinstance(s, BagType) else t
            if isinstance(bag, BagType):
                x, y = (self.convert(v, bag, n) for v, n in ((a, node.left), (b, node.right)))
                return ir.Op("bag_add" if node.op == "+" else "bag_sub", (x, y)), bag
        if isinstance(s, EmptyType) and is_many(t):
            s = t
        if is_many(s):
            one = not (is_many(t) or isinstance(t, EmptyType))
            if one and (join(item_of(s), t) is not None):
                right, t = ir.Op("pack", (right,)), ListType(t)
            inner = item_of(s) if isinstance(t, EmptyType) else join(item_of(s), item_of(t))
            if inner is not None and (is_many(t) or isinstance(t, EmptyType)):
                if node.op == "-":
                    return ir.Op("minus", (left, right)), s
                if isinstance(s, SetType):
                    return ir.Op("union", (left, right)), SetType(inner)
                return ir.Op("concat", (left, right)), ListType(inner)
        if isinstance(s, OptionType) or isinstance(t, OptionType):
            which = node.left if isinstance(s, OptionType) else node.right
            return self.bad("E203", f"`{printer.to_text(which)}` may be none", which,
                            help=["test it with `is known` before, or write `... otherwise ...`"])  # fmt: skip
        verb = "add to" if node.op == "+" else "be taken from"
        return self.bad("E207", f"{article(t)} cannot {verb} {article(s)}", node, found=f"{s} {node.op} {t}")

    def otherwise(self, node: syntax.Binary, env: Env, want: Type | None) -> Typed:
        value, t = self.expr(node.left, env, want)
        if isinstance(t, UnknownType):
            return BAD
        if not isinstance(t, OptionType | NoneType):
            return self.bad("E208", f"`{printer.to_text(node.left)}` is never none, so `otherwise` does nothing", node.left)
        inner, index = env.bind("", t)
        other = self.expr(node.right, inner, want or t)
        own = t.item if isinstance(t, OptionType) else other[1]
        both = join(own, other[1])
        if both is None:
            return self.bad("E205", f"the two sides of `otherwise` differ: {own} and {other[1]}", node)
        test = ir.Op("is_none", (ir.Local(index),))
        return ir.Bind(index, value, ir.Cond(test, self.convert(other, both, node.right), ir.Local(index))), both

    def of_kind(self, node: syntax.Binary, env: Env) -> Typed:
        number, _ = self.number(node.left, env)
        kind, t = self.expr(node.right, env)
        if isinstance(t, UnknownType):
            return BAD
        if not isinstance(t, EntityType):
            return self.bad("E201", f"this is {article(t)}, and a kind of piece is expected after `of`", node.right)
        size = self.game.size_of(self.game.kinds[t.kind])
        return ir.Op("bag_one", (number, kind, size)), BagType(t.kind)

    def pair(self, left: syntax.Expr, right: syntax.Expr, env: Env) -> tuple[Typed, Typed]:
        """Both sides of a comparison: each may tell the other which type's members are meant."""
        if not self.resolvable(left, env) and self.resolvable(right, env):
            b = self.expr(right, env)
            return self.expr(left, env, b[1]), b
        a = self.expr(left, env)
        return a, self.expr(right, env, a[1])

    def compare(self, node: syntax.Compare, env: Env) -> ir.Expr:
        if node.op in ORDERED:
            op, swap = ORDERED[node.op]
            a, b = self.ordered(node.left, env), self.ordered(node.right, env)
            return ir.Op(op, (b, a) if swap else (a, b))
        (a, s), (b, t) = self.pair(node.left, node.right, env)
        if isinstance(s, UnknownType) or isinstance(t, UnknownType):
            return ir.Const(False)
        if isinstance(s, EmptyType) or isinstance(t, EmptyType):
            self.bad("E209", "compare with `empty` by `is empty`", node)
        both = join(s, t)
        if both is None:
            self.bad("E210", f"{article(s)} is never {article(t)}", node, found=f"{s} {node.op} {t}")
            return ir.Const(False)
        return ir.Op("eq" if node.op == "==" else "ne", (a, b))

    def ordered(self, node: syntax.Expr, env: Env) -> ir.Expr:
        value, t = self.expr(node, env, INT)
        if isinstance(t, RecordType | UnknownType):
            return value
        return self.convert((value, t), INT, node)

    def contains(self, node: syntax.In, env: Env) -> ir.Expr:
        found: ir.Expr
        if isinstance(node.coll, syntax.Interval):
            value, _ = self.number(node.item, env)
            inner, index = env.bind("", INT)
            low = None if node.coll.low is None else self.number(node.coll.low, inner)[0]
            high = None if node.coll.high is None else self.number(node.coll.high, inner)[0]
            above = ir.Const(True) if low is None else ir.Op("le", (low, ir.Local(index)))
            below = ir.Const(True) if high is None else ir.Op("le", (ir.Local(index), high))
            found = ir.Bind(index, value, ir.Cond(above, below, ir.Const(False)))
        else:
            if self.resolvable(node.item, env):
                item, s = self.expr(node.item, env)
                coll, t = self.expr(node.coll, env, SetType(unwrap(s) or s))
            else:
                coll, t = self.expr(node.coll, env)
                item, s = self.expr(node.item, env, item_of(t))
            if isinstance(s, UnknownType) or isinstance(t, UnknownType):
                return ir.Const(False)
            if isinstance(t, BagType):
                coll, t = ir.Op("bag_kinds", (coll,)), SetType(EntityType(t.kind))
            if not is_many(t) and not isinstance(t, EmptyType):
                self.bad("E201", f"this is {article(t)}, and a list or set is expected after `in`", node.coll)
            elif not isinstance(t, EmptyType) and join(unwrap(s) or s, item_of(t)) is None:
                self.bad("E210", f"{article(s)} is never in {article(t)}", node, found=f"{s} in {t}")
            found = ir.Op("contains", (coll, item))
        return ir.Op("not_", (found,)) if node.negated else found

    def includes(self, node: syntax.Includes, env: Env) -> ir.Expr:
        coll, s = self.expr(node.coll, env)
        item, t = self.expr(node.item, env, s)
        if isinstance(s, UnknownType) or isinstance(t, UnknownType):
            return ir.Const(False)
        if isinstance(s, BagType):
            if isinstance(t, EntityType) and t.kind == s.kind:
                return ir.Op("contains", (ir.Op("bag_kinds", (coll,)), item))
            return ir.Op("bag_includes", (coll, self.convert((item, t), s, node.item)))
        if is_many(s):
            if is_many(t):
                return ir.Op("includes", (coll, item))
            if join(item_of(s), t) is not None:
                return ir.Op("contains", (coll, item))
        self.bad("E207", f"{article(s)} does not include {article(t)}", node)
        return ir.Const(False)

    def state_of(self, node: syntax.Is, env: Env) -> ir.Expr:
        value, t = self.expr(node.x, Env(env.frame, env.locals, env.depth, frozenset(), env.sealed))
        if isinstance(t, UnknownType):
            return ir.Const(False)
        if node.what == "empty":
            if isinstance(t, BagType):
                found: ir.Expr = ir.Op("eq", (ir.Op("bag_size", (value,)), ir.Const(0)))
            elif is_many(t):
                found = ir.Op("eq", (ir.Op("size", (value,)), ir.Const(0)))
            else:
                self.bad("E201", f"this is {article(t)}, and only a list, set or bag can be empty", node.x, found=str(t))
                return ir.Const(False)
            return ir.Op("not_", (found,)) if node.negated else found
        if not isinstance(t, OptionType | NoneType):
            self.bad("E208", f"`{printer.to_text(node.x)}` is never none", node, found=str(t))
            return ir.Const(False)
        found = ir.Op("is_none", (value,))
        return ir.Op("not_", (found,)) if (node.what == "known") != node.negated else found


MAP_FUNCTIONS = frozenset({"neighbours", "adjacent", "border", "reach", "distance", "path", "connected"})


# --- types of calls and arithmetic ------------------------------------------------------------------------------------
def unwrap(t: Type | None) -> Type | None:
    """The type inside `or none`."""
    return t.item if isinstance(t, OptionType) else t


def accepts(signature: Signature, count: int) -> bool:
    """Whether the signature can be called with so many arguments."""
    parameters = signature.parameters
    return count >= 1 if parameters and parameters[-1].rest else count == len(parameters)


def argument_want(signature: Signature, position: int, binding: dict[str, Type], want: Type | None) -> Type | None:
    """What is expected of an argument, as far as the expected result tells."""
    if not signature.parameters:
        return None
    if want is not None:
        unify(signature.result, want, binding)
    t = substitute(signature.parameters[min(position, len(signature.parameters) - 1)].type, binding)
    return None if isinstance(t, VarType) else t


def unify(wanted: Type, given: Type, binding: dict[str, Type]) -> bool:
    """Whether a given type is an instance of a wanted one; binds its variables."""
    match wanted, given:
        case _, UnknownType():
            return True
        case VarType(name=name), _:
            bound = binding.get(name)
            if bound is None:
                binding[name] = given
                return True
            both = join(bound, given)
            if both is None:
                return False
            binding[name] = both
            return True
        case BagType(kind=kind), BagType(kind=own) if len(kind) == 1:
            return unify(VarType(kind), EntityType(own), binding)
        case ManyType(item=item), (ListType(item=own) | SetType(item=own)):
            return unify(item, own, binding)
        case (ManyType() | ListType() | SetType()), EmptyType():
            return True
        case ListType(item=item), (ListType(item=own) | SetType(item=own)):
            return unify(item, own, binding)
        case SetType(item=item), SetType(item=own):
            return unify(item, own, binding)
        case RankedType(item=item), RankedType(item=own):
            return unify(item, own, binding)
        case OptionType(item=item), OptionType(item=own):
            return unify(item, own, binding)
        case OptionType(item=item), _:
            return isinstance(given, NoneType) or unify(item, given, binding)
    return fits(given, wanted)


def substitute(t: Type, binding: dict[str, Type]) -> Type:
    """A type of a signature with its variables replaced."""
    match t:
        case VarType(name=name):
            return binding.get(name, t)
        case ManyType(item=item):
            return ListType(substitute(item, binding))
        case ListType(item=item):
            return ListType(substitute(item, binding))
        case SetType(item=item):
            return SetType(substitute(item, binding))
        case OptionType(item=item):
            return OptionType(substitute(item, binding))
        case BagType(kind=kind) if len(kind) == 1:
            inner = binding.get(kind)
            return BagType(inner.kind) if isinstance(inner, EntityType) else t
    return t


def low_of(t: Type) -> int | None:
    """The lower bound of a number."""
    return t.low if isinstance(t, IntType) else None


def high_of(t: Type) -> int | None:
    """The upper bound of a number."""
    return t.high if isinstance(t, IntType) else None


def arithmetic(op: str, a: IntType, b: IntType) -> IntType:
    """The bounds of a sum, difference or product."""
    if op == "+":
        return IntType(plus(a.low, b.low), plus(a.high, b.high))
    if op == "-":
        return IntType(plus(a.low, None if b.high is None else -b.high), plus(a.high, None if b.low is None else -b.low))
    if None in (a.low, a.high, b.low, b.high):
        return IntType(0, None) if (a.low or -1) >= 0 <= (b.low or -1) else INT
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high) if x is not None and y is not None]
    return IntType(min(ends), max(ends))


def plus(a: int | None, b: int | None) -> int | None:
    """The sum of two bounds."""
    return None if a is None or b is None else a + b


def number_result(name: str, types: list[Type]) -> Type:
    """The bounds of what a function of numbers gives."""
    bounds = [t if isinstance(t, IntType) else item_of(t) for t in types]
    numbers = [b for b in bounds if isinstance(b, IntType)]
    lows, highs = [b.low for b in numbers], [b.high for b in numbers]
    known_lows, known_highs = [x for x in lows if x is not None], [x for x in highs if x is not None]
    match name:
        case "min":
            low = min(known_lows) if len(known_lows) == len(lows) else None
            return IntType(low, min(known_highs) if known_highs else None)
        case "max":
            high = max(known_highs) if len(known_highs) == len(highs) else None
            return IntType(max(known_lows) if known_lows else None, high)
        case "clamp":
            return IntType(lows[1], highs[2])
        case "sum":
            return IntType(0 if lows and lows[0] is not None and lows[0] >= 0 else None, None)
        case "abs":
            return IntType(0, None)
    return IntType(lows[0], highs[0]) if numbers else INT


def division(name: str, number: Type, by: IntType) -> Type:
    """The bounds of div and mod."""
    if name == "mod" and by.low is not None and by.low > 0:
        return IntType(0, None if by.high is None else by.high - 1)
    if name == "div" and by.low is not None and by.low > 0 and isinstance(number, IntType):
        low = 0 if number.low is not None and number.low >= 0 else number.low
        return IntType(low, number.high)
    return INT


def article(t: Type) -> str:
    """A type in a sentence."""
    text = str(t)
    if isinstance(t, BoolType):
        return "a yes or no"
    if isinstance(t, NoneType | EmptyType):
        return f"`{text}`"
    if isinstance(t, IntType):
        return "a number" if t == INT else f"a number in {text}"
    return f"{'an' if text[0] in 'AEIOUaeiou' else 'a'} {text}"


__all__ = ["BAD", "Expressions", "LocalVar", "article", "high_of", "low_of", "unwrap"]
