"""A program from all its parts, and for one setup; the digest of what is played."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.context import CheckContext
from rulespec.checker.told import forgetting
from rulespec.checker.wanted import NOTHING
from rulespec.language.types import EntityType
from rulespec.library.parts import points
from rulespec.passes.fold import folded, settled
from rulespec.passes.liveness import liveness
from rulespec.passes.pipeline import optimise
from rulespec.passes.ranges import ranges
from rulespec.passes.secret import secret
from rulespec.passes.ungiven import held_open, ungiven
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode, as_data

LANGUAGE = "1"
NOT_THE_GAME = frozenset(
    {"cases", "positions", "invariants", "about", "title", "table"}
)  # sections that do not change what is played


class Indices:
    """The kinds of a program, with one for each range of numbers that something is indexed by."""

    def __init__(self, context: CheckContext) -> None:
        self.kinds = [
            ir.Kind(
                index=kind.index,
                name=kind.name,
                what=kind.what,
                members=tuple(kind.members),
                labels=tuple(kind.labels),
                location=kind.location,
                noun=f"a {kind.noun}" if kind.noun[:1] not in "aeiou" else f"an {kind.noun}",
                plurals=plurals_of(context, kind.labels),
                nouns=context.plurals.get(kind.noun, ""),
                fields=tuple(
                    ir.Field(field.name, context.type_of(field.type), tuple(field.values), field.sparse)
                    for field in kind.fields.values()
                ),
                named=tuple(
                    n
                    for n, member in enumerate(kind.members if kind.what == "piece" else ())
                    if ("member", f"{kind.name}.{member}") in context.in_play
                ),
            )
            for kind in context.kinds.values()
        ]
        self.ranges: dict[symbols.Numbers, int] = {}

    def of(self, per: tuple[symbols.Index, ...]) -> tuple[int, ...]:
        """The numbers of the kinds that something is indexed by."""
        return tuple(index.index if isinstance(index, symbols.Kind) else self.range(index) for index in per)

    def range(self, numbers: symbols.Numbers) -> int:
        """The number of the kind whose members are these numbers."""
        if numbers not in self.ranges:
            self.ranges[numbers] = len(self.kinds)
            names = tuple(str(n) for n in range(numbers.low, numbers.high + 1))
            self.kinds.append(ir.Kind(len(self.kinds), f"{numbers.low}..{numbers.high}", "enum", names, names))
        return self.ranges[numbers]


def plurals_of(context: CheckContext, labels: list[str]) -> tuple[str, ...]:
    """The plural of each label, empty where none is declared; nothing where none of them has one."""
    plurals = tuple(context.plurals.get(label, "") for label in labels)
    return plurals if any(plurals) else ()


def assemble(context: CheckContext, digest: str) -> ir.Program:
    """All parts together, not yet specialised; it has no points yet."""
    indices = Indices(context)
    zones = tuple(zone_of(zone, indices) for zone in context.zones)
    variables = tuple(variable_of(context, n, variable, indices) for n, variable in enumerate(context.variables))
    views = tuple(
        (name, symbol.index)
        for name, symbol in context.names.items()
        if isinstance(symbol, symbols.Function) and not symbol.parameters and symbol.index is not None
    )
    return ir.Program(
        id=context.id,
        title=context.title,
        digest=digest,
        players=0,
        settings=(),
        kinds=tuple(indices.kinds),
        player_kind=context.kinds["Player"].index,
        zones=zones,
        variables=variables,
        initial=tuple(context.initial),
        slot_names=tuple(context.slot_names),
        functions=tuple(f for f in context.out_functions if f is not None),
        procedures=forgetting(tuple(p or NOTHING for p in context.out_procedures), context.variables),
        main=context.main,
        sites=tuple(s for s in context.out_sites if s is not None),
        rules=tuple(r for r in context.out_rules if r is not None),
        points=(),
        targets=tuple(context.targets),
        score=tuple(context.score),
        views=views,
        picture=context.picture,
        table=context.table,
        most_decisions=context.most_decisions,
        boards=tuple(board_of(board) for board in context.boards.values()),
        lastings=tuple(
            tuple(context.type_of(p.type) for p in lasting.parameters) for lasting in context.lastings.values()
        ),
        printers=tuple(context.printers),
        unit=context.unit,
        utility=context.utility,
        shown=tuple(shown_values(context, indices)),
    )


def board_of(board: symbols.Board) -> ir.Board:
    """A board as the program has it, for whoever draws it."""
    shape, columns, rows, _, _, places, _ = board.value
    parts = tuple(
        ir.BoardPart(part.kind.index, part.which, points(board.value, part.which), part.symbol, part.colour)
        for part in board.parts.values()
    )
    return ir.Board(board.kind.index, shape, columns, rows, places, board.symbol, board.colour, parts)


def zone_of(zone: symbols.Zone, indices: Indices) -> ir.Zone:
    """A zone as the program has it."""
    return ir.Zone(
        index=zone.index,
        name=zone.name,
        kind=zone.kind.index,
        base=zone.base,
        size=zone.size,
        per=indices.of(zone.per),
        order=zone.order,
        counts=zone.counts,
        seen=zone.seen,
        counted=zone.counted,
        top=zone.top,
        scope=None if zone.scope is None else zone.scope.alive,
    )


def variable_of(context: CheckContext, number: int, variable: symbols.Variable, indices: Indices) -> ir.Variable:
    """A variable as the program has it."""
    return ir.Variable(
        index=number,
        name=variable.name,
        base=variable.base,
        size=variable.size,
        per=indices.of(variable.per),
        type=variable.kept or context.kept_as(variable.type),
        seen=variable.seen,
        scope=None if variable.scope is None else variable.scope.alive,
        shown=variable.shown,
        public=variable.public or variable.told,
        begins=variable.initial is not None,
    )


def shown_values(context: CheckContext, indices: Indices) -> Iterator[ir.ShownValue]:
    """What people are shown beside variables and zones; it has no slots, and numbers below 0 stand for them."""
    base = 0
    for function in context.shown:
        kinds = [context.kinds[p.type.kind] for p in function.parameters if isinstance(p.type, EntityType)]
        size = len(kinds[0].members) if kinds else 1
        base -= size
        if function.index is not None and function.result is not None:
            t = context.type_of(function.result)
            told = ir.Variable(-1, function.name, base, size, indices.of(tuple(kinds)), t, symbols.ALL)
            yield ir.ShownValue(function.index, told)


def specialise(
    template: ir.Program, context: CheckContext, players: int, chosen: dict[str, str], optimised: bool
) -> ir.Program:
    """The program for one setup: settings are constants now, and the passes have been made, or only that which makes points."""
    passes = optimise if optimised else liveness
    settings = settings_of(context, players, chosen)
    functions = settled(template.functions, settings)
    procedures, sites = settled(template.procedures, settings), settled(template.sites, settings)
    program = replace(
        template,
        players=players,
        settings=tuple(chosen.items()),
        functions=functions,
        procedures=procedures,
        sites=sites,
        rules=settled(template.rules, settings),
        picture=settled(template.picture, settings),
        table=settled(template.table, settings),
        utility=folded(settled(template.utility, settings)),
    )
    return ranges(held_open(passes(secret(program)), ungiven(program)))


def settings_of(context: CheckContext, players: int, chosen: Mapping[str, str]) -> dict[str, ir.Value]:
    """The values of a setup's settings."""
    settings: dict[str, ir.Value] = {"players": players}
    for name, word in chosen.items():
        option = context.options[name]
        settings[name] = option.values[option.words.index(word)]
    return settings


def as_written(scalar: ScalarNode) -> str:
    """A scalar as it is written."""
    return scalar.value


def digest_of(root: MapNode, files: Mapping[str, Node]) -> str:
    """The digest of the resolved spec: what is written in it, without layout, comments and cases."""
    data = {key.value: as_data(value, as_written) for key, value in root.entries if key.value not in NOT_THE_GAME}
    if isinstance(data.get("map"), dict):
        data["map"].pop("picture", None)
    for board in data["boards"].values() if isinstance(data.get("boards"), dict) else ():
        if isinstance(board, dict):
            board.pop("picture", None)
    tables = {name: as_data(node, as_written) for name, node in sorted(files.items())}
    text = json.dumps([LANGUAGE, data, tables], sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
