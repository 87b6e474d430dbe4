"""Makes what leads to a failure shorter, as long as the same property still fails."""

from __future__ import annotations

import time
from dataclasses import replace

from interpreter.testing.properties.script import Script
from interpreter.testing.properties.trial import Bench, Budget, Failure, Trial

SECONDS = 10.0


def shrunk(bench: Bench, failure: Failure, seconds: float = SECONDS) -> Failure:
    """The failure with the shortest script that was met in some seconds.

    Stretches of answers are left out, the longest first and the last ones before the first; what then does not fit any more is left
    out too.
    """
    until = time.monotonic() + seconds
    best = again(bench, failure, failure.script)
    if best is None:  # such as one that only other games before it brought to light
        return failure
    size = max(1, len(best.script) // 2)
    while time.monotonic() < until:
        shorter = None
        for end in range(len(best.script), 0, -size):
            if time.monotonic() >= until:
                break
            start = max(0, end - size)
            if any(answer.instead is not None for answer in best.script[start:end]):
                continue
            shorter = again(bench, best, best.script[:start] + best.script[end:])
            if shorter is not None and len(shorter.script) < len(best.script):
                break
            shorter = None
        if shorter is not None:
            best = shorter
            size = min(size, max(1, len(best.script) // 2))
        elif size == 1:
            break
        else:
            size //= 2
    return best


def again(bench: Bench, failure: Failure, script: Script) -> Failure | None:
    """How the same property fails by a script; None where it does not."""
    fresh = replace(bench, met={})
    budget = Budget(checked=max(1, 2 * len(script)), life=max(1, len(script)))
    trial = Trial(fresh, failure.seed, budget, only=failure.property)
    got = trial.scripted(script, failure.start)
    return got if got is not None and got.property == failure.property else None
