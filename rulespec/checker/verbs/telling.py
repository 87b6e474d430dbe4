"""Verbs that tell: lines of the log, and claims about the state."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker.body import Body
from rulespec.checker.env import Env
from rulespec.language.registry import VerbKey, verb
from rulespec.language.types import (
    BOOL,
)
from rulespec.text.yaml_tree import MapNode, Node


@verb(
    "log",
    VerbKey("text", "a text with expressions in braces", required=True, role="said"),
    {"to": VerbKey("expr", "players who read it")},
    group="control",
    example='- log: "{p} has {p.coins} coins"',
)
def log(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """A line of the game's log; a piece that a reader may not know is shown as what it is called."""
    to = node.get("to")
    seats = None if to is None else body.expressions.players(to, env)
    body.emit(ir.Say(body.expressions.text(value, env), seats, node.span))
    return env


@verb(
    "check",
    VerbKey("expr", "a yes or no", required=True, role="claim"),
    {"why": VerbKey("text", "what is said if it does not hold", required=True)},
    group="control",
    example="- check: size(p.hand) <= 7\n  why: A hand holds at most 7 cards",
)
def check(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """A claim about the state: an error in play, with its reason, if it does not hold."""
    body.emit(
        ir.Claim(body.expressions.of(value, env, BOOL)[0], body.expressions.text(node.get("why"), env), node.span)
    )
    return env
