"""The rulebook of a game that is named: read, set up once, and written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .blocks import Book


def rulebook(
    path: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    whole: bool = True,
) -> Book:
    """The book of a game, with pictures and examples if it is to be `whole`.  Raises RulespecError."""
    from interpreter import Game
    from rulespec.text.diagnostics import Diagnostics, RulespecError
    from rulespec.text.locate import find

    from ..comparison import Named, checked
    from .making import book

    diagnostics = Diagnostics()
    file = find(path, diagnostics)
    if file is None:
        raise RulespecError(diagnostics)
    game, options = checked(Named(file, variants)), dict(settings)
    play = Game(game, players=players, options=options, backend="reference")  # one position alone is wanted of it
    state = play.new_state(1) if whole else None
    return book(game.at(options), file, state, () if game.variants else changes(file))


def changes(file: Path) -> list[str]:
    """What each variant of a game says of itself."""
    from rulespec.api import variant_info
    from rulespec.checker.wording.ink import plain, sentence, strong
    from rulespec.text.locate import variants_of

    known = map(variant_info, variants_of(file))
    return [f"{strong(plain(info.title))}: {sentence(plain(info.about))}" for info in known]
