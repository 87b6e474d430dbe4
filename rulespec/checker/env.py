"""Where an expression stands: its locals, and what is known of them there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace

from rulespec import ir
from rulespec.checker import symbols
from rulespec.language.types import (
    INT,
    EntityType,
    IntType,
    ListType,
    OptionType,
    RecordType,
    SetType,
    Type,
    is_many,
    item_of,
)
from rulespec.system.records import dataclass
from rulespec.text.yaml_tree import Node

ASKED = "asked "  # before the path of an answer: this player was asked for it
HOLDS = "if "  # before a condition that holds
WHO = "\0"
LocalType = Type | ir.Type  # what only the engine keeps in a local, such as a queue, has a type of the program itself


@dataclass(frozen=True, slots=True)
class Told:
    """Who is told what is put into a local: `variable` keeps it, for each player where `seats`, a local, has those who are told."""

    variable: symbols.Variable
    seats: int | None = None


@dataclass(frozen=True, slots=True)
class LocalVar:
    """A local: its number and type, and who is told what is put there, if anybody is."""

    index: int
    type: Type
    settable: bool = False
    told: Told | None = None


@dataclass(slots=True)
class Frame:
    """What is gathered over a whole procedure or function: `types` are those of its locals, each of which has one."""

    types: list[LocalType] = field(default_factory=list)
    reads: set[int] = field(default_factory=set)  # bases of the slots that are read
    scopes: set[str] = field(default_factory=set)  # scopes whose state is read
    ahead: set[tuple[str, frozenset[str]]] = field(default_factory=set)  # what is looked ahead at, in which open scopes
    named: set[str] = field(default_factory=set)  # locals, also those that are out of sight again
    steps: Node | None = None  # all that are done in it
    vague: bool = False  # whether the header of a loop cannot be read, so that it is not known which names it makes

    def place(self, depth: int, t: LocalType) -> int:
        """The first local of a type from `depth` on; a new one, if there is none."""
        wanted = stored(t)
        for index in range(depth, len(self.types)):
            if self.types[index] == wanted:
                return index
        self.types.append(wanted)
        return len(self.types) - 1


@dataclass(frozen=True, slots=True)
class Sealed:
    """An answer given in `together`: where it is, its type, and who surely has one.

    `asked` are the conditions by which players were asked, as `syntax` prints them, with `WHO` where the player's name stood;
    none if everybody was.  None where the state may have changed since: then no condition says who was asked.
    """

    results: int  # the local of all answers
    position: int
    type: Type
    asked: tuple[str, ...] | None = ()
    reads: frozenset[int] = frozenset()  # bases of the slots that the conditions read

    def surely(self, name: str, facts: frozenset[str]) -> Iterator[str]:
        """The paths of this answer of which conditions that hold say that the player was asked."""
        before, who, after = next((c for c in self.asked or () if WHO in c), "").partition(WHO)
        after = after.partition(WHO)[0]
        for fact in facts if who else ():
            player = fact.removeprefix(before).partition(after)[0] if after else fact.removeprefix(before)
            if player.isidentifier() and all(c.replace(WHO, player) in facts for c in self.asked or ()):
                yield f"{ASKED}{player}.{name}"


@dataclass(frozen=True, slots=True)
class Env:
    """The names in sight.  Immutable: a binder makes a new one.  Locals from `depth` on are free."""

    frame: Frame
    locals: dict[str, LocalVar] = field(default_factory=dict)
    depth: int = 0
    known: frozenset[str] = frozenset()  # expressions that are not none here
    sealed: dict[str, Sealed] = field(default_factory=dict)  # answers of `together`

    def bind(self, name: str, t: Type, settable: bool = False, told: Told | None = None) -> tuple[Env, int]:
        """An environment with one more local, and its number."""
        index = self.frame.place(self.depth, t)
        return self.called(name, index, t, settable, told), index

    def hold(self, t: LocalType) -> tuple[Env, int]:
        """An environment with one more local, which has no name, and its number."""
        index = self.frame.place(self.depth, t)
        return self.from_depth(index + 1), index

    def fresh(self, *types: LocalType) -> tuple[Env, int]:
        """An environment with more locals side by side that have no names, and the number of the first.

        Nothing that has been compiled so far uses any of them, so that it may be worked out while they are alive.
        """
        first = len(self.frame.types)
        self.frame.types.extend(map(stored, types))
        return self.from_depth(first + len(types)), first

    def called(self, name: str, index: int, t: Type, settable: bool = False, told: Told | None = None) -> Env:
        """An environment in which a local has a name, by which it is of a type."""
        depth = max(self.depth, index + 1)
        if not name:
            return self.from_depth(depth)
        self.frame.named.add(name)
        names = {**self.locals, name: LocalVar(index, t, settable, told)}
        return Env(self.frame, names, depth, without(self.known, name), self.sealed)

    def behind(self, inner: Env) -> Env:
        """These names, with as many locals in use as in another environment."""
        return self.from_depth(max(self.depth, inner.depth))

    def from_depth(self, depth: int) -> Env:
        """The same with other locals free: this is asked for so often that `replace` takes a twentieth of checking a game."""
        return Env(self.frame, self.locals, depth, self.known, self.sealed)

    def using(self, function: symbols.Function) -> None:
        """A function is called: what it reads, of scopes too, and looks ahead at is read and looked ahead at here."""
        self.frame.reads |= function.reads
        self.frame.scopes |= function.scopes
        self.frame.ahead |= function.ahead

    def knowing(self, facts: frozenset[str]) -> Env:
        """An environment in which more expressions are known not to be none, and more conditions to hold."""
        if not facts - self.known:
            return self
        known = self.known | facts
        asked = {fact for name, answer in self.sealed.items() for fact in answer.surely(name, known)}
        return Env(self.frame, self.locals, self.depth, known | asked, self.sealed)

    def unknowing(self, path: str) -> Env:
        """Drop the fact that this very expression is not none."""
        facts = {path, ASKED + path}
        return replace(self, known=self.known - facts) if facts & self.known else self

    def forgetting(self, name: str) -> Env:
        """Drop every fact about an expression that mentions a name: the name may be none now."""
        env = Env(self.frame, self.locals, self.depth, without(self.known, name), self.sealed)
        return env.unsure(lambda answer: any(mentions(condition, name) for condition in answer.asked or ()))

    def unsure(self, touched: Callable[[Sealed], bool] | None = None) -> Env:
        """The state may have changed: the conditions by which players were asked no longer say who was, where they are touched."""
        doubtful = {
            name: replace(a, asked=None)
            for name, a in self.sealed.items()
            if a.asked and (touched is None or touched(a))
        }
        if not doubtful:
            return self
        known = frozenset(fact for fact in self.known if not fact.startswith(HOLDS))
        return replace(self, sealed={**self.sealed, **doubtful}, known=known)


def stored(t: LocalType) -> LocalType:
    """The type of a local that is no parameter: without bounds of numbers and narrowed types, as nothing checks what is assigned."""
    match t:
        case IntType():
            return INT
        case EntityType(kind=kind, view=str()):
            return EntityType(kind)
        case SetType(item=item):
            return SetType(stored_type(item))
        case ListType(item=item):
            return ListType(stored_type(item))
        case OptionType(item=item):
            return OptionType(stored_type(item))
        case RecordType(name=name, fields=fields):
            return RecordType(name, tuple((part, stored_type(part_type)) for part, part_type in fields))
    return t


def stored_type(t: Type) -> Type:
    """The same of a type of the language."""
    inner = stored(t)
    assert not isinstance(inner, ir.Type)
    return inner


def looping(items: Type) -> tuple[Type, Type, Type]:
    """The types of the locals of a loop over items: these, how many are done, one of them."""
    many = items if is_many(items) else ListType(item_of(items))
    return many, INT, many.item


def mentions(path: str, name: str) -> bool:
    """Whether a path such as `p.card` is about a name."""
    return name in path and name in path.replace(".", " ").replace("(", " ").replace(")", " ").replace(",", " ").split()


def without(facts: frozenset[str], name: str) -> frozenset[str]:
    """The facts that are not about a name."""
    return frozenset(fact for fact in facts if not mentions(fact, name)) if facts else facts


def call_frame(parameters: list[tuple[str, Type]], held: bool = True) -> Env:
    """The environment of a new procedure or function: its parameters are its first locals.

    `held`: arguments are held to the bounds of numbers.
    """
    env = Env(Frame())
    for name, t in parameters:
        index = len(env.frame.types)
        env.frame.types.append(given(t) if held else stored(t))
        env = env.called(name, index, t)
    return env


def given(t: Type) -> LocalType:
    """The type of a parameter: arguments are held to the bounds of its numbers."""
    match t:
        case IntType(low=low, high=high):
            return ir.types.number(low, high)
        case OptionType(item=IntType(low=low, high=high)):
            return ir.types.option(ir.types.number(low, high))
    return stored(t)


Typed = tuple[ir.Expr, Type]
