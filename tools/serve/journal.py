"""What goes wrong in a server, for who runs it: one line for each fault, on stderr or in a file.

A line names the table and the place in our code or in the rules, and nothing that a player must not know: no token, and of an error of
ours no text, which may quote a game.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from interpreter import Fault, IllegalAction
from rulespec.system.files import PRIVATE
from rulespec.text.diagnostics import RulespecError

from .. import console

LOG = logging.getLogger("rulespec.serve")
TOKEN = re.compile(r"[0-9a-fA-F]{32}")
AGAIN = 60.0  # seconds until the same line is written again: who provokes it again and again fills no disk
MOST_LINES = 1000  # that are remembered


class Line(logging.Formatter):
    """When, how bad, and what: in one line, whatever a name has in it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))
        return f"{when} {record.levelname} {TOKEN.sub('...', console.printable(record.getMessage()))}"


class Seldom(logging.Filter):
    """Lets a line pass once a minute."""

    def __init__(self) -> None:
        super().__init__()
        self.last: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line was not written just now."""
        text, now = record.getMessage(), time.monotonic()
        if now - self.last.get(text, -AGAIN) < AGAIN:
            return False
        if len(self.last) >= MOST_LINES:
            self.last.clear()
        self.last[text] = now
        return True


class Writing(logging.StreamHandler[Any]):
    """Writes lines, and where that fails (the disk is full) goes on: a log stops no game."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Say the line on stderr instead."""
        if self.stream is not sys.stderr:
            console.message(self.format(record))


def kept(path: Path | None) -> Writing:
    """From now on write to the end of a file that only its owner can read, or on stderr; raises OSError."""
    stream = sys.stderr
    if path is not None:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, PRIVATE)
        stream = open(handle, "a", encoding="utf-8", errors="replace")  # noqa: SIM115
    handler = Writing(stream)
    handler.setFormatter(Line())
    handler.addFilter(Seldom())
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False
    return handler


def left(handler: Writing) -> None:
    """Write there no more."""
    LOG.removeHandler(handler)
    if handler.stream is not sys.stderr:
        handler.stream.close()


def fault(where: str, problem: BaseException) -> None:
    """One line of something that went wrong."""
    LOG.error("%s: %s", where, told(problem))


def told(problem: BaseException) -> str:
    """A problem in one line: what kind it is of, and where it arose."""
    if isinstance(problem, OSError):
        return console.reason(problem)
    if isinstance(problem, Fault) and (span := problem.diagnostic.span) is not None:
        ours = "" if problem.__cause__ is None else f" ({told(problem.__cause__)})"  # what R020 stands for
        return f"{problem.diagnostic.code} at {span.source.name}:{span.line}{ours}"
    if isinstance(problem, RulespecError):
        return "; ".join(f"{one.code} at {one.file}" for one in problem.diagnostics[:3])
    steps = traceback.extract_tb(problem.__traceback__)
    place = f" at {Path(steps[-1].filename).name}:{steps[-1].lineno} in {steps[-1].name}" if steps else ""
    code = f" {problem.diagnostic.code}" if isinstance(problem, (Fault, IllegalAction)) else ""
    return f"{type(problem).__name__}{code}{place}"


def of_loop(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What goes wrong where nobody waits for it."""
    problem = context.get("exception")
    if isinstance(problem, BaseException):
        fault("the server", problem)
    else:
        LOG.warning("the server: %s", context.get("message", ""))
