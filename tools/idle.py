"""What is found in variants as they are laid over a game: those without which it is played alike, and games that have changed since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from rulespec.text.diagnostics import Diagnostic, Diagnostics
from rulespec.text.quoting import ticked

if TYPE_CHECKING:
    from rulespec import ir
    from rulespec.checker.program import CheckedGame
    from rulespec.variants.stack import Overlay, Stack

MOST = 6  # variants at once of which each is left out in turn
NAMES = ("title", "digest", "variants")  # what is not played
# What no pass changes.
AS_WRITTEN = (
    "kinds", "boards", "zones", "slot_names", "main", "targets", "score", "views", "step_limit", "most_decisions", "lastings",
    "shown", "unit", "printers",
)  # fmt: skip


def idle(stack: Stack, game: CheckedGame, unused: Iterable[str]) -> Iterator[Diagnostic]:
    """A warning (V015) for each variant that changes nothing in a game with all of them; `unused` are functions that nothing reads."""
    from rulespec.checker.context import listed
    from rulespec.variants.changes import changes_of

    members = several(stack.leaves)
    if len(members) > MOST:
        return
    if len(members) == 1:
        (only,) = members
        if not changes_of(only.root):  # of others each change is looked at by itself: V011
            below = listed([ticked(one.id) for one in only.parents]) if only.parents else "the game"
            yield found(only, f"{ticked(only.id)} changes nothing: its rules are those of {below}")
        return
    whole = game if members is stack.leaves else read(stack.base, members)
    for member in members if whole is not None else ():
        others = tuple(one for one in members if one is not member)
        without = read(stack.base, others)
        if whole is not None and without is not None and alike(whole, without, frozenset(unused)):
            beside = listed([ticked(one.id) for one in others])
            yield found(
                member, f"{ticked(member.id)} changes nothing next to {beside}: without it, all is played alike"
            )


def moved_bases(stack: Stack) -> Iterator[Diagnostic]:
    """A warning (V016) for each variant whose game has changed since it was stamped."""
    from rulespec.loading.reading import read_resolved
    from rulespec.text.yaml_tree import ScalarNode
    from rulespec.variants import stamp
    from rulespec.variants.changes import NAME_PLACES, changes_of
    from rulespec.variants.laying import Laying
    from rulespec.variants.paths import read_path
    from rulespec.variants.stack import line_of

    for overlay in line_of(stack.leaves):
        if "base" not in overlay.root:
            continue
        resolved = read_resolved(overlay.base, Diagnostics())
        words = [change.get(key) for change in changes_of(overlay.root) for key in NAME_PLACES]
        paths = [read_path(word, Diagnostics()) for word in words if isinstance(word, ScalarNode)]
        touched = (path[0].key for path in paths if path and path[0].key is not None)
        if resolved is not None:
            tree = Laying(resolved[1], Diagnostics()).before(overlay)
            yield from stamp.moved(overlay.root, tree, frozenset(touched))


def several(leaves: tuple[Overlay, ...]) -> tuple[Overlay, ...]:
    """Those that are laid over a game at once: the variants that are named, or what a single bundle lists."""
    return leaves[0].parents if len(leaves) == 1 and len(leaves[0].parents) > 1 else leaves


def read(base: Path, overlays: tuple[Overlay, ...]) -> CheckedGame | None:
    """The game with some variants."""
    from rulespec.loading.reading import read as read_game

    return read_game(base, Diagnostics(), None, tuple(str(one.path.absolute()) for one in overlays))


def alike(a: CheckedGame, b: CheckedGame, unused: frozenset[str]) -> bool:
    """Whether two games are played alike: the same program for the fewest players, but for functions that nothing reads."""
    if a.digest == b.digest:
        return True
    if list(a.players) != list(b.players):
        return False
    if any(getattr(a.template, name) != getattr(b.template, name) for name in AS_WRITTEN):
        return False  # as their programs would say, which are not made for it
    if [p.name for p in a.template.procedures] != [p.name for p in b.template.procedures]:
        return False
    one, other = (game.program(players=min(game.players)) for game in (a, b))
    rest = [f.name for f in fields(one) if f.name not in (*NAMES, "functions")]
    if any(getattr(one, name) != getattr(other, name) for name in rest):
        return False
    return read_functions(one, unused) == read_functions(other, unused)


def read_functions(program: ir.Program, unused: frozenset[str]) -> list[ir.Function]:
    """The functions that something reads."""
    return [function for function in program.functions if function.name not in unused]


def found(overlay: Overlay, message: str) -> Diagnostic:
    """The finding, at the name of the variant."""
    word = overlay.root.get("id")
    span = None if word is None else word.span
    help = ("leave it out, or look whether another place was meant: `rulespec diff` shows what it changes by itself",)
    return Diagnostic("V015", message, span, "warning", help=help)
