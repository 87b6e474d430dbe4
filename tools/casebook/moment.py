"""A stretch of a game that was played: where it begins, and the answers from there on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby
from typing import Any

from interpreter import CHANCE, Game, State
from interpreter.selection import Selection
from rulespec.system.records import dataclass

Entry = dict[str, Any]  # one entry of `play`
MOST_OFFERED = 8  # answers that are written as what is offered


@dataclass(frozen=True, slots=True)
class Given:
    """An answer: of whom (chance is -1), to which question, and its name.

    `last`: of a choice of several, after which no more of them is asked for.
    """

    seat: int
    site: str
    word: str
    last: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """A stretch: the answers before it, the position where it begins, the answers in it, and the position where it ends."""

    game: Game
    earlier: tuple[Given, ...]
    start: State
    answers: tuple[Given, ...]
    end: State


def moment(game: Game, state: State, first: int, count: int) -> Moment:
    """The stretch of a game that begins after `first` answers, chance's included, and is `count` answers of players long.

    What chance gives after the last of them, before somebody is asked again, belongs to it.
    """
    at = game.new_state(chance="explicit", main=state.main)
    earlier: list[Given] = []
    answers: list[Given] = []
    start, left = at.clone(), count
    for number, (actor, site, action, _) in enumerate(list(state.answers())[::-1]):
        if number == first:
            start = at.clone()
        if number >= first and actor != CHANCE and not left:
            break
        left -= number >= first and actor != CHANCE
        player = None if actor == CHANCE else actor
        word, several = at.action_to_string(action, player), None if player is None else Selection.of(at, player)
        at.apply_action(action, player)
        given = Given(actor, site or "", word, several is not None and not goes_on(several, at))
        (earlier if number < first else answers).append(given)
    return Moment(game, tuple(earlier), start if answers else at.clone(), tuple(answers), at)


def goes_on(several: Selection, state: State) -> bool:
    """Whether one more item of a choice of several is asked for, of which one has been given."""
    now = None if state.is_terminal() else Selection.of(state, several.seat)
    return now is not None and now.question.site == several.question.site and now.all(()) > several.all(())


def entries(seats: Sequence[str], answers: Sequence[Given]) -> Iterator[Entry]:
    """Answers as entries of `play`: those to one question after the other together, a choice of several apart from what follows."""
    pieces = list(accumulate((given.last for given in answers), initial=0))
    for (seat, *_), group in groupby(
        zip(answers, pieces, strict=False),
        lambda pair: (pair[0].seat, pair[0].seat != CHANCE and pair[0].site, pair[1]),
    ):
        words = [given.word for given, _ in group]
        yield {"chance" if seat == CHANCE else seats[seat]: words[0] if len(words) == 1 else words}


def asked(state: State) -> list[Entry]:
    """Who is asked what, and what is offered where that is little; that nobody is asked."""
    seats = [seat for seat in state.pending_players() if seat >= 0] if not state.is_terminal() else []
    told: list[Entry] = []
    for seat in seats:
        decision = state.decision(seat)
        name = state.setup.seats[seat]
        told.append({"asks": {name: decision.site}})
        legal = [option.name for option in decision.options if option.legal]
        if state.selection(seat) is None and 0 < len(legal) <= MOST_OFFERED:
            told.append({"offers": {name: legal}})
    return told or [{"asks": "nobody"}]
