"""`rulespec fmt`: files in one layout."""

from __future__ import annotations

import difflib
import io
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulespec.system.files import replace

from .. import console
from ..framework import MISNAMED, MISUSE, Command

if TYPE_CHECKING:
    from rulespec.text.diagnostics import Diagnostics

BREAK = re.compile(r"\r\n|\r|\n")


@click.command(
    "fmt",
    cls=Command,
    examples=[
        "rulespec fmt my_game",
        "rulespec fmt --check games/*",
        "rulespec fmt --diff my_game/game.yaml",
    ],
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path())
@click.option("--check", is_flag=True, help="Write nothing; the code is 1 if a file is not in the layout.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would be changed.")
def command(paths: tuple[str, ...], check: bool, diff: bool) -> int:
    """Put YAML files into one layout: indentation, spacing, empty lines between sections.

    PATH is a file, or a folder with all its YAML files; `-` is standard input. No comment and no value is changed: a file
    is written only if it says the same as before. Line ends (LF or CRLF) and a byte order mark stay; a last line without an
    end gets one.
    """
    from rulespec.text.diagnostics import Diagnostics
    from rulespec.text.formatter import formatted
    from rulespec.text.source import Source, read_source, shown_path

    from .. import report

    diagnostics = Diagnostics()
    changed = left = 0
    for path in files(paths, diagnostics):
        if path is None:
            source = Source("<stdin>", piped())
        elif (read := read_source(path, shown_path(path), diagnostics=diagnostics, mark=True)) is None:
            continue
        else:
            source = read
        text = formatted(source, diagnostics)
        if text is None:
            continue
        same = text == source.text
        changed, left = changed + (not same), left + same
        if diff:
            show(source.name, source.text, text)
        elif path is None and not check:
            console.data(text.removesuffix("\n"))
        elif check and not same:
            console.data(source.name)
        elif path is not None and not check and not same:
            replace(path, text)
    report.to_stderr(diagnostics.sorted())
    done = "would be changed" if check or diff else "changed"
    console.message(
        f"{report.counted(changed, 'file')} {done}, {left} left as {'it was' if left == 1 else 'they were'}"
    )
    if any(fault.code in MISNAMED for fault in diagnostics):
        return MISUSE
    return 1 if diagnostics.has_errors or (check and changed) else 0


def files(paths: Iterable[str], diagnostics: Diagnostics) -> Iterator[Path | None]:
    """The files that are meant, each once; None is standard input."""
    seen: set[Path] = set()
    for name in paths:
        path = Path(name)
        if name == "-":
            yield None
            continue
        inside = sorted(p for p in path.rglob("*.yaml") if p.is_file()) if path.is_dir() else [path]
        if not inside:
            diagnostics.add("Y001", "there is no YAML file in this folder", origin=name)
        for file in inside:
            if file not in seen:
                seen.add(file)
                yield file


def piped() -> str:
    """Standard input, its line ends as they are."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(newline="")
    return sys.stdin.read()


def show(name: str, old: str, new: str) -> None:
    """The difference of two texts, of which one may end its lines otherwise, or its last one not at all."""
    lines = difflib.unified_diff(
        listed(old, new), listed(new, old), name, name, "as it is", "in the layout", lineterm=""
    )
    for line in lines:
        style = {"+": ("green",), "-": ("red",), "@": ("blue",)}.get(line[:1], ())
        for part in line.split("\n"):
            console.data(console.paint(console.printable(part), *style))


def listed(text: str, other: str) -> list[str]:
    """The lines of a text, with those ends that the other text has not alike: a CR is shown, and the lack of an end is told."""
    ends = set(BREAK.findall(text)) | set(BREAK.findall(other))
    lines = (text if len(ends) > 1 else BREAK.sub("\n", text)).removesuffix("\n").split("\n")
    if not text.endswith(("\n", "\r")):
        lines[-1] += "\n\\ No newline at end of file"
    return lines
