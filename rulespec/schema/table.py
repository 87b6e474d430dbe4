"""The JSON Schema of a table as one viewer sees it: the format `rulespec-table/1` of `rulespec table` and `State.table`."""

from __future__ import annotations

from rulespec.language.palette import COLOURS
from rulespec.schema.build import DRAFT, Schema

NUMBER: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
TEXT: Schema = {"type": "string"}
YES: Schema = {"const": True}
COLOUR: Schema = {"enum": list(COLOURS)}


def said(schema: Schema, about: str) -> Schema:
    """A schema with what it is for."""
    return {**schema, "description": about}


def many(item: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": item}


def by_name(item: Schema) -> Schema:
    """A mapping."""
    return {"type": "object", "additionalProperties": item}


def maybe(schema: Schema) -> Schema:
    """What may be null."""
    return {"anyOf": [{"type": "null"}, schema]}


def ref(name: str) -> Schema:
    """One of the definitions."""
    return {"$ref": f"#/definitions/{name}"}


def block(about: str, needed: dict[str, Schema], rest: dict[str, Schema] | None = None) -> Schema:
    """An object: what is always there, and what is left out where it says nothing."""
    return {
        "type": "object",
        "description": about,
        "properties": {**needed, **(rest or {})},
        "required": list(needed),
        "additionalProperties": False,
    }


def things() -> dict[str, Schema]:
    """What lies on the table."""
    thing = said(
        TEXT, "The id of a thing: the name of its type, `/`, and its own name. Its face stands under `things`."
    )
    spot = said(TEXT, "The id of a zone, as under `zones`.")
    seat = said(TEXT, "The id of a seat.")
    coin = block("So much of something.", {"thing": ref("thing"), "label": TEXT, "n": COUNT}, {"colour": COLOUR})
    return {
        "thing": thing,
        "spot": spot,
        "seat_id": seat,
        "colour": COLOUR,
        "face": block(
            "What stands on a thing.",
            {
                "label": said(TEXT, "What it is called."),
                "form": said({"enum": ["card", "token", "place", "seat", "word"]}, "What sort of thing it is."),
            },
            {
                "title": said(TEXT, "What is written on it, if that is not its label; empty where the rest says all."),
                "colour": COLOUR,
                "suit": said(TEXT, "The sign of its suit."),
                "corner": said(TEXT, "What stands in its corner: a number or rank."),
                "symbol": said(TEXT, "Its sign: one of the built-in icons, or one or two letters."),
                "symbol_word": said(TEXT, "What the sign stands for, if that is another word."),
                "cost": said(many(coin), "What it costs."),
                "lines": said(many(TEXT), "What is written below."),
                "facts": said(
                    many({"type": "array", "items": [TEXT, TEXT]}), "Further fields, for who looks closely: name, text."
                ),
                "sign": said(TEXT, "One or two letters for where there is little room."),
            },
        ),
        "bag": many(block("So many of one kind.", {"thing": maybe(ref("thing")), "n": COUNT})),
        "zone": block(
            "A zone.",
            {
                "zone": said(TEXT, "Its name in the rules."),
                "label": TEXT,
                "kind": said(TEXT, "The type of its pieces."),
                "at": said(TEXT, "Where it lies: a seat, `centre`, `table`, or a thing."),
                "count": said(COUNT, "How many pieces lie there."),
                "form": said(
                    {"enum": ["hand", "row", "pile", "deck", "backs", "stack", "count", "bag", "closed"]},
                    "How it is drawn: deck and backs face down, of a pile the top is last, stack and closed open when asked to.",
                ),
            },
            {
                "owner": ref("seat_id"),
                "index": said(many(ref("thing")), "What it is counted by, if that is not what it lies at."),
                "items": said(
                    many(maybe(ref("thing"))), "Its pieces, null for a back; empty where none of them is seen."
                ),
                "bag": ref("bag"),
            },
        ),
        "counter": block(
            "A variable.",
            {"id": TEXT, "label": TEXT, "text": said(TEXT, "Its value in words.")},
            {
                "value": NUMBER,
                "things": said(many(ref("thing")), "The things that it names."),
                "bag": ref("bag"),
                "track": block("It is drawn as a track.", {"low": NUMBER, "high": NUMBER}),
            },
        ),
        "holds": said(
            many({"anyOf": [ref("spot"), ref("counter")]}), "What lies there and is told of it: zones and counters."
        ),
        "flags": many(block("A variable that names this place.", {"label": TEXT, "counter": TEXT})),
    }


def ground() -> dict[str, Schema]:
    """Seats, boards and the map."""
    member = block("What a sign stands for.", {"name": TEXT, "label": TEXT, "sign": TEXT})
    return {
        "seat": block(
            "A seat.",
            {
                "id": ref("seat_id"),
                "label": TEXT,
                "colour": COLOUR,
                "badges": said(many(TEXT), "What this player is: leader, dealer."),
                "counters": many(ref("counter")),
                "zones": many(ref("spot")),
            },
            {
                "you": YES,
                "to_act": YES,
                "score": said(
                    many({"type": "array", "items": [TEXT, TEXT]}), "Columns of the score sheet: name, text."
                ),
            },
        ),
        "group": {
            "anyOf": [
                block(
                    "Zones by themselves: those of the table, or those of the centre.",
                    {"what": {"enum": ["zones", "centre"]}, "zones": many(ref("spot"))},
                ),
                block(
                    "Zones in rows.",
                    {
                        "what": {"const": "matrix"},
                        "kind": TEXT,
                        "rows": many(block("A row.", {"label": TEXT, "zones": many(ref("spot"))})),
                    },
                ),
            ]
        },
        "sheet": block(
            "What is told of each seat line by line.",
            {
                "label": TEXT,
                "rows": many(block("A row, with a cell for each seat.", {"label": TEXT, "cells": many(TEXT)})),
            },
        ),
        "board": block(
            "A board.",
            {
                "kind": said(TEXT, "The type of its cells."),
                "shape": {"enum": ["square", "hex"]},
                "columns": COUNT,
                "rows": COUNT,
                "look": {"enum": ["plain", "chequered", "disc", "mark"]},
                "cells": many(
                    block(
                        "A cell.",
                        {
                            "thing": ref("thing"),
                            "x": said(
                                {"type": "number"}, "Columns from the left, from 0; with halves on a board of hexagons."
                            ),
                            "y": said(NUMBER, "Rows from above, from 0."),
                        },
                        {
                            "sign": said(TEXT, "What stands there, in one or two letters."),
                            "label": said(TEXT, "The same in words."),
                            "colour": COLOUR,
                            "stands": said(ref("thing"), "The thing that stands there."),
                            "holds": ref("holds"),
                            "flags": ref("flags"),
                        },
                    )
                ),
            },
        ),
        "map": block(
            "The map.",
            {
                "title": TEXT,
                "strong": said(TEXT, "What a strong outline tells."),
                "places": many(
                    block(
                        "A place.",
                        {"thing": ref("thing"), "x": NUMBER, "y": NUMBER},
                        {
                            "title": said(TEXT, "What is written there, if that is not its label."),
                            "lines": many(TEXT),
                            "colour": said(TEXT, "A name in the legend of colours, or `?`."),
                            "symbol": said(TEXT, "A name in the legend of symbols, or `?`."),
                            "strong": YES,
                            "holds": ref("holds"),
                            "flags": ref("flags"),
                        },
                    )
                ),
                "links": many(
                    block(
                        "A link.",
                        {"a": ref("thing"), "b": ref("thing")},
                        {"one_way": YES, "style": said(TEXT, "A name in the legend of styles."), "title": TEXT},
                    )
                ),
                "legends": said(by_name(many(member)), "Colours, symbols and styles with what they stand for."),
            },
        ),
    }


def telling() -> dict[str, Schema]:
    """The decision, the log and what has changed."""
    option = block(
        "An answer.",
        {"action": said(COUNT, "What is sent back."), "name": said(TEXT, "Its stable name.")},
        {
            "text": said(TEXT, "What it is called, if not by its name."),
            "legal": said({"const": False}, "It may not be chosen."),
            "why": said(TEXT, "Why it may not be chosen."),
            "things": said(many(ref("thing")), "The things that it names."),
            "spots": said(many(ref("spot")), "The zones in which they are meant."),
            "button": said(YES, "Nothing on the table stands for it alone: it is shown as a button."),
        },
    )
    collected = block(
        "A choice of several: what is chosen so far, of how many.",
        {
            "what": said(
                {"enum": ["set", "order", "counts"]}, "Whether the order counts, or it is asked kind by kind how many."
            ),
            "low": NUMBER,
            "high": NUMBER,
            "chosen": many(block("An item.", {"text": TEXT}, {"thing": ref("thing")})),
        },
        {"kind": said(ref("thing"), "Of which it is asked how many.")},
    )
    part = {
        "anyOf": [
            TEXT,
            NUMBER,
            block("A thing.", {"thing": ref("thing"), "text": TEXT}),
            block("A seat.", {"seat": ref("seat_id"), "text": TEXT}),
        ]
    }
    return {
        "decision": block(
            "What the seat is asked.",
            {
                "seat": ref("seat_id"),
                "site": said(TEXT, "The name of the question in the rules."),
                "prompt": TEXT,
                "options": many(option),
            },
            {
                "secret": said(YES, "It is asked even with one answer, since being asked tells something."),
                "can_undo": said(YES, "The seat may take back its last answer."),
                "collected": collected,
                "stages": said(
                    many(block("A stage.", {"site": TEXT, "text": TEXT})), "What was answered before in the same move."
                ),
            },
        ),
        "turn": block(
            "Lines of the log that follow from the answers of one seat.",
            {
                "by": said(
                    maybe(ref("seat_id")), "Who answered; null at the beginning, and where several answered in secret."
                ),
                "lines": many(many(part)),
            },
        ),
        "changes": block(
            "What is otherwise than when the seat chose last; empty parts are left out.",
            {"log": said(COUNT, "How many lines of the log are new.")},
            {
                "came": said(by_name(many(ref("thing"))), "By zone: what came there."),
                "counts": said(by_name(NUMBER), "By zone: how many more or fewer lie there."),
                "numbers": said(
                    by_name({"type": "array", "items": [TEXT, TEXT]}), "By counter: what it was, and what it is."
                ),
                "spots": said(many(ref("thing")), "Places and cells of which something is otherwise."),
            },
        ),
        "over": block(
            "How the game has ended.",
            {
                "outcome": said(
                    {"enum": ["some", "all", "lost", "draw"]}, "Whether some have won, all together, or nobody."
                ),
                "winners": many(ref("seat_id")),
                "returns": by_name(NUMBER),
            },
        ),
    }


def table_schema() -> Schema:
    """The table of a position as one viewer sees it."""
    properties: Schema = {
        "format": {"const": "rulespec-table/1", "description": "The version of this format."},
        "at": said(TEXT, "Tells one view from another: the same for views that are the same."),
        "game": block("The game.", {"id": TEXT, "title": TEXT}),
        "you": said(maybe(ref("seat_id")), "Whose view it is; null for a spectator."),
        "to_act": said(many(TEXT), "The seats that are asked, or `chance`."),
        "seats": many(ref("seat")),
        "counters": said(many(ref("counter")), "The variables of the table."),
        "zones": said(by_name(ref("zone")), "Every zone of which the viewer sees something, by its id."),
        "groups": said(many(ref("group")), "How the zones that lie on the table stand there."),
        "boards": many(ref("board")),
        "map": maybe(ref("map")),
        "sheets": many(ref("sheet")),
        "attached": said(by_name(ref("holds")), "By thing: what lies at it, wherever it lies itself."),
        "decision": maybe(ref("decision")),
        "known": said(
            many(block("A piece that was once seen.", {"thing": ref("thing"), "zone": TEXT})),
            "Where pieces lie hidden that the viewer knows.",
        ),
        "log": said(many(ref("turn")), "The last lines of the log, by turns."),
        "log_lines": said(COUNT, "How many lines the whole log has that the viewer may read."),
        "changes": maybe(ref("changes")),
        "over": maybe(ref("over")),
        "things": said(by_name(ref("face")), "The faces of all things that are named above."),
    }
    return {
        "$schema": DRAFT,
        "$id": "table.schema.json",
        "title": "The table of a game of Rulespec, as one seat sees it",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        "definitions": {**things(), **ground(), **telling()},
    }
