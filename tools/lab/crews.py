"""Those who play batches: processes of this machine, or the workers of a Dask cluster.  Neither keeps anything that is not told.

A crew takes batches and gives back each that is played, once, in any order.  A batch whose worker dies is played again by another;
one that workers die of again and again is refused (X006).
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol

from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic, RulespecError

from ..extras import install
from .playing import Batch, Table, begin, held, play, play_here

DEATHS = 5  # of workers that a batch may have been with
PATIENCE = 15.0  # seconds that a scheduler may be away
TICK = 0.5  # seconds between two looks at a cluster


@dataclass(frozen=True, slots=True)
class Order:
    """A batch to be played: games of the table `place`."""

    place: int
    tier: str
    first: int
    count: int


class Crew(Protocol):
    """Who plays."""

    size: int  # batches that are played at once

    def give(self, order: Order) -> None:
        """Have a batch played."""

    def busy(self) -> int:
        """How many batches were given and have not come back."""

    def results(self) -> Iterator[tuple[Order, Batch]]:
        """Waits, and gives those that have come back.  Raises RulespecError X006 and X007."""

    def close(self) -> None:
        """Send everybody home; what is being played is forgotten."""


class Pool:
    """Processes of this machine."""

    def __init__(self, tables: list[Table], jobs: int) -> None:
        self.tables, self.size = tables, jobs
        self.pool = self.started()
        self.waiting: dict[Future[Batch], Order] = {}
        self.deaths: dict[Order, int] = {}

    def started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.size, initializer=begin, initargs=(self.tables,))

    def give(self, order: Order) -> None:
        try:
            future = self.pool.submit(play_here, order.place, order.tier, order.first, order.count)
        except BrokenProcessPool:  # a process has died since somebody looked
            future = Future()
            future.set_exception(BrokenProcessPool())
        self.waiting[future] = order

    def busy(self) -> int:
        return len(self.waiting)

    def results(self) -> Iterator[tuple[Order, Batch]]:
        done, _ = wait(self.waiting, return_when=FIRST_COMPLETED)
        died = []
        for future in done:
            order = self.waiting.pop(future)
            try:
                batch = future.result()
            except BrokenProcessPool:
                died.append(order)
            else:
                self.deaths.pop(order, None)
                yield order, batch
        if died:
            self.again(died)

    def again(self, died: list[Order]) -> None:
        """A process has died, and with it the pool: another one plays what it was given."""
        wait(self.waiting)  # each ends with the pool, at once
        for future, order in list(self.waiting.items()):
            if future.exception() is not None:
                del self.waiting[future]
                died.append(order)
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.pool = self.started()
        for order in died:
            self.deaths[order] = self.deaths.get(order, 0) + 1
            if self.deaths[order] >= DEATHS:
                raise died_of(order, "memory may be short: try fewer `--jobs`")
            self.give(order)

    def close(self) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in list((getattr(self.pool, "_processes", None) or {}).values()):
            process.terminate()


class Cluster:
    """The workers of a Dask cluster, by the address of its scheduler.  Raises RulespecError X007 and C008."""

    def __init__(self, tables: list[Table], address: str) -> None:
        try:
            import distributed
        except ImportError:
            hint = install("lab")
            raise RulespecError([Diagnostic("C008", "`--scheduler` needs Dask", help=(hint,))]) from None
        self.killed: type[Exception] = distributed.KilledWorker
        self.address = address
        try:
            self.client: Any = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            raise self.gone(str(error)) from None
        self.size = sum(self.client.nthreads().values())
        if not self.size:
            self.client.close()
            raise self.gone("it has no workers")
        # A task, not scattered data: what a worker held that is lost is made again by the scheduler.
        self.tables = [self.client.submit(held, table, pure=False) for table in tables]
        self.waiting: dict[Any, Order] = {}

    def give(self, order: Order) -> None:
        table = self.tables[order.place]
        future = self.client.submit(play, table, order.tier, order.first, order.count, pure=False)
        self.waiting[future] = order

    def busy(self) -> int:
        return len(self.waiting)

    def results(self) -> Iterator[tuple[Order, Batch]]:
        import distributed

        away = 0.0
        while True:
            try:
                with self.client.as_current():
                    done = distributed.wait(list(self.waiting), timeout=TICK, return_when="FIRST_COMPLETED").done
                break
            except (TimeoutError, distributed.TimeoutError):
                away = away + TICK if self.client.status != "running" else 0.0
            except Exception as error:  # what it raises depends on what it was doing
                raise self.gone(str(error)) from None
            if away >= PATIENCE or self.client.status == "closed":
                raise self.gone("it answers no more")
        orders = [self.waiting.pop(future) for future in done]
        try:
            batches = self.client.gather(list(done))  # all at once: each way there and back takes its time
        except self.killed:
            fallen = next(order for future, order in zip(done, orders, strict=True) if future.status == "error")
            raise died_of(fallen, "look at the logs of the workers") from None
        except (OSError, TimeoutError, CancelledError) as error:
            raise self.gone(str(error)) from None
        yield from zip(orders, batches, strict=True)

    def gone(self, why: str) -> RulespecError:
        help = "what was played is kept; run the same command again, with the same scheduler or without, to go on"
        message = f"the scheduler at {self.address} cannot be used: {' '.join(why.split())}"
        return RulespecError([Diagnostic("X007", message, help=(help,))])

    def close(self) -> None:
        self.client.close(timeout=2)


def died_of(order: Order, help: str) -> RulespecError:
    """A batch that workers die of."""
    last = order.first + order.count - 1
    message = f"workers die again and again while they play the {order.tier} games {order.first} to {last} of an arm"
    return RulespecError([Diagnostic("X006", message, help=(help,))])
