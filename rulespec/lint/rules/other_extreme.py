"""The least where texts speak of the most, or the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rulespec.expr import syntax
from rulespec.language.facts import Extreme
from rulespec.language.registry import extreme_of
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import SECTIONS, TEXTS, parsed, untold
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

RULE = LintRule("L121")
LIMIT = r"(?<!\bat )(?<!\bnot )"  # `at most three` is a number and no extreme
MOST = re.compile(rf"\b({LIMIT}most|highest|largest|biggest|greatest|longest)\b", re.IGNORECASE)
LEAST = re.compile(rf"\b({LIMIT}least|lowest|fewest|smallest|shortest)\b", re.IGNORECASE)
SMALL = re.compile(r"\b(low|few|fewer|lower|less)\b", re.IGNORECASE)  # speaks of little and need not mean the least
HEAD = re.compile(r"\w+ in (?=\w+\()")
SPEAKS = {Extreme.MOST: MOST, Extreme.LEAST: LEAST}


def check(game: LintGame) -> Iterator[Finding]:
    """`least` and `lowest` of what a text calls by its name and speaks of the highest of, and never of the lowest; and the contrary."""
    told = list(texts(game.context.root))
    of_most, of_least, of_little = (
        any(pattern.search(text.value) for text in told) for pattern in (MOST, LEAST, SMALL)
    )
    if of_most == (of_least or of_little) or not (of_most or of_least):
        return
    said = MOST if of_most else LEAST
    end = game.context.root.get("end of game")
    for scalar, call in extremes(game):
        if SPEAKS[extreme_of(call.name)] is said or call.both or (end is not None and end.span.holds(scalar.span)):
            continue  # L115 looks at the end
        names = compared(call)
        text = next((text for text in told if said.search(text.value) and speaks_of(text.value, names)), None)
        if text is None:
            continue
        word = said.search(text.value)
        assert word is not None
        yield Finding(
            RULE,
            f"`{call.name}` stands here, and people read of the {word[0].lower()}",
            scalar.at(call.start, call.end),
            help=("change what is looked for, or what the text says",),
            related=((text.at(*word.span()), "what people read"),),
        )


class Call(NamedTuple):
    """A call of `most`, `highest` and their likes."""

    name: str
    args: tuple[syntax.Expr, ...]
    start: int
    end: int
    both: bool  # whether the other extreme is looked for in the same expression: the highest that is above the lowest


def extremes(game: LintGame) -> Iterator[tuple[ScalarNode, Call]]:
    """Every such call in the rules, the heads of `for` too."""
    for name in (*SECTIONS, "functions"):
        section = game.context.root.get(name)
        for scalar in untold(section) if section is not None else ():
            head = HEAD.match(scalar.value)
            shift = head.end() if head is not None else 0
            tree = parsed(scalar.value[shift:])
            calls = [
                (node.func, node.args)
                for node in (syntax.walk(tree) if tree is not None else ())
                if isinstance(node, syntax.Call)
                and isinstance(node.func, syntax.Name)
                and extreme_of(node.func.id) in SPEAKS
            ]
            both = len({extreme_of(func.id) for func, _ in calls}) > 1
            for func, args in calls:
                yield scalar, Call(func.id, args, func.start + shift, func.end + shift, both)


def compared(call: Call) -> set[str]:
    """The names of what is compared: after `by`, or the values themselves."""
    key: syntax.Node | None = call.args[0] if call.args else None
    if isinstance(key, syntax.Comp):
        key = key.key or key.value
    nodes = list(syntax.walk(key)) if key is not None else []
    names = {node.name for node in nodes if isinstance(node, syntax.Attr)}
    names |= {node.id for node in nodes if isinstance(node, syntax.Name)}
    return {name for name in names if len(name) > 2}


def speaks_of(text: str, names: set[str]) -> bool:
    """Whether a text has one of some names, in one or many."""
    return any(re.search(rf"\b{re.escape(name.replace('_', ' '))}(e?s)?\b", text, re.IGNORECASE) for name in names)


def texts(node: Node) -> Iterator[ScalarNode]:
    """All that people read in the rules."""
    match node:
        case MapNode():
            for key, value in node.entries:
                if key.value in TEXTS and isinstance(value, ScalarNode):
                    yield value
                elif key.value not in ("cases", "positions", "sources"):
                    yield from texts(value)
        case ListNode():
            for item in node.items:
                yield from texts(item)
        case _:
            pass
