"""Where the positions of a game begin: in the extension module where it is there (`interpreter/native/opening.c`), else here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.native._core import Opening
else:
    try:
        from interpreter.native._core import Opening
    except ImportError:  # it was not built: Python does all of it

        class Opening:
            """Stands where there is no extension module."""

            def new_state(self, *args: Any, **named: Any) -> Any:
                """See `Game._new_state`."""
                return self._new_state(*args, **named)

            def playout(self, *args: Any, **named: Any) -> Any:
                """See `Game._playout`."""
                return self._playout(*args, **named)


__all__ = ["Opening"]
