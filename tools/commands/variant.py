"""`rulespec variant`: the smallest variant that makes a changed copy of a game of it."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulespec.text.quoting import ticked

from .. import console
from ..framework import CLEAN, FINDINGS, MISUSE, Command, Misuse
from ..parameters import complete_game, json_option

if TYPE_CHECKING:
    from rulespec.text.yaml_tree import MapNode

NAME = re.compile(r"[a-z][a-z0-9_]*")


@click.command(
    "variant",
    cls=Command,
    examples=[
        "rulespec variant {game} --from edited.yaml",
        "rulespec variant my_game --from edited.yaml --out my_game/variants/house_rules.yaml",
        'rulespec variant my_game/variants/house_rules.yaml --stamp --author "A club" --link https://example.org',
    ],
)
@click.argument("base", metavar="GAME", shell_complete=complete_game)
@click.option(
    "--from",
    "edited",
    metavar="COPY",
    help="A copy of the game, or of its folder, in which rules were changed.",
)
@click.option(
    "--out", "out", type=click.Path(path_type=Path, dir_okay=False), help="The file to write; shown here, if not said."
)
@click.option("--id", "name", metavar="NAME", help="What the variant is called; as its file, if not said.")
@click.option(
    "--stamp",
    "again",
    is_flag=True,
    help="Write into the file of a variant for which sections of its game it was written.",
)
@click.option("--author", help="Who has written it.")
@click.option("--link", help="Where more is to be read.")
@json_option
def command(
    base: str,
    edited: str | None,
    out: Path | None,
    name: str | None,
    again: bool,
    author: str | None,
    link: str | None,
    as_json: bool,
) -> int:
    """Write the smallest variant that makes a changed copy of a game of it, or stamp a variant for its game.

    Copy the game, change the copy until it is what you want, and this says what you have changed, as a variant: with it, the game has the
    rules of the copy, to the last letter. GAME may be a variant's file, which the new one then extends. The code is 1 if the rules are the
    same, or a variant cannot say what differs.

    With --stamp, GAME is the file of a variant: the digests of the sections of its game are written into it, and lint says from then on
    which of them have changed.
    """
    from rulespec.text.diagnostics import RulespecError

    from .. import report

    if (edited is None) != again:
        raise Misuse(
            "either --from or --stamp is needed", "--from COPY writes a variant, --stamp marks the file of one"
        )
    about = [(key, text) for key, text in (("author", author), ("link", link)) if text is not None]
    try:
        if edited is None:
            return stamp(base, about)
        file, old, new = trees(base, edited)
    except RulespecError as error:
        report.to_stderr(error.diagnostics)
        return MISUSE
    own = name or named(out, Path(edited))
    if not NAME.fullmatch(own):
        raise Misuse(
            f"{ticked(own)} is no name for a variant", "--id NAME: small letters, digits and `_`, a letter first"
        )
    if out is not None and out.stem != own:
        raise Misuse(f"the file of {ticked(own)} is named {ticked(own + '.yaml')}", f"--out {out.parent / own}.yaml")
    return write(file, old, new, [f"id: {own}", *texts(old, new), *signed(about)], out, as_json)


def signed(about: list[tuple[str, str]]) -> list[str]:
    """The lines of author and link."""
    from rulespec.variants.writing import scalar, word

    return [f"{key}: {scalar(word(text), within=False)}" for key, text in about]


def stamp(name: str, about: list[tuple[str, str]]) -> int:
    """Write into the file of a variant for which game it was written.  Raises RulespecError."""
    from rulespec.loading.reading import read_resolved
    from rulespec.text.diagnostics import Diagnostics, RulespecError
    from rulespec.text.locate import find
    from rulespec.variants.laying import Laying
    from rulespec.variants.stack import read_stack
    from rulespec.variants.stamp import lines, stamped

    found = Diagnostics()
    file = find(name, found)
    stack = None if file is None else read_stack(file, (), found, [])
    if file is None or stack is None:
        raise RulespecError(found)
    if not stack.leaves:
        raise Misuse(f"{ticked(name)} is a game and no variant", "name the file of a variant")
    (overlay,) = stack.leaves
    resolved = read_resolved(overlay.base, found)
    tree = None if resolved is None else Laying(resolved[1], found).before(overlay)
    if tree is None or found.has_errors:
        raise RulespecError(found)
    new = {line.partition(":")[0]: [line] for line in signed(about)} | {"base": lines(tree)}
    try:
        file.write_text(stamped(overlay.root.span.source.text, new), encoding="utf-8")
    except OSError as error:
        raise Misuse(console.reason(error), "the file must be one that can be written") from None
    console.message(f"stamped {overlay.id} for {len(new['base']) - 1} sections of its game")
    return CLEAN


def write(file: Path, old: MapNode, new: MapNode, about: list[str], out: Path | None, as_json: bool) -> int:
    """Work the variant out, and write it."""
    from rulespec.variants.overlay import written

    from .. import report

    found = written(old, new)
    head = [f"extends: {extends(file, out)}", *about]
    lines = [*head, "", "changes:", *(f"  {line}" for line in found.lines)]
    if not found.changes:
        console.message("the rules are the same: there is nothing for a variant to say")
        return FINDINGS
    if out is None and not as_json:
        for line in lines:
            console.data(line)
    elif out is not None:
        from ..guarding import write_over

        try:
            write_over(out, "\n".join(lines) + "\n", "extends:")
        except OSError as error:
            raise Misuse(console.reason(error), "name a file in a folder that is there") from None
    if as_json:
        console.data_json(
            {
                "id": about[0].removeprefix("id: "),
                "changes": found.changes,
                "text": "\n".join(lines) + "\n",
                "left": list(found.left),
            }
        )
    if found.left:
        listed = ", ".join(map(ticked, found.left))
        console.message(f"a variant cannot make these sections what they are in the copy: {listed}")
        return FINDINGS
    console.message(f"{report.counted(found.changes, 'change')}, by which the game has the rules of the copy")
    return CLEAN


def trees(base: str, edited: str) -> tuple[Path, MapNode, MapNode]:
    """The file of the game, its tree and that of the copy.  Raises RulespecError."""
    from rulespec.loading.reading import read_resolved
    from rulespec.text.diagnostics import Diagnostics, RulespecError
    from rulespec.text.locate import find

    found = Diagnostics()
    read = []
    for name in (base, edited):
        file = find(name, found)
        tree = None if file is None else read_resolved(file, found)
        if file is None or tree is None or found.has_errors:
            raise RulespecError(found)
        read.append((file, tree[1]))
    return read[0][0], read[0][1], read[1][1]


def named(out: Path | None, edited: Path) -> str:
    """What a variant is called: as its file, or as the copy."""
    from rulespec.text.locate import MAIN

    if out is not None:
        return out.stem
    stem = edited.absolute().parent.name if edited.name == MAIN else edited.stem
    return re.sub(r"\W+", "_", stem.lower()).strip("_") or "house_rules"


def texts(old: MapNode, new: MapNode) -> list[str]:
    """The title and `about` of the copy, where they are not those of the game."""
    from rulespec.text.yaml_tree import ScalarNode
    from rulespec.variants.writing import scalar

    lines = []
    for key in ("title", "about"):
        node, before = new.get(key), old.get(key)
        if isinstance(node, ScalarNode) and not (isinstance(before, ScalarNode) and before.value == node.value):
            lines.append(f"{key}: {scalar(node, within=False)}")
    return lines


def extends(file: Path, out: Path | None) -> str:
    """How a variant in a file names the game, or the variant, of another file."""
    from rulespec.system.resources import games_dir
    from rulespec.text.locate import MAIN, VARIANTS
    from rulespec.text.quoting import ticked
    from rulespec.variants.writing import scalar, word

    file = file.resolve()
    if file.name == MAIN and file.parent.parent == games_dir().resolve():
        return file.parent.name
    if file.name == MAIN:
        folder = file.parent / VARIANTS if out is None else out.absolute().parent.resolve()
        target = file.parent
    else:
        folder = file.parent if out is None else out.absolute().parent.resolve()
        target = file
    if target.parent == folder and target.suffix == ".yaml":
        return target.stem
    try:
        path = os.path.relpath(target, folder)
    except ValueError:  # another drive
        raise Misuse(
            f"no path leads from {ticked(str(folder))} to the game", "write the variant onto the drive of the game"
        ) from None
    return scalar(word(Path(path).as_posix()), within=False)
