"""Reads a game: the main file with its parts and tables, merged into one tree and checked."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from rulespec.checker.context import CheckContext
from rulespec.checker.expressions import Expressions
from rulespec.checker.kinds import Kinds
from rulespec.checker.mentions import Mentions
from rulespec.checker.program import CheckedGame, head
from rulespec.checker.program import check as check_tree
from rulespec.ir.gamedef import GameDef
from rulespec.language.sections import BLOCKS
from rulespec.loading.dashes import without_stray_dashes
from rulespec.system.gc_pause import without_collection
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics, RulespecError, nearest
from rulespec.text.disk import circular, files_named, is_file
from rulespec.text.quoting import ticked
from rulespec.text.source import (
    MAX_FILES,
    MAX_TOGETHER,
    Source,
    Span,
    inside,
    read_source,
    shown_path,
)
from rulespec.text.yaml_tree import MAX_NODES, MAX_SCALAR, ListNode, MapNode, Node, ScalarNode, parse
from rulespec.variants.laying import compose, with_rows
from rulespec.variants.stack import Overlay, Stack, read_stack

CUT = (
    "Y015",
    "Y018",
    "Y019",
)  # faults after which the tree holds pieces of expressions: what follows from them says nothing

Named = list[tuple[str, Source]]  # texts by their paths from the folder of the main file


@without_collection()
def read(
    file: Path,
    diagnostics: Diagnostics,
    sources: Named | None = None,
    variants: tuple[str, ...] = (),
    mentions: Mentions | None = None,
) -> CheckedGame | None:
    """A game from its main file, with the parts and tables that it names, or a variant from its file; more variants are applied to it.

    Every text that is read is added to `sources`, that of `file` first; what names stand for to `mentions`.
    """
    sources = [] if sources is None else sources
    stack = read_stack(file, variants, diagnostics, sources)
    if stack is None:
        return None
    files = GameFiles(stack.base.parent, diagnostics, sources, whole=stack.base != file)
    game = read_tree(stack.root, files, diagnostics, stack.leaves, mentions)
    if game is not None:
        game.variants = tuple(leaf.id for leaf in stack.leaves)
        game.opener = Opener(file, variants)
    return game


@dataclass(frozen=True, slots=True)
class Opener:
    """Reads a game again with more variants."""

    file: Path
    variants: tuple[str, ...]

    def __call__(self, more: tuple[str, ...]) -> GameDef:
        """The game with more variants.  Raises RulespecError."""
        diagnostics = Diagnostics()
        game = read(self.file, diagnostics, None, (*self.variants, *more))
        if game is None:
            raise RulespecError(diagnostics)
        return game


def read_resolved(file: Path, diagnostics: Diagnostics, variants: tuple[str, ...] = ()) -> tuple[Stack, MapNode] | None:
    """The tree of a game with its parts, the rows of its tables and its variants, before it is checked."""
    sources: Named = []
    stack = read_stack(file, variants, diagnostics, sources)
    if stack is None or not isinstance(stack.root, MapNode):
        return None
    files = GameFiles(stack.base.parent, diagnostics, sources, whole=True)
    merged = files.with_parts(stack.root)
    if stack.leaves:
        return stack, files.with_variants(merged, stack.leaves)
    return stack, with_rows(merged, files.tables)


def read_root(file: Path) -> dict[str, str]:
    """The scalars at the top level of a file; faults are not reported."""
    quiet = Diagnostics()
    source = read_source(file, diagnostics=quiet)
    root = None if source is None else parse(source, quiet)
    return (
        {key.value: node.value for key, node in root.entries if isinstance(node, ScalarNode)}
        if isinstance(root, MapNode)
        else {}
    )


def read_head(file: Path) -> CheckContext:
    """Id, title, players and the like of a game from its main file; faults are not reported."""
    quiet = Diagnostics()
    source = read_source(file, diagnostics=quiet)
    root = None if source is None else parse(source, quiet)
    context = CheckContext(quiet, root if isinstance(root, MapNode) else MapNode((), Span(Source(file.name, ""), 0, 0)))
    head(context)
    Kinds(context, Expressions(context)).players()
    return context


def read_whole(file: Path, diagnostics: Diagnostics) -> MapNode | None:
    """The tree of a game's main file and its parts, or of a variant, as far as they are readable; nothing is checked."""
    resolved = read_resolved(file, diagnostics)
    return None if resolved is None else resolved[1]


def without_colon(root: Node) -> str:
    """What to write where a file is one text that begins with the name of a section; empty where it is another."""
    words = root.value.splitlines()[0] if isinstance(root, ScalarNode) and root.value else ""
    section = next((name for name in BLOCKS["game"].keys if words.startswith(f"{name} ")), None)
    if section is None:
        return ""
    return f"a colon follows the name of a section: {ticked(f'{section}: {words.removeprefix(section).strip()}')}"


def read_tree(
    root: Node,
    files: GameFiles | None,
    diagnostics: Diagnostics,
    variants: tuple[Overlay, ...] = (),
    mentions: Mentions | None = None,
) -> CheckedGame | None:
    """A game from the tree of its main file with variants applied; without `files` it has no parts, tables and variants."""
    if not isinstance(root, MapNode):
        diagnostics.add(
            "S001",
            "a game is written in sections, each with a name and a colon, and this file has none",
            root.span,
            expected="rulespec: 1, id: ..., players: ...",
            help=(without_colon(root) or "`rulespec new NAME` writes a small game to begin with",),
        )
        return None
    if (kind := other_kind(root)) is not None:
        diagnostics.add("S003", f"this file is {kind[0]} and no game", root.entries[0][0].span, help=(kind[1],))
        return None
    merged = root if files is None else files.with_parts(root)
    if any(d.code in CUT for d in diagnostics):
        return None
    if files is not None and variants:
        before = len(diagnostics.errors)
        merged = files.with_variants(merged, variants)
        if len(diagnostics.errors) > before:
            return None
    merged = without_stray_dashes(merged, diagnostics)
    merged, aside = shape_of(merged, diagnostics)
    lists = ("types", "pieces", "state", "zones", "functions", "procedures", "phases", "events")
    if any((section := merged.get(name)) is not None and not isinstance(section, MapNode) for name in lists):
        return None  # what it declares is wanted everywhere: nothing that follows from that says more
    checked = check_tree(merged, {} if files is None else files.tables, diagnostics, mentions)
    diagnostics.take(aside)
    return checked


OTHERS = {  # files that lie next to a game, by a key that they have: what they are, and what is done with them
    "bot": ("a bot", "name the game: `rulespec lint` checks its bots, `--bot NAME` lets one play"),
    "extends": ("a variant", "name the game, and `--variant NAME`"),
    "study": ("a study", "`rulespec lab FILE` plays it"),
    "cases": ("test cases", "name the game: `rulespec test GAME` runs them"),
}


def other_kind(root: MapNode) -> tuple[str, str] | None:
    """What a file is that was taken for a game, and what is done with it; None where it may be a game, or part of one."""
    if not root.entries or {"rulespec", "part of", "id", "players", "phases"} & set(root.keys()):
        return None
    return OTHERS.get(root.entries[0][0].value)


def shape_of(tree: MapNode, diagnostics: Diagnostics) -> tuple[MapNode, Diagnostics]:
    """Check the shape of a game; returns it with the keys that were meant.

    Faults within its cases do not prevent play: they are returned, not reported.
    """
    from rulespec.schema import validate

    shape, aside, rest = Diagnostics(), Diagnostics(), Diagnostics()
    tree = validate(tree, shape)
    sections = [section for name in ("positions", "cases") if isinstance(section := tree.get(name), MapNode)]
    cases = [replace(key.span, end=value.span.end) for section in sections for key, value in section.entries]
    for fault in shape:
        of_case = fault.span is not None and any(case.holds(fault.span) for case in cases)
        (aside if of_case else rest).keep(fault)
    rest.dropped += shape.dropped
    if rest.has_errors:  # else a name would be missing without a word
        rest.refused |= shape.refused
    diagnostics.take(rest)
    return tree, aside


class GameFiles:
    """The files of a game as they are read: the tables by name, and every text."""

    def __init__(self, folder: Path, diagnostics: Diagnostics, sources: Named, whole: bool = False) -> None:
        self.folder = folder
        self.whole = whole  # texts are known by their whole paths
        self.diagnostics = diagnostics
        self.sources = sources
        self.tables: dict[str, Node] = {}
        self.looked_for = 0  # files, found or not
        self.closed = False  # whether no more files are looked for

    def text(self, name: str, path: Path) -> Source | None:
        """The text of a file."""
        source = read_source(path, shown_path(path), diagnostics=self.diagnostics)
        if source is not None:
            self.sources.append((str(path.absolute()) if self.whole else name, source))
        return source

    def part(self, word: Node, fields: tuple[str, ...] = ()) -> Node | None:
        """The tree of a file beside the main one; `fields` are those of the kind whose rows it holds."""
        if not isinstance(word, ScalarNode) or self.full(word):
            return None
        self.looked_for += 1
        path = self.beside(word)
        source = None if path is None else self.text(word.value, path)
        if path is None or source is None:
            return None
        return read_csv(source, self.diagnostics, fields) if path.suffix == ".csv" else parse(source, self.diagnostics)

    def full(self, word: ScalarNode) -> bool:
        """Whether a game names as many files as it may, or has as many bytes in them; reports Y027 at the first that is left out."""
        files = max(len(self.sources), 1 + self.looked_for)
        if files < MAX_FILES and sum(len(source.text) for _, source in self.sources) < MAX_TOGETHER:
            return False
        if not self.closed:
            message = f"a game has at most {MAX_FILES} files of {MAX_TOGETHER:_} bytes together"
            self.diagnostics.add("Y027", message, word.span)
        self.closed = self.diagnostics.incomplete = True
        return True

    def beside(self, word: ScalarNode) -> Path | None:
        """The path of a file of the game, which must not leave its folder."""
        path = inside(self.folder, word.value)
        if path is None:
            what = (
                "leads round in a circle of links"
                if circular(self.folder / word.value)
                else "is not inside the folder of the game"
            )
            self.diagnostics.add("Y006", f"{ticked(word.value)} {what}", word.span)
            return None
        if not is_file(path):
            names = [path.name for path in files_named(self.folder, "") if is_file(path)]
            close = next((name for name in names if Path(name).stem == word.value), None) or nearest(word.value, names)
            self.diagnostics.add(
                "Y007",
                f"there is no file {ticked(word.value)} in the folder of the game",
                word.span,
                help=(f"did you mean {ticked(close)}?",) if close else (),
            )
            return None
        return path

    def with_parts(self, root: MapNode) -> MapNode:
        """The main file with the sections of its `parts`, and the tables that any of them names."""
        trees = [root]
        parts = root.get("parts")
        named: dict[str, Node] = {}  # as it is written, and the path that this means
        for word in parts.items if isinstance(parts, ListNode) else ():
            if isinstance(word, ScalarNode) and (first := self.part_before(word, named)) is not None:
                self.diagnostics.add(
                    "Y026", "this file is a part already", word.span, related=((first.span, "the first"),)
                )
                continue
            tree = self.part(word)
            if isinstance(tree, MapNode):
                trees.append(tree)
                continue
            if tree is not None:
                self.diagnostics.add("S001", "a part of a game has sections, as the game itself", tree.span)
            self.diagnostics.incomplete = self.diagnostics.has_errors
        merged = root if len(trees) == 1 else merge(trees, self.diagnostics)
        for section in ("types", "pieces", "map"):
            self.read_tables(merged.get(section))
        return merged

    def part_before(self, word: ScalarNode, named: dict[str, Node]) -> Node | None:
        """Where a part was named before, by the same word or by another for the same file; `named` has both, and is added to."""
        if (
            (first := named.get(word.value)) is None
            and not self.closed
            and (path := inside(self.folder, word.value)) is not None
        ):
            first = named.get(str(path))
            named.setdefault(str(path), word)
        named.setdefault(word.value, word)
        return first

    def with_variants(self, tree: MapNode, variants: tuple[Overlay, ...]) -> MapNode:
        """The game's tree with variants over it.  Tables stand in it from here on: those that a variant names lie beside it."""
        merged = compose(with_rows(tree, self.tables), variants, self.diagnostics)
        self.tables.clear()
        folders = {id(variant.root.span.source): variant.path.parent for leaf in variants for variant in leaf.line()}
        beside = GameFiles(self.folder, self.diagnostics, self.sources, whole=True)
        for section in ("types", "pieces", "map"):
            beside.read_tables_of(merged.get(section), folders)
        return with_rows(merged, beside.tables)

    def read_tables_of(self, node: Node | None, folders: dict[int, Path]) -> None:
        """Every `table:` below a node, from the folder of the text in which it is named."""
        if isinstance(node, MapNode):
            for key, value in node.entries:
                if key.value == "table" and isinstance(value, ScalarNode):
                    self.folder = folders.get(id(value.span.source), self.folder)
                    self.read_tables(MapNode(((key, value),), node.span))
                else:
                    self.read_tables_of(value, folders)

    def read_tables(self, node: Node | None) -> None:
        """Every `table:` that is named below a node."""
        if not isinstance(node, MapNode):
            return
        declared = node.get("fields")
        fields = tuple(key.value for key, _ in declared.entries) if isinstance(declared, MapNode) else ()
        for key, value in node.entries:
            if key.value == "table" and isinstance(value, ScalarNode) and value.value not in self.tables:
                tree = self.part(value, fields)
                if isinstance(tree, MapNode):
                    rows = tree.get("rows")
                    self.tables[value.value] = rows if isinstance(rows, MapNode | ListNode) else tree
                elif tree is not None:
                    self.tables[value.value] = tree
            elif isinstance(value, MapNode):
                self.read_tables(value)


def merge(trees: list[MapNode], diagnostics: Diagnostics) -> MapNode:
    """The sections of several files in one tree; what is declared twice is reported."""
    sections: dict[str, tuple[ScalarNode, list[Node]]] = {}
    for number, tree in enumerate(trees):
        for key, value in tree.entries:
            if number and key.value == "part of":
                continue
            sections.setdefault(key.value, (key, []))[1].append(value)
    entries: list[tuple[ScalarNode, Node]] = []
    for key, values in sections.values():
        if len(values) == 1:
            entries.append((key, values[0]))
        elif all(isinstance(v, MapNode) for v in values):
            entries.append((key, merge([v for v in values if isinstance(v, MapNode)], diagnostics)))
        elif all(isinstance(v, ListNode) for v in values):
            items = tuple(item for v in values if isinstance(v, ListNode) for item in v.items)
            entries.append((key, ListNode(items, values[0].span)))
        else:
            diagnostics.add(
                "E108",
                f"{ticked(key.value)} is declared twice",
                values[1].span,
                related=((values[0].span, "the first"),),
            )
    return MapNode(tuple(entries), trees[0].span)


def read_csv(source: Source, diagnostics: Diagnostics, fields: tuple[str, ...] = ()) -> Node | None:
    """The rows of a CSV file; every cell that is not quoted keeps its place.

    The first column holds the names of the rows, unless it is one of the kind's `fields` other than `name`: then the rows have
    none, as links need none.  Columns `cost.ruby` and `cost.jade` together are the mapping `cost`.
    """
    header: list[ScalarNode] | None = None
    values = 0
    rows: list[tuple[ScalarNode, Node]] = []
    seen: set[str] = set()
    at = 0
    strange = False  # whether some column is no field
    first = 1  # the first column that is a field
    for line in source.text.splitlines(keepends=True):
        span = Span(source, at, at + len(line.rstrip("\r\n")))
        text, start = line.rstrip("\r\n"), at
        at += len(line)
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        if len(text) > MAX_SCALAR:
            diagnostics.add("Y022", f"a row of more than {MAX_SCALAR:_} characters", span)
            continue
        cells = list(cell_scalars(text, start, source))
        values += len(cells)
        if values > MAX_NODES:
            diagnostics.add(
                "Y021", f"more than {MAX_NODES:_} values in a file", span, help=("make several tables of it",)
            )
            break
        if header is None:
            header = cells
            if not columns_named(header, diagnostics):
                return None
            first = 0 if cells[0].value in fields and cells[0].value != "name" else 1
            named = {cell.value.partition(".")[0] for cell in cells[first:]}
            strange = bool(fields) and bool(named - {*fields, "copies"})  # its columns are told instead
            continue
        if len(cells) != len(header):
            columns = ", ".join(column.value for column in header)
            cure = f"write a cell for each column, {columns}; a cell with a comma stands in double quotes"
            message = f"this row has {len(cells)} cells, and the table has {len(header)} columns"
            diagnostics.add("Y008", message, span, help=(cure,))
            continue
        if first and cells[0].value in seen:
            if strange:
                continue
            column = f"the first column, {ticked(header[0].value)}, is the name of a row"
            diagnostics.add("Y009", f"there are two rows named {ticked(cells[0].value)}", cells[0].span, help=(column,))
            continue
        seen.add(cells[0].value)
        rows.append((cells[0], row_of(header[first:], cells[first:], span)))
    whole = Span(source, 0, len(source.text))
    return MapNode(tuple(rows), whole) if first else ListNode(tuple(row for _, row in rows), whole)


def columns_named(header: list[ScalarNode], diagnostics: Diagnostics) -> bool:
    """Whether each column has a name of its own; reports Y028."""
    before = len(diagnostics.errors)
    first: dict[str, ScalarNode] = {}
    for number, column in enumerate(header, 1):
        name, _, part = column.value.partition(".")
        alike = first.get(column.value) or first.get(f"{name}." if not part else name)
        if not name or (not part and column.value.endswith(".")):
            help = "name it, or take out a comma too many in each line"
            diagnostics.add("Y028", f"column {number} of the table has no name", column.span, help=(help,))
        elif len(header) == 1 and (sign := next((s for s in ";\t|" if s in column.value), None)):
            shown = "tabs" if sign == "\t" else ticked(sign)
            help = "save the table with commas between its cells"
            diagnostics.add("Y028", f"{shown} in place of commas between the columns", column.span, help=(help,))
        elif alike is not None:
            message = f"the table has two columns {ticked(column.value)}"
            if alike.value != column.value:
                message = f"the columns {ticked(alike.value)} and {ticked(column.value)} give one field two values"
            help = "give one of the two columns another name, or delete it"
            diagnostics.add("Y028", message, column.span, related=((alike.span, "the first"),), help=(help,))
        first.setdefault(column.value, column)
        if part:
            first.setdefault(f"{name}.", column)
    return len(diagnostics.errors) == before


def row_of(header: list[ScalarNode], cells: list[ScalarNode], span: Span) -> MapNode:
    """A row as a mapping without its empty cells; columns `a.b` and `a.c` are a mapping `a`."""
    entries: dict[str, tuple[ScalarNode, Node]] = {}
    for column, cell in zip(header, cells, strict=True):
        name, _, part = column.value.partition(".")
        key = ScalarNode(name, "plain", column.span)  # where a fault of the column is shown, once
        if part:
            before = entries[name][1] if name in entries else None
            parts = before.entries if isinstance(before, MapNode) else ()
            new = ((ScalarNode(part, "plain", column.span), cell),) if cell.value else ()
            entries[name] = key, MapNode((*parts, *new), span)
        elif cell.value:
            entries[name] = key, cell
    return MapNode(tuple(entries.values()), span)


def cell_scalars(text: str, start: int, source: Source) -> Iterable[ScalarNode]:
    """The cells of one line with their places."""
    at = 0
    for cell in next(csv.reader(io.StringIO(text))):
        stripped = cell.strip()
        place = text.find(stripped, at) if stripped else at
        place = at if place < 0 else place
        yield ScalarNode(stripped, "plain", Span(source, start + place, start + place + len(stripped)))
        at = text.find(",", place + len(stripped)) + 1 or len(text)
