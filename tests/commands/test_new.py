"""`rulespec new` and `rulespec schema`: a game that is clean, tested and played to its end at once, and its schemas."""

from __future__ import annotations

import json
import os
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from jsonschema import Draft7Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT7

import interpreter
import rulespec
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import ScalarNode, as_data, parse
from tests.helpers.games import walk
from tests.helpers.places import ROOT
from tools import cli
from tools.templating import KINDS, TEMPLATES


def run(capsys, *arguments):
    code = cli.main([str(a) for a in arguments])
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


def tree(path):
    return as_data(parse(Source(str(path), path.read_text(encoding="utf-8")), Diagnostics()), ScalarNode.resolve)


def retrieved(uri):
    """A schema that is referred to by its place on this machine, as an editor finds it."""
    return Resource.from_contents(json.loads(Path(url2pathname(urlsplit(uri).path)).read_text()), DRAFT7)


FILES = Registry(retrieve=retrieved)


def test_every_template_can_be_chosen():
    assert sorted(p.name for p in TEMPLATES.iterdir()) == sorted(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_game_is_clean_tested_and_plays(kind, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "new", "games/old_forest", "--template", kind)
    assert (code, out) == (0, "") and err.splitlines()[0] == "written: games/old_forest/README.md"
    folder = tmp_path / "games" / "old_forest"
    written = [line.removeprefix("written: ") for line in err.splitlines()[:-1]]
    assert sorted(written) == sorted(p.relative_to(tmp_path).as_posix() for p in folder.rglob("*") if p.is_file())
    assert run(capsys, "lint", "games/old_forest") == (0, "", "1 game, no findings\n")
    assert run(capsys, "test", "games/old_forest")[0] == 0
    assert run(capsys, "fmt", "--check", "games/old_forest")[0] == 0
    game = rulespec.load(folder)
    assert (game.id, game.title) == ("old_forest", "Old forest")
    for players in game.players:
        for seed in range(5):
            assert walk(interpreter.Game(game, players=players), seed).is_terminal()
    for path in folder.rglob("*"):
        if path.is_file():
            assert "my_game" not in path.read_text() and "My game" not in path.read_text()


@pytest.mark.parametrize("kind", KINDS)
def test_its_files_fit_the_schemas_they_name(kind, tmp_path, capsys):
    folder = tmp_path / "one"
    assert run(capsys, "new", folder, "--template", kind)[0] == 0
    for path in folder.rglob("*.yaml"):
        mode, _, named = path.read_text().split("\n")[0].partition("$schema=")
        assert mode == "# yaml-language-server: "
        schema = json.loads((path.parent / named).read_text())
        assert [e.message for e in Draft7Validator(schema, registry=FILES).iter_errors(tree(path))] == []
    assert sum(len(path.read_text().splitlines()) for path in folder.glob("schemas/*")) == 9
    assert run(capsys, "schema", folder, "--write")[0] == 0
    for path in folder.rglob("*.yaml"):
        schema = json.loads((path.parent / path.read_text().split("\n")[0].partition("$schema=")[2]).read_text())
        assert [e.message for e in Draft7Validator(schema, registry=Registry()).iter_errors(tree(path))] == []
    assert run(capsys, "schema", folder, "--link")[0] == 0
    assert len((folder / "schemas/game.schema.json").read_text().splitlines()) == 3


def test_a_new_game_of_the_checkout_refers_to_its_schemas_from_there(tmp_path, monkeypatch, capsys):
    """So the reference holds wherever the checkout is; `$ref` is resolved as an editor does it, from the file that holds it."""
    (tmp_path / "schemas").mkdir()
    monkeypatch.setattr("tools.templating.schemas_dir", lambda: tmp_path / "schemas")
    assert run(capsys, "new", tmp_path / "games" / "one")[0] == 0
    assert json.loads((tmp_path / "games/one/schemas/cases.schema.json").read_text()) == {
        "$ref": "../../../schemas/cases.schema.json"
    }


def test_where_the_schemas_are(capsys):
    for arguments, name in (((), "game"), (("--cases",), "cases"), (("--bots",), "bot")):
        assert run(capsys, "schema", "--where", *arguments)[1] == f"{ROOT / 'schemas' / name}.schema.json\n"


@pytest.mark.parametrize(("title", "line"), [
    ("The Old Forest", "title: The Old Forest"),
    ("yes", 'title: "yes"'),
    ("Fire: & \"Ice\" # ü", 'title: "Fire: & \\"Ice\\" # ü"'),
    ("  many   blanks ", "title: many blanks"),
])  # fmt: skip
def test_any_title(title, line, tmp_path, capsys):
    folder = tmp_path / "one"
    assert run(capsys, "new", folder, "--title", title)[0] == 0
    assert line in (folder / "game.yaml").read_text().splitlines()
    assert rulespec.load(folder).title == " ".join(title.split())
    assert (folder / "README.md").read_text().startswith(f"# {' '.join(title.split())}\n")


@pytest.mark.parametrize(("arguments", "message", "hint"), [
    (("Old Forest",), "`Old Forest` cannot be the id of a game", "rulespec new old_forest"),
    (("a/2nd-game",), "`2nd-game` cannot be the id of a game", "rulespec new a/nd_game"),
    (("...",), "cannot be the id of a game", "new --help"),
    (("x", "--template", "bord"), "'bord'", "new --help"),
    (("x", "--title", "  "), "the title has no letters", "--title"),
    ((), "Missing argument 'NAME'", "new --help"),
])  # fmt: skip
def test_misuse(arguments, message, hint, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "new", *arguments)
    assert code == 2 and out == "" and message in err and hint in err
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path, capsys):
    for made in ("folder", "file", "link"):
        target = tmp_path / made
        match made:
            case "folder":
                target.mkdir()
            case "file":
                target.write_text("mine")
            case _:
                os.symlink(tmp_path / "nowhere", target)
        code, _, err = run(capsys, "new", target)
        assert code == 2 and "is there already" in err
    assert (tmp_path / "file").read_text() == "mine" and list((tmp_path / "folder").iterdir()) == []


# --- schemas ----------------------------------------------------------------------------------------------------------
def test_the_schema_of_the_language(capsys):
    for arguments, name in (((), "game"), (("--cases",), "cases"), (("--bots",), "bot")):
        assert run(capsys, "schema", *arguments)[1] == (ROOT / f"schemas/{name}.schema.json").read_text()


def test_the_schema_of_a_game_knows_its_names(tmp_path, capsys):
    folder = tmp_path / "one"
    run(capsys, "new", folder, "--template", "card")
    made = json.loads(run(capsys, "schema", folder)[1])
    assert made["title"] == "The game one"
    step = made["definitions"]["step"]
    assert {"play_a_card", "trick", "choose"} <= set(step["allOf"][-1]["then"]["properties"])
    assert made["definitions"]["step_play_a_card"]["properties"]["play_a_card"]["description"] == "p: Player"
    assert made["definitions"]["zone"]["properties"]["of"]["examples"] == ["Card", "Suit"]
    assert "deck" in made["definitions"]["step_draw"]["properties"]["from"]["examples"]
    own = Draft7Validator(made, registry=Registry())
    own.check_schema(made)
    game = tree(folder / "game.yaml")
    game["phases"]["game"]["do"].append({"play_a_crad": "p1"})
    assert not own.is_valid(game)


def test_schemas_are_written_anew(tmp_path, capsys):
    folder = tmp_path / "one"
    run(capsys, "new", folder, "--template", "card")
    file = folder / "game.yaml"
    file.write_text(file.read_text().replace("play_a_card", "lay_down"))
    code, out, err = run(capsys, "schema", folder, "--write")
    assert (code, out) == (0, "") and len(err.splitlines()) == 3
    assert "lay_down" in (folder / "schemas/game.schema.json").read_text()
    assert "lay_down" in (folder / "schemas/cases.schema.json").read_text()
    keys = json.loads((folder / "schemas/bot.schema.json").read_text())["definitions"]["preference"]["properties"]
    assert "card" in keys["at"]["examples"] and "lay_down" in keys["in"]["examples"]


def test_a_game_with_faults_has_a_schema_too(tmp_path, capsys):
    file = tmp_path / "game.yaml"
    file.write_text("rulespec: 1\nid: x\nplayers: 9\nprocedures:\n  mine: {do: [nothing]}\nzones: 3\n")
    code, out, _ = run(capsys, "schema", file)
    assert code == 0 and "step_mine" in json.loads(out)["definitions"]


def test_misused_schemas(tmp_path, capsys):
    assert run(capsys, "schema", "--write")[0] == 2
    assert run(capsys, "schema", "--link")[0] == 2
    assert run(capsys, "schema", "--link", "no_such_game")[0] == 2
    assert run(capsys, "schema", "--link", "--where")[0] == 2
    assert run(capsys, "schema", "--cases", "--bots")[0] == 2
    assert run(capsys, "schema", "no_such_game")[0] == 2
    (tmp_path / "game.yaml").write_text("a: [\n")
    code, out, err = run(capsys, "schema", tmp_path)
    assert code == 1 and out == "" and "Y010" in err


def parted_games():
    """Each game of several files, with the names of the procedures in its parts."""
    for game in sorted((ROOT / "games").glob("*/game.yaml")):
        if "\nparts:" in game.read_text():
            trees = [tree(part) for part in game.parent.glob("*.yaml")]
            yield game, {name for part in trees if "part of" in part for name in part.get("procedures") or {}}


def test_parts_are_read(capsys):
    parted, names = next(pair for pair in parted_games() if pair[1])
    made = json.loads(run(capsys, "schema", parted.parent)[1])
    assert names <= set(made["definitions"]["step"]["allOf"][-1]["then"]["properties"])
