"""Nothing that writes C reads it back to learn what it is: what is known of it is said where it is made."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.native.emitter.calls import has_effect, loops, may_fail
from interpreter.native.emitter.texts import Comparison, Member, Part, Place, Variable, part_of
from tests.helpers.places import ROOT

EMITTER = ROOT / "interpreter" / "native" / "emitter"
READS = {
    "replace",
    "removeprefix",
    "removesuffix",
    "startswith",
    "endswith",
    "partition",
    "split",
    "find",
    "index",
    "count",
}
# What C calls is read in one place, which says why; of the others, the templates of the library and of payments are no C yet.
ALLOWED = {
    "calls.py": {"findall", "search", "count"},
    "operations/scalars.py": {"findall", "sub", "in"},
    "operations/paying.py": {"replace"},
}
PATTERNS = {"findall", "finditer", "search", "match", "fullmatch", "sub"}


def readings(tree: ast.AST) -> Iterator[str]:
    """What of a module asks a text: a pattern, a method of texts with a text as an argument, `"text" in ...`, a slice of a `code`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Attribute(attr=name)) if name in PATTERNS:
                yield name
            case ast.Call(ast.Attribute(attr=name), [first, *_]) if name in READS and is_text(first):
                yield name
            case ast.Compare(left, [ast.In() | ast.NotIn()]) if is_text(left) and is_name(node.comparators[0]):
                yield "in"
            case ast.Subscript(ast.Attribute(attr="code", value=ast.Name("v" | "val")), ast.Slice()):
                yield "slice"


def is_text(node: ast.AST) -> bool:
    """Whether code is a text that is written there."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def is_name(node: ast.AST) -> bool:
    """Whether code is a name, or an attribute `code`: no table of names, and no tuple."""
    return isinstance(node, ast.Name) or (isinstance(node, ast.Attribute) and node.attr == "code")


@pytest.mark.parametrize("path", sorted(EMITTER.rglob("*.py")), ids=lambda path: path.relative_to(EMITTER).as_posix())
def test_no_text_of_c_is_read_back(path: Path) -> None:
    found = set(readings(ast.parse(path.read_text(encoding="utf-8"))))
    assert found == ALLOWED.get(path.relative_to(EMITTER).as_posix(), set()), (
        "say it of the text where it is made (`texts.py`)"
    )


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("PLACE.fullmatch(v.code)", ["fullmatch"]),
        ("test.replace('==', '!=', 1)", ["replace"]),
        ("head.replace(f' f{n}(', '')", ["replace"]),
        ("any('break;' in step for step in steps)", ["in"]),
        ("v.code[3:]", ["slice"]),
        ("replace(v, code=x)", []),
        ("items.index(x), 'int' in (a, b)", []),
    ],
)
def test_what_reads_back_is_found(code: str, found: list[str]) -> None:
    assert list(readings(ast.parse(code))) == found


def test_what_a_text_is_stays_with_its_parts() -> None:
    x = Variable("x_1")
    assert type(part_of(x, ".f0")) is Part and part_of(x, ".f0") == "x_1.f0"
    assert type(part_of(Place("(*x_1)"), ".a[k]")) is Place and type(part_of(Member("S->ret1"), ".v")) is Member
    assert type(part_of("(a?b:c)", ".v")) is str
    assert Comparison("a", "b") == "(a==b)" and Comparison("(a==c)", "b").negated == "((a==c)!=b)"


@pytest.mark.parametrize(
    ("code", "fails", "effect"),
    [
        ("at_(S,x,3)+f1(S)", True, True),
        ("f1(S,x)", False, True),
        ("paidM(S,3,m)", False, True),
        ("({FUEL(S,2); x;})", False, True),
        ("pop(S->g1[0])+low(x)", False, False),
    ],
)
def test_what_c_calls(code: str, fails: bool, effect: bool) -> None:
    assert may_fail(code, {"f1"}) is fails and has_effect(code) is effect


def test_loops_are_counted() -> None:
    assert loops("for(;;){for(int k=0;;)}") == 2 and not loops("x")
