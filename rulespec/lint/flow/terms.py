"""Terms: names of values.  Two equal terms are the same value.

In

    - choose: card          # the answer is Named(Made(procedure, pc))
      from: p1.hand         # Slot(base of `hand`, Constant(0))
    - let: best
      be: card              # the same term: `best` is `card`
    - set: number
      to: size(p1.hand)     # Operation("size", (Slot(...),))

a term says that `best` and `card` are one piece, so that what is revealed of one is known of the other.  When a slot is written
every `Slot` that reads it becomes `Named(Before(...))`: the value that it held until then.

A *token* is the name of what came out of one place in the rules.  Each class here ends in a field that says what it is: tuples of
two classes are never equal.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from rulespec.language.facts import Result
from rulespec.language.registry import facts
from rulespec.text.source import Span

LARGEST = 32  # parts of a term; what has more is no value in particular
FILTERED = "some of"  # the name of the term of a comprehension that gives items as they are, those that pass a test
KEYED = "by key"  # the same of one that gives each with its key
T = TypeVar("T")


# --- tokens -----------------------------------------------------------------------------------------------------------
class Made(NamedTuple):
    """What an instruction made when it ran last."""

    procedure: int
    pc: int
    is_: Literal["made"] = "made"


class Before(NamedTuple):
    """What a token stood for until its instruction ran again, or what a slot held until it was written there."""

    token: Any
    slot: int | None = None
    is_: Literal["before"] = "before"


class Merged(NamedTuple):
    """What a local holds where ways meet that left different values in it."""

    procedure: int
    pc: int
    local: int
    is_: Literal["merged"] = "merged"


class Outcome(NamedTuple):
    """What a procedure gives that gives different values at different places."""

    procedure: int
    is_: Literal["outcome"] = "outcome"


class Argument(NamedTuple):
    """An argument about which nothing is known."""

    number: int
    is_: Literal["argument"] = "argument"


class Handed(NamedTuple):
    """Pieces that a procedure is handed as an argument, and that had no name before."""

    number: int
    is_: Literal["handed"] = "handed"


class Passed(NamedTuple):
    """A token of the caller as a called procedure knows it."""

    number: int
    is_: Literal["passed"] = "passed"


class Returned(NamedTuple):
    """A token of a called procedure as the caller knows it; `call` is where it was called."""

    call: Made
    token: Any
    is_: Literal["returned"] = "returned"


class Generalised(NamedTuple):
    """An argument whose composition does not matter inside the called procedure, so that calls share one summary."""

    term: Any
    is_: Literal["generalised"] = "generalised"


class Chooser(NamedTuple):
    """Any of the players who choose together at an instruction."""

    at: Made
    is_: Literal["chooser"] = "chooser"


class Answer(NamedTuple):
    """Pieces that one of the players has answered with who chose together."""

    token: Any
    seat: Any
    is_: Literal["answer"] = "answer"


class Worded(NamedTuple):
    """Pieces that a text names, which `token` stands for where they have a name: of them a reader learns only what he may see.

    A text may tell a secret in words too: those are other atoms of its label, whatever it is put together with.
    """

    token: Any
    is_: Literal["worded"] = "worded"


class Instance(NamedTuple):
    """An argument of an instance of a rule; `at` is where it runs, None where it adds to a menu."""

    at: Made | None
    rule: int
    number: int
    is_: Literal["instance"] = "instance"


class Found(NamedTuple):
    """What lay in zones until an instruction changed them, or when it looked there: all of it, and no pieces in particular."""

    at: Made
    is_: Literal["found"] = "found"


class Kept(NamedTuple):
    """What lay in zones when lasting effects of a rule began: all of it that their arguments depend on."""

    lasting: int
    is_: Literal["kept"] = "kept"


class Keeps(NamedTuple):
    """Among what has been shown, of which it is no part: that lasting effects of a rule may have begun whose arguments depend on `base`."""

    lasting: int
    base: Any
    is_: Literal["keeps"] = "keeps"


class Departed(NamedTuple):
    """Among what has been shown: that the pieces that `token` names may have left the zone where they were found, so that showing
    what lies there now does not show them.  `where` is the step by which they may have."""

    token: Any
    where: Span | None = None
    is_: Literal["departed"] = "departed"


class Apart(NamedTuple):
    """Among what has been shown, of which it is no part: that `term` is surely not the term to which this is said to be shown."""

    term: Any
    is_: Literal["apart"] = "apart"


class Holds(NamedTuple):
    """Among what has been shown, of which it is no part: that the test `term` surely holds."""

    term: Any
    is_: Literal["holds"] = "holds"


class Amid(NamedTuple):
    """Among what has been shown, of which it is no part: that `term` is surely one of those to which this is said to be shown."""

    term: Any
    is_: Literal["amid"] = "amid"


class Anyone(NamedTuple):
    """Any of the players, where something is asked of all of them."""

    is_: Literal["anyone"] = "anyone"


class Some(NamedTuple):
    """Any of some items, where something is asked of each of them."""

    is_: Literal["some"] = "some"


class Seat(NamedTuple):
    """The seat that a bot plays for."""

    is_: Literal["seat"] = "seat"


class Given(NamedTuple):
    """A parameter of a function that is looked at by itself."""

    number: int
    is_: Literal["given"] = "given"


Token: TypeAlias = (
    Made | Before | Merged | Outcome | Argument | Handed | Passed | Returned | Generalised | Chooser | Answer | Worded | Found | Kept
    | Keeps | Departed | Apart | Holds | Amid | Instance | Seat | Given | Anyone | Some
)  # fmt: skip


Fact: TypeAlias = Apart | Holds | Amid  # what is known of values, among what has been shown


# --- terms ------------------------------------------------------------------------------------------------------------
class Anything(NamedTuple):
    """No value in particular: what must not be taken for the same value twice."""

    is_: Literal["anything"] = "anything"


class Everybody(NamedTuple):
    """Not a player but all of them, among those who are shown something."""

    is_: Literal["everybody"] = "everybody"


class Each(NamedTuple):
    """As an index of what is hidden: each of some players or members of a kind, which are the term `items`."""

    items: Any
    is_: Literal["each"] = "each"


class Across(NamedTuple):
    """As an index of what has been shown, of a member of one kind and one of another, `stride` of which there are: all those of which the
    parts are these terms, where `ANY` is each member."""

    first: Any
    second: Any
    stride: int
    is_: Literal["across"] = "across"


class Except(NamedTuple):
    """All players, or all members of a kind, but one, as an index of what has been shown."""

    term: Any
    is_: Literal["except"] = "except"


class Under(NamedTuple):
    """As an index of what is hidden: that with this index, where it is read only if some tests hold."""

    index: Any
    tests: frozenset[Any]
    is_: Literal["under"] = "under"


class Knows(NamedTuple):
    """Among the tests under which something is read: that a player knows what comes of it, whatever he sees."""

    seat: Any
    is_: Literal["knows"] = "knows"


class Constant(NamedTuple):
    """A value of the program."""

    value: Any
    is_: Literal["constant"] = "constant"


class Slot(NamedTuple):
    """What the slot `base + index` holds now."""

    base: int
    index: Any  # a term, None for just `base`
    is_: Literal["slot"] = "slot"


class Operation(NamedTuple):
    """A function of the registry, a column, a condition or a comprehension, of the values that it is made from."""

    name: str
    args: tuple[Any, ...]
    is_: Literal["operation"] = "operation"


class Named(NamedTuple):
    """What a token stands for."""

    token: Any
    is_: Literal["named"] = "named"


class Carrier(NamedTuple):
    """The piece that carries a rule: `live` says where it must lie, and that it lies with some player tells no more than that."""

    token: Any
    is_: Literal["carrier"] = "carrier"


class Depth(NamedTuple):
    """How deep a comprehension stands, in a function of the game (None: in an expression of a procedure)."""

    function: int | None = None
    nested: int = 0

    def inner(self) -> Depth:
        """What stands within a comprehension at this depth."""
        return Depth(self.function, self.nested + 1)


class Item(NamedTuple):
    """The item of the comprehension at a depth; `every`: each of all members of a kind in turn."""

    depth: Depth
    every: bool = False
    is_: Literal["item"] = "item"


class Bound(NamedTuple):
    """The item of a comprehension within the term of it, by how many are nested within: whatever its depth was, the term is the same."""

    level: int
    is_: Literal["bound"] = "bound"


class Option(NamedTuple):
    """An option of the game, or the number of players."""

    name: str
    is_: Literal["option"] = "option"


class Candidate(NamedTuple):
    """Something that may be chosen at a site."""

    site: int
    is_: Literal["candidate"] = "candidate"


class Answers(NamedTuple):
    """The answers of all who chose together; `term` is what each of them has answered with."""

    token: Any
    term: Any
    is_: Literal["answers"] = "answers"


class Parts(NamedTuple):
    """The answers of one player to several sealed choices: their values."""

    values: tuple[Any, ...]
    is_: Literal["parts"] = "parts"


class Effects(NamedTuple):
    """Lasting effects of a rule: what each of their arguments depends on."""

    values: tuple[Any, ...]
    is_: Literal["effects"] = "effects"


Term: TypeAlias = (
    Anything
    | Everybody
    | Constant
    | Slot
    | Operation
    | Named
    | Carrier
    | Item
    | Bound
    | Option
    | Candidate
    | Answers
    | Parts
    | Effects
    | Each
)

ANY = Anything()
EVERYBODY = Everybody()


# --- what is done with them -------------------------------------------------------------------------------------------
def size_of(term: Term) -> int:
    """How many operations, slots and other values a term has."""
    match term:
        case Operation(_, args):
            return 1 + sum(map(size_of, args))
        case Slot(_, index):
            return 1 if index is None else 1 + size_of(index)
    return 1


def operation(name: str, *args: Term) -> Term:
    """The term of an operation, unless a part is no value in particular."""
    term = Operation(name, args)
    return ANY if ANY in args or size_of(term) > LARGEST else term


def comprehension(name: str, item: Item, source: Term, *parts: Term) -> Term:
    """The term of a comprehension; `parts` are what it tests and gives of each item."""
    bound = Bound(1 + max(map(highest_bound, parts), default=0))
    return operation(name, source, *(replaced(part, item, bound) for part in parts))


@lru_cache(maxsize=1 << 12)
def highest_bound(item: Any) -> int:
    """The highest level of an item that is bound in a term, 0 if none is."""
    if isinstance(item, Bound):
        return item.level
    return max(map(highest_bound, item), default=0) if isinstance(item, tuple) and item.__class__ is not Constant else 0


# What gives some of the items of its first argument, or all of them.
SOME_OF = frozenset({
    Result.SAME, Result.REMAINDER, Result.LISTED, Result.SORTED, Result.AS_SET, Result.LATER, Result.SOME_LISTED, Result.PREFIX,
    Result.BEST, Result.BY_KEY,
})  # fmt: skip


def is_one_of(term: Any, items: Term) -> bool:
    """Whether a value is surely one of some items, by the way that it is composed."""
    return isinstance(term, Operation) and facts(term.name).result is Result.ITEM and is_some_of(term.args[0], items)


def is_some_of(term: Any, items: Term) -> bool:
    """Whether values are surely some of some items, or all of them."""
    while (
        term != items
        and isinstance(term, Operation)
        and (term.name in (FILTERED, KEYED) or facts(term.name).result in SOME_OF)
    ):
        term = term.args[0]
    return bool(term == items)


def like(item: Any, parts: list[Any]) -> Any:
    """A tuple of the same class with other parts."""
    return type(item)(*parts) if hasattr(item, "_fields") else tuple(parts)


def replaced(item: T, old: Any, new: Any) -> T:
    """A term, label or value with one part put in place of another wherever it occurs."""
    if item == old:
        return new  # type: ignore[no-any-return]
    if item == new or not mentions(item, old):
        return item
    if isinstance(item, tuple):
        return like(item, [replaced(part, old, new) for part in item])  # type: ignore[no-any-return]
    if isinstance(item, frozenset):
        return frozenset([replaced(part, old, new) for part in item])  # type: ignore[return-value]
    return item


@lru_cache(maxsize=1 << 16)
def mentions(item: Any, part: Any) -> bool:
    """Whether something occurs anywhere in a term, label or value."""
    if item == part:
        return True
    if isinstance(item, tuple):
        return item.__class__ is not Constant and any(mentions(inner, part) for inner in item)
    return isinstance(item, frozenset) and any(mentions(inner, part) for inner in item)


@lru_cache(maxsize=1 << 16)
def slots_read(item: Any) -> frozenset[int]:
    """The slots of which a term, label or value says what they hold now."""
    if isinstance(item, tuple):
        if item.__class__ is Constant:
            return frozenset()
        slots = {item.base} if isinstance(item, Slot) else ()
        return frozenset(slots).union(*map(slots_read, item))
    return frozenset().union(*map(slots_read, item)) if isinstance(item, frozenset) else frozenset()


def forgotten(item: T, slots: AbstractSet[int], token: Token) -> T:
    """A value after some slots were written: terms that read one of them stand for what it held before."""
    if slots_read(item).isdisjoint(slots):
        return item
    if isinstance(item, Slot) and item.base in slots:
        return Named(Before(token, item.base))  # type: ignore[return-value]
    if isinstance(item, tuple):
        return like(item, [forgotten(part, slots, token) for part in item])  # type: ignore[no-any-return]
    assert isinstance(item, frozenset)
    return frozenset([forgotten(part, slots, token) for part in item])  # type: ignore[return-value]
