"""docs/reports/benchmarks.md: a run, for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any

from .plan import DATA, IN_PYTHON, contenders, document, title_of
from .results import BACKENDS, Fresh, Results, Row, spread
from .targets import verdicts
from .units import digits, number, with_spread

WAYS = {"playouts": "in one call", "steps": "step by step"}
HEAD = "<!-- Written by `make bench`; do not edit. `python -m tools.dev.bench --page` writes it again from benchmarks.json. -->"


def page(results: Results) -> str:
    """The whole page."""
    parts = [
        HEAD,
        "# Benchmarks",
        intro(results),
        "## In short",
        SHORT.format(ours=ours_text(results).removeprefix("ours ")),
        short(results),
        "## Beside other libraries",
        BESIDE.format(ours=ours_text(results).removeprefix("ours ")),
        *(part for row in results.rows if compared(row) for part in beside(row)),
        agreement(results),
        "## Our games",
        "Random games, and what is done to their positions, averaged over positions all through them.",
        games(results),
        failures(results),
        "## Two styles of one game",
        STYLES,
        styles(results),
        "## How the cost grows",
        growth(results),
        "## Loading, checking and memory",
        LOADING,
        loading(results),
        "## Compiling, and threads",
        compiling(results),
        "## What we aim at",
        aims(results),
        "## How it is measured",
        METHOD.format(**settings(results)),
        ways(),
        LIMITS,
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


SHORT = """\
How fast random games of each shipped game are played {ours}, at the fewest players, on one core: from Python step by step, as a
program that searches or learns would, and whole games in one call. Beside it, how often as fast that is as the library named, each in
its own way."""

BESIDE = """\
How often as fast our games are, {ours}: above 1 is faster. *Step by step* is what the others are measured by:
the same loop around the public calls, in Python. *In one call* is a whole game in one call, by each library's own random
players (ours: `Game.playout`). Clone and action are a copy of a position, and a copy on which an action is applied."""

STYLES = """\
A game written without a thought of how it will be played, such as squares by conditions on rows and columns, rows by counting, and
the same game written for speed: as it is shipped, or in a file beside. Both have the same games (the samples agree). A ratio of 1
is the same speed, below 1 the natural style is slower; the difference is to be at most 1.3 times."""

LOADING = """\
Each is a new process. *Lint* is `rulespec lint`, the whole process. *Cold* and *cached* begin before the first import and end
when a game can be played; *import*, *check* and *compile* are its parts, cold. Times are of the clock; in brackets stands how
long the processor worked, the start of Python included: where it is much less, others were using the machine. Memory is the
most that the process has held when Python has started, when the game is ready, and when random games have been played."""

METHOD = """\
`make bench` measures everything in one run. Each contender plays in a process of its own. The contenders of a game take turns:
{rounds} rounds, in each of which everybody has one slice of {slice:g} s of processor time for each quantity, after a warm-up. A
number is the median of the rounds with the least and the greatest; a ratio is the median of the ratios of each round. Decisions
are those of players, not of chance; decisions a second are games a second times the mean length of a random game. Play is
uniformly random over the legal actions. Ours draws chance by itself from a seed and keeps neither log nor undo
(`new_state(seed, undo=False, record=False)`); the others are driven as told below.{once}

Copies are averaged over at most 400 positions of random games and saves over 40; the legal actions of each were asked for
before, and the action is a random one of them. A save is the text with log and history, written and read again. New processes
are started in {fresh} rounds, of which the median counts; files are in the system's memory by then."""

LIMITS = """\
What these numbers do not say: how long a cleverer player thinks, how a game behaves in several processes at once, or how other
machines compare. RLCard and PettingZoo build observations at each step, for learning; ours, asked for an observation at each
step, would be slower. In one call, OpenSpiel plays in C++."""


def intro(results: Results) -> str:
    """When and on what."""
    machine = results.machine
    load = "" if machine["load"] is None else f", {machine['load']} processes wanted to run when it began"
    lines = [
        f"Measured on {results.date}: {machine['cpu']}, {machine['cores']} cores{load}; {machine['system']};",
        f"{machine['python']}. Rulespec {machine['rulespec']}; "
        + "; ".join(peer_text(peer) for peer in results.peers.values())
        + ".",
    ]
    return "\n".join(lines)


def peer_text(peer: Any) -> str:
    """A peer with its version, or why it is not here."""
    if peer["problem"] is not None:
        return f"{peer['title']} is **not installed: {peer['problem']}**"
    return f"{peer['title']} {peer['version']}"


def settings(results: Results) -> dict[str, Any]:
    """The settings, and what is said where some were measured once."""
    once = results.settings.get("once")
    titles = " and ".join(map(title_of, once or ()))
    return {**results.settings, "once": f"\n{titles} is measured in the first round alone." if once else ""}


def played_by(rows: Sequence[Row]) -> list[str]:
    """Our back ends that some of the rows have."""
    there = {series.contender for row in rows for series in row.series}
    return [backend for backend in BACKENDS if backend in there or backend in IN_PYTHON]


def ours_text(results: Results) -> str:
    """By which of our back ends the others are measured."""
    return "ours as compiled C" if any(row.ours == "native" for row in results.rows) else "ours with generated Python"


def compared(row: Row) -> bool:
    """Whether anybody but us played."""
    return row.kind != "style" and any(series.contender not in BACKENDS for series in row.series)


def aims(results: Results) -> str:
    """The targets with their verdicts."""
    lines = [["target", "aim", "step by step", "in one call", "reached"]]
    for verdict in verdicts(results):
        where = f" ({verdict.where})" if "every" in verdict.what and verdict.where else ""
        per_call = "" if verdict.unit == "s" else number(verdict.one_call, verdict.unit)
        lines.append(
            [verdict.what, verdict.aim, number(verdict.measured, verdict.unit) + where, per_call, f"**{verdict.word}**"]
        )
    note = "Times stand in the first column of numbers. Where every game is meant, the worst decides."
    return f"{table(lines, right={1, 2, 3})}\n\n{note}"


def shipped(results: Results) -> list[tuple[Row, str | None]]:
    """The shipped games at their fewest players, each with the first of the others that was measured step by step."""
    first: dict[str, Row] = {}
    for row in sorted(results.rows, key=lambda row: (row.game, row.players)):
        if row.kind == "shipped":
            first.setdefault(row.game, row)
    return [(row, next((id for id in contenders() if row.rates(id, "steps")), None)) for row in first.values()]


def short(results: Results) -> str:
    """A line for each shipped game: what most readers look for."""
    lines = [["game", "decisions a second, step by step", "games a second, in one call", "beside", "steps", "one call"]]
    for row, other in shipped(results):
        steps, calls = (row.rates(row.ours, way) for way in ("steps", "playouts"))
        against = [""] * 3
        if other is not None:
            pairs = [ratio_text(row, (row.ours, way), (other, way)) for way in ("steps", "playouts")]
            against = [title_of(other), *pairs]
        speed = digits(median(steps) * row.length) if steps and row.length else "–"
        lines.append([row.title, speed, digits(median(calls)) if calls else "–", *against])
    return table(lines, right={1, 2, 4, 5}) if len(lines) > 1 else "Not measured in this run."


def compiling(results: Results) -> str:
    """What it takes to compile a game, and what a second thread brings."""
    lines = [["game", "players", "writing C", "compiling", "by the clock", "one thread, games/s", "two threads"]]
    there: dict[tuple[str, int], dict[str, Fresh]] = {}
    for sample in results.fresh:
        if sample.what in ("build", "threads"):
            there.setdefault((sample.game, sample.players), {})[sample.what] = sample
    for (game, players), samples in there.items():
        built, threads = samples.get("build"), samples.get("threads")
        costs = [stage(built, name) for name in ("written", "compiled", "total")]
        rates = ["–", "–"]
        if threads is not None:
            broken = threads.error is not None
            rates = [
                f"*{cell(threads.error or '')}*" if broken else digits(threads.stages[name][0])
                for name in ("one", "two")
            ]
        lines.append([game, str(players), *costs, *rates])
    return table(lines, right=set(range(1, 7))) if len(lines) > 1 else "Not measured in this run."


def beside(row: Row) -> Iterable[str]:
    """A game that is compared: its heading, a note, and everybody's numbers."""
    length = "" if row.length is None else f", {digits(row.length)} decisions in a random game"
    yield f"### {row.title}, {row.players} players"
    apart = f" Measured apart, on {row.apart}." if row.apart else ""
    yield f"`{row.game}`{length}.{apart} {row.note}".strip()
    lines = [
        ["", "", "games a second", "decisions a second", "ours, step by step", "ours, in one call", "clone", "action"]
    ]
    for series in row.series:
        title = title_of(series.contender)
        if series.quantity not in WAYS:
            continue
        if series.error is not None:
            way = "" if series.error.startswith("not installed") else WAYS[series.quantity]
            lines.append([title, way, f"*{cell(series.error)}*", *[""] * 5])
        else:
            rate = median(series.rates)
            speed = "–" if row.length is None else digits(rate * row.length)
            against = (series.contender, series.quantity)
            ratios = [ratio_text(row, (row.ours, way), against) for way in ("steps", "playouts")]
            copies = [duration(row.rates(series.contender, quantity)) for quantity in ("clones", "children")]
            lines.append(
                [
                    title,
                    WAYS[series.quantity],
                    with_spread(spread(series.rates), "/s").replace("/s", ""),
                    speed,
                    *ratios,
                ]
                + (copies if series.quantity == "steps" else ["", ""])
            )
    yield table(lines, right=set(range(2, 8)))


def ratio_text(row: Row, ours: tuple[str, str], theirs: tuple[str, str]) -> str:
    """How often as fast; nothing beside itself."""
    if ours == theirs:
        return ""
    ratio = row.ratio(ours, theirs)
    return "–" if ratio is None else number(ratio.median, "×")


def duration(rates: Sequence[float]) -> str:
    """The time of one, of rounds of rates."""
    return number(1 / median(rates), "s") if rates else "–"


def agreement(results: Results) -> str:
    """Whether those who are compared play the same game."""
    lines = []
    for row in results.rows:
        for contender, quantity, features in row.strangers():
            lines.append(
                f"- **{row.title}: {title_of(contender)}, {WAYS[quantity]}, does not play the same game**: "
                f"its {', '.join(features)} differ."
            )
    if lines:
        return "\n".join(lines)
    return (
        "Everybody in a table plays the same game: over samples of random games, the mean number of decisions and the mean and\n"
        "mean square of the first player's returns agree within five standard errors, but where a note says that they cannot."
    )


def games(results: Results) -> str:
    """Our games at their numbers of players."""
    lines = [
        [
            "game",
            "players",
            "",
            "games a second",
            "decisions a second",
            "step by step",
            "clone",
            "action",
            "save and load",
        ]
    ]
    for row in sorted((row for row in results.rows if row.kind == "shipped"), key=lambda row: (row.game, row.players)):
        lines += game_lines(row, [row.title, str(row.players)])
    return table(lines, right={1, *range(3, 9)})


def game_lines(row: Row, head: list[str]) -> list[list[str]]:
    """A line for each back end."""
    lines = []
    for backend in played_by([row]):
        rates = {quantity: row.rates(backend, quantity) for quantity in ("playouts", "steps")}
        speeds = [
            "–" if not values or row.length is None else digits(median(values) * row.length)
            for values in rates.values()
        ]
        lines.append(
            [*head, backend, digits(median(rates["playouts"])) if rates["playouts"] else "–", *speeds]
            + [duration(row.rates(backend, quantity)) for quantity in ("clones", "children", "saves")]
        )
    return lines


def styles(results: Results) -> str:
    """The natural style beside the other, by each back end that plays both."""
    lines = [["game", "", "", "natural", "for speed", "ratio"]]
    for row in results.rows:
        for backend in played_by([row]) if row.kind == "style" else ():
            for quantity, way in WAYS.items():
                natural, tuned = row.rates(backend, quantity), row.rates(f"{backend}_tuned", quantity)
                ratio = row.ratio((backend, quantity), (f"{backend}_tuned", quantity))
                if ratio is not None:
                    speeds = [with_spread(spread(rates), "/s") for rates in (natural, tuned)]
                    lines.append([row.title, backend, way, *speeds, number(ratio.median, "×")])
    return table(lines, right={3, 4, 5}) if len(lines) > 1 else "Not measured in this run."


def failures(results: Results) -> str:
    """What could not be measured of ours, and why."""
    lines = [
        f"- {row.title}, {row.players} players, {series.contender}, {series.quantity}: *{cell(series.error)}*"
        for row in results.rows
        for series in row.series
        if series.contender in BACKENDS and series.error is not None
    ]
    return "\n".join(["Not measured:", "", *lines]) if lines else ""


def growth(results: Results) -> str:
    """With the number of players, and with the size of hands."""
    parts = []
    rows = results.find(document()["growth"])
    if len(rows) > 1:
        parts.append(f"With the number of players ({rows[0].title}):")
        parts.append(growing([(str(row.players), row) for row in rows], "players"))
    hands = sorted((row for row in results.rows if row.kind == "hands"), key=lambda row: row.length or 0)
    if hands:
        parts.append(
            "With the size of hands: a synthetic game of tricks for four, written for this page "
            f"(`tools/dev/bench/{DATA.name}/hands.template.yaml`); everybody plays a card of the suit that was led, if he has one."
        )
        parts.append(growing([(row.game.rpartition("_")[2], row) for row in hands], "cards in a hand"))
    return "\n\n".join(parts) or "Not measured in this run."


def growing(rows: Sequence[tuple[str, Row]], quantity: str) -> str:
    """What a decision costs, and a copy with an action."""
    backends = played_by([row for _, row in rows])
    lines = [
        [quantity, "decisions in a game", *(f"{name}, {b}" for b in backends for name in ("a decision", "action"))]
    ]
    for name, row in rows:
        cells = [name, "–" if row.length is None else digits(row.length)]
        for backend in backends:
            rates = row.rates(backend, "playouts")
            known = bool(rates) and bool(row.length)
            cells.append(duration([rate * (row.length or 1) for rate in rates]) if known else "–")
            cells.append(duration(row.rates(backend, "children")))
        lines.append(cells)
    return table(lines, right=set(range(2 + 2 * len(backends))))


def loading(results: Results) -> str:
    """What new processes need."""
    lines = [["game", "players", "", "lint", "cold", "import", "check", "compile", "cached", "memory, MB"]]
    samples = {(sample.game, sample.players, sample.what, sample.backend): sample for sample in results.fresh}
    for game, players in dict.fromkeys((sample.game, sample.players) for sample in results.fresh):
        lint = samples.get((game, players, "lint", ""))
        for backend in IN_PYTHON:
            load, cached, memory = (
                samples.get((game, players, quantity, backend)) for quantity in ("load", "cached", "memory")
            )
            lines.append(
                [game, str(players), backend, elapsed(lint) if backend == IN_PYTHON[0] else "", elapsed(load)]
                + [
                    stage(load, name) if load is None or load.error is None else ""
                    for name in ("import", "load", "compile")
                ]
                + [elapsed(cached), held(memory)]
            )
    return table(lines, right={1, *range(3, 10)}) if len(lines) > 1 else "Not measured in this run."


def stage(sample: Fresh | None, name: str) -> str:
    """The median time of a stage, or why there is none."""
    if sample is None:
        return "–"
    return f"*{cell(sample.error)}*" if sample.error is not None else number(median(sample.stages[name]), "s")


def elapsed(sample: Fresh | None) -> str:
    """The whole time by the clock, and what the processor worked."""
    text = stage(sample, "total")
    return text if sample is None or sample.error is not None else f"{text} ({stage(sample, 'processor')})"


def held(sample: Fresh | None) -> str:
    """Bare, loaded and played."""
    if sample is None:
        return "–"
    if sample.error is not None:
        return f"*{cell(sample.error)}*"
    return ", ".join(digits(median(sample.stages[name]) / 1e6) for name in ("bare", "loaded", "played"))


def ways() -> str:
    """How each library is driven."""
    return "\n".join(
        f"- **{contender.title}.** {' '.join(contender.how.split())}" for contender in contenders().values()
    )


def cell(text: str) -> str:
    """A text that cannot leave its cell."""
    return text.replace("|", "\\|").replace("\n", " ").replace("*", "\\*")


def table(lines: Sequence[Sequence[str]], right: set[int]) -> str:
    """A table of Markdown; the columns in `right` lean to the right."""
    head, *rest = lines
    rule = ["---:" if column in right else "---" for column in range(len(head))]
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, rule, *rest))
