"""What a server sends to a seat is the same, byte by byte, in games that the seat cannot tell apart."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from interpreter import EVERYTHING, Game, State
from interpreter.testing.properties import shown
from interpreter.testing.properties.trial import LEAKS, LENGTH, Budget, Trial
from tests.helpers.games import bench_of, loaded
from tests.helpers.places import GAMES, ROOT
from tests.helpers.serving import Place, place
from tools.dev.load.player import Player
from tools.serve.messages import written
from tools.serve.storage import Home, Record
from tools.serve.tables import Table

SHIPPED = [folder.name for folder in GAMES]
TOGETHER = ROOT / "tests/conformance/play/together.yaml"


def sent(state: State, viewer: int | None) -> dict[str, str | None]:
    """All that a seat is sent of a position: the view, what leads there from the one before, what it gets by asking."""
    names = ["person"] * state.game.num_players
    before = state.clone()
    if before.past is not None:
        before.undo()
    table = Table(state.game, before, Record("", len(names), names, begun=True), Home(Path()))
    table.show(viewer)
    table.state, table.version = state, 1
    newest = table.show(viewer)
    texts: dict[str, str | None] = {"the view": newest.whole}
    if viewer is not None and state.pending().of(viewer) is not None:
        texts["the selection"] = written(table.selection_of(viewer, []))
        texts["what is ahead"] = written(table.looked_ahead(viewer))
    return texts


@pytest.mark.parametrize("name", SHIPPED)
def test_seats_are_sent_the_same_in_games_that_they_cannot_tell_apart(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = []

    def table_of(state: State, viewer: int | None) -> dict[str, Any]:
        compared.append(viewer)
        return sent(state, viewer)

    monkeypatch.setattr(shown, "table_of", table_of)
    gamedef = loaded(name)
    bench = bench_of(Game(gamedef, players=3 if 3 in gamedef.players else min(gamedef.players), backend="python"))
    trial = Trial(bench, 3, Budget(checked=4, twins=2, life=6, longest=10), LEAKS)
    failure = trial.at_random()
    assert failure is None or failure.property == LENGTH, failure
    assert compared or not bench.pairing.hides


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 60))


def views(player: Player) -> list[str]:
    """The frames of a player, but those that name his table."""
    return [frame for frame in player.frames or () if not frame.startswith(('{"type":"welcome"', '{"type":"presence"'))]


def other_deal(game: Game, first: int) -> int:
    """A seed by which the first of two players sees what he sees by another seed, and the second does not."""
    state = game.new_state(first)
    for seed in range(first + 1, 100):
        other = game.new_state(seed)
        if other.table(0) == state.table(0) and other.table(1) != state.table(1):
            return seed
    raise AssertionError("no such deal")


def test_frames_of_a_whole_connection_are_the_same_whatever_others_hold(tmp_path: Path) -> None:
    """Two deals that differ in the other player's card: byte by byte the same until it is shown."""

    async def bets(there: Place, seed: int) -> list[str]:
        """What the first player is sent while he passes, the other bets, and he is asked again.

        He is shown each position before the next answer: positions that follow fast are shown as one.
        """
        room = await there.table("kuhn_poker", players=2, seed=seed)
        async with there.player(room, "p1", keep=True) as one, there.player(room, "p2") as two:
            for player, action in ((one, 0), (two, 1)):
                await player.until(lambda me: me.asked)
                before = one.at
                assert (await player.answer(player.legal()[action], id="a"))["type"] == "ok"
                await one.until(lambda me, before=before: me.at != before)
            assert one.asked
            return views(one)

    async def work() -> None:
        async with place(tmp_path) as there:
            game = (await there.table("kuhn_poker", players=2)).table.game
            frames = await bets(there, 1), await bets(there, other_deal(game, 1))
            assert frames[0] == frames[1] and len(frames[0]) >= 3

    run(work())


def test_nothing_is_sent_to_others_when_a_sealed_answer_is_given(tmp_path: Path) -> None:
    async def sealed(there: Place, others: bool) -> list[str]:
        """What the first of three players is sent; `others` answer before him, or do not."""
        room = await there.table(str(TOGETHER), players=3)
        async with (
            there.player(room, "p1", keep=True) as one,
            there.player(room, "p2") as two,
            there.player(room, "p3") as three,
        ):
            for player in (one, two, three):
                await player.until(lambda me: me.view)
            for player in (two, three) if others else ():
                while player.asked:
                    before = player.at
                    assert (await player.answer(player.legal()[0]))["type"] == "ok"
                    await player.until(lambda me, before=before: me.at != before)
            before = one.at
            assert (await one.answer(one.legal()[0], id="mine"))["type"] == "ok"
            await one.until(lambda me: me.at != before)
            assert room.table.state.is_simultaneous()
            return views(one)

    async def work() -> None:
        async with place(tmp_path) as there:
            assert await sealed(there, False) == await sealed(there, True)

    run(work())


def test_a_server_that_shows_everything_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown, "table_of", sent)
    monkeypatch.setattr(Table, "table", lambda self, _viewer: State.table(self.state, EVERYTHING))
    bench = bench_of(Game(loaded("leduc_poker"), players=2, backend="python"))
    failures = [Trial(bench, seed, Budget(twins=4), LEAKS).at_random() for seed in range(4)]
    assert any(failure is not None and "the view" in failure.message for failure in failures)
