"""What lies on the table: zones and variables where they belong, seats, boards and the map."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.position import Position
from interpreter.runtime.texts import HIDDEN
from interpreter.runtime.visibility import Viewer
from interpreter.views import boards as board_views
from interpreter.views import scores
from interpreter.views.alike import names
from interpreter.views.pictures import Onlooker, Painter
from interpreter.views.table.faces import Face, bare
from interpreter.views.table.own_boards import OwnBoard, apart, drawn_apart
from interpreter.views.table.plan import BY_PLACE, Board, Entry, Part, Plan
from rulespec import ir
from rulespec.ir.wording import joined

Data = dict[str, Any]
MOST_ITEMS = 60  # of a bag that is shown piece by piece
PILED = 10  # pieces of the table beyond which a zone is drawn as a stack


class Tabletop:
    """The table of one position as one viewer sees it, made part by part; `things` are those that are shown so far."""

    def __init__(self, plan: Plan, position: Position, viewer: Viewer, seen: Data) -> None:
        self.plan = plan
        self.program = plan.program
        self.faces = plan.faces
        self.position = position
        self.viewer = viewer
        self.seen = seen
        self.renaming = names(position, viewer)
        self.names = {
            (kind.name, kind.members[piece]): kind.members[stands]
            for kind in self.program.kinds
            for piece, stands in self.renaming.get(kind.index, {}).items()
        }
        self.things: dict[str, Face] = {}
        self.where: dict[str, list[str]] = {}  # the zones in which a thing lies
        self.zones: dict[str, Data] = {}
        self.counters: list[Data] = []
        self.sheets: list[Data] = []
        self.attached: dict[str, list[Any]] = {}
        self.on: dict[str, list[Any]] = {}  # places and cells: what lies there or is told of them
        self.flags: dict[str, list[Data]] = {}
        self.own: dict[tuple[str, str], OwnBoard] = {}  # by variable and player
        self.onlooker = Onlooker(position, viewer)
        self.seats = [self.seat(number) for number in range(plan.setup.num_players)]
        self.by_seat = {seat["id"]: seat for seat in self.seats}
        self.told: frozenset[int] = frozenset()
        self.map = self.drawn_map()
        self.boards = self.drawn_boards()
        for zone, part in plan.zones:
            self.add_zone(zone, part)
        for variable, part in plan.variables:
            self.add_variable(variable, part)
        self.score()
        self.groups = self.grouped()
        self.settle()

    # --- things -----------------------------------------------------------------------------------------------------
    def thing(self, kind: str, member: str) -> str:
        """The id of a thing that is shown."""
        name = f"{kind}/{member}"
        if name not in self.things:
            self.things[name] = self.faces.face(kind, member)
        return name

    def meant(self, kind: str, member: str) -> str:
        """The id of a thing that an answer names: of a copy the one under which the viewer sees it."""
        return self.thing(kind, self.names.get((kind, member), member))

    # --- seats ------------------------------------------------------------------------------------------------------
    def seat(self, number: int) -> Data:
        setup = self.plan.setup
        name = setup.seats[number]
        seat: Data = {"id": name, "label": setup.seat_labels[number], "colour": self.faces.seats[number]}
        if name == self.seen["you"]:
            seat["you"] = True
        if name in self.seen["to_act"]:
            seat["to_act"] = True
        return {**seat, "badges": [], "counters": [], "zones": []}

    def score(self) -> None:
        """The score sheet: what follows from what is seen, at the end all; a few columns stand at each seat, more make a sheet."""
        over = self.position.is_terminal()
        columns = scores.sheet(self.position) if over else scores.columns(self.onlooker)
        for number, seat in enumerate(self.seats):
            if here := scores.of_seat(columns, number):
                seat["score"] = [list(one) for one in here]
        if over and len(columns) > scores.FEW_SCORES:
            rows = [
                {"label": label, "cells": ["–" if text is None else text for text in cells]} for label, cells in columns
            ]
            self.sheets.append({"label": "score", "rows": rows})

    # --- zones ------------------------------------------------------------------------------------------------------
    def add_zone(self, zone: ir.Zone, part: Part) -> None:
        kind, contents = self.program.kinds[zone.kind], self.seen["zones"]
        for entry in part.entries:
            content = contents.get(entry.name)
            if content is None or (not content and entry.region in ("map", "board", "piece")):
                continue
            label = f"{part.label} {entry.words}" if entry.slot == BY_PLACE else part.label
            data: Data = {"zone": zone.name, "label": label, "kind": kind.name, "at": entry.at}
            if entry.owner is not None:
                data["owner"] = entry.owner
            if entry.index and entry.index != (entry.at,):
                data["index"] = [self.thing(*one) for one in entry.things]
            if zone.counts and not (zone.seen.who != "all" and sum(content.values()) <= MOST_ITEMS):
                bag = [{"thing": self.member(kind, m), "n": n} for m, n in content.items() if n]
                data["count"], data["form"], data["bag"] = sum(content.values()), "bag", bag
                items: list[str | None] = [one["thing"] for one in bag]
            else:
                names = content if not zone.counts else [m for m, n in content.items() for _ in range(n)]
                items = [self.member(kind, m) for m in names]
                if zone.order != "pile":
                    items.sort(key=lambda item: self.sort_key(kind, item))
                data["count"], data["form"] = len(items), self.form(zone, kind, items, entry)
                if items and all(item is None for item in items):
                    items = []  # nothing but backs: the count tells all
                data["items"] = items
            if part.spot.form:
                data["form"] = part.spot.form
            for item in items:
                if item is not None:
                    self.where.setdefault(item, []).append(entry.name)
            self.put(entry, data)

    def member(self, kind: ir.Kind, member: str) -> str | None:
        """The id of a piece that is seen; None for a back."""
        return None if member == HIDDEN else self.thing(kind.name, member)

    def sort_key(self, kind: ir.Kind, item: str | None) -> int:
        """Colours together, numbers rising, backs last."""
        if item is None:
            return len(kind.members)
        return self.faces.order(kind)[self.faces.numbers[kind.name][item.partition("/")[2]]]

    def form(self, zone: ir.Zone, kind: ir.Kind, items: list[str | None], entry: Entry) -> str:
        """How a zone is drawn where nothing is said."""
        if self.faces.copied(kind):
            return "count"
        if zone.order == "pile":
            return "pile"
        if entry.owner is not None and entry.owner == self.seen["you"] and zone.seen.who == "owner":
            return "hand"
        if zone.seen.who != "all" and all(item is None for item in items):
            return "backs" if entry.owner else "deck"
        if entry.owner is None and len(items) > PILED:
            return "stack"
        return "row"

    def put(self, entry: Entry, zone: Data) -> None:
        """Let a zone lie where it belongs."""
        self.zones[entry.name] = zone
        if entry.region in ("map", "board"):
            self.on.setdefault(entry.at, []).append(entry.name)
        elif entry.region == "piece":
            self.attached.setdefault(entry.at, []).append(entry.name)
        elif entry.region == "seat":
            self.by_seat[entry.at]["zones"].append(entry.name)

    # --- variables ----------------------------------------------------------------------------------------------------
    def add_variable(self, variable: ir.Variable, part: Part) -> None:
        state, inner = self.seen["state"], bare(variable.type)
        rows: dict[str, Data] = {}
        own_boards = apart(self.plan, variable)
        for entry in part.entries:
            if entry.name not in state or entry.slot in self.told:
                continue
            value = state[entry.name]
            empty = value in (0, None, False, [], {})
            if own_boards and entry.region == "board" and entry.owner is not None:
                own = self.own.setdefault((variable.name, entry.owner), OwnBoard(part.label, entry.owner))
                own.values[entry.at] = {} if empty else self.value(variable.type, value)
            elif entry.region in ("map", "board", "piece"):
                if not empty:
                    self.tell(entry, part, variable, value)
            elif (entry.slot == BY_PLACE and empty) or self.marks_players(variable, inner, entry, value, part):
                continue
            elif entry.owner is not None and entry.words:
                row = rows.setdefault(entry.words, {})
                row[entry.owner] = self.value(variable.type, value)["text"]
            elif value is None or value is False or value in ([], {}):
                continue
            elif entry.owner is not None:
                seat = self.by_seat[entry.owner]
                seat["counters"].append(self.counter(entry, part, variable, value))
                if not entry.words:
                    self.flag(f"{part.label} {seat['label']}", seat["counters"][-1])
            elif not entry.words or value != 0:
                self.counters.append(self.counter(entry, part, variable, value))
                if not entry.words:
                    self.flag(part.label, self.counters[-1])
        if rows:
            lines = [{"label": label, "cells": [row.get(s, "") for s in self.by_seat]} for label, row in rows.items()]
            self.sheets.append({"label": part.label, "rows": lines})

    def marks_players(self, variable: ir.Variable, inner: ir.Type, entry: Entry, value: Any, part: Part) -> bool:
        """Put a badge at the seats that a variable names, or of which it is yes; whether that is all that it tells."""
        if inner.what == "bool" and entry.owner is not None and not entry.words:
            names = [entry.owner] if value is True else []
        elif inner.kind == self.program.player_kind and inner.what == "entity" and not variable.per:
            names = [value] if value is not None else []
        elif (
            inner.what in ("set", "list")
            and inner.parts[0] == ir.types.entity(self.program.player_kind)
            and not variable.per
        ):
            names = list(value or ())
        else:
            return False
        for name in names:
            if name in self.by_seat:
                self.by_seat[name]["badges"].append(part.label)
        return True

    def tell(self, entry: Entry, part: Part, variable: ir.Variable, value: Any) -> None:
        """A variable of a place, cell or piece."""
        counter = self.counter(entry, part, variable, value)
        if entry.to is not None:
            counter["to"] = entry.to
        on = self.attached if entry.region == "piece" else self.on
        on.setdefault(entry.at, []).append(counter)

    def flag(self, label: str, counter: Data) -> None:
        """A variable that names a place or cell stands there as a flag too."""
        for thing in counter.get("things", ()):
            kind = self.faces.by_name[thing.partition("/")[0]]
            if kind.what in ("node", "cell", "part") or kind.index in self.plan.boards:
                self.flags.setdefault(thing, []).append({"label": label, "counter": counter["id"]})

    def counter(self, entry: Entry, part: Part, variable: ir.Variable, value: Any) -> Data:
        """A variable as it is shown."""
        told = self.value(variable.type, value)
        counter: Data = {"id": entry.name, "label": part.label, **told}
        for one in told.get("bag", ()):
            self.where.setdefault(one["thing"], []).append(entry.name)
        if entry.words and entry.region in ("seat", "table"):
            counter["label"] = f"{part.label} {entry.words}"
        elif entry.region in ("map", "board", "piece"):
            counter["label"] = " ".join((part.label, *self.beside(entry)))
        t = bare(variable.type)
        high = part.spot.high if part.spot.high is not None else t.high
        if part.spot.form == "track" and high is not None:
            low = part.spot.low if part.spot.high is not None else t.low or 0
            counter["track"] = {"low": low, "high": high}
        return counter

    def beside(self, entry: Entry) -> Iterator[str]:
        """What else than the thing that it lies at a variable is counted by, and whose it is."""
        left = [*entry.index]
        if entry.at in left:
            left.remove(entry.at)
        for kind, _, member in (thing.partition("/") for thing in left):
            yield self.faces.by_name[kind].labels[self.faces.numbers[kind][member]]
        if entry.owner is not None:
            yield self.by_seat[entry.owner]["label"]

    def value(self, t: ir.Type, value: Any) -> Data:
        """A value of an observation as text, with the things that it names."""
        inner = bare(t)
        if value is None:
            return {"text": "–"}
        if value == HIDDEN and inner.what == "entity":
            return {"text": "hidden"}
        match inner.what:
            case "entity":
                kind = self.program.kinds[inner.kind or 0]
                label = kind.labels[self.faces.numbers[kind.name][value]]
                return {"text": label, "things": [self.thing(kind.name, value)]}
            case "bag":
                kind = self.program.kinds[inner.kind or 0]
                bag = [{"thing": self.thing(kind.name, m), "n": n} for m, n in value.items() if n]
                parts = [kind.counted(n, self.faces.numbers[kind.name][m]) for m, n in value.items() if n]
                return {"text": joined(parts) or "–", "value": sum(value.values()), "bag": bag}
            case "bool":
                return {"text": "yes" if value else "no"}
            case "set" | "list":
                told = [self.value(inner.parts[0], item) for item in value]
                things = [thing for one in told for thing in one.get("things", ())]
                text = joined([one["text"] for one in told])
                return {"text": text or "–", **({"things": things} if things else {})}
            case "record":
                pairs = zip(inner.names, inner.parts, strict=True)
                return {"text": joined([f"{name} {self.value(part, value[name])['text']}" for name, part in pairs])}
            case "int":
                return {"text": str(value), "value": value}
        return {"text": str(value)}

    # --- groups -------------------------------------------------------------------------------------------------------
    def grouped(self) -> list[Data]:
        """The zones of the table: those with the same index in the rows of one matrix, the others by themselves."""
        rows: dict[str, dict[str, list[str]]] = {}
        alone: list[str] = []
        centre: list[str] = []
        for name, zone in self.zones.items():
            if zone["at"] == "centre":
                centre.append(name)
            elif zone["at"] == "table":
                index = zone.get("index", ())
                if len(index) == 1:
                    rows.setdefault(index[0].partition("/")[0], {}).setdefault(index[0], []).append(name)
                else:
                    alone.append(name)
        groups: list[Data] = [{"what": "centre", "zones": centre}] if centre else []
        for kind, lines in rows.items():
            if not any(self.zones[name]["count"] for names in lines.values() for name in names):
                continue
            own = self.faces.by_name[kind]
            order = sorted(lines, key=lambda line: self.faces.numbers[own.name][line.partition("/")[2]])
            if own.index in self.program.table.down:
                order.reverse()
            labels = {line: own.labels[self.faces.numbers[own.name][line.partition("/")[2]]] for line in order}
            groups.append(
                {
                    "what": "matrix",
                    "kind": kind,
                    "rows": [{"label": labels[line], "zones": self.decks_first(lines[line])} for line in order],
                }
            )
        return [*groups, {"what": "zones", "zones": alone}] if alone else groups

    def decks_first(self, names: list[str]) -> list[str]:
        return sorted(names, key=lambda name: self.zones[name]["form"] != "deck")

    # --- boards and the map ---------------------------------------------------------------------------------------------
    def drawn_boards(self) -> list[Data]:
        out = []
        program, plan = self.program, self.plan
        if not plan.boards:
            return []
        signs: list[dict[str, board_views.CellView]] = []
        colours: list[dict[str, str]] = []
        players = dict(zip(plan.setup.seats, self.faces.seats, strict=True))
        views = board_views.boards(self.position, self.viewer)
        for plain, view in zip(program.boards, views, strict=True):
            signs.append({cell.name: cell for cell in view.cells})
            of_seats = plain.colour is not None and plain.colour.kind == program.player_kind
            colours.append(players if of_seats else {member.name: member.sign for member in view.colours.members})
            self.told |= view.told
        for board in plan.boards.values():
            cells = signs[board.number] if board.number is not None else {}
            dyes = colours[board.number] if board.number is not None else {}
            scale = program.boards[board.number].symbol if board.number is not None else None
            stands = None if scale is None else program.kinds[scale.kind].name
            out.append(
                {
                    "kind": board.kind.name,
                    "shape": board.shape,
                    "columns": board.columns,
                    "rows": board.rows,
                    "look": board.look or self.looks(stands),
                    "cells": [self.cell(board, place, cells, dyes, stands) for place in board.places],
                }
            )
            if board.number is not None and views[board.number].parts:
                out[-1]["parts"] = self.parts(board.number, views[board.number])
            if board.edges:
                out[-1]["edges"] = {edge: self.faces.seats[player] for edge, player in board.edges}
        return out

    def parts(self, number: int, view: board_views.BoardView) -> list[Data]:
        """The edges and corners of a board, and what stands there; those of players have the colours of their seats."""
        program = self.program
        of = {program.kinds[part.kind].name: part for part in program.boards[number].parts}
        seats = dict(zip(self.plan.setup.seats, self.faces.seats, strict=True))
        out = []
        for one in view.parts:
            part = of[one.kind]
            data: Data = {"thing": self.thing(one.kind, one.name), "at": [list(point) for point in one.points]}
            if one.sign:
                data |= {"sign": one.sign, "label": one.label}
                of_players = part.colour is not None and part.colour.kind == program.player_kind
                colour = seats.get(one.colour or "") if of_players else one.dye
                data |= {} if colour is None else {"colour": colour}
                if part.symbol is not None and part.symbol.kind != part.kind and one.stands not in (None, HIDDEN):
                    data["stands"] = self.thing(program.kinds[part.symbol.kind].name, one.stands)
            out.append(data)
        return out

    def looks(self, stands: str | None) -> str:
        """How a board is drawn where nothing is said: discs where only players stand there, chequered where men go."""
        if stands is None:
            return "plain"
        return "disc" if stands == self.program.kinds[self.program.player_kind].name else "plain"

    def cell(
        self,
        board: Board,
        place: tuple[int, float, int],
        cells: dict[str, board_views.CellView],
        dyes: dict[str, str],
        stands: str | None,
    ) -> Data:
        """A cell: where it lies, and what stands there."""
        number, x, y = place
        member = board.kind.members[number]
        cell: Data = {"thing": self.thing(board.kind.name, member), "x": x, "y": y}
        view = cells.get(member)
        if view is not None and view.sign:
            cell["sign"] = view.sign
            cell["label"] = view.label
            if view.colour in dyes:
                cell["colour"] = dyes[view.colour]
            if stands is not None and view.stands not in (None, HIDDEN):
                cell["stands"] = self.thing(stands, view.stands)
        return cell

    def drawn_map(self) -> Data | None:
        plan = self.plan
        if plan.picture is None:
            return None
        drawn = Painter(self.position, plan.picture, self.viewer).picture()
        self.told |= drawn.told
        data = drawn.data()
        kind = self.program.kinds[plan.picture.nodes]
        for number, place in enumerate(data["places"]):
            place["thing"] = self.thing(kind.name, place.pop("name"))
            if place["title"] == kind.labels[number]:
                del place["title"]
            if plan.positions:
                place["x"], place["y"] = plan.positions[number]
        data["places"] = [lean(place) for place in data["places"]]
        data["links"] = [lean(link) for link in data["links"]]
        for link in data["links"]:
            del link["name"]
            link["a"], link["b"] = f"{kind.name}/{link['a']}", f"{kind.name}/{link['b']}"
        data.pop("viewer")
        return data

    def settle(self) -> None:
        """Say of places and cells what lies there and which flags stand there."""
        spots = [spot for board in self.boards for spot in (*board["cells"], *board.get("parts", ()))]
        for spot in [*spots, *(self.map["places"] if self.map is not None else ())]:
            if spot["thing"] in self.on:
                spot["holds"] = self.on[spot["thing"]]
            if spot["thing"] in self.flags:
                spot["flags"] = self.flags[spot["thing"]]
        if self.own:
            self.boards = drawn_apart(self.boards, self.own.values(), self.by_seat, self.things)


def lean(data: Data) -> Data:
    """Data without what is empty."""
    return {
        name: value
        for name, value in data.items()
        if value is not None and value is not False and value not in ("", [], ())
    }
