"""Work that makes much and drops little, without a search for cycles on the way: reading a game, compiling it, looking through it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

AT_FIRST = gc.get_freeze_count()  # some versions of Python begin with objects that are frozen


@contextmanager
def without_collection(last: bool = False) -> Iterator[None]:
    """No search for cycles as long as this lasts; a sixth of the time of a large game goes into them.  Also a decorator.

    `last`: the process ends soon, so that what was made meanwhile is not looked through right afterwards either.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            if last and gc.get_freeze_count() <= AT_FIRST:  # what somebody else has frozen stays so
                gc.freeze()
                gc.unfreeze()  # all of it is old now
            gc.enable()
