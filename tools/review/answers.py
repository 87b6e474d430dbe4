"""Questions about what players are asked: what is never asked or never possible, and what decides nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulespec import ir
from rulespec.checker.program import CheckedGame
from rulespec.text.quoting import ticked

from .counted import FEW_GAMES, NEAR, OFTEN, RARE, Counted
from .finding import Finding, Unreached, place
from .observe import question_names
from .significance import at_most, level

IDLE = 0.01  # the chance that a review calls any choice idle which is not
POSITION = 0.25  # the least share of trials in which a choice that is not leads to another position
RESULT = 0.1  # the same, to another result


def one_answer(checked: CheckedGame, counted: Counted) -> Iterator[Finding]:
    """Questions with one answer only."""
    for name in dict.fromkeys(question_names(checked.template)):
        asked, forced = counted.totals["asked", name], counted.totals["forced", name]
        if asked >= OFTEN and forced >= NEAR * asked:
            yield Finding(
                "one answer",
                name,
                f"{ticked(name)} was asked {asked:,} times, and there was never more than one answer: should there be a choice?",
                *counted.seeds["asked", name],
                60 if forced == asked else 0,
            )


def deciding_nothing(checked: CheckedGame, counted: Counted) -> Iterator[Finding]:
    """Questions whose answers all come to the same: at once, or to the end of the game.

    That the answer changes something in a stated share of trials or more is rejected by the exact binomial test, at one level for
    all questions of the game together.
    """
    names = list(dict.fromkeys(question_names(checked.template)))
    at_once = independent(counted, names, ("pairs", "alike"), POSITION)
    to_the_end = independent(counted, names, ("ends", "same end"), RESULT) if undecided(counted) else {}
    for name in names:
        if name in at_once:
            yield Finding(
                "no difference",
                name,
                f"in {counted.totals['pairs', name]:,} trials, another answer to {ticked(name)} led to the very same position: "
                "what does the choice decide?",
                *counted.seeds["pairs", name],
                at_once[name] and 75,
            )
            if at_once[name]:
                continue
        if name in to_the_end:
            yield Finding(
                "same result",
                name,
                f"in {counted.totals['ends', name]:,} trials, another answer to {ticked(name)} changed neither who won nor what anybody "
                "got: does the choice decide anything?",
                *counted.seeds["ends", name],
                to_the_end[name] and 48,
            )


def independent(counted: Counted, names: list[str], keys: tuple[str, str], share: float) -> dict[str, bool]:
    """The questions whose answers changed nothing in any trial, True, and those of which that is nearly so, False.

    `keys` are those of all trials and of those that changed nothing; `share` is that of the trials that an answer would change.
    """
    trials = {name: counted.totals[keys[0], name] for name in names}
    floors = [at_most(0, number, share) for number in trials.values() if number]
    limit = level(floors, IDLE)
    told = {}
    for name, number in trials.items():
        changed = number - counted.totals[keys[1], name]
        if number >= OFTEN and changed <= (1 - NEAR) * number:
            told[name] = not changed and at_most(0, number, share) <= limit
    return told


def undecided(counted: Counted) -> bool:
    """Whether games end in more than one way, so that a choice could tell."""
    for one in counted.series:
        results = Counter((game.winners, game.returns) for game in one.finished)
        if results and max(results.values()) <= NEAR * len(one.finished):
            return True
    return False


def never_asked(checked: CheckedGame, counted: Counted) -> Iterator[Finding]:
    """Questions that are never asked."""
    for site, name in asked_sites(checked.template) if len(counted.games) >= FEW_GAMES else ():
        games, where = counted.games_with["asked", name], site.where
        if games < RARE:
            at = "" if where is None else f" at {place(where)}"
            ask = "what would have to happen?"
            together = (
                None if where is None else Unreached("questions never asked", ask, f"{ticked(name)} ({place(where)})")
            )
            told = f"{ticked(name)}{at} is never asked: {ask}"
            yield Finding("never asked", name, told, *counted.first, 0 if games else 40, where, unreached=together)


def never_offered(checked: CheckedGame, counted: Counted) -> Iterator[Finding]:
    """Named options of questions that were asked which are never possible."""
    for site, name in asked_sites(checked.template):
        asked = counted.totals["asked", name]
        if asked < OFTEN or site.tray is not None:
            continue  # of a tray: it goes on until there are enough; to stop earlier is possible in some only
        ways: list[ir.Branch | ir.NoneOption] = [*site.branches, *([] if site.none is None else [site.none])]
        for option in ways:
            offered, where = counted.games_with["offered", name, option.name], option.where or site.where
            if offered < RARE:
                short = option.name if where is None else f"`{option.name}` ({place(where)})"
                yield Finding(
                    "never offered",
                    f"{name}: {option.name}",
                    f"`{option.name}` was never possible in the {asked:,} times that {ticked(name)} was asked: when should it be?",
                    *counted.seeds["asked", name],
                    0 if offered else 55,
                    where,
                    figure=(f"ask:{name}", f"offered {option.name}"),
                    unreached=Unreached("options never possible", "when should they be?", short),
                )


def asked_sites(program: ir.Program) -> Iterator[tuple[ir.Site, str]]:
    """The sites at which players are asked, with their names; without those that put rules in order."""
    arranging = {i.arrange for p in program.procedures for i in p.code if isinstance(i, ir.NextRule)}
    for site, name in zip(program.sites, question_names(program), strict=True):
        if site.index not in arranging:
            yield site, name
