"""Of one procedure: which instructions may have written what a local holds, and which branches decide whether they run."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulespec import ir
from rulespec.ir.flow import edges, leaves, left, stops
from rulespec.ir.reads import numbers

ARGUMENT = -1  # in place of a position: the local is a parameter, written by who called
EARLIER = -2  # in place of a position: it is as it was when the frame began to wait
Writers = frozenset[int]
Written = dict[int, Writers]  # for each local where it may have been written last


class Definitions:
    """Reaching definitions of a procedure, and control dependence of its instructions.

    `before` says for each position (None: control never comes there) where each local may have been written last, `branches`
    are the positions from which control may go on in several ways, one of which is not to go on as yet: somebody may be asked.
    """

    def __init__(self, procedure: ir.Procedure, leaving: frozenset[int], stopping: frozenset[int]) -> None:
        self.procedure = procedure
        size = len(procedure.code)
        self.ways = [tuple(way for way in edges(procedure, at, leaving) if way[0] < size) for at in range(size)]
        self.ends = [
            not ways or (leaves(procedure.code[at], leaving) and not left(procedure, at))
            for at, ways in enumerate(self.ways)
        ]
        self.arguments: Written = {k: frozenset({ARGUMENT}) for k in range(procedure.parameters)}
        self.before = self.reach({0: self.arguments}, lambda _: True)
        # Where control may end, or stop for now.
        self.last = [ends or stops(i, stopping) for ends, i in zip(self.ends, procedure.code, strict=True)]
        self.branches = frozenset(
            at for at in range(size) if len({target for target, _ in self.ways[at]}) + self.last[at] > 1
        )
        self.deciding = self.control_dependence()
        self.dominators = self.dominated()

    def writers(self, at: int, local: int) -> Writers:
        """Where what a local holds before an instruction may have been written."""
        return (self.before[at] or {}).get(local, frozenset())

    def reach(self, roots: Mapping[int, Written], passes: Callable[[int], bool]) -> list[Written | None]:
        """Where each local may have been written last before each position, from some positions on, with what holds there.

        Control goes on only from positions that it `passes`; None stands for those that it does not come to.
        """
        before: list[Written | None] = [roots.get(at) for at in range(len(self.ways))]
        todo = list(roots)
        while todo:
            at = todo.pop()
            known = before[at]
            assert known is not None
            for target, written in self.ways[at] if passes(at) else ():
                out = met(before[target], wrote(known, at, written))
                if out != before[target]:
                    before[target] = out
                    todo.append(target)
        return before

    def merging(self, at: int, writers: Writers) -> frozenset[int]:
        """The branches that decide which of some positions wrote last what is read at another: none if there is one writer."""
        if len(writers) < 2:
            return frozenset()
        branches = frozenset[int]().union(*(self.deciding[writer] for writer in writers if writer >= 0))
        if min(writers) < 0:
            return branches
        common = frozenset.intersection(*(self.dominators[one] for one in (at, *writers)))
        last = max(common, key=lambda one: len(self.dominators[one]))  # control came through it to whichever it was
        return frozenset(branch for branch in branches if last in self.dominators[branch])

    def dominated(self) -> list[frozenset[int]]:
        """For each position those that dominate it, itself included; none where control never comes."""
        import networkx as nx  # noqa: PLC0415 - who never takes back should not wait for it

        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_node(0)
        graph.add_edges_from((at, target) for at, ways in enumerate(self.ways) for target, _ in ways)
        above = nx.immediate_dominators(graph, 0)
        out: list[frozenset[int]] = [frozenset()] * len(self.ways)
        for at in range(len(out)):
            chain, above_it = {at}, at
            while above_it in above and above_it != 0:
                above_it = above[above_it]
                chain.add(above_it)
            if above_it == 0:
                out[at] = frozenset(chain)
        return out

    def control_dependence(self) -> list[frozenset[int]]:
        """For each position the branches that decide whether control comes there, those that decide about them included."""
        import networkx as nx  # noqa: PLC0415 - who never takes back should not wait for it

        size = len(self.ways)
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_node(size)
        graph.add_edges_from((target, at) for at in range(size) for target, _ in self.ways[at])
        graph.add_edges_from((size, at) for at in range(size) if self.last[at])
        after = nx.immediate_dominators(graph, size)
        deciding: list[set[int]] = [set() for _ in range(size)]
        for branch in self.branches & after.keys():
            for target, _ in self.ways[branch]:
                at = target
                while at in after and at != after[branch]:
                    deciding[at].add(branch)
                    at = after[at]
        for at in range(size):
            if at not in after:  # it never comes to the end: any branch may decide
                deciding[at] |= self.branches
        changed = True
        while changed:
            changed = False
            for of in deciding:
                more = set().union(*(deciding[branch] for branch in of)) - of
                changed = changed or bool(more)
                of |= more
        return [frozenset(of) for of in deciding]


def wrote(known: Written, at: int, written: int) -> Written:
    """What holds after a position has written some locals (bits)."""
    return {**known, **{k: frozenset({at}) for k in numbers(written)}} if written else known


def met(one: Written | None, two: Written) -> Written:
    """What holds where two ways meet."""
    if one is None:
        return two
    return {k: one.get(k, frozenset()) | two.get(k, frozenset()) for k in one.keys() | two.keys()}
