"""A case that is recorded while somebody plays: it begins with a name and ends where he says so."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulespec.text.quoting import ticked

from .. import console

if TYPE_CHECKING:
    from interpreter import Game, State


class Recording:
    """The recorder of one sitting; `path` is the game as it was named."""

    def __init__(self, path: str, into: Path | None = None) -> None:
        self.path = path
        self.into = into
        self.name: str | None = None  # of the case that goes on
        self.first = 0  # answers before it

    def begin(self, name: str, state: State) -> str:
        """Begin a case here; what to do next, in words."""
        from .book import NAME

        if self.name is not None:
            return f"the case `{self.name}` goes on: it ends before another begins"
        if not NAME.fullmatch(name):
            return f"{ticked(console.printable(name))} cannot be the name of a case: letters, digits and _ only, a letter first"
        self.name, self.first = name, sum(1 for _ in state.answers())
        return f"the case {ticked(name)} begins here: play on, and say when it is done"

    def end(self, game: Game, state: State) -> str:
        """Write the case that goes on; what came of it, in words.  Raises OSError."""
        from .keeping import keep
        from .writer import NoCase

        if self.name is None:
            return "no case has begun"
        name, self.name = self.name, None
        actors = [actor for actor, *_ in list(state.answers())[::-1][self.first :]]
        count = sum(actor >= 0 for actor in actors)
        if not count:
            return f"nothing was answered since {ticked(name)} began: no case is written"
        try:
            kept = keep(name, self.path, game, state, self.first, count, self.into, show=False)
        except NoCase as error:
            return f"no case: {error}"
        return f"written: the case {ticked(name)} in {console.printable(f'{kept.file}:{kept.line}')}"
