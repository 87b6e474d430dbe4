"""What is public, and what is in information states: small games of `tests/public`, all ways through them, and what people would know.

What somebody would know is told here by a function of the answers that were given, which looks at no view: two ways have one
information state exactly where it is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

import rulespec
from interpreter import State
from interpreter.runtime.values import CHANCE
from tests.helpers.games import loaded
from tests.helpers.places import ROOT

Answers = tuple[tuple[str, str], ...]  # who answered what, in order


def game(name: str) -> rulespec.Game:
    return rulespec.Game(loaded(ROOT / f"tests/public/{name}.yaml"), backend="python")


def ways(state: State, answers: Answers = ()) -> Iterator[tuple[State, Answers]]:
    """Every position of a game that can come about, with the answers that lead there."""
    yield state, answers
    if state.is_terminal():
        return
    player = state.current_player()
    for action in state.legal_actions(player):
        answer = state.seat_name(player), state.action_to_string(action, player)
        yield from ways(state.child(action), (*answers, answer))


def own(answers: Answers, seat: str | None) -> tuple[str, ...]:
    """What a seat answered."""
    return tuple(answer for who, answer in answers if who == seat)


def given(answers: Answers, by: str, at: int) -> str | None:
    """What somebody answered, the how manieth time; None where he did not."""
    said = own(answers, by)
    return said[at] if at < len(said) else None


def chance(answers: Answers, at: int) -> str | None:
    return given(answers, "chance", at)


# For each game: the seat (None: who watches), and what it knows once all was drawn or answered that the function looks at.
KNOWS: dict[str, tuple[str, int | None, Callable[[Answers], object]]] = {
    "the one who throws knows the face": ("throw", 0, lambda a: (chance(a, 0), given(a, "p1", 0), ends(a, 3))),
    "the other knows the first face": ("throw", 1, lambda a: (chance(a, 0), given(a, "p1", 0), ends(a, 3))),
    "who watches knows the first face": ("throw", None, lambda a: (chance(a, 0), given(a, "p1", 0), ends(a, 3))),
    "who is told the number knows it": ("said", 1, lambda a: (given(a, "p1", 0), given(a, "p2", 0))),
    "who is told less knows less": ("said", 2, lambda a: (less(a), "p2" in dict(a), given(a, "p3", 0))),
    "who watches knows what all were told": ("said", None, lambda a: (less(a), "p2" in dict(a), "p3" in dict(a))),
    "lines of a loop are told one by one": ("twice", 1, lambda a: (chance(a, 0), chance(a, 1), given(a, "p2", 0))),
    "one's own look is one's own": ("two_looks", 0, lambda a: looked(a, "p1")),
    "another's look is his": ("two_looks", 1, lambda a: looked(a, "p2")),
    "two looks in secret are not public": ("two_looks", None, lambda a: looked(a, None)),
    "what all see by a public rule is public": ("by_rule", None, lambda a: (len(a), opened(a))),
    "what one sees by a rule is one's own": ("by_rule", 0, lambda a: (own(a, "p1"), len(a), opened(a), side(a, "p1"))),
    "an owner knows what all were shown": ("own", 0, lambda a: (hand(a, 2), chance(a, 2), given(a, "p1", 0))),
    "others know what they were shown": ("own", 1, lambda a: (chance(a, 2), "p1" in dict(a))),
    "the order of one deal is not known": ("dealt", 0, lambda a: (hand(a, 2), given(a, "p1", 0))),
    "the order of two deals is known": ("one_by_one", 0, lambda a: (chance(a, 0), chance(a, 2), given(a, "p1", 0))),
    "who is refused knows that it is asked again": ("refused", 0, lambda a: refused(a, "p1")),
    "nobody else knows how often it is asked": ("refused", 1, lambda a: (asked(a, "p2"), given(a, "p2", 0))),
}


def ends(answers: Answers, number: int) -> object:
    """The last face, once so many answers were given."""
    return answers[-1] if len(answers) == number else len(answers)


def less(answers: Answers) -> object:
    """What the third player is told of a number."""
    number = given(answers, "p1", 0)
    return None if number is None else number == "1"


def looked(answers: Answers, seat: str | None) -> object:
    """What a seat knows that may have looked at the card: what it chose, which question is asked, and the card if it saw it."""
    said = dict(answers)
    shown = given(answers, "p1", 1)
    saw = shown == "yes" or (seat is not None and given(answers, seat, 0) == "yes")
    return len(answers), own(answers, seat), said.get("chance") if saw else None, shown


def opened(answers: Answers) -> str | None:
    """The card that was opened for all, in the game of cards that are seen by rule."""
    return chance(answers, 0) if given(answers, "p1", 1) == "yes" else None


def side(answers: Answers, seat: str) -> str | None:
    """The other card, if a seat has looked at it."""
    return chance(answers, 1) if given(answers, seat, 0) == "yes" else None


def hand(answers: Answers, number: int) -> frozenset[str] | None:
    """The first cards, once all of them were drawn."""
    cards = own(answers, "chance")[:number]
    return frozenset(cards) if len(cards) == number else None


def asked(answers: Answers, seat: str) -> bool:
    """Whether it is a seat's turn, or was, in the game of refusals."""
    secret, guesses = chance(answers, 0), [answer for who, answer in answers if who == "p1"]
    return seat == "p2" and (secret in guesses or len(guesses) == 2)


def refused(answers: Answers, seat: str) -> object:
    """What the one who guesses knows: what it guessed, and whether the other is asked."""
    return own(answers, seat), asked(answers, "p2"), "p2" in dict(answers)


@pytest.mark.parametrize("name", KNOWS)
def test_two_ways_have_one_information_state_where_one_knows_the_same(name: str) -> None:
    """Looked at where somebody decides, and at the end without what the end itself tells."""
    spec, seat, knows = KNOWS[name]
    states: dict[object, set[str]] = {}
    known: dict[str, set[object]] = {}
    for state, answers in ways(game(spec).new_state(chance="explicit")):
        if state.is_terminal() or state.current_player() == CHANCE:
            continue
        text = state.information_state(seat)
        states.setdefault(knows(answers), set()).add(text)
        known.setdefault(text, set()).add(knows(answers))
    assert len(states) > 1
    assert not {what: texts for what, texts in states.items() if len(texts) > 1}
    assert not {text: what for text, what in known.items() if len(what) > 1}


@pytest.mark.parametrize("spec", ["throw", "said", "twice", "own", "dealt", "one_by_one", "refused"])
def test_vectors_tell_what_the_texts_tell(spec: str) -> None:
    made = game(spec)
    assert made.information_layout.perfect_recall
    for seat in range(made.num_players):
        texts: dict[bytes, str] = {}
        vectors: dict[str, bytes] = {}
        for state, _ in ways(made.new_state(chance="explicit")):
            if state.is_terminal():
                continue  # what the end gives is in no vector
            text = state.information_state(seat)
            vector = state.numbered().information_state_tensor(seat).tobytes()
            assert texts.setdefault(vector, text) == text and vectors.setdefault(text, vector) == vector


def test_best_play_with_a_throw_that_all_were_told_of() -> None:
    """Who sees the first face throws a 1, 2 or 3 again: worth 4.25, and 3.5 to who would not see it."""
    worths: dict[str, dict[str, list[Fraction]]] = {}
    for state, _ in ways(game("throw").new_state(chance="explicit")):
        if state.current_player() == 0:
            told = worths.setdefault(state.information_state(0), {})
            for action in state.legal_actions():
                after = state.child(action)
                told.setdefault(state.action_to_string(action), []).append(worth(after))
    assert len(worths) == 6
    best = [max(sum(each) / len(each) for each in told.values()) for told in worths.values()]
    assert sum(best) / 6 == Fraction(17, 4)


def worth(state: State) -> Fraction:
    """What the first player may expect where chance alone is asked."""
    if state.is_terminal():
        return Fraction(state.returns()[0])
    return sum((chance * worth(state.child(action)) for action, chance in state.chance_outcomes()), Fraction(0))


def test_what_each_saw_for_itself_is_on_no_table_of_who_watches() -> None:
    """Both have looked, and the table of who watches is as if nobody had; once all are shown the card, it is there."""
    tables: dict[bool, set[str]] = {}
    for state, answers in ways(game("two_looks").new_state(chance="explicit")):
        if len(answers) == 4 and not state.is_terminal():
            view = state.observation(None)
            shown = given(answers, "p1", 1) == "yes"
            tables.setdefault(shown, set()).add(str((view["zones"]["table"], view.get("known"), view.get("shown"))))
    assert tables[False] == {"(['?'], None, None)"}
    assert tables[True] == {f"(['{card}'], {{'{card}': 'table'}}, {{'{card}': 'table'}})" for card in ("red", "blue")}
