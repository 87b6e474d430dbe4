"""Work that makes much and drops little, without a search for cycles on the way: reading a game, compiling it, looking through it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

of_one_command = False  # whether this process runs one command and ends


@contextmanager
def without_collection(last: bool = False) -> Iterator[None]:
    """No search for cycles as long as this lasts; a sixth of the time of a large game goes into them.  Also a decorator.

    `last`: a process of one command ends soon, so that what was made meanwhile is not looked through right afterwards either.  Any other
    process may have frozen what it keeps, and it stays so.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            if last and of_one_command:
                gc.freeze()
                gc.unfreeze()  # all of it is old now
            gc.enable()
