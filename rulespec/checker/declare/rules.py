"""Rules, those of pieces, and lasting effects: where each of them is heard."""

from __future__ import annotations

from rulespec.checker import symbols
from rulespec.checker.context import listed
from rulespec.checker.declare.base import Declarer
from rulespec.checker.kinds import check_name
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, ScalarNode

TIMINGS = ("before", "instead of", "after")
HEARD = (*TIMINGS, "always", "modify", "adds to")
# Keys that are read only of rules which are heard in some ways, and what stands in their place in the others.
READ = {
    **dict.fromkeys(("if", "why", "only"), ("adds to",)),
    **dict.fromkeys(("may", "order rank"), (*TIMINGS, "adds to")),
    "seen by": (*TIMINGS, "always", "adds to"),
    "by": ("modify",),
}
WHETHER = "`where:` says whether the rule acts"
INSTEAD = {
    ("if", "modify"): "`by: {..., if: ...}` says whether the value is changed",
    **{(key, heard): WHETHER for key in ("if", "why", "only") for heard in (*TIMINGS, "always")},
    **{(key, "always"): "it acts in the order of the file, as long as it has something to do" for key in ("may", "order rank")},
    **{("by", heard): "`by:` changes the value that `modify:` names; steps stand below `do:`" for heard in HEARD},
}  # fmt: skip


class RuleSections(Declarer):
    """Declares `rules`, `rules of` and `lasting`."""

    def lastings(self) -> None:
        context = self.context
        for key, node in context.section("lasting"):
            if check_name(context, key, "a lasting effect") and isinstance(node, MapNode):
                lasting = symbols.Lasting(
                    key.value, len(context.lastings), self.parameters(node.get("takes")), node, key.span
                )
                context.lastings[key.value] = lasting
                self.cites(node)
                rule = symbols.Rule(key.value, node, key.span, key, lasting=lasting)
                lasting.rules.append(rule)
                self.sort(rule)

    def rules(self) -> None:
        context = self.context
        for key, node in context.section("rules"):
            if check_name(context, key, "a rule") and isinstance(node, MapNode):
                self.cites(node)
                self.sort(symbols.Rule(key.value, node, key.span, key))
        for owner, bodies in context.section("rules of"):
            kind = context.kinds.get(owner.value)
            if kind is None or kind.what not in ("piece", "rows", "node", "enum"):
                context.unknown(
                    "E101",
                    "kind of piece",
                    owner.value,
                    owner.span,
                    [k.name for k in context.kinds.values() if k.what in ("piece", "node")],
                )
                continue
            for member, rules in bodies.entries if isinstance(bodies, MapNode) else ():
                if member.value == "each":
                    pieces = tuple(range(len(kind.members)))
                else:
                    names = kind.copies.get(member.value, [member.value])
                    pieces = tuple(n for n, name in enumerate(kind.members) if name in names)
                    if not pieces:
                        context.unknown(
                            "E104",
                            f"member of {kind.name}",
                            member.value,
                            member.span,
                            [*kind.members, "each"],
                            hint=f"{kind.name} has {listed(kind.members)}; `each` stands for all of them",
                        )
                        continue
                for key, node in rules.entries if isinstance(rules, MapNode) else ():
                    if check_name(context, key, "a rule") and isinstance(node, MapNode):
                        self.cites(node)
                        self.sort(symbols.Rule(f"{member.value}.{key.value}", node, key.span, key, kind, pieces))

    def sort(self, rule: symbols.Rule) -> None:
        """Where a rule is heard: at an event, always, in a value, in a menu."""
        context, node = self.context, rule.node
        context.rules.append(rule)
        for timing in TIMINGS:
            if isinstance(event := node.get(timing), ScalarNode):
                self.listens(rule, event, timing)
        if "always" in node:
            self.holds_always(rule)
        if isinstance(menu := node.get("adds to"), ScalarNode):
            self.adds(rule, menu)
        modify = node.get("modify")
        parts = list(modify.items) if isinstance(modify, ListNode) else [node] if modify is not None else []
        for part in parts:
            of = part.get("of") if isinstance(part, MapNode) and part is not node else modify
            if isinstance(of, ScalarNode) and isinstance(part, MapNode):
                value = of.value.rpartition(".")[2].strip()
                context.modifiers.setdefault(value, []).append((rule, part))
        heard_at = [key for key, _ in node.entries if key.value in HEARD]
        if len(heard_at) > 1:
            context.error(
                "E414",
                f"the rule `{rule.name}` is heard in two ways",
                heard_at[1].span,
                related=[(heard_at[0].span, "the first")],
                help=["write a rule for each; what they share is a procedure"],
            )
        if heard_at:
            self.unread(rule, heard_at[0].value)
        heard = "always" in node or bool(parts)
        heard = heard or any(isinstance(node.get(key), ScalarNode) for key in (*TIMINGS, "adds to"))
        if not heard and rule.lasting is None:
            context.error(
                "E404",
                f"nothing sets off the rule `{rule.name}`",
                rule.span,
                expected="one of before, after, instead of, always, modify, adds to",
            )

    def unread(self, rule: symbols.Rule, heard: str) -> None:
        """Report the keys that nothing reads of a rule which is heard in a way."""
        for key, _ in rule.node.entries:
            if heard not in READ.get(key.value, HEARD):
                instead = INSTEAD.get((key.value, heard))
                self.context.error(
                    "E413",
                    f"a rule with {ticked(heard)} cannot have {ticked(key.value)}",
                    key.span,
                    help=[instead or "leave it out"],
                )

    def listens(self, rule: symbols.Rule, event: ScalarNode, timing: str) -> None:
        """A rule that reacts to an event."""
        context = self.context
        if event.value not in context.events:
            context.unknown("E110", "event", event.value, event.span, context.events)
            return
        context.listeners.setdefault((event.value, timing), []).append(rule)
        self.number(rule)

    def holds_always(self, rule: symbols.Rule) -> None:
        """A rule that looks after every step."""
        self.context.always.append(rule)

    def adds(self, rule: symbols.Rule, menu: ScalarNode) -> None:
        """A rule that adds an option to a menu."""
        context = self.context
        if menu.value not in context.menus:
            context.unknown("E111", "menu", menu.value, menu.span, context.menus)
            return
        context.menus[menu.value].additions.append(rule)
        self.number(rule)

    def number(self, rule: symbols.Rule) -> None:
        """The next number of a rule in the program."""
        rule.index = len(self.context.out_rules)
        self.context.out_rules.append(None)
