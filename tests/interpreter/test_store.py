"""The store of the cache: how large it may grow, what goes first, what was never finished, and where it lies."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from rulespec.system import store
from rulespec.system.store import EntryStore

posix = pytest.mark.skipif(os.name != "posix", reason="rights of files as POSIX has them")


@pytest.fixture
def folder(tmp_path):
    """Where nothing is yet."""
    return tmp_path / "cache"


def entries(folder):
    return sorted(folder.glob("*.json"))


def data(number, size=1000):
    return [number, "x" * size]


def name(number):
    return f"{number:064x}"


def test_the_least_recently_used_entries_go_first(folder, monkeypatch):
    monkeypatch.setattr(store, "MAX_COUNT", 8)
    kept = EntryStore(folder)
    for number in range(8):
        kept.put(name(number), data(number))
        os.utime(folder / store.entry(name(number)), (number, number))
    assert kept.get(name(0)) == data(0)  # used now
    other = folder / "something else.json"
    other.write_text("mine")
    kept.put(name(8), data(8))
    assert {path.stem for path in entries(folder)} == {*map(name, (0, 4, 5, 6, 7, 8)), other.stem}


def test_the_folder_does_not_grow_without_end(folder, monkeypatch):
    monkeypatch.setattr(store, "MAX_TOTAL", 20_000)
    monkeypatch.setattr(store, "MAX_ENTRY", 5_000)
    kept = EntryStore(folder)
    for number in range(50):
        kept.put(name(number), data(number))
    assert sum(path.stat().st_size for path in entries(folder)) <= 20_000
    assert kept.get(name(49)) == data(49)
    kept.put(name(50), data(50, 6_000))
    assert kept.get(name(50)) is None


@posix
def test_what_was_never_finished_is_removed(folder):
    fcntl = pytest.importorskip("fcntl")
    kept = EntryStore(folder)
    kept.put(name(1), 1)
    left, being_written, other = (folder / n for n in (f".a.json.{1:032x}.new", f".b.json.{2:032x}.new", ".a.json.new"))
    for path in (left, being_written, other):
        path.write_text("x")
    with being_written.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        kept.put(name(2), 2)
    assert [path.exists() for path in (left, being_written, other)] == [False, True, True]


@pytest.mark.parametrize("data", [float("nan"), {1: {2}}, json.loads("[" * 900 + "]" * 900)])
def test_what_is_no_data_is_not_kept(folder, data):
    kept = EntryStore(folder)
    try:
        kept.put(name(1), data)
    except TypeError:
        assert isinstance(data, dict)  # a fault of whoever calls it
    assert kept.get(name(1)) in (None, data)


# --- where it is ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("platform", "environment", "found"),
    [
        ("linux", {}, "/home/me/.cache/rulespec"),
        ("linux", {"XDG_CACHE_HOME": "/fast"}, "/fast/rulespec"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "/home/me/.cache/rulespec"),
        ("linux", {"RULESPEC_CACHE": "/here"}, "/here"),
        ("linux", {"RULESPEC_CACHE": ""}, "/home/me/.cache/rulespec"),
        ("linux", {"RULESPEC_CACHE": "off"}, None),
        ("darwin", {"XDG_CACHE_HOME": "/fast"}, "/home/me/Library/Caches/rulespec"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/rulespec/cache"),
        ("win32", {}, "/home/me/AppData/Local/rulespec/cache"),
    ],
)
@posix
def test_each_platform_has_its_place(platform, environment, found, monkeypatch):
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA", store.VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    for variable, value in {"HOME": "/home/me", **environment}.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert store.default_folder() == (None if found is None else Path(found))
