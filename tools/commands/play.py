"""`rulespec play`: play a game in the terminal."""

from __future__ import annotations

import os
import secrets
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked

from .. import console, stopping
from ..framework import Command, Misuse
from ..parameters import (
    backend_option,
    bot_option,
    check_seats,
    complete_game,
    most_option,
    open_seating,
    reproduce,
    seat,
    table_options,
)

if TYPE_CHECKING:
    from interpreter import Fault, Game, State

    from ..bots import Seating
    from ..casebook.recording import Recording
    from ..session import Session

FILE = click.Path(path_type=Path)
PACES = ("none", "fast", "calm", "slow", "step")


@click.command(
    "play",
    cls=Command,
    first=("--players", "--as", "--all", "--seed"),
    examples=[
        "rulespec play",
        "rulespec play {game}",
        "rulespec play my_game --players 4 --as 1 --as 3",
        "rulespec play {game} --all --save evening.json",
        "rulespec play {game} --variant NAME",
        "rulespec play {game} --load evening.json",
        "rulespec play my_game --case a_name",
        "rulespec play {game} --bots --seed 7 --transcript game.jsonl",
        "rulespec play {game} --bot search:200",
    ],
)
@click.argument("game", metavar="[GAME]", required=False, shell_complete=complete_game)
@table_options(
    seats="A seat that a person takes, by number or name; repeat for more. The first seat, if not said.",
    everybody="People take all seats.",
    bots="Bots take all seats.",
)
@bot_option
@most_option
@backend_option
@click.option("--load", type=FILE, help="Go on with a saved game.")
@click.option("--case", "case", metavar="NAME", help="Begin where a case of the game ends; it is not kept.")
@click.option("--save", type=FILE, help="Save the game here after each answer.")
@click.option("--transcript", type=FILE, help="Write all answers here, for `rulespec replay`.")
@click.option("--overwrite", is_flag=True, help="Replace files that are there and not of this game.")
@click.option("--resume", is_flag=True, help="Go on with the game that was left unfinished here.")
@click.option("--plain", is_flag=True, help="Line by line, as for a screen reader; so it is without a terminal.")
@click.option(
    "--pace",
    type=click.Choice(PACES),
    default="calm",
    show_default=True,
    help="How fast bots play on the screen; it can be changed while they do.",
)
def command(
    game: str | None,
    players: int | None,
    seed: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    seats: tuple[str, ...],
    everybody: bool,
    bots: bool,
    wanted: tuple[str, ...],
    most: int | None,
    backend: str,
    load: Path | None,
    case: str | None,
    save: Path | None,
    transcript: Path | None,
    overwrite: bool,
    resume: bool,
    plain: bool,
    pace: str,
) -> int:
    """Play a game here: people at this keyboard, bots in the other seats.

    Without GAME, the games that are there are shown to choose from. Each person is shown only what their
    seat may see. On a terminal the table fills the screen, and F1 shows the keys; with `--plain` it is
    printed line by line. A game at a terminal is kept after each answer until it is over, and `--resume`
    goes on with it. Without a terminal, bots play the game to its end.
    """
    screen = on_screen(plain)
    if game is None:
        if not screen:
            raise Misuse("a game must be named", "`rulespec list` shows those that are there")
        choice = chosen_from_shelf()
        if choice is None:
            return 0
        game, players, variant = choice
        variants = variants if variant is None else (variant,)
    if resume and (load is not None or seed is not None):
        raise Misuse("`--resume` excludes `--load` and `--seed`")
    check_seats(seats, everybody, bots)
    if case is not None:
        if players is not None or settings or load is not None or resume or save is not None or transcript is not None:
            raise Misuse(
                "`--case` says how it begins, and what follows is not kept",
                "without --players, --option, --load, --resume, --save and --transcript",
            )
        opened, state, seating = begin_at(game, case, seed, variants, wanted)
    else:
        opened, state, seating = begin(game, players, seed, settings, variants, load, wanted, backend)
    opened.most_decisions = most or opened.most_decisions
    people = seated(opened, seats, everybody, bots)
    check_writable(save, load, overwrite)
    check_writable(transcript, own_transcript(transcript, state), overwrite)
    again = None if people else lambda: reproduce(game, opened, state.seed, variants=variants, wanted=wanted, most=most)
    evening = Evening(game, opened, people, seating, variants, save, load, transcript, again, apart=case is not None)
    kept = console.interactive() and people and load is None and case is None
    before = evening.keep_unfinished() if kept else None
    if resume:
        if before is None:
            raise Misuse("no game of it was left unfinished", "without `--resume` a new one begins")
        state, before = before, None
    if screen:
        return evening.on_screen(state, seed or 0, PACES.index(pace), before if seed is None else None)
    if before is not None and seed is None and goes_on(before):
        state = before
    return evening.line_by_line(state, seed or 0)


def goes_on(before: State) -> bool:
    """Ask whether the game that was left shall be gone on with."""
    from ..keyboard import EndOfInput, Keyboard

    try:
        answer = Keyboard().line(f"A game was left after {before.decisions} answers. Go on with it? [y/n] ")
    except EndOfInput:
        return False
    return answer.strip().casefold() in ("y", "yes", "")


def chosen_from_shelf() -> tuple[str, int, str | None] | None:
    """A game from those that are there, for how many players, and a variant; None if none was chosen."""
    import rulespec

    from .. import unfinished
    from ..terminal.shelf import ShelfApp

    return ShelfApp(rulespec.list_games(), sorted(unfinished.ids())).chosen()


@dataclass
class Evening:
    """What is played in one run of the command: one game line by line, or one after the other on the screen."""

    name: str
    game: Game
    people: set[int]
    seating: Seating | None
    variants: tuple[str, ...]
    save: Path | None
    loaded: Path | None
    transcript: Path | None
    again: Callable[[], str] | None  # the command that plays it again, where bots alone play
    unfinished: Path | None = None  # where it is kept until it is over, if nobody has named a file
    apart: bool = False  # it began where a case ends

    def keep_unfinished(self) -> State | None:
        """Let it be kept after each answer, where no file for it was named; the one that was left before, if there is one."""
        from .. import unfinished

        if self.save is None:
            self.unfinished = unfinished.place(self.game)
        return unfinished.left(self.game, self.unfinished)

    def recording(self) -> Recording | None:
        """What writes cases of this game; a variant has none, nor what began where a case ends."""
        from ..casebook.recording import Recording

        return None if self.variants or self.apart else Recording(self.name)

    def over(self, session: Session) -> None:
        """A case that goes on ends; what was kept is not needed any more when the game is over."""
        from .. import unfinished

        if session.recording is not None and session.recording.name is not None:
            console.message(session.write_case(""))
        if session.state.is_terminal():
            unfinished.forget(self.unfinished)
        elif session.state.decisions == 0:
            unfinished.forget_unanswered(self.game, self.unfinished)

    def line_by_line(self, state: State, seed: int) -> int:
        """Told in lines, answered by a keyboard or a pipe; returns the exit code."""
        from interpreter import Fault

        from ..table import Left, PlayTable

        welcome(self.game, state, self.people, None if self.seating is None else self.seating.names)
        table = PlayTable(
            self.game,
            state,
            self.people,
            state.seed or seed,
            self.kept,
            seating=self.seating,
            loaded=self.loaded,
            rules=about(self.name) if self.people else (),
        )
        table.recording = self.recording()
        try:
            with stopping.raised():
                table.play()
        except Left:
            self.farewell(table)
        except KeyboardInterrupt as interrupt:
            console.message("\ninterrupted")
            self.farewell(table)
            return stopping.code_of(interrupt)
        except Fault as fault:
            return self.failed(fault)
        finally:
            self.write(table)
            self.over(table)
        console.data(f"seed {state.seed}")
        return 0

    @property
    def kept(self) -> Path | None:
        """The file that it is saved to after each answer."""
        return self.save or self.unfinished

    def on_screen(self, state: State, seed: int, pace: int, before: State | None = None) -> int:
        """On the whole screen; `before` is a game that was left, which may be gone on with.  Returns the exit code."""

        from ..session import Session
        from ..terminal.app import PlayApp

        while True:
            session = Session(
                self.game, state, self.people, state.seed or seed, self.kept, seating=self.seating, loaded=self.loaded
            )
            session.recording = self.recording()
            app = PlayApp(session, pace, rules=about(self.name), before=before)
            outcome = app.played_out()
            pace, before = app.pace, None
            self.over(session)
            if outcome == "walk":
                from ..terminal.watch import WatchApp

                WatchApp(session.state).played_out()
                outcome = "over"
            if outcome != "again":
                break
            state = self.game.new_state(secrets.randbelow(2**32))
        self.write(session)
        if app.fault is not None:
            return self.failed(app.fault)
        if outcome == "interrupted":
            console.message("interrupted")
        if outcome in ("left", "interrupted", None):
            self.farewell(session)
        elif outcome != "over":
            console.data(outcome)
        if session.state.is_terminal():
            from .. import view

            for line in view.result(self.game, session.state):
                console.data(line)
        console.data(f"seed {session.state.seed}")
        return app.code if outcome == "interrupted" else 0

    def farewell(self, session: Session) -> None:
        """Say how to go on, where somebody has answered."""
        if self.save is None and self.unfinished is not None and session.state.decisions == 0:
            return
        if self.save is None and self.unfinished is not None and not session.unsaved:
            console.message(f"to go on: {self.words()} --resume")
        else:
            farewell(self.name, self.variants, session.state, None if session.unsaved else self.save)

    def words(self) -> str:
        """The command that opens this game."""
        words = ["rulespec", "play", self.name, "--players", str(self.game.num_players)]
        words += [word for name in self.variants for word in ("--variant", name)]
        return shlex.join([*words, *(word for k, v in self.game.program.settings for word in ("--option", f"{k}={v}"))])

    def failed(self, fault: Fault) -> int:
        """Report a fault of the rules."""
        from .. import report

        report.fault(fault, None if self.again is None else self.again())
        return 1

    def write(self, session: Session) -> None:
        """Write the transcript, where a file for it was named."""
        if self.transcript is not None:
            write_transcript(self.transcript, session.state)


def on_screen(plain: bool) -> bool:
    """Whether the table fills the screen: at a terminal that can show it."""
    return console.interactive() and not plain and os.environ.get("TERM") not in (None, "", "dumb")


def about(game: str) -> list[str]:
    """What a game says of itself."""
    import rulespec

    text = rulespec.load(game, cache=True).about
    return [" ".join(text.split())] if text else []


def begin(
    game: str,
    players: int | None,
    seed: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    load: Path | None,
    wanted: tuple[str, ...],
    backend: str,
) -> tuple[Game, State, Seating | None]:
    """The game, its first position and its bots: a fresh game, or a saved one with the setup of the save."""
    if load is None:
        opened, seating = open_seating(game, players, settings, variants, wanted, backend=backend)
        return opened, opened.new_state(secrets.randbelow(2**32) if seed is None else seed), seating
    if seed is not None:
        raise Misuse("`--seed` and `--load` exclude each other", "a saved game has its seed")
    from interpreter.files import saves

    from ..parameters import about, read_text, variant_names

    text = read_text(load, saves.MAX_BYTES)
    with about(load):
        saved = saves.parse(text)
    if players is None and isinstance(saved["players"], int):
        players = saved["players"]
    if not settings and isinstance(saved["settings"], dict):
        settings = tuple((str(name), str(value)) for name, value in saved["settings"].items())
    if not variants and isinstance(saved.get("variants"), list) and Path(game).suffix != ".yaml":
        variants = variant_names(saved["variants"])
    opened, seating = open_seating(game, players, settings, variants, wanted, backend=backend)
    with about(load):
        return opened, opened.state_from_json(text), seating


def begin_at(
    game: str, case: str, seed: int | None, variants: tuple[str, ...], wanted: tuple[str, ...]
) -> tuple[Game, State, Seating | None]:
    """The game of a case, the position in which it ends, and bots, where any are named."""
    from .. import bots
    from ..at_case import at_case
    from ..parameters import seat

    opened, state = at_case(game, case, variants, secrets.randbelow(2**32) if seed is None else seed)
    if not wanted:
        return opened, state, None
    return opened, state, bots.seating(opened, None, game, bots.seats_of(opened, wanted, seat))


def seated(game: Game, names: tuple[str, ...], everybody: bool, bots: bool) -> set[int]:
    """The seats that people take."""
    if everybody:
        return set(range(game.num_players))
    if names:
        return {seat(game, name) for name in names}
    return {0} if console.interactive() and not bots else set()


def welcome(game: Game, state: State, people: set[int], bots: tuple[str, ...] | None) -> None:
    """What is played, by whom, and the seed."""
    console.data(console.paint(console.printable(game.title), "bold"))
    names = []
    for i, label in enumerate(game.seat_labels):
        bot = "bot" if bots is None else f"bot {bots[i]}"
        names.append(console.printable(f"{label} ({'you' if people == {i} else 'person' if i in people else bot})"))
    for line in console.wrapped(", ".join(names), "  "):
        console.data(line)
    chosen = ", ".join(f"{name}={value}" for name, value in game.program.settings)
    for line in console.wrapped(f"{f'{chosen}; ' if chosen else ''}seed {state.seed}", "  "):
        console.data(line)


def farewell(game: str, variants: tuple[str, ...], state: State, save: Path | None) -> None:
    """Say how to go on with a saved game."""
    if save is not None:
        words = ["rulespec", "play", game, *(word for name in variants for word in ("--variant", name))]
        console.message(f"to go on: {shlex.join([*words, '--load', str(save)])}")
    elif not state.is_terminal():
        console.message("the game was left and not saved")


def check_writable(path: Path | None, transcript: Path | None, overwrite: bool) -> None:
    """Refuse, before the game begins, what could not be written later or would be lost; `transcript` is a file of this game."""
    from ..guarding import guard_folder, guard_game

    if path is None:
        return
    try:
        if not overwrite:
            guard_game(path, transcript)
        guard_folder(path)
    except FileExistsError as error:
        raise Misuse(str(error), "`--load` goes on with a saved game; `--overwrite` replaces the file") from None
    except OSError as error:
        raise Misuse(f"{ticked(path)} cannot be written: {console.reason(error)}") from None


def own_transcript(path: Path | None, state: State) -> Path | None:
    """The file, if it is a transcript of this game up to here."""
    from interpreter.files import saves, transcript
    from rulespec.text.diagnostics import RulespecError

    from ..parameters import read_text

    if path is None or not path.exists():
        return None
    try:
        return path if transcript.continues(transcript.write(state), read_text(path, saves.MAX_BYTES)) else None
    except RulespecError:
        return None


def write_transcript(path: Path, state: State) -> None:
    """Write it; where that fails, say so."""
    from interpreter.files import saves, transcript
    from rulespec.text.diagnostics import RulespecError

    try:
        saves.write(path, transcript.write(state))
    except OSError as error:
        console.message(
            f"the transcript {ticked(console.printable(str(path)))} is not written: {console.reason(error)}"
        )
    except RulespecError as error:
        console.message(f"the transcript is not written: {error}")
