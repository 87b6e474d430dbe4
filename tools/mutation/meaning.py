"""What a run of the second set found: by class and by game, lint alone and with the games' own cases, as JSON data and as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import layout
from .results import CAUGHT, MutationResults, code, percent
from .slips import CLASSES, ROOT, Slip, has_cases, title
from .trial import MutantVerdict

AIMS = {"lint": 35, "with_cases": 96}  # in percent: of all, and of those in games with cases


@dataclass(frozen=True, slots=True)
class MeaningResults:
    """Every mistake with its verdict; the games with cases; what lint says of unbroken games."""

    verdicts: tuple[tuple[Slip, MutantVerdict], ...]
    tested: frozenset[str]
    places: dict[str, str]  # where each game lies
    alarms: tuple[str, ...]


def gathered(games: Sequence[Path], slips: Sequence[Slip], results: MutationResults) -> MeaningResults:
    """The verdicts of a run over the mistakes, in their order."""
    verdicts = {verdict.mutant: verdict for verdict in results.verdicts}
    return MeaningResults(
        tuple((slip, verdicts[slip.mutant]) for slip in slips),
        frozenset(title(game) for game in games if has_cases(game)),
        {title(game): game.relative_to(ROOT).as_posix() for game in games},
        results.alarms,
    )


def counts(results: MeaningResults, verdicts: Sequence[tuple[Slip, MutantVerdict]]) -> dict[str, int]:
    """A row of numbers."""
    tested = [verdict for slip, verdict in verdicts if slip.mutant.game in results.tested]
    return {
        "total": len(verdicts),
        "lint": sum(verdict.how == "static" and not verdict.cases_only for _, verdict in verdicts),
        "in_games_with_cases": len(tested),
        "with_cases": sum(verdict.how in CAUGHT for verdict in tested),
    }


def grouped(results: MeaningResults, key: Callable[[Slip], str]) -> dict[str, dict[str, int]]:
    """The same for each group, sorted."""
    groups: dict[str, list[tuple[Slip, MutantVerdict]]] = {}
    for slip, verdict in results.verdicts:
        groups.setdefault(key(slip), []).append((slip, verdict))
    return {name: counts(results, verdicts) for name, verdicts in sorted(groups.items())}


def place(results: MeaningResults, slip: Slip) -> str:
    """Where a mistake stands."""
    game = results.places[slip.mutant.game]
    return f"{game}:{slip.mutant.line}" if game.endswith(".yaml") else f"{game}/{slip.mutant.file}:{slip.mutant.line}"


def document(results: MeaningResults) -> dict[str, Any]:
    """All of it as JSON data."""
    return {
        **counts(results, results.verdicts),
        "false_alarms": len(results.alarms),
        "alarms": list(results.alarms),
        "codes": dict(sorted(Counter(v.code for _, v in results.verdicts if v.code and not v.cases_only).items())),
        "classes": grouped(results, lambda slip: slip.mutant.family),
        "games": grouped(results, lambda slip: results.places[slip.mutant.game]),
        "unnoticed": [
            {
                "place": place(results, slip),
                "class": slip.mutant.family,
                "end": verdict.how,
                "why": slip.why,
                "was": slip.mutant.old,
                "now": slip.mutant.new,
            }
            for slip, verdict in results.verdicts
            if verdict.how not in CAUGHT
        ],
    }


def to_json(results: MeaningResults) -> str:
    """docs/mutation_meaning.json."""
    return layout.to_json(document(results))


def summary(results: MeaningResults) -> list[str]:
    """The figures beside their aims."""
    data = document(results)
    lint, cases = percent(data["lint"], data["total"]), percent(data["with_cases"], data["in_games_with_cases"])
    return [
        f"{data['lint']} of {data['total']} mistakes are found by lint alone: {lint} (aim: {AIMS['lint']} %)",
        f"{data['with_cases']} of the {data['in_games_with_cases']} in games with cases are noticed by lint, cases or random play: "
        f"{cases} (aim: {AIMS['with_cases']} %)",
        f"{data['false_alarms']} findings of lint in the unbroken games (aim: 0)",
    ]


HEADS = ("mistakes", "lint alone", "in games with cases", "with cases")
KEYS = ("total", "lint", "in_games_with_cases", "with_cases")


def rows(title: str, data: dict[str, Any]) -> layout.Rows:
    """A table of counts, the sums last."""
    return layout.rows(title, KEYS, data)


INTRO = """\
How much is noticed of mistakes that are well formed? These were written by hand, one at a time: what somebody who writes rules gets wrong
although every name exists and every type fits. They are data, in `tests/slips`, each with its class and a line that says what it does.
None is a misspelling; those are [the first set](mutation.md)."""

METHOD = """\
A mistake is a game with one text replaced, in the shipped games, in the games that newcomers wrote (`tests/newcomer`) and in the small
legitimate ones (`tests/legitimate`), which have no cases.

- *lint alone*: `rulespec lint` finds something that it does not find in the unbroken game, in the rules and not only in a case or variant.
- *with cases*: lint finds something, or a case fails, or random play does, in the games that have cases.

The mistakes of the shipped games and of the newcomers' games were written before the checks that look for such mistakes, the others
after them and before they were tried on those. Lint found 22.4 % of the first 134
(all but those of the wargame) before the checks L101 to L115."""


def page(results: MeaningResults) -> str:
    """docs/mutation_meaning.md."""
    data = document(results)
    unnoticed = ["| place | class | why it is one | was | became |", "|---|---|---|---|---|"]
    for row in data["unnoticed"]:
        unnoticed.append(
            f"| {row['place']} | {row['class']} | {row['why']} | {code(row['was'])} | {code(row['now'])} |"
        )
    return layout.page(
        "Mistakes of meaning",
        INTRO,
        summary(results),
        {
            "By class": layout.markdown("class", HEADS, rows("classes", data)),
            "By game": layout.markdown("game", HEADS, rows("games", data)),
            "How it is measured": METHOD,
            "The classes": layout.listed([f"*{name}*: {about}" for name, about in CLASSES.items()]),
            "What nobody noticed": "\n".join(unnoticed) if data["unnoticed"] else "Nothing.",
        },
    )


def table(results: MeaningResults) -> layout.Rows:
    """Classes, a line, then games, for a terminal."""
    data = document(results)
    return layout.table(HEADS, {"class": rows("classes", data), "game": rows("games", data)})
