"""Being told to end (SIGTERM), or losing the terminal (SIGHUP): like an interrupt from the keyboard, with an exit code of its own."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator

from .framework import INTERRUPTED

# Windows has no SIGHUP.
SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class Stopped(KeyboardInterrupt):
    """An interrupt that a signal brings."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def exit_code(number: int) -> int:
    """The exit code of a command that a signal has ended, as shells count."""
    return 128 + number


def code_of(problem: BaseException) -> int:
    """The exit code of a command that ends with an interrupt."""
    return exit_code(problem.number) if isinstance(problem, Stopped) else INTERRUPTED


def heeded() -> list[int]:
    """The signals that are not ignored: `nohup` has a program outlive its terminal."""
    return [number for number in SIGNALS if signal.getsignal(number) != signal.SIG_IGN]


def told_to(stop: Callable[[int], None]) -> None:
    """Call `stop` with the number of such a signal, in the event loop that runs."""
    import asyncio  # takes longer to import than most commands to run

    loop = asyncio.get_running_loop()
    for number in heeded():
        with contextlib.suppress(NotImplementedError, RuntimeError):  # Windows; a loop beside the main thread
            loop.add_signal_handler(number, stop, number)


@contextlib.contextmanager
def raised() -> Iterator[None]:
    """Raise Stopped where such a signal comes."""

    def stop(number: int, _frame: object) -> None:
        raise Stopped(number)

    before = {}
    for number in heeded():
        with contextlib.suppress(ValueError):  # beside the main thread
            before[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
