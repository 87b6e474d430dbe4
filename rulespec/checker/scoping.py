"""Where the state of scopes is used: only while its scope is going on."""

from __future__ import annotations

from dataclasses import field

from rulespec.checker.context import CheckContext
from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ScalarNode

BEGINNING, ENDING = "beginning ", "ending "  # before the name of what is worked out while no scope is going on
Calls = set[tuple[str, frozenset[str]]]


@dataclass(slots=True)
class Needs:
    """The scopes whose state a procedure, a rule or an event uses itself, and its calls, each with the scopes open around it."""

    span: Span | None
    own: set[str] = field(default_factory=set)
    calls: Calls = field(default_factory=set)
    asks: bool = False
    batched: list[tuple[str, Span]] = field(default_factory=list)


def during(context: CheckContext, node: ScalarNode | None) -> frozenset[str]:
    """The scopes that are going on during one: itself and those it stands within."""
    names: set[str] = set()
    name = node.value if node is not None else None
    while name is not None and name in context.scopes and name not in names:
        names.add(name)
        name = context.scopes[name].within
    return frozenset(names)


def note_questions(context: CheckContext, key: str, asks: bool, batched: list[tuple[str, Span]]) -> None:
    """Whether something asks, and what it sets off inside `at once`."""
    needs = context.needs.setdefault(key, Needs(None))
    needs.asks |= asks
    needs.batched += batched


def check_batches(context: CheckContext) -> None:
    """Report what asks somebody inside `at once`, directly or through calls."""
    asking = {key for key, needs in context.needs.items() if needs.asks}
    before = -1
    while before != len(asking):
        before = len(asking)
        asking |= {key for key, needs in context.needs.items() if any(callee in asking for callee, _ in needs.calls)}
    for needs in context.needs.values():
        for callee, span in needs.batched:
            if callee in asking:
                what, _, name = callee.partition(" ")
                context.error(
                    "E513",
                    f"the {what} {ticked(name)} asks somebody, which cannot be done inside `at once`",
                    span,
                    help=["ask before, and do it at once then"],
                )


def record(
    context: CheckContext,
    key: str,
    span: Span | None,
    scopes: set[str],
    calls: Calls,
    given: frozenset[str] = frozenset(),
) -> None:
    """Keep what the body of something uses and calls; the scopes `given` are open whenever it runs."""
    needs = context.needs.setdefault(key, Needs(span))
    needs.own |= scopes - given
    needs.calls |= {(callee, opened | given) for callee, opened in calls}


def check_scopes(context: CheckContext) -> None:
    """Report what uses the state of a scope and can be reached while that scope is not open."""
    wanted = {key: set(needs.own) for key, needs in context.needs.items()}
    changed = True
    while changed:
        changed = False
        for key, needs in context.needs.items():
            for callee, opened in needs.calls:
                more = wanted.get(callee, set()) - opened - wanted[key]
                if more:
                    wanted[key] |= more
                    changed = True
    reported: set[tuple[str, str]] = set()
    for root in ("procedure game", "always", *(key for key in context.needs if key.startswith((BEGINNING, ENDING)))):
        for scope in sorted(wanted.get(root, ())):
            way = path(context, root, scope)
            if way and (way[-1], scope) not in reported:
                reported.add((way[-1], scope))
                last = context.needs[way[-1]]
                names = " -> ".join(key.partition(" ")[2] or key for key in way)
                where, cure = told(root, scope)
                context.error("E512", f"this uses the scope {ticked(scope)}, {where}: {names}", last.span, help=[cure])


def told(root: str, scope: str) -> tuple[str, str]:
    """Why a scope is not going on in what is come to from a root, and what to do."""
    if root.startswith(BEGINNING):
        return "and none is going on when the game begins", "start with what is declared outside of scopes"
    if root.startswith(ENDING):
        return "which is over when the game is", "keep what counts at the end in a variable under `state:`"
    return "which may not be running here", f"run it inside `scope: {scope}`; a rule says `during: {scope}`"


def path(context: CheckContext, root: str, scope: str) -> list[str]:
    """A shortest chain of calls from a root to a use of a scope that nothing on the chain has opened; empty without one."""
    ways = [[root]]
    seen = {root}
    for way in ways:
        needs = context.needs.get(way[-1])
        if needs is None:
            continue
        if scope in needs.own:
            return way
        for callee, opened in sorted(needs.calls, key=lambda call: (call[0], sorted(call[1]))):
            if scope not in opened and callee not in seen:
                seen.add(callee)
                ways.append([*way, callee])
    return []
