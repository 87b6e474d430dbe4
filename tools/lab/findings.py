"""What a study found, in sentences: the first thing that a designer reads."""

from __future__ import annotations

from typing import Any

from rulespec.text.quoting import ticked

from .comparisons import finished

MOST = 14  # sentences
EVEN = 0.5  # of the games between two bots
FEW = 5  # names in a sentence
CLEAR = 0.05  # corrected p below which a difference is told
ENOUGH = 30  # times that something is to have been offered, for it to be told that it was never taken


def findings(figures: dict[str, Any]) -> list[str]:
    """The sentences, the weightiest first."""
    arms = [arm for arm in figures["arms"] if finished(arm)]
    told = [
        *faulty(figures["arms"]),
        *unfinished(figures["arms"]),
        *map(match, figures["matches"]),
        *(fairness(arm) for arm in arms),
        *compared(figures),
    ]
    told += [sentence for arm in arms for sentence in unused(arm)]
    return [sentence for sentence in told if sentence][:MOST]


def faulty(arms: list[dict[str, Any]]) -> list[str]:
    """Games that met a fault."""
    return [
        f"{arm['name']}: {arm['endings']['fault']:,} games met a fault of the rules: {arm['faults'][0][1]}."
        for arm in arms
        if arm["faults"]
    ]


def unfinished(arms: list[dict[str, Any]]) -> list[str]:
    """Which arms are not played to the end, and so tell nothing for certain."""
    open_arms = [arm for arm in arms if not finished(arm)]
    listed = [f"{arm['name']} ({played(arm)})" for arm in open_arms if arm["missing"]]
    return [f"Unfinished, and compared with nothing: {names(listed)}."] if listed else []


def played(arm: dict[str, Any]) -> str:
    """`72 of 600 games`."""
    there = arm["games"] + arm["endings"]["fault"]
    return f"{there:,} of {there + arm['missing']:,} games"


def percent(low: float, high: float) -> str:
    """`55.1 to 57.9 %`."""
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def fairness(arm: dict[str, Any]) -> str:
    """Whether somebody wins more often than an equal share, or whether nobody does."""
    seats, games = arm["seats"], arm["games"]
    together = arm["endings"]["all"] + arm["endings"]["lost"]
    if together > games / 2:
        return f"{arm['name']}: all win together in {100 * arm['endings']['all'] / games:.1f} % of {games:,} games."
    fair = sum(seat["wins"] for seat in seats) / games / len(seats)
    best = max(seats, key=lambda seat: seat["share"])
    worst = min(seats, key=lambda seat: seat["share"])
    head = f"{arm['name']}: {best['seat']} wins {percent(best['low'], best['high'])} of {games:,} games"
    if best["low"] > fair or worst["high"] < fair:
        return f"{head}, {worst['seat']} {percent(worst['low'], worst['high'])}."
    return f"{head}, no more than an equal share as far as these can tell."


def match(one: dict[str, Any]) -> str:
    """Whether one of two bots plays better, in both seats taken together."""
    if not one["wins"]:
        return ""
    both = f"{ticked(one['better'])} against {ticked(one['worse'])} in both seats"
    head = f"{both}: wins {one['wins']:,} and loses {one['losses']:,} of {one['games']:,} games"
    decided = f"{percent(one['low'], one['high'])} of those that one won alone"
    return f"{head}, {decided}{'' if one['low'] > EVEN else '; nothing tells that it plays better'}."


def compared(figures: dict[str, Any]) -> list[str]:
    """What the factors do to the outcomes and to the means of numbers, and which show nothing."""
    told: list[str] = []
    silent: dict[str, list[str]] = {}
    means = by_factor(figures["means"])
    for (factor, base, other), listed in by_factor(figures["comparisons"]).items():
        moved = clearest(means.get((factor, base, other), []))
        strongest = clearest(listed)
        if strongest:
            way = "more" if strongest["difference"] > 0 else "less"
            low, high = sorted((abs(strongest["low"]), abs(strongest["high"])))
            told.append(
                f"{other} against {base}: {ticked(strongest['outcome'])} in {100 * low:.1f} to {100 * high:.1f} points {way}"
                f" of the games ({size(strongest['effect'])} effect)."
            )
        if moved:
            before, after = moved["means"]
            mean = f"the mean of {ticked(moved['number'])} is {after:.2f} and not {before:.2f}"
            told.append(f"{other} against {base}: {mean} ({size(moved['effect'])} effect).")
        if not strongest and not moved:
            widest = max(max(abs(one["low"]), abs(one["high"])) for one in listed)
            silent.setdefault(factor, []).append(f"{other} (less than {100 * widest:.1f} points)")
    told += [f"No effect of {factor} is seen: {', '.join(names[:FEW])}." for factor, names in silent.items()]
    return told


def by_factor(listed: list[dict[str, Any]]) -> dict[tuple[str, str, str], list[dict[str, Any]]]:
    """What was compared, by the factor and the two arms."""
    grouped: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for one in listed:
        grouped.setdefault((one["factor"], one["base"], one["other"]), []).append(one)
    return grouped


def clearest(listed: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The greatest effect that is no chance; None where there is none."""
    clear = [one for one in listed if one["p_corrected"] < CLEAR]
    return max(clear, key=lambda one: abs(one["effect"]), default=None)


def size(effect: float) -> str:
    """Cohen's words for h."""
    steps = ((0.8, "a large"), (0.5, "a medium"), (0.2, "a small"))
    return next((word for least, word in steps if abs(effect) >= least), "a very small")


def unused(arm: dict[str, Any]) -> list[str]:
    """What was never taken, and what never ran."""
    told = []
    for group, listed in arm["uses"].items():
        what, _, name = group.partition(" ")
        never = [ticked(one["label"]) for one in listed if one["offered"] >= ENOUGH and not one["taken"]]
        if never:
            where = f"of {name} " if what == "piece" else f"at {ticked(name)} "
            told.append(f"{arm['name']}: {where}{names(never)} offered and never taken in {arm['followed']:,} games.")
    asleep = [ticked(one["rule"]) for one in arm["rules"] if not one["games"]]
    if asleep:
        told.append(
            f"{arm['name']}: {len(asleep)} rules never ran in {arm['watched']:,} watched games, such as {names(asleep)}."
        )
    return told


def names(listed: list[str]) -> str:
    """A few of them."""
    more = f" and {len(listed) - FEW} more" if len(listed) > FEW else ""
    return f"{', '.join(listed[:FEW])}{more}"
