"""What generated code is made of: only names that its package gave, and statements in which no jump is left."""

from __future__ import annotations

import ast
import builtins
import random
from types import CodeType, FunctionType

import pytest

import interpreter
from interpreter.python import structure
from interpreter.python.backend import Generated
from interpreter.python.facts import fits
from interpreter.python.structure import Shaper, WrittenInstruction
from interpreter.python.templates import constant, expression, function, statements
from rulespec.analysis.domain import Fact, of_value
from rulespec.analysis.transfer import result
from rulespec.library.errors import LIMIT
from tests.helpers.games import loaded, setups
from tests.helpers.places import PLAY

BUILTINS = {"abs", "any", "bool", "dict", "len", "list", "max", "min", "set", "sorted", "sum", "tuple"}
ATTRIBUTES = {"__class__", "append", "clear", "count", "fromkeys", "get", "history", "log", "turn", "values"}


def every_function(backend: Generated):
    """The code of all that a program consists of."""
    program = backend.program
    titles = [f"p{i}" for i in range(len(program.procedures))] + [f"f{i}" for i in range(len(program.functions))]
    for point, kind in enumerate(backend.kinds):
        titles += [f"r{point}", f"u{point}"]
        if kind.__name__ == "Ask":
            titles += [f"s{point}", f"a{point}"]
        elif kind.__name__ == "Draw":
            titles.append(f"c{point}")
    titles += [f"o{rule.index}" for rule in program.rules if rule.option is not None]
    for title in titles:
        yield backend.load(title).__code__


@pytest.mark.parametrize("file, players", [*setups(), *((file, None) for file in PLAY)], ids=str)
def test_no_name_comes_from_a_spec(file, players):
    backend = interpreter.Game(loaded(file), players=players).backend
    assert isinstance(backend, Generated)
    for code in every_function(backend):
        for name in code.co_names:
            assert name in backend.names or name in BUILTINS or name in ATTRIBUTES, name
            assert name in backend.names or name not in ("eval", "exec", "compile", "open", "getattr")
        assert all(not isinstance(part, CodeType) for part in code.co_consts), "a function within a function"
        assert code.co_firstlineno >= 1


def test_the_allowed_builtins_are_builtins():
    assert all(hasattr(builtins, name) for name in BUILTINS)


def shaped(edges: dict[int, tuple[int, ...]], entry: int = 0):
    """A function that walks a graph, its branches taken by the bits of `way`, and gives the positions it came by."""

    def write(at: int) -> WrittenInstruction:
        body = statements("trail.append($n)\nif len(trail) > 40: return trail", n=constant(at))
        following = edges[at]
        if not following:
            return WrittenInstruction(body + statements("return trail"))
        if len(following) == 1:
            return WrittenInstruction(body, following[0])
        return WrittenInstruction(body, following[0], expression("way.pop()"), following[1])

    shaper = Shaper(entry, edges.__getitem__, write, lambda _: 0)
    body = statements("trail = []") + shaper.statements()
    tree = ast.fix_missing_locations(ast.Module([function("walk", ["way", "F"], body)], []))
    code = next(c for c in compile(tree, "<graph>", "exec").co_consts if isinstance(c, CodeType))
    return FunctionType(code, {"Stop": RuntimeError, "len": len})


def walked(edges: dict[int, tuple[int, ...]], way: list[bool], entry: int = 0) -> list[int]:
    """The same by definition."""
    trail: list[int] = []
    at = entry
    while True:
        trail.append(at)
        if len(trail) > 40 or not edges[at]:
            return trail
        following = edges[at]
        at = following[0] if len(following) == 1 or way.pop() else following[1]


GRAPHS = {
    "straight": {0: (1,), 1: (2,), 2: ()},
    "if": {0: (1, 2), 1: (2,), 2: ()},
    "if else": {0: (1, 2), 1: (3,), 2: (3,), 3: ()},
    "while": {0: (1, 3), 1: (2,), 2: (0,), 3: ()},
    "break": {0: (1, 4), 1: (2, 4), 2: (3,), 3: (0,), 4: ()},
    "two ways out": {
        0: (1, 4),
        1: (2, 5),
        2: (3,),
        3: (0,),
        4: (6,),
        5: (6,),
        6: (7,),
        7: (8,),
        8: (9,),
        9: (10,),
        10: (11,),
        11: (),
    },
    "nested": {0: (1, 6), 1: (2, 4), 2: (3,), 3: (1,), 4: (5,), 5: (0,), 6: ()},
    "from the middle": {0: (1, 6), 1: (2, 4), 2: (3,), 3: (1,), 4: (5,), 5: (0,), 6: ()},
    "out of two loops": {
        0: (1, 9),
        1: (2, 4),
        2: (3, 9),
        3: (1,),
        4: (0,),
        9: (10,),
        10: (11,),
        11: (12,),
        12: (13,),
        13: (14,),
        14: (),
    },
    "continue the outer one": {0: (1, 9), 1: (2, 4), 2: (3, 0), 3: (1,), 4: (0,), 9: ()},
    "crossing": {
        0: (1, 2),
        1: (3, 4),
        2: (3, 4),
        3: (5,),
        4: (5, 3),
        5: (6,),
        6: (7,),
        7: (8,),
        8: (9,),
        9: (10,),
        10: (),
    },
    "from a call within two loops": {
        0: (1,),
        1: (2, 9),
        2: (3,),
        3: (4, 1),
        4: (5, 3),
        5: (6,),
        6: (3,),
        9: (10,),
        10: (11,),
        11: (12,),
        12: (13,),
        13: (14,),
        14: (),
    },
    "two heads": {0: (1, 2), 1: (2, 3), 2: (1, 3), 3: ()},
}


@pytest.mark.parametrize("name", GRAPHS)
def test_jumps_become_statements(name):
    edges = GRAPHS[name]
    for entry in edges if name.startswith("from") else (0,):
        run = shaped(edges, entry)
        for number in range(256):
            way = [bool(number >> k & 1) for k in range(8)] * 8
            assert run(list(way), [10**9]) == walked(edges, list(way), entry)


def test_jumps_of_any_graph_become_statements():
    """Random graphs, each walked from everywhere: most are loops within loops, gone into in the middle."""
    dice = random.Random(5)
    for _ in range(120):
        size = dice.randint(4, 11)
        edges: dict[int, tuple[int, ...]] = {}
        for at in range(size):
            far = [min(at + 1, size), dice.randint(max(0, at - 4), size)]
            edges[at] = tuple(dict.fromkeys(far if dice.random() < 0.6 else far[:1]))
        edges |= {size + n: (size + n + 1,) for n in range(6)} | {size + 6: ()}
        for entry in range(size):
            run = shaped(edges, entry)
            for _ in range(12):
                way = [dice.random() < 0.5 for _ in range(64)]
                assert run(list(way), [10**9]) == walked(edges, list(way), entry), (edges, entry)


def test_graphs_of_one_shape_are_not_left_to_numbered_blocks(monkeypatch):
    def never(_):
        raise AssertionError("numbered blocks")

    monkeypatch.setattr(structure.Shaper, "blocks", never)
    for name, edges in GRAPHS.items():
        if name not in ("crossing", "two heads"):
            shaped(edges)


@pytest.mark.parametrize("over", [0, 1])
def test_what_needs_no_check_of_its_size(over: int) -> None:
    """Numbers of 62 bits and collections of as many items as there may be; one that may be larger needs it."""
    most, largest = LIMIT + over, (1 << 62) - 1 + over
    for fact in (
        Fact("items", size=most),
        Fact("int", -5, largest),
        Fact("int", -largest, 5),
        Fact("int", 0, largest, none=True),
    ):
        assert fits(fact) == (over == 0), fact
    assert fits(Fact("text")) and fits(Fact("never")) and fits(Fact("never", none=True))
    for open_ended in (Fact("items"), Fact("int", 0), Fact("any", 0, 1), Fact("items", size=1, none=True)):
        assert not fits(open_ended)


def test_facts():
    assert (
        of_value((1, 4, 9)) == of_value((1, 4, 9))
        and of_value((1, 4, 9)).ordered
        and of_value((1, 4, 9)).item == Fact("int", 1, 9)
    )
    assert not of_value((4, 1)).ordered and of_value((None, 3)).item.none
    small, any_number = Fact("int", 0, 5), Fact("int")
    assert result("add", [small, small]) == Fact("int", 0, 10) and not result("add", [small, any_number]).bounded
    assert result("mul", [Fact("int", -2, 3), small]) == Fact("int", -10, 15)
    assert result("union", [of_value((1, 3)), of_value((2,))]).ordered
