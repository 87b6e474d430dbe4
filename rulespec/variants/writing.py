"""Nodes as YAML text: what reads as the same tree again, short ones on one line."""

from __future__ import annotations

import json

from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source, Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode, parse

WIDE = 110  # characters of a line
ODD_IN_FLOW = ",[]{}"


def word(text: str) -> ScalarNode:
    """A plain scalar that stands in no file."""
    return ScalarNode(text, "plain", Span(Source("", text), 0, len(text)))


def scalar(node: ScalarNode, within: bool = True) -> str:
    """A scalar as text; `within` brackets."""
    text = node.value
    if node.style == "plain" and not (within and any(sign in text for sign in ODD_IN_FLOW)):
        found = Diagnostics()
        again = parse(Source("", f"x: {text}\n"), found)
        value = again.get("x") if isinstance(again, MapNode) and len(again) == 1 and not len(found) else None
        if isinstance(value, ScalarNode) and value.value == text and value.style == "plain":
            return text
    return json.dumps(text, ensure_ascii=False)


def flow(node: Node) -> str:
    """A tree on one line."""
    if isinstance(node, MapNode):
        return "{" + ", ".join(f"{scalar(key)}: {flow(value)}" for key, value in node.entries) + "}"
    if isinstance(node, ListNode):
        return "[" + ", ".join(map(flow, node.items)) + "]"
    return scalar(node)


def on_one_line(node: Node, room: int = WIDE) -> str | None:
    """A tree on one line; None where that is too long, or a value is left out, which only a line of its own can show."""
    if left_out(node):
        return None
    line = flow(node)
    return line if len(line) <= room else None


def left_out(node: Node) -> bool:
    """Whether there is no value where one may stand."""
    if isinstance(node, ScalarNode):
        return not node.value and node.style == "plain"
    inner = (value for _, value in node.entries) if isinstance(node, MapNode) else iter(node.items)
    return any(map(left_out, inner))


def block(node: Node) -> list[str]:
    """A tree as lines."""
    lines: list[str] = []
    if isinstance(node, MapNode) and node.entries:
        for key, value in node.entries:
            name = scalar(key, within=False)
            lines += under(f"{name}:", value)
        return lines
    if isinstance(node, ListNode) and node.items:
        for item in node.items:
            line = None if isinstance(item, ScalarNode) else on_one_line(item)
            inner = block(item) if line is None else [line]
            lines.append(f"- {inner[0]}".rstrip())
            lines += [f"  {line}" for line in inner[1:]]
        return lines
    return [scalar(node, within=False) if isinstance(node, ScalarNode) else flow(node)]


def under(name: str, value: Node) -> list[str]:
    """A key with its colon, and its value: on its line, if that is short."""
    if isinstance(value, ScalarNode):
        return [f"{name} {scalar(value, within=False)}".rstrip()]
    line = on_one_line(value, WIDE - len(name))
    if line is not None or not len(value):
        return [f"{name} {flow(value) if line is None else line}"]
    return [name, *(f"  {line}" for line in block(value))]
