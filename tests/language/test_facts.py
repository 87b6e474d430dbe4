"""The facts that stand at the definition of each function: each holds for every combination of sampled arguments."""

from __future__ import annotations

import ast
import inspect
import itertools
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest

from interpreter.python import operations as python_operations
from interpreter.python.backend import RAISED, Generated
from interpreter.python.library import Library
from rulespec import ir
from rulespec.analysis import transfer
from rulespec.analysis.domain import ANY, Fact, join, of_value
from rulespec.language import registry
from rulespec.language.facts import (
    NOTHING_KNOWN,
    C,
    CForm,
    Extreme,
    Facts,
    Form,
    Needs,
    Origin,
    Python,
    Reduction,
    Result,
    Size,
    Tells,
)
from rulespec.language.registry import all_facts, body, functions
from rulespec.language.types import (
    BagType,
    BoolType,
    EntityType,
    IntType,
    ListType,
    ManyType,
    RankedType,
    SetType,
    Type,
)
from rulespec.library.errors import BIGGEST, LIMIT, DomainError
from tests.helpers.assembler import EMPTY
from tests.helpers.places import ROOT

NAMES = sorted(all_facts())
MEMBERS = 3
NUMBERS = (-3, -1, 0, 1, 2, 5)
MEMBER = (0, 1, 2)
SETS = ((), (1,), (0, 2), (0, 1, 2))
LISTS = (*SETS, (2,), (1, 1), (2, 0), (2, 1, 1))
BAGS = ((0, 0, 0), (1, 0, 2), (0, 0, 4), (2, 1, 0))
PAIRS = ((), ((1, 5),), ((0, 5), (2, 5), (1, -2)), ((2, 0), (2, 1)))
GRAPH = ((1,), (0,), ())
# Arguments of intrinsics, and hidden ones, that their annotation does not tell, by name.
NAMED: dict[str, tuple[Any, ...]] = {
    "players": (2, 3),
    "members": (MEMBERS,),
    "player": MEMBER,
    "member": MEMBER,
    "kind": MEMBER,
    "kinds": SETS,
    "index": (0, 1),
    "holds": (True, False),
    "when": (True, False),
    "winners": SETS,
    "losers": SETS,
    "groups": ((), ((0, 1, 2),), ((1,), (0, 2))),
    "rows": (((0, 4), (2, 7)),),
    "key": (0, 2, 5),
    "effects": ((), ((0, (1,), 3), (1, (2,), 4), (0, (), 5))),
    "lasting": (0, 1),
    "answer": ((0, 1), 2, None, (1, 2)),
    "rule": (0, 1),
    "results": ((None, 3, 4), (None, None, None), (1, None, (2,))),
    "links": ((0,), ()),
    "ends": (((0, 1, False),),),
    "places": (3,),
    "graph": (GRAPH,),
    "bonus": ((((0,),), ((1,),), ()),),
    "low": (0, 2),
    "high": (1, 3),
    "lot": (1, 2),
    "rate": (0, 2),
    "form": (("a ", 0), (0, " b"), (-1, "c")),
    "board": (("square", 2, 2, False, True, ((1, 1), (1, 2), (2, 1)), (0, 4, 7)),),
}
ANNOTATED = {
    "int": NUMBERS,
    "int | None": (*NUMBERS, None),
    "str": ("-1..3",),
    "bool": (True, False),
    "Any": (None, 0, 1, 2, (), (1,)),
    "Items": LISTS,
    "Set": SETS,
    "Counts": BAGS,
}


def of_type(t: Type) -> tuple[Any, ...]:
    """Values of a type of a signature."""
    match t:
        case IntType(low, high):
            return tuple(n for n in NUMBERS if (low is None or n >= low) and (high is None or n <= high))
        case BoolType():
            return (True, False)
        case BagType():
            return BAGS
        case RankedType():
            return PAIRS
        case SetType():
            return SETS
        case ManyType(BagType()) | ListType(BagType()):
            return ((), BAGS[:2], BAGS[1:3])
        case ManyType() | ListType():
            return LISTS
        case EntityType() if t.kind != "Graph":
            return MEMBER
    return MEMBER


def arguments(name: str) -> Iterator[tuple[Any, ...]]:
    """Every combination of samples for the arguments of a function or an intrinsic."""
    signature = next((s for f in functions().values() for s in f.signatures if s.body == name), None)
    names = list(inspect.signature(body(name)).parameters.values())
    if signature is None:
        if names and names[0].kind is names[0].VAR_POSITIONAL:
            yield from itertools.product(ANNOTATED["Any"], repeat=2)
            return
        samples = (
            ANNOTATED[p.annotation]
            if p.name not in NAMED or (p.name, p.annotation) == ("players", "Items")
            else NAMED[p.name]
            for p in names
        )
        for args in itertools.product(*samples):
            if name != "get" or args[1] < len(args[0]):  # the compiler makes the index
                yield args
        return
    visible = [p for p in signature.parameters if p.type != EntityType("Graph")]
    if visible and visible[-1].rest:
        for count in (1, 2, 3):
            yield from itertools.product(of_type(visible[0].type), repeat=count)
        return
    hidden = [(GRAPH,) if signature.hidden == ("graph",) else NAMED[p.name] for p in names[len(visible) :]]
    for args in itertools.product(*(of_type(p.type) for p in visible), *hidden):
        if signature.hidden != ("players",) or args[0] < args[-1]:
            yield args


# Values at the ends of what a type allows, by the samples that stand for it: the largest numbers and collections, and items that
# have no order among each other.
EDGES: dict[tuple[Any, ...], tuple[Any, ...]] = {
    NUMBERS: (BIGGEST, -BIGGEST, LIMIT + 1),
    LISTS: ((None, 1), ((0, 1), (0, 0)), (BIGGEST, BIGGEST)),
    BAGS: ((BIGGEST, 0, 0), (LIMIT + 1, 1, 0)),
    PAIRS: (((1, BIGGEST), (2, -BIGGEST)),),
    NAMED["low"]: (-BIGGEST, BIGGEST),
    NAMED["high"]: (-BIGGEST, BIGGEST),
}


def at_the_edge(name: str) -> Iterator[tuple[Any, ...]]:
    """Arguments of which one or two are at the end of what their type allows, and the others are samples."""
    usual = list(arguments(name))
    for args in usual[:: 1 + len(usual) // 8]:
        own = [edges_of(name, n, len(args)) for n in range(len(args))]
        for n, values in enumerate(own):
            for value in values:
                yield (*args[:n], value, *args[n + 1 :])
    if len(own) == 2:
        yield from itertools.product(*own)


@cache
def edges_of(name: str, position: int, count: int) -> tuple[Any, ...]:
    """The values at the end of a parameter's type, which its samples tell."""
    given = {args[position] for args in arguments(name) if len(args) == count}
    if [*inspect.signature(body(name)).parameters][:count][position:][:1] == ["players"]:
        return ()  # seats
    for samples, edges in EDGES.items():
        if given <= set(samples) and len(given) * 2 > len(samples):
            low = 0 if all(isinstance(x, int) and x >= 0 for x in given) else -BIGGEST
            return tuple(edge for edge in edges if not isinstance(edge, int) or edge >= low)
    return ()


def kept(value: Any) -> bool:
    """Whether play accepts a value: no number and no collection that is too large."""
    return abs(value) <= BIGGEST if isinstance(value, int) else not isinstance(value, tuple) or len(value) <= LIMIT


def results(name: str) -> list[tuple[tuple[Any, ...], Any]]:
    """The combinations of arguments that have a result, with it."""
    pairs = []
    for args in arguments(name):
        try:
            pairs.append((args, body(name)(*args)))
        except Exception:
            assert not all_facts()[name].total, f"{name}{args} has no result"
    assert pairs, f"no sample of {name} has a result"
    return pairs


def edge_results(name: str) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The same of arguments at the edge."""
    for args in at_the_edge(name):
        try:
            yield args, body(name)(*args)
        except Exception:
            assert not all_facts()[name].total, f"{name}{str(args)[:80]} has no result"


def flat(value: Any) -> Iterator[Any]:
    """The values in a value that are no collections."""
    if isinstance(value, tuple):
        for part in value:
            yield from flat(part)
    else:
        yield value


def test_what_is_not_stated_is_safe() -> None:
    """A new fact needs a default here, which says that nothing is known."""
    safe = {
        "result": Result.UNKNOWN, "total": False, "total_for": None, "heavy": False, "instant": False, "grows": True,
        "memo": False, "held": False, "work": 1, "identity": False, "others": False, "neutral": None, "reduces": Reduction.NONE,
        "extreme": Extreme.NONE, "table": None,
        "python": Python("", Form.PLAIN, Needs.NEVER, None),
        "c": C(form=CForm.NONE),
        "origin": Origin.UNKNOWN, "tells": Tells.ALL, "size": Size.CONTENT,
    }  # fmt: skip
    assert {f.name: getattr(NOTHING_KNOWN, f.name) for f in fields(Facts)} == safe
    assert registry.facts("nobody registered this") is NOTHING_KNOWN


@pytest.mark.parametrize("name", NAMES)
def test_total_functions_have_a_result_for_every_sample(name: str) -> None:
    assert results(name)
    for args, value in edge_results(name):
        assert kept(value) or not all_facts()[name].total, str(args)[:80]


def test_an_interval_is_as_large_as_a_collection_may_be() -> None:
    assert len(body("interval")(1, LIMIT)) == LIMIT
    with pytest.raises(DomainError):
        body("interval")(0, LIMIT)


# Not said to be total although no sample fails: what may be too much work, and what relies on arguments that the checker has seen to.
UNSAID = {
    "adjacency", "adjacent", "bag_all", "bag_amounts", "bag_count", "bag_from", "connected", "distance", "get",
    "neighbours", "path", "payable", "payments", "ranking", "reach", "set_of", "sorted_by",
}  # fmt: skip


def test_functions_that_never_fail_are_said_to_be_total() -> None:
    """Passes move what is total: a fact that is missing costs speed and nobody notices."""

    def never_fails(name: str) -> bool:
        try:
            tried = [body(name)(*args) for args in (*arguments(name), *at_the_edge(name))]
        except Exception:
            return False
        return all(map(kept, tried))

    known = all_facts()
    silent = {name for name in NAMES if not known[name].total and known[name].total_for is None and never_fails(name)}
    assert silent == UNSAID


def held_by_fact(own: Fact, value: Any) -> bool:
    """Whether a fact is true of a value."""
    if value is None:
        return own.none
    if own.what == "text":
        return isinstance(value, str | tuple)
    if isinstance(value, int):
        numeric = own.what in ("int", "any")
        return numeric and (own.low is None or own.low <= value) and (own.high is None or value <= own.high)
    if isinstance(value, str):
        return own.what == "any"
    if own.what not in ("items", "any") or len(value) < own.least or (own.size is not None and len(value) > own.size):
        return False
    if own.ordered and any(a >= b for a, b in itertools.pairwise(value)):
        return False
    if own.parts is not None and not all(map(held_by_fact, own.parts, value)):
        return False
    return own.item is None or all(held_by_fact(own.item, item) for item in value)


@pytest.mark.parametrize("name", NAMES)
def test_results_are_what_their_transfer_says(name: str) -> None:
    """Of exact arguments, of arguments that may be either of two, and of any at all."""
    pairs = results(name)
    for (args, value), (others, _) in zip(pairs, [*pairs[1:], pairs[0]], strict=True):
        if len(args) != len(others):
            continue
        known = [of_value(a) for a in args]
        either = [join(a, of_value(b)) for a, b in zip(known, others, strict=True)]
        for facts in (known, either, [ANY] * len(args)):
            assert held_by_fact(transfer.result(name, facts), value), (args, facts)


SELECTIONS = [name for name, known in all_facts().items() if known.result in (Result.SORTED, Result.LATER)]


@pytest.mark.parametrize("items", [(3, 3), (5, 3, 3), (1, 2, 3)])
@pytest.mark.parametrize("name", SELECTIONS)
def test_items_that_are_equal_are_not_said_to_be_distinct(name: str, items: tuple[int, ...]) -> None:
    args: tuple[Any, ...] = (items, ())[: 1 + (all_facts()[name].result is Result.LATER)]
    given = [join(of_value(a), of_value((9, 9, 9, 9))) for a in args]
    for facts in ([of_value(a) for a in args], given):
        assert held_by_fact(transfer.result(name, facts), body(name)(*args))


@pytest.mark.parametrize("name", NAMES)
def test_what_does_not_grow_stays_within_what_was_given(name: str) -> None:
    if all_facts()[name].grows:
        return
    for args, value in results(name):
        sizes = [len(a) for a in args if isinstance(a, tuple)]
        most = max([1, *sizes, *(abs(n) for n in flat(args) if isinstance(n, int))])
        assert len(value) <= most if isinstance(value, tuple) else value is None or abs(value) <= most, args
    assert all(kept(value) for _, value in edge_results(name))


@pytest.mark.parametrize("name", [name for name in NAMES if all_facts()[name].others])
def test_others_are_others(name: str) -> None:
    """Of the samples with more than one player: who sits alone is beside himself."""
    told = 0
    for (first, *rest), value in results(name):
        if isinstance(value, tuple):
            assert first not in value, (first, rest)
            told += bool(value)
        elif rest != [1]:
            assert value != first, (first, rest)
            told += 1
    assert told


@pytest.mark.parametrize("name", [name for name in NAMES if all_facts()[name].extreme is not Extreme.NONE])
def test_extremes_are_what_nothing_goes_beyond(name: str) -> None:
    """Of numbers, or of pairs of an item and its number; at least one sample tells both ends apart."""
    best = {Extreme.MOST: max, Extreme.LEAST: min}[all_facts()[name].extreme]
    told = 0
    for (items, *_), value in results(name):
        numbers = [item[1] if isinstance(item, tuple) else item for item in items]
        if not numbers:
            continue
        expected = (
            tuple(item[0] for item in items if item[1] == best(numbers)) if isinstance(value, tuple) else best(numbers)
        )
        assert value == expected, items
        told += min(numbers) != max(numbers)
    assert told


def never() -> Any:
    raise AssertionError("left to the reference machine")


def written(name: str, args: tuple[Any, ...], constant: bool) -> Callable[[], Any]:
    """A call as generated code writes it, its last argument being a constant or a local as the others."""
    exprs: list[ir.Expr] = [ir.Local(k) for k in range(len(args))]
    if constant:
        exprs[-1] = ir.Const(args[-1])
    function = ir.Function("f", len(args), (ir.types.ANY,) * len(args), ir.Op(name, tuple(exprs)))
    code = Generated(Library(replace(EMPTY, functions=(function,)), body), never).load("f0")
    return lambda: code([], *args)


@pytest.mark.parametrize("name", NAMES)
def test_generated_python_gives_what_the_body_gives(name: str) -> None:
    """Where the body has no result, the code raises something; where it is said that it cannot fail, it does not."""
    for args in itertools.islice(arguments(name), 0, None, 1 + len(list(arguments(name))) // 60):
        for constant in (False, True):
            run = written(name, args, constant and len(args) > 1)
            try:
                expected = body(name)(*args)
            except Exception:
                assert not python_operations.cannot_fail(name, [of_value(a) for a in args]), args
                with pytest.raises(RAISED):
                    run()
                continue
            assert run() == expected, args


@pytest.mark.parametrize("name", NAMES)
def test_what_changes_nothing(name: str) -> None:
    own = all_facts()[name]
    for args, value in results(name):
        assert not own.identity or value == args[0]
        if own.neutral is not None:
            assert args[1] != own.neutral.value or value == args[0]
            assert not own.neutral.both or args[0] != own.neutral.value or value == args[1]


@pytest.mark.parametrize("name", NAMES)
def test_reductions(name: str) -> None:
    expected: dict[Reduction, Callable[[Any], Any]] = {
        Reduction.SOME: lambda items: len(items) > 0,
        Reduction.NO_ITEM: lambda items: not items,
        Reduction.COUNT: len,
        Reduction.TOTAL: sum,
        Reduction.HIGHEST: lambda pairs: tuple(x for x, key in pairs if key == max(k for _, k in pairs)),
        Reduction.LOWEST: lambda pairs: tuple(x for x, key in pairs if key == min(k for _, k in pairs)),
    }
    reduces = all_facts()[name].reduces
    if reduces is not Reduction.NONE:
        for (items,), value in results(name):
            assert value == expected[reduces](items)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_result_tells_is_said(name: str) -> None:
    """Arguments that agree in what it may tell have one result (noninterference)."""
    seen: dict[Any, Any] = {}
    bag = name.startswith("bag_")
    for args, value in results(name):
        match all_facts()[name].tells:
            case Tells.NUMBER:
                (only,) = args
                told = (
                    sum(only) if bag else len(only) if name != "is_none" and isinstance(only, tuple) else only is None
                )
            case Tells.TOP:
                told = args[0][-1]
            case Tells.PRESENCE:
                told = *args[:-1], tuple(a is None for a in args[-1])
            case Tells.ALL | Tells.TEXT:
                return
        assert seen.setdefault(told, value) == value, args


@pytest.mark.parametrize("name", NAMES)
def test_where_pieces_come_from_is_said(name: str) -> None:
    origin = all_facts()[name].origin
    for args, value in results(name):
        if origin is Origin.FIRST:
            assert set(flat(value)) <= set(flat(args[0])), args
        elif origin is Origin.ALL:
            assert set(flat(value)) <= set(flat(args)), args
        elif origin is Origin.ARGUMENTS:
            assert set(value) == set(args), args


@pytest.mark.parametrize("name", NAMES)
def test_what_the_size_of_a_result_depends_on_is_said(name: str) -> None:
    """Of collections without repeats, as places and sets of pieces are."""
    size = all_facts()[name].size
    seen: dict[Any, int] = {}
    for args, value in results(name):
        if any(isinstance(a, tuple) and a not in BAGS and len({*flat(a)}) < len([*flat(a)]) for a in args):
            continue
        match size:
            case Size.FIXED:
                told: Any = len(args)
            case Size.FIRST | Size.DISTINCT:
                told = len(args[0])
            case Size.PREFIX:
                told = len(args[0]), args[1]
            case Size.NUMBER:
                told = args[0]
            case _:
                return
        assert seen.setdefault(told, sum(value) if size is Size.NUMBER else len(value)) == (
            sum(value) if size is Size.NUMBER else len(value)
        ), args


# --- readers ----------------------------------------------------------------------------------------------------------
READERS = ("rulespec/passes", "rulespec/lint", "rulespec/checker", "rulespec/ir", "interpreter")


def tables(tree: ast.Module) -> Iterator[tuple[int, list[str]]]:
    """The keys of each display of strings in a module, with its line."""
    for node in ast.walk(tree):
        keys = (
            node.keys
            if isinstance(node, ast.Dict)
            else node.elts
            if isinstance(node, ast.Set | ast.List | ast.Tuple)
            else []
        )
        texts = [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
        if isinstance(node, ast.Dict | ast.Set | ast.List | ast.Tuple) and len(texts) == len(keys):
            yield node.lineno, texts


def test_no_reader_keeps_a_list_of_functions() -> None:
    known = {*all_facts(), *functions()}
    files = [file for folder in READERS for file in sorted((ROOT / folder).rglob("*.py"))]
    assert len(files) > 100
    lists = [
        f"{file.relative_to(ROOT)}:{line}: {', '.join(texts)}: state this as a fact of the functions"
        for file in files
        for line, texts in tables(ast.parse(file.read_text(encoding="utf-8")))
        if len(texts) > 2 and known.issuperset(texts)
    ]
    assert not lists, "\n".join(lists)
