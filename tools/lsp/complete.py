"""What may be written at a place: keys and words by the schema, names and their parts by the types of expressions.

A word that means nothing is put where the author is writing, and the game is read with it: what the checker knows when it comes to that
word is what may stand there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from rulespec.checker import symbols
from rulespec.checker.mentions import Probe, what_of
from rulespec.language.registry import functions
from rulespec.language.types import BoolType, EntityType, OptionType, RecordType, Type
from rulespec.system.records import dataclass
from rulespec.text.source import Source
from rulespec.text.yaml_tree import MapNode

from . import playing
from .reading import Desk, tree_of
from .shapes import Schema, Spot, about, schema_for, shapes, spots, verbs, words
from .shapes import keys as keys_of

if TYPE_CHECKING:
    from rulespec.checker.context import CheckContext

PROBE = "written_here_0"
WORD = re.compile(r"\w*\Z")
REST = re.compile(r"\w*")
KEY = re.compile(
    r"(?:\A[ ]*(?:-[ ]+)*|[{,][ ]*)(?P<key>[a-z][\w ]*|)\Z"
)  # what may be the beginning of a key; some have blanks
PAIRS = {"(": ")", "[": "]", "{": "}"}
TYPES = ("Number", "Text", "Yes or no")
KINDS = {
    "function": types.CompletionItemKind.Function,
    "condition": types.CompletionItemKind.Function,
    "value": types.CompletionItemKind.Property,
    "field": types.CompletionItemKind.Field,
    "zone": types.CompletionItemKind.Variable,
    "variable": types.CompletionItemKind.Variable,
    "table": types.CompletionItemKind.Struct,
    "option": types.CompletionItemKind.Constant,
    "type": types.CompletionItemKind.Class,
    "member": types.CompletionItemKind.EnumMember,
    "local": types.CompletionItemKind.Variable,
    "key": types.CompletionItemKind.Keyword,
    "word": types.CompletionItemKind.Value,
}


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that may be written: the nearer, the sooner it is shown."""

    name: str
    kind: str
    detail: str = ""
    about: str = ""
    near: int = 5
    begun: int = 0  # how many characters of it are there already, where it may be several words

    def item(self, at: types.Position) -> types.CompletionItem:
        """As an editor shows it where the cursor is at a position."""
        start = types.Position(at.line, at.character - self.begun)
        text = types.MarkupContent(types.MarkupKind.Markdown, self.about) if self.about else None
        return types.CompletionItem(
            label=self.name,
            kind=KINDS[self.kind],
            detail=self.detail or None,
            documentation=text,
            sort_text=f"{self.near}{self.name}",
            text_edit=types.TextEdit(types.Range(start, at), self.name) if self.begun else None,
        )


def complete(desk: Desk, file: Path, offset: int) -> list[Offer]:
    """What may be written at a character of a file."""
    text = desk.texts[file]
    line = text.rfind("\n", 0, offset) + 1
    rest = text[offset + len(matched(REST, text[offset:])) :]
    offers: list[Offer] = []
    if (key := KEY.search(text[line:offset])) is not None:
        colon = "" if rest.lstrip(" ").startswith(":") else ": "
        start = line + key.start("key")
        offers = [
            replace(offer, begun=offset - start)
            for offer in by_schema(desk, file, text[:start] + PROBE + colon + rest, keys=True)
        ]
    if not offers:
        start = offset - len(matched(WORD, text[line:offset]))
        patched = text[:start] + PROBE + closers(text[line:start], rest) + rest
        offers = [
            *by_question(desk, file, patched),
            *by_schema(desk, file, patched),
            *by_type(Desk({**desk.texts, file: patched}, PROBE), file),
        ]
    return list({offer.name: offer for offer in reversed(offers)}.values())[::-1]


def matched(pattern: re.Pattern[str], text: str) -> str:
    """The part of a text that a pattern finds."""
    found = pattern.search(text)
    return "" if found is None else found[0]


def closers(head: str, rest: str) -> str:
    """The brackets that are open before a place and that the rest of its line does not close."""
    wanted: list[str] = []
    for sign in head:
        if sign in PAIRS:
            wanted.append(PAIRS[sign])
        elif wanted and sign == wanted[-1]:
            wanted.pop()
    for sign in rest.partition("\n")[0]:
        if wanted and sign == wanted[-1]:
            wanted.pop()
    return "".join(sign for sign in reversed(wanted) if sign == ")")


# --- by the question that a case comes to -----------------------------------------------------------------------------
def by_question(desk: Desk, file: Path, patched: str) -> Iterator[Offer]:
    """The answers that the player has where the probe stands in the script of a case."""
    tree = tree_of(Source(str(file), patched))
    spot = next((s for s in spots(tree) if s.at.value == PROBE), None) if tree is not None else None
    asked = None if spot is None else playing.asked_at(spot)
    if asked is not None:
        for name, text in playing.offered(desk, file, patched, asked):
            yield Offer(name, "member", "an answer", "" if text == name else text, near=0)


# --- by the schema ----------------------------------------------------------------------------------------------------
def by_schema(desk: Desk, file: Path, patched: str, keys: bool = False) -> list[Offer]:
    """The words that the schema of a file knows where the probe is, or the keys and verbs."""
    tree = tree_of(Source(str(file), patched))
    spot = next((s for s in spots(tree) if s.at.value == PROBE), None) if tree is not None else None
    if tree is None or spot is None or spot.key != keys:
        return []
    reading = desk.of(file)
    context = None if reading is None else reading.mentions.context
    schema = schema_for(file, tree, None if context is None else context.root)
    found = shapes(schema, tree, spot.path)
    return list(keys_at(found, spot)) if keys else [Offer(word, "word", near=1) for word in words(found)]


def keys_at(found: list[Schema], spot: Spot) -> Iterator[Offer]:
    """The keys that a mapping may have, and has not."""
    node = spot.above[-1]
    there = [key.value for key, _ in node.entries] if isinstance(node, MapNode) else []
    if there and there[0] == PROBE:
        for name, schema in verbs(found).items():
            yield Offer(name, "key", about=about([schema]), near=2)
    for name, schema in keys_of(found).items():
        if name not in there:
            yield Offer(name, "key", about=about([schema]), near=1)


# --- by types ---------------------------------------------------------------------------------------------------------
def by_type(desk: Desk, file: Path) -> Iterator[Offer]:
    """The names that the checker knows where the probe is."""
    reading = desk.of(file)
    if reading is not None and not reading.mentions.probes and file == reading.file:
        reading = desk.with_cases(file)  # which a game's main file may have, too
    context = None if reading is None else reading.mentions.context
    if reading is None or context is None or not reading.mentions.probes:
        return
    probe = reading.mentions.probes[-1]
    if probe.type:
        yield from (Offer(name, "type", near=1) for name in (*context.kinds, *context.views, *TYPES))
    elif probe.members is not None:
        yield from members(probe.members)
    elif probe.part_of is not None:
        yield from parts_of(context, probe.part_of, probe.answers)
    else:
        yield from names(context, probe)


def members(kind: symbols.Kind) -> Iterator[Offer]:
    """The members of a type."""
    for name, label in zip(kind.members, kind.labels, strict=True):
        yield Offer(name, "member", kind.name, "" if label == name else label, near=1)


def parts_of(context: CheckContext, t: Type, answers: Iterable[str]) -> Iterator[Offer]:
    """What may follow the dot behind a value of a type."""
    if isinstance(t, OptionType):
        t = t.item
    if isinstance(t, RecordType):
        yield from (Offer(name, "field", str(part), near=1) for name, part in t.fields)
    if not isinstance(t, EntityType):
        return
    kind = context.kinds[t.kind]
    if kind.what == "player":
        yield from (Offer(name, "local", "what the player chose", near=0) for name in answers)
    for name, symbol in kind.attributes.items():
        yield symbol_offer(name, symbol, near=1)
    for name, symbol in context.names.items():
        takes = symbol.parameters if isinstance(symbol, symbols.Function) else ()
        if takes and isinstance(first := takes[0].type, EntityType) and first.kind == t.kind:
            yield symbol_offer(name, symbol, near=2)
    if kind.what == "piece":
        yield from (Offer(name, "field", near=3) for name in ("owner", "place", "in_play"))


def names(context: CheckContext, probe: Probe) -> Iterator[Offer]:
    """What an expression may begin with."""
    for name, local in probe.locals.items():
        yield Offer(name, "local", str(local.type), near=0)
    want = probe.want.item if isinstance(probe.want, OptionType) else probe.want
    if isinstance(want, EntityType):
        yield from members(context.kinds[want.kind])
    if isinstance(want, BoolType):
        yield from (Offer(word, "word", near=1) for word in ("yes", "no"))
    if isinstance(probe.want, OptionType):
        yield Offer("none", "word", near=1)
    for name, symbol in context.names.items():
        yield symbol_offer(name, symbol, near=2)
    yield Offer("players", "variable", "all players", near=2)
    for name in (*context.kinds, *context.views):
        yield Offer(name, "type", near=4)
    for name, function in functions().items():
        yield Offer(name, "function", function.signatures[0].text, function.doc, near=3)


def symbol_offer(name: str, symbol: symbols.Symbol, near: int) -> Offer:
    """A name that the game declares."""
    what = what_of(symbol)
    return Offer(name, what if what in KINDS else "function", detail_of(symbol), near=near)


def detail_of(symbol: symbols.Symbol) -> str:
    """The type of what a name stands for."""
    match symbol:
        case symbols.Function(parameters=parameters, result=result):
            takes = ", ".join(map(symbols.signed, parameters))
            return f"({takes})" + (f": {result}" if result is not None else "")
        case symbols.Kind() | symbols.View():
            return "type"
        case _:
            return str(symbol.type)
