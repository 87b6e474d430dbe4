"""Where games, their variants, cases and bots lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.text import locate
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_places import block_places
from rulespec.text.yaml_tree import MapNode, ScalarNode, parse


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a game that has everything beside it."""
    for name in ("game.yaml", "variants/long.yaml", "variants/short.yaml", "bots/bold.yaml", "cases/first.yaml"):
        file = tmp_path / "mine" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("rulespec: 1\n")
    (tmp_path / "mine" / "bots" / "notes.txt").write_text("")
    (tmp_path / "empty").mkdir()
    return tmp_path / "mine"


def named(found: Path | None, diagnostics: Diagnostics) -> str:
    """What was found by its name, or the code that was told."""
    return next(iter(diagnostics)).code if found is None else "/".join(found.parts[-2:])


def test_a_game_is_found_by_folder_file_or_id(folder: Path) -> None:
    asked = {
        folder: "mine/game.yaml",
        folder / "variants" / "long.yaml": "variants/long.yaml",
        folder.parent / "empty": "Y001",
        folder.parent / "nowhere": "C004",
        Path("kuhn_poker"): "kuhn_poker/game.yaml",
        Path("kuhn_pokr"): "C004",
        Path("kuhn_poker/variants"): "C004",
    }
    for path, expected in asked.items():
        diagnostics = Diagnostics()
        assert named(locate.find(path, diagnostics), diagnostics) == expected, path


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("leduc", "did you mean `leduc_poker`?"),
        ("Tarot", "did you mean `lotr_tarot`?"),
        ("hobbit", "did you mean `hobbit_board_game` or `hobbit_card_game`?"),
        ("hob", "`rulespec list` shows the shipped games"),  # a part of a word
    ],
)
def test_a_word_of_an_id_leads_to_the_games_that_have_it(name: str, meant: str) -> None:
    diagnostics = Diagnostics()
    assert locate.find(name, diagnostics) is None
    assert [one.help for one in diagnostics] == [(meant,)]


def test_variants_and_bots_are_found_by_name_or_path(folder: Path) -> None:
    game, variant = folder / "game.yaml", folder / "variants" / "long.yaml"
    assert [file.name for file in locate.variants_of(game)] == ["long.yaml", "short.yaml"]
    assert (
        [file.name for file in locate.bots_of(game)] == ["bold.yaml"] == [file.name for file in locate.bots_of(variant)]
    )
    assert locate.bots_of(folder.parent / "empty" / "game.yaml") == []
    for find in (locate.find_variant, locate.find_bot):
        for name, expected in [
            ("long" if find is locate.find_variant else "bold", None),
            (str(variant), "variants/long.yaml"),
            (str(folder / "bots" / "notes.txt"), "P012" if find is locate.find_variant else "B001"),
            ("lon", "P012" if find is locate.find_variant else "B001"),
        ]:
            diagnostics = Diagnostics()
            told = named(find(game, name, "Mine", diagnostics), diagnostics)
            assert told == (expected or ("variants/long.yaml" if find is locate.find_variant else "bots/bold.yaml"))


def test_cases_know_their_game(folder: Path) -> None:
    cases = folder / "cases" / "first.yaml"
    assert locate.game_of(cases) == folder / "game.yaml"
    assert locate.game_of(folder / "game.yaml") is None and locate.game_of(folder / "cases" / "none.yaml") is None
    (folder / "game.yaml").rename(folder / "other.yaml")
    assert locate.game_of(cases) == folder / "other.yaml"
    (folder / "another.yaml").write_text("")
    assert locate.game_of(cases) is None


def test_names_of_variants() -> None:
    assert (
        locate.named(None) == () and locate.named("long") == ("long",) and locate.named(Path("a.yaml")) == ("a.yaml",)
    )
    assert locate.named(["a", Path("b")]) == ("a", "b")


@pytest.mark.parametrize(
    "text", ["a: |\n  x y\n\n   z\n", "a: >-\n  if x\n  then y\n\n  else é\n", "ab: |2\n   two  blanks\n"]
)
def test_each_character_of_a_block_has_its_place(text: str) -> None:
    """As many places as characters and one for the end, in order, each of at most one character, which it is but for blanks."""
    root = parse(Source("t", text), Diagnostics())
    assert isinstance(root, MapNode)
    node = root.entries[0][1]
    assert isinstance(node, ScalarNode)
    places = block_places(node.span, node.value)
    assert len(places) == len(node.value) + 1
    assert all(0 <= end - start <= 1 for start, end in places)
    assert [start for start, _ in places] == sorted(start for start, _ in places)
    solid = [
        (text[start:end], char) for (start, end), char in zip(places, node.value, strict=False) if not char.isspace()
    ]
    assert solid and all(there == char for there, char in solid)
