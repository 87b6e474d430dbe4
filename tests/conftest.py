"""What holds for all tests: the command line keeps no games in the cache of whoever runs them."""

from __future__ import annotations

import gc
from collections import deque
from pathlib import Path

import pytest

from interpreter.python import library
from tests.helpers import long
from tests.helpers.commands import FAULTY
from tests.helpers.native import warning

# Games stay loaded for all tests: looking for cycles among them after every 700 new objects takes a fifth of the time.
gc.set_threshold(1_000_000)


@pytest.fixture(scope="session", autouse=True)
def cache_of_its_own(tmp_path_factory):
    """A cache folder for this run; processes that tests start inherit it.  Games are compiled where a test says so."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULESPEC_NATIVE", "off")
        patch.setenv("RULESPEC_UNFINISHED", "off")
        patch.setenv("RULESPEC_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setattr(library, "RECENT", deque(maxlen=200))  # many tests play the same games
        yield


@pytest.fixture(scope="module", autouse=True)
def what_is_loaded_stays():
    """What the tests of one file leave is not looked through again with the garbage of the next, nor copied by processes forked there."""
    yield
    gc.collect()  # garbage that is frozen would stay, too
    gc.freeze()


@pytest.fixture
def faulty(tmp_path: Path) -> str:
    """A game whose rules fail in one playout of eight."""
    (tmp_path / "game.yaml").write_text(FAULTY, encoding="utf-8")
    return str(tmp_path)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long is known before tests are chosen by their marks."""
    long.mark(items)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what the whole of native play was skipped for, however many dots there are."""
    if warning():
        terminalreporter.write_sep("!", warning(), red=True, bold=True)


def pytest_sessionfinish() -> None:
    """Games that are still loaded need no last search for cycles: a worker that is at it would be cut short, and say so."""
    gc.freeze()
