"""Checks expressions and keeps what their names stand for, and their types."""

from __future__ import annotations

from collections.abc import Iterable

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.context import CheckContext
from rulespec.checker.env import Env, Typed
from rulespec.checker.expressions import Expressions
from rulespec.checker.mentions import FUNCTION, LOCAL, Mention, Mentions, Probe, what_of
from rulespec.expr import syntax
from rulespec.language.registry import functions
from rulespec.language.types import EntityType, Type, UnknownType
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ScalarNode


class Recording(Expressions):
    """Checks expressions as `Expressions` does, and keeps what their names stand for."""

    def __init__(self, context: CheckContext, mentions: Mentions) -> None:
        super().__init__(context)
        self.mentions = mentions

    # --- names --------------------------------------------------------------------------------------------------------
    def expr(self, node: syntax.Expr, env: Env, want: Type | None = None) -> Typed:
        value = super().expr(node, env, want)
        if self.scalar is not None and not isinstance(value[1], UnknownType):
            self.mentions.add_type(self.scalar, node, value[1])
        return value

    def name(self, node: syntax.Name, env: Env, want: Type | None) -> Typed:
        if node.id == self.mentions.probe:
            self.mentions.probes.append(Probe(env.locals, want))
        value = super().name(node, env, want)
        if node.id in env.locals:
            self.keep(LOCAL, node.id, node)
        elif node.id not in self.context.names:
            self.member_or_type(node.id, value, node)
        return value

    def member_or_type(self, name: str, value: Typed, node: syntax.Name) -> None:
        """Keep a bare name of a member of a type, or of a type itself."""
        kinds, views = self.context.kinds, self.context.views
        if isinstance(value[0], ir.Const) and isinstance(value[1], EntityType) and isinstance(value[0].value, int):
            self.keep_member(kinds[value[1].kind], value[0].value, node.start, node.end)
        elif name in kinds or name in views:
            self.keep("type", name, node, kinds[name].span if name in kinds else views[name].span)

    def attribute(
        self,
        node: syntax.Attr,
        env: Env,
        args: tuple[Typed, ...] = (),
        written: tuple[syntax.Expr, ...] = (),
    ) -> Typed:
        base = node.obj
        plain = base.id if isinstance(base, syntax.Name) else ""
        bare = bool(plain) and plain not in env.locals and plain not in self.context.names
        if node.name == self.mentions.probe:
            if bare and plain in self.context.kinds:
                self.mentions.probes.append(Probe(env.locals, members=self.context.kinds[plain]))
            else:
                part_of = self.expr(base, env)[1]
                self.mentions.probes.append(Probe(env.locals, part_of=part_of, answers=tuple(env.sealed)))
        if bare and plain in self.context.kinds:
            self.keep("type", plain, base, self.context.kinds[plain].span)
        elif bare and plain in self.context.scopes:
            self.keep("scope", plain, base, self.context.scopes[plain].span)
        return super().attribute(node, env, args, written)

    def member_of(self, kind: symbols.Kind, node: syntax.Attr) -> Typed:
        value = super().member_of(kind, node)
        if isinstance(value[0], ir.Const) and isinstance(value[0].value, int) and isinstance(value[1], EntityType):
            self.keep_member(kind, value[0].value, node.name_start, node.end)
        return value

    def symbol(
        self,
        symbol: symbols.Symbol,
        args: tuple[Typed, ...],
        node: syntax.Expr,
        env: Env,
        written: tuple[syntax.Expr, ...] = (),
    ) -> Typed:
        named = node.func if isinstance(node, syntax.Call) else node
        start = named.name_start if isinstance(named, syntax.Attr) else named.start
        self.keep_at(what_of(symbol), symbol.name, start, named.end, symbol.span)
        return super().symbol(symbol, args, node, env, written)

    def call(self, node: syntax.Call, env: Env, want: Type | None) -> Typed:
        name = node.func.id if isinstance(node.func, syntax.Name) else ""
        if name in functions() and name not in self.context.names and name not in env.locals:
            self.keep(FUNCTION, name, node.func)
        return super().call(node, env, want)

    def type_tree(self, node: ScalarNode, tree: syntax.TypeExpr) -> Type:
        if isinstance(tree, syntax.TypeName):
            if tree.id == self.mentions.probe:
                self.mentions.probes.append(Probe({}, type=True))
            declared = self.context.kinds.get(tree.id) or self.context.views.get(tree.id)
            if declared is not None:
                self.mentions.add("type", tree.id, (node, tree.start, tree.end), declared.span)
        return super().type_tree(node, tree)

    # --- keeping ------------------------------------------------------------------------------------------------------
    def keep(self, what: str, name: str, node: syntax.Node, declared: Span | None = None) -> None:
        """Keep a name at a node of the expression that is being checked."""
        self.keep_at(what, name, node.start, node.end, declared)

    def keep_at(self, what: str, name: str, start: int, end: int, declared: Span | None) -> None:
        """Keep a name at a place of the expression that is being checked."""
        if self.scalar is not None:
            self.mentions.add(what, name, (self.scalar, start, end), declared)

    def keep_member(self, kind: symbols.Kind, number: int, start: int, end: int) -> None:
        """Keep the name of a member of a type."""
        self.keep_at(f"member of {kind.name}", kind.members[number], start, end, kind.spans[number])


def declarations(context: CheckContext) -> Iterable[Mention]:
    """All that a game declares: the name where it stands in a file, and what it is."""
    found: dict[tuple[str, int], Mention] = {}

    def add(what: str, name: str, span: Span) -> None:
        if span.text == name:
            found.setdefault((span.source.name, span.start), Mention(span, what, name, span))

    for kind in context.kinds.values():
        add("type", kind.name, kind.span)
        for member, span in zip(kind.members, kind.spans, strict=True):
            add(f"member of {kind.name}", member, span)
        for one in (*kind.fields.values(), *kind.attributes.values()):
            add(what_of(one), one.name, one.span)
    for view in context.views.values():
        add("type", view.name, view.span)
    for symbol in context.names.values():
        add(what_of(symbol), symbol.name, symbol.span)
    for what, table in (
        ("option", context.options),
        ("scope", context.scopes),
        ("event", context.events),
        ("menu", context.menus),
        ("procedure", context.procedures),
        ("rule", {rule.name: rule for rule in context.rules}),
    ):
        for name, declared in table.items():
            phase = isinstance(declared, symbols.Procedure) and declared.phase
            add("phase" if phase else what, name, declared.span)
    for scope in context.scopes.values():
        for name, one in scope.names.items():
            add(what_of(one), name, one.span)
    return found.values()
