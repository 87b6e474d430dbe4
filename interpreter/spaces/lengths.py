"""How many decisions of players a game has at most, worked out of its program.

Loops over given items end by themselves.  A question that is answered with an empty place which is then filled is asked as often
as there are places, where nothing empties them (a variant, as in proofs that loops end: Floyd 1967).  None where nobody knows: where
rules react to events, choices are sealed, a procedure calls itself, or somebody is asked in another loop.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.native.emitter.inference import Types
from rulespec import ir
from rulespec.ir.flow import edges, reachable
from rulespec.ir.roles import set_by
from rulespec.ir.walk import reachable_from
from rulespec.language import operators

Length = int | None
UNKNOWN_CALLS = (ir.Fork, ir.Collect, ir.NextRule, ir.CallRule)


def longest(program: ir.Program) -> Length:
    """The most decisions of a game, or None."""
    used = reachable_from(
        [program.main], lambda n: (i.procedure for i in program.procedures[n].code if isinstance(i, ir.Call))
    )
    if any(isinstance(i, UNKNOWN_CALLS) for n in used for i in program.procedures[n].code):
        return None
    filled = Filling(program, used).sites
    found = [Lengths(program, frozenset()).of(program.main)]
    rest = Lengths(program, frozenset(filled)).of(program.main)
    if rest is not None:
        found.append(rest + sum(dict(filled.values()).values()))
    return min((length for length in found if length is not None), default=None)


class Filling:
    """The sites that fill places: `sites` has the first slot of the places, and how many are empty at the beginning."""

    def __init__(self, program: ir.Program, used: Iterable[int]) -> None:
        self.program = program
        types = Types(program)
        self.asked: dict[int, list[tuple[ir.Procedure, int]]] = {}
        self.emptied: list[tuple[int, int]] = []  # slots into which none may be put, from and to
        for number in sorted(used):
            procedure = program.procedures[number]
            for at in types.reached[number]:
                i = procedure.code[at]
                if isinstance(i, ir.Ask):
                    self.asked.setdefault(i.site, []).append((procedure, at))
                elif isinstance(i, ir.Store):
                    fact = types.some(i.value, types.env(number, at))
                    if fact is None or fact.what not in ("entity", "int", "bool"):
                        self.emptied.append((i.base, i.base + i.size))
        self.sites = {
            site: (base, program.initial[base : base + size].count(None))
            for site in self.asked
            for base, size in [self.places(program.sites[site])]
            if size and all(self.fills(procedure, at, base, size) for procedure, at in self.asked[site])
        }

    def places(self, site: ir.Site) -> tuple[int, int]:
        """The first slot and the number of the places of which a question wants an empty one; 0 of them where it does not."""
        if site.none is None and not site.branches and not site.arguments and site.tray is None:
            for reason in site.reasons:
                match reason.test:
                    case ir.Op(operators.IS_NONE, (ir.Load(base, ir.Local(item), size),)) if item == site.item:
                        lasts = any(
                            v.base == base and v.size == size and v.scope is None for v in self.program.variables
                        )
                        if lasts and not any(low < base + size and base < high for low, high in self.emptied):
                            return base, size
        return 0, 0

    def fills(self, procedure: ir.Procedure, at: int, base: int, size: int) -> bool:
        """Whether what is answered is filled before anything else can happen."""
        ask = procedure.code[at]
        assert isinstance(ask, ir.Ask)
        for i in procedure.code[at + 1 :]:
            match i:
                case ir.Store(b, ir.Local(index), n) if (b, index, n) == (base, ask.live, size):
                    return True
                case ir.Store(stops=False) | ir.Say():
                    continue
                case ir.Let(index) if index != ask.live:
                    continue
            return False
        return False


class Lengths:
    """The most questions on any way through a procedure, those of some sites not counted."""

    def __init__(self, program: ir.Program, free: frozenset[int]) -> None:
        self.program = program
        self.free = free
        self.known: dict[int, Length] = {}

    def of(self, number: int) -> Length:
        """The most questions of a procedure; None where nobody knows, as while it is looked at."""
        if number not in self.known:
            self.known[number] = None
            self.known[number] = Ways(self, self.program.procedures[number]).most()
        return self.known[number]

    def weight(self, i: ir.Instruction) -> Length:
        """The most questions of an instruction."""
        if isinstance(i, ir.Call):
            return self.of(i.procedure)
        return int(isinstance(i, ir.Ask) and i.site not in self.free)


class Ways:
    """The graph of a procedure."""

    def __init__(self, lengths: Lengths, procedure: ir.Procedure) -> None:
        self.procedure = procedure
        self.nodes = sorted(reachable(procedure))
        self.after = {at: sorted({to for to, _ in edges(procedure, at)}) for at in self.nodes}
        self.weights = {at: lengths.weight(procedure.code[at]) for at in self.nodes}

    def most(self) -> Length:
        """The most questions on any way."""
        return self.heaviest(frozenset(self.nodes))

    def heaviest(self, within: frozenset[int]) -> Length:
        """The most questions on any way within some nodes, wherever it begins."""
        best: dict[int, int] = {}
        for component in self.components(within):  # those that come later first
            own = self.loop(component)
            if own is None:
                return None
            beyond = max((best[to] for at in component for to in self.after[at] if to in best), default=0)
            best.update(dict.fromkeys(component, own + beyond))
        return max(best.values(), default=0)

    def loop(self, component: frozenset[int]) -> Length:
        """The most questions between the first and the last node on a way in a strongly connected component."""
        weights = [self.weights[at] for at in component]
        if None in weights:
            return None
        if not any(weights):
            return 0
        if len(component) == 1:
            (at,) = component
            if at not in self.after[at]:
                return self.weights[at]
        for head in sorted(component):
            times = self.times(head, component)
            if times is not None:
                entered = any(
                    at not in component and to in component and to != head for at in self.nodes for to in self.after[at]
                )
                inside = self.heaviest(component - {head})
                return None if inside is None else (times + (entered or self.nodes[0] in component)) * inside
        return None

    def times(self, head: int, component: frozenset[int]) -> Length:
        """How often a loop over items goes on at its body; None where the head is none of a loop whose items are given before."""
        code = self.procedure.code
        i = code[head]
        if not isinstance(i, ir.Next) or i.target in component:
            return None
        items, counter = 1 << i.index, 1 << i.index + 1
        if any(set_by(code[at]) & (items | counter) for at in component if at != head):
            return None
        sizes: list[int] = []
        for at in self.nodes:
            if at != head and set_by(code[at]) & items:
                let = code[at]
                size = most_items(let.value) if isinstance(let, ir.Let) and let.value is not None else None
                if size is None:
                    return None
                sizes.append(size)
        return max(sizes, default=None)

    def components(self, within: frozenset[int]) -> list[frozenset[int]]:
        """The strongly connected components of some nodes, those that come later first (Tarjan 1972), with a stack of its own."""
        order: dict[int, int] = {}
        low: dict[int, int] = {}
        stack: list[int] = []
        held: set[int] = set()
        found: list[frozenset[int]] = []
        for root in sorted(within):
            if root in order:
                continue
            order[root] = low[root] = len(order)
            stack.append(root)
            held.add(root)
            way = [(root, iter(self.after[root]))]
            while way:
                at, left = way[-1]
                to = next((n for n in left if n in within), None)
                if to is None:
                    way.pop()
                    if way:
                        low[way[-1][0]] = min(low[way[-1][0]], low[at])
                    if low[at] == order[at]:
                        start = stack.index(at)
                        found.append(frozenset(stack[start:]))
                        held.difference_update(stack[start:])
                        del stack[start:]
                elif to not in order:
                    order[to] = low[to] = len(order)
                    stack.append(to)
                    held.add(to)
                    way.append((to, iter(self.after[to])))
                elif to in held:
                    low[at] = min(low[at], order[to])
        return found


def most_items(e: ir.Expr) -> Length:
    """How many items a list has at most; None where nobody knows."""
    match e:
        case ir.Const(tuple() as items):
            return len(items)
        case ir.Cond(_, then, other):
            sizes = most_items(then), most_items(other)
            return None if None in sizes else max(size for size in sizes if size is not None)
        case ir.Column(values):
            return (
                max((len(row) for row in values), default=0) if all(isinstance(row, tuple) for row in values) else None
            )
        case ir.Comp(source=source):
            return most_items(source)
    return None
