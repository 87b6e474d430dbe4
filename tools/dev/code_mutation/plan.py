"""Which mutants are tried: the same for the same code and seed, at most one at each place."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from rulespec.system.records import dataclass

if TYPE_CHECKING:
    from cosmic_ray.work_item import MutationSpec, WorkItem

Span = tuple[tuple[int, int], tuple[int, int]]  # start and end: line from 1, column

TABLE = Path(__file__).with_name("parts.yaml")
# These change nothing that a test could see: numbers and texts are interned, so `is` says what `==` says.
SILENT = frozenset({
    "core/ReplaceComparisonOperator_Eq_Is", "core/ReplaceComparisonOperator_NotEq_IsNot",
    "core/ReplaceComparisonOperator_Is_Eq", "core/ReplaceComparisonOperator_IsNot_NotEq",
    "core/NoOp",
})  # fmt: skip


@dataclass(frozen=True)
class Part:
    """A row of the table: a name, how many mutants, patterns of modules, and the files of tests that were written to judge these.

    `tests` is the files of tests that are asked of its mutants, none: those that are asked of all; of them `oracles` come first.
    `aim` is how many of a hundred mutants are to be noticed; 0: as many as of the other parts of which that is not said.
    """

    name: str
    mutants: int
    modules: tuple[str, ...]
    oracles: tuple[str, ...] = ()
    aim: int = 0
    tests: tuple[str, ...] = ()

    def files(self, root: Path) -> list[Path]:
        """The modules below a folder, as paths relative to it, in the order of their names."""
        return sorted({path.relative_to(root) for pattern in self.modules for path in root.glob(pattern)})


@dataclass(frozen=True)
class Targets:
    """Which tests may notice: files, and which of theirs, for pytest's `-k`."""

    files: tuple[str, ...]
    only: str = ""


def table() -> tuple[list[Part], Targets]:
    """What is mutated, and which tests may notice."""
    rows: dict[str, Any] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    parts = []
    for name, row in rows["parts"].items():
        oracles, tests = tuple(row.get("oracles", ())), tuple(row.get("tests", ()))
        asked = (*oracles, *tests) if tests else ()
        parts.append(Part(name, row["mutants"], tuple(row["modules"]), oracles, row.get("aim", 0), asked))
    return parts, Targets(tuple(rows["tests"]["files"]), rows["tests"]["only"])


def asked_by(parts: Sequence[Part], tests: Targets) -> Targets:
    """The tests that are asked of some parts."""
    files = [file for part in parts for file in part.tests or tests.files]
    return Targets(tuple(dict.fromkeys(files)), tests.only)


def sample(part: Part, root: Path, count: int, seed: int) -> list[WorkItem]:
    """At most `count` mutants of a part, in an order that depends on the code and the seed alone.

    The id of each is the same as long as its module is.
    """
    from cosmic_ray.work_item import MutationSpec, WorkItem

    ranked = []
    for file in part.files(root):
        text = (root / file).read_text(encoding="utf-8")
        lines, silent, patterns = text.splitlines(), unread(text), matched(text)
        for operator, occurrence, start, end, definition in places(text):
            # `|` between patterns is no operator: with another one the module would not compile.
            if inside(start, silent) or ("BinaryOperator" in operator and inside(start, patterns)):
                continue
            # The rank follows the text of the line, not its number: code that moves keeps its mutants.
            key = repr((seed, str(file), operator, lines[start[0] - 1].strip(), start[1], definition)).encode()
            job = hashlib.sha256(repr((str(file), text, operator, occurrence)).encode()).hexdigest()[:32]
            spec = MutationSpec(file, operator, occurrence, start, end, {}, definition)
            ranked.append((hashlib.sha256(key).digest(), job, spec))
    chosen: dict[tuple[Path, tuple[int, int]], WorkItem] = {}
    for _, job, spec in sorted(ranked, key=lambda one: one[:2]):
        if len(chosen) == count:
            break
        chosen.setdefault((spec.module_path, spec.start_pos), WorkItem.single(job, spec))
    return list(chosen.values())


def text_of(text: str, spec: MutationSpec) -> str:
    """The text of a module with a mutation of it."""
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator

    mutated: str | None = mutate_code(text, get_operator(spec.operator_name)(), spec.occurrence)
    assert mutated is not None, spec
    return mutated


def places(text: str) -> Iterator[tuple[str, int, tuple[int, int], tuple[int, int], str | None]]:
    """Each mutant of a text as operator, number of its occurrence, start, end (line from 1, column) and function or class."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.ast.ast_query import ASTQuery
    from cosmic_ray.plugins import get_operator, operator_names

    nodes = list(ast_nodes(get_ast(text)))
    for name in sorted(operator_names()):
        operator = get_operator(name)
        if name in SILENT or operator.arguments():
            continue
        mutations = ((node, *place) for node in nodes for place in operator().mutation_positions(node))
        for occurrence, (node, start, end) in enumerate(mutations):
            yield name, occurrence, start, end, ASTQuery(node).get_definition_name()


def inside(place: tuple[int, int], spans: Sequence[Span]) -> bool:
    """Whether a place is in one of some spans."""
    return any(first <= place < last for first, last in spans)


def matched(text: str) -> list[Span]:
    """Where the patterns of `case` are."""
    return [span_of(node.pattern) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.match_case)]


def span_of(node: ast.expr | ast.stmt | ast.pattern) -> Span:
    """Start and end of a node."""
    return (node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or 0)


def unread(text: str) -> list[Span]:
    """Where nothing runs, as start and end (line from 1, column): annotations, and imports for type checkers alone."""
    spans: list[ast.expr | ast.stmt | None] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            spans.append(node.returns)
        elif isinstance(node, ast.arg | ast.AnnAssign):
            spans.append(node.annotation)
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            spans.append(node)
    return [span_of(span) for span in spans if span is not None]
