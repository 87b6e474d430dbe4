"""Exact probabilities: where a position may end if chance falls as it may, and each ask is answered uniformly or by nobody.

All positions that can come are looked at once: those that agree in all that the rules can read (`Position.key`) are one, so they are the
nodes of a graph whose edges have probabilities, an absorbing Markov chain (Kemeny and Snell 1960).  Its nodes are eliminated one after
another, predecessors first; where the way comes back (roll until ...), what is eliminated already is put in for what leads to it.  All is
reckoned in fractions.

Example: a coin that is thrown until it shows heads ends with probability 1, after one node with an edge of 1/2 to itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from fractions import Fraction
from math import lcm

from interpreter.bots.basics import Chance
from interpreter.game import SlotState, State
from interpreter.position import SlotPosition
from interpreter.runtime.values import Slots
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic, RulespecError

MOST_POSITIONS = 50_000
MOST_EDGES = 2_000_000  # that are put in for others, where ways come back
MOST_DRAWN = 1_000_000  # answers of one end that is drawn, those of chance included

Choose = Callable[[State, int], int]  # the answer of a seat
Edge = tuple[int, Fraction]  # to which position, with which probability


class TooMany(Exception):
    """There are more positions to look at than are allowed."""


@dataclass(slots=True)
class Node:
    """A position on the way: where it leads, while its answers are looked at and afterwards."""

    position: SlotPosition | None  # until all its answers have been looked at
    edges: dict[int, Fraction] = field(default_factory=dict)

    def leads(self, to: int, probability: Fraction) -> None:
        self.edges[to] = self.edges.get(to, Fraction(0)) + probability


@dataclass(frozen=True, slots=True)
class Odds:
    """The ends of a position, each with its probability, all of which add up to 1; `positions` were looked at."""

    ends: tuple[tuple[Slots, Fraction], ...]
    positions: int


def odds(state: State, uniform: bool = False, most: int = MOST_POSITIONS) -> Odds:
    """Where a position may end.

    With `uniform` players choose each answer that is legal with the same probability.  Raises TooMany where there are more than `most`
    positions, Fault, and RulespecError: P014 where a player is asked who does not answer, P015 where it may go on for ever.
    """
    return Walk(uniform, most).odds(state.explicit())


def answers(position: SlotPosition, uniform: bool) -> list[Edge]:
    """What may be answered next, with probabilities; raises RulespecError P014."""
    if position.is_chance_node():
        return position.chance_outcomes()
    if not uniform:
        raise asked(position)
    legal = position.legal_actions()
    return [(action, Fraction(1, len(legal))) for action in legal]


def asked(position: SlotPosition) -> RulespecError:
    """The error that a player is asked and nobody answers."""
    question = position.asked(None)
    message = f"{position.seat_name(question.seat)} is asked for `{question.site.name}`, and nobody answers"
    help = (
        "`--bot random` answers uniformly, any other bot as it plays",
        "look at what comes after the answer: `--given`, `--run`, `--load`",
    )
    return RulespecError([Diagnostic("P014", message, question.site.where, help=help)])


class Walk:
    """The graph of what may come of a position."""

    def __init__(self, uniform: bool, most: int) -> None:
        self.uniform = uniform
        self.most = most
        self.numbers: dict[object, int] = {}
        self.nodes: list[Node] = []
        self.over: dict[int, Slots] = {}
        # Of those that are not over: each after all that it leads to, but for ways that come back.
        self.order: list[int] = []
        self.left = MOST_EDGES

    def odds(self, start: SlotPosition) -> Odds:
        """Where it may end."""
        first = self.number(start)
        self.look(first)
        mass = {first: Fraction(1)}
        place = {number: rank for rank, number in enumerate(reversed(self.order))}
        for number in reversed(self.order):
            node = self.nodes[number]
            self.settle(number, node, place)
            share = mass.pop(number)
            for to, probability in node.edges.items():
                mass[to] = mass.get(to, Fraction(0)) + share * probability
        return Odds(tuple((self.over[number], share) for number, share in mass.items()), len(self.nodes))

    def number(self, position: SlotPosition) -> int:
        """The number of a position; that of an equal one, if there was one."""
        key = position.key()
        number = self.numbers.get(key)
        if number is None:
            if len(self.nodes) >= self.most:
                raise TooMany
            number = self.numbers[key] = len(self.nodes)
            self.nodes.append(Node(position))
            if position.is_terminal():
                self.over[number] = position.slots
        return number

    def look(self, first: int) -> None:
        """Look at all that may come, deep first."""
        way: list[tuple[int, Iterator[Edge]]] = []

        def enter(number: int) -> None:
            position = self.nodes[number].position
            assert position is not None
            way.append((number, iter(answers(position, self.uniform))))

        if first not in self.over:
            enter(first)
        while way:
            number, left = way[-1]
            node = self.nodes[number]
            answer = next(left, None)
            if answer is None:
                node.position = None
                self.order.append(number)
                way.pop()
                continue
            action, probability = answer
            assert node.position is not None
            known = len(self.nodes)
            to = self.number(node.position.child(action))
            node.leads(to, probability)
            if to == known and to not in self.over:
                enter(to)

    def settle(self, number: int, node: Node, place: dict[int, int]) -> None:
        """Let a node lead only to ends and to nodes that come later; raises RulespecError P015 where it leads to itself alone."""
        rank = place[number]
        while back := [to for to in node.edges if place.get(to, rank) < rank]:
            earlier = min(back, key=place.__getitem__)
            share = node.edges.pop(earlier)
            others = self.nodes[earlier].edges
            self.left -= len(others)
            if self.left < 0:
                raise TooMany
            for to, probability in others.items():
                node.leads(to, share * probability)
        again = node.edges.pop(number, Fraction(0))
        if again == 1:
            message = "it may go on for ever: a position comes back from which nothing else follows"
            raise RulespecError([Diagnostic("P015", message)])
        if again:
            node.edges = {to: probability / (1 - again) for to, probability in node.edges.items()}


# --- by lot ---------------------------------------------------------------------------------------------------------------
def drawn(start: SlotState, chance: Chance, choose: Choose | None) -> State:
    """One end, drawn with the probabilities that `odds` reckons with; players answer as `choose` says.

    Raises Fault, and RulespecError: P014 where nobody answers, P015 where it does not end.
    """
    position = start.clone()
    for _ in range(MOST_DRAWN):
        if position.is_terminal():
            return position
        seat = position.current_player()
        if position.is_chance_node():
            outcomes = position.chance_outcomes()
            unit = lcm(*(probability.denominator for _, probability in outcomes))
            weights = [int(probability * unit) for _, probability in outcomes]
            action = chance.weighted([action for action, _ in outcomes], weights)
        elif choose is None:
            raise asked(position)
        else:
            action = choose(position, seat)
        position.apply_action(action, seat)
    raise RulespecError([Diagnostic("P015", f"there is no end after {MOST_DRAWN:,} answers")])
