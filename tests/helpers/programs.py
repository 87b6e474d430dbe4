"""Small programs built by hand, for the tests of the machine."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from interpreter import Game, State
from rulespec import ir
from rulespec.passes.liveness import liveness

Item = ir.Instruction | str

BODIES: dict[str, Any] = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "eq": lambda a, b: a == b,
    "lt": lambda a, b: a < b,
    "mod": lambda a, b: a % b,
    "without": lambda a, b: tuple(x for x in a if x != b),
    "pack": lambda *a: a,
    "get": lambda a, b: a[b],
    "is_none": lambda a: a is None,
    "not_": lambda a: not a,
    "last": lambda a: a[-1],
    "size": len,
    "sum": sum,
}


def c(value: Any) -> ir.Const:
    return ir.Const(value)


def x(index: int) -> ir.Local:
    return ir.Local(index)


def op(name: str, *args: ir.Expr) -> ir.Op:
    return ir.Op(name, args)


def text(*parts: Any) -> ir.Text:
    return ir.Text(parts)


INT = ir.types.INT
FIRST = ir.Const(0)
PLAYER = ir.types.entity(0)
SEATS = ir.Kind(0, "Player", "player", ("p1", "p2", "p3"), ("Ann", "Ben", "Cid"))
ALL, NONE, OWNER = ir.Viewers("all"), ir.Viewers("none"), ir.Viewers("owner")


def set_(slot: int, value: ir.Expr, low: int | None = None, high: int | None = None) -> ir.Store:
    return ir.Store(slot, None, 1, value, low, high, False, f"v{slot}")


@dataclass
class Build:
    """Collects the parts of a program; labels are strings among a procedure's instructions."""

    players: int = 2
    kinds: list[ir.Kind] = field(default_factory=list)
    zones: list[ir.Zone] = field(default_factory=list)
    variables: list[ir.Variable] = field(default_factory=list)
    slots: list[Any] = field(default_factory=lambda: [None, None, None, None, (), (), 0])
    names: list[str] = field(
        default_factory=lambda: ["control", "random", "winners", "returns", "known", "lasting", "batch"]
    )
    functions: list[ir.Function] = field(default_factory=list)
    procedures: list[ir.Procedure] = field(default_factory=list)
    sites: list[ir.Site] = field(default_factory=list)
    rules: list[ir.Rule] = field(default_factory=list)
    step_limit: int = 10_000

    def __post_init__(self) -> None:
        members, labels = SEATS.members[: self.players], SEATS.labels[: self.players]
        self.kinds.insert(0, replace(SEATS, members=members, labels=labels))

    def slot(self, name: str, *values: Any) -> int:
        base = len(self.slots)
        self.slots += values
        self.names += [f"{name}{i}" if len(values) > 1 else name for i in range(len(values))]
        return base

    def variable(
        self,
        name: str,
        *values: Any,
        per: tuple[int, ...] = (),
        seen: ir.Viewers = ALL,
        printer: ir.Type = INT,
        scope: int | None = None,
    ) -> int:
        base = self.slot(name, *values)
        index = len(self.variables)
        self.variables.append(ir.Variable(index, name, base, len(values), per, printer, seen, scope))
        return base

    def pieces(self, name: str, members: tuple[str, ...], noun: str = "a card") -> int:
        location = self.slot(f"{name}.at", *(-1 for _ in members))
        index = len(self.kinds)
        labels = tuple(member.replace("_", " ").title() for member in members)
        self.kinds.append(ir.Kind(index, name, "piece", members, labels, location, noun))
        return index

    def zone(
        self,
        name: str,
        kind: int,
        per: tuple[int, ...] = (),
        order: Any = "set",
        seen: ir.Viewers = ALL,
        counted: ir.Viewers = ALL,
        top: ir.Viewers = NONE,
        counts: bool = False,
    ) -> int:
        size = 1
        for k in per:
            size *= len(self.kinds[k].members)
        empty: Any = (0,) * len(self.kinds[kind].members) if counts else ()
        base = self.slot(name, *[empty] * size)
        index = len(self.zones)
        self.zones.append(ir.Zone(index, name, kind, base, size, per, order, counts, seen, counted, top))
        return index

    def put(self, kind: int, zone: int, offset: int = 0) -> None:
        """All pieces of a kind start in a zone."""
        slot = self.zones[zone].base + offset
        location = self.kinds[kind].location
        assert location is not None
        self.slots[slot] = tuple(range(len(self.kinds[kind].members)))
        for piece in self.slots[slot]:
            self.slots[location + piece] = slot

    def function(self, name: str, parameters: int, body: ir.Expr, locals: int = 6) -> int:
        self.functions.append(ir.Function(name, parameters, (ir.types.ANY,) * locals, body))
        return len(self.functions) - 1

    def site(self, name: str, items: ir.Expr, player: ir.Expr = FIRST, item: int = 9, **more: Any) -> int:
        index = len(self.sites)
        more.setdefault("type", INT)
        more.setdefault("prompt", text(f"Choose {name}"))
        self.sites.append(ir.Site(index, name, player, items, item, **more))
        return index

    def procedure(self, name: str, parameters: int, *items: Item, regions: tuple[Any, ...] = ()) -> int:
        labels: dict[str, int] = {}
        code: list[ir.Instruction] = []
        for item in items:
            if isinstance(item, str):
                labels[item] = len(code)
            else:
                code.append(item)
        for pc, i in enumerate(code):
            target = getattr(i, "target", None)
            if isinstance(target, str):
                code[pc] = replace(i, target=labels[target])  # type: ignore[call-arg]
        protected = tuple(
            ir.Region(labels[a], labels[b], labels[h], index, target) for a, b, h, index, target in regions
        )
        self.procedures.append(ir.Procedure(name, parameters, (ir.types.ANY,) * 10, tuple(code), protected))
        return len(self.procedures) - 1

    def program(self, main: int | None = None) -> ir.Program:
        return liveness(
            ir.Program(
                "toy",
                "A toy",
                "0" * 64,
                self.players,
                (),
                tuple(self.kinds),
                0,
                tuple(self.zones),
                tuple(self.variables),
                tuple(self.slots),
                tuple(self.names),
                tuple(self.functions),
                tuple(self.procedures),
                len(self.procedures) - 1 if main is None else main,
                tuple(self.sites),
                tuple(self.rules),
                (),
                ("loop", "game"),
                step_limit=self.step_limit,
            )
        )

    def game(self, main: int | None = None, backend: str = "generated") -> Game:
        return Game.from_program(self.program(main), lambda name: BODIES[name], backend)


def finish(*returns: int) -> ir.Finish:
    return ir.Finish(c(returns))


def run(b: Build, **more: Any) -> State:
    """A new state of the game of a program."""
    return b.game().new_state(1, **more)


def simple(*items: Any, b: Build | None = None, slots: int = 3) -> tuple[Build, State]:
    """Slots 7, 8 and 9 and a procedure; for programs that ask nothing."""
    b = b or Build()
    b.slot("v", *[0] * slots)
    b.procedure("main", 0, *items, finish(0, 0))
    return b, run(b)


def nested() -> Game:
    """A choice inside two loops inside a rule that sets off another rule with a chance outcome."""
    b = Build()
    total = b.variable("total", 0)
    used = b.slot("used", 0)
    number = b.site("number", c((1, 2, 3)), c(1), code="value", low=1, size=3)
    bump = b.procedure(
        "bonus",
        2,
        ir.Draw(c((1, 2, 3)), c((1, 0, 2)), 2, INT, "bonus_die"),
        set_(total, op("add", ir.Load(total), x(2)), 0, 1000),
        ir.Say(text("bonus ", (x(2), INT)), None),
        ir.Return(c(True)),
    )
    react = b.procedure(
        "react",
        1,
        ir.Let(1, c((0, 1))),
        ir.Let(2, c(0)),
        "outer",
        ir.Next(1, "done"),
        ir.Let(4, c((5, 6))),
        ir.Let(5, c(0)),
        "inner",
        ir.Next(4, "outer"),
        ir.Ask(number, 7),
        set_(total, op("add", ir.Load(total), x(7)), 0, 1000),
        ir.Collect((1,), (x(6), x(7)), None, 8),
        ir.Let(9, x(8)),
        "window",
        ir.NextRule(8, (x(6), x(7)), "inner", None),
        ir.CallRule((x(6), x(7)), 10),
        ir.Jump("window"),
        "done",
        ir.Return(c(True)),
    )
    odd = b.function("odd", 2, op("eq", op("mod", x(1), c(2)), c(1)))
    b.rules = [
        ir.Rule(0, "react", "plain", (), None, None, None, None, react, 0, 2, used),
        ir.Rule(1, "bonus", "plain", (), None, None, odd, None, bump, 0),
    ]
    b.procedure(
        "main",
        0,
        ir.Let(0, c((0, 1, 2))),
        ir.Let(1, c(0)),
        "loop",
        ir.Next(0, "end"),
        ir.Collect((0,), (x(2),), None, 3),
        "window",
        ir.NextRule(3, (x(2),), "loop", None),
        ir.CallRule((x(2),), 5),
        ir.Jump("window"),
        "end",
        ir.Finish(op("pack", ir.Load(total), c(0))),
    )
    return b.game()


CARDS = tuple(f"{colour}_{n}" for colour in ("red", "blue") for n in (1, 2, 3))


def showing(b: Build, hand: ir.Expr, shown: ir.Type) -> int:
    """A sealed procedure in which a player chooses a card of a hand, or none, and may think again."""
    legal = ir.Reason(op("not_", op("eq", x(9), c(0))), text((x(9), shown), " may not be shown"))
    pick = b.site(
        "show",
        hand,
        x(0),
        type=shown,
        code="value",
        size=len(CARDS),
        reasons=(legal,),
        none=ir.NoneOption("pass", text("Show nothing")),
    )
    return b.procedure(
        "sealed",
        1,
        ir.Ask(pick, 1),
        ir.Unless(op("is_none", x(1)), "out"),
        ir.Ask(pick, 1),  # a second thought, which must not tell others anything
        "out",
        ir.Return(op("pack", x(1))),
    )


def cards(players: int = 3) -> Game:
    """Each player is dealt two hidden cards; all show one under seal, and the rest is looked at."""
    b = Build(players)
    card = b.pieces("Card", CARDS)
    deck = b.zone("deck", card, order="shuffled", seen=NONE)
    hand = b.zone("hand", card, (0,), seen=OWNER)
    table = b.zone("table", card, order="pile")
    b.put(card, deck)
    shown = ir.types.entity(card)
    score = b.variable("score", *[0] * players, per=(0,))
    sealed = showing(b, ir.Load(b.zones[hand].base, x(0), players), shown)
    seats = c(tuple(range(players)))
    b.procedure(
        "main",
        0,
        ir.Let(0, seats),
        ir.Let(1, c(0)),
        "deal",
        ir.Next(0, "dealt"),
        ir.Draw(ir.Load(b.zones[deck].base), None, 3, shown, "deal"),
        ir.Move(op("pack", x(3)), hand, x(2)),
        ir.Say(text((x(2), PLAYER), " gets ", (x(3), shown)), None),
        ir.Draw(ir.Load(b.zones[deck].base), None, 3, shown, "deal"),
        ir.Move(op("pack", x(3)), hand, x(2)),
        ir.Jump("deal"),
        "dealt",
        ir.Learn(ir.Load(b.zones[hand].base), card, c((1,))),
        ir.Fork(seats, sealed, (), 0),
        ir.Let(1, seats),
        ir.Let(2, c(0)),
        "open",
        ir.Next(1, "end"),
        ir.Let(4, op("get", op("get", x(0), x(3)), c(0))),
        ir.Unless(op("not_", op("is_none", x(4))), "open"),
        ir.Move(op("pack", x(4)), table, None),
        ir.Say(text((x(3), PLAYER), " shows ", (x(4), shown)), None),
        ir.Say(text("secret for Ann"), c((0,))),
        ir.Store(score, x(3), players, c(1), 0, 1, False, "score"),
        ir.Jump("open"),
        "end",
        finish(*range(players)),
    )
    return b.game()
