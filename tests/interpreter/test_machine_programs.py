"""The programs built by hand play: a first look at each."""

from __future__ import annotations

from tests.helpers.programs import cards, nested


def test_the_programs_play_to_their_end() -> None:
    for game in (nested(), cards()):
        state = game.playout(7, record=True)
        assert state.is_terminal()
        assert state == game.playout(7)
