"""Many games of one setup that are stepped at once, into buffers that other libraries share without copying."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from interpreter.game import Game, NativeState, State
from interpreter.native import building
from interpreter.runtime import rng
from interpreter.runtime.faults import IllegalAction
from rulespec.system.machine import processors

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from interpreter.native._core import Games
    from interpreter.spaces.compiled import Plans

HERE, ELSEWHERE, UNANSWERED, UNBEGUN = range(4)  # as in games.c
WIDEST = 1 << 12  # actions of a mask, if nobody says what `legal` is to be
ROOM = 32  # actions of a row to begin with, where it is not known how many there will be
MOST_EMPTY = 1000  # games without a decision, one after the other
FEWEST = 64  # games that are worth a thread

Legal = Literal["mask", "lists"]


class Batch:
    """`games` games of one setup, each stepped by `step`, which takes one action for each.

    The buffers are memoryviews that cannot be written to (`numpy.asarray(batch.players)` shares them); `step` and `reset` write to them:

    - `players` int32 (games): the seat that decides now, the lowest of those that do;
    - `legal`: with "mask" uint8 (games, actions), 1 where an action is legal; with "lists" int32 (games, room), the legal actions
      ascending, as many as `counts` says, and what stands behind them means nothing.  Where a question has more actions than
      there is room for, `step` makes `legal` another, wider buffer;
    - `counts` int32 (games): how many actions are legal;
    - `done` uint8 (games): 1 where the last step ended a game; a new one has begun then, and all else is of the new one, except
    - `rewards` float64 (games, seats): the returns of a game that the last step ended, else zeros;
    - `episodes` int64 (games): how many games have ended in each place;
    - `observations`, if they are wanted, float32 (games, entries): what the seat in `players` sees, by `Game.observation_layout`, else
      None.  C fills them too where who sees what is settled before the game begins; elsewhere Python does, far slower.

    Chance answers by itself.  The game number k (from 0) in the place i has the seed `rng.number(seed, k * games + i)`, a splitmix64 of
    the batch's seed, so that the same seed and the same actions give the same games on all back ends and any number of threads.

    Natively the games are stepped on `threads` threads (by default as many as there are processors, as far as they have enough to do),
    without Python's lock.  One batch is for one thread at a time.  Raises IllegalAction P008 for bad arguments.
    """

    def __init__(
        self,
        game: Game,
        games: int,
        seed: int = 0,
        legal: Legal | None = None,
        threads: int | None = None,
        observations: bool = False,
    ) -> None:
        if not 1 <= games < 1 << 31 or (threads is not None and threads < 1):
            raise IllegalAction("P008", "a batch has at least one game and one thread")
        try:
            self.seed = rng.check_seed(seed)
        except ValueError as error:
            raise IllegalAction("P008", str(error)) from None
        if legal not in (None, "mask", "lists"):
            raise IllegalAction("P008", f"`legal` is `mask` or `lists`, not {legal}")
        self.game = game
        self.games = games
        self.width = widest(game)
        self.masked = legal == "mask" or (legal is None and self.width <= WIDEST)
        if not self.masked:
            self.width = min(self.width, ROOM)
        seats = game.num_players
        self._players, self._counts = array("i", bytes(4 * games)), array("i", bytes(4 * games))
        self._done, self._status = bytearray(games), bytearray(games)
        self._rewards, self._episodes = array("d", bytes(8 * games * seats)), array("q", bytes(8 * games))
        self.players, self.counts = memoryview(self._players).toreadonly(), memoryview(self._counts).toreadonly()
        self.done, self.episodes = memoryview(self._done).toreadonly(), memoryview(self._episodes).toreadonly()
        self.rewards = shaped(self._rewards, "d", games, seats)
        self.layout = game.observation_layout if observations else None
        self.plans: Plans | None = None
        entries = len(game.observation_layout) if observations else 0
        self._observations = array("f", bytes(4 * games * entries))
        self.observations = shaped(self._observations, "f", games, entries) if observations else None
        self.states: dict[int, State] = {}  # the games that are not played in C
        self.needed = 0
        self.loaded = game.native()
        if observations and self.loaded is not None and self.loaded.exchange.layout is not None:
            from interpreter.spaces.compiled import plans  # noqa: PLC0415  (slow to import, for who wants no vectors)

            self.plans = plans(game, self.loaded.exchange.layout)
        self.core: Games | None = None
        self.make()
        wanted = processors() if threads is None else threads
        self.threads = 1 if self.core is None else max(1, min(wanted, games // FEWEST))
        self.pool: ThreadPoolExecutor | None = None
        if self.threads > 1:
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  (slow to import, for who makes no batch)

            self.pool = ThreadPoolExecutor(self.threads)
        self.ranges = [(games * k // self.threads, games * (k + 1) // self.threads) for k in range(self.threads)]
        self.reset()

    def make(self) -> None:
        """The buffer of legal actions, for rows of this width, and the games in C that write to it."""
        size = self.games * self.width
        self._legal: Any = bytearray(size) if self.masked else array("i", bytes(4 * size))
        self.legal = shaped(self._legal, "B" if self.masked else "i", self.games, self.width)
        if self.loaded is not None and building.core is not None:
            self.core = building.core.Games(
                self.loaded.program, self.games, self.seed, self.masked, self.width, self._players, self._done,
                self._rewards, self._legal, self._counts, self._episodes, self._status,
            )  # fmt: skip
            if self.plans is not None:
                self.core.observe(self.plans, self._observations)

    # --- for users -------------------------------------------------------------------------------------
    @property
    def episodes_over(self) -> int:
        """How many games have ended in all places together."""
        return sum(self._episodes)

    def reset(self) -> None:
        """Begin again, with the first game of each place.  Raises Fault."""
        self.states.clear()
        if self.core is None:
            for place in range(self.games):
                self._episodes[place] = 0
                self.clear(place)
                self.begin(place)
            self.widen()
            self.observe()
            return
        core = self.core
        self.in_threads(lambda low, high: core.reset(low, high))
        self.see_to([])
        self.observe()

    def step(self, actions: Any) -> None:
        """Give one action to each game: a buffer of int32 (numpy's, array's), or any sequence of whole numbers.

        Raises IllegalAction P002 if one of them is not legal; no game has been stepped then.  Raises Fault where the rules of a game did
        something that has no meaning: that game is as it was, all others have been stepped.
        """
        given = action_buffer(actions, self.games)
        self.refuse(given)
        if self.core is None:
            self._status[:] = bytes([ELSEWHERE]) * self.games
            try:
                self.see_to(given)
            finally:
                self.observe()
            return
        core = self.core
        left = self.in_threads(lambda low, high: core.step(low, high, given))
        try:
            if sum(left):
                self.see_to(given)
        finally:
            self.observe()

    def state(self, place: int) -> State:
        """A copy of the game in a place, without log and history.  Raises IndexError."""
        if not 0 <= place < self.games:
            raise IndexError(place)
        if place in self.states or self.core is None:
            return self.states[place].clone()
        state: State = self.core.take(place, NativeState, self.game)
        return state

    # --- refusing --------------------------------------------------------------------------------------
    def refuse(self, given: Any) -> None:
        """Raise IllegalAction P002 for the first action that is not legal."""
        places = [place for place, state in self.states.items() if given[place] not in state.legal_actions()]
        if self.core is not None:
            core = self.core
            places += [at for at in self.in_threads(lambda low, high: core.refused(low, high, given)) if at >= 0]
        if places:
            place = min(places)
            raise IllegalAction("P002", f"{given[place]} is not a legal action of game {place} of the batch")

    # --- games that are played in Python -----------------------------------------------------------------
    def see_to(self, given: Any) -> None:
        """Do what C has left: give answers, look, begin games.  Raises Fault when all others are done."""
        first: Exception | None = None
        for place in [at for at, status in enumerate(self._status) if status != HERE]:
            status = self._status[place]
            try:
                if status == UNBEGUN:
                    self.begin(place)
                elif place in self.states or status == UNANSWERED:
                    if place not in self.states:
                        self.states[place] = self.state(place)
                    self._status[place] = ELSEWHERE
                    self.clear(place)
                    self.answer(place, given[place])
                else:  # it was answered in C, which cannot show what is asked now
                    self.put(place, self.state(place))
            except Exception as error:
                first = first or error
        self.widen()
        if first is not None:
            raise first

    def answer(self, place: int, action: int) -> None:
        """Answer in a game; where that ends it, begin the next."""
        state = self.states[place]
        state.apply_action(action)
        if not state.is_terminal():
            self.put(place, state)
            return
        seats = self.game.num_players
        self._done[place] = 1
        self._rewards[place * seats : (place + 1) * seats] = array("d", map(float, state.returns()))
        self._episodes[place] += 1
        self.begin(place)

    def begin(self, place: int) -> None:
        """The next game of a place; those in which nobody decides anything count as ended."""
        for _ in range(MOST_EMPTY):
            seed = rng.number(self.seed, self._episodes[place] * self.games + place)
            state = self.game.new_state(seed, undo=False, record=False)
            if not state.is_terminal():
                self.put(place, state)
                return
            self._episodes[place] += 1
        raise IllegalAction("P004", f"{MOST_EMPTY} games are over before anybody decides anything")

    def put(self, place: int, state: State) -> None:
        """A state is the game of a place from now on, in C if it can be."""
        if self.core is not None and isinstance(state, NativeState) and self.core.put(place, state):
            self.states.pop(place, None)
            return
        self.states[place] = state
        self._status[place] = ELSEWHERE
        actions = state.legal_actions()
        most = max(actions) + 1 if self.masked else len(actions)
        if most > self.width:
            self.needed = max(self.needed, most)  # it is shown when all are answered
            return
        self._players[place] = state.current_player()
        self._counts[place] = len(actions)
        low = place * self.width
        if self.masked:
            self._legal[low : low + self.width] = bytes(self.width)
            for action in actions:
                self._legal[low + action] = 1
        else:
            self._legal[low : low + len(actions)] = array("i", actions)

    def observe(self) -> None:
        """What the asked seats see, in all games whose vectors C does not fill.  Raises Fault."""
        if self.layout is None:
            return
        for place in self.states if self.plans is not None else range(self.games):
            if self._status[place] != UNBEGUN:
                vector = self.layout.observation(self.state(place), self._players[place])
                self._observations[place * len(vector) : (place + 1) * len(vector)] = vector

    def widen(self) -> None:
        """Rows of legal actions with more room, if they need it: `legal` is another buffer from then on."""
        if self.needed <= self.width:
            return
        states = [self.state(place) for place in range(self.games)]
        self.states.clear()
        self.width = max(self.needed, 2 * self.width)
        self.make()
        for place, state in enumerate(states):
            self.put(place, state)

    def clear(self, place: int) -> None:
        """Nothing has ended yet."""
        seats = self.game.num_players
        self._done[place] = 0
        self._rewards[place * seats : (place + 1) * seats] = array("d", bytes(8 * seats))

    def in_threads(self, work: Any) -> list[Any]:
        """What a piece of work gives for each range of games."""
        if self.pool is None:
            return [work(*bounds) for bounds in self.ranges]
        return list(self.pool.map(lambda bounds: work(*bounds), self.ranges))


def widest(game: Game) -> int:
    """How many actions the questions have whose actions stand for values; at least `ROOM`, for those where they are numbered."""
    sizes = [site.size + (site.none is not None) for site in game.program.sites if site.code == "value"]
    numbered = any(site.code != "value" for site in game.program.sites) or not sizes or bool(game.program.rules)
    return max([*sizes, *([ROOM] if numbered else [])])


def shaped(buffer: Any, kind: str, *shape: int) -> memoryview:
    """A view of a buffer that nobody can write to, with this shape."""
    return memoryview(buffer).cast("B").cast(kind, shape).toreadonly()  # type: ignore[call-overload, no-any-return]


def action_buffer(actions: Any, games: int) -> Any:
    """One int32 for each game.  Raises IllegalAction P008 and P002."""
    try:
        view = memoryview(actions)
        if view.format in ("i", "=i", "<i") and view.itemsize == 4 and view.contiguous and view.nbytes == 4 * games:
            return view if view.format == "i" else view.cast("B").cast("i")
    except TypeError:
        pass
    values: Iterable[Any] = actions.tolist() if hasattr(actions, "tolist") else actions
    try:
        given = array("i", values)
    except OverflowError:
        raise IllegalAction("P002", "no action is so high") from None
    except TypeError:
        raise IllegalAction("P008", "the actions are whole numbers, one for each game") from None
    if len(given) != games:
        raise IllegalAction("P008", f"there are {len(given)} actions for {games} games")
    return given
