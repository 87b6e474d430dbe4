"""The report: one HTML file that needs nothing else, light or dark as the reader's system is."""

from __future__ import annotations

import shlex
from html import escape
from pathlib import Path
from typing import Any

from . import charts
from .findings import findings, played

STYLE = Path(__file__).with_name("page.css")
SHOWN = 24  # of a kind in a picture; the table has the others
DETAILED = 2  # arms with pictures and answers of their own; `--json` has them of all
LEAST = 40  # members of a type above which only the ends of the list are drawn


def page(figures: dict[str, Any]) -> str:
    """The report as HTML."""
    arms = [arm for arm in figures["arms"] if arm["games"]]
    said = "".join(f"<li>{code(sentence)}</li>" for sentence in findings(figures))
    parts = [
        f"<h1>{escape(figures['title'])}</h1>",
        f"<p>{escape(figures['about'])}</p>" if figures["about"] else "",
        f'<p class="dim">{figures["games"]:,} games in {len(arms)} arms, seed {figures["seed"]}; '
        f"intervals of {figures['confidence']:g} %.</p>",
        f'<section class="findings"><h2>What was found</h2><ul>{said or "<li>No game was played.</li>"}</ul></section>',
    ]
    if arms:
        parts += ["<h2>Who wins</h2>", figure(charts.wins(arms)), wins_table(arms)]
        parts += ["<h2>How long games are</h2>", figure(charts.lengths(arms)), length_table(arms)]
    if figures["matches"]:
        parts += ["<h2>Bot against bot</h2>", match_table(figures["matches"])]
    if figures["comparisons"]:
        parts += [
            "<h2>What the factors do</h2>",
            COMPARED,
            figure(charts.forest(figures["comparisons"][:60], figures["confidence"])),
        ]
        parts.append(comparison_table(figures["comparisons"]))
    if figures["means"]:
        parts.append(mean_table(figures["means"]))
    parts += [section(arm, n < DETAILED) for n, arm in enumerate(arms)]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(figures["title"])}</title>'
    style = STYLE.read_text(encoding="utf-8")
    return f'<!doctype html>\n<html lang="en"><head>{head}<style>{style}</style></head><body><main>{"".join(parts)}</main></body></html>\n'


COMPARED = (
    "<p class='dim'>Each arm beside the first that differs from it in one thing alone. The intervals hold for all "
    "differences together (Bonferroni), p is corrected after Holm; h is Cohen's: 0.2 is small, 0.5 medium, 0.8 large.</p>"
)


def figure(svg: str) -> str:
    return f"<figure>{svg}</figure>"


def code(sentence: str) -> str:
    """A sentence with its names between backquotes."""
    parts = escape(sentence).split("`")
    return "".join(f"<code>{part}</code>" if n % 2 else part for n, part in enumerate(parts))


def table(head: list[str], rows: list[list[str]]) -> str:
    """Cells are HTML; numbers lean to the right by the page's style."""
    top = "".join(f"<th>{escape(name)}" for name in head)
    body = "".join(
        f"<tr>{''.join(f'<td>{cell}' for cell in row)}" for row in rows
    )  # HTML does without the ends of cells
    return f'<div class="scroll"><table><thead><tr>{top}<tbody>{body}</table></div>'


def folded(title: str, inner: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{inner}</details>"


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def again(arm: dict[str, Any], seeds: list[int]) -> str:
    """The commands that play a game of an arm again, and walk through it."""
    if not seeds:
        return ""
    words = ["rulespec", "play", arm["game"], "--players", str(arm["players"])]
    words += [part for variant in arm["variants"] for part in ("--variant", variant)]
    words += [part for name, value in arm["set"].items() for part in ("--option", f"{name}={value}")]
    words += [
        part
        for seat, bot in zip(arm["seat_ids"], arm["bots"], strict=True)
        if bot != "random"
        for part in ("--bot", f"{seat}={bot}")
    ]
    words += [] if arm["most_decisions"] is None else ["--max-decisions", str(arm["most_decisions"])]
    commands = [shlex.join([*words, "--bots", "--seed", str(seed), "--transcript", f"{seed}.jsonl"]) for seed in seeds]
    shown = "\n".join(f"{command}\nrulespec watch {seed}.jsonl" for command, seed in zip(commands, seeds, strict=True))
    return f"<details class='seeds'><summary>see some</summary><pre>{escape(shown)}</pre></details>"


def wins_table(arms: list[dict[str, Any]]) -> str:
    rows = [
        [
            escape(arm["name"]), escape(seat["seat"]), escape(seat["bot"]), f"{seat['wins']:,}", f"{seat['shared']:,}",
            percent(seat["share"]), f"{percent(seat['low'])} to {percent(seat['high'])}", again(arm, seat["seeds"]),
        ]
        for arm in arms
        for seat in arm["seats"]
    ]  # fmt: skip
    return folded(
        "as a table", table(["arm", "seat", "bot", "wins", "of these shared", "share", "interval", "games"], rows)
    )


def length_table(arms: list[dict[str, Any]]) -> str:
    rows = []
    for arm in arms:
        spread = arm["length"]
        if spread:
            numbers = [spread["least"], *spread["quantiles"], spread["most"]]
            rows.append(
                [escape(arm["name"]), f"{spread['mean']:.1f}", *map(str, numbers), again(arm, spread["longest"])]
            )
    head = ["arm", "mean", "shortest", "5 %", "25 %", "median", "75 %", "95 %", "longest", "the longest"]
    return folded("as a table", table(head, rows))


def comparison_table(listed: list[dict[str, Any]]) -> str:
    rows = [
        [
            escape(one["factor"]), escape(one["base"]), escape(one["other"]), escape(one["outcome"]), f"{100 * one['difference']:+.1f}",
            f"{100 * one['low']:+.1f} to {100 * one['high']:+.1f}", f"{one['effect']:+.2f}", f"{one['p_corrected']:.2g}",
        ]
        for one in listed
    ]  # fmt: skip
    return folded(
        "as a table",
        table(["factor", "compared with", "other", "outcome", "points", "interval", "h", "p, corrected"], rows),
    )


def mean_table(listed: list[dict[str, Any]]) -> str:
    """How the means of numbers differ."""
    rows = [
        [
            escape(one["factor"]), escape(one["base"]), escape(one["other"]), escape(one["number"]),
            f"{one['means'][0]:.2f}", f"{one['means'][1]:.2f}", f"{one['low']:+.2f} to {one['high']:+.2f}", f"{one['effect']:+.2f}",
            f"{one['p_corrected']:.2g}",
        ]
        for one in listed
    ]  # fmt: skip
    head = ["factor", "compared with", "other", "mean of", "there", "here", "difference, interval", "d", "p, corrected"]
    return f"<p class='dim'>{MEANS}</p>{table(head, rows)}"


MEANS = (
    "Means of whole games, compared after Welch: the intervals hold for all of them together, p is corrected after Holm; d is Cohen's, the "
    "difference in standard deviations."
)


def section(arm: dict[str, Any], drawn: bool) -> str:
    """All that is known of one arm."""
    name = arm["name"]
    pictures, parts = [], []
    if drawn and arm["length"]:
        pictures.append(figure(charts.histogram(f"Length of {name}", arm["length"], "decisions in a game")))
    if drawn and arm["lead"].get("decided"):
        decided = arm["lead"]["decided"]
        pictures.append(
            figure(
                charts.histogram(
                    f"When {name} is decided", decided, "percent of a game after which the winner leads for good", 2
                )
            )
        )
    if drawn and arm["lead"]:
        pictures.append(
            figure(
                charts.histogram(f"Lead changes of {name}", arm["lead"]["changes"], "changes of the lead in a game", 3)
            )
        )
    parts.append(f'<div class="side">{"".join(pictures)}</div>')
    if arm["causes"]:
        parts += ["<h3>Why games end</h3>", figure(charts.causes(arm)) if drawn else "", cause_table(arm)]
    if arm["tallies"]:
        parts += ["<h3>At the end</h3>", tally_table(arm["tallies"])]
    if arm["open"]:
        parts += [
            f"<h3>Options that are open</h3><p class='dim'>In {arm['followed']:,} games.</p>",
            open_table(arm["open"]),
        ]
    if drawn:
        parts += [used(name, group, listed) for group, listed in arm["uses"].items() if len(listed) > 1]
    if arm["rules"]:
        parts.append(rule_table(arm))
    setting = ", ".join(f"{k} = {v}" for k, v in arm["options"].items())
    bots = ", ".join(f"{seat['seat']}: {bot}" for seat, bot in zip(arm["seats"], arm["bots"], strict=True))
    about = f"{arm['title']}, {arm['players']} players; {bots}{'; ' + setting if setting else ''}"
    about += f"; unfinished, {played(arm)}" if arm["missing"] else ""
    return f"<section><h2>{escape(name)}</h2><p class='dim'>{escape(about)}</p>{''.join(parts)}</section>"


def used(name: str, group: str, listed: list[dict[str, Any]]) -> str:
    """What is taken of a type, or answered to a question."""
    what, _, title = group.partition(" ")
    head = f"{title}: what is taken" if what == "piece" else f"Answers to {title}"
    picture = figure(charts.pieces(f"{head} of {name}", ends(listed))) if what == "piece" else ""
    return folded(f"{head} ({len(listed)})", picture + use_table(listed))


def rule_table(arm: dict[str, Any]) -> str:
    """The rules that ran least."""
    rows = [
        [escape(one["rule"]), f"<code>{escape(one['place'])}</code>", str(one["games"]), str(one["times"])]
        for one in arm["rules"][:LEAST]
    ]
    never = sum(not one["games"] for one in arm["rules"])
    title = f"Rules: {len(arm['rules'])}, of which {never} never ran in {arm['watched']:,} watched games"
    return folded(title, table(["rule", "place", "games", "times"], rows))


def match_table(listed: list[dict[str, Any]]) -> str:
    """Bots against each other, in both seats taken together."""
    rows = [
        [
            f"<code>{escape(one['better'])}</code>", f"<code>{escape(one['worse'])}</code>", f"{one['games']:,}", f"{one['wins']:,}",
            f"{one['losses']:,}", f"{percent(one['low'])} to {percent(one['high'])}",
        ]
        for one in listed
    ]  # fmt: skip
    return table(["bot", "against", "games", "won", "lost", "share of these, interval"], rows)


def ends(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The most and the least taken."""
    offered = sorted(listed, key=lambda one: -(one["taken"] / one["offered"] if one["offered"] else -1))
    return offered if len(offered) <= LEAST else [*offered[: SHOWN // 2], *offered[-SHOWN // 2 :]]


def cause_table(arm: dict[str, Any]) -> str:
    rows = [
        [
            escape(one["cause"]),
            f"{one['games']:,}",
            f"{percent(one['low'])} to {percent(one['high'])}",
            again(arm, one["seeds"]),
        ]
        for one in arm["causes"]
    ]
    return folded("as a table", table(["cause", "games", "interval", "games to see"], rows))


def tally_table(tallies: dict[str, Any]) -> str:
    rows = []
    for name, one in tallies.items():
        if "counts" in one:
            text = ", ".join(f"{value}: {count / one['n']:.1%}" for value, count in list(one["counts"].items())[:SHOWN])
        else:
            low, _, median, _, high = one["quantiles"]
            text = f"mean {one['mean']:.2f}, median {median}, nine in ten {low} to {high}, {one['least']} to {one['most']} at all"
        rows.append([escape(name), escape(text)])
    return table(["tally", "what it came to"], rows)


def open_table(listed: list[dict[str, Any]]) -> str:
    rows = [
        [
            f"<code>{escape(one['question'])}</code>",
            f"{one['n']:,}",
            f"{one['mean']:.1f}",
            str(one["quantiles"][2]),
            str(one["most"]),
            percent(one["forced"]),
        ]
        for one in listed
    ]
    return table(["question", "times", "open, mean", "median", "most", "no choice"], rows)


def use_table(listed: list[dict[str, Any]]) -> str:
    """The most and the least taken, where there are many."""
    rows = []
    for one in listed if len(listed) <= LEAST else [*listed[: SHOWN // 2], *listed[-SHOWN // 2 :]]:
        won = (
            ""
            if one["won_share"] is None
            else f"{percent(one['won_share'])} ({percent(one['low'])} to {percent(one['high'])})"
        )
        rows.append([escape(one["label"]), f"{one['offered']:,}", f"{one['taken']:,}", f"{one['users']:,}", won])
    return table(["name", "offered", "taken", "taken by, seats in games", "of these won"], rows)
