"""A run of the benchmark as data, and what every page of one must be like."""

from __future__ import annotations

from dataclasses import replace

from tools.dev.bench import machine
from tools.dev.bench.results import Fresh, Results, Row, Sample, Series

SMALL = "kuhn_poker"


def results_of(rows, new=(), peers=None):
    described = machine.describe()
    settings = {"rounds": 5, "slice": 0.3, "fresh": 5}
    return Results("2020-01-31", described, settings, peers or {}, tuple(rows), tuple(new))


def row_of(game=SMALL, **rates):
    """A row; `generated_steps=(1.0, 2.0)` are the rounds of a contender's quantity."""
    series = [Series(*name.rsplit("_", 1), rates=values) for name, values in rates.items()]
    sample = Sample("reference", "steps", 100, {"length": [2.5, 1.0], "returns": [0.0, 1.0], "squares": [1.0, 1.0]})
    return Row(game, "A game", 2, "shipped", "", tuple(series), (sample,))


def well_formed(text):
    """Every table has as many cells in each line as in its head; nothing was forgotten."""
    assert "None" not in text and "nan" not in text and "{" not in text
    width = None
    tables = 0
    for line in text.splitlines():
        if not line.startswith("|"):
            width = None
            continue
        cells = line.replace("\\|", "").count("|")
        tables += width is None
        width = width or cells
        assert cells == width, line
    assert tables
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings[0] == "# Benchmarks" and "## What we aim at" in headings


FULL = results_of(
    [
        row_of(
            generated_playouts=(90.0, 100.0, 110.0),
            generated_steps=(60.0, 50.0, 40.0),
            generated_children=(4e5, 5e5, 6e5),
            reference_playouts=(10.0, 10.0, 10.0),
            reference_steps=(10.0, 5.0, 10.0),
            openspiel_steps=(60.0, 25.0, 80.0),
        ),
        replace(row_of("hands_5", generated_playouts=(7.0,)), kind="hands"),
    ],
    [
        Fresh(SMALL, 2, "lint", "", {"total": [0.4, 0.6, 0.5], "processor": [0.3, 0.3, 0.3]}),
        Fresh(SMALL, 2, "load", "generated", error="R001: it | broke"),
        Fresh(SMALL, 2, "memory", "generated", {"bare": [1e7], "loaded": [2e7], "played": [3e7]}),
    ],
    {"open_spiel": {"title": "OpenSpiel", "version": "2.0", "problem": None}},
)
