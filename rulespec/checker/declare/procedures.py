"""Procedures and phases, events, menus."""

from __future__ import annotations

from rulespec.checker import symbols
from rulespec.checker.declare.base import Declarer
from rulespec.checker.kinds import check_name
from rulespec.language.registry import verbs
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import MapNode


class ProcedureSections(Declarer):
    """Declares `procedures`, `phases`, `events` and `menus`; types of parameters are read once all types are there."""

    def procedures(self) -> None:
        context = self.context
        for section in ("procedures", "phases"):
            for key, node in context.section(section):
                if not check_name(context, key, "a procedure"):
                    continue
                if key.value in verbs():
                    context.error(
                        "E107",
                        f"{ticked(key.value)} is a verb of the language and cannot name a procedure",
                        key.span,
                        help=[f"give it another name, such as {ticked(key.value.replace(' ', '_') + '_step')}"],
                    )
                    continue
                if key.value in context.procedures:
                    first = context.procedures[key.value].span
                    context.error(
                        "E108",
                        f"there are two procedures named {ticked(key.value)}",
                        key.span,
                        related=[(first, "the first")],
                    )
                    continue
                body = node if isinstance(node, MapNode) else MapNode((), node.span)
                self.cites(body)
                gives = self.expressions.type(body.get("gives")) if "gives" in body else None
                stages = body.get("stages")
                procedure = symbols.Procedure(
                    name=key.value,
                    parameters=[],
                    gives=gives,
                    node=body,
                    span=key.span,
                    index=len(context.out_procedures),
                    phase=section == "phases",
                    stages=stages is not None,
                )
                context.out_procedures.append(None)
                if procedure.phase:
                    procedure.target = context.target(key.value)
                context.procedures[key.value] = procedure

    def procedure_parameters(self) -> None:
        """Types of parameters, once all types are there."""
        for procedure in self.context.procedures.values():
            procedure.parameters = self.parameters(procedure.node.get("takes"))

    def events(self) -> None:
        context = self.context
        for key, node in context.section("events"):
            if check_name(context, key, "an event"):
                takes = node.get("takes") if isinstance(node, MapNode) else None
                context.events[key.value] = symbols.Event(key.value, self.parameters(takes), key.span)

    def menus(self) -> None:
        for key, node in self.context.section("menus"):
            if check_name(self.context, key, "a menu") and isinstance(node, MapNode):
                self.context.menus[key.value] = symbols.Menu(
                    key.value, self.parameters(node.get("takes")), node, key.span
                )
