"""The search for cycles rests while much is made, and leaves what others have set."""

from __future__ import annotations

import gc
import subprocess
import sys

from rulespec.system.gc_pause import without_collection

FROZEN = """
import gc
from rulespec.system.gc_pause import without_collection
gc.freeze()
frozen = gc.get_freeze_count()
with without_collection(last=True):
    off = not gc.isenabled()
print(frozen > 0, off, gc.isenabled(), gc.get_freeze_count() == frozen)
"""


def test_what_was_frozen_stays_so() -> None:
    """In a process of its own: to count what this one has frozen takes seconds."""
    done = subprocess.run([sys.executable, "-c", FROZEN], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True"] * 4


def test_where_it_was_off_it_stays_off() -> None:
    gc.disable()
    try:
        with without_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
