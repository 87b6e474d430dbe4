"""`python -m tests.helpers.invented FOLDER [GAMES [FIRST]]`: writes so many invented games, from a first seed on, as files."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.helpers.invented.steps import invention
from tests.helpers.invented.trial import checked

folder, games, first = [*sys.argv[1:], *("20", "0")[len(sys.argv) - 2 :]][:3]
Path(folder).mkdir(parents=True, exist_ok=True)
for seed in range(int(first), int(first) + int(games)):
    checked(invention(seed, 40, 2 + seed % 2), Path(folder, f"invented_{seed}.yaml"))
