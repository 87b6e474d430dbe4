"""What a run of the second set found: by class and by game, lint alone and with the games' own cases, as JSON data and as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rulespec.system.records import dataclass

from . import layout
from .families import Mutant
from .results import CAUGHT, ELSEWHERE, MutationResults, astray, code, led, led_in_words, percent
from .reviewing import BUDGET, GAMES, OTHERS, Reviews, ReviewVerdict
from .slips import CLASSES, ROOT, Slip, has_cases, title
from .trial import MutantVerdict

AIMS = {"lint": 35, "with_review": 65, "with_cases": 96}  # in percent: of all, of all, and of those in games with cases


@dataclass(frozen=True, slots=True)
class MeaningResults:
    """Every mistake with its verdict; the games with cases; what lint says of unbroken games; what reviews tell."""

    verdicts: tuple[tuple[Slip, MutantVerdict], ...]
    tested: frozenset[str]
    places: dict[str, str]  # where each game lies
    alarms: tuple[str, ...]
    reviews: Reviews

    def review(self, mutant: Mutant) -> ReviewVerdict:
        """What a review tells of a mistake: nothing, where lint does and nobody asked it."""
        return self.reviews.verdicts.get(mutant, ReviewVerdict())


def by_lint(verdict: MutantVerdict) -> bool:
    """Whether lint finds a mistake in the rules."""
    return verdict.how == "static" and not verdict.cases_only


def gathered(
    games: Sequence[Path], slips: Sequence[Slip], results: MutationResults, reviews: Reviews
) -> MeaningResults:
    """The verdicts of a run over the mistakes, in their order."""
    verdicts = {verdict.mutant: verdict for verdict in results.verdicts}
    return MeaningResults(
        tuple((slip, verdicts[slip.mutant]) for slip in slips),
        frozenset(title(game) for game in games if has_cases(game)),
        {title(game): game.relative_to(ROOT).as_posix() for game in games},
        results.alarms,
        reviews,
    )


def counts(results: MeaningResults, verdicts: Sequence[tuple[Slip, MutantVerdict]]) -> dict[str, int]:
    """A row of numbers."""
    tested = [verdict for slip, verdict in verdicts if slip.mutant.game in results.tested]
    lint = sum(by_lint(verdict) for _, verdict in verdicts)
    told = [results.review(slip.mutant) for slip, verdict in verdicts if not by_lint(verdict)]
    return {
        "total": len(verdicts),
        "lint": lint,
        "with_questions": lint + sum(bool(one.asks) for one in told),
        "with_review": lint + sum(one.tells for one in told),
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
        "messages": led(verdict for _, verdict in results.verdicts),
        "named_by_review": sum(one.named for one in results.reviews.verdicts.values()),
        "unbroken_reviews": len(results.reviews.unbroken),
        "unbroken_reviews_that_tell": [
            f"{results.places[game]}, seed {seed}: {one.asks or one.differs or one.problem}"
            for game, seed, one in results.reviews.unbroken
            if one.tells or one.problem
        ],
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
                "review": results.review(slip.mutant).problem,
                "why": slip.why,
                "was": slip.mutant.old,
                "now": slip.mutant.new,
            }
            for slip, verdict in results.verdicts
            if verdict.how not in CAUGHT
        ],
        "unseen": [
            {"place": place(results, slip), "class": slip.mutant.family, "why": slip.why}
            for slip, verdict in results.verdicts
            if not by_lint(verdict) and not results.review(slip.mutant).tells
        ],
        "reviewed": [
            {"place": place(results, slip), "asks": one.asks, "differs": one.differs, "named": one.named}
            for slip, verdict in results.verdicts
            if not by_lint(verdict) and (one := results.review(slip.mutant)).tells
        ],
    }


def to_json(results: MeaningResults) -> str:
    """docs/reports/mutation_meaning.json."""
    return layout.to_json(document(results))


def summary(results: MeaningResults) -> list[str]:
    """The figures beside their aims."""
    data = document(results)
    lint, cases = percent(data["lint"], data["total"]), percent(data["with_cases"], data["in_games_with_cases"])
    review, asked = percent(data["with_review"], data["total"]), percent(data["with_questions"], data["total"])
    told = data["with_review"] - data["lint"]
    return [
        f"{data['lint']} of {data['total']} mistakes are found by lint alone: {lint} (aim: {AIMS['lint']} %)",
        f"{data['with_review']} by lint or by a review that knows the unbroken game, without cases: {review} "
        f"(aim: {AIMS['with_review']} %)",
        f"{data['with_questions']} by lint or by what a review asks that knows nothing: {asked}",
        f"{data['named_by_review']} of the {told} that only such a review tells of are named by it: the rule, or a name that was changed",
        f"{len(data['unbroken_reviews_that_tell'])} of {data['unbroken_reviews']} reviews of unbroken games, with other seeds, tell "
        "anything (aim: 0)",
        f"{data['with_cases']} of the {data['in_games_with_cases']} in games with cases are noticed by lint, cases or random play: "
        f"{cases} (aim: {AIMS['with_cases']} %)",
        led_in_words(data["messages"]),
        f"{data['false_alarms']} findings of lint in the unbroken games (aim: 0)",
    ]


HEADS = ("mistakes", "lint alone", "lint and questions", "lint and review", "in games with cases", "with cases")
KEYS = ("total", "lint", "with_questions", "with_review", "in_games_with_cases", "with_cases")


def rows(title: str, data: dict[str, Any]) -> layout.Rows:
    """A table of counts, the sums last."""
    return layout.rows(title, KEYS, data)


INTRO = """\
How much is noticed of mistakes that are well formed? These were written by hand, one at a time: what somebody who writes rules gets wrong
although every name exists and every type fits. They are data, in `tests/slips`, each with its class and a line that says what it does.
None is a misspelling; those are [the first set](mutation.md)."""

METHOD = f"""\
A mistake is a game with one text replaced, in the shipped games, in the games that newcomers wrote (`tests/newcomer`) and in the small
legitimate ones (`tests/legitimate`), which have no cases.

- *lint alone*: `rulespec lint` finds something that it does not find in the unbroken game, in the rules and not only in a case or variant.
- *lint and review*: where lint finds nothing, `rulespec review` looks at the game with the mistake, without any case, and compares it with
  a review of the unbroken game. Both play {GAMES} games with each number of players, as far as {BUDGET:.0f} seconds of
  processor time go (the command itself takes 100 games and a minute), with other seeds. What counts is a difference from the
  unbroken game by more than chance among so many figures (one such review in 1,000 may err), or a question that is not asked of the
  unbroken game. Not counted are questions about a line that was asked about before, and how often lines ran of a rule whose lines
  are counted otherwise now. Reviews of the unbroken games with {len(OTHERS)} other seeds are judged alike: what they tell is a
  false alarm.
- *lint and questions*: of these, what is asked, whether or not the unbroken game is known: what the author gets whose game was wrong from
  the beginning.
- *with cases*: lint finds something, or a case fails, or random play does, in the games that have cases.

The mistakes of the shipped games and of the newcomers' games were written before the checks that look for such mistakes, the others
after them and before they were tried on those. Lint found 22.4 % of the first 134
(all but those of the wargame) before the checks L101 to L115."""


def page(results: MeaningResults) -> str:
    """docs/reports/mutation_meaning.md."""
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
            "What leads elsewhere": f"{ELSEWHERE}\n\n{astray(data['messages'])}",
            "What lint and review do not see": unseen(data),
            "What nobody noticed": "\n".join(unnoticed) if data["unnoticed"] else "Nothing.",
        },
    )


def unseen(data: dict[str, Any]) -> str:
    """What only cases can tell, as a table of the page."""
    cells = [[row["place"], row["class"], row["why"]] for row in data["unseen"]]
    return layout.markdown("place", ("class", "why it is one"), cells).replace("--:", "---") if cells else "Nothing."


def table(results: MeaningResults) -> layout.Rows:
    """Classes, a line, then games, for a terminal."""
    data = document(results)
    return layout.table(HEADS, {"class": rows("classes", data), "game": rows("games", data)})
