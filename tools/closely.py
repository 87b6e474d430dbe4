"""A thing of the table from near, in lines: for who plays without the whole screen."""

from __future__ import annotations

from typing import Any

from interpreter import Game

from . import console
from .answers import folded
from .terminal import reading
from .terminal.asked import Asked
from .terminal.paint import Paint
from .terminal.scene import Scene
from .terminal.sheet import Meant

Data = dict[str, Any]


def meant(text: str, view: Data, of_all: bool = True) -> list[str]:
    """The thing of a view with this name; of all, also the only one whose name begins so or has it within."""
    wanted = folded(text)
    names = {thing: folded(face["label"]) for thing, face in view["things"].items()}
    exact = [thing for thing, name in names.items() if name == wanted]
    if exact or not of_all or not wanted:
        return exact[:1]
    for near in (
        [thing for thing, name in names.items() if name.startswith(wanted)],
        [thing for thing, name in names.items() if wanted in name],
    ):
        if len({names[thing] for thing in near}) == 1:
            return near[:1]
    return []


def closely(game: Game, view: Data, thing: str) -> list[str]:
    """All that is known of a thing of a view; what its question rests on is not about the thing, and long to listen to."""
    scene = Scene(view, Asked(view["decision"]), Paint(None))
    written = {key: part for key, part in (game.about(view, thing) or {}).items() if key != "rests"}
    return reading.closely(scene, Meant(thing), console.width(), written, drawn=False).lines()
