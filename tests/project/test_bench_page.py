"""What is said of a run of the benchmark: its data, its ratios and verdicts, the page and the README."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.helpers.bench import FULL, SMALL, well_formed
from tools.dev.bench import files, summary, targets
from tools.dev.bench.page import page
from tools.dev.bench.results import Sample, from_json, spread, to_json
from tools.dev.bench.units import exact, number


def test_a_run_is_the_same_after_it_was_written_and_read():
    assert from_json(to_json(FULL)) == from_json(to_json(from_json(to_json(FULL))))
    again = from_json(to_json(FULL))
    assert again.rows == FULL.rows and again.fresh[0].stages == FULL.fresh[0].stages
    assert json.loads(to_json(FULL))["rulespec_bench"] == 1


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"rulespec_bench": 2}', '{"rulespec_bench": 1, "rows": [{}], "fresh": []}']
)
def test_what_is_no_run_is_refused(text):
    with pytest.raises(ValueError, match="no result of the benchmark"):
        from_json(text)


def test_ratios_are_taken_round_by_round():
    row = FULL.rows[0]
    found = row.ratio(("generated", "steps"), ("openspiel", "steps"))
    assert found == spread([1.0, 2.0, 0.5])
    assert (found.median, found.low, found.high) == (1.0, 0.5, 2.0)
    assert row.ratio(("generated", "steps"), ("rlcard", "steps")) is None
    with pytest.raises(ValueError, match="no values"):
        spread([])


def test_targets_are_judged_by_the_worst():
    def judged(**target):
        return targets.judged({key.replace("_", " "): value for key, value in target.items()}, FULL)

    one = judged(faster_than="openspiel", game=SMALL, at_least=1)
    assert (one.measured, one.one_call, one.word) == (1.0, 1.5, "yes")
    assert judged(faster_than="openspiel", game=SMALL, at_least=1.2).word == "in one call only"
    assert judged(faster_than="openspiel", game=SMALL, at_least=2).word == "no"
    assert judged(faster_than="reference", at_least=5).measured == 6.0
    assert judged(speed="decisions", game=SMALL, at_least=100).measured == 125.0
    child = judged(time="child", game=SMALL, at_most=2e-6)
    assert (child.measured, child.word) == (pytest.approx(2e-6), "yes")
    assert judged(time="child", game=SMALL, at_most=1e-6).word == "no"
    assert judged(time="lint", at_most=0.5).word == "yes"
    assert judged(time="load", at_most=0.5).word == "not measured"
    assert judged(faster_than="rlcard", game=SMALL, at_least=1).word == "not measured"


def test_who_plays_another_game_is_named():
    length = {"length": [4.0, 1.0], "returns": [0.0, 1.0]}
    stranger = Sample("openspiel", "steps", 100, length)
    row = replace(FULL.rows[0], samples=(*FULL.rows[0].samples, stranger))
    assert row.strangers() == [("openspiel", "steps", ["length"])]
    assert FULL.rows[0].strangers() == []
    results = replace(FULL, rows=(row,))
    assert "OpenSpiel, step by step, does not play the same game**: its length differ" in page(results)
    assert any("plays another game: length differ" in line for line in summary.ratios(results))
    few = replace(stranger, games=2)
    assert replace(row, samples=(FULL.rows[0].samples[0], few)).strangers() == []


def test_the_page_and_the_readme_are_well_formed():
    text = page(FULL)
    well_formed(text)
    assert "in the first round alone" not in text
    once = page(replace(FULL, settings={**FULL.settings, "once": ["reference"]}))
    assert "\nRulespec, reference is measured in the first round alone.\n" in once
    assert "OpenSpiel 2.0" in text and "2020-01-31" in text
    assert "R001: it \\| broke" in text
    assert "| 5 | 2.50 |" in text  # a hand of five
    fragment = summary.readme(FULL)
    assert "1.00× the speed of" in fragment and "on the 1 games that both have" in fragment and "2020-01-31" in fragment
    unmeasured = replace(FULL, rows=FULL.rows[1:])
    assert "a speed not measured" in summary.readme(unmeasured)
    for line in summary.ratios(FULL):
        assert "None" not in line


def test_numbers_have_three_digits_and_a_unit():
    assert [number(v, "s") for v in (2.0, 0.25, 3e-6, 4.56789e-8)] == ["2.00 s", "250 ms", "3.00 µs", "45.7 ns"]
    assert [number(v, "×") for v in (12345.0, 999.9, 12.34, 0.01234)] == ["12,300×", "1,000×", "12.3×", "0.0123×"]
    assert number(3.5e7, "B") == "35.0 MB" and number(None, "s") == "–"
    assert [number(v, "/s", exact) for v in (60000, 0.5)] == ["60,000/s", "0.5/s"]


def test_the_page_that_is_here_is_that_of_the_run_that_is_here():
    text = (files.REPORTS / files.PAGE).read_text(encoding="utf-8")
    assert page(files.last(files.REPORTS)) == text, "`.venv/bin/python -m tools.dev.bench --page` writes the page again"
    well_formed(text)


def test_the_readme_says_what_the_run_that_is_here_says():
    text = files.README.read_text(encoding="utf-8")
    assert len(files.BLOCK.findall(text)) == 1
    assert files.opening(files.last(files.REPORTS)) == text, (
        "`.venv/bin/python -m tools.dev.bench --page` writes it again"
    )
