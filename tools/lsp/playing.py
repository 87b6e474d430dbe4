"""Cases as they are played while they are written: what a question offers, what a fact is made of, what covers a rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulespec.text.diagnostics import RulespecError
from rulespec.text.disk import unsaved
from rulespec.text.quoting import ticked
from rulespec.text.source import Source, Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

from ..at_case import case_named, played, position_after
from .reading import Desk, Texts, tree_of

if TYPE_CHECKING:
    from interpreter.testing.cases import CaseResult
    from rulespec.cases.data import Suite

    from .shapes import Spot

RUN_SECTIONS = ("procedures", "phases", "rules")  # whose entries are run
SEEDS = range(20)  # of random games in which a rule is looked for
LONGEST = 2_000  # answers of such a game
MOST_VALUES = 10_000
NO_CASE = "there is no such case"


# --- a case up to a place ---------------------------------------------------------------------------------------------
def suite_of(main: Path, texts: Texts) -> tuple[Suite | None, str]:
    """The cases of a game as the editor has it, and what is wrong where there are none."""
    from rulespec.cases.compiler import load_cases

    with unsaved(texts):
        suite, findings = load_cases(main)
    return suite, findings[0].message if findings else NO_CASE


@dataclass(frozen=True, slots=True)
class Asked:
    """What is being written in an entry of `play`: the case, the place of the entry, under which key, for whom, behind which words."""

    case: str
    play: ListNode
    entry: int
    key: str
    player: str
    before: tuple[str, ...]


def asked_at(spot: Spot) -> Asked | None:
    """The entry that a place is in, if it is an answer there or one of those that are offered or refused."""
    path = spot.path
    if spot.key or "play" not in path[:-1]:
        return None
    at = path.index("play")
    play, entry, keys = spot.above[at + 1], path[at + 1], [part for part in path[at + 2 :] if isinstance(part, str)]
    if not isinstance(play, ListNode) or not isinstance(entry, int) or not keys or at == 0:
        return None
    several = spot.above[-1]
    number = path[-1]
    before = several.items[:number] if isinstance(several, ListNode) and isinstance(number, int) else ()
    written = tuple(node.value for node in before if isinstance(node, ScalarNode))
    if keys == ["chance"]:
        return Asked(str(path[at - 1]), play, entry, "chance", "", written)
    if len(keys) == 1:
        return Asked(str(path[at - 1]), play, entry, "answer", keys[0], written)
    if len(keys) == 2 and keys[0] in ("offers", "refuse"):
        return Asked(str(path[at - 1]), play, entry, keys[0], keys[1], ())
    return None


def cut(text: str, asked: Asked) -> str:
    """A text whose case ends before an entry of its script."""
    item, last = asked.play.items[asked.entry], asked.play.items[-1]
    nothing = "{expect: []}" if text[item.span.start] == "{" else "expect: []"
    return f"{text[: item.span.start]}{nothing}{text[last.span.end :]}"


def offered(desk: Desk, file: Path, patched: str, asked: Asked) -> Iterator[tuple[str, str]]:
    """The answers that the question offers which a case comes to, each as it is written and as people read it."""
    from interpreter.selection import Selection
    from interpreter.testing.cases import CHANCE, Failure
    from rulespec.cases.data import ScriptEntry

    main = desk.game_of(file)
    suite = None if main is None else suite_of(main, {**desk.texts, file: cut(patched, asked)})[0]
    case = case_named(suite, asked.case)
    if suite is None or case is None:
        return
    script = list(case.script[:-1])  # without the entry that stands in for what is being written
    if asked.before:
        what = "chance" if asked.key == "chance" else "answer"
        script.append(ScriptEntry(what, asked.player, asked.before))  # type: ignore[arg-type]
    run = played(suite, case, script)
    if run is None:
        return
    if asked.key == "chance":
        if run.state.current_player() == CHANCE:
            yield from ((run.state.action_to_string(action), "") for action, _ in run.state.chance_outcomes())
        return
    try:
        run.settle()
    except Failure:
        return
    if asked.player not in run.game.seats or run.state.is_terminal():
        return
    player = run.game.seats.index(asked.player)
    if player not in run.state.pending_players():
        return
    question = run.selection(player)
    decision = question.decision if isinstance(question, Selection) else run.state.decision(player)
    for option in decision.options:
        if option.legal != (asked.key == "refuse"):
            yield option.name, option.text


def told_of_fact(desk: Desk, file: Path, source: Source, offset: int) -> tuple[list[tuple[str, str]], Span] | None:
    """What the parts of a fact are where its case looks at it, and where the fact stands."""
    main = desk.game_of(file)
    if main is None or (name := case_at(source, offset)) is None:
        return None
    suite = desk.once("suite", main, lambda: suite_of(main, desk.texts))[0]
    case = case_named(suite, name)
    if suite is None or case is None:
        return None
    place = file.resolve()
    for number, facts in [*((n, entry.facts) for n, entry in enumerate(case.script)), (len(case.script), case.facts)]:
        for fact in facts:
            span = fact.span
            if span.start <= offset <= span.end and Path(span.source.name).resolve() == place:
                run = desk.once(f"{name} {number}", main, lambda n=number: played(suite, case, case.script[:n]))  # type: ignore[misc]
                if run is None or fact.over(run.state.slots) is not None:
                    return None
                run.settle()
                return run.parts(fact), span
    return None


def case_at(source: Source, offset: int) -> str | None:
    """The name of the case that a character is in."""
    tree = tree_of(source)
    cases = None if tree is None else tree.get("cases")
    for key, node in cases.entries if isinstance(cases, MapNode) else ():
        if key.span.start <= offset <= node.span.end:
            return key.value
    return None


# --- a whole case -----------------------------------------------------------------------------------------------------
def run_case(main: Path, name: str, texts: Texts, trace: bool = False) -> tuple[bool, str, list[str]]:
    """Run a case of a game as the editor has it: whether it passed, what is to be said of it, and its trace if that is wanted."""
    from interpreter.testing.cases import run_case as run
    from interpreter.testing.coverage import Recorder

    from ..coverage.trace import Trace

    suite, problem = suite_of(main, texts)
    case = case_named(suite, name)
    if suite is None or case is None:
        return False, problem, []
    lines: list[str] = []
    tracing = Trace(lines.append)
    recorder = Recorder(trace=tracing.step) if trace else None
    result = run(suite, case, recorder=recorder, told=tracing.answer if trace else None)
    tracing.done()
    return result.passed, "passed" if result.passed else result.message, lines


@dataclass(frozen=True, slots=True)
class Ran:
    """What the variables and zones of a game were at the end of a case, each as an expression with its value."""

    case: str
    values: tuple[tuple[str, str], ...]


def values_after(game: Path, name: str, texts: Texts) -> Ran | None:
    """What everything is at the end of a case; None where it does not come to its end."""
    from ..casebook.position import everything

    suite, _ = suite_of(game, texts)
    case = case_named(suite, name)
    after = None if suite is None or case is None else position_after(suite, case)
    if after is None:
        return None
    return Ran(name, tuple(everything(*after))[:MOST_VALUES])


# --- what covers a rule -----------------------------------------------------------------------------------------------
def entries_run(source: Source) -> list[tuple[ScalarNode, Node]]:
    """The names of a file that are run, each with what stands under it."""
    tree = tree_of(source)
    found: list[tuple[ScalarNode, Node]] = []
    for section in RUN_SECTIONS if tree is not None and "extends" not in tree else ():
        node = tree.get(section) if tree is not None else None
        found += node.entries if isinstance(node, MapNode) else ()
    return found


def place_of(source: Source, name: str) -> Span | None:
    """Where what is run by a name stands in a file."""
    entry = next(((key, node) for key, node in entries_run(source) if key.value == name), None)
    return None if entry is None else Span(source, entry[0].span.start, entry[1].span.end)


def covering(main: Path, place: Span, texts: Texts) -> list[CaseResult]:
    """The cases in which something at a place runs."""
    from ..coverage.measure import Measure

    suite, _ = suite_of(main, texts)
    if suite is None:
        return []
    measure = Measure(suite)
    results = [measure.case(case) for case in suite.cases]
    runs = zip(results, measure.coverage.runs, strict=True)
    return [result for result, run in runs if any(within(key[1], place) for key, n in run.hits.items() if n)]


def within(span: Span, place: Span) -> bool:
    """Whether a span of the same file, read at another time, lies in a place."""
    same = Path(span.source.name).resolve() == Path(place.source.name).resolve()
    return same and place.start <= span.start and span.end <= place.end


def case_for(main: Path, place: Span, name: str, texts: Texts) -> tuple[Path, str]:
    """A file of cases and its text with one more case, in which a procedure or rule is run.  Raises NoCase and RulespecError."""
    from ..casebook import book
    from ..casebook.skeleton import skeleton
    from ..casebook.writer import NoCase

    with unsaved(texts):
        tree = tree_of(place.source)
        rules = None if tree is None else tree.get("rules")
        if isinstance(rules, MapNode) and name in rules:
            case = met_at_random(main, place, name)
        else:
            case = skeleton(main, name)
        file = book.book_of(main)
        try:
            return file, book.added(file, case, texts.get(file.resolve()))
        except ValueError as error:
            raise NoCase(str(error)) from None


def met_at_random(main: Path, place: Span, name: str) -> str:
    """The text of a case of the first answer in some random games after which a rule runs.  Raises NoCase and RulespecError."""
    from interpreter.game import Choices, Game
    from interpreter.testing.coverage import Recorder, WatchedGame
    from rulespec.cases.compiler import load_cases
    from rulespec.loading.reading import read
    from rulespec.text.diagnostics import Diagnostics

    from ..casebook import book
    from ..casebook.skeleton import numbered
    from ..casebook.writer import NoCase, drafted

    diagnostics = Diagnostics()
    checked = read(main, diagnostics)
    suite, _ = load_cases(main)
    if checked is None or suite is None:
        raise RulespecError(diagnostics.errors)
    free = next(one for one in numbered(name) if case_named(suite, one) is None)
    game = Game(checked, players=checked.players[0], backend="reference")
    for seed in SEEDS:
        recorder = Recorder()
        program = checked.program(players=checked.players[0], optimise=False)
        watched = WatchedGame.watched(program, recorder).new_state(seed, undo=False)
        state, choices = game.new_state(seed), Choices(seed)
        for _ in range(LONGEST):
            if state.is_terminal():
                break
            legal, first = state.legal_actions(), sum(1 for _ in state.answers())
            action = legal[choices.below(len(legal)) if len(legal) > 1 else 0]
            state.apply_action(action)
            with recorder.during() as hits:
                watched.apply_action(action)
            if any(n and within(key[1], place) for key, n in hits.items()):
                return book.text(free, drafted(checked, game, state, first, 1))
    raise NoCase(f"{ticked(name)} is met in none of {len(SEEDS)} random games: write the case by hand")
