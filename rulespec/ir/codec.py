"""A program as plain JSON data, and back, with nothing in the data taken on trust.

The data are `{"values": [...], "nodes": [layer, ...]}`.  A layer is a list of groups `[class, fields, numbers, columns]`: the
objects of one class whose parts lie in layers before.  The last number is the program's.  An object without parts (a
constant, a place in a file) is written once, however often it occurs; every other is referred to exactly once, so that what is
read is a tree no larger than its data.  Classes and their fields are found in the declarations, see `columns`.

Places in files are `(source, start, end)`, where `source` counts the sources that whoever calls this gives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any

from rulespec import ir
from rulespec.ir.columns import Malformed, ProgramReader, plain_value, referred, schema, value_data, want
from rulespec.text.source import Source, Span

__all__ = ["Malformed", "decode", "encode", "encode_with_sources"]

MAX_HEIGHT = 150  # of parts within parts: whoever walks a program may recurse

CLASSES: Mapping[str, type] = {
    cls.__name__: cls for cls in (*vars(ir).values(), Span) if isinstance(cls, type) and is_dataclass(cls)
}


class Absent:
    """Stands where no object has been read yet."""


ABSENT = Absent()


def encode(program: ir.Program, sources: Sequence[Source]) -> dict[str, Any]:
    """The data of a program, whose places are all in these sources.  Raises Malformed."""
    return Encoder(sources).program(program)


def encode_with_sources(program: ir.Program) -> tuple[dict[str, Any], tuple[Source, ...]]:
    """The data of a program, and the sources that its places are in.  Raises Malformed."""
    writer = GatheringEncoder(())
    data = writer.program(program)
    return data, tuple(writer.gathered)


def layer_data(layer: dict[type, list[tuple[int, list[Any]]]]) -> list[Any]:
    """The objects of a layer, class by class."""
    layers = []
    for cls, rows in layer.items():
        columns = [list(column) for column in zip(*(row for _, row in rows), strict=True)]
        layers.append([cls.__name__, list(schema(cls)[0]), [number for number, _ in rows], columns])
    return layers


class Encoder:
    """Numbers the objects of a program, parts before the whole."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = {id(source): index for index, source in enumerate(sources)}
        self.values: list[Any] = []
        self.known_values: dict[str, int] = {}
        self.layers: list[dict[type, list[tuple[int, list[Any]]]]] = []
        self.leaves: dict[tuple[type, str], int] = {}
        self.count = 0
        self.height = 0  # one more than the layer of the highest part written since this was set to 0

    def program(self, program: ir.Program) -> dict[str, Any]:
        """The data of a program."""
        try:
            self.node(program)
        except RecursionError:
            raise Malformed("a program that is nested too deep") from None
        return {"values": self.values, "nodes": [layer_data(layer) for layer in self.layers]}

    def node(self, node: Any) -> int:
        """The number of an object, which is written now, unless it has no parts and is there already."""
        cls: type = type(node)
        want(CLASSES.get(cls.__name__) is cls, f"a {cls.__name__} is no part of a program")
        names, columns = schema(cls)
        outer, self.height = self.height, 0
        row = [column.write(getattr(node, name), self) for name, column in zip(names, columns, strict=True)]
        layer, self.height = self.height, max(outer, self.height + 1)
        want(layer < MAX_HEIGHT, "a program that is nested too deep")
        leaf = (cls, repr(row))
        if layer == 0 and leaf in self.leaves:
            return self.leaves[leaf]
        self.count += 1
        if layer == 0:
            self.leaves[leaf] = self.count
        while len(self.layers) <= layer:
            self.layers.append({})
        self.layers[layer].setdefault(cls, []).append((self.count, row))
        return self.count

    def value(self, value: Any) -> int:
        """The index of a value of the game."""
        data = value_data(value)
        exact = repr(data)  # True is not 1
        if exact not in self.known_values:
            self.known_values[exact] = len(self.values)
            self.values.append(data)
        return self.known_values[exact]

    def source(self, source: Source) -> int:
        """The index of a source text."""
        want(id(source) in self.sources, "a place in a text that is not given")
        return self.sources[id(source)]


class GatheringEncoder(Encoder):
    """Takes in every source that it meets."""

    def __init__(self, sources: Sequence[Source]) -> None:
        super().__init__(sources)
        self.gathered = list(sources)

    def source(self, source: Source) -> int:
        """The index of a source text, which may be a new one."""
        if id(source) not in self.sources:
            self.sources[id(source)] = len(self.gathered)
            self.gathered.append(source)
        return self.sources[id(source)]


def decode(data: Any, sources: Sequence[Source]) -> ir.Program:
    """The program that `encode` wrote, with its places in these sources.  Raises Malformed, and nothing else, for any JSON data."""
    want(type(data) is dict and data.keys() == {"values", "nodes"}, "the data of a program")
    want(type(data["values"]) is list and type(data["nodes"]) is list, "the data of a program")
    layers = [[parts(group) for group in layer] for layer in data["nodes"] if type(layer) is list]
    want(len(layers) == len(data["nodes"]) <= MAX_HEIGHT, "layers")
    count = sum(len(numbers) for layer in layers for _, numbers, _ in layer)
    reader = ProgramReader([plain_value(value) for value in data["values"]], tuple(sources), [None, *[ABSENT] * count])
    for layer in layers:
        place(layer, reader)
    inner = [number for layer in layers[1:] for _, numbers, _ in layer for number in numbers]
    uses = Counter(reader.used)
    want({uses[number] for number in inner if number != count} <= {1} and uses[count] == 0, "a part that is used twice")
    program = reader.nodes[-1]
    want(type(program) is ir.Program, "a program")
    return program  # type: ignore[no-any-return]


def parts(group: Any) -> tuple[type, list[int], list[list[Any]]]:
    """The class, the numbers and the columns of a group."""
    want(type(group) is list and len(group) == 4, "a group")
    name, names, numbers, columns = group
    cls = CLASSES.get(name) if type(name) is str else None
    if cls is None:
        raise Malformed("a class")
    want(names == list(schema(cls)[0]), "the fields of a class")
    want(type(numbers) is list and set(map(type, numbers)) <= {int}, "numbers")
    want(type(columns) is list and len(columns) == len(names), "columns")
    want(all(type(column) is list and len(column) == len(numbers) for column in columns), "a column")
    return cls, numbers, columns


def place(layer: list[tuple[type, list[int], list[list[Any]]]], reader: ProgramReader) -> None:
    """Make the objects of a layer; their parts must be there already."""
    groups: list[tuple[list[int], list[Any]]] = []
    for cls, numbers, columns in layer:
        read = [field_column.read(column, reader) for field_column, column in zip(schema(cls)[1], columns, strict=True)]
        groups.append((numbers, list(map(cls, *read))))
    nodes = reader.nodes
    for numbers, objects in groups:
        want(all(old is ABSENT for old in referred(nodes, numbers)), "a number that is there twice")
        for number, node in zip(numbers, objects, strict=True):
            nodes[number] = node
