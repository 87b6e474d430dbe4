"""What is odd in the games that were played, as questions to the author.

A question is asked where something holds in all games, or differs by more than chance, and that often enough to tell.  What nearly does
is a question as well, with the weight 0: it is not shown, but answered with the others, so that other games do not bring it up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from statistics import median

from rulespec import ir
from rulespec.checker.program import CheckedGame

from .finding import Finding
from .groups import PIECES, WORD, groups
from .observe import Played, question_names
from .reached import never_reached
from .series import Series
from .significance import binomial
from .watched import Watched

OFTEN = 20  # times that something must have happened to be odd
RARE = 10  # games: what was seen in fewer, others may not show
NEAR = 0.8  # the share of them that nearly is
FEW_GAMES = 20
SEATS = 1e-4  # how unlikely by chance seats must be
SEATS_NEAR = 0.05


def questions(checked: CheckedGame, played: list[Series], watched: Watched | None) -> list[Finding]:
    """All questions, the most telling first."""
    series = [one for one in played if one.games]
    found: dict[str, Finding] = {}
    for ask in ASKERS:
        for finding in ask(checked, series):
            found.setdefault(finding.id, finding)
    if watched is not None:
        named = {str(key[2]) for one in series for key in one.counts if key[0] == "offered"}
        named |= {one.subject.partition(": ")[2] for one in found.values() if one.kind == "never offered"}
        for finding in never_reached(watched, frozenset(named)):
            found.setdefault(finding.id, finding)
    return sorted(found.values(), key=lambda one: (-one.weight, one.id))


def faults(_checked: CheckedGame, series: list[Series]) -> Iterator[Finding]:
    """Faults of the rules, and games without end."""
    kinds: dict[tuple[str, str], list[tuple[Series, Played]]] = {}
    for one in series:
        for game in one.games:
            if game.fault is not None:
                kinds.setdefault((game.fault[0], game.fault[2]), []).append((one, game))
            elif game.outcome == "cut":
                kinds.setdefault(("cut", ""), []).append((one, game))
    total = sum(len(one.games) for one in series)
    for (code, place), alike in kinds.items():
        first, game = alike[0]
        if game.fault is None:
            message = f"{len(alike)} of {total} games had not ended after {game.decisions:,} decisions: can a game go on for ever?"
        else:
            message = f"{len(alike)} of {total} games stop with a fault, {code}: {game.fault[1]}"
        details = (place,) if place else ()
        yield Finding("fault", f"{code} {place}".strip(), message, first.setup.name, game.seed, 100, details=details)


def endings(_checked: CheckedGame, series: list[Series]) -> Iterator[Finding]:
    """Endings that never come."""
    games = [game for one in series for game in one.finished]
    if len(games) < FEW_GAMES:
        return
    kinds = Counter(game.outcome for game in games)
    won = kinds["some"] + kinds["all"]
    first = series[0]
    seats = max(one.setup.players for one in series)
    if won <= (1 - NEAR) * len(games):
        how = "all lose" if kinds["lost"] >= kinds["draw"] else "there is no winner"
        yield Finding(
            "ending",
            "nobody wins",
            f"nobody wins in any of {len(games)} games, {how}: can the game be won?",
            first.setup.name,
            first.games[0].seed,
            90 if not won else 0,
        )
    elif kinds["all"] == len(games) and seats > 1:
        yield Finding(
            "ending",
            "all win",
            f"all win in each of {len(games)} games: can it be lost?",
            first.setup.name,
            first.games[0].seed,
            80,
        )


def seats(_checked: CheckedGame, series: list[Series]) -> Iterator[Finding]:
    """Seats that win more or less often than by chance."""
    for one in series:
        players = one.setup.players
        decided = [game for game in one.finished if game.outcome == "some" and len(game.winners) < players]
        if one.setup.options or players < 2 or len(decided) < FEW_GAMES:
            continue
        winners = sum(len(game.winners) for game in decided)
        shares = [sum(seat in game.winners for game in decided) for seat in range(players)]
        equal = winners / players / len(decided)
        worst = min(range(players), key=lambda seat: binomial(shares[seat], len(decided), equal))
        chance = min(1.0, players * binomial(shares[worst], len(decided), equal))
        if chance > SEATS_NEAR:
            continue
        told = f"seat {worst + 1} wins {shares[worst]} of {len(decided)} games, {equal * len(decided):.0f} would be its share"
        yield Finding(
            "seats",
            one.setup.name,
            f"{told} ({one.setup.name}): is that seat meant to be worth so much, or so little?",
            one.setup.name,
            decided[0].seed,
            50 if chance <= SEATS else 0,
            data={"wins": shares, "games": len(decided), "chance": float(f"{chance:.2g}")},
        )


def lengths(_checked: CheckedGame, series: list[Series]) -> Iterator[Finding]:
    """Games that are far longer or shorter than the others."""
    for one in series:
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


def forced(checked: CheckedGame, series: list[Series]) -> Iterator[Finding]:
    """Questions with one answer only, and answers that come to the same."""
    totals, seeds = together(series)
    for name in dict.fromkeys(question_names(checked.template)):
        asked, one_answer = totals["asked", name], totals["forced", name]
        if asked >= OFTEN and one_answer >= NEAR * asked:
            yield Finding(
                "one answer",
                name,
                f"`{name}` was asked {asked:,} times, and there was never more than one answer: should there be a choice?",
                *seeds["asked", name],
                60 if one_answer == asked else 0,
            )
        pairs, alike = totals["pairs", name], totals["alike", name]
        if pairs >= OFTEN and alike >= NEAR * pairs:
            yield Finding(
                "no difference",
                name,
                f"in {pairs:,} trials, another answer to `{name}` led to the very same position: what does the choice decide?",
                *seeds["pairs", name],
                75 if alike == pairs else 0,
            )


def options(checked: CheckedGame, series: list[Series]) -> Iterator[Finding]:
    """Questions that are never asked, named options that are never offered."""
    totals, seeds = together(series)
    games_with = appearing(series)
    program = checked.template
    arranging = {i.arrange for p in program.procedures for i in p.code if isinstance(i, ir.NextRule)}
    first = (series[0].setup.name, series[0].games[0].seed) if series else ("", None)
    for site, name in zip(program.sites, question_names(program), strict=True):
        if site.index in arranging:
            continue
        at = "" if site.where is None else f" at {site.where.source.name.rpartition('/')[2]}:{site.where.line}"
        if games_with["asked", name] < RARE:
            never = not games_with["asked", name]
            told = f"`{name}`{at} is never asked: what would have to happen?"
            yield Finding("never asked", name, told, first[0], first[1], 40 if never else 0, site.where)
            if never:
                continue
        if site.tray is not None:
            continue  # it goes on until there are enough; to stop earlier is possible in some only
        for option in [branch.name for branch in site.branches] + ([] if site.none is None else [site.none.name]):
            asked, offered = totals["asked", name], games_with["offered", name, option]
            if offered < RARE and asked >= OFTEN:
                told = (
                    f"`{option}` was never possible in the {asked:,} times that `{name}` was asked: when should it be?"
                )
                yield Finding(
                    "never offered",
                    f"{name}: {option}",
                    told,
                    *seeds["asked", name],
                    0 if offered else 55,
                    site.where,
                    figure=(f"ask:{name}", f"offered {option}"),
                )


def idle_options(_checked: CheckedGame, series: list[Series]) -> Iterator[Finding]:
    """Options of the game that change nothing: the same seeds, the same games."""
    plain = {one.setup: one for one in series}
    by_option: dict[str, list[tuple[Series, int, bool]]] = {}
    for one in series:
        usual = plain.get(type(one.setup)(one.setup.players))
        if not one.setup.options or usual is None:
            continue
        outcomes = {game.seed: (game.decisions, game.outcome, game.winners, game.returns) for game in usual.games}
        both = [game for game in one.games if game.seed in outcomes]
        same = all(outcomes[game.seed] == (game.decisions, game.outcome, game.winners, game.returns) for game in both)
        by_option.setdefault(one.setup.options[0][0], []).append((one, len(both), same))
    for option, tried in by_option.items():
        games = sum(number for _, number, _ in tried)
        if games >= FEW_GAMES and all(same for _, _, same in tried):
            one = tried[0][0]
            yield Finding(
                "idle option",
                option,
                f"the option `{option}` changed nothing in {games} games, which went as they do without it: is it read where it should be?",
                one.setup.name,
                one.games[0].seed,
                58,
            )


def pieces(checked: CheckedGame, series: list[Series]) -> Iterator[Finding]:
    """Zones in which nothing ever lies, which pieces only leave, or only reach; variables that never change."""
    totals, _ = together(series)
    games = sum(len(one.finished) for one in series)
    if games < FEW_GAMES:
        return
    first = (series[0].setup.name, series[0].games[0].seed)
    program = checked.program(players=list(checked.players)[-1])
    moves = [i.zone for p in checked.template.procedures for i in p.code if isinstance(i, ir.Move | ir.MoveCounts)]
    filled = {checked.template.zones[zone].name for zone in moves if zone is not None}
    games_with = appearing(series)
    for group in groups(program):
        name = group.name
        if group.what == PIECES:
            into, out = games_with["in", name], games_with["out", name]
            if not into and not out and name not in filled:
                told = f"no piece ever comes into or leaves `{name}`: what is it for?"
                yield Finding("still", name, told, *first, 42)
            elif min(into, out) < RARE <= max(into, out):
                told = (
                    "pieces leave it and none ever comes back"
                    if into < out
                    else "pieces come there and none ever leaves"
                )
                told = f"`{name}`: {told}. Is that so in the rules?"
                yield Finding("one way", name, told, *first, 0 if into and out else 15)
        elif games_with["written", name] < RARE:
            told = "is never given another value" if group.what == WORD else "keeps its first value"
            told = f"`{name}` {told} in {games} games: should it change?"
            yield Finding("still", name, told, *first, 0 if games_with["written", name] else 35)
        elif group.owned and (high := totals["at highest", name]) >= NEAR * games:
            told = f"`{name}` stands at its highest value, {group.high}, at the end of {high} of {games} games: is the bound too low?"
            yield Finding("bound", name, told, *first, 38 if high == games else 0)


def appearing(series: list[Series]) -> Counter[tuple[object, ...]]:
    """In how many games each thing was counted."""
    games: Counter[tuple[object, ...]] = Counter()
    for one in series:
        games.update(one.games_with)
    return games


def together(series: list[Series]) -> tuple[Counter[tuple[object, ...]], dict[tuple[object, ...], tuple[str, int]]]:
    """The counts of all series, and the setup and seed of the first game of each count."""
    totals: Counter[tuple[object, ...]] = Counter()
    seeds: dict[tuple[object, ...], tuple[str, int]] = {}
    for one in series:
        totals.update(one.counts)
        for key, seed in one.seeds.items():
            seeds.setdefault(key, (one.setup.name, seed))
    return totals, seeds


ASKERS: tuple[Callable[[CheckedGame, list[Series]], Iterator[Finding]], ...] = (
    faults,
    endings,
    seats,
    lengths,
    forced,
    options,
    idle_options,
    pieces,
)
