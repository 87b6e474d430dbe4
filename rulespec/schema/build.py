"""Builds JSON Schemas (draft-07 keywords) from the definitions of sections and verbs.

A union of shapes is `if` and `then` on the kind of value or on a key, not `anyOf`: so a fault is reported
against the one shape that was meant.  `$comment` holds the shape in plain words, or says how an `allOf` chooses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from rulespec.language import registry, sections
from rulespec.language.files import AMENDMENTS
from rulespec.language.registry import VerbDef
from rulespec.language.sections import BLOCKS, SCALARS, UNIONS
from rulespec.language.shapes import PLAIN, Block, Scalar

Schema = dict[str, Any]
DRAFT = "http://json-schema.org/draft-07/schema#"
BY_VERB = "the first key is the verb"
COMMON: Mapping[str, registry.VerbKey] = {
    "if": registry.VerbKey("expr", "Whether the step is done."),
    "cites": registry.VerbKey("cites", "Lines or rulings that the step rests on."),
    "log": registry.VerbKey("text", "A line of the log, after the step."),
}
WORDS = ("skip",)


def ref(name: str) -> Schema:
    return {"$ref": f"#/definitions/{name.replace(' ', '_')}"}


def game_schema(procedures: Mapping[str, Mapping[str, str]] | None = None) -> Schema:
    """The schema of any game; with the procedures of one game and their parameters, the schema of that game."""
    return document("game", ref("game"), "A game of Rulespec", procedures)


def cases_schema(procedures: Mapping[str, Mapping[str, str]] | None = None) -> Schema:
    """The schema of a file with cases."""
    cases = {"description": "Tests of the game.", **names_of("case")}
    keys = sections.BLOCKS["game"].keys
    beside = {
        name: described(shape_schema(keys[name].shape), keys[name].about, keys[name].example, name)
        for name in ("positions", "invariants")
    }
    shape = {"type": "object", "properties": {"cases": cases, **beside}, "additionalProperties": False}
    return document("cases", shape, "Cases of a game of Rulespec", procedures)


def variant_schema(procedures: Mapping[str, Mapping[str, str]] | None = None) -> Schema:
    """The schema of a variant."""
    return document("variant", ref("variant"), "A variant of a game of Rulespec", procedures)


def bot_schema() -> Schema:
    """The schema of a bot."""
    return document("bot", ref("bot"), "A bot for a game of Rulespec", None)


def study_schema() -> Schema:
    """The schema of a study."""
    return document("study", ref("study"), "A study of games of Rulespec", None)


def document(name: str, shape: Schema, title: str, procedures: Mapping[str, Mapping[str, str]] | None) -> Schema:
    """A complete schema, with the definitions that it uses and no others."""
    definitions = shared_definitions() if procedures is None else all_definitions(procedures)
    used: dict[str, Schema] = {}
    todo = [shape]
    while todo:
        for target in references(todo.pop()):
            if target not in used:
                used[target] = definitions[target]
                todo.append(definitions[target])
    return {
        "$schema": DRAFT,
        "$id": f"{name}.schema.json",
        "title": title,
        "allOf": [shape],
        "definitions": dict(sorted(used.items())),
    }


def references(node: Any) -> Iterable[str]:
    """The names of the definitions that a schema refers to."""
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"].rpartition("/")[2]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


@cache
def shared_definitions() -> dict[str, Schema]:
    """The definitions that do not depend on a game's procedures, shared by several schemas."""
    return all_definitions(None)


def all_definitions(procedures: Mapping[str, Mapping[str, str]] | None) -> dict[str, Schema]:
    definitions: dict[str, Schema] = {}
    for name, scalar in SCALARS.items():
        definitions[name] = scalar_schema(scalar)
    for name, union in UNIONS.items():
        definitions[name] = {"description": union.about, **union_schema(union.shape, union.phrase)}
    for name, block in BLOCKS.items():
        definitions[name] = block_schema(block)
    definitions["amendment"] = amendment_schema(BLOCKS["amendment"])
    words = sorted({name for name, verb in registry.verbs().items() if verb.bare} | {*WORDS} | set(procedures or ()))
    definitions["bare word"] = (
        {"type": list(PLAIN), "$comment": "steps"} if procedures is None else {"type": ["string"], "enum": words}
    )
    definitions["step"] = step_schema(procedures)
    for verb in registry.verbs().values():
        definitions[step_name(verb.name)] = verb_schema(verb)
    for name, parameters in (procedures or {}).items():
        definitions[step_name(name)] = call_schema(name, parameters)
    return {name.replace(" ", "_"): schema for name, schema in definitions.items()}


# --- shapes -----------------------------------------------------------------------------------------------------------
def scalar_schema(scalar: Scalar) -> Schema:
    """The schema of a scalar: a text or number."""
    schema: Schema = {"type": list(scalar.types), "$comment": scalar.phrase}
    if scalar.words:
        schema["enum"] = list(scalar.words)
    if scalar.pattern:
        schema["pattern"] = scalar.pattern
        schema["patternErrorMessage"] = scalar.pattern_says
    if not scalar.words:
        schema["errorMessage"] = f"write {scalar.phrase} here"
    if scalar.low is not None:
        schema["minimum"] = scalar.low
    if scalar.high is not None:
        schema["maximum"] = scalar.high
    return schema


def shape_schema(shape: str, words: tuple[str, ...] = ()) -> Schema:
    """The schema of a shape, as the tables of sections write it."""
    if words:
        return {"type": ["string"], "enum": list(words), "$comment": " or ".join(f"`{word}`" for word in words)}
    if " | " in shape:
        return union_schema(shape, sections.phrase(shape))
    if shape == "anything":
        return {}
    if shape.startswith("names of "):
        return names_of(shape.removeprefix("names of "))
    if shape.startswith("list of "):
        return {"type": "array", "items": shape_schema(shape.removeprefix("list of ")), "$comment": "a list"}
    return ref(shape)


def names_of(shape: str) -> Schema:
    """The schema of a mapping from names to a shape."""
    return {
        "type": "object",
        "additionalProperties": shape_schema(shape),
        "$comment": sections.NAMES,
        "errorMessage": f"write {sections.NAMES}",
    }


def union_schema(shape: str, phrase: str) -> Schema:
    """The schema of a union, chosen by the kind of value: a mapping, a list, or else a scalar."""
    options = sections.parts(shape)
    if options == ["anything"]:
        return {}
    mapping = next((part for part in options if sections.is_mapping(part)), None)
    listed = next((part for part in options if part.startswith("list of ")), None)
    plain = [part for part in options if part not in (mapping, listed)]
    if "data" in plain or "anything" in plain:
        return {}
    if not plain:
        last = mapping if listed is None else listed
        assert last is not None
        schema: Schema = {**shape_schema(last)} if "$ref" not in shape_schema(last) else {"allOf": [shape_schema(last)]}
        schema.setdefault("$comment", phrase)
        return schema if listed is None or mapping is None else choice("object", shape_schema(mapping), schema)
    if len(plain) == 1:
        scalar = SCALARS.get(plain[0])
        schema = {**scalar_schema(scalar), "$comment": phrase} if scalar else ref(plain[0])
    else:
        types = sorted({kind for part in plain for kind in SCALARS[part].types})
        schema = {"type": types, "$comment": phrase, "errorMessage": f"write {phrase} here"}
    if listed is not None:
        schema = choice("array", shape_schema(listed), schema)
    return schema if mapping is None else choice("object", shape_schema(mapping), schema)


def choice(kind: str, then: Schema, otherwise: Schema) -> Schema:
    return {"if": {"type": kind}, "then": then, "else": otherwise}


def described(schema: Schema, about: str, example: str, name: str) -> Schema:
    """A key's schema with the description that an editor shows."""
    documented: Schema = (
        {"description": about, "allOf": [schema]} if "$ref" in schema else {**schema, "description": about}
    )
    if example:
        documented["markdownDescription"] = f"{about}\n\n```yaml\n{name}: {example}\n```"
    return documented


def block_schema(block: Block) -> Schema:
    """The schema of a mapping with fixed keys."""
    schema: Schema = {"type": "object", "title": block.title, "description": block.about, "$comment": block.title}
    properties = {
        name: described(shape_schema(key.shape, key.words), key.about, key.example, name)
        for name, key in block.keys.items()
    }
    if properties:
        schema["properties"] = properties
    if block is BLOCKS["variables"]:
        schema["patternProperties"] = {"^per ": names_of(block.others)}
    required = [name for name, key in block.keys.items() if key.required]
    if required and not block.unless:
        schema["required"] = required
    elif required:
        schema.update({"if": {"required": [block.unless]}, "else": {"required": required, "$comment": block.title}})
    schema["additionalProperties"] = shape_schema(block.others) if block.others else False
    if block.texts_need:
        schema["allOf"] = [
            {
                "if": {"required": [name], "properties": {name: {"type": "string"}}},
                "then": {"required": list(needs), "$comment": block.title},
            }
            for name, needs in block.texts_need.items()
        ]
    if block.needs:
        schema["dependencies"] = {name: list(needs) for name, needs in block.needs.items()}
    return schema


def amendment_schema(block: Block) -> Schema:
    """The schema of a variant's change, chosen by its verb."""

    def shape(names: Iterable[str], required: tuple[str, ...], title: str) -> Schema:
        properties = {
            name: described(shape_schema(key.shape), key.about, key.example, name)
            for name, key in block.keys.items()
            if name in names
        }
        needed = {"required": list(required)} if required else {}
        return {"type": "object", "properties": properties, **needed, "additionalProperties": False, "$comment": title}

    schema = shape(AMENDMENTS, (), block.title)
    schema["minProperties"] = 1
    for verb, (needed, others) in reversed(list(AMENDMENTS.items())):
        branch = shape((verb, *needed, *others), (verb, *needed), f"a change by `{verb}`")
        schema = {"if": {"type": "object", "required": [verb]}, "then": branch, "else": schema}
    return {"type": "object", "description": block.about, "$comment": block.title, **schema}


# --- steps ------------------------------------------------------------------------------------------------------------
def step_name(verb: str) -> str:
    return f"step {verb}"


def step_schema(procedures: Mapping[str, Mapping[str, str]] | None) -> Schema:
    """The schema of a step, chosen by its verb; without the procedures of a game, any other first key is taken for one of them.

    Where a verb is written already, an editor offers the keys of that verb only.
    """
    verbs = registry.verbs()
    offered: Schema = {
        name: {"description": verb.doc.strip().split("\n")[0], "markdownDescription": markdown(verb)}
        for name, verb in verbs.items()
    }
    branches = [
        {"if": verb_test(name, [*verb.keys, *COMMON]), "then": ref(step_name(name))} for name, verb in verbs.items()
    ]
    schema: Schema = {
        "type": "object",
        "title": "a step",
        "description": "A step: the first key is the verb, the others are its prepositions.",
        "minProperties": 1,
        "allOf": branches,
        "$comment": BY_VERB,
    }
    if procedures is not None:
        keys = {key for verb in verbs.values() for key in verb.keys} | set(verbs) | set(COMMON) | {"as", "by"}
        for name, parameters in procedures.items():
            offered[name] = {"description": f"The procedure `{name}` of this game."}
            branches.append({"if": {"required": [name]}, "then": ref(step_name(name))})
            keys |= {name, *parameters}
        schema["propertyNames"] = {"enum": sorted(keys)}
    # `propertyNames` would be shorter, but with it the language server for YAML completes nothing.
    no_verb = [{"not": {"required": [name]}} for name in offered]
    branches.append({"if": {"allOf": no_verb}, "then": {"properties": offered}})
    return schema


def verb_test(name: str, keys: list[str]) -> Schema:
    """Whether a mapping is a step with this verb, not one with a key of that name."""
    if name in COMMON:
        test: Schema = {"required": [name], "propertyNames": {"enum": list(dict.fromkeys([name, *keys]))}}
        needed = [key for key, about in registry.verbs()[name].keys.items() if about.required]
        if needed:  # without them it may be a key of a verb such as `log`, beside which it says whether
            rivals = [other for other in COMMON if other != name and other in registry.verbs()]
            test["allOf"] = [{"not": {"required": [other], "not": {"required": needed}}} for other in rivals]
        return test
    others = [other for other, verb in registry.verbs().items() if name in verb.keys]
    if not others:
        return {"required": [name]}
    return {"required": [name], "allOf": [{"not": {"required": [other]}} for other in others]}


def markdown(verb: VerbDef) -> str:
    """The description of a verb that an editor shows."""
    return f"{verb.doc.strip()}\n\n```yaml\n{verb.example}\n```"


def verb_schema(verb: VerbDef) -> Schema:
    """The schema of a step with this verb."""
    keys = {verb.name: verb.value, **verb.keys}
    keys.update({name: key for name, key in COMMON.items() if name not in keys})
    properties = {name: described(key_schema(key), sentence(key.about), "", name) for name, key in keys.items()}
    properties[verb.name]["markdownDescription"] = f"{markdown(verb)}\n\n`{verb.name}`: {sentence(verb.value.about)}"
    return {
        "type": "object",
        "title": f"{verb.name}, with its keys",
        "description": verb.doc.strip(),
        "properties": properties,
        "required": [verb.name, *(name for name, key in verb.keys.items() if key.required)],
        "additionalProperties": False,
        "$comment": f"`{verb.name}`",
    }


def key_schema(key: registry.VerbKey) -> Schema:
    """The schema of the value of a verb's key."""
    if not key.required and key.about == "nothing":
        return {"type": ["null", "string"], "$comment": "nothing", "maxLength": 0}
    return shape_schema(" | ".join([key.shape, *key.also]), key.words)


def sentence(about: str) -> str:
    return f"{about[:1].upper()}{about[1:].rstrip('.')}."


def call_schema(name: str, parameters: Mapping[str, str]) -> Schema:
    """The schema of a step that calls a procedure of the game."""
    keys = [parameter for parameter in parameters if parameter != "me"] or list(parameters)
    properties: Schema = {
        name: {"description": f"{keys[0]}: {parameters[keys[0]]}" if keys else "It takes no argument."}
    }
    for parameter in keys[1:]:
        properties[parameter] = {"description": parameters[parameter]}
    if "me" in parameters:
        properties["by"] = {"description": "The player who does it."}
    properties["as"] = {"description": "What the result is called.", "allOf": [ref("new name")]}
    properties.update({key: described(key_schema(value), value.about, "", key) for key, value in COMMON.items()})
    required = [p for p in keys[1:] if " = " not in parameters[p]]
    return {
        "type": "object",
        "properties": properties,
        "required": [name, *required],
        "additionalProperties": False,
        "$comment": f"`{name}`",
    }
