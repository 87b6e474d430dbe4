"""What is measured: the games as rows, and who plays in each of them, read from data/peers.yaml."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

import yaml

import rulespec
from interpreter.native.building import tools
from rulespec.system.records import dataclass

from .results import BACKENDS

DATA = Path(__file__).resolve().parent / "data"
IN_PYTHON = BACKENDS[1:]
ONCE = BACKENDS[2:]  # in the first round alone: the meaning of the rules, which nobody waits for, takes the longest
TITLES = {
    "native": "Rulespec, compiled C",
    "generated": "Rulespec, generated Python",
    "reference": "Rulespec, reference",
    "native_tuned": "written for speed, compiled C",
    "generated_tuned": "written for speed, generated Python",
}


@dataclass(frozen=True, slots=True)
class Peer:
    """A library beside ours, and the packages that have to be installed for it."""

    id: str
    title: str
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Contender:
    """A way to play with a peer."""

    id: str
    title: str
    peer: str
    driver: str
    how: str


@dataclass(frozen=True, slots=True)
class Entry:
    """Who plays in a row: a contender, and what its worker is told."""

    contender: str
    peer: str | None  # None: ours
    driver: str
    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """A row: one game for so many players.

    `kind` is "shipped", "bench" (written for a comparison), "style" (a game written in two ways) or "hands" (synthetic).  `alike`:
    random games of all who play have the same lengths and returns; where decisions are cut otherwise, they differ.
    """

    game: str
    title: str
    players: int
    kind: str
    entries: tuple[Entry, ...]
    note: str = ""
    alike: bool = True

    @property
    def compared(self) -> bool:
        """Whether anybody but us plays."""
        return any(entry.peer for entry in self.entries)


@cache
def document() -> dict[str, Any]:
    """data/peers.yaml."""
    peers: dict[str, Any] = yaml.safe_load((DATA / "peers.yaml").read_text(encoding="utf-8"))
    return peers


def peers() -> dict[str, Peer]:
    """The libraries by their ids."""
    return {id: Peer(id, entry["title"], tuple(entry["needs"])) for id, entry in document()["peers"].items()}


def contenders() -> dict[str, Contender]:
    """The ways to play with them by their ids."""
    return {
        id: Contender(id, entry["title"], entry["peer"], entry["driver"], entry["how"])
        for id, entry in document()["contenders"].items()
    }


def title_of(contender: str) -> str:
    """The name for people of one of ours or of a peer's contender."""
    return TITLES.get(contender) or contenders()[contender].title


def rows(hands: Path) -> list[Plan]:
    """All rows: those with peers first, then each shipped game at its default and at most players, then those that are shipped
    games in another style, then the synthetic hands.

    `hands` is a folder for the synthetic games.  Raises RulespecError where a game has faults.
    """
    shipped = {info.id: info for info in rulespec.list_games()}
    plans = []
    compared = set()
    for entry in document()["comparisons"]:
        against, apart = entry["against"], entry.get("apart", "")
        note = " ".join(filter(None, [apart, entry.get("note", "")]))
        if "file" in entry:
            path = DATA / entry["file"]
            loaded = rulespec.load(path)
            players = loaded.players[0]
            plans.append(row(loaded.id, loaded.title, players, "bench", path, against, note, not apart))
        else:
            info = shipped[entry["game"]]
            players = info.players[0]
            compared.add((info.id, players))
            plans.append(row(info.id, info.title, players, "shipped", info.id, against, note, not apart))
    growing = document()["growth"]
    for info in shipped.values():
        counts = info.players if info.id == growing else (info.players[0], info.players[-1])
        for players in dict.fromkeys(counts):
            if (info.id, players) not in compared:
                plans.append(row(info.id, info.title, players, "shipped", info.id))
    plans += [style(entry["natural"], entry["tuned"]) for entry in document()["styles"]]
    for size in document()["hands"]:
        path = write_hands(hands, size)
        loaded = rulespec.load(path)
        plans.append(row(loaded.id, loaded.title, loaded.players[0], "hands", path))
    return plans


def row(
    game: str,
    title: str,
    players: int,
    kind: str,
    load: str | Path,
    against: dict[str, dict[str, Any]] | None = None,
    note: str = "",
    alike: bool = True,
) -> Plan:
    """A row with those of our back ends that play here and those against whom they play."""
    settings = {"load": str(load), "players": players, **({"saves": False} if kind in ("bench", "style") else {})}
    entries = [
        Entry(backend, None, "ours", {**settings, "backend": backend})
        for backend in (BACKENDS if compiles() else IN_PYTHON)
    ]
    known = contenders()
    for id, settings in (against or {}).items():
        entries.append(Entry(id, known[id].peer, known[id].driver, settings))
    return Plan(game, title, players, kind, tuple(entries), " ".join(note.split()), alike)


def style(natural: str, tuned: str) -> Plan:
    """A row in which a game that is written naturally is played beside the same, written for speed: a shipped one, or a file."""
    loaded = rulespec.load(DATA / natural)
    name = f"natural_{loaded.id.removeprefix('natural_')}"
    title = loaded.title if loaded.id == name else f"{loaded.title}, written without thinking of speed"
    plan = row(name, title, loaded.players[0], "style", DATA / natural)
    other = str(DATA / tuned) if tuned.endswith(".yaml") else tuned
    beside = [
        replace(entry, contender=f"{entry.contender}_tuned", settings={**entry.settings, "load": other})
        for entry in plan.entries
        if entry.contender not in ONCE
    ]
    return replace(plan, entries=(*plan.entries, *beside))


def compiles() -> bool:
    """Whether games are compiled here."""
    return not isinstance(tools(), str)


def write_hands(folder: Path, size: int) -> Path:
    """Write the synthetic game whose hands have so many cards."""
    suits = ("clubs", "diamonds", "hearts", "spades")
    cards = "\n".join(f"      {suit}_{rank}: [{suit}, {rank}]" for suit in suits for rank in range(1, size + 1))
    template = Template((DATA / "hands.template.yaml").read_text(encoding="utf-8"))
    path = folder / f"hands_{size}.yaml"
    path.write_text(template.substitute(size=size, cards=cards), encoding="utf-8")
    return path
