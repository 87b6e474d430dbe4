"""What a run of mutants found, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulespec.text.quoting import ticked

from .. import console
from .run import MutantRun
from .trial import GAMES, Verdict

MOST_NAMED = 12  # rules to which no case comes, or cases that fail already


def lines(run: MutantRun, title: str, notes: bool) -> Iterator[str]:
    """The report: by rule what no case notices, then the counts."""
    survived = run.told("survived")
    noticed = run.counted - len(survived)
    percent = 100 * noticed / run.counted if run.counted else 0.0
    yield f"{console.printable(title)}: cases notice {noticed} of {run.counted} changes ({percent:.1f} %)"
    yield from by_rule(survived, "no case notices")
    equal = run.told("equal")
    if notes:
        yield from by_rule(equal, "no case and no random game notices")
    elif equal:
        yield (
            f"{len(equal)} more make no difference in up to {GAMES} random games of each setup either and do not count; "
            "--notes shows them"
        )
    if run.unreached:
        rules = sorted(run.unreached, key=lambda rule: (-run.unreached[rule], rule))
        named = ", ".join(ticked(console.printable(rule)) for rule in rules[:MOST_NAMED])
        more = f" and {len(rules) - MOST_NAMED} more" if len(rules) > MOST_NAMED else ""
        yield f"no case comes to places of {named}{more}; --coverage shows them"
    if run.late:
        yield f"the time was up: {run.late} changes of this round were not tried; --budget gives more"


def by_rule(verdicts: list[Verdict], said: str) -> Iterator[str]:
    """Verdicts by rule, those with most first, each by its line."""
    rules: dict[str, list[Verdict]] = {}
    for one in verdicts:
        rules.setdefault(one.change.rule, []).append(one)
    for rule in sorted(rules, key=lambda rule: (-len(rules[rule]), rule)):
        for one in sorted(rules[rule], key=lambda one: (one.change.file, one.change.line, one.change.start)):
            seed = "" if one.seed is None else f"; random game {one.seed} ends differently"
            change = one.change
            told = " ".join(change.said.split())
            yield f"  {ticked(console.printable(rule))} {change.file}:{change.line}: {console.printable(told)}, {said}{seed}"


def data(run: MutantRun, game: str) -> dict[str, Any]:
    """The same as data."""
    return {
        "game": game,
        "seed": run.seed,
        "possible": run.possible,
        "counted": run.counted,
        "noticed": len(run.told("noticed", "endless")),
        "survived": len(run.told("survived")),
        "equal": len(run.told("equal")),
        "same": len(run.told("same")),
        "refused": len(run.told("refused")),
        "late": run.late,
        "failing": run.failing,
        "unreached": dict(sorted(run.unreached.items())),
        "changes": [entry(one) for one in run.verdicts if one.how not in ("refused", "same", "late")],
    }


def entry(one: Verdict) -> dict[str, Any]:
    """One change."""
    change = one.change
    out = {
        "rule": change.rule,
        "file": change.file,
        "line": change.line,
        "old": change.old,
        "new": change.new,
        "said": change.said,
        "verdict": one.how,
    }
    return {**out, **({"by": one.by} if one.by else {}), **({} if one.seed is None else {"seed": one.seed})}
