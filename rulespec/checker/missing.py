"""What to write where a name is not there: one of its type that is known here, or where it would be declared."""

from __future__ import annotations

from rulespec.checker import symbols
from rulespec.checker.context import CheckContext
from rulespec.checker.env import Env
from rulespec.language.types import PLAYER, EntityType, Type
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

PEOPLE = ("player", "players", "person", "user", "he", "she", "they", "who", "seat", "you", "current")
FEW = 3  # names that are proposed


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


def handed_over(name: str, context: CheckContext) -> bool:
    """Whether a step hands it to a procedure that takes nothing: what the procedure lacks is said there."""
    calls = {procedure.name for procedure in context.procedures.values() if not procedure.parameters}
    return bool(calls) and hands(context.root, name, calls)


def hands(node: Node, name: str, calls: set[str]) -> bool:
    """Whether a step below a node calls one of these procedures with a name."""
    if isinstance(node, ListNode):
        return any(hands(item, name, calls) for item in node.items)
    if not isinstance(node, MapNode) or not node.entries:
        return False
    key, value = node.entries[0]
    return (key.value in calls and isinstance(value, ScalarNode) and value.value == name) or any(
        hands(part, name, calls) for _, part in node.entries
    )
