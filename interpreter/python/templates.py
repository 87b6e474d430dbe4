"""Templates of Python syntax trees: parsed once; their `$names` are replaced by trees.

The templates are constants of this package; text of a game's author only ever becomes `ast.Constant`.

Example: `expression("$a + 1", a=name("x"))` is the tree of `x + 1`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from rulespec import ir

HOLE = "_hole_"
SLOTS = {"CONTROL": ir.CONTROL, "RANDOM": ir.RANDOM, "RETURNS": ir.RETURNS}  # `S[$CONTROL]` in a template


@cache
def _parsed(text: str) -> tuple[ast.stmt, ...]:
    def hole(match: re.Match[str]) -> str:
        title = match[1]
        return str(SLOTS[title]) if title in SLOTS else HOLE + title

    return tuple(ast.parse(re.sub(r"\$(\w+)", hole, text)).body)


def statements(text: str, line: int = 1, **holes: Any) -> list[ast.stmt]:
    """The statements of a template; a hole is filled with an expression, a name (a str) or, on a line of its own, statements."""
    return _block(_parsed(text), line, holes)


def expression(text: str, line: int = 1, **holes: Any) -> ast.expr:
    """The expression of a template."""
    parsed = _parsed(text)[0]
    assert isinstance(parsed, ast.Expr)
    copied: ast.expr = _copy(parsed.value, line, holes)
    return copied


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


def _block(nodes: Sequence[ast.stmt], line: int, holes: dict[str, Any]) -> list[ast.stmt]:
    out: list[ast.stmt] = []
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Name) and node.value.id.startswith(HOLE):
            filled = holes[node.value.id.removeprefix(HOLE)]
            if isinstance(filled, list):
                out += filled
                continue
        out.append(_copy(node, line, holes))
    return out


def _copy(node: Any, line: int, holes: dict[str, Any]) -> Any:
    if isinstance(node, ast.Name) and node.id.startswith(HOLE):
        filled = holes[node.id.removeprefix(HOLE)]
        if not isinstance(filled, str):
            return filled
        return ast.Name(filled, node.ctx, lineno=line, col_offset=0, end_lineno=line, end_col_offset=0)
    copied = node.__class__.__new__(node.__class__)
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            if value and isinstance(value[0], ast.stmt):
                value = _block(value, line, holes) or [ast.Pass(lineno=line, col_offset=0)]
            else:
                value = _items(value, line, holes)
        elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context | ast.operator | ast.cmpop):
            value = _copy(value, line, holes)
        setattr(copied, field, value)
    if isinstance(node, ast.expr | ast.stmt | ast.keyword | ast.arg):
        copied.lineno = copied.end_lineno = line
        copied.col_offset = copied.end_col_offset = 0
    return copied


def _items(nodes: list[Any], line: int, holes: dict[str, Any]) -> list[Any]:
    """The items of a list of expressions; a starred hole may be filled with several."""
    out: list[Any] = []
    for node in nodes:
        if isinstance(node, ast.Starred) and isinstance(node.value, ast.Name) and node.value.id.startswith(HOLE):
            filled = holes[node.value.id.removeprefix(HOLE)]
            if isinstance(filled, list):
                out += filled
                continue
        out.append(_copy(node, line, holes) if isinstance(node, ast.AST) else node)
    return out
