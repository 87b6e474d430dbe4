"""The map of a game as a viewer may see it: places, links, and what is told of them, without saying how it is drawn."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from interpreter.position import Position
from interpreter.reference.expressions import Fn
from interpreter.reference.templates import Template
from interpreter.runtime.faults import FAILED, Fault, problem_of
from interpreter.runtime.hidden import NotSeen
from interpreter.runtime.texts import HIDDEN
from interpreter.runtime.visibility import EVERYTHING, Viewer
from interpreter.views.glimpse import Glimpse, glimpse, mask_of_hidden
from rulespec import ir
from rulespec.language.palette import FAINT, PLAIN
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic
from rulespec.text.source import Span


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the map: what is written in it, and which members of the legend's types it has ("?": not known)."""

    name: str
    title: str
    x: int | None
    y: int | None
    lines: tuple[str, ...] = ()
    colour: str | None = None
    symbol: str | None = None
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """A link between two places, by their numbers."""

    name: str
    a: int
    b: int
    one_way: bool = False
    style: str | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """A line of a legend: a member of a type and the sign that stands for it."""

    name: str
    label: str
    sign: str


@dataclass(frozen=True, slots=True)
class Legend:
    """What signs of one sort stand for, and what they tell."""

    of: str
    members: tuple[Member, ...] = ()

    def member(self, name: str | None) -> Member | None:
        """A member by its name; None for none and for one that is not known."""
        return next((member for member in self.members if member.name == name), None)


NO_LEGEND = Legend("")


@dataclass(frozen=True, slots=True)
class Picture:
    """A map as one viewer sees it now."""

    title: str
    viewer: str | None
    strong: str  # what a strong outline tells
    places: tuple[Place, ...]
    links: tuple[Link, ...]
    colours: Legend = NO_LEGEND
    symbols: Legend = NO_LEGEND
    styles: Legend = NO_LEGEND
    told: frozenset[int] = field(default=frozenset(), compare=False)  # the slots whose whole content it tells

    def stroke(self, link: Link) -> str:
        """How a link is drawn: in its style; one that has none is plain, or faint where a style is plain, too."""
        member = self.styles.member(link.style)
        return member.sign if member else FAINT if any(m.sign == PLAIN for m in self.styles.members) else PLAIN

    def strokes(self) -> tuple[Member, ...]:
        """The styles of the legend, and what a faint link is where there is one."""
        faint = [Member("none", "none", FAINT)] * any(self.stroke(link) == FAINT for link in self.links)
        return (*self.styles.members, *faint)

    def data(self) -> dict[str, Any]:
        """All of it as JSON data."""
        names = [place.name for place in self.places]
        links = [parts_of(link) | {"a": names[link.a], "b": names[link.b]} for link in self.links]
        legends = {"colour": self.colours, "symbol": self.symbols, "style": self.styles}
        return {
            "title": self.title,
            "strong": self.strong,
            "viewer": self.viewer,
            "places": [parts_of(place) | {"lines": list(place.lines)} for place in self.places],
            "links": links,
            "legends": {
                name: [parts_of(m) for m in legend.members] for name, legend in legends.items() if legend.members
            },
        }


def parts_of(one: Any) -> dict[str, Any]:
    """What a place, a link, a member or a cell has, by name."""
    return {name: getattr(one, name) for name in one.__slots__}


@dataclass(frozen=True, slots=True)
class Told:
    """What came of an expression about one member: its value, and `held`, what each slot had that was looked at, the last one last.

    It comes of the same slots again, at the same `cost` in items.
    """

    value: Any
    held: tuple[tuple[int, Any], ...]
    cost: int

    def of(self, slots: Glimpse) -> bool:
        """Whether all these slots are as they were."""
        at = slots.peek
        return all(at(slot) is value for slot, value in self.held)


def picture(position: Position, viewer: Viewer) -> Picture | None:
    """The map as a viewer sees it; None where the game has none.  Raises Fault."""
    plan = position.setup.program.picture
    return None if plan is None else Painter(position, plan, viewer).picture()


class Onlooker:
    """Works out what is told of places, links and cells; whatever it looks at is what the viewer sees."""

    def __init__(self, position: Position, viewer: Viewer) -> None:
        self.setup = position.setup
        self.program = position.setup.program
        self.compiler = position.setup.machine.compiler
        self.viewer = viewer
        self.slots = glimpse(position, viewer)
        self.known: dict[Any, Told] = position.setup.workshop.kept.setdefault("told", {})  # the last value of each
        self.told: set[int] = set()
        self.compiler.refuel()

    @property
    def seat(self) -> str | None:
        """The seat that looks; None for what all see, and for everything."""
        return None if self.viewer is None or self.viewer == EVERYTHING else self.setup.seats[self.viewer]

    def legend(self, scale: ir.Scale | None) -> Legend:
        """What the signs of a scale stand for."""
        if scale is None:
            return NO_LEGEND
        kind = self.program.kinds[scale.kind]
        rows = list(zip(kind.members, kind.labels, scale.signs, strict=True))
        if kind.index == self.program.player_kind:
            rows = rows[: self.setup.num_players]
        return Legend(scale.label, tuple(Member(*row) for row in rows))

    def value(self, function: int, *numbers: int) -> Any:
        """The value of a function of nothing, or of a place, link, cell or other member; raises NotSeen, and Fault."""
        source = self.program.functions[function]
        call = self.compiler.function(function)
        key = function, *numbers
        return self.tried(key, source.where, lambda: call(self.slots, *numbers), self.whole(source.body))

    def member(self, scale: ir.Scale | None, number: int) -> str | None:
        """Which member of a scale's type a place, link or cell has; `?` where it is not seen."""
        if scale is None:
            return None
        try:
            value = self.value(scale.function, number)
            return None if value is None else self.program.kinds[scale.kind].members[value]
        except NotSeen:
            return HIDDEN

    def whole(self, expr: ir.Expr) -> bool:
        """Whether an expression is just what a slot holds."""
        return isinstance(expr, ir.Load) or (isinstance(expr, ir.Known) and isinstance(expr.value, ir.Load))

    def tried(self, key: Any, where: Span | None, work: Any, whole: bool) -> Any:
        """What something gives, which is not worked out again while the slots that it looks at are as they were; `key` names it.

        What goes wrong is a fault at its place.  With `whole`, it tells the slot that it reads last.
        """
        fuel, known = self.compiler.fuel, self.known.get(key)
        if known is not None and known.cost <= fuel[0] and known.of(self.slots):
            fuel[0] -= known.cost
        else:
            self.slots.looked.clear()
            before = fuel[0]
            try:
                value = work()
            except (NotSeen, Fault):
                raise
            except FAILED as error:
                problem = problem_of(error)
                raise Fault(Diagnostic(problem.code, str(problem), problem.span or where)) from None
            held = self.slots.held()
            if held is None:
                return value
            known = self.known[key] = Told(value, held, before - fuel[0])
        if whole and known.held:
            self.told.add(known.held[-1][0])
        return known.value


class Painter(Onlooker):
    """Works out what a picture of a map says."""

    def __init__(self, position: Position, plan: ir.Picture, viewer: Viewer) -> None:
        super().__init__(position, viewer)
        self.plan = plan
        self.texts: dict[int, Template] = position.setup.workshop.kept.setdefault("remarks", {})

    def picture(self) -> Picture:
        plan, program = self.plan, self.program
        nodes = program.kinds[plan.nodes]
        places = tuple(self.place(number, nodes) for number in range(len(nodes.members)))
        links: tuple[Link, ...] = ()
        if plan.links is not None:
            names = program.kinds[plan.links].members
            links = tuple(self.link(number, names[number], *ends) for number, ends in enumerate(plan.ends))
        return Picture(
            program.title,
            self.seat,
            plan.strong_label,
            places,
            links,
            self.legend(plan.colour),
            self.legend(plan.symbol),
            self.legend(plan.style),
            frozenset(self.told),
        )

    def place(self, number: int, kind: ir.Kind) -> Place:
        plan = self.plan
        title = kind.labels[number] if plan.title is None else self.text(plan.title, number)
        lines = tuple(self.text(line, number) for line in plan.lines if self.shown(line, number))
        return Place(
            kind.members[number],
            title or kind.labels[number],
            None if plan.x is None else self.value(plan.x, number),
            None if plan.y is None else self.value(plan.y, number),
            tuple(line for line in lines if line.strip()),
            self.member(plan.colour, number),
            self.member(plan.symbol, number),
            plan.strong is not None and self.holds(plan.strong, number),
        )

    def link(self, number: int, name: str, a: int, b: int, one_way: bool) -> Link:
        title = self.plan.link_title
        return Link(
            name,
            a,
            b,
            bool(one_way),
            self.member(self.plan.style, number),
            self.text(title, number) if title is not None and self.shown(title, number) else "",
        )

    # --- what is worked out ----------------------------------------------------------------------------
    def holds(self, function: int, number: int) -> bool:
        """Whether a condition holds as far as is seen."""
        try:
            return bool(self.value(function, number))
        except NotSeen:
            return False

    def shown(self, remark: ir.Remark, number: int) -> bool:
        return remark.test is None or self.holds(remark.test, number)

    def text(self, remark: ir.Remark, number: int) -> str:
        """A text about a place or link, with `?` for what is not seen."""
        template = self.texts.get(id(remark))
        if template is None:
            template = self.texts[id(remark)] = Template(remark.text, self.compiler, self.setup.machine.printing)
        bits = self.setup.machine.sight.bits(self.viewer)
        exprs = iter(part[0] for part in remark.text.parts if not isinstance(part, str))
        out = []
        for hole, part in enumerate(template.parts):
            if isinstance(part, str):
                out.append(part)
                continue
            fn, printer = part
            try:
                key = template, hole, number
                value = self.tried(key, remark.where, self.hole(fn, number), self.whole(next(exprs)))
                out.append(template.printing.label(printer, value, mask_of_hidden(self.program, printer, value), bits))
            except NotSeen:
                out.append(HIDDEN)
        return "".join(out)

    def hole(self, fn: Fn, number: int) -> Any:
        return lambda: fn(self.slots, [number, *[None] * self.plan.locals])
