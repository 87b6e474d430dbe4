"""Templates of Python syntax trees: parsed once; their `$names` are replaced by trees.

The templates are constants of this package; text of a game's author only ever becomes `ast.Constant`.

Example: `expression("$a + 1", a=name("x"))` is the tree of `x + 1`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from rulespec import ir

HOLE = "_hole_"
SLOTS = {"CONTROL": ir.CONTROL, "RANDOM": ir.RANDOM, "RETURNS": ir.RETURNS}  # `S[$CONTROL]` in a template


Make = Callable[[int, dict[str, Any]], Any]  # a copy of a part of a template, on a line and with its holes filled


@cache
def _parsed(text: str) -> tuple[ast.stmt, ...]:
    def hole(match: re.Match[str]) -> str:
        title = match[1]
        return str(SLOTS[title]) if title in SLOTS else HOLE + title

    return tuple(ast.parse(re.sub(r"\$(\w+)", hole, text)).body)


@cache
def _statements(text: str) -> Make:
    return _list(_parsed(text))


@cache
def _expression(text: str) -> Make:
    parsed = _parsed(text)[0]
    assert isinstance(parsed, ast.Expr)
    return _node(parsed.value)


def statements(text: str, line: int = 1, **holes: Any) -> list[ast.stmt]:
    """The statements of a template; a hole is filled with an expression, a name (a str) or, on a line of its own, statements."""
    filled: list[ast.stmt] = _statements(text)(line, holes)
    return filled


def expression(text: str, line: int = 1, **holes: Any) -> ast.expr:
    """The expression of a template."""
    filled: ast.expr = _expression(text)(line, holes)
    return filled


def name(text: str, line: int = 1) -> ast.Name:
    """A variable that is read."""
    return ast.Name(text, ast.Load(), lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)


def constant(value: Any, line: int = 1) -> ast.Constant:
    """A value; tuples of values too."""
    return ast.Constant(value, lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)


def tuple_of(items: Sequence[ast.expr], line: int = 1) -> ast.expr:
    """A tuple display, or its value where all items are constants."""
    if all(isinstance(item, ast.Constant) for item in items):
        return constant(tuple(item.value for item in items if isinstance(item, ast.Constant)), line)
    return ast.Tuple(list(items), ast.Load(), lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)


def function(title: str, parameters: Sequence[str], body: list[ast.stmt], line: int = 1) -> ast.FunctionDef:
    """A function with positional parameters."""
    at: dict[str, Any] = {"lineno": line, "col_offset": 0, "end_lineno": line, "end_col_offset": 0}
    arguments = ast.arguments(
        posonlyargs=[],
        args=[ast.arg(p, None, **at) for p in parameters],
        vararg=None,
        kwonlyargs=[],
        kw_defaults=[],
        kwarg=None,
        defaults=[],
    )
    more: dict[str, Any] = {"type_params": []}  # a field since Python 3.12
    return ast.FunctionDef(
        name=title, args=arguments, body=body or [ast.Pass(**at)], decorator_list=[], returns=None, **at, **more
    )


def _list(nodes: Sequence[Any]) -> Make:
    """Makes the items of a list; a hole that is a statement or starred may be filled with several."""
    makers = [(_several(node), _node(node)) for node in nodes]

    def make(line: int, holes: dict[str, Any]) -> list[Any]:
        out: list[Any] = []
        for hole, one in makers:
            if hole is not None and holes[hole].__class__ is list:
                out += holes[hole]
            else:
                out.append(one(line, holes))
        return out

    return make


def _several(node: Any) -> str | None:
    """The name of a hole that may be filled with several nodes; None for any other node."""
    inner = node.value if isinstance(node, ast.Expr | ast.Starred) else None
    return inner.id.removeprefix(HOLE) if isinstance(inner, ast.Name) and inner.id.startswith(HOLE) else None


def _body(nodes: Sequence[Any]) -> Make:
    """Makes statements, at least one."""
    some = _list(nodes)
    return lambda line, holes: some(line, holes) or [ast.Pass(lineno=line, col_offset=0)]


def _node(node: Any) -> Make:
    """Makes a node."""
    if isinstance(node, ast.Name) and node.id.startswith(HOLE):
        hole, ctx = node.id.removeprefix(HOLE), node.ctx

        def fill(line: int, holes: dict[str, Any]) -> Any:
            filled = holes[hole]
            if filled.__class__ is not str:
                return filled
            return ast.Name(filled, ctx, lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)

        return fill
    if not isinstance(node, ast.AST):  # a place in a list where there is none
        return lambda _line, _holes: node
    cls, new = node.__class__, node.__class__.__new__
    fixed: dict[str, Any] = {}
    parts: list[tuple[str, Make]] = []
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            parts.append((field, _body(value) if value and isinstance(value[0], ast.stmt) else _list(value)))
        elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context | ast.operator | ast.cmpop):
            parts.append((field, _node(value)))
        else:
            fixed[field] = value
    located = isinstance(node, ast.expr | ast.stmt | ast.keyword | ast.arg)
    if located:
        fixed |= {"col_offset": 0, "end_col_offset": 0}

    def make(line: int, holes: dict[str, Any]) -> Any:
        copied = new(cls)
        inside = copied.__dict__
        inside.update(fixed)
        if located:
            inside["lineno"] = inside["end_lineno"] = line
        for field, part in parts:
            inside[field] = part(line, holes)
        return copied

    return make
