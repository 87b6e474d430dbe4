"""How the fields of a program's parts become columns of JSON data, and back: by the types that they are declared with.

A *column* holds one field of many objects of one class.  Reading checks a whole column at a time, which is what makes it
fast: types as sets of types, references as one look-up after the other in C.  A part that is an object of its own is a
number in its column, 0 for None; a value of the game is an index into a list of values.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable
from dataclasses import field, fields, is_dataclass
from functools import cache
from itertools import chain, islice
from types import NoneType, UnionType
from typing import Any, Protocol, get_args

from rulespec.system.records import dataclass
from rulespec.text.source import Source

MAX_VALUE_DEPTH = 64


class Malformed(Exception):
    """Data that no program gives, or a program that cannot be written as data."""


class ProgramWriter(Protocol):
    """Where parts of a program go while it is written."""

    def node(self, node: Any) -> int:
        """The number of an object, which is written now."""
        ...

    def value(self, value: Any) -> int:
        """The index of a value of the game."""
        ...

    def source(self, source: Source) -> int:
        """The index of a source text."""
        ...


@dataclass(slots=True)
class ProgramReader:
    """What has been read so far: `nodes` by number, None where none is there yet, and the numbers that were referred to."""

    values: list[Any]
    sources: tuple[Source, ...]
    nodes: list[Any]
    used: list[int] = field(default_factory=list)


class FieldColumn(Protocol):
    """One field of many objects.  `json` is the types that its data may have."""

    json: frozenset[type]

    def write(self, value: Any, to: ProgramWriter) -> Any:
        """One object's field as data; Malformed if it is not of the declared type."""
        ...

    def read(self, data: list[Any], of: ProgramReader) -> list[Any]:
        """The fields of all objects; Malformed."""
        ...


def want(right: bool, what: str) -> None:
    """Raise Malformed unless it is right."""
    if not right:
        raise Malformed(what)


def referred(items: list[Any], numbers: list[Any]) -> list[Any]:
    """The items with these numbers."""
    want(set(map(type, numbers)) <= {int} and min(numbers, default=0) >= 0, "a reference")
    try:
        return list(map(items.__getitem__, numbers))
    except IndexError:
        raise Malformed("a reference to nothing") from None


class Plain:
    """Numbers, bools, texts and None; `words` are the texts that there may be, None: any."""

    def __init__(self, kinds: Iterable[type], words: frozenset[str] | None = None) -> None:
        self.json: frozenset[type] = frozenset(kinds)
        self.words = words

    def write(self, value: Any, _to: ProgramWriter) -> Any:
        return self.read([value], None)[0]

    def read(self, data: list[Any], _of: ProgramReader | None) -> list[Any]:
        want(set(map(type, data)) <= self.json, "a plain field")
        if self.words is not None:
            want({word for word in data if type(word) is str} <= self.words, "a word")
        return data


class Nodes:
    """Objects of some classes, or None."""

    json: frozenset[type] = frozenset({int})

    def __init__(self, classes: Iterable[type]) -> None:
        self.classes = frozenset(classes)

    def write(self, value: Any, to: ProgramWriter) -> Any:
        want(type(value) in self.classes, "a part of another class")
        return 0 if value is None else to.node(value)

    def read(self, data: list[Any], of: ProgramReader) -> list[Any]:
        nodes = referred(of.nodes, data)
        want(set(map(type, nodes)) <= self.classes, "a part of another class")
        of.used += data
        return nodes


class ValueColumn:
    """Values of the game."""

    json: frozenset[type] = frozenset({int})

    def write(self, value: Any, to: ProgramWriter) -> Any:
        return to.value(value)

    def read(self, data: list[Any], of: ProgramReader) -> list[Any]:
        return referred(of.values, data)


class Sources:
    """Source texts."""

    json: frozenset[type] = frozenset({int})

    def write(self, value: Any, to: ProgramWriter) -> Any:
        return to.source(value)

    def read(self, data: list[Any], of: ProgramReader) -> list[Any]:
        return referred(list(of.sources), data)


class Many:
    """Tuples of any length with items of one type."""

    json: frozenset[type] = frozenset({list})

    def __init__(self, item: FieldColumn) -> None:
        self.item = item

    def write(self, value: Any, to: ProgramWriter) -> Any:
        want(type(value) is tuple, "a tuple")
        return [self.item.write(item, to) for item in value]

    def read(self, data: list[Any], of: ProgramReader) -> list[Any]:
        want(set(map(type, data)) <= self.json, "a list")
        items = iter(self.item.read(list(chain.from_iterable(data)), of))
        return [tuple(islice(items, len(row))) for row in data]


class TupleColumn:
    """Tuples of a fixed length, each place with a type of its own."""

    json: frozenset[type] = frozenset({list})

    def __init__(self, items: Iterable[FieldColumn]) -> None:
        self.items = tuple(items)

    def write(self, value: Any, to: ProgramWriter) -> Any:
        want(type(value) is tuple and len(value) == len(self.items), "a tuple")
        return [item.write(part, to) for item, part in zip(self.items, value, strict=True)]

    def read(self, data: list[Any], of: ProgramReader) -> list[Any]:
        want(set(map(type, data)) <= self.json and set(map(len, data)) <= {len(self.items)}, "a row")
        columns = [[row[place] for row in data] for place in range(len(self.items))]
        return list(zip(*(item.read(c, of) for item, c in zip(self.items, columns, strict=True)), strict=True))


class Pairs:
    """Dictionaries, as lists of pairs."""

    json: frozenset[type] = frozenset({list})

    def __init__(self, key: FieldColumn, value: FieldColumn) -> None:
        self.pairs = Many(TupleColumn((key, value)))

    def write(self, value: Any, to: ProgramWriter) -> Any:
        want(type(value) is dict, "a dictionary")
        return self.pairs.write(tuple(value.items()), to)

    def read(self, data: list[Any], of: ProgramReader) -> list[Any]:
        mappings = [(dict(rows), len(rows)) for rows in self.pairs.read(data, of)]
        want(all(len(mapping) == size for mapping, size in mappings), "a key that is there twice")
        return [mapping for mapping, _ in mappings]


class Either:
    """One of several, told apart by the types of their data."""

    def __init__(self, parts: list[FieldColumn]) -> None:
        self.parts = parts
        self.json: frozenset[type] = frozenset[type]().union(*(part.json for part in parts))
        if len(self.json) != sum(len(part.json) for part in parts) or any(isinstance(p, ValueColumn) for p in parts):
            raise TypeError("data of these types cannot be told apart")

    def write(self, value: Any, to: ProgramWriter) -> Any:
        kind = list if type(value) in (tuple, dict) else type(value)
        for part in self.parts:
            if kind in (part.classes if isinstance(part, Nodes) else part.json):
                return part.write(value, to)
        raise Malformed("a field of another type")

    def read(self, data: list[Any], of: ProgramReader) -> list[Any]:
        kinds = list(map(type, data))
        want(set(kinds) <= self.json, "a field of another type")
        which: dict[type, Any] = {}
        for part in self.parts:
            values = iter(part.read([item for item, kind in zip(data, kinds, strict=True) if kind in part.json], of))
            which.update(dict.fromkeys(part.json, values))
        return [next(which[kind]) for kind in kinds]


# --- from declared types ----------------------------------------------------------------------------------------------
@cache
def schema(cls: type) -> tuple[tuple[str, ...], tuple[FieldColumn, ...]]:
    """The fields of a class with their columns.  TypeError for a field of a type that has no data."""
    members = fields(cls)
    if not all(f.init and not f.kw_only and isinstance(f.type, str) for f in members):
        raise TypeError(f"{cls.__name__} has fields that are not given in order, or their types are not kept as texts")
    return tuple(f.name for f in members), tuple(declared(str(f.type), cls.__module__) for f in members)


@cache
def declared(text: str, module: str) -> FieldColumn:
    """The column of a type as it is written in a module."""
    names = vars(sys.modules[module])
    return joined(list(alternatives(ast.parse(text, mode="eval").body, names)))


def alternatives(node: ast.expr, names: dict[str, Any]) -> Iterable[Any]:
    """What a written type may be: types, columns, and sets of words."""
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            yield from alternatives(left, names)
            yield from alternatives(right, names)
        case ast.Constant(value=None):
            yield NoneType
        case ast.Name(id="bool" | "int" | "str" as name):
            yield {"bool": bool, "int": int, "str": str}[name]
        case ast.Name(id=name) if name in names:
            meaning = names[name]
            yield from get_args(meaning) if isinstance(meaning, UnionType) else (meaning,)
        case ast.Subscript(value=ast.Name(id=name), slice=inside):
            parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
            yield generic(name, parts, lambda part: joined(list(alternatives(part, names))))
        case _:
            raise TypeError(f"the type {ast.unparse(node)} has no data")


def generic(name: str, parts: list[ast.expr], column: Callable[[ast.expr], FieldColumn]) -> Any:
    """What `name[parts]` is."""
    match name, parts:
        case "Literal", _:
            return frozenset(part.value for part in parts if isinstance(part, ast.Constant))
        case "tuple", [item, ast.Constant(value=value)] if value is ...:
            return Many(column(item))
        case "tuple", _:
            return TupleColumn(map(column, parts))
        case "dict", [key, value]:
            return Pairs(column(key), column(value))
    raise TypeError(f"the type {name}[...] has no data")


def joined(options: list[Any]) -> FieldColumn:
    """The column of one of several types."""
    plain = {t for t in options if t in (bool, int, str, NoneType)}
    words = frozenset[str]().union(*(t for t in options if isinstance(t, frozenset)))
    classes: set[type] = {t for t in options if isinstance(t, type) and is_dataclass(t) and t is not Source}
    parts: list[FieldColumn] = [t for t in options if isinstance(t, Many | TupleColumn | Pairs)]
    parts += [ValueColumn() for t in options if t is Any]
    parts += [Sources() for t in options if t is Source]
    if sum(map(len, (plain, classes, parts))) + sum(isinstance(t, frozenset) for t in options) != len(set(options)):
        raise TypeError(f"some of the types {options} have no data")
    if classes and NoneType in plain:
        plain.discard(NoneType)
        classes.add(NoneType)
    if classes:
        parts.append(Nodes(classes))
    if plain or words:
        parts.append(Plain(plain | {str} if words else plain, None if str in plain or not words else words))
    return parts[0] if len(parts) == 1 else Either(parts)


def plain_value(data: Any, depth: int = 0) -> Any:
    """A value of the game from data: lists become tuples.  Malformed."""
    if type(data) is list:
        want(depth < MAX_VALUE_DEPTH, "a value that is nested too deep")
        return tuple([plain_value(item, depth + 1) for item in data])
    want(data is None or type(data) in (bool, int, str), "a value")
    return data


def value_data(value: Any, depth: int = 0) -> Any:
    """The data of a value of the game.  Malformed."""
    if type(value) is tuple:
        want(depth < MAX_VALUE_DEPTH, "a value that is nested too deep")
        return [value_data(item, depth + 1) for item in value]
    want(value is None or type(value) in (bool, int, str), "a value")
    return value
