"""A game in a list: what is known of it before it is played, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulespec import GameDef, GameInfo


def info_of(game: str) -> GameInfo:
    """A game that is named, shipped or not.  Raises RulespecError."""
    import rulespec
    from rulespec.api import bot_info, variant_info
    from rulespec.text.diagnostics import Diagnostics
    from rulespec.text.locate import bots_of, find, variants_of

    diagnostics = Diagnostics()
    file = find(game, diagnostics)
    if file is None:
        raise rulespec.RulespecError(diagnostics)
    loaded = rulespec.load(file, cache=True)
    variants = () if loaded.variants else tuple(map(variant_info, variants_of(file)))
    bots = tuple(map(bot_info, bots_of(file)))
    return rulespec.GameInfo(
        loaded.id, loaded.title, loaded.players, file, " ".join(loaded.about.split()), variants, bots
    )


def as_data(info: GameInfo, game: GameDef | None) -> dict[str, Any]:
    """The game as plain data; with its options, where it is loaded."""
    entry: dict[str, Any] = {
        "id": info.id,
        "title": info.title,
        "players": list(info.players),
        "about": info.about,
        "path": str(info.path),
    }
    for name, files in (("variants", info.variants), ("bots", info.bots)):
        entry[name] = [{"id": one.id, "title": one.title, "about": one.about, "path": str(one.path)} for one in files]
    if game is not None:
        entry["options"] = [
            {
                "name": option.name,
                "values": list(option.values),
                "default": option.default,
                "about": option.about,
                "players": list(option.players),
            }
            for option in game.options
        ]
    return entry
