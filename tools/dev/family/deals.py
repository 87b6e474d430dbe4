"""Games of tricks, ours and a judge's, in step: the same answers to each question, the same scores at the end."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from interpreter import Game
from interpreter.runtime.visibility import EVERYTHING

from .beside import Beside
from .cards import Table, Whole

Judge = Callable[[Table], Whole]


def table_of(state: Any) -> Table:
    """What a judge may ask of a game of ours, which is chance's work: where cards lie, and which suit was shown."""

    def zones() -> dict[str, list[str]]:
        seen = state.observation(EVERYTHING)
        return {**seen["zones"], "trump": [seen["state"]["trump"]]}

    return zones


def played(game: Game, judge: Judge, games: int, most: int = 3) -> Beside:
    """So many random games; it ends at so many differences."""
    found = Beside()
    for seed in range(games):
        one_game(found, game, judge, seed)
        found.games += 1
        if len(found.differences) >= most:
            break
    return found


def one_game(found: Beside, game: Game, judge: Judge, seed: int) -> list[str]:
    """A game by this seed, up to its end or the first difference: its answers, each after the number of those that were legal."""
    dice, state, told = random.Random(seed), game.new_state(seed=seed, undo=False, record=False), list[str]()
    play = judge(table_of(state))
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
            asked = play.send(answer)
    except StopIteration as end:
        if not state.is_terminal() or state.returns() != end.value:
            ours_now = state.returns() if state.is_terminal() else "not over"
            found.differs(f"seed {seed}: {ours_now} here, and there {end.value}", told)
    return told
