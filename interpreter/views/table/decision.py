"""What a seat is asked, with each answer tied to the things and places that it means."""

from __future__ import annotations

from typing import Any

from interpreter.position import Position
from interpreter.questions import Collected, Decision, Question
from interpreter.runtime.faults import Fault
from interpreter.runtime.values import CHANCE
from interpreter.views.table.plan import Part
from interpreter.views.table.table import Data, Tabletop
from rulespec import ir
from rulespec.ir.walk import reachable_from, within
from rulespec.text.numbers import whole

MOST_STAGES = 8  # of a move, that are told


def decision(table: Tabletop, seat: int, can_undo: bool) -> Data | None:
    """The question that a seat has to answer; None where it has none.  Raises Fault."""
    position = table.position
    question = position.pending().of(seat)
    if question is None:
        return None
    asked = position.decision(seat)
    data: Data = {"seat": position.setup.seats[seat], "site": asked.site, "prompt": asked.prompt}
    if asked.secret:
        data["secret"] = True
    if can_undo:
        data["can_undo"] = True
    if asked.collected is not None:
        data["collected"] = collected(table, asked.collected)
        if asked.collected.what == "set":
            data["prompt"] = asked.prompt.rpartition(" (")[0]  # how many is told by what is collected
    if asked.move is not None and (stages := earlier(position, asked, seat)):
        data["stages"] = stages
    data["options"] = options(table, question, asked)
    return data


def options(table: Tabletop, question: Question, asked: Decision) -> list[Data]:
    """The answers in order, legal and not: what each is called, and the things and zones that it means."""
    near = zones_read(table, question)
    values = dict(question.candidates())
    out = []
    for option in asked.options:
        name = option.name
        if table.renaming and option.action in values:
            name = question.name(values[option.action], table.renaming)
        data: Data = {"action": option.action, "name": name}
        if option.text != name:
            data["text"] = option.text
        if not option.legal:
            data["legal"] = False
        if option.why is not None:
            data["why"] = option.why
        things = [table.meant(*thing) for thing in option.things if shown(table, thing)]
        meant = answered(table, asked.site, values.get(option.action))
        if meant:
            things = [thing for thing in meant if thing in table.things]
        spots = [spot for thing in things for spot in meant_zones(table, thing, near)]
        if things:
            data["things"] = things
        if spots:
            data["spots"] = spots
        if not meant and not (len(things) == 1 and (spots or stays(table, things[0]))):
            data["button"] = True
        out.append(data)
    return out


def shown(table: Tabletop, thing: tuple[str, str]) -> bool:
    """Whether a member of a type is a thing: not a number."""
    kind = table.faces.by_name[thing[0]]
    return kind.what != "enum" or whole(kind.members[0]) is None


def meant_zones(table: Tabletop, thing: str, near: frozenset[str]) -> list[str]:
    """The zones in which a thing lies that is to be chosen: those that the candidates were taken from, or where it lies alone."""
    lies = table.where.get(thing, [])
    meant = [zone for zone in lies if zone in near]
    if meant or not (table.things[thing]["form"] == "card" or len(lies) == 1):
        return meant
    return lies


def stays(table: Tabletop, thing: str) -> bool:
    """Whether a thing is a part of the table by itself: a place, a cell, a seat."""
    kind = table.faces.by_name[thing.partition("/")[0]]
    node = table.plan.picture is not None and kind.index == table.plan.picture.nodes
    return (
        node
        or kind.index in table.plan.boards
        or kind.index in table.plan.parts
        or kind.index == table.program.player_kind
    )


def answered(table: Tabletop, site: str, value: Any) -> list[str]:
    """The cells that an answer stands for, where the game says so."""
    out = []
    for board in table.plan.boards.values():
        for name, meant in board.answers:
            if name == site and value is not None:
                cells = (member for member, *_ in board.places if meant[member] == value)
                out += [f"{board.kind.name}/{board.kind.members[member]}" for member in cells]
    return out


def zones_read(table: Tabletop, question: Question) -> frozenset[str]:
    """The zones that the candidates are taken from: those that `from` reads, of the one who is asked if there are such."""
    kept = table.plan.setup.workshop.kept.setdefault("sources", {})
    site = question.site
    if site.index not in kept:
        program = table.program
        first = [e.function for e in within(site.items) if isinstance(e, ir.Invoke)]
        functions = reachable_from(
            first, lambda n: [e.function for e in within(program.functions[n]) if isinstance(e, ir.Invoke)]
        )
        bodies = [site.items, *(program.functions[n].body for n in functions)]
        kept[site.index] = frozenset(e.base for body in bodies for e in within(body) if isinstance(e, ir.Load))
    bases = kept[site.index]
    names: set[str] = set()
    owner = table.plan.setup.seats[question.seat]
    parts: list[tuple[ir.Zone | ir.Variable, Part]] = [*table.plan.zones, *table.plan.variables]
    for what, part in parts:
        if any(what.base <= base < what.base + what.size for base in bases):
            mine = [entry.name for entry in part.entries if entry.owner == owner]
            names.update(mine or [entry.name for entry in part.entries])
    return frozenset(names)


def collected(table: Tabletop, so_far: Collected) -> Data:
    """What a choice of several has so far."""
    data: Data = {"what": so_far.what, "low": so_far.low, "high": so_far.high, "chosen": []}
    for text, thing in zip(so_far.chosen, so_far.things, strict=True):
        data["chosen"].append({"text": text} if thing is None else {"text": text, "thing": table.meant(*thing)})
    if so_far.kind is not None:
        data["kind"] = table.thing(*so_far.kind)
    return data


def earlier(position: Position, asked: Decision, seat: int) -> list[Data]:
    """The stages of the same move that were answered before, the first one first: what was asked, and the answer in words."""
    out: list[Data] = []
    at = position
    while at.past is not None and len(out) < MOST_STAGES:
        before = at.clone()
        before.undo()
        question = before.pending().of(seat)
        given = answer_after(before, at)
        if question is None or question.site.move != asked.move or given is None or given[0] != seat:
            break
        value = given[3]
        if question.site.tray is None:
            try:
                with question.machine.asking(question.frame):
                    text = question.text(question.locals(), value, seat)
            except Fault:
                break
            out.append({"site": question.site.name, "text": text})
        at = before
    return out[::-1]


def answer_after(before: Position, after: Position) -> Any:
    """The answer (actor, site, action, value) that led from one position to the next; None where none is kept."""
    entry, old = after.history, before.history
    while entry is not None and entry[1] is not old:
        entry = entry[1]
    return None if entry is None or entry[0][0] == CHANCE else entry[0]
