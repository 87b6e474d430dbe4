"""A player that searches: information set Monte Carlo tree search (Cowling, Powley, Whitehouse 2012, with one observer).

Each playout begins from another determinization (see `interpreter.bots.guess`) and goes down one tree that they share.  A node is what
the searching seat can tell apart: for its own decisions what it sees, for those of others what anybody sees, and in both cases what the
seat that is asked has answered since the search began.  So no node tells apart positions by what is hidden, nor by what others have sealed.

At a node the option with the highest upper confidence bound is tried (UCB1), among those that this determinization allows; an option counts
as passed over only where it was allowed.  The first new node of a playout ends the way through the tree, and the rest is played at random.
Each node is credited with the outcome of its own seat, so players are as many as they are, each for itself (max^n).

Example: with 20 playouts and 3 actions each action is tried once, and each of the other 17 playouts tries the action with the highest
upper confidence bound.  The action tried most often is chosen.
"""

from __future__ import annotations

import math
import time
from collections.abc import Hashable, Iterable
from dataclasses import field
from typing import Protocol

from interpreter.bots.basics import Chance
from interpreter.bots.guess import Guesses
from interpreter.bots.judge import Judge
from interpreter.game import Game, SlotState, State
from interpreter.questions import Question
from interpreter.runtime.faults import Fault
from interpreter.views.seen import seen
from rulespec.bots.data import Policy
from rulespec.system.records import dataclass

CURIOSITY = 0.7  # weight of exploration in UCB1, for outcomes from 0 to 1
MOST_NODES = 200_000  # of one search; beyond them playouts go on from the tree as it is

Edge = Hashable  # what an option answers: it means the same in each determinization


class Guide(Protocol):
    """A policy of playouts: restricts the actions between which they choose at random."""

    def left(self, state: State, question: Question) -> list[int]:
        """The actions between which a playout chooses."""
        ...


@dataclass(slots=True)
class Node:
    """What came of the options of one decision: how often each was tried, how often it was there, and the sum of what it brought."""

    tries: dict[Edge, int] = field(default_factory=dict)
    offered: dict[Edge, int] = field(default_factory=dict)
    sums: dict[Edge, float] = field(default_factory=dict)

    def choose(self, options: Iterable[Edge], scale: Scale, chance: Chance) -> Edge:
        """An option that was never tried, at random, else the one with the highest upper confidence bound."""
        options = list(options)
        fresh = [option for option in options if option not in self.tries]
        if fresh:
            return chance.one_of(fresh)
        return max(options, key=lambda option: self.bound(option, scale))

    def bound(self, option: Edge, scale: Scale) -> float:
        """The upper confidence bound of an option that was tried."""
        tries = self.tries[option]
        mean = scale.fraction(self.sums[option] / tries)
        return mean + CURIOSITY * math.sqrt(math.log(self.offered[option] + 1) / tries)

    def passed(self, options: Iterable[Edge]) -> None:
        """These options were there to be chosen."""
        for option in options:
            self.offered[option] = self.offered.get(option, 0) + 1

    def credit(self, option: Edge, worth: float) -> None:
        """An option was chosen and brought so much."""
        self.tries[option] = self.tries.get(option, 0) + 1
        self.sums[option] = self.sums.get(option, 0.0) + worth


@dataclass(slots=True)
class Scale:
    """The least and the greatest outcome of any seat so far."""

    low: float = math.inf
    high: float = -math.inf

    def widen(self, worth: float) -> None:
        """An outcome was met."""
        self.low, self.high = min(self.low, worth), max(self.high, worth)

    def fraction(self, worth: float) -> float:
        """An outcome as a number from 0 to 1."""
        return (worth - self.low) / ((self.high - self.low) or 1.0)


class SearchBot:
    """Plays options on to the end, those that do well more often, and chooses the one that was tried most.

    Playouts choose uniformly beyond the tree, or among the actions that a `guide` leaves to each seat.

    A search makes `playouts` of them, or as many as it can in `seconds`; it ends early where no other option can overtake the best.
    What it chooses depends on what its seat sees and on its seed alone, unless it is bounded by time.
    """

    def __init__(
        self,
        game: Game,
        policy: Policy,
        judge: Judge,
        seed: int,
        guesses: Guesses | None = None,
        guide: Guide | None = None,
    ) -> None:
        self.game = game
        self.judge = judge
        self.chance = Chance(seed)
        self.guesses = guesses or Guesses(game)
        # The way of answers tells all: nothing is hidden, and chance has no part in it.
        self.determined = game.information == "perfect_information" and game.chance_mode == "deterministic"
        self.playouts = policy.playouts or 1
        self.seconds = policy.seconds
        self.depth = policy.depth
        self.value = policy.value
        self.guide = guide

    def choose(self, state: State, player: int | None = None) -> int:
        """An action for a player who is asked, or the current one."""
        question = state.asked(player)
        return self.best(state, question.seat, list(state.legal(question)))

    def best(self, state: State, seat: int, actions: list[int]) -> int:
        """The best of these actions."""
        if len(actions) == 1:
            return actions[0]
        legal = state.legal(state.asked(seat))
        search = Search(self, seat, {legal[action]: action for action in actions})
        begin = self.guesses.position(state, seat, self.chance) if self.determined else None
        until = None if self.seconds is None else time.monotonic() + self.seconds
        left = self.playouts if until is None else math.inf
        while left > 0 and (until is None or time.monotonic() < until) and not search.settled(left):
            search.playout(begin.clone() if begin else self.guesses.position(state, seat, self.chance))
            left -= 1
        return search.best()


class Search:
    """One decision of a `SearchBot`: its tree, which grows by a node with each playout."""

    def __init__(self, bot: SearchBot, seat: int, options: dict[Edge, int]) -> None:
        self.bot = bot
        self.seat = seat
        self.options = options  # of the decision that is searched: what each answers, and its action
        self.root = Node()
        self.nodes: dict[Hashable, Node] = {}
        self.scale = Scale()

    def settled(self, left: float) -> bool:
        """Whether no other option can be tried more often than the best, with so many playouts left."""
        tries = sorted((self.root.tries.get(option, 0) for option in self.options), reverse=True)
        return tries[0] > tries[1] + left

    def best(self) -> int:
        """The action tried most often; the one that brought more of two that were tried as often."""
        tries, sums = self.root.tries, self.root.sums
        order = self.bot.chance.shuffled(list(self.options))
        return self.options[max(order, key=lambda option: (tries.get(option, 0), sums.get(option, 0.0)))]

    def playout(self, state: SlotState) -> None:
        """Play a determinization to its end and credit the options chosen in the tree; one that ends in a fault is the worst."""
        way: list[tuple[Node, Edge, int]] = []
        try:
            question = state.question(self.seat)
            if question is None:
                return
            worths = self.worths(self.end(state, question, way))
        except Fault:
            worths = [self.scale.low if self.scale.low < math.inf else 0.0] * self.bot.game.num_players
        for worth in worths:
            self.scale.widen(worth)
        for node, option, seat in way:
            node.credit(option, worths[seat])

    def end(self, state: SlotState, question: Question, way: list[tuple[Node, Edge, int]]) -> State:
        """Where a playout ends: through the tree to its first new node, from there at random to the end or to the depth of the search."""
        chance, depth, guide = self.bot.chance, self.bot.depth, self.bot.guide
        said: dict[int, tuple[Edge, ...]] = {}  # what each seat has answered since the search began
        node: Node | None = self.root
        while True:
            seat = question.seat
            legal = state.legal(question)
            if node is not None and len(legal) > 1:
                by_edge = {value: action for action, value in legal.items()}
                if node is self.root:
                    by_edge = {edge: action for edge, action in by_edge.items() if edge in self.options}
                    if not by_edge:
                        return state
                fresh = not node.tries and node is not self.root
                edge = node.choose(by_edge, self.scale, chance)
                node.passed(by_edge)
                way.append((node, edge, seat))
                action = by_edge[edge]
                if fresh:
                    node = None  # the rest is played at random
            elif node is None and guide is None and depth is None:
                return self.bot.game.in_c(state).playout(chance.below(1 << 48))
            else:
                action = chance.one_of(list(legal) if guide is None else guide.left(state, question))
            edge = legal[action]
            if len(legal) > 1:
                said[seat] = (*said.get(seat, ()), edge)
            state.apply_action(action, seat)
            if depth is not None and len(legal) > 1:
                depth -= 1
            if state.is_terminal() or depth == 0:
                return state
            question = state.pending().questions[0]
            if node is not None:
                node = self.node(self.key(state, question, node, edge, said))

    def key(
        self, state: State, question: Question, before: Node, edge: Edge, said: dict[int, tuple[Edge, ...]]
    ) -> Hashable:
        """What tells the node of a decision from others: the way to it where that is all there is to know, else what is seen."""
        seat = question.seat
        if self.bot.determined:
            return id(before), edge, question.site.index
        view, _ = seen(state, seat if seat == self.seat else None)
        return seat, question.site.index, said.get(seat, ()), view

    def node(self, key: Hashable) -> Node | None:
        """The node of a key; None where the tree is full."""
        if key not in self.nodes:
            if len(self.nodes) >= MOST_NODES:
                return None
            self.nodes[key] = Node()
        return self.nodes[key]

    def worths(self, state: State) -> list[float]:
        """What the end of a playout is worth to each seat."""
        value = self.bot.value
        if value is None:
            return [float(number) for number in state.returns()]
        slots = state.slots
        return [
            float(self.bot.judge.value(value.function, value.span, slots, seat))
            for seat in range(self.bot.game.num_players)
        ]
