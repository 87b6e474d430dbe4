"""What one game adds to the schema: its procedures as verbs, and its names where they may stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from rulespec.schema.build import Schema, bot_schema, cases_schema, game_schema
from rulespec.text.yaml_tree import ListNode, MapNode, ScalarNode

# Which sections' names an editor offers under which keys.  Other texts may stand there too: they are no more than examples.
KINDS = ("types", "pieces", "nodes", "links")
OFFERED: Mapping[str, Mapping[str, Sequence[str]]] = {
    "zone": {"of": ("pieces", "types"), "per": ("players", *KINDS), "refill from": ("zones",)},
    "view": {"of": KINDS},
    "lookup": {"by": KINDS},
    "scope": {"within": ("scopes",)},
    "case": {"within": ("scopes",)},
    "rule": {"before": ("events",), "instead of": ("events",), "after": ("events",), "adds to": ("menus",),
             "during": ("scopes",)},
    "effect": {"before": ("events",), "instead of": ("events",), "after": ("events",), "adds to": ("menus",),
               "during": ("scopes",)},
    "step_announce": {"announce": ("events",)},
    "step_begin": {"begin": ("lasting",)},
    "step_cease": {"cease": ("lasting",)},
    "step_scope": {"scope": ("scopes",)},
    "step_end": {"end": ("phases", "scopes")},
    "step_shuffle": {"shuffle": ("zones",)},
    "step_draw": {"from": ("zones",), "to": ("zones",)},
    "step_deal": {"from": ("zones",), "to": ("zones",)},
    "step_move": {"from": ("zones",), "to": ("zones",)},
    "step_offer": {"from": ("menus",)},
    "step_set": {"set": ("state",)},
    "step_add": {"to": ("state",)},
    "step_lose": {"from": ("state",)},
}  # fmt: skip


def own_schema(root: MapNode, cases: bool = False) -> Schema:
    """The schema of one game, from the tree of its files merged; of its files of cases with `cases`."""
    procedures = procedures_of(root)
    made = cases_schema(procedures) if cases else game_schema(procedures)
    made["title"] = f"{'Cases of the game' if cases else 'The game'} {text(root.get('id')) or ''}".rstrip()
    offer(made["definitions"], names_of(root))
    return made


def own_bot_schema(root: MapNode) -> Schema:
    """The schema of the bots of one game, which knows what the game asks."""
    made = deepcopy(bot_schema())  # its definitions are shared
    made["title"] = f"Bots of the game {text(root.get('id')) or ''}".rstrip()
    keys = made["definitions"]["preference"]["properties"]
    keys["at"]["examples"] = sorted(set(questions_of(root)))
    keys["in"]["examples"] = list(procedures_of(root))
    return made


def questions_of(node: object) -> Iterator[str]:
    """The names of the choices below a node."""
    if isinstance(node, MapNode):
        verb, name = node.entries[0] if node.entries else (None, None)
        if verb is not None and verb.value in ("choose", "offer", "arrange") and isinstance(name, ScalarNode):
            yield name.value
        for _, own in node.entries:
            yield from questions_of(own)
    elif isinstance(node, ListNode):
        for item in node.items:
            yield from questions_of(item)


def procedures_of(root: MapNode) -> dict[str, dict[str, str]]:
    """The procedures and phases of a game, with the types of their parameters as written."""
    found: dict[str, dict[str, str]] = {}
    for section in ("procedures", "phases"):
        node = root.get(section)
        for key, own in node.entries if isinstance(node, MapNode) else ():
            takes = own.get("takes") if isinstance(own, MapNode) else None
            entries = takes.entries if isinstance(takes, MapNode) else ()
            found[key.value] = {name.value: text(value) or "" for name, value in entries}
    return found


def names_of(root: MapNode) -> dict[str, tuple[str, ...]]:
    """The names that each section declares; those of a map's nodes and links under `nodes` and `links`."""
    found: dict[str, tuple[str, ...]] = {"players": ("Player",)}
    board = root.get("map")
    sections = ("types", "pieces", "zones", "scopes", "events", "menus", "lasting", "phases", "state")
    homes = [(root, section) for section in sections]
    homes += [(board, section) for section in ("nodes", "links") if isinstance(board, MapNode)]
    for home, section in homes:
        node = home.get(section)
        if isinstance(node, MapNode):
            found[section] = tuple(name for name in node.keys() if not name.startswith("per "))  # noqa: SIM118
    return found


def offer(definitions: dict[str, Any], names: Mapping[str, tuple[str, ...]]) -> None:
    """Add the names of a game as examples of what may stand under the keys of OFFERED."""
    for definition, keys in OFFERED.items():
        for key, sections in keys.items():
            examples = [name for section in sections for name in names.get(section, ())]
            if examples and definition in definitions:
                definitions[definition]["properties"][key]["examples"] = examples


def text(node: object) -> str | None:
    """What a text says, if it is one."""
    return node.value if isinstance(node, ScalarNode) else None
