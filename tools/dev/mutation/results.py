"""What a run found: counts by family and by game, as JSON data and as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from rulespec.system.records import dataclass

from . import layout
from .families import FAMILIES, Mutant
from .leading import LINE, NAME
from .trial import DECISIONS, GAMES, SECONDS, MutantVerdict

HOWS = ("static", "by_cases", "by_play", "survived", "timed_out", "crashed")
CAUGHT = ("static", "by_cases", "by_play")
AIMS = {"caught": 95, "static": 75}  # in percent of all
LONGEST = 70  # characters of a change that are shown


@dataclass(frozen=True, slots=True)
class MutationResults:
    """Every verdict, in the order of the plan, and what lint says of unbroken games."""

    seed: int
    verdicts: tuple[MutantVerdict, ...]
    alarms: tuple[str, ...]

    def count(self, *hows: str) -> int:
        """How many mutants came to such an end."""
        return sum(verdict.how in hows for verdict in self.verdicts)

    def escaped(self) -> list[MutantVerdict]:
        """Those that nobody caught."""
        return [verdict for verdict in self.verdicts if verdict.how not in CAUGHT]


def shown(text: str) -> str:
    """A piece of a file in one short line."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."


def place(mutant: Mutant) -> str:
    """Where a mutant is broken."""
    return f"games/{mutant.game}/{mutant.file}:{mutant.line}"


def tally(verdicts: Iterable[MutantVerdict], by: Callable[[MutantVerdict], str]) -> dict[str, Counter[str]]:
    """How the mutants of each kind ended."""
    counts: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        counts.setdefault(by(verdict), Counter())[verdict.how] += 1
    return counts


def counts(ends: Counter[str]) -> dict[str, int]:
    """A row of numbers."""
    return {"total": ends.total(), "caught": sum(ends[how] for how in CAUGHT), **{how: ends[how] for how in HOWS}}


def document(results: MutationResults) -> dict[str, Any]:
    """All of it as JSON data."""
    return {
        "seed": results.seed,
        **counts(Counter(verdict.how for verdict in results.verdicts)),
        "static_in_cases_only": sum(verdict.cases_only for verdict in results.verdicts),
        "messages": led(results.verdicts),
        "false_alarms": len(results.alarms),
        "alarms": list(results.alarms),
        "codes": dict(sorted(Counter(v.code for v in results.verdicts if v.code).items())),
        "families": {
            name: {"weight": FAMILIES[name].weight, **counts(ends)}
            for name, ends in tally(results.verdicts, lambda v: v.mutant.family).items()
        },
        "games": {
            game: counts(ends) for game, ends in sorted(tally(results.verdicts, lambda v: v.mutant.game).items())
        },
        "survivors": [
            {
                "place": place(v.mutant),
                "family": v.mutant.family,
                "end": v.how,
                "old": v.mutant.old,
                "new": v.mutant.new,
                "said": v.said,
            }
            for v in results.escaped()
        ],
    }


def led(verdicts: Iterable[MutantVerdict]) -> dict[str, Any]:
    """How what lint says first leads to the mistakes, and what does not, as far as a machine can tell."""
    said = [verdict for verdict in verdicts if verdict.how == "static" and not verdict.cases_only]
    ways = Counter(verdict.leads for verdict in said)
    return {
        "findings": len(said),
        "line": ways[LINE],
        "name": ways[NAME],
        "neither": [
            {"place": f"{v.mutant.game}/{v.mutant.file}:{v.mutant.line}", "old": v.mutant.old, "new": v.mutant.new}
            | {"code": v.code, "said": v.said}
            for v in said
            if not v.leads
        ],
    }


def led_in_words(data: dict[str, Any]) -> str:
    """The same as a line of a page."""
    both, findings = data["line"] + data["name"], data["findings"]
    return (
        f"what lint says first leads to the mistake in {both} of {findings}, {percent(both, findings)} (aim: 95 %): in {data['line']} "
        f"to its line, in {data['name']} by the name that was changed"
    )


def astray(data: dict[str, Any]) -> str:
    """The findings that do not lead there, as a table of a page."""
    lines = ["| place | was | became | said |", "|---|---|---|---|"]
    for row in data["neither"]:
        lines.append(
            f"| {row['place']} | {code(row['old'])} | {code(row['new'])} | {row['code']}: {cell(row['said'])} |"
        )
    return "\n".join(lines) if data["neither"] else "Nothing."


def cell(text: str) -> str:
    """A message in a cell of a table."""
    return shown(text).replace("|", "\\|")


def to_json(results: MutationResults) -> str:
    """docs/reports/mutation.json."""
    return layout.to_json(document(results))


HEADS = ("mutants", "caught", "lint", "cases", "play", "survived", "timed out", "crashed")


def rows(title: str, data: dict[str, Any]) -> layout.Rows:
    """A table of counts, the sums last."""
    return layout.rows(title, ("total", "caught", *HOWS), data)


def percent(part: int, total: int) -> str:
    """A share, rounded down: nothing is claimed that is not there."""
    return f"{1000 * part // max(total, 1) / 10:.1f} %"


def summary(results: MutationResults) -> list[str]:
    """The figures beside their aims."""
    data = document(results)
    total = data["total"]
    return [
        f"{data['caught']} of {total} mutants are caught: {percent(data['caught'], total)} (aim: {AIMS['caught']} %)",
        f"{data['static']} of them by `rulespec lint`: {percent(data['static'], total)} of all (aim: {AIMS['static']} %)",
        f"{data['static_in_cases_only']} of these only since the game's cases or variants no longer fit it",
        led_in_words(data["messages"]),
        f"{data['false_alarms']} findings of lint in the unbroken games (aim: 0)",
    ]


def code(text: str) -> str:
    """A text between backticks, in a cell of a table."""
    return f"`` {shown(text)} ``".replace("|", "\\|") if text.strip() else "nothing"


INTRO = """\
How many mistakes does `rulespec lint` find? Each shipped game is broken in one small way at a time. Such a *mutant* is caught
by lint (the command itself is asked), else by the game's own cases, else by random play; or it survives."""

METHOD = f"""\
A mutant is the text of a game with one piece replaced; the rest, comments and layout, stays as it was. The pieces come from
the trees and cells of the files, so that no mutation knows a game. Which mutants are tried follows from a seed, a weight for
each family and a share for each game (a game of more than 12,000 characters gets four tenths of what a smaller one gets,
since its cases take longer, so most mutants are of small games); the same files and seed give the same mutants.

The weights are a judgement of what authors get wrong, not a count of real mistakes: misspelt or mistaken names, wrong types
and missing keys are about half; slips of logic (`<` for `<=`, a negated guard, steps in the wrong order) are rarer and harder
to see without playing. Other weights give other totals: read the rows, not only the sums.

- *lint*: a finding, of any severity, that the unbroken game does not have. Lint reads cases and variants too: a finding only there
  is counted, and told apart above.
- *cases*: a case of the game fails.
- *play*: {GAMES} random games with the fewest and the most players, and the cases that play to the end, with another seed. Only
  a fault, a broken invariant or a game of more than {DECISIONS:,} decisions counts; other winners do not.
- *timed out*, *crashed*: no verdict within {SECONDS} seconds of processor time, or a fault of the tools themselves.
  Neither counts as caught.

Left out because nothing depends on them: texts for people (`about`, `title`, `cites`, `noun`, the list of sources, and what
stands outside braces in `say`, `log`, `why`), how the table is drawn (`table`), a log line missing or in another order, a change that
gives the same text twice, and a misspelt declaration of a name that stands nowhere else in the files of the game. Nothing else is left
out: what is equivalent by chance counts as survived. Of a map's links those are turned round that go one way."""


ELSEWHERE = """\
A finding leads to the mistake if its place, or a line that it names, is among the changed lines, or if it quotes a name that was changed.
Of each mistake the finding that comes first counts. These do neither, though a reader may still see from them what is wrong:"""


def page(results: MutationResults) -> str:
    """docs/reports/mutation.md."""
    data = document(results)
    about = layout.listed([f"*{family.name}* ({family.weight}): {family.about}" for family in FAMILIES.values()])
    survivors = ["| place | family | was | became |", "|---|---|---|---|"]
    for v in results.escaped():
        family = v.mutant.family if v.how == "survived" else f"{v.mutant.family} ({v.how.replace('_', ' ')})"
        survivors.append(f"| {place(v.mutant)} | {family} | {code(v.mutant.old)} | {code(v.mutant.new)} |")
    sections = {
        "By family": layout.markdown("family", HEADS, rows("families", data)),
        "By game": layout.markdown("game", HEADS, rows("games", data)),
        "How it is measured": METHOD,
        "The families and their weights": about,
        "What leads elsewhere": f"{ELSEWHERE}\n\n{astray(data['messages'])}",
        "What nobody noticed": "\n".join(survivors) if results.escaped() else "Nothing.",
    }
    if results.alarms:
        sections["Findings in the unbroken games"] = layout.listed(results.alarms)
    return layout.page("Mutation", INTRO, summary(results), sections)


def table(results: MutationResults) -> layout.Rows:
    """Families, a line, then games, for a terminal."""
    data = document(results)
    return layout.table(HEADS, {"family": rows("families", data), "game": rows("games", data)})
