"""What the tests with a real browser share: `make browser-test` runs them, and says where it is; else they are skipped."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.browsing import VARIABLE, Server
from tests.helpers.studying import Process

BROWSER = os.environ.get(VARIABLE)
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a browser none of these can be run."""
    if not BROWSER:
        for item in items:
            if HERE in item.path.parents:
                item.add_marker(pytest.mark.skip(reason=f"needs a browser: `make browser-test` names it in {VARIABLE}"))


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (it is there only for these tests)

    with sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=BROWSER, args=["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"]
        )
        yield chromium
        chromium.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[type[Server]]:
    """Starts servers of a game, which end with the test."""
    started: list[Server] = []

    def start(game: str, *arguments: str, folder: Path = tmp_path, port: int = 0) -> Server:
        server = Server(game, arguments, folder, port)
        started.append(server)
        return server

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[type[Process]]:
    """Starts studios of a folder, which end with the test."""
    started: list[Process] = []

    def begin(folder: Path = tmp_path, port: int = 0) -> Process:
        started.append(Process(folder, port))
        return started[-1]

    yield begin
    for one in started:
        if one.process.poll() is None:
            one.kill()
