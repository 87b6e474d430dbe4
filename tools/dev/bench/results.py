"""The results of a run as data: the numbers of each round, their summaries, and JSON of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, field, replace
from math import sqrt
from statistics import median
from typing import Any

from rulespec.system.records import dataclass

FORMAT = 1
BACKENDS = ("native", "generated", "reference")  # ours, the fastest first
ALIKE = 5.0  # standard errors by which two samples of one game may differ
FEW = 30  # games: of fewer the variance says little


@dataclass(frozen=True, slots=True)
class Spread:
    """The middle of several rounds, and how far they went."""

    median: float
    low: float
    high: float


def spread(values: Sequence[float]) -> Spread:
    """The median with the least and the greatest; raises ValueError for no values."""
    if not values:
        raise ValueError("there are no values")
    return Spread(median(values), min(values), max(values))


@dataclass(frozen=True, slots=True)
class Series:
    """A contender's rounds of one quantity: units a second, in the order of the rounds; or why there are none."""

    contender: str
    quantity: str
    rates: tuple[float, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """What a contender's random games were like: [mean, variance] of each feature over so many games."""

    contender: str
    quantity: str
    games: int
    features: Mapping[str, Sequence[float]]

    def differs(self, other: Sample) -> list[str]:
        """The features in which two samples cannot be of the same game; none where one is too small to tell."""
        differences: list[str] = []
        if min(self.games, other.games) < FEW:
            return differences
        for name in self.features.keys() & other.features.keys():
            (mean, variance), (other_mean, other_variance) = self.features[name], other.features[name]
            error = sqrt(variance / self.games + other_variance / other.games)
            if abs(mean - other_mean) > ALIKE * error + 1e-9:
                differences.append(name)
        return sorted(differences)


@dataclass(frozen=True, slots=True)
class Row:
    """One game for so many players, with all who played in it."""

    game: str
    title: str
    players: int
    kind: str
    note: str
    series: tuple[Series, ...]
    samples: tuple[Sample, ...]
    alike: bool = True  # whether all who play have random games of the same lengths and returns
    apart: str = ""  # the day on which it was measured and put to an earlier run; "" for a row of the run itself

    @property
    def ours(self) -> str:
        """The fastest of our back ends that was measured: what is put beside the others."""
        return "native" if self.rates("native", "steps") else "generated"

    def rates(self, contender: str, quantity: str) -> tuple[float, ...]:
        """A contender's rounds; empty where it was not measured."""
        for series in self.series:
            if (series.contender, series.quantity) == (contender, quantity):
                return series.rates
        return ()

    def ratio(self, ours: tuple[str, str], theirs: tuple[str, str]) -> Spread | None:
        """How often as fast, round by round, (contender, quantity) against another."""
        pairs = list(zip(self.rates(*ours), self.rates(*theirs), strict=False))
        return spread([a / b for a, b in pairs]) if pairs else None

    @property
    def length(self) -> float | None:
        """The mean number of decisions in a random game, over everybody's samples; None if nobody knows it."""
        told = [
            sample
            for sample in self.samples
            if "length" in sample.features and (self.alike or sample.contender in BACKENDS)
        ]
        games = sum(sample.games for sample in told)
        return sum(sample.features["length"][0] * sample.games for sample in told) / games if games else None

    def strangers(self) -> list[tuple[str, str, list[str]]]:
        """(contender, quantity, features) of samples that cannot be of the same game as the first."""
        there = [sample for sample in self.samples if self.alike or sample.contender in BACKENDS]
        first, *others = there or (None,)
        if first is None:
            return []
        compared = [
            (series.contender, series.quantity, series.differs(first)) for series in others if series is not None
        ]
        return [entry for entry in compared if entry[2]]


@dataclass(frozen=True, slots=True)
class Fresh:
    """What a new process needs for a game: seconds of each round, or bytes, by the name of the stage."""

    game: str
    players: int
    what: str  # "lint", "load", "cached", "memory", "build" or "threads"
    backend: str
    stages: Mapping[str, Sequence[float]] = field(default_factory=dict)
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Results:
    """A whole run."""

    date: str
    machine: Mapping[str, Any]
    settings: Mapping[str, Any]
    peers: Mapping[str, Mapping[str, Any]]  # id -> title, version, problem
    rows: tuple[Row, ...]
    fresh: tuple[Fresh, ...]

    def adding(self, other: Results) -> Results:
        """This run with the rows of another, which are newer: in place of those of the same game, or behind all."""
        rows = {(row.game, row.players, row.kind): row for row in self.rows}
        rows |= {(row.game, row.players, row.kind): replace(row, apart=other.date) for row in other.rows}
        return replace(self, rows=tuple(rows.values()))

    def find(self, game: str) -> list[Row]:
        """The rows of a game, by the number of players."""
        return sorted((row for row in self.rows if row.game == game), key=lambda row: row.players)


def to_json(results: Results) -> str:
    """The run as text, a line for each row, numbers with six digits; `from_json` reads it."""
    data = {"rulespec_bench": FORMAT, **rounded(asdict(results))}
    lines = [json.dumps(row, ensure_ascii=False) for row in data.pop("rows")]
    head = json.dumps(data, indent=1, ensure_ascii=False)
    return head.removesuffix("\n}") + ',\n "rows": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"


def rounded(value: Any) -> Any:
    """The same data with numbers of six digits."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, Mapping):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(item) for item in value]
    return value


def from_json(text: str) -> Results:
    """The run of a text; raises ValueError where it is none."""
    try:
        data = json.loads(text)
        if data.pop("rulespec_bench") != FORMAT:
            raise ValueError("it is of another version")
        rows = [
            Row(
                **{
                    **row,
                    "series": tuple(Series(**{**series, "rates": tuple(series["rates"])}) for series in row["series"]),
                    "samples": tuple(Sample(**series) for series in row["samples"]),
                }
            )
            for row in data.pop("rows")
        ]
        fresh = [Fresh(**series) for series in data.pop("fresh")]
        return Results(**data, rows=tuple(rows), fresh=tuple(fresh))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"this is no result of the benchmark: {error}") from None
