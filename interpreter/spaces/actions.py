"""A fixed numbering of all that players may ever do in a game, the same over a game, between processes and on all back ends.

Questions that are one to a player (of the same name, with the same answers) share their numbers.  A number means one symbol of an
answer (`words`): most answers are one symbol.  A longer one is given symbol by symbol, in stages, as far as there is a choice: symbols
that all answers share which are left are passed over.  Numbers tell nothing of which of several equal copies a piece is, and nothing that
the seat does not see.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from interpreter.position import Position
from interpreter.questions import Question
from interpreter.runtime.faults import UnknownAction
from interpreter.setup import Setup, once_for_each
from interpreter.spaces.measures import ranges
from interpreter.spaces.standing import Standing, looking_alike
from interpreter.spaces.words import PLACES, Speller, Symbols, Word
from rulespec import ir


class Answering(NamedTuple):
    """How the answers of a site are spelled.  `base`, where it is not None: an action is that much below its number."""

    first: int
    last: int  # its numbers are from `first` up to and without this one
    spell: Speller
    none: int | None  # the symbol of its willing no
    base: int | None


class ActionSpace:
    """All actions of a game: `names` says what each number means.

    `names` has `len(space)` texts `question: answer`, each there once; the numbers of a site's answers are those of
    `sites[site]`.  An instance belongs to a setup and does not change.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.names: list[str] = []
        self.sites: list[Answering] = []
        self.blocks: list[tuple[str, int]] = []  # label and first number of each block
        self.block_of: list[int] = []  # by site
        self.ranges = ranges(setup)
        self.arranged = arrangements(setup.program)
        shared: dict[Any, int] = {}
        made: list[Answering] = []
        labels: dict[str, int] = {}
        for site in setup.program.sites:
            key = self.key(site)
            if key not in shared:
                labels[site.name] = count = labels.get(site.name, 0) + 1
                shared[key] = len(made)
                label = site.name if count == 1 else f"{site.name} ({count})"
                self.blocks.append((label, len(self.names)))
                made.append(self.block(site, label))
            self.block_of.append(shared[key])
            self.sites.append(made[shared[key]])

    def __len__(self) -> int:
        return len(self.names)

    def key(self, site: ir.Site) -> Any:
        """What makes the questions of two sites one to a player."""
        options = tuple(branch.name for branch in site.branches)
        none = None if site.none is None else site.none.name
        bounds = self.bounds(site)
        return site.name, site.type, site.code, site.low, site.size, options, none, bool(site.arguments), bounds, (
            self.arranged.get(site.index)
        )  # fmt: skip

    def bounds(self, site: ir.Site) -> tuple[int, int] | None:
        """Between which numbers the answers of a site lie; None where they are no numbers or nobody knows."""
        if site.branches or site.arguments or site.index in self.arranged or site.type.what != "int":
            return None
        low, high = self.ranges.answers.get(site.index, (None, None))
        if site.code == "value":
            low = site.low if low is None else max(low, site.low)
            last = site.low + site.size - 1
            high = last if high is None else min(high, last)
        return None if low is None or high is None or low > high else (low, high)

    def block(self, site: ir.Site, label: str) -> Answering:
        """New numbers for the answers of a site."""
        symbols = Symbols(self.setup.program, label, len(self.names))
        spell, base = self.speller(site, symbols)
        none = None if site.none is None else symbols.add(site.none.name)
        self.names += symbols.names
        if none is not None and base is not None and none != base + site.size:
            base = None
        return Answering(symbols.first, len(self.names), spell, none, base)

    def speller(self, site: ir.Site, symbols: Symbols) -> tuple[Speller, int | None]:
        """How the answers of a site are spelled, and their base."""
        program, first = self.setup.program, symbols.first
        if site.index in self.arranged:
            return symbols.entries(self.arranged[site.index]), None
        if site.branches or site.arguments:
            own = symbols.one_of(dict(enumerate(branch.name for branch in site.branches)))
            if site.code == "value":
                return own, first
            added = symbols.entries(tuple(rule.index for rule in program.rules if rule.option is not None))
            return (lambda value, stands: (own if isinstance(value, int) else added)(value, stands)), None
        if site.type.what == "entity" and site.code == "value":
            direct = site.type.kind not in looking_alike(self.setup)
            return symbols.members(site.type.kind or 0), first if direct and site.low == 0 else None
        if site.type.what == "int":
            bounds = self.bounds(site)
            if bounds is None:
                return symbols.of_type(site.type), None
            one_each = symbols.numbers(*bounds)
            direct = site.code == "value" and len(symbols.names) == bounds[1] - bounds[0] + 1
            return one_each, first + site.low - bounds[0] if direct else None
        try:
            return symbols.of_type(site.type), None
        except KeyError:  # a text, or what no checker has typed: by its place among the candidates
            return symbols.digits(PLACES, False), None

    def to_string(self, number: int) -> str:
        """What a number means; raises UnknownAction P001."""
        if not 0 <= number < len(self.names):
            raise UnknownAction("P001", f"there is no action {number}: they are 0 to {len(self.names) - 1}")
        return self.names[number]

    # --- in a position -----------------------------------------------------------------------------------
    def words(self, position: Position, question: Question) -> dict[Word, int]:
        """The words of what may be answered, each with the action of its first answer.  Raises Fault."""
        legal = position.legal(question)
        base = self.sites[question.site.index].base
        if base is not None:
            return {(base + action,): action for action in legal}
        spell = self.spelling(position, question)
        words: dict[Word, int] = {}
        for action, value in legal.items():
            words.setdefault(spell(action, value), action)
        return words

    def word(self, position: Position, question: Question, action: int) -> Word:
        """The word of one legal action.  Raises Fault."""
        base = self.sites[question.site.index].base
        if base is not None:
            return (base + action,)
        return self.spelling(position, question)(action, position.legal(question)[action])

    def spelling(self, position: Position, question: Question) -> Callable[[int, Any], Word]:
        """What makes the word of an action and its answer."""
        site, stands, queue = question.site, Standing(position, question), question.queue
        _, _, spell, none, _ = self.sites[site.index]
        numbered = queue is None and site.type.what in ("text", "any") and not site.branches and not site.arguments

        def word(action: int, value: Any) -> Word:
            if value is None and none is not None:
                return (none,)
            return spell(action if numbered else value if queue is None else queue[value], stands)

        return word


action_space = once_for_each(ActionSpace)


def arrangements(program: ir.Program) -> dict[int, tuple[int, ...]]:
    """The sites that put rules into an order, with the rules."""
    arranged: dict[int, tuple[int, ...]] = {}
    for procedure in program.procedures:
        for i in procedure.code:
            if isinstance(i, ir.NextRule) and i.arrange is not None:
                entry = next(iter(procedure.locals[i.live].parts), None)
                rules = entry.rules if entry is not None and entry.what == "entry" else range(len(program.rules))
                arranged[i.arrange] = tuple(sorted({*arranged.get(i.arrange, ()), *rules}))
    return arranged
