"""What may be written at a place of a file, by the schema of the language: keys, words, and what they mean."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft7Validator

from rulespec.schema import bot_schema, cases_schema, game_schema, own_bot_schema, own_schema, variant_schema
from rulespec.schema.build import BY_VERB
from rulespec.system.records import dataclass
from rulespec.text.locate import BOTS, CASES
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode, as_data

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a tree: the nodes from the root down to it, and the key or value itself."""

    above: tuple[Node, ...]
    path: tuple[str | int, ...]
    at: ScalarNode
    key: bool


def spots(node: Node, above: tuple[Node, ...] = (), path: tuple[str | int, ...] = ()) -> Iterator[Spot]:
    """Every scalar of a tree, keys too, in the order of the file."""
    if isinstance(node, MapNode):
        for key, value in node.entries:
            yield Spot((*above, node), path, key, True)
            yield from spots(value, (*above, node), (*path, key.value))
    elif isinstance(node, ListNode):
        for number, item in enumerate(node.items):
            yield from spots(item, (*above, node), (*path, number))
    else:
        yield Spot(above, path, node, False)


def spot_at(root: Node, offset: int) -> Spot | None:
    """The scalar that a character of a file is in, or right behind."""
    found = None
    for spot in spots(root):
        if spot.at.span.start <= offset <= spot.at.span.end:
            found = spot
    return found


def schema_for(file: Path, tree: MapNode, game: MapNode | None) -> Schema:
    """The schema of a file, with the names of its game, if that could be read."""
    if file.parent.name == CASES:
        return cases_schema() if game is None else own_schema(game, cases=True)
    if file.parent.name == BOTS:
        return bot_schema() if game is None else own_bot_schema(game)
    if "extends" in tree:
        return variant_schema()
    return game_schema() if game is None else own_schema(game)


def shapes(schema: Schema, root: Node, path: tuple[str | int, ...]) -> list[Schema]:
    """The parts of a schema that speak of what is at a path of a tree."""
    node: Node | None = root
    found = list(parts(schema, schema, node))
    for step in path:
        inner = child(node, step)
        found = [part for one in found for below in entered(one, step) for part in parts(schema, below, inner)]
        node = inner
    return found


def child(node: Node | None, step: str | int) -> Node | None:
    """What is below a node under a key or number."""
    if isinstance(node, MapNode) and isinstance(step, str):
        return node.get(step)
    if isinstance(node, ListNode) and isinstance(step, int) and step < len(node.items):
        return node.items[step]
    return None


def parts(whole: Schema, schema: Schema, node: Node | None) -> Iterator[Schema]:
    """A schema, and all that it takes from others for a node."""
    yield schema
    if "$ref" in schema:
        yield from parts(whole, whole["definitions"][schema["$ref"].rpartition("/")[2]], node)
    branches = schema.get("allOf", ())
    if schema.get("$comment") == BY_VERB:
        verb = node.entries[0][0].value if isinstance(node, MapNode) and node.entries else None
        branches = [one for one in branches if verb is not None and one["if"].get("required", [verb])[0] == verb]
    for branch in branches:
        yield from parts(whole, branch, node)
    for branch in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from parts(whole, branch, node)
    if "if" in schema:
        # What is being written fits no condition yet: then each of the shapes is offered.
        fits = node is None or Draft7Validator(schema["if"]).is_valid(as_data(node, ScalarNode.resolve))
        for word in ("then", "else") if node is None else ("then",) if fits else ("else",):
            if isinstance(schema.get(word), dict):
                yield from parts(whole, schema[word], node)


def entered(schema: Schema, step: str | int) -> Iterator[Schema]:
    """The schemas of what is below a key or number."""
    if isinstance(step, int):
        items = schema.get("items")
        if isinstance(items, dict):
            yield items
        return
    properties = schema.get("properties", {})
    if step in properties:
        yield properties[step]
    elif isinstance(schema.get("additionalProperties"), dict):
        yield schema["additionalProperties"]


def keys(found: list[Schema]) -> dict[str, Schema]:
    """The keys that may stand in a mapping, each with its schema."""
    return {name: below for schema in found for name, below in schema.get("properties", {}).items()}


def verbs(found: list[Schema]) -> dict[str, Schema]:
    """The first keys of steps, where a step is expected, each with the schema of its steps."""
    steps: dict[str, Schema] = {}
    for schema in found:
        if schema.get("$comment") == BY_VERB:
            for branch in schema["allOf"]:
                for name in branch.get("if", {}).get("required", ()):
                    steps.setdefault(name, branch["then"])
    return steps


def words(found: list[Schema]) -> list[str]:
    """The words that may stand at a place, as far as they are known."""
    listed = [*(schema.get("enum", ()) for schema in found), *(schema.get("examples", ()) for schema in found)]
    return list(dict.fromkeys(str(word) for some in listed for word in some if isinstance(word, str)))


def about(found: list[Schema]) -> str:
    """What is said of a place, with an example, as Markdown."""
    texts = (schema.get("markdownDescription") or schema.get("description") for schema in found)
    return next((str(text) for text in texts if text), "")
