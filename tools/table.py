"""A game of people and bots at one keyboard; each person is shown only what his seat may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from interpreter import CHANCE, EVERYTHING
from interpreter.selection import PICKED
from interpreter.views.scores import at_seats
from rulespec.ir.wording import joined
from rulespec.system.records import dataclass

from . import closely, console, view
from .answers import Unclear, find, folded, keys, numbered, understand, why_not, words
from .keyboard import EndOfInput, Keyboard
from .session import Session, answered
from .walk import hides_something

if TYPE_CHECKING:
    from interpreter import Choice, Decision
    from interpreter.views.boards import BoardView

    from .bots import Seating

HELP = """\
  a number or a name  choose that option; the beginning of a name is enough
  3, red 7, blue      several at once, in any order, where several are chosen; with ; where a name holds a comma
  2 captains, duke    so many of each, where it is asked how many
  ?                   show all options, and why some are not legal
  ? NAME              whether that option is legal, or why not, and what stands on it
  look NAME           look closely at a card, a place or whatever else is on the table
  undo                take back your last choice, until something was learnt from it
  state               show the table again
  map                 show the map with all that its signs say, where the game has one
  rules               what the game is about, and how it is won
  log                 show the whole log
  case NAME           write a case for the author: it begins here, and goes on until `case done`
  save [FILE]         save the game; `rulespec play GAME --load FILE` goes on with it
  quit                leave the game
  help                show this"""


DONE = "done"  # the name of what ends a choice of several
MOST_LOOKED_AT = 3  # things of one option
MOST_NAMED, MOST_REASONS = 6, 4  # options that are not allowed: shown for one reason, and reasons


class Left(Exception):
    """Raised where somebody quits the game."""


@dataclass(eq=False)
class PlayTable(Session):
    """A game at one keyboard."""

    keyboard: Keyboard = field(default_factory=Keyboard)
    rules: Sequence[str] = ()  # what the game says of itself
    sitting: int | None = field(init=False, default=None)  # whose turn at the keyboard it is
    read: dict[int | None, int] = field(init=False, default_factory=dict)  # lines of the log that each has read
    # What each was shown last, the map and the boards as well.
    views: dict[int, dict[str, view.Section]] = field(init=False, default_factory=dict)
    maps: dict[int, list[str]] = field(init=False, default_factory=dict)
    boards: dict[int, tuple[BoardView, ...]] = field(init=False, default_factory=dict)
    # To be told when next at the keyboard, before which line of the log.
    notes: dict[int, list[tuple[int, str]]] = field(init=False, default_factory=dict)
    knew: dict[int, object] = field(init=False, default_factory=dict)  # of hidden pieces, when shown the table last

    def __post_init__(self, seating: Seating | None) -> None:
        super().__post_init__(seating)
        self.watched = bool(self.people)
        self.secrets = hides_something(self.game.program)

    def play(self) -> None:
        """Play to the end; raises Left where somebody quits, and Fault."""
        self.keep()
        while not self.state.is_terminal():
            mover = self.mover()
            if mover is not None and mover != CHANCE:
                console.before_waiting()
            if mover is None:
                seats = self.waiting()
                self.ask(self.sitting if self.sitting in seats else seats[0])
            elif self.watched or mover == CHANCE:
                self.answer(self.choose(mover), mover)
            else:
                self.show_bot(mover)
        self.end()

    def show_bot(self, seat: int) -> None:
        """Show a bot's answer where only bots play: the log of it, or else the answer itself.

        An answer of `together` is shown in any case: what is logged after the last of them is about all.
        """
        self.tell_log(EVERYTHING)
        before = self.state
        action = self.crew.choose(before, seat)
        decision = before.decision(seat)
        names = {option.action: option.text for option in decision.options}
        told, sealed = len(before.log_lines(EVERYTHING)), before.is_simultaneous()
        self.answer(action, seat)
        if sealed or len(self.state.log_lines(EVERYTHING)) == told:
            line = f"{self.game.seat_labels[seat]}: {answered(decision, names[action])}"
            console.data(f"  {console.printable(line)}")
        self.tell_log(EVERYTHING)

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
            case "look" | "closely" if rest and not names_option(text, decision):
                self.look(rest, seat)
            case "map" if not rest and (self.game.program.picture is not None or self.game.program.boards):
                for line in view.map_of(self.state, seat, large=True)[0]:
                    console.data(line)
            case "rules" | "aim" if not rest:
                for paragraph in view.about(self.game, self.rules):
                    said(paragraph)
            case "log" if not rest:
                for line in self.state.log_lines(seat):
                    said(line)
            case "case" if not names_option(text, decision):
                console.data(self.write_case("" if rest.casefold() in ("", "done") else rest))
            case "save":
                console.data(self.save_to(rest))
            case _ if set(",;") & set(text) and not names_option(text, decision):
                return self.picks(text.split(";" if ";" in text else ","), decision)
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

    def picks(self, texts: list[str], decision: Decision) -> bool:
        """Several items at once; whether they were understood."""
        try:
            self.several(texts, decision)
        except Unclear as problem:
            console.data(console.printable(str(problem)))
            return False
        return True

    def explain(self, text: str, decision: Decision) -> None:
        """All options, or one, with why they are not legal."""
        if text:
            self.explain_one(text, decision)
            return
        self.show_question(decision, with_reasons=False)
        for option in decision.options:
            if not option.legal and option.why != PICKED:
                beside(why_not(option), "–")

    def explain_one(self, text: str, decision: Decision) -> None:
        """An option, legal or why not, with the things that it is; or else a thing of that name, which is no option."""
        seen = self.table(decision.player)
        try:
            option = find(text, decision.options)
        except Unclear as problem:
            try:
                self.show_closely(seen, closely.find(seen, text))
            except Unclear:
                console.data(console.printable(str(problem)))
            return
        console.data(console.printable(f"{option.text}: legal" if option.legal else why_not(option)))
        asked: dict[str, Any] = next((one for one in seen["decision"]["options"] if one["action"] == option.action), {})
        for thing in asked.get("things", ())[:MOST_LOOKED_AT]:
            self.show_closely(seen, thing)

    def look(self, text: str, seat: int) -> None:
        """Something on the table with all that is told of it."""
        seen = self.table(seat)
        try:
            self.show_closely(seen, closely.find(seen, text))
        except Unclear as problem:
            console.data(console.printable(str(problem)))

    def show_closely(self, seen: dict[str, Any], thing: str) -> None:
        """What is told of a thing, folded."""
        for number, line in enumerate(closely.lines(seen, thing, self.game.about(seen, thing))):
            for part in console.wrapped(console.printable(line), "  " if number else ""):
                console.data(part)

    def undo(self, seat: int) -> bool:
        """Take back the seat's last choice, and forced choices after it."""
        picking = bool(self.picked.get(seat))
        if not super().undo(seat):
            console.data("there is nothing of yours to take back, or something was learnt since")
            return False
        if not picking:
            self.notes.pop(seat, None)
            self.read[seat] = min(self.read.get(seat, 0), len(self.state.log_lines(seat)))
        console.data("taken back")
        return True

    # --- what is shown -----------------------------------------------------------------------------
    def sit(self, seat: int) -> None:
        """Make sure that this person looks at the screen."""
        if self.sitting != seat and len(self.people) > 1:
            self.read[None] = len(self.state.log_lines(None))
            name = console.printable(self.game.seat_labels[seat])
            if self.keyboard.terminal and self.secrets:
                self.tell_in_private(name)
                console.clear()
                self.views.pop(seat, None)  # what he was shown is not on the screen any more
                self.maps.pop(seat, None)
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
            said(note, "dim")
        self.tell_log(seat)
        self.show_view(seat, again=False)

    def show_view(self, seat: int, again: bool = True) -> None:
        """The map and the table as this person may see them; if not `again`, each only where it changed."""
        board, told, boards = view.map_of(self.state, seat, large=False, before=self.boards.get(seat, ()))
        seen = self.state.observation(seat)
        sections = view.sections(self.game, seen, told, at_seats(self.state, seat))
        if board and (again or board != self.maps.get(seat)):
            for line in board:
                console.data(line)
            console.data()
        self.maps[seat] = board
        self.boards[seat] = boards
        self.knew[seat] = seen.get("known")
        old = self.views.get(seat)
        self.views[seat] = {section.place: section for section in sections}
        lines = []
        for section in sections:
            lines += section.lines if old is None or again else section.since(old.get(section.place))
        for line in lines:
            console.data(line)
        if lines:
            console.data()

    def show_question(self, decision: Decision, with_reasons: bool = True) -> None:
        """What is asked, and the numbered options; what is not allowed, with its reason, in short."""
        for line in console.wrapped(console.printable(decision.prompt)):
            console.data(console.paint(line, "bold"))
        legal = numbered(decision.options)
        texts = [console.printable(option.text) for option in legal]
        cells = [
            f"{key:>4}" if str(key) == text else f"{key:>4}  {text}"
            for key, text in zip(keys(legal), texts, strict=True)
        ]
        for line in in_columns(cells):
            for part in hanging(line):
                console.data(part)
        picking = self.selection(decision.player) is not None
        chosen = [option.text for option in decision.options if picking and option.why == PICKED]
        if chosen:
            beside(f"chosen: {joined(chosen)}", "✓")
        others = [
            option for option in decision.options if not (picking and (option.why == PICKED or is_enough(option)))
        ]
        for line in not_allowed(others) if with_reasons else ():
            beside(line, "–")

    def tell_log(self, viewer: int | None, end: int | None = None) -> None:
        """The lines of the log that are new to a viewer, up to one of them."""
        lines = self.state.log_lines(viewer)[:end]
        for line in lines[self.read.get(viewer, 0) :]:
            said(line)
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


def names_option(text: str, decision: Decision) -> bool:
    """Whether a text is just the name of an option, so that it is no command."""
    return any(folded(text) in words(option) for option in decision.options)


def hanging(line: str) -> list[str]:
    """An option that is longer than a line is folded under its text."""
    if len(line) <= console.width():
        return [line]
    number, text = line[:6], line[6:]
    first, *more = console.wrapped(text, " " * 6)
    return [number + first[6:], *more]


def said(line: str, *styles: str) -> None:
    """A line of the log, folded."""
    folded_lines = console.wrapped(console.printable(line), "    ") or [""]
    for number, text in enumerate(folded_lines):
        console.data(console.paint(text if number else text[2:], *styles))


def beside(line: str, mark: str) -> None:
    """What stands below the options and cannot be chosen, folded."""
    head = f"{mark:>4}  "
    for number, text in enumerate(console.wrapped(console.printable(line), " " * len(head))):
        console.data(console.paint(text if number else head + text[len(head) :], "dim"))


def is_enough(option: Choice) -> bool:
    """Whether it ends a choice of several."""
    return option.name == DONE and not option.things


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
            of = joined([*shown, *(["..."] if len(texts) > len(shown) else [])])
            lines.append(reason if reason.startswith(of) else f"{of}: {reason}")
    return [*lines, f"{more} more: `?` says why"] if more else lines


def in_columns(cells: list[str], few: int = 16) -> list[str]:
    """Many short options side by side, down the columns; a few under each other."""
    size = max((len(cell) for cell in cells), default=0) + 2
    across = max(1, console.width() // size)
    if len(cells) <= few or across == 1:
        return cells
    down = -(-len(cells) // across)
    return ["".join(cell.ljust(size) for cell in cells[row::down]).rstrip() for row in range(down)]
