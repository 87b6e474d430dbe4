"""Lists with room for many items: the C copies those that are there."""

from __future__ import annotations

import re

import pytest

import interpreter
from interpreter.native.emitter.forms import NUMBER, SHORT, Block, Row, assigned
from interpreter.native.emitter.program import source
from tests.helpers.games import fewest_and_most, loaded

LONG, FEW = Row(SHORT + 1, NUMBER, "int8_t"), Row(SHORT, NUMBER, "int8_t")


def test_a_block_is_opened_where_it_is_known_to_be_one() -> None:
    block = Block("R1 o; o.n=0;", "o")
    assert block == "({R1 o; o.n=0; o;})"
    assert assigned("to", block, LONG) == "{R1 o; o.n=0; ROW(to,o);}"
    assert assigned("to", f"{block}", LONG) == "to=({R1 o; o.n=0; o;});"
    assert assigned("to", f"(c?{block}:{block})", LONG) == "to=(c?({R1 o; o.n=0; o;}):({R1 o; o.n=0; o;}));"


def test_a_long_list_is_copied_item_by_item_and_everything_else_as_it_was() -> None:
    assert assigned("to", "from", LONG) == "ROW(to,from);"
    assert assigned("f->l1", "S->ret2.v", LONG) == "ROW(f->l1,S->ret2.v);"
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
