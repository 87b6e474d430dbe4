"""The bots of a command: from the names of `--bot` to players, and the tallies at the end of a game."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from interpreter import Game
from interpreter.bots import AlphaBetaBot, Bot, Crew, Guesses, Judge, PreferenceBot, RandomBot, Solver
from interpreter.bots.alphabeta import MOST_POSITIONS, refusal
from interpreter.runtime import rng
from rulespec.bots.data import Policy, Tally
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics, RulespecError
from rulespec.text.numbers import whole
from rulespec.text.quoting import ticked

from .framework import Misuse

if TYPE_CHECKING:
    from rulespec.checker.program import CheckedGame
    from rulespec.ir import Type

RANDOM, SEARCH = "random", "search"
SEARCHES = (SEARCH, "ismcts")  # two names of one bot: the second is that of the literature
ALPHABETA = "alphabeta"
PLAYOUTS = 100  # of `search` without a number
MOST_DEPTH = 200  # of `alphabeta`
MOST_PLAYOUTS = 1_000_000
MOST_SECONDS = 3600.0
MOST_LOOKED = 10_000_000  # positions of `alphabeta` for a decision: they are kept
SECONDS = re.compile(r"(0|[1-9][0-9]{0,3})(\.[0-9]{1,3})?s")
POSITIONS = re.compile(r"([1-9][0-9]{0,7})p")
TALLY = "--tally"


@dataclass(slots=True)
class Count:
    """What a tally adds up to: the mean of a number, or how often each value came."""

    tally: Tally
    type: Type
    number: bool
    numbers: list[int] = field(default_factory=list)
    values: dict[str, int] = field(default_factory=dict)


@dataclass
class Seating:
    """The bots of a table by seat, and what is counted at the end of its games."""

    game: Game
    names: tuple[str, ...]
    policies: Mapping[str, Policy]
    judge: Judge
    counts: list[Count] = field(default_factory=list)

    @cached_property
    def guesses(self) -> Guesses:
        """What searches look at."""
        return Guesses(self.game)

    @cached_property
    def solvers(self) -> dict[int, Solver]:
        """What exact players that look at so many positions share: what one has worked out holds for all of them."""
        wanted = {policy.positions or MOST_POSITIONS for policy in self.policies.values() if policy.solves}
        return {most: Solver(self.game, most) for most in wanted}

    def crew(self, seed: int) -> Crew:
        """The players of one game; each has its own generator, seeded from the game's seed."""
        return Crew({seat: self.bot(name, rng.number(rng.mix(seed), seat)) for seat, name in enumerate(self.names)})

    def bot(self, name: str, seed: int) -> Bot:
        """A player."""
        if name == RANDOM:
            return RandomBot(seed)
        policy = self.policies[name]
        if policy.solves:
            return AlphaBetaBot(policy, self.solvers[policy.positions or MOST_POSITIONS], seed)
        return PreferenceBot(self.game, policy, self.judge, seed, None if policy.playouts is None else self.guesses)

    def count(self, slots: list[Any]) -> None:
        """Evaluate the tallies at the end of a game."""
        for count in self.counts:
            value = self.judge.value(count.tally.function, count.tally.span, slots)
            if count.number and value is not None:
                count.numbers.append(value)
            else:
                text = self.game.machine.printing.name(count.type, value)
                count.values[text] = count.values.get(text, 0) + 1


def seats_of(game: Game, wanted: tuple[str, ...], seat: Callable[[Game, str], int]) -> tuple[str, ...]:
    """The names of the bots by seat: those named for all, then those for a seat."""
    names = [RANDOM] * game.num_players
    for text in wanted:
        if "=" not in text:
            names = [text] * game.num_players
    for text in wanted:
        who, equals, name = text.partition("=")
        if equals:
            if not (who and name):
                raise Misuse(f"{ticked(text)} is not of the form SEAT=NAME", "--bot NAME, or --bot SEAT=NAME")
            names[seat(game, who)] = name
    return tuple(names)


def needs_checker(wanted: tuple[str, ...], tallies: tuple[str, ...]) -> bool:
    """Whether bots or tallies need the checked game, and not only its program."""
    return bool(tallies) or any(not generic(text.rpartition("=")[2]) for text in wanted)


def generic(name: str) -> bool:
    """Whether a bot is available in any game: `random`, `search` or `alphabeta`."""
    return name.partition(":")[0] in (RANDOM, *SEARCHES, ALPHABETA)


def policy_of(name: str) -> Policy:
    """`search`, `search:200` (playouts) or `search:2s` (seconds); `alphabeta`, `alphabeta:4` (moves ahead) or `alphabeta:2s`.

    `alphabeta:1000000p`, or `alphabeta:4:1000000p`, also says how many positions it looks at for a decision.
    """
    word, colon, bound = name.partition(":")
    solves, most = word == ALPHABETA, MOST_DEPTH if word == ALPHABETA else MOST_PLAYOUTS
    policy = Policy(name, name, "", playouts=None if solves else PLAYOUTS, solves=solves)
    first, _, last = bound.rpartition(":")
    looked = POSITIONS.fullmatch(last) if solves else None
    if looked is not None and 1 <= int(looked[1]) <= MOST_LOOKED and (first or bound == last):
        policy, bound, colon = replace(policy, positions=int(looked[1])), first, first
    if not colon:
        return policy
    if word != RANDOM and SECONDS.fullmatch(bound) and 0 < float(bound[:-1]) <= MOST_SECONDS:
        return replace(policy, seconds=float(bound[:-1]), playouts=None if solves else MOST_PLAYOUTS)
    number = whole(bound)
    if word == RANDOM or number is None or not 1 <= number <= most:
        raise Misuse(
            f"{ticked(name)} is no bot",
            "alphabeta:4 looks four moves ahead, alphabeta:2s as far as it can in two seconds, alphabeta:1000000p at a million positions"
            if solves
            else "search:200 is a search with 200 playouts for a decision, search:2s one of two seconds",
        )
    return replace(policy, depth=number) if solves else replace(policy, playouts=number)


def seating(
    game: Game, checked: CheckedGame | None, path: str, names: tuple[str, ...], tallies: tuple[str, ...] = ()
) -> Seating:
    """The bots of these names and what is counted; raises RulespecError with all their faults."""
    policies: dict[str, Policy] = {name: policy_of(name) for name in names if generic(name) and name != RANDOM}
    refused = refusal(game) if any(policy.solves for policy in policies.values()) else None
    if refused is not None:
        raise RulespecError([refused])
    if checked is None:
        return Seating(game, names, policies, Judge(game, game.program.functions))
    from rulespec.bots import compiler, sight
    from rulespec.language.types import IntType
    from rulespec.text.locate import find, find_bot

    diagnostics = Diagnostics()
    settings = dict(game.program.settings)
    checked = checked.at(settings)
    main = find(path, diagnostics)
    for name in dict.fromkeys(names):
        if main is not None and not generic(name):
            file = find_bot(main, name, game.title, diagnostics)
            policy = None if file is None else compiler.load_bot(checked, file, diagnostics)
            if policy is not None:
                policies[name] = policy
    sight.check_sight(
        checked,
        [chosen for name, chosen in policies.items() if not generic(name)],
        game.num_players,
        settings,
        diagnostics,
    )
    counts = []
    for text in tallies:
        tally, t = compiler.compile_tally(checked, text, TALLY, diagnostics)
        counts.append(Count(tally, checked.context.type_of(t), isinstance(t, IntType)))
    if diagnostics.has_errors:
        raise RulespecError(diagnostics)
    judge = Judge(game, compiler.played_functions(checked, game.num_players, settings))
    return Seating(game, names, policies, judge, counts)
