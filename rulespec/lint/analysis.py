"""Ranges of a whole game, in every setup at once: what is declared, and how each condition turns out.

- if: size(players) > 8     # with `players: 2..5` this never holds, in no setup
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace

from rulespec import ir
from rulespec.analysis import domain
from rulespec.analysis.domain import ANY, BOOL, INT, NATURAL, SOME, TEXT, Fact, below, items
from rulespec.checker import symbols
from rulespec.checker.alive import instance
from rulespec.checker.context import CheckContext
from rulespec.checker.rules import parameters_of
from rulespec.language import bounds
from rulespec.language.facts import Result
from rulespec.language.registry import facts
from rulespec.language.types import (
    BagType,
    BoolType,
    EmptyType,
    EntityType,
    IntType,
    ListType,
    OptionType,
    RecordType,
    SetType,
    TextType,
    Type,
)  # fmt: skip
from rulespec.lint.dataflow import Flow
from rulespec.lint.evaluate import Knowledge, RangeWorld, Spoken
from rulespec.lint.reach import Reachable
from rulespec.lint.shared import Rests, Shared
from rulespec.system.records import dataclass
from rulespec.text.source import Source, Span

Place = tuple[int, int, int]
Part = tuple[str, int]  # ("procedure" or "function" or "rule", its number)
Answers = dict[Place, set[bool | None]]
COMPARISONS = (bounds.less, bounds.at_most, Result.EQUAL, Result.DIFFERENT)  # results of what compares two values


@dataclass(slots=True)
class RangeAnalysis:
    """The result: for each procedure its flow, and for each part of the program the outcomes that each condition had there."""

    world: RangeWorld
    flows: dict[int, Flow] = field(default_factory=dict)
    answers: dict[Part, Answers] = field(default_factory=dict)
    places: dict[Place, Span] = field(default_factory=dict)
    sides: dict[Place, tuple[Fact, Fact]] = field(
        default_factory=dict
    )  # of comparisons of numbers, as they are written

    def decided(self) -> list[tuple[Span, bool, tuple[Fact, Fact] | None]]:
        """Every condition with the same outcome in all setups, that outcome and what its sides are; of nested ones only the innermost."""
        answers: Answers = {}
        for of_part in self.answers.values():
            for place, answer in of_part.items():
                answers.setdefault(place, set()).update(answer)
        decided = [
            (place, bool(next(iter(answer))))
            for place, answer in answers.items()
            if len(answer) == 1 and None not in answer
        ]
        smallest = []
        for place, holds in decided:
            scalar, start, end = place
            inner = [p for p, _ in decided if p[0] == scalar and p != place and start <= p[1] and p[2] <= end]
            if not inner:
                smallest.append((self.places[place], holds, self.sides.get(place)))
        return smallest


def analyse(
    context: CheckContext, program: ir.Program, reach: Reachable, shared: Shared, told: Callable[[Source], bool]
) -> RangeAnalysis:
    """The ranges of all reachable code, and the answers of the conditions in files of which findings are `told`."""
    world = RangeWorld(
        slots(context), settings(context), program.functions, parameters(context, program), declared=data(context)
    )
    rests = Rests(world, shared)
    rests.functions()
    conditions = context.conditions.values()
    spoken = Spoken(e for e, scalar, _, _ in conditions if not isinstance(e, ir.Const) and told(scalar.span.source))
    analysis = RangeAnalysis(world)
    world.spoken = spoken
    for part in parts_of(program, reach):
        look_at(context, program, analysis, part, rests, spoken)
    world.spoken = None
    return analysis


def parts_of(program: ir.Program, reach: Reachable) -> Iterator[Part]:
    """The parts of a program that are analysed, each by itself."""
    yield from (("procedure", number) for number in sorted(reach.procedures) if number < len(program.procedures))
    yield from (("function", number) for number in sorted(reach.functions) if number < len(program.functions))
    for number, rule in enumerate(program.rules):
        if rule.option is not None and rule.procedure in reach.procedures:
            yield "rule", number


def look_at(
    context: CheckContext, program: ir.Program, analysis: RangeAnalysis, part: Part, rests: Rests, spoken: Spoken
) -> None:
    """Look at a part of a program, and note what the conditions in it that are spoken of answer."""
    world = analysis.world
    answers: Answers = {}

    def noted(e: ir.Expr, holds: bool | None, known: Knowledge) -> None:
        if id(e) in spoken.conditions:
            _, scalar, start, end = context.conditions[id(e)]
            place = (id(scalar), start, end)
            answers.setdefault(place, set()).add(holds)
            if place not in analysis.places:
                analysis.places[place] = scalar.at(start, end)
            if holds is not None and isinstance(e, ir.Op) and facts(e.name).result in COMPARISONS:
                world.noted = None  # the sides of a comparison are no conditions
                both = [world.range(side, known) for side in e.args]
                world.noted = noted
                first, second = reversed(both) if ">" in analysis.places[place].text else both
                before = analysis.sides.get(place, (domain.NOTHING, domain.NOTHING))
                analysis.sides[place] = domain.join(before[0], first), domain.join(before[1], second)

    kind, number = part
    match kind:
        case "procedure":
            entered = Knowledge(dict(enumerate(world.parameters.get(part, ()))))
            flow = analysis.flows[number] = Flow(world, program.procedures[number], program.sites, entered)
            rests.run(flow)
            world.noted = noted
            for position, known in flow.before.items():
                if flow.holds(position, spoken):
                    for _ in flow.ways(position, known):
                        pass
        case "function":
            body = program.functions[number].body
            if spoken.within(body):
                world.noted = noted
                world.range(body, world.entered(number))
        case _:
            option = program.rules[number].option
            assert option is not None
            flow = Flow(world, ir.Procedure("", 0, (), ()), program.sites, Knowledge())
            world.noted = noted
            flow.reasons(option.reasons, Knowledge())
            flow.texts(option.text, Knowledge())
    world.noted = None
    analysis.answers[part] = answers


# --- what is declared -------------------------------------------------------------------------------------------------
def settings(context: CheckContext) -> dict[str, Fact]:
    """The number of players, and what options can be set to."""
    known = {"players": domain.number(context.counts[0], context.counts[-1])}
    for option in context.options.values():
        known[option.name] = domain.join(*map(domain.of_value, option.values))
    return known


def slots(context: CheckContext) -> dict[int, Fact]:
    """What variables and zones hold.  A number in a collection is not held to its range, a variable that is a number is."""
    ranges = {v.base: of_type(context, v.type, True) for v in context.variables}
    for zone in context.zones:
        count = len(zone.kind.members)
        if zone.counts:
            ranges[zone.base] = items(NATURAL, count, least=count)
        else:  # each piece lies in one zone, once
            ranges[zone.base] = items(below(count), count)
    return ranges


def data(context: CheckContext) -> dict[ir.Value, Fact]:
    """What columns and tables are declared to hold, by all their values as they stand in the program."""
    by_values: dict[ir.Value, Fact] = {}
    for kind in context.kinds.values():
        for column in kind.fields.values():
            values = tuple(column.values)
            by_values[values] = domain.join(by_values.get(values, domain.NOTHING), of_type(context, column.type, True))
    for table in context.names.values():
        if isinstance(table, symbols.Table):
            single = len(table.keys) == 1
            rows = tuple((key[0] if single else key, value) for key, value in table.rows.items())
            by_values[rows] = domain.join(by_values.get(rows, domain.NOTHING), of_type(context, table.type, True))
    return by_values


def of_type(context: CheckContext, t: Type, held: bool) -> Fact:
    """What a value of a type may be; `held`: whether numbers are held to the range of their type."""
    match t:
        case BoolType():
            return BOOL
        case IntType(low=low, high=high):
            return domain.number(low, high) if held else INT
        case EntityType(kind=kind):
            return below(len(context.kinds[kind].members))
        case OptionType(item=item):
            return replace(of_type(context, item, held), none=True)
        case SetType(item=EntityType(kind=kind)):
            count = len(context.kinds[kind].members)
            return items(below(count), count, True)
        case SetType(item=item) | ListType(item=item):
            return items(of_type(context, item, False), None, isinstance(t, SetType))
        case TextType():
            return TEXT
        case BagType() | RecordType() | EmptyType():
            return SOME
    return ANY


def parameters(context: CheckContext, program: ir.Program) -> dict[tuple[str, int], tuple[Fact, ...]]:
    """What the parameters of functions, procedures and rules may be: every call is held to their ranges."""
    ranges: dict[tuple[str, int], tuple[Fact, ...]] = {}

    def add(kind: str, number: int, types: list[Type]) -> None:
        ranges[kind, number] = tuple(of_type(context, t, True) for t in types)

    for function in functions(context):
        if function.index is not None:
            add("function", function.index, [p.type for p in function.parameters])
    for procedure in context.procedures.values():
        add("procedure", procedure.index, [p.type for p in procedure.parameters])
    for rule in context.rules:
        if rule.index is None:
            continue
        compiled = program.rules[rule.index]
        types = [t for _, t in (*instance(rule), *parameters_of(context, rule))]
        add("procedure", compiled.procedure, types)
        for number in (compiled.alive, compiled.test, compiled.player):
            if number is not None:
                add("function", number, types[: program.functions[number].parameters])
    return ranges


def functions(context: CheckContext) -> list[symbols.Function]:
    """Every function, value and condition of a game."""
    functions = [s for s in context.names.values() if isinstance(s, symbols.Function)]
    for kind in context.kinds.values():
        functions.extend(s for s in kind.attributes.values() if isinstance(s, symbols.Function))
        functions.extend(kind.graphs.values())
    functions.extend(view.test for view in context.views.values())
    return functions
