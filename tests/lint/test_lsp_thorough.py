"""The process that looks for all that lint finds: it may be ended at any time, and nobody waits for what belongs to an older text."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server is an extra")

from tests.helpers.editing import GAME
from tests.helpers.places import ROOT
from tools.blame import told
from tools.lsp.thorough import Looker, looked_at

PATIENCE = 60  # seconds: far more than anything takes
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals")


def soon(holds: Callable[[], bool]) -> bool:
    """Whether something comes to hold."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and not holds():
        time.sleep(0.01)
    return holds()


def test_a_process_that_was_ended_is_replaced(tmp_path: Path) -> None:
    file = tmp_path.resolve() / "game.yaml"
    texts = {file: GAME.replace("to: rounds}", "to: ruonds}")}
    here = looked_at(file, texts)
    looker = Looker()
    try:
        looker.begin()
        assert looker.child is not None
        looker.child.process.kill()
        found = looker.found(file, texts, looker.age)
        assert found is not None
        assert [told(one) for one in found.all()] == [told(one) for one in here.all()]
        assert found.sound is here.sound is False
    finally:
        looker.close()
    assert looker.found(file, texts, looker.age) is None


@POSIX
def test_a_change_ends_the_look_at_the_text_before(tmp_path: Path) -> None:
    file = tmp_path.resolve() / "game.yaml"
    looker, answers = Looker(), []
    looker.begin()
    try:
        first = looker.child
        assert first is not None and first.process.pid is not None
        os.kill(first.process.pid, signal.SIGSTOP)  # it would never answer
        look = threading.Thread(target=lambda: answers.append(looker.found(file, {file: GAME}, 0)))
        look.start()
        assert soon(lambda: looker.busy)
        looker.changed()
        look.join(PATIENCE)
        assert answers == [None]
        assert not first.process.is_alive()
        assert looker.child not in (first, None)
        assert looker.found(file, {file: GAME}, 0) is None  # asked before the change, and answered after it
        assert looker.begin() is None
    finally:
        looker.close()


ORPHAN = """
import os, signal
from tools.lsp.thorough import Looker

looker = Looker()
looker.begin()
print(looker.child.process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@POSIX
def test_it_ends_with_its_server_however_that_ends() -> None:
    done = subprocess.run([sys.executable, "-c", ORPHAN], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == -signal.SIGKILL
    number = int(done.stdout)

    def gone() -> bool:
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return True
        # Who waits for nobody's children may be slow to do so.
        state = Path(f"/proc/{number}/stat")
        return state.is_file() and state.read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z"

    assert soon(gone)
