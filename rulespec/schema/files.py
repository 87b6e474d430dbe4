"""The JSON Schemas of what programs write: saves, and the lines of transcripts."""

from __future__ import annotations

from rulespec.schema.build import DRAFT, Schema

DIGEST: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
SETTINGS: Schema = {"type": "object", "additionalProperties": {"type": "string"},
                    "description": "The options, as words."}
COUNT: Schema = {"type": "integer", "minimum": 1, "description": "How many play."}


def save_schema() -> Schema:
    """A position as it is saved; what its numbers mean is between the program and its version."""
    stack: Schema = {
        "type": "array",
        "description": "The steps that wait for each other, the innermost first: a point of the program, and values.",
        "items": {"type": "array", "minItems": 1, "items": [{"type": "integer", "minimum": 0}],
                  "additionalItems": True},
    }
    properties: Schema = {
        "rulespec_save": {"const": 1, "description": "The version of this format."},
        "game": {"type": "string", "description": "The id of the game."},
        "digest": {**DIGEST, "description": "What the rules come to: a save is refused under other rules."},
        "program": {"type": "string", "description": "What the program made of the rules comes to."},
        "players": COUNT,
        "settings": SETTINGS,
        "main": {"type": "integer", "minimum": 0, "description": "The procedure that play began with."},
        "slots": {"type": "array", "description": "The state, slot by slot."},
        "control": stack,
        "log": {"type": "array", "description": "The lines of the log."},
        "history": {"type": "array", "description": "Every answer so far, that of chance among them."},
        "checksum": {**DIGEST, "description": "Of all the rest: tells damage."},
    }
    return {
        "$schema": DRAFT,
        "$id": "save.schema.json",
        "title": "A saved position of a game of Rulespec",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def coverage_schema() -> Schema:
    """The coverage of a game, as `rulespec test --coverage --json` gives it, one for each game."""
    number: Schema = {"type": "integer", "minimum": 0}
    text: Schema = {"type": "string"}
    maybe: Schema = {"type": ["string", "null"]}
    share: Schema = {
        "covered": {**number, "description": "How many outcomes were seen."},
        "of": {**number, "description": "How many there are, without those marked as unreachable."},
        "percent": {"type": "number", "minimum": 0, "maximum": 100, "description": "Of 100, rounded down to one place."},
    }

    def block(about: str, properties: Schema) -> Schema:
        return {"type": "object", "description": about, "properties": properties, "required": list(properties),
                "additionalProperties": False}

    line = block("A line on which something to cover begins.", {
        "line": number, "status": {"enum": ["all", "part", "never", "excused"]},
        "count": {**number, "description": "How often it was come to."},
    })  # fmt: skip
    item = block("Something to cover.", {
        "file": text, "line": number, "column": number, "group": text, "title": maybe,
        "outcomes": {"type": "object", "additionalProperties": number, "description": "How often each was seen."},
        "missing": {"type": "array", "items": text, "description": "The outcomes that are neither seen nor marked."},
        "unreachable": {**maybe, "description": "Why an author says that it cannot be reached."},
    })  # fmt: skip
    properties: Schema = {
        "rulespec_coverage": {"const": 1, "description": "The version of this format."},
        "game": text, "title": text,
        "seed": {**number, "description": "The seed of the random games."},
        "random": {**number, "description": "How many random games for each setup."},
        **share,
        "groups": {"type": "object", "additionalProperties": block("How much of a group.", share)},
        "files": {"type": "array", "items": block("A file of rules.", {
            "file": text, **share, "lines": {"type": "array", "items": line}})},
        "items": {"type": "array", "items": item},
        "runs": {"type": "array", "items": block("A case, or the random games of a setup.", {"name": text, "place": maybe})},
        "findings": {"type": "array", "items": {"type": "object"}, "description": "Marks that are wrong, as in `lint`."},
    }  # fmt: skip
    made = block("", properties)
    del made["description"]
    return {"$schema": DRAFT, "$id": "coverage.schema.json", "title": "The coverage of a game of Rulespec", **made}


def transcript_schema() -> Schema:
    """A line of a transcript: the setup, an answer, or the end."""
    setup: Schema = {
        "rulespec_transcript": {"const": 1, "description": "The version of this format."},
        "game": {"type": "string", "description": "The id of the game."},
        "digest": {**DIGEST, "description": "What the rules come to."},
        "players": COUNT,
        "settings": SETTINGS,
        "seed": {"type": "integer", "minimum": 0, "description": "The seed of chance."},
        "chance": {"const": "explicit", "description": "Chance is answered like a player, without a seed."},
        "procedure": {"type": "string",
                      "description": "The procedure that play began with, if it is not the whole game."},
    }
    answer: Schema = {
        "by": {"type": "string", "description": "The seat, or `chance`."},
        "at": {"type": "string", "description": "The question."},
        "answer": {"type": "string", "description": "The name of the option."},
    }
    returns: Schema = {"type": "array", "items": {"type": "integer"}, "description": "What each player got."}
    end: Schema = {
        "end": {
            "type": "object",
            "description": "The game is over.",
            "properties": {"returns": returns},
            "required": ["returns"],
            "additionalProperties": False,
        }
    }

    def line(properties: Schema, *optional: str) -> Schema:
        required = [name for name in properties if name not in optional]
        return {"properties": properties, "required": required, "additionalProperties": False}

    return {
        "$schema": DRAFT,
        "$id": "transcript.schema.json",
        "title": "A line of a transcript of a game of Rulespec",
        "type": "object",
        "if": {"required": ["rulespec_transcript"]},
        "then": line(setup, "seed", "chance", "procedure"),
        "else": {"if": {"required": ["end"]}, "then": line(end), "else": line(answer)},
    }
