"""Games that were begun at this keyboard and not ended: each is kept after every answer, so that nothing loses it."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from interpreter import Game, State

VARIABLE = "RULESPEC_UNFINISHED"  # the folder, or `off`
OFF = "off"


def folder() -> Path | None:
    """The folder that the environment names, or else the platform's for such things; None if none is to be kept."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return None if chosen.casefold() == OFF else Path(chosen).absolute()
    try:
        if sys.platform == "win32":
            local = os.environ.get("LOCALAPPDATA")
            return (Path(local) if local else Path.home() / "AppData" / "Local") / "rulespec" / "unfinished"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Application Support" / "rulespec" / "unfinished"
        given = Path(os.environ.get("XDG_STATE_HOME", ""))
        return (given if given.is_absolute() else Path.home() / ".local" / "state") / "rulespec" / "unfinished"
    except RuntimeError:  # no home
        return None


def place(game: Game) -> Path | None:
    """The file of a game with its players, options and variants; None where nothing can be kept."""
    kept = folder()
    if kept is None:
        return None
    try:
        kept.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return kept / f"{game.id}-{game.program.digest[:16]}.json"


def left(game: Game, path: Path | None) -> State | None:
    """The position that was left, if it can be gone on with and somebody has answered in it."""
    state = read(game, path)
    return None if state is None or state.is_terminal() or state.decisions == 0 else state


def read(game: Game, path: Path | None) -> State | None:
    """The position that a file holds; None where there is none of this game."""
    from interpreter.files import saves
    from rulespec.text.diagnostics import RulespecError

    from .parameters import read_text

    if path is None or not path.exists():
        return None
    try:
        return game.state_from_json(read_text(path, saves.MAX_BYTES))
    except RulespecError:
        return None


def forget(path: Path | None) -> None:
    """The game is over, or somebody begins another."""
    if path is not None:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def forget_unanswered(game: Game, path: Path | None) -> None:
    """Forget what is kept, if nobody has answered in it: whoever only had a look is not asked next time whether to go on."""
    state = read(game, path)
    if state is not None and state.decisions == 0:
        forget(path)


def ids() -> frozenset[str]:
    """The ids of games of which one was left."""
    kept = folder()
    if kept is None or not kept.is_dir():
        return frozenset()
    return frozenset(path.name.rpartition("-")[0] for path in kept.glob("*.json"))
