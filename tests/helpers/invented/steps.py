"""Random steps, and the games that they make.

An invented game asks one question again and again, and each answer does something of its own: so a fault of one is none of the others'.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from rulespec.language.types import BOOL, INT, BagType, EntityType, IntType, ListType, OptionType, SetType, Type
from tests.helpers.invented.expressions import Author, Stuck
from tests.helpers.invented.world import CARD, GAME, ITEMS, PLAYER, SMALL, TARGETS

ROUNDS = 40
SHUFFLED, PILES, SETS = ("stack",), ("pile",), ("deck", "none_left", "{Player}.hand")
ZONES = SHUFFLED + PILES + SETS


class StepAuthor(Author):
    """Writes steps; each is YAML of one line."""

    @contextmanager
    def inside(self, *names: tuple[str, Type]) -> Iterator[None]:
        """Steps that know some names more; what they name themselves ends with them."""
        before = len(self.names)
        self.names += names
        try:
            yield
        finally:
            del self.names[before:]

    def named(self) -> str:
        """A new name."""
        self.bound += 1
        return f"n{self.bound}"

    def expr(self, t: Type, depth: int | None = None) -> str:
        """An expression as a YAML scalar."""
        return f"'{self.of(t, depth)}'"

    def block(self, depth: int) -> str:
        """One to three steps."""
        with self.inside():
            return f"[{', '.join(self.step(depth) for _ in range(self.random.randint(1, 3)))}]"

    def step(self, depth: int) -> str:
        """A step."""
        simple: list[Callable[[], str]] = [
            self.assign,
            self.assign,
            self.count,
            self.let,
            self.move,
            self.draw,
            self.ask,
        ]
        nested = [self.branch, self.loop, self.counted, self.announce]
        while True:
            try:
                if depth <= 0 or self.random.random() < 0.6:
                    return self.random.choice(simple)()
                return self.random.choice(nested)(depth - 1)
            except Stuck:
                continue

    # --- steps without others in them ----------------------------------------------------------------------------
    def assign(self) -> str:
        """`set`."""
        while True:
            target, t = self.random.choice(TARGETS)
            with suppress(Stuck):
                return f"{{set: '{self.filled(target, 1)}', to: {self.expr(t)}}}"

    def count(self) -> str:
        """`add` and `lose`, of numbers and of collections."""
        target, t = self.random.choice(
            [x for x in TARGETS if not isinstance(x[1], OptionType | EntityType) and x[1] != BOOL]
        )
        verb, word = self.random.choice((("add", "to"), ("lose", "from")))
        kept = ""
        if isinstance(t, IntType) and self.random.random() < 0.3:
            name = self.named()
            kept = f", as: {name}"
        made = f"{{{verb}: {self.expr(t)}, {word}: '{self.filled(target, 1)}'{kept}}}"
        if kept:
            self.names.append((name, INT))
        return made

    def let(self) -> str:
        """`let`, whose name later steps may speak of."""
        t = self.random.choice((INT, INT, BOOL, PLAYER, CARD, *(self.many(x) for x in ITEMS), BagType("Gem")))
        name, value = self.named(), self.expr(t)
        self.names.append((name, t))
        return f"{{let: {name}, be: {value}}}"

    def zone(self, names: tuple[str, ...] = ZONES) -> str:
        """A zone."""
        return self.filled(self.one(names), 1)

    def move(self) -> str:
        """`move` and `shuffle`."""
        if self.random.random() < 0.2:
            return f"{{shuffle: {self.zone(SHUFFLED)}}}"
        to = self.zone()
        what = self.expr(self.random.choice((CARD, SetType(CARD), ListType(CARD))))
        bottom = ", at: bottom" if to in PILES and self.random.random() < 0.5 else ""
        return f"{{move: {what}, to: '{to}'{bottom}}}"

    def draw(self) -> str:
        """What chance does."""
        name, n = self.named(), self.random.choice(SMALL)
        match self.random.randrange(4):
            case 0:
                made = f"{{draw: {n}, from: '{self.zone(SHUFFLED + PILES)}', to: '{self.zone(SETS)}', as: {name}}}"
                kind: Type = ListType(CARD)
            case 1:
                item = self.random.choice(ITEMS)
                made, kind = f"{{pick: 1, from: {self.expr(self.many(item))}, as: {name}}}", item
            case 2:
                item = self.random.choice(ITEMS)
                made, kind = f"{{pick: 2, from: {self.expr(self.many(item))}, as: {name}}}", ListType(item)
            case _:
                made, kind = f"{{roll: {self.random.randint(1, 3)}, die: 6, as: {name}}}", ListType(INT)
        self.names.append((name, kind))
        return made

    # --- steps with others in them -------------------------------------------------------------------------------
    def branch(self, depth: int) -> str:
        """`if`."""
        other = f", else: {self.block(depth)}" if self.random.random() < 0.5 else ""
        return f"{{if: {self.expr(BOOL)}, then: {self.block(depth)}{other}}}"

    def loop(self, depth: int) -> str:
        """`for`."""
        item, x = self.random.choice(ITEMS), self.named()
        source = self.of(self.many(item))
        with self.inside((x, item)):
            where = f" where {self.of(BOOL)}" if self.random.random() < 0.5 else ""
            return f"{{for: '{x} in {source}{where}', do: {self.block(depth)}}}"

    def counted(self, depth: int) -> str:
        """`repeat`, with a way out."""
        times = str(self.random.choice(SMALL)) if self.random.random() < 0.7 else self.of(INT, 1)
        out = f", {{stop when: {self.expr(BOOL)}}}" if self.random.random() < 0.5 else ""
        return f"{{repeat: '{times}', do: [{self.step(depth)}{out}]}}"

    def announce(self, depth: int) -> str:
        """`announce`."""
        return f"{{announce: hit, with: {{n: {self.expr(INT)}, c: {self.expr(CARD)}}}, do: {self.block(depth)}}}"

    def ask(self) -> str:
        """`choose`, of one or of several."""
        item, x = self.random.choice((IntType(-5, 5), *ITEMS)), self.named()
        source = self.of(self.many(item))
        with self.inside((x, item)):
            only = f", only: [{{if: {self.expr(BOOL)}, why: No}}]" if self.random.random() < 0.5 else ""
        several = self.random.random() < 0.3
        count = f", count: {self.random.choice((0, 1, 2, '0..2', '1..3'))}" if several else ""
        none = not several and self.random.random() < 0.3
        refuse = ", or none: Pass" if none else ""
        by = self.of(PLAYER, 1)
        t: Type = SetType(item) if several else OptionType(item) if none else item
        self.names.append((x, t))
        return f"{{choose: {x}, by: '{by}', from: '{source}'{only}{count}{refuse}}}"


@dataclass(frozen=True)
class Invention:
    """What an invented game does: the rules that hear its one event, and what follows each answer, as YAML of a line each."""

    rules: tuple[str, ...]
    answers: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole game; answer 0 adds to the score."""
        rules = [f"  rule_{k}: {rule}" for k, rule in enumerate(self.rules)]
        lines = [GAME, "rules:" if rules else "", *rules, "phases:", "  game:", "    do:"]
        lines += [f"      - while: round < {ROUNDS}", "        do:", "          - {add: 1, to: round}"]
        lines += [
            f"          - {{choose: k, by: who, from: 0..{len(self.answers)}}}",
            "          - match: k",
            "            with:",
        ]
        lines += [f"              {k}: {steps}" for k, steps in enumerate(self.answers, 1)]
        lines += ["              else: [{add: 1, to: score}]", "", "end of game:"]
        lines += ["  returns: if this == p1 then clamp(score, -1000000000000, 1000000000000) else any_number", ""]
        return "\n".join(lines)

    def without(self, lines: set[int]) -> Invention:
        """The same without what stands in some lines of its text, counted from 1."""
        top = GAME.count("\n") + 3
        first = top + len(self.rules) + 9
        rules = tuple(rule for k, rule in enumerate(self.rules, top) if k not in lines)
        return Invention(rules, tuple(steps for k, steps in enumerate(self.answers, first) if k not in lines))


def invention(seed: int, answers: int, depth: int = 3) -> Invention:
    """An invented game, of which some answers may not check: half of them work out one expression, the others are steps."""
    author = StepAuthor(random.Random(seed), depth)
    found = []
    while len(found) < answers:
        with author.inside():
            found.append(f"[{author.assign()}]" if len(found) % 2 else author.block(2))
    rules = []
    with author.inside(("n", INT), ("c", CARD)):
        for when in ("before", "instead of", "after", "after"):
            limit = ", limit: once per game" if len(rules) == 3 else ""
            rules.append(f"{{{when}: hit, where: {author.expr(BOOL)}, me: p1, do: [{author.assign()}]{limit}}}")
    return Invention(tuple(rules), tuple(found))
