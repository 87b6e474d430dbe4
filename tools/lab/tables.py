"""The results as tables for other tools: one Parquet file for each table, with the arm's name and the seed of each game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .playing import seed_of
from .store import Store


def write_parquet(store: Store, folder: Path, seed: int) -> None:
    """Write `arms`, `games`, `followed` and `uses`; raises OSError."""
    import pandas as pd

    folder.mkdir(parents=True, exist_ok=True)
    arms = pd.read_sql("SELECT id AS arm, key, digest, name, about FROM arms", store.base)
    abouts = [json.loads(text) for text in arms.pop("about")]
    for column in ("game", "players", "section"):
        arms[column] = [about[column] for about in abouts]
    for column in ("variants", "options", "bots"):
        arms[column] = [json.dumps(about[column]) for about in abouts]
    keys = dict(zip(arms["arm"], arms["key"], strict=True))
    tables: dict[str, Any] = {"arms": arms}
    for name in ("games", "followed", "uses"):
        tables[name] = pd.read_sql(f"SELECT * FROM {name}", store.base)
    games = tables["games"]
    games["seed"] = [
        seed_of(seed, keys[arm], number) for arm, number in zip(games["arm"], games["number"], strict=True)
    ]
    for name, table in tables.items():
        table.to_parquet(folder / f"{name}.parquet", index=False)
