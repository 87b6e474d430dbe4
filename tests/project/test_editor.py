"""What an editor shows of the schemas: asked of the language server for YAML where it is there, and by the schema alone.

The server's answers are kept in tests/golden/editor.txt.  With the server (see tests/editor_client.py) they are asked for
again; RULESPEC_GOLDEN=write writes them anew.  Without it, the faults that were planted are looked for by jsonschema.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft7Validator
from referencing import Registry

from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import ScalarNode, as_data, parse
from tests.helpers.editor import VARIABLE, Editor, server
from tests.helpers.goldens import golden
from tests.helpers.places import ROOT
from tools import cli

GOLDEN = ROOT / "tests/golden/editor.txt"
SCHEMAS = sorted((ROOT / "schemas").glob("*.json"))
CURSOR = "‸"
MARGIN = "    "


def tree(text):
    return as_data(parse(Source("x", text), Diagnostics()), ScalarNode.resolve)


QUESTIONS = tree((ROOT / "tests/editor_questions.yaml").read_text(encoding="utf-8"))
HEAD = QUESTIONS["head"]


def placed(text):
    """The text without its cursor, and where that was: line and column from 0."""
    before, _, after = (HEAD + text).partition(CURSOR)
    return before + after, before.count("\n"), len(before) - before.rfind("\n") - 1


def indented(text):
    return "\n".join(f"{MARGIN}{line}".rstrip() for line in text.rstrip("\n").split("\n"))


def answers(folder):
    """All that the server answers, as one text."""
    (folder / "schemas").mkdir()
    for schema in SCHEMAS:
        (folder / "schemas" / schema.name).write_bytes(schema.read_bytes())
    parts = []
    with Editor(server(), folder) as editor:
        for name, text in QUESTIONS["completions"].items():
            whole, line, column = placed(text)
            uri = editor.open(folder / f"{len(parts)}.yaml", whole)
            found = editor.completions(uri, line, column)
            shown = " | ".join(item["label"] for item in found)
            parts.append(f"completions: {name}\n{indented(text)}\n{MARGIN}=> {shown}\n")
        for name, text in QUESTIONS["hovers"].items():
            whole, line, column = placed(text)
            uri = editor.open(folder / f"{len(parts)}.yaml", whole)
            said = editor.hover(uri, line, column).rpartition("\n\nSource: ")[0]  # which names this folder
            parts.append(f"hover: {name}\n{indented(text)}\n{indented('=> ' + said)}\n")
        for name, text in QUESTIONS["faults"].items():
            uri = editor.open(folder / f"{len(parts)}.yaml", HEAD + text)
            found = editor.diagnostics(uri)
            shown = [
                f"=> {d['range']['start']['line'] - HEAD.count(chr(10)) + 1}:{d['range']['start']['character'] + 1}: "
                f"{d['message']}"
                for d in found
            ] or ["=> nothing"]
            parts.append(f"fault: {name}\n{indented(text)}\n{indented(chr(10).join(shown))}\n")
    return "\n".join(parts)


@pytest.mark.skipif(server() is None, reason=f"no yaml-language-server on the PATH or named by {VARIABLE}")
def test_the_server_answers_as_before(tmp_path):
    found = answers(tmp_path)
    assert found == golden(GOLDEN, found)


@pytest.mark.skipif(server() is None, reason=f"no yaml-language-server on the PATH or named by {VARIABLE}")
def test_the_schema_of_a_game_in_the_server(tmp_path):
    """A new game is clean there and the language's verbs are offered; with its own schema its own verbs and names are offered as
    well, and a misspelt one is found."""

    folder = Path(tmp_path) / "one"
    assert cli.main(["new", str(folder), "--template", "card"]) == 0
    with Editor(server(), folder) as editor:
        for name in ("game.yaml", "cases/first.yaml"):
            path = folder / name
            assert editor.diagnostics(editor.open(path, path.read_text())) == []
        text = (folder / "game.yaml").read_text()
        line = text.split("\n").index("          - play_a_card: p")
        uri = editor.open(folder / "other.yaml", text.replace("- play_a_card: p", "- "))
        assert {"choose", "draw", "move"} <= {item["label"] for item in editor.completions(uri, line, 12)}
        assert editor.diagnostics(editor.open(folder / "third.yaml", text.replace("\nzones:", "\nzoness:"))) != []
    assert cli.main(["schema", str(folder), "--write"]) == 0
    with Editor(server(), folder) as editor:
        for name in ("game.yaml", "cases/first.yaml"):
            path = folder / name
            assert editor.diagnostics(editor.open(path, path.read_text())) == []
        text = (folder / "game.yaml").read_text()
        begun = text.replace("          - trick\n", "          - tri\n          - draw: 1\n            from: \n")
        uri = editor.open(folder / "other.yaml", begun)
        line = begun.split("\n").index("            from: ")
        assert {"deck", "hand", "table", "won"} <= {item["label"] for item in editor.completions(uri, line, 18)}
        uri = editor.open(folder / "third.yaml", text.replace("- play_a_card: p", "- "))
        line = text.split("\n").index("          - play_a_card: p")
        assert {"play_a_card", "trick", "choose"} <= {item["label"] for item in editor.completions(uri, line, 12)}
        uri = editor.open(folder / "fourth.yaml", text.replace("- play_a_card: p", "- play_a_crad: p"))
        assert [d["range"]["start"]["line"] for d in editor.diagnostics(uri)] == [line]


@pytest.mark.skipif(server() is None, reason=f"no yaml-language-server on the PATH or named by {VARIABLE}")
def test_shipped_games_are_clean_in_the_server():
    """Each file with the schema that its first line names."""
    found = {}
    with Editor(server(), ROOT) as editor:
        for path in sorted((ROOT / "games").rglob("*.yaml")):
            text = path.read_text(encoding="utf-8")
            if text.startswith("# yaml-language-server: $schema="):
                found[path.relative_to(ROOT).as_posix()] = editor.diagnostics(editor.open(path, text))
    assert {name: told for name, told in found.items() if told} == {} and found


# --- without the server -----------------------------------------------------------------------------------------------
def test_the_answers_are_those_of_the_questions():
    """Nobody has asked something without keeping the answer."""
    heads = [line for line in GOLDEN.read_text(encoding="utf-8").split("\n") if line and not line.startswith(" ")]
    kinds = {"completions": "completions", "hovers": "hover", "faults": "fault"}
    assert heads == [f"{word}: {name}" for kind, word in kinds.items() for name in QUESTIONS[kind]]


@pytest.mark.parametrize("name", QUESTIONS["faults"])
def test_planted_faults_are_faults_of_the_schema(name):
    own = Draft7Validator(json.loads((ROOT / "schemas/game.schema.json").read_text()), registry=Registry())
    assert own.is_valid(tree(HEAD + QUESTIONS["faults"][name])) == (name == "no fault at all")


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda p: p.stem)
def test_what_the_server_refuses_is_not_in_the_schemas(path):
    """It refuses a whole schema, and says so nowhere but in the first line of a file, for a word that is there twice."""

    def walk(node, where):
        if isinstance(node, dict):
            for key in ("enum", "required", "type"):
                words = node.get(key)
                if isinstance(words, list):
                    assert words and len({json.dumps(word) for word in words}) == len(words), (where, key)
            for key, value in node.items():
                walk(value, (*where, key))
        elif isinstance(node, list):
            for number, value in enumerate(node):
                walk(value, (*where, number))

    walk(json.loads(path.read_text(encoding="utf-8")), ())
