"""Checked games as entries of the cache: their contents, their names, and when they are valid.

A game has one entry for its title, options and the like, and one for the program of each setup.  Names are digests: of the version
and the files of this package, of the path of the game and, for a program, of the contents of all files of the game and of the setup.
The first entry lists those files; it is valid while every one of them still has the same content.  The texts of the files
are not in the cache: they are read again anyway, and places in them are shown from there.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulespec import ir
from rulespec.ir.codec import Malformed, decode, encode
from rulespec.ir.gamedef import GameDef, OptionDef, Roots
from rulespec.system.code import CodeEntries
from rulespec.system.records import dataclass
from rulespec.system.store import EntryStore, default_folder
from rulespec.text.diagnostics import Diagnostics, RulespecError
from rulespec.text.locate import variants_of
from rulespec.text.source import Source, inside, read_source, shown_path

if TYPE_CHECKING:
    from rulespec.checker.program import CheckedGame

FORMAT = 3

Sources = list[tuple[str, Source]]  # texts by their paths from the folder of the main file, which comes first
Digests = tuple[tuple[str, str], ...]  # the same with their digests


def load_cached(file: Path, variants: tuple[str, ...] = ()) -> GameDef:
    """The game of a main file with variants, checked now only if it has to be; raises RulespecError with every fault."""
    folder = default_folder()
    if folder is None:
        return read_checked(file, variants)[0]
    entries = Entries(EntryStore(folder), file, variants)
    return entries.game() or entries.checked_game()


def read_checked(file: Path, variants: tuple[str, ...] = ()) -> tuple[CheckedGame, Sources]:
    """The game of a main file with variants, checked, and its texts; raises RulespecError with every fault."""
    from rulespec.loading.reading import read

    diagnostics = Diagnostics()
    sources: Sources = []
    checked = read(file, diagnostics, sources, variants)
    if checked is None:
        raise RulespecError(diagnostics)
    return checked, sources


@dataclass(slots=True)
class CachedGame(GameDef):
    """A game whose programs come from the cache; it is checked when a program is not there."""

    entries: Entries = field(repr=False)
    sources: Sources = field(repr=False)
    checked: CheckedGame | None = field(default=None, repr=False)
    _programs: dict[Any, ir.Program] = field(default_factory=dict, repr=False)

    def program(
        self,
        *,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        variant: Any = None,
        cases: bool | Roots = False,
        optimise: bool = True,
    ) -> ir.Program:
        """See `GameDef.program`.  Raises RulespecError also where the game has to be checked now and has faults by now."""
        if variant is not None:
            return self.varied(variant).program(players=players, options=options, cases=cases, optimise=optimise)
        if cases or not optimise:
            return self.check().program(players=players, options=options, cases=cases, optimise=optimise)
        count, chosen = self.setup(players, options)
        program = self._programs.get((count, tuple(chosen.items()))) or self.entries.program(self, count, chosen)
        if program is None:
            program = self.check().program(players=players, options=options)
            self.entries.keep_program(self, program)
        self._programs[program.players, program.settings] = program
        return program

    def check(self) -> CheckedGame:
        """The checked game.  If its files were changed since it was loaded, this is the changed game from now on."""
        if self.checked is None:
            self.checked, sources = read_checked(self.entries.file, self.entries.variants)
            if digests(sources) != digests(self.sources):
                self._programs.clear()
                checked = self.checked
                self.id, self.title, self.about, self.players = (
                    checked.id,
                    checked.title,
                    checked.about,
                    checked.players,
                )
                self.options, self.digest, self.variants = checked.options, checked.digest, checked.variants
                self.entries.keep_game(checked, sources)
            self.sources = sources
        return self.checked


class Entries:
    """The entries of one game with certain variants."""

    def __init__(self, store: EntryStore, file: Path, variants: tuple[str, ...] = ()) -> None:
        self.entries = CodeEntries(store, FORMAT)
        self.file = file
        self.variants = variants
        # by their files: a name may mean a variant beside the game, a path is relative to the current folder
        known = {path.stem: path for path in variants_of(file)} if variants else {}
        self.places = [os.path.abspath(known.get(name, name)) for name in variants]

    def get(self, *parts: Any) -> Any:
        """The data of an entry, or None."""
        return self.entries.get(str(self.file.resolve()), self.places, *parts)

    def put(self, data: Any, *parts: Any) -> None:
        """Store an entry."""
        self.entries.put(data, str(self.file.resolve()), self.places, *parts)

    # --- title, options and the like ----------------------------------------------------------------------------------
    def game(self) -> CachedGame | None:
        """The game from the cache, if all its files are unchanged."""
        data = self.get("game")
        try:
            head, files = head_of(data)
        except Malformed:
            return None
        sources = unchanged(self.file, files)
        return None if sources is None else self.opened(CachedGame(*head[:-1], self, sources, variants=head[-1]))

    def checked_game(self) -> CachedGame:
        """The game, checked now and stored."""
        checked, sources = read_checked(self.file, self.variants)
        self.keep_game(checked, sources)
        return self.opened(
            CachedGame(
                checked.id,
                checked.title,
                checked.about,
                checked.players,
                checked.options,
                checked.digest,
                self,
                sources,
                checked,
                variants=checked.variants,
            )
        )

    def opened(self, game: CachedGame) -> CachedGame:
        """The game, with `Opener` for more variants."""
        game.opener = lambda more: load_cached(self.file, (*self.variants, *more))
        return game

    def keep_game(self, game: GameDef, sources: Sources) -> None:
        """Store the title, options and the like of a game."""
        options = [
            [option.name, option.values, option.default, option.about, option.players] for option in game.options
        ]
        head = [game.id, game.title, game.about, game.players, options, game.digest, game.variants]
        self.put({"game": head, "files": digests(sources)}, "game")

    # --- programs -----------------------------------------------------------------------------------------------------
    def program(self, game: CachedGame, players: int, chosen: dict[str, str]) -> ir.Program | None:
        """The program of a setup from the cache, or None."""
        settings = tuple(chosen.items())
        data = self.get("program", digests(game.sources), players, settings)
        try:
            program = decode(data, [source for _, source in game.sources])
        except Malformed:
            return None
        wanted = (game.id, game.digest, players, settings, game.variants)
        return (
            program
            if (program.id, program.digest, program.players, program.settings, program.variants) == wanted
            else None
        )

    def keep_program(self, game: CachedGame, program: ir.Program) -> None:
        """Store the program of a setup."""
        try:
            data = encode(program, [source for _, source in game.sources])
        except Malformed:
            return  # nested too deep, or with a place in no file: such a program is compiled each time
        self.put(data, "program", digests(game.sources), program.players, program.settings)


def head_of(
    data: Any,
) -> tuple[tuple[str, str, str, tuple[int, ...], tuple[OptionDef, ...], str, tuple[str, ...]], Digests]:
    """Title, options and the like of a game, and its files, from an entry.  Raises Malformed."""
    match data:
        case {
            "game": [str(name), str(title), str(about), [*players], [*options], str(digest), [*variants]],
            "files": [_, *_] as files,
        }:
            if (
                players
                and all(type(count) is int for count in players)
                and all(type(variant) is str for variant in variants)
            ):
                head = (name, title, about, tuple(players), tuple(map(option_of, options)), digest, tuple(variants))
                return head, tuple(map(file_of, files))
    raise Malformed("a game")


def option_of(data: Any) -> OptionDef:
    """An option from an entry.  Raises Malformed."""
    match data:
        case [str(name), [*values], str(default), str(about), [*players]]:
            if all(isinstance(word, str) for word in values) and all(type(count) is int for count in players):
                return OptionDef(name, tuple(values), default, about, tuple(players))
    raise Malformed("an option")


def file_of(data: Any) -> tuple[str, str]:
    """A file and the digest of its content, from an entry.  Raises Malformed."""
    match data:
        case [str(name), str(digest)]:
            return name, digest
    raise Malformed("a file")


# --- dependencies of entries ------------------------------------------------------------------------------------------
def digests(sources: Sources) -> Digests:
    """The names of texts with digests of their contents."""
    return tuple((name, hashlib.sha256(source.text.encode()).hexdigest()) for name, source in sources)


def unchanged(file: Path, files: Digests) -> Sources | None:
    """The texts of a game's files if all are unchanged, else None."""
    quiet = Diagnostics()
    sources: Sources = []
    for number, (name, digest) in enumerate(files):
        try:
            path = place(file, name) if number else file
            source = None if path is None else read_source(path, shown_path(path), diagnostics=quiet)
        except (OSError, ValueError, RuntimeError):  # a name that no file can have, or links in a circle
            return None
        if source is None or digests([(name, source)]) != ((name, digest),):
            return None
        sources.append((name, source))
    return sources


def place(file: Path, name: str) -> Path | None:
    """The file of a text: beside the main file, or elsewhere, where a variant is not in its game's folder."""
    return Path(name) if Path(name).is_absolute() else inside(file.parent, name)
