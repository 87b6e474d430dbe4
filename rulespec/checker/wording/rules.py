"""Rules that come in by themselves, as sentences: when one does, and which values it changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulespec.checker.wording.expressions import parsed
from rulespec.checker.wording.ink import emphasis, link
from rulespec.checker.wording.names import NOTHING, Scope, anchor, section, text_of, words
from rulespec.checker.wording.steps import Step
from rulespec.ir.wording import listing
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

if TYPE_CHECKING:
    from rulespec.checker.wording.steps import Telling

WHEN = {"before": "before", "instead of": "in place of", "after": "after"}
CHANGED = {
    "add": "{} more",
    "subtract": "{} less",
    "set": "{} instead",
    "raise": "at least {}",
    "cap": "at most {}",
    "ignore": "without the part named {}",
}  # what is done to a value


def parameters(telling: Telling, node: Node | None, scope: Scope = NOTHING) -> tuple[Scope, list[str]]:
    """The scope of something with parameters, and what they are called, without who does it."""
    takes = section(node, "takes")
    said = []
    for key, _ in takes.entries if isinstance(takes, MapNode) else ():
        if key.value != "me":
            scope = telling.chosen(key.value, scope)
            said.append(emphasis(words(key.value)))
    return scope, said


def occasion(telling: Telling, node: MapNode, scope: Scope) -> tuple[list[str], Scope]:
    """When a rule comes in or may be chosen, part by part; and the scope of what it does."""
    speech, parts = telling.speech, []
    for timing, said in WHEN.items():
        if event := text_of(node.get(timing)):
            scope, _ = parameters(telling, section(telling.names.context.root, "events", event), scope)
            name = words(event)
            lead = "" if name.startswith(("before ", "after ")) else f"{said} "
            parts.append(f"{lead}{link(name, anchor('event', event))}")
    if menu := text_of(node.get("adds to")):
        parts.append(f"to choose among {telling.run(menu)}")
    if always := text_of(node.get("always")):
        said, scope = telling.whenever(always, scope)
        parts.append(said)
    if during := text_of(node.get("during")):
        parts.append(f"during {telling.named(during)}")
    parts += [
        f"if {speech.condition(test, scope)}" for key in ("live", "where", "if") if (test := text_of(node.get(key)))
    ]
    if owner := text_of(node.get("me")):
        parts.append(f"it is the rule of {speech.value(owner, scope)}")
    if rank := text_of(node.get("order rank")):
        parts.append(f"{'before' if rank == 'first' else 'after'} all other rules")
    if limit := text_of(node.get("limit")):
        parts.append(words(limit))
    if until := text_of(node.get("until")):
        parts.append(f"until {speech.condition(until, scope)}")
    return parts, scope


def changes(telling: Telling, node: MapNode, scope: Scope) -> Iterator[Step]:
    """The values that a rule changes."""
    modify = node.get("modify")
    parts: list[tuple[Node | None, Node | None]] = [(modify, node.get("by"))]
    if isinstance(modify, ListNode):
        parts = [(section(item, "of"), section(item, "by")) for item in modify.items]
    for of, by in parts:
        if not isinstance(of, ScalarNode) or not isinstance(by, MapNode):
            continue
        said = [
            CHANGED.get(key.value, f"{key.value} {{}}").format(telling.value(value, scope))
            for key, value in by.entries
            if key.value != "if"
        ]
        test = text_of(by.get("if"))
        when = f", if {telling.speech.condition(test, scope)}" if test else ""
        tree, to = parsed(of.value), text_of(by.get("set"))
        if tree is not None and to in ("yes", "no") and len(said) == 1:
            text = f"{telling.speech.holds(tree, scope, to == 'no')}{when}"
        else:
            text = f"{telling.speech.value(of.value, scope)}: {listing(said)}{when}"
        yield Step(telling.sentence(text), (), telling.origin(of))
