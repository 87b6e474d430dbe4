"""A close look in lines: a thing of a table by its name, with all that is told and written of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulespec.ir.wording import joined
from rulespec.text.quoting import ticked

from . import facts
from .answers import Unclear, folded

Data = dict[str, Any]
MOST_NAMED = 8


def find(view: Data, text: str) -> str:
    """The thing of a table that a name, or the beginning of one, means; of those that look alike the first.  Raises Unclear."""
    wanted = folded(text)
    known = facts.faces(view)
    labels = {thing: folded(face["label"]) for thing, face in known.items()}
    near: list[str] = [thing for thing, label in labels.items() if label == wanted]
    near = near or [thing for thing, label in labels.items() if label.startswith(wanted)]
    near = near or [thing for thing, label in labels.items() if wanted in label]
    names = list(dict.fromkeys(known[thing]["label"] for thing in near))
    if len(names) > 1:
        more = ", ..." if len(names) > MOST_NAMED else ""
        raise Unclear(f"which one: {joined(names[:MOST_NAMED])}{more}?")
    if not near:
        raise Unclear(f"nothing on the table is called {ticked(text)}")
    return near[0]


def lines(view: Data, thing: str, written: Data | None) -> Iterator[str]:
    """All that is told of a thing, and what `Game.about` gives of it."""
    yield f"{facts.faces(view)[thing]['label']} ({thing.partition('/')[0]})"
    yield from map(str, facts.of_thing(view, thing))
    written = written or {}
    yield from written.get("about", ())
    for effect in written.get("effects", ()):
        yield from [f"{effect['when']}:"] if effect["when"] else []
        yield from (f"· {text}" for text in effect["does"])
    yield from (f"{cite['id']}  {cite['text']}" for cite in written.get("cites", ()))
