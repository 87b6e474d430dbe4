"""What is generated is up to date, and what it was generated from is true: every example is checked or run."""

from __future__ import annotations

import json
from functools import cache

import jsonschema_rs
import pytest
from jsonschema import Draft7Validator
from referencing import Registry

import interpreter
import rulespec
from interpreter.files.transcript import write
from interpreter.testing.cases import run_cases
from rulespec.cases.compiler import load_cases
from rulespec.language.registry import functions, verbs
from rulespec.language.sections import BLOCKS
from rulespec.loading.examples import check_snippet, example_game
from rulespec.schema import game_schema
from rulespec.schema.build import shape_schema
from rulespec.schema.validate import validator
from rulespec.text.source import Source
from rulespec.text.yaml_tree import MapNode, ScalarNode, as_data, parse
from tests.helpers.games import loaded
from tests.helpers.places import ALL_GAMES, ROOT
from tools.dev import generate, pages

EXPRESSIONS = sorted((ROOT / "tests/conformance/expr").glob("*.yaml"))
SCHEMAS = sorted((ROOT / "schemas").glob("*.json"))
KEYS = [(block, key) for block in BLOCKS for key in BLOCKS[block].keys]


@cache
def schema(name):
    return Draft7Validator(json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text()), registry=Registry())


@cache
def quick(name):
    """The same schema for a library that is quick where nothing is wrong, and like the other one knows no more than the schema."""
    return jsonschema_rs.Draft7Validator(schema(name).schema)


@cache
def tree(path):
    root = parse(Source(str(path), path.read_text()), rulespec.text.diagnostics.Diagnostics())
    return as_data(root, ScalarNode.resolve)


def messages(text):
    return [rulespec.render(d) for d in check_snippet(text)]


def test_nothing_is_stale():
    assert list(generate.stale()) == [], "run `make generate`"


def test_check_says_what_is_stale(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    assert generate.main(["--check"]) == 1 and "stale: schemas/game.schema.json" in capsys.readouterr().out
    assert generate.main([]) == 0 and generate.main(["--check"]) == 0
    odd = tmp_path / "schemas" / "old.schema.json"
    odd.write_text("{}")
    assert generate.main(["--check"]) == 1
    assert generate.main([]) == 0 and not odd.exists()
    assert generate.main(["--what"]) == 2


@pytest.mark.parametrize("file", EXPRESSIONS, ids=lambda f: f.stem)
def test_examples_of_functions(file):
    suite, diagnostics = load_cases(file)
    assert suite is not None, "\n".join(map(rulespec.render, diagnostics))
    assert suite.cases
    assert [case.message for case in run_cases(suite) if not case.passed] == []


def test_examples_of_expressions(tmp_path):
    facts = "".join(f"      - ({example}) == {gives}\n" for _, example, gives in pages.EXPRESSIONS if gives != "yes")
    facts += "".join(f"      - {example}\n" for _, example, gives in pages.EXPRESSIONS if gives == "yes")
    file = tmp_path / "game.yaml"
    file.write_text(f"{example_game()}\ncases:\n  examples:\n    run: [skip]\n    expect:\n{facts}", encoding="utf-8")
    suite, diagnostics = load_cases(file)
    assert suite is not None, "\n".join(map(rulespec.render, diagnostics))
    assert [case.message for case in run_cases(suite) if not case.passed] == []


@pytest.mark.parametrize("name", sorted(set(pages.TYPES) - {"Text"}))
def test_examples_of_types(name):
    assert messages(f"state: {{an_example: {name}}}") == []


def test_every_function_has_examples():
    assert [own.name for own in functions().values() if not own.examples or not own.doc] == []
    assert {own.group for own in functions().values()} == {file.stem for file in EXPRESSIONS}


@pytest.mark.parametrize("name", verbs())
def test_examples_of_verbs(name):
    assert messages(verbs()[name].example) == []
    assert verbs()[name].doc.strip()


def test_examples_of_sections_make_a_game():
    assert messages(pages.sections_example()) == []


@pytest.mark.parametrize(("block", "name"), KEYS, ids=lambda part: part)
def test_examples_of_keys(block, name):
    key = BLOCKS[block].keys[name]
    root = parse(Source("example", f"{name}: {key.example}"), rulespec.text.diagnostics.Diagnostics())
    assert isinstance(root, MapNode) and key.about.endswith(".")
    own = (
        "variant"
        if block in ("variant", "amendment")
        else "bot"
        if block in ("bot", "preference", "search")
        else "study"
        if block in ("study", "arm", "seating", "measure")
        else "game"
    )
    assert (
        list(validator(own).descend(as_data(root, ScalarNode.resolve)[name], shape_schema(key.shape, key.words))) == []
    )


# --- the schemas ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("file", SCHEMAS, ids=lambda f: f.stem)
def test_schemas_are_schemas(file):
    Draft7Validator.check_schema(json.loads(file.read_text()))
    text = file.read_text()
    assert '"oneOf"' not in text and '"anyOf"' not in text


def test_every_key_is_described():
    def described(node, path):
        if isinstance(node, dict):
            for name, own in node.get("properties", {}).items() if isinstance(node.get("properties"), dict) else ():
                if "if" not in path or "then" in path:
                    assert isinstance(own, dict) and ("description" in own or path[-1:] == ("if",)), (path, name)
            for name, value in node.items():
                described(value, (*path, name))
        elif isinstance(node, list):
            for value in node:
                described(value, path)

    for file in SCHEMAS:
        described(json.loads(file.read_text()), ())


@pytest.mark.parametrize("folder", ALL_GAMES, ids=lambda f: f.name)
def test_shipped_games_fit_the_committed_schemas(folder):
    """As any editor reads them: by the schema alone, without our way through steps."""
    for file in sorted(folder.glob("*.yaml")):
        found = tree(file)
        if "rulespec" in found or "part of" in found:
            assert [e.message for e in quick("game").iter_errors(found)] == [], file
    for file in sorted(folder.glob("cases/*.yaml")):
        assert [e.message for e in quick("cases").iter_errors(tree(file))] == [], file
    for file in sorted(folder.glob("variants/*.yaml")):
        assert [e.message for e in quick("variant").iter_errors(tree(file))] == [], file
    for file in sorted(folder.glob("studies/*.yaml")):
        assert [e.message for e in quick("study").iter_errors(tree(file))] == [], file


def procedures_of(found):
    return {
        name: {key: str(value) for key, value in (body.get("takes") or {}).items()}
        for section in ("procedures", "phases")
        for name, body in found.get(section, {}).items()
    }


@pytest.mark.parametrize("folder", ALL_GAMES, ids=lambda f: f.name)
def test_the_schema_of_one_game_knows_its_procedures(folder):
    trees = [tree(file) for file in sorted(folder.glob("*.yaml"))]
    parts = [found for found in trees if "rulespec" in found or "part of" in found]  # not tables of data
    procedures = {name: takes for part in parts for name, takes in procedures_of(part).items()}
    own = jsonschema_rs.Draft7Validator(game_schema(procedures))
    for part in parts:
        assert [e.message for e in own.iter_errors(part)] == []
    wrong = {"rulespec": 1, "id": "x", "players": 2, "phases": {"game": {"do": [{"no_such_thing": 1}]}}}
    assert not own.is_valid(wrong)


@pytest.mark.parametrize(
    ("step", "fits"),
    [
        ({"log": "All pass", "if": "deck is empty"}, True),
        ({"if": "deck is empty", "then": ["skip"], "log": "All pass"}, True),
        ({"if": "deck is empty"}, False),
        ({"if": "deck is empty", "else": ["skip"]}, False),
    ],
)
def test_a_line_of_the_log_under_a_condition_is_no_branch(step, fits):
    game = {"rulespec": 1, "id": "x", "players": 2, "phases": {"game": {"do": [step]}}}
    assert schema("game").is_valid(game) == fits


def test_saves_and_transcripts_fit_their_schemas():
    for folder in ALL_GAMES:
        game = interpreter.Game(loaded(folder))
        state = game.new_state(seed=1)
        for _ in range(6):
            if not state.is_terminal():
                seat = state.pending_players()[0]
                state.apply_action(state.legal_actions(seat)[0], seat)
        saved = json.loads(state.to_json())
        assert list(schema("save").iter_errors(saved)) == []
        assert not schema("save").is_valid({**saved, "more": 1})

        for line in write(state).splitlines():
            assert list(schema("transcript").iter_errors(json.loads(line))) == []
    assert not schema("transcript").is_valid({"by": "p1", "answer": "x"})
