"""What a table tells of a thing, in words: one list for all who write it, so that no front end leaves out what another tells.

The page for browsers has the same in `tools/serve/page/model.js`; a test compares the two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from rulespec.ir.wording import joined

Data = dict[str, Any]
NOTHING = "–"


class Fact(NamedTuple):
    """What is told, and what it is called; a text that needs no name has none."""

    name: str
    text: str

    def __str__(self) -> str:
        return f"{self.name}: {self.text}" if self.name else self.text


def seat_thing(seat: Data) -> str:
    """A seat as a thing."""
    return f"Player/{seat['id']}"


def faces(view: Data) -> dict[str, Data]:
    """The faces of all things of a table, and of its seats, whether something names them or not."""
    seats = {seat_thing(seat): {key: seat[key] for key in ("label", "colour")} for seat in view["seats"]}
    return {**seats, **view["things"]}


def of_face(face: Data) -> Iterator[Fact]:
    """What stands on a thing; the corner by the name of its field, where that is told."""
    title, named = face.get("title", ""), {text for _, text in face.get("facts", ())}
    pairs = [
        ("title", "" if title in face["label"] else title),
        ("corner", "" if face.get("corner") in named else face.get("corner")),
        ("colour", face.get("colour")),
        ("suit", face.get("suit")),
        ("sign", face.get("symbol_word") or face.get("symbol")),
        *face.get("facts", ()),
        ("costs", joined([f"{part['n']} {part['label']}" for part in face.get("cost", ())])),
        *(("", text) for text in face.get("lines", ())),
    ]
    yield from (Fact(name, text) for name, text in pairs if text)


def of_place(view: Data, thing: str) -> Iterator[Fact]:
    """What is told of a place or cell where it is drawn, but no fact twice: what stands there, colours and signs in words, flags."""
    known = {word for fact in faces(view)[thing].get("facts", ()) for word in fact}
    drawn = view["map"] or {"places": [], "legends": {}}
    for spot in spots(view, thing):
        words = [("there", spot.get("label", ""))]
        for sort in ("colour", "symbol"):
            words += [
                ("there", one["label"]) for one in drawn["legends"].get(sort, ()) if one["name"] == spot.get(sort)
            ]
        words += [("", drawn["strong"])] if spot.get("strong") else []
        more = [*(flag["label"] for flag in spot.get("flags", ())), *spot.get("lines", ())]
        yield from (Fact(name, text) for name, text in words if text and text not in known)
        yield from (Fact("", text) for text in more)


def of_seat(view: Data, seat: Data) -> Iterator[Fact]:
    """What a seat has but its zones: badges, scores, counters, its column of each sheet."""
    yield from (Fact("", badge) for badge in seat["badges"])
    yield from (Fact(label, text) for label, text in seat.get("score", ()))
    yield from (Fact(one["label"], one["text"]) for one in seat["counters"] if one["text"] != NOTHING)
    for sheet in view["sheets"]:
        for row in sheet["rows"]:
            text = row["cells"][view["seats"].index(seat)]
            if text not in ("", "0", NOTHING):
                yield Fact(row["label"], text)


def spots(view: Data, thing: str) -> list[Data]:
    """Where a place or cell is drawn."""
    there = [cell for board in view["boards"] for cell in board["cells"]]
    there += view["map"]["places"] if view["map"] else []
    return [spot for spot in there if spot["thing"] == thing]


def held_by(view: Data, thing: str) -> list[Any]:
    """The zones, by name, and counters that lie at a thing: under a piece, or in a place."""
    there = [hold for spot in spots(view, thing) for hold in spot.get("holds", ())]
    return [*view["attached"].get(thing, ()), *there]


def of_held(view: Data, hold: Any) -> Fact:
    """A zone, by its name, or a counter that lies at something."""
    if not isinstance(hold, str):
        return Fact(hold["label"], hold["text"])
    zone = view["zones"][hold]
    return Fact(zone_label(view, zone), contents(view, zone))


def contents(view: Data, zone: Data) -> str:
    """What lies in a zone: pieces by name, equal ones together, and how many are face down."""
    label = {None: "hidden", **{thing: face["label"] for thing, face in view["things"].items()}}
    if "bag" in zone:
        parts = [f"{part['n']} {label[part['thing']]}" for part in zone["bag"]]
    else:
        items = zone.get("items") or [None] * zone["count"]
        counts = Counter(label[item] for item in items if item is not None)
        parts = [name if n == 1 else f"{n} {name}" for name, n in counts.items()]
        hidden = items.count(None)
        parts += [f"{hidden} face down"] if hidden else []
    return joined(parts) or NOTHING


def where(view: Data, thing: str) -> Iterator[Fact]:
    """The zones in which a thing lies, each with whose or where it is."""
    for zone in view["zones"].values():
        if thing in zone.get("items", ()) or any(part["thing"] == thing for part in zone.get("bag", ())):
            yield Fact("lies in", zone_name(view, zone))


def zone_label(view: Data, zone: Data) -> str:
    """What a zone is called, with what it is counted by besides that at which it lies."""
    index = (view["things"][one]["label"] for one in zone.get("index", ()) if one != zone["at"])
    return " ".join((zone["label"], *index))


def zone_name(view: Data, zone: Data) -> str:
    """A zone in words, with whose it is, or where."""
    seats = {seat["id"]: seat["label"] for seat in view["seats"]}
    owner, at = seats.get(zone.get("owner", "")), view["things"].get(zone["at"], {}).get("label")
    return zone_label(view, zone) + (f" of {owner}" if owner else f" at {at}" if at else "")


def of_thing(view: Data, thing: str) -> Iterator[Fact]:
    """All that a table tells of a thing: what stands on it, where it lies, what lies at it, what is told of it as a place or seat."""
    yield from of_face(faces(view)[thing])
    yield from where(view, thing)
    yield from of_place(view, thing)
    for seat in view["seats"]:
        if thing == seat_thing(seat):
            yield from of_seat(view, seat)
            yield from (of_held(view, zone) for zone in seat["zones"])
    yield from (of_held(view, hold) for hold in held_by(view, thing))
