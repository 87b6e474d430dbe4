"""`rulespec diff`: what is otherwise in a variant, or in another game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .. import console
from ..framework import Command
from ..parameters import complete_game, json_option

if TYPE_CHECKING:
    from rulespec.text.source import Span
    from rulespec.text.yaml_tree import Node

    from ..comparison import CaseOutcome, Comparison

LONGEST = 300  # characters of a value that are shown
COLOURS = {"added": "green", "removed": "red", "changed": "yellow", "reordered": "yellow"}


@click.command(
    "diff",
    cls=Command,
    examples=["rulespec diff {game} VARIANT", "rulespec diff {game} my_game --json"],
)
@click.argument("base", metavar="BASE", shell_complete=complete_game)
@click.argument("other", metavar="VARIANT", shell_complete=complete_game)
@click.option("--no-cases", is_flag=True, help="Compare the rules only; run no cases.")
@json_option
def command(base: str, other: str, no_cases: bool, as_json: bool) -> int:
    """Show what is otherwise in a variant of a game, or in another game.

    Paths are written as a variant writes them. Then the cases of the first game are run in the second: those that come out
    otherwise are shown with the first thing that does not hold. The code is 0 if the rules are the same, 1 if they differ, 2
    if either cannot be read.
    """
    from rulespec.text.diagnostics import RulespecError

    from .. import report
    from ..comparison import compare

    try:
        found = compare(base, other, not no_cases)
    except RulespecError as error:
        report.to_stderr(error.diagnostics)
        return 2
    if as_json:
        console.data_json(as_data(found))
    else:
        show(found)
    return 1 if found.differences else 0


def show(found: Comparison) -> None:
    """For people."""
    from .. import report

    console.data(console.paint(f"{console.printable(found.old.title)} -> {console.printable(found.new.title)}", "bold"))
    for own in found.differences:
        console.data()
        console.data(f"{console.paint(own.what, COLOURS[own.what])} {console.printable(own.path)}")
        if own.what == "reordered":
            before, after = keys(own.old), keys(own.new)
            side("-", before, own.old_span, "red")
            side("+", after, own.new_span, "green")
            continue
        if own.old is not None:
            side("-", text(own.old), own.old_span, "red")
        if own.new is not None:
            side("+", text(own.new), own.new_span, "green")
    changed = [case for case in found.cases if case.before != case.after]
    for case in changed:
        console.data()
        console.data(
            f"case {console.paint(console.printable(case.name), 'bold')} {case.after}  {case.file}:{case.line}"
        )
        for line in console.printable_lines(case.message):
            console.data(f"    {line}")
    console.message()
    console.message(f"{report.counted(len(found.differences), 'difference')}{summary(found.cases, len(changed))}")


def summary(cases: tuple[CaseOutcome, ...], changed: int) -> str:
    """How many cases come out otherwise."""
    if not cases:
        return ""
    passing = sum(case.after == "passes" for case in cases)
    void = sum(case.after == "does not apply" for case in cases)
    return (
        f"; of {len(cases)} cases {passing} pass, {len(cases) - passing - void} fail and {void} do not apply, "
        f"{changed} otherwise than before"
    )


def side(mark: str, shown: str, span: Span | None, colour: str) -> None:
    """One of the two texts, with its place."""
    place = f"  {span.source.name}:{span.line}" if span is not None else ""
    console.data(f"    {console.paint(f'{mark} {console.printable(shown)}', colour)}{console.paint(place, 'dim')}")


def text(node: Node | None) -> str:
    """What stands there, on one line."""
    from rulespec.variants.difference import flow

    made = "" if node is None else flow(node)
    return made if len(made) <= LONGEST else f"{made[: LONGEST - 3]}..."


def keys(node: Node | None) -> str:
    from rulespec.text.yaml_tree import MapNode

    return ", ".join(node.keys()) if isinstance(node, MapNode) else ""


def as_data(found: Comparison) -> dict[str, Any]:
    """For programs."""
    return {
        "same": not found.differences,
        "base": {"id": found.old.id, "variants": list(found.old.variants), "digest": found.old.digest},
        "other": {"id": found.new.id, "variants": list(found.new.variants), "digest": found.new.digest},
        "differences": [
            {
                "what": own.what,
                "path": own.path,
                "old": None if own.old is None else plain(own.old),
                "new": None if own.new is None else plain(own.new),
                "old_place": label(own.old_span),
                "new_place": label(own.new_span),
            }
            for own in found.differences
        ],
        "cases": [
            {
                "name": case.name,
                "file": case.file,
                "line": case.line,
                "before": case.before,
                "after": case.after,
                "message": case.message,
            }
            for case in found.cases
        ],
    }


def label(span: Span | None) -> str | None:
    return None if span is None else span.label()


def plain(node: Node) -> Any:
    from rulespec.variants.changes import data

    return data(node)
