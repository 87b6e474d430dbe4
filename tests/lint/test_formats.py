"""Findings for programs: SARIF by its rules, GitHub's annotations with their escapes, and one exit code for all."""

from __future__ import annotations

import json
import re

import pytest

from rulespec.codes.catalogue import CATALOGUE
from rulespec.text.diagnostics import Diagnostic, to_json
from rulespec.text.source import Source, Span
from tests.helpers.places import ROOT
from tools import cli, formats

BROKEN = ROOT / "tests/conformance/errors"
SOURCE = Source("a b/ü.yaml", "one: 1\ntwo: 2\nthree: drei, 4\n")
LEVELS = {"none", "note", "warning", "error"}

CASES = """\
rulespec: 1
id: one
title: One
players: 2
state: {level: 0..2}
phases:
  game:
    do: [skip]
cases:
  fails:
    expect: [level == 1]
  passes:
    expect: [level == 0]
"""


def run(capsys, *arguments):
    code = cli.main([str(a) for a in arguments])
    return code, *capsys.readouterr()


def finding(start=7, end=10, **more):
    own = Diagnostic("E100", "100% wrong:\nmend, it", Span(SOURCE, start, end), help=("a, b",), expected="x", **more)
    return to_json(own)


def check_sarif(log):
    """The demands of SARIF 2.1.0 on what we write: required keys, kinds of values, no others."""
    assert set(log) == {"$schema", "version", "runs"} and log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert set(run) == {"tool", "columnKind", "invocations", "results"}
    assert run["columnKind"] in {"utf16CodeUnits", "unicodeCodePoints"}
    assert [set(i) for i in run["invocations"]] == [{"executionSuccessful"}]
    driver = run["tool"]["driver"]
    assert set(run["tool"]) == {"driver"} and set(driver) <= {"name", "rules", "version"} and driver["name"]
    for rule in driver["rules"]:
        assert set(rule) == {"id", "shortDescription", "fullDescription", "help", "defaultConfiguration", "properties"}
        for text in ("shortDescription", "fullDescription", "help"):
            assert rule[text]["text"] and set(rule[text]) <= {"text", "markdown"}
        assert set(rule["defaultConfiguration"]) == {"level"} and rule["defaultConfiguration"]["level"] in LEVELS
        assert all(isinstance(tag, str) for tag in rule["properties"]["tags"])
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(ids) == len(set(ids))
    prints = []
    for own in run["results"]:
        assert {"ruleId", "level", "message"} <= set(own)
        assert set(own) <= {
            "ruleId",
            "ruleIndex",
            "level",
            "message",
            "locations",
            "relatedLocations",
            "partialFingerprints",
        }
        assert own["level"] in LEVELS and own["message"]["text"]
        assert ids[own["ruleIndex"]] == own["ruleId"]
        prints.append(own["partialFingerprints"]["rulespec/v1"])
        for place in [*own.get("locations", ()), *own.get("relatedLocations", ())]:
            assert set(place) <= {"id", "physicalLocation", "message"}
            physical = place["physicalLocation"]
            assert re.fullmatch(r"[A-Za-z0-9._~%/:()!$&'*+,;=@-]+", physical["artifactLocation"]["uri"])
            region = physical.get("region")
            if region is not None:
                assert set(region) == {"startLine", "startColumn", "endLine", "endColumn"}
                assert all(isinstance(n, int) and n >= 1 for n in region.values())
                assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])
    assert len(prints) == len(set(prints))
    return run


def test_all_broken_files_as_sarif(capsys):
    files = sorted(BROKEN.glob("*.yaml"))
    code, out, _ = run(capsys, "lint", *files, "--format", "sarif")
    assert code == 1
    own = check_sarif(json.loads(out))
    told = json.loads(run(capsys, "lint", *files, "--format", "json")[1])["diagnostics"]
    assert [(r["ruleId"], r["level"]) for r in own["results"]] == [(d["code"], d["severity"]) for d in told]


def test_sarif_lists_every_code_as_a_rule():
    rules = check_sarif(formats.sarif([]))["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted(CATALOGUE)
    by_id = {rule["id"]: rule for rule in rules}
    assert all(own.fix in by_id[code]["help"]["text"] for code, own in CATALOGUE.items())
    assert all(own.bad in by_id[code]["help"]["markdown"] for code, own in CATALOGUE.items())


def test_a_finding_as_sarif():
    own = check_sarif(formats.sarif([finding(), finding(), finding(related=((Span(SOURCE, 0, 3), "here"),))]))
    first = own["results"][0]
    assert first["message"]["text"] == "100% wrong:\nmend, it\nexpected: x\nhelp: a, b"
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b/%C3%BC.yaml"
    assert place["region"] == {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 4}
    assert own["results"][2]["relatedLocations"][0]["message"]["text"] == "here"
    assert check_sarif(formats.sarif([to_json(Diagnostic("Y001", "no file"))]))["results"][0].get("locations") is None
    assert "region" not in formats.location("/a/b c.yaml", None)["physicalLocation"]
    assert (
        formats.location("/a/b c.yaml", None)["physicalLocation"]["artifactLocation"]["uri"] == "file:///a/b%20c.yaml"
    )


@pytest.mark.parametrize(("own", "line"), [
    (finding(),
     "::error file=a b/ü.yaml,line=2,endLine=2,col=1,endColumn=4,title=E100::"
     "100%25 wrong:%0Amend, it%0Aexpected: x%0Ahelp: a, b"),
    (finding(0, 9),
     "::error file=a b/ü.yaml,line=1,endLine=2,title=E100::100%25 wrong:%0Amend, it%0Aexpected: x%0Ahelp: a, b"),
    (to_json(Diagnostic("L001", "odd", severity="warning", origin="C:\\a,b%.yaml")),
     "::warning file=C%3A\\a%2Cb%25.yaml,title=L001::odd"),
    (to_json(Diagnostic("C001", "odd")), "::error title=C001::odd"),
])  # fmt: skip
def test_annotations_are_escaped(own, line, capsys):
    formats.github([own])
    assert capsys.readouterr().out == line + "\n"


@pytest.mark.parametrize(("game", "expected"), [(BROKEN / "names.yaml", 1), ("tic_tac_toe", 0), ("no_such_game", 2)])
@pytest.mark.parametrize("command", ["lint", "test"])
def test_the_format_never_changes_the_code(command, game, expected, capsys):
    for form in formats.FORMS:
        code, out, _ = run(capsys, command, game, "--format", form)
        assert code == expected, form
        if form in {"json", "sarif"}:
            assert isinstance(json.loads(out), dict) and out.count("\n") == 1


def test_cases_that_fail_as_findings(tmp_path, capsys):
    file = tmp_path / "game.yaml"
    file.write_text(CASES, encoding="utf-8")
    code, out, err = run(capsys, "test", file, "--format", "sarif")
    assert code == 1 and err == "1 passed, 1 failed\n"
    (own,) = check_sarif(json.loads(out))["results"]
    assert own["ruleId"] == "K010" and own["message"]["text"].startswith("the case fails fails: ")
    assert own["locations"][0]["physicalLocation"]["region"]["startLine"] == 10
    code, out, _ = run(capsys, "test", file, "--format", "github")
    assert code == 1 and out.startswith("::error file=") and ",line=10,endLine=10,col=1,endColumn=1,title=K010::" in out
    assert run(capsys, "test", file, "--json") == run(capsys, "test", file, "--format", "json")


def test_faults_of_a_game_are_findings_of_its_test_too(capsys):
    code, out, err = run(capsys, "test", BROKEN / "names.yaml", "--format", "sarif")
    assert code == 1 and err == "0 passed, 0 failed, 1 game with errors\n"
    assert {r["ruleId"] for r in check_sarif(json.loads(out))["results"]} >= {"E101", "Y013"}
