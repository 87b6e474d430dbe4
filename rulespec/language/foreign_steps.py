"""Steps as programming languages write them, `deck.shuffle()` or `return p`: how they are said here, as hints."""

from __future__ import annotations

import re

from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

from . import foreign_words, registry

METHOD = re.compile(r"(?P<of>[A-Za-z_][\w.]*)\.(?P<name>\w+)\((?P<what>[^()]*)\)\Z")
COUNTED = re.compile(r"(?P<place>[A-Za-z_][\w.]*) ?(?P<sign>\+\+|--)\Z")
BETWEEN = re.compile(r",(?![^()]*\))")  # commas, but those between the arguments of a value
RETURNED = re.compile(r"return[ (]+(?P<what>[^ )].*?)\)?\Z", re.DOTALL)
INTO = "`{{move: {what}, to: {of}}}`; a variable grows by `{{add: {what}, to: {of}}}`"
OUT_OF = "`{{move: {what}, to: ...}}`; a variable shrinks by `{{lose: {what}, from: {of}}}`"
TAKEN = "`{{draw: 1, from: {of}, to: ...}}`"
METHODS = {
    "append": INTO, "add": INTO, "push": INTO, "insert": INTO, "extend": INTO, "put": INTO,
    "remove": OUT_OF, "discard": OUT_OF, "delete": OUT_OF,
    "pop": TAKEN, "draw": TAKEN, "take": TAKEN,
    "shuffle": "`shuffle: {of}`", "reveal": "`reveal: {of}`", "clear": "`{{move: {of}, to: ...}}`",
}  # fmt: skip


def said(text: str) -> str:
    """How a step of another language is said; empty if it is none."""
    return (
        foreign_words.verb(text)
        or returned(text)
        or method(text)
        or foreign_words.call(text)
        or foreign_words.assignment(text)
        or counted(text)
    )


def returned(text: str) -> str:
    """A result behind `return`."""
    match = RETURNED.match(text)
    if match is None:
        return ""
    if match["what"] == "none":
        return "a procedure without a result is left by `return` alone"
    return "a result is given by " + ticked(f"give: {match['what']}")


def method(text: str) -> str:
    """Something that is done to a thing behind its dot, `p.hand.append(red_1)`."""
    match = METHOD.match(text)
    if match is None or match["name"] not in METHODS:
        return ""
    return "write the step " + METHODS[match["name"]].format(of=match["of"], what=match["what"] or "...")


def counted(text: str) -> str:
    """One more or one less, `coins++`."""
    match = COUNTED.match(text)
    if match is None:
        return ""
    step = "add: 1, to" if match["sign"] == "++" else "lose: 1, from"
    return "write the step " + ticked(f"{{{step}: {match['place']}}}")


def stray_dash(words: str) -> str:
    """What is wrong with the dash of a step that is one text; empty where nothing is."""
    if words.startswith("-"):
        first = words[1:].partition(" -")[0]
        return f"write a space after the dash: {ticked(f'- {first}')}"
    if " - " in words:
        return "these are two steps: begin the dash of the second in the same column as the first"
    return "a step begins with a plain dash and a space, `- `" if words.startswith(("–", "—", "•")) else ""


def quoted_list(text: str) -> str:
    """A list or a mapping within quotes."""
    opened, closed = text[:1], text[-1:]
    return "take the quotes away" if opened + closed in ("[]", "{}") else ""


def called(text: str, parameters: list[str]) -> str:
    """The step of a call with values between its brackets; empty if it is no call, or has no value for the first parameter."""
    match = foreign_words.CALL.match(text)
    if match is None:
        return ""
    words = [word.strip() for word in BETWEEN.split(match[2]) if word.strip()]
    if len(words) > len(parameters) or not words:
        return ""
    keys = ", ".join(f"{key}: {word}" for key, word in zip((match[1], *parameters[1:]), words, strict=False))
    return f"write the whole step: {ticked(keys if len(words) == 1 else f'{{{keys}}}')}"


def with_keys(name: str, parameters: list[str], value: Node) -> str:
    """The step that calls a procedure, where its arguments stand in a list or a mapping."""
    parts = value.items if isinstance(value, ListNode) else ()
    if isinstance(value, MapNode):
        known = tuple(part for name in parameters if (part := value.get(name)) is not None)
        parts = known or tuple(part for _, part in value.entries)[: len(parameters)]
    words = [part.value if isinstance(part, ScalarNode) else "..." for part in parts] + ["..."] * len(parameters)
    keys = ", ".join(f"{key}: {word}" for key, word in zip((name, *parameters[1:]), words, strict=False))
    return f"write the whole step: {ticked(f'{{{keys}}}')}"


def gives_elsewhere(node: Node | None) -> bool:
    """Whether steps mean to give a result by `return`, which is reported."""
    if isinstance(node, ScalarNode):
        return RETURNED.match(node.value) is not None
    if isinstance(node, ListNode):
        return any(map(gives_elsewhere, node))
    if not isinstance(node, MapNode):
        return False
    returns = node.get("return")
    return (isinstance(returns, ScalarNode) and returns.value != "") or any(gives_elsewhere(v) for _, v in node.entries)


def named_behind(steps: Node | None, name: str, at: int) -> ScalarNode | None:
    """The first place behind a character at which steps give a name to something; the place itself is of the same file."""
    for given in given_names(steps):
        if given.value == name and given.span.start > at:
            return given
    return None


def given_names(node: Node | None) -> list[ScalarNode]:
    """The names that steps give, in their order."""
    if isinstance(node, ListNode):
        return [given for step in node for given in given_names(step)]
    if not isinstance(node, MapNode) or not node.entries:
        return []
    found: list[ScalarNode] = []
    for key, value in node.entries:
        if isinstance(value, ScalarNode) and is_new_name(node, key.value):
            found.append(value)
        elif not isinstance(value, ScalarNode):
            found += given_names(value)
    return found


def is_new_name(step: MapNode, key: str) -> bool:
    """Whether a key of a step is for a new name."""
    verb = registry.verbs().get(step.entries[0][0].value)
    shape = None if verb is None else verb.value if key == verb.name else verb.keys.get(key)
    return key == "as" or (shape is not None and shape.shape == "new name")
