"""A game of people and bots at one keyboard; each person is shown only what his seat may see."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter import EVERYTHING, Game, IllegalAction, State
from interpreter.bots import Crew, RandomBot
from interpreter.copies import shown_once
from interpreter.counting import Counting
from interpreter.selection import PICKED, Selection
from rulespec.text.diagnostics import RulespecError

from . import console, view
from .answers import Unclear, find, folded, keys, numbered, understand, why_not, words
from .keyboard import EndOfInput, Keyboard
from .playouts import Dice
from .walk import hides_something

if TYPE_CHECKING:
    from interpreter import Choice, Decision
    from interpreter.views.boards import BoardView

    from .bots import Seating

SENTENCE = re.compile(r"(?<=[.?!;]) (?=[A-Z])")
HELP = """\
  a number or a name  choose that option; the beginning of a name is enough
  3, red 7, blue      several at once, in any order, where several are chosen
  2 captains, duke    so many of each, where it is asked how many
  ?                   show all options, and why some are not legal
  ? NAME              why that option is not legal
  undo                take back your last choice, until something was learnt from it
  state               show the table again
  map                 show the map with all that its signs say, where the game has one
  log                 show the whole log
  save [FILE]         save the game; `rulespec play GAME --load FILE` goes on with it
  quit                leave the game
  help                show this"""


MOST_NAMED, MOST_REASONS = 6, 4  # options that are not allowed: shown for one reason, and reasons


class Left(Exception):
    """Raised where somebody quits the game."""


class PlayTable:
    """A game at one keyboard."""

    def __init__(
        self,
        game: Game,
        state: State,
        people: Sequence[int],
        bot_seed: int,
        save: Path | None = None,
        keyboard: Keyboard | None = None,
        seating: Seating | None = None,
        loaded: Path | None = None,
    ) -> None:
        self.game = game
        self.state = state
        self.people = set(people)
        self.watched = bool(people)
        self.secrets = hides_something(game.program)
        if seating is None:
            self.crew = Crew(dict.fromkeys(range(game.num_players), RandomBot(bot_seed)))
        else:
            self.crew = seating.crew(bot_seed)
        self.dice = Dice(bot_seed)
        self.save = save
        self.files = {path.absolute() for path in (save, loaded) if path is not None}  # those of this game
        self.picked: dict[int, tuple[Any, ...]] = {}  # of several items, those that the rules do not know of yet
        self.unsaved = False  # the last answer could not be saved
        self.keyboard = keyboard or Keyboard()
        self.sitting: int | None = None  # whose turn at the keyboard it is
        self.read: dict[int | None, int] = {}  # lines of the log that each has read
        self.views: dict[int, list[str]] = {}  # what each was shown last, and the map
        self.maps: dict[int, list[str]] = {}
        self.boards: dict[int, tuple[BoardView, ...]] = {}
        self.notes: dict[
            int, list[tuple[int, str]]
        ] = {}  # to be told when next at the keyboard, before which line of the log
        self.knew: dict[int, object] = {}  # what each knew of hidden pieces when shown the table last

    def play(self) -> None:
        """Play to the end; raises Left where somebody quits, and Fault."""
        self.keep()
        while not self.state.is_terminal():
            state = self.state
            if state.is_chance_node():
                self.answer(self.dice.throw(state), None)
                continue
            self.crew.watch(state)
            seats = state.pending_players()
            bots = [seat for seat in seats if seat not in self.people]
            if not bots:
                self.ask(self.sitting if self.sitting in seats else seats[0])
            elif self.watched:
                self.answer(self.crew.choose(state, bots[0]), bots[0])
            else:
                self.show_bot(bots[0])
        self.end()

    def show_bot(self, seat: int) -> None:
        """Show a bot's answer where only bots play: the log of it, or else the answer itself."""
        self.tell_log(EVERYTHING)
        before = self.state
        action = self.crew.choose(before, seat)
        decision = before.decision(seat)
        names = {option.action: option.text for option in decision.options}
        told = len(before.log_lines(EVERYTHING))
        self.answer(action, seat)
        if len(self.state.log_lines(EVERYTHING)) == told:
            line = f"{self.game.seat_labels[seat]}: {answered(decision, names[action])}"
            console.data(f"  {console.printable(line)}")
        self.tell_log(EVERYTHING)

    def answer(self, action: int, seat: int | None) -> None:
        """Give an answer, and save."""
        self.state.apply_action(action, seat)
        self.keep()

    def keep(self) -> None:
        """Save, where a file for it was named; where that fails, say so, and try again with the next answer."""
        if self.save is None:
            return
        try:
            self.state.save_to(self.save)
        except (OSError, RulespecError) as error:
            if not self.unsaved:
                why = console.reason(error) if isinstance(error, OSError) else str(error)
                console.message(f"not saved: {console.printable(why)}; the game goes on, and each answer tries again")
            self.unsaved = True
        else:
            if self.unsaved:
                console.message("saved again")
            self.unsaved = False

    # --- somebody's turn ---------------------------------------------------------------------------
    def ask(self, seat: int) -> None:
        """Put the pending question to a person, until he answers it."""
        decision = self.decision(seat)
        legal = numbered(decision.options)
        if len(legal) == 1 and not decision.secret:
            note = f"{decision.prompt}: only {legal[0].text}"
            self.notes.setdefault(seat, []).append((len(self.state.log_lines(seat)), note))
            self.take(legal[0], seat)
            return
        try:
            self.sit(seat)
            self.show_news(seat)
            self.show_question(decision)
            while not self.understood(self.keyboard.line(), decision):
                pass
        except EndOfInput:
            if self.keyboard.terminal:
                raise Left from None
            console.message("no more answers: bots play on")
            self.people.clear()

    def understood(self, text: str, decision: Decision) -> bool:
        """Do what was typed; returns whether the question is answered or gone."""
        seat = decision.player
        word, _, rest = text.strip().partition(" ")
        rest = rest.strip()
        match word.casefold():
            case "":
                return False
            case "help" | "h" if not rest:
                console.data(HELP)
            case "?":
                self.explain(rest, decision)
            case "quit" | "exit" if not rest:
                raise Left
            case "undo" if not rest:
                return self.undo(seat)
            case "state" if not rest:
                self.show_view(seat)
                self.show_question(decision)
            case "map" if not rest and (self.game.program.picture is not None or self.game.program.boards):
                for line in view.map_of(self.state, seat, large=True)[0]:
                    console.data(line)
            case "log" if not rest:
                for line in self.state.log_lines(seat):
                    console.data(f"  {console.printable(line)}")
            case "save":
                self.save_to(rest)
            case _ if "," in text and not any(folded(text) in words(option) for option in decision.options):
                return self.several(text.split(","), decision)
            case _:
                try:
                    chosen = understand(text, decision.options)
                except Unclear as problem:
                    told = str(problem)
                    try:
                        if self.counted(text, seat):
                            return True
                    except Unclear as other:
                        told = str(other)
                    console.data(console.printable(told))
                    return False
                self.take(chosen, seat)
                return True
        return False

    def selection(self, seat: int) -> Selection | None:
        """What a person has picked of several, where several are chosen."""
        return Selection.of(self.state, seat, self.picked.get(seat, ()))

    def decision(self, seat: int) -> Decision:
        """What a person is asked: of several, every item that may still be part of the answer, in whatever order they are picked."""
        selection, question = self.selection(seat), self.state.question(seat)
        decision = self.state.decision(seat) if selection is None else selection.decision
        return decision if question is None else replace(decision, options=shown_once(question, decision.options))

    def take(self, option: Choice, seat: int) -> None:
        """Do what an option says."""
        selection = self.selection(seat)
        if selection is None:
            self.answer(option.action, seat)
        else:
            self.pick(selection.adding(option))

    def pick(self, selection: Selection) -> None:
        """Keep what is picked, and give it to the rules where it is whole."""
        if not selection.over:
            self.picked[selection.seat] = selection.picked
            return
        state, seat = self.state.clone(), selection.seat
        selection.give(state, lambda action: state.apply_action(action, seat))
        self.picked.pop(seat, None)
        self.state = state
        self.keep()

    def counted(self, text: str, seat: int) -> bool:
        """Answer so many of each kind by their names, as in `2 captains, contessa`; whether the text says so."""
        counting = Counting.of(self.state, seat)
        counts = None if counting is None else counting.named(text)
        if counting is None or counts is None:
            return False
        state = self.state.clone()
        try:
            counting.give(counts, state, lambda action: state.apply_action(action, seat))
        except IllegalAction as problem:
            raise Unclear(problem.diagnostic.message) from None
        self.state = state
        self.keep()
        return True

    def several(self, texts: list[str], decision: Decision) -> bool:
        """Several items at once, in any order: the questions take them in their own."""
        seat, site = decision.player, decision.site
        state, selection = self.state.clone(), self.selection(seat)
        try:
            if selection is not None:
                self.pick(adding(selection, texts, decision.options))
                return True
            if self.counted(",".join(texts), seat):
                return True
            chosen = {find(text.strip(), decision.options).name for text in texts if text.strip()}
            while chosen:
                asked = state.decision(seat) if seat in state.pending_players() else None
                if asked is None or asked.site != site:
                    raise Unclear(f"there was no question left for {', '.join(sorted(chosen))}")
                option = next((o for o in asked.options if o.name in chosen), None)
                if option is None:
                    raise Unclear(f"{', '.join(sorted(chosen))} cannot be chosen any more")
                if not option.legal:
                    raise Unclear(why_not(option))
                chosen.remove(option.name)
                state.apply_action(option.action, seat)
        except Unclear as problem:
            console.data(console.printable(str(problem)))
            return False
        self.state = state
        self.keep()
        return True

    def explain(self, text: str, decision: Decision) -> None:
        """All options, or one, with why they are not legal."""
        if text:
            try:
                option = find(text, decision.options)
            except Unclear as problem:
                console.data(console.printable(str(problem)))
                return
            told = f"{option.text}: legal" if option.legal else why_not(option)
            console.data(console.printable(told))
            return
        self.show_question(decision, with_reasons=False)
        for option in decision.options:
            if not option.legal:
                console.data(console.paint(f"   –  {console.printable(why_not(option))}", "dim"))

    def undo(self, seat: int) -> bool:
        """Take back the seat's last choice, and forced choices after it."""
        if self.picked.get(seat):
            self.picked[seat] = self.picked[seat][:-1]
            console.data("taken back")
            return True
        state = self.state.clone()
        while state.can_take_back(seat):
            state.undo()
            decision = state.decision(seat)
            if decision.secret or len(numbered(decision.options)) > 1:
                self.state = state
                self.keep()
                self.notes.pop(seat, None)
                log = len(state.log_lines(seat))
                self.read[seat] = min(self.read.get(seat, 0), log)
                console.data("taken back")
                return True
        console.data("there is nothing of yours to take back, or something was learnt since")
        return False

    def save_to(self, name: str) -> None:
        """Save where somebody said, or where the game is saved anyway."""
        path = Path(name).expanduser() if name else self.save or Path(f"{self.game.id}.save.json")
        try:
            guard_game(path, *self.files)
            self.state.save_to(path)
        except OSError as error:
            console.data(f"not saved: {console.printable(console.reason(error))}")
        except RulespecError as error:
            console.data(f"not saved: {error}")
        else:
            self.files.add(path.absolute())
            console.data(f"saved to {console.printable(str(path))}")

    # --- what is shown -----------------------------------------------------------------------------
    def sit(self, seat: int) -> None:
        """Make sure that this person looks at the screen."""
        if self.sitting != seat and len(self.people) > 1:
            self.read[None] = len(self.state.log_lines(None))
            name = console.printable(self.game.seat_labels[seat])
            if self.keyboard.terminal and self.secrets:
                self.tell_in_private(name)
                console.clear()
                self.keyboard.line(f"Pass the keyboard to {name}, who presses Enter ")
                console.clear()
            else:
                console.data(console.paint(f"=== {name} ===", "bold"))
        self.sitting = seat

    def tell_in_private(self, following: str) -> None:
        """What the one who still sits there has learnt by the last answer and others have not, before the screen is cleared."""
        seat = self.sitting
        if seat is None:
            return
        known = self.state.observation(seat).get("known")
        public = set(self.state.log_lines(None))
        lines = self.state.log_lines(seat)[self.read.get(seat, 0) :]
        if all(line in public for line in lines) and known == self.knew.get(seat, known):
            return
        self.show_news(seat)
        self.keyboard.line(f"Press Enter, then pass the keyboard to {following} ")

    def show_news(self, seat: int) -> None:
        """What happened since this person last looked, and the table if it changed."""
        console.data()
        for before, note in self.notes.pop(seat, ()):
            self.tell_log(seat, before)
            console.data(console.paint(f"  {console.printable(note)}", "dim"))
        self.tell_log(seat)
        self.show_view(seat, again=False)

    def show_view(self, seat: int, again: bool = True) -> None:
        """The map and the table as this person may see them; if not `again`, each only where it changed."""
        board, told, boards = view.map_of(self.state, seat, large=False, before=self.boards.get(seat, ()))
        seen = self.state.observation(seat)
        lines = view.describe(self.game, seen, told)
        if board and (again or board != self.maps.get(seat)):
            for line in board:
                console.data(line)
            console.data()
        self.maps[seat] = board
        self.boards[seat] = boards
        self.knew[seat] = seen.get("known")
        old = self.views.get(seat)
        self.views[seat] = lines
        if lines == old and not again:
            return
        for line in lines:
            console.data(line if old is None or line in old else view.changed(line))
        if lines:
            console.data()

    def show_question(self, decision: Decision, with_reasons: bool = True) -> None:
        """What is asked, and the numbered options; what is not allowed, with its reason, in short."""
        console.data(console.paint(console.printable(decision.prompt), "bold"))
        legal = numbered(decision.options)
        texts = [console.printable(option.text) for option in legal]
        cells = [
            f"{key:>4}" if str(key) == text else f"{key:>4}  {text}"
            for key, text in zip(keys(legal), texts, strict=True)
        ]
        for line in in_columns(cells):
            console.data(line)
        for line in not_allowed(decision.options) if with_reasons else ():
            console.data(console.paint(f"   –  {console.printable(line)}", "dim"))

    def tell_log(self, viewer: int | None, end: int | None = None) -> None:
        """The lines of the log that are new to a viewer, up to one of them."""
        lines = self.state.log_lines(viewer)[:end]
        for line in lines[self.read.get(viewer, 0) :]:
            console.data(f"  {console.printable(line)}")
        self.read[viewer] = len(lines) if end is None else max(end, self.read.get(viewer, 0))

    def end(self) -> None:
        """The last lines of the log, and who won."""
        if not self.watched:
            self.tell_log(EVERYTHING)
        elif len(self.people) > 1:
            if self.keyboard.terminal and self.secrets:
                console.clear()
            self.tell_log(None)
        else:
            self.tell_log(next(iter(self.people)) if self.sitting is None else self.sitting)  # None: nobody was asked
        console.data()
        for line in view.result(self.game, self.state):
            console.data(line)


def adding(selection: Selection, texts: list[str], shown: Sequence[Choice]) -> Selection:
    """The selection with the items that are named, or numbered as they were `shown`, each once; raises Unclear."""
    for text in filter(None, map(str.strip, texts)):
        named = find(text, shown).name if text.isdecimal() else text
        option = find(named, selection.decision.options)
        if option.legal:
            selection = selection.adding(option)
        elif option.why != PICKED:
            raise Unclear(why_not(option))
    return selection


def not_allowed(options: Sequence[Choice]) -> list[str]:
    """What is used up or not allowed, by its reason; where that is much, how much more there is."""
    by_reason: dict[str, list[str]] = {}
    for option in options:
        if not option.legal:
            by_reason.setdefault(option.why or "not legal now", []).append(option.text)
    lines: list[str] = []
    more = 0
    for reason, texts in by_reason.items():
        shown = texts[:MOST_NAMED] if len(lines) < MOST_REASONS else []
        more += len(texts) - len(shown)
        if shown:
            lines.append(f"{', '.join(shown)}{', ...' if len(texts) > len(shown) else ''}: {reason}")
    return [*lines, f"{more} more: `?` says why"] if more else lines


def answered(decision: Decision, text: str) -> str:
    """The last sentence of a question with its answer, as people would say it: `Which army? The first`, `Play a card: red 7`."""
    prompt = uncounted(decision)
    prompt = SENTENCE.split(prompt)[-1]
    return f"{prompt} {text}" if prompt.endswith(("?", "!", ".")) else f"{prompt}: {text}"


def uncounted(decision: Decision) -> str:
    """A question without how many of several are chosen."""
    prompt = decision.prompt.strip().rstrip(":")
    several = decision.collected is not None and decision.collected.what == "set"
    return prompt.rpartition(" (")[0] if several else prompt


def in_columns(cells: list[str], few: int = 16) -> list[str]:
    """Many short options side by side, down the columns; a few under each other."""
    size = max((len(cell) for cell in cells), default=0) + 2
    across = max(1, console.width() // size)
    if len(cells) <= few or across == 1:
        return cells
    down = -(-len(cells) // across)
    return ["".join(cell.ljust(size) for cell in cells[row::down]).rstrip() for row in range(down)]


def guard(path: Path, mark: str) -> None:
    """Raise OSError where a file is there that is not of our kind: it must not be lost."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            head = file.read(200)
    except FileNotFoundError:
        return
    if head and mark not in head:
        raise FileExistsError(f"`{path}` is there and is something else")


def guard_game(path: Path, *ours: Path | None) -> None:
    """Raise OSError where a file is there that must not be lost: any that has something in it and is not one of ours."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            head = file.read(200)
    except FileNotFoundError:
        return
    if head and not any(other is not None and other.exists() and path.samefile(other) for other in ours):
        what = "holds a saved game" if "rulespec_save" in head else "is there and is something else"
        raise FileExistsError(f"`{path}` {what}")
