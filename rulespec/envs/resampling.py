"""Other games after which a seat has seen and done the same: what chance and the others did is drawn anew.

First all games are searched, answer by answer from the beginning, as far as a bound.  That draws each as often as it should be, but where
what the seat saw follows from much earlier draws it comes to an end only in small games.  Then it goes on from the game that was played,
which is consistent, by a bounded chain of changes each of which keeps what the seat has seen: two members of a kind change places in all
that chance and the others did from some time on, or one answer becomes another (Metropolis and Hastings 1970, towards how
likely chance and others at random are to play so).  A chain is as long as it is: what it gives is always consistent, and the nearer to
the game that was played the fewer changes were possible.  Where none was, the game that was played is given only if nothing is hidden from
the seat any more: else it would tell what the seat may not know, and another game may exist.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import rulespec

MOST_LOOKED = 500  # positions of a search
CHANGES = 100  # that are tried in a chain
SWAPS = 0.75  # of the changes; the others change one answer

Uniform = Callable[[], float]
Answers = list[tuple[int, int]]  # action and actor


def resampled(game: rulespec.Game, state: Any, seat: int, uniform: Uniform) -> Answers:
    """The answers of a game after which a seat that is asked has seen and done the same as in a state.

    Raises ValueError where none but the game that was played was found, and something is hidden from the seat.
    """
    found = searched(game, state, seat, uniform)
    if found is not None:
        return found
    chain = Chain(game, state, seat, uniform)
    answers = chain.changed()
    if not chain.accepted and not kept(game, answers).sees_all(seat):
        raise ValueError(
            f"no other game was found after which seat {seat} has seen and done the same, and something is hidden from it: "
            f"{MOST_LOOKED} positions from the beginning and {CHANGES} changes of the game that was played were tried"
        )
    return answers


def kept(game: rulespec.Game, answers: Answers) -> Any:
    """The state after some answers, which can go back through all of them, so that all is known that a seat could follow."""
    state = game.new_state(chance="explicit")
    for action, actor in answers:
        state.apply_action(action, actor)
    return state


def searched(game: rulespec.Game, state: Any, seat: int, uniform: Uniform) -> Answers | None:
    """The answers of a game that a search from the beginning finds; None beyond its bound."""
    wanted = state.information_state(seat)
    at = game.new_state(chance="explicit", undo=False)
    way: list[tuple[Any, int, list[int]]] = []  # position, who answers, actions that are left to try
    for _ in range(MOST_LOOKED):
        seen = at.information_state(seat)
        if seen == wanted and seat in at.pending_players():
            return answered(at)
        if wanted.startswith(seen[:-1]) and not at.is_terminal():
            way.append((at, at.current_player(), shuffled(at, uniform)))
        while not way[-1][2]:
            way.pop()
        before, actor, left = way[-1]
        at = before.child(left.pop(), actor)
    return None


def shuffled(state: Any, uniform: Uniform) -> list[int]:
    """What may be answered, in random order, the first at the end; of chance by how likely each outcome is."""
    if not state.is_chance_node():
        return sorted(state.legal_actions(), key=lambda _: uniform())
    # The largest of u^(1/p) is each with probability p, and so on among the others (Efraimidis and Spirakis).
    keys = [(uniform() ** (1 / float(likely)), action) for action, likely in state.chance_outcomes()]
    return [action for _, action in sorted(keys)]


def answered(state: Any) -> Answers:
    """The answers that led to a state, the first first."""
    return [(action, actor) for actor, _, action, _ in state.answers()][::-1]


class Played(NamedTuple):
    """A game: positions, of which the first is the beginning, and between them answers, what they mean, and how likely each is."""

    states: list[Any]
    answers: Answers
    meant: list[tuple[Any, int]]  # value and actor: an action means another thing elsewhere
    likely: list[float]

    def until(self, number: int) -> Played:
        """Its beginning with so many answers."""
        return Played(self.states[: number + 1], self.answers[:number], self.meant[:number], self.likely[:number])


class Chain:
    """Games after which a seat has seen and done the same, each made of the one before by a change."""

    def __init__(self, game: rulespec.Game, state: Any, seat: int, uniform: Uniform) -> None:
        self.seat, self.uniform = seat, uniform
        self.wanted = state.information_state(seat)
        at = game.new_state(chance="explicit", undo=False)
        meant = []
        for action, actor in answered(state):
            meant.append((choices(at, actor)[action][0], actor))
            at = at.child(action, actor)
        played = self.on(Played([game.new_state(chance="explicit", undo=False)], [], [], []), meant)
        if played is None:
            raise ValueError("the state does not come of its own answers")
        self.at = played
        self.accepted = 0  # changes

    def changed(self) -> Answers:
        """The answers after all changes."""
        free = [n for n, (_, actor) in enumerate(self.at.answers) if actor != self.seat]
        for _ in range(CHANGES if free else 0):
            first = free[self.below(len(free))]
            given, actor = self.at.meant[first]
            others = list(choices(self.at.states[first], actor).values())
            wish = others[self.below(len(others))][0]
            if wish != given:
                meant = self.swapped(first, wish) if self.uniform() < SWAPS else self.replaced(first, wish)
                new = self.on(self.at.until(first), meant)
                if new is not None and self.uniform() < self.ratio(new, first):
                    self.at = new
                    self.accepted += 1
        return self.at.answers

    def below(self, number: int) -> int:
        """A random number from 0 to one less."""
        return min(int(self.uniform() * number), number - 1)

    def replaced(self, first: int, wish: Any) -> list[tuple[Any, int]]:
        """The answers from one on, which is another."""
        return [(wish, self.at.meant[first][1]), *self.at.meant[first + 1 :]]

    def swapped(self, first: int, wish: Any) -> list[tuple[Any, int]]:
        """The answers from one on, in all of which about its kind it and another change places."""
        given, actor = self.at.meant[first]
        kind = kind_of(self.at.states[first], actor)
        places = {given: wish, wish: given}
        return [
            (places.get(value, value) if n == first or (by != self.seat and self.about(n, by, kind)) else value, by)
            for n, (value, by) in enumerate(self.at.meant[first:], first)
        ]

    def about(self, number: int, actor: int, kind: int | None) -> bool:
        """Whether an answer is about a kind."""
        return kind is not None and kind_of(self.at.states[number], actor) == kind

    def on(self, begun: Played, meant: list[tuple[Any, int]]) -> Played | None:
        """A game after more answers; None where one is not legal, or the seat has not seen and done the same in the end."""
        game = Played(*(list(part) for part in begun))
        for value, actor in meant:
            state = game.states[-1]
            found = next(((a, likely) for a, (v, likely) in choices(state, actor).items() if v == value), None)
            if found is None:
                return None
            game.states.append(state.child(found[0], actor))
            game.answers.append((found[0], actor))
            game.meant.append((value, actor))
            game.likely.append(1.0 if actor == self.seat else found[1])
        last = game.states[-1]
        same = self.seat in last.pending_players() and last.information_state(self.seat) == self.wanted
        return game if same else None

    def ratio(self, new: Played, first: int) -> float:
        """How much more likely a game is than the one before it; both change into the other by the same choices."""
        return math.prod(
            after / before for before, after in zip(self.at.likely[first:], new.likely[first:], strict=True)
        )


def choices(state: Any, actor: int) -> dict[int, tuple[Any, float]]:
    """Of each action the value that it answers, and how likely it is where all answers of players are alike; nothing where nobody asks."""
    pending = state.pending()
    if pending.chance is not None:
        values = pending.chance.values
        return {action: (values[action], float(likely)) for action, likely in state.chance_outcomes() if actor < 0}
    question = pending.of(actor)
    legal = {} if question is None else state.legal(question)
    return {action: (value, 1 / len(legal)) for action, value in legal.items()}


def kind_of(state: Any, actor: int) -> int | None:
    """The kind that an answer names a member of by its number; None where it does not."""
    pending = state.pending()
    if pending.draw is not None:
        kind: int | None = pending.draw.type.kind if pending.draw.type.what == "entity" else None
        return kind
    site = state.question(actor).site
    return site.type.kind if site.code == "value" and site.type.what == "entity" and not site.branches else None
