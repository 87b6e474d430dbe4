"""Settings of a project: `rulespec.toml`, or `[tool.rulespec]` in `pyproject.toml`, in the current folder or the nearest above it.

[lint]
games = ["games/*"]      # what `rulespec lint` looks at where no game is named; paths from this file
notes = true             # as --notes
variants = false         # as --no-variants
format = "github"        # as --format
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics, RulespecError, nearest
from rulespec.text.quoting import ticked
from rulespec.text.source import Source, Span, read_source, shown_path

from .formats import FORMS

OWN, SHARED = "rulespec.toml", "pyproject.toml"
BELOW = {OWN: (), SHARED: ("tool", "rulespec")}  # where the settings stand in a file
HEAD = re.compile(r"[ \t]*\[[ \t]*(?P<name>[^\[\]\n]+?)[ \t]*\]")
KEY = re.compile(r"[ \t]*(?P<name>[\w.\"'-]+)[ \t]*=")


@dataclass(frozen=True, slots=True)
class LintSettings:
    """What `rulespec lint` does where its options do not say otherwise."""

    games: tuple[str, ...] = ()
    notes: bool = False
    variants: bool = True
    format: str = "text"


def texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def truth(value: Any) -> bool:
    return isinstance(value, bool)


KNOWN: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "games": ('a list of paths, `["my_game"]`', texts),
    "notes": ("`true` or `false`", truth),
    "variants": ("`true` or `false`", truth),
    "format": (" or ".join(f'`"{form}"`' for form in FORMS), lambda value: value in FORMS),
}


def lint_settings(folder: Path | None = None) -> LintSettings:
    """The settings of the project that a folder, or else the current one, belongs to.

    Raises RulespecError with every setting that is not understood.
    """
    try:
        folder = folder or Path.cwd()
    except OSError:  # it was removed meanwhile
        return LintSettings()
    diagnostics = Diagnostics()
    for file in candidates(folder):
        found = settings_in(file, diagnostics)
        if diagnostics.errors:
            raise RulespecError(diagnostics)
        if found is not None:
            games = tuple(one for name in found.get("games", ()) for one in paths(file.parent, name))
            return LintSettings(**{**found, "games": games})
    return LintSettings()


def candidates(folder: Path) -> Iterator[Path]:
    """The files that may have settings, the nearest first."""
    for above in (folder, *folder.parents):
        yield from (above / name for name in BELOW if (above / name).is_file())


def paths(folder: Path, name: str) -> list[str]:
    """The games that a path means from a folder, as they are named from the current one; `*` stands for any name."""
    found = sorted(map(str, folder.glob(name))) if "*" in name and not Path(name).is_absolute() else []
    return [os.path.relpath(path) for path in found or [str(folder / name)]]


def settings_in(file: Path, diagnostics: Diagnostics) -> dict[str, Any] | None:
    """The settings of lint in a file, as they are written there; None where it has none."""
    source = read_source(file, shown_path(file), diagnostics=diagnostics)
    if source is None:
        return None
    below = BELOW[file.name]
    if file.name == SHARED and "rulespec" not in source.text:
        return None
    import tomllib

    try:
        data: Any = tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        refuse_toml(source, str(error), diagnostics)
        return None
    for name in below:
        data = data.get(name) if isinstance(data, Mapping) else None
    if data is None:
        return None
    if not known(source, data, below, ("lint",), diagnostics):
        return None
    settings = data.get("lint", {})
    if not known(source, settings, (*below, "lint"), KNOWN, diagnostics):
        return None
    for name, value in settings.items():
        expected, fits = KNOWN[name]
        if not fits(value):
            where = place(source, (*below, "lint", name))
            diagnostics.add("C011", f"{ticked(name)} has another value", where, expected=expected, origin=source.name)
    return dict(settings)


def refuse_toml(source: Source, reason: str, diagnostics: Diagnostics) -> None:
    """Report what is no TOML, at the place that its reader names."""
    match = re.search(r"\(at (?:line (\d+), column (\d+)|end of document)\)", reason)
    start = (
        len(source.text) if match is None or match[1] is None else source.line_start(int(match[1])) + int(match[2]) - 1
    )
    message = f"{ticked(source.name)} is no TOML: {reason.partition(' (at ')[0]}"
    diagnostics.add("C011", message, Span(source, min(start, len(source.text)), min(start + 1, len(source.text))))


def known(source: Source, data: Any, way: tuple[str, ...], names: Any, diagnostics: Diagnostics) -> bool:
    """Whether all names in a table are settings; reports C011 for each that is not."""
    if not isinstance(data, Mapping):
        expected = f"a table: {', '.join(map(ticked, names))}"
        diagnostics.add("C011", f"{ticked(way[-1])} has another value", place(source, way), expected=expected)
        return False
    strange = [name for name in data if name not in names]
    for name in strange:
        close = nearest(name, names)
        diagnostics.add(
            "C011",
            f"there is no setting {ticked(name)}",
            place(source, (*way, name)),
            help=(f"did you mean {ticked(close)}?" if close else f"settings: {', '.join(map(ticked, names))}",),
            origin=source.name,
        )
    return not strange


def place(source: Source, way: tuple[str, ...]) -> Span | None:
    """Where a setting, or the table of it, is named; None where it is written in a way that is not looked for."""
    inside: tuple[str, ...] = ()
    at = 0
    for line in source.text.splitlines(keepends=True):
        head, key = HEAD.match(line), KEY.match(line)
        if head is not None:
            inside = parts(head["name"])
        match = head or key
        if match is not None:
            named = inside if match is head else (*inside, *parts(match["name"]))
            if named[: len(way)] == way:
                return Span(source, at + match.start("name"), at + match.end("name"))
        at += len(line)
    return None


def parts(name: str) -> tuple[str, ...]:
    """The parts of a dotted name."""
    return tuple(part.strip(" \t\"'") for part in name.split("."))
