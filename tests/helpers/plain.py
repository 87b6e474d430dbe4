"""What all back ends share, once more: short and slow, after the handbook and not after the code that is judged by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rulespec import ir

Seers = dict[tuple[int, int], set[int]]  # who sees each piece, by its kind and number
Call = Callable[..., Any]  # a function of the program, by its number, of arguments: what it gives now


# --- sight ------------------------------------------------------------------------------------------------------------
def rows(program: ir.Program, what: ir.Zone | ir.Variable) -> Iterator[tuple[tuple[int, ...], int]]:
    """The members for which there is something, and the slot of it: the last of them runs fastest."""
    found: list[tuple[int, ...]] = [()]
    for kind in what.per:
        found = [(*row, member) for row in found for member in range(len(program.kinds[kind].members))]
    for number, row in enumerate(found):
        yield row, what.base + number


def places(program: ir.Program) -> Iterator[tuple[ir.Zone, tuple[int, ...], int]]:
    """Each zone, the members that one of its places is for, and the slot of that place."""
    for zone in program.zones:
        for row, slot in rows(program, zone):
            yield zone, row, slot


def public(program: ir.Program) -> int:
    """The number that stands for all at once among those who see something: what is public is seen by it, too."""
    return program.players if program.players > 1 else 0


def seats(program: ir.Program, viewers: ir.Viewers, members: tuple[int, ...], call: Call) -> set[int]:
    """Who is meant by `seen by`."""
    everybody = set(range(program.players))
    if viewers.who == "owner":
        return {members[0]} & everybody
    if viewers.who in ("all", "none"):
        return everybody | {public(program)} if viewers.who == "all" else set()
    return {*call(viewers.function, *members)} & everybody


def seers(program: ir.Program, S: list[Any], kind: int, piece: int, call: Call) -> set[int]:
    """Who sees a piece where it lies: whoever sees that zone, and its top if it lies there, and who has looked; all, if it is nowhere."""
    for zone, members, slot in places(program):
        if zone.kind == kind and not zone.counts and piece in S[slot]:
            who = seats(program, zone.seen, members, call)
            if zone.order == "pile" and S[slot].index(piece) == len(S[slot]) - 1:
                who |= seats(program, zone.top, members, call)
            location = program.kinds[kind].location
            assert location is not None
            return who | {seat for slot, seat in S[ir.KNOWN] if slot == location + piece}
    return {*range(program.players), public(program)}


def all_seers(program: ir.Program, S: list[Any], call: Call) -> Seers:
    """Of all pieces."""
    return {
        (kind.index, piece): seers(program, S, kind.index, piece, call)
        for kind in program.kinds
        for piece in range(len(kind.members))
        if kind.location is not None
    }


def names(
    program: ir.Program, S: list[Any], what: ir.Zone | ir.Variable, viewers: set[int], who: Seers, call: Call
) -> list[tuple[int, str]]:
    """The slots of what there is for each of some members, with the names under which all of some seats read them, in their order.

    A piece that they do not see is called by the pile in which it lies, and as which from the first, and comes behind those that they
    see; where there is no such pile, or they do not see how many lie there, or the pile itself is told by what is hidden: left out.
    """
    secret = {zone.kind for zone in program.zones if zone.seen.who != "all" and not zone.counts}
    found: list[tuple[Any, int, str]] = []
    for row, slot in rows(program, what):
        pairs = [*zip(what.per, row, strict=True)]
        if any(kind == program.player_kind and member >= program.players for kind, member in pairs):
            continue  # nobody sits there
        unseen = [n for n, (kind, member) in enumerate(pairs) if kind in secret and not viewers <= who[kind, member]]
        called = [program.kinds[kind].members[member] for kind, member in pairs]
        if not unseen:
            found.append(((0, slot), slot, ".".join([what.name, *called])))
            continue
        [n, *more] = unseen
        for zone, members, pile in places(program):
            here = zone.kind == what.per[n] and zone.order == "pile" and row[n] in S[pile] and not more
            if here and not secret & {*zone.per} and viewers <= seats(program, zone.counted, members, call):
                at = S[pile].index(row[n]) + 1
                where = [
                    zone.name,
                    *(program.kinds[k].members[m] for k, m in zip(zone.per, members, strict=True)),
                    str(at),
                ]
                found.append(
                    (
                        (1, pile, at, row[:n] + row[n + 1 :]),
                        slot,
                        ".".join([what.name, *called[:n], *where, *called[n + 1 :]]),
                    )
                )
    return [(slot, name) for _, slot, name in sorted(found)]


def called_by_places(program: ir.Program, what: ir.Zone | ir.Variable) -> int:
    """How many names of what there is for each of some pieces could be by places: for each place of a pile one of any piece of the kind."""
    secret = {zone.kind for zone in program.zones if zone.seen.who != "all" and not zone.counts}
    piles = [
        zone for zone in program.zones if zone.order == "pile" and zone.seen.who != "all" and not secret & {*zone.per}
    ]
    return sum(what.size * zone.size for kind in what.per for zone in piles if zone.kind == kind)


def told(program: ir.Program, t: ir.Type, value: Any, seen: Callable[[int, int], bool], stands: dict[int, int]) -> Any:
    """A value as data for who sees some pieces: `?` for those that he does not see, last in a set; `stands`: which are named for others."""
    if value is None or t.what in ("int", "bool"):
        return value
    if t.what == "entity":
        assert t.kind is not None
        return program.kinds[t.kind].members[stands.get(value, value)] if seen(t.kind, value) else "?"
    if t.what == "text":
        texts = []
        for part in value:
            kind = program.kinds[0 if isinstance(part, str) else program.printers[part[0]].kind or 0]
            texts.append(
                part if isinstance(part, str) else kind.labels[part[1]] if seen(kind.index, part[1]) else kind.noun
            )
        return "".join(texts)
    if t.what == "option":
        return told(program, t.parts[0], value, seen, stands)
    if t.what == "record":
        parts = zip(t.names, t.parts, value, strict=True)
        return {name: told(program, part, item, seen, stands) for name, part, item in parts}
    items = sorted(value, key=lambda item: stands.get(item, item)) if t.what == "set" else value
    texts = [told(program, t.parts[0], item, seen, stands) for item in items]
    return [text for text in texts if text != "?"] + ["?"] * texts.count("?") if t.what == "set" else texts


def pieces_in(program: ir.Program, t: ir.Type, value: Any) -> list[int]:
    """The pieces in a value, each once in the order in which they stand, but for those that are hidden."""
    found: list[int] = []
    if t.what == "entity":
        found = [value] if isinstance(value, int) else []
    elif value is not None and t.what == "text":
        found = [
            one
            for part in value
            if not isinstance(part, str)
            for one in pieces_in(program, program.printers[part[0]], part[1])
        ]
    elif value is not None and t.parts:
        inner = t.parts if t.what == "record" else t.parts * (1 if t.what == "option" else len(value))
        values = (value,) if t.what == "option" else value
        found = [one for part, item in zip(inner, values, strict=True) for one in pieces_in(program, part, item)]
    return [*dict.fromkeys(found)]


# --- draws ------------------------------------------------------------------------------------------------------------
def number_of(seed: int, counter: int) -> int:
    """The random number of a seed and a counter: splitmix64, whose state is the seed, mixed, and the counter's steps."""

    def mixed(z: int) -> int:
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            z = (z ^ z >> shift) * factor % 2**64
        return z ^ z >> 31

    return mixed((mixed(seed ^ 0x5DEECE66D1CE4E5B) + (counter + 1) * 0x9E3779B97F4A7C15) % 2**64)


def drawn(items: tuple[Any, ...], weights: tuple[int, ...] | None, seed: int, counter: int) -> tuple[Any, int]:
    """What is drawn, and the counter after it: a ticket for each unit of weight, those of equal items side by side, and one of them."""
    whole = [(item, weight) for item, weight in zip(items, weights or [1] * len(items), strict=True)]
    distinct = dict.fromkeys(item for item, weight in whole if weight)
    tickets = [one for first in distinct for one, weight in whole if one == first for _ in range(weight)]
    while True:
        number, counter = number_of(seed, counter), counter + 1
        if number < 2**64 // len(tickets) * len(tickets):
            return tickets[number % len(tickets)], counter


# --- effects ----------------------------------------------------------------------------------------------------------
@dataclass
class Table:
    """Zones of one kind of pieces as lists, by their slots, with what is known of pieces; and lasting effects."""

    zones: dict[int, list[int]]
    piles: set[int]
    known: set[tuple[int, int]] = field(default_factory=set)  # piece and seat
    aside: list[dict[int, list[int]]] = field(default_factory=list)
    effects: list[tuple[int, tuple[int, ...], Any]] = field(default_factory=list)

    def move(self, pieces: tuple[int, ...], to: int, bottom: bool) -> None:
        """They leave where they lie, and go one by one on top of a pile, or below it; a set stays sorted.  What was known is forgotten."""
        for piece in pieces:
            for there in self.zones.values():
                if piece in there:
                    there.remove(piece)
            self.zones[to].insert(0 if bottom else len(self.zones[to]), piece)
            if to not in self.piles:
                self.zones[to].sort()
        self.known = {(piece, seat) for piece, seat in self.known if piece not in pieces}

    def learn(self, pieces: tuple[int, ...], seats: tuple[int, ...], hide: bool) -> None:
        """Seats know pieces, or nobody does any more."""
        if hide:
            self.known = {(piece, seat) for piece, seat in self.known if piece not in pieces}
        else:
            self.known |= {(piece, seat) for piece in pieces for seat in seats}

    def enter(self, slots: list[int]) -> None:
        """What lies in the zones of a scope is put aside."""
        self.aside.append({slot: self.zones[slot] for slot in slots})
        self.zones |= {slot: [] for slot in slots}

    def leave(self) -> None:
        """What lies in the zones of a scope is out of the game; what was put aside is there again, but for what was moved since."""
        back = self.aside.pop()
        self.zones |= {slot: [] for slot in back}
        here = {piece for there in self.zones.values() for piece in there}
        self.zones |= {slot: [piece for piece in there if piece not in here] for slot, there in back.items()}

    def cease(self, lasting: int | None, end: Any, args: tuple[int, ...] | None) -> tuple[int, ...] | None:
        """The oldest lasting effect of which all that is said is so ends: its arguments."""
        for effect in self.effects:
            asked = ((lasting, effect[0]), (args, effect[1]), (end, effect[2]))
            if all(wanted is None or wanted == its for wanted, its in asked):
                self.effects.remove(effect)
                return effect[1]
        return None


# --- windows ----------------------------------------------------------------------------------------------------------
@dataclass
class Reaction:
    """A rule of an event: whose it is, its rank, how often it may run (all of it, or each of its pieces), and for which arguments."""

    number: int
    rank: int
    limit: int | None
    instances: list[tuple[int, ...]]
    alive: Callable[[tuple[int, ...]], bool]
    player: Callable[[tuple[int, ...]], int | None]
    test: Callable[[tuple[int, ...]], bool]
    of_pieces: bool
    used: dict[tuple[int, ...], int] = field(default_factory=dict)

    def runs(self, args: tuple[int, ...]) -> int:
        """How often it ran."""
        return self.used.get(args if self.of_pieces else (), 0)

    def use(self, args: tuple[int, ...], times: int) -> None:
        """It runs once more, or once less."""
        self.used[args if self.of_pieces else ()] = self.runs(args) + times


def queue_of(reactions: list[Reaction], order: tuple[int, ...] | None) -> list[tuple[int, tuple[int, ...]]]:
    """The rules that react: those of nobody in the order first, then player by player, by rank, then as they stand in the file."""
    there = [
        (rule, args)
        for rule in sorted(reactions, key=lambda rule: rule.number)
        for args in rule.instances
        if rule.alive(args)
    ]
    queue: list[tuple[int, tuple[int, ...]]] = []
    nobody = [rule for rule in there if order is None or rule[0].player(rule[1]) not in order]
    of_each = [[rule for rule in there if rule[0].player(rule[1]) == player] for player in order or ()]
    for own in (nobody, *of_each):
        for rank in sorted({rule.rank for rule, _ in own}):
            queue += [(rule.number, args) for rule, args in own if rule.rank == rank]
    return queue


def tied(reactions: list[Reaction], queue: list[tuple[int, tuple[int, ...]]]) -> tuple[int | None, tuple[int, ...]]:
    """Whose rule is the first of a queue, and the numbers of those from there on that are his, of its rank, and apply."""
    by_number = {rule.number: rule for rule in reactions}
    whole = [(by_number[number], args) for number, args in queue]
    first, its = whole[0]
    length = 0
    while length < len(whole) and (whole[length][0].rank, whole[length][0].player(whole[length][1])) == (
        first.rank,
        first.player(its),
    ):
        length += 1
    return first.player(its), tuple(n for n, (rule, args) in enumerate(whole[:length]) if applies(rule, args))


def applies(rule: Reaction, args: tuple[int, ...]) -> bool:
    """Whether a rule may run: its test holds, and its limit is not used up."""
    return rule.test(args) and (rule.limit is None or rule.runs(args) < rule.limit)


# --- copies -----------------------------------------------------------------------------------------------------------
def made_of(t: ir.Type) -> list[ir.Type]:
    """A type and those within it."""
    return [t] + [one for part in t.parts for one in made_of(part)]


def copies(program: ir.Program) -> dict[int, list[list[int]]]:
    """By kind the groups of pieces that nobody can tell apart, two at least: equal in what is printed, and in which rules they carry."""
    found = {}
    for kind in program.kinds:
        here = [zone for zone in program.zones if zone.kind == kind.index]
        declared = (*program.zones, *program.variables)
        counted = any(t.what == "bag" and t.kind == kind.index for v in program.variables for t in made_of(v.type))
        if all(zone.seen.who == "all" for zone in here) or counted or any(kind.index in what.per for what in declared):
            continue
        looks: dict[Any, list[int]] = {}
        for piece in {*range(len(kind.members))} - {*kind.named}:
            carried = [n for n, rule in enumerate(program.rules) if rule.kind == kind.index and piece in rule.pieces]
            look = (kind.labels[piece], [field.values[piece] for field in kind.fields], carried)
            looks.setdefault(repr(look), []).append(piece)
        groups = sorted(sorted(group) for group in looks.values() if len(group) > 1)
        found |= {kind.index: groups} if groups else {}
    return found


def named_by_places(
    program: ir.Program, S: list[Any], kind: int, groups: list[list[int]], viewer: int | None
) -> dict[int, int]:
    """For each copy that a viewer sees whose name it has: the first by where they lie has that of the first of them.

    In a pile by the place in it; then by which slots of variables that the viewer sees mention them, and where within.
    """

    def call(*_: Any) -> Any:
        raise AssertionError("no viewers here are worked out")

    wanted = {public(program)} if viewer is None else {viewer}
    location = program.kinds[kind].location
    assert location is not None
    stands = {}
    for group in groups:
        rows_of_group = []
        for piece in group:
            if wanted <= seers(program, S, kind, piece, call):
                at = S[location + piece]
                pile = any(zone.order == "pile" and slot == at for zone, _, slot in places(program))
                told = []
                for variable in program.variables:
                    for row, slot in rows(program, variable):
                        if wanted <= seats(program, variable.seen, row, call) and variable.type.what != "int":
                            value = S[slot] if isinstance(S[slot], tuple) else (S[slot],)
                            inner = isinstance(S[slot], tuple)
                            told += [
                                f"({slot}, {n})" if inner else f"{slot}" for n, one in enumerate(value) if one == piece
                            ]
                rows_of_group.append((at, S[at].index(piece) if pile else -1, sorted(told), piece))
        stands |= {piece: group[n] for n, (*_, piece) in enumerate(sorted(rows_of_group))}
    return stands
