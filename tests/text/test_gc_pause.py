"""The search for cycles rests while much is made, and leaves what others have set."""

from __future__ import annotations

import gc

from rulespec.system.gc_pause import without_collection


def test_what_was_frozen_stays_so() -> None:
    kept = [{"number": number} for number in range(3)]
    gc.freeze()
    frozen = gc.get_freeze_count()
    assert frozen >= len(kept)
    with without_collection(last=True):
        assert not gc.isenabled()
    assert gc.isenabled() and gc.get_freeze_count() == frozen


def test_where_it_was_off_it_stays_off() -> None:
    gc.disable()
    try:
        with without_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
