"""The process in which one contender plays: `python -m tools.dev.bench.worker`.

It reads a JSON object a line and answers each with one: first who plays, then what is to be measured.  Whatever a library prints
goes to stderr.  It leaves when nobody writes to it any more.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from typing import Any, TextIO

from . import slices
from .slices import Work, Works

SEED = 1


def works(driver: str, settings: dict[str, Any]) -> Works:
    """What a contender can be measured by; raises whatever its library raises."""
    if driver == "ours":
        from . import ours

        return ours.works(settings)
    from .drivers import DRIVERS

    return DRIVERS[driver](settings)


class Worker:
    """A contender that answers requests."""

    def __init__(self) -> None:
        self.makers: Works = {}
        self.works: dict[str, Work] = {}
        self.sizes: dict[str, int] = {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """One request: `start`, `prepare` or `run`; what fails is told as `error`."""
        try:
            return self.obey(request)
        except Exception as error:
            text = " ".join(str(error).split())
            return {"error": f"{type(error).__name__}: {text}"[:300] if text else type(error).__name__}

    def obey(self, request: dict[str, Any]) -> dict[str, Any]:
        match request["do"]:
            case "start":
                random.seed(SEED)
                self.makers = works(request["driver"], request["settings"])
                return {"quantities": list(self.makers)}
            case "prepare":
                quantity, seconds = request["what"], request["seconds"]
                work = self.works[quantity] = self.makers[quantity]()
                told = {} if work.read is None else slices.sample(work, request["games"], request["sample_seconds"])
                self.sizes[quantity] = slices.batch_size(work, seconds)
                slices.timed(work, self.sizes[quantity], seconds)
                return told
            case "run":
                quantity = request["what"]
                units, seconds = slices.timed(self.works[quantity], self.sizes[quantity], request["seconds"])
                return {"units": units, "seconds": seconds}
            case other:
                raise ValueError(f"nobody knows how to {other}")


def serve(requests: TextIO, answers: TextIO) -> None:
    """Answer line by line until the end."""
    worker = Worker()
    for line in requests:
        answers.write(json.dumps(worker.answer(json.loads(line))) + "\n")
        answers.flush()


def main() -> None:
    """Serve stdin, on a stdout that is ours alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us is interrupted too, and closes our stdin
    with open(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        serve(sys.stdin, answers)


if __name__ == "__main__":
    main()
