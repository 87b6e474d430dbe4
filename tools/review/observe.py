"""Plays a game and measures it: what is asked, what may be answered, and what each answer changes.

The measures are taken at decisions from the slots before and after each answer, so that any back end can play.  What a change is
to the one who answers is part of a measure: his own, the next one's, the others'.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from typing import Any

from interpreter import Fault, Game, State
from interpreter.bots import Crew
from interpreter.questions import Question
from rulespec import ir
from rulespec.system.records import dataclass

from ..playouts import random_crew
from .figures import GAME, Key
from .groups import NUMBER, PIECES, WORD, Group, groups
from .rounds import ROUNDS, Rounds
from .trials import Trials

MOST_ANSWERS = 40  # of a question, that are told apart
MOST_LANES = 12  # slots of a group that are not a board


@dataclass(slots=True)
class Played:
    """A game as it was measured; a game that was broken off has no outcome."""

    seed: int
    decisions: int = 0
    outcome: str = ""  # all, some, lost, draw; fault or cut
    winners: tuple[int, ...] = ()
    returns: tuple[float, ...] = ()  # one a seat
    fault: tuple[str, str, str] | None = None  # code, message, place
    values: dict[Key, float] = field(default_factory=dict)
    populations: tuple[str, ...] = ()
    counts: Counter[tuple[Any, ...]] = field(default_factory=Counter)  # what adds up over games

    @property
    def result(self) -> tuple[int, str, tuple[int, ...], tuple[float, ...]]:
        """How long it was and how it ended."""
        return self.decisions, self.outcome, self.winners, self.returns


class Observer:
    """Watches games of one setup."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.program = program = game.program
        self.groups = groups(program)
        self.of: list[Group | None] = [None] * len(program.initial)
        for group in self.groups:
            for slot in range(group.base, group.base + group.size):
                self.of[slot] = group
        self.names = question_names(program)
        self.holders = [group for group in self.groups if group.seats and group.size == 1]
        self.private = [group for group in self.groups if group.private and group.owned]

    def play(self, seed: int, crew: Crew | None = None, most: int | None = None) -> Played:
        """One game, at random or by bots; broken off after `most` decisions."""
        return Watch(self, seed, crew or random_crew(self.game, seed), most).play()

    def option(self, question: Question, value: Any) -> str:
        """The name of a named option; "" for a candidate."""
        site = question.site
        if value is None and site.none is not None:
            return site.none.name
        if site.branches and isinstance(value, int):
            return site.branches[value].name
        if isinstance(value, tuple) and (site.branches or site.arguments) and value and question.code.is_rule(value):
            rule = self.program.rules[value[0]]
            return rule.name if rule.option is None else rule.option.name
        return ""


def question_names(program: ir.Program) -> list[str]:
    """What each site is called: by its name, with a number where several have it."""
    seen: Counter[str] = Counter()
    names = []
    for site in program.sites:
        name = site.name or "order of rules"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return names


class Watch:
    """One game that is being watched."""

    def __init__(self, observer: Observer, seed: int, crew: Crew, most: int | None) -> None:
        self.observer = observer
        self.players = observer.game.num_players
        self.crew = crew
        self.most = most
        self.played = Played(seed)
        self.sums: dict[Key, float] = {}
        self.times: Counter[str] = Counter()  # how often each population occurred
        self.lows: dict[Key, float] = {}
        self.before = ""  # the question before
        self.last = -1  # who answered it
        self.different: Counter[str] = Counter()  # how many answers to each question are told apart
        self.rounds = Rounds(observer.groups, self.played.counts)
        self.trials = Trials(seed, observer.names, self.played.counts)

    def play(self) -> Played:
        """Play it to its end."""
        played = self.played
        try:
            state = self.observer.game.new_state(played.seed, undo=False, record=False)
            self.begun(state.slots)
            while not state.is_terminal():
                if self.most is not None and state.decisions >= self.most:
                    played.outcome, played.decisions = "cut", state.decisions
                    return played
                self.crew.watch(state)
                self.answer(state)
            played.decisions = state.decisions
            self.end(state)
        except Fault as fault:
            d = fault.diagnostic
            played.outcome = "fault"
            played.fault = (d.code, d.message, d.span.label() if d.span else "")
            played.decisions = fault.answers or 0
            played.values.clear()
        return played

    def answer(self, state: State) -> None:
        """One decision."""
        pending = state.pending()
        question = pending.questions[0]
        seat, legal = question.seat, question.legal
        asked = self.observer.names[question.site.index]
        self.ask(question, asked, seat, legal, state.slots)
        action = self.crew.choose(state, seat)
        option = self.observer.option(question, legal[action])
        took = f"{asked}: {option}" if option else asked
        sealed = bool(pending.participants)
        before = state.slots
        if (more := self.rounds.ask(asked, seat, before)) is not None:
            self.times[ROUNDS] += 1
            for name, number in more.items():
                add(self.sums, (ROUNDS, name), number)
        self.know(before, seat)
        self.times[f"do:{took}"] += 1
        counts = self.played.counts
        counts["taken", asked, option] += 1
        answers = ("answer", asked, action)
        if len(legal) > 1:
            if answers in counts or self.different[asked] < MOST_ANSWERS:
                self.different[asked] += answers not in counts
                counts[answers] += 1
            if not sealed:
                self.trials.choice(state, asked, legal, action)
        if not sealed:
            self.had(before, took, seat)
        state.apply_action(action, seat)
        self.changed(before, state.slots, took, None if sealed else seat)
        if not option and question.site.type.what == "entity" and legal[action] is not None:
            self.meant(before, state.slots, took, question.site.type.kind, legal[action])
        self.before, self.last = asked, seat

    def ask(self, question: Question, asked: str, seat: int, legal: dict[int, Any], slots: list[Any]) -> None:
        """Measure a question and its options."""
        population = f"ask:{asked}"
        self.times[population] += 1
        sums, counts = self.sums, self.played.counts
        add(sums, (population, "options"), len(legal))
        add(sums, (population, "one answer only"), len(legal) == 1)
        add(sums, (population, f"mean option of seat {seat + 1}"), sum(legal) / len(legal))
        if self.before:
            add(sums, (population, f"after {self.before}"), 1)
            if self.players > 1:
                add(sums, (population, "seats further than the last"), (seat - self.last) % self.players)
        for group in self.observer.holders:
            if (holder := slots[group.base]) is not None:
                add(sums, (population, f"{group.name} further than who is asked"), (holder - seat) % self.players)
        counts["asked", asked] += 1
        counts["asked of", asked, seat] += 1
        if len(legal) == 1:
            counts["forced", asked] += 1
        if question.site.none is not None or question.site.branches or question.site.arguments:
            for option in {self.observer.option(question, value) for value in legal.values()}:
                if option:
                    add(sums, (population, f"offered {option}"), 1)
                    counts["offered", asked, option] += 1

    def know(self, slots: list[Any], seat: int) -> None:
        """Count what somebody alone sees that he has, and whether he has it when he is asked."""
        counts = self.played.counts
        for group in self.observer.private:
            if ("held when asked", group.name) not in counts and group.holds(slots, seat):
                counts["held when asked", group.name] += 1
            if ("held", group.name) not in counts and any(group.holds(slots, one) for one in range(self.players)):
                counts["held", group.name] += 1

    def had(self, slots: list[Any], took: str, seat: int) -> None:
        """What the one who answers had at least when he did."""
        for group in self.observer.groups:
            if group.what == WORD or group.size > MOST_LANES:
                continue
            key = (f"do:{took}", f"least {group.name}")
            value = group.total(slots, seat if group.owned else None)
            if value < self.lows.get(key, value + 1):
                self.lows[key] = value

    def changed(self, old: list[Any], new: list[Any], took: str, seat: int | None) -> None:
        """What an answer changed, up to the next decision."""
        population = f"do:{took}"
        for slot, (group, a, b) in enumerate(zip(self.observer.of, old, new, strict=True)):
            if a is b or group is None or a == b:
                continue
            self.tally(group, slot, a, b)
            whose = self.whose(group.owner(slot), seat)
            if group.what == WORD:
                add(self.sums, (population, f"changes of {group.name}{whose}"), 1)
                if b is not None and isinstance(b, int):
                    value = (b - seat) % self.players if group.seats and seat is not None else b
                    add(self.sums, (population, f"new {group.name}{whose}"), value)
            else:
                add(self.sums, (population, f"{group.name}{whose}"), group.number(b) - group.number(a))
                if b and not a:
                    add(self.sums, (population, f"{group.name}{whose} from none"), 1)
            if group.size > MOST_LANES:
                place = slot - group.base - (group.owner(slot) or 0) * group.lane
                add(self.sums, (population, f"where in {group.name}, seat {(seat or 0) + 1}"), place)

    def meant(self, old: list[Any], new: list[Any], took: str, kind: int | None, chosen: int) -> None:
        """Whether what was chosen is what changed: the piece itself, or what belongs to the place or seat."""
        assert kind is not None
        location = self.observer.program.kinds[kind].location
        if location is not None and old[location + chosen] != new[location + chosen]:
            add(self.sums, (f"do:{took}", "what was chosen moves"), 1)
        for group in self.observer.groups:
            if group.kind == kind:
                first = group.base + chosen * group.stride
                if old[first : first + group.stride] != new[first : first + group.stride]:
                    add(self.sums, (f"do:{took}", f"{group.name} of what was chosen changes"), 1)

    def begun(self, slots: list[Any]) -> None:
        """Count which variables change before anybody is asked; what pieces came by is not to be seen."""
        initial = self.observer.program.initial
        for slot, (group, a, b) in enumerate(zip(self.observer.of, initial, slots, strict=True)):
            if group is not None and group.what != PIECES and a != b:
                self.tally(group, slot, a, b)

    def tally(self, group: Group, slot: int, old: Any, new: Any) -> None:
        """Count which variables change, whose, and in which zones pieces come and go."""
        self.rounds.moved.add(group.name)
        if group.owned:
            self.played.counts["written of", group.name, group.owner(slot)] += 1
        if group.what != PIECES:
            self.played.counts["written", group.name] += 1
            return
        more = group.number(new) - group.number(old)
        if more:
            self.played.counts["in" if more > 0 else "out", group.name] += 1

    def whose(self, owner: int | None, seat: int | None) -> str:
        """Whose a thing is to the one who answered."""
        if owner is None or seat is None:
            return ""
        step = (owner - seat) % self.players
        if step == 0:
            return " of one's own"
        if self.players == 2:
            return " of the other"
        return " of the next" if step == 1 else " of the one before" if step == self.players - 1 else " of others"

    def end(self, state: State) -> None:
        """Measure a game that is over."""
        played, slots = self.played, state.slots
        outcome = state.outcome()
        played.outcome, played.winners = outcome.kind, outcome.winners
        played.returns = tuple(float(number) for number in state.returns())
        values = played.values
        values[GAME, "decisions"] = played.decisions
        values[GAME, f"ended: {outcome.kind}"] = 1
        for seat in outcome.winners if outcome.kind == "some" else ():
            values[GAME, f"seat {seat + 1} wins"] = 1
            if seat == self.last:
                values[GAME, "who answered last wins"] = 1
        for seat, number in enumerate(played.returns):
            values[GAME, f"returns of seat {seat + 1}"] = number
        for key, total in self.sums.items():
            values[key] = total / self.times[key[0]]
        values |= self.lows
        for population, times in self.times.items():
            if population.startswith("ask:"):
                values[GAME, f"asked {population[4:]}"] = times
            elif population.startswith("do:"):
                values[GAME, f"done {population[3:]}"] = times
            else:
                values[GAME, population] = times
        values |= dict(self.ends(slots, outcome.winners if outcome.kind == "some" else ()))
        played.populations = tuple(self.times)
        self.bounds(slots)

    def ends(self, slots: list[Any], winners: tuple[int, ...]) -> Iterator[tuple[Key, float]]:
        """What there is at the end, and what the winners have more than the others."""
        others = [seat for seat in range(self.players) if seat not in winners]
        for group in self.observer.groups:
            if group.what == WORD:
                filled = sum(1 for value in slots[group.base : group.base + group.size] if value is not None)
                yield (GAME, f"{group.name} at the end"), filled if group.size > 1 else 0
                continue
            yield (GAME, f"{group.name} at the end"), group.total(slots)
            for name, by_seat in self.by_seats(group, slots) if group.owned and winners and others else ():
                won = sum(by_seat[seat] for seat in winners) / len(winners)
                lost = sum(by_seat[seat] for seat in others) / len(others)
                yield (GAME, f"{name} of the winner, more than of the others"), won - lost

    def by_seats(self, group: Group, slots: list[Any]) -> Iterator[tuple[str, list[float]]]:
        """How much each seat has of a group, and of what is printed on its pieces."""
        yield group.name, [group.total(slots, seat) for seat in range(self.players)]
        printed = [dict(group.printed(slots, seat)) for seat in range(self.players)]
        for name in printed[0]:
            yield name, [sums[name] for sums in printed]

    def bounds(self, slots: list[Any]) -> None:
        """Count numbers that end at their highest value."""
        for group in self.observer.groups:
            high = group.high
            counts_up = group.what == NUMBER and high is not None and high > (group.low or 0) + 1
            if counts_up and high in slots[group.base : group.base + group.size]:
                self.played.counts["at highest", group.name] += 1


def add(sums: dict[Key, float], key: Key, number: float) -> None:
    """Add to a sum."""
    sums[key] = sums.get(key, 0.0) + number
