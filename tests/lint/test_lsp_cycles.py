"""A server looks for cycles after its answers, and leaves nothing behind for long."""

from __future__ import annotations

import gc
import weakref

import pytest

pytest.importorskip("pygls", reason="the language server is an extra")

from tools.lsp.cycles import MOST, Cycles


class Knot:
    """An object that uses itself."""

    def __init__(self) -> None:
        self.self = self


def test_cycles_go_in_a_rest_or_after_some_games_and_not_before() -> None:
    cycles = Cycles()
    try:
        assert not gc.isenabled()
        cycles.answered(1)
        gone = weakref.ref(Knot())
        for _ in range(MOST - 1):
            cycles.answered(1)
        assert gone() is not None
        cycles.answered(1)
        assert gone() is None
        gone = weakref.ref(Knot())
        cycles.rested()
        assert gone() is not None  # nothing was read since
        cycles.answered(1)
        cycles.rested()
        assert gone() is None
    finally:
        cycles.over()
    assert gc.isenabled() and gc.get_freeze_count() == 0
