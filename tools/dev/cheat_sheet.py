"""docs/cheatsheet.md: the language on one page, from the definitions."""

from __future__ import annotations

import re

from rulespec.language import registry
from rulespec.language.sections import BLOCKS
from rulespec.schema.build import sentence
from rulespec.text.quoting import ticked

from .pages import EXPRESSIONS, GROUPS, NOTE, table

HEAD = """# The language on one page

Each word with one example; [the reference](reference.md) has all keys, arguments and meanings. The heading of a table leads there.
Steps with `...` have more below them: [How do I say ...?](howto.md) shows them in whole games.
"""
MAIN = ("types", "pieces", "zones", "state", "map", "boards", "tables", "options", "functions", "values", "conditions",
        "events", "rules", "scopes", "procedures", "phases", "end of game", "cases")  # fmt: skip


def cheatsheet() -> str:
    """The page."""
    lines = [NOTE, "", HEAD]
    keys = BLOCKS["game"].keys
    lines += ["## [Sections](reference.md)", ""]
    lines += table(((ticked(name), short(keys[name].about)) for name in MAIN), "section", "what it says")
    for group in dict.fromkeys(verb.group for verb in registry.verbs().values()):
        lines += [f"## [Steps: {GROUPS[group].lower()}](reference.md#steps)", ""]
        own = [verb for verb in registry.verbs().values() if verb.group == group]
        lines += table(
            ((ticked(step(verb.example)), short(sentence(verb.doc))) for verb in own), "step", "what it does"
        )
    lines += ["## [Expressions](reference.md#expressions)", ""]
    lines += table(((ticked(example), short(about)) for about, example, _ in EXPRESSIONS), "expression", "what it is")
    for group in dict.fromkeys(function.group for function in registry.functions().values()):
        place = re.sub(r"[^\w-]", "", GROUPS[group].lower().replace(" ", "-"))
        lines += [f"## [Functions: {GROUPS[group].lower()}](reference.md#{place})", ""]
        own_functions = [f for f in registry.functions().values() if f.group == group]
        rows = (
            (ticked(example), ticked(result)) for f in own_functions for example, result in list(f.examples.items())[:1]
        )
        lines += table(rows, "function", "gives")
    return "\n".join(lines).rstrip("\n") + "\n"


def short(about: str) -> str:
    """The first sentence of a description."""
    return re.split(r"(?<=[\w)`])\.\s+(?=[A-Z])", about)[0].rstrip(".") + "."


def step(example: str) -> str:
    """An example of a step in one line: its keys, and `...` where something stands below one."""
    parts: list[str] = []
    for line in example.splitlines():
        if line.startswith(("- ", "  ")) and not line.startswith("   ") and line[2:3] not in ("-", "#"):
            key, colon, value = line[2:].partition(":")
            parts.append(f"{key}: {value.strip() or '...'}" if colon else key)
        elif line.startswith("- "):
            break
    return "{" + ", ".join(parts) + "}" if len(parts) > 1 else parts[0] if parts else example
