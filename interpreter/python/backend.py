"""The default back end: a program compiled to Python.

It shares positions with the reference machine, so that either goes on from where the other stopped.  A function is written and
compiled when it is first called.  Where one raises anything, the answer is done again by the reference machine from the same
position: that tells a fault at its place in the rules, and goes on where only a bound of the generated code was reached.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any, NoReturn

from interpreter.python import runtime
from interpreter.python.library import Library
from interpreter.python.memo import fresh_table
from interpreter.python.runtime import FIRST, LEAVE, SECOND, WAIT, Stop
from interpreter.reference.machine import Machine
from interpreter.runtime import effects, rng
from interpreter.runtime.chance import Lottery
from interpreter.runtime.endless import EVERY, cycle
from interpreter.runtime.faults import FAILED
from interpreter.runtime.limits import FUEL, MAX_WAITING
from interpreter.runtime.rng import GAMMA, KEY, MASK
from interpreter.runtime.values import CHANCE, Frame, Journal, Slots, depth
from interpreter.runtime.visibility import Mask, Sight
from interpreter.runtime.windows import Entry, Windows, instance
from rulespec import ir
from rulespec.ir import CONTROL, RANDOM
from rulespec.ir.weight import items_of, toll

BUDGET = FUEL // 2  # below the bounds of the reference machine: an answer that exceeds it is run again there
RAISED = (Stop, *FAILED)  # what generated code and the bodies that it calls may raise
TABLES = {"r": "resumes", "u": "unwinds", "s": "seats", "a": "answers", "c": "lotteries"}
# Functions that code calls by name: procedures, functions, conditions of searches, options, memos, what looks ahead.
LATER = re.compile(r"[pfwokh]\d+")
Call = Callable[..., Any]


class Generated:
    """A program, ready to be played by one thread.  `reference` makes the machine that runs again what the code leaves to it.

    The compiled code is shared by all threads (see `Library`); the functions made of it, their budget and memos belong to this thread.
    `again` counts the answers that were run again: as many as there were faults, unless a bound of the code was reached.
    """

    def __init__(self, library: Library, reference: Callable[[], Machine]) -> None:
        self.library = library
        self.program = program = library.program
        self.reference = reference
        self.again = 0
        self.fuel = [BUDGET, None, library.callees.most_rules]
        self.instructions, self.kinds, self.values = library.instructions, library.kinds, library.listed
        points = range(len(program.points))
        self.resumes: list[Call] = [self.stub(f"r{k}") for k in points]
        self.unwinds: list[Call] = [self.stub(f"u{k}") for k in points]
        self.seats: list[Call] = [self.stub(f"s{k}") for k in points]
        self.answers: list[Call] = [self.stub(f"a{k}") for k in points]
        self.lotteries: list[Call] = [self.stub(f"c{k}") for k in points]
        self.functions: dict[str, Call] = {}
        self.windows = Windows(program, self)
        self.sight = Sight(program, self)
        self.names = self.globals()
        self.opening: tuple[Slots, Any, Any] | None = None

    def refuel(self) -> None:
        """Before a run: nothing is used up, and no rule runs within another."""
        self.fuel[0] = BUDGET
        self.fuel[2] = self.library.callees.most_rules

    # --- functions -----------------------------------------------------------------------------------
    def globals(self) -> dict[str, Any]:
        """The global names that all code may use; others are added with the functions that use them."""
        rules, windows = self.program.rules, self.windows
        return {
            "F": self.fuel,
            "WAIT": WAIT,
            "LEAVE": LEAVE,
            "Stop": Stop,
            "Lottery": Lottery,
            "instance": instance,
            "fork": self.fork,
            "drawn": drawn,
            "deep": deep,
            "masks": self.masks,
            "pick": self.pick,
            "passes": windows.passes,
            "use": windows.use,
            "give_back": windows.give_back,
            "collect": windows.collect,
            "partial": partial,
            "items_of": items_of,
            "toll": toll,
            "M": {},
            "rules": [self.stub(f"p{rule.procedure}") for rule in rules],
            "options": [None if rule.option is None else self.stub(f"o{rule.index}") for rule in rules],
            **{name: getattr(runtime, name) for name in RUNTIME},
            **{name: getattr(effects, name) for name in EFFECTS},
        }

    def stub(self, title: str) -> Call:
        """A placeholder for a function: compiles and replaces itself when it is called."""
        loaded: list[Call] = []

        def run(*args: Any) -> Any:
            if not loaded:
                loaded.append(self.load(title))
            return loaded[0](*args)

        return run

    def function(self, index: int) -> Call:
        """A function of the game, as `f(S, *arguments)`."""
        title = f"f{index}"
        return self.functions.get(title) or self.stub(title)

    def load(self, title: str) -> Call:
        """Make a function, and put it wherever it is called from."""
        loaded = self.functions.get(title)
        if loaded is None:
            loaded = self.functions[title] = self.names[title] = self.make(title)
        kind, rest = title[0], title[1:]
        if kind in TABLES:
            getattr(self, TABLES[kind])[int(rest)] = loaded
        elif kind == "p":
            for rule in self.program.rules:
                if rule.procedure == int(rest):
                    self.names["rules"][rule.index] = loaded
        elif kind == "o":
            self.names["options"][int(rest)] = loaded
        return loaded

    def make(self, title: str) -> Call:
        """A function from its code; global names in it that are not defined yet become tables, shared values, or stubs."""
        code = self.library.code(title)
        if code is None:
            return leave_it
        pool = self.library.pool
        for name in code.co_names:
            if name in self.names:
                continue
            if name in pool.values:
                self.names[name] = pool.values[name]
            elif name in pool.memo.tables:
                self.names[name] = fresh_table(pool.memo.tables[name])
            elif LATER.fullmatch(name):
                self.names[name] = self.stub(name)
        return FunctionType(code, self.names, title)

    # --- running -------------------------------------------------------------------------------------
    def start(self, slots: Slots, journal: Journal | None, procedure: int) -> Slots:
        """Fresh slots after a procedure has run until it waits or ends."""
        if procedure == self.program.main:
            return self.open(slots, journal)
        before = mark(journal)
        S = slots.copy()
        self.refuel()
        try:
            x = self.load(f"p{procedure}")(S, journal, None)
            if x is not WAIT:
                if x is LEAVE:
                    raise Stop
                S[CONTROL] = None
        except RAISED:
            return self.again_start(slots, journal, before, procedure)
        return S

    def again_start(self, slots: Slots, journal: Journal | None, before: Any, procedure: int) -> Slots:
        self.again += 1
        return self.reference().start(slots, reset(journal, before), procedure)

    def open(self, slots: Slots, journal: Journal | None) -> Slots:
        """The beginning of the game: what comes before the first answer, chance included, is run once and remembered."""
        main = self.program.main
        if self.opening is None:
            first = Journal(None, None)
            try:
                S = self.begin(main, first)
            except RAISED:
                return self.again_start(slots, journal, mark(journal), main)
            self.opening = (S, first.log, first.history)
        S = self.opening[0].copy()
        S[RANDOM] = slots[RANDOM]
        if journal is not None:
            journal.log, journal.history = self.opening[1:]
        if S[RANDOM] is None or S[CONTROL] is None or self.kinds[S[CONTROL][0]] is not ir.Draw:
            return S
        self.refuel()
        frame = S[CONTROL]
        try:
            items, weights = self.lotteries[frame[0]](S, frame)
            if weights is None and len(set(items)) == len(items):
                k = runtime.draw(S, len(items))
                value = items[k]
            else:
                lottery = Lottery(items, weights)
                k = drawn(S, lottery)
                value = lottery.values[k]
            if journal is not None:
                journal.history = ((CHANCE, self.instructions[frame[0]].name, k, value), journal.history)
            if self.go(S, journal, frame, value) is not WAIT:
                S[CONTROL] = None
        except RAISED:
            return self.again_start(slots, journal, (None, None), main)
        return S

    def begin(self, main: int, journal: Journal) -> Slots:
        """The main procedure up to its first question or draw."""
        S = list(self.program.initial)
        S[RANDOM] = None
        self.refuel()
        x = self.load(f"p{main}")(S, journal, None)
        if x is LEAVE:
            raise Stop
        if x is not WAIT:
            S[CONTROL] = None
        return S

    def answer(self, slots: Slots, journal: Journal | None, child: int | None, value: Any) -> Slots:
        """The slots after an answer to the question of the top frame, or of a child of a fork; `slots` is not changed."""
        before = mark(journal)
        S = slots.copy()
        self.refuel()
        try:
            frame: Frame = S[CONTROL]
            given = value
            if child is not None:
                given = self.child(S, journal, frame, child, value)
                if given is WAIT:
                    return S
                frame = frame[:-1]
            if self.go(S, journal, frame, given) is not WAIT:
                S[CONTROL] = None
        except RAISED:
            self.again += 1
            return self.reference().answer(slots, reset(journal, before), child, value)
        return S

    def child(self, S: Slots, journal: Journal | None, frame: Frame, child: int, value: Any) -> Any:
        """A sealed answer: WAIT, or, when it was the last, all answers."""
        children = list(frame[-1])
        seat, waiting, _ = children[child]
        x = self.go(S, journal, waiting, value)
        children[child] = (seat, S[CONTROL], None) if x is WAIT else (seat, None, x)
        if any(branch[1] is not None for branch in children):
            S[CONTROL] = (*frame[:-1], tuple(children))
            return WAIT
        return self.joined(children)

    def go(self, S: Slots, J: Journal | None, frame: Frame, value: Any) -> Any:
        """Resume the frames: WAIT, or the result of the lowest frame."""
        resumes = self.resumes
        x = resumes[frame[0]](S, J, frame, value)
        while x is not WAIT:
            frame = frame[1]
            if frame is None:
                if x is LEAVE:
                    raise Stop
                return x
            x = self.unwinds[frame[0]](S, J, frame) if x is LEAVE else resumes[frame[0]](S, J, frame, x)
        return WAIT

    def fork(self, S: Slots, J: Journal | None, seats: tuple[int, ...], run: Call, args: tuple[Any, ...]) -> Any:
        """Sealed choices: a list of children if one waits, otherwise the tuple of results."""
        children: list[Any] = []
        kept = S[CONTROL]
        for seat in sorted(set(seats)):
            if not 0 <= seat < self.program.players:
                raise Stop
            x = run(S, J, None, seat, *args)
            if x is LEAVE:
                raise Stop
            children.append((seat, S[CONTROL], None) if x is WAIT else (seat, None, x))
        S[CONTROL] = kept
        return children if any(branch[1] is not None for branch in children) else self.joined(children)

    def joined(self, children: list[Any]) -> tuple[Any, ...]:
        results: list[Any] = [None] * self.program.players
        for seat, _, result in children:
            results[seat] = result
        return tuple(results)

    def pick(self, S: Slots, queue: tuple[Entry, ...], args: tuple[Any, ...]) -> int:
        """Which rule of a queue is next; -1 where a player arranges."""
        if len(queue) == 1:
            return 0
        player, passing = self.windows.tied(S, queue, args)
        if len(passing) > 1 and player is not None:
            return -1
        return passing[0] if passing else 0

    def masks(self, S: Slots, printers: tuple[ir.Type, ...], values: tuple[Any, ...]) -> tuple[Mask, ...] | None:
        """Who sees which values of a line of the log; None where nothing is hidden."""
        masks = tuple(self.sight.masks(S, printer, value) for printer, value in zip(printers, values, strict=True))
        return None if all(mask is None for mask in masks) else masks

    # --- questions -----------------------------------------------------------------------------------
    def seat(self, S: Slots, frame: Frame) -> int:
        """Who is asked by a frame; raises Problem or Fault."""
        if self.kinds[frame[0]] is ir.Ask:
            self.fuel[0] = BUDGET
            try:
                seat = self.seats[frame[0]](S, frame)
                if 0 <= seat < self.program.players:
                    return seat  # type: ignore[no-any-return]
            except RAISED:
                self.again += 1
        return self.reference().seat(S, frame)

    def legal(self, S: Slots, frame: Frame) -> dict[int, Any]:
        """The legal actions of the seat that a frame asks, ascending, and what each answers."""
        point = frame[0]
        if self.kinds[point] is ir.Ask:
            self.fuel[0] = BUDGET
            try:
                answers = self.answers[point](S, frame)
                if answers:
                    if not self.values[point]:
                        return answers  # type: ignore[no-any-return]
                    site = self.program.sites[self.instructions[point].site]  # type: ignore[union-attr]
                    low, size = site.low, site.size
                    return {size if v is None else v - low: v for v in answers}
            except RAISED:
                self.again += 1
        return self.reference().legal(S, frame)

    def lottery(self, S: Slots, frame: Frame) -> Lottery:
        """The items and weights of the draw at which a frame waits."""
        self.fuel[0] = BUDGET
        try:
            return Lottery(*self.lotteries[frame[0]](S, frame))
        except RAISED:
            self.again += 1
        return self.reference().lottery(S, frame)

    # --- whole games -----------------------------------------------------------------------------------
    def playout(self, seed: int, most: int) -> tuple[Slots, int] | None:
        """A whole game of uniformly random choices, without log and history: the final slots and the number of answers.

        None where it has to be played decision by decision: after a fault, or beyond `most` decisions.
        """
        key = rng.mix(seed ^ rng.GAMMA)
        counter = 0
        slots = list(self.program.initial)
        slots[RANDOM] = (seed, 0)
        before = self.again
        S = self.open(slots, None)
        if self.again != before:
            return None
        self.refuel()
        fuel, kinds, answers, values = self.fuel, self.kinds, self.answers, self.values
        mixed = rng.mix(key ^ KEY)
        try:
            for decisions in range(most + 1):
                frame = S[CONTROL]
                if frame is None:
                    return S, decisions
                fuel[0] = BUDGET
                point = frame[0]
                child = None
                if kinds[point] is not ir.Ask:
                    if kinds[point] is not ir.Fork:
                        return None
                    child = next(k for k, branch in enumerate(frame[-1]) if branch[1] is not None)
                    parent, frame = frame, frame[-1][child][1]
                    point = frame[0]
                legal = answers[point](S, frame)
                n = len(legal)
                if n > 1:
                    counter += 1  # inlined `rng.below`
                    z = (mixed + counter * GAMMA) & MASK
                    z = ((z ^ (z >> 30)) * FIRST) & MASK
                    z = ((z ^ (z >> 27)) * SECOND) & MASK
                    z ^= z >> 31
                    if z > MASK - n:
                        k, counter = rng.below(key, counter - 1, n)
                    else:
                        k = z % n
                else:
                    k = 0
                    if not decisions % EVERY and decisions and cycle(self.program, self, S, decisions):
                        return None
                value = legal[k] if values[point] else list(legal.values())[k]
                fuel[0] = BUDGET
                if child is not None:
                    value = self.child(S, None, parent, child, value)
                    if value is WAIT:
                        continue
                    frame = parent[:-1]
                if self.go(S, None, frame, value) is not WAIT:
                    S[CONTROL] = None
        except RAISED:
            return None
        return None


RUNTIME = (
    "draw", "draw_weighted", "check", "without", "completable", "completable_in_order", "completable_where", "move_one", "move_on_top",
)  # fmt: skip
EFFECTS = ("move", "move_counts", "learn", "enter", "leave", "begin", "cease")


def leave_it(*_: Any) -> NoReturn:
    """Stands for a function that Python cannot compile: leaves the answer to the reference machine."""
    raise Stop


def drawn(S: Slots, lottery: Lottery) -> int:
    """The action that chance draws."""
    seed, counter = S[RANDOM]
    action, counter = lottery.draw(seed, counter)
    S[RANDOM] = (seed, counter)
    return action


def deep(frame: Any) -> None:
    """Raise Stop at a stack that may be too deep."""
    if depth(frame) > MAX_WAITING:
        raise Stop


def mark(journal: Journal | None) -> tuple[Any, Any]:
    """The log and history of a journal, for `reset`."""
    return (None, None) if journal is None else (journal.log, journal.history)


def reset(journal: Journal | None, before: tuple[Any, Any]) -> Journal | None:
    """Restore the log and history that a journal had."""
    if journal is not None:
        journal.log, journal.history = before
    return journal
