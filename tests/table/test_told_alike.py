"""What a table tells of a thing is told in the terminal, line by line and by the page for browsers: compared fact by fact on one view."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rulespec
from interpreter import Game
from interpreter.bots.basics import Chance
from tests.helpers.places import GAMES, ROOT
from tools import closely
from tools.terminal import reading
from tools.terminal.asked import Asked
from tools.terminal.paint import Paint
from tools.terminal.scene import Scene
from tools.terminal.sheet import Meant

Data = dict[str, Any]
NAMES = [folder.name for folder in GAMES]
ANSWERS = 45  # before the position that is shown
PAGE = """
import { readFileSync } from "node:fs";
import { Table } from "./model.js";
import { dialog } from "./panels.js";
const inside = (node) => [node.props["aria-label"], ...node.kids.flatMap(texts)].filter(Boolean);
const texts = (node) => (typeof node === "object" ? inside(node) : [String(node)]);
const view = JSON.parse(readFileSync("view.json", "utf8"));
const pen = { table: new Table(view), drawn: new Set(), dialog() {}, light() {}, whyId() {} };
const body = (thing) => dialog(pen, { what: "thing", thing }).body.flat(Infinity).filter(Boolean);
const out = Object.fromEntries(Object.keys(view.things).map((thing) => [thing, body(thing).flatMap(texts).join(" ")]));
console.log(JSON.stringify(out));
"""


@cache
def view_of(name: str) -> Data:
    """The table of whoever is asked, in a random game."""
    game = Game(rulespec.load(name, cache=True), backend="python")
    state, chance = game.new_state(5), Chance(5)
    for _ in range(ANSWERS):
        following = state.child(chance.one_of(state.legal_actions()))
        if following.is_terminal():
            break
        state = following
    return state.table(max(state.current_player(), 0))


def facts(view: Data, thing: str) -> Iterator[str]:
    """What has to be said of a thing, word by word as it stands in the view."""
    face = view["things"][thing]
    yield from {face["label"], face.get("title", "")}
    yield from (f"{key} {face[key]}" for key in ("colour", "suit") if face.get(key))
    if "corner" in face and not any(text == face["corner"] for _, text in face.get("facts", ())):
        yield f"corner {face['corner']}"
    if face.get("symbol"):
        yield f"sign {face.get('symbol_word') or face['symbol']}"
    yield from (f"{name} {text}" for name, text in face.get("facts", ()))
    yield from face.get("lines", ())
    for part in face.get("cost", ()):
        yield f"{part['n']} {part['label']}"
    holds = list(view["attached"].get(thing, ()))
    drawn = view["map"] or {"places": [], "legends": {}}
    for spot in (*(cell for board in view["boards"] for cell in board["cells"]), *drawn["places"]):
        if spot["thing"] == thing:
            yield from (spot[key] for key in ("label",) if spot.get(key))
            for sort in ("colour", "symbol"):
                yield from (m["label"] for m in drawn["legends"].get(sort, ()) if m["name"] == spot.get(sort))
            yield from ([drawn["strong"]] if spot.get("strong") and drawn.get("strong") else ())
            yield from (flag["label"] for flag in spot.get("flags", ()))
            yield from spot.get("lines", ())
            holds += spot.get("holds", ())
    for number, seat in enumerate(view["seats"]):
        if thing == f"Player/{seat['id']}":
            yield from seat["badges"]
            yield from (f"{label} {text}" for label, text in seat.get("score", ()))
            yield from (f"{one['label']} {one['text']}" for one in seat["counters"] if one["text"] != "–")
            rows = [row for sheet in view["sheets"] for row in sheet["rows"]]
            yield from (
                f"{row['label']} {row['cells'][number]}" for row in rows if row["cells"][number] not in ("", "0", "–")
            )
    for hold in holds:
        yield from of_hold(view, hold)
    for zone in view["zones"].values():
        if thing in zone.get("items", ()) or any(part["thing"] == thing for part in zone.get("bag", ())):
            yield zone["label"]


def of_hold(view: Data, hold: Any) -> Iterator[str]:
    """What has to be said of a zone or counter that lies at a thing."""
    if not isinstance(hold, str):
        yield hold["label"] if "bag" in hold else f"{hold['label']} {hold['text']}"
        yield from (f"{part['n']} {view['things'][part['thing']]['label']}" for part in hold.get("bag", ()))
        return
    zone = view["zones"][hold]
    yield zone["label"]
    things = [*zone.get("items", ()), *(part["thing"] for part in zone.get("bag", ()))]
    yield from (view["things"][thing]["label"] for thing in things if thing)


def plain(text: str) -> str:
    """Words alone, however lines are folded."""
    return " ".join(text.replace(":", " ").split()).casefold()


def missing(view: Data, said: dict[str, str]) -> list[tuple[str, str]]:
    """The facts that are not said, each with its thing."""
    there = {thing: plain(text) for thing, text in said.items()}
    wanted = {thing: [plain(fact) for fact in facts(view, thing)] for thing in view["things"]}
    return [(thing, fact) for thing, listed in wanted.items() for fact in listed if fact not in there[thing]]


@pytest.mark.parametrize("name", NAMES)
def test_the_terminal_says_it(name: str) -> None:
    view = view_of(name)
    scene = Scene(view, Asked(view["decision"]), Paint(None))
    said = {thing: "\n".join(reading.closely(scene, Meant(thing), 120).lines()) for thing in view["things"]}
    assert missing(view, said) == []


@pytest.mark.parametrize("name", NAMES)
def test_line_mode_says_it(name: str) -> None:
    view = view_of(name)
    assert missing(view, {thing: "\n".join(closely.lines(view, thing, None)) for thing in view["things"]}) == []


@pytest.mark.skipif(shutil.which("node") is None, reason="runs the scripts of the page in node")
@pytest.mark.parametrize("name", NAMES)
def test_the_page_says_it(name: str, tmp_path: Path) -> None:
    for script in (ROOT / "tools/serve/page").glob("*.js"):
        shutil.copy(script, tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "view.json").write_text(json.dumps(view_of(name)))
    (tmp_path / "run.js").write_text(PAGE)
    done = subprocess.run(["node", "run.js"], cwd=tmp_path, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    assert missing(view_of(name), json.loads(done.stdout)) == []
