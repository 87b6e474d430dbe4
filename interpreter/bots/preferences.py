"""A player that follows the preferences of a file (see `rulespec.bots.data`).

Example: of the options red_2, red_4 and none, `avoid: none` leaves red_2 and red_4, and then `score: card.value` leaves red_4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.bots.basics import Chance
from interpreter.bots.guess import Guesses
from interpreter.bots.judge import Judge
from interpreter.bots.search import SearchBot
from interpreter.game import Game, State
from interpreter.questions import Question
from interpreter.runtime.values import Frame
from interpreter.runtime.windows import instance
from rulespec import ir
from rulespec.bots.data import Formula, Policy, Preference, Wish
from rulespec.ir.counts import amounts

NOT_MEANT = (0, 0, 0)
Key = tuple[tuple[int, int, int], ...]


class PreferenceBot:
    """Chooses by its preferences; between options that they leave, at random or by a search whose playouts follow them too.

    Raises RulespecError B007 where an expression has no value.
    """

    def __init__(self, game: Game, policy: Policy, judge: Judge, seed: int, guesses: Guesses | None = None) -> None:
        self.game = game
        self.judge = judge
        self.chance = Chance(seed)
        search = policy.playouts is not None
        self.behind = (
            SearchBot(game, policy, judge, seed ^ 1, guesses, self if policy.preferences else None) if search else None
        )
        self.at: dict[int, list[Preference]] = {}
        for preference in policy.preferences:
            for site in preference.at:
                self.at.setdefault(site, []).append(preference)
        names: dict[str, set[int]] = {}
        for number, procedure in enumerate(game.program.procedures):
            names.setdefault(procedure.name, set()).add(number)
        self.procedures = names

    def choose(self, state: State, player: int | None = None) -> int:
        """An action for a player who is asked, or the current one."""
        question = state.asked(player)
        left = self.left(state, question)
        if len(left) > 1 and self.behind is not None:
            return self.behind.best(state, question.seat, left)
        return self.chance.one_of(left)

    def left(self, state: State, question: Question) -> list[int]:
        """The legal actions that remain after all preferences."""
        legal = state.legal(question)
        left: list[int] = list(legal)
        if len(left) == 1:
            return left
        preferences = [p for p in self.at.get(question.site.index, ()) if self.runs(p, state, question)]
        if preferences:
            asked = RatedQuestion(self.judge, question, legal)
            left = self.several(asked, preferences) or self.narrowed(asked, preferences, left)
        return left

    def runs(self, preference: Preference, state: State, question: Question) -> bool:
        """Whether a preference applies: one of the procedures under its `in` is running."""
        if not preference.within:
            return True
        wanted: set[int] = set().union(*(self.procedures.get(name, set()) for name in preference.within))
        points = self.game.program.points
        return any(points[frame[0]].procedure in wanted for frame in running(state, question))

    def narrowed(self, asked: RatedQuestion, preferences: list[Preference], left: list[int]) -> list[int]:
        """The actions that remain when each preference in turn has kept those that it rates best."""
        for preference in preferences:
            if len(left) == 1:
                break
            keys = [asked.key(preference, asked.legal[action]) for action in left]
            best = max(keys)
            if best[0] == 0:
                continue
            left = [action for action, key in zip(left, keys, strict=True) if key == best]
            weights = [asked.weight(preference, asked.legal[action]) for action in left]
            if len(left) > 1 and None not in weights:
                left = [self.chance.weighted(left, [w for w in weights if w is not None])]
        return left

    # --- choices of several items -----------------------------------------------------------------------------------
    def several(self, asked: RatedQuestion, preferences: list[Preference]) -> list[int]:
        """Where several items are chosen by one question each, in ascending order: the actions that lead to the best selection.

        Empty where it is no such choice, or where the preferences rate all alike.
        """
        if asked.bag is not None:
            return self.bag(asked, preferences)
        if asked.following is None:
            return []
        values = (*asked.following, *asked.legal.values(), None)
        keys: dict[Any, Key] = {value: tuple(asked.key(p, value) for p in preferences) for value in values}
        if len(set(keys.values())) <= 1:
            return []
        actions = {value: action for action, value in asked.legal.items()}
        ranked = sorted(self.chance.shuffled(asked.following), key=lambda value: keys[value], reverse=True)
        better = [value for value in ranked if keys[value] > keys[None]]  # than stopping
        if None in actions and not better:
            return [actions[None], *(actions[v] for v in ranked if keys[v] == keys[None] and v in actions)]
        wanted = set(ranked[: min(asked.most, max(len(better), asked.least))])
        first = next((value for value in asked.following if value in wanted and value in actions), None)
        if first is None:  # the best may not be legal yet: another item must be taken first
            best = max(keys[value] for value in actions)
            return [action for value, action in actions.items() if keys[value] == best]
        return [actions[first]]

    def bag(self, asked: RatedQuestion, preferences: list[Preference]) -> list[int]:
        """How many of one kind to take, after enough of the kinds that are rated higher."""
        named = [p for p in preferences if p.choose or p.avoid or asked.counts(p)]
        others = [p for p in preferences if p not in named]
        left = self.narrowed(asked, named, list(asked.legal))
        if len(left) < len(asked.legal):
            return left
        assert asked.bag is not None
        chosen, everything, kind, _, most = asked.bag
        liked = {k: tuple(asked.key(p, None, k) for p in others) for k, n in enumerate(everything) if n and k >= kind}
        if len(set(liked.values())) <= 1:
            return []
        room = most - sum(chosen)
        for other, key in liked.items():
            if key > liked[kind]:
                room -= everything[other]
        wanted = min(max(room, 0), everything[kind])
        near = min(abs(value - wanted) for value in asked.legal.values())
        return [action for action, value in asked.legal.items() if abs(value - wanted) == near][-1:]


def running(state: State, question: Question) -> Iterator[Frame]:
    """The waiting frames, the innermost first; of sealed choices also those of the procedure that asks for them."""
    for top in (question.frame, *([state.slots[ir.CONTROL]] if question.child is not None else [])):
        frame = top
        while frame is not None:
            yield frame
            frame = frame[1]


class RatedQuestion:
    """A question with how a preference rates its options."""

    def __init__(self, judge: Judge, question: Question, legal: dict[int, Any]) -> None:
        self.judge = judge
        self.question = question
        self.legal = legal
        self.site = question.site
        self.names: dict[Any, str] = {}
        self.arguments: tuple[Any, ...] = ()
        L = question.locals()
        S = question.slots
        self.locals = tuple(L)
        if self.site.arguments:
            self.arguments = tuple(argument(S, L) for argument in question.code.arguments)
        compiler = question.machine.compiler
        self.bag: tuple[Any, ...] | None = None
        self.following: list[Any] | None = None
        self.least = self.most = 0  # that are still to be chosen
        parts = amounts(self.site.items)
        if parts is not None:
            self.bag = tuple(compiler.expr(part)(S, L) for part in parts)
        last = next((n for n, r in enumerate(self.site.reasons) if isinstance(r.test, ir.Completable)), None)
        if last is not None:
            test = self.site.reasons[last].test
            assert isinstance(test, ir.Completable)
            L[self.site.item] = None
            taken = len(compiler.expr(test.chosen)(S, L)) - 1  # without the one that is looked at
            self.least, self.most = (compiler.expr(part)(S, L) - taken for part in (test.low, test.high))
            tests = [check for n, check in enumerate(question.code.checks) if n != last]
            self.following = []
            for _, value in question.candidates():
                if value is None:
                    continue
                L[self.site.item] = value
                if all(check(S, L) for check in tests):
                    self.following.append(value)

    def name(self, value: Any) -> str:
        """The name of an option, as cases write it."""
        if value not in self.names:
            self.names[value] = self.question.name(value)
        return self.names[value]

    def wish(self, preference: Preference, value: Any) -> Wish | None:
        """The wish of a preference for options of this kind; None if it has none."""
        wishes = preference.at[self.site.index]
        return wishes.get(value[0] if self.added(value) else None)

    def counts(self, preference: Preference) -> bool:
        """Whether a preference has a `count`."""
        wish = self.wish(preference, 0)
        return wish is not None and wish.count is not None

    def added(self, value: Any) -> bool:
        """Whether an option was added to a menu by a rule."""
        return isinstance(value, tuple) and self.question.code.is_rule(value)

    def worth(self, formula: Formula, value: Any, kind: int | None = None) -> Any:
        """The value of an expression for an option; None where it reads the option and this option is only a word.

        Where the question is how many of a kind, the option is that kind, or the one given.
        """
        arguments: tuple[Any, ...] = ()
        if self.added(value):
            arguments = instance(value[1])
        elif self.bag is not None:
            arguments = (self.bag[2] if kind is None else kind,)
        else:
            arguments = (value,)
            if value is None and formula.about:
                return None
        held = (self.locals[local] for local in formula.locals)
        given = (self.question.seat, *self.arguments, *held, *arguments)
        size = self.judge.compiler.sources[formula.function].parameters
        return self.judge.value(formula.function, formula.span, self.question.slots, *given[:size])

    def key(self, preference: Preference, value: Any, kind: int | None = None) -> tuple[int, int, int]:
        """The rating of an option as a key to be compared, the highest being best: whether it fits, the place of its name, its score."""
        wish = self.wish(preference, value)
        if wish is None or (wish.test is not None and not self.worth(wish.test, value, kind)):
            return NOT_MEANT
        place = 0
        if preference.choose:
            rank = next((n for n, word in enumerate(preference.choose) if self.called(value, word)), None)
            if rank is None:
                return NOT_MEANT
            place = -rank
        if preference.avoid and any(self.called(value, word) for word in preference.avoid):
            return NOT_MEANT
        if wish.count is not None and self.bag is not None:
            return 1, place, -abs(value - self.worth(wish.count, value))
        if wish.score is None:
            return 1, place, 0
        score = self.worth(wish.score, value, kind)
        return NOT_MEANT if score is None else (1, place, score)

    def weight(self, preference: Preference, value: Any) -> int | None:
        """The weight of an option; None where the preference has none."""
        wish = self.wish(preference, value)
        if wish is None or wish.weight is None:
            return None
        weight: int | None = self.worth(wish.weight, value)
        return 0 if weight is None else weight

    def called(self, value: Any, word: str) -> bool:
        """Whether a name means an option: its own, or that of the rule that adds it."""
        name = self.name(value)
        return name == word or (self.added(value) and name.startswith(f"{word}."))
