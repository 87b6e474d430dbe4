"""What is known of verbs stands at their definitions: no reader of steps keeps a list of verbs or asks for one by its name."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from rulespec.language.registry import VerbKey, verbs
from tests.helpers.places import ROOT

READERS = (
    "rulespec/lint",
    "rulespec/cases",
    "rulespec/expr",
    "rulespec/variants",
    "interpreter/views",
    "tools/mutants",
    "tools/dev/mutation",
)
ALSO = {"if", "log"}  # keys that any step may have: `log:` beside a step is no verb
PLAIN = {"add", "set", "end", "match"}  # names of operations, types and methods, too

# Where a verb's name stands all the same, how often, and why.  What is mended is taken out: these numbers only fall.
ALLOWED = {
    "rulespec/lint/flow/shown.py": (1, "the key at which what players choose in secret is shown as a leak"),
    "rulespec/lint/stages.py": (1, "`at once` is a key of lasting effects and rules, too"),
    "rulespec/lint/rules/never_so.py": (1, "`together` is a part of `utility`"),
    "rulespec/lint/utility.py": (1, "`together` is a part of `utility`"),
    "rulespec/cases/compiler.py": (2, "`scope` is a word of messages and a key of references"),
    "rulespec/expr/hints.py": (2, "`return` is a word of other languages, before `x if c else y` and before a value"),
    "interpreter/views/table/table.py": (1, "`look` is a key of tables"),
}


def names_in(path: Path) -> list[tuple[int, str]]:
    """The names of verbs that stand in a file as texts, with their lines, but for what they mean besides."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    known = set(verbs())
    asked = [
        part for node in ast.walk(tree) if isinstance(node, ast.Compare) for part in ast.walk(node) if verb_asked(node)
    ]
    strict = {id(part) for part in asked}
    parts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [
        (node.lineno, node.value)
        for node in parts
        if node.value in known and (id(node) in strict or node.value not in ALSO | PLAIN)
    ]


def verb_asked(node: ast.Compare) -> bool:
    """Whether a comparison asks for the verb of a step."""
    sides = [node.left, *node.comparators]
    return any(isinstance(side, ast.Attribute) and side.attr == "verb" for side in sides)


def files() -> list[Path]:
    """The files of all readers."""
    return [path for folder in READERS for path in sorted((ROOT / folder).rglob("*.py"))]


def test_readers_ask_for_roles_and_not_for_names() -> None:
    """But where it is said why not."""
    found = {path.relative_to(ROOT).as_posix(): names for path in files() if (names := names_in(path))}
    told = [f"{path}:{line}: {name!r}" for path, names in found.items() for line, name in names]
    assert {path: len(names) for path, names in found.items()} == {path: n for path, (n, _) in ALLOWED.items()}, told


@pytest.mark.parametrize("name", list(verbs()))
def test_a_role_stands_once_at_a_verb(name: str) -> None:
    """So that it has one place, and what is read by its role is no steps."""
    verb = verbs()[name]
    keys: list[VerbKey] = [verb.value, *verb.keys.values()]
    roles = Counter(key.role for key in keys if key.role)
    assert all(times == 1 for times in roles.values())
    assert all(key.shape in ("expr", "new name", "name", "text") for key in keys if key.role)


def test_what_is_written_is_known_by_its_role() -> None:
    """Whatever a verb may set is a target, or is brought to or taken from something."""
    for verb in verbs().values():
        for key in verb.traits.assigns:
            about = verb.value if key == verb.name else verb.keys[key]
            assert about.role == "target" or about.shape == "name", (verb.name, key)
