"""What to write where a name is not there: one of its type that is known here, or where it would be declared."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.checker import symbols
from rulespec.checker.context import CheckContext
from rulespec.checker.env import Env
from rulespec.language.types import PLAYER, EntityType, Type
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

PEOPLE = ("player", "players", "person", "user", "he", "she", "they", "who", "seat", "you", "current")
FEW = 3  # names that are proposed
WITH_STEPS = ("phases", "procedures", "rules", "rules of", "lasting")  # sections in which steps stand


def in_sight(t: EntityType, context: CheckContext, env: Env) -> list[str]:
    """Names that are one of a type here: those that steps made, then variables of the game."""
    near = [
        name for name, local in env.locals.items() if isinstance(local.type, EntityType) and local.type.kind == t.kind
    ]
    variables = [
        name
        for name, symbol in context.names.items()
        if isinstance(symbol, symbols.Variable)
        and not symbol.per
        and isinstance(symbol.type, EntityType)
        and symbol.type.kind == t.kind
    ]
    return sorted([*reversed(near), *variables], key=lambda name: name == "me")


def whose(name: str, owner: str, context: CheckContext, env: Env) -> str:
    """How a part is said of somebody, `p.coins`: of one that is known here if there is one."""
    known = in_sight(EntityType(owner), context, env) if owner in context.kinds else []
    return f"{known[0] if known else owner[:1].lower()}.{name}"


def one_of(name: str, wanted: Type | None, context: CheckContext, env: Env) -> str:
    """The help where a name is meant for one of a type of which some are in sight; empty where it is not.

    A name for people, `player`, is meant for a player also where nothing says what is wanted.
    """
    t = wanted if isinstance(wanted, EntityType) else PLAYER if name.casefold() in PEOPLE else None
    if not isinstance(t, EntityType) or t.kind not in context.kinds:
        return ""
    known = in_sight(t, context, env)[:FEW]
    return f"a {t.kind} that is known here is {' or '.join(map(ticked, known))}" if known else ""


def declared(name: str, wanted: Type | None) -> str:
    """Where a name would come from that nothing resembles."""
    if len(name) == 1 and wanted is None:
        return (
            f"{ticked(name)} is known only where a loop, a search or `takes:` makes it: `for: {name} in players`, "
            f"`any({name} in players where ...)`"
        )
    kind = str(wanted) if isinstance(wanted, EntityType) else "Player" if name == "active" else "..."
    variable = ticked(f"{name}: {kind}")
    return f"declare it: a variable under `state:`, {variable}, a zone under `zones:`; or name it first, by a step or `takes:`"


def handed(
    procedure: symbols.Procedure, parameter: symbols.Parameter, first: str | None, context: CheckContext, env: Env
) -> tuple[str, ...]:
    """The help where an argument is missing: the first stands behind the procedure's name, the others under keys."""
    t = parameter.type
    known = in_sight(t, context, env) if isinstance(t, EntityType) else []
    key = procedure.name if parameter.name == first else "by" if parameter.name == "me" else parameter.name
    return (f"write {ticked(f'{key}: {known[0]}' if known else f'{key}: ...')}",)


def handed_over(name: str, context: CheckContext) -> bool:
    """Whether a step hands it to a procedure that takes nothing: what the procedure lacks is said there."""
    if context.handed is None:
        calls = {procedure.name for procedure in context.procedures.values() if not procedure.parameters}
        parts = [value for key, value in context.root.entries if key.value in WITH_STEPS] if calls else []
        context.handed = frozenset(word for part in parts for word in given(part, calls))
    return name in context.handed


def given(node: Node, calls: set[str]) -> Iterator[str]:
    """What the steps below a node give to these procedures: a step is an entry of a list, and its first key says what it does."""
    if isinstance(node, ListNode):
        for item in node.items:
            if isinstance(item, MapNode) and item.entries:
                key, value = item.entries[0]
                if key.value in calls and isinstance(value, ScalarNode):
                    yield value.value
            yield from given(item, calls)
    elif isinstance(node, MapNode):
        for _, part in node.entries:
            yield from given(part, calls)
