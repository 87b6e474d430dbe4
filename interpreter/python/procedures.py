"""Code of procedures: a Python function for each entry, which is the beginning or a point where a frame waits.

    p3(S, J, P, *arguments)   runs procedure 3; P is the frame that waits for it
    r7(S, J, frame, value)    goes on where a frame waited at point 7
    u7(S, J, frame)           leaves the procedure of that frame, up to the target in F[1]

Each gives the procedure's result, or WAIT (CONTROL says what for) or LEAVE.  J is the journal, or None where nobody wants one.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import assert_never

from interpreter.python import bags
from interpreter.python.callees import Callees
from interpreter.python.expressions import ExpressionWriter
from interpreter.python.operations import is_items
from interpreter.python.pool import Pool
from interpreter.python.structure import Shaper, WrittenInstruction
from interpreter.python.templates import function, statements, tuple_of
from interpreter.runtime import effects
from rulespec import ir
from rulespec.analysis.domain import Fact
from rulespec.ir.flow import edges, live_before, region_at, runs
from rulespec.ir.reads import numbers
from rulespec.ir.weight import long_values

Simple = ir.MoveCounts | ir.Learn | ir.Collect | ir.Enter | ir.Leave | ir.Begin | ir.Cease | ir.Reset
STEP = 30  # cost of an instruction, in items looked at


class ProcedureWriter:
    """Writes the functions of one procedure.  `points` maps positions to the points of the program."""

    def __init__(
        self, pool: Pool, callees: Callees, index: int, points: dict[tuple[int, int], int], first_line: int
    ) -> None:
        self.pool = pool
        self.program = pool.program
        self.callees = callees
        self.index = index
        self.procedure = self.program.procedures[index]
        self.points = {position: point for (procedure, position), point in points.items() if procedure == index}
        self.first_line = first_line
        self.writer = ExpressionWriter(pool)
        self.following: dict[int, tuple[int, ...]] = {}
        self.costs: dict[int, int] = {}
        self.looks: dict[int, int] = {}

    # --- what is known of locals ---------------------------------------------------------------------
    @cached_property
    def facts(self) -> dict[int, Fact]:
        """The facts of each local: its type."""
        return self.pool.evaluator.locals(self.procedure.locals)

    @cached_property
    def alive(self) -> list[int]:
        """The locals (bits) that may be read from each position on, before they are set."""
        return live_before(self.procedure, self.program.sites, self.callees.leaves)

    # --- the functions ---------------------------------------------------------------------------------
    def entry(self) -> ast.FunctionDef:
        """The function of the beginning."""
        parameters = [f"l{k}" for k in range(self.procedure.parameters)]
        self.looks.clear()  # what other functions of the procedure look at is theirs
        body = self.run(0, set(range(self.procedure.parameters)))
        looks = sum(self.looks.values()) + (STEP * len(self.procedure.code) if self.callees.each_counts else 0)
        if looks:
            body[:0] = statements("F[0] -= $n\nif F[0] < 0: raise Stop", n=self.writer.const(looks))
        return function(f"p{self.index}", ["S", "J", "P", *parameters], body, self.line(0))

    def resume(self, point: int) -> ast.FunctionDef:
        """The function that resumes at a point."""
        position = self.program.points[point].position
        i = self.procedure.code[position]
        body = self.unpack(point)
        line = self.line(position)
        known = set(self.program.points[point].kept)
        match i:
            case ir.NextRule(live):
                body += statements(
                    "$e = $q[value]\n$q = $q[:value] + $q[value + 1:]", line, e=f"l{live + 1}", q=f"l{live}"
                )
                known |= {live, live + 1}
            case ir.CallRule(_, live):
                body += statements(
                    "$x = value is True or bool(value)\nif not $x: give_back(S, $e)",
                    line,
                    x=f"l{live}",
                    e=f"l{live - 1}",
                )
                known.add(live)
            case ir.Ask(_, live) | ir.Draw(_, _, live) | ir.Call(_, _, live) | ir.Fork(_, _, _, live):
                body += statements("$x = value", line, x=f"l{live}")
                known.add(live)
            case _:
                raise ValueError(f"{type(i).__name__} does not wait")
        return function(f"r{point}", ["S", "J", "frame", "value"], body + self.run(position + 1, known), line)

    def unwind(self, point: int) -> ast.FunctionDef:
        """The function that leaves a frame's procedure."""
        position = self.program.points[point].position
        line = self.line(position)
        region = self.region(position)
        if region is None:
            return function(f"u{point}", ["S", "J", "frame"], statements("return LEAVE", line), line)
        body = self.unpack(point) + self.caught(region, line)
        known = {*self.program.points[point].kept, region.index}
        return function(f"u{point}", ["S", "J", "frame"], body + self.run(region.handler, known), line)

    def unpack(self, point: int) -> list[ast.stmt]:
        """Unpacks the locals of a frame."""
        kept = self.program.points[point].kept
        line = self.line(self.program.points[point].position)
        if not kept:
            return statements("P = frame[1]", line)
        targets = ", ".join(["_", "P", *(f"l{k}" for k in kept)])  # of a Fork, without the children
        return statements(f"{targets} = frame", line)

    def run(self, start: int, known: set[int]) -> list[ast.stmt]:
        """The statements from a position on; `known` locals are set, others that may be read before they are set become None."""
        unset = [k for k in numbers(self.alive[start]) if k not in known]
        before = [s for k in unset for s in statements("$x = None", self.line(start), x=f"l{k}")]
        return before + Shaper(start, self.follow, self.node, self.cost).statements()

    # --- the graph ---------------------------------------------------------------------------------------
    def region(self, at: int) -> ir.Region | None:
        """The innermost region around a position."""
        return region_at(self.procedure, at)

    def may_leave(self, i: ir.Instruction) -> bool:
        """Whether what an instruction runs may leave the regions around it."""
        return runs(i, self.callees.leaves)

    def may_wait(self, i: ir.Instruction) -> bool:
        """Whether what an instruction runs may have to wait."""
        return runs(i, self.callees.waits)

    def follow(self, at: int) -> tuple[int, ...]:
        """The successors of an instruction; one that surely waits has none."""
        if at not in self.following:
            self.following[at] = self.successors(at)
        return self.following[at]

    def successors(self, at: int) -> tuple[int, ...]:
        """See `follow`."""
        i = self.procedure.code[at]
        match i:
            case ir.Unless(ir.Const(value), target):
                return (at + 1 if value else target,)
            case ir.Ask():
                return ()
        return tuple(target for target, _ in edges(self.procedure, at, self.callees.leaves))

    def cost(self, at: int) -> int:
        """The cost of an instruction in a loop, callees included."""
        i = self.procedure.code[at]
        total = self.costs.get(at, 0) + STEP
        if self.callees.each_counts:
            return total
        if isinstance(i, ir.Call):
            total += STEP * self.callees.length(i.procedure)
        elif isinstance(i, ir.CallRule):
            total += STEP * self.callees.longest_rule
        return total

    def line(self, at: int) -> int:
        """The line number of an instruction: unique in the whole program."""
        return self.first_line + at

    # --- instructions --------------------------------------------------------------------------------------
    def node(self, at: int) -> WrittenInstruction:
        """An instruction as statements."""
        w = self.writer
        w.line = self.line(at)
        w.facts = dict(self.facts)
        w.names = {}
        w.looks = 0
        w.here = {}
        with w.aside() as body:
            written = self.write(at, self.procedure.code[at])
        self.costs[at] = self.looks[at] = w.looks
        written.body[:0] = body
        return written

    def write(self, at: int, i: ir.Instruction) -> WrittenInstruction:
        """Write the statements into the writer's block; returns the rest of the node."""
        w = self.writer
        after = at + 1
        match i:
            case ir.Let(index, value):
                w.add("$x = $v", x=f"l{index}", v=w.expr(value))
            case ir.Store():
                self.store(i)
            case ir.Jump(target):
                return WrittenInstruction([], target)
            case ir.Unless(test, target):
                condition = w.expr(test)
                if isinstance(condition, ast.Constant):
                    return WrittenInstruction([], after if condition.value else target)
                return WrittenInstruction([], after, condition, target)
            case ir.Next():
                return self.next(at, i)
            case ir.NextRule():
                return WrittenInstruction([], after, w.name(f"l{i.live}"), i.target, self.next_rule(at, i))
            case ir.Call():
                return self.call(at, i)
            case ir.CallRule():
                return self.call_rule(at, i)
            case ir.Return(value):
                w.add("return $v", v=w.const(None) if value is None else w.expr(value))
                return WrittenInstruction([])
            case ir.Ask():
                w.block += self.suspension(at)
                return WrittenInstruction([])
            case ir.Draw():
                self.draw(at, i)
            case ir.Move():
                self.move(i)
            case ir.Say():
                self.say(at, i)
            case ir.Claim(test):
                w.add("if not $t: raise Stop", t=w.expr(test))
            case ir.Fork():
                self.fork(at, i)
            case ir.Unwind(target):
                w.add("F[1] = $t", t=w.const(target))
                return self.leaving(at, None)
            case ir.Resume(index):
                w.add("F[1] = $x", x=w.name(f"l{index}"))
                return self.leaving(at, w.make("F[1] is not None"))
            case ir.Finish(returns):
                w.add("S[$RETURNS] = $v\nS[$CONTROL] = None\nreturn WAIT", v=w.expr(returns))
                return WrittenInstruction([])
            case _:
                self.simple(i)
        return WrittenInstruction([], after)

    def next(self, at: int, i: ir.Next) -> WrittenInstruction:
        """`Next`."""
        w = self.writer
        items, done = w.name(f"l{i.index}"), w.name(f"l{i.index + 1}")
        more = w.make("$n < len($i)", i=items, n=done)
        step = statements("$x = $i[$n]\n$d = $n + 1", w.line, x=f"l{i.index + 2}", i=items, n=done, d=f"l{i.index + 1}")
        return WrittenInstruction([], at + 1, more, i.target, step)

    def fork(self, at: int, i: ir.Fork) -> None:
        """`Fork`."""
        w = self.writer
        seats = w.expr(i.seats)
        args = tuple_of(w.exprs(i.args), w.line)
        w.add("t = fork(S, J, $s, $p, $a)", s=seats, p=w.name(f"p{i.procedure}"), a=args)
        wait = self.suspension(at, w.make("tuple(t)"))
        w.add("if t.__class__ is list:\n $wait\n$x = t", wait=wait, x=f"l{i.live}")

    def simple(self, i: Simple) -> None:
        """Instructions that are a call and nothing else."""
        w = self.writer
        match i:
            case ir.MoveCounts(bag, source, source_index, zone, index):
                counts = w.expr(bag)
                take = w.const(None) if source is None else self.place(self.program.zones[source], source_index)
                give = w.const(None) if zone is None else self.place(self.program.zones[zone], index)
                self.move_counts(i, counts, take, give)
            case ir.Learn(pieces, kind, seats, forget):
                location = self.program.kinds[kind].location
                known = w.expr(pieces)
                if seats is None:
                    who = w.const(effects.everybody(self.program))
                else:
                    who = w.const(()) if forget else w.expr(seats)
                w.add("learn(S, $p, $l, $s, $f)", p=known, l=w.const(location), s=who, f=w.const(forget))
            case ir.Collect(rules, args, order, live):
                values = tuple_of(w.exprs(args), w.line)
                by = w.const(None) if order is None else w.expr(order)
                w.add("$x = collect(S, $r, $a, $o)", x=f"l{live}", r=w.const(rules), a=values, o=by)
            case ir.Enter(low, high, values, live):
                places = w.const(effects.places_within(self.program, low, high))
                w.add(
                    "$x = enter(S, $l, $h, $v, $p)",
                    x=f"l{live}",
                    l=w.const(low),
                    h=w.const(high),
                    v=w.const(values),
                    p=places,
                )
            case ir.Leave(low, live):
                places = w.const(effects.places_within(self.program, low, None))
                w.add("leave(S, $l, $x, $p)", l=w.const(low), x=w.name(f"l{live}"), p=places)
            case ir.Begin(lasting, args, end, _, depth):
                values = tuple_of(w.exprs(args), w.line)
                w.add("begin(S, $r, $a, $e, $d)", r=w.const(lasting), a=values, e=w.const(end), d=w.const(depth))
            case ir.Cease(lasting, end, args, live, _, depth):
                values = w.const(None) if args is None else tuple_of(w.exprs(args), w.line)
                w.add(
                    "$x = cease(S, $r, $e, $d, $a)",
                    x=f"l{live}",
                    r=w.const(lasting),
                    e=w.const(end),
                    d=w.const(depth),
                    a=values,
                )
            case ir.Reset(low, high):
                w.add("S[$l:$h] = $z", l=w.const(low), h=w.const(high), z=w.const((0,) * (high - low)))
            case _:
                assert_never(i)

    # --- slots -----------------------------------------------------------------------------------------------
    def place(self, stored: ir.Zone | ir.Store, index: ir.Expr | None) -> ast.expr:
        """The number of a slot."""
        w = self.writer
        if index is None:
            return w.const(stored.base)
        at = w.expr(index)
        if isinstance(at, ast.Constant):
            if isinstance(at.value, int) and 0 <= at.value < stored.size:
                return w.const(stored.base + at.value)
            return w.failure()
        return w.make("$d[$i]", d=self.pool.places(stored.base, stored.size), i=at)

    def store(self, i: ir.Store) -> None:
        """`Store`."""
        w = self.writer
        fact = w.fact(i.value)
        value = w.expr(i.value)
        slot = self.place(i, i.index)
        if i.low is None and i.high is None:
            w.add("S[$n] = $v", n=slot, v=value)
            return
        low, high = w.const(i.low), w.const(i.high)
        below_low = i.low is not None and not (fact.bounded and fact.low is not None and fact.low >= i.low)
        above_high = i.high is not None and not (fact.bounded and fact.high is not None and fact.high <= i.high)
        if below_low or above_high:
            value = w.held(value)
        tests = {(True, True): "$l <= $v <= $h", (True, False): "$l <= $v", (False, True): "$v <= $h"}
        if not below_low and not above_high:
            w.add("S[$n] = $v", n=slot, v=value)
        elif i.stops:
            t = w.temp()
            w.add("$t = $v", t=t, v=value)
            inside: list[ast.stmt] = []
            if below_low:
                inside += statements("if $v < $l: $t = $l", w.line, v=w.name(t), l=low, t=t)
            if above_high:
                inside += statements("if $v > $h: $t = $h", w.line, v=w.name(t), h=high, t=t)
            w.block += inside if not fact.none else statements("if $v is not None:\n $b", w.line, v=w.name(t), b=inside)
            w.add("S[$n] = $v", n=slot, v=w.name(t))
        else:
            test = w.make(tests[below_low, above_high], v=value, l=low, h=high)
            if fact.none:
                test = w.make("$v is None or $t", v=value, t=test)
            w.add("if not ($t): raise Stop\nS[$n] = $v", t=test, n=slot, v=value)

    def move(self, i: ir.Move) -> None:
        """`Move`: one piece in place, several by the shared effect."""
        w = self.writer
        zone = self.program.zones[i.zone]
        kind = self.program.kinds[zone.kind]
        location, size = w.const(kind.location), len(kind.members)
        fact = w.fact(i.pieces)
        pieces = w.expr(i.pieces)
        if isinstance(pieces, ast.Tuple) and len(pieces.elts) == 1 and not i.bottom:
            piece = pieces.elts[0]
            if fact.item is None or not fact.item.within(0, size - 1):
                piece = w.held(piece)
                w.add("if not 0 <= $p < $n: raise Stop", p=piece, n=w.const(size))
            call = "move_on_top" if zone.order == "pile" else "move_one"
            w.add(f"{call}(S, $p, $l, $to)", p=piece, l=location, to=self.place(zone, i.index))
            return
        w.add(
            "move(S, $p, $l, $n, $to, $pile, $bottom)",
            p=pieces,
            l=location,
            n=w.const(size),
            to=self.place(zone, i.index),
            pile=w.const(zone.order == "pile"),
            bottom=w.const(i.bottom),
        )

    def move_counts(self, i: ir.MoveCounts, bag: ast.expr, take: ast.expr, give: ast.expr) -> None:
        """`MoveCounts`: written out for bags of few kinds."""
        w = self.writer
        number = i.zone if i.source is None else i.source
        zone = None if number is None else self.program.zones[number]
        kinds = 0 if zone is None else len(self.program.kinds[zone.kind].members)
        if not 0 < kinds <= bags.WIDEST:
            w.add("move_counts(S, $b, $t, $g, '')", b=bag, t=take, g=give)
            return
        held = w.held(bag)
        w.add("if min($b) < 0 or len($b) != $n: raise Stop", b=held, n=w.const(kinds))
        for slot, sign, source in ((take, "-", i.source), (give, "+", i.zone)):
            if source is None:
                continue
            place = w.held(slot)
            w.add("v = S[$p]", p=place)
            parts = [w.make(f"v[$k] {sign} $b[$k]", b=held, k=w.const(k)) for k in range(kinds)]
            w.add("v = $t", t=tuple_of(parts, w.line))
            if sign == "-":
                w.add("if min(v) < 0: raise Stop")
            w.add("S[$p] = v", p=place)

    # --- waiting ---------------------------------------------------------------------------------------------
    def frame(self, at: int, children: ast.expr | None = None) -> ast.expr:
        """The frame of an instruction that waits."""
        w = self.writer
        point = self.points[at]
        kept: list[ast.expr] = [w.name(f"l{k}") for k in self.program.points[point].kept]
        return tuple_of([w.const(point), w.name("P"), *kept, *([] if children is None else [children])], w.line)

    def suspension(self, at: int, children: ast.expr | None = None) -> list[ast.stmt]:
        """Wait here."""
        deep = "if P is not None: deep(P)\n" if self.callees.piles_up else ""
        return statements(f"S[$CONTROL] = $f\n{deep}return WAIT", self.writer.line, f=self.frame(at, children))

    def draw(self, at: int, i: ir.Draw) -> None:
        """`Draw`: from distinct items by number, otherwise by a lottery."""
        w = self.writer
        fact = w.fact(i.items)
        items = w.held(w.expr(i.items))
        names = {"x": f"l{i.live}", "y": w.name(f"l{i.live}"), "name": w.const(i.name)}
        wait = self.suspension(at)
        if i.weights is None and fact.ordered and is_items(fact):
            w.add(
                "if len($s) == 1:\n $x = $s[0]\n"
                "elif S[$RANDOM] is None:\n if not $s: raise Stop\n $wait\n"
                "else:\n k = draw(S, len($s))\n $x = $s[k]\n if J is not None: J.history = ((-1, $name, k, $y), J.history)",
                s=items,
                wait=wait,
                **names,
            )
            return
        weights = w.const(None) if i.weights is None else w.expr(i.weights)
        if fact.ordered and is_items(fact):
            w.add(
                "if len($s) == 1:\n t = Lottery($s, $w)\n $x = $s[0]\n"
                "elif S[$RANDOM] is None:\n t = Lottery($s, $w)\n if len(t.values) > 1:\n  $wait\n $x = t.values[0]\n"
                "else:\n k, $x = draw_weighted(S, $s, $w)\n"
                " if J is not None and k >= 0: J.history = ((-1, $name, k, $y), J.history)",
                s=items,
                w=w.held(weights),
                wait=wait,
                **names,
            )
            return
        w.add(
            "t = Lottery($s, $w)\nif len(t.values) == 1:\n $x = t.values[0]\n"
            "elif S[$RANDOM] is None:\n $wait\n"
            "else:\n k = drawn(S, t)\n $x = t.values[k]\n if J is not None: J.history = ((-1, $name, k, $y), J.history)",
            s=items,
            w=weights,
            wait=wait,
            **names,
        )

    def next_rule(self, at: int, i: ir.NextRule) -> list[ast.stmt]:
        """Take the next rule of a queue that is not empty."""
        w = self.writer
        names = {"e": f"l{i.live + 1}", "q": w.name(f"l{i.live}"), "d": f"l{i.live}"}
        if i.arrange is None:
            return statements("$e = $q[0]\n$d = $q[1:]", w.line, **names)
        with w.aside() as out:
            values = tuple_of(w.exprs(i.args), w.line)
            w.add("k = pick(S, $q, $a)", a=values, q=names["q"])
            w.add("if k < 0:\n $wait\n$e = $q[k]\n$d = $q[:k] + $q[k + 1:]", wait=self.suspension(at), **names)
        return out

    # --- calling -----------------------------------------------------------------------------------------------
    def call(self, at: int, i: ir.Call) -> WrittenInstruction:
        """`Call`."""
        w = self.writer
        args = w.exprs(i.args)
        waits, result = self.may_wait(i), f"l{i.live}"
        frame = self.frame(at) if waits else w.const(None)
        w.add("$x = $p(S, J, $f, *$args)", x=result, p=w.name(f"p{i.procedure}"), f=frame, args=args)
        if waits:
            w.add("if $x is WAIT: return WAIT", x=w.name(result))
        if self.may_leave(i):
            return self.leaving(at, w.make("$x is LEAVE", x=w.name(result)))
        return WrittenInstruction([], at + 1)

    def call_rule(self, at: int, i: ir.CallRule) -> WrittenInstruction:
        """`CallRule`."""
        w = self.writer
        entry, result = w.name(f"l{i.live - 1}"), f"l{i.live}"
        with w.aside() as run:
            within, behind = ("F[2] -= 1\nif F[2] < 0: raise Stop\n", "\nF[2] += 1") if self.callees.nests else ("", "")
            w.add(
                f"{within}$x = rules[$e[0]](S, J, $f, *instance($e[1]), *$args){behind}",
                x=result,
                e=entry,
                f=self.frame(at),
                args=w.exprs(i.args),
            )
            if self.may_wait(i):
                w.add("if $x is WAIT: return WAIT", x=w.name(result))
            w.add(
                "if not $x:\n give_back(S, $e)\n $d = False\nelif $x is not LEAVE:\n $d = True",
                x=w.name(result),
                d=result,
                e=entry,
            )
        values = tuple_of(w.exprs(i.args), w.line)
        w.add("$x = False\nif passes(S, $e, $a):\n use(S, $e)\n $run", x=result, e=entry, a=values, run=run)
        if not self.may_leave(i):
            return WrittenInstruction([], at + 1)
        return self.leaving(at, w.make("$x is LEAVE", x=w.name(result)))

    def leaving(self, at: int, test: ast.expr | None) -> WrittenInstruction:
        """Leave towards the target in F[1], if a test holds: to the handler of the enclosing region, or out of the procedure."""
        w = self.writer
        region = self.region(at)
        out = statements("return LEAVE", w.line) if region is None else self.caught(region, w.line)
        if test is None:
            w.block += out
            return WrittenInstruction([], None if region is None else region.handler)
        if region is None:
            w.add("if $t:\n $b", t=test, b=out)
            return WrittenInstruction([], at + 1)
        return WrittenInstruction([], region.handler, test, at + 1, out)

    def caught(self, region: ir.Region, line: int) -> list[ast.stmt]:
        """The value of a handler's local: None where its region is the target."""
        target = self.writer.const(region.name)
        if region.name is None:
            return statements("$x = F[1]", line, x=f"l{region.index}")
        return statements("$x = None if F[1] == $t else F[1]", line, x=f"l{region.index}", t=target)

    # --- the log -----------------------------------------------------------------------------------------------
    def say(self, at: int, i: ir.Say) -> None:
        """`Say`: with a journal, the values of the line; without, only what may fail is evaluated."""
        w = self.writer
        holes = [part for part in i.text.parts if not isinstance(part, str)]
        with w.aside() as line:
            seats = w.const(None) if i.seats is None else w.expr(i.seats)
            values = tuple_of([w.expr(e) for e, _ in holes], w.line)
            masks: ast.expr = w.const(None)
            if self.pool.secret(i.text):
                w.add("v = $v", v=values)
                values, masks = w.name("v"), w.make("masks(S, $p, v)", p=self.pool.printers(i.text))
            w.add(
                "J.log = (($c, $at, $s, $v, $m, J.turn), J.log)",
                c=w.const(self.index),
                at=w.const(at),
                s=seats,
                v=values,
                m=masks,
            )
        for number in long_values(i.text):
            w.add("F[0] -= items_of($v)\nif F[0] < 0: raise Stop", v=w.expr(holes[number][0]))
        with w.aside() as quiet:
            for e in (*([] if i.seats is None else [i.seats]), *(e for e, _ in holes)):
                if not w.safe(e):
                    w.effect(w.expr(e))
        if quiet:
            w.add("if J is None:\n $q\nelse:\n $l", q=quiet, l=line)
        else:
            w.add("if J is not None:\n $l", l=line)
