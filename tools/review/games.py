"""Questions about games as a whole: how they end, how long they are, and which options change them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import median

from rulespec.checker.program import CheckedGame
from rulespec.text.quoting import ticked

from .counted import FEW_GAMES, NEAR, Counted
from .finding import Finding
from .observe import Played
from .series import Series
from .setups import Setup


def faults(_checked: CheckedGame, counted: Counted) -> Iterator[Finding]:
    """Faults of the rules, and games without end."""
    kinds: dict[tuple[str, str], list[tuple[Series, Played]]] = {}
    for one in counted.series:
        for game in one.games:
            if game.fault is not None:
                kinds.setdefault((game.fault[0], game.fault[2]), []).append((one, game))
            elif game.outcome == "cut":
                kinds.setdefault(("cut", ""), []).append((one, game))
    total = sum(len(one.games) for one in counted.series)
    for (code, place), alike in kinds.items():
        first, game = alike[0]
        if game.fault is None:
            message = f"{len(alike)} of {total} games had not ended after {game.decisions:,} decisions: can a game go on for ever?"
        else:
            message = f"{len(alike)} of {total} games stop with a fault, {code}: {game.fault[1]}"
        details = (place,) if place else ()
        yield Finding("fault", f"{code} {place}".strip(), message, first.setup.name, game.seed, 100, details=details)


def endings(_checked: CheckedGame, counted: Counted) -> Iterator[Finding]:
    """Endings that never come."""
    games = counted.games
    if len(games) < FEW_GAMES:
        return
    kinds = Counter(game.outcome for game in games)
    won = kinds["some"] + kinds["all"]
    seats = max(one.setup.players for one in counted.series)
    if won <= (1 - NEAR) * len(games):
        how = "all lose" if kinds["lost"] >= kinds["draw"] else "there is no winner"
        yield Finding(
            "ending",
            "nobody wins",
            f"nobody wins in any of {len(games)} games, {how}: can the game be won?",
            *counted.first,
            90 if not won else 0,
        )
    elif kinds["all"] >= NEAR * len(games) and seats > 1:
        yield Finding(
            "ending",
            "all win",
            f"all win in each of {len(games)} games: can it be lost?",
            *counted.first,
            80 if kinds["all"] == len(games) else 0,
        )


def lengths(_checked: CheckedGame, counted: Counted) -> Iterator[Finding]:
    """Games that are far longer or shorter than the others."""
    for one in counted.series:
        games = one.finished
        if one.setup.options or len(games) < FEW_GAMES:
            continue
        middle = median(game.decisions for game in games)
        longest = max(games, key=lambda game: game.decisions)
        shortest = min(games, key=lambda game: game.decisions)
        for game, word, ratio in (
            (longest, "long", longest.decisions / max(1, middle)),
            (shortest, "short", middle / max(1, shortest.decisions)),
        ):
            if ratio >= 4:
                yield Finding(
                    "length",
                    f"{word}, {one.setup.name}",
                    f"a game took {game.decisions:,} decisions, the middle one of {len(games)} takes {middle:,.0f} "
                    f"({one.setup.name}): should a game become so {word}?",
                    one.setup.name,
                    game.seed,
                    45 if ratio >= 8 else 0,
                )


def idle_options(_checked: CheckedGame, counted: Counted) -> Iterator[Finding]:
    """Options of the game that change nothing: the same seeds, the same games."""
    plain = {one.setup: one for one in counted.series}
    by_option: dict[str, list[tuple[Series, int, bool]]] = {}
    for one in counted.series:
        usual = plain.get(Setup(one.setup.players))
        if not one.setup.options or usual is None:
            continue
        outcomes = {game.seed: game.result for game in usual.games}
        both = [game for game in one.games if game.seed in outcomes]
        same = all(outcomes[game.seed] == game.result for game in both)
        by_option.setdefault(one.setup.options[0][0], []).append((one, len(both), same))
    for option, tried in by_option.items():
        games = sum(number for _, number, _ in tried)
        if games >= FEW_GAMES and all(same for _, _, same in tried):
            one = tried[0][0]
            yield Finding(
                "idle option",
                option,
                f"the option {ticked(option)} changed nothing in {games} games, which went as they do without it: "
                "is it read where it should be?",
                one.setup.name,
                one.games[0].seed,
                58,
            )
