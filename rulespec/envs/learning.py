"""A small policy that learns by playing itself: REINFORCE with a softmax over a linear function of what a seat sees, in numpy.

One table of weights plays all seats; each game that ends moves it towards what won.  It is an example to begin from, and shows that
the numbers and vectors of `rulespec.envs` are enough to learn by:

    python -m rulespec.envs.learning GAME --minutes 2 --svg CURVE.svg

prints a curve: after so many games, the mean return, over all seats in turn, against others that play uniformly at random.  With
`--svg` it is also drawn (which needs matplotlib, of the extra `lab`).
"""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import rulespec
from rulespec.envs.vector import Vector

GAMES = 64  # at once
TRIED = 16  # games of each place that a point of the curve is measured by
SLOWER = 10_000  # games after which steps are half as large
LARGEST = 5.0  # entry of a vector that the policy looks at


class Point(NamedTuple):
    """One point of a curve: games learnt from, seconds of processor time, mean return against random seats, half of its 95 % interval."""

    games: int
    seconds: float
    mean: float
    half: float


class Policy:
    """How likely each number is: the softmax of `weights` times what is seen, over the numbers that are legal."""

    def __init__(self, game: rulespec.Game, seed: int = 0, rate: float = 0.003) -> None:
        layout = game.observation_layout
        scale = np.minimum(np.maximum(np.abs(layout.low), np.abs(layout.high)), LARGEST)
        self.scale: Any = 1 / np.maximum(scale, 1)
        self.weights: Any = np.zeros((len(layout), game.num_distinct_actions))
        self.rate = rate
        self.mean: Any = np.zeros(game.num_players)  # of the returns so far, by seat
        self.spread = 1.0  # of what was gained beyond it
        self.ended = 0
        self.random: Any = np.random.default_rng(seed)

    def features(self, seen: Any) -> Any:
        """What is seen, held to small numbers: (games, entries)."""
        return np.clip(seen, -LARGEST, LARGEST) * self.scale

    def likely(self, features: Any, masks: Any) -> Any:
        """The probability of each number: (games, numbers)."""
        scores = np.where(masks > 0, features @ self.weights, -np.inf)
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True)

    def draw(self, likely: Any) -> Any:
        """One number for each row, as likely as it says."""
        heights = likely.cumsum(axis=1)
        return (heights < self.random.random((len(likely), 1)) * heights[:, -1:]).sum(axis=1)

    def gained(self, returns: Any) -> Any:
        """How much more each seat got than usual, in units of how much that varies."""
        self.ended += 1
        beyond = returns - self.mean
        self.mean += beyond / min(self.ended, 1000)
        self.spread += (float(np.abs(beyond).mean()) - self.spread) / min(self.ended, 1000)
        return beyond / max(self.spread, 1e-6)

    def learn(self, features: Any, likely: Any, numbers: Any, gains: Any) -> None:
        """Move towards numbers that gained, away from those that lost."""
        change = -likely
        change[np.arange(len(numbers)), numbers] += 1
        rate = self.rate / (1 + self.ended / SLOWER)
        self.weights += rate * features.T @ (change * gains[:, None])


class Lesson:
    """A policy that learns by playing all seats of a batch of games; `games` is how many have ended."""

    def __init__(self, batch: Vector, policy: Policy) -> None:
        self.batch, self.policy, self.games = batch, policy, 0
        self.going: list[list[tuple[Any, Any, int, int]]] = [
            [] for _ in range(batch.games)
        ]  # what was seen and done, by place

    def step(self) -> None:
        """Answer once in each game, and learn from those that end.  Raises Fault."""
        batch, policy = self.batch, self.policy
        features = policy.features(batch.observations)
        likely = policy.likely(features, batch.masks)
        numbers = policy.draw(likely)
        for place, going in enumerate(self.going):
            going.append((features[place], likely[place], numbers[place], batch.players[place]))
        batch.step(numbers)
        for place in map(int, np.flatnonzero(batch.done)):
            self.games += 1
            gains = policy.gained(batch.rewards[place])
            seen, chances, given, seats = zip(*self.going[place], strict=True)
            policy.learn(np.array(seen), np.array(chances), np.array(given), gains[list(seats)])
            self.going[place] = []


def curve(
    game: rulespec.Game,
    policy: Policy,
    seconds: float = inf,
    most: float = inf,
    every: int = 2000,
    seed: int = 1,
    each: int = TRIED,
) -> Iterator[Point]:
    """Let a policy learn for so many seconds of processor time, or from so many games at `most`.

    There is a point before, one after every so many games, and one at the end.

    What a point tells is measured by `each` games of each place.  Raises Fault.
    """
    lesson, spent, due = Lesson(Vector(game, GAMES, seed), policy), 0.0, 0
    while True:
        over = spent >= seconds or lesson.games >= most
        if lesson.games >= due or over:
            due = lesson.games + every
            yield Point(lesson.games, spent, *tried(game, policy, seed + lesson.games, each))
            if over:
                return
        begun = time.process_time()
        lesson.step()
        spent += time.process_time() - begun


def tried(game: rulespec.Game, policy: Policy, seed: int, each: int = TRIED) -> tuple[float, float]:
    """The mean return of a policy in each seat in turn against random others, and half of its 95 % interval."""
    batch = Vector(game, GAMES, seed)
    results: list[list[float]] = [
        [] for _ in range(GAMES)
    ]  # as many of each place, so that short games count no more than long ones
    own: Any = np.arange(GAMES) % game.num_players
    while min(map(len, results)) < each:
        likely = policy.likely(policy.features(batch.observations), batch.masks)
        uniform = batch.masks / batch.masks.sum(axis=1, keepdims=True)
        mine = (batch.players == own)[:, None]
        batch.step(policy.draw(np.where(mine, likely, uniform)))
        for place in np.flatnonzero(batch.done):
            results[place].append(batch.rewards[place, own[place]])
    counted = [number for of_place in results for number in of_place[:each]]
    return float(np.mean(counted)), float(1.96 * np.std(counted) / len(counted) ** 0.5)


def drawn(title: str, points: Sequence[Point]) -> str:
    """A curve with its intervals, as SVG; needs matplotlib."""
    import matplotlib as mpl  # noqa: PLC0415 - who learns need not draw
    from matplotlib.figure import Figure  # noqa: PLC0415

    games, mean, half = (np.array([point[n] for point in points]) for n in (0, 2, 3))
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "rulespec", "font.family": "sans-serif"}):
        figure = Figure(figsize=(6.4, 3.2), layout="constrained")
        axes = figure.add_subplot(title=title, xlabel="games", ylabel="return against random seats")
        axes.fill_between(games, mean - half, mean + half, alpha=0.25, linewidth=0)
        axes.plot(games, mean, marker="o", markersize=3)
        axes.axhline(0, color="0.6", linewidth=0.8)
        axes.margins(x=0.02)
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None})
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"


def fastest(gamedef: rulespec.GameDef, players: int | None) -> rulespec.Game:
    """The game as C, which is waited for, or in Python where there is no compiler."""
    try:
        return rulespec.Game(gamedef, players, backend="native")
    except rulespec.IllegalAction:
        return rulespec.Game(gamedef, players, backend="python")


def main() -> None:
    """Learn a game, and print the curve."""
    parser = argparse.ArgumentParser(description="Learn a game by playing it, and print a curve.")
    parser.add_argument("game", help="a name or a path")
    parser.add_argument("--players", type=int)
    parser.add_argument("--minutes", type=float, help="of processor time; 2 if neither this nor --games is given")
    parser.add_argument("--games", type=int, help="learn from so many games at most: the same curve on every machine")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--svg", type=Path, metavar="FILE", help="also draw the curve there")
    given = parser.parse_args()
    game = fastest(rulespec.load(given.game), given.players)
    print("games    seconds  return against random seats")
    points = []
    minutes = given.minutes or (2.0 if given.games is None else inf)
    most = inf if given.games is None else given.games
    for point in curve(game, Policy(game, given.seed), 60 * minutes, most, seed=given.seed):
        points.append(point)
        print(f"{point.games:8,} {point.seconds:7.0f}  {point.mean:+.2f} ± {point.half:.2f}", flush=True)
    if given.svg is not None:
        given.svg.write_text(drawn(f"{game.title}: a linear policy learns by playing itself", points))


if __name__ == "__main__":
    main()
