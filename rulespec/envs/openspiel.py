"""Our games as OpenSpiel's: `import rulespec.envs.openspiel`, then `pyspiel.load_game("rulespec(game=...)")`.

Parameters: `game`, a name or a path; `players`, 0 for the number that the game proposes; `variant`; `options` as `name:value;name:value`
(in a dictionary `=` will do; OpenSpiel's own texts of games leave no room for it).
Nodes are of players, of chance, and simultaneous where several seats seal choices at once.  What players do has the
numbers of `Game.actions`; an answer of several symbols is several nodes of one player.  Vectors are those of `Game.observation_layout` and
`Game.information_layout`, strings the canonical JSON of what the seat sees, and of all that it has seen and done.

Needs the extra `openspiel`.  Raises `pyspiel.SpielError` or RulespecError where the game or the setup is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pyspiel

import rulespec
from rulespec.envs.games import nodes
from rulespec.envs.resampling import resampled
from rulespec.text.quoting import ticked

NAME = "rulespec"
PARAMETERS = {"game": "", "players": 0, "variant": "", "options": ""}
MOST_PLAYERS = 64
LONGEST = 2**31 - 1  # of a game: OpenSpiel has 32 bits for it
OBSERVED = pyspiel.IIGObservationType(perfect_recall=False)


def game_type(short_name: str, long_name: str, game: rulespec.Game | None, players: tuple[int, int]) -> Any:
    """OpenSpiel's type of a game; of any of ours, before one is loaded."""
    kinds = pyspiel.GameType
    told = ("simultaneous", "explicit_stochastic", "imperfect_information", "general_sum")
    if game is not None:
        told = (game.dynamics, game.chance_mode, game.information, game.utility)
    dynamics, chance, information, utility = (word.upper() for word in told)
    return kinds(
        short_name=short_name,
        long_name=long_name,
        dynamics=getattr(kinds.Dynamics, dynamics),
        chance_mode=getattr(kinds.ChanceMode, chance),
        information=getattr(kinds.Information, information),
        utility=getattr(kinds.Utility, utility),
        reward_model=kinds.RewardModel.TERMINAL,
        min_num_players=players[0],
        max_num_players=players[1],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


@cache
def set_up(game: str, players: int, variant: str, options: str) -> rulespec.Game:
    """The game that parameters name, made once.  Raises RulespecError and ValueError."""
    if not game:
        raise ValueError("say which game: rulespec(game=NAME)")
    chosen = dict(pair.split(":", 1) for pair in options.split(";") if pair)
    return rulespec.Game(rulespec.load(game), players or None, chosen or None, variant or None)


def options_of(text: str) -> str:
    """The options of a game as OpenSpiel writes and reads them: `name:value;name:value`.  Raises ValueError."""
    pairs = []
    for part in filter(None, (part.strip() for part in text.split(";"))):
        match = re.fullmatch(r"([^:=]+)[:=](.+)", part)
        if match is None:
            raise ValueError(f"options are `name:value`, with `;` between them, not {ticked(part)}")
        pairs.append(f"{match[1].strip()}:{match[2].strip()}")
    return ";".join(pairs)


class Played:
    """A state with the parameters and the digest of its game: other processes make it by giving its answers again."""

    def __init__(self, params: tuple[str, int, str, str], state: rulespec.Numbered) -> None:
        self.params, self.state = params, state

    def __deepcopy__(self, memo: dict[int, Any]) -> Played:
        return Played(self.params, self.state.clone())

    def __reduce__(self) -> tuple[Any, ...]:
        answers = [(action, actor) for actor, _, action, _ in self.state.state.answers()]
        return played, (self.params, answers[::-1], self.state.given, set_up(*self.params).program.digest)


def played(
    params: tuple[str, int, str, str],
    answers: list[tuple[int, int]],
    given: dict[int, tuple[int, ...]],
    digest: str | None = None,
) -> Played:
    """A state after some answers.  Raises ValueError where the game has another digest than when it was written."""
    game = set_up(*params)
    if digest not in (None, game.program.digest):
        raise ValueError(f"the rules of {game.id} are others than when this state was written")
    state = game.new_state(chance="explicit", undo=False)
    for action, actor in answers:
        state.apply_action(action, actor)
    numbered = state.numbered()
    numbered.given = given
    return Played(params, numbered)


class RulespecGame(pyspiel.Game):
    """One of our games, set up; `spec` is the `rulespec.Game`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        given["options"] = options_of(given["options"])
        self.params = tuple(given[name] for name in PARAMETERS)
        self.spec = spec = set_up(*self.params)
        seats = spec.num_players
        total = spec.utility_sum
        super().__init__(
            game_type(NAME, spec.title, spec, (seats, seats)),
            pyspiel.GameInfo(
                num_distinct_actions=spec.num_distinct_actions,
                max_chance_outcomes=spec.max_chance_outcomes,
                num_players=seats,
                min_utility=float(spec.min_utility),
                max_utility=float(spec.max_utility),
                utility_sum=None if total is None else float(total),
                max_game_length=min(nodes(spec), LONGEST),
            ),
            given,
        )

    def new_initial_state(self) -> RulespecState:
        """The beginning of a game."""
        return RulespecState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """What makes vectors and strings of what a seat sees, or of all that it has seen and done."""
        if params:
            raise ValueError(f"an observer takes no parameters, not {params}")
        return Observer(self.spec, iig_obs_type or OBSERVED)


class RulespecState(pyspiel.State):
    """A position."""

    def __init__(self, game: RulespecGame) -> None:
        super().__init__(game)
        self.played = played(game.params, [], {})

    @property
    def play(self) -> rulespec.Numbered:
        """It as ours, with chance as a player."""
        return self.played.state

    def current_player(self) -> int:
        """A seat, or OpenSpiel's number of chance, of several seats, of the end."""
        state = self.play.state
        if state.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if state.is_chance_node():
            return int(pyspiel.PlayerId.CHANCE)
        asked = state.pending_players()
        return asked[0] if len(asked) == 1 else int(pyspiel.PlayerId.SIMULTANEOUS)

    def _legal_actions(self, player: int) -> list[int]:
        return self.play.legal_actions(player) if player in self.play.state.pending_players() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each outcome with how likely it is."""
        return [(action, float(likely)) for action, likely in self.play.state.chance_outcomes()]

    def _apply_action(self, action: int) -> None:
        self.play.apply_action(action)

    def _apply_actions(self, actions: Sequence[int]) -> None:
        for player in self.play.state.pending_players():
            self.play.apply_action(actions[player], player)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE and not self.play.state.is_chance_node():
            return f"outcome {action}"
        return self.play.action_to_string(action, player)

    def resample_from_infostate(self, player_id: int, probability_sampler: Any) -> RulespecState:
        """A state in which a seat that is asked has seen and done the same.

        Chance and the others answer anew, as `resampling` says, within a bound.  Raises ValueError where the seat is not asked, and
        where the bound finds no other such state although something is hidden from the seat.
        """
        if player_id not in self.play.state.pending_players():
            raise ValueError(f"seat {player_id} is not asked")
        other: RulespecState = self.clone()
        answers = resampled(self.get_game().spec, self.play.state, player_id, probability_sampler)
        other.played = played(self.played.params, answers, dict(self.play.given))
        return other

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.play.state.is_terminal()

    def returns(self) -> list[float]:
        """What each seat gets, zeros before the end."""
        return [float(number) for number in self.play.state.returns()]

    def __str__(self) -> str:
        return self.play.told(rulespec.EVERYTHING)


class Observer:
    """OpenSpiel's observer of one seat at a time: `tensor` with its one part in `dict`, and strings."""

    def __init__(self, spec: rulespec.Game, kind: Any) -> None:
        self.recalls = kind.perfect_recall
        self.spectator = kind.private_info == pyspiel.PrivateInfoType.NONE
        self.layout = spec.information_layout if self.recalls else spec.observation_layout
        self.tensor: Any = np.zeros(len(self.layout), np.float32)
        self.dict = {"information_state" if self.recalls else "observation": self.tensor}

    def set_from(self, state: RulespecState, player: int) -> None:
        """Fill `tensor`.  For what all see alone there is no vector: it stays 0."""
        if not self.spectator:
            play = state.play
            vector = play.information_state_tensor(player) if self.recalls else play.observation_tensor(player)
            self.tensor[:] = np.frombuffer(vector, np.float32)

    def string_from(self, state: RulespecState, player: int) -> str:
        """The text of what the seat sees, or has seen and done; of what all see where private parts are not wanted."""
        seat = None if self.spectator else player
        return state.play.information_state(seat) if self.recalls else state.play.told(seat)


pyspiel.register_game(game_type(NAME, "A game of Rulespec", None, (1, MOST_PLAYERS)), RulespecGame)
