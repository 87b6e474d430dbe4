"""Every expression of a program, wherever it stands."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, get_args, get_type_hints

from rulespec import ir
from rulespec.language import operators

T = TypeVar("T")

EXPRESSIONS: frozenset[type] = frozenset(get_args(ir.Expr))


@cache
def types_of(cls: type) -> dict[str, Any]:
    """The types of a class's fields by their names; empty for what has none."""
    types = get_type_hints(cls) if is_dataclass(cls) else {}
    return {field.name: types[field.name] for field in fields(cls)} if types else {}


@cache
def parts(cls: type) -> tuple[str, ...]:
    """The fields of a part of a program in which expressions may be, by their types; none for what is no such part."""
    return tuple(name for name, written in types_of(cls).items() if holds(written))


def holds(written: Any) -> bool:
    """Whether a value of a type may be an expression, or have one in it."""
    return not EXPRESSIONS.isdisjoint(reachable_from([written], inner_types))


def inner_types(written: Any) -> Iterable[Any]:
    """What a type consists of; an expression is looked into no further."""
    if written in EXPRESSIONS:
        return ()
    return (*get_args(written), *(types_of(written).values() if isinstance(written, type) else ()))


def held(node: Any, names: Container[str] | None = None) -> Iterator[Any]:
    """What the fields of a part of a program hold in which expressions may be; of some fields, or of all."""
    for name in parts(node.__class__):
        if names is None or name in names:
            yield getattr(node, name)


def within(node: Any) -> Iterator[ir.Expr]:
    """Every expression in a part of a program, the outer before the inner."""
    todo = [node]
    while todo:
        node = todo.pop()
        cls = node.__class__
        if cls is tuple:
            todo += node[::-1]
            continue
        if cls is ir.Local or cls is ir.Const:
            yield node
            continue
        if cls in EXPRESSIONS:
            yield node
        for name in parts(cls):
            value = getattr(node, name)
            if value is not None:
                todo.append(value)


def called(node: Any) -> Iterator[int]:
    """The functions that a part of a program calls by itself, as often as it does."""
    return (call.function for call in within(node) if isinstance(call, ir.Invoke))


def reached(program: ir.Program, node: Any) -> Iterator[ir.Expr]:
    """Every expression in a part of a program, and in the functions that it calls."""
    for e in within(node):
        yield e
        if isinstance(e, ir.Invoke):
            yield from reached(program, program.functions[e.function].body)


def reads_state(program: ir.Program, function: int) -> bool:
    """Whether what a function gives depends on the position."""
    return any(isinstance(e, ir.Load) for e in reached(program, program.functions[function].body))


def reachable_from(roots: Iterable[T], after: Callable[[T], Iterable[T]]) -> set[T]:
    """All that is reachable from some roots, these included, where `after` says what comes next: depth first."""
    seen: set[T] = set()
    todo = list(roots)
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo.extend(after(node))
    return seen


def unnegated(test: ir.Expr) -> tuple[ir.Expr, bool]:
    """What a test denies, or says, behind all its negations, and whether it says that."""
    says = True
    while isinstance(test, ir.Op) and test.name == operators.NOT:
        test, says = test.args[0], not says
    return test, says


def conjunction(tests: Sequence[ir.Expr]) -> ir.Expr | None:
    """The test that all of some hold, asked in their order; None for none."""
    whole: ir.Expr | None = None
    for test in reversed(tests):
        whole = test if whole is None else ir.Cond(test, whole, ir.Const(False))
    return whole


def conjuncts(e: ir.Expr) -> list[ir.Expr]:
    """The tests of which all must hold, in their order."""
    match e:
        case ir.Cond(test, then, ir.Const(False)):
            return [*conjuncts(test), *conjuncts(then)]
        case ir.Cond(test, ir.Const(False), other):
            return [ir.Op(operators.NOT, (test,)), *conjuncts(other)]
    return [e]
