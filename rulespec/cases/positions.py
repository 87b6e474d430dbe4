"""Positions with names, which cases share: steps that lay the table.

positions:
  nearly_over:
    - {move: all, from: deck, to: p1.hand}
"""

from __future__ import annotations

from rulespec.checker.context import CheckContext
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode


class Positions:
    """The positions of some files; reports names that stand there twice."""

    def __init__(self, roots: list[MapNode], diagnostics: Diagnostics) -> None:
        self.named: dict[str, tuple[ScalarNode, Node]] = {}
        self.used: set[str] = set()
        for root in roots:
            section = root.get("positions")
            for key, steps in section.entries if isinstance(section, MapNode) else ():
                if (first := self.named.get(key.value)) is not None:
                    message = f"there are two positions named {ticked(key.value)}"
                    diagnostics.add("K002", message, key.span, related=[(first[0].span, "the first")])
                self.named.setdefault(key.value, (key, steps))

    def of(self, node: Node | None, context: CheckContext) -> list[Node]:
        """The steps of the positions that a case names; reports those that are not there."""
        laid = []
        for name in () if node is None else context.words(node):
            if name.value in self.named:
                self.used.add(name.value)
                laid.append(self.named[name.value][1])
            else:
                context.unknown("K012", "position", name.value, name.span, self.named)
        return laid

    def check_used(self, diagnostics: Diagnostics) -> None:
        """Report the positions that no case begins with: nobody has looked at their steps."""
        for name, (key, _) in self.named.items():
            if name not in self.used:
                diagnostics.add(
                    "K013", f"no case begins with the position {ticked(name)}", key.span, severity="warning"
                )
