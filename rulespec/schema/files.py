"""The JSON Schemas of files that programs write: saves, coverage, and the lines of transcripts."""

from __future__ import annotations

from rulespec.schema.build import DRAFT, Schema

DIGEST: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
SETTINGS: Schema = {
    "type": "object",
    "additionalProperties": {"type": "string"},
    "description": "The options, as words.",
}
VARIANTS: Schema = {
    "type": "array",
    "items": {"type": "string"},
    "minItems": 1,
    "description": "The variants that are played, by their ids.",
}
COUNT: Schema = {"type": "integer", "minimum": 1, "description": "How many play."}


def save_schema() -> Schema:
    """A position as it is saved; what its numbers mean is between the program and its version."""
    stack: Schema = {
        "type": "array",
        "description": "The steps that wait for each other, the innermost first: a point of the program, and values.",
        "items": {
            "type": "array",
            "minItems": 1,
            "items": [{"type": "integer", "minimum": 0}],
            "additionalItems": True,
        },
    }
    properties: Schema = {
        "rulespec_save": {"const": 1, "description": "The version of this format."},
        "game": {"type": "string", "description": "The id of the game."},
        "digest": {**DIGEST, "description": "What the rules come to: a save is refused under other rules."},
        "program": {"type": "string", "description": "What the program made of the rules comes to."},
        "players": COUNT,
        "settings": SETTINGS,
        "variants": VARIANTS,
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
        "required": [name for name in properties if name != "variants"],
        "additionalProperties": False,
    }


def coverage_schema() -> Schema:
    """The coverage of a game, as `rulespec test --coverage --json` gives it, one for each game."""
    number: Schema = {"type": "integer", "minimum": 0}
    text: Schema = {"type": "string"}
    maybe: Schema = {"type": ["string", "null"]}
    hundred: Schema = {"type": "number", "minimum": 0, "maximum": 100}
    counts: Schema = {"type": "object", "additionalProperties": number}

    def many(item: Schema) -> Schema:
        return {"type": "array", "items": item}

    def block(about: str, **properties: tuple[Schema, str]) -> Schema:
        return {
            "type": "object",
            "description": about,
            "properties": {name: {**schema, "description": said} for name, (schema, said) in properties.items()},
            "required": list(properties),
            "additionalProperties": False,
        }

    file = (text, "The file, as it was named.")
    share = {
        "covered": (number, "How many outcomes were seen."),
        "of": (number, "How many there are, without those marked as unreachable."),
        "percent": (hundred, "Of 100, rounded down to one place."),
    }
    line = block(
        "A line on which something to cover begins.",
        line=(number, "Its number, from 1."),
        status=({"enum": ["all", "part", "never", "excused"]}, "How much of it was seen."),
        count=(number, "How often it was come to."),
    )
    item = block(
        "Something to cover.",
        file=file,
        line=(number, "The line that it begins on, from 1."),
        column=(number, "The column, from 1."),
        group=(text, "What it is: steps, branches, conditions, choices, rules, procedures, functions, rows."),
        title=(maybe, "Its name, if it has one."),
        outcomes=(counts, "How often each outcome was seen."),
        missing=(many(text), "The outcomes that are neither seen nor marked as unreachable."),
        unreachable=(maybe, "Why its author says that it cannot be reached."),
    )
    played = block(
        "A case, or the random games of a setup.",
        name=(text, "Its name."),
        place=(maybe, "The file and line of a case."),
    )
    game = block(
        "What of the rules cases and random games have reached.",
        rulespec_coverage=({"const": 1}, "The version of this format."),
        game=(text, "The id of the game."),
        title=(text, "Its name for people."),
        seed=(number, "The seed of the random games."),
        random=(number, "How many random games were played of each setup."),
        **share,
        groups=(
            {"type": "object", "additionalProperties": block("How much of a group.", **share)},
            "How much of each group.",
        ),
        files=(
            many(block("A file of rules.", file=file, **share, lines=(many(line), "Its lines."))),
            "The files of the rules.",
        ),
        items=(many(item), "Everything to cover, by file and place."),
        runs=(many(played), "What was played."),
        findings=(many({"type": "object"}), "Marks that are wrong, as `rulespec lint --format json` writes findings."),
    )
    return {"$schema": DRAFT, "$id": "coverage.schema.json", "title": "The coverage of a game of Rulespec", **game}


def transcript_schema() -> Schema:
    """A line of a transcript: the setup, an answer, or the end."""
    setup: Schema = {
        "rulespec_transcript": {"const": 1, "description": "The version of this format."},
        "game": {"type": "string", "description": "The id of the game."},
        "digest": {**DIGEST, "description": "What the rules come to."},
        "players": COUNT,
        "settings": SETTINGS,
        "variants": VARIANTS,
        "seed": {"type": "integer", "minimum": 0, "description": "The seed of chance."},
        "chance": {"const": "explicit", "description": "Chance is answered like a player, without a seed."},
        "procedure": {
            "type": "string",
            "description": "The procedure that play began with, if it is not the whole game.",
        },
    }
    answer: Schema = {
        "by": {"type": "string", "description": "The seat, or `chance`."},
        "at": {"type": "string", "description": "The question."},
        "answer": {"type": "string", "description": "The name of the option."},
    }
    returns: Schema = {
        "type": "array",
        "items": {"type": ["integer", "string"]},
        "description": "What each player got: a number, or a fraction such as 1/3.",
    }
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
        "then": line(setup, "variants", "seed", "chance", "procedure"),
        "else": {"if": {"required": ["end"]}, "then": line(end), "else": line(answer)},
    }
