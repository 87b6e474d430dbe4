"""What a seat sees as a vector of floats with a fixed layout, for learners.

The layout follows from what is declared: who is asked what, the pieces in each place where a seat may see them, how many lie where they
are counted, variables, what a look told.  Of what belongs to a seat and only its owner sees there are entries for the seat's own
part (`own hand=king`) and none for those of others.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import zip_longest
from math import inf
from typing import Any

from interpreter.position import Position
from interpreter.runtime.renaming import NO_OTHERS, Renaming
from interpreter.runtime.visibility import Entry, Viewer
from interpreter.setup import Setup, once_for_each
from interpreter.spaces.actions import action_space
from interpreter.spaces.entries import Block, Filled, Named, Sparse, flags, of_type, pieces, size
from interpreter.spaces.measures import census
from interpreter.spaces.words import Word
from interpreter.views.alike import alike, names
from interpreter.views.following import followed
from interpreter.views.looks import Look, Looks
from interpreter.views.observation import Line, known_pieces, of_pieces, shown_pieces, to_act
from rulespec import ir

NOTHING: Filled = ()
FEW = 8  # entries of a value that a line of the log names, which a summary has
MOST_ROWS = 50_000  # entries of an information state that has a row for each thing that was seen


class Layout:
    """The entries of a game's vectors: `names`, and between which values each lies, `low` and `high`.

    All seats have the same entries.  `asked` has one for each block of `ActionSpace`, `given` one for each number of a block
    whose answers may have several symbols: how often it was given for the answer that is not whole yet.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.sight = setup.machine.sight
        self.space = action_space(setup)
        self.entries: list[Named] = []
        self.places: dict[Any, tuple[Block, int]] = {}
        seats = setup.seats
        self.you = self.add(flags([f"you={seat}" for seat in seats]))
        self.acting = self.add(flags([*(f"to act={seat}" for seat in seats), "to act=chance"]))
        self.acts = {name: n for n, name in enumerate((*seats, "chance"))}
        self.over = self.add(flags(["over"]))
        self.asked = self.add(flags([f"asked={label}" for label, _ in self.space.blocks]))
        self.given = self.given_entries()
        self.learnt = {
            i.kind for p in setup.program.procedures for i in p.code if isinstance(i, ir.Learn) and not i.forget
        }
        for zone in setup.program.zones:
            self.zone(zone)
        for variable in setup.program.variables:
            self.variable(variable)
        self.known = self.known_entries()
        self.looks = [self.looks_of(seat) for seat in range(setup.num_players)]
        self.placed = [self.blocks_of_pieces(seat) for seat in range(setup.num_players)]

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def names(self) -> list[str]:
        """What each entry means, each name once."""
        return [entry.name for entry in self.entries]

    @property
    def low(self) -> list[float]:
        """The least that each entry can be."""
        return [entry.low for entry in self.entries]

    @property
    def high(self) -> list[float]:
        """The most that each entry can be."""
        return [entry.high for entry in self.entries]

    # --- making it ---------------------------------------------------------------------------------------
    def add(self, entries: tuple[Named, ...]) -> int:
        """New entries; the number of the first."""
        first = len(self.entries)
        self.entries += entries
        return first

    def place(self, key: Any, block: Block) -> None:
        """New entries for a block."""
        self.places[key] = block, self.add(block.entries)

    def given_entries(self) -> dict[int, int]:
        """The entry of each number that may be a part of an answer."""
        numbers = sorted({n for one in self.space.sites if one.base is None for n in range(one.first, one.last)})
        first = self.add(tuple(Named(f"given={self.space.names[n]}", 0, inf) for n in numbers))
        return {n: first + k for k, n in enumerate(numbers)}

    def zone(self, zone: ir.Zone) -> None:
        """The entries of a zone: what a seat may see in it, and how many pieces."""
        program = self.setup.program
        number = len(program.kinds[zone.kind].members)
        told = zone.top.who != "none" or zone.kind in self.learnt

        def content(name: str) -> Block:
            if zone.counts:
                return of_type(program, ir.types.bag(zone.kind), name)
            return pieces(program, zone.kind, name, zone.order == "pile")

        for entry in self.sight.entries(zone):
            slot, indices, name = entry
            if zone.seen.who == "owner" and indices[0] == 0:
                self.place((zone.base, "own", indices[1:]), content(self.own(zone, name)))
            if zone.seen.who in ("all", "function") or told:
                self.place((slot, "content"), content(name))
            if zone.counted.who != "none" and zone.seen.who != "all":
                self.place((slot, "size"), size(name, inf if zone.counts else number))
        for (_, _, name), _, _ in self.sight.by_place(zone):
            self.place((name, "content"), content(name))
            if zone.seen.who != "all":
                self.place((name, "size"), size(name, inf if zone.counts else number))

    def variable(self, variable: ir.Variable) -> None:
        """The entries of a variable; of one for each of pieces that may lie hidden there are some for each place as well."""
        program = self.setup.program
        if variable.seen.who == "none":
            return
        for (_, _, name), _, _ in self.sight.by_place(variable):
            self.place((name, "content"), of_type(program, variable.type, name))
        for slot, indices, name in self.sight.entries(variable):
            if variable.seen.who != "owner":
                self.place((slot, "content"), of_type(program, variable.type, name))
            elif indices[0] == 0:
                self.place(
                    (variable.base, "own", indices[1:]), of_type(program, variable.type, self.own(variable, name))
                )

    def own(self, what: ir.Zone | ir.Variable, name: str) -> str:
        """The name of one's own part of what has one for each player."""
        return ".".join(["own", what.name, *name.removeprefix(f"{what.name}.").split(".")[1:]]).replace(".", " ", 1)

    def known_entries(self) -> dict[tuple[str, str], int]:
        """The entries of what a look told: a piece and the zone where it still lies hidden."""
        program = self.setup.program
        pairs = [
            (member, name)
            for zone in program.zones
            if zone.kind in self.learnt and zone.seen.who != "all" and not zone.counts
            for _, _, name in self.sight.entries(zone)
            for member in program.kinds[zone.kind].members
        ]
        first = self.add(flags([f"known {member} in {name}" for member, name in pairs]))
        return {pair: first + n for n, pair in enumerate(pairs)}

    def looks_of(self, seat: int) -> Looks[Filled]:
        """What fills the entries of a seat."""
        setup, program = self.setup, self.setup.program
        out = []
        both: list[ir.Zone | ir.Variable] = [*program.zones, *program.variables]
        for what in both:
            if what.base not in self.sight.of_pieces:
                for entry in self.sight.entries(what):
                    blocks = self.blocks(what, entry, seat)
                    if blocks:
                        out.append(Look(setup, what, entry, seat, filler(blocks), NOTHING))
        return Looks(out)

    def blocks(self, what: ir.Zone | ir.Variable, entry: Entry, seat: int) -> list[tuple[Block, int]]:
        """What an entry fills for a seat."""
        keys = [self.content_key(what, entry, seat), *([(entry[0], "size")] if isinstance(what, ir.Zone) else [])]
        return [self.places[key] for key in keys if key in self.places]

    def blocks_of_pieces(self, seat: int) -> dict[str, list[tuple[Block, int]]]:
        """What is filled by what there is for each of pieces that may lie hidden, by the names under which a seat reads it."""
        sight, own = self.sight, self.sight.for_pieces
        filled = {entry[2]: self.blocks(what, entry, seat) for what in own for entry in sight.entries(what)}
        for name in (entry[2] for what in own for entry, _, _ in sight.by_place(what)):
            keys = (name, "content"), (name, "size")
            filled[name] = [self.places[key] for key in keys if key in self.places]
        return filled

    def of_pieces(self, position: Position, seat: int, renaming: Renaming) -> Filled:
        """The entries of what there is for each of pieces that may lie hidden."""
        out: Sparse = []
        for told in of_pieces(position, seat, renaming):
            for name, data in told.items():
                for block, first in self.placed[seat][name]:
                    block.fill(data, first, out)
        return tuple(out)

    def content_key(self, what: ir.Zone | ir.Variable, entry: Entry, seat: int) -> Any:
        """The key in `places` of what a seat sees in a slot: its own part, where only the owner sees it."""
        slot, indices, _ = entry
        own = what.seen.who == "owner" and indices[0] == seat
        return (what.base, "own", indices[1:]) if own else (slot, "content")

    # --- of a position -----------------------------------------------------------------------------------
    def seen(self, position: Position, seat: int, given: Word = ()) -> tuple[Filled, ...]:
        """(entry, value) of all that is not 0, in parts that are always in the same order: who is asked what is the first.

        What is seen of a slot is the same object as long as it is known to be equal.
        """
        setup, S = self.setup, position.slots
        acting: Sparse = [(self.acting + self.acts[name], 1.0) for name in to_act(position, seat)]
        question = position.pending().of(seat)
        if question is not None:
            acting.append((self.asked + self.space.block_of[question.site.index], 1.0))
            for number in given:
                if number in self.given:
                    acting.append((self.given[number], float(given.count(number))))
        own: Filled = (
            ((self.you + seat, 1.0), (self.over, 1.0)) if position.is_terminal() else ((self.you + seat, 1.0),)
        )
        renaming = names(position, seat) if alike(setup).groups else NO_OTHERS
        setup.machine.compiler.refuel()
        filled = self.looks[seat].at(S, renaming)
        if self.sight.of_pieces:
            filled.append(self.of_pieces(position, seat, renaming))
        if self.known and S[ir.KNOWN]:
            filled.append(self.looked_at(position, seat, renaming))
        return tuple(acting), own, *filled

    def looked_at(self, position: Position, seat: int, renaming: Renaming) -> Filled:
        """The entries of pieces that were shown where they lie: 1 to all at once, a half to the seat."""
        known = dict.fromkeys(known_pieces(position, seat, renaming).items(), 0.5)
        known |= dict.fromkeys(shown_pieces(position, seat, renaming).items(), 1.0)
        return tuple((self.known[pair], value) for pair, value in known.items() if pair in self.known)

    def observation(self, position: Position, seat: int, given: Word = ()) -> array[float]:
        """What a seat sees now: `len(layout)` floats of 32 bits, each between its `low` and `high`.  Raises Fault."""
        vector: array[float] = array("f", bytes(4 * len(self)))
        for part in self.seen(position, seat, given):
            for entry, value in part:
                vector[entry] = value
        return vector


def filler(blocks: list[tuple[Block, int]]) -> Callable[[Any], Filled]:
    """What makes entries of data by blocks, each with its first entry."""

    def filled(data: Any) -> Filled:
        entries: Sparse = []
        for block, first in blocks:
            block.fill(data, first, entries)
        return tuple(entries)

    return filled


layout = once_for_each(Layout)


class Lines:
    """The entries of the lines of a log: for each place of the program that writes one whether it did, and what the line names.

    A line has as many entries as there are values in its text and parts of these: `widest` is how many one value may have, others have
    none.
    """

    def __init__(self, setup: Setup, widest: float = inf) -> None:
        program, self.printing = setup.program, setup.machine.printing
        self.alike = alike(setup).first
        self.bits = [setup.machine.sight.bits(seat) for seat in range(setup.num_players)]
        self.entries: list[Named] = []
        self.places: dict[tuple[int, int], tuple[int, list[tuple[ir.Type, int, Block, int]]]] = {}
        self.whole = True  # whether the entries of a line say all that it says
        for number, (place, template) in enumerate(sorted(setup.machine.says.items()), 1):
            text = "".join(part if isinstance(part, str) else "..." for part in template.parts)
            name = f"told {number}: {text}"
            first, blocks = len(self.entries), []
            self.entries.append(Named(name, 0, inf))
            for hole, (_, t) in enumerate(template.holes, 1):
                block = of_type(program, t, f"{name} [{hole}]")
                if t.what == "text" or len(block.entries) > widest:
                    self.whole = False
                    continue
                blocks.append((t, hole - 1, block, len(self.entries)))
                self.entries += block.entries
            self.places[place] = first, blocks

    def fill(self, line: Line, seat: int) -> tuple[int, Filled]:
        """The entry that says that a line was written, and (entry, value) of what a seat reads in it."""
        procedure, pc, _, values, masks, _ = line
        first, blocks = self.places[procedure, pc]
        out: Sparse = []
        for t, hole, block, at in blocks:
            mask = masks and masks[hole]
            data = (
                None if values[hole] is None else self.printing.data(t, values[hole], mask, self.bits[seat], self.alike)
            )
            block.fill(data, at, out)
        return first, tuple(out)


class Rows:
    """The fold that makes information states of rows: what the seat did, what it was told, and what it saw then, where that was news."""

    name = "rows"

    def __init__(self, setup: Setup) -> None:
        self.layout = layout(setup)
        self.lines = Lines(setup)

    def begin(self) -> Any:
        """Before anything was seen: linked rows as bytes, the newest first; what was seen last; what was done and told since."""
        return None, None, (), ()

    def told(self, kept: Any, position: Position, seat: Viewer, lines: Sequence[Line]) -> Any:  # noqa: ARG002
        """With lines of the log: a row has them as they follow in the program, and where one is said again another row begins."""
        rows, last, did, told = kept
        for line in lines:
            one = self.lines.fill(line, seat or 0)
            if told and told[-1][0] >= one[0]:
                rows, did, told = (self.row(did, told, ()), rows), (), ()
            told = (*told, one)
        return rows, last, did, told

    def seen(self, kept: Any, position: Position, seat: Viewer) -> Any:
        """With what is seen now, if it is news; as for texts, that chance was asked is none."""
        rows, last, did, told = kept
        seen = self.layout.seen(position, seat or 0)
        if position.is_chance_node():
            seen = (NOTHING, *seen[1:])
            if not did and not told and last is not None and seen[1:] == last[1:]:
                return kept
        elif not did and not told and seen == last:
            return kept
        return (self.row(did, told, seen), rows), seen, (), ()

    def row(self, did: Word, told: tuple[tuple[int, Filled], ...], seen: tuple[Filled, ...]) -> bytes:
        """One row: what was done and told, and what was seen then."""
        first = len(self.layout.space)
        row: array[float] = array("f", bytes(4 * (first + len(self.lines.entries) + len(self.layout))))
        for number in did:
            row[number] += 1
        for at, filled in told:
            for entry, value in ((at, 1.0), *filled):
                row[first + entry] = value
        first += len(self.lines.entries)
        for part in seen:
            for entry, value in part:
                row[first + entry] = value
        return row.tobytes()

    def did(self, kept: Any, before: Position, seat: int, site: str, action: int) -> Any:  # noqa: ARG002
        """With the numbers that the seat has given."""
        rows, last, did, told = kept
        question = before.pending().of(seat)
        assert question is not None
        return rows, last, (*did, *self.layout.space.word(before, question, action)), told


class Summary:
    """The fold for games that are too long for rows: what is seen now, the most that each entry ever was, how often what was done, how
    often each line of the log was told, and what it named last.

    All but what is seen now is kept as it stands in the vector, and copied where it changes, which is seldom.
    """

    name = "summary"

    def __init__(self, setup: Setup) -> None:
        self.layout = layout(setup)
        self.lines = Lines(setup, FEW)

    def begin(self) -> Any:
        """Before anything was seen."""
        size = len(self.layout) + len(self.layout.space) + len(self.lines.entries)
        return (), array("f", bytes(4 * size))

    def told(self, kept: Any, position: Position, seat: Viewer, lines: Sequence[Line]) -> Any:  # noqa: ARG002
        """With lines of the log."""
        last, beside = kept
        first, beside = len(self.layout) + len(self.layout.space), beside[:]
        for line in lines:
            at, filled = self.lines.fill(line, seat or 0)
            beside[first + at] += 1
            for _, _, block, named in self.lines.places[line[:2]][1]:
                beside[first + named : first + named + len(block.entries)] = array("f", bytes(4 * len(block.entries)))
            for entry, value in filled:
                beside[first + entry] = value
        return last, beside

    def seen(self, kept: Any, position: Position, seat: Viewer) -> Any:
        """With what is seen now."""
        last, beside = kept
        seen = self.layout.seen(position, seat or 0)
        news: Sparse = []
        for part, before in zip_longest(seen[1:], last[1:]):
            if part is not before and part:
                news += [(entry, value) for entry, value in part if value > beside[entry]]
        return seen, changed(beside, news) if news else beside

    def did(self, kept: Any, before: Position, seat: int, site: str, action: int) -> Any:  # noqa: ARG002
        """With the numbers that the seat has given."""
        last, beside = kept
        question = before.pending().of(seat)
        assert question is not None
        first, counts = len(self.layout), Counter(self.layout.space.word(before, question, action))
        return last, changed(beside, [(first + n, beside[first + n] + more) for n, more in counts.items()])


def changed(vector: array[float], entries: Sparse) -> array[float]:
    """A copy with other entries."""
    vector = vector[:]
    for entry, value in entries:
        vector[entry] = value
    return vector


class InformationLayout:
    """The entries of a game's information states as vectors: `names`, `low`, `high`, as for `Layout`.

    Where all positions of a game could be looked at (`census`), there is a row for each thing that a seat can come to see: the numbers
    that it gave before, the lines of the log that it was told, and the observation, so that nothing is forgotten (`perfect_recall`).
    Elsewhere there are the observation, the most that each of its entries ever was, how often each number was given, how often each line
    was told, and what it named last: a summary, which two information states may share.
    """

    def __init__(self, setup: Setup) -> None:
        self.layout = layout(setup)
        self.space = self.layout.space
        known, fold = census(setup), Rows(setup)
        self.width = len(self.space) + len(fold.lines.entries) + len(self.layout)
        rows = 0 if known is None else known.decisions + known.draws + known.again + 1
        self.perfect_recall = fold.lines.whole and 0 < rows * self.width <= MOST_ROWS
        self.rows = rows if self.perfect_recall else 0
        self.fold = fold if self.perfect_recall else Summary(setup)

    def __len__(self) -> int:
        if self.perfect_recall:
            return self.rows * self.width
        return 2 * len(self.layout) + len(self.space) + len(self.fold.lines.entries)

    @property
    def entries(self) -> list[Named]:
        """All entries."""
        did = [Named(f"did={name}", 0, inf) for name in self.space.names]
        if not self.perfect_recall:
            ever = [Named(f"ever {name}", min(low, 0), high) for name, low, high in self.layout.entries]
            return [*self.layout.entries, *ever, *did, *self.fold.lines.entries]
        row = [*did, *self.fold.lines.entries, *self.layout.entries]
        return [Named(f"{n + 1}. {name}", low, high) for n in range(self.rows) for name, low, high in row]

    def information_state(self, position: Position, seat: int, given: Word = ()) -> array[float]:
        """What a seat has seen and done: `len(layout)` floats of 32 bits.  Raises IllegalAction P009 with `record=False`, and Fault."""
        position.recorded("information state")
        kept = followed(position, seat, self.fold)
        if self.perfect_recall:
            linked, rows = kept[0], []
            while linked is not None:
                row, linked = linked
                rows.append(row)
            told = b"".join(reversed(rows))
            vector: array[float] = array("f", told.ljust(4 * len(self), b"\0"))
            at = len(told) // 4 - len(self.layout)
        else:
            seen, beside = kept
            at = 0
            vector = array("f", bytes(4 * len(self.layout)))
            for part in seen:
                for entry, value in part:
                    vector[entry] = value
            vector += beside
        for number in given:
            if number in self.layout.given:
                vector[at + self.layout.given[number]] = given.count(number)
        return vector


information_layout = once_for_each(InformationLayout)
