"""The games that may be opened in the lobby: what it says of each, and what who opens one may choose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import rulespec
from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked

from ..described import as_data, info_of
from ..framework import Misuse
from . import journal

# How well bots play that any game has, by the name that `--bot` takes: seconds, as nobody waits for playouts.
LEVELS = {"random": "at random", "search:0.3s": "looks ahead", "search:2s": "looks ahead for long"}
LISTS = ("variants", "bots", "options")


@dataclass(frozen=True, slots=True)
class Offered:
    """A game that may be opened in the lobby: as it is named to `rulespec serve`, with what was said there."""

    name: str
    id: str
    title: str
    players: tuple[int, ...]
    variants: tuple[str, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    bots: tuple[str, ...] = ()

    def chosen(self, said: dict[str, Any], variants: list[str], settings: dict[str, str], bot: str | None) -> Offered:
        """The same game as somebody wants it; `said` is its `data`.  Raises Misuse where it is not offered so."""
        for what, names in (("variants", variants), ("bots", [] if bot is None else [bot])):
            for name in names:
                if all(name != one["id"] for one in said[what]):
                    raise Misuse(f"{ticked(name)} is none of the {what} that may be chosen here", "reload the page")
        return replace(
            self,
            variants=tuple(variants) or self.variants,
            settings=tuple((dict(self.settings) | settings).items()),
            bots=self.bots if bot is None else (bot,),
        )


def data(game: Offered) -> dict[str, Any]:
    """What the lobby is told of a game; of one that cannot be read any more, only what was known when the server was started.

    Where variants or bots were named then, nobody chooses others.
    """
    said: dict[str, Any] = {"id": game.id, "title": game.title, **dict.fromkeys(LISTS, ()), "about": ""}
    said["players"] = list(game.players)
    try:
        gamedef = rulespec.load(game.name, variant=game.variants or None, cache=True)
        known = as_data(info_of(game.name), gamedef)
    except rulespec.RulespecError as problem:
        journal.fault(f"the lobby, {ticked(game.id)}", problem)
        return said
    levels = [{"id": name, "title": title, "about": ""} for name, title in LEVELS.items()]
    said["about"] = known["about"]
    said["variants"] = [] if game.variants else [without_path(one) for one in known["variants"]]
    said["bots"] = [] if game.bots else [*levels, *map(without_path, known["bots"])]
    chosen = dict(game.settings)
    said["options"] = [{**one, "default": chosen.get(one["name"], one["default"])} for one in known["options"]]
    return said


def without_path(one: dict[str, Any]) -> dict[str, Any]:
    """A variant or a bot without its place on this machine."""
    return {key: value for key, value in one.items() if key != "path"}
