"""A case to begin with, for a procedure: it is run on the table as it is set up, with the first answer to each question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from interpreter import Game, State
from rulespec.cases.compiler import load_cases
from rulespec.checker import symbols
from rulespec.loading.reading import read
from rulespec.text.diagnostics import Diagnostics, RulespecError, nearest
from rulespec.text.locate import find
from rulespec.text.quoting import ticked

from ..for_cases import remarks
from .book import text
from .moment import Entry, asked
from .position import facts
from .trials import Draft, Trials
from .writer import NoCase

MOST_CALLS = 40  # ways to call it that are tried
MOST_QUESTIONS = 5
MOST_FACTS = 8


def skeleton(path: str | Path, procedure: str, name: str | None = None) -> str:
    """The text of a case for a procedure or phase; raises RulespecError where the game has faults, NoCase for an unknown name."""
    diagnostics = Diagnostics()
    file = find(path, diagnostics)
    checked = None if file is None else read(file, diagnostics)
    if checked is None:
        raise RulespecError(diagnostics.errors)
    chosen = checked.context.procedures.get(procedure)
    if chosen is None:
        close = nearest(procedure, checked.context.procedures)
        hint = f"; did you mean {ticked(close)}?" if close else "; `rulespec explain GAME` lists those that there are"
        raise NoCase(f"there is no procedure or phase {ticked(procedure)}{hint}")
    suite, _ = load_cases(file or path)
    taken = set() if suite is None else {case.name for case in suite.cases}
    free = name or next(n for n in numbered(procedure) if n not in taken)
    trials = Trials(checked, Game(checked, players=checked.players[0], backend="reference"))
    asks = [one.name for one in checked.context.asked if one.owner == f"procedure {procedure}"]
    notes = "".join(f"  # {line.strip()}\n" for line in remarks(chosen, list(dict.fromkeys(asks))))
    return notes + drafted(trials, chosen, free)


def numbered(procedure: str) -> Iterator[str]:
    """Names for a case of a procedure."""
    yield f"{procedure}_does"
    yield from (f"{procedure}_does_{number}" for number in range(2, 10_000))


def drafted(trials: Trials, procedure: symbols.Procedure, name: str) -> str:
    """The case that runs it: the first call that asks something, else one that runs at all, else a call without more."""
    calls = list(islice(trials.calls(procedure), MOST_CALLS))
    quiet: tuple[Draft, State] | None = None
    for call in calls:
        draft = Draft(run=call)
        state = trials.played(draft)
        if state is not None and not state.is_terminal():
            return text(name, answered(trials, draft, state))
        if state is not None and quiet is None:
            quiet = draft, state
    if quiet is not None:
        return text(name, answered(trials, *quiet))
    call = calls[0] if calls else procedure.name
    told = "it does not run on the table as it is set up: lay what it needs under `given`"
    return f"  # {told}\n{text(name, Draft(run=call))}"


def answered(trials: Trials, draft: Draft, state: State) -> Draft:
    """The draft with some questions, the first answer to each, and what came of them."""
    before = trials.played(replace(draft, run={"log": "set up"}))
    play: list[Entry] = []
    for _ in range(MOST_QUESTIONS):
        if state.is_terminal():
            break
        seat = next(seat for seat in state.pending_players() if seat >= 0)
        word = next(option.name for option in state.decision(seat).options if option.legal)
        answer = [*asked(state)[:2], {trials.game.seats[seat]: word}]
        after = trials.played(replace(draft, play=(*play, *answer)))
        if after is None:
            break
        play += answer
        state = after
    play += asked(state)[:1]
    told = () if before is None else tuple(facts(trials.game, before.slots, state.slots, state.slots)[:MOST_FACTS])
    full = replace(draft, play=tuple(play), expect=told)
    return full if trials.passes(full) else replace(full, expect=())
