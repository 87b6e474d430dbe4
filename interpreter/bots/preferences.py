"""A player that follows preferences that somebody wrote: data, see `rulespec.bots.data`."""

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

NOT_MEANT = (0, 0, 0)
Key = tuple[tuple[int, int, int], ...]


class PreferenceBot:
    """Chooses what it prefers; what its preferences leave open is chosen at random, or by a search whose playouts follow them too.

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
        """The actions that the preferences leave."""
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
        """Whether one of the procedures runs that a preference is about."""
        if not preference.within:
            return True
        wanted: set[int] = set().union(*(self.procedures.get(name, set()) for name in preference.within))
        points = self.game.program.points
        return any(points[frame[0]].procedure in wanted for frame in running(state, question))

    def narrowed(self, asked: RatedQuestion, preferences: list[Preference], left: list[int]) -> list[int]:
        """The actions that are left when each preference in turn has kept those it likes best."""
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
        """Where several items are chosen, one question each in their order: what leads to the best of them together.

        Empty where it is no such choice, or where the preferences leave all open.
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
        better = [value for value in ranked if keys[value] > keys[None]]  # than to stop
        if None in actions and not better:
            return [actions[None], *(actions[v] for v in ranked if keys[v] == keys[None] and v in actions)]
        wanted = set(ranked[: min(asked.most, max(len(better), asked.least))])
        first = next((value for value in asked.following if value in wanted and value in actions), None)
        if first is None:  # what is wanted may not come first: something must be taken before
            best = max(keys[value] for value in actions)
            return [action for value, action in actions.items() if keys[value] == best]
        return [actions[first]]

    def bag(self, asked: RatedQuestion, preferences: list[Preference]) -> list[int]:
        """How many of one kind: as many as are left for it when there have been enough of the kinds that are liked better."""
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
    """The frames that wait, the innermost first; of sealed choices also those behind them."""
    for top in (question.frame, *([state.slots[ir.CONTROL]] if question.child is not None else [])):
        frame = top
        while frame is not None:
            yield frame
            frame = frame[1]


class RatedQuestion:
    """A question as a bot looks at it: what each option is worth to a preference."""

    def __init__(self, judge: Judge, question: Question, legal: dict[int, Any]) -> None:
        self.judge = judge
        self.question = question
        self.legal = legal
        self.site = question.site
        self.names: dict[Any, str] = {}
        self.arguments: tuple[Any, ...] = ()
        L = question.locals()
        S = question.slots
        if self.site.arguments:
            self.arguments = tuple(argument(S, L) for argument in question.code.arguments)
        compiler = question.machine.compiler
        self.bag: tuple[Any, ...] | None = None
        self.following: list[Any] | None = None
        self.least = self.most = 0  # that are still to be chosen
        items = self.site.items
        if isinstance(items, ir.Op) and items.name == "bag_amounts":
            self.bag = tuple(compiler.expr(part)(S, L) for part in items.args)
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
        """The name of an option."""
        if value not in self.names:
            self.names[value] = self.question.name(value)
        return self.names[value]

    def wish(self, preference: Preference, value: Any) -> Wish | None:
        """What a preference says of options such as this."""
        wishes = preference.at[self.site.index]
        return wishes.get(value[0] if self.added(value) else None)

    def counts(self, preference: Preference) -> bool:
        """Whether a preference says how many of a kind there should be."""
        wish = self.wish(preference, 0)
        return wish is not None and wish.count is not None

    def added(self, value: Any) -> bool:
        """Whether a rule added an option to a menu."""
        return isinstance(value, tuple) and self.question.code.is_rule(value)

    def worth(self, formula: Formula, value: Any, kind: int | None = None) -> Any:
        """What an expression gives for an option; None where it speaks of an option and this is only a word.

        Where it is asked how many of a kind, it speaks of that kind, or of another.
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
        given = (self.question.seat, *self.arguments, *arguments)
        size = self.judge.compiler.sources[formula.function].parameters
        return self.judge.value(formula.function, formula.span, self.question.slots, *given[:size])

    def key(self, preference: Preference, value: Any, kind: int | None = None) -> tuple[int, int, int]:
        """How much a preference likes an option: not at all, or by which of its names, and how high."""
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
        """How likely a preference makes an option; None where it says nothing of that."""
        wish = self.wish(preference, value)
        if wish is None or wish.weight is None:
            return None
        weight: int | None = self.worth(wish.weight, value)
        return 0 if weight is None else weight

    def called(self, value: Any, word: str) -> bool:
        """Whether an option has a name, or is one of those that a rule of that name adds."""
        name = self.name(value)
        return name == word or (self.added(value) and name.startswith(f"{word}."))
