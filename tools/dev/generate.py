"""Writes the files generated from the definitions: schemas, the catalogue of codes, reference pages, a case for each example of a function.

`python -m tools.dev.generate` writes, `python -m tools.dev.generate --check` only says what is stale.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulespec.language import registry
from rulespec.loading.examples import example_game
from rulespec.schema import (
    bot_schema,
    cases_schema,
    coverage_schema,
    game_schema,
    save_schema,
    study_schema,
    table_schema,
    transcript_schema,
    variant_schema,
)
from rulespec.text.diagnostics import RulespecError

from . import cheat_sheet, codes, command_pages, expr_tables, pages
from .editors import grammar

ROOT = Path(__file__).resolve().parents[2]
SYNTAXES = "tools/dev/editors/vscode/syntaxes"
FOLDERS = ("schemas", "docs", "tests/conformance/expr", SYNTAXES)
NOTE = "# Generated from the examples of the functions by `python -m tools.dev.generate`; do not edit.\n"


def files() -> dict[str, str]:
    """Every generated file: its path from the root, and its text. Raises RulespecError where an entry of a code is wrong."""
    catalogue = codes.entries()
    texts = {
        "schemas/game.schema.json": as_json(game_schema()),
        "schemas/cases.schema.json": as_json(cases_schema()),
        "schemas/variant.schema.json": as_json(variant_schema()),
        "schemas/bot.schema.json": as_json(bot_schema()),
        "schemas/coverage.schema.json": as_json(coverage_schema()),
        "schemas/study.schema.json": as_json(study_schema()),
        "schemas/save.schema.json": as_json(save_schema()),
        "schemas/table.schema.json": as_json(table_schema()),
        "schemas/transcript.schema.json": as_json(transcript_schema()),
        codes.MADE: codes.catalogue(catalogue),
        "rulespec/expr/tables.json": expr_tables.tables(),
        "docs/reference.md": pages.reference(),
        "docs/errors.md": pages.errors(catalogue),
        "docs/lint.md": pages.lint(catalogue),
        "docs/cheatsheet.md": cheat_sheet.cheatsheet(),
        "docs/commands.md": command_pages.commands(),
    }
    texts.update({f"{SYNTAXES}/{name}": as_json(own) for name, own in grammar.files().items()})
    for group in dict.fromkeys(function.group for function in registry.functions().values()):
        texts[f"tests/conformance/expr/{group}.yaml"] = cases(group)
    return texts


def as_json(schema: Any) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def cases(group: str) -> str:
    """The example game with a case for each example of a group of functions."""
    game = example_game().split("\n", 1)[1].rstrip()
    lines = [NOTE + game, "", "cases:"]
    for function in registry.functions().values():
        if function.group == group:
            for number, (example, result) in enumerate(function.examples.items(), 1):
                fact = f"{example} is none" if result == "none" else f"{example} == {result}"
                lines += [
                    f"  {function.name}_{number}:",
                    "    run: skip",
                    f"    expect: [{json.dumps(fact, ensure_ascii=False)}]",
                ]
    return "\n".join(lines) + "\n"


def stale() -> Iterator[str]:
    """The generated files that are stale, and those that should not exist."""
    wanted = files()
    for name, text in wanted.items():
        path = ROOT / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            yield name
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.is_file() and name not in wanted and generated(path):
                yield name


def generated(path: Path) -> bool:
    """Whether a file says that it was written by this program, or is a schema."""
    first = path.read_bytes().partition(b"\n")[0].decode("utf-8", "replace")  # pictures lie there as well
    return path.name.endswith((".schema.json", ".tmLanguage.json")) or "python -m tools.dev.generate" in first


def write() -> list[str]:
    """Write the stale files; returns those written or removed."""
    wanted = files()
    done = list(stale())
    for name in done:
        path = ROOT / name
        if name in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[name], encoding="utf-8", newline="\n")
        else:
            path.unlink()
    return done


def main(arguments: list[str]) -> int:
    """0 if all is as it should be, 1 if `--check` finds something stale or an entry of a code is wrong, 2 for other arguments."""
    if arguments not in ([], ["--check"]):
        print("usage: python -m tools.dev.generate [--check]", file=sys.stderr)
        return 2
    try:
        paths = list(stale()) if arguments else write()
    except RulespecError as error:
        print(error, file=sys.stderr)
        return 1
    for name in paths:
        print(f"{'stale' if arguments else 'written'}: {name}")
    return 1 if arguments and paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
