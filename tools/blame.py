"""Which change of a variant brings about what is found in a line of its game.

A finding is a change's doing if the game itself does not have it, and the change, or what stood in its place, speaks of what the finding
names: `remove: phases.game[if swap]` takes away the only step that runs `take_over`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from rulespec.system.records import dataclass

if TYPE_CHECKING:
    from pathlib import Path

    from rulespec.text.diagnostics import Diagnostic
    from rulespec.text.source import Source, Span
    from rulespec.variants.changes import Touch
    from rulespec.variants.stack import Stack

QUOTED = re.compile(r"`([^`]*)`")
WORD = re.compile(r"\w+")

Key = tuple[str, str | None, int, str]


@dataclass
class Blame:
    """The changes that are laid over a game, and whether the game without them has what is found."""

    file: Path  # of the game or of a variant
    names: tuple[str, ...]  # of variants that are laid over it
    found_before: Callable[[Path, Diagnostic], bool]  # whether the game of a main file has a finding

    @cached_property
    def stack(self) -> Stack | None:
        """The game and the variants, as they are written."""
        from rulespec.text.diagnostics import Diagnostics
        from rulespec.variants.stack import read_stack

        return read_stack(self.file, self.names, Diagnostics(), [])

    @cached_property
    def laid(self) -> tuple[Path | None, list[Touch]]:
        """The file of the game without variants, and the changes."""
        from rulespec.loading.reading import read_resolved
        from rulespec.text.diagnostics import Diagnostics
        from rulespec.variants.laying import planned

        stack = self.stack
        if stack is None or not stack.leaves:
            return None, []
        plain = read_resolved(stack.base, Diagnostics())
        if plain is None:
            return None, []
        return stack.base, [touch for _, touches in planned(plain[1], stack.leaves, Diagnostics()) for touch in touches]

    def sources(self) -> Iterator[Source]:
        """The files of the variants."""
        yield from dict.fromkeys(touch.change.span.source for touch in self.laid[1])

    def of(self, diagnostic: Diagnostic) -> Span | None:
        """The change that brings a finding about, None for one that stands in a variant or in the game as it is."""
        base, touches = self.laid
        span = diagnostic.span
        if base is None or span is None or span.source.name in {touch.change.span.source.name for touch in touches}:
            return None
        named = [*QUOTED.findall(diagnostic.message), span.text.partition("\n")[0]]
        for text in named:
            words = set(WORD.findall(text))
            for touch in touches:
                if words & spoken_of(touch):
                    return None if self.found_before(base, diagnostic) else touch.change.span
        return None


def spoken_of(touch: Touch) -> set[str]:
    """The words of a change, and of what stood in its place."""
    return set(WORD.findall(f"{touch.change.span.text} {'' if touch.old is None else touch.old.span.text}"))


def told(diagnostic: Diagnostic) -> Key:
    """The key by which findings in a game and in its variants are the same."""
    start = -1 if diagnostic.span is None else diagnostic.span.start
    return diagnostic.code, diagnostic.file, start, diagnostic.message
