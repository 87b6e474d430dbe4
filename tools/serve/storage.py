"""The folder in which a server keeps its tables: for each one what it is (`table.json`) and its game as a save (`game.json`).

Whoever can read it knows every secret of every game, and every token: it is its owner's alone.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from interpreter import Game, State
from interpreter.files import saves, transcript
from rulespec.system import files
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic, RulespecError
from rulespec.text.quoting import ticked

from ..parameters import read_text
from . import journal, tokens

VERSION = 1
TABLE, GAME, SERVER, LOCK = "table.json", "game.json", "server.json", ".lock"
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
CHATS = 50  # lines of talk that are kept, and that a newcomer is sent
MOST_RECORD = 1_000_000  # bytes of `table.json`


class InUse(OSError):
    """Raised where another server keeps its tables in the folder."""


@dataclass
class Record:
    """What a table is, beside its game: `by` says for each seat whether a person, a bot or nobody (`empty`) has it."""

    game: str
    players: int
    by: list[str]
    variants: list[str] = field(default_factory=list)
    settings: dict[str, str] = field(default_factory=dict)
    bots: list[str] = field(default_factory=list)
    together: list[int] = field(default_factory=list)  # seats of the link for one machine
    tokens: dict[str, str] = field(default_factory=dict)  # by `spectator`, `host`, `machine` and the ids of seats
    begun: bool = False
    pace: float = 0.8  # seconds
    rounds: int = 1
    case: str = ""  # the name of the case that the host has written of what is played now
    case_first: int = 0  # answers before it
    chats: list[dict[str, Any]] = field(default_factory=list)  # the last lines of talk: `by` whom, and the `text`


class Folder:
    """The folder of a server, which no other server uses while this one does."""

    def __init__(self, path: Path) -> None:
        """Make it, if it is not there, and take it; raises OSError, and InUse."""
        self.path = path
        self.unsaved: set[str] = set()  # tables of which the last that was to be written was not
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.handle = os.open(path / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), files.PRIVATE)
        if files.lock(self.handle) is False:
            os.close(self.handle)
            raise InUse(f"another server keeps its tables in {ticked(path)}")
        probe = path / f".{secrets.token_hex(8)}"
        probe.touch(files.PRIVATE)
        probe.unlink()

    def close(self) -> None:
        """Leave it to others."""
        os.close(self.handle)

    def token(self) -> str:
        """The token of who runs the server, made once; raises OSError."""
        path = self.path / SERVER
        try:
            token = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=saves.single)["token"]
            if not tokens.well_formed(token):
                raise ValueError
            return str(token)
        except FileNotFoundError:
            pass
        except (ValueError, TypeError, KeyError):
            journal.LOG.warning("%s is damaged: the lobby has a new link", path)
        token = tokens.new()
        saves.write(path, json.dumps({"token": token}) + "\n")
        return token

    def tables(self) -> list[str]:
        """The tables that are kept here."""
        return sorted(path.parent.name for path in self.path.glob(f"*/{TABLE}") if path.parent.name.isalnum())

    def new(self) -> Home:
        """A place for one more table; raises OSError."""
        while True:
            name = "".join(secrets.choice(ALPHABET) for _ in range(6))
            try:
                (self.path / name).mkdir(mode=0o700)
            except FileExistsError:
                continue
            return self.home(name)

    def home(self, name: str) -> Home:
        """The place of a table that is there."""
        return Home(self.path / name, self.unsaved)


class Home:
    """The place of one table."""

    def __init__(self, path: Path, unsaved: set[str] | None = None) -> None:
        self.path = path
        self.name = path.name
        self.unsaved = set() if unsaved is None else unsaved

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Remember whether what is written here is on the disk."""
        try:
            yield
        except BaseException:
            self.unsaved.add(self.name)
            raise
        self.unsaved.discard(self.name)

    def keep(self, record: Record) -> None:
        """Write what the table is; raises OSError."""
        with self.writing():
            saves.write(self.path / TABLE, json.dumps({"rulespec_table": VERSION, **asdict(record)}, indent=1) + "\n")

    def keep_game(self, state: State) -> None:
        """Write the game; it is on the disk when this returns.  Raises OSError, RulespecError T008."""
        with self.writing():
            state.save_to(self.path / GAME)

    def keep_round(self, state: State, number: int) -> None:
        """Write the transcript of a game that is over; raises OSError, RulespecError T008."""
        with self.writing():
            saves.write(self.path / f"round-{number}.jsonl", transcript.write(state))

    def record(self) -> Record:
        """What the table is; raises RulespecError."""
        path = self.path / TABLE
        data = parsed(read_text(path, MOST_RECORD), path)
        if data.pop("rulespec_table", None) != VERSION:
            raise torn(path, "it is not of this version")
        try:
            record = Record(**data)
        except TypeError:
            raise torn(path, "parts are missing or not known") from None
        seats = len(record.by) == record.players and set(record.by) <= {"person", "bot", "empty"}
        if not seats or not all(tokens.well_formed(token) for token in record.tokens.values()):
            raise torn(path, "its seats or tokens make no sense")
        if not isinstance(record.case, str) or type(record.case_first) is not int or record.case_first < 0:
            raise torn(path, "its case makes no sense")
        if not isinstance(record.chats, list) or not all(map(talk, record.chats)):
            raise torn(path, "its talk makes no sense")
        return record

    def state(self, game: Game) -> State:
        """The game as it was saved, with all that can be taken back; raises RulespecError."""
        path = self.path / GAME
        saved = game.state_from_json(read_text(path, saves.MAX_BYTES))
        again = game.replay(transcript.write(saved), path.as_posix())
        return again if again == saved else saved

    def remove(self) -> None:
        """Throw the table away; raises OSError."""
        self.unsaved.discard(self.name)
        with suppress(FileNotFoundError):  # somebody has done so by hand
            shutil.rmtree(self.path)


def talk(said: Any) -> bool:
    """Whether this is a line of talk."""
    return isinstance(said, dict) and said.keys() == {"by", "text"} and all(isinstance(v, str) for v in said.values())


def parsed(text: str, path: Path) -> dict[str, Any]:
    """The JSON object of a file; raises RulespecError."""
    try:
        data = json.loads(text, object_pairs_hook=saves.single)
    except saves.Doubled:
        raise torn(path, "a key stands twice in it") from None
    except (ValueError, RecursionError):
        raise torn(path, "it is not JSON") from None
    if not isinstance(data, dict):
        raise torn(path, "it is no JSON object")
    return data


def torn(path: Path, why: str) -> RulespecError:
    """The refusal of a file that this server has not written so."""
    return RulespecError([Diagnostic("T007", f"the table cannot be read: {why}", origin=path.as_posix())])
