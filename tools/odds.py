"""The odds of a position as a command names it: where it begins, who answers, what is worked out at its ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter import Game, State
from interpreter.bots.basics import Chance
from interpreter.game import SlotState
from interpreter.odds import Choose, TooMany, drawn, odds
from interpreter.runtime import rng
from rulespec import ir
from rulespec.cases.alone import load_alone
from rulespec.system.records import dataclass
from rulespec.text.numbers import whole
from rulespec.text.source import Source

from .bots import RANDOM, Seating, seating, seats_of
from .framework import Misuse
from .intervals import interval
from .parameters import seat
from .playouts import ends_by_rank, winners_of
from .wording import decimal_text

if TYPE_CHECKING:
    from rulespec.checker.program import CheckedGame

CASE = "odds"  # the name of the case that a command lays
LONGEST = 24  # characters of a fraction that is shown
NOTHING = "the rules end no game there, so there is nothing to tell"


@dataclass(frozen=True)
class Laid:
    """A position that is laid and what is run from there, as the parts of a case."""

    positions: tuple[str, ...] = ()
    within: str | None = None
    given: tuple[str, ...] = ()
    run: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.positions or self.within or self.given or self.run)

    def source(self, players: int | None, settings: tuple[tuple[str, str], ...]) -> Source:
        """The case; what is wrong with it is shown in its lines."""
        lines = ["cases:", f"  {CASE}:"]
        lines += [] if players is None else [f"    players: {players}"]
        lines += ["    options:"] * bool(settings) + [f"      {name}: {value}" for name, value in settings]
        lines += [] if self.within is None else [f"    within: {self.within}"]
        for key, items in (("position", self.positions), ("given", self.given), ("run", self.run)):
            lines += [f"    {key}:"] * bool(items) + [f"      - {item}" for item in items]
        return Source("--given, --run", "\n".join(lines) + "\n")


@dataclass(frozen=True)
class Opened:
    """A position, who answers from there on, and what is worked out at the end."""

    state: SlotState
    seating: Seating
    answered: bool  # whether anybody answers
    by_rank: bool  # whether the game ends with a ranking

    @property
    def game(self) -> Game:
        return self.seating.game

    @property
    def uniform(self) -> bool:
        """Whether players answer uniformly, so that their answers can be followed as chance can."""
        return self.answered and set(self.seating.names) == {RANDOM}

    def choose(self, seed: int) -> Choose | None:
        """The answers of the bots in one game; None where nobody answers."""
        if not self.answered:
            return None
        crew = self.seating.crew(seed)

        def choose(state: State, seat: int) -> int:
            crew.watch(state)
            return crew.choose(state, seat)

        return choose


def open_at(
    name: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    laid: Laid,
    saved: tuple[Game, State] | None,
    bots: tuple[str, ...],
    asks: tuple[str, ...],
) -> Opened:
    """The position that a command names, `saved` if there is one; raises RulespecError, Misuse and Fault."""
    import rulespec

    checked: CheckedGame
    state: State
    if saved is not None:
        game, state = saved
        checked = rulespec.load(name, variant=game.program.variants)  # type: ignore[assignment]
    elif laid:
        checked, case = load_alone(name, variants, laid.source(players, settings))
        program = checked.program(players=case.players, options=dict(case.options), cases=case.roots())
        game = Game.from_program(program, backend="python")
        state = game.new_state(chance="explicit", undo=False, main=case.procedure, record=False)
    else:
        checked = rulespec.load(name, variant=variants)  # type: ignore[assignment]
        game = Game(checked, players=players, options=dict(settings), backend="python")
        state = game.new_state(chance="explicit", undo=False, record=False)
    seated = seating(game, checked, name, seats_of(game, bots, seat), asks)
    return Opened(state.explicit(), seated, bool(bots), ends_by_rank(game.program))


@dataclass
class Outcome:
    """A value that comes with this probability, or so often."""

    text: str
    probability: Fraction = Fraction(0)


@dataclass
class Asked:
    """What an expression comes to: its values by name, and the mean where they are numbers."""

    text: str
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    mean: Fraction | None = None

    def add(self, text: str, value: int | None, probability: Fraction) -> None:
        self.outcomes.setdefault(text, Outcome(text)).probability += probability
        if value is not None:
            self.mean = (self.mean or Fraction(0)) + value * probability

    def ordered(self) -> list[Outcome]:
        """Numbers in their order, other values the most probable first."""
        listed = self.outcomes.values()
        if self.mean is not None:
            return sorted(listed, key=lambda one: (whole(one.text) is None, whole(one.text) or 0))
        return sorted(listed, key=lambda one: (-one.probability, one.text))


@dataclass
class Branch:
    """What comes of a position: after one `answer` to what is asked first, or of all together."""

    answer: str | None
    asked: list[Asked]
    winners: Asked
    returns: list[Fraction]  # the means by seat
    ended: Fraction = Fraction(0)  # how probable it is that the game is over then
    positions: int = 0
    samples: int = 0  # 0: all was followed


@dataclass
class Told:
    """The odds, branch by branch."""

    seats: tuple[str, ...]
    branches: list[Branch]


def told(opened: Opened, by_answer: bool, most: int, samples: int, seed: int) -> Told:
    """The odds; raises Fault, and RulespecError P014 and P015."""
    game, state = opened.game, opened.state
    if not by_answer:
        branches = [branch(opened, state, None, most, samples, seed)]
    elif state.is_terminal() or state.is_chance_node():
        raise Misuse("nobody is asked at the beginning, so there are no answers to tell apart")
    else:
        actions = state.legal_actions()
        branches = [
            branch(opened, state.child(action), state.action_to_string(action), most, samples, seed)
            for action in actions
        ]
    return Told(game.seat_labels, branches)


def branch(opened: Opened, state: SlotState, answer: str | None, most: int, samples: int, seed: int) -> Branch:
    """What comes of one position."""
    whole = Branch(answer, [Asked(count.tally.text) for count in opened.seating.counts], Asked("winners"), [])
    whole.returns = [Fraction(0)] * opened.game.num_players
    if opened.uniform or not opened.answered:
        try:
            exact = odds(state, opened.uniform, most)
        except TooMany:
            whole.positions = most
        else:
            whole.positions = exact.positions
            for slots, probability in exact.ends:
                reckon(opened, whole, SlotState(opened.game, slots, state.main, False, False), probability)
            return whole
    whole.samples = samples
    key = rng.mix(seed)
    for n in range(samples):
        lot = rng.number(key, n)
        end = drawn(state, Chance(lot), opened.choose(lot))
        reckon(opened, whole, end, Fraction(1, samples))
    return whole


def reckon(opened: Opened, whole: Branch, end: State, probability: Fraction) -> None:
    """Add what is worked out at an end."""
    game, slots = opened.game, list(end.slots)
    if slots[ir.RETURNS] is not None:
        _, first = winners_of(end, opened.by_rank)
        slots[ir.WINNERS] = first
        whole.ended += probability
        whole.winners.add(", ".join(game.seat_labels[seat] for seat in first) or "nobody", None, probability)
        for seat, share in enumerate(end.returns()):
            whole.returns[seat] += share * probability
    for count, asked in zip(opened.seating.counts, whole.asked, strict=True):
        value = opened.seating.judge.value(count.tally.function, count.tally.span, slots)
        text = game.machine.printing.name(count.type, value)
        asked.add(text, value if count.number else None, probability)


# --- as text and as JSON --------------------------------------------------------------------------------------------------
def exactly(value: Fraction) -> str:
    """A fraction, if it is not too long to be read."""
    text = str(value)
    return text if len(text) <= LONGEST else ""


def percent(value: float) -> str:
    return f"{100 * value:.2f} %"


def lines(odds: Told) -> Iterator[str]:
    """The odds as lines."""
    from .console import columns

    for one in odds.branches:
        if one.answer is not None:
            yield f"after {one.answer}"
        listed = one.asked or ([one.winners] if one.ended else [])
        for asked in listed:
            yield f"  {asked.text}"
            rows = [row(outcome, one.samples) for outcome in asked.ordered()]
            yield from (f"    {line}" for line in columns(rows, right=frozenset({1, 2})))
            if asked.mean is not None:
                yield f"    mean {valued(asked.mean, one.samples)}"
        if not one.asked and one.ended == 1:
            means = zip(odds.seats, one.returns, strict=True)
            yield f"  mean return: {', '.join(f'{label} {valued(mean, one.samples)}' for label, mean in means)}"
        if not listed:
            yield f"  {NOTHING}; `--ask EXPRESSION` says what is to be worked out"
        yield f"  {basis(one)}"


def row(outcome: Outcome, samples: int) -> list[str]:
    """A value with its probability, or with its share and the interval."""
    if not samples:
        return [outcome.text, exactly(outcome.probability), percent(float(outcome.probability))]
    low, high = interval(int(outcome.probability * samples), samples)
    return [outcome.text, percent(float(outcome.probability)), f"{percent(low)} to {percent(high)}"]


def valued(value: Fraction, samples: int) -> str:
    """A mean, exactly if it is."""
    decimal = decimal_text(value, 4)
    text = "" if samples else exactly(value)
    return f"{text} ({decimal})" if text and "/" in text else text or decimal


def basis(one: Branch) -> str:
    """What the odds rest on."""
    if not one.samples:
        return f"exact, from {one.positions:,} position{'s' * (one.positions != 1)}"
    why = f"there are more than {one.positions:,} positions" if one.positions else "bots answer as they play"
    return f"{one.samples:,} lots were drawn, as {why}; the intervals are of 95 %"


def to_json(opened: Opened, odds: Told) -> dict[str, Any]:
    """The odds for programs: fractions as text."""
    program = opened.game.program
    return {
        "game": program.id,
        "variants": list(program.variants),
        "players": program.players,
        "options": dict(program.settings),
        "branches": [branch_json(opened, one) for one in odds.branches],
    }


def branch_json(opened: Opened, one: Branch) -> dict[str, Any]:
    ended = one.ended == 1
    seats = opened.game.seats
    return {
        "answer": one.answer,
        "exact": not one.samples,
        "positions": one.positions,
        "samples": one.samples or None,
        "asked": [
            {
                "expression": asked.text,
                "mean": None if asked.mean is None else str(asked.mean),
                "outcomes": [outcome_json(outcome, one.samples) for outcome in asked.ordered()],
            }
            for asked in (*one.asked, *([one.winners] if one.ended and not one.asked else []))
        ],
        "returns": {seat: str(mean) for seat, mean in zip(seats, one.returns, strict=True)} if ended else None,
    }


def outcome_json(outcome: Outcome, samples: int) -> dict[str, Any]:
    told: dict[str, Any] = {"value": outcome.text, "share": float(outcome.probability)}
    if not samples:
        return told | {"probability": str(outcome.probability)}
    low, high = interval(int(outcome.probability * samples), samples)
    return told | {"low": low, "high": high}
