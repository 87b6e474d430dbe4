"""A sheet of house rules, to post or to print: what a variant changes, from the texts of the rules and of its cases, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode
from rulespec.variants.difference import Difference, flow
from rulespec.variants.paths import Unreadable, flat, parts_of

if TYPE_CHECKING:
    from rulespec.variants.stack import Overlay

    from .comparison import Comparison

TEXTS = ("about", "say", "may", "why", "why not", "title")  # keys whose texts are for people, and say what is meant
LOGS = ("log",)  # what is said when it happens: where there is no other text
LONGEST = 160  # characters of an expression that is quoted
MOST = 6  # texts of one change
LEADS = {"added": "New", "removed": "Gone", "changed": "Changed", "reordered": "In another order"}
FILLED = re.compile(r"\{([^{}]*)\}")
NAMED = {  # what a section declares, in a sentence
    "options": "the choice before the game, {}",
    "phases": "{}",
    "procedures": "{}",
    "functions": "what is meant by {}",
    "rules": "the rule {}",
    "conditions": "the condition {}",
    "types": "{}",
    "pieces": "{}",
    "zones": "{}",
    "state": "what is kept, {}",
}


def sheet(comparison: Comparison) -> Iterator[str]:
    """The lines of a sheet: what the variants change in a game; none of another game."""
    old, new = comparison.old, comparison.new
    yield f"# {flat(new.title)}"
    yield ""
    yield f"House rules for **{flat(old.title)}**." + (f" {flat(new.about)}" if new.about else "")
    for overlay in comparison.overlays:
        signed = [overlay.text(key).strip() for key in ("author", "link")]
        if any(signed):
            yield ""
            yield f"{flat(overlay.text('title') or overlay.id)}: {', '.join(flat(text) for text in signed if text)}"
    yield ""
    yield "## What changes"
    yield ""
    if not comparison.differences:
        yield "Nothing: the rules are the same."
    yield from dict.fromkeys(f"- {changed(difference)}".replace(".”.", "”.") for difference in comparison.differences)
    yield from examples(comparison.overlays)
    yield from no_longer(comparison)
    yield ""
    yield "## To play it"
    yield ""
    names = " ".join(f"--variant {name}" for name in new.variants)
    yield f"`rulespec play {old.id} {names}`".replace(" `", "`")
    yield ""
    yield f"{flat(old.title)} as of {old.digest[:12]}, with these rules {new.digest[:12]}; all else is as in the game."


def changed(difference: Difference) -> str:
    """One difference, in a sentence."""
    lead = f"**{LEADS[difference.what]}**, {place(difference.path)}"
    texts, before = told(difference.new), told(difference.old)
    if difference.what == "reordered":
        return f"{lead}."
    if difference.what in ("added", "removed"):
        node = difference.new if difference.new is not None else difference.old
        return f"{lead}: {'; '.join(texts or before) or code(node)}."
    if isinstance(difference.new, ScalarNode) and isinstance(difference.old, ScalarNode):
        if difference.path.rpartition(".")[2].strip("\"'") in (*TEXTS, *LOGS):
            return f"{lead}: it says {quoted(difference.new.value)} in place of {quoted(difference.old.value)}."
        return f"{lead}: {code(difference.new)} in place of {code(difference.old)}."
    return (
        f"{lead}: {'; '.join(texts) or code(difference.new)}, in place of {'; '.join(before) or code(difference.old)}."
    )


def place(path: str) -> str:
    """Where something changes, in words: the section's name for what it declares, then what is within it."""
    try:
        section, *parts = [part.key or part.text or str(part.number) for part in parts_of(path)]
    except Unreadable:  # it is longer than a variant may write it
        return f"at {ticked(path)}"
    if not parts:
        return f"the section *{section}*"
    name = f"*{flat(parts[0].replace('_', ' '))}*"
    first = NAMED.get(section, f"{section}: {{}}").format(name)
    inner = [part for part in parts[1:] if part not in ("do", "then", "is", "else", "values", "options")]
    return first + (f", at {ticked(inner[-1])}" if inner else "")


def told(node: Node | None) -> list[str]:
    """What the texts of a part of the rules say, each in quotes; what is logged only where nothing else is said."""
    for keys in (TEXTS, LOGS):
        found = list(dict.fromkeys(quoted(text) for text in texts_in(node, keys)))
        if found:
            return found[:MOST]
    return []


def texts_in(node: Node | None, keys: tuple[str, ...]) -> Iterator[str]:
    """The texts under some keys, anywhere in a tree."""
    todo = [] if node is None else [node]
    while todo:
        at = todo.pop()
        if isinstance(at, MapNode):
            for key, value in at.entries:
                if key.value in keys and isinstance(value, ScalarNode) and value.value:
                    yield value.value
            todo += [value for _, value in reversed(at.entries)]
        elif isinstance(at, ListNode):
            todo += reversed(at.items)


def quoted(text: str) -> str:
    """A text of the rules; what is filled into it is set in italics."""
    return f"“{FILLED.sub(lambda found: f'*{found[1]}*', flat(text))}”"


def code(node: Node | None) -> str:
    """A part of the rules as it is written."""
    written = "" if node is None else flow(node)
    written = written if len(written) <= LONGEST else f"{written[: LONGEST - 1]}…"
    return ticked(written)


def examples(overlays: tuple[Overlay, ...]) -> Iterator[str]:
    """The cases of the variants, by their names and what they say of themselves."""
    listed = []
    for overlay in overlays:
        cases = overlay.root.get("cases")
        for key, case in cases.entries if isinstance(cases, MapNode) else ():
            about = case.get("about") if isinstance(case, MapNode) else None
            more = f" {flat(about.value)}" if isinstance(about, ScalarNode) else ""
            listed.append(f"- {sentence(key.value)}{more}")
    if listed:
        yield from ("", "## Examples, each of them tested", "", *listed)


def no_longer(comparison: Comparison) -> Iterator[str]:
    """The cases of the game that come out differently, and how many hold as before."""
    before = [case for case in comparison.cases if case.before == "passes"]
    lost = [case for case in before if case.after != "passes"]
    if lost:
        yield from (
            "",
            "## Examples of the game that come out differently",
            "",
            *(f"- {sentence(case.name)}" for case in lost),
        )
    if before:
        yield ""
        yield f"{len(before) - len(lost)} of {len(before)} examples of the game hold as before."


def sentence(name: str) -> str:
    """The name of a case as a sentence."""
    words = name.replace("_", " ")
    return f"{words[:1].upper()}{words[1:]}."
