"""Where the checkout and its games lie."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ALL_GAMES = sorted(p.parent for p in (ROOT / "games").glob("*/game.yaml"))
PLAY = sorted((ROOT / "tests/conformance/play").glob("*.yaml"))
FEW = 12  # variants of a game of which each is tried every time
ALL = "EQUALITY_GAMES" in os.environ  # `make equality`: all is tried of which a quick run tries a sample
# A large family is judged by games of others (`tests/games/test_family.py`); all else is tried of it only there.
GAMES = [folder for folder in ALL_GAMES if ALL or len(list(folder.glob("variants/*.yaml"))) <= FEW]


def variants_of(folder: Path) -> list[Path]:
    """The files of a game's variants; of a large family five of them, all only in `make equality`."""
    files = sorted(folder.glob("variants/*.yaml"))
    return files if len(files) <= FEW or ALL else files[:: len(files) // 4]
