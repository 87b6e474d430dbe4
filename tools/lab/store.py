"""The file of results: an SQLite database to which each batch is added whole, with the record that it is there, or not at all.

A game is there once, by its arm and number, whoever plays it again; what is counted in followed and watched games is added up in
the transaction that records their batch.  An arm whose game, bots or expressions change is another arm: figures are never mixed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path
from typing import Any

from rulespec.text.diagnostics import Diagnostic, RulespecError
from rulespec.text.quoting import ticked

from ..report import counted
from .playing import FOLLOWED, PLAIN, WATCHED, Batch

VERSION = 1
APPLICATION = 0x52535031  # in the header of the file: what it is
TABLES = """
CREATE TABLE arms (id INTEGER PRIMARY KEY, key TEXT NOT NULL, digest TEXT NOT NULL, name TEXT NOT NULL, about TEXT NOT NULL,
    UNIQUE (key, digest));
CREATE TABLE batches (arm INTEGER NOT NULL REFERENCES arms, tier TEXT NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL,
    seconds REAL NOT NULL, PRIMARY KEY (arm, tier, first)) WITHOUT ROWID;
CREATE TABLE games (arm INTEGER NOT NULL REFERENCES arms, number INTEGER NOT NULL, ended TEXT NOT NULL, winners TEXT,
    decisions INTEGER, returns TEXT, cause TEXT, tallies TEXT, fault TEXT, PRIMARY KEY (arm, number)) WITHOUT ROWID;
CREATE TABLE followed (arm INTEGER NOT NULL REFERENCES arms, number INTEGER NOT NULL, changes INTEGER NOT NULL, decided INTEGER,
    PRIMARY KEY (arm, number)) WITHOUT ROWID;
CREATE TABLE uses (arm INTEGER NOT NULL REFERENCES arms, what TEXT NOT NULL, grouping TEXT NOT NULL, name TEXT NOT NULL,
    seat INTEGER NOT NULL, games INTEGER NOT NULL, times INTEGER NOT NULL, taken INTEGER NOT NULL, users INTEGER NOT NULL,
    won INTEGER NOT NULL, PRIMARY KEY (arm, what, grouping, name, seat)) WITHOUT ROWID;
"""
ADD_USE = """INSERT INTO uses VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET games = games + excluded.games,
    times = times + excluded.times, taken = taken + excluded.taken, users = users + excluded.users, won = won + excluded.won"""


class Store:
    """A file of results.  Raises RulespecError X005 for a file that is none, and C002 where the system refuses to write."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.there = path.exists()  # before this, whatever it held
        with self.told():
            self.base = sqlite3.connect(path, timeout=30, isolation_level=None)
            self.base.execute("PRAGMA journal_mode = WAL")
            self.base.execute("PRAGMA synchronous = NORMAL")
            self.prepare()

    def prepare(self) -> None:
        """Make the tables of a new file; refuse one that holds something else."""
        with self.writing():
            application, version = (
                self.base.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
            )
            if not self.base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                for statement in TABLES.split(";"):
                    self.base.execute(statement)
                self.base.execute(f"PRAGMA application_id = {APPLICATION}")
                self.base.execute(f"PRAGMA user_version = {VERSION}")
            elif (application, version) != (APPLICATION, VERSION):
                raise refused("X005", f"{ticked(self.path)} holds no results of a study")

    @contextmanager
    def told(self) -> Iterator[None]:
        """What the database says is told as an error of ours."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            said = str(error)
            if "not a database" in said or "malformed" in said:
                raise refused("X005", f"{ticked(self.path)} holds no results of a study: {said}") from None
            what = "nothing of what it holds is lost; run the same command again to go on"
            raise refused("C002", f"{ticked(self.path)} cannot be written: {said}", what) from None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction: all that is written in it is there at its end, or nothing."""
        self.base.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.base.execute("COMMIT")
        except BaseException:
            if self.base.in_transaction:
                self.base.execute("ROLLBACK")
            raise

    def close(self) -> None:
        self.base.close()

    # --- arms -------------------------------------------------------------------------------------------------------------
    def arm(self, key: str, digest: str, name: str, about: dict[str, Any]) -> int:
        """The number of an arm, which is entered if it is new."""
        text = json.dumps(about, ensure_ascii=False)
        with self.told(), self.writing():
            self.base.execute(
                "INSERT INTO arms (key, digest, name, about) VALUES (?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET name = excluded.name, about = excluded.about",
                (key, digest, name, text),
            )
            row = self.base.execute("SELECT id FROM arms WHERE key = ? AND digest = ?", (key, digest)).fetchone()
        return int(row[0])

    def others(self, key: str, digest: str) -> int:
        """How many games there are of an arm of this key whose game was another."""
        sql = "SELECT count(*) FROM games JOIN arms ON arm = id WHERE key = ? AND digest <> ?"
        return int(self.ask(sql, key, digest)[0][0])

    def known(self, key: str, digest: str) -> bool:
        """Whether there is such an arm."""
        return bool(self.ask("SELECT 1 FROM arms WHERE key = ? AND digest = ?", key, digest))

    def check(self, arms: list[int]) -> None:
        """Raise RulespecError X005 where games of these arms are gone that were noted as played."""
        for arm in arms:
            noted, at = 0, 0
            for first, count in self.ask(
                "SELECT first, count FROM batches WHERE arm = ? AND tier <> ? ORDER BY first", arm, WATCHED
            ):
                noted += max(0, first + count - max(at, first))
                at = max(at, first + count)
            kept = int(self.ask("SELECT count(*) FROM games WHERE arm = ?", arm)[0][0])
            if kept != noted:
                message = f"{ticked(self.path)} notes {counted(noted, 'game')} of an arm as played, and holds {kept:,}"
                raise refused(
                    "X005", message, "`--results FILE` begins another file, or is a copy from before the damage"
                )

    def empty(self, arms: list[int]) -> bool:
        """Whether nothing of these arms was played."""
        return not any(self.played(arm, tier) for arm in arms for tier in (PLAIN, FOLLOWED, WATCHED))

    # --- games ------------------------------------------------------------------------------------------------------------
    def add(self, arm: int, batch: Batch) -> bool:
        """Add a batch; False where it was there already."""
        with self.told(), self.writing():
            new = self.base.execute(
                "INSERT OR IGNORE INTO batches VALUES (?, ?, ?, ?, ?)",
                (arm, batch.tier, batch.first, batch.count, batch.seconds),
            ).rowcount
            if not new:
                return False
            games = ((arm, *row) for row in batch.games)
            self.base.executemany("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", games)
            self.base.executemany(
                "INSERT OR IGNORE INTO followed VALUES (?, ?, ?, ?)", ((arm, *r) for r in batch.followed)
            )
            self.base.executemany(ADD_USE, ((arm, *key, *astuple(use)) for key, use in batch.uses.items()))
        return True

    def missing(self, arm: int, tier: str, wanted: int) -> list[range]:
        """The numbers below `wanted` that a tier has yet to play; a followed game need not be played once more for its end."""
        tiers = (PLAIN, FOLLOWED) if tier == PLAIN else (tier, tier)
        sql = "SELECT first, count FROM batches WHERE arm = ? AND tier IN (?, ?) ORDER BY first"
        gaps, at = [], 0
        for first, count in self.ask(sql, arm, *tiers):
            if first > at:
                gaps.append(range(at, min(first, wanted)))
            at = max(at, first + count)
        gaps.append(range(at, wanted))
        return [gap for gap in gaps if gap]

    def played(self, arm: int, tier: str) -> int:
        """How many games a tier has played."""
        return int(self.ask("SELECT coalesce(sum(count), 0) FROM batches WHERE arm = ? AND tier = ?", arm, tier)[0][0])

    def ask(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with self.told():
            return self.base.execute(sql, values).fetchall()

    def winners(self, arm: int, below: int) -> Iterable[tuple[str | None, int]]:
        """How many of the games below a number each set of winners won."""
        sql = "SELECT CASE WHEN ended = 'some' THEN winners END, count(*) FROM games WHERE arm = ? AND number < ? GROUP BY 1"
        return self.ask(sql, arm, below)


def refused(code: str, message: str, *help: str) -> RulespecError:
    return RulespecError([Diagnostic(code, message, help=help)])
