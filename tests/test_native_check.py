"""What `make native-check` tells of a sanitizer's words."""

from __future__ import annotations

from tools.native_check import MOST_SAID, found_in

NOISE = "".join(f"    #{k} 0x{k:012x} in somewhere\n" for k in range(2000))


def test_what_was_found_comes_first() -> None:
    """However much is said before and behind it."""
    said = f"{NOISE}game.c:12:34: runtime error: signed integer overflow: 2 * 2147483647 cannot be represented\n{NOISE}"
    assert found_in(said).startswith("game.c:12:34: runtime error: signed")
    assert len(found_in(said)) == MOST_SAID
    assert found_in(f"{NOISE}==7==ERROR: AddressSanitizer: heap-use-after-free\n{NOISE}").startswith("==7==ERROR")


def test_without_it_the_end_is_told() -> None:
    assert found_in(f"{NOISE}killed") == f"{NOISE}killed"[-MOST_SAID:]
