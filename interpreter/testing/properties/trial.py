"""One game, played by chance or by a script, in which every property is looked at on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from functools import partial

from interpreter.bots.basics import Chance
from interpreter.game import Game, State
from interpreter.runtime.faults import Fault, IllegalAction
from interpreter.runtime.values import CHANCE
from interpreter.testing.properties.moment import OF_A_MOMENT, Moment
from interpreter.testing.properties.pairs import Glance, Leak, Pairing, Twin
from interpreter.testing.properties.position import OF_A_POSITION
from interpreter.testing.properties.recall import Deeds, Recall
from interpreter.testing.properties.script import Answer, Given, Script, fitting, given, script_of
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import RulespecError

ALWAYS = {"somebody_is_asked", "returns_fit"}  # what costs next to nothing is looked at after every answer
MAKES_ROOM = 4  # one in so many answers at which all twins go on
LEAKS = "paired_states"
UNDO = "learnt_for_good"
RECALL = "perfect_recall"
FAULTS = "no_faults"
LENGTH = "games_end"
WITHOUT_END = ("R017", "R018")  # faults of games that do not end
PROPERTIES = (*(p.__name__ for p in (*OF_A_POSITION, *OF_A_MOMENT)), RECALL, LEAKS, UNDO, FAULTS, LENGTH)


@dataclass(frozen=True, slots=True)
class Budget:
    """How much is looked at in each game.

    Of `checked` answers every one in the first half of them is, then ever fewer.  `twins` games at once are compared with the game,
    each for at most `life` answers, and `longest` answers may be given before a game must be over.
    """

    checked: int = 200
    twins: int = 4
    life: int = 60
    longest: int = 100_000

    def wants(self, number: int) -> bool:
        """Whether everything is tried at an answer."""
        half = max(1, self.checked // 2)
        return number < half or number % (number // half + 1) == 0


@dataclass(frozen=True, slots=True)
class Failure:
    """A property that does not hold: which, how, in the game of which seed, and what leads there.

    For a property of pairs `other` leads to the second game; `start` is where the chance of that one begins.
    """

    property: str
    message: str
    seed: int
    script: Script
    other: Script | None = None
    start: int = 0


@dataclass(slots=True)
class Bench:
    """A game ready to be tried: on one back end, and on the others, with what is the same for all its trials."""

    game: Game
    others: tuple[Game, ...]
    pairing: Pairing
    met: dict[tuple[int, bytes], Deeds] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, *others: Game) -> Bench:
        """Of a game on some back ends."""
        return cls(game, others, Pairing(game))


@dataclass(slots=True)
class Begun:
    """A twin, and how it began: at which answer of the game, and with what instead."""

    twin: Twin
    at: int
    name: str
    start: int


@dataclass(slots=True)
class Counts:
    """How much was looked at."""

    answers: int = 0
    checked: int = 0
    natively: int = 0  # of those that were checked: given by C itself
    twins: int = 0
    compared: int = 0  # positions of twins, for each seat that cannot tell them apart


def said(error: Exception) -> str:
    """What an error says; one that is no finding with its class."""
    return (
        str(error) if isinstance(error, Fault | RulespecError | IllegalAction) else f"{type(error).__name__}: {error}"
    )


class Failed(Exception):
    """A property does not hold; ends the trial."""

    def __init__(
        self,
        name: str,
        message: str,
        begun: Begun | None = None,
        elsewhere: State | None = None,
    ) -> None:
        super().__init__(message)
        self.name, self.message, self.begun, self.elsewhere = name, message, begun, elsewhere


class Trial:
    """A game on its way; `only` is the one property to be looked at, None for all."""

    def __init__(self, bench: Bench, seed: int, budget: Budget, only: str | None = None) -> None:
        self.bench = bench
        self.seed = seed
        self.budget = budget
        self.only = only
        self.counts = Counts()
        self.chance = Chance(seed)
        self.pairs = Chance(seed ^ (1 << 63))  # so that a game goes the same way, however much of it is looked at
        self.twins: list[Begun] = []
        self.answers: list[Given] = []
        self.recall: Recall | None = None
        self.state: State

    def wanted(self, name: str) -> bool:
        """Whether a property is looked at."""
        return self.only in (None, name)

    # --- running ----------------------------------------------------------------------------------------------------
    def at_random(self) -> Failure | None:
        """Play by chance; the first failure."""
        return self.run(self.by_chance, None)

    def scripted(self, script: Script, start: int) -> Failure | None:
        """Play a script, leaving out what does not fit, up to its end or the first failure."""
        rest = list(script)
        return self.run(partial(self.by_script, rest), start)

    def run(self, choose: Callable[[], tuple[int, int, str | None] | None], start: int | None) -> Failure | None:
        """Play answers until there are no more; `start` is the seed of the twin of a script."""
        try:
            self.play(choose, start)
        except Failed as failed:
            return self.failure(failed)
        return None

    def play(self, choose: Callable[[], tuple[int, int, str | None] | None], start: int | None) -> None:
        """The loop over answers; raises Failed."""
        try:
            self.state = self.bench.game.new_state(chance="explicit")
        except Exception as error:
            raise Failed(FAULTS, said(error)) from error
        if self.wanted(RECALL):
            self.recall = Recall(self.state, self.bench.met)
        self.look(self.state, True)
        while (choice := choose()) is not None:
            actor, action, instead = choice
            number = len(self.answers)
            if number >= self.budget.longest:
                raise Failed(LENGTH, f"the game is not over after {number:,} answers")
            before = self.state.clone()
            self.step(actor, action, self.budget.wants(number))
            if self.bench.pairing.hides and (self.wanted(LEAKS) or self.wanted(UNDO)):
                self.pair(before, instead, start)
        self.end()

    def by_chance(self) -> tuple[int, int, str | None] | None:
        """A legal answer, each as likely; of chance as likely as the rules say."""
        state = self.state
        if state.is_terminal():
            return None
        lottery = state.pending().chance
        if lottery is not None:
            return CHANCE, lottery.draw(self.chance.below(1 << 62), 0)[0], None
        seat = self.chance.one_of(state.pending_players())
        return seat, self.chance.one_of(state.legal_actions(seat)), None

    def by_script(self, rest: list[Answer]) -> tuple[int, int, str | None] | None:
        """The next answer of a script that fits."""
        while rest:
            answer = rest.pop(0)
            if not self.state.is_terminal() and (action := fitting(self.state, answer)) is not None:
                return answer.actor, action, answer.instead
        return None

    def step(self, actor: int, action: int, checked: bool) -> None:
        """One answer, and what is said of it and of where it leads; raises Failed."""
        before = self.state.clone()
        self.answers.append(given(self.state, actor, action))
        try:
            self.state.apply_action(action, actor)
        except Exception as error:
            without_end = isinstance(error, Fault) and error.diagnostic.code in WITHOUT_END
            raise Failed(LENGTH if without_end else FAULTS, said(error)) from error
        self.counts.answers += 1
        self.counts.checked += checked
        self.look(self.state, checked)
        if checked:
            moment = Moment(before, self.state.clone(), actor, action, self.bench.others)
            for prop in OF_A_MOMENT:
                if self.wanted(prop.__name__):
                    self.demand(prop.__name__, partial(prop, moment))
            self.counts.natively += len(moment.natively)
        if self.recall is not None:
            if self.counts.answers > self.budget.checked:
                self.recall = None
            else:
                self.demand(RECALL, partial(self.recall.after, before, self.state))

    def look(self, state: State, checked: bool) -> None:
        """What is demanded of a position."""
        for prop in OF_A_POSITION:
            if self.wanted(prop.__name__) and (checked or prop.__name__ in ALWAYS):
                self.demand(prop.__name__, partial(prop, state))

    def end(self) -> None:
        """What is demanded when all is over."""
        recall = self.recall
        if recall is not None and self.state.is_terminal():
            self.demand(RECALL, partial(recall.told, self.state))

    def demand(self, name: str, work: Callable[[], str | None]) -> None:
        """Raise Failed if a property does not hold, or cannot be looked at for a fault of the rules."""
        try:
            wrong = work()
        except (
            Exception
        ) as error:  # whatever is raised here is a fault of the rules or of ours, and is told with its script
            raise Failed(name, said(error)) from error
        if wrong is not None:
            raise Failed(name, wrong)

    # --- pairs ------------------------------------------------------------------------------------------------------
    def pair(self, before: State, instead: str | None, start: int | None) -> None:
        """Take the twins through the last answer, and let others begin with it; raises Failed."""
        after, answer = Glance(self.state.clone()), self.answers[-1]
        for begun in self.twins:
            self.follow(begun, before, answer, after)
        if start is not None:
            if instead is not None:
                self.begin(before, answer, after, instead, start)
        elif self.budget.wants(len(self.answers) - 1) and self.room():
            self.begin(before, answer, after, None, self.pairs.below(1 << 48))
        self.twins = [one for one in self.twins if one.twin.seats and one.twin.age < self.budget.life]

    def room(self) -> bool:
        """Whether another twin may begin: now and then one makes room, so that those that begin early do not stay alone."""
        if len(self.twins) < self.budget.twins:
            return True
        if self.pairs.below(MAKES_ROOM):
            return False
        self.twins.pop(self.pairs.below(len(self.twins)))
        return True

    def begin(self, before: State, answer: Given, after: Glance, name: str | None, start: int) -> None:
        """Let a twin begin, in which the last answer is another."""
        twin = Twin(self.bench.pairing, before, start)
        begun = Begun(twin, len(self.answers) - 1, name or "", start)
        with self.elsewhere(begun):
            changed, leaks = twin.begin(before, answer, after, name)
            begun.name = changed or ""
            self.told(begun, leaks)
        if twin.seats:
            self.twins.append(begun)
            self.counts.twins += 1

    def follow(self, begun: Begun, before: State, answer: Given, after: Glance) -> None:
        """Take a twin through an answer."""
        with self.elsewhere(begun):
            self.told(begun, begun.twin.follow(before, answer, after))

    @contextmanager
    def elsewhere(self, begun: Begun) -> Iterator[None]:
        """What goes wrong within is so in the twin; raises Failed."""
        try:
            yield
        except Failed:
            raise
        except Exception as error:
            raise Failed(FAULTS, said(error), elsewhere=begun.twin.state) from error

    def told(self, begun: Begun, leaks: list[Leak]) -> None:
        """Count what was compared; raises Failed if something leaks."""
        self.counts.compared += len(begun.twin.seats)
        for leak in leaks:
            name = UNDO if leak.undo else LEAKS
            if self.wanted(name):
                raise Failed(name, self.message(leak), begun)

    def message(self, leak: Leak) -> str:
        """What leaks, and to whom."""
        return f"{self.state.seat_name(leak.seat)} cannot tell two games apart, and {leak.message}"

    # --- failures ---------------------------------------------------------------------------------------------------
    def failure(self, failed: Failed) -> Failure:
        """What failed, with what leads there."""
        begun = failed.begun
        if failed.elsewhere is not None:
            script: Script = script_of(failed.elsewhere)
            return Failure(failed.name, failed.message, self.seed, script)
        script = tuple(
            Answer(one.actor, one.site, one.name, begun.name if begun is not None and number == begun.at else None)
            for number, one in enumerate(self.answers)
        )
        other = None if begun is None else script_of(begun.twin.state)
        start = 0 if begun is None else begun.start
        return Failure(failed.name, failed.message, self.seed, script, other, start)
