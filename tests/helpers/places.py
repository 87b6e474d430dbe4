"""Where the checkout and its games lie."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GAMES = sorted(p.parent for p in (ROOT / "games").glob("*/game.yaml"))
PLAY = sorted((ROOT / "tests/conformance/play").glob("*.yaml"))
