"""Questions about what no watched game reached, and about effects that never changed anything."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.cases.coverage import Item
from rulespec.text.quoting import ticked
from rulespec.text.source import Span

from ..coverage.lines import missing
from .causes import block
from .figures import GAME
from .finding import Finding, Unreached, place
from .watched import Watched

EFFECTS = 200  # runs of an effect that may tell that it does nothing
FEW_GAMES = 10  # in which a thing was reached: then others may not reach it
FEWEST = 40  # times that a test was looked at before it is odd that it went one way
WEIGHTS = {
    "rules": 34,
    "choices": 33,
    "procedures": 32,
    "conditions": 30,
    "branches": 29,
    "functions": 25,
    "rows": 20,
    "steps": 18,
}
OUTER = ("rules", "procedures", "functions", "choices")  # that have a block of their own
ASKED = {  # of one, and of several
    "rules": ("does its event ever happen?", "do their events ever happen?"),
    "choices": ("when should it be?", "when should they be?"),
    "procedures": ("should something run it?", "should something run them?"),
    "functions": ("should something ask it?", "should something ask them?"),
    "conditions": ("is it written as it is meant?", "are they written as they are meant?"),
    "branches": ("is it written as it is meant?", "are they written as they are meant?"),
    "rows": ("when should it be looked up?", "when should they be looked up?"),
    "steps": ("what would have to happen?", "what would have to happen?"),
}
# Without these nothing inside is reached.
PARTS = ("never holds", "never goes round", "never taken", "never offered", "never allows", "never applies")


def never_reached(watched: Watched, offered: frozenset[str]) -> Iterator[Finding]:
    """What was never reached: of what lies within another such thing, only the outer.

    `offered` are the names of options that are asked of elsewhere.
    """
    coverage = watched.coverage
    gaps = {item: told for item in coverage.items if coverage.open(item) and (told := missing(coverage, item))}
    if not watched.decisions:
        return
    never = [item for item in gaps if not any(map(coverage.hit, item.counted()))]
    blocks = [block(item.where.source, item.where.line) for item in never if item.group in OUTER]
    for item, told in gaps.items():
        if item.group == "choices" and item.name in offered:
            continue  # the games that were not watched say more of it
        line = item.where.line
        if any(inside(item.where, other.where) for other in never) or any(
            source is item.where.source and first < line <= last for source, first, last in blocks
        ):
            continue
        seen = [coverage.hit(key) for key in item.counted()]
        weight = float(WEIGHTS[item.group])
        if any(seen) and sum(seen) < FEWEST:
            weight = 0.0
        label = watched.labels[item]
        times = f" in {sum(seen):,} times" if any(seen) else ""
        yield Finding(
            "never reached",
            label,
            f"{what(item)} {told}{times}: {ASKED[item.group][0]}",
            weight=weight,
            where=item.where,
            details=(item.where.source.line(item.where.line).strip(),),
            figure=figure(item, label, told),
            unreached=unreached(item, told, any(seen)),
        )
    yield from idle_effects(watched)
    yield from rarely_reached(watched)


def unreached(item: Item, told: str, seen: bool) -> Unreached:
    """What is said of an item where several are asked about together; `seen`: it was reached in part."""
    name = item.title.rpartition(" ")[2]
    short = f"{ticked(name)} ({place(item.where)})" if name and item.group != "rows" else place(item.where)
    called = name if item.group in ("procedures", "functions") else ""
    leads = not seen or told.startswith(PARTS)
    return Unreached(
        f"{item.group} {told}", ASKED[item.group][1], short, called, leads, told.startswith("always holds")
    )


def rarely_reached(watched: Watched) -> Iterator[Finding]:
    """What so few games reached that others may not: it is not asked, now or later."""
    for item, label in watched.labels.items():
        games = [watched.hit_in[key] for key in item.counted()]
        if any(0 < number < FEW_GAMES for number in games):
            yield Finding("never reached", label, f"{what(item)} is rarely reached", where=item.where)


def figure(item: Item, label: str, told: str) -> tuple[str, str] | None:
    """The figure whose being known to a baseline says that this was reached then."""
    return (
        (label, item.outcomes[0])
        if item.what in ("branch", "condition") and told.startswith("never")
        else (GAME, label)
    )


def what(item: Item) -> str:
    """A thing of the rules in words."""
    kind = item.group.removesuffix("s") if item.group != "branches" else "branch"
    title = f" {ticked(item.title.removeprefix(f'{kind} '))}" if item.title else ""
    if item.group == "rows":
        where = item.where
        text = " ".join(where.source.text[where.start : where.end].split())
        title = f" {ticked(text if len(text) <= 30 else text[:29] + '…')} of {ticked(item.title)}"
    return f"{kind}{title} at {place(item.where)}"


def inside(inner: Span, outer: Span) -> bool:
    """Whether a place lies truly within another."""
    return (
        inner.source is outer.source
        and outer.start <= inner.start
        and inner.end <= outer.end
        and (inner.start, inner.end) != (outer.start, outer.end)
    )


def idle_effects(watched: Watched) -> Iterator[Finding]:
    """Effects that ran often and never changed anything."""
    counts = watched.coverage.counts
    by_place = {item.where: label for item, label in watched.labels.items() if item.what == "step"}
    for (kind, where, _, way), times in counts.items():
        if kind != "effect" or way != "nothing" or counts.get(("effect", where, "", "changes")):
            continue
        if times < EFFECTS / 4:
            continue
        setup, seed = watched.seeds[kind, where, "", way]
        yield Finding(
            "no effect",
            by_place.get(where, where.label()),
            f"the effect at {place(where)} ran {times:,} times and never changed anything: "
            "is it needed, and is it in the right place?",
            setup,
            seed,
            36 if times >= EFFECTS else 0,
            where,
            (where.source.line(where.line).strip(),),
        )
