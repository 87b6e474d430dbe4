"""Calls: of functions of the game and of the language, and what binds a name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.ahead import AFTER, after
from rulespec.checker.boards import DIRECTION, board_call, of_board
from rulespec.checker.closure import CLOSURE, closure
from rulespec.checker.combinations import combinations
from rulespec.checker.counted import COUNTED, counted
from rulespec.checker.env import Env, Typed
from rulespec.checker.inference import (
    accepts,
    article,
    hint_of,
    number_type,
    substitute,
    unify,
)
from rulespec.checker.maps import CALLS_WITH_TABLES
from rulespec.checker.names import Names
from rulespec.checker.reader import BAD
from rulespec.checker.sentences import given, tested, unlike
from rulespec.expr import printer, syntax
from rulespec.language import foreign_words
from rulespec.language.registry import FunctionDef, functions
from rulespec.language.signatures import Signature
from rulespec.language.types import (
    UNKNOWN,
    BagType,
    EmptyType,
    EntityType,
    IntType,
    ListType,
    ManyType,
    OptionType,
    RankedType,
    RecordType,
    SetType,
    Type,
    UnknownType,
    VarType,
    has_text,
    is_many,
    item_of,
)  # fmt: skip
from rulespec.text.quoting import ticked
from rulespec.text.source import Span


class Calls(Names):
    """Checks calls and comprehensions."""

    def call(self, node: syntax.Call, env: Env, want: Type | None) -> Typed:
        if isinstance(node.func, syntax.Attr):
            args = tuple(
                self.expr(arg, env, self.parameter_type(node.func, position)) for position, arg in enumerate(node.args)
            )
            return self.attribute(node.func, env, args, node.args)
        name = node.func.id
        if name in env.locals:
            attributes = (kind.attributes for kind in self.context.kinds.values())
            hides = name in functions() or name in self.context.names or any(name in parts for parts in attributes)
            message = f"a parameter, answer or item named {ticked(name)} hides {ticked(f'{name}(...)')} here"
            help = [f"call it something else than {ticked(name)}"]
            return self.bad(
                "E304", message if hides else f"{ticked(name)} is not a function", node.func, help=help if hides else []
            )
        symbol = self.context.names.get(name)
        if symbol is None:
            for kind in self.context.kinds.values():
                attribute = kind.attributes.get(name)
                if isinstance(attribute, symbols.Function | symbols.Field):
                    symbol = attribute
                    break
        if isinstance(symbol, symbols.Field) and (read := self.field_of(node, env)) is not None:
            return read
        if isinstance(symbol, symbols.Field) and name in functions():
            symbol = None  # `corners()` of a board whose cells have `corners`
        if isinstance(symbol, symbols.Function):
            wants = [p.type for p in symbol.parameters]
        elif isinstance(symbol, symbols.Variable | symbols.Zone):
            wants = [symbols.index_type(i) for i in symbol.per]
        elif isinstance(symbol, symbols.Table):
            wants = [symbols.index_type(i) for i in symbol.keys if i != "players"]
        elif name in functions():
            return self.library(functions()[name], node, env, want)
        elif symbol is not None and not isinstance(symbol, symbols.Field):
            return self.bad("E304", f"{ticked(name)} is not a function", node.func)
        elif symbol is None and name == AFTER:
            return after(self, node, env, want)
        elif symbol is None and name == CLOSURE:
            return closure(self, node, env)
        elif symbol is None and name == COUNTED:
            return counted(self, node, env)
        elif symbol is None:
            called = (symbols.Function, symbols.Table, symbols.Variable, symbols.Zone)
            names = [n for n, s in self.context.names.items() if isinstance(s, called)]
            assert self.scalar is not None
            meant = foreign_call(name, node.args)
            self.context.unknown(
                "E300",
                "function",
                name,
                self.scalar.at(node.func.start, node.func.end),
                [] if meant else [*names, AFTER, CLOSURE, COUNTED, *functions()],
                hint=meant,
            )
            return BAD
        else:
            wants = []
        args = tuple(self.expr(a, env, wants[i] if i < len(wants) else None) for i, a in enumerate(node.args))
        return self.symbol(symbol, args, node, env, node.args)

    def field_of(self, node: syntax.Call, env: Env) -> Typed | None:
        """`corners(tile)`, the field of its only argument; None where a function of the language is meant that has the name too."""
        name = node.func.id if isinstance(node.func, syntax.Name) else ""
        if len(node.args) != 1:
            return None
        arg = node.args[0]
        if name in functions():
            if isinstance(arg, syntax.Name) and arg.id in self.context.kinds and arg.id not in env.locals:
                return None  # a type, such as the name of a board
            t = self.expr(arg, env)[1]
            if not isinstance(t, EntityType) or name not in self.context.kinds[t.kind].attributes:
                return BAD if isinstance(t, UnknownType) else None
        return self.attribute(syntax.Attr(arg, name, node.func.start, start=node.start, end=node.end), env)

    def parameter_type(self, func: syntax.Attr, position: int) -> Type | None:
        """The type of an argument of `x.f(a)`."""
        for kind in self.context.kinds.values():
            symbol = kind.attributes.get(func.name)
            if isinstance(symbol, symbols.Variable | symbols.Zone) and len(symbol.per) > position + 1:
                return symbols.index_type(symbol.per[position + 1])
            if isinstance(symbol, symbols.Function) and len(symbol.parameters) > position + 1:
                return symbol.parameters[position + 1].type
        function = self.context.names.get(func.name)
        if isinstance(function, symbols.Function) and len(function.parameters) > position + 1:
            return function.parameters[position + 1].type
        return None

    def library(self, function: FunctionDef, node: syntax.Call, env: Env, want: Type | None) -> Typed:
        """A call of a function of the language."""
        hidden_ones = [hidden for signature in function.signatures for hidden in signature.hidden]
        maps_too = self.context.has_map and not CALLS_WITH_TABLES.keys().isdisjoint(hidden_ones)
        if any(of_board(s) for s in function.signatures) and (
            self.context.boards or (of_board(function.signatures[0]) and not maps_too)
        ):
            return board_call(self, function, node, env)
        for hidden in hidden_ones:
            if hidden in CALLS_WITH_TABLES:
                return CALLS_WITH_TABLES[hidden](self, function, node, env)
        several = combinations(self, function, node, env, lambda name: self.is_new(name, env))
        if isinstance(several, syntax.Call):
            return self.library(
                functions()[several.func.id if isinstance(several.func, syntax.Name) else ""], several, env, want
            )
        first = several
        if several is not None:
            node = replace(node, args=node.args[-1:])
        elif function.binds and len(node.args) == 1:
            first = self.bound(function, node.args[0], env, want)
        candidates = [s for s in function.signatures if accepts(s, len(node.args))]
        if not candidates:
            return self.bad(
                "E301",
                given(function.name, function.signatures, len(node.args)),
                node,
                expected=" or ".join(s.text for s in function.signatures),
                help=in_words(function, node)
                or foreign_words.one_by_one(function.name, [printer.to_text(arg) for arg in node.args]),
            )
        if node.args and first is None:
            first = self.expr(node.args[0], env, hint_of(candidates, want))
        signature = self.overload(function, node, env, candidates, first)
        return BAD if signature is None else self.apply(function, signature, node, env, first)

    def overload(
        self, function: FunctionDef, node: syntax.Call, env: Env, candidates: list[Signature], first: Typed | None
    ) -> Signature | None:
        """The first signature that takes the first argument; None after a fault, which is reported."""
        if first is None:
            return candidates[0]
        if isinstance(first[1], UnknownType):
            for arg in node.args[1:]:
                self.quiet(arg, env)
            return None
        for signature in candidates:
            if unify(self.parameter(signature, 0), first[1], {}):
                return signature
        if isinstance(first[1], OptionType) and any(
            unify(self.parameter(signature, 0), first[1].item, {}) for signature in candidates
        ):
            self.may_be_none(node.args[0], first[1])
            return None
        if is_many(first[1]) and isinstance(item_of(first[1]), UnknownType):
            return None  # what is wrong with its items has been told
        self.bad(
            "E202",
            f"`{function.name}` does not take {article(first[1])}",
            node.args[0],
            expected=" or ".join(s.text for s in candidates),
            found=str(first[1]),
            help=foreign_words.of_many(function.name) if isinstance(first[1], ListType | SetType) else [],
        )
        return None

    def apply(
        self, function: FunctionDef, signature: Signature, node: syntax.Call, env: Env, first: Typed | None
    ) -> Typed:
        """A call with one signature; `first` is its first argument, typed."""
        binding: dict[str, Type] = {}
        values: list[ir.Expr] = []
        types: list[Type] = []
        for position, arg in enumerate(node.args):
            wanted = self.parameter(signature, position)
            if position == 0 and first is not None:
                value, t = first
            else:
                value, t = self.expr(arg, env, substitute(wanted, binding))
            if isinstance(t, UnknownType):
                return BAD
            types.append(t)
            if isinstance(t, EmptyType) and isinstance(wanted, BagType):
                t = BagType(str(substitute(VarType(wanted.kind), binding)))
                value = ir.Const(self.context.default_of(t))
            if not unify(wanted, t, binding):
                return self.mismatch(function, signature, wanted, arg, t, binding)
            values.append(value)
        for hidden in signature.hidden:
            values.append(self.hidden(hidden, binding))
        if isinstance(signature.result, ManyType):  # a set of a set, a list of a list
            result = types[0]
        else:
            result = number_type(signature.body, substitute(signature.result, binding), types)
            if isinstance(result, BagType) and result.kind not in self.context.kinds:
                result = UNKNOWN  # of what kind is not known where an error was told before
            if isinstance(result, VarType):
                message = f"`{function.name}` has nothing to give: there is no item in `empty`"
                return self.bad("E202", message, node, expected=signature.text)
            if isinstance(result, ListType | SetType) and isinstance(result.item, VarType):
                result = EmptyType()  # made of `empty` alone
        if self.scalar is not None:
            result = self.of_no_texts(result, self.scalar.at(node.start, node.end))
        return ir.Op(signature.body, tuple(values)), result

    def of_no_texts(self, t: Type, span: Span) -> Type:
        """The type, reported if it is a set of texts: what is filled into them has no order."""
        if not isinstance(t, SetType) or not has_text(t.item):
            return t
        self.context.error(
            "E218", "a set cannot hold texts, since they have no order", span, help=["use a list: `list of Text`"]
        )
        return UNKNOWN

    def mismatch(
        self,
        function: FunctionDef,
        signature: Signature,
        wanted: Type,
        arg: syntax.Expr,
        t: Type,
        binding: dict[str, Type],
    ) -> Typed:
        """Report an argument of a type that its parameter does not take."""
        if isinstance(t, OptionType) and unify(wanted, t.item, dict(binding)):
            return self.may_be_none(arg, t)
        return self.bad(
            "E202",
            f"this is {article(t)}, and `{function.name}` takes {article(substitute(wanted, binding))} here",
            arg,
            expected=signature.text,
            found=str(t),
        )

    def may_be_none(self, arg: syntax.Expr, t: Type) -> Typed:
        """Report an argument that would do if it were known."""
        return self.bad(
            "E203",
            f"{ticked(printer.to_text(arg))} may be none",
            arg,
            found=str(t),
            help=[tested(printer.to_text(arg))],
        )

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
            return self.context.size_of(self.context.kinds[t.kind])
        return ir.Const(0)

    def bound(self, function: FunctionDef, arg: syntax.Expr, env: Env, want: Type | None) -> Typed | None:
        """The argument of a function that binds: a comprehension, or `x in items` with a new name x."""
        match arg:
            case syntax.In(syntax.Name(id) as name, coll, False) if self.is_new(name, env):
                arg = syntax.Comp(None, id, coll, None, None, None, start=arg.start, end=arg.end)
        if not isinstance(arg, syntax.Comp):
            return None
        if function.binds == "by" and arg.word != "by":
            return self.bad(
                "E305",
                f"`{function.name}` needs `by`: the number that decides",
                arg,
                expected=f"{function.name}(x in items by number)",
            )
        if function.binds != "by" and arg.word == "by":
            return self.bad("E305", f"`{function.name}` takes no `by`", arg)
        if function.binds != "have" and arg.word == "have":
            return self.bad(
                "E305",
                f"`{function.name}` takes no `have`",
                arg,
                help=["a condition of some items is written after `where`"],
            )
        if function.binds == "have" and arg.word is None:
            return self.bad(
                "E305",
                f"`{function.name}` needs `have`: the condition that all must meet",
                arg,
                expected=f"{function.name}(x in items have condition)",
            )
        return self.comprehension(arg, env, None if want is None else ManyType(item_of(want)))

    def is_new(self, name: syntax.Name, env: Env) -> bool:
        """Whether a name before `in` is one that a loop gives to its items, and not that of something."""
        owners = self.context.members.get(name.id, ())
        # directions have names of one letter, which everybody gives to what a loop goes through
        return not self.resolvable(name, env) and all(kind.name == DIRECTION for kind, _ in owners)

    def comprehension(self, node: syntax.Comp, env: Env, want: Type | None) -> Typed:
        items, t = self.collection(node.coll, env)
        inner, index = env.bind(node.var, item_of(t))
        inner = inner.knowing(self.among(node))
        where = None if node.where is None else self.condition(node.where, inner)
        deeper = inner.knowing(self.header(node))
        key: ir.Expr | None = None
        if node.key is not None and node.word == "have":
            have = ir.Op("not_", (self.condition(node.key, deeper),))
            where = have if where is None else ir.Cond(where, have, ir.Const(False))
        elif node.key is not None:
            key, kind = self.expr(node.key, deeper)
            if not isinstance(kind, IntType | RecordType | UnknownType):
                self.bad(
                    "E201",
                    f"{unlike(printer.to_text(node.key), kind, 'a number')} after `by`",
                    node.key,
                    expected="a number, or several in parentheses",
                    found=str(kind),
                )
        if node.value is None:
            comp = ir.Comp(index, items, where, None, key)
            return comp, RankedType(item_of(t)) if key is not None else t
        value, value_type = self.expr(node.value, deeper, item_of(want) if want is not None else None)
        comp = ir.Comp(index, items, where, value, key)
        return comp, RankedType(value_type) if key is not None else ListType(value_type)


def in_words(function: FunctionDef, node: syntax.Call) -> list[str]:
    """The help where what is worked out and what it is worked out of are two arguments, `sum(p.coins, p in players)`."""
    match node.args:
        case (value, syntax.In(item=syntax.Name(), negated=False) as items) if function.binds:
            inside = f"{printer.to_text(value)} for {printer.to_text(items)}"
            return [f"write {ticked(f'{function.name}({inside})')}"]
    return []


def foreign_call(name: str, args: Sequence[syntax.Expr]) -> str:
    """How a call of another language is said, with its own arguments; empty where it is none."""
    given = [printer.to_text(arg) for arg in args]
    match name.lower(), args:
        case "contains" | "includes", (_, _):
            said = f"{given[1]} in {given[0]}"
        case "range", (_,) | (_, _):
            said = "..".join(given if len(given) == 2 else ["1", *given])
        case "union" | "flatten", (syntax.Comp(value=made) as comp,) if made is not None:
            said = f"set(each(x for {printer.to_text(replace(comp, value=None))}, x in {printer.to_text(made)}))"
        case "union", (_, _, *_):
            said = " + ".join(given)
        case "difference", (_, _):
            said = " - ".join(given)
        case "intersection" | "intersect", (_, _):
            said = f"those(x in {given[0]} where x in {given[1]})"
        case "empty" | "is_empty", (_,):
            said = f"{given[0]} is empty"
        case _:
            return ""
    return f"write {ticked(said)}"
