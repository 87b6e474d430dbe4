import json
import re
from textwrap import dedent

import pytest

from rulespec.text.diagnostics import (
    MAX_MESSAGE,
    MAX_NOTE,
    MAX_STORED,
    Diagnostic,
    Diagnostics,
    RulespecError,
    nearest,
    render,
    to_json,
)
from rulespec.text.source import Source, Span

GAME = Source(
    "games/x/game.yaml",
    "name: x\nzones:\n  hand: cards\n" + "\n" * 10 + "    from: p.hnad\n\tto: äö日本 here\n",
)


def span(text: str, source: Source = GAME) -> Span:
    start = source.text.index(text)
    return Span(source, start, start + len(text))


def golden(text: str) -> str:
    return dedent(text).strip("\n")


def test_one_span() -> None:
    d = Diagnostic("E204", "there is no zone named `hnad`", span("hnad"), help=("did you mean `hand`?",))
    assert render(d) == golden("""
        error[E204]: there is no zone named `hnad`
          --> games/x/game.yaml:14:13
           |
        14 |     from: p.hnad
           |             ^^^^
           |
           = help: did you mean `hand`?
    """)


def test_everything() -> None:
    d = Diagnostic(
        "E301",
        "this is not a zone",
        span("p.hnad"),
        severity="warning",
        expected="a zone",
        found="a number",
        help=("write it in full:\nfrom: p.hand", "or leave it out"),
        related=((span("hand"), "declared here"),),
    )
    assert render(d) == golden("""
        warning[E301]: this is not a zone
          --> games/x/game.yaml:14:11
           |
        14 |     from: p.hnad
           |           ^^^^^^
          ::: games/x/game.yaml:3:3
           |
         3 |   hand: cards
           |   ---- declared here
           |
           = expected: a zone
           = found: a number
           = help: write it in full:
                   from: p.hand
           = help: or leave it out
    """)


def test_without_a_span() -> None:
    assert render(Diagnostic("Y001", "there is no file", origin="a.yaml", help=("look",))) == (
        "error[Y001]: there is no file\n --> a.yaml\n  = help: look"
    )
    assert render(Diagnostic("C001", "no such command")) == "error[C001]: no such command"


def test_tabs_and_wide_characters_keep_the_carets_aligned() -> None:
    lines = render(Diagnostic("E000", "x", span("here"))).split("\n")
    assert lines[-2:] == ["15 | \tto: äö日本 here", "   | \t" + " " * 11 + "^^^^"]
    lines = render(Diagnostic("E000", "x", span("日本"))).split("\n")
    assert lines[-1] == "   | \t" + " " * 6 + "^^^^"


def test_a_span_of_several_lines_ends_with_its_first() -> None:
    source = Source("x", "ab cd\nef\n")
    assert render(Diagnostic("E000", "x", Span(source, 3, 8))).split("\n")[-1] == "  |    ^^"


def test_an_empty_span_and_the_end_of_the_file() -> None:
    source = Source("x", "ab\n")
    assert render(Diagnostic("E000", "x", Span(source, 1, 1))).split("\n")[-1] == "  |  ^"
    assert render(Diagnostic("E000", "x", Span(source, 2, 3))).split("\n")[-1] == "  |   ^"
    assert render(Diagnostic("E000", "x", Span(source, 3, 3))).split("\n")[-2:] == ["2 |", "  | ^"]


def test_control_characters_are_shown_as_escapes() -> None:
    source = Source("x\x1b", "a\x1b[31m\u202eb\n")
    text = render(Diagnostic("E000", "m\x07", span("b", source)))
    assert text == golden(r"""
        error[E000]: m\x07
         --> x\x1b:1:8
          |
        1 | a\x1b[31m\u202eb
          |                ^
    """)


@pytest.mark.parametrize("before", [0, 30, 100, 159, 500, 100_000])
@pytest.mark.parametrize("after", [0, 30, 159, 100_000])
def test_long_lines_are_windowed(before: int, after: int) -> None:
    source = Source("x", "a" * before + "HERE" + "b" * after)
    line, carets = render(Diagnostic("E000", "x", span("HERE", source))).split("\n")[-2:]
    assert len(line) <= 4 + 162
    assert [line[i] for i, char in enumerate(carets) if char == "^"] == list("HERE")
    assert ("…" in line) == (before + after + 4 > 160)


def test_a_span_longer_than_the_window() -> None:
    source = Source("x", "a" * 1000)
    line, carets = render(Diagnostic("E000", "x", Span(source, 0, 1000))).split("\n")[-2:]
    assert line == "1 | " + "a" * 160 + "…" and carets == "  | " + "^" * 160


def test_colour_adds_only_codes() -> None:
    d = Diagnostic("E000", "x", span("hnad"), help=("h",), related=((span("hand"), "n"),))
    coloured = render(d, colour=True)
    assert "\x1b[1;31merror[E000]\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render(d)


def test_json() -> None:
    d = Diagnostic("E204", "m", span("hnad"), related=((span("hand"), "n"),), help=("h",))
    data = to_json(d)
    assert json.loads(json.dumps(data)) == data
    assert data["file"] == "games/x/game.yaml"
    assert data["range"] == {"line": 14, "column": 13, "end_line": 14, "end_column": 17}
    assert data["related"][0]["message"] == "n" and data["help"] == ["h"]
    bare = to_json(Diagnostic("Y001", "m", origin="a"))
    assert bare["file"] == "a" and bare["range"] is None and bare.keys() == data.keys()


def test_collector() -> None:
    found = Diagnostics()
    assert not found.has_errors and len(found) == 0 and found.errors == ()
    found.add("L001", "w", span("hand"), severity="warning")
    assert not found.has_errors and len(found) == 1
    found.add("E002", "second", span("hnad"))
    found.add("E002", "the same code and place", span("hnad"))
    found.add("E001", "first", span("name"))
    found.add("Y001", "no place", origin="a")
    found.add("Y001", "no place", origin="a")
    assert found.has_errors and len(found) == 4
    assert [d.code for d in found] == ["L001", "E002", "E001", "Y001"]
    assert [d.code for d in found.sorted()] == ["Y001", "E001", "L001", "E002"]
    assert [d.code for d in found.errors] == ["E002", "E001", "Y001"]


def test_the_collector_is_bounded_and_warnings_do_not_crowd_out_errors() -> None:
    found = Diagnostics()
    for i in range(1000):
        found.add("L001", f"w{i}", severity="warning")
    found.add("E001", "e")
    assert len(found) == MAX_STORED + 1 and found.dropped == 800 and found.has_errors
    assert found.sorted()[-1].code == "Y025" and found.sorted()[-1].message.startswith("800 more")


def test_error_shows_all_findings_in_order() -> None:
    found = Diagnostics()
    found.add("E002", "second", span("hnad"))
    found.add("E001", "first", span("name"))
    error = RulespecError(found)
    assert error.diagnostics == found.sorted()
    assert str(error) == "\n".join(render(d) for d in found.sorted())
    assert RulespecError([Diagnostic("E001", "m")]).diagnostics[0].code == "E001"


@pytest.mark.parametrize(
    ("name", "candidates", "expected"),
    [
        ("hnad", ["hand", "deck"], "hand"),
        ("Hand", ["hand"], "hand"),
        ("on-play", ["on_play", "on_pay"], "on_play"),
        ("discrad", ["discard", "deck"], "discard"),
        ("deck", ["deck", "desk"], "desk"),
        ("hand", ["deck", "table"], None),
        ("a", ["b", "c"], None),
        ("ab", ["ac"], None),
        ("x" * 10_000, ["x" * 10_001], None),
        ("cat", ["car", "bat"], "bat"),
        ("anything", [], None),
        ("", ["a"], None),
    ],
)
def test_nearest(name: str, candidates: list[str], expected: str | None) -> None:
    assert nearest(name, candidates) == expected


def test_a_finding_is_never_changed():
    finding = Diagnostic("X001", "it is wrong")
    with pytest.raises(AttributeError):
        finding.message = "it is right"  # type: ignore[misc]
    assert len({finding, Diagnostic("X001", "it is wrong")}) == 1


def test_a_note_of_4000_characters_is_whole_and_one_of_4001_is_cut():
    whole, cut = Diagnostic("X001", "", help=("h" * 4_000, "h" * 4_001)).help
    assert (len(whole), whole[-1], len(cut), cut[-1]) == (4_000, "h", 4_000, "…")


def test_long_texts_are_cut_to_their_bounds():
    place = span("hand")
    within = Diagnostic("X001", "m" * MAX_MESSAGE, place, help=("h" * MAX_NOTE,))
    assert (within.message, within.help) == ("m" * MAX_MESSAGE, ("h" * MAX_NOTE,))
    long = "x" * 9_000
    cut = Diagnostic("X001", long, place, expected=long, help=(long, "short"), related=((place, long),))
    note = "x" * (MAX_NOTE - 1) + "…"
    assert cut.message == "x" * (MAX_MESSAGE - 1) + "…"
    assert (cut.expected, cut.help, cut.related) == (note, (note, "short"), ((place, note),))
