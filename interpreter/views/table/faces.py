"""What stands on the components of a game: colour, corner, sign, cost, title and lines of each member of its kinds.

It is said by the `look` of a kind in the game's `table`, or follows from the fields that it has.  Nothing of it depends on a position.
"""

from __future__ import annotations

import re
from dataclasses import field
from functools import cached_property
from typing import Any

from interpreter.reference.templates import Template
from interpreter.runtime.values import Slots
from interpreter.setup import Setup
from interpreter.views.table import words
from rulespec import ir
from rulespec.ir.pictures import letters
from rulespec.ir.printed import COLUMN, ROW, title
from rulespec.language.palette import COLOURS
from rulespec.system.records import dataclass

Face = dict[str, Any]
FEW = 8  # members of a type that tells one thing from another by colour or sign
MANY = 60  # members of a type that get no letters
WORD = re.compile(r"[^\s(),;]+")


@dataclass(slots=True)
class Guess:
    """Which fields of a kind say what, where its author did not say it."""

    colour: ir.Field | None = None
    corner: ir.Field | None = None
    symbol: ir.Field | None = None
    bag: ir.Field | None = None  # a cost
    coins: tuple[int, list[ir.Field]] | None = None  # a cost in so many of each: a kind, and a field for each member
    lines: list[ir.Field] = field(default_factory=list)


class Faces:
    """The faces of a game, worked out once for all seats: they are printed, and no secret."""

    def __init__(self, setup: Setup) -> None:
        self.program = setup.program
        self.kinds = setup.program.kinds
        self.printing = setup.machine.printing
        self.compiler = setup.machine.compiler
        self.initial: Slots = list(setup.program.initial)
        self.looks = {look.kind: look for look in setup.program.table.looks}
        self.guesses: dict[int, Guess] = {}
        self.known: dict[tuple[int, int], Face] = {}
        self.orders: dict[int, tuple[int, ...]] = {}
        self.meanings: dict[int, tuple[int | None, ...]] = {}
        self.ground: set[int] = set()  # the kinds that lie on boards
        self.by_name = {kind.name: kind for kind in self.kinds}
        said = dict(setup.program.table.seats)
        self.seats = words.seat_colours(setup.seats, setup.seat_labels, said)
        self.numbers = {kind.name: {m: n for n, m in enumerate(kind.members)} for kind in self.kinds}

    def face(self, kind: str, member: str) -> Face:
        """What stands on a member of a kind."""
        one = self.by_name[kind]
        number = self.numbers[kind][member]
        key = one.index, number
        if key not in self.known:
            self.known[key] = self.made(one, number)
        return self.known[key]

    @cached_property
    def cards(self) -> frozenset[int]:
        """The kinds that are cards: they lie face down, in a pile or shuffled somewhere, and differ in what is on them."""
        zones = self.program.zones
        bags = {zone.index for zone in zones if zone.counts and zone.seen.who != "owner"}
        hidden = {
            zone.kind for zone in zones if zone.index not in bags and (zone.order != "set" or zone.seen.who != "all")
        }
        return frozenset(kind for kind in hidden if not self.copied(self.kinds[kind]))

    @staticmethod
    def copied(kind: ir.Kind) -> bool:
        """Whether the members of a kind differ in nothing that people see."""
        return len(kind.members) > 1 and len(set(kind.labels)) == 1

    def meant(self, kind: ir.Kind) -> tuple[int | None, ...]:
        """For each member the first that its label may mean, so that a line of the log tells no copy from another.

        None where the label is of members that look different: it says which of them no more than the text does.
        """
        if kind.index not in self.meanings:
            first = {label: number for number, label in reversed(list(enumerate(kind.labels)))}
            faces = [self.face(kind.name, member) for member in kind.members]
            vague = {label for label, face in zip(kind.labels, faces, strict=True) if face != faces[first[label]]}
            self.meanings[kind.index] = tuple(None if label in vague else first[label] for label in kind.labels)
        return self.meanings[kind.index]

    @cached_property
    def letters(self) -> dict[int, tuple[str, ...]]:
        """For each kind a sign of one or two letters for each member."""
        few = [kind for kind in self.kinds if len(kind.members) <= MANY and not self.copied(kind)]
        return {kind.index: letters(kind.labels, {}) for kind in few}

    # --- which fields say what -----------------------------------------------------------------------------------
    def guess(self, kind: ir.Kind) -> Guess:
        """Which fields of a kind say what."""
        if kind.index not in self.guesses:
            self.guesses[kind.index] = self.guessed(kind)
        return self.guesses[kind.index]

    def guessed(self, kind: ir.Kind) -> Guess:
        look = self.looks.get(kind.index)
        shown = [f for f in kind.fields if title(f.name, look) is not None]
        types = {f.name: bare(f.type) for f in shown}
        often = [t.kind for t in types.values() if t.what == "entity"]
        small = [
            f
            for f in shown
            if (t := types[f.name]).what == "entity"
            and self.kinds[t.kind or 0].what == "enum"
            and often.count(t.kind) == 1
            and len(self.kinds[t.kind or 0].members) <= FEW
        ]
        guess = Guess(coins=self.coins(shown))
        counted = set() if guess.coins is None else {f.name for f in guess.coins[1]}
        if guess.coins is None:
            guess.bag = next((f for f in shown if types[f.name].what == "bag"), None)
        numbers = [f for f in shown if types[f.name].what == "int" and f.name not in counted]
        told = [f for f in small if words.coloured(self.kinds[types[f.name].kind or 0].members)]
        owner = [f for f in shown if types[f.name].kind == self.program.player_kind and types[f.name].what == "entity"]
        guess.colour = next(iter([*told, *owner, *small]), None)
        ranked = [f for name in words.CORNERS for f in shown if f.name == name and f is not guess.colour]
        ranked = [f for f in ranked if types[f.name].what == "int" or self.short(types[f.name])]
        guess.corner = next(iter([*ranked, *numbers]), None)
        guess.symbol = next((f for f in small if f is not guess.colour and f is not guess.corner), None)
        guess.lines = [f for f in shown if types[f.name].what == "text"]
        return guess

    def repeated(self, kind: ir.Kind, number: int) -> list[ir.Expr]:
        """What a look says of a member just as it is printed, so that it is no fact besides.

        A colour says it only where the word names that colour: whose colour it is, nobody need know.
        """
        look = self.looks.get(kind.index)
        if look is None:
            return []
        bodies = self.program.functions
        out = [bodies[n].body for n in look.cost or ()]
        out += [bodies[scale.function].body for scale in look.symbol or ()]
        for scale in look.colour or ():
            of = self.kinds[scale.kind]
            if not any(scale.signs) and words.coloured(of.members):
                out.append(bodies[scale.function].body)
        for remarks, most in ((look.corner, 1), (look.title, 1), (look.lines, None)):
            shown = [r for r in remarks or () if r.test is None or self.value(r.test, number)]
            out += [part[0] for r in shown[:most] for part in r.text.parts if not isinstance(part, str)]
        return out

    def short(self, t: ir.Type) -> bool:
        """Whether the members of a type are so short that they stand in a corner."""
        return t.what == "entity" and all(len(words.short(label)) < 4 for label in self.kinds[t.kind or 0].labels)

    def coins(self, fields: list[ir.Field]) -> tuple[int, list[ir.Field]] | None:
        """A kind each of whose members has a field that counts it: so much of each is the cost."""
        names = {
            f.name: f for f in fields if bare(f.type).what == "int" and min((v or 0 for v in f.values), default=0) >= 0
        }
        for other in self.kinds:
            if other.what == "enum" and len(other.members) > 2 and set(other.members) <= set(names):
                return other.index, [names[member] for member in other.members]
        return None

    # --- one face --------------------------------------------------------------------------------------------------
    def made(self, kind: ir.Kind, number: int) -> Face:
        """A face; what it does not have is left out."""
        label = kind.labels[number]
        form = self.form(kind)
        face: Face = {"label": label, "form": form}
        if kind.index in self.letters and form != "card" and kind.what not in ("cell", "part"):
            face["sign"] = self.letters[kind.index][number]
        if kind.index == self.program.player_kind:
            face["colour"] = self.seats[number] if number < len(self.seats) else words.SEATS[0]
            return face
        if not kind.fields and kind.index not in self.looks:
            face["colour"] = words.colour(kind.members[number])
            face["symbol"] = words.icon(kind.members[number])
            return {name: part for name, part in face.items() if part is not None}
        self.coloured(face, kind, number)
        self.cornered(face, kind, number)
        self.signed(face, kind, number)
        self.priced(face, kind, number)
        self.lined(face, kind, number)
        self.told(face, kind, number)
        written = self.written(face, kind, number)
        if written != label:
            face["title"] = written
        return face

    def form(self, kind: ir.Kind) -> str:
        """What sort of thing a member of a kind is."""
        if kind.index == self.program.player_kind:
            return "seat"
        if kind.what in ("node", "cell", "part") or kind.index in self.ground:
            return "place"
        if kind.index in self.cards:
            return "card"
        lies = any(zone.kind == kind.index for zone in self.program.zones)
        return "token" if lies or kind.what == "piece" else "word"

    def coloured(self, face: Face, kind: ir.Kind, number: int) -> None:
        look, guess = self.looks.get(kind.index), self.guess(kind)
        if look is not None and look.colour is not None:
            for scale in look.colour:
                value = self.value(scale.function, number)
                if value is not None and (colour := scale.signs[value] or self.dye(self.kinds[scale.kind], value)):
                    face["colour"] = colour
            return
        if guess.colour is None or face["form"] == "place":
            return
        t, value = bare(guess.colour.type), guess.colour.values[number]
        if value is None:
            return
        of = self.kinds[t.kind or 0]
        if (dye := self.dye(of, value)) is not None:
            face["colour"] = dye
        suit = words.SUITS.get(of.members[value])
        if suit is not None:
            face["suit"] = suit[0]

    def dye(self, kind: ir.Kind, number: int) -> str | None:
        """The colour of a member of a small type."""
        if kind.index == self.program.player_kind:
            return self.seats[number] if number < len(self.seats) else None
        return words.colour(kind.members[number]) or self.palette(kind)[number]

    def palette(self, kind: ir.Kind) -> tuple[str | None, ...]:
        """A colour for each member of a small type that names none; no member that is nothing has one."""
        left = iter(COLOURS)
        return tuple(None if words.empty(member) else next(left, None) for member in kind.members)

    def cornered(self, face: Face, kind: ir.Kind, number: int) -> None:
        look, guess = self.looks.get(kind.index), self.guess(kind)
        if look is not None and look.corner is not None:
            corner = next(iter(self.texts(look.corner, look, number)), "")
        elif guess.corner is None or face["form"] == "place":
            return
        else:
            corner = self.word(guess.corner, number)
            if corner == "0" and face.get("form") != "card":
                corner = ""
        if corner:
            face["corner"] = words.short(corner)

    def signed(self, face: Face, kind: ir.Kind, number: int) -> None:
        look, guess = self.looks.get(kind.index), self.guess(kind)
        if look is not None and look.symbol is not None:
            for scale in look.symbol:
                value = self.value(scale.function, number)
                if value is not None:
                    self.sign(face, self.kinds[scale.kind], value, scale.signs[value])
            return
        if guess.symbol is None or face["form"] == "place":
            if words.icon(kind.members[number]) is not None:
                face["symbol"] = words.icon(kind.members[number])
            return
        value = guess.symbol.values[number]
        if value is not None:
            self.sign(face, self.kinds[bare(guess.symbol.type).kind or 0], value, "")

    def sign(self, face: Face, kind: ir.Kind, number: int, said: str) -> None:
        """The sign of a member of a small type, as it was said or by its name, and what it stands for."""
        member = kind.members[number]
        if said or not words.empty(member):
            face["symbol"] = said or words.icon(member) or self.letters[kind.index][number]
            self.worded(face, kind.labels[number])

    @staticmethod
    def worded(face: Face, word: str) -> None:
        """Say what the sign stands for, where the sign is not that word."""
        if face["symbol"] != word:
            face["symbol_word"] = word

    def priced(self, face: Face, kind: ir.Kind, number: int) -> None:
        look, guess = self.looks.get(kind.index), self.guess(kind)
        if look is not None and look.cost is not None:
            of, counts = look.coins, self.value(look.cost[0], number) if look.cost else ()
        elif guess.coins is not None:
            of, counts = guess.coins[0], [f.values[number] for f in guess.coins[1]]
        elif guess.bag is not None:
            of, counts = bare(guess.bag.type).kind or 0, guess.bag.values[number]
        else:
            return
        coins = self.kinds[of]
        cost = [
            {"thing": f"{coins.name}/{member}", "label": label, "n": n, "colour": words.colour(member)}
            for member, label, n in zip(coins.members, coins.labels, counts or (), strict=False)
            if n
        ]
        if cost:
            face["cost"] = [{name: part for name, part in one.items() if part is not None} for one in cost]

    def lined(self, face: Face, kind: ir.Kind, number: int) -> None:
        look, guess = self.looks.get(kind.index), self.guess(kind)
        if look is not None and look.lines is not None:
            lines = self.texts(look.lines, look, number)
        elif face["form"] == "place":
            lines = []
        else:
            lines = [self.word(f, number) for f in guess.lines]
        if any(lines):
            face["lines"] = [line for line in lines if line]

    def told(self, face: Face, kind: ir.Kind, number: int) -> None:
        """Add what the fields of a member say and the rest of its face does not, or what the game wants told besides."""
        look = self.looks.get(kind.index)
        always = () if look is None else dict(look.facts)
        shown = [e.values for e in self.repeated(kind, number) if isinstance(e, ir.Column) and e.index == ir.Local(0)]
        said = self.drawn(face, kind, number)
        facts = [
            [name, text]
            for f in kind.fields
            if (name := title(f.name, look)) is not None
            and not (f.sparse and f.values[number] == 0)
            and (f.name in always or (f not in said and f.values not in shown))
            and (text := self.word(f, number))
        ]
        if facts:
            face["facts"] = facts

    def drawn(self, face: Face, kind: ir.Kind, number: int) -> list[ir.Field]:
        """The fields that a face says by what is guessed: no colour that only people who were told know, and no number that may be any."""
        guess, look = self.guess(kind), self.looks.get(kind.index) or ir.Look(kind.index)
        out: list[ir.Field | None] = []
        if look.cost is None:
            out += [guess.bag, *(guess.coins[1] if guess.coins is not None else ())]
        if face["form"] == "place":
            return [
                *filter(None, out),
                *(f for f in kind.fields if f.name in (*COLUMN, *ROW) and bare(f.type).what == "int"),
            ]
        if look.colour is None and guess.colour is not None:
            named = words.colour(self.word(guess.colour, number))
            out += [guess.colour] if "suit" in face or (named is not None and named == face.get("colour")) else []
        if look.corner is None and guess.corner is not None and guess.corner.name in words.CORNERS and "corner" in face:
            out.append(guess.corner)
        if look.symbol is None and "symbol" in face:
            out.append(guess.symbol)
        if look.lines is None:
            out += guess.lines
        return [f for f in out if f is not None]

    def written(self, face: Face, kind: ir.Kind, number: int) -> str:
        """What is written on it: what was said, or its label, if that says more than is shown of it anyway."""
        look, label = self.looks.get(kind.index), kind.labels[number]
        if look is not None and look.title is not None:
            return next(iter(self.texts(look.title, look, number)), "")
        if face["form"] not in ("card", "token"):
            return label
        shown = {face.get("corner"), face.get("symbol_word"), face.get("symbol"), "pts", "and"}
        guess = self.guess(kind)
        if (
            guess.colour is not None
            and face.get("colour")
            and words.coloured(self.kinds[bare(guess.colour.type).kind or 0].members)
        ):
            shown.add(self.word(guess.colour, number))
        for coin in face.get("cost", ()):
            shown |= {coin["label"], str(coin["n"])}
        said = {word.casefold() for word in shown if word}
        rest = [
            word
            for word in WORD.findall(label)
            if words.short(word).casefold() not in said and word.casefold() not in said
        ]
        if not rest:
            return ""
        return label.partition(" (")[0] if face.get("cost") else label

    # --- values and words --------------------------------------------------------------------------------------------
    def value(self, function: int, number: int) -> Any:
        """A function of a member; nothing in play changes it."""
        return self.compiler.function(function)(self.initial, number)

    def texts(self, remarks: tuple[ir.Remark, ...], look: ir.Look, number: int) -> list[str]:
        """Texts about a member, those that are shown of it."""
        shown = [remark for remark in remarks if remark.test is None or self.value(remark.test, number)]
        frame: list[Any] = [number, *[None] * look.locals]
        made = (
            Template(remark.text, self.compiler, self.printing).render(self.initial, list(frame), -1)
            for remark in shown
        )
        return [text.strip() for text in made]

    def word(self, one: ir.Field, number: int) -> str:
        """A field of a member in words; empty where it has none."""
        value, t = one.values[number], bare(one.type)
        if value is None or (t.what == "entity" and words.empty(self.kinds[t.kind or 0].members[value])):
            return ""
        if t.what == "bool":
            return "yes" if value else ""
        if value == () or (t.what == "bag" and not any(value)):
            return ""
        return self.printing.label(t, value, None, 0).strip()

    def order(self, kind: ir.Kind) -> tuple[int, ...]:
        """For each member its place among the others in a hand: by colour, corner and declaration, or as was said."""
        if kind.index not in self.orders:
            members = sorted(range(len(kind.members)), key=lambda number: self.sorting(kind, number))
            places = {number: place for place, number in enumerate(members)}
            self.orders[kind.index] = tuple(places[number] for number in range(len(kind.members)))
        return self.orders[kind.index]

    def sorting(self, kind: ir.Kind, number: int) -> tuple[Any, ...]:
        look, guess = self.looks.get(kind.index), self.guess(kind)
        if look is not None and look.sort is not None:
            keys = [self.value(function, number) for function in look.sort]
        else:
            keys = [f.values[number] for f in (guess.colour, guess.corner) if f is not None]
        return (*((key is None, key if isinstance(key, int) else 0) for key in keys), number)


def bare(t: ir.Type) -> ir.Type:
    """A type without that there may be none."""
    return t.parts[0] if t.what == "option" else t
