"""The catalogue of codes, from the files in which each code is described: that of a lint rule beside the rule, all others by family.

An entry has a title, the cause, the cure, and two examples where a text can show it; `SCHEMA` says so, and how a mistake is told.
What is shipped and read in play is one file of all entries (`rulespec/codes/catalogue.json`), a line for each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator

from rulespec.codes.entry import FAMILIES, ErrorCode
from rulespec.schema.validate import Report
from rulespec.text.diagnostics import Diagnostics, RulespecError
from rulespec.text.quoting import ticked
from rulespec.text.source import Span, read_source
from rulespec.text.yaml_tree import MapNode, ScalarNode, as_data, parse

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("rulespec/codes", "rulespec/lint")
MADE = "rulespec/codes/catalogue.json"
CODE = re.compile(rf"[{''.join(FAMILIES)}]\d{{3}}")
TEXT = {"type": "string", "minLength": 1, "$comment": "a text"}
ABOUT = {
    "title": "What is found, in a few words.",
    "cause": "What is refused, and why.",
    "bad": "The smallest text with this code and no other; that of a lint rule has `# here` on the line of the finding.",
    "good": "The same, put right.",
    "fix": "What the author does about it.",
}
SCHEMA = {
    "type": "object",
    "$comment": "a mapping of codes",
    "additionalProperties": {
        "type": "object",
        "$comment": "an entry",
        "properties": {key: {**TEXT, "description": about} for key, about in ABOUT.items()},
        "required": ["title", "cause", "fix"],
        "dependencies": {"bad": ["good"], "good": ["bad"]},
        "additionalProperties": False,
    },
}


def entries(root: Path = ROOT) -> dict[str, ErrorCode]:
    """All entries of a checkout, by their codes and in their order. Raises RulespecError for what is no entry, or there twice."""
    diagnostics = Diagnostics()
    found, places = {}, dict[str, Span]()
    for file in files(root):
        for key, entry in described(file, file.relative_to(root).as_posix(), diagnostics):
            if key.value in places:
                first = (places[key.value], "first here")
                diagnostics.add("E108", f"the code {ticked(key.value)} is taken", key.span, related=[first])
            places.setdefault(key.value, key.span)
            found[key.value] = entry
    if len(diagnostics):
        raise RulespecError(diagnostics)
    return {code: ErrorCode(code, **found[code]) for code in sorted(found)}


def files(root: Path) -> list[Path]:
    """The files of a checkout that describe codes."""
    return [file for folder in FOLDERS for file in sorted((root / folder).rglob("*.yaml"))]


def described(file: Path, name: str, diagnostics: Diagnostics) -> Iterator[tuple[ScalarNode, dict[str, str]]]:
    """The codes of a file and what is said of each; nothing where something is wrong, which is reported."""
    before = len(diagnostics)
    source = read_source(file, name, diagnostics=diagnostics)
    root = None if source is None else parse(source, diagnostics)
    if root is None:
        return
    if not isinstance(root, MapNode):
        diagnostics.add("S001", "this must be a mapping of codes", root.span, expected="a mapping of codes")
        return
    for key, _ in root.entries:
        if CODE.fullmatch(key.value) is None:
            expected = f"one letter of {''.join(FAMILIES)}, three digits"
            diagnostics.add("E106", f"{ticked(key.value)} cannot be a code", key.span, expected=expected)
    data: dict[str, Any] = as_data(root, ScalarNode.resolve)
    Report(root, diagnostics).run(Draft7Validator(SCHEMA), data)
    if len(diagnostics) == before:
        for key, _ in root.entries:
            yield key, {word: text.strip("\n") for word, text in data[key.value].items()}


def catalogue(found: Mapping[str, ErrorCode]) -> str:
    """The text of the one file of all entries."""
    lines = []
    for code, entry in found.items():
        said = {key: text for key in ABOUT if (text := getattr(entry, key))}
        lines.append(f"{json.dumps(code)}: {json.dumps(said, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def next_free(last: str, taken: Container[str]) -> str:
    """The first free code behind one of its family: a code is never given a second meaning."""
    numbers = range(int(last[1:]) + 1, 1000)
    return next(code for number in numbers if (code := f"{last[0]}{number:03}") not in taken)


def write(root: Path) -> Path:
    """Write the one file of a checkout; returns its path. Raises RulespecError as `entries` does."""
    path = root / MADE
    path.write_text(catalogue(entries(root)), encoding="utf-8", newline="\n")
    return path
