"""Lists with room for many items: the C copies those that are there."""

from __future__ import annotations

import ctypes
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

import interpreter
import rulespec
from interpreter.native.emitter.forms import (
    BYTES_OF_ALL,
    MOST_ITEMS,
    MOST_KEPT,
    NUMBER,
    SHORT,
    Row,
    assigned,
    grown,
    outsized,
    room,
)
from interpreter.native.emitter.program import source
from interpreter.native.emitter.texts import Block, Member, Place, Variable, part_of
from tests.helpers.games import fewest_and_most, loaded
from tests.helpers.native import NEEDS_C, native_on, pair  # noqa: F401
from tests.helpers.places import ROOT

LONG, FEW = Row(SHORT + 1, NUMBER, "int8_t"), Row(SHORT, NUMBER, "int8_t")


def test_a_block_is_opened_where_it_is_known_to_be_one() -> None:
    block = Block("R1 o; o.n=0;", "o")
    assert block == "({R1 o; o.n=0; o;})"
    assert assigned("to", block, LONG) == "{R1 o; o.n=0; ROW(to,o);}"
    assert assigned("to", f"{block}", LONG) == "to=({R1 o; o.n=0; o;});"
    assert assigned("to", f"(c?{block}:{block})", LONG) == "to=(c?({R1 o; o.n=0; o;}):({R1 o; o.n=0; o;}));"


def test_a_long_list_is_copied_item_by_item_and_everything_else_as_it_was() -> None:
    assert assigned("to", Variable("from"), LONG) == "ROW(to,from);"
    assert assigned("f->l1", part_of(Member("S->ret2"), ".v"), LONG) == "ROW(f->l1,S->ret2.v);"
    assert assigned("to", Place("T1[f(S)]"), LONG) == "to=T1[f(S)];"
    assert assigned("to", "(R1){0}", LONG) == "to=(R1){0};"
    assert assigned("to", Block("R1 o;", "o"), FEW) == "to=({R1 o; o;});"


@pytest.mark.parametrize(("name", "players"), fewest_and_most())
def test_no_frame_is_copied_with_all_the_room_of_a_long_list(name: str, players: int) -> None:
    text = source(interpreter.Game(loaded(name), players=players).program).text
    long = {
        kind
        for most, kind in re.findall(r"typedef struct \{ int32_t n; \S+ a\[(\d+)\]; \} (R\d+);", text)
        if int(most) > SHORT
    }
    fields = re.findall(r"typedef struct __attribute__\(\(packed\)\) \{ (.*) uint16_t point; \} (F\d+);", text)
    kept = {
        (frame, local) for body, frame in fields for kind, local in re.findall(r"(R\d+) (l\d+);", body) if kind in long
    }
    for frame, local in kept:
        parts = re.findall(rf"{frame}\*f=\({frame}\*\)[^{{}}]*", text)
        assert any(f"f->{local}" in part for part in parts)
        assert not [part for part in parts if re.search(rf"[ ;]f->{local}=|=f->{local};", part)]


HISTORY = """\
rulespec: 1
id: past
title: A game that keeps its past
players: 2
boards: {Square: {square: 3 x 3}}
state:
  active: Player
  stone: {is: Player or none, by: Square}
  past: list of list of 0..2
  taken: list of Square
functions:
  here: "each(if s.stone is none then 0 else number(s.stone) for s in Square)"
phases:
  game:
    do:
      - repeat: 300
        do:
          - {choose: s, by: active, from: Square}
          - {set: s.stone, to: if s.stone == active then none else active}
          - {set: past, to: past + list(here)}
          - {add: s, to: taken}
          - {if: "count(past, here) >= 200 or count(taken) > 400", then: [{win: active}]}
          - {set: active, to: rival(active)}
"""


HISTORIES = """\
rulespec: 1
id: pasts
title: A game in which each player has a past
players: 3
boards: {Square: {square: 3 x 3}}
state:
  active: Player
  best: 0..9999
  per Player:
    past: list of Square
    worths: list of -5..400
    rows: list of list of 0..2
functions:
  longest: highest(size(p.past) for p in players)
  seen: {takes: {p: Player, s: Square}, is: "count(p.past, s)"}
phases:
  game:
    do:
      - repeat: 450
        do:
          - {choose: s, by: active, from: Square, only: [{if: "seen(active, s) < 200", why: Too often}]}
          - {add: list(s), to: active.past}
          - {add: list(s), to: left_of(active).past, if: s.row == 1}
          - {set: active.worths, to: active.worths + list(size(active.past) - 5)}
          - {set: active.worths, to: active.worths - list(first(active.worths)), if: size(active.worths) > 140}
          - {set: active.rows, to: "left_of(active).rows + list(list(s.row - 1, s.column - 1))", if: s.column == 2}
          - {set: best, to: "mod(sum(active.worths) + 5000, 1000) + longest"}
          - {if: "active.past == left_of(active).past and size(active.past) > 2", then: [{add: "list(s, s)", to: active.past}]}
          - {set: active, to: left_of(active)}
"""


@NEEDS_C
def test_lists_in_several_variables_grow_in_c(tmp_path: Path) -> None:
    """They are told apart by an index that is worked out in play, filled, read, compared and copied from one to another."""
    path = tmp_path / "pasts.yaml"
    path.write_text(HISTORIES)
    games = [interpreter.Game(rulespec.load(path), backend=backend) for backend in ("native", "python")]
    native, python = (game.new_state(seed=1, record=False) for game in games)
    for number in range(450):
        actions = native.legal_actions()
        assert actions == python.legal_actions()
        for state in (native, python):
            state.apply_action(actions[(number * 7 + number // 9) % len(actions)])
        if number % 50 == 48:
            before = native.clone()
            native.apply_action(native.legal_actions()[0])
            native.undo()
            assert native.slots == python.slots == before.slots
            assert games[0].state_from_json(native.to_json()) == native
    assert native.is_terminal() and python.is_terminal()
    assert sum(isinstance(slot, tuple) and len(slot) > MOST_ITEMS for slot in python.slots) >= 6
    assert games[0].handed_over == 0
    for seed in range(4):
        one, two = (game.playout(seed) for game in games)
        assert one.slots == two.slots and one.returns() == two.returns()


@NEEDS_C
def test_a_list_grows_in_c_beyond_what_a_value_has_room_for(tmp_path: Path) -> None:
    """Its variable has the room: no frame, value or result gets larger, and a position is copied by the items that are there."""
    path = tmp_path / "past.yaml"
    path.write_text(HISTORY)
    games = [interpreter.Game(rulespec.load(path), backend=backend) for backend in ("native", "python")]
    native, python = (game.new_state(seed=1, undo=False, record=False) for game in games)
    for number in range(300):
        actions = native.legal_actions()
        assert actions == python.legal_actions()
        for state in (native, python):
            state.apply_action(actions[number * 7 % len(actions)])
        if number % 60 == 59:
            assert native.slots == python.slots
            assert native.clone() == native
    assert native.is_terminal() and python.is_terminal()
    assert games[0].handed_over == 0
    assert games[0].playout(3).slots == games[1].playout(3).slots
    text = source(games[0].program).text
    large = re.findall(r"typedef struct \{ int32_t n; \S+ a\[(\d{4,})\]; \} (R\d+);", text)
    assert len(large) == 2
    for _, kind in large:
        assert len(re.findall(rf"\b{kind} g\d+\[1\];", text)) == 1
        assert not re.search(rf"\b{kind} \w+[;=]", text), "a variable has all the room of a long list"


HANDED_ON = """\
rulespec: 1
id: handed_on
title: A list that is handed on
players: 2
boards: {Square: {square: 3 x 3}}
state:
  active: Player
  past: list of Square
  each_own: {is: list of Square, by: Player}
  total: {is: Number, by: [1..6]}
functions:
  doubled: {takes: {xs: list of Square}, is: "xs + xs"}
  ours: "each(s for s in past where s != b2)"
  weight: {takes: {xs: list of Square}, is: "size(xs) + count(xs, a1) + first(xs).row"}
procedures:
  kept:
    takes: {xs: list of Square}
    do:
      - {choose: t, by: active, from: Square}
      - {set: total(4), to: "total(4) + size(xs) + count(xs, t)"}
phases:
  game:
    do:
      - repeat: 150
        do:
          - {choose: s, by: active, from: Square}
          - {add: s, to: past}
          - {add: s, to: active.each_own}
          - let: all
            be: past + list(s)
          - {set: total(1), to: "total(1) + size(all) + count(all, s)"}
          - {set: total(2), to: "size(doubled(past)) + weight(all)"}
          - {set: total(3), to: "size(ours) + weight(ours + active.each_own + list(a1))"}
          - {kept: all}
          - {set: active, to: rival(active)}
      - win: first(most(p in players by size(p.each_own)))
        if: "total(1) + total(2) + total(3) + total(4) > 0"
"""


@NEEDS_C
def test_long_lists_are_values_in_c_too(tmp_path: Path) -> None:
    """A name, an argument, a result, and what a procedure keeps while somebody is asked."""
    path = tmp_path / "handed_on.yaml"
    path.write_text(HANDED_ON)
    native, python = (interpreter.Game(rulespec.load(path), backend=backend) for backend in ("native", "python"))
    one, two = native.playout(4), python.playout(4)
    assert one.slots == two.slots and one.decisions == two.decisions == 300
    assert native.handed_over == 0


@NEEDS_C
@pytest.mark.parametrize("undo", [True, False])
def test_copies_that_are_kept_come_back_as_they_were(tmp_path: Path, undo: bool) -> None:
    """Each is put away when the next is made; it is equal to its position, goes on alike, and can be copied and taken back."""
    path = tmp_path / "past.yaml"
    path.write_text(HISTORY)
    native, python = (
        interpreter.Game(rulespec.load(path), backend=backend).new_state(seed=1, undo=undo, record=False)
        for backend in ("native", "python")
    )
    kept = []
    for number in range(40):
        kept.append((native.clone(), python.clone()))
        for state in (native, python):
            state.apply_action(native.legal_actions()[number * 7 % 9])
    for one, other in kept:
        again = one.clone()
        assert one.backend == again.backend == "native" and one.slots == again.slots == other.slots
        for state in (one, other):
            state.apply_action(other.legal_actions()[0])
        assert one.slots == other.slots and one.legal_actions() == other.legal_actions()
        if undo:
            one.undo()
            assert one.slots == again.slots


@NEEDS_C
@pytest.mark.parametrize(("name", "most"), [("tic_tac_toe", 250), ("chess", 1000)])
def test_a_position_is_put_away_in_as_few_bytes_as_it_has(name: str, most: int) -> None:
    """Of chess, with the positions that may come back, of which each is a record with its hash."""
    game, _ = pair(ROOT / "games" / name, 2)
    assert game.switch is not None and game.switch.loaded is not None
    object = ctypes.CDLL(str(game.switch.loaded.built.path))
    object.rs_size.restype = object.rs_pack.restype = object.rs_export.restype = ctypes.c_int64
    rooms = [ctypes.create_string_buffer(object.rs_size() + 16) for _ in range(3)]
    here, there, back = (ctypes.c_void_p(ctypes.addressof(room) + 15 & ~15) for room in rooms)
    actions, largest, chance = (ctypes.c_int32 * 512)(), 0, random.Random(3)

    def numbers(block: ctypes.c_void_p) -> list[int]:
        room = (ctypes.c_int64 * object.rs_most_numbers())()
        return room[: object.rs_export(block, room, ctypes.c_int64(len(room)))]

    assert object.rs_new(here, ctypes.c_uint64(1), 1) == 0
    for _ in range(80):
        count = object.rs_legal(here, -100, actions, 512)
        if count <= 0 or object.rs_apply(here, there, -100, actions[chance.randrange(count)]):
            break
        here, there = there, here
        packed = ctypes.create_string_buffer(object.rs_pack(here, None))
        assert object.rs_pack(here, packed) == len(packed)
        ctypes.memset(back, 0xA5, object.rs_size())  # whatever was there before
        object.rs_unpack(packed, back)
        assert numbers(back) == numbers(here)
        largest = max(largest, len(packed))
    assert 0 < largest <= most


def test_variables_that_are_lists_share_their_room() -> None:
    """A position may lie on the stack of a thread: with many such variables none is longer than a value."""
    few, wide = Row(MOST_ITEMS, NUMBER, "int8_t"), Row(MOST_ITEMS, Row(MOST_ITEMS, NUMBER, "int64_t"), "")
    assert grown(few, 1).most == MOST_KEPT and outsized(grown(few, 1))
    assert 10 * room(grown(replace(few, store="int64_t"), 10)) <= BYTES_OF_ALL
    assert grown(few, 1000) == few and grown(wide, 1) == wide
