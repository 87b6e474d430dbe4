"""Calls of functions that speak of boards: the checker adds the board."""

from __future__ import annotations

from dataclasses import replace

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.context import CheckContext
from rulespec.checker.env import Env, Typed
from rulespec.checker.inference import with_names
from rulespec.checker.maps import map_call
from rulespec.checker.parts import names_of, part_call, without_edges
from rulespec.checker.reader import BAD, Reader
from rulespec.checker.sentences import arguments
from rulespec.expr import syntax
from rulespec.language.registry import FunctionDef
from rulespec.language.signatures import Signature
from rulespec.language.types import INT, EntityType, IntType, SetType, UnknownType
from rulespec.library.boards import SETS

DIRECTION = "Direction"
DIRECTION_TYPE = EntityType(DIRECTION)


def of_board(signature: Signature) -> bool:
    """Whether a function is one of boards."""
    return signature.hidden == ("board",)


def board_call(x: Reader, function: FunctionDef, node: syntax.Call, env: Env) -> Typed:
    """`step(cell, direction)` and its kin: the board is that of the cell, or the one that is named first, or the only one."""
    boards = x.context.boards
    signatures = [s for s in function.signatures if of_board(s)]
    if not boards and x.context.section("boards"):
        span = x.scalar.at(node.start, node.end) if x.scalar else None
        x.context.diagnostics.silence("E606", f"`{function.name}` needs a board", span)  # what is wrong is reported
        return BAD
    if not boards:
        return x.bad(
            "E606",
            f"`{function.name}` needs a board, and this game has none",
            node,
            help=["declare one under `boards:`"],
        )
    args = list(node.args)
    board: symbols.Board | None = next(iter(boards.values())) if len(boards) == 1 else None
    if args and isinstance(args[0], syntax.Name) and args[0].id in boards and args[0].id not in env.locals:
        board = boards[args[0].id]
        x.context.used.add(args[0].id)
        args.pop(0)
    signatures = [s for s in signatures if len(s.parameters) == len(args)] or signatures
    values: list[Typed] = []
    if args and any(cell_first(s) for s in signatures):
        want = board.kind.type if board is not None and not x.context.has_map else None
        values.append(x.expr(args[0], env, want))
        t = values[0][1]
        if isinstance(t, UnknownType):
            return BAD
        if isinstance(t, EntityType) and t.kind in boards:
            board = boards[t.kind]
            signatures = [s for s in signatures if cell_first(s)]
        elif isinstance(t, EntityType) and (part := x.context.parts.get(t.kind)) is not None:
            return part_call(x, function, replace(node, args=tuple(args)), env, values[0], part)
        elif isinstance(t, EntityType) and x.context.has_map and not all(map(of_board, function.signatures)):
            return map_call(x, function, node, env)
        elif any(not cell_first(s) for s in signatures):
            signatures = [s for s in signatures if not cell_first(s)]
    if board is None:
        if not any(isinstance(p.type, EntityType) and p.type.kind == DIRECTION for p in signatures[0].parameters[:1]):
            expected = " or ".join(f"{function.name}({name}, ...)" for name in boards)
            return x.bad("E606", f"`{function.name}` does not say which board is meant", node, expected=expected)
        board = next(iter(boards.values()))  # the directions of all boards are the same
    if len(signatures) > 1 and len(args) == 2:  # they differ in what comes second
        values.append(x.expr(args[1], env, board.kind.type))
        signatures = [s for s in signatures if takes_way(s) == (values[1][1] == DIRECTION_TYPE)]
    signature = signatures[0]
    if without_edges(x, signature, board, function.name, node):
        return BAD
    if len(args) != len(signature.parameters):
        return x.bad(
            "E301",
            f"`{function.name}` needs {arguments(len(signature.parameters))} and has {len(args)}",
            node,
            expected=" or ".join(s.text for s in function.signatures if of_board(s)),
        )
    x.context.used.add(board.kind.name)
    names = names_of(board)
    converted: list[ir.Expr] = []
    for position, (arg, parameter) in enumerate(zip(args, signature.parameters, strict=True)):
        wanted = INT if isinstance(parameter.type, IntType) else with_names(parameter.type, names)
        value = values[position] if position < len(values) else x.expr(arg, env, wanted)
        converted.append(x.convert(value, wanted, arg))
    if signature.body == "forward" and not board.value[6]:
        return x.bad(
            "E608",
            f"the board {board.kind.name} does not say which way is forward",
            node,
            expected="forward: {p1: n, p2: s} under the board",
        )
    return ir.Op(signature.body, (*converted, ir.Const(board.value))), with_names(signature.result, names)


def takes_way(signature: Signature) -> bool:
    """Whether the second parameter is a direction."""
    return signature.parameters[1].type == DIRECTION_TYPE


def cell_first(signature: Signature) -> bool:
    """Whether the first parameter is a cell."""
    first = signature.parameters[0].type if signature.parameters else None
    return first == EntityType("Cell")


def set_of_directions(context: CheckContext, name: str) -> Typed | None:
    """`orthogonal` and `diagonal`, on square boards."""
    if name not in SETS or not context.boards:
        return None
    members = context.kinds[DIRECTION].members
    if not set(SETS[name]) <= set(members):
        return None
    kind = context.kinds[DIRECTION]
    return ir.Const(tuple(members.index(way) for way in SETS[name])), SetType(kind.type)
