"""One case by itself, from a text that is in no file: a position and what is run from there, as commands name it."""

from __future__ import annotations

from pathlib import Path

from rulespec.cases.compiler import Apart, roots
from rulespec.cases.data import Case
from rulespec.cases.positions import Positions
from rulespec.checker.program import CheckedGame
from rulespec.loading.reading import read
from rulespec.schema import validate_cases
from rulespec.text.diagnostics import Diagnostics, RulespecError
from rulespec.text.locate import Variants, find, named
from rulespec.text.source import Source
from rulespec.text.yaml_tree import MapNode, parse


def load_alone(path_or_id: str | Path, variant: Variants, source: Source) -> tuple[CheckedGame, Case]:
    """The game and the only case of a text, which may begin with the positions that the game's cases have.

    Raises RulespecError with all that is wrong with the game or with the case.
    """
    diagnostics = Diagnostics()
    file = find(path_or_id, diagnostics)
    game = None if file is None else read(file, diagnostics, None, named(variant))
    if game is None or file is None:
        raise RulespecError(diagnostics.errors)
    findings = Diagnostics()
    root = parse(source, findings)
    section = root.get("cases") if isinstance(root, MapNode) else None
    if isinstance(root, MapNode) and isinstance(section, MapNode):
        validate_cases(root, findings)
        positions = Positions(roots(game, file, Diagnostics()), findings)
        ((key, node),) = section.entries
        case = None if findings.has_errors else Apart(game, positions).case(key, node, findings)
        if case is not None:
            return game, case
    raise RulespecError(findings.errors)
