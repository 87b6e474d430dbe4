"""Information flow: planted leaks are found on their lines, and nothing else is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import GAMES, PLAY

import rulespec
from rulespec.diagnostics import Diagnostics
from rulespec.lint.flow import leaks
from rulespec.reading import read_tree
from rulespec.source import Source
from rulespec.yamltree import Mapping, Scalar, parse

FOLDER = Path(__file__).parent / "conformance/flow"
MARK = re.compile(r"# error: (F\d{3})$")


def snippets(name: str) -> list[tuple[str, str]]:
    """The snippets of a file by their names."""
    root = parse(Source(name, (FOLDER / name).read_text(encoding="utf-8")), Diagnostics())
    assert isinstance(root, Mapping)
    return [(key.value, value.value) for key, value in root.entries if isinstance(value, Scalar)]


def found_in(text: str) -> list[tuple[int, str]]:
    """What leaks in a game: lines and codes."""
    diagnostics = Diagnostics()
    root = parse(Source("game", text), diagnostics)
    game = None if root is None else read_tree(root, None, diagnostics)
    assert game is not None, "\n".join(map(rulespec.render, diagnostics))
    return sorted({(d.span.line if d.span else 0, d.code) for d in leaks(game)})


def completed(steps: str) -> str:
    """The game in which some steps are played."""
    base = (FOLDER / "base.yaml").read_text(encoding="utf-8")
    return base + "".join(f"      {line}\n" for line in steps.splitlines())


def marked(text: str) -> list[tuple[int, str]]:
    """The codes that stand behind lines."""
    return [(n, m[1]) for n, line in enumerate(text.splitlines(), 1) if (m := MARK.search(line))]


@pytest.mark.parametrize(("name", "steps"), snippets("leaks.yaml"), ids=[n for n, _ in snippets("leaks.yaml")])
def test_a_leak_is_found_on_its_line(name: str, steps: str) -> None:
    text = completed(steps)
    assert marked(text)
    assert found_in(text) == marked(text)


@pytest.mark.parametrize(("name", "steps"), snippets("clean.yaml"), ids=[n for n, _ in snippets("clean.yaml")])
def test_what_does_not_leak_is_not_reported(name: str, steps: str) -> None:
    assert found_in(completed(steps)) == []


@pytest.mark.parametrize("folder", [*GAMES, *PLAY], ids=lambda f: f.stem)
def test_no_game_here_leaks(folder: Path) -> None:
    game, findings = rulespec.check(folder)
    assert game is not None and not findings
    assert [rulespec.render(d) for d in leaks(game)] == []
