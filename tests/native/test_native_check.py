"""What `make native-check` tells of a sanitizer's words, and a run of tests of native play that it could not try."""

from __future__ import annotations

import pytest

from tests.helpers import native
from tools.dev.native_check import MOST_SAID, found_in

NOISE = "".join(f"    #{k} 0x{k:012x} in somewhere\n" for k in range(2000))


def test_what_was_found_comes_first() -> None:
    """However much is said before and behind it."""
    said = f"{NOISE}game.c:12:34: runtime error: signed integer overflow: 2 * 2147483647 cannot be represented\n{NOISE}"
    assert found_in(said).startswith("game.c:12:34: runtime error: signed")
    assert len(found_in(said)) == MOST_SAID
    assert found_in(f"{NOISE}==7==ERROR: AddressSanitizer: heap-use-after-free\n{NOISE}").startswith("==7==ERROR")


def test_without_it_the_end_is_told() -> None:
    assert found_in(f"{NOISE}killed") == f"{NOISE}killed"[-MOST_SAID:]


def test_the_extension_module_is_there_where_it_can_be_built() -> None:
    """Half of all tests of play would be skipped, and nothing be red."""
    assert not native.NOT_BUILT, (
        "native play is not tested: build the extension module (`python -m tools.dev.extension`)"
    )


def test_skipping_native_play_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "COMPILES", True)
    assert not native.warning()
    monkeypatch.setattr(native, "COMPILES", False)
    monkeypatch.setattr(native, "NOT_BUILT", False)
    monkeypatch.setattr(native.building, "core", native)
    assert "NOT TESTED: there is no C compiler" in native.warning()
    monkeypatch.setattr(native.building, "core", None)
    assert native.warning().endswith("the extension module is not built")
    monkeypatch.setattr(native, "NOT_BUILT", True)
    assert native.warning().endswith("not built: `python -m tools.dev.extension` builds it")
