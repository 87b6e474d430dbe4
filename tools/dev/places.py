"""`python -m tools.dev.places`: in how many places a fact of the language is written down, counted in the source.

    instruction    6 files: interpreter/python/procedures.py, ...
    transfer       1 files: rulespec/analysis/transfer.py

An instruction has to be made known wherever a `match` speaks of most of them, and so has an expression; a match over expressions that
adds up numbers is a model of what they cost.  A kind of result stands in every table over `Result`.  A function of the library is
known wherever a call of it is looked for by name; the compiler, which makes calls to say what steps and signs mean, uses it as rules do.
An operator of the grammar is looked for by its name in `rulespec/language/operators.py`, which is its one place.
`tests/project/test_places.py` holds the numbers down.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

from rulespec import ir
from rulespec.language.facts import Result
from rulespec.language.registry import all_facts

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("rulespec", "interpreter")
INSTRUCTIONS = frozenset(c.__name__ for c in get_args(ir.Instruction))
EXPRESSIONS = frozenset(c.__name__ for c in get_args(ir.Expr))
RESULTS = frozenset(r.name for r in Result)
NUMBERS = ("int", "float")


@cache
def texts() -> dict[str, str]:
    """The files of what is shipped, by their paths."""
    files = (file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py")))
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}


@cache
def modules(holding: str) -> dict[str, ast.Module]:
    """Those whose text holds some words, parsed."""
    return {file: ast.parse(text) for file, text in texts().items() if holding in text}


def matched(match: ast.Match) -> set[str]:
    """The names of the classes that the cases of a match are about."""
    return {
        node.cls.attr if isinstance(node.cls, ast.Attribute) else node.cls.id
        for case in match.cases
        for node in ast.walk(case.pattern)
        if isinstance(node, ast.MatchClass) and isinstance(node.cls, ast.Attribute | ast.Name)
    }


def walks(kinds: frozenset[str], name: str, share: float = 0.5) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions with a match over such a share of these classes, of which `name` is one, each with its file."""
    for file, tree in modules(f"{name}(").items():
        for function in functions(tree):
            matches = (node for node in ast.walk(function) if isinstance(node, ast.Match))
            if any(len(matched(match) & kinds) > share * len(kinds) for match in matches):
                yield file, function


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The functions of a file and the methods of its classes."""
    for node in tree.body:
        yield from (
            one
            for one in ([node] if not isinstance(node, ast.ClassDef) else node.body)
            if isinstance(one, ast.FunctionDef)
        )


def adds(function: ast.FunctionDef) -> bool:
    """Whether a function gives a number, and adds up what parts give."""
    if not isinstance(function.returns, ast.Name) or function.returns.id not in NUMBERS:
        return False
    return any(isinstance(node, ast.Name) and node.id == "sum" for node in ast.walk(function))


def tables() -> Iterator[str]:
    """The files with a table that has an entry for most kinds of results."""
    for file, tree in modules("Result.AMONG").items():
        for node in ast.walk(tree):
            keys = node.keys if isinstance(node, ast.Dict) else ()
            named = {key.attr for key in keys if isinstance(key, ast.Attribute)}
            if 2 * len(named & RESULTS) > len(RESULTS):
                yield file


def spoken_of() -> dict[str, set[str]]:
    """By the name of a function of the library, the files elsewhere that look for its calls."""
    known: dict[str, set[str]] = {name: set() for name in all_facts()}
    for file, tree in modules("Op").items():
        for node in ast.walk(tree):
            for part in looked_for(node):
                for constant in ast.walk(part):
                    if isinstance(constant, ast.Constant) and constant.value in known:
                        known[constant.value].add(file)
    return known


def looked_for(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a pattern, a match or a condition that hold the names of the functions whose calls it is about."""
    match node:
        case ast.MatchClass(cls) if is_op(cls):
            yield from (*node.patterns[:1], *node.kwd_patterns[:1])
        case ast.Match(ast.Tuple([ast.Attribute(attr="name"), ast.Attribute(attr="args")])):
            yield from (case.pattern.patterns[0] for case in node.cases if isinstance(case.pattern, ast.MatchSequence))
        case ast.BoolOp(ast.And()):
            tests = [one.args for one in ast.walk(node) if isinstance(one, ast.Call) and len(one.args) == 2]
            calls = {ast.dump(tested) for tested, kind in tests if is_op(kind)}
            for one in ast.walk(node):
                match one:
                    case ast.Compare(ast.Attribute(call, "name"), _, names) if ast.dump(call) in calls:
                        yield from names


def is_op(node: ast.expr) -> bool:
    """Whether this names the class of calls."""
    return (node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else "") == "Op"


def counted() -> dict[str, list[str]]:
    """The files in which a fact of each kind is written down."""
    return {
        "instruction": sorted({file for file, _ in walks(INSTRUCTIONS, "Collect")}),
        "expression": sorted({file for file, _ in walks(EXPRESSIONS, "Comp")}),
        "transfer": sorted(set(tables())),
        "cost": sorted({file for file, function in walks(EXPRESSIONS, "Comp", 0.4) if adds(function)}),
    }


def main() -> int:
    """Print the counts."""
    for fact, files in counted().items():
        print(f"{fact:<12} {len(files):>3} files: {', '.join(files)}")
    known = spoken_of()
    elsewhere = {name: files for name, files in known.items() if files}
    print(f"function       1 file for {len(known) - len(elsewhere)} of {len(known)}; others are spoken of by name in:")
    for name, more in sorted(elsewhere.items(), key=lambda row: (-len(row[1]), row[0])):
        print(f"    {name:<20} {len(more):>3} files more")
    return 0


if __name__ == "__main__":
    sys.exit(main())
