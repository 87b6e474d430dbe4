"""The figures of a study as plain data: what `--json` prints and the report draws.  Intervals and tests are those of statsmodels."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rulespec.studies.data import Study

from .playing import FOLLOWED, OPEN, OPTION, PIECE, RULE, WATCHED, seed_of
from .store import Store

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
BINS = 40  # of a histogram
SEEDS = 3  # that are named for a figure
FEW = 4  # values of a tally that are compared one by one
MOST_NAMES = 400  # of one kind that are listed


@dataclass(frozen=True)
class Source:
    """Where the figures of an arm come from."""

    number: int  # in the file of results
    name: str
    about: dict[str, Any]
    key: str


def interval(wins: int, games: int, confidence: float) -> tuple[float, float]:
    """The Wilson interval of a share."""
    from statsmodels.stats.proportion import proportion_confint

    if not games:
        return 0.0, 1.0
    low, high = proportion_confint(wins, games, alpha=1 - confidence / 100, method="wilson")
    return float(low), float(high)


def widest_interval(winners: Iterable[tuple[str | None, int]], seats: int, confidence: float) -> float:
    """The widest interval of the shares of wins, in percentage points."""
    listed = list(winners)
    games = sum(count for _, count in listed)
    won = [sum(count for who, count in listed if str(seat) in (who or "").split()) for seat in range(seats)]
    bounds = [interval(wins, games, confidence) for wins in won]
    return max(100 * (high - low) for low, high in bounds)


def figures(study: Study, sources: list[Source], store: Store) -> dict[str, Any]:
    """All figures of a study."""
    arms = [arm_figures(study, source, store) for source in sources]
    return {
        "study": study.name,
        "title": study.title,
        "about": study.about,
        "seed": study.seed,
        "confidence": study.confidence,
        "games": sum(arm["games"] for arm in arms),
        "arms": arms,
        "comparisons": comparisons(study, arms),
        "means": mean_comparisons(study, arms),
        "matches": matches(study.confidence, arms),
    }


def arm_figures(study: Study, source: Source, store: Store) -> dict[str, Any]:
    """The figures of one arm."""
    info, arm, level = source.about, source.number, study.confidence
    rows = store.ask("SELECT ended, winners, count(*) FROM games WHERE arm = ? GROUP BY 1, 2", arm)
    played = sum(count for ended, _, count in rows if ended != "fault")
    alone: Counter[int] = Counter()
    shared: Counter[int] = Counter()
    for ended, winners, count in rows:
        first = [int(seat) for seat in (winners or "").split()]
        for seat in first if ended != "all" else ():
            (alone if len(first) == 1 else shared)[seat] += count

    def example(where: str, *values: Any) -> list[int]:
        sql = f"SELECT number FROM games WHERE arm = ? AND {where} LIMIT {SEEDS}"
        return [seed_of(study.seed, source.key, number) for (number,) in store.ask(sql, arm, *values)]

    seats: list[dict[str, Any]] = []
    for seat, label in enumerate(info["seats"]):
        won = alone[seat] + shared[seat]
        low, high = interval(won, played, level)
        seats.append(
            {
                "seat": label,
                "bot": info["bots"][seat],
                "wins": won,
                "shared": shared[seat],
                "share": won / played if played else 0.0,
                "low": low,
                "high": high,
                "seeds": example("' ' || winners || ' ' LIKE ?", f"% {seat} %"),
            }
        )
    return {
        "name": source.name,
        **{
            name: info[name]
            for name in ("game", "title", "players", "section", "levels", "variants", "options", "set", "bots")
        },
        "seat_ids": info["seat_ids"],
        "most_decisions": info["most_decisions"],
        "games": played,
        "faults": [
            list(row)
            for row in store.ask("SELECT number, fault FROM games WHERE arm = ? AND fault NOT NULL LIMIT 5", arm)
        ],
        "seats": seats,
        "endings": {
            name: sum(c for ended, _, c in rows if ended == name) for name in ("some", "all", "lost", "draw", "fault")
        },
        "length": lengths(store, arm, example),
        "causes": causes(store, arm, played, level, example),
        "tallies": tallies(store, arm),
        "lead": lead(store, arm),
        "open": openness(study, store, arm),
        "uses": uses(study, store, arm, info),
        "rules": rules(study, store, arm, info),
        "followed": store.played(arm, FOLLOWED),
        "watched": store.played(arm, WATCHED),
    }


def spread(values: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """The quantiles, the mean, the standard deviation and a histogram of whole numbers with how often each came; nothing of none."""
    if not values:
        return {}
    ordered = sorted(values)
    count = sum(times for _, times in ordered)
    low, high = ordered[0][0], ordered[-1][0]
    width = max(1, -(-(high - low + 1) // BINS))
    bins = [0] * ((high - low) // width + 1)
    for value, times in ordered:
        bins[(value - low) // width] += times
    quantiles: list[int] = []
    seen, wanted = 0, list(QUANTILES)
    for value, times in ordered:
        seen += times
        while wanted and seen >= wanted[0] * count:
            quantiles.append(value)
            wanted.pop(0)
    mean = sum(value * times for value, times in ordered) / count
    deviation = math.sqrt(sum(times * (value - mean) ** 2 for value, times in ordered) / max(1, count - 1))
    told = {"n": count, "least": low, "most": high, "mean": mean, "deviation": deviation}
    return {**told, "quantiles": quantiles, "width": width, "bins": bins}


def lengths(store: Store, arm: int, example: Any) -> dict[str, Any]:
    """How many decisions games take, with the shortest and the longest to be seen again."""
    sql = "SELECT decisions, count(*) FROM games WHERE arm = ? AND decisions NOT NULL GROUP BY 1"
    told = spread(store.ask(sql, arm))
    if told:
        told["shortest"], told["longest"] = (
            example("decisions = ?", told["least"]),
            example("decisions = ?", told["most"]),
        )
    return told


def causes(store: Store, arm: int, played: int, level: float, example: Any) -> list[dict[str, Any]]:
    """Why games ended, with who won them."""
    sql = "SELECT cause, winners, count(*) FROM games WHERE arm = ? AND cause NOT NULL GROUP BY 1, 2"
    counted: dict[str, Counter[str]] = {}
    for cause, winners, count in store.ask(sql, arm):
        counted.setdefault(cause, Counter())[winners or ""] += count
    listed = []
    for cause, by_winner in sorted(counted.items(), key=lambda pair: -pair[1].total()):
        low, high = interval(by_winner.total(), played, level)
        one = {
            "cause": cause,
            "games": by_winner.total(),
            "share": by_winner.total() / played,
            "low": low,
            "high": high,
        }
        listed.append({**one, "winners": dict(by_winner), "seeds": example("cause = ?", cause)})
    return listed


def tallies(store: Store, arm: int) -> dict[str, Any]:
    """What each tally came to: the spread of a number, or how often each value came."""
    counted: dict[str, Counter[Any]] = {}
    for text, count in store.ask(
        "SELECT tallies, count(*) FROM games WHERE arm = ? AND tallies NOT NULL GROUP BY 1", arm
    ):
        for name, value in json.loads(text).items():
            counted.setdefault(name, Counter())[value] += count
    shown: dict[str, Any] = {}
    for name, values in counted.items():
        if all(isinstance(value, int) for value in values):
            shown[name] = spread(list(values.items()))
        else:
            shown[name] = {
                "n": values.total(),
                "counts": {str(value): count for value, count in values.most_common(MOST_NAMES)},
            }
    return shown


def lead(store: Store, arm: int) -> dict[str, Any]:
    """How often the lead changes, and after which part of a game the winner leads for good."""
    changes = store.ask("SELECT changes, count(*) FROM followed WHERE arm = ? GROUP BY 1", arm)
    sql = (
        "SELECT 100 * decided / max(decisions, 1), count(*) FROM followed JOIN games USING (arm, number) "
        "WHERE arm = ? AND decided NOT NULL GROUP BY 1"
    )
    decided = spread(store.ask(sql, arm))
    return {"changes": spread(changes), "decided": decided} if changes else {}


def openness(study: Study, store: Store, arm: int) -> list[dict[str, Any]]:
    """How many options are open, question by question."""
    wanted = study.measures.questions
    by_question: dict[str, list[tuple[int, int]]] = {}
    for question, options, times in store.ask(
        "SELECT grouping, name, times FROM uses WHERE arm = ? AND what = ?", arm, OPEN
    ):
        if wanted is None or question in {word.text for word in wanted}:
            by_question.setdefault(question, []).append((int(options), times))
    listed = [{"question": question, **spread(values)} for question, values in by_question.items()]
    forced = {question: sum(t for n, t in values if n == 1) for question, values in by_question.items()}
    for one in listed:
        one["forced"] = forced[str(one["question"])] / one["n"]
    return sorted(listed, key=lambda one: -one["n"])


def uses(study: Study, store: Store, arm: int, info: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """What is chosen: by question its options, by type its members, with those that never were."""
    questions, pieces = study.measures.questions, study.measures.pieces
    sql = (
        "SELECT what, grouping, name, sum(games), sum(times), sum(taken), sum(users), sum(won) FROM uses "
        "WHERE arm = ? AND what IN (?, ?) GROUP BY 1, 2, 3 ORDER BY 6 DESC"
    )
    groups: dict[str, list[dict[str, Any]]] = {}
    for what, group, name, games, times, taken, users, won in store.ask(sql, arm, OPTION, PIECE):
        wanted = questions if what == OPTION else pieces
        if wanted is not None and group not in {word.text for word in wanted}:
            continue
        label = info["kinds"].get(group, {}).get(name, name) if what == PIECE else name
        one = {
            "name": name,
            "label": label,
            "games": games,
            "offered": times,
            "taken": taken,
            "users": users,
            "won": won,
        }
        low, high = interval(won, users, study.confidence)
        one |= {"won_share": won / users if users else None, "low": low, "high": high}
        groups.setdefault(f"{what} {group}", []).append(one)
    for name in list(groups):
        what, _, group = name.partition(" ")
        there = {one["name"] for one in groups[name]}
        for member, label in info["kinds"].get(group, {}).items() if what == PIECE else ():
            if member not in there:
                never = {"name": member, "label": label, "won_share": None, "low": 0.0, "high": 1.0}
                groups[name].append({**never, "games": 0, "offered": 0, "taken": 0, "users": 0, "won": 0})
        groups[name] = groups[name][:MOST_NAMES]
    return groups


def rules(study: Study, store: Store, arm: int, info: dict[str, Any]) -> list[dict[str, Any]]:
    """How often each rule, procedure and phase ran in the watched games, the least first."""
    wanted = None if study.measures.rules is None else {word.text for word in study.measures.rules}
    ran = {name: (games, times) for name, games, times in
           store.ask("SELECT name, games, times FROM uses WHERE arm = ? AND what = ?", arm, RULE)}  # fmt: skip
    if not store.played(arm, WATCHED):
        return []
    listed = [
        {"rule": title, "place": place, "games": ran.get(place, (0, 0))[0], "times": ran.get(place, (0, 0))[1]}
        for place, title in info["rules"]
        if wanted is None or title in wanted
    ]
    return sorted(listed, key=lambda one: (one["games"], one["times"], one["place"]))


def settings(arm: dict[str, Any]) -> dict[str, Any]:
    """The factors of an arm, with its levels: variants, bots, and each option."""
    return {"variants": arm["variants"], "bots": arm["bots"], **arm["options"]}


def pairs_of(arms: list[dict[str, Any]]) -> list[tuple[dict[str, Any], dict[str, Any], str]]:
    """Arms that differ in one factor alone from the first that is otherwise like them, with that one and the factor."""
    first: dict[str, dict[str, Any]] = {}
    pairs = []
    for arm in arms:
        levels = settings(arm)
        for factor in levels:
            rest = {name: level for name, level in levels.items() if name != factor}
            base = first.setdefault(json.dumps([arm["game"], arm["players"], factor, rest]), arm)
            if base is not arm and base["games"] and arm["games"]:
                pairs.append((base, arm, factor))
    return pairs


def matches(confidence: float, arms: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Two bots against each other in both seats, taken together: of the games that one of them won alone, how many each won."""
    tables: dict[str, list[dict[str, Any]]] = {}
    for arm in arms:
        if arm["players"] == 2 and len(set(arm["bots"])) == 2 and arm["games"]:
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
    import warnings

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
