"""What names stand for: locals, symbols of the game, members of types, and the parts of things."""

from __future__ import annotations

from itertools import chain
from typing import assert_never

from rulespec import ir
from rulespec.checker import missing, symbols
from rulespec.checker.boards import set_of_directions
from rulespec.checker.context import MAX_GUESSES, listed
from rulespec.checker.env import ASKED, Env, Sealed, Typed
from rulespec.checker.inference import (
    article,
    unify,
    unwrap,
)
from rulespec.checker.reader import BAD, Reader
from rulespec.checker.sentences import NAMED, tested
from rulespec.expr import printer, syntax
from rulespec.language import foreign_steps, foreign_words
from rulespec.language.registry import FunctionDef, functions
from rulespec.language.types import (
    BOOL,
    EMPTY,
    NONE,
    PLAYER,
    PLAYERS,
    TEXT,
    UNKNOWN,
    EntityType,
    IntType,
    OptionType,
    RecordType,
    SetType,
    Type,
    UnknownType,
    is_many,
    item_of,
)  # fmt: skip
from rulespec.text.diagnostics import nearest
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ScalarNode

Written = tuple[syntax.Expr, ...]


class Names(Reader):
    """Resolves bare names and `x.y`."""

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
        symbol = self.context.names.get(name)
        if symbol is not None:
            return self.symbol(symbol, (), node, env)
        if (member := self.member(name, want)) is not None:
            return member
        if name in self.context.kinds:
            kind = self.context.kinds[name]
            self.context.used.add(name)
            return self.context.members_of(kind), SetType(kind.type)
        if name in self.context.views:
            return self.view_members(self.context.views[name], env)
        owners = self.context.members.get(name, [])
        owners = [(kind, number) for kind, number in owners if kind.faces_of is None] or owners
        if len(owners) == 1:
            self.context.refs.add(("member", f"{owners[0][0].name}.{name}"))
            return ir.Const(owners[0][1]), owners[0][0].type
        if owners:
            names = [f"{kind.name}.{name}" for kind, _ in owners]
            return self.bad(
                "E103", f"{ticked(name)} is a member of {len(owners)} types", node, help=["write " + " or ".join(names)]
            )
        if name in ("me", "this"):
            return self.bad("E105", f"there is no {ticked(name)} here", node, help=[whose(name, env)])
        if (ways := set_of_directions(self.context, name)) is not None:
            return ways
        if name == "all" and unwrap(want) == PLAYER:
            says = "`all` is nobody in particular, but a player is needed here"
            cure = "one after the other: `for: p in players` and `by: p`; all at once: `together: p in players`"
            return self.bad("E302", says, node, help=[cure])
        if name in functions():
            return self.bad(
                "E302",
                f"{ticked(name)} is a function and needs parentheses with what it is of",
                node,
                expected=functions()[name].signatures[0].text,
            )
        return self.missing(name, node, env, want)

    def missing(self, name: str, node: syntax.Expr, env: Env, want: Type | None) -> Typed:
        span = self.scalar.at(node.start, node.end) if self.scalar else None
        if name == symbols.TIMES:
            says = "it is not said what makes a position"
            return self.bad("E119", says, node, expected=symbols.POSITION_WANTED)
        known = self.context.diagnostics
        if name not in known.refused and missing.handed_over(name, self.context):
            known.refused.add(name)  # it is said where it is handed over
        if (
            self.context.may_be_cell(name)
            or name in self.context.lost
            or name in known.refused
            or known.incomplete
            or env.frame.vague
        ):
            known.silence("E100", f"there is nothing named {ticked(name)} here", span)
            return BAD
        inner = unwrap(want)
        members = self.context.kinds[inner.kind].members if isinstance(inner, EntityType) else []
        if span is not None:
            if (later := foreign_steps.named_behind(env.frame.steps, name, span.start)) is not None:
                line = later.span.line
                self.context.error(
                    "E100",
                    f"{ticked(name)} is not known yet: it gets its value in line {line}",
                    span,
                    related=[(later.span, "here it is named")],
                    help=["move this behind that step, or that step up"],
                    subject=f"{name} before line {line}",
                )
            elif name in env.frame.named:
                self.context.error(
                    "E100",
                    f"there is nothing named {ticked(name)} here",
                    span,
                    expected=None if inner is None else str(inner),
                    help=[f"{ticked(name)} is known only inside the loop, branch or search that names it"],
                )
            elif isinstance(inner, EntityType) and members and self.context.guesses <= MAX_GUESSES:
                near = [*members, *env.locals, *self.context.names]
                self.context.guesses += len(near)
                close = nearest(name, near) if self.context.guesses <= MAX_GUESSES else None
                hint = (
                    f"it is written `{foreign_words.NAMES[name]}`"
                    if name in foreign_words.NAMES
                    else "; ".join(
                        filter(None, (missing.one_of(name, inner, self.context, env), f"{inner} has {listed(members)}"))
                    )
                )
                if inner == PLAYER and not missing.in_sight(PLAYER, self.context, env):
                    hint = f"{hint}; {missing.declared(name, inner)}"
                self.context.error(
                    "E100",
                    f"there is nothing named {ticked(name)} here",
                    span,
                    expected=str(inner),
                    help=[
                        self.context.copies_of(name, members) or (f"did you mean {ticked(close)}?" if close else hint)
                    ],
                    subject=name,
                )
            else:
                everything = (
                    ("players",), env.locals, self.context.names, self.context.members, self.context.kinds, functions()
                )  # fmt: skip
                hint = (
                    f"a text has quotes within quotes: '\"{name}\"'"
                    if inner == TEXT
                    else self.of_everybody(name, env) or missing.one_of(name, None, self.context, env)
                )
                last = missing.declared(name, inner)
                candidates = () if hint and name.casefold() in missing.PEOPLE else chain(*everything)
                self.context.unknown("E100", "thing", name, span, candidates, hint=hint, last=last)
        return BAD

    def of_everybody(self, name: str, env: Env) -> str:
        """The help where each player has an answer of that name, given in `together`."""
        if name not in env.sealed:
            return ""
        return f"each player has an own answer: {ticked(missing.whose(name, 'Player', self.context, env))}"

    def member(self, name: str, want: Type | None) -> Typed | None:
        """A member of the type expected here."""
        inner = unwrap(want)
        if isinstance(inner, EntityType):
            for kind, number in self.context.members.get(name, []):
                if kind.name == inner.kind:
                    self.context.refs.add(("member", f"{kind.name}.{name}"))
                    return ir.Const(number), kind.type
        return None

    def view_members(self, view: symbols.View, env: Env) -> Typed:
        self.compile_function(view.test)
        env.using(view.test)
        self.context.used.add(view.name)
        _, index = env.hold(view.kind.type)
        test = ir.Invoke(view.test.index or 0, (ir.Local(index),))
        return ir.Comp(index, self.context.members_of(view.kind), test), SetType(EntityType(view.kind.name, view.name))

    def symbol(
        self, symbol: symbols.Symbol, args: tuple[Typed, ...], node: syntax.Expr, env: Env, written: Written = ()
    ) -> Typed:
        """What a name with its indices stands for; `written` is where each of these stands."""
        match symbol:
            case symbols.Variable() | symbols.Zone():
                self.context.used.add(symbol.name)
                if len(args) != len(symbol.per):
                    owners = [str(symbols.index_type(i)) for i in symbol.per]
                    if not args:
                        own = missing.whose(symbol.name, owners[0], self.context, env)
                        members = [
                            f"{kind.name}.{symbol.name}" for kind, _ in self.context.members.get(symbol.name, [])
                        ]
                        return self.bad(
                            "E301",
                            f"each {' and '.join(owners)} has its own `{symbol.name}`: say whose",
                            node,
                            expected=f"{symbol.name}({', '.join(owners)})",
                            help=[
                                *([f"write whose it is, such as {ticked(own)}"] if len(owners) == 1 else []),
                                *(
                                    [f"or {' or '.join(members)}, where the member of that name is meant"]
                                    if members
                                    else []
                                ),
                            ],
                        )
                    return self.wants(symbol.name, [str(symbols.index_type(i)) for i in symbol.per], len(args), node)
                env.frame.reads.add(symbol.base)
                if symbol.scope is not None:
                    env.frame.scopes.add(symbol.scope.name)
                return ir.Load(symbol.base, self.place(symbol.per, args, node, written), symbol.size), symbol.type
            case symbols.Option():
                self.context.used.add(symbol.name)
                return ir.Setting(symbol.name), symbol.type
            case symbols.Field():
                if len(args) != 1:
                    return self.wants(symbol.name, ["a piece"], len(args), node)
                if isinstance(args[0][1], EntityType):
                    self.context.reads_field(args[0][1].kind, symbol.name)
                return ir.Column(tuple(symbol.values), args[0][0]), symbol.type
            case symbols.Function():
                self.context.used.add(symbol.name)
                return self.invoke(symbol, args, node, env, written)
            case symbols.Table():
                self.context.used.add(symbol.name)
                return self.lookup(symbol, args, node, written)
            case symbols.Kind() | symbols.View():
                raise AssertionError(symbol)  # a type is no value
            case _:
                assert_never(symbol)

    def wants(self, name: str, types: list[str], given: int, node: syntax.Expr) -> Typed:
        if "takes" in self.context.diagnostics.refused:  # what some function takes cannot be read, which is reported
            return BAD
        help: tuple[str, ...] = ()
        if given and name in functions():
            help = (f"a name of the game hides the function {ticked(name)}; call yours something else",)
        elif not given:
            help = (f"say whose: `x.{name}` or `{name}(x)`",) if len(types) == 1 else ()
        if not types:
            return self.bad("E301", f"{ticked(name)} takes no arguments", node, help=help)
        wanted = "argument" if len(types) == 1 else "arguments"
        return self.bad(
            "E301",
            f"{ticked(name)} needs {len(types)} {wanted} and has {given}",
            node,
            expected=f"{name}({', '.join(types)})",
            help=help,
        )

    def place(
        self, per: tuple[symbols.Index, ...], args: tuple[Typed, ...], node: syntax.Expr, written: Written = ()
    ) -> ir.Expr | None:
        """The offset of a variable or zone among its own."""
        offset: ir.Expr | None = None
        for index, arg, at in zip(per, args, written or (node,) * len(args), strict=True):
            value = self.convert(arg, symbols.index_type(index), at)
            if isinstance(index, symbols.Numbers):
                value = ir.Op("sub", (value, ir.Const(index.low))) if index.low else value
                if len(per) > 1 and not certain(arg, index):  # one index beyond its range would be another's place
                    value = ir.Column(tuple(range(symbols.index_size(index))), value)
            if offset is None:
                offset = value
            else:
                offset = ir.Op("add", (ir.Op("mul", (offset, ir.Const(symbols.index_size(index)))), value))
        return offset

    def invoke(
        self, function: symbols.Function, args: tuple[Typed, ...], node: syntax.Expr, env: Env, written: Written = ()
    ) -> Typed:
        parameters = function.parameters
        left_out = parameters[len(args) :]
        if len(args) > len(parameters) or any(p.default is None for p in left_out):
            return self.wants(function.name, [symbols.signed(p) for p in parameters], len(args), node)
        if not self.compile_function(function):
            cure = (
                "no function uses itself, nor by way of others: count with `sum(...)`, or repeat steps in a procedure"
            )
            self.bad("E303", f"`{function.name}` is defined by itself", node, help=[cure])
            return BAD
        env.using(function)
        places = written or (node,) * len(args)
        given = [self.argument(a, p, at) for a, p, at in zip(args, parameters, places, strict=False)]
        values = (*given, *(self.default(p, env) for p in left_out))
        return ir.Invoke(function.index or 0, values), function.result or UNKNOWN

    def lookup(self, table: symbols.Table, args: tuple[Typed, ...], node: syntax.Expr, written: Written = ()) -> Typed:
        keys = [k for k in table.keys if not isinstance(k, str)]
        if len(args) != len(keys):
            return self.wants(table.name, [str(symbols.index_type(k)) for k in keys], len(args), node)
        parts: list[ir.Expr] = []
        given = zip(args, written or (node,) * len(args), strict=True)
        for key in table.keys:
            if key == "players":
                parts.append(ir.Setting("players"))
            else:
                arg, at = next(given)
                parts.append(self.convert(arg, symbols.index_type(key), at))
        if not table.read:
            one = len(parts) == 1
            table.read.append(ir.Const(tuple((key[0] if one else key, value) for key, value in table.rows.items())))
        return ir.Op("row", (table.read[0], parts[0] if len(parts) == 1 else ir.Op("pack", tuple(parts)))), table.type

    def attribute(self, node: syntax.Attr, env: Env, args: tuple[Typed, ...] = (), written: Written = ()) -> Typed:
        """`base.name`: a member of a type, a variable of a scope, a part of a record or of a member of a type."""
        base = node.obj
        if isinstance(base, syntax.Name) and not (base.id in env.locals or base.id in self.context.names):
            if base.id in self.context.kinds:
                return self.member_of(self.context.kinds[base.id], node)
            if base.id in self.context.scopes and node.name in self.context.scopes[base.id].names:
                return self.symbol(self.context.scopes[base.id].names[node.name], args, node, env, written)
        # a variable per two kinds: p.level.strength, p.level(track)
        if isinstance(base, syntax.Attr) and not args and (pair := self.partial(base, env)) is not None:
            symbol, owner = pair
            if isinstance(symbol.per[1], symbols.Kind):
                return self.second_index(symbol, symbol.per[1], owner, node, env)
        value, t = self.expr(base, env)
        if isinstance(t, UnknownType):
            return BAD
        if isinstance(t, RecordType):
            return self.part_of_record(value, t, node)
        if isinstance(t, EntityType):
            return self.part_of_member((value, t), t, node, env, args, written)
        return self.no_parts(t, node)

    def member_of(self, kind: symbols.Kind, node: syntax.Attr) -> Typed:
        """`Colour.red`"""
        member = self.member(node.name, kind.type)
        if member is None:
            at = self.span_of_name(node)
            other = kind.other_names.get(node.name)
            hint = f"it is named {ticked(other)}, by the first of its cells" if other else ""
            near = () if other else kind.members
            self.context.unknown("E104", f"member of {kind.name}", node.name, at, near, owner=kind.name, hint=hint)
        return member or BAD

    def second_index(
        self, symbol: symbols.Variable | symbols.Zone, index: symbols.Kind, owner: Typed, node: syntax.Attr, env: Env
    ) -> Typed:
        """`p.level.strength`: the member of the second index, by its name or by that of a local."""
        if member := self.member(node.name, index.type):
            return self.symbol(symbol, (owner, member), node, env)
        if local := env.locals.get(node.name):
            return self.symbol(symbol, (owner, (ir.Local(local.index), local.type)), node, env)
        self.context.unknown("E104", f"member of {index.name}", node.name, self.span_of_name(node), index.members)
        return BAD

    def part_of_record(self, value: ir.Expr, t: RecordType, node: syntax.Attr) -> Typed:
        """`way.cards`"""
        for position, (name, part) in enumerate(t.fields):
            if name == node.name:
                return ir.Op("get", (value, ir.Const(position))), part
        names = [name for name, _ in t.fields]
        self.context.unknown("E104", f"field of {t.name}", node.name, self.span_of_name(node), names)
        return BAD

    def part_of_member(
        self, value: Typed, t: EntityType, node: syntax.Attr, env: Env, args: tuple[Typed, ...], written: Written
    ) -> Typed:
        """`p.coins`: an attribute of the kind, an answer given in `together`, or a function of one."""
        kind = self.context.kinds[t.kind]
        if node.name in env.sealed and kind.what == "player":
            return self.answer(value, env.sealed[node.name], node, env)
        attribute = kind.attributes.get(node.name)
        if attribute is not None:
            return self.symbol(attribute, (value, *args), node, env, (node.obj, *written))
        special = self.special(kind, node, value, env)
        if special is not None:
            return special
        function = self.context.names.get(node.name)
        if isinstance(function, symbols.Function) and function.parameters and self.takes(function, kind):
            return self.symbol(function, (value, *args), node, env, (node.obj, *written))
        if isinstance(self.scalar, ScalarNode):
            names = [*kind.attributes, *env.sealed]
            of = next(
                (f for f in (node.name, f"{node.name}_of") if f in functions() and takes_one(functions()[f], t)), ""
            )
            hint = f"it is written {ticked(f'{of}({printer.to_text(node.obj)})')}" if of else ""
            if node.name in ("name", "title", "label"):
                hint = f"in a text, {ticked(f'{{{printer.to_text(node.obj)}}}')} is what it is called"
            place = self.span_of_name(node)
            self.context.unknown("E104", f"part of {t}", node.name, place, names, owner=str(t), hint=hint)
        return BAD

    def answer(self, player: Typed, sealed: Sealed, node: syntax.Attr, env: Env) -> Typed:
        """What a player chose in `together`; none where somebody who was not asked may be meant."""
        all_of_it = ir.Op("get", (ir.Local(sealed.results), player[0]))
        part = ir.Op("get", (all_of_it, ir.Const(sealed.position)))
        fixed = isinstance(node.obj, syntax.Name) and (
            node.obj.id in env.locals or node.obj.id in self.context.kinds["Player"].members
        )
        path = printer.to_text(node)
        if sealed.asked == () or path in env.known or (fixed and ASKED + path in env.known):
            return part, sealed.type
        optional = sealed.type if isinstance(sealed.type, OptionType) else OptionType(sealed.type)
        return ir.Cond(ir.Op("is_none", (all_of_it,)), ir.Const(None), part), optional

    def no_parts(self, t: Type, node: syntax.Attr) -> Typed:
        """Report that a value of the type has no parts, or may be none."""
        base = printer.to_text(node.obj)
        if isinstance(t, OptionType):
            return self.bad(
                "E203",
                f"{ticked(base)} may be none",
                node.obj,
                found=str(t),
                help=[tested(base)],
            )
        function = functions().get(node.name) or functions().get(foreign_words.NAMES.get(node.name, ""))
        self.context.error(
            "E206",
            f"nothing can follow the dot: {ticked(base) if len(base) <= NAMED else 'this'} is {article(t)}",
            self.span_of_name(node),
            found=str(t),
            help=[f"write {ticked(f'{function.name}({base})')}"]
            if function is not None
            else self.of_each(t, base, node.name),
        )
        return BAD

    def of_each(self, t: Type, base: str, name: str) -> list[str]:
        """The cure where each item of a list or set has what is asked of all of them."""
        item = item_of(t) if is_many(t) else None
        if name in foreign_steps.METHODS:
            return [foreign_steps.method(f"{base}.{name}()")]
        if not isinstance(item, EntityType) or name not in self.context.kinds[item.kind].attributes:
            return []
        return [
            f"each of them has its own: go through them, {ticked(f'for: x in {base}')}, and write {ticked(f'x.{name}')}"
        ]

    def takes(self, function: symbols.Function, kind: symbols.Kind) -> bool:
        first = function.parameters[0].type
        return isinstance(first, EntityType) and first.kind == kind.name

    def partial(self, node: syntax.Attr, env: Env) -> tuple[symbols.Variable | symbols.Zone, Typed] | None:
        """`p.level` where level has a second index."""
        name = node.obj.id if isinstance(node.obj, syntax.Name) else ""
        if name and not self.resolvable(node.obj, env) and len(self.context.members.get(name, ())) != 1:
            return None
        if not any(
            isinstance(s, symbols.Variable | symbols.Zone) and len(s.per) == 2
            for kind in self.context.kinds.values()
            if (s := kind.attributes.get(node.name))
        ):
            return None
        owner = self.expr(node.obj, env)
        if isinstance(owner[1], EntityType):
            symbol = self.context.kinds[owner[1].kind].attributes.get(node.name)
            if isinstance(symbol, symbols.Variable | symbols.Zone) and len(symbol.per) == 2:
                return symbol, owner
        return None

    def span_of_name(self, node: syntax.Attr) -> Span:
        assert self.scalar is not None
        return self.scalar.at(node.name_start or node.start, node.end)

    def special(self, kind: symbols.Kind, node: syntax.Attr, value: Typed, env: Env) -> Typed | None:
        """What pieces know by themselves: who owns the zone they lie in, and which index of it."""
        if kind.what != "piece" or kind.location is None:
            return None
        location = ir.Load(kind.location, value[0], len(kind.members))
        env.frame.reads.add(kind.location)
        if node.name == "in_play":
            return ir.Op("le", (ir.Const(0), location)), BOOL
        wanted = {"owner": ("player",), "place": ("node", "cell", "part")}.get(node.name, ())
        for first in self.context.kinds.values():
            if first.what in wanted and (rows := self.context.located(kind, first)) is not None:
                return ir.Op("row_or_none", (rows, location)), OptionType(first.type)
        return None


def takes_one(function: FunctionDef, t: Type) -> bool:
    """Whether some signature of a function takes a value of a type as its first argument."""
    return any(signature.parameters and unify(signature.parameters[0].type, t, {}) for signature in function.signatures)


def certain(value: Typed, index: symbols.Numbers) -> bool:
    """Whether a number is an index for sure: nothing but a variable holds one to the range of its type."""
    expr, t = value
    return (
        isinstance(expr, ir.Const | ir.Load)
        and isinstance(t, IntType)
        and t.low is not None
        and t.high is not None
        and index.low <= t.low
        and t.high <= index.high
    )


def whose(name: str, env: Env) -> str:
    """What `me` or `this` would be, said where there is none."""
    if name == "me":
        return (
            "say who is meant, such as `active` or `p1`; or let the procedure or function take it, `takes: {me: Player}`: "
            "then `by:` says who it is"
        )
    entities = [word for word, local in env.locals.items() if isinstance(local.type, EntityType)][:3]
    here = f"; here there is {', '.join(entities)}" if entities else ""
    return f"`this` is the member whose `values` or rules these are; a function has parameters instead{here}"
