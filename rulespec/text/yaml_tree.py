"""A YAML tree of bounded size in which every node knows its place.

The subset: one document, text keys, no anchors, aliases, tags, merge keys or directives. Scalars
have their YAML 1.2 core meaning, except that what YAML 1.1 reads differently (`yes`, `0123`, `1:30`,
`1_000`), numbers to other bases than ten (`0x1F`) and those with a `+` are text: expressions have one spelling of numbers too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any, Literal

import yaml

from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.disk import MAX_BYTES
from rulespec.text.numbers import MAX_DIGITS, WHOLE, whole
from rulespec.text.quoting import ticked
from rulespec.text.source import BOM, Source, Span, check_characters, report_size, unshowable
from rulespec.text.yaml_places import BLANKS, places_in
from rulespec.text.yaml_syntax import LOADER, line_end, report_syntax

MAX_DEPTH = 64
MAX_EXAMPLE = 400  # characters of a value that a cure repeats
MAX_NODES = 100_000
MAX_SCALAR = 65_536

Style = Literal["plain", "single", "double", "literal", "folded"]
Plain = None | bool | int | float | str

_NULLS = ("~", "null", "Null", "NULL")  # plain values that say the same as nothing
_STYLES: dict[str | None, Style] = {
    None: "plain", "": "plain", "'": "single", '"': "double", "|": "literal", ">": "folded",
}  # fmt: skip
_WORDS: dict[str, Plain] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_INT = re.compile(WHOLE)
_POWER = r"[eE][-+]?[0-9]+"
_FLOAT = re.compile(rf"-?(?:\.[0-9]+(?:{_POWER})?|(?:0|[1-9][0-9]*)(?:\.[0-9]*(?:{_POWER})?|{_POWER}))")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


@dataclass(frozen=True, slots=True, eq=False)
class ScalarNode:
    """A scalar. `span` covers it as written, quotes or block header included."""

    value: str
    style: Style
    span: Span
    _places: list[tuple[int, int]] = field(default_factory=list, init=False, repr=False)

    def at(self, start: int, end: int) -> Span:
        """The place in the file of value[start:end]; offsets outside the value are clamped."""
        if not self._places:
            self._places.extend(places_in(self.span, self.style, self.value))
        size = len(self.value)
        start = min(max(start, 0), size)
        end = min(max(end, start), size)
        first = self._places[start][0]
        return Span(self.span.source, first, self._places[end - 1][1] if end > start else first)

    def resolve(self) -> Plain:
        """The value that the scalar means: a number, a bool or None only if it is plain, else the text.

        Numbers that `parse` refuses are text.
        """
        if self.style != "plain":
            return self.value
        if self.value in _WORDS:
            return _WORDS[self.value]
        number = _number(self.value)
        return self.value if number is None else number


@dataclass(frozen=True, slots=True, eq=False)
class MapNode:
    """A mapping: keys with their values, in the order of the file; no key occurs twice."""

    entries: tuple[tuple[ScalarNode, Node], ...]
    span: Span
    _index: dict[str, tuple[ScalarNode, Node]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_index", {entry[0].value: entry for entry in self.entries})

    def get(self, key: str) -> Node | None:
        """The value of a key; None if there is no such key."""
        entry = self._index.get(key)
        return entry[1] if entry else None

    def key(self, key: str) -> ScalarNode | None:
        """The node of a key; None if there is no such key."""
        entry = self._index.get(key)
        return entry[0] if entry else None

    def keys(self) -> tuple[str, ...]:
        """The keys, in the order of the file."""
        return tuple(self._index)

    def __contains__(self, key: object) -> bool:
        return key in self._index

    def __len__(self) -> int:
        return len(self.entries)


@dataclass(frozen=True, slots=True, eq=False)
class ListNode:
    """A list."""

    items: tuple[Node, ...]
    span: Span

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)

    def __getitem__(self, index: int) -> Node:
        return self.items[index]


Node = ScalarNode | MapNode | ListNode


def as_data(node: Node, read: Callable[[ScalarNode], Any]) -> Any:
    """A tree as plain data, without layout and places: each scalar as `read` has it."""
    if isinstance(node, MapNode):
        return {key.value: as_data(value, read) for key, value in node.entries}
    if isinstance(node, ListNode):
        return [as_data(item, read) for item in node.items]
    return read(node)


MAX_KEPT = 100_000  # characters of a text whose tree is kept
MOST_KEPT = 256
_TREES: dict[Source, Node] = {}  # of texts without faults: a game and its variants are read from the same


def parse(source: Source, diagnostics: Diagnostics) -> Node | None:
    """The tree of a source; None if the text is not YAML, is empty or breaks a limit.

    Reports Y003, Y005 and Y010 to Y024. After any other fault there is a tree: a faulty entry is left out, a
    faulty value stays as text.
    """
    if len(source.text.encode("utf-8", "replace")) > MAX_BYTES:
        report_size(source.name, diagnostics)
        return None
    if not check_characters(source, diagnostics):
        return None
    known = _TREES.get(source)
    if known is not None:
        return known
    before = len(diagnostics) + diagnostics.dropped
    root = _Reader(source, diagnostics).read()
    if root is not None and len(source.text) <= MAX_KEPT and len(diagnostics) + diagnostics.dropped == before:
        _TREES[source] = root
        if len(_TREES) > MOST_KEPT:
            del _TREES[next(iter(_TREES))]
    return root


def reads_otherwise(text: str) -> bool:
    """Whether a text, without quotes, would be read as a number, a truth value or nothing."""
    return text in _WORDS or _number(text) is not None


def _number(text: str) -> int | float | None:
    if not text or text[0] not in "-.0123456789":
        return None
    if sum(c.isdigit() for c in text) > MAX_DIGITS:
        return None
    if (number := whole(text)) is not None:
        return number
    if _FLOAT.fullmatch(text):
        value = float(text)
        return value if math.isfinite(value) else None
    return None


def _refused_number(text: str) -> str | None:
    """The reason why a plain scalar that YAML reads as a number is refused; None if it is not."""
    if not text or text[0] not in "+-.0123456789":
        return None
    if _NOT_FINITE.fullmatch(text):
        return f"{ticked(text)} is not a finite number"
    if (_INT.fullmatch(text) or _FLOAT.fullmatch(text)) and _number(text) is None:
        if len(text) > MAX_DIGITS:
            return f"a number of more than {MAX_DIGITS} digits"
        return f"{ticked(text)} is too large a number"
    return None


@dataclass(slots=True)
class _Frame:
    """A collection that is still open."""

    mapping: bool
    flow: bool
    start: int
    end: int
    items: list[Node] = field(default_factory=list)
    entries: list[tuple[ScalarNode, Node]] = field(default_factory=list)
    first: dict[str, ScalarNode] = field(default_factory=dict)
    has_key: bool = False
    key: ScalarNode | None = None  # None with has_key: a refused key, whose value is left out
    again: ScalarNode | None = None  # the first of a key that is here twice


class _Stop(Exception):
    """Raised where reading cannot go on; the reason has been reported."""


_PREAMBLE = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?[\r\n])*+")
_AFTERWARDS = re.compile(r"(?:[ \t\r\n]|#[^\r\n]*|\.\.\.(?=[ \t\r\n]|\Z))*+")
_PROPERTY = re.compile(r"(!<[^>\s]*>|[!&][^\s,\[\]{}]*)[ \t\r\n]*")
_STRING = re.compile(r"\"[^\"]*\"|'[^']*'")


class _Reader:
    """Builds the tree from the parser's events, with an explicit stack instead of recursion."""

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self.source = source
        self.diagnostics = diagnostics
        # The parser's indices do not count a byte order mark.
        self.shift = 1 if source.text.startswith(BOM) else 0
        self.stack: list[_Frame] = []
        self.root: Node | None = None
        self.nodes = 0
        self.flows = 0  # open flow collections
        self.flow_reported = False  # one report for each outermost flow collection

    def read(self) -> Node | None:
        text = self.source.text[self.shift :]
        # Directives first: libyaml takes time quadratic in the number of %TAG lines.
        start = _PREAMBLE.match(text)
        if start and text.startswith("%", start.end()):
            at = start.end() + self.shift
            self.report("Y024", "a YAML directive is not allowed", at, line_end(self.source, at), "delete the line")
            return None
        try:
            events: Iterator[Any] = yaml.parse(text, Loader=LOADER)
            for event in events:
                if type(event) is yaml.DocumentEndEvent:
                    # Directives are refused here: the parser would read them.
                    self.check_end(event)
                    break
                self.take(event)
        except yaml.YAMLError as error:
            report_syntax(self.source, self.shift, error, self.diagnostics)
            return None
        except _Stop:
            return None
        if self.root is None:
            self.diagnostics.add("Y011", "the file is empty", origin=self.source.name)
        return self.root

    def span(self, start: int, end: int) -> Span:
        return Span(self.source, start, end)

    def report(self, code: str, message: str, start: int, end: int, *help: str) -> None:
        self.diagnostics.add(code, message, self.span(start, end), help=help)

    def check_end(self, event: Any) -> None:
        at = event.end_mark.index + self.shift
        rest = _AFTERWARDS.match(self.source.text, at)
        at = rest.end() if rest else at
        if at == len(self.source.text):
            return
        if self.source.text.startswith(("---", "%"), at):
            self.report(
                "Y012",
                "a file holds one document",
                at,
                line_end(self.source, at),
                "put the second document into a file of its own",
            )
        else:
            self.report(
                "Y010",
                "nothing may follow here: the document has ended",
                at,
                line_end(self.source, at),
                "check the indentation and the brackets",
            )
        raise _Stop

    def take(self, event: Any) -> None:
        kind = type(event)
        if kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self.close(event)
            return
        opens = kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent
        if not opens and kind is not yaml.ScalarEvent and kind is not yaml.AliasEvent:
            return
        start, end = event.start_mark.index + self.shift, event.end_mark.index + self.shift
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.report(
                "Y021",
                f"more than {MAX_NODES:_} values in a file",
                start,
                end,
                "move large tables to files of their own",
            )
            raise _Stop
        if kind is yaml.AliasEvent:
            self.report(
                "Y014",
                "aliases are not allowed",
                start,
                end,
                "write the value out, or put a text that begins with `*` in quotes",
            )
            self.deliver(ScalarNode(self.source.text[start:end], "plain", self.span(start, end)), False)
            return
        if event.anchor is not None or event.tag is not None:
            start = min(self.refuse_properties(start), end)
        if not opens:
            self.scalar(event, start, end)
            return
        if len(self.stack) >= MAX_DEPTH:
            self.report("Y020", f"nested deeper than {MAX_DEPTH} levels", start, max(end, start))
            raise _Stop
        flow = bool(event.flow_style)
        self.flows += flow
        self.stack.append(_Frame(kind is yaml.MappingStartEvent, flow, start, end))

    def refuse_properties(self, at: int) -> int:
        """Report the anchor and the tag before a node; returns where the node begins."""
        while match := _PROPERTY.match(self.source.text, at):
            if match[1][0] == "&":
                self.report(
                    "Y014",
                    "anchors are not allowed",
                    at,
                    match.end(1),
                    "delete it, or put a text that begins with `&` in quotes",
                )
            else:
                self.report(
                    "Y015",
                    f"the tag {ticked(match[1])} is not allowed",
                    at,
                    match.end(1),
                    "put a text that begins with `!` in quotes; in a condition, write "
                    + (ticked(f"not {match[1][1:]}") if match[1][1:2].isalpha() else "`not`"),
                )
            at = match.end()
        return at

    def scalar(self, event: Any, start: int, end: int) -> None:
        style = _STYLES[event.style]
        if style in ("literal", "folded"):
            # The parser's end includes the blank lines that follow.
            end = start + len(self.source.text[start:end].rstrip(BLANKS))
        value: str = event.value
        span = self.span(start, end)
        if len(value) > MAX_SCALAR:
            self.report("Y022", f"a text of more than {MAX_SCALAR:_} characters", start, end)
            value = value[:MAX_SCALAR]
        top = self.stack[-1] if self.stack else None
        is_key = top is not None and top.mapping and not top.has_key
        if style == "plain" and top is not None and top.has_key and value in _NULLS:
            value = ""  # `key: null` means the same as `key:`
        node = ScalarNode(value, style, span)
        if style == "double" and (odd := unshowable(value)) is not None:
            at, message = odd
            self.diagnostics.add("Y005", message, node.at(at, at + 1), help=("delete it",))
        if style == "plain":
            if self.flows and top is not None:
                self.check_flow(node, top, is_key)
            if not is_key and (fault := _refused_number(value)):
                self.report("Y023", fault, start, end, "quote it if it is a text")
        self.deliver(node, True)

    def check_flow(self, node: ScalarNode, top: _Frame, is_key: bool) -> None:
        """Report plain text that a comma has cut in two: `{if: f(a, b)}` has the key `b)`."""
        value, span = node.value, node.span
        if self.flow_reported:
            return
        bare = _STRING.sub("", value)
        if bare.count("(") != bare.count(")") and value.count("(") != value.count(")"):
            self.flow_reported = True
            text = (
                top.mapping
                and is_key
                and not top.entries
                and self.source.text[top.start + 1 : span.start].strip(BLANKS) == ""
            )
            self.diagnostics.add(
                "Y019",
                f"this value ends at its first comma, as {ticked(_short(value))}: inside {{ }} and [ ] a comma begins the next one",
                span,
                help=("put a text that holds braces in quotes" if text else self.block_example(node, top, is_key),),
            )
        elif not value and span.start == span.end and top.mapping and top.key and not is_key:
            self.flow_reported = True
            key = top.key
            alone = not top.entries and self.source.text[key.span.end :].lstrip(BLANKS).startswith("}")
            behind = self.source.text[key.span.end :].partition("}")[2].lstrip(" \t")[:1]
            if alone and not behind.strip():
                braced = "{" + _short(key.value) + "}"
                message = f"{ticked(braced)} is neither a text nor a mapping"
                advice = (
                    f"a text that holds braces has quotes, {ticked(self.quoted(braced))}; "
                    f"a mapping has values, {ticked('{' + ': '.join((key.value + ' ...').split(' ', 1)) + '}')}"
                )
            elif alone:
                message, advice = (
                    f"{ticked('{' + _short(key.value) + '}')} begins a text without quotes",
                    self.quoted_line(top, "put a text that holds braces in quotes"),
                )
            else:
                message = f"the key {ticked(_short(key.value))} has no value: inside {{ }} a comma begins the next key"
                advice = "put a value that holds a comma in quotes, or write each key on a line of its own"
                if (glued := re.fullmatch(r"(\w+):(\w.*)", key.value)) is not None:
                    message = f"a space is missing after the `:` of {ticked(_short(key.value))}"
                    advice = f"write {ticked(_short(f'{glued[1]}: {glued[2]}'))}"
                elif (said := re.fullmatch(r"(\w+) +(\S+)", key.value)) is not None and self.lacks_colon(top):
                    message = f"a colon is missing after {ticked(said[1])}"
                    advice = f"write {ticked(_short(f'{said[1]}: {said[2]}'))}"
                inside = self.source.text[key.span.start :].partition("}")[0]
                if not top.entries and ":" not in inside and "\n" not in inside:
                    message = f"{ticked(_short(key.value))} is written like a key between braces, and has no value"
                    advice = f"a list is written in brackets: `[{inside}]`"
                    words = [word.strip() for word in inside.split(",")]
                    if len(words) == 2 and words[1][:1].isupper():
                        advice = f"a colon parts a name from its type: `{{{words[0]}: {words[1]}}}`; " + advice
            self.diagnostics.add("Y018", message, key.span, help=(advice,))

    def lacks_colon(self, top: _Frame) -> bool:
        """Whether a key without a value, of two words, is no part of a text that a comma has cut."""
        if not top.entries:
            return ":" in self.source.text[top.start : line_end(self.source, top.start)].partition("}")[0]
        last = top.entries[-1][1]
        return isinstance(last, ScalarNode) and not re.search(r"\s", last.value)

    def block_example(self, node: ScalarNode, top: _Frame, is_key: bool) -> str:
        whole = "" if is_key else self.whole_value(node.span.start)
        if not whole:
            return "put it in quotes, or write each key or item on a line of its own"
        lead = f"{top.key.value}: " if top.key else ""
        return f"put it in quotes, `{lead}{self.quoted(whole)}`, or write each key or item on a line of its own"

    @staticmethod
    def quoted(text: str) -> str:
        """A value in quotes that YAML takes as it is."""
        return f'"{text}"' if '"' not in text and "\\" not in text else "'" + text.replace("'", "''") + "'"

    def whole_value(self, start: int) -> str:
        """The text probably meant as one value: on this line, up to a comma or bracket outside its own brackets and quotes."""
        depth, quoted = 0, False
        for at, char in enumerate(self.source.text[start : start + MAX_EXAMPLE], start):
            if char in "\r\n":
                break
            if char == '"':
                quoted = not quoted
            elif quoted:
                continue
            elif depth == 0 and char in ",}]":
                return self.source.text[start:at].rstrip()
            else:
                depth += (char in "([{") - (char in ")]}")
        return ""

    def deliver(self, node: Node, usable: bool) -> None:
        """Add a finished node to the collection around it."""
        if not self.stack:
            self.root = node
            return
        top = self.stack[-1]
        top.end = max(top.end, node.span.end)
        if not top.mapping:
            top.items.append(node)
        elif top.has_key:
            if top.key is not None:
                top.entries.append((top.key, node))
            elif top.again is not None and isinstance(node, MapNode):
                self.add_to_first(top, top.again, node)
            top.has_key, top.key, top.again = False, None, None
        else:
            top.has_key = True
            top.key = self.checked_key(node, top) if usable else None

    def add_to_first(self, top: _Frame, key: ScalarNode, node: MapNode) -> None:
        """What stands under a key that is there twice counts as written under the first: only that it is there twice is wrong."""
        for number, (own, first) in enumerate(top.entries if not self.diagnostics.dropped else ()):
            if own is key and isinstance(first, MapNode):
                top.entries[number] = own, merged(first, node)

    def checked_key(self, node: Node, top: _Frame) -> ScalarNode | None:
        span = node.span
        if not isinstance(node, ScalarNode):
            self.report(
                "Y017",
                "a key must be a text, not a list or a mapping",
                span.start,
                span.end,
                "quote a key that begins with `[` or `{`",
            )
            return None
        if node.style == "plain" and not node.value:
            self.report("Y017", "there is no key before this `:`", span.start, span.end + 1)
            return None
        if node.style == "plain" and node.value == "<<":
            self.report("Y016", "the merge key `<<` is not allowed", span.start, span.end, "write the keys out")
            return None
        first = top.first.setdefault(node.value, node)
        if first is not node and self.flow_reported:  # halves of expressions that a comma has cut, and no keys
            return None
        if first is not node:
            self.diagnostics.add(
                "Y013",
                f"the key {ticked(_short(node.value))} is written twice",
                span,
                help=(
                    f"put all of it under the first `{_short(node.value)}:`, in line {first.span.line}, and delete this one"
                    if len(self.stack) == 1
                    else self.apart(node, top),
                ),
                related=((first.span, "first here"),),
            )
            top.again = first
            return None
        return node

    def apart(self, key: ScalarNode, top: _Frame) -> str:
        """The advice where a key is written twice: two steps want a dash each."""
        around = self.stack[-2] if len(self.stack) > 1 else None
        if (
            around is not None
            and not around.mapping
            and not top.flow
            and top.entries
            and top.entries[0][0].value == key.value
        ):
            return f"if these are two steps, begin the second with a dash: `- {_short(key.value)}: ...`"
        first = top.entries and top.entries[0][0].value == key.value and not top.flow
        steps = f"; if these are two steps, begin each with a dash, `- {_short(key.value)}: ...`" if first else ""
        return "delete one of the two, or give it another name" + steps

    def quoted_line(self, top: _Frame, general: str) -> str:
        """The advice for a text in braces without quotes: its line as it is with them, where the text ends on it."""
        text = self.source.text
        line = text[top.start : (text.find("\n", top.start) + 1 or len(text) + 1) - 1].rstrip()
        if len(self.stack) < 2 or any(mark in line for mark in "\"'#") or len(line) > MAX_EXAMPLE:
            return general
        around = self.stack[-2]
        lead = f"{around.key.value}: " if around.mapping and around.key is not None and not around.flow else ""
        return f'{general}: `{lead}"{line}"`' if lead else general

    def close(self, event: Any) -> None:
        frame = self.stack.pop()
        end = frame.end
        if frame.flow:
            end = max(end, event.end_mark.index + self.shift)
            self.flows -= 1
            self.flow_reported = self.flow_reported and self.flows > 0
        else:
            end = max(end, frame.start)
        span = self.span(frame.start, end)
        if frame.mapping:
            self.deliver(MapNode(tuple(frame.entries), span), True)
        else:
            self.deliver(ListNode(tuple(frame.items), span), True)


def merged(first: MapNode, second: MapNode) -> MapNode:
    """The first mapping with what the second has besides."""
    entries = {key.value: (key, value) for key, value in first.entries}
    for key, value in second.entries:
        own, known = entries.setdefault(key.value, (key, value))
        if known is not value and isinstance(known, MapNode) and isinstance(value, MapNode):
            entries[key.value] = own, merged(known, value)
    return MapNode(tuple(entries.values()), first.span)


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
