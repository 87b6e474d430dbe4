import ast
import re

import pytest

import interpreter
import rulespec
from rulespec.codes.catalogue import CATALOGUE, explain
from rulespec.codes.entry import FAMILIES
from rulespec.lint.flow import leaks
from rulespec.loading.examples import check_snippet, completed
from rulespec.loading.reading import read_csv, read_tree
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import parse
from tests.helpers.places import ROOT

CODE = re.compile(r"[YSEFLRPTVCKBX]\d{3}")
# Limits and bytes, and what needs other files: a short text cannot show them.
UNSHOWN = {"Y001", "Y002", "Y003", "Y004", "Y005", "Y007", "Y025", "Y020", "Y021", "Y022", "Y027"}
TABLES = {"Y008", "Y009", "Y028"}
FILES = {"Y006", "Y026"}


def used() -> dict[str, str]:
    """Each code that stands as a string in our code, with a file that has it."""
    found: dict[str, str] = {}
    for package in ("rulespec", "interpreter", "tools"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                value = node.value if isinstance(node, ast.Constant) else None
                if isinstance(value, str) and CODE.fullmatch(value):
                    found.setdefault(value, str(path.relative_to(ROOT)))
    return found


def shown(family: str) -> list[str]:
    """The codes of a family that have examples."""
    return sorted(code for code, own in CATALOGUE.items() if code[0] in family and own.bad)


def test_every_code_in_use_is_catalogued() -> None:
    assert {code: path for code, path in used().items() if code not in CATALOGUE} == {}


def test_every_catalogued_code_is_in_use() -> None:
    assert set(CATALOGUE) - set(used()) == set()


@pytest.mark.parametrize("code", sorted(CATALOGUE))
def test_entries_are_complete(code: str) -> None:
    found = CATALOGUE[code]
    assert found.code == code and code[0] in FAMILIES
    assert found.title and found.cause.endswith(".") and found.fix.endswith(".")
    assert not found.title.endswith(".")
    assert bool(found.bad) == bool(found.good)
    text = explain(code)
    assert text is not None and text.startswith(f"{code}: ") and found.bad.split("\n")[0] in text


@pytest.mark.parametrize("code", sorted(c for c in CATALOGUE if c[0] == "Y" and c not in FILES))
def test_yaml_examples(code: str) -> None:
    found = CATALOGUE[code]
    assert bool(found.bad) == (code not in UNSHOWN)
    if found.bad:
        read = read_csv if code in TABLES else parse
        bad, good = Diagnostics(), Diagnostics()
        read(Source("bad", found.bad), bad)
        assert {d.code for d in bad} == {code}
        assert read(Source("good", found.good), good) is not None and not len(good)


@pytest.mark.parametrize("code", shown("SE"))
def test_examples_of_specs(code: str) -> None:
    """The bad one is refused with its code, the good one is clean."""
    found = CATALOGUE[code]
    assert {d.code for d in check_snippet(found.bad)} == {code}
    assert check_snippet(found.good) == ()


@pytest.mark.parametrize("code", shown("F"))
def test_examples_of_information_flow(code: str) -> None:
    """In the bad one just this leaks, in the good one nothing does."""

    def leaking(text: str) -> set[str]:
        diagnostics = Diagnostics()
        root = parse(Source("example", text), diagnostics)
        game = None if root is None else read_tree(completed(root, text, diagnostics), None, diagnostics)
        assert game is not None, "\n".join(map(rulespec.render, diagnostics))
        return {d.code for d in leaks(game)}

    assert leaking(CATALOGUE[code].bad) == {code}
    assert leaking(CATALOGUE[code].good) == set()


@pytest.mark.parametrize("code", shown("R"))
def test_examples_of_faults(code: str) -> None:
    """The bad steps are steps, or an end of the game, and end in the fault; the good ones do not."""

    def play(text: str) -> None:
        steps = text.replace("\n", "\n      ")
        source = Source(
            "example", text if text.startswith("end of game:") else f"phases:\n  game:\n    do:\n      {steps}"
        )
        diagnostics = Diagnostics()
        root = parse(source, diagnostics)
        assert root is not None
        definition = read_tree(completed(root, source.text, diagnostics), None, diagnostics)
        assert definition is not None, "\n".join(map(rulespec.render, diagnostics))
        interpreter.Game(definition).playout(1)

    with pytest.raises(interpreter.Fault) as fault:
        play(CATALOGUE[code].bad)
    assert fault.value.diagnostic.code == code
    play(CATALOGUE[code].good)


def test_explain() -> None:
    assert explain(" y013 ") == explain("Y013")
    assert explain("Y999") is None and explain("") is None
