"""What steps do as they are written, before any code of them is made: whether they leave, what they set, what is known after them."""

from __future__ import annotations

import re
from dataclasses import replace

from rulespec.checker.env import Env
from rulespec.language.registry import VerbDef, verbs
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode


def joined(env: Env, ends: list[tuple[Node | None, Env]]) -> Env:
    """What is known after branches: what is known at the end of each that does not leave."""
    facts = [end.known for steps, end in ends if not leaves(steps)]
    return replace(env, known=frozenset.intersection(*facts)) if facts else env


def verb_of(step: Node) -> VerbDef | None:
    """The verb of a step, or the verb that a bare word is; None for a call."""
    if isinstance(step, ScalarNode):
        return verbs().get(step.value)
    return verbs().get(step.entries[0][0].value) if isinstance(step, MapNode) and step.entries else None


def changed(node: Node | None) -> set[str]:
    """The names of variables that steps assign to: where the steps may run again, none of them is known to hold something."""
    if isinstance(node, ListNode):
        return {name for item in node for name in changed(item)}
    if not isinstance(node, MapNode):
        return set()
    names = {name for _, value in node.entries for name in changed(value)}
    verb = verb_of(node)
    for key in () if verb is None else verb.traits.assigns:
        if isinstance(variable := node.get(key), ScalarNode):
            names.add(variable.value.rpartition(".")[2])
    return names


def again(env: Env, steps: Node | None) -> Env:
    """The environment of steps that may run again."""
    for name in sorted(changed(steps)) if env.known or env.sealed else ():
        env = env.forgetting(name)
    return env.unsure() if env.sealed and alters(steps) else env


def alters(node: Node | None) -> bool:
    """Whether steps may change the state: all but those that only ask, name, branch and tell."""
    if isinstance(node, ListNode):
        return any(alters(item) for item in node)
    if not isinstance(node, MapNode):
        return node is not None and node.value not in ("skip", "")
    verb = verb_of(node)
    if verb is None or not (verb.traits.sealed or verb.name == "log") or changed(node):
        return True
    inside = [
        value
        for key, value in node.entries
        if key.value in ("do", "then", "else")
        or (isinstance(value, ListNode | MapNode) and key.value not in ("only", "whole"))
    ]
    return any(map(alters, inside))


# What is meant to leave and is no step, as is said there: no procedure can have such a name.
LEAVES = re.compile(r"-\s*(?:return|stop|end|give|win)\b|(?:return|stop|end|give|win)\W")


def leaves(node: Node | None) -> bool:
    """Whether steps surely leave, so that what follows runs only where they did not."""
    steps = list(node.items) if isinstance(node, ListNode) else [node] if node is not None else []
    if not steps:
        return False
    last = steps[-1]
    verb = verb_of(last)
    if verb is None:
        return isinstance(last, ScalarNode) and LEAVES.match(last.value) is not None
    if not isinstance(last, MapNode):
        return verb.bare and verb.traits.leaves
    if verb.traits.branches:
        return all(leaves(last.get(key)) for key in verb.traits.branches)
    return verb.traits.leaves and "if" not in last
