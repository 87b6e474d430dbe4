import os
import stat
from pathlib import Path

import pytest

from rulespec.text import disk
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import MAX_BYTES, Source, Span, read_source


def read(path: object) -> tuple[Source | None, list[str]]:
    found = Diagnostics()
    source = read_source(path, "x.yaml", diagnostics=found)  # type: ignore[arg-type]
    return source, [d.code for d in found]


def test_positions_count_characters_after_any_line_break() -> None:
    source = Source("x", "é😀b\r\n\tc\rd\n\ne")
    places = {char: source.position(source.text.index(char)) for char in "b\tcde"}
    assert places == {"b": (1, 3), "\t": (2, 1), "c": (2, 2), "d": (3, 1), "e": (5, 1)}
    assert [source.line(n) for n in range(1, 6)] == ["é😀b", "\tc", "d", "", "e"]


def test_positions_outside_the_text_are_clamped() -> None:
    source = Source("x", "ab\n")
    assert source.position(-4) == (1, 1)
    assert source.position(99) == (2, 1)
    assert Source("x", "").position(0) == (1, 1)
    assert Source("x", "").line(1) == ""


@pytest.mark.parametrize("number", [0, -1, 3])
def test_no_such_line(number: int) -> None:
    with pytest.raises(IndexError):
        Source("x", "a\nb").line(number)


def test_a_byte_order_mark_has_no_column() -> None:
    source = Source("x", "\ufeffab")
    assert source.position(1) == (1, 1)
    assert source.line(1) == "ab"


def test_span() -> None:
    source = Source("game.yaml", "a: 1\nbc: 2\n")
    span = Span(source, 5, 7)
    assert (span.line, span.column, span.text, span.label()) == (2, 1, "bc", "game.yaml:2:1")
    assert span == Span(source, 5, 7) != Span(Source("game.yaml", source.text), 5, 7)
    assert hash(span) == hash(Span(source, 5, 7))
    assert "bc" not in repr(span)


def test_read(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: \xc3\xa9\r\n")
    source, codes = read(path)
    assert source is not None and source.text == "a: é\r\n" and codes == []
    named = read_source(path, diagnostics=Diagnostics())
    assert named is not None and named.name == path.as_posix()


def test_read_faults(tmp_path: Path) -> None:
    assert read(tmp_path / "none.yaml") == (None, ["Y001"])
    assert read(tmp_path) == (None, ["Y002"])
    assert read(tmp_path / "a\0b") == (None, ["Y002"])
    assert read(tmp_path / ("x" * 5000)) == (None, ["Y002"])


@pytest.mark.skipif(os.name != "posix", reason="devices and pipes of POSIX")
def test_what_is_no_plain_file_is_not_read(tmp_path: Path) -> None:
    assert read("/dev/zero") == (None, ["Y002"])
    os.mkfifo(tmp_path / "pipe")
    assert read(tmp_path / "pipe") == (None, ["Y002"])


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"a: \xff\n", "Y004"),
        (b"a: \xed\xa0\x80\n", "Y004"),  # a lone surrogate, encoded
        ("a: 1\n".encode("utf-16"), "Y004"),
        (b"a: \xc3", "Y004"),
        (b"a: \0\n", "Y005"),
        (b"a: \x1b[31m\n", "Y005"),
        ("a: \u2028\n".encode(), "Y005"),
        *((f"a: {chr(code)}\n".encode(), "Y005") for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))),
        (b"x" * (MAX_BYTES + 1), "Y003"),
    ],
)
def test_read_bytes_that_are_no_text(tmp_path: Path, data: bytes, code: str) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(data)
    assert read(path) == (None, [code])


def test_the_largest_file(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"x" * MAX_BYTES)
    assert read(path)[1] == []


def test_the_place_of_a_wrong_byte(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_bytes(b"a: 1\nb: \xc3\xa9\xff\n")
    found = Diagnostics()
    assert read_source(path, "x.yaml", diagnostics=found) is None
    (d,) = found
    assert d.span is not None and d.span.label() == "x.yaml:2:5" and d.found == "the byte 0xff"


def test_a_file_may_be_as_large_as_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that grows while it is read."""
    monkeypatch.setattr(disk, "MAX_BYTES", 10)
    for size, codes in ((9, []), (10, []), (11, ["Y003"])):
        (tmp_path / "x").write_bytes(b"a" * size)
        assert read(tmp_path / "x")[1] == codes
    status = os.stat_result([stat.S_IFREG, *[0] * 9])
    monkeypatch.setattr(os, "stat", lambda _: status)
    assert read(tmp_path / "x")[1] == ["Y003"]
