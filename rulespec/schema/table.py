"""The JSON Schema of a table as one viewer sees it: the format `rulespec-table/1` of `rulespec table` and `State.table`."""

from __future__ import annotations

from rulespec.language.palette import COLOURS
from rulespec.schema.build import DRAFT, Schema

NUMBER: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
TEXT: Schema = {"type": "string"}
YES: Schema = {"const": True}
COLOUR: Schema = {"enum": list(COLOURS)}
THING: Schema = {"type": "string"}  # an id
SPOT: Schema = {"type": "string"}
SEAT: Schema = {"type": "string"}
WHOLE = ("map", "decision", "changes", "over")  # parts that stand in one place alone
WORDS = {  # what a key says wherever it stands
    "a": "One end.",
    "action": "What is sent back.",
    "b": "The other end.",
    "bag": "How many of each.",
    "badges": "What this player is: leader, dealer.",
    "boards": "The boards.",
    "by": "Who answered.",
    "cells": "Its cells.",
    "changes": "What has changed; null where the seat has not chosen yet.",
    "chosen": "What is chosen so far, in order.",
    "collected": "A choice of several.",
    "colour": "Its colour.",
    "columns": "How many columns it has.",
    "count": "How many pieces lie there.",
    "counter": "The id of the counter.",
    "counters": "What is counted.",
    "decision": "What the seat is asked; null where it is not asked.",
    "flags": "Which variables name this place.",
    "game": "The game.",
    "high": "The most.",
    "holds": "What lies there and is told of it: zones and counters.",
    "id": "Its id.",
    "kind": "The name of a type.",
    "label": "What it is called.",
    "lines": "Lines of text.",
    "links": "Its links.",
    "look": "How it is drawn: with discs, with marks, as a chequerboard, or plain.",
    "low": "The least.",
    "map": "The map; null where there is none.",
    "n": "How many.",
    "name": "Its name.",
    "one_way": "It leads one way only.",
    "options": "The answers, in order.",
    "over": "How the game has ended; null while it goes on.",
    "owner": "Whose it is.",
    "places": "Its places.",
    "prompt": "The question in words.",
    "returns": "What each seat got: a number, or as a text a fraction such as 1/3.",
    "rows": "Its rows.",
    "seat": "The id of a seat.",
    "seats": "The seats, in order.",
    "shape": "Of squares, or of hexagons.",
    "sheets": "What is told of each seat line by line.",
    "sign": "One or two letters.",
    "site": "The name of the question in the rules.",
    "strong": "Its outline is thick.",
    "text": "In words.",
    "thing": "The id of a thing: the name of its type, `/`, and its own name. Its face stands under `things`.",
    "title": "Its title.",
    "to_act": "The seat is asked.",
    "value": "Its value as a number.",
    "what": "What sort it is.",
    "winners": "Who has won.",
    "x": "How far to the right it lies.",
    "y": "How far down it lies.",
    "you": "It is the seat that looks.",
    "zone": "The name of a zone.",
    "zones": "Zones, by their ids.",
}


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
    return {**schema, "type": [schema["type"], "null"]}


def ref(name: str) -> Schema:
    """One of the definitions."""
    return {"$ref": f"#/definitions/{name}"}


def described(properties: dict[str, Schema]) -> dict[str, Schema]:
    """Properties with what each says: its own words, or those that a key has wherever it stands."""
    return {name: one if "description" in one else said(one, WORDS[name]) for name, one in properties.items()}


def block(about: str, needed: dict[str, Schema], rest: dict[str, Schema] | None = None) -> Schema:
    """An object: what is always there, and what is left out where it says nothing."""
    return {
        "type": "object",
        "description": about,
        "properties": described({**needed, **(rest or {})}),
        "required": list(needed),
        "additionalProperties": False,
    }


def variable() -> tuple[dict[str, Schema], dict[str, Schema]]:
    """The keys of a counter."""
    track = block("It is drawn as a track from one number to another.", {"low": NUMBER, "high": NUMBER})
    to = said(THING, "Of what lies at a cell and is told of two: the other one, to which a line leads.")
    things = said(many(THING), "The things that it names.")
    return (
        {"id": TEXT, "label": TEXT, "text": said(TEXT, "Its value in words.")},
        {"value": NUMBER, "things": things, "bag": ref("bag"), "track": track, "to": to},
    )


def things() -> dict[str, Schema]:
    """What lies on the table."""
    coin = block("So much of something.", {"thing": THING, "label": TEXT, "n": COUNT}, {"colour": COLOUR})
    return {
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
        "bag": many(block("So many of one kind.", {"thing": maybe(THING), "n": COUNT})),
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
                "owner": SEAT,
                "index": said(many(THING), "What it is counted by, if that is not what it lies at."),
                "items": said(many(maybe(THING)), "Its pieces, null for a back; empty where none of them is seen."),
                "bag": ref("bag"),
            },
        ),
        "counter": block("A variable.", *variable()),
        "holds": many({**block("A zone, by its id, or a counter.", *variable()), "type": ["string", "object"]}),
        "flags": many(block("A variable that names this place.", {"label": TEXT, "counter": TEXT})),
    }


def ground() -> dict[str, Schema]:
    """Seats, boards and the map."""
    member = block("What a sign stands for.", {"name": TEXT, "label": TEXT, "sign": TEXT})
    return {
        "seat": block(
            "A seat.",
            {
                "id": SEAT,
                "label": TEXT,
                "colour": COLOUR,
                "badges": said(many(TEXT), "What this player is: leader, dealer."),
                "counters": many(ref("counter")),
                "zones": many(SPOT),
            },
            {
                "you": YES,
                "to_act": YES,
                "score": said(
                    many({"type": "array", "items": [TEXT, TEXT]}),
                    "Columns of the score sheet that are for the seat: name, text.",
                ),
            },
        ),
        "group": block(
            "Zones that stand together: those of the table, those of the centre, or zones in rows.",
            {"what": {"enum": ["zones", "centre", "matrix"]}},
            {
                "zones": many(SPOT),
                "kind": said(TEXT, "Of a matrix: the type by whose members its rows are."),
                "rows": many(block("A row.", {"label": TEXT, "zones": many(SPOT)})),
            },
        ),
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
                            "thing": THING,
                            "x": said(
                                {"type": "number"}, "Columns from the left, from 0; with halves on a board of hexagons."
                            ),
                            "y": said(NUMBER, "Rows from above, from 0."),
                        },
                        {
                            "sign": said(TEXT, "What stands there, in one or two letters."),
                            "label": said(TEXT, "The same in words."),
                            "colour": COLOUR,
                            "stands": said(THING, "The thing that stands there."),
                            "holds": ref("holds"),
                            "flags": ref("flags"),
                        },
                    )
                ),
            },
            {
                "title": said(TEXT, "What is drawn there, and whose it is, where a player has a board of his own."),
                "parts": said(
                    many(
                        block(
                            "An edge of the board, or a corner.",
                            {
                                "thing": THING,
                                "at": said(
                                    {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
                                    "The two ends of an edge or the place of a corner: columns from the left, rows from above.",
                                ),
                            },
                            {
                                "sign": said(TEXT, "What stands there, in one or two letters."),
                                "label": said(TEXT, "The same in words."),
                                "colour": COLOUR,
                                "stands": said(THING, "The thing that stands there."),
                                "holds": ref("holds"),
                                "flags": ref("flags"),
                            },
                        )
                    ),
                    "Its edges and corners, where they are types of their own.",
                ),
                "edges": said(
                    {"type": "object", "additionalProperties": COLOUR}, "Colours of its edges, by direction."
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
                        {"thing": THING, "x": NUMBER, "y": NUMBER},
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
                        {"a": THING, "b": THING},
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
            "things": said(many(THING), "The things that it names."),
            "spots": said(many(SPOT), "The zones, or counters, in which they are meant."),
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
            "chosen": many(block("An item.", {"text": TEXT}, {"thing": THING})),
        },
        {"kind": said(THING, "Of which it is asked how many.")},
    )
    named = block("A thing or a seat, by its name.", {"text": TEXT}, {"thing": THING, "seat": SEAT})
    part = {**named, "type": ["string", "integer", "object"]}
    return {
        "decision": block(
            "What the seat is asked.",
            {
                "seat": SEAT,
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
                "by": said(maybe(SEAT), "Who answered; null at the beginning, and where several answered in secret."),
                "lines": many(many(part)),
            },
        ),
        "changes": block(
            "What has changed since the seat chose last; empty parts are left out.",
            {"log": said(COUNT, "How many lines of the log are new.")},
            {
                "came": said(by_name(many(THING)), "By zone: what came there."),
                "counts": said(by_name(NUMBER), "By zone: how many more or fewer lie there."),
                "numbers": said(
                    by_name({"type": "array", "items": [TEXT, TEXT]}), "By counter: what it was, and what it is."
                ),
                "spots": said(many(THING), "Places and cells of which something has changed."),
            },
        ),
        "over": block(
            "How the game has ended.",
            {
                "outcome": said(
                    {"enum": ["some", "all", "lost", "draw"]}, "Whether some have won, all together, or nobody."
                ),
                "winners": many(SEAT),
                "returns": by_name({"type": ["integer", "string"]}),
            },
        ),
    }


def table_schema() -> Schema:
    """The table of a position as one viewer sees it."""
    properties: Schema = {
        "format": {"const": "rulespec-table/1", "description": "The version of this format."},
        "at": said(TEXT, "Tells one view from another: the same for views that are the same."),
        "game": block("The game.", {"id": TEXT, "title": TEXT}),
        "you": said(maybe(SEAT), "Whose view it is; null for a spectator."),
        "to_act": said(many(TEXT), "The seats that are asked, or `chance`."),
        "seats": many(ref("seat")),
        "counters": said(many(ref("counter")), "The variables of the table."),
        "zones": said(by_name(ref("zone")), "Every zone of which the viewer sees something, by its id."),
        "groups": said(many(ref("group")), "How the zones that lie on the table stand there."),
        "boards": many(ref("board")),
        "map": maybe(ground()["map"]),
        "sheets": many(ref("sheet")),
        "attached": said(by_name(ref("holds")), "By thing: what lies at it, wherever it lies itself."),
        "decision": maybe(telling()["decision"]),
        "known": said(
            many(block("A piece that was once seen.", {"thing": THING, "zone": TEXT})),
            "Where pieces lie hidden that the viewer knows.",
        ),
        "log": said(many(ref("turn")), "The last lines of the log, by turns."),
        "log_lines": said(COUNT, "How many lines the whole log has that the viewer may read."),
        "changes": maybe(telling()["changes"]),
        "over": maybe(telling()["over"]),
        "things": said(by_name(ref("face")), "The faces of all things that are named above."),
    }
    return {
        "$schema": DRAFT,
        "$id": "table.schema.json",
        "title": "The table of a game of Rulespec, as one seat sees it",
        "type": "object",
        "properties": described(properties),
        "required": list(properties),
        "additionalProperties": False,
        "definitions": {name: one for name, one in {**things(), **ground(), **telling()}.items() if name not in WHOLE},
    }
