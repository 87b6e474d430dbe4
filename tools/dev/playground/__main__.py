"""`python -m tools.dev.playground`: make the playground in a folder that any web host serves."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import ROOT, Absent, make

ROOM = Path(sys.prefix) / "playground"


def main() -> int:
    """Make it; 2 where that cannot be."""
    parser = argparse.ArgumentParser(prog="python -m tools.dev.playground", description=__doc__)
    parser.add_argument(
        "--out", type=Path, default=ROOT / "dist/playground", help="the folder; what is in it is replaced"
    )
    out = parser.parse_args().out.resolve()
    try:
        make(out, ROOM)
    except Absent as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    print(f"{size / 1e6:.1f} MB: {out / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
