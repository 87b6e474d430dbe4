"""What `rulespec review` says of a mistake: what it asks, and what differs from a review of the unbroken game.

Both have as many games to play, and as many seconds of processor time, so that a busy machine changes nothing.
"""

from __future__ import annotations

import json
import multiprocessing
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rulespec.cases.coverage import sources
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import RulespecError

from ...mutants.limits import TooLong, time_limit
from ...review.baseline import WATCHED, from_data
from ...review.finding import Finding
from ...review.places import units
from ...review.report import SHOWN
from ...review.run import Review, review
from .families import Mutant
from .ledger import Ledger
from .run import Unfinished

GAMES = 40  # with each number of players, if there is time
BUDGET = 6.0  # seconds of processor time
SEED, OTHERS = (
    1,
    (2, 3),
)  # of the unbroken game's review, and of those that must tell nothing new; mistakes have the first of these
SECONDS = 120  # of processor time for a review that does not keep to its budget
WORD = re.compile(r"[A-Za-z_]\w*")
Told = dict[str, Any]  # JSON data


@dataclass(frozen=True, slots=True)
class Usual:
    """What a review of the unbroken game tells: its baseline as JSON, its questions, and the lines that they are about.

    `places` says how many places each rule has: their names count them.
    """

    baseline: str
    asked: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]
    places: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class ReviewVerdict:
    """What a review tells that the usual one does not: the first question, the first difference.

    `named`: one of those that are shown names what stands in the changed lines, or the rule that they are in.
    """

    asks: str = ""
    differs: str = ""
    named: bool = False
    problem: str = ""  # it came to no end

    @property
    def tells(self) -> bool:
        """Whether there is anything new."""
        return bool(self.asks or self.differs)


@dataclass(frozen=True, slots=True)
class Task:
    """A game to be reviewed: with a mistake, or as it is with another seed."""

    game: Path
    mutant: Mutant | None
    seed: int
    usual: Usual | None


@dataclass(frozen=True, slots=True)
class Reviews:
    """What reviews told: of mistakes, and of unbroken games with other seeds, each with the game and the seed."""

    verdicts: dict[Mutant, ReviewVerdict]
    unbroken: tuple[tuple[str, int, ReviewVerdict], ...]


def run(
    games: Sequence[Path],
    mutants: Sequence[Mutant],
    processes: int,
    progress: Callable[[int], None],
    ledger: Ledger,
    until: float | None,
) -> Reviews:
    """Review each game as it is, again with other seeds, and with each mistake.

    What the ledger knows is not reviewed again.  Raises Unfinished, where reviews are left when the time is up.
    """
    folders = {game.stem: game for game in games}
    usual: dict[str, Usual] = {}
    first = [Task(game, None, SEED, None) for game in games]
    for task, told in each(first, processes, ledger, until):
        usual[task.game.stem] = Usual(told["baseline"], *(tuples(told[key]) for key in ("asked", "lines", "places")))
        progress(len(usual))
    rest = [Task(folders[one.game], one, OTHERS[0], usual[one.game]) for one in mutants if one.game in usual]
    rest += [Task(game, None, seed, usual[game.stem]) for game in games for seed in OTHERS if game.stem in usual]
    verdicts: dict[Mutant, ReviewVerdict] = {}
    unbroken: list[tuple[str, int, ReviewVerdict]] = []
    for number, (task, told) in enumerate(each(rest, processes, ledger, until), 1 + len(usual)):
        verdict = ReviewVerdict(**told)
        if task.mutant is None:
            unbroken.append((task.game.stem, task.seed, verdict))
        else:
            verdicts[task.mutant] = verdict
        progress(number)
    done, wanted = len(usual) + len(unbroken) + len(verdicts), size(games, mutants)
    if done < wanted:
        raise Unfinished(f"{wanted - done} of {wanted} reviews are left")
    return Reviews(verdicts, tuple(sorted(unbroken, key=lambda one: one[:2])))


def size(games: Sequence[Path], mutants: Sequence[Mutant]) -> int:
    """How many reviews there are."""
    return len(games) * (1 + len(OTHERS)) + len(mutants)


def each(tasks: Sequence[Task], processes: int, ledger: Ledger, until: float | None) -> Iterator[tuple[Task, Told]]:
    """The tasks with what came of them, those that are known first."""
    left = []
    for task in tasks:
        known = ledger.row(task.game, task.mutant, about(task))
        if known is None:
            left.append(task)
        else:
            yield task, known
    at_once = processes if until is not None else max(1, len(left))
    with mapped(processes) as apply:
        for start in range(0, len(left), at_once):
            if until is not None and time.monotonic() >= until:
                return
            part = left[start : start + at_once]
            for task, told in zip(part, apply(part), strict=True):
                ledger.keep_row(task.game, task.mutant, about(task), told)
                yield task, told


@contextmanager
def mapped(processes: int) -> Iterator[Callable[[list[Task]], Iterator[Told]]]:
    """What does tasks, in their order, in so many processes; one is this one."""
    if processes == 1:
        yield lambda tasks: map(told_of, tasks)
        return
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield lambda tasks: pool.map(told_of, tasks)


def about(task: Task) -> str:
    """What a review is known by, beside its game and mistake."""
    return f"review of {GAMES} games and {BUDGET} s, seeds {SEED} and {task.seed}"


def told_of(task: Task) -> Told:
    """Do a task, in a copy of the game: what a review of it tells."""
    with tempfile.TemporaryDirectory(prefix="review-") as place:
        folder = Path(place).resolve() / task.game.stem
        if task.game.is_dir():
            shutil.copytree(task.game, folder)
        else:
            folder.mkdir()
            shutil.copy(task.game, folder / "game.yaml")
        if task.mutant is not None:
            file = folder / task.mutant.file
            file.write_bytes(task.mutant.text(file.read_bytes().decode("utf-8-sig")).encode())
        before = None if task.usual is None else from_data(json.loads(task.usual.baseline))
        try:
            with time_limit(SECONDS):
                one = review(
                    str(folder), games=GAMES, seed=task.seed, budget=BUDGET, before=before, clock=time.process_time
                )
        except TooLong:
            return {"problem": f"no end within {SECONDS} s of processor time"}
        except RulespecError as error:
            return {"problem": error.diagnostics[0].message}
        if task.usual is None:
            return usual_of(one)
        return compared(one, task.usual, task.mutant)


def usual_of(one: Review) -> Told:
    """What is kept of the review of an unbroken game."""
    asked = [*one.questions, *one.answered, *one.nearly]
    return {
        "baseline": one.baseline().to_json(),
        "asked": sorted({finding.id for finding in asked}),
        "lines": sorted({(finding.kind, line(finding)) for finding in asked if line(finding)}),
        "places": sorted(places(one).items()),
    }


def compared(one: Review, usual: Usual, mutant: Mutant | None) -> Told:
    """What a review tells that the usual one does not."""
    asked, lines = set(usual.asked), set(usual.lines)
    asks = [new for new in one.questions if new.id not in asked and (new.kind, line(new)) not in lines]
    now, before = places(one), dict(usual.places)
    differs = [new for new in one.differences if not (new.setup == WATCHED and renumbered(new, now, before))]
    shown = [*differs[:SHOWN], *asks[:SHOWN]]
    named = mutant is not None and any(names(one, new, mutant) for new in shown)
    return {
        "asks": asks[0].message if asks else "",
        "differs": differs[0].message if differs else "",
        "named": named,
    }


def line(finding: Finding) -> str:
    """The line that a question is about: its number changes where lines before it do."""
    return "" if finding.where is None else finding.where.source.line(finding.where.line).strip()


def places(one: Review) -> dict[str, int]:
    """How many places of each rule play is watched at."""
    counted: dict[str, int] = {}
    for label in [] if one.watched is None else one.watched.labels.values():
        unit = label.partition(",")[0]
        counted[unit] = counted.get(unit, 0) + 1
    return counted


def renumbered(new: Finding, now: dict[str, int], before: dict[str, int]) -> bool:
    """Whether the places of a rule have other numbers than before: that they differ says nothing of play."""
    label = new.subject.removeprefix("game: ")
    unit = label.partition(",")[0]
    return now.get(unit) != before.get(unit)


def names(one: Review, new: Finding, mutant: Mutant) -> bool:
    """Whether what is told names the changed rule, or stands in it, or names what the changed lines name."""
    source = next((text for text in sources(one.checked) if text.name.endswith(mutant.file)), None)
    if source is None:
        return False
    known = units(source)
    first = mutant.line
    last = first + mutant.new.count("\n")
    inside = {known[number] for number in range(first, min(last, len(known) - 1) + 1)}
    if new.where is not None and new.where.source is source and known[new.where.line] in inside:
        return True
    changed = set(WORD.findall(mutant.old)) ^ set(WORD.findall(mutant.new))
    words = {unit.rpartition(".")[2] for unit in inside} | {word for word in changed if len(word) > 2}
    return not words.isdisjoint(WORD.findall(f"{new.subject} {new.message}"))


def tuples(rows: list[Any]) -> tuple[Any, ...]:
    """JSON's lists as what they were."""
    return tuple(tuple(row) if isinstance(row, list) else row for row in rows)
