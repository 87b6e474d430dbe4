"""What a study found, in sentences: the first thing that a designer reads."""

from __future__ import annotations

from typing import Any

MOST = 14  # sentences
FEW = 5  # names in a sentence
CLEAR = 0.05  # corrected p below which a difference is told
ENOUGH = 30  # times that something is to have been offered, for it to be told that it was never taken


def findings(found: dict[str, Any]) -> list[str]:
    """The sentences, the weightiest first."""
    arms = [arm for arm in found["arms"] if arm["games"]]
    told = [*faulty(found["arms"]), *(fairness(arm) for arm in arms), *compared(found)]
    told += [sentence for arm in arms for sentence in unused(arm)]
    return [sentence for sentence in told if sentence][:MOST]


def faulty(arms: list[dict[str, Any]]) -> list[str]:
    """Games that met a fault."""
    return [
        f"{arm['name']}: {arm['endings']['fault']:,} games met a fault of the rules: {arm['faults'][0][1]}."
        for arm in arms
        if arm["faults"]
    ]


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


def compared(found: dict[str, Any]) -> list[str]:
    """What the factors do, and which show nothing."""
    told: list[str] = []
    by_factor: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for one in found["comparisons"]:
        by_factor.setdefault((one["factor"], one["base"], one["other"]), []).append(one)
    silent: dict[str, list[str]] = {}
    for (factor, base, other), listed in by_factor.items():
        strongest = max(listed, key=lambda one: abs(one["effect"]))
        if strongest["p_corrected"] < CLEAR:
            way = "more" if strongest["difference"] > 0 else "less"
            low, high = sorted((abs(strongest["low"]), abs(strongest["high"])))
            told.append(
                f"{other} against {base}: `{strongest['outcome']}` in {100 * low:.1f} to {100 * high:.1f} points {way}"
                f" of the games ({size(strongest['effect'])} effect)."
            )
        else:
            widest = max(max(abs(one["low"]), abs(one["high"])) for one in listed)
            silent.setdefault(factor, []).append(f"{other} (less than {100 * widest:.1f} points)")
    told += [f"No effect of {factor} is seen: {', '.join(names[:FEW])}." for factor, names in silent.items()]
    return told


def size(effect: float) -> str:
    """Cohen's words for h."""
    steps = ((0.8, "a large"), (0.5, "a medium"), (0.2, "a small"))
    return next((word for least, word in steps if abs(effect) >= least), "a very small")


def unused(arm: dict[str, Any]) -> list[str]:
    """What was never taken, and what never ran."""
    told = []
    for group, listed in arm["uses"].items():
        what, _, name = group.partition(" ")
        never = [f"`{one['label']}`" for one in listed if one["offered"] >= ENOUGH and not one["taken"]]
        if never:
            where = f"of {name} " if what == "piece" else f"at `{name}` "
            told.append(f"{arm['name']}: {where}{names(never)} offered and never taken in {arm['followed']:,} games.")
    asleep = [f"`{one['rule']}`" for one in arm["rules"] if not one["games"]]
    if asleep:
        told.append(
            f"{arm['name']}: {len(asleep)} rules never ran in {arm['watched']:,} watched games, such as {names(asleep)}."
        )
    return told


def names(listed: list[str]) -> str:
    """A few of them."""
    more = f" and {len(listed) - FEW} more" if len(listed) > FEW else ""
    return f"{', '.join(listed[:FEW])}{more}"
