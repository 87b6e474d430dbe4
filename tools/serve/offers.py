"""The games that may be opened in the lobby: what it says of each, and what who opens one may choose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import rulespec
from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked

from ..described import as_data, info_of
from ..framework import Misuse

# How well bots play that any game has, by the name that `--bot` takes: seconds, as nobody waits for playouts.
LEVELS = {"random": "at random", "search:0.3s": "looks ahead", "search:2s": "looks ahead for long"}
PARTS = ("about", "players", "variants", "bots", "options")


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

    def data(self) -> dict[str, Any]:
        """What the lobby is told of it; raises RulespecError.

        Where variants or bots were named when the server was started, nobody chooses others.
        """
        gamedef = rulespec.load(self.name, variant=self.variants or None, cache=True)
        known = as_data(info_of(self.name), gamedef)
        said: dict[str, Any] = {"id": self.id, "title": self.title, **{part: known[part] for part in PARTS}}
        levels = [{"id": name, "title": title, "about": ""} for name, title in LEVELS.items()]
        said["variants"] = [] if self.variants else [without_path(one) for one in said["variants"]]
        said["bots"] = [] if self.bots else [*levels, *map(without_path, said["bots"])]
        for option in said["options"]:
            option["default"] = dict(self.settings).get(option["name"], option["default"])
        return said

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


def without_path(one: dict[str, Any]) -> dict[str, Any]:
    """A variant or a bot without its place on this machine."""
    return {key: value for key, value in one.items() if key != "path"}
