"""Programs as data: exactly the same after a round trip, and nothing but a program or `Malformed` from any data."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rulespec
from rulespec import ir
from rulespec.ir import codec, columns
from rulespec.ir.codec import Malformed, decode, encode
from rulespec.ir.columns import declared, schema
from rulespec.text.source import Source, Span
from tests.helpers.games import loaded
from tests.helpers.places import GAMES, PLAY

names = cache(lambda cls: [own.name for own in fields(cls)] if is_dataclass(cls) else [])


def sources_of(node):
    """Every source text that a program's places lie in, in the order that they are met."""
    found, todo, seen = {}, [node], set()
    while todo:
        node = todo.pop()
        if id(node) in seen:  # a program has the same part in several places
            continue
        if isinstance(node, Source):
            found.setdefault(id(node), node)
        elif isinstance(node, tuple):
            todo.extend(reversed(node))
        elif names(type(node)):
            seen.add(id(node))
            todo.extend(getattr(node, name) for name in reversed(names(type(node))))
    return list(found.values())


def difference(a, b, seen):
    """Where two programs differ, in types and in places too; None if they do not.  `seen` are pairs of parts that do not."""
    if type(a) is not type(b):
        return f": {a!r} is not {b!r}"
    if isinstance(a, tuple):
        if len(a) != len(b):
            return f": {len(a)} items are not {len(b)}"
        parts = ((f"[{i}]", x, y) for i, (x, y) in enumerate(zip(a, b, strict=True)))
    elif isinstance(a, Source):
        return None if a is b else ": another source"
    elif names(type(a)):
        if (id(a), id(b)) in seen:
            return None
        seen.add((id(a), id(b)))
        parts = ((f".{name}", getattr(a, name), getattr(b, name)) for name in names(type(a)))
    elif isinstance(a, dict):
        parts = [(".keys", tuple(a), tuple(b)), (".values", tuple(a.values()), tuple(b.values()))]
    else:
        return None if a == b else f": {a!r} is not {b!r}"
    return next((at + other for at, x, y in parts if (other := difference(x, y, seen)) is not None), None)


def there_and_back(program):
    sources = sources_of(program)
    text = json.dumps(encode(program, sources), allow_nan=False)
    return decode(json.loads(text), sources)


def setups(game):
    """Every number of players, and every value of every option by itself; of many, as of all numbers to 100, those at the ends."""
    for players in game.players:
        yield players, {}
    for option in game.options:
        for word in option.values if len(option.values) <= 8 else (option.values[0], option.default, option.values[-1]):
            yield option.players[-1], {option.name: word}


@pytest.mark.parametrize("file", [*GAMES, *PLAY], ids=lambda f: f.stem)
def test_a_round_trip_changes_nothing(file):
    game = loaded(file)
    for players, options in setups(game):
        program = game.program(players=players, options=options)
        again = there_and_back(program)
        assert again == program
        assert difference(again, program, set()) is None


def smallest():
    """A program with a place in a file, values that are equal and not the same, and parts within parts."""
    source = Source("here", "some text")
    span = Span(source, 1, 4)
    body = ir.Op("add", (ir.Const(1), ir.Op("add", (ir.Const(True), ir.Const((1, (True, None), "x"))))))
    text = ir.Text(("so ", (ir.Local(0), ir.types.INT), "."))
    code = (ir.Let(0, body, span), ir.Say(text, None, span), ir.Finish(ir.Const((0,)), span))
    kind = ir.Kind(0, "Player", "player", ("p1",), ("Player 1",))
    return ir.Program(
        "small",
        "Small",
        "0" * 64,
        1,
        (("variant", "yes"),),
        (kind,),
        0,
        (),
        (),
        (None,) * 7,
        ("a",) * 7,
        (),
        (ir.Procedure("main", 0, (ir.types.INT,), code, where=span),),
        0,
        (),
        (),
        (),
        ("the game",),
        point_of={(0, 1): 2},
    )


def test_values_that_are_equal_stay_what_they_are():
    program = smallest()
    assert difference(there_and_back(program), program, set()) is None
    data = encode(program, sources_of(program))
    assert [value for value in data["values"] if value == 1 and type(value) in (bool, int)] == [1, True]


def test_what_occurs_often_is_written_once():
    program = smallest()
    many = replace(program, functions=tuple(ir.Function("f", 0, (), ir.Const(7)) for _ in range(100)))
    data = encode(many, sources_of(many))
    assert column(data, "Const", "value").count(data["values"].index(7)) == 1
    assert len(column(data, "Function", "body")) == 100


def test_every_class_of_a_program_has_columns():
    for cls in codec.CLASSES.values():
        names, made = schema(cls)
        assert len(names) == len(made) == len(fields(cls))
    assert {"Program", "Span", "Const", "Ask", "Site"} <= codec.CLASSES.keys()


# --- what is no program -----------------------------------------------------------------------------------------------
def test_a_place_in_another_text_cannot_be_written():
    with pytest.raises(Malformed, match="text that is not given"):
        encode(smallest(), [Source("here", "some text")])


@pytest.mark.parametrize(
    "change",
    [
        {"players": True}, {"players": "1"}, {"players": None}, {"title": 1}, {"initial": (1.5,)}, {"initial": [1]},
        {"kinds": (ir.Const(1),)}, {"initial": ({1: 2},)}, {"point_of": {0: 1}}, {"point_of": ()}, {"settings": (("a",),)},
    ],
)  # fmt: skip
def test_fields_of_another_type_cannot_be_written(change):
    program = smallest()
    with pytest.raises(Malformed):
        encode(replace(program, **change), sources_of(program))


def test_a_word_that_is_none_of_those_declared_cannot_be_written():
    kind = ir.Kind(0, "Player", "wizard", (), ())
    program = smallest()
    with pytest.raises(Malformed, match="word"):
        encode(replace(program, kinds=(kind,)), sources_of(program))


@dataclass(frozen=True)
class Const:
    """Called as a part of a program is, and none."""

    value: int


def test_a_class_of_the_same_name_cannot_be_written():
    program = smallest()
    function = ir.Function("f", 0, (), ir.Bind(0, ir.Const(1), Const(1)))
    with pytest.raises(Malformed, match="another class"):
        encode(replace(program, functions=(function,)), sources_of(program))


@pytest.mark.parametrize("depth", [codec.MAX_HEIGHT, 5_000])
def test_what_is_nested_too_deep_cannot_be_written(depth):
    body = ir.Const(1)
    for _ in range(depth):
        body = ir.Known(body, "it")
    program = smallest()
    with pytest.raises(Malformed, match="too deep"):
        encode(replace(program, functions=(ir.Function("f", 0, (), body),)), sources_of(program))


def test_a_value_that_is_nested_too_deep_is_neither_written_nor_read():
    value = 1
    for _ in range(columns.MAX_VALUE_DEPTH + 1):
        value = (value,)
    program = smallest()
    with pytest.raises(Malformed, match="too deep"):
        encode(replace(program, initial=(value,)), sources_of(program))
    data, sources = written()
    data["values"].append(json.loads("[" * 100 + "]" * 100))
    with pytest.raises(Malformed, match="too deep"):
        decode(data, sources)


# --- what is no data of a program -------------------------------------------------------------------------------------
def written():
    program = smallest()
    sources = sources_of(program)
    return json.loads(json.dumps(encode(program, sources))), sources


def group(data, name):
    """The groups of a class."""
    return [own for layer in data["nodes"] for own in layer if own[0] == name]


def column(data, name, field):
    """A column of the first group of a class."""
    own = group(data, name)[0]
    return own[3][own[1].index(field)]


def set_first(name, field, value):
    def change(data):
        column(data, name, field)[0] = value

    return change


def drop_layer(data):
    del data["nodes"][0]


def twice(data):
    """A part with parts of its own in two places: what is read would be no tree."""
    args = column(data, "Op", "args")
    args[0][1] = args[0][0] = group(data, "Text")[0][2][0]


def shared(data):
    """The same instruction twice."""
    code = column(data, "Procedure", "code")[0]
    code[0] = code[1]


def in_a_circle(data):
    """An operation among its own arguments."""
    outer = next(own for layer in reversed(data["nodes"]) for own in layer if own[0] == "Op")
    outer[3][1][0][1] = outer[2][0]


def number_twice(data):
    numbers = group(data, "Const")[0][2]
    numbers[0] = numbers[1]


def many_layers(data):
    data["nodes"] = [*data["nodes"], *[[] for _ in range(codec.MAX_HEIGHT)]]


def another_root(data):
    data["nodes"].pop()


DAMAGE = [
    set_first("Span", "start", True), set_first("Span", "start", 1.0), set_first("Span", "source", 1),
    set_first("Span", "source", -1), set_first("Kind", "what", "wizard"), set_first("Kind", "members", "p1"),
    set_first("Kind", "members", [1]), set_first("Say", "where", 999), set_first("Say", "where", -1),
    set_first("Say", "text", 0), set_first("Say", "where", [1]), set_first("Let", "value", 1), set_first("Text", "parts", [[1]]),
    set_first("Text", "parts", [None]), set_first("Text", "parts", [{}]), set_first("Program", "point_of", [[[0, 1], 2], [[0, 1], 3]]),
    set_first("Program", "settings", [["a", "b", "c"]]), set_first("Const", "value", -1), set_first("Const", "value", None),
    drop_layer, twice, shared, in_a_circle, number_twice, many_layers, another_root,
    lambda data: data.pop("values"), lambda data: data.update(more=1), lambda data: data.update(values={}),
    lambda data: data["values"].append(1.5), lambda data: data["values"].append({}), lambda data: data.update(nodes=[1]),
    lambda data: data["nodes"].append([[]]), lambda data: data["nodes"].append([["Source", [], [], []]]),
    lambda data: data["nodes"].append([["Program", [], [], []]]), lambda data: data["nodes"].append([[[], [], [], []]]),
    lambda data: group(data, "Const")[0][3][0].pop(), lambda data: group(data, "Const")[0][3].pop(),
    lambda data: group(data, "Const")[0][2].append("x"), lambda data: group(data, "Const")[0][1].append("more"),
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_data_are_refused(damage):
    data, sources = written()
    assert decode(copy.deepcopy(data), sources) == smallest()
    damage(data)
    with pytest.raises(Malformed):
        decode(data, sources)


def places(data, found):
    """Every list and dictionary in data."""
    if isinstance(data, list | dict):
        found.append(data)
        for item in data.values() if isinstance(data, dict) else data:
            places(item, found)
    return found


STRANGE = (None, True, False, 0, 1, -1, 2, 7, 10**30, 1.5, "", "x", "Const", [], [1], [[]], {}, {"a": 1})


def mutate(data, dice):
    """Change something somewhere."""
    where = dice.choice(places(data, []))
    if isinstance(where, dict):
        where[dice.choice([*where, "more"])] = copy.deepcopy(dice.choice(STRANGE))
        return
    at = dice.randrange(len(where) + 1)
    match dice.randrange(4):
        case 0:
            where.insert(at, copy.deepcopy(dice.choice(STRANGE)))
        case 1:
            del where[at : at + 1]
        case 2:
            where[at : at + 1] = [copy.deepcopy(dice.choice(STRANGE))]
        case 3:
            other = dice.choice(places(data, []))
            if isinstance(other, list) and other and where:
                at = min(at, len(where) - 1)
                where[at] = copy.deepcopy(dice.choice(other))


def test_random_damage_gives_a_program_or_is_refused():
    file = next(folder for folder in GAMES if folder.name == "kuhn_poker")
    program = rulespec.load(file).program(players=2)
    sources = sources_of(program)
    text = json.dumps(encode(program, sources))
    dice = random.Random(1)
    refused = 0
    for _ in range(500):
        data = json.loads(text)
        for _ in range(dice.randint(1, 3)):
            mutate(data, dice)
        try:
            again = decode(data, sources)
        except Malformed:
            refused += 1
        else:
            assert type(again) is ir.Program
            encode(again, sources)  # every field has its declared type
    assert refused > 300


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.floats()
    | st.sampled_from(["values", "nodes", "Const", "Program", "x"]),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(["values", "nodes", "x"]), inner, max_size=3)
    ),
    max_leaves=30,
)


@settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(JSON, JSON)
def test_nothing_else_is_raised_for_any_data(values, nodes):
    for data in (values, {"values": values, "nodes": nodes}, {"values": [], "nodes": [[nodes]]}):
        with pytest.raises(Malformed):
            decode(data, [])


# --- declared types ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    [
        "float",
        "list[int]",
        "int | Expr",
        "tuple[int, ...] | tuple[str, ...]",
        "Value | None",
        "dict",
        "set[int]",
        "object",
    ],
)
def test_types_without_data_are_refused(text):
    with pytest.raises(TypeError):
        declared(text, "rulespec.ir.program")
