"""The house rules, read from the source: which module may import which, and what none may hold.

A module stands on a floor and imports from its own floor or a lower one. Modules of one floor may
lean on each other, never in a circle. Imports inside functions count, and so do those under
`if TYPE_CHECKING`.
"""

import ast
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import networkx as nx

from rulespec.language.sections import BLOCKS
from tests.helpers.places import ROOT

PACKAGES = ("rulespec", "interpreter", "tools")
NATIVE = ROOT / "interpreter" / "native"
OURS = (*PACKAGES, "tests", "games", "schemas")

# From the lowest floor up: the folders and modules that stand on each. `a.b.*` is the package `a.b` and all below it; the
# longest name that fits wins.
LEVELS = (
    ("rulespec.system.*",),  # what we ask of the machine that we run on
    ("rulespec.text.*",),  # files, places in them, and what is wrong there
    ("rulespec.language.*", "rulespec.codes.*"),  # what a definition is, and what each code means
    ("rulespec.expr.*", "rulespec.ir.*"),  # expressions as written, programs as data
    ("rulespec.library.*", "rulespec.schema.*"),  # the definitions
    ("rulespec.analysis.*",),  # what is known of values
    ("rulespec.passes.*",),
    ("rulespec.checker.*", "rulespec.variants.*"),  # the game as understood
    ("rulespec.lint.*",),
    ("rulespec.loading.*",),  # from files to games
    ("rulespec.cache.*", "rulespec.cases.*", "rulespec.bots.*", "rulespec.studies.*"),
    ("rulespec.api",),  # what users of the language call
    ("interpreter.runtime.*",),  # what all back ends share
    ("interpreter.reference.*",),  # the meaning of the rules
    ("interpreter.python.*",),
    ("interpreter.native.*",),  # programs as C, and the objects made of it
    (
        "interpreter.setup",
        "interpreter.questions",
        "interpreter.position",
        "interpreter.native_position",
        "interpreter.copies",
        "interpreter.counting",
        "interpreter.opening",
        "interpreter.selection",
    ),
    ("interpreter.views.*",),
    ("interpreter.spaces.*",),  # numbers for actions, vectors for views
    ("interpreter.files.*", "interpreter.native.worker"),
    ("interpreter.game", "interpreter.batch", "interpreter"),  # the door
    ("interpreter.bots.*", "interpreter.testing.*", "interpreter.odds"),  # those who play, and what comes of it
    ("rulespec",),  # the door of both for users
    ("rulespec.envs.*",),  # our games in other libraries' interfaces
    ("tools.*", "rulespec.__main__"),  # the command line, and the console command that finds it
    ("tools.dev.*",),  # what makes and measures the project; no wheel carries it
    ("tests.*", "games.*", "schemas.*"),  # nothing stands on the tests, and the games are data
)
FLOORS = {pattern: floor for floor, patterns in enumerate(LEVELS) for pattern in patterns}

# Execution sees the program, what the program speaks of, and how its expressions are rewritten; never YAML, checker or lowering.
INTERPRETER_MAY_IMPORT = (
    "rulespec.system.*",
    "rulespec.analysis.*",
    "rulespec.ir.*",
    "rulespec.cases.data",
    "rulespec.bots.data",
    "rulespec.language.bounds",
    "rulespec.language.facts",
    "rulespec.language.operators",
    "rulespec.language.palette",
    "rulespec.language.registry",
    "rulespec.language.types",
    "rulespec.library.*",
    "rulespec.passes.fold",
    "rulespec.passes.inline",
    "rulespec.passes.rewrite",
    "rulespec.passes.total",
    "rulespec.text.source",
    "rulespec.text.diagnostics",
    "rulespec.text.numbers",
    "rulespec.text.quoting",
    "interpreter.*",
)

FORBIDDEN_NAMES = {"eval", "exec"}
FORBIDDEN_MODULES = {"pickle", "marshal"}
LONGEST_FILE = 625


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_name(path): path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))}


def fits(module: str, pattern: str) -> bool:
    if pattern.endswith(".*"):
        return module == pattern[:-2] or module.startswith(pattern[:-1])
    return module == pattern


def floor_of(module: str) -> int | None:
    patterns = [pattern for pattern in FLOORS if fits(module, pattern)]
    return FLOORS[max(patterns, key=lambda p: len(p.removesuffix(".*")))] if patterns else None


@cache
def parse(module: str) -> ast.Module:
    return ast.parse(FILES[module].read_text(encoding="utf-8"))


def imports_of(module: str) -> Iterator[tuple[str, int]]:
    """Each module that this one imports, ours and others', with the line of the import."""
    for node in ast.walk(parse(module)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            base = absolute(module, node)
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                yield (inner if inner in FILES else base), node.lineno


def absolute(module: str, node: ast.ImportFrom) -> str:
    """The module that `from ... import` names, with leading dots resolved."""
    if not node.level:
        return node.module or ""
    package = module.split(".")
    if FILES[module].name != "__init__.py":
        package.pop()
    package = package[: len(package) - (node.level - 1)]
    return ".".join([*package, *([node.module] if node.module else [])])


@cache
def our_imports(module: str) -> list[tuple[str, int]]:
    return [(m, line) for m, line in imports_of(module) if m.split(".")[0] in OURS]


def where(module: str, line: int) -> str:
    return f"{FILES[module].relative_to(ROOT)}:{line}"


def report(faults: list[str]) -> None:
    assert not faults, "\n" + "\n".join(faults)


def test_every_module_has_a_floor() -> None:
    assert FILES
    report(
        [
            f"{module} has no floor: place it in LEVELS at the top of tests/project/test_floors.py"
            for module in FILES
            if floor_of(module) is None
        ]
    )


def test_every_pattern_names_a_module() -> None:
    data = ("tests.*", "games.*", "schemas.*")
    report(
        [
            f"{pattern} names no module that there is"
            for pattern in (*FLOORS, *INTERPRETER_MAY_IMPORT)
            if pattern not in data and not any(fits(module, pattern) for module in FILES)
        ]
    )


def test_imports_lead_down() -> None:
    faults = []
    for module in FILES:
        own = floor_of(module)
        for target, line in our_imports(module):
            floor = floor_of(target)
            if floor is None:
                faults.append(
                    f"{where(module, line)}: {target} has no floor: "
                    "place it in LEVELS at the top of tests/project/test_floors.py"
                )
            elif own is not None and floor > own:
                faults.append(
                    f"{where(module, line)}: {module} (floor {own}) imports {target} (floor {floor}) above it"
                )
    report(faults)


def test_imports_never_turn_in_a_circle() -> None:
    graph: nx.DiGraph[str] = nx.DiGraph(
        (module, target) for module in FILES for target, _ in our_imports(module) if target in FILES
    )
    report(["circle: " + " -> ".join([*c, c[0]]) for c in nx.simple_cycles(graph)])


def test_folders_never_turn_in_a_circle() -> None:
    """Seen from each folder: what stands in it, each folder there as one.  Two folders lean on each other in one direction."""
    faults = []
    for folder in sorted({module.rpartition(".")[0] for module in FILES}):
        inside = f"{folder}." if folder else ""
        graph: nx.DiGraph[str] = nx.DiGraph()
        for module in FILES:
            for target, line in our_imports(module):
                if module.startswith(inside) and target.startswith(inside) and target in FILES:
                    ends = [inside + name.removeprefix(inside).split(".")[0] for name in (module, target)]
                    graph.add_edge(*ends, where=where(module, line))
        graph.remove_edges_from(nx.selfloop_edges(graph))
        for circle in nx.simple_cycles(graph):
            steps = pairwise([*circle, circle[0]])
            faults.append("circle: " + ", ".join(f"{a} -> {b} ({graph[a][b]['where']})" for a, b in steps))
    report(faults)


def test_files_of_c_never_turn_in_a_circle() -> None:
    """A source and its header are one; it leans on what it includes, and on what alone defines a name that it uses."""
    texts: dict[str, str] = {}
    homes: dict[str, set[str]] = {}
    for path in sorted([*NATIVE.rglob("*.c"), *NATIVE.rglob("*.h")]):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        text = re.sub(r"(?m)^\w[^;{}=]*\);$", "", text)  # what is only declared
        texts[path.stem] = texts.get(path.stem, "") + text
        if path.suffix == ".c":
            text = re.sub(r"(?m)^(static|#define) .*", "", text)  # no other source sees these
        for name in re.findall(r"(?m)^(?:\w[^;{}()=\n]*?\b(\w+)\([^;{}]*\)\s*\{|#define (\w+))", text):
            homes.setdefault("".join(name), set()).add(path.stem)
    graph: nx.DiGraph[str] = nx.DiGraph()
    for stem, text in texts.items():
        graph.add_edges_from((stem, target) for target in re.findall(r'#include "(\w+)\.h"', text))
        for name in {*re.findall(r"\b(\w+)\(", text), *re.findall(r"\b[A-Z_]+\b", text)} & homes.keys():
            if len(homes[name]) == 1:
                graph.add_edge(stem, *homes[name])
    graph.remove_edges_from(nx.selfloop_edges(graph))
    assert graph.has_edge("games", "core") and graph.has_edge("interface", "runtime")
    report(["circle: " + " -> ".join([*c, c[0]]) for c in nx.simple_cycles(graph)])


def test_interpreter_sees_programs_only() -> None:
    report(
        [
            f"{where(module, line)}: {module} imports {target}; "
            f"the interpreter may import only {', '.join(INTERPRETER_MAY_IMPORT)}"
            for module in FILES
            if fits(module, "interpreter.*")
            for target, line in our_imports(module)
            if not any(fits(target, allowed) for allowed in INTERPRETER_MAY_IMPORT)
        ]
    )


def test_tools_import_each_other_relatively() -> None:
    """A wheel carries `tools` under another name."""
    report(
        [
            f"{where(module, node.lineno)}: write this as a relative import"
            for module in FILES
            if fits(module, "tools.*")
            for node in ast.walk(parse(module))
            if (isinstance(node, ast.Import) and any(fits(a.name, "tools.*") for a in node.names))
            or (isinstance(node, ast.ImportFrom) and not node.level and fits(node.module or "", "tools.*"))
        ]
    )


def test_nothing_runs_text_or_foreign_bytes() -> None:
    faults = []
    for module in FILES:
        for target, line in imports_of(module):
            if target.split(".")[0] in FORBIDDEN_MODULES:
                faults.append(f"{where(module, line)}: imports {target}")
        for node in ast.walk(parse(module)):
            if isinstance(node, ast.Name) and node.id in FORBIDDEN_NAMES:
                faults.append(f"{where(module, node.lineno)}: uses {node.id}")
            elif (
                isinstance(node, ast.Attribute)
                and node.attr in FORBIDDEN_NAMES
                and isinstance(node.value, ast.Name)
                and node.value.id == "builtins"
            ):
                faults.append(f"{where(module, node.lineno)}: uses builtins.{node.attr}")
            elif (
                isinstance(node, ast.ImportFrom)
                and node.module == "builtins"
                and any(alias.name in FORBIDDEN_NAMES for alias in node.names)
            ):
                faults.append(f"{where(module, node.lineno)}: imports eval or exec")
    report(faults)


def game_ids() -> set[str]:
    """The ids of the shipped games: their folders' names and what their files call them."""
    ids = set()
    for file in (ROOT / "games").glob("*/game.yaml"):
        ids.add(file.parent.name)
        ids.update(re.findall(r"(?m)^id:\s*[\"']?([\w-]+)", file.read_text(encoding="utf-8")))
    return ids


def test_no_python_file_knows_a_game() -> None:
    """Code and strings, with docstrings; a comment may tell where a need came from.  A key of the language is a word of its own."""
    ids = game_ids() - {key for block in BLOCKS.values() for key in block.keys}
    if not ids:
        return
    alternatives = "|".join(re.escape(i) for i in sorted(ids, key=len, reverse=True))
    # `_` joins words, so that `score_of_<id>` is found too.
    word = re.compile(rf"(?<![^\W_])(?:{alternatives})(?![^\W_])")
    faults = []
    for module, path in FILES.items():
        with tokenize.open(path) as file:
            for token in tokenize.generate_tokens(file.readline):
                if token.type == tokenize.COMMENT:
                    continue
                for found in word.finditer(token.string):
                    line = token.start[0] + token.string.count("\n", 0, found.start())
                    faults.append(f"{where(module, line)}: names the game {found.group()}")
    report(faults)


def test_files_stay_short() -> None:
    faults = []
    for path in FILES.values():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > LONGEST_FILE:
            faults.append(f"{path.relative_to(ROOT)}: {lines} lines, {LONGEST_FILE} at most")
    report(faults)


def test_tests_share_helpers_and_nothing_else() -> None:
    """What two tests need stands in `tests/helpers`, so that no test runs another's."""
    faults = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            faults += [
                f"{path.relative_to(ROOT)}:{node.lineno}: imports {name}; what tests share stands in tests/helpers"
                for name in names
                if name.split(".")[0] == "tests" and not fits(name, "tests.helpers.*")
            ]
    report(faults)


def test_each_test_is_in_a_room() -> None:
    """Named after what it tests, so that the nearest test is found by its folder."""
    assert not list((ROOT / "tests").glob("test_*.py"))


LOOSE = ("isdigit", "isdecimal", "isnumeric")
DIGITS_FOR_PEOPLE = {  # not read as numbers: the ends of names, the words of help, and the digits of which a name is made
    "rulespec.checker.kinds", "rulespec.checker.pictures", "rulespec.lint.rules.odd_one", "rulespec.schema.validate",
    "rulespec.text.numbers", "rulespec.text.yaml_tree", "tools.commands.explain", "tools.mutants.expressions",
}  # fmt: skip


def test_nothing_else_decides_what_a_number_is() -> None:
    """Methods of texts that take digits of every script are not how a number is read."""
    report(
        [f"{module}:{line}: numbers are read by rulespec.text.numbers" for module in FILES for line in loose(module)]
    )


def loose(module: str) -> Iterator[int]:
    if module in DIGITS_FOR_PEOPLE:
        return
    for node in ast.walk(parse(module)):
        if isinstance(node, ast.Attribute) and node.attr in LOOSE:
            yield node.lineno


MARKDOWN = (  # what writes pages about the project itself, in which backquotes are code, and what lies below the text of messages
    "rulespec.schema.build", "rulespec.system.*", "rulespec.text.quoting", "tools.dev.*",
)  # fmt: skip


def test_texts_that_somebody_wrote_are_quoted() -> None:
    """A value between backquotes may be empty, hold backquotes or a line break; declared names (`x.name`) and constants do not."""
    report(
        [
            f"{where(module, value.lineno)}: `{{{ast.unparse(value.value)}}}` is shown by ticked of rulespec.text.quoting"
            for module in FILES
            if not any(fits(module, pattern) for pattern in MARKDOWN)
            for value in bare(parse(module))
        ]
    )


def bare(tree: ast.Module) -> Iterator[ast.FormattedValue]:
    """The values that stand alone between backquotes and may be any text."""
    for node in ast.walk(tree):
        parts = node.values if isinstance(node, ast.JoinedStr) else []
        opened = False
        for before, value, after in zip(parts, parts[1:], parts[2:], strict=False):
            if isinstance(before, ast.Constant):
                opened ^= str(before.value).count("`") % 2 == 1
            alone = [isinstance(part, ast.Constant) and str(part.value) for part in (before, after)]
            ticks = opened and alone[0] and alone[0].endswith("`") and alone[1] and alone[1].startswith("`")
            if ticks and isinstance(value, ast.FormattedValue) and not known(value.value):
                yield value


def known(value: ast.expr) -> bool:
    """Whether a value is a constant of ours or the name of something that was declared."""
    if isinstance(value, ast.Attribute) and value.attr == "name":
        return ast.unparse(value.value) not in ("path", "file")
    first = value.value if isinstance(value, ast.Subscript) else value
    return ast.unparse(first).rpartition(".")[2].isupper()
