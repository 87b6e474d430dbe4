"""Programs from the text that `rulespec.ir.show` prints: what tests of passes are written in.

Kinds, zones and variables are not part of the text; a program made of it has only what passes look at.
"""

from __future__ import annotations

import json
import re
from typing import Any

from rulespec import ir
from rulespec.text.source import Source, Span
from tests.helpers.words import Words

LINES = Source("before", "\n" * 200)  # position n of a procedure stands in line n + 1
SEATS = ir.Kind(0, "Player", "player", ("p1", "p2"), ("Player 1", "Player 2"))
EMPTY = ir.Program(
    "toy", "A toy", "0" * 64, 2, (), (SEATS,), 0, (), (), (), (), (), (), 0, (), (), (), ("loop", "game", "other")
)


def assemble(text: str) -> ir.Program:
    """The program of a text; raises AssertionError where the text is none."""
    parts: dict[str, list[Any]] = {"function": [], "procedure": [], "site": [], "rule": []}
    blocks: list[list[str]] = []
    for line in text.splitlines():
        if line.split(" ")[0] in parts:
            blocks.append([])
        if line.strip():
            blocks[-1].append(line)
    makers = {"function": function, "procedure": procedure, "site": site, "rule": rule}
    for block in blocks:
        head = Words(block[0])
        kind, number = head.take(), head.number()
        assert number == len(parts[kind]), block[0]
        parts[kind].append(makers[kind](number, head, [Words(line) for line in block[1:]]))
    return ir.Program(
        **{
            **{name: getattr(EMPTY, name) for name in EMPTY.__slots__},
            "functions": tuple(parts["function"]),
            "procedures": tuple(parts["procedure"]),
            "sites": tuple(parts["site"]),
            "rules": tuple(parts["rule"]),
        }
    )


def size(w: Words) -> tuple[int, int]:
    w.want("(")
    parameters = w.number()
    w.want("of")
    locals_ = w.number()
    w.want(")")
    return parameters, locals_


def function(_number: int, w: Words, lines: list[Words]) -> ir.Function:
    name = w.name()
    parameters, count = size(w)
    w.want(":")
    body = expression(w)
    w.end()
    locals_, result = types_of(count, lines)
    return ir.Function(name, parameters, locals_, body, result=result)


def procedure(_number: int, w: Words, lines: list[Words]) -> ir.Procedure:
    name = w.name()
    parameters, count = size(w)
    locals_, result = types_of(count, lines)
    code, regions = [], []
    for line in lines:
        if line.has("region"):
            start = line.number()
            line.want("..")
            end = line.number()
            line.want("of")
            target = None if line.has("nobody") else line.after("target")
            line.want(":")
            index = line.index("L")
            line.want(",")
            regions.append(ir.Region(start, end, line.number(), index, target))
        else:
            position = line.number()
            assert position == len(code), line.line
            code.append(instruction(line, Span(LINES, position, position)))
            if line.has("keeps"):
                while not line.has("nothing") and line.next.startswith("L"):
                    line.take()
                    line.has(",")
        line.end()
    return ir.Procedure(name, parameters, locals_, tuple(code), tuple(regions), result=result)


def site(number: int, w: Words, lines: list[Words]) -> ir.Site:
    name, code, low, size_ = w.name(), w.take(), w.number(), w.number()
    secret, move = w.has("secret"), w.after("move")
    w.end()
    given: dict[str, Any] = {}
    reasons: list[ir.Reason] = []
    parsed_reasons = reasons
    none: tuple[str, ir.Text, list[ir.Reason]] | None = None
    branches: list[tuple[str, ir.Text, list[ir.Reason]]] = []
    for line in lines:
        word = line.take()
        if word == "by":
            given["player"] = expression(line)
        elif word == "from":
            given["items"] = expression(line)
            line.want("as")
            given["item"] = line.index("L")
            line.want(",")
            given["type"] = typed(line)
        elif word in ("prompt", "shown"):
            given[word] = text(line)
        elif word == "tray":
            given["tray"] = tray(line)
        elif word == "arguments":
            given["arguments"] = arguments(line)
        elif word == "only":
            parsed_reasons.append(reason(line))
        elif word == "none":
            none = (line.name(), text(line), parsed_reasons := [])
        else:
            assert word == "branch", line.line
            branches.append((line.name(), text(line), parsed_reasons := []))
        line.end()
    return ir.Site(
        number,
        name,
        code=code,
        low=low,
        size=size_,
        secret=secret,
        move=move,
        reasons=tuple(reasons),  # type: ignore[arg-type]
        none=None if none is None else ir.NoneOption(none[0], none[1], tuple(none[2])),
        branches=tuple(ir.Branch(name, label, tuple(tests)) for name, label, tests in branches),
        **given,
    )


def tray(w: Words) -> ir.Tray:
    what, chosen = w.take(), expression(w)
    w.want(":")
    t = typed(w)
    low = expression(w) if w.has("low") else None
    w.want("high")
    high = expression(w)
    return ir.Tray(what, chosen, t, low, high, expression(w) if w.has("kind") else None)  # type: ignore[arg-type]


def reason(w: Words) -> ir.Reason:
    test = expression(w)
    w.want("else")
    return ir.Reason(test, text(w))


def rule(number: int, w: Words, lines: list[Words]) -> ir.Rule:
    name, source = w.name(), w.take()
    pieces: Any = ()
    kind = None
    if w.next == "(":
        pieces = value(w)
        w.want("of")
        kind = None if w.has("None") else w.number()
    lasting, alive, test, player = (w.after(word) for word in ("lasting", "alive", "test", "player"))
    w.want("runs")
    runs = w.number()
    w.want("rank")
    rank = w.number()
    limit = w.after("limit")
    counter = None if limit is None else (w.want("in"), w.index("S"))[1]
    about = []
    if w.has("about"):
        about.append(typed(w))
        while w.has(","):
            about.append(typed(w))
    w.end()
    option = None
    locals_: tuple[ir.Type, ...] = ()
    if lines:
        lines[0].want("option")
        label, shown = lines[0].name(), text(lines[0])
        tests = [reason(line) for line in lines[1:] if line.has("only")]
        locals_, _ = types_of(0, [line for line in lines[1:] if line.next == "locals"])
        option = ir.Branch(label, shown, tuple(tests))
    return ir.Rule(
        number,
        name,
        source,
        pieces,
        lasting,
        alive,
        test,
        player,
        runs,
        rank,
        limit,
        counter,
        kind,  # type: ignore[arg-type]
        option,
        locals=locals_,
        arguments=tuple(about),
    )


# --- instructions -----------------------------------------------------------------------------------------------------
def instruction(w: Words, where: Span) -> ir.Instruction:
    """An instruction, at a place."""
    if re.fullmatch(r"L\d+", w.next):
        return result(w, w.index("L"), where)
    if re.fullmatch(r"S\d+", w.next):
        return store(w, where)
    word = w.take()
    match word:
        case "jump":
            return ir.Jump(w.number(), where)
        case "unless":
            test = expression(w)
            w.want("jump")
            return ir.Unless(test, w.number(), where)
        case "next" if w.has("rule"):
            live = w.index("L")
            w.want("with")
            args = arguments(w)
            arrange = w.after("arrange")
            w.want("else")
            return ir.NextRule(live, args, w.number(), arrange, where)
        case "next":
            index = w.index("L")
            w.want("else")
            return ir.Next(index, w.number(), where)
        case "return":
            return ir.Return(None if w.next in ("", "@") else expression(w), where)
        case "move" if w.has("counts"):
            bag = expression(w)
            w.want("from")
            source = place(w)
            w.want("to")
            return ir.MoveCounts(bag, *source, *place(w), where)
        case "move":
            pieces = expression(w)
            w.want("to")
            zone, at = place(w)
            assert zone is not None
            return ir.Move(pieces, zone, at, w.has("beneath"), where)
        case "learn" | "forget":
            pieces = expression(w)
            w.want("of")
            kind = w.number()
            w.want("by")
            seats = None if w.has("all") else expression(w)
            return ir.Learn(pieces, kind, seats, word == "forget", where)
        case "say":
            message = text(w)
            return ir.Say(message, expression(w) if w.has("to") else None, where)
        case "claim":
            test = expression(w)
            w.want("else")
            coded = re.fullmatch(r"R\d{3}", w.words[w.at])
            code = w.take() if coded else "R011"
            return ir.Claim(test, text(w), where, code)
        case "leave":
            return ir.Leave(w.index("S"), w.index("L"), where)
        case "unwind":
            return ir.Unwind(w.number(), where)
        case "resume":
            return ir.Resume(w.index("L"), where)
        case "begin":
            lasting = w.number()
            w.want("with")
            args = arguments(w)
            end, depth = until(w)
            return ir.Begin(lasting, args, end, where, depth)
        case "reset":
            low = w.index("S")
            w.want("..")
            return ir.Reset(low, w.index("S"), where)
    assert word == "finish", w.line
    return ir.Finish(expression(w), where)


def result(w: Words, live: int, where: Span) -> ir.Instruction:
    """An instruction that gives a local a value."""
    w.want(":=")
    if w.has("call"):
        return ir.Call(w.number(), arguments(w), live, where)
    if w.has("ask"):
        return ir.Ask(w.number(), live, where)
    if w.has("draw"):
        items = expression(w)
        weights = expression(w) if w.has("by") else None
        left = w.index("L") if w.has("left") else None
        w.want(",")
        return ir.Draw(items, weights, live, typed(w), w.name(), where, left)
    if w.has("fork"):
        seats = expression(w)
        w.want(":", "call")
        return ir.Fork(seats, w.number(), arguments(w), live, where)
    if w.has("collect"):
        rules: Any = value(w)
        w.want("with")
        args = arguments(w)
        return ir.Collect(rules, args, expression(w) if w.has("order") else None, live, where)
    if w.has("run", "rule", "with"):
        return ir.CallRule(arguments(w), live, where)
    if w.has("enter"):
        low = w.index("S")
        w.want("..")
        high = w.index("S")
        values: Any = value(w)
        return ir.Enter(low, high, values, live, where)
    if w.has("cease"):
        lasting = None if w.has("any") else w.number()
        given = arguments(w) if w.has("with") else None
        end, depth = until(w)
        return ir.Cease(lasting, end, given, live, where, depth)
    return ir.Let(live, expression(w), where)


def store(w: Words, where: Span) -> ir.Store:
    base, index, size_ = slot(w)
    w.want(":=")
    new = expression(w)
    low = high = None
    if w.has("within"):
        low = w.maybe()
        w.want("..")
        high = w.maybe()
    stops = w.has("or", "nearest")
    return ir.Store(base, index, size_, new, low, high, stops, w.name(), where)


def until(w: Words) -> tuple[int | None, int | None]:
    return w.after("until"), w.index("S") if w.has("depth") else None


def place(w: Words) -> tuple[int | None, ir.Expr | None]:
    if w.has("outside"):
        return None, None
    w.want("zone")
    zone, at = w.number(), None
    if w.has("["):
        at = expression(w)
        w.want("]")
    return zone, at


# --- expressions ------------------------------------------------------------------------------------------------------
def expression(w: Words) -> ir.Expr:
    """An expression."""
    word = w.next
    if re.fullmatch(r"L\d+", word):
        return ir.Local(w.index("L"))
    if re.fullmatch(r"S\d+", word):
        return ir.Load(*slot(w))
    if word == "(" and w.words[w.at + 1] == "if":
        w.want("(", "if")
        test = expression(w)
        w.want("then")
        then = expression(w)
        w.want("else")
        other = expression(w)
        w.want(")")
        return ir.Cond(test, then, other)
    if word == "(" and re.fullmatch(r"L\d+", w.words[w.at + 1]):
        w.want("(")
        index = w.index("L")
        w.want(":=")
        nested = expression(w)
        w.want(":")
        body = expression(w)
        w.want(")")
        return ir.Bind(index, nested, body)
    if word == "[":
        return comprehension(w)
    if word == "{":
        w.want("{")
        values = listed(w, "}", value)
        w.want("[")
        at = expression(w)
        w.want("]")
        return ir.Column(values, at)
    if word.startswith("$"):
        return ir.Setting(w.take()[1:])
    if re.fullmatch(r"[A-Za-z_]\w*", word) and w.words[w.at + 1 : w.at + 2] == ["("]:
        return applied(w, w.take())
    return ir.Const(value(w))


def comprehension(w: Words) -> ir.Comp:
    w.want("[")
    condition = None
    if w.words[w.at + 1] != "in":
        condition = expression(w)
        w.want("for")
    index = w.index("L")
    w.want("in")
    source = expression(w)
    where = expression(w) if w.has("if") else None
    key = expression(w) if w.has("by") else None
    w.want("]")
    return ir.Comp(index, source, where, condition, key)


def applied(w: Words, name: str) -> ir.Expr:
    """Something with arguments in parentheses."""
    if re.fullmatch(r"f\d+", name):
        return ir.Invoke(int(name[1:]), arguments(w))
    if name == "known":
        w.want("(")
        operand = expression(w)
        w.want(",")
        field_name = w.name()
        w.want(")")
        return ir.Known(operand, field_name)
    if name == "fold":
        w.want("(")
        acc = w.index("L")
        w.want(":=")
        start = expression(w)
        w.want(",")
        index = w.index("L")
        w.want("in")
        source = expression(w)
        w.want(":")
        body = expression(w)
        w.want(")")
        return ir.Fold(acc, start, index, source, body)
    if name == "once":
        w.want("(")
        index = w.index("L")
        w.want(":")
        operand = expression(w)
        w.want(")")
        return ir.Once(index, operand)
    if name == "after":
        w.want("(")
        procedure = w.number()
        args = arguments(w)
        w.want(":")
        operand = expression(w)
        w.want(")")
        return ir.After(procedure, args, operand)
    if name == "completable":
        w.want("(")
        parts = []
        for _ in range(4):
            parts.append(expression(w))
            w.want(",")
        index = w.index("L")
        complete = expression(w) if w.has(":") else None
        w.want(")")
        return ir.Completable(*parts, index, complete)
    return ir.Op(name, arguments(w))


def slot(w: Words) -> tuple[int, ir.Expr | None, int]:
    base = w.index("S")
    if not w.has("["):
        return base, None, 1
    index = expression(w)
    w.want("of")
    size_ = w.number()
    w.want("]")
    return base, index, size_


def arguments(w: Words) -> tuple[ir.Expr, ...]:
    w.want("(")
    return listed(w, ")", expression)


def listed(w: Words, end: str, read: Any) -> tuple[Any, ...]:
    items = []
    while not w.has(end):
        items.append(read(w))
        w.has(",")
    return tuple(items)


def value(w: Words) -> ir.Value:
    """A constant."""
    if w.has("("):
        return listed(w, ")", value)
    words = {"yes": True, "no": False, "none": None}
    if w.next in words:
        return words[w.take()]
    return w.name() if w.next.startswith('"') else w.number()


# --- texts ------------------------------------------------------------------------------------------------------------
def text(w: Words) -> ir.Text:
    parts: list[Any] = []
    while w.next.startswith('"') or w.next == "{":
        if w.has("{"):
            value = expression(w)
            w.want(":")
            parts.append((value, typed(w)))
            w.want("}")
        else:
            parts.append(w.name())
    return ir.Text(() if parts == [""] else tuple(parts))


def typed(w: Words) -> ir.Type:
    """A type."""
    what: Any = w.take()
    if what in ("entity", "bag"):
        return ir.Type(what, w.number())
    if what in ("set", "list", "option"):
        most = w.maybe()
        w.want("of")
        return ir.Type(what, parts=(typed(w),), capacity=most)
    if what == "int" and (w.next == ".." or w.words[w.at + 1 : w.at + 2] == [".."]):
        low = w.maybe()
        w.want("..")
        return ir.types.number(low, w.maybe())
    if what == "aside":
        low = w.index("S")
        w.want("..")
        return ir.types.aside(low, w.index("S"))
    if what == "entry":
        return ir.types.entry(value(w))  # type: ignore[arg-type]
    if what == "choice":
        return ir.types.choice(w.number(), value(w))  # type: ignore[arg-type]
    if what == "pack":
        w.want("(")
        return ir.types.pack(*listed(w, ")", typed))
    if what != "record":
        return ir.Type(what)
    w.want("(")
    names, parts = [], []
    while not w.has(")"):
        name = w.take()
        names.append(json.loads(name) if name.startswith('"') else name)
        w.want(":")
        parts.append(typed(w))
        w.has(",")
    return ir.Type(what, parts=tuple(parts), names=tuple(names))


def types_of(count: int, lines: list[Words]) -> tuple[tuple[ir.Type, ...], ir.Type]:
    """The types of so many locals, and of the result, from the first of the lines, which are taken out; without any, `any`."""
    locals_: tuple[ir.Type, ...] = (ir.types.ANY,) * count
    if lines and lines[0].has("locals"):
        line = lines.pop(0)
        locals_ = ()
        while line.next:
            assert line.index("L") == len(locals_), line.line
            line.want(":")
            locals_ += (typed(line),)
            line.has(",")
    result = ir.types.ANY
    if lines and lines[0].has("gives"):
        result = typed(lines.pop(0))
    return locals_, result
