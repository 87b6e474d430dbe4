"""Where names are declared and used, and giving one another name everywhere at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types

from rulespec.checker.context import RESERVED
from rulespec.checker.mentions import FUNCTION, LOCAL, Mention
from rulespec.language.foreign_steps import is_new_name
from rulespec.language.registry import functions, verbs
from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked
from rulespec.text.source import Source, Span
from rulespec.text.yaml_tree import MapNode, ScalarNode

from .places import range_of, units
from .reading import Desk, Reading, tree_of, whole
from .shapes import Spot, spots

NAME = re.compile(r"[A-Za-z_]\w*")
TOKENS = ("type", "enumMember", "property", "variable", "function", "method", "event", "parameter")
TOKEN_OF = {
    "type": 0,
    "field": 2,
    "value": 2,
    "zone": 3,
    "variable": 3,
    "table": 3,
    "option": 3,
    "scope": 3,
    "function": 4,
    "condition": 4,
    "view": 0,
    FUNCTION: 4,
    "procedure": 5,
    "phase": 5,
    "event": 6,
    "menu": 5,
    LOCAL: 7,
}


class Refused(Exception):
    """A name cannot be changed; the message says why."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file by its numbers, which are the same for each reading of the same text."""

    file: Path
    start: int
    end: int


def place_of(span: Span) -> Place:
    """The place of a span."""
    return Place(Path(span.source.name).resolve(), span.start, span.end)


# --- declarations -----------------------------------------------------------------------------------------------------
def declaration(mention: Mention, source: Source) -> Span | None:
    """Where a name is declared."""
    return binder_of(mention, source) if mention.what == LOCAL else mention.declared


def binder_of(mention: Mention, source: Source) -> Span | None:
    """Where a name of a step got its value: the last place before its use, in the same procedure or rule."""
    tree = tree_of(source)
    if tree is None:
        return None
    before: dict[tuple[str | int, ...], Span] = {}  # by section and entry
    for spot in spots(tree):
        given = list(binders(spot, mention.name))
        home = (*spot.path, spot.at.value)[:2] if spot.key else spot.path[:2]
        if spot.at.span.start <= mention.span.start <= spot.at.span.end:
            sooner = [span for span in given if span.start <= mention.span.start]
            # In `c.value for c in p.hand` a name is used before it is given.
            return next(iter((*sooner[-1:], *given)), before.get(home))
        if given:
            before[home] = given[-1]
    return None


def binders(spot: Spot, name: str) -> Iterator[Span]:
    """The places in a scalar where a name is given to something."""
    node = spot.above[-1] if spot.above else None
    if spot.key:
        if spot.at.value == name and ("takes" in spot.path or spot.path[-1:] == ("let",)):
            yield spot.at.span
        return
    for found in re.finditer(rf"(?:\bfor |\(|\A){re.escape(name)} in\b", spot.at.value):
        start = found.start() + found[0].index(name)
        yield spot.at.at(start, start + len(name))
    if spot.at.value == name and isinstance(node, MapNode) and is_new_name(node, str(spot.path[-1])):
        yield spot.at.span


# --- uses -------------------------------------------------------------------------------------------------------------
def uses(desk: Desk, mention: Mention, file: Path, source: Source) -> list[Place]:
    """Every place of a name in a game, its cases and its variants, where it is declared too; in the order of the files."""
    found: set[Place] = set()
    if mention.what == LOCAL:
        where = binder_of(mention, source)
        reading = desk.of(file)
        for other in reading.by_file.get(place_of(mention.span).file, ()) if reading is not None else ():
            if other.what == LOCAL and other.name == mention.name and binder_of(other, source) == where:
                found.add(place_of(other.span))
        found |= {place_of(where)} if where is not None else set()
    elif mention.declared is not None:
        key = place_of(mention.declared)
        for reading in desk.family(desk.base_of(file)):
            found |= {place_of(m.span) for m in reading.names if m.declared is not None and place_of(m.declared) == key}
            found |= set(in_changes(desk, reading, mention.declared))
    return sorted(found, key=lambda place: (str(place.file), place.start))


def in_changes(desk: Desk, reading: Reading, declared: Span) -> Iterator[Place]:
    """The places of a declared name in the paths of a variant's changes: `zones.hand.seen by`."""
    home, variant = tree_of(declared.source), desk.source(reading.file)
    tree = None if variant is None else tree_of(variant)
    key = None if home is None else next((s for s in spots(home) if s.key and s.at.span.start == declared.start), None)
    changes = None if tree is None or "extends" not in tree else tree.get("changes")
    if key is None or changes is None:
        return
    path = ".".join(map(str, (*key.path, key.at.value)))
    written = re.compile(rf"{re.escape(path)}(?=[.\[]|\Z)")
    for spot in spots(changes):
        if not spot.key and written.match(spot.at.value):
            yield place_of(spot.at.at(len(path) - len(key.at.value), len(path)))


# --- another name -----------------------------------------------------------------------------------------------------
def renamed(desk: Desk, mention: Mention, name: str, file: Path, source: Source) -> dict[Path, list[tuple[Span, str]]]:
    """The changes that give a name another one, by file.  Raises Refused where that would change what the game means."""
    may_be_renamed(mention, name)
    edits: dict[Path, list[tuple[Span, str]]] = {}
    sources: dict[Path, Source] = {}
    for place in uses(desk, mention, file, source):
        if place.file not in sources:
            sources[place.file] = text_of(desk, place.file)
        edits.setdefault(place.file, []).append((Span(sources[place.file], place.start, place.end), name))
    after = Desk({**desk.texts, **{path: applied(sources[path].text, spans) for path, spans in edits.items()}})
    main = desk.base_of(file)
    for old, new in zip(desk.family(main), after.family(main), strict=True):
        before = {(f.code, f.message.replace(mention.name, name)) for f in old.findings}
        for fault in new.findings:
            if (fault.code, fault.message) not in before:
                where = "" if fault.span is None else f" ({fault.span.label()}: {ticked(whole(fault.span))})"
                raise Refused(f"{ticked(mention.name)} cannot be called {ticked(name)}: {fault.message}{where}")
        if len(old.names) != len(new.names):
            raise Refused(f"{ticked(name)} would mean something else in {old.file.name}")
    return edits


def may_be_renamed(mention: Mention, name: str) -> None:
    """Raises Refused for a name that no game may have, or that no file declares."""
    if mention.what == FUNCTION or (mention.declared is None and mention.what != LOCAL):
        raise Refused(f"{ticked(mention.name)} belongs to the language")
    if mention.declared is not None and mention.declared.text != mention.name:
        raise Refused(f"{ticked(mention.name)} is made by a rule, not written by itself")
    if not NAME.fullmatch(name):
        raise Refused(f"{ticked(name)} cannot be a name: letters, digits and _ only, no digit first")
    if name in RESERVED or name in functions() or name in verbs():
        raise Refused(f"{ticked(name)} is a word of the language")


def text_of(desk: Desk, file: Path) -> Source:
    """The text of a file.  Raises Refused for one that cannot be read any more."""
    source = desk.source(file)
    if source is None:
        raise Refused(f"{ticked(file.name)} cannot be read")
    return source


def applied(text: str, edits: list[tuple[Span, str]]) -> str:
    """A text with spans replaced."""
    for span, new in sorted(edits, key=lambda edit: -edit[0].start):
        text = text[: span.start] + new + text[span.end :]
    return text


# --- all at once ------------------------------------------------------------------------------------------------------
def outline(source: Source) -> list[types.DocumentSymbol]:
    """The sections of a file, and what each declares."""
    tree = tree_of(source)
    return [] if tree is None else [entry(key, value, depth=1) for key, value in tree.entries]


def entry(key: ScalarNode, value: object, depth: int) -> types.DocumentSymbol:
    """One entry of an outline."""
    end = max(key.span.end, getattr(value, "span", key.span).end)
    below = value.entries if isinstance(value, MapNode) and depth else ()
    return types.DocumentSymbol(
        name=key.value or " ",
        kind=types.SymbolKind.Namespace if depth else types.SymbolKind.Object,
        range=range_of(Span(key.span.source, key.span.start, end)),
        selection_range=range_of(key.span),
        children=[entry(name, inner, depth - 1) for name, inner in below] or None,
    )


def folds(source: Source) -> list[tuple[int, int]]:
    """The first and the last line, from 0, of what can be folded: a key, and what stands under it on further lines."""
    tree, found = tree_of(source), []
    for spot in spots(tree) if tree is not None else ():
        below = spot.above[-1].get(spot.at.value) if spot.key and isinstance(spot.above[-1], MapNode) else None
        if below is not None:
            first, last = spot.at.span.line, source.position(max(below.span.start, below.span.end - 1))[0]
            if last > first:
                found.append((first - 1, last - 1))
    return found


def tokens(reading: Reading, file: Path) -> list[int]:
    """What each name of a file is, as the protocol encodes it: five numbers for each, relative to the one before."""
    data: list[int] = []
    line = column = 0
    seen = -1
    for mention in sorted(reading.by_file.get(file, ()), key=lambda m: (m.span.start, m.span.end)):
        kind = TOKEN_OF.get(mention.what, 1 if mention.what.startswith("member of ") else None)
        if kind is None or mention.span.start < seen:
            continue
        seen = mention.span.end
        at = range_of(mention.span).start
        same = at.line == line
        data += [at.line - line, at.character - column if same else at.character, units(mention.span.text), kind, 0]
        line, column = at.line, at.character
    return data


def cases_in(source: Source) -> list[ScalarNode]:
    """The names of the cases in a file."""
    tree = tree_of(source)
    section = None if tree is None else tree.get("cases")
    return [key for key, _ in section.entries] if isinstance(section, MapNode) else []
