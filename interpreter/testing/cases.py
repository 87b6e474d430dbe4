"""Runs cases: a script of answers and outcomes against the machine, and what must hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Literal

from interpreter.counting import Counting
from interpreter.game import Game, State
from interpreter.runtime import rng
from interpreter.runtime.faults import FAILED, Fault, IllegalAction, UnknownAction
from interpreter.runtime.texts import HIDDEN
from interpreter.selection import Selection
from interpreter.testing.always import Always
from interpreter.testing.coverage import Recorder, WatchedGame
from interpreter.views.observation import observe
from rulespec import ir
from rulespec.cases.data import Case, CaseFact, ScriptEntry, Suite, not_running
from rulespec.ir.answers import Words, orders, words
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import RulespecError, nearest
from rulespec.text.quoting import ticked
from rulespec.text.source import Span

CHANCE = -1
NO_CANDIDATE, AMBIGUOUS = "P005", "P006"  # what an answer is that is not even refused
LONGEST_VALUE = 1000  # characters of a value that a fact which does not hold is shown with
MOST_NAMED = 8  # words that could have been meant
OFTEN, SELDOM = 60, 10
OVER = (
    "write `within:` in the case, which lets it go on, or look before it is over: `expect:` among the entries of `play`"
)
Mode = Literal["straight", "reload", "undo"]
Told = Callable[[str, str], None]
Games = dict[tuple[Any, ...], tuple[Game, Game]]  # by number of players and options


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How a case went: `message` says what failed, with its place.

    `asked` says who is asked what where the script of a case that passed stops in the middle of something without saying so.
    """

    name: str
    file: str
    line: int
    passed: bool
    message: str
    cites: tuple[str, ...]
    asked: str = ""


def clipped(text: str) -> str:
    """A text that is not too long to be read."""
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}..."


def no_answer(word: str, known: Words) -> str:
    """That a word answers a question at no time."""
    close = nearest(word, known.shown)
    hint = (
        f"did you mean {ticked(close)}?"
        if close
        else f"it could be {', '.join(known.shown[:MOST_NAMED])}"
        if known.shown
        else ""
    )
    return f"{ticked(word)} is no answer to this question, at no time{f'; {hint}' if hint else ''}"


class Failure(Exception):
    """What a case expects does not hold."""

    def __init__(self, message: str, span: Span | None) -> None:
        super().__init__(message if span is None else f"{span.label()}: {message}")


def run_cases(
    suite: Suite,
    only: str | None = None,
    mode: Mode = "straight",
    backend: str = "generated",
    games: Games | None = None,
) -> list[CaseResult]:
    """Run the cases of a game (those with `only` in their name), one result each.

    `games` keeps what is results of a suite for other runs of it on the same back end.
    """
    games = {} if games is None else games
    results = []
    for case in suite.cases:
        if only is not None and only not in case.name:
            continue
        results.append(run_case(suite, case, mode, backend, games))
    return results


def run_case(
    suite: Suite,
    case: Case,
    mode: Mode = "straight",
    backend: str = "generated",
    games: Games | None = None,
    recorder: Recorder | None = None,
    told: Told | None = None,
) -> CaseResult:
    """Run one case.

    `games` keeps what one case leaves for others with its setup.  With a `recorder` it is played by the watched reference
    machine, and what it expects is worked out by another one, so that only what the rules do is counted.  `told` is told of
    every answer, the name of the player first.
    """
    message = asked = ""
    games = {} if games is None else games
    try:
        key = (case.players, case.options)
        if key not in games:
            games[key] = pair(suite, case, backend, recorder)
        run = Run(*games[key], case, mode, suite.always(dict(case.options)), told)
        run.run()
        asked = run.still_asked()
    except Failure as failure:
        message = str(failure)
    except RulespecError as error:
        message = str(error)
    return CaseResult(case.name, case.span.source.name, case.span.line, not message, message, case.cites, asked)


def pair(suite: Suite, case: Case, backend: str, recorder: Recorder | None) -> tuple[Game, Game]:
    """The game that a case is played with, and one for all else."""
    if recorder is not None:
        plain = suite.program(case, optimise=False)
        return WatchedGame.watched(plain, recorder), Game.from_program(plain, backend="reference")
    program = suite.program(case)
    other = "python" if backend == "reference" else "reference"
    return Game.from_program(program, backend=backend), Game.from_program(program, backend=other)


class Run:
    """One case being played.

    In mode "reload" each decision is saved, read by `twin`, the same game on the other back end, and answered there too (of a
    long case every tenth from the sixtieth on, since a save holds all that happened); in "undo" it is taken back and made again.
    Both come to the positions of a straight run, which alone looks at what must always hold.
    """

    def __init__(
        self,
        game: Game,
        twin: Game,
        case: Case,
        mode: Mode,
        invariants: tuple[CaseFact, ...] = (),
        told: Told | None = None,
    ) -> None:
        self.always = Always(twin, (*invariants, *case.invariants) if mode == "straight" else ())
        self.told = told
        self.game = game
        self.twin = twin
        self.case = case
        self.mode = mode
        self.counter = 0
        self.answered = 0
        self.picked: dict[
            int, tuple[Any, ...]
        ] = {}  # by player: of several items, those that the rules do not know of yet
        self.fallen: list[str] = []  # what chance gave by the seed since the last answer
        self.state: State

    def run(self) -> None:
        """Play the case; raises Failure."""
        case = self.case
        try:
            self.state = self.game.new_state(chance="explicit", main=case.procedure)
            self.check_invariants(case.laid, "at the first decision of the position that is laid here")
            for entry in case.script:
                self.entry(entry)
            self.settle()
            if case.finish:
                self.finish()
        except Fault as fault:
            code = fault.diagnostic.code
            if code == case.fault:
                return
            raise Failure(f"the run ended in a fault:\n{RulespecError([fault.diagnostic])}", case.span) from None
        if case.fault is not None:
            raise Failure(f"the run was expected to end in fault {case.fault}", case.span)
        self.check(case.facts)
        ended = self.state.is_terminal() and self.state.slots[ir.RETURNS] is not None
        if not ended and (case.returns is not None or case.winners is not None):
            raise Failure("the game is not over", case.span)
        if case.winners is not None:
            self.won(case.winners)
        if case.returns is not None:
            returns = tuple(self.state.returns())
            if returns != case.returns:
                raise Failure(
                    f"returns are [{', '.join(map(str, returns))}], not [{', '.join(map(str, case.returns))}]",
                    case.span,
                )

    def won(self, wanted: tuple[str, ...]) -> None:
        """These have won, however the rules have said so."""
        seats = self.game.seats
        names = {"all": seats, "nobody": ()}.get(wanted[0], wanted) if len(wanted) == 1 else wanted
        winners = [seats[seat] for seat in self.state.outcome().winners]
        if sorted(winners) != sorted(names):
            shown = ", ".join(winners) or "nobody"
            raise Failure(
                f"{shown} {'have' if len(winners) > 1 else 'has'} won, not {', '.join(wanted)}", self.case.span
            )

    def still_asked(self) -> str:
        """Who is asked what after the script, unless its last entries say so."""
        if self.case.fault is not None or self.case.finish or self.state.is_terminal():
            return ""
        for entry in reversed(self.case.script):
            if entry.what in ("asks", "offers", "refuse"):
                return ""
            if entry.what not in ("expect", "sees"):
                break
        return " and ".join(self.questions())

    # --- moving on ----------------------------------------------------------------------------------------------------
    def apply(self, action: int, player: int | None) -> None:
        """One answer, in the way of the mode."""
        state = self.state
        self.answered += 1
        reload = self.mode == "reload" and (self.answered <= OFTEN or self.answered % SELDOM == 0)
        if reload:
            loaded = self.twin.state_from_json(state.to_json())
            if loaded != state:
                raise Failure("a position that was saved and read again differs", self.case.span)
            loaded.apply_action(action, player)
        before = state.clone()
        if self.told is not None:
            self.told(state.seat_name(CHANCE if player is None else player), state.action_to_string(action, player))
        state.apply_action(action, player)
        if reload and loaded != state:
            raise Failure("an answer to a position that was saved and read again leads elsewhere", self.case.span)
        if self.mode == "undo":
            after = state.clone()
            state.undo()
            if state != before:
                raise Failure("taking an answer back did not lead back", self.case.span)
            state.apply_action(action, player)
            if state != after:
                raise Failure("the same answer given again led elsewhere", self.case.span)
        self.state = state
        self.check_invariants()

    def settle(self) -> None:
        """Answer chance that the script leaves open, from the case's seed."""
        while self.state.current_player() == CHANCE:
            outcomes = self.state.chance_outcomes()
            number, self.counter = rng.below(rng.mix(self.case.seed + rng.GAMMA), self.counter, 2**53)
            mark, seen = number / 2**53, 0.0
            chosen = outcomes[-1][0]
            for action, probability in outcomes:
                seen += float(probability)
                if mark < seen:
                    chosen = action
                    break
            self.fallen.append(self.state.action_to_string(chosen))
            self.apply(chosen, None)

    def finish(self) -> None:
        """Random answers to the end."""
        most = 2 * self.game.most_decisions  # chance answers too
        for _ in range(most):
            self.settle()
            if self.state.is_terminal():
                return
            player = self.state.current_player()
            legal = self.state.legal_actions(player)
            number, self.counter = rng.below(rng.mix(self.case.seed + rng.GAMMA), self.counter, len(legal))
            self.apply(legal[number], player)
        raise Failure(f"the game did not end within {most:,} answers", self.case.span)

    # --- entries ------------------------------------------------------------------------------------------------------
    def entry(self, entry: ScriptEntry) -> None:
        """One entry of the script."""
        if entry.what == "chance":
            self.chance(entry)
            return
        self.settle()
        if entry.what == "expect":
            self.check(entry.facts)
            return
        if entry.what == "given":
            self.lay(entry)
            return
        if entry.what == "asks" and not entry.player:
            if not self.state.is_terminal():
                raise Failure(f"somebody is asked still{self.instead()}", entry.span)
            return
        player = self.seat(entry)
        match entry.what:
            case "answer":
                self.answers(player, entry)
            case "refuse":
                self.refused(player, entry)
            case "offers":
                self.offered(player, entry)
            case "asks":
                self.asked(player, entry)
                if entry.words and self.state.decision(player).site != entry.words[0]:
                    raise Failure(f"{entry.player} is asked for {ticked(self.state.decision(player).site)}", entry.span)
            case "sees":
                self.sees(player, entry)
            case "take back" | "cannot take back":
                picked = self.picked.get(player, ())
                allowed = bool(picked) or self.state.can_take_back(player)
                if allowed != (entry.what == "take back"):
                    raise Failure(
                        f"{entry.player} {'may' if allowed else 'may not'} take the last answer back", entry.span
                    )
                if picked:
                    self.picked[player] = picked[:-1]
                elif allowed:
                    self.state = self.state.before_last(player)

    def answers(self, player: int, entry: ScriptEntry) -> None:
        """What a player answers, word after word; items of one choice of several in any order, counted things by name as well."""
        words = list(entry.words)
        while words:
            self.settle()
            self.asked(player, entry)
            self.fallen.clear()
            word = words.pop(0)
            try:
                if (selection := self.selection(player)) is not None:
                    self.pick(selection, word, words)
                    continue
                try:
                    self.apply(self.state.string_to_action(word, player), player)
                except UnknownAction:
                    counting = Counting.of(self.state, player)
                    counts = None if counting is None else counting.named(word)
                    if counting is None or counts is None:
                        raise
                    while words and (more := counting.named(words[0])) is not None:
                        words.pop(0)
                        counts = dict(Counter(counts) + Counter(more))
                    counting.give(counts, self.state, lambda action: self.apply(action, player))
            except IllegalAction as error:
                raise Failure(f"{entry.player} cannot answer {ticked(word)}: {self.why(error)}", entry.span) from None

    def selection(self, player: int) -> Selection | None:
        """What a player has picked of several, where several are chosen."""
        return Selection.of(self.state, player, self.picked.get(player, ()), equal=True)

    def pick(self, selection: Selection, word: str, following: list[str]) -> None:
        """One more of several; what is picked is given to the rules where it is whole.

        So it is, too, where an entry ends and the rules would not ask on, as all that is left stands before what is picked.
        """
        player = selection.seat
        selection = selection.adding(selection.called(word))
        self.picked[player] = selection.picked
        if selection.over or (not following and self.asked_no_more(selection)):
            del self.picked[player]
            selection.give(self.state, lambda action: self.apply(action, player))

    def asked_no_more(self, selection: Selection) -> bool:
        """Whether the rules, given what is picked, ask for no more of it."""
        state, player = self.state.clone(), selection.seat
        try:
            selection.give(state, lambda action: state.apply_action(action, player))
        except IllegalAction:
            return False
        except Fault:
            return True
        now = Selection.of(state, player, equal=True)
        return (
            now is None
            or now.question.site != selection.question.site
            or now.all(()) != selection.all(selection.picked)
        )

    def lay(self, entry: ScriptEntry) -> None:
        """Steps between two answers."""
        assert entry.laid is not None
        if (scope := not_running(entry.laid.scopes, self.state.slots)) is not None:
            raise Failure(f"this is about the scope {ticked(scope)}, which is not running here", entry.span)
        if not self.state.lay(entry.laid.procedure):
            raise Failure("`given` between two answers asks somebody, or draws by chance", entry.span)
        self.check_invariants(entry.span, "in the position that is laid here")

    def chance(self, entry: ScriptEntry) -> None:
        """Scripted outcomes."""
        for word in entry.words:
            if self.state.current_player() != CHANCE:
                raise Failure(f"chance draws nothing now, so not {ticked(word)}{self.instead()}", entry.span)
            try:
                action = self.state.string_to_action(word)
            except IllegalAction as error:
                raise Failure(f"chance cannot give {ticked(word)}: {self.why(error)}", entry.span) from None
            self.apply(action, None)

    def instead(self) -> str:
        """What goes on where chance has nothing to give: who is asked, and what has fallen already."""
        asked = self.questions()
        if self.fallen:
            asked.append(
                f"{', '.join(self.fallen)} fell by the seed: `chance` stands before the entry that looks at what follows"
            )
        return "".join(f"\n  {line}" for line in asked or ["what was run is over"])

    def questions(self) -> list[str]:
        """Who is asked what."""
        asked = [p for p in self.state.pending_players() if p >= 0]
        return [f"{self.game.seats[p]} is asked for {ticked(self.state.decision(p).site)}" for p in asked]

    def why(self, error: IllegalAction) -> str:
        """What an error says, in one line."""
        diagnostic = error.diagnostic
        return " ".join([diagnostic.message, *diagnostic.help])

    def seat(self, entry: ScriptEntry) -> int:
        """The seat that an entry speaks of."""
        if entry.player not in self.game.seats:
            raise Failure(f"{entry.player} is not in this game of {self.game.num_players}", entry.span)
        return self.game.seats.index(entry.player)

    def asked(self, player: int, entry: ScriptEntry) -> None:
        """It must be this player's turn to answer."""
        pending = self.state.pending_players()
        if player not in pending:
            names = ", ".join(self.game.seats[p] for p in pending if p >= 0) or "nobody"
            over = "; what was run is over" if self.state.is_terminal() else ""
            raise Failure(f"{entry.player} is not asked now, {names} is{over}", entry.span)

    def offered(self, player: int, entry: ScriptEntry) -> None:
        """These answers, by name or as they are shown, must be all that are legal; none, where another player is asked."""
        if not entry.words and player not in self.state.pending_players():
            return
        self.asked(player, entry)
        asked = self.selection(player) or self.state
        decision = asked.decision if isinstance(asked, Selection) else asked.decision(player)
        legal = {option.action: option for option in decision.options if option.legal}
        fitting = [
            [one.action for one in legal.values() if one.name == word]
            or [one.action for one in legal.values() if one.text.casefold() == word.casefold()]
            for word in entry.words
        ]
        if not all(fitting) or {action for actions in fitting for action in actions} != legal.keys():
            names = ", ".join(sorted(option.name for option in legal.values()))
            raise Failure(f"{entry.player} may answer {names}; not {', '.join(entry.words)}", entry.span)

    def refused(self, player: int, entry: ScriptEntry) -> None:
        """These answers must be illegal, for the reason given; each must be one that the question could be given at some time.

        All answers of a player who is not asked are; the reason must be given then, so that it is meant.
        """
        if player not in self.state.pending_players() and entry.why:
            said = f"{self.state.seat_name(player)} has nothing to decide now"
            if entry.why in said:
                return
        self.asked(player, entry)
        for word in entry.words:
            try:
                self.tried(player, word)
            except IllegalAction as error:
                code, said = error.diagnostic.code, self.why(error)
                if code == AMBIGUOUS:
                    raise Failure(f"{ticked(word)} names several answers: {said}", entry.span) from None
                if code == NO_CANDIDATE and not (known := self.known(player)).has(word):
                    raise Failure(no_answer(word, known), entry.span) from None
                if entry.why and entry.why not in said:
                    raise Failure(f"{ticked(word)} is refused because: {said}", entry.span) from None
                continue
            raise Failure(f"{entry.player} may answer {ticked(word)}", entry.span)

    def tried(self, player: int, word: str) -> None:
        """Give an answer to a copy; raises IllegalAction."""
        if (selection := self.selection(player)) is not None:
            selection.adding(selection.called(word))
            return
        state = self.state.clone()
        try:
            state.apply_action(state.string_to_action(word, player), player)
        except UnknownAction:
            counting = Counting.of(state, player)
            counts = None if counting is None else counting.named(word)
            if counting is None or counts is None:
                raise
            counting.give(counts, state, lambda action: state.apply_action(action, player))

    def known(self, player: int) -> Words:
        """The words that could answer a player's question, now or at another time."""
        question = self.state.asked(player)
        program = self.game.program
        if question.queue is not None:
            return orders(program.rules, program.kinds)
        return words((question.site,), program.rules, program.kinds)

    def sees(self, player: int, entry: ScriptEntry) -> None:
        """What a player's observation says, each copy under its own name, as everywhere in cases."""
        seen = observe(self.state, player, tells_copies=True)
        for name, wanted in entry.view:
            zones, state = seen.get("zones", {}), seen.get("state", {})
            if name == "log":
                lines = self.state.log_lines(player)[-max(1, len(wanted)) :]
                if lines != wanted:
                    quotes = any(isinstance(line, dict) for line in wanted if isinstance(wanted, list))
                    hint = "\n  a line that holds `: ` needs quotes" if quotes else ""
                    raise Failure(f"{entry.player} reads {lines}, not {wanted}{hint}", entry.span)
                continue
            if wanted == "hidden":
                if name not in state and "?" in str(zones.get(name, "?")):
                    continue
                raise Failure(f"{entry.player} sees {name}: {zones.get(name, state.get(name))}", entry.span)
            if name not in zones and name not in state:
                raise Failure(f"{entry.player} does not see {name}", entry.span)
            shown = zones.get(name, state.get(name))
            if isinstance(wanted, int) and not isinstance(wanted, bool) and isinstance(shown, list | tuple):
                if any(item != HIDDEN for item in shown):
                    raise Failure(f"{entry.player} sees {name}: {shown}, not only how many", entry.span)
                shown = len(shown)
            same = (
                sorted(map(str, shown)) == sorted(map(str, wanted))
                if isinstance(wanted, list) and isinstance(shown, list | tuple)
                else shown == wanted
            )
            if not same:
                raise Failure(f"{entry.player} sees {name}: {shown}, not {wanted}", entry.span)

    # --- facts --------------------------------------------------------------------------------------------------------
    def check(self, facts: Iterable[CaseFact]) -> None:
        """Every fact must hold now."""
        for fact in facts:
            if (scope := fact.over(self.state.slots)) is not None:
                raise Failure(
                    f"{ticked(fact.text)} is about the scope {ticked(scope)}, which is not running here\n  {OVER}",
                    fact.span,
                )
            try:
                if self.value(fact.function):
                    continue
            except Exception as error:
                raise Failure(f"{ticked(fact.text)} cannot be worked out: {error}", fact.span) from None
            told = [f"  {text} is {value}" for text, value in self.parts(fact)]
            raise Failure("\n".join([f"{ticked(fact.text)} does not hold", *told]), fact.span)

    def parts(self, fact: CaseFact) -> list[tuple[str, str]]:
        """The values of a fact's parts, each once, those that can be worked out."""
        names = self.twin.machine.printing.name
        values = {}
        for text, function, printer in fact.sides:
            try:
                values[text] = clipped(names(printer, self.value(function)) or "empty")
            except FAILED:
                values[text] = "not to be worked out"
        return list(values.items())

    def value(self, function: int) -> Any:
        """What a function of the program without parameters gives now."""
        compiler = self.twin.machine.compiler
        call: Callable[..., Any] = compiler.function(function)
        compiler.refuel()
        return call(self.state.slots)

    def check_invariants(self, laid: Span | None = None, when: str = "") -> None:
        """What must always hold; where a position has just been laid, that is told of it, for the rules may not be at fault."""
        try:
            self.check(self.always.doubtful(self.state.slots))
        except Failure as failure:
            if laid is None:
                raise
            raise Failure(f"what must always hold does not {when}:\n  {failure}", laid) from None
