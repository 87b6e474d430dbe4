"""`python -m tools.dev.studio`: bundle the libraries of the studio's editor."""

from __future__ import annotations

import sys
from pathlib import Path

from . import BUNDLE, make

ROOM = Path(sys.prefix) / "studio"

if __name__ == "__main__":
    make(ROOM)
    print(f"written: {BUNDLE.name}, {BUNDLE.stat().st_size} bytes")
