"""Calls of functions that speak of edges and corners of boards: each is a map, in which those are neighbours that touch."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.env import Env, Typed
from rulespec.checker.inference import with_names
from rulespec.checker.reader import BAD, Reader
from rulespec.checker.sentences import arguments
from rulespec.expr import syntax
from rulespec.language.registry import FunctionDef
from rulespec.language.signatures import Signature
from rulespec.language.types import INT, EntityType, IntType, Type
from rulespec.text.quoting import ticked

CORNER = EntityType("Corner")


def names_of(board: symbols.Board) -> dict[str, Type]:
    """The types of a board by what signatures call them."""
    found: dict[str, Type] = {"Cell": board.kind.type}
    for which, called in (("edges", "Edge"), ("corners", "Corner")):
        if which in board.parts:
            found[called] = board.parts[which].kind.type
    return found


def without_edges(x: Reader, signature: Signature, board: symbols.Board, name: str, node: syntax.Call) -> bool:
    """Whether a function gives an edge, and the board has none, which is reported."""
    if "-> Edge" not in signature.text or "edges" in board.parts:
        return False
    x.bad(
        "E606",
        f"{ticked(name)} gives an edge, and the board {ticked(board.kind.name)} has no type for its edges",
        node,
        expected=f"{board.kind.name}: {{{board.shape}: ..., edges: Edge}} under `boards:`",
    )
    return True


def part_call(x: Reader, function: FunctionDef, node: syntax.Call, env: Env, first: Typed, part: symbols.Part) -> Typed:
    """`neighbours(corner)` and its kin; the first argument is typed already."""
    signature = next((s for s in function.signatures if s.hidden == ("graph",)), None)
    if signature is None and part.which == "corners":
        signature = next((s for s in function.signatures if s.parameters and s.parameters[0].type == CORNER), None)
    if signature is None:
        cells = " or ".join(s.text for s in function.signatures)
        return x.bad("E202", f"`{function.name}` does not take an {part.kind.name}", node.args[0], expected=cells)
    if without_edges(x, signature, part.board, function.name, node):
        return BAD
    of_graph = signature.hidden == ("graph",)
    parameters = signature.parameters[:-1] if of_graph else signature.parameters
    names = {**names_of(part.board), "Place": part.kind.type}
    if len(node.args) != len(parameters):
        message = f"`{function.name}` needs {arguments(len(parameters))} and has {len(node.args)}"
        return x.bad(
            "E301",
            message,
            node,
            expected=signature.text.replace(", graph: Graph", "").replace("Place", part.kind.name),
        )
    values: list[ir.Expr] = []
    for position, (arg, parameter) in enumerate(zip(node.args, parameters, strict=True)):
        wanted = INT if isinstance(parameter.type, IntType) else with_names(parameter.type, names)
        value = first if position == 0 else x.expr(arg, env, wanted)
        values.append(x.convert(value, wanted, arg))
    values.append(ir.Const(part.neighbours if of_graph else part.board.value))
    x.context.used.add(part.kind.name)
    return ir.Op(signature.body, tuple(values)), with_names(signature.result, names)
