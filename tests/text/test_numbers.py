"""One spelling of whole numbers, wherever people write them."""

from __future__ import annotations

import pytest

from rulespec.text.numbers import decimal, natural, respelt, whole, whole_range
from tests.helpers.commands import run

ODD = ("017", "00", "+3", "-0", "--1", "1_000", "0x1F", "٣", "1٣", "²", " 1", "1 ", "1.0", "1e3", "", "-", "9" * 26)


@pytest.mark.parametrize("text", ODD)
def test_other_spellings_are_no_numbers(text: str) -> None:
    assert whole(text) is None


@pytest.mark.parametrize("number", [0, 7, -7, 10, 10**24, -(10**24)])
def test_numbers_as_they_are_printed(number: int) -> None:
    assert (
        whole(str(number)) == number
        and natural(str(number)) == (None if number < 0 else number)
        and respelt(str(number)) is None
    )


def test_ranges() -> None:
    assert whole_range("2..5") == whole_range(" 2 .. 5 ") == (2, 5)
    assert (whole_range("4"), whole_range("-3..-1")) == ((4, 4), (-3, -1))
    assert [whole_range(text) for text in ("01..5", "1..05", "1..", "..5", "1...5", "1..٥", "a", "")] == [None] * 8


def test_what_was_meant() -> None:
    meant = {
        "017": "17",
        "+3": "3",
        "-0": "0",
        "٣": "3",
        "0x1F": "31",
        "1..04": "1..4",
        "-007": "-7",
        "02 .. 3": "2..3",
    }
    assert {text: respelt(text) for text in meant} == meant
    assert [respelt(text) for text in ("4", "1..4", "four", "²", "1..2..03", "0x", "", "a..02")] == [None] * 8


def test_numbers_with_a_fraction() -> None:
    fine = {"0": 0.0, "2": 2.0, "0.5": 0.5, "-0.25": -0.25, "-3.0": -3.0, "10.125": 10.125}
    assert {text: decimal(text) for text in fine} == fine
    odd = ("017", "01.5", "+2", "1_0", "٣", "1e3", "inf", "nan", "-inf", ".5", "2.", "0x1", "", "9" * 26, "1.5.5")
    assert [decimal(text) for text in odd] == [None] * len(odd)


@pytest.mark.parametrize("words", [
    ("review", "kuhn_poker", "--budget"), ("verify", "kuhn_poker", "--seconds"), ("test", "kuhn_poker", "--budget"),
    ("serve", "kuhn_poker", "--pace"),
])  # fmt: skip
def test_fractions_of_commands(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    for typed in ("nan", "inf", "1e1", "02", "٢", "1_0"):
        code, out, err = run(capsys, *words, typed)
        assert code == 2 and not out and f"`{typed}` is no number: digits alone" in err


@pytest.mark.parametrize("typed", ["02", "٢", "+2", "1_0"])
def test_numbers_of_commands(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "simulate", "kuhn_poker", "--games", typed)
    assert code == 2 and not out and f"`{typed}` is no whole number: digits alone" in err
    assert run(capsys, "simulate", "kuhn_poker", "-n", "1", "--bot", f"{typed}=random")[0] == 2
    assert run(capsys, "simulate", "kuhn_poker", "-n", "1", "--bot", f"search:{typed}")[0] == 2
    code, _, err = run(capsys, "case", f"game.jsonl:{typed}", "--name", "one")
    assert code == 2 and "names no place of a transcript" in err
