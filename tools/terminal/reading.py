"""Texts to read over the table: help, a thing from near, why something is not allowed, the end of a game."""

from __future__ import annotations

from typing import Any

from .. import facts
from ..session import Session
from . import zones
from .asked import SAID
from .faces import block, mini
from .log import spoken
from .scene import Scene
from .sheet import Meant, Run, Sheet, above, beside, line, paragraph

Data = dict[str, Any]
LAST_LINES = 4  # of the log, that are shown at the end: they say how it came
KEYS = (
    ("1 2 3 ...", "take the answer of this number; with many answers, two digits, or Enter after one"),
    ("arrows", "walk among what may be chosen; with Shift among all that lies there"),
    ("Enter", "take what you stand on"),
    ("Space", "put it among the chosen, or take it out again, where several are chosen"),
    ("a name", "type its beginning, then Enter"),
    ("Tab", "on to the next part of the table: question, hand, middle, the others"),
    ("?", "why what you stand on may not be chosen; why others may not"),
    ("i  F2", "look closely at what you stand on"),
    ("/", "find a card, a place or an answer by its name"),
    ("u  Ctrl+Z", "take back your last choice, until something was learnt from it"),
    ("Esc", "back one stage of a move"),
    ("l  F3", "the whole log"),
    ("m  F4", "the whole table, the map with all its signs"),
    ("r  F6", "what the game is about"),
    ("F5", "save the game"),
    ("F7", "write a case for the author: it begins here, and ends with F7"),
    (
        "+ -",
        "more or less, where it is asked how many; else bots play faster or slower; Space or Enter goes on at once",
    ),
    ("q  Ctrl+Q", "leave"),
    ("mouse", "click to choose, click with the right button to look closely"),
)


def keys(scene: Scene, width: int) -> Sheet:
    """All keys."""
    rows = []
    for key, text in KEYS:
        left = Sheet(13, 1)
        left.put(0, 0, key, scene.paint.accent())
        rows.append(beside([left, paragraph([Run(text, scene.paint.text())], width - 14)]))
    return above(rows, width=width)


def closely(scene: Scene, meant: Meant, width: int, written: Data | None = None) -> Sheet:
    """A thing with all that is known of it: what stands on it, where it lies, what lies at it, what can be done with it.

    `written` is what can be read about it, as `Game.about` gives it.
    """
    paint = scene.paint
    sheets: list[Sheet] = []
    if meant.thing is not None and meant.thing in scene.things:
        sheets += about(scene, meant.thing, width)
        seat = scene.seats.get(meant.thing.partition("/")[2]) if scene.things[meant.thing]["form"] == "seat" else None
        if seat is not None:
            sheets += about_seat(scene, seat, width)
        sheets += [told(scene, fact, width) for fact in facts.where(scene.view, meant.thing)]
        sheets += [told(scene, fact, width) for fact in facts.of_place(scene.view, meant.thing)]
        for one in facts.held_by(scene.view, meant.thing):
            sheets += held(scene, one, width)
    elif meant.thing is None and meant.zone in scene.zones:
        sheets += about_zone(scene, str(meant.zone), width)
    for verb in scene.asked.verbs(meant if meant.zone != SAID else meant._replace(zone=None)):
        if verb.legal:
            sheets.append(paragraph([Run("▸ ", paint.accent()), Run(verb.text, paint.text(bold=True))], width))
        else:
            sheets.append(
                paragraph([Run("✕ ", paint.dim()), Run(f"{verb.text}: {verb.why or 'not now'}", paint.text())], width)
            )
    sheets += texts(scene, written or {}, width)
    return above(sheets or [line([Run("Nothing more is known of it.", paint.dim())])], width=width)


def texts(scene: Scene, written: Data, width: int) -> list[Sheet]:
    """What is written of a thing: what the game says, what it does in words, the paragraphs that this and the question rest on."""
    paint = scene.paint
    sheets = [paragraph([Run(text, paint.text())], width) for text in written.get("about", ())]
    for number, effect in enumerate(written.get("effects", ())):
        sheets += [] if number else [Sheet(width, 1), line([Run("What it does", paint.text(bold=True))], width)]
        if effect["when"]:
            sheets.append(paragraph([Run(effect["when"], paint.dim())], width))
        for text in effect["does"]:
            sheets.append(paragraph([Run("  · ", paint.dim()), Run(text, paint.text())], width, [Run("    ")]))
    for title, part in (("In the rules", "cites"), ("What the question rests on", "rests")):
        for number, cite in enumerate(written.get(part, ())):
            sheets += [] if number else [Sheet(width, 1), line([Run(title, paint.text(bold=True))], width)]
            runs = [Run(f"{cite['id']}  ", paint.accent()), Run(cite["text"], paint.text())]
            sheets.append(paragraph(runs, width, [Run("  ")]))
    return sheets


def told(scene: Scene, fact: facts.Fact, width: int) -> Sheet:
    """Something that is told of a thing."""
    name = [Run(f"{fact.name}: ", scene.paint.dim())] if fact.name else []
    return paragraph([*name, Run(fact.text, scene.paint.text())], width)


def about(scene: Scene, thing: str, width: int) -> list[Sheet]:
    """What stands on a thing."""
    face, paint = scene.things[thing], scene.paint
    head = [Run(face["label"], paint.text(bold=True)), Run(f"   {thing.partition('/')[0]}", paint.dim())]
    sheets = [line(head, width)]
    if face["form"] == "card":
        sheets.append(block(scene, thing, None, min(24, width), 6))
    return [*sheets, *(told(scene, fact, width) for fact in facts.of_face(face))]


def about_seat(scene: Scene, seat: Data, width: int) -> list[Sheet]:
    """All that a seat has."""
    return [
        paragraph(zones.seat_name(scene, seat), width),
        *(paragraph(part, width) for part in zones.seat_parts(scene, seat)),
        *(
            paragraph([Run(f"{row['label']}: ", scene.paint.dim()), Run(text, scene.paint.text())], width)
            for sheet in scene.view["sheets"]
            for row in sheet["rows"]
            for own, text in zip(scene.view["seats"], row["cells"], strict=True)
            if own["id"] == seat["id"] and text not in ("", "0", "–")
        ),
    ]


def held(scene: Scene, one: Any, width: int) -> list[Sheet]:
    """What lies at a thing as it is drawn, with the names of the pieces where the drawing has not room for them."""
    runs = zones.zone(scene, one, most=60) if isinstance(one, str) else zones.counter(scene, one)
    sheets = [paragraph(runs, width)]
    words = facts.of_held(scene.view, one).text
    if words not in "".join(run.text for run in runs):
        sheets.append(paragraph([Run(f"  {words}", scene.paint.dim())], width, [Run("  ")]))
    return sheets


def about_zone(scene: Scene, name: str, width: int) -> list[Sheet]:
    """All that is seen in a zone."""
    zone = scene.zones[name]
    head = line(
        [
            Run(facts.zone_name(scene.view, zone), scene.paint.text(bold=True)),
            Run(f"   {zone['count']}", scene.paint.dim()),
        ],
        width,
    )
    sheets = [head]
    for item in zone.get("items", ()):
        if item:
            sheets.append(
                line([*mini(scene, item, name), Run(f"  {scene.things[item]['label']}", scene.paint.dim())], width)
            )
    for part in zone.get("bag", ()):
        label = scene.things[part["thing"]]["label"] if part["thing"] else "hidden"
        sheets.append(line([Run(f"{part['n']} {label}", scene.paint.text())], width))
    hidden = sum(1 for item in zone.get("items", ()) if item is None)
    if hidden or (zone["count"] and len(sheets) == 1):
        sheets.append(line([Run(f"{hidden or zone['count']} face down", scene.paint.dim())], width))
    return sheets


def reasons(scene: Scene, width: int) -> Sheet:
    """Why each answer that is not allowed is not."""
    sheets = []
    for choice in scene.asked.choices:
        if not choice.legal and not scene.asked.is_in_tray(choice):
            runs = [
                Run("✕ ", scene.paint.dim()),
                Run(f"{choice.text}: ", scene.paint.text(bold=True)),
                Run(choice.why or "not now", scene.paint.text()),
            ]
            sheets.append(paragraph(runs, width, [Run("  ")]))
    return above(sheets or [line([Run("All answers to this question are allowed.", scene.paint.text())])], width=width)


def ending(scene: Scene, session: Session, width: int) -> Sheet:
    """How a game has ended: who won, the sheet, what was said last, and the seed."""
    from .. import console, view

    paint = scene.paint
    lines = [console.bare(text) for text in view.result(session.game, session.state)]
    sheets = [line([Run(lines[1], paint.accent())], width), line([Run(lines[0], paint.dim())], width), Sheet(width, 1)]
    sheets += [line([Run(text, paint.text())], width) for text in lines[2:]]
    last = [said for turn in scene.view["log"][-2:] for said in turn["lines"]][-LAST_LINES:]
    sheets += [Sheet(width, 1), *(paragraph(spoken(scene, said), width, [Run("  ")]) for said in last)]
    if session.state.seed is not None:
        sheets += [Sheet(width, 1), line([Run(f"seed {session.state.seed}", paint.dim())], width)]
    return above(sheets, width=width)
