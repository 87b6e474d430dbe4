"""Findings for programs: JSON, SARIF 2.1.0, and the annotations of GitHub's workflows.

A finding is the mapping that `rulespec.text.diagnostics.to_json` makes, so that what is no diagnostic, such as a case that
fails, can be one too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from . import console

FORMS = ("text", "json", "sarif", "github")
FORMS_HELP = "For people (text), for programs (json), for code scanning (sarif), for GitHub's annotations (github)."
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
Finding = Mapping[str, Any]


def case_finding(file: str, line: int, name: str, message: str) -> dict[str, Any]:
    """A case that fails, as a finding at the line of its name (1-based)."""
    return at_case("K010", "error", file, line, f"the case {name} fails: {message}")


def stopping_finding(file: str, line: int, name: str, asked: str) -> dict[str, Any]:
    """A case that stops while somebody is asked, as a note at the line of its name (1-based)."""
    return at_case("K011", "note", file, line, f"the case {name} stops while {asked}")


def at_case(code: str, severity: str, file: str, line: int, message: str) -> dict[str, Any]:
    """A finding at the line of a case's name (1-based)."""
    place = {"line": line, "column": 1, "end_line": line, "end_column": 1}
    return {
        "code": code,
        "severity": severity,
        "message": message,
        "file": file,
        "range": place,
        "expected": None,
        "found": None,
        "help": [],
        "related": [],
    }


def whole_message(finding: Finding) -> str:
    """All that a finding says, as lines."""
    notes = [("expected", finding["expected"]), ("found", finding["found"]), *(("help", h) for h in finding["help"])]
    return "\n".join([finding["message"], *(f"{title}: {text}" for title, text in notes if text is not None)])


# --- GitHub -----------------------------------------------------------------------------------------------------------
def github(findings: Iterable[Finding]) -> None:
    """Findings as commands of GitHub's workflows, which show them beside the changed lines."""
    for finding in findings:
        place = finding["range"] or {}
        given = [("file", finding["file"]), ("line", place.get("line")), ("endLine", place.get("end_line"))]
        if place and place["line"] == place["end_line"]:  # columns are of one line
            last = place["end_column"] if place["end_column"] > place["column"] else place["column"]
            given += [("col", place["column"]), ("endColumn", last)]
        given.append(("title", finding["code"]))
        properties = ",".join(f"{name}={escaped_property(value)}" for name, value in given if value is not None)
        level = "notice" if finding["severity"] == "note" else finding["severity"]
        console.data(f"::{level} {properties}::{escaped(whole_message(finding))}")


def escaped(text: str) -> str:
    """A text as the data of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escaped_property(value: object) -> str:
    """A value as a property of a workflow command."""
    return escaped(str(value)).replace(":", "%3A").replace(",", "%2C")


# --- SARIF ------------------------------------------------------------------------------------------------------------
def sarif(findings: Sequence[Finding]) -> dict[str, Any]:
    """A SARIF log with one run: every code is a rule of the driver, whether it was found or not."""
    rules = all_rules()
    places = {rule["id"]: number for number, rule in enumerate(rules)}
    results = [result(finding, places) for finding in findings]
    number_alike(results)
    driver: dict[str, Any] = {"name": "rulespec", "rules": rules}
    if (version := our_version()) is not None:
        driver["version"] = version
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True}],
        "results": results,
    }
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def our_version() -> str | None:
    """The version of the installed package, if it is installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("rulespec")
    except PackageNotFoundError:
        return None


def all_rules() -> list[dict[str, Any]]:
    """Every code as a rule, in their order."""
    from rulespec.codes.catalogue import CATALOGUE, explain
    from rulespec.codes.entry import FAMILIES
    from rulespec.lint.linter import RULES

    levels = {rule.code: rule.severity for rule, _ in RULES}
    rules = []
    for code, entry in sorted(CATALOGUE.items()):
        examples = "".join(
            f"\n\n{title}:\n\n```yaml\n{text}\n```"
            for title, text in (("Wrong", entry.bad), ("Right", entry.good))
            if text
        )
        rules.append(
            {
                "id": code,
                "shortDescription": {"text": entry.title},
                "fullDescription": {"text": entry.cause},
                "help": {
                    "text": explain(code),
                    "markdown": f"**{entry.title}.** {entry.cause}{examples}\n\n{entry.fix}",
                },
                "defaultConfiguration": {"level": levels.get(code, "warning" if code[0] == "L" else "error")},
                "properties": {"tags": [FAMILIES[code[0]]]},
            }
        )
    return rules


def result(finding: Finding, places: Mapping[str, int]) -> dict[str, Any]:
    """A finding as a SARIF result."""
    record: dict[str, Any] = {
        "ruleId": finding["code"],
        "level": finding["severity"],
        "message": {"text": whole_message(finding)},
    }
    if finding["code"] in places:
        record["ruleIndex"] = places[finding["code"]]
    if finding["file"] is not None:
        record["locations"] = [location(finding["file"], finding["range"])]
    if finding["related"]:
        record["relatedLocations"] = [
            {"id": number, **location(other["file"], other["range"]), "message": {"text": other["message"]}}
            for number, other in enumerate(finding["related"], 1)
        ]
    # Not the line: a finding stays the same when something is written above it.
    told = json.dumps([finding["code"], finding["file"], finding["message"]])
    record["partialFingerprints"] = {"rulespec/v1": hashlib.sha256(told.encode()).hexdigest()[:32]}
    return record


def number_alike(results: Iterable[dict[str, Any]]) -> None:
    """Make equal fingerprints different: the second of its kind ends in `:2`."""
    seen: dict[str, int] = {}
    for record in results:
        print_ = record["partialFingerprints"]["rulespec/v1"]
        seen[print_] = seen.get(print_, 0) + 1
        if seen[print_] > 1:
            record["partialFingerprints"]["rulespec/v1"] = f"{print_}:{seen[print_]}"


def location(file: str, place: Mapping[str, int] | None) -> dict[str, Any]:
    """A place as SARIF has it: a relative or `file:` URI, and a region with 1-based ends, the last excluded."""
    uri = Path(file).as_uri() if Path(file).is_absolute() else quote(file.replace("\\", "/"))
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri}}
    if place is not None:
        physical["region"] = {
            "startLine": place["line"],
            "startColumn": place["column"],
            "endLine": place["end_line"],
            "endColumn": place["end_column"],
        }
    return {"physicalLocation": physical}
