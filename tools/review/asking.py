"""What is odd in the games that were played, as questions to the author.

A question is asked where something holds in all games, or differs by more than chance, and that often enough to tell.  What nearly does
is a question as well, with the weight 0: it is not shown, but answered with the others, so that other games do not bring it up.
"""

from __future__ import annotations

from rulespec.checker.program import CheckedGame

from .answers import deciding_nothing, never_asked, never_offered, one_answer
from .counted import Asker, Counted
from .finding import Finding
from .games import endings, faults, idle_options, lengths
from .reached import never_reached
from .seats import idle_knowledge, left_out, winning_seats
from .series import Series
from .tables import bounds, moves, rounds, still
from .watched import Watched

ASKERS: tuple[Asker, ...] = (
    faults,
    endings,
    winning_seats,
    left_out,
    idle_knowledge,
    lengths,
    one_answer,
    deciding_nothing,
    never_asked,
    never_offered,
    idle_options,
    moves,
    still,
    bounds,
    rounds,
)


def questions(checked: CheckedGame, played: list[Series], watched: Watched | None) -> list[Finding]:
    """All questions, the most telling first."""
    series = [one for one in played if one.games]
    counted = Counted(series)
    found: dict[str, Finding] = {}
    for ask in ASKERS:
        for finding in ask(checked, counted):
            found.setdefault(finding.id, finding)
    if watched is not None:
        named = {str(key[2]) for one in series for key in one.counts if key[0] == "offered"}
        named |= {one.subject.partition(": ")[2] for one in found.values() if one.kind == "never offered"}
        for finding in never_reached(watched, frozenset(named)):
            found.setdefault(finding.id, finding)
    return sorted(found.values(), key=lambda one: (-one.weight, one.id))
