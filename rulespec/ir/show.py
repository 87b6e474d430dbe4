"""Programs as readable text: what a game became, for people who look into a back end or a pass.

Locals are `L0`, slots `S7`, slots among several `S7[index of 4]`, functions `f3`; `{1, 2}[index]` is a table.  Nothing of a
procedure, function, site or rule is left out, except places in the file, which can be shown as lines behind instructions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import assert_never

from rulespec.ir.expressions import (
    After,
    Bind,
    Column,
    Comp,
    Completable,
    Cond,
    Const,
    Expr,
    Fold,
    Invoke,
    Known,
    Load,
    Local,
    Once,
    Op,
    Setting,
    Value,
)  # fmt: skip
from rulespec.ir.instructions import (
    Ask,
    Begin,
    Call,
    CallRule,
    Cease,
    Claim,
    Collect,
    Draw,
    Enter,
    Finish,
    Fork,
    Instruction,
    Jump,
    Learn,
    Leave,
    Let,
    Move,
    MoveCounts,
    Next,
    NextRule,
    Reset,
    Resume,
    Return,
    Say,
    Store,
    Unless,
    Unwind,
)  # fmt: skip
from rulespec.ir.program import Function, Point, Procedure, Program, Rule
from rulespec.ir.questions import Branch, Reason, Site, Text, Tray
from rulespec.ir.types import ANY, Type


def show(program: Program, places: bool = False) -> str:
    """Functions, procedures with their points, sites and rules, one after another; `places` adds lines of the file."""
    return "\n".join(lines(program, places)) + "\n"


def lines(program: Program, places: bool = False) -> Iterator[str]:
    """The lines of a program's text."""
    points = {(p.procedure, p.position): p for p in program.points}
    for number, function in enumerate(program.functions):
        yield from show_function(number, function)
    for number, procedure in enumerate(program.procedures):
        yield from show_procedure(number, procedure, points, places)
    for site in program.sites:
        yield from show_site(site)
    for rule in program.rules:
        yield from show_rule(rule)


def show_function(number: int, function: Function) -> Iterator[str]:
    """A function: its head with its expression, and the types of its locals."""
    head = f"function {number} {quoted(function.name)} ({function.parameters} of {len(function.locals)})"
    yield f"{head}: {expression(function.body)}"
    yield from show_types(function)


def show_procedure(
    number: int, procedure: Procedure, points: dict[tuple[int, int], Point], places: bool = False
) -> Iterator[str]:
    """A procedure: its head, its instructions with their positions, its regions."""
    yield f"procedure {number} {quoted(procedure.name)} ({procedure.parameters} of {len(procedure.locals)})"
    yield from show_types(procedure)
    for position, i in enumerate(procedure.code):
        point = points.get((number, position))
        kept = "" if point is None else f"  keeps {sequence(f'L{k}' for k in point.kept) or 'nothing'}"
        place = f"  @{i.where.line}" if places and i.where is not None else ""
        yield f"  {position:>2}  {instruction(i)}{kept}{place}"
    for r in procedure.regions:
        target = "nobody" if r.name is None else f"target {r.name}"
        yield f"  region {r.start}..{r.end} of {target}: L{r.index}, {r.handler}"


def show_types(code: Function | Procedure) -> Iterator[str]:
    """The types of locals and result, where any is known."""
    yield from typed_locals(code.locals)
    if code.result != ANY:
        yield f"  gives {printed(code.result)}"


def typed_locals(given: tuple[Type, ...]) -> Iterator[str]:
    """The types of locals."""
    if any(t != ANY for t in given):
        yield f"  locals {sequence(f'L{k}: {printed(t)}' for k, t in enumerate(given))}"


def show_site(site: Site) -> Iterator[str]:
    """A site: who is asked for what, then its texts and conditions."""
    coding = f"value {site.low} {site.size}" if site.code == "value" else f"index {site.low} {site.size}"
    more = (" secret" if site.secret else "") + ("" if site.move is None else f" move {site.move}")
    yield f"site {site.index} {quoted(site.name)} {coding}{more}"
    yield f"  by {expression(site.player)}"
    yield f"  from {expression(site.items)} as L{site.item}, {printed(site.type)}"
    yield f"  prompt {text(site.prompt)}"
    if site.shown is not None:
        yield f"  shown {text(site.shown)}"
    if site.tray is not None:
        yield f"  tray {show_tray(site.tray)}"
    if site.arguments:
        yield f"  arguments {arguments(site.arguments)}"
    yield from reasons(site.reasons, "  ")
    if site.none is not None:
        yield f"  none {quoted(site.none.name)} {text(site.none.text)}"
        yield from reasons(site.none.reasons, "    ")
    for branch in site.branches:
        yield from show_branch("branch", branch)


def show_tray(tray: Tray) -> str:
    """How much of a choice of several is made."""
    low = "" if tray.low is None else f" low {expression(tray.low)}"
    kind = "" if tray.kind is None else f" kind {expression(tray.kind)}"
    return f"{tray.what} {expression(tray.chosen)} : {printed(tray.type)}{low} high {expression(tray.high)}{kind}"


def show_branch(word: str, branch: Branch) -> Iterator[str]:
    """A named option, with its conditions."""
    yield f"  {word} {quoted(branch.name)} {text(branch.text)}"
    yield from reasons(branch.reasons, "    ")


def reasons(tests: tuple[Reason, ...], indent: str) -> Iterator[str]:
    """Conditions, a line each."""
    for reason in tests:
        yield f"{indent}only {expression(reason.test)} else {text(reason.why)}"


def show_rule(rule: Rule) -> Iterator[str]:
    """A rule: what carries it, its functions, its procedure."""
    parts = [f"rule {rule.index} {quoted(rule.name)} {rule.source}"]
    if rule.pieces or rule.kind is not None:
        parts.append(f"{value(rule.pieces)} of {rule.kind}")
    for word, number in (
        ("lasting", rule.lasting),
        ("alive", rule.alive),
        ("test", rule.test),
        ("player", rule.player),
    ):
        if number is not None:
            parts.append(f"{word} {number}")
    parts.append(f"runs {rule.procedure} rank {rule.rank}")
    if rule.limit is not None:
        parts.append(f"limit {rule.limit} in S{rule.counter}")
    if rule.arguments:
        parts.append(f"about {sequence(map(printed, rule.arguments))}")
    yield " ".join(parts)
    if rule.option is not None:
        yield from show_branch("option", rule.option)
        yield from typed_locals(rule.locals)


# --- instructions -----------------------------------------------------------------------------------------------------
def instruction(i: Instruction) -> str:
    """An instruction on one line."""
    match i:
        case Let(index, e):
            return f"L{index} := {expression(e)}"
        case Store():
            within = "" if i.low is None and i.high is None else f" within {bound(i.low)}..{bound(i.high)}"
            stops = " or nearest" if i.stops else ""
            return f"{slot(i.base, i.index, i.size)} := {expression(i.value)}{within}{stops} {quoted(i.name)}"
        case Jump(target):
            return f"jump {target}"
        case Unless(test, target):
            return f"unless {expression(test)} jump {target}"
        case Next(index, target):
            return f"next L{index} else {target}"
        case Call(procedure, args, live):
            return f"L{live} := call {procedure}{arguments(args)}"
        case Return(e):
            return "return" if e is None else f"return {expression(e)}"
        case Ask(site, live):
            return f"L{live} := ask {site}"
        case Draw(items, weights, live, drawn, name, left=left):
            by = "" if weights is None else f" by {expression(weights)}"
            more = "" if left is None else f" left L{left}"
            return f"L{live} := draw {expression(items)}{by}{more}, {printed(drawn)} {quoted(name)}"
        case Move(pieces, zone, index, bottom):
            return f"move {expression(pieces)} to {place(zone, index)}{' beneath' if bottom else ''}"
        case MoveCounts(bag, source, source_index, zone, index):
            return f"move counts {expression(bag)} from {place(source, source_index)} to {place(zone, index)}"
        case Learn(pieces, kind, seats, forget):
            by = "all" if seats is None else expression(seats)
            return f"{'forget' if forget else 'learn'} {expression(pieces)} of {kind} by {by}"
        case Say(line, seats):
            return f"say {text(line)}{'' if seats is None else f' to {expression(seats)}'}"
        case Claim(test, why):
            told = text(why) if i.code == "R011" else f"{i.code} {text(why)}"
            return f"claim {expression(test)} else {told}"
        case Fork(seats, procedure, args, live):
            return f"L{live} := fork {expression(seats)}: call {procedure}{arguments(args)}"
        case Collect(rules, args, order, live):
            by = "" if order is None else f" order {expression(order)}"
            return f"L{live} := collect {value(rules)} with {arguments(args)}{by}"
        case NextRule(live, args, target, arrange):
            by = "" if arrange is None else f" arrange {arrange}"
            return f"next rule L{live} with {arguments(args)}{by} else {target}"
        case CallRule(args, live):
            return f"L{live} := run rule with {arguments(args)}"
        case Enter(low, high, values, live):
            return f"L{live} := enter S{low}..S{high} {value(values)}"
        case Leave(low, live):
            return f"leave S{low} L{live}"
        case Unwind(target):
            return f"unwind {target}"
        case Resume(index):
            return f"resume L{index}"
        case Begin():
            return f"begin {i.lasting} with {arguments(i.args)}{until(i.end, i.depth)}"
        case Cease():
            which = "any" if i.lasting is None else str(i.lasting)
            given = "" if i.args is None else f" with {arguments(i.args)}"
            return f"L{i.live} := cease {which}{given}{until(i.end, i.depth)}"
        case Reset(low, high):
            return f"reset S{low}..S{high}"
        case Finish(returns):
            return f"finish {expression(returns)}"
        case _:
            assert_never(i)


def bound(number: int | None) -> str:
    return "" if number is None else str(number)


def place(zone: int | None, index: Expr | None) -> str:
    """A zone, or one among several; None is outside the game."""
    if zone is None:
        return "outside"
    return f"zone {zone}" if index is None else f"zone {zone}[{expression(index)}]"


def until(end: int | None, depth: int | None) -> str:
    """What ends a lasting effect, and the slot that says how deep."""
    return ("" if end is None else f" until {end}") + ("" if depth is None else f" depth S{depth}")


# --- expressions ------------------------------------------------------------------------------------------------------
def expression(e: Expr) -> str:
    """An expression on one line."""
    match e:
        case Const(constant):
            return value(constant)
        case Local(index):
            return f"L{index}"
        case Load(base, index, size):
            return slot(base, index, size)
        case Column(values, index):
            return f"{{{sequence(map(value, values))}}}[{expression(index)}]"
        case Op(name, args):
            return f"{name}{arguments(args)}"
        case Cond(test, then, other):
            return f"(if {expression(test)} then {expression(then)} else {expression(other)})"
        case Bind(index, inner, body):
            return f"(L{index} := {expression(inner)}: {expression(body)})"
        case Comp(index, source, where, inner, key):
            each = "" if inner is None else f"{expression(inner)} for "
            having = "" if where is None else f" if {expression(where)}"
            by = "" if key is None else f" by {expression(key)}"
            return f"[{each}L{index} in {expression(source)}{having}{by}]"
        case Fold(acc, start, index, source, body):
            return f"fold(L{acc} := {expression(start)}, L{index} in {expression(source)}: {expression(body)})"
        case Invoke(function, args):
            return f"f{function}{arguments(args)}"
        case Setting(name):
            return f"${name}"
        case Known(inner, what):
            return f"known({expression(inner)}, {quoted(what)})"
        case Once(index, inner):
            return f"once(L{index}: {expression(inner)})"
        case Completable(chosen, items, low, high, index, whole):
            wanted = "" if whole is None else f": {expression(whole)}"
            return f"completable({sequence(map(expression, (chosen, items, low, high)))}, L{index}{wanted})"
        case After(procedure, args, inner):
            return f"after({procedure}{arguments(args)}: {expression(inner)})"
        case _:
            assert_never(e)


def slot(base: int, index: Expr | None, size: int) -> str:
    """A slot, or one among several."""
    return f"S{base}" if index is None else f"S{base}[{expression(index)} of {size}]"


def arguments(args: Iterable[Expr]) -> str:
    return f"({sequence(map(expression, args))})"


def sequence(texts: Iterable[str]) -> str:
    return ", ".join(texts)


def value(v: Value) -> str:
    """A value, as the language writes those that it has words for."""
    if isinstance(v, bool):
        return "yes" if v else "no"
    if v is None:
        return "none"
    if isinstance(v, tuple):
        return f"({value(v[0])},)" if len(v) == 1 else f"({sequence(map(value, v))})"
    return quoted(v) if isinstance(v, str) else str(v)


def field(name: str) -> str:
    """The name of a part of a record, in quotes where it is no word."""
    return name if name.isidentifier() else quoted(name)


def quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


# --- texts ------------------------------------------------------------------------------------------------------------
def text(message: Text) -> str:
    """A text: strings, and expressions with how they are shown, side by side."""
    parts = [
        quoted(part) if isinstance(part, str) else f"{{{expression(part[0])}: {printed(part[1])}}}"
        for part in message.parts
    ]
    return " ".join(parts) or '""'


def printed(t: Type) -> str:
    """A type."""
    match t.what:
        case "int" if t.low is not None or t.high is not None:
            return f"int {bound(t.low)}..{bound(t.high)}"
        case "set" | "list" | "option":
            most = "" if t.capacity is None else f" {t.capacity}"
            return f"{t.what}{most} of {printed(t.parts[0])}"
        case "record":
            parts = zip(t.names, t.parts, strict=True)
            return f"record({sequence(f'{field(name)}: {printed(part)}' for name, part in parts)})"
        case "pack":
            return f"pack({sequence(map(printed, t.parts))})"
        case "entity" | "bag":
            return f"{t.what} {t.kind}"
        case "aside":
            return f"aside S{t.low}..S{t.high}"
        case "entry":
            return f"entry {value(t.rules)}"
        case "choice":
            return f"choice {t.high} {value(t.rules)}"
    return t.what
