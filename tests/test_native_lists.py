"""Lists with room for many items: the C copies those that are there."""

from __future__ import annotations

import re

import pytest

import interpreter
from interpreter.native.emitter.forms import NUMBER, SHORT, Row, assigned, block_of
from interpreter.native.emitter.program import source
from tests.helpers.games import fewest_and_most, loaded

LONG, FEW = Row(SHORT + 1, NUMBER, "int8_t"), Row(SHORT, NUMBER, "int8_t")


@pytest.mark.parametrize(
    ("code", "parts"),
    [
        ("({R1 o; o.n=0; o;})", ("R1 o; o.n=0; ", "o")),
        ("({FUEL(S,12); ({R1 o; f(({V x=1; x;})); o;});})", ("FUEL(S,12); R1 o; f(({V x=1; x;})); ", "o")),
        ("({FUEL(S,12); o+1;})", None),
        ("({V c=1; c;})?({R1 o; o;}):({R1 p; p;})", None),
        ("(a.b)", None),
        ("({R1 o; o.n;})", None),
    ],
)
def test_a_block_is_opened_only_where_it_ends_with_its_value(code: str, parts: tuple[str, str] | None) -> None:
    assert block_of(code) == parts


def test_a_long_list_is_copied_item_by_item_and_everything_else_as_it_was() -> None:
    assert assigned("to", "from", LONG) == "ROW(to,from);"
    assert assigned("f->l1", "S->ret2.v", LONG) == "ROW(f->l1,S->ret2.v);"
    assert assigned("to", "({R1 o; o;})", LONG) == "{R1 o; ROW(to,o);}"
    assert assigned("to", "(R1){0}", LONG) == "to=(R1){0};"
    assert assigned("to", "({R1 o; o;})", FEW) == "to=({R1 o; o;});"


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
