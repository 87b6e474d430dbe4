"""Where the shipped games and schemas lie.

A wheel carries them inside this package, in `rulespec/data/`. In a checkout they are the
folders `games/` and `schemas/` beside the package, and `rulespec/data/` does not exist.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent
_INSTALLED = _PACKAGE / "data"
_CHECKOUT = _PACKAGE.parent


def games_dir() -> Path:
    """The folder that holds one folder for each shipped game."""
    return _root() / "games"


def schemas_dir() -> Path:
    """The folder that holds the generated JSON Schemas."""
    return _root() / "schemas"


def _root() -> Path:
    return _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
