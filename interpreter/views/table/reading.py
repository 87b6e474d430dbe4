"""What can be read about a thing on the table: what the game says of it, what it does in words, and the rulebook's paragraphs on it.

All of it is printed and no secret, but it is told only of things that the viewer is shown: which there are may be one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.setup import Setup
from interpreter.views.table.plan import Plan, plan_of

Data = dict[str, Any]
HOLE = re.compile(r"\{this(?:\.(\w+))?\}")
LINES = re.compile(r"(\D+)(\d+)(?:-(\d+))?")


def about(setup: Setup, view: Data, thing: str) -> Data | None:
    """What can be read about a thing of a view, or with no thing about its question; None where the view does not show the thing.

    `about` is what the game says of its kind, `effects` what the rules that it carries do: `when`, and line by line what it `does`.
    `cites` are the `id` and `text` of what all that rests on, and `rests` of what the question rests on that asks for it now.
    What is empty is left out.
    """
    plan = plan_of(setup)
    if not thing:
        rests = list(read(plan, asked(plan, view["decision"])))
        return {"rests": rests} if rests else {}
    if thing not in view["things"]:
        return None
    name, _, member = thing.partition("/")
    kind = plan.faces.by_name[name]
    number = plan.faces.numbers[name][member]
    said = [one for one in plan.program.table.kinds if one.kind == kind.index]
    effects = [one for one in plan.program.table.effects if one.kind == kind.index and number in one.pieces]
    texts = [{"when": one.when, "does": [filled(plan, thing, text) for text in one.does]} for one in effects]
    cited = [cite for one in said for cite in one.cites] + [cite for one in effects for cite in one.cites]
    data = {
        "about": [one.about for one in said if one.about],
        "effects": [text for text in texts if text["when"] or text["does"]],
        "cites": list(read(plan, cited)),
        "rests": list(read(plan, asked(plan, view["decision"], thing))),
    }
    return {"thing": thing, **{key: part for key, part in data.items() if part}}


def filled(plan: Plan, thing: str, text: str) -> str:
    """A text about a piece, with what it is called and what is on it."""
    name, _, member = thing.partition("/")
    kind, number = plan.faces.by_name[name], plan.faces.numbers[name][member]

    def said(hole: re.Match[str]) -> str:
        if hole[1] is None:
            return kind.labels[number]
        field = kind.field(hole[1])
        return hole[1].replace("_", " ") if field is None else plan.faces.word(field, number)

    return HOLE.sub(said, text)


def asked(plan: Plan, decision: Data | None, thing: str = "") -> Iterable[str]:
    """What the question rests on, if the thing is among its answers."""
    if decision is None or (thing and not any(thing in option.get("things", ()) for option in decision["options"])):
        return ()
    return dict(plan.program.table.questions).get(decision["site"], ())


def read(plan: Plan, cites: Iterable[str]) -> Iterator[Data]:
    """Each citation once: a ruling with its text, lines with the title of the text that they are in."""
    sources = {source.id: source for source in plan.program.table.sources}
    for cite in dict.fromkeys(cites):
        lines = LINES.fullmatch(cite)
        if cite in sources:
            yield {"id": cite, "text": sources[cite].text}
        elif lines is not None and lines[1] in sources:
            where = f"lines {lines[2]} to {lines[3]}" if lines[3] else f"line {lines[2]}"
            yield {"id": cite, "text": f"{sources[lines[1]].text}, {where}"}
