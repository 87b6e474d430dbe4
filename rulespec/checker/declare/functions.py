"""Functions, values of members, conditions, views and graphs: what is worked out."""

from __future__ import annotations

from typing import Literal

from rulespec.checker import symbols
from rulespec.checker.context import flag
from rulespec.checker.declare.base import Declarer
from rulespec.checker.kinds import check_name, declare_name
from rulespec.language.types import (
    BOOL,
    EntityType,
    SetType,
    Type,
    UnknownType,
)  # fmt: skip
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode


class FunctionSections(Declarer):
    """Declares `functions`, `values`, `conditions`, `views` and the graphs of a map."""

    def declare_function(
        self,
        key: ScalarNode,
        node: Node,
        what: Literal["function", "value"],
        owner: symbols.Kind | None,
        this: Type | None,
    ) -> symbols.Function:
        parameters = [] if this is None else [symbols.Parameter("this", this, key.span)]
        gives: Type | None = None
        if isinstance(node, MapNode):
            parameters += self.parameters(node.get("takes"))
            gives = self.expressions.type(node.get("gives")) if "gives" in node else None
            let = node.get("let")
            for name, _ in let.entries if isinstance(let, MapNode) else ():
                check_name(self.context, name, "a value")
            self.cites(node)
        return symbols.Function(key.value, what, parameters, node, key.span, gives, owner=owner)

    def shown(self, function: symbols.Function, node: Node) -> None:
        """Keep in mind what people are shown; report what takes more than a member of a type."""
        if not isinstance(node, MapNode) or not flag(node, "shown", False):
            return
        types = [parameter.type for parameter in function.parameters]
        if len(types) < 2 and all(isinstance(t, EntityType) and t.view is None for t in types):
            self.context.shown.append(function)
        elif not any(isinstance(t, UnknownType) for t in types):
            self.context.error(
                "E613",
                f"it is not said of what `{function.name}` is shown",
                (node.key("shown") or node).span,
                expected="what takes nothing, or one member of a type: `values: {Player: {points: ...}}`",
                related=[(taken.span, "it takes this")] if (taken := node.get("takes")) is not None else [],
            )

    def functions(self) -> None:
        for key, node in self.context.section("functions"):
            if check_name(self.context, key, "a function"):
                function = self.declare_function(key, node, "function", None, None)
                declare_name(self.context, key, function)
                self.shown(function, node)

    def values(self) -> None:
        """What is known of the members of a kind or view beyond their fields."""
        context = self.context
        for owner, body in context.section("values"):
            view = context.views.get(owner.value)
            kind = view.kind if view else context.kinds.get(owner.value)
            if kind is None:
                context.unknown("E101", "type", owner.value, owner.span, [*context.kinds, *context.views])
                context.lost |= set(body.keys()) if isinstance(body, MapNode) else set()  # nobody has them
                continue
            this = EntityType(kind.name, owner.value) if view else kind.type
            for key, node in body.entries if isinstance(body, MapNode) else ():
                if not check_name(context, key, "a value"):
                    continue
                function = self.declare_function(key, node, "value", kind, this)
                self.shown(function, node)
                if key.value in kind.attributes:
                    context.error(
                        "E108",
                        f"{kind.name} has two parts named {ticked(key.value)}",
                        key.span,
                        related=[(kind.attributes[key.value].span, "the first")],
                    )
                kind.attributes[key.value] = function

    def conditions(self) -> None:
        context = self.context
        for key, node in context.section("conditions"):
            if not check_name(context, key, "a condition") or not isinstance(node, MapNode):
                continue
            self.cites(node)
            body = node.get("all")
            tests: list[tuple[Node, ScalarNode | None]] = []
            for item in body.items if isinstance(body, ListNode) else ():
                if isinstance(item, MapNode) and (test := item.get("if")) is not None:
                    tests.append((test, context.scalar(item.get("why"))))
                elif isinstance(item, ScalarNode):
                    tests.append((item, None))
            test = node.get("if")
            if test is not None:
                tests.append((test, context.scalar(node.get("why"))))
            function = symbols.Function(
                key.value,
                "condition",
                self.parameters(node.get("takes")),
                node,
                key.span,
                BOOL,
                reasons=tuple(tests),
                enough=context.scalar(node.get("enough")),
                why_not=context.scalar(node.get("why not")),
            )
            declare_name(self.context, key, function)
            self.shown(function, node)

    def views(self) -> None:
        context = self.context
        for key, node in context.section("views"):
            if not check_name(context, key, "a view") or not isinstance(node, MapNode):
                continue
            of = node.get("of")
            kind = context.kinds.get(of.value) if isinstance(of, ScalarNode) else None
            if kind is None:
                if isinstance(of, ScalarNode):
                    context.unknown("E101", "type", of.value, of.span, context.kinds)
                continue
            this = [symbols.Parameter("this", kind.type, key.span)]
            test = symbols.Function(key.value, "view", this, node.get("where"), key.span, BOOL)
            context.views[key.value] = symbols.View(key.value, kind, test, key.span)

    def graphs(self) -> None:
        """Named parts of a map: which links belong to it."""
        context = self.context
        node = context.root.get("map")
        places = next((k for k in context.kinds.values() if k.what == "node"), None)
        graphs = node.get("graphs") if isinstance(node, MapNode) else None
        if places is None or places.links is None:
            return
        for key, body in graphs.entries if isinstance(graphs, MapNode) else ():
            if check_name(context, key, "a graph"):
                links = body.get("links") if isinstance(body, MapNode) else body
                places.graphs[key.value] = symbols.Function(
                    key.value, "hidden", [], links, key.span, SetType(places.links.type)
                )
