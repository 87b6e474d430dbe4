"""What is kept for pieces that somebody does not see tells him of their places, and never which pieces lie there.

Of small games all deals are looked at: those that a seat is shown as the same are just those that it cannot tell apart by what the rules
show it.  So two cards that it does not see can be swapped, and nothing changes for it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import interpreter
import rulespec
from interpreter.batch import Batch
from interpreter.bots.basics import Chance
from interpreter.bots.guess import Guesses
from tests.helpers.native import NEEDS_C, native_on, pair  # noqa: F401
from tests.helpers.places import ROOT
from tools.view import describe

HEAD = """\
rulespec: 1
id: backs
players: 2
types: {{Colour: [red, blue]}}
pieces: {{Card: {{fields: {{colour: Colour}}, rows: {{a: [red], b: [blue], c: [red], d: [blue]}}}}}}
zones:
  deck: {{of: Card, order: shuffled, seen by: none, starts with: all}}
  hand: {{of: Card, per: Player, {hand}}}
state:
  per Card:
    touched: {{is: Yes or no, seen by: all}}
    rank: {{is: 0..9, seen by: all}}
phases:
  game:
    do:
      - {{deal: 2, from: deck, to: hand}}
      - for: c in p1.hand
        do:
          - {{set: c.touched, to: yes, if: c.colour == red}}
          - {{set: c.rank, to: 3}}
{more}
      - choose: place
        by: p1
        from: 1..2
"""
Deal = tuple[str, ...]


def game(tmp_path: Any, hand: str, more: str = "", backend: Any = "python") -> interpreter.Game:
    """A game in which cards that a hand shows to some are touched by their colours."""
    (tmp_path / "game.yaml").write_text(HEAD.format(hand=hand, more=more))
    return interpreter.Game(rulespec.load(tmp_path / "game.yaml"), players=2, backend=backend)


def deals(game: interpreter.Game) -> Iterator[tuple[Deal, Any]]:
    """Each order in which cards can be drawn, with the position where a player is asked."""
    waiting: list[tuple[Deal, Any]] = [((), game.new_state(chance="explicit"))]
    while waiting:
        drawn, state = waiting.pop()
        if state.current_player() != -1:
            yield drawn, state
            continue
        for action, _ in state.chance_outcomes():
            after = state.clone()
            word = state.action_to_string(action)
            after.apply_action(action)
            waiting.append(((*drawn, word), after))


VIEWS: dict[str, Callable[[Any, int], Any]] = {
    "observation": lambda state, seat: json.dumps(state.observation(seat)),  # the order of its entries counts
    "information state": lambda state, seat: state.information_state(seat),
    "vector": lambda state, seat: tuple(state.numbered().observation_tensor(seat)),
    "table": lambda state, seat: json.dumps(state.table(seat)),
    "text": lambda state, seat: tuple(describe(state.game, state.observation(seat))),
}


def classes(shown: dict[Deal, Any]) -> set[frozenset[Deal]]:
    """The deals that look the same."""
    out: dict[Any, set[Deal]] = {}
    for deal, view in shown.items():
        out.setdefault(view, set()).add(deal)
    return {frozenset(same) for same in out.values()}


def expected(states: dict[Deal, Any], knows: Callable[[Deal], Any]) -> set[frozenset[Deal]]:
    """The deals of which a player knows the same."""
    return classes({deal: knows(deal) for deal in states})


def hands(deal: Deal) -> tuple[Deal, Deal]:
    """The hands of p1 and p2: all but the last card is drawn by chance."""
    four = (*deal, *({*"abcd"} - {*deal}))
    return four[:2], four[2:]


def colours(hand: Deal) -> Deal:
    """What is seen of cards that are touched by colour."""
    return tuple("red" if card in "ac" else "blue" for card in hand)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("backend", ["reference", "python"])
def test_in_an_order_it_is_told_of_the_place(tmp_path: Any, view: str, backend: Any) -> None:
    found = game(tmp_path, "order: as laid, seen by: players - set(this)", backend=backend)
    states = dict(deals(found))
    assert len(states) == 24
    shown = classes({deal: VIEWS[view](state, 0) for deal, state in states.items()})
    assert shown == expected(states, lambda deal: (colours(hands(deal)[0]), hands(deal)[1]))
    shown = classes({deal: VIEWS[view](state, 1) for deal, state in states.items()})
    assert shown == expected(states, lambda deal: hands(deal)[0])


@pytest.mark.parametrize("view", VIEWS)
def test_without_an_order_it_is_told_of_nobody(tmp_path: Any, view: str) -> None:
    states = dict(deals(game(tmp_path, "seen by: players - set(this)")))
    shown = classes({deal: VIEWS[view](state, 0) for deal, state in states.items()})
    assert shown == expected(states, lambda deal: tuple(sorted(hands(deal)[1])))


@pytest.mark.parametrize("view", VIEWS)
def test_a_piece_that_was_looked_at_has_its_name(tmp_path: Any, view: str) -> None:
    more = '      - {reveal: "first(p1.hand)", to: p1}'
    states = dict(deals(game(tmp_path, "order: as laid, seen by: players - set(this)", more)))
    shown = classes({deal: VIEWS[view](state, 0) for deal, state in states.items()})
    assert shown == expected(states, lambda deal: (hands(deal)[0][0], colours(hands(deal)[0]), hands(deal)[1]))
    seen = next(iter(states.values())).observation(0)["state"]
    assert "touched.hand.p1.2" in seen and "touched.hand.p1.1" not in seen


def with_pebbles(tmp_path: Any) -> interpreter.Game:
    """A game in which a pebble lies on the first card of p1."""
    more = '      - {move: p, to: "on(first(p1.hand))"}'
    (tmp_path / "game.yaml").write_text(
        HEAD.format(hand="order: as laid, seen by: players - set(this)", more=more)
        .replace("pieces: {", "pieces: {Pebble: {rows: {p: {}}}, ")
        .replace("state:\n", "  box: {of: Pebble, starts with: all}\n  on: {of: Pebble, per: Card}\nstate:\n")
    )
    return interpreter.Game(rulespec.load(tmp_path / "game.yaml"), players=2)


def test_the_pieces_on_a_hidden_piece_lie_at_its_place(tmp_path: Any) -> None:
    states = dict(deals(with_pebbles(tmp_path)))
    for name, view in VIEWS.items():
        shown = classes({deal: view(state, 0) for deal, state in states.items()})
        assert shown == expected(states, lambda deal: (colours(hands(deal)[0]), hands(deal)[1])), name
    seen = next(iter(states.values())).observation(0)["zones"]
    assert seen["on.hand.p1.1"] == ["p"] and seen["on.hand.p1.2"] == []


def test_what_is_imagined_is_shown_as_what_is(tmp_path: Any) -> None:
    for found in (game(tmp_path, "order: as laid, seen by: players - set(this)"), with_pebbles(tmp_path)):
        guesses = Guesses(found)
        for seat in (0, 1):
            for seed, (_, state) in enumerate(deals(found)):
                imagined = guesses.position(state, seat, Chance(seed))
                assert imagined.observation(seat) == state.observation(seat)


@NEEDS_C
def test_as_c_a_seat_is_shown_the_same(tmp_path: Any) -> None:
    hand = "order: as laid, seen by: players - set(this)"
    one, two = game(tmp_path, hand, backend="native"), game(tmp_path, hand)
    batch = Batch(one, 8, seed=3, observations=True)
    width = len(two.observation_layout)
    for place, row in enumerate(bytes(batch.observations)[k : k + 4 * width] for k in range(0, 32 * width, 4 * width)):
        state = batch.state(place)
        assert row == state.numbered().observation_tensor(state.current_player()).tobytes()
    for seed in range(8):
        native, python = one.new_state(seed=seed, record=False, undo=False), two.new_state(seed=seed)
        for seat in (0, 1):
            assert native.observation(seat) == python.observation(seat)
            assert native.numbered().observation_tensor(seat) == python.numbered().observation_tensor(seat)
            assert native.table(seat)["zones"] == python.table(seat)["zones"]


@NEEDS_C
def test_c_fills_vectors_of_what_is_kept_for_cards_in_a_deck() -> None:
    native, python = pair(ROOT / "tests/conformance/play/tapped.yaml", 2)
    batch = Batch(native, 16, seed=5, observations=True, legal="lists")
    assert batch.plans is not None
    shown, width = set(), len(python.observation_layout)
    for step in range(14):
        for place in range(16):
            state = batch.state(place)
            other = python.position(state.slots, state.main)
            row = bytes(batch.observations)[4 * width * place : 4 * width * (place + 1)]
            vector = other.numbered().observation_tensor(other.current_player())
            assert row == vector.tobytes()
            shown |= {
                entry.name for entry, value in zip(python.observation_layout.entries, vector, strict=True) if value
            }
        legal = [batch.state(place).legal_actions() for place in range(16)]
        batch.step([one[(3 * step + place) % len(one)] for place, one in enumerate(legal)])
    assert {"tapped.a", "tapped.f", "power.f"} <= shown
