"""Files are replaced whole: what was there or what is there now, with its rights, and nothing left beside it."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rulespec.system import files
from rulespec.system.folders import Folder
from tests.helpers.places import ROOT
from tests.helpers.waiting import said_until

posix = pytest.mark.skipif(os.name != "posix", reason="rights and locks as POSIX has them")

# Begins to write a file, says so, and waits.
HALF = """
import os, sys, time
from rulespec.system import files
def wait(*_):
    print("half", flush=True)
    time.sleep(60)
os.fsync = wait
files.replace(sys.argv[1], "new", durable=True)
"""


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("content", ["a\r\nb\né\n", b"\x00\xff"])
def test_what_is_written_is_there(tmp_path: Path, content: str | bytes) -> None:
    path = tmp_path / "file"
    for durable in (False, True):
        files.replace(path, content, durable=durable)
        assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert os.listdir(tmp_path) == ["file"]


@posix
def test_rights(tmp_path: Path) -> None:
    old, new, own = (tmp_path / name for name in ("old", "new", "own"))
    old.write_text("old")
    old.chmod(0o640)
    mask = os.umask(0o022)
    try:
        for path, mode in ((old, 0o666), (new, 0o666), (own, files.PRIVATE)):
            files.replace(path, "new", mode=mode)
        assert [rights(path) for path in (old, new, own)] == [0o640, 0o644, 0o600]
        files.replace(old, "new", mode=files.PRIVATE, keep_mode=False)
        assert rights(old) == 0o600
    finally:
        os.umask(mask)


@posix
def test_the_file_behind_a_link_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    file, link = tmp_path / "far" / "file", tmp_path / "link"
    file.write_text("old")
    link.symlink_to(file)
    files.replace(link, "new")
    assert link.is_symlink() and file.read_text() == "new"


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_failure_leaves_all_as_it_was(tmp_path: Path, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def full(*_: object, **_more: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, call, full)
        with pytest.raises(OSError, match="space"):
            files.replace(path, "new", durable=True)
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["file"]


def test_only_plain_files_are_replaced(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        files.replace(tmp_path, "new")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(OSError, match="plain file"):
            files.replace(tmp_path / "pipe", "new")


@posix
def test_what_a_killed_writer_left_goes_with_the_next(tmp_path: Path) -> None:
    path, other = tmp_path / "file", tmp_path / f".mine.{1:032x}.new"
    path.write_text("old")
    other.write_text("left of another file")
    writer = subprocess.Popen([sys.executable, "-c", HALF, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    said_until(writer, writer.stdout, "half")
    files.replace(path, "while it writes")
    assert len(os.listdir(tmp_path)) == 3, "what somebody writes is not touched"
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    writer.stdout.close()
    assert path.read_text() == "while it writes"
    files.replace(path, "new")
    assert sorted(os.listdir(tmp_path)) == sorted([other.name, "file"])
    files.remove_leftovers(Folder(tmp_path))
    assert os.listdir(tmp_path) == ["file"]


@posix
def test_where_nothing_can_be_locked_only_what_is_old_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "lock", lambda _: None)
    old, young = (tmp_path / f".mine.{n:032x}.new" for n in (1, 2))
    for path in (old, young):
        path.write_text("half")
    before = time.time() - files.STALE - 60
    os.utime(old, (before, before))
    files.remove_leftovers(Folder(tmp_path))
    assert os.listdir(tmp_path) == [young.name]
