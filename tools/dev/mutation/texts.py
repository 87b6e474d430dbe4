"""The files of a game as a mutation sees them: trees and cells with their places, and the names that are declared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from rulespec.language.registry import verbs
from rulespec.language.sections import BLOCKS
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode, parse

from ...mutants.places import TEXTS, TreePath, end, walk

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
CELL = re.compile(r'"(?:[^"]|"")*"|[^,\r\n]*')
BRACES = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a CSV file."""

    text: str
    start: int
    row: int  # 0 is the header
    column: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class File:
    """A file of a game: `places` of a YAML file, `rows` (start and end of lines) and `cells` of a CSV file."""

    name: str
    source: Source
    places: tuple[TreePath, ...] = ()
    rows: tuple[tuple[int, int], ...] = ()
    cells: tuple[Cell, ...] = ()

    @property
    def text(self) -> str:
        """All of it."""
        return self.source.text

    def line(self, offset: int) -> int:
        """The 1-based line of an offset."""
        return self.source.position(offset)[0]

    def slice(self, node: Node) -> str:
        """A node as written, without what follows it."""
        return self.text[node.span.start : end(node)]

    def mappings(self) -> Iterator[tuple[TreePath, MapNode]]:
        """Every mapping."""
        for place in self.places:
            if isinstance(place.node, MapNode):
                yield place, place.node

    def sequences(self) -> Iterator[tuple[TreePath, ListNode]]:
        """Every list."""
        for place in self.places:
            if isinstance(place.node, ListNode):
                yield place, place.node

    def scalars(self) -> Iterator[tuple[TreePath, ScalarNode]]:
        """Every text or number that is no key."""
        for place in self.places:
            if isinstance(place.node, ScalarNode):
                yield place, place.node

    def lines(self) -> list[list[Cell]]:
        """The cells of a CSV file, line by line, without its header."""
        return [list(line) for row, line in groupby(self.cells, lambda cell: cell.row) if row]

    def code(self) -> Iterator[tuple[TreePath, int, int]]:
        """Where expressions, names and types stand: (place, start, end)."""
        for place, node in self.scalars():
            if place.key in TEXTS:
                for match in BRACES.finditer(self.text, node.span.start, node.span.end):
                    yield place, match.start() + 1, match.end() - 1
            else:
                yield place, node.span.start, node.span.end


@dataclass(frozen=True, slots=True)
class GameText:
    """The files of a game, and the names that it declares, sorted."""

    id: str
    folder: Path
    files: tuple[File, ...]
    names: tuple[str, ...]
    zones: tuple[str, ...]

    def link_tables(self) -> Iterator[tuple[File, int, int, int | None]]:
        """CSV files of links: the file, the columns of the two ends, which lie side by side, and the one that says `one_way`."""
        files = {file.name: file for file in self.files}
        for place, node in (pair for file in self.files for pair in file.mappings()):
            table, fields = node.get("table"), node.get("fields")
            if (
                place.path[:2] != ("map", "links")
                or not isinstance(table, ScalarNode)
                or not isinstance(fields, MapNode)
            ):
                continue
            header = [cell.text for cell in files[table.value].cells if cell.row == 0]
            first, second = (header.index(name) for name in fields.keys()[:2])
            if second == first + 1:
                yield files[table.value], first, second, header.index("one_way") if "one_way" in header else None


def read_game(folder: Path) -> GameText:
    """A game's files, cases excepted; ValueError if one cannot be read."""
    files = []
    for path in sorted([*folder.glob("*.yaml"), *folder.glob("*.csv")]):
        source = Source(path.name, path.read_bytes().decode("utf-8-sig"))
        files.append(read_csv(source) if path.suffix == ".csv" else read_yaml(source))
    names = sorted({name for file in files for name in declared(file)} - keywords())
    zones = {
        key.value
        for file in files
        for place, node in file.mappings()
        if place.path == ("zones",)
        for key, _ in node.entries
    }
    return GameText(folder.name, folder, tuple(files), tuple(names), tuple(sorted(zones)))


def read_yaml(source: Source) -> File:
    """A YAML file; ValueError if it is none."""
    diagnostics = Diagnostics()
    root = parse(source, diagnostics)
    if root is None:
        raise ValueError(f"{source.name} is not YAML")
    return File(source.name, source, tuple(walk(root, ())))


def read_csv(source: Source) -> File:
    """A CSV file; lines that begin with # are comments."""
    rows: list[tuple[int, int]] = []
    cells = []
    at = 0
    for line in source.text.splitlines(keepends=True):
        start, at = at, at + len(line)
        if line.startswith("#") or not line.strip():
            continue
        column, cursor, stop = 0, start, start + len(line.rstrip("\r\n"))
        while cursor <= stop:
            cell = CELL.match(source.text, cursor, stop)
            assert cell is not None  # it matches the empty text
            cells.append(Cell(cell[0], cursor, len(rows), column))
            column, cursor = column + 1, cell.end() + 1
        rows.append((start, at))
    return File(source.name, source, (), tuple(rows), tuple(cells))


def declared(file: File) -> Iterator[str]:
    """What may be a name that this file declares; words of the language are among them."""
    for place, node in file.mappings():
        for key, value in node.entries:
            if IDENTIFIER.fullmatch(key.value):
                yield key.value
            verb = verbs().get(key.value)
            named = key.value == "as" if verb is None else verb.value.shape == "new name" and verb.traits.binds
            if named and isinstance(value, ScalarNode):
                yield value.value
            if place.path == ("types",) and isinstance(value, ListNode):
                yield from (item.value for item in value if isinstance(item, ScalarNode))
    yield from (cell.text for cell in file.cells if cell.column == 0 or cell.row == 0)


def keywords() -> frozenset[str]:
    """The words of the language that stand as keys."""
    words = {key for block in BLOCKS.values() for key in block.keys}
    words |= {key for verb in verbs().values() for key in verb.keys}
    return frozenset(words | set(verbs()) | {"then", "else", "with", "Player", "players", "game"})
