"""What lint knows of statements on the returns: whether the rules keep them, break them, or may do either."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.checker.assemble import specialise
from rulespec.ir.sums import sums_of
from rulespec.language import operators
from rulespec.language.facts import Reduction
from rulespec.language.registry import facts
from rulespec.lint.game import LintGame
from rulespec.system.records import dataclass
from rulespec.text.source import Span

CODE = "R021"  # of what holds a game to its statements


@dataclass(frozen=True, slots=True)
class Verdict:
    """Of one statement, in the setups that words name: whether it always holds; None where nobody knows."""

    where: Span
    words: str
    holds: bool | None


def setups(game: LintGame) -> Iterator[tuple[str, ir.Program]]:
    """The program for each number of players, options as usual, with the words that say which."""
    counts = game.context.counts
    for players in counts:
        _, chosen = game.checked.setup(players, None)
        words = f" with {players} players" if len(counts) > 1 else ""
        yield words, specialise(game.program, game.context, players, chosen, True)


def verdicts(game: LintGame) -> Iterator[Verdict]:
    """What ranges and sums tell of each statement, all setups together first."""
    if game.program.utility is None:
        return
    main = game.program.main
    flow = game.flow_of(main)
    for position, i in enumerate(game.program.procedures[main].code):
        if isinstance(i, ir.Claim) and i.code == CODE and i.where is not None:
            known = flow.before.get(position)
            if known is not None:
                yield from (Verdict(i.where, words, world.range(i.test, known).truth) for words, world in game.worlds)
            if totals(i):
                yield from by_sums(game, i.where)


def totals(claim: ir.Claim) -> bool:
    """Whether a statement is about what all get together."""
    match claim.test:
        case ir.Op(operators.EQUAL, (ir.Op(name), _)):
            return facts(name).reduces is Reduction.TOTAL
    return False


def by_sums(game: LintGame, where: Span) -> Iterator[Verdict]:
    """What is known of the sum of the returns."""
    found: list[bool | None] = []
    for words, program in setups(game):
        stated = None if program.utility is None else program.utility.number("together")
        sums = sums_of(program)
        known = None if sums is None else sums == {stated} or (None if stated in sums else False)
        found.append(known)
        if known is False:
            yield Verdict(where, words, False)
    if all(found):
        yield Verdict(where, "", True)
