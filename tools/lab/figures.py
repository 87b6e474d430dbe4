"""The figures of a study as plain data: what `--json` prints and the report draws.  Intervals and tests are those of statsmodels."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rulespec.studies.data import Study
from rulespec.system.records import dataclass

from ..intervals import interval
from .comparisons import comparisons, matches, mean_comparisons
from .playing import FOLLOWED, OPEN, OPTION, PIECE, RULE, WATCHED, seed_of
from .store import Store

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
BINS = 40  # of a histogram
SEEDS = 3  # that are named for a figure
MOST_NAMES = 400  # of one kind that are listed


@dataclass(frozen=True)
class Source:
    """Where the figures of an arm come from."""

    number: int  # in the file of results
    name: str
    about: dict[str, Any]
    key: str
    missing: int = 0  # games that are still to be played


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
        "missing": source.missing,
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
