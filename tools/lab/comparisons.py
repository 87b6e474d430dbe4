"""Arms of a study beside each other: their outcomes, their means, and bots that play against each other; tests are those of
statsmodels and scipy.  An arm that is unfinished is compared with nothing: what a test says of games holds only if their number was not
chosen by what they came to, and short games are the first to be there."""

from __future__ import annotations

import json
import math
import warnings
from collections import Counter
from typing import Any

from rulespec.studies.data import Study

from ..intervals import interval

FEW = 4  # values of a tally that are compared one by one


def settings(arm: dict[str, Any]) -> dict[str, Any]:
    """The factors of an arm, with its levels: variants, bots, and each option."""
    return {"variants": arm["variants"], "bots": arm["bots"], **arm["options"]}


def finished(arm: dict[str, Any]) -> bool:
    """Whether all games of an arm were played."""
    return bool(arm["games"]) and not arm["missing"]


def pairs_of(arms: list[dict[str, Any]]) -> list[tuple[dict[str, Any], dict[str, Any], str]]:
    """Arms that differ in one factor alone from the first that is otherwise like them, with that one and the factor."""
    first: dict[str, dict[str, Any]] = {}
    pairs = []
    for arm in arms:
        levels = settings(arm)
        for factor in levels:
            rest = {name: level for name, level in levels.items() if name != factor}
            base = first.setdefault(json.dumps([arm["game"], arm["players"], factor, rest]), arm)
            if base is not arm and finished(base) and finished(arm):
                pairs.append((base, arm, factor))
    return pairs


def matches(confidence: float, arms: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Two bots against each other in both seats, taken together: of the games that one of them won alone, how many each won."""
    tables: dict[str, list[dict[str, Any]]] = {}
    for arm in arms:
        if arm["players"] == 2 and len(set(arm["bots"])) == 2 and finished(arm):
            key = json.dumps([arm["game"], arm["variants"], arm["options"], sorted(arm["bots"])])
            tables.setdefault(key, []).append(arm)
    listed = []
    for both in tables.values():
        if len(both) == 2:
            won: Counter[str] = Counter()
            for arm in both:
                for seat in arm["seats"]:
                    won[seat["bot"]] += seat["wins"] - seat["shared"]
            (better, wins), (worse, losses) = won.most_common()
            low, high = interval(wins, wins + losses, confidence)
            games = sum(arm["games"] for arm in both)
            one = {"arms": [arm["name"] for arm in both], "better": better, "worse": worse, "games": games}
            listed.append({**one, "wins": wins, "losses": losses, "low": low, "high": high})
    return listed


def outcomes(arm: dict[str, Any]) -> dict[str, int]:
    """What may come more often in one arm than in another: that a seat wins, and each value of tallies that have few."""
    counted = {f"{seat['seat']} wins": seat["wins"] for seat in arm["seats"]}
    for name, tally in arm["tallies"].items():
        values = tally.get("counts", {})
        if len(values) <= FEW:
            counted.update({f"{name}: {value}": count for value, count in values.items()})
    return counted


def comparisons(study: Study, arms: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """How often each outcome comes in arms that differ in one factor.

    The differences have Newcombe's intervals at the Bonferroni level, p is corrected after Holm; both count all comparisons of
    the study.  `effect` is Cohen's h: 0.2 is small, 0.5 medium, 0.8 large.
    """
    from statsmodels.stats.multitest import multipletests
    from statsmodels.stats.proportion import confint_proportions_2indep, proportion_effectsize, test_proportions_2indep

    def p_of(numbers: tuple[int, int, int, int]) -> float:
        if numbers[0] * numbers[3] == numbers[2] * numbers[1]:
            return 1.0
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", RuntimeWarning
            )  # a ratio of odds that nobody asked for, where a share is 0 or 1
            return float(test_proportions_2indep(*numbers, method="score").pvalue)

    listed: list[dict[str, Any]] = []
    for base, other, factor in pairs_of(arms):
        before = outcomes(base)
        for outcome, count in outcomes(other).items():
            numbers = (count, other["games"], before.get(outcome, 0), base["games"])
            shares = numbers[0] / numbers[1], numbers[2] / numbers[3]
            one = {
                "factor": factor,
                "base": base["name"],
                "other": other["name"],
                "outcome": outcome,
                "p": p_of(numbers),
            }
            effect = float(proportion_effectsize(*shares))
            listed.append({**one, "counts": numbers, "difference": shares[0] - shares[1], "effect": effect})
    for one in listed:
        alpha = (1 - study.confidence / 100) / len(listed)
        low, high = confint_proportions_2indep(*one["counts"], method="newcomb", alpha=alpha)
        one["low"], one["high"] = float(low), float(high)
    if listed:
        corrected = multipletests([one["p"] for one in listed], method="holm")[1]
        for one, p in zip(listed, corrected, strict=True):
            one["p_corrected"] = float(p)
    return listed


def numbers_of(arm: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What has a mean in an arm: the tallies that are numbers, and the decisions of a game."""
    told = {name: tally for name, tally in arm["tallies"].items() if "mean" in tally}
    return {**told, "decisions": arm["length"]} if arm["length"] else told


def mean_comparisons(study: Study, arms: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """How the means of numbers differ in arms that differ in one factor, after Welch.

    The intervals are at the Bonferroni level, p is corrected after Holm; both count all means of the study.  `effect` is Cohen's d.
    """
    from scipy import stats
    from statsmodels.stats.multitest import multipletests

    listed: list[dict[str, Any]] = []
    for base, other, factor in pairs_of(arms):
        before = numbers_of(base)
        for name, after in numbers_of(other).items():
            both = (before.get(name, {"n": 0}), after)
            if min(one["n"] for one in both) > 1 and any(one["deviation"] for one in both):
                about = {"factor": factor, "base": base["name"], "other": other["name"], "number": name}
                listed.append({**about, **welch(*both)})
    if listed:
        corrected = multipletests([one["p"] for one in listed], method="holm")[1]
        level = (1 - study.confidence / 100) / len(listed)
        for one, p in zip(listed, corrected, strict=True):
            half = float(stats.t.ppf(1 - level / 2, one.pop("freedom"))) * one.pop("error")
            difference = one["means"][1] - one["means"][0]
            one |= {"low": difference - half, "high": difference + half, "p_corrected": float(p)}
    return listed


def welch(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Two means with the standard error of their difference, its degrees of freedom, p, and Cohen's d."""
    from scipy import stats

    parts = [one["deviation"] ** 2 / one["n"] for one in (before, after)]
    error, means = math.sqrt(sum(parts)), (before["mean"], after["mean"])
    freedom = sum(parts) ** 2 / sum(part**2 / (one["n"] - 1) for part, one in zip(parts, (before, after), strict=True))
    p = float(2 * stats.t.sf(abs(means[1] - means[0]) / error, freedom))
    pooled = math.sqrt((before["deviation"] ** 2 + after["deviation"] ** 2) / 2)
    return {"means": means, "error": error, "freedom": freedom, "p": p, "effect": (means[1] - means[0]) / pooled}
