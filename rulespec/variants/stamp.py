"""The stamp of a variant: what the sections of the game were when it was written, so that it says what has moved since.

A variant that is mailed meets another version of its game one day.  `base` has a short digest of each section that the game had then.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator

from rulespec.text.diagnostics import Diagnostic
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import MapNode, ScalarNode
from rulespec.variants.changes import data
from rulespec.variants.difference import NOT_RULES

DIGITS = 8  # of the digest of a section
UNSTAMPED = NOT_RULES | {"invariants", "table"}  # and pictures, by which nobody plays
LINES = r"(?m)^{key}:.*\n(?:[ \t]+.*\n)*"


def stamp(tree: MapNode) -> dict[str, str]:
    """The sections of the rules with their digests, of a game with all that a variant extends."""
    return {
        key.value: hashlib.sha256(json.dumps(data(value, True)).encode()).hexdigest()[:DIGITS]
        for key, value in tree.entries
        if key.value not in UNSTAMPED
    }


def moved(root: MapNode, tree: MapNode, touched: frozenset[str]) -> Iterator[Diagnostic]:
    """A warning (V016) where the sections of the game are not those for which a variant was written; `touched` are those it changes."""
    written = root.get("base")
    if not isinstance(written, MapNode):
        return
    now = stamp(tree)
    before = {key.value: value.value for key, value in written.entries if isinstance(value, ScalarNode)}
    others = [name for name in now if name in before and now[name] != before[name]]
    parts = [
        (others, "not what it was"),
        ([name for name in now if name not in before], "new"),
        ([name for name in before if name not in now], "gone"),
    ]
    told = [
        f"{', '.join(map(ticked, names))} {'is' if len(names) == 1 else 'are'} {what}" for names, what in parts if names
    ]
    if not told:
        return
    what = "; ".join(told).replace("are not what it was", "are not what they were")
    own = [name for name in others if name in touched]
    helps = ["look whether its changes still make sense, then stamp it again: `rulespec variant FILE --stamp`"]
    if own:
        helps.insert(0, f"the variant itself changes {', '.join(map(ticked, own))}")
    places: list[tuple[Span, str]] = [(key.span, "this section") for key, _ in tree.entries if key.value in others]
    key = root.key("base")
    span = written.span if key is None else key.span
    yield Diagnostic(
        "V016", f"the game has changed since: {what}", span, "warning", help=tuple(helps), related=tuple(places[:4])
    )


def lines(tree: MapNode) -> list[str]:
    """The stamp as lines of a variant."""
    return ["base:", *(f'  {name}: "{digest}"' for name, digest in stamp(tree).items())]


def stamped(text: str, new: dict[str, list[str]]) -> str:
    """The text of a variant with other lines for some keys; those that it has not come before its changes, or at the end."""
    for key, wanted in new.items():
        body = "\n".join(wanted) + "\n"
        text = text if text.endswith("\n") else f"{text}\n"
        pattern = re.compile(LINES.format(key=re.escape(key)))
        old = pattern.search(text)
        if old is not None:
            text = text[: old.start()] + body + text[old.end() :]
            continue
        place = re.search(r"(?m)^(?:changes|cases|positions|changed cases):", text)
        at = len(text) if place is None else place.start()
        while place is not None and text[:at].endswith("\n\n"):
            at -= 1
        text = text[:at] + body + text[at:]
    return text
