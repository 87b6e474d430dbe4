"""What was measured of a game before: a small file beside it, `review.json`, and how the game differs from that now."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import field
from math import inf
from pathlib import Path
from typing import Any

from interpreter.files import saves
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic, RulespecError
from rulespec.text.quoting import ticked

from .figures import GAME, Key, Sample, Spread, chance_of, floor
from .finding import Finding
from .rounds import ROUNDS
from .significance import level

FORMAT = 1
MEASURES = 2  # goes up where what is measured, or what it is called, changes
WATCHED = "watched"  # the setup of what the watched machine counts
MOST_BYTES = 4_000_000
MOST_FIGURES = 600  # of a setup: of more, those that most games have
FEWEST = 8  # games in which a figure was measured, for it to be kept


@dataclass(slots=True)
class Measured:
    """The figures of a setup, as they are kept."""

    games: int
    populations: dict[str, int]
    figures: dict[Key, Spread]


@dataclass(slots=True)
class Baseline:
    """What was measured, and which questions were answered, by their ids; `measures` says by which version of the measures."""

    game: str
    setups: dict[str, Measured] = field(default_factory=dict)
    answered: tuple[str, ...] = ()
    measures: int = MEASURES

    def to_json(self) -> str:
        """As text: a line for each population."""
        lines = [
            "{",
            f'  "rulespec_review": {FORMAT},',
            f'  "measures": {self.measures},',
            f'  "game": {json.dumps(self.game)},',
            f'  "answered": {json.dumps(list(self.answered), indent=2, ensure_ascii=False).replace(chr(10), chr(10) + "  ")},',
            '  "setups": {',
        ]
        parts = []
        for name, measured in self.setups.items():
            rows = []
            by_population: dict[str, dict[str, Any]] = {}
            for (population, figure), s in measured.figures.items():
                by_population.setdefault(population, {})[figure] = [s.mean, list(s.cuts), list(s.counts)]
            for population, figures in by_population.items():
                number = measured.games if population == GAME else measured.populations[population]
                cells = ",\n".join(f"        {text(figure)}: {text(row)}" for figure, row in figures.items())
                rows.append(f'      {text(population)}: {{"games": {number}, "figures": {{\n{cells}\n      }}}}')
            parts.append(
                f'    {text(name)}: {{"games": {measured.games}, "figures": {{\n' + ",\n".join(rows) + "\n    }}"
            )
        lines.append(",\n".join(parts))
        return "\n".join([*lines, "  }", "}", ""])


def text(value: Any) -> str:
    """JSON in a line; whole numbers without a point."""
    return json.dumps(whole(value), ensure_ascii=False)


def whole(value: Any) -> Any:
    """Numbers that are whole as whole numbers."""
    if isinstance(value, list):
        return [whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def kept(sample: Sample, brief: bool) -> Measured:
    """The figures of a sample that are worth keeping; `brief`: only of games as a whole."""
    counted = {
        key: len(values)
        for key, values in sample.values.items()
        if sample.size(key[0]) >= FEWEST and not (brief and not headline(key))
    }
    chosen = sorted(counted, key=lambda key: (key[0] != GAME, -counted[key], key))[:MOST_FIGURES]
    figures = {key: sample.spread(key) for key in sorted(chosen)}
    populations = {name: sample.populations[name] for name, _ in figures if name != GAME}
    return Measured(sample.games, populations, figures)


def headline(key: Key) -> bool:
    """Whether a figure is of a game as a whole."""
    return key[0] == GAME and (key[1] == "decisions" or key[1].startswith(("ended: ", "seat ", "asked ")))


def make(game: str, samples: Mapping[str, Sample], brief: frozenset[str], answered: tuple[str, ...]) -> Baseline:
    """The baseline of what was measured now, by the names of setups; of some of them it is brief."""
    setups = {name: kept(sample, name in brief) for name, sample in samples.items() if sample.games}
    return Baseline(game, setups, tuple(sorted(set(answered))))


def read(path: Path) -> Baseline | None:
    """The baseline in a file; None where there is no file.  Raises RulespecError T001 for one that is none."""
    try:
        content = path.read_bytes()[: MOST_BYTES + 1]
    except FileNotFoundError:
        return None
    try:
        if len(content) > MOST_BYTES:
            raise ValueError(f"it has more than {MOST_BYTES:,} bytes")
        return from_data(json.loads(content, object_pairs_hook=saves.single))
    except saves.Doubled as doubled:
        said = f"the key {json.dumps(str(doubled), ensure_ascii=False)} stands twice in one object"
        raise no_baseline(path, said) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise no_baseline(path, str(error)) from None


def no_baseline(path: Path, said: str) -> RulespecError:
    """That a file is no baseline."""
    message = f"{ticked(path.as_posix())} is no baseline of a review: {said[:100]}"
    return RulespecError([Diagnostic("T001", message, origin=path.as_posix(), help=("make it again with --accept",))])


def from_data(data: Any) -> Baseline:
    """The baseline in JSON data; raises ValueError, KeyError, TypeError or AttributeError for what is none."""
    if data["rulespec_review"] != FORMAT:
        raise ValueError(f"its format is {data['rulespec_review']!r}, and not {FORMAT}")
    setups = {}
    for name, record in data["setups"].items():
        populations, figures = {}, {}
        for population, part in record["figures"].items():
            populations[str(population)] = natural(part["games"])
            for figure, (mean, cuts, counts) in part["figures"].items():
                one = Spread(float(mean), tuple(map(float, cuts)), tuple(map(natural, counts)))
                if not one.cuts or len(one.cuts) != len(one.counts) or sorted(set(one.cuts)) != list(one.cuts):
                    raise ValueError(f"{figure!r} is no spread")
                figures[str(population), str(figure)] = one
        populations.pop(GAME, None)
        setups[str(name)] = Measured(natural(record["games"]), populations, figures)
    return Baseline(str(data["game"]), setups, tuple(map(str, data["answered"])), natural(data.get("measures", 1)))


def natural(value: Any) -> int:
    """A whole number from 0 to a million; raises ValueError."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 1_000_000:
        raise ValueError(f"{value!r:.20} is no number of games")
    return value


# --- differences ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Difference:
    """A figure that is another one now, by more than chance; `chance` is how likely chance gives as much."""

    setup: str
    key: Key
    before: float
    now: float
    chance: float
    sure: bool  # no value of before is a value of now


def differences(baseline: Baseline, samples: Mapping[str, Sample]) -> list[Difference]:
    """All figures that differ, by more than chance gives among so many."""
    tests = list(pairs(baseline, samples))
    bar = level([floor(before, len(values) + zeros) for _, _, before, values, zeros in tests])
    found = []
    for setup, key, before, values, zeros in tests:
        chance = chance_of(before, values, zeros)
        if chance <= bar:
            mean = sum(values) / (len(values) + zeros)
            seen = [*values, *[0.0] * bool(zeros)]
            sure = min(seen) > before.cuts[-1] or max(seen) < before.cuts[0]
            found.append(Difference(setup, key, before.mean, float(f"{mean:.3g}"), chance, sure))
    return found


def pairs(baseline: Baseline, samples: Mapping[str, Sample]) -> Iterator[tuple[str, Key, Spread, list[float], int]]:
    """(setup, figure, what it was, where it is not 0 now, how often it is 0) of all that can be compared."""
    for name, measured in baseline.setups.items():
        sample = samples.get(name)
        if sample is None or not sample.games:
            continue
        full = len(measured.figures) >= MOST_FIGURES or all(map(headline, measured.figures))
        keys = {*measured.figures, *sample.values}
        if baseline.measures < MEASURES:  # what was measured otherwise then is not compared
            keys = {*measured.figures} & {*sample.values}
        for key in sorted(keys):
            size = sample.size(key[0])
            before = measured.figures.get(key)
            if before is None:
                games = measured.games if key[0] == GAME else measured.populations.get(key[0], 0)
                if not games or full:
                    continue
                before = Spread(0.0, (0.0,), (games,))
            if size:
                values = sample.values.get(key, [])
                yield name, key, before, values, size - len(values)


def as_findings(found: list[Difference]) -> list[Finding]:
    """Differences in words, the same figure of several setups together, the most telling first."""
    grouped: dict[Key, list[Difference]] = {}
    for one in found:
        grouped.setdefault(one.key, []).append(one)
    findings = []
    for key, alike in grouped.items():
        first = min(alike, key=lambda one: one.chance)
        others = f" (and in {len(alike) - 1} other setup{'s' if len(alike) > 2 else ''})" if len(alike) > 1 else ""
        findings.append(
            Finding(
                kind="difference",
                subject=f"{key[0]}: {key[1]}",
                message=f"{figure_words(key)}: {figure(first.before)} -> {figure(first.now)}{others}",
                setup=first.setup,
                weight=weight(first),
                data={"before": first.before, "now": first.now, "chance": first.chance},
            )
        )
    return sorted(findings, key=lambda one: (-one.weight, one.subject))


def weight(one: Difference) -> float:
    """How much a difference tells: what cannot be chance at all, then what changed most of what it was."""
    most = max(abs(one.before), abs(one.now), 1e-9)
    inner = one.setup == WATCHED  # how often a line ran says less than what it did
    return (
        (2 if one.sure else 0)
        - (1.5 if inner else 0)
        + (1 if one.key[0] == GAME else 0.5) * abs(one.now - one.before) / most
    )


def figure(number: float) -> str:
    """A figure for people."""
    if abs(number) >= 1000 and abs(number) < inf:
        return f"{number:,.0f}"
    return f"{number:g}"


def figure_words(key: Key) -> str:
    """What a figure is, in words."""
    population, name = key
    if population == GAME:
        return (
            f"in a game, {name}"
            if name.startswith(("asked", "done"))
            else f"{name}"
            if name != "decisions"
            else "decisions in a game"
        )
    if population == ROUNDS:
        return f"{ticked(name)} at the beginning of a round, from what it was at the first"
    kind, _, what = population.partition(":")
    if kind == "ask":
        return f"{ticked(what)} is asked, {name}"
    if kind == "do":
        return f"after {ticked(what)}, {name}"
    return f"{ticked(population)}, {name}"
