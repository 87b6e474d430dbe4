"""Games of tricks, ours and a judge's, in step: the same answers to each question, the same scores at the end."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from interpreter import Game
from interpreter.runtime.visibility import EVERYTHING

from .beside import Beside
from .cards import Table, Whole

Judge = Callable[[Table, int], Whole]


def table_of(state: Any) -> Table:
    """What a judge may ask of a game of ours, which is chance's work: where cards lie, which were drawn, and which suit was shown."""

    def zones() -> dict[str, list[str]]:
        seen = state.observation(EVERYTHING)
        several = {name: value for name, value in seen["state"].items() if isinstance(value, list)}
        return {**seen["zones"], **several, "trump": [seen["state"]["trump"]]}

    return zones


def by_chance(state: Any, dice: random.Random, told: list[str]) -> None:
    """Chance does what it has to do."""
    while not state.is_terminal() and state.is_chance_node():
        action = dice.choice([one for one, _ in state.chance_outcomes()])
        told.append(state.action_to_string(action))
        state.apply_action(action)


def replayed(game: Game, text: str) -> str:
    """A recorded game as ours tells it: up to the first answer that it does not have, which is left out, or to the scores."""
    state, told = game.new_state(chance="explicit", undo=False, record=False), list[str]()
    for entry in text.partition(" = ")[0].split():
        _, _, answer = entry.rpartition(":")
        seat = next(iter(state.pending_players()), -1)
        legal = {state.action_to_string(one, seat): one for one in state.legal_actions(seat)}
        if answer not in legal:
            break
        told.append(answer if state.is_chance_node() else f"{len(legal)}:{answer}")
        state.apply_action(legal[answer], seat)
    return " ".join([*told, "=", *map(str, state.returns())]) if state.is_terminal() else " ".join(told)


def one_game(found: Beside, game: Game, judge: Judge, seed: int) -> list[str]:
    """A game by this seed, up to its end or the first difference: what chance does, and answers after the number of legal ones."""
    dice, told = random.Random(seed), list[str]()
    state = game.new_state(chance="explicit", undo=False, record=False)
    play = judge(table_of(state), game.program.players)
    by_chance(state, dice, told)
    try:
        asked = next(play)
        while True:
            found.positions += 1
            if asked.player not in state.pending_players():
                found.differs(f"seed {seed}: seat {asked.player + 1} is asked there, and not here", told)
                return told
            ours = {state.action_to_string(one, asked.player): one for one in state.legal_actions(asked.player)}
            found.moves += len(ours)
            if ours.keys() != asked.legal:
                less, more = sorted(asked.legal - ours.keys()), sorted(ours.keys() - asked.legal)
                found.differs(f"seed {seed}: not here: {less}; only here: {more}", told)
                return told
            answer = dice.choice(sorted(ours))
            told.append(f"{len(ours)}:{answer}")
            state.apply_action(ours[answer], asked.player)
            by_chance(state, dice, told)
            asked = play.send(answer)
    except StopIteration as end:
        if not state.is_terminal() or state.returns() != end.value:
            ours_now = state.returns() if state.is_terminal() else "not over"
            found.differs(f"seed {seed}: {ours_now} here, and there {end.value}", told)
        told += ["=", *map(str, end.value)]
    return told
