"""How C keeps a value: the form of each follows from its type."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter.native.emitter import sets
from interpreter.native.emitter.inference import Texts
from interpreter.native.emitter.sets import FEW_MEMBERS, LARGEST_SET, letter, words_of
from interpreter.native.emitter.texts import Block, Member, NoItems, Part
from interpreter.native.emitter.types import Unsupported
from rulespec.analysis.domain import ANY, Fact
from rulespec.system.records import dataclass

MOST_ITEMS = 128  # of a list of unknown size within another value: beyond it the reference machine goes on
BYTES_PASSED = 8 << 10  # of a list of unknown size that is a value of its own: it is passed and returned as a whole
LONGEST_LIST, MOST_NUMBERS = 512, 2048  # items of a list whose size is known, and of one of numbers
MOST_KEPT, BYTES_KEPT = 4096, 128 << 10  # items, and bytes, of a variable that is a list of unknown size
LARGEST = 256 << 10  # bytes of a value, such as a list of lists: it lies on the stack of a thread
BYTES_OF_ALL = 256 << 10  # of all such variables: a position may lie on the stack of a thread
BYTES = {"int8_t": 1, "int16_t": 2, "int32_t": 4, "int64_t": 8}
SHORT = 16  # items of a list that is set to 0 as a whole
SMALL_NONE = -128
MOST_PICKED = 16  # arguments of what lasts and adds to a menu


class NeedsWide(Exception):
    """None must be told from numbers that -128 may be one of: the whole program takes INT64_MIN for it."""


class NeedsShort(Exception):
    """A list of unknown size stands in another value: all of the program have the room that it has there."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number, a member of a kind, yes or no: an int64_t in locals, as small as its range allows where it is kept."""


@dataclass(frozen=True, slots=True)
class Bits:
    """A set of numbers below 64 * `words`, as one or two words."""

    words: int


@dataclass(frozen=True, slots=True)
class Lane:
    """Some of a row of distinct numbers that ascends or, where the C of `down` says so, descends: as a set.  It is never kept."""

    words: int
    down: str


@dataclass(frozen=True, slots=True)
class Empty:
    """A collection without items."""


@dataclass(frozen=True, slots=True)
class Row:
    """At most `most` items in their order: how many, and an array.  `store` is the C type of items that are numbers."""

    most: int
    item: Form
    store: str


@dataclass(frozen=True, slots=True)
class Record:
    """Parts of several forms; `hashed`, as an item of a variable: a hash of them lies behind them, so that one is soon found."""

    parts: tuple[Form, ...]
    hashed: bool = False


@dataclass(frozen=True, slots=True)
class Maybe:
    """None, or a value that has no room for it."""

    inner: Form


@dataclass(frozen=True, slots=True)
class Pick:
    """The answer to a menu, or of it what the rule is about: a branch's number, or a rule with its piece or arguments."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a queue of rules: its rule and so many arguments at most."""

    size: int


@dataclass(frozen=True, slots=True)
class Unknown:
    """A constant whose form depends on where it goes."""


Form = Number | Bits | Lane | Empty | Row | Record | Maybe | Pick | Entry | Unknown
NUMBER, SET, WIDE_SET, EMPTY, PICK, UNKNOWN = Number(), Bits(1), Bits(2), Empty(), Pick(), Unknown()
BAG_STORE = "int64_t"


def stored(fact: Fact, wide: bool) -> str:
    """The C type of a kept number."""
    low, high = fact.low, fact.high
    if fact.what == "never" and not wide:
        return "int8_t"
    if low is None or high is None or (fact.none and wide):
        return "int64_t"
    for bits in (8, 16, 32):
        if low > -(1 << bits - 1) and high < 1 << bits - 1:
            return f"int{bits}_t"
    return "int64_t"


class Forms:
    """The forms of one program, with the C types that are declared for them."""

    def __init__(self, texts: Texts, wide: bool, short: bool) -> None:
        self.texts = texts
        self.wide = wide
        self.short = short
        self.none = "INT64_MIN" if wide else f"({SMALL_NONE})"
        self.types: dict[Form, str] = {}
        self.declarations: list[str] = []
        self.inside = 0  # how many values the one whose form is asked for stands in
        self.slots = False  # whether it is what slots hold

    def of(self, fact: Fact) -> Form:
        """The form of values of a type; raises Unsupported where there is none."""
        if fact.what in ("int", "never"):
            if fact.what == "int" and fact.none and not self.wide and (fact.low is None or fact.low <= SMALL_NONE):
                raise NeedsWide
            return NUMBER
        if fact.what == "text":
            return NUMBER
        if fact.none and fact.what != "any":
            return Maybe(self.of(replace(fact, none=False)))
        if fact.what in ("pick", "case"):
            return PICK
        if fact.what == "entry":
            return Entry(fact.size or 0)
        if fact.what != "items":
            raise Unsupported("a value of unknown type")
        return self.of_items(fact)

    def of_items(self, fact: Fact) -> Form:
        """The form of a collection; raises Unsupported."""
        form = self.of_any_size(fact)
        if room(form) > LARGEST:
            raise Unsupported("a list with room for too many lists")
        return form

    def of_any_size(self, fact: Fact) -> Form:
        """The form of a collection, however much room it takes."""
        if fact.size == 0:
            return EMPTY
        item = fact.item
        if fact.ordered and item is not None and item.what == "int" and item.within(0, LARGEST_SET - 1):
            assert item.high is not None
            if item.high < 128 or fact.size is None or fact.size > FEW_MEMBERS:
                return Bits(words_of(item.high))
        self.inside += 1
        try:
            if fact.parts is not None and not all(part.what in ("int", "never") for part in fact.parts):
                return Record(tuple(map(self.of, fact.parts)))
            if item is None:
                raise Unsupported("a list of unknown items")
            inner = self.of(item)
        finally:
            self.inside -= 1
        form = Row(max(1, fact.size or 0), inner, stored(item, self.wide) if inner == NUMBER else "")
        if not unbounded(replace(fact, none=False)):
            return form
        form = replace(form, most=MOST_ITEMS)
        if self.short or self.slots:
            return form
        if self.inside:
            raise NeedsShort
        return passed(form)

    def of_slot(self, fact: Fact) -> Form:
        """The form of what slots hold: a position is copied, so that lists of unknown size have less room there than as values."""
        self.slots = True
        try:
            return self.of(fact)
        finally:
            self.slots = False

    def known(self, fact: Fact) -> Form:
        """The form of values of a type; that of a number where there is none."""
        try:
            return self.of(fact)
        except Unsupported:
            return NUMBER

    def type(self, form: Form) -> str:
        """The C type of locals of a form; raises Unsupported where they are too large for a stack."""
        match form:
            case Number():
                return "V"
            case Bits(words):
                if words > 2 and form not in self.types:
                    self.types[form] = letter(words)
                    self.declarations.append(f"WIDE_SETS({letter(words)},{words})")
                return letter(words)
            case Empty():
                return "E0"
            case Pick():
                return "Pick"
            case Unknown():
                raise Unsupported("a constant of no form")
        if form not in self.types:
            if room(form) > LARGEST:
                raise Unsupported("a list with room for too many lists")
            body = self.body(form)
            name = f"{type(form).__name__[0]}{len(self.types)}"
            self.types[form] = name
            self.declarations.append(f"typedef struct {{ {body} }} {name};")
        return self.types[form]

    def body(self, form: Form) -> str:
        """The members of the struct of a form."""
        match form:
            case Row(most, item, store):
                return f"int32_t n; {store or self.type(item)} a[{most}];"
            case Record(parts, hashed):
                members = [f"{self.type(part)} f{k};" for k, part in enumerate(parts)]
                return " ".join([*members, *(["uint64_t h;"] if hashed else [])])
            case Maybe(inner):
                return f"int64_t some; {self.type(inner)} v;"
            case Entry(size):
                return f"int32_t rule, n; V a[{max(1, size)}];"
        raise Unsupported("a form without members")

    def kept(self, fact: Fact, form: Form) -> str:
        """The C type of a kept value."""
        return stored(fact, self.wide) if form == NUMBER else self.type(form)

    def zero(self, form: Form) -> str:
        """A C value of a form: 0, or nothing."""
        plain = form == NUMBER or form in (SET, WIDE_SET)
        return "0" if plain else f"({self.type(form)}){{0}}"

    def fresh(self, name: str, form: Form) -> str:
        """C that declares a variable of a form, empty or 0; of a long list only its length is set."""
        if is_long(form):
            return f"{self.type(form)} {name}; {name}.n=0;"
        return f"{self.type(form)} {name}={self.zero(form)};"

    def declared(self, name: str, code: str, form: Form) -> str:
        """C that declares a variable with a value."""
        if is_long(form):
            return f"{self.type(form)} {name}; {assigned(name, code, form)}"
        return f"{self.type(form)} {name}={code};"

    def constant(self, value: Any, form: Form) -> str:
        """The C of a constant in a form; raises Unsupported where it does not fit."""
        name, text = self.type(form), self.braced(value, form)
        if form in (NUMBER, SET, WIDE_SET):
            return text
        return NoItems(f"({name}){text}") if isinstance(form, Row) and not value else f"({name}){text}"

    def braced(self, value: Any, form: Form) -> str:
        """The initializer of a constant, for arrays of them; raises Unsupported where it does not fit."""
        match form:
            case Number():
                return self.number(value)
            case Maybe(inner):
                return "{0}" if value is None else f"{{1,{self.braced(value, inner)}}}"
            case Pick():
                rule, case = value if isinstance(value, tuple) else (-1, value)
                several = isinstance(case, tuple)
                inside = ",".join(map(self.number, case if several else [case]))
                return f"{{{int(rule)},{len(case) if several else -1},{{{inside}}}}}"
            case Empty() if value == ():
                return "{0}"
        if not isinstance(value, tuple):
            raise Unsupported("a constant of another form")
        match form:
            case Bits(words):
                if any(not isinstance(x, int) or not 0 <= x < 64 * words for x in value):
                    raise Unsupported("a set of other things")
                return sets.initializer(sum(1 << x for x in set(value)), words)
            case Row(most, item):
                if len(value) > most:
                    raise Unsupported("a constant that is too long")
                inside = ",".join(self.braced(x, item) for x in value) or "0"
                return f"{{{len(value)},{{{inside}}}}}"
            case Record(parts) if len(parts) == len(value):
                return f"{{{','.join(self.braced(x, part) for x, part in zip(value, parts, strict=True))}}}"
        raise Unsupported("a constant of another form")

    def number(self, value: Any) -> str:
        """The C of a number, a text or None."""
        if value is None:
            return self.none
        if isinstance(value, str):
            value = self.texts.number(value)
        if not isinstance(value, int) or not -(1 << 63) < value < 1 << 63:
            raise Unsupported("a constant that is no number")
        text = f"{int(value)}LL" if abs(value) >= 1 << 31 else f"{int(value)}"
        return f"({text})" if value < 0 else text  # `-` before it is no `--`


def room(form: Form) -> int:
    """The bytes that a value of a form takes, about."""
    match form:
        case Bits(words):
            return 8 * words
        case Row(most, item, store):
            return 4 + most * (BYTES[store] if store else room(item))
        case Record(parts):
            return sum(map(room, parts))
        case Maybe(inner):
            return 8 + room(inner)
    return 8


def longest(item: Form) -> int:
    """How many items of a form a value has room for."""
    return MOST_NUMBERS if item == NUMBER else LONGEST_LIST


def grown(form: Row, several: int) -> Row:
    """The form of one of several variables that are lists of unknown size, as it was where it cannot be much longer.

    It lies at one place and is never copied as a whole.
    """
    one = BYTES[form.store] if form.store else room(form.item)
    most = min(MOST_KEPT, min(BYTES_KEPT, BYTES_OF_ALL // several) // one)
    if isinstance(form.item, Record) and most > MOST_ITEMS and hashable(form.item):
        return replace(form, most=most, item=replace(form.item, hashed=True))
    return replace(form, most=most) if most > longest(form.item) else form


def passed(form: Row, several: int = 1) -> Row:
    """The form of a list of unknown size that is a value, or one of several variables: with room for more items where these are small."""
    one = BYTES[form.store] if form.store else room(form.item)
    most = min(BYTES_PASSED, BYTES_OF_ALL // several) // one
    return replace(form, most=max(form.most, min(longest(form.item), most)))


def roomy(form: Row) -> Row:
    """The form of a list of unknown size that is gone through where it is made: with room for as many items as one of known size has."""
    one = BYTES[form.store] if form.store else room(form.item)
    return replace(form, most=max(form.most, min(longest(form.item), BYTES_KEPT // one)))


def outsized(form: Form) -> bool:
    """Whether a form is that of a variable alone, as `grown` gives it: what it holds is looked at where it lies."""
    return isinstance(form, Row) and (form.most > longest(form.item) or hashed(form.item))


def hashable(form: Form) -> bool:
    """Whether values of a form have a hash."""
    match form:
        case Number() | Bits():
            return True
        case Row(_, item):
            return hashable(item)
        case Record(parts):
            return all(map(hashable, parts))
        case Maybe(inner):
            return hashable(inner)
    return False


def plain(form: Form) -> Form:
    """A form without the hash behind its values: as of the same value by itself.  Hashes are those of one form, and of no other."""
    return replace(form, hashed=False) if isinstance(form, Record) else form


def hashed(form: Form) -> bool:
    """Whether values of a form have a hash behind them."""
    return isinstance(form, Record) and form.hashed


def unbounded(fact: Fact) -> bool:
    """Whether a type is of lists whose size is not known, or too large to be kept as a value."""
    most = longest(NUMBER if fact.item is not None and fact.item.what == "int" else EMPTY)
    return fact.what == "items" and not fact.none and (fact.size is None or fact.size > most)


def is_long(form: Form) -> bool:
    """Whether values of a form are lists with room for many items, or for such lists, of which few are there as a rule."""
    return isinstance(form, Row) and (form.most > SHORT or is_long(form.item))


def assigned(to: str, code: str, form: Form) -> str:
    """C that sets a variable; of a long list only the items that are there are copied."""
    if not is_long(form):
        return f"{to}={code};"
    if isinstance(code, Part | Member):
        return f"ROW({to},{code});"
    if isinstance(code, NoItems):
        return f"{to}.n=0;"
    if isinstance(code, Block):
        return f"{{{code.body} ROW({to},{code.name});}}"
    return f"{to}={code};"


def word_of(size: int) -> str:
    """The C type of sets of numbers below a number of at most 128."""
    return "M" if size <= 64 else "W"


@dataclass(frozen=True, slots=True)
class Val:
    """A C expression: its text, form and type, and its value where that is known (`...` where not)."""

    code: str
    form: Form
    fact: Fact = ANY
    const: Any = ...

    @property
    def known(self) -> bool:
        """Whether its value is known."""
        return self.const is not ...
