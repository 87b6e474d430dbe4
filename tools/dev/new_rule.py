"""`make new-rule NAME=...`: a lint rule to begin with, in all the places that one has.

`python -m tools.dev.new_rule NAME` writes the rule's module, the entry of its code beside it and a game that shows it. What is to be
filled in is marked, and tests fail for each mark that is left (`tests/lint/test_lint.py`).
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from rulespec.text.diagnostics import RulespecError

from . import codes

ROOT = Path(__file__).resolve().parents[2]
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
MODULE = '''"""FILL IN: what the rule finds, in a few words."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("{code}")  # FILL IN: `"note"` or `"error"` behind the code, if it is no warning


def check(game: LintGame) -> Iterator[Finding]:
    """FILL IN: where it looks, and when it is not sure and says nothing."""
    for procedure, _ in game.steps():
        for i in procedure.code:
            if i.where is not None and suspicious(i):
                yield Finding(RULE, "FILL IN: what is wrong here", i.where)


def suspicious(i: ir.Instruction) -> bool:
    """FILL IN: whether an instruction is most likely a mistake. This one never is."""
    return isinstance(i, ir.Jump) and i.target < 0
'''
ENTRY = """{code}:
  title: "FILL IN: what is found, as a title"
  cause: "FILL IN: why it is most likely a mistake, or what it would do in play."
  # FILL IN: the smallest text with this finding and no other, on the line marked `# here`
  bad: |-
    phases:
      game:
        do:
          - win: p1  # here
  # FILL IN: the same, mended
  good: |-
    phases:
      game:
        do:
          - win: p1
  fix: "FILL IN: what the author does about it."
"""
GAME = """# FILL IN: what is found here, and its likes that are right.
rulespec: 1
id: {name}
players: 2

phases:
  game:
    do:
      - win: p1                                              # finding: {code}

cases:
  it_ends:
    run: [game]
"""


def main() -> int:
    """Write the files of the rule that the command line names; 2 and one line where that cannot be."""
    if len(sys.argv) != 2:
        print("make new-rule NAME=...: the name says what is found, such as `empty_zone`", file=sys.stderr)
        return 2
    try:
        code, paths = scaffold(ROOT, sys.argv[1])
    except (ValueError, RulespecError) as error:
        print(error, file=sys.stderr)
        return 2
    for path in paths:
        print(f"written: {path.relative_to(ROOT).as_posix()}")
    tests = f"tests/lint/test_lint.py -k '{code} or {sys.argv[1]} or fill_in'"
    print(
        f"next: `make generate && python -m pytest {tests}` says what is to be filled in; then a line in CHANGELOG.md"
    )
    return 0


def scaffold(root: Path, name: str) -> tuple[str, list[Path]]:
    """Write the files of a rule into a checkout; its code and the files.

    Raises ValueError for a name that is malformed or taken, RulespecError where an entry of another code is wrong.
    """
    if not NAME.fullmatch(name):
        raise ValueError(f"`{name}` cannot be the name of a module: small letters, digits and _ only, a letter first")
    module, entry, game = paths = [
        root / f"rulespec/lint/rules/{name}.py",
        root / f"rulespec/lint/rules/{name}.yaml",
        root / f"tests/conformance/lint/{name}.yaml",
    ]
    for path in paths:
        if path.exists():
            raise ValueError(f"{path.relative_to(root).as_posix()} is there already")
    taken = codes.entries(root)
    code = codes.next_free(max(code for code in taken if code[0] == "L"), taken)
    for path, text in ((module, MODULE), (entry, ENTRY), (game, GAME)):
        path.write_text(text.replace("{code}", code).replace("{name}", name), encoding="utf-8", newline="\n")
    return code, [*paths, codes.write(root)]


if __name__ == "__main__":
    sys.exit(main())
