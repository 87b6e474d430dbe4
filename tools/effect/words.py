"""What was found, in words: one sentence first, then a line for each figure."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.text.numbers import whole

from .figures import ADVANTAGE, CHOICE, DRAWS, LENGTH, TURN, Figure

ORDER = (ADVANTAGE, LENGTH, DRAWS, TURN, CHOICE)  # what is told first
MOST = 3  # figures in a sentence
TITLES = {
    ADVANTAGE: "first player ahead",
    DRAWS: "without a winner",
    LENGTH: "decisions in a game",
    TURN: "decisions in a turn",
    CHOICE: "options in a decision",
}


def value(name: str, number: float) -> str:
    """A figure as it is shown: shares in percent, the advantage in points, means by what they are."""
    if name == DRAWS:
        return f"{100 * number:.0f}%"
    if name == ADVANTAGE:
        return f"{100 * number:+.0f} points"
    return f"{number:.1f}" if abs(number) >= 10 else f"{number:.2f}"


def size(name: str, number: float) -> str:
    """A difference without its sign."""
    if name in (DRAWS, ADVANTAGE):
        return f"{100 * abs(number):.0f} points" if abs(number) >= 0.01 else f"{100 * abs(number):.1g} points"
    return f"{abs(number):.1f}" if abs(number) >= 10 else f"{abs(number):.2g}"


def signed(name: str, number: float) -> str:
    """A bound of an interval."""
    return f"{100 * number:+.0f}" if name in (DRAWS, ADVANTAGE) else f"{number:+.2f}"


def level_text(bot: str) -> str:
    """How a level plays."""
    word, _, number = bot.partition(":")
    if word == "random":
        return "at random"
    if word == "search" and whole(number) is not None:
        return f"by bots that try {number} games ahead of each decision"
    return f"by {bot}"


def sentence(found: Sequence[Figure], other: str, players: tuple[int, int]) -> str:
    """What there is to say at the highest level of skill that tells a difference, or that there is none, and how large it could be."""
    if not found:
        return "Too few games came to an end to compare anything."
    levels = list(dict.fromkeys(figure.level for figure in found))
    for level in reversed(levels):
        here = {figure.name: figure for figure in found if figure.level == level and figure.differs}
        if here:
            told = [clause(here[name], players) for name in ORDER if name in here][:MOST]
            return f"{other}, played {level_text(level)}: {'; '.join(told)}."
    games = [figure.games for figure in found]
    last = {figure.name: figure for figure in found if figure.level == levels[-1]}
    most = {name: max(figure.within for figure in found if figure.name == name) for name in last}
    least = f"{min(games):,}" if min(games) == max(games) else f"{min(games):,} to {max(games):,}"
    bounds = f"first player's advantage smaller than {size(ADVANTAGE, most[ADVANTAGE])}, length than {size(LENGTH, most[LENGTH])} decisions"
    at = "" if len(levels) == 1 else f" at each of {len(levels)} levels"
    return f"No difference found in {least} games of each{at} ({bounds})."


def clause(figure: Figure, players: tuple[int, int]) -> str:
    """One difference."""
    up = figure.other > figure.base
    was, now = value(figure.name, figure.base), value(figure.name, figure.other)
    if figure.name == LENGTH:
        return f"games are {'longer' if up else 'shorter'}, {now} decisions, not {was}"
    if figure.name == ADVANTAGE:
        if max(players) == 1:
            return f"{100 * figure.other:.0f}% of games are won, not {100 * figure.base:.0f}%"
        return f"the first player is {lead(figure.other)}, not {lead(figure.base)}"
    if figure.name == DRAWS:
        return f"{now} of games have no winner, not {was}"
    if figure.name == TURN:
        return f"a turn has {now} decisions, not {was}"
    return f"a decision has {now} options, not {was}"


def lead(number: float) -> str:
    """By how much the first player wins more often than the others."""
    points = round(100 * number)
    return "level with the others" if not points else f"{abs(points)} points {'ahead' if points > 0 else 'behind'}"


STRIP = 21  # places of a bar


def strip(figure: Figure, most: float) -> str:
    """The interval of a difference as a bar around 0; `most` is what its ends stand for."""
    half = STRIP // 2

    def place(number: float) -> int:
        return half + max(-half, min(half, round(half * number / most))) if most else half

    cells = [" "] * STRIP
    for at in range(place(figure.low), place(figure.high) + 1):
        cells[at] = "─"
    cells[half] = "│" if cells[half] == " " else "┼"
    cells[place(figure.other - figure.base)] = "●"
    return "".join(cells)
