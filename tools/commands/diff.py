"""`rulespec diff`: the differences of a game and a variant, or another game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rulespec.text.quoting import ticked

from .. import console
from ..framework import Command
from ..parameters import complete_game, json_option

if TYPE_CHECKING:
    from rulespec.text.source import Span
    from rulespec.text.yaml_tree import Node

    from ..comparison import CaseOutcome, Comparison

LONGEST = 300  # characters of a value that are shown
CASES = 12  # of one cause that are named
COLOURS = {"added": "green", "removed": "red", "changed": "yellow", "reordered": "yellow"}


@click.command(
    "diff",
    cls=Command,
    examples=[
        "rulespec diff {game} VARIANT",
        "rulespec diff {game} VARIANT --sheet > house_rules.md",
        "rulespec diff {game} my_game --json",
    ],
)
@click.argument("base", metavar="BASE", shell_complete=complete_game)
@click.argument("other", metavar="VARIANT", shell_complete=complete_game)
@click.option("--no-cases", is_flag=True, help="Compare the rules only; run no cases.")
@click.option(
    "--sheet",
    "as_sheet",
    is_flag=True,
    help="Print a sheet of house rules, in words, as Markdown; the code is 0.",
)
@json_option
def command(base: str, other: str, no_cases: bool, as_sheet: bool, as_json: bool) -> int:
    """Show the differences between a game and one of its variants, or another game.

    Paths are written as a variant writes them. Then the cases of the first game are run in the second: those that come out
    otherwise are shown with the first thing that does not hold, those of one cause together, but for those that the variant lists
    under `changed cases`. The code is 0 if the rules are the same, 1 if they differ, 2 if either cannot be read.
    """
    from rulespec.text.diagnostics import RulespecError

    from .. import report
    from ..comparison import compare

    progress = console.Progress("cases")
    try:
        comparison = compare(base, other, not no_cases, progress)
    except RulespecError as error:
        report.to_stderr(error.diagnostics)
        return 2
    finally:
        progress.done()
    if as_sheet:
        from ..sheet import sheet

        for line in sheet(comparison):
            console.data(console.printable(line))
        return 0
    if as_json:
        console.data_json(as_data(comparison))
    else:
        show(comparison)
    return 1 if comparison.differences else 0


def show(comparison: Comparison) -> None:
    """For people."""
    from .. import report

    console.data(
        console.paint(f"{console.printable(comparison.old.title)} -> {console.printable(comparison.new.title)}", "bold")
    )
    for difference in comparison.differences:
        console.data()
        console.data(f"{console.paint(difference.what, COLOURS[difference.what])} {console.printable(difference.path)}")
        if difference.what == "reordered":
            before, after = keys(difference.old), keys(difference.new)
            side("-", before, difference.old_span, "red")
            side("+", after, difference.new_span, "green")
            continue
        if difference.old is not None:
            side("-", text(difference.old), difference.old_span, "red")
        if difference.new is not None:
            side("+", text(difference.new), difference.new_span, "green")
    for group in comparison.groups():
        console.data()
        show_group(group)
    for word in comparison.unknown:
        console.data()
        console.data(
            f"{ticked(console.printable(word.value))} is no case of {comparison.old.id}  {word.span.source.name}:{word.span.line}"
        )
    console.message()
    console.message(f"{report.counted(len(comparison.differences), 'difference')}{summary(comparison.cases)}")


def show_group(group: list[CaseOutcome]) -> None:
    """Cases that come out otherwise, or do not though the variant says so, for one cause: the message of the first."""
    first = group[0]
    for case in group[:CASES]:
        how = f"{case.after}, as before, though the variant says that it changes it" if case.meant else case.after
        name = console.paint(console.printable(case.name), "bold")
        console.data(f"case {name} {how}  {case.file}:{case.line}")
    if len(group) > CASES:
        console.data(f"and {len(group) - CASES} more cases")
    for line in console.printable_lines(first.message):
        console.data(f"    {line}")


def summary(cases: tuple[CaseOutcome, ...]) -> str:
    """How many cases end differently."""
    if not cases:
        return ""
    passing = sum(case.after == "passes" for case in cases)
    void = sum(case.after == "does not apply" for case in cases)
    changed = [case for case in cases if case.before != case.after]
    meant = sum(case.meant for case in changed)
    as_said = f", {meant} of them as the variant says" if meant else ""
    return (
        f"; of {len(cases)} cases {passing} pass, {len(cases) - passing - void} fail and {void} do not apply, "
        f"{len(changed)} differ from before{as_said}"
    )


def side(mark: str, shown: str, span: Span | None, colour: str) -> None:
    """One of the two texts, with its place."""
    place = f"  {span.source.name}:{span.line}" if span is not None else ""
    console.data(f"    {console.paint(f'{mark} {console.printable(shown)}', colour)}{console.paint(place, 'dim')}")


def text(node: Node | None) -> str:
    """What stands there, on one line."""
    from rulespec.variants.difference import flow

    written = "" if node is None else flow(node)
    return written if len(written) <= LONGEST else f"{written[: LONGEST - 3]}..."


def keys(node: Node | None) -> str:
    from rulespec.text.yaml_tree import MapNode

    return ", ".join(node.keys()) if isinstance(node, MapNode) else ""


def as_data(comparison: Comparison) -> dict[str, Any]:
    """For programs."""
    return {
        "same": not comparison.differences,
        "base": {"id": comparison.old.id, "variants": list(comparison.old.variants), "digest": comparison.old.digest},
        "other": {"id": comparison.new.id, "variants": list(comparison.new.variants), "digest": comparison.new.digest},
        "differences": [
            {
                "what": difference.what,
                "path": difference.path,
                "old": None if difference.old is None else plain(difference.old),
                "new": None if difference.new is None else plain(difference.new),
                "old_place": label(difference.old_span),
                "new_place": label(difference.new_span),
            }
            for difference in comparison.differences
        ],
        "cases": [
            {
                "name": case.name,
                "file": case.file,
                "line": case.line,
                "before": case.before,
                "after": case.after,
                "message": case.message,
                "meant": case.meant,
            }
            for case in comparison.cases
        ],
        "unknown_cases": [word.value for word in comparison.unknown],
    }


def label(span: Span | None) -> str | None:
    return None if span is None else span.label()


def plain(node: Node) -> Any:
    from rulespec.variants.changes import data

    return data(node)
