"""Paths: how a variant names one place in the tree of a game, such as `procedures.trick[choose card].only`.

A name leads to the value of a key; a name with dots or brackets in it is quoted.  Brackets choose the one item
of a list that fits: by keys with their values, `[choose card]`, `[move all, from c.under]`, or only by a key, `[while]`; a word by
itself, `[skip]`; or by its number from 1, `[2]`.  On a list they look at its items, on a mapping at the items of all lists
anywhere in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.language.sections import BLOCKS
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics, nearest
from rulespec.text.numbers import natural
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

MAX_PARTS = 40
SHOWN = 4  # candidates that a message names
LONGEST = 60  # characters of a label in a path
EVERY = "every"
ODD = ("[", "]", '"', "'", ": ", " #")  # what cannot stand in a label, or makes YAML ask for quotes around the path
FIXED = (
    "rulespec",
    "id",
    "parts",
    "part of",
    "positions",
    "cases",
    "extends",
)  # what a variant says of itself, or cannot change

_NAME = re.compile(r"[^.\[\]\"']+")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")
_PLAIN = re.compile(r"[^\s.\[\]\"'](?:[^.\[\]\"']*[^\s.\[\]\"'])?")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a path: a key, or brackets that choose an item; `start` and `end` are its offsets in the path."""

    start: int
    end: int
    key: str | None = None
    number: int | None = None
    text: str = ""  # what stands in the brackets
    terms: tuple[str, ...] = ()  # the same in pieces
    every: bool = False  # whether all that fit are meant


@dataclass(frozen=True, slots=True)
class TreePlace:
    """A place in a tree: the collections that lead to it, each with the index of the entry or item taken, and the node there."""

    trail: tuple[tuple[MapNode | ListNode, int], ...]
    node: Node

    @property
    def key(self) -> ScalarNode | None:
        """The key of an entry; None for an item of a list."""
        if not self.trail:
            return None
        above, index = self.trail[-1]
        return above.entries[index][0] if isinstance(above, MapNode) else None

    @property
    def span(self) -> Span:
        """The span of the node; of its key, where the value is empty."""
        key = self.key
        return (
            key.span
            if key is not None and isinstance(self.node, ScalarNode) and not self.node.value
            else self.node.span
        )

    def inner(self, index: int) -> TreePlace:
        """The place of an entry or item of the node here."""
        assert isinstance(self.node, MapNode | ListNode)
        node = self.node.entries[index][1] if isinstance(self.node, MapNode) else self.node.items[index]
        return TreePlace((*self.trail, (self.node, index)), node)

    def text(self) -> str:
        """The path that leads here."""
        path = ""
        for above, index in self.trail:
            if isinstance(above, MapNode):
                name = quoted(above.entries[index][0].value)
                path += f".{name}" if path else name
            else:
                path += f"[{label_in(above, index)}]"
        return path


def quoted(name: str) -> str:
    """A key as it is written in a path."""
    if _PLAIN.fullmatch(name):
        return name
    return f"'{name}'" if '"' in name else f'"{name}"'


def label(item: Node) -> str:
    """How a path names an item of a list: its first key with the value, or the word."""
    if isinstance(item, MapNode) and item.entries:
        key, value = item.entries[0]
        return f"{key.value} {flat(value.value)}" if isinstance(value, ScalarNode) and value.value else key.value
    return flat(item.value) if isinstance(item, ScalarNode) else ""


def label_in(items: ListNode, index: int) -> str:
    """How a path names an item among its neighbours: its label, or its number where the label is not unique."""
    text = label(items.items[index])
    plain = text and len(text) <= LONGEST and natural(text) is None and not any(sign in text for sign in ODD)
    plain = plain and not of_all(text)
    if plain and sum(label(item) == text for item in items.items) == 1:
        return text
    return str(index + 1)


def of_all(text: str) -> bool:
    """Whether what stands in brackets means all items, and none by its word."""
    return text == EVERY or text.startswith(f"{EVERY} ")


def flat(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())


# --- reading a path -----------------------------------------------------------------------------------------------------
class Unreadable(Exception):
    """Raised for a text that is no path: the reason, and where."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.start, self.end = start, end


def read_path(word: ScalarNode, diagnostics: Diagnostics) -> tuple[Part, ...] | None:
    """The parts of a path; reports V003."""
    try:
        parts = tuple(parts_of(word.value))
    except Unreadable as error:
        diagnostics.add(
            "V003",
            str(error),
            word.at(error.start, error.end),
            expected="section.name.key, or steps in brackets",
            help=["for example `procedures.turn[choose card].say`"],
        )
        return None
    return parts


def parts_of(text: str) -> Iterator[Part]:
    """The parts of a path.  Raises Unreadable."""
    at, count = 0, 0
    while at < len(text):
        count += 1
        if count > MAX_PARTS:
            raise Unreadable(f"a path has at most {MAX_PARTS} parts", at, len(text))
        if text[at] == "[":
            end = closing(text, at)
            yield pick(text, at, end)
            at = end + 1
            if at < len(text) and text[at] not in ".[":
                raise Unreadable("a `.` or `[` is expected here", at, at + 1)
            continue
        if text[at] == ".":
            if count == 1:
                raise Unreadable("a path begins with a section", at, at + 1)
            at += 1
        match = _QUOTED.match(text, at) or _NAME.match(text, at)
        if match is None or not match[0].strip():
            raise Unreadable("a name is missing here", max(at - 1, 0), at + 1)
        name = match[0][1:-1] if match[0][0] in "\"'" else match[0].strip()
        yield Part(match.start(), match.end(), name)
        at = match.end()
        if at < len(text) and text[at] not in ".[":
            raise Unreadable("a `.` or `[` is expected here", at, at + 1)
    if not count:
        raise Unreadable("the path is empty", 0, 0)


def closing(text: str, at: int) -> int:
    """Where the bracket that opens at `at` closes; brackets in quotes do not count."""
    quote = ""
    for end in range(at + 1, len(text)):
        char = text[end]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and text[end - 1] in " :[,":
            quote = char
        elif char == "]":
            return end
        elif char == "[":
            break
    raise Unreadable("this bracket is not closed", at, at + 1)


def pick(text: str, at: int, end: int) -> Part:
    """What stands in brackets: by which keys, word or number an item is chosen."""
    inside = text[at + 1 : end]
    if not inside.strip():
        raise Unreadable("the brackets are empty", at, end + 1)
    if (number := natural(inside.strip())) is not None:
        return Part(at, end + 1, number=number)
    text = flat(inside)
    every = of_all(text)
    text = text.removeprefix(EVERY).strip() if every else text
    return Part(at, end + 1, text=text, terms=tuple(flat(piece) for piece in pieces(text)), every=every)


def pieces(text: str) -> Iterator[str]:
    """A text split at its commas, except those within parentheses."""
    depth = start = 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and not depth:
            yield text[start:at]
            start = at + 1
    yield text[start:]


# --- following it -------------------------------------------------------------------------------------------------------
def resolve(root: MapNode, word: ScalarNode, diagnostics: Diagnostics) -> TreePlace | None:
    """The one place of a tree that a path names; reports V003, V004, V005 and V008."""
    parts = read_path(word, diagnostics)
    if parts is None:
        return None
    if parts[0].key in FIXED:
        diagnostics.add(
            "V008", f"a variant cannot change {ticked(parts[0].key)} of its game", word.at(parts[0].start, parts[0].end)
        )
        return None
    several = next((part for part in parts if part.every), None)
    if several is not None:
        message = "`every` means several places, and one is needed here"
        diagnostics.add(
            "V008",
            message,
            word.at(several.start, several.end),
            help=["`set`, `wrap`, `replace` and `remove` can do it"],
        )
        return None
    place: TreePlace | None = TreePlace((), root)
    for part in parts:
        if place is None:
            return None
        span = word.at(part.start, part.end)
        place = (
            by_key(place, part.key, span, diagnostics)
            if part.key is not None
            else by_pick(place, part, span, diagnostics)
        )
    return place


def by_key(place: TreePlace, name: str, span: Span, diagnostics: Diagnostics) -> TreePlace | None:
    """The place of a key's value."""
    node = place.node
    where = ticked(place.text()) if place.trail else "the game"
    if isinstance(node, MapNode):
        if name in node:
            return place.inner(node.keys().index(name))
        known = list(node.keys()) if place.trail else [*node.keys(), *BLOCKS["game"].keys]
        close = nearest(name, (key for key in known if place.trail or key not in FIXED))
        listed = [key.value for key, _ in node.entries if place.trail or key.value not in FIXED]
        diagnostics.add(
            "V004",
            f"{where} has no {ticked(name)}",
            span,
            help=[did_you_mean(close, "there are", listed)],
            related=here(place),
        )
    elif isinstance(node, ListNode):
        labels = [f"[{label_in(node, index)}]" for index in range(len(node))]
        close = nearest(name, (text[1:-1] for text in labels))
        diagnostics.add(
            "V008",
            f"{where} is a list: its items are named in brackets",
            span,
            help=[did_you_mean(f"[{close}]" if close else None, "there are", labels)],
            related=here(place),
        )
    else:
        diagnostics.add("V008", f"{where} is a text, which has no parts", span, related=here(place))
    return None


def by_pick(place: TreePlace, part: Part, span: Span, diagnostics: Diagnostics) -> TreePlace | None:
    """The place of the one item that fits."""
    node = place.node
    where = ticked(place.text()) if place.trail else "the game"
    if part.number is not None:
        if not isinstance(node, ListNode):
            diagnostics.add(
                "V008", f"a number counts the items of a list, and {where} is none", span, related=here(place)
            )
            return None
        if not 1 <= part.number <= len(node):
            diagnostics.add("V004", f"{where} has {len(node)} items, the first is [1]", span, related=here(place))
            return None
        return place.inner(part.number - 1)
    if isinstance(node, ScalarNode):
        diagnostics.add("V008", f"{where} is a text, which has no items", span, related=here(place))
        return None
    candidates = list(items_in(place))
    fitting = [item for item in candidates if fits(item.node, part)]
    if len(fitting) == 1:
        return fitting[0]
    wanted = ticked(f"[{part.text}]")
    if not fitting:
        labels = list(dict.fromkeys(f"[{label(item.node)}]" for item in candidates if label(item.node)))
        close = nearest(part.text, (text[1:-1] for text in labels))
        same = [text for text in labels if text[1:-1].split(" ")[0] == part.text.split(" ")[0]]
        diagnostics.add(
            "V004",
            f"nothing in {where} fits {wanted}",
            span,
            help=[did_you_mean(f"[{close}]" if close else None, "there are", same or labels)],
            related=here(place),
        )
        return None
    diagnostics.add(
        "V005",
        f"{len(fitting)} items in {where} fit {wanted}",
        span,
        related=[(item.node.span, "this one") for item in fitting[:SHOWN]],
        help=[
            "\n".join(
                [
                    "name one by its list or by what is around it:",
                    *dict.fromkeys(ticked(item.text()) for item in fitting[:SHOWN]),
                ]
            )
        ],
    )
    return None


def items_in(place: TreePlace) -> Iterator[TreePlace]:
    """The items of a list; of a mapping, those of all lists anywhere in it."""
    if isinstance(place.node, ListNode):
        for index in range(len(place.node)):
            yield place.inner(index)
        return
    todo = [place]
    while todo:
        at = todo.pop()
        if isinstance(at.node, ScalarNode):
            continue
        inner = [at.inner(index) for index in range(len(at.node))]
        if isinstance(at.node, ListNode):
            yield from inner
        todo.extend(reversed(inner))


def fits(item: Node, part: Part) -> bool:
    """Whether an item has the keys and values, or is the word."""
    return says(item, part.text) or (len(part.terms) > 1 and all(says(item, term) for term in part.terms))


def says(item: Node, text: str) -> bool:
    """Whether an item is a word, or has a key, or a key with a value: `choose card` and `choose: card` are the same."""
    if isinstance(item, ScalarNode):
        return flat(item.value) == text
    if not isinstance(item, MapNode):
        return False
    for key, value in item.entries:
        if text == key.value:
            return True
        if text.startswith(key.value) and text[len(key.value)] in " :" and isinstance(value, ScalarNode):
            rest = text[len(key.value) :].removeprefix(":").strip()
            if flat(value.value) in (rest, rest[1:-1] if _QUOTED.fullmatch(rest) else rest):
                return True
    return False


def here(place: TreePlace) -> list[tuple[Span, str]]:
    """Where a place is, for a message."""
    if not place.trail:
        return []
    key = place.key
    return [(key.span if key is not None else place.node.span, "this is meant")]


def did_you_mean(close: str | None, lead: str, names: list[str]) -> str:
    """The line of help: the nearest name, or those that there are."""
    if close is not None:
        return f"did you mean {ticked(close)}?"
    shown = ", ".join(ticked(name) for name in names[: 3 * SHOWN])
    more = f" and {len(names) - 3 * SHOWN} more" if len(names) > 3 * SHOWN else ""
    return f"{lead} {shown}{more}" if names else "there is nothing in it"
