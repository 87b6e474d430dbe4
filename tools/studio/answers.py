"""The answers of a game given again in another version of it, as far as they fit."""

from __future__ import annotations

from interpreter import CHANCE, Fault, Game, IllegalAction, State
from interpreter.files import transcript
from interpreter.files.transcript import Answer
from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked

CHANCE_NAME = "chance"  # who draws, in a transcript
MOST_FORCED = 1000  # answers between two of people, where there was one only


@dataclass(frozen=True, slots=True)
class Replayed:
    """A position, how many answers led there, and why the next does not fit; empty where all do."""

    state: State
    given: int
    why: str = ""


def all_answers(state: State) -> tuple[Answer, ...]:
    """The answers that led to a position, chance's too, the first one first; raises Fault and RulespecError."""
    return transcript.read(transcript.write(state)).answers


def answers_of(state: State) -> tuple[Answer, ...]:
    """Those of people and bots; raises Fault and RulespecError."""
    return tuple(one for one in all_answers(state) if one.by != CHANCE_NAME)


def replayed(game: Game, seed: int, answers: tuple[Answer, ...]) -> Replayed:
    """Answers given in a game from its beginning; raises Fault where not even that can be played."""
    state = game.new_state(seed)
    for number, answer in enumerate(answers):
        before = state.clone()
        try:
            why = given(game, state, answer)
        except IllegalAction as problem:
            why = problem.diagnostic.message
        except Fault as fault:
            why = f"the rules fail there: {fault.diagnostic.message}"
        if why:
            return Replayed(before, number, f"answer {number + 1}, {ticked(answer.answer)} of {answer.by}: {why}")
    return Replayed(state, len(answers))


def given(game: Game, state: State, answer: Answer) -> str:
    """Give one answer; why it does not fit, empty where it does.  Raises IllegalAction and Fault."""
    if answer.by not in game.seats:
        return "there is no such seat any more"
    seat = game.seats.index(answer.by)
    for _ in range(MOST_FORCED):
        if state.is_terminal():
            return "the game is over before"
        question = state.question(seat)
        if question is not None and question.site.name == answer.at:
            state.apply_action(state.string_to_action(answer.answer, seat), seat)
            return ""
        forced = only_answer(state)
        if forced is None:
            break
        state.apply_action(forced[0], forced[1])
    asked = state.question(seat)
    return f"{answer.by} is not asked {ticked(answer.at)}" + (f" but {ticked(asked.site.name)}" if asked else "")


def only_answer(state: State) -> tuple[int, int] | None:
    """The answer that is given of itself, with its seat; None where somebody chooses."""
    pending = [seat for seat in state.pending_players() if seat != CHANCE]
    if len(pending) != 1 or state.is_chance_node():
        return None
    legal = state.legal_actions(pending[0])
    return (legal[0], pending[0]) if len(legal) == 1 else None
