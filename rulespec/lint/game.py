"""A game as lint rules see it: declarations, the program for every setup, what is reachable, and ranges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, TypeVar

from rulespec import ir
from rulespec.analysis.domain import of_value
from rulespec.checker import symbols
from rulespec.checker.context import CheckContext
from rulespec.checker.program import CheckedGame
from rulespec.lint.analysis import RangeAnalysis, analyse
from rulespec.lint.dataflow import Flow
from rulespec.lint.evaluate import Knowledge, RangeWorld, TooMuch
from rulespec.lint.procedure_summaries import Summaries
from rulespec.lint.reach import Known, Reachable
from rulespec.lint.shared import Shared
from rulespec.text.source import Source, Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

FEW_VALUES = 8  # of an option that are each looked at; of more only the first, the last and the default
KINDS = (
    ("types",),
    ("pieces",),
    ("map", "nodes"),
    ("map", "links"),
    ("boards",),
    ("pools",),
)  # sections that declare kinds

T = TypeVar("T")


def anywhere(_: Source) -> bool:
    """Of which files findings are told, unless somebody says otherwise: of all."""
    return True


class LintGame:
    """A checked game; analyses that several rules share are computed on first use.

    `context` is what the checker knows, `program` the template for all setups.  `shared` has what was worked out of games before it.
    Where only findings in some of its files are `told`, rules may leave out what they would find elsewhere.
    """

    def __init__(
        self, checked: CheckedGame, shared: Shared | None = None, told: Callable[[Source], bool] | None = None
    ) -> None:
        self.shared = Shared() if shared is None else shared
        self.told = told
        self.checked = checked
        self.context: CheckContext = checked.context
        self.program: ir.Program = checked.template
        self.whole = True  # nothing was given up because the game is too large
        self.gone_through: dict[object, tuple[Any, ...]] = {}
        self.known: Known = {}  # what parts of the program use

    def once(self, walk: Callable[[LintGame], Iterator[T]]) -> tuple[T, ...]:
        """What a walk over the game gives, which several rules go."""
        if walk not in self.gone_through:
            self.gone_through[walk] = tuple(walk(self))
        return self.gone_through[walk]

    # --- what can be come to ------------------------------------------------------------------------------------------
    @cached_property
    def reach(self) -> Reachable:
        """What is reachable in play."""
        context, reached = self.context, Reachable(known=self.known)
        viewers = [v for zone in context.zones for v in (zone.seen, zone.counted, zone.top)]
        viewers += [variable.seen for variable in context.variables]
        functions = [v.function for v in viewers if v.function is not None]
        functions += [number for _, number in context.score]
        functions += [function.index for function in context.shown if function.index is not None]
        if context.picture is not None:  # what it tells is read by people
            functions += context.picture.functions()
            reached.expressions(context, context.picture)
        reached.expressions(context, tuple(context.titles))
        functions += context.table.functions()
        reached.expressions(context, context.table)
        functions += [number for board in context.boards.values() for number in board.drawn_by]
        reached.follow(context, [context.main], functions)
        return reached

    @cached_property
    def used(self) -> Reachable:
        """What is reachable in play, from what is stated to hold always, or from bots; what only cases run is not in use."""
        used = Reachable(known=self.known)
        used.follow(self.context, [], sorted(self.context.asides))
        used.add(self.reach)
        return used

    @cached_property
    def in_cases(self) -> Reachable:
        """What is reachable in a case."""
        reached, context = Reachable(known=self.known), self.context
        procedures = range(len(self.program.procedures), len(context.out_procedures))
        functions = range(len(self.program.functions), len(context.out_functions))
        reached.follow(context, [*procedures], [*functions])
        return reached

    @cached_property
    def unrun(self) -> Reachable:
        """What procedures that nothing runs in play would come to: that is told of them, and not what follows from it."""
        found = Reachable(known=self.known)
        named = self.context.procedures.values()
        found.follow(self.context, [p.index for p in named if p.index not in self.used.procedures], [])
        return found

    @cached_property
    def ranges(self) -> RangeAnalysis:
        """The range analysis of all reachable code; empty if the game is too large for it (`whole` says so)."""
        try:
            return analyse(self.context, self.program, self.reach, self.shared, self.told or anywhere)
        except (TooMuch, RecursionError):
            self.whole = False
            return RangeAnalysis(RangeWorld({}, {}, (), {}))

    def flow_of(self, number: int) -> Flow:
        """What is known within a procedure; empty where ranges tell nothing."""
        flow = self.ranges.flows.get(number)
        return (
            Flow(self.ranges.world, self.program.procedures[number], self.program.sites, Knowledge())
            if flow is None
            else flow
        )

    @cached_property
    def ways(self) -> Summaries:
        """What procedures may leave and write."""
        return Summaries(self.program)

    @cached_property
    def worlds(self) -> list[tuple[str, RangeWorld]]:
        """All setups at once, then those with each number of players and each value of an option, with the words that say so."""
        counts = self.context.counts
        joint = self.ranges.world
        sizing = {}  # the program is that of one size
        for name in self.context.sizing:
            option = self.context.options[name]
            word = self.context.chosen.get(name, option.default)
            sizing[name] = of_value(dict(zip(option.words, option.values, strict=True))[word])
        if sizing:
            joint = joint.settled({**joint.settings, **sizing})
        worlds = [("", joint)]
        for count in counts if len(counts) > 1 else ():
            settings = {**joint.settings, "players": of_value(count)}
            worlds.append((f" with {count} players" if count > 1 else " with one player", joint.settled(settings)))
        for option in self.context.options.values():
            if option.name in self.context.sizing:
                continue
            pairs = list(zip(option.words, option.values, strict=True))
            if len(pairs) > FEW_VALUES:
                pairs = [pairs[0], *(pair for pair in pairs[1:-1] if pair[0] == option.default), pairs[-1]]
            for word, value in pairs if len(pairs) > 1 else ():
                worlds.append(
                    (f" with {option.name}={word}", joint.settled({**joint.settings, option.name: of_value(value)}))
                )
        return worlds

    # --- what is written ----------------------------------------------------------------------------------------------
    @property
    def head(self) -> Span:
        """The first key of the game."""
        root = self.context.root
        return root.entries[0][0].span if root.entries else root.span

    def section(self, *path: str) -> Iterator[tuple[ScalarNode, Node]]:
        """The entries of a section, or of one below it."""
        node: Node | None = self.context.root
        for name in path:
            node = node.get(name) if isinstance(node, MapNode) else None
        yield from node.entries if isinstance(node, MapNode) else ()

    def kinds(self) -> Iterator[symbols.Kind]:
        """The kinds that the game itself declares."""
        declared = {key.span for path in KINDS for key, _ in self.section(*path)}
        yield from (kind for kind in self.context.kinds.values() if kind.what != "player" and kind.span in declared)

    def spoken_of(self, kind: symbols.Kind) -> bool:
        """Whether a type, a zone or an expression names a kind, or one of its members."""
        context = self.context
        if kind.name in context.used or kind.name in context.wholes:
            return True
        if any(rule.kind is kind for rule in context.rules):
            return True
        return any(("member", f"{kind.name}.{member}") in context.refs for member in kind.members)

    @cached_property
    def changed(self) -> set[int]:
        """The bases of the variables that are written in play or in a case, not only at the beginning."""
        written = set()
        for number in self.used.procedures - {self.context.set_up}:
            procedure = self.context.out_procedures[number]
            written |= {i.base for i in procedure.code if isinstance(i, ir.Store)} if procedure is not None else set()
        return written

    def node_of(self, kind: symbols.Kind) -> Node | None:
        """What is written under the name of a kind."""
        for path in KINDS:
            for key, node in self.section(*path):
                if key.span == kind.span:
                    return node
        return None

    def entry_of(self, span: Span) -> Node | None:
        """What is written behind a key at a place."""
        todo: list[Node] = [self.context.root]
        while todo:
            node = todo.pop()
            for key, value in node.entries if isinstance(node, MapNode) else ():
                if key.span == span:
                    return value
                todo.append(value)
        return None

    @cached_property
    def texts(self) -> tuple[Span, ...]:
        """Texts that look as if a comment for lint stood in them."""
        spans: list[Span] = []
        todo: list[Node] = [self.context.root, *self.context.files.values()]
        while todo:
            node = todo.pop()
            if isinstance(node, MapNode):
                todo.extend(part for entry in node.entries for part in entry)
            elif isinstance(node, ListNode):
                todo.extend(node.items)
            elif "lint:" in node.value:
                spans.append(node.span)
        return tuple(spans)

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """Every file that the game was read from, in a fixed order."""
        sources: dict[int, Source] = {}
        todo: list[Node] = [self.context.root, *self.context.files.values()]
        while todo:
            node = todo.pop()
            sources.setdefault(id(node.span.source), node.span.source)
            if isinstance(node, MapNode):
                for key, value in node.entries:
                    sources.setdefault(id(key.span.source), key.span.source)
                    if not isinstance(value, ScalarNode):
                        todo.append(value)
            elif isinstance(node, ListNode):
                todo.extend(item for item in node.items if not isinstance(item, ScalarNode))
        return tuple(sorted(sources.values(), key=lambda source: source.name))

    def steps(self) -> Iterator[tuple[ir.Procedure, int]]:
        """Every reachable procedure, with its number."""
        for number in sorted(self.reach.procedures):
            if number < len(self.program.procedures):
                yield self.program.procedures[number], number

    def line_of(self, span: Span) -> Span:
        """The first line of a longer place."""
        return Span(span.source, span.start, span.start + len(span.text.split("\n", 1)[0].rstrip()))
