"""The door: from a path or the id of a shipped game to a game that is checked."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rulespec.checker.context import Game
from rulespec.checker.expressions import Expressions
from rulespec.checker.kinds import Kinds
from rulespec.checker.program import GameDef
from rulespec.checker.program import check as check_tree
from rulespec.checker.program import head as read_head
from rulespec.diagnostics import Diagnostic, Diagnostics, RulespecError, nearest
from rulespec.resources import games_dir
from rulespec.source import Source, Span, read_source
from rulespec.yamltree import Mapping, Node, Scalar, Sequence, parse

MAIN = "game.yaml"
CUT = ("Y018", "Y019")  # faults after which the tree holds pieces of expressions: what follows from them says nothing


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A shipped game in a list."""

    id: str
    title: str
    players: tuple[int, ...]
    path: Path
    about: str


def load(path_or_id: str | Path) -> GameDef:
    """The game at a path (a folder or file) or with an id among the shipped ones; raises RulespecError with every fault."""
    found, diagnostics = check(path_or_id)
    if found is None:
        raise RulespecError(diagnostics)
    return found


def check(path_or_id: str | Path) -> tuple[GameDef | None, tuple[Diagnostic, ...]]:
    """The game, or None, with all that was found: errors and warnings, sorted."""
    diagnostics = Diagnostics()
    file = find(path_or_id, diagnostics)
    found = None if file is None else read(file, diagnostics)
    return found, diagnostics.sorted()


def find(path_or_id: str | Path, diagnostics: Diagnostics) -> Path | None:
    """The main file of a game."""
    path = Path(path_or_id)
    if path.is_dir():
        if (path / MAIN).is_file():
            return path / MAIN
        diagnostics.add("Y001", f"there is no {MAIN} in this folder", origin=str(path_or_id))
        return None
    if path.is_file():
        return path
    name = str(path_or_id)
    shipped = games_dir() / name / MAIN
    if name and Path(name).name == name and shipped.is_file():
        return shipped
    close = nearest(name, (info.name for info in folders()))
    diagnostics.add("C004", f"there is no game `{name}`: neither a path nor the id of a shipped game", origin=name,
                    help=(f"did you mean `{close}`?",) if close else ("`rulespec list` shows the shipped games",))  # fmt: skip
    return None


def folders() -> list[Path]:
    """The folders of the shipped games, by name."""
    root = games_dir()
    return sorted(p for p in root.iterdir() if (p / MAIN).is_file()) if root.is_dir() else []


def list_games() -> list[GameInfo]:
    """The shipped games, from the head of each file; whether a game has faults is not asked here."""
    made = []
    for folder in folders():
        quiet = Diagnostics()
        source = read_source(folder / MAIN, diagnostics=quiet)
        root = None if source is None else parse(source, quiet)
        head = Game(quiet, root if isinstance(root, Mapping) else Mapping((), Span(Source(folder.name, ""), 0, 0)))
        read_head(head)
        Kinds(head, Expressions(head)).players()
        made.append(GameInfo(folder.name, head.title or folder.name, head.counts, folder, " ".join(head.about.split())))
    return made


def read(file: Path, diagnostics: Diagnostics) -> GameDef | None:
    """A game from its main file, with the parts and tables that it names."""
    shown = shown_path(file)
    source = read_source(file, shown, diagnostics=diagnostics)
    root = None if source is None else parse(source, diagnostics)
    if root is None or source is None:
        return None
    return read_tree(root, file.parent, diagnostics)


def shown_path(file: Path) -> str:
    """A path as messages show it: from here, where that is shorter."""
    try:
        return str(file.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(file)


def read_tree(root: Node, folder: Path | None, diagnostics: Diagnostics) -> GameDef | None:
    """A game from the tree of its main file."""
    from rulespec.schema import validate

    if not isinstance(root, Mapping):
        diagnostics.add(
            "S001", "a game is a mapping of sections", root.span, expected="rulespec: 1, id: ..., players: ..."
        )
        return None
    files: dict[str, Node] = {}
    merged = root if folder is None else with_parts(root, folder, files, diagnostics)
    if any(d.code in CUT for d in diagnostics):
        return None
    validate(merged, diagnostics)
    return check_tree(merged, files, diagnostics)


def with_parts(root: Mapping, folder: Path, files: dict[str, Node], diagnostics: Diagnostics) -> Mapping:
    """The main file with the sections of its `parts`, and the tables that any of them names."""
    trees = [root]
    parts = root.get("parts")
    for word in parts.items if isinstance(parts, Sequence) else ():
        tree = read_part(word, folder, diagnostics)
        if isinstance(tree, Mapping):
            trees.append(tree)
    merged = root if len(trees) == 1 else merge(trees, diagnostics)
    for section in ("types", "pieces", "map"):
        tables(merged.get(section), folder, files, diagnostics)
    return merged


def read_part(word: Node, folder: Path, diagnostics: Diagnostics) -> Node | None:
    """A file beside the main one."""
    if not isinstance(word, Scalar):
        return None
    path = beside(word, folder, diagnostics)
    if path is None:
        return None
    source = read_source(path, shown_path(path), diagnostics=diagnostics)
    if source is None:
        return None
    return read_csv(source, diagnostics) if path.suffix == ".csv" else parse(source, diagnostics)


def beside(word: Scalar, folder: Path, diagnostics: Diagnostics) -> Path | None:
    """The path of a file of the game, which must not leave its folder."""
    path = (folder / word.value).resolve()
    if not path.is_relative_to(folder.resolve()) or not word.value:
        diagnostics.add("Y006", f"`{word.value}` is not inside the folder of the game", word.span)
        return None
    if not path.is_file():
        close = nearest(word.value, (p.name for p in folder.iterdir() if p.is_file()))
        diagnostics.add("Y007", f"there is no file `{word.value}` beside the game", word.span,
                        help=(f"did you mean `{close}`?",) if close else ())  # fmt: skip
        return None
    return path


def tables(node: Node | None, folder: Path, files: dict[str, Node], diagnostics: Diagnostics) -> None:
    """Every `table:` that is named below a node."""
    if not isinstance(node, Mapping):
        return
    for key, value in node.entries:
        if key.value == "table" and isinstance(value, Scalar) and value.value not in files:
            tree = read_part(value, folder, diagnostics)
            if isinstance(tree, Mapping):
                rows = tree.get("rows")
                files[value.value] = rows if isinstance(rows, Mapping | Sequence) else tree
            elif tree is not None:
                files[value.value] = tree
        elif isinstance(value, Mapping):
            tables(value, folder, files, diagnostics)


def merge(trees: list[Mapping], diagnostics: Diagnostics) -> Mapping:
    """The sections of several files together; what is declared twice is reported."""
    sections: dict[str, tuple[Scalar, list[Node]]] = {}
    for number, tree in enumerate(trees):
        for key, value in tree.entries:
            if number and key.value == "part of":
                continue
            sections.setdefault(key.value, (key, []))[1].append(value)
    entries: list[tuple[Scalar, Node]] = []
    for key, values in sections.values():
        if len(values) == 1:
            entries.append((key, values[0]))
        elif all(isinstance(v, Mapping) for v in values):
            entries.append((key, merge([v for v in values if isinstance(v, Mapping)], diagnostics)))
        elif all(isinstance(v, Sequence) for v in values):
            items = tuple(item for v in values if isinstance(v, Sequence) for item in v.items)
            entries.append((key, Sequence(items, values[0].span)))
        else:
            diagnostics.add(
                "E108", f"`{key.value}` is declared twice", values[1].span, related=((values[0].span, "the first"),)
            )
    return Mapping(tuple(entries), trees[0].span)


def read_csv(source: Source, diagnostics: Diagnostics) -> Node | None:
    """A table of comma-separated values as rows by the first column; every cell keeps its place where it is not quoted."""
    header: list[str] | None = None
    rows: list[tuple[Scalar, Node]] = []
    seen: set[str] = set()
    at = 0
    for line in source.text.splitlines(keepends=True):
        span = Span(source, at, at + len(line.rstrip("\r\n")))
        text, start = line.rstrip("\r\n"), at
        at += len(line)
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        cells = list(cell_scalars(text, start, source))
        if header is None:
            header = [cell.value for cell in cells]
            continue
        if len(cells) != len(header):
            diagnostics.add("Y008", f"this row has {len(cells)} cells, and the table has {len(header)} columns", span)
            continue
        if cells[0].value in seen:
            diagnostics.add("Y009", f"there are two rows named `{cells[0].value}`", cells[0].span)
            continue
        seen.add(cells[0].value)
        pairs = tuple(
            (Scalar(name, "plain", cell.span), cell)
            for name, cell in zip(header[1:], cells[1:], strict=True)
            if cell.value
        )
        rows.append((cells[0], Mapping(pairs, span)))
    return Mapping(tuple(rows), Span(source, 0, len(source.text)))


def cell_scalars(text: str, start: int, source: Source) -> Iterable[Scalar]:
    """The cells of one line with their places."""
    at = 0
    for cell in next(csv.reader(io.StringIO(text))):
        stripped = cell.strip()
        place = text.find(stripped, at) if stripped else at
        place = at if place < 0 else place
        yield Scalar(stripped, "plain", Span(source, start + place, start + place + len(stripped)))
        at = text.find(",", place + len(stripped)) + 1 or len(text)
