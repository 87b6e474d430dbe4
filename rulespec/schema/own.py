"""The schema of one game: that of the language, with its procedures as verbs, and its names where they may be used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from rulespec.language.registry import verbs
from rulespec.schema.build import Schema, bot_schema, cases_schema, game_schema, step_name
from rulespec.text.yaml_tree import ListNode, MapNode, ScalarNode

# Which sections' names an editor offers under which keys of a block; verbs say it of their own keys.  Other texts may stand there
# too: they are no more than examples.
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
}  # fmt: skip


def own_schema(root: MapNode, cases: bool = False) -> Schema:
    """The schema of one game, from the tree of its files merged; of its files of cases with `cases`."""
    procedures = procedures_of(root)
    schema = cases_schema(procedures) if cases else game_schema(procedures)
    schema["title"] = f"{'Cases of the game' if cases else 'The game'} {text(root.get('id')) or ''}".rstrip()
    offer(schema["definitions"], names_of(root))
    return schema


def own_bot_schema(root: MapNode) -> Schema:
    """The schema of the bots of one game, which knows what the game asks."""
    schema = deepcopy(bot_schema())  # its definitions are shared
    schema["title"] = f"Bots of the game {text(root.get('id')) or ''}".rstrip()
    keys = schema["definitions"]["preference"]["properties"]
    keys["at"]["examples"] = sorted(set(questions_of(root)))
    keys["in"]["examples"] = list(procedures_of(root))
    return schema


def questions_of(node: object) -> Iterator[str]:
    """The names of the choices below a node."""
    if isinstance(node, MapNode):
        key, name = node.entries[0] if node.entries else (None, None)
        verb = None if key is None else verbs().get(key.value)
        if verb is not None and verb.names_question and isinstance(name, ScalarNode):
            yield name.value
        for _, value in node.entries:
            yield from questions_of(value)
    elif isinstance(node, ListNode):
        for item in node.items:
            yield from questions_of(item)


def procedures_of(root: MapNode) -> dict[str, dict[str, str]]:
    """The procedures and phases of a game, with the types of their parameters as written."""
    procedures: dict[str, dict[str, str]] = {}
    for section in ("procedures", "phases"):
        node = root.get(section)
        for key, procedure in node.entries if isinstance(node, MapNode) else ():
            takes = procedure.get("takes") if isinstance(procedure, MapNode) else None
            entries = takes.entries if isinstance(takes, MapNode) else ()
            procedures[key.value] = {name.value: text(value) or "" for name, value in entries}
    return procedures


def names_of(root: MapNode) -> dict[str, tuple[str, ...]]:
    """The names that each section declares; those of a map's nodes and links under `nodes` and `links`."""
    names: dict[str, tuple[str, ...]] = {"players": ("Player",)}
    board = root.get("map")
    sections = ("types", "pieces", "zones", "scopes", "events", "menus", "lasting", "phases", "state")
    homes = [(root, section) for section in sections]
    homes += [(board, section) for section in ("nodes", "links") if isinstance(board, MapNode)]
    for home, section in homes:
        node = home.get(section)
        if isinstance(node, MapNode):
            names[section] = tuple(name for name in node.keys() if not name.startswith("per "))  # noqa: SIM118
    return names


def offer(definitions: dict[str, Any], names: Mapping[str, tuple[str, ...]]) -> None:
    """Add the names of a game as examples of what may stand under the keys of blocks and verbs."""
    for definition, key, sections in offered():
        examples = [name for section in sections for name in names.get(section, ())]
        if examples and definition in definitions:
            definitions[definition]["properties"][key]["examples"] = examples


def offered() -> Iterator[tuple[str, str, Sequence[str]]]:
    """Definitions of the schema, their keys, and the sections whose names are offered there."""
    for block, keys in OFFERED.items():
        for name, sections in keys.items():
            yield block, name, sections
    for verb in verbs().values():
        for name, key in ((verb.name, verb.value), *verb.keys.items()):
            if key.offers:
                yield step_name(verb.name).replace(" ", "_"), name, key.offers


def text(node: object) -> str | None:
    """What a text says, if it is one."""
    return node.value if isinstance(node, ScalarNode) else None
