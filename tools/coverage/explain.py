"""What single cases cover: the named things that each ran, and the places that no other case comes to."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.testing.coverage import Key
from rulespec.cases.coverage import Item

from .. import console
from .measure import Coverage

GROUPS = {"procedures": "runs", "rules": "runs", "functions": "calls", "choices": "takes"}
OUTCOMES = frozenset({"runs", "called", "taken"})
MOST_PLACES = 6  # places of one case that are told one by one


def explained(coverage: Coverage) -> Iterator[str]:
    """For each case that was measured: what it runs, and what it alone of them comes to."""
    often: dict[Key, int] = {}
    cases = [run for run in coverage.runs if run.place]
    for run in cases:
        for key in run.hits:
            often[key] = often.get(key, 0) + 1
    counted = {key: item for item in coverage.items for key in item.counted()}
    for run in cases:
        yield f"{console.paint(console.printable(run.name), 'bold')}  {run.place}"
        reached = [(key, item) for key, item in counted.items() if key in run.hits]
        for group, verb in GROUPS.items():
            names = [title(item) for key, item in reached if item.group == group and key[3] in OUTCOMES]
            if names:
                yield from console.wrapped(f"{verb} {', '.join(map(console.printable, dict.fromkeys(names)))}", "  ")
        alone = [(key, item) for key, item in reached if often[key] == 1]
        yield f"  reaches {len(reached)} of {len(counted)} outcomes, {len(alone)} as the only case"
        places = dict.fromkeys(f"{item.where.source.name}:{item.where.line}" for _, item in alone)
        if len(cases) > 1 and places:
            shown = ", ".join(list(places)[:MOST_PLACES])
            more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
            yield from console.wrapped(f"alone at {shown}{more}", "  ")


def title(item: Item) -> str:
    """What an item is called."""
    return item.title.removeprefix("procedure ") or item.name
