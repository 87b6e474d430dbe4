"""Variants: what they may change, what is refused and where, and that what they make is a game like any other."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

import interpreter
import rulespec
from interpreter.files import transcript
from interpreter.files.saves import checksum
from rulespec.cases.compiler import load_cases
from rulespec.codes.catalogue import CATALOGUE
from rulespec.loading.examples import example_game
from rulespec.loading.reading import read_resolved, read_tree
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source, Span
from rulespec.text.yaml_tree import MapNode, ScalarNode, parse
from rulespec.variants.changes import apply, changes_of
from rulespec.variants.difference import differences
from rulespec.variants.paths import FIXED, TreePlace, Unreadable, parts_of, resolve
from tests.helpers.games import BACKENDS, FEW, WAYS_OF_GAMES, failures, loaded, walk
from tests.helpers.places import ALL_GAMES, ROOT, variants_of

FOLDER = ROOT / "tests/conformance/variants"
FILES = sorted(FOLDER.glob("*.yaml"))
MARK = re.compile(r"# error: ([A-Z]\d{3}(?:, [A-Z]\d{3})*)")
TOGETHER = re.compile(r"# together with: (\w+)")
RECORDED = {
    (path.stem, name)
    for path in ROOT.glob("tests/games/*_family.yaml")
    for name in re.findall(r"(?m)^(\w+):", path.read_text(encoding="utf-8"))
}
SHIPPED = [file for folder in ALL_GAMES for file in variants_of(folder)]


def name_of(file):
    return f"{file.parent.parent.name}-{file.stem}"


def rendered(diagnostics):
    return "\n\n".join(map(rulespec.render, diagnostics))


def example():
    return parse(Source("example", example_game()), Diagnostics())


def tree(text):
    return parse(Source("text", text), Diagnostics())


def word(text):
    """A path as it stands in a file."""
    source = Source("path", f"'{text.replace(chr(39), chr(39) * 2)}'")
    found = parse(source, Diagnostics())
    return found if isinstance(found, ScalarNode) else ScalarNode(text, "plain", Span(source, 0, 0))


# --- what is refused ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_every_fault_is_found_on_its_line(file):
    text = file.read_text()
    expected = sorted(
        (number, code)
        for number, line in enumerate(text.splitlines(), 1)
        for match in MARK.findall(line)
        for code in match.split(", ")
    )
    beside = TOGETHER.search(text)
    first = file if beside is None else FOLDER / f"{beside[1]}.yaml"
    found, diagnostics = rulespec.check(first, variant=[] if beside is None else [file])
    assert (found is None) == bool(expected), rendered(diagnostics)
    assert sorted((d.span.line if d.span else 0, d.code) for d in diagnostics) == expected, rendered(diagnostics)
    assert all(d.span and Path(d.span.source.name).parent == FOLDER.relative_to(Path.cwd()) for d in diagnostics)


def test_every_code_of_variants_has_a_conformance_case():
    marked = {code for file in FILES for match in MARK.findall(file.read_text()) for code in match.split(", ")}
    assert {code for code in CATALOGUE if code.startswith("V")} - marked == {
        "V012",
        "V013",
        "V015",
        "V016",
        "V017",
    }  # have tests of their own


@pytest.mark.parametrize("code", sorted(c for c, own in CATALOGUE.items() if c[0] == "V" and own.bad.startswith("- ")))
def test_examples_of_changes(code):
    """The bad changes of the example game are refused with their code, the good ones are made and leave a game."""
    own = CATALOGUE[code]
    bad, good = Diagnostics(), Diagnostics()
    apply(example(), tree(own.bad).items, bad)
    assert {d.code for d in bad} == {code}, rendered(bad)
    made, _ = apply(example(), tree(own.good).items, good)
    assert read_tree(made, None, good) is not None and not len(good), rendered(good)


def test_a_variant_of_another_game_is_refused():
    game, diagnostics = rulespec.check("connect_four", variant=ROOT / "games/tic_tac_toe/variants/misere.yaml")
    assert game is None and [d.code for d in diagnostics] == ["V012"]
    game, diagnostics = rulespec.check("connect_four", variant=ROOT / "games/tic_tac_toe/game.yaml")
    assert game is None and [d.code for d in diagnostics] == ["V012"]


def test_a_name_that_is_none_is_told_the_nearest():
    for ask in (
        lambda: rulespec.load("tic_tac_toe", variant="misree"),
        lambda: rulespec.load("tic_tac_toe", variant="misree", cache=True),
        lambda: interpreter.Game(rulespec.load("tic_tac_toe"), variant="misree"),
    ):
        with pytest.raises(rulespec.RulespecError) as caught:
            ask()
        assert [d.code for d in caught.value.diagnostics] == ["P012"] and "did you mean `misere`?" in str(caught.value)


def test_a_chain_has_an_end(tmp_path):
    names = [f"v{number}" for number in range(10)]
    for name, below in zip(names, ["tic_tac_toe", *names], strict=False):
        (tmp_path / f"{name}.yaml").write_text(f"extends: {below}\nid: {name}\n")
    assert rulespec.check(tmp_path / "v7.yaml")[0] is not None
    found, diagnostics = rulespec.check(tmp_path / "v8.yaml")
    assert found is None and {d.code for d in diagnostics} == {"V002"}


def test_a_table_lies_beside_the_variant_that_names_it(tmp_path):
    (tmp_path / "few.csv").write_text("id,suit,rank\none,cups,1\ntwo,coins,2\nthree,cups,3\nfour,coins,4\n")
    file = tmp_path / "few.yaml"
    file.write_text(f"extends: {Path('..') / 'x.yaml'}\nid: few\n")
    assert {d.code for d in rulespec.check(file)[1]} == {"V001"}
    (tmp_path / "base").symlink_to(FOLDER / "game")
    change = "  - replace: pieces.Card\n    with: {fields: {suit: Suit, rank: 1..9}, table: few.csv}\n"
    file.write_text(f"extends: base\nid: few\nchanges:\n{change}")
    game, diagnostics = rulespec.check(file)
    assert game is not None, rendered(diagnostics)
    card = next(kind for kind in game.program().kinds if kind.name == "Card")
    assert card.members == ("one", "two", "three", "four")
    file.write_text(file.read_text().replace("few.csv", "../few.csv"))
    assert {d.code for d in rulespec.check(file)[1]} == {"Y006"}


@pytest.mark.parametrize("name", ["", ".", "..", "/", "a\0b", "a\0b.yaml", "x" * 5000, "../misere", "game.yaml"])
def test_names_that_no_variant_has(name, tmp_path, monkeypatch):
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path))
    for cache in (False, True):
        with pytest.raises(rulespec.RulespecError) as caught:
            rulespec.load("tic_tac_toe", variant=name, cache=cache)
        assert [d.code for d in caught.value.diagnostics] == ["P012"]
    for odd in (3, [3], [None]):
        with pytest.raises(rulespec.RulespecError):
            rulespec.load("tic_tac_toe").program(variant=odd)


# --- paths --------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("path", "line"), [
    ("options.pace.default", "options:"),
    ("'options'.\"pace\".values[fast]", "fast"),
    ("phases.game[turn]", "turn"),
    ("phases.game[ turn ]", "turn"),
    ("phases[deal hand_size]", "deal: hand_size"),
    ("phases[deal: hand_size]", "deal: hand_size"),
    ("phases[from deck, to hand]", "deal: hand_size"),
    ("phases.turn.do[1].to", "hand"),
    ("values.Player.strength.layers[clamp]", "clamp: 0..9"),
    ("state.per Player.coins.starts", "3"),
    ("map.links.Path.rows[3][2]", "tower"),
])  # fmt: skip
def test_paths_that_lead_somewhere(path, line):
    diagnostics = Diagnostics()
    place = resolve(example(), word(path), diagnostics)
    assert place is not None, rendered(diagnostics)
    assert line in example_game()[place.node.span.start : place.node.span.end] or place.key is not None
    again = place.text()
    twin = resolve(example(), word(again), diagnostics)
    assert twin is not None and twin.text() == again


def test_every_place_of_every_game_has_a_path_that_leads_to_it():
    for folder in ALL_GAMES:
        _, root = read_resolved(folder / "game.yaml", Diagnostics())
        todo = [TreePlace((), root)]
        count = 0
        while todo:
            place = todo.pop()
            if place.trail and re.split(r"[.[]", place.text())[0] not in FIXED:
                count += 1
                text = place.text()
                if count % 7 == 0:
                    found = Diagnostics()
                    assert (made := resolve(root, word(text), found)) is not None, text + rendered(found)
                    assert made.trail[-1][1] == place.trail[-1][1] and made.node is place.node
            if not isinstance(place.node, ScalarNode):
                todo.extend(place.inner(index) for index in range(len(place.node)))
        assert count > 40


# --- the shipped variants -----------------------------------------------------------------------------------------------
def test_each_has_cases_or_games_of_others():
    for folder in ALL_GAMES:
        for file in folder.glob("variants/*.yaml"):
            assert (folder.name, file.stem) in RECORDED or "\ncases:\n" in file.read_text(encoding="utf-8"), file


def test_there_are_some():
    assert len(SHIPPED) >= 8 and len({file.parent for file in SHIPPED}) >= 6


@pytest.mark.parametrize("file", SHIPPED, ids=name_of)
def test_a_shipped_variant_is_clean_and_has_cases(file):
    """Or games of others in which it is equal to the last move (`tests/games/test_family.py`)."""
    suite, diagnostics = load_cases(file)
    assert suite is not None and list(diagnostics) == [], rendered(diagnostics)
    assert (suite.cases or (file.parent.parent.name, file.stem) in RECORDED) and suite.game.about and suite.game.title
    base = loaded(file.parent.parent)
    assert suite.game.id == base.id and suite.game.digest != base.digest
    assert file.read_text().startswith("# yaml-language-server: $schema=../../../schemas/variant.schema.json\n")


@pytest.mark.parametrize("mode, backend", WAYS_OF_GAMES)
@pytest.mark.parametrize("file", SHIPPED, ids=name_of)
def test_cases_pass(file, mode, backend):
    failed = failures(file.parent.parent, mode, backend, variant=file.stem)
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("file", SHIPPED, ids=name_of)
def test_games_come_to_their_end_alike_on_both_back_ends(file):
    gamedef = loaded(file)
    for players in sorted({gamedef.players[0], gamedef.players[-1]}):
        one, two = (interpreter.Game(gamedef, players=players, backend=backend) for backend in BACKENDS)
        ends = [game.playout(players, record=True) for game in (one, two)]
        assert ends[0].slots == ends[1].slots and ends[0].is_terminal()
        assert ends[0].log_lines(0) == ends[1].log_lines(0)
    walk(interpreter.Game(gamedef), 1, replace(FEW, longest=100_000))  # random shogi may take 34,000 answers


# --- as Python sees them ------------------------------------------------------------------------------------------------
def test_a_variant_by_name_by_path_and_by_itself_are_the_same():
    file = ROOT / "games/tic_tac_toe/variants/misere.yaml"
    made = [
        rulespec.load("tic_tac_toe", variant="misere"),
        rulespec.load("tic_tac_toe", variant=file),
        rulespec.load("tic_tac_toe", variant=["misere"]),
        rulespec.load(file),
        rulespec.load("tic_tac_toe", variant=["misere", str(file)]),
    ]
    assert len({game.digest for game in made}) == 1 and {game.variants for game in made} == {("misere",)}
    programs = [game.program() for game in made]
    programs.append(interpreter.Game(rulespec.load("tic_tac_toe"), variant="misere").program)
    assert all(program == programs[0] for program in programs)
    assert programs[0].id == "tic_tac_toe" and programs[0].title == "Misère tic-tac-toe"
    assert rulespec.load("tic_tac_toe").program().variants == ()


def test_variants_together_are_played_together():
    both = rulespec.load("tic_tac_toe", variant=["wild", "misere"])
    assert both.variants == ("wild", "misere")
    assert both.title == "Tic-tac-toe (Wild tic-tac-toe, Misère tic-tac-toe)"
    chain = rulespec.load("tic_tac_toe", variant="wild_misere")
    assert both.digest == chain.digest == rulespec.load("tic_tac_toe", variant=["misere", "wild"]).digest
    on_top = interpreter.Game(rulespec.load("tic_tac_toe", variant="wild"), variant="misere")
    assert on_top.program == both.program()


def laid_over_each_other(tmp_path, changes):
    """The digest of the game of the conformance cases with some variants, or the codes of what is found, and that every order gives it."""
    if not (tmp_path / "base").exists():
        (tmp_path / "base").symlink_to(FOLDER / "game")
    files = []
    for number, change in enumerate(changes):
        files.append(tmp_path / f"v{number}.yaml")
        files[-1].write_text(f"extends: base\nid: v{number}\nchanges: {change}\n")
    results = []
    for order in permutations(files):
        found, diagnostics = rulespec.check(tmp_path / "base", variant=list(order))
        assert (found is None) == bool(list(diagnostics)), rendered(diagnostics)
        results.append(sorted(d.code for d in diagnostics) if found is None else found.digest)
    assert all(result == results[0] for result in results)
    return results[0]


FIRST, LAST = "{insert: {log: One}, before: 'procedures.turn[for]'}", "{insert: {log: Two}, into: procedures.turn.do}"


@pytest.mark.parametrize("changes", [
    # paths mean the original, whatever the others change of what they name
    (f"[{FIRST}]", "[{remove: 'procedures.turn[for][if]'}]"),
    ("[{insert: {log: One}, before: 'procedures.turn.do[1]'}]", "[{remove: 'procedures.turn.do[2]'}]"),
    ("[{set: options.goal.default, to: 5}]", "[{set: options.pace.default, to: fast}]", f"[{LAST}]"),
    ("[{replace: 'procedures.turn[for].do', with: [{log: '{p}'}]}]", "[{insert: {log: One}, after: 'procedures.turn[for]'}]"),
    # what says the same is made once, and more can be changed in it
    (f"[{FIRST}]", f"[{FIRST}]", f"[{LAST}]"),
    (f"[{LAST}, {{set: 'procedures.turn[log Two].log', to: Three}}]", f"[{LAST}]"),
    # names have no order; a section that both add is one
    ("[{insert: {one: 1}, into: functions}]", "[{insert: {two: 2}, into: functions}]"),
    ("[{insert: wands, into: types.Suit}]", "[{insert: stars, into: types.Suit}]"),
    ("[{insert: {a: {always: active.points > 90, do: [{set: active.points, to: 0}]}}, into: rules}]",
     "[{insert: {b: {always: active.points > 80, do: [{set: active.points, to: 0}]}}, into: rules}]"),
])  # fmt: skip
def test_changes_that_do_not_touch_go_together_in_any_order(changes, tmp_path):
    assert isinstance(laid_over_each_other(tmp_path, changes), str)


@pytest.mark.parametrize("changes", [
    # the same place, however it is named: the order would decide what comes first
    ("[{insert: {log: One}, into: procedures.turn.do}]", f"[{LAST}]"),
    (f"[{FIRST}]", "[{insert: {log: Two}, before: 'procedures.turn[for]'}]"),
    (f"[{FIRST}]", "[{insert: {log: Two}, after: 'procedures.turn.do[1]'}]"),
    ("[{insert: {more: {do: [turn]}}, into: phases}]", "[{insert: {again: {do: [turn]}}, into: phases}]"),
    # one takes away what the other stands beside
    (f"[{FIRST}]", "[{remove: 'procedures.turn[for]'}]"),
    ("[{remove: options.pace}]", "[{set: options.pace.default, to: fast}]"),
    ("[{insert: {one: 1}, into: functions}]", "[{insert: {one: 2}, into: functions}]"),
    # the same is inserted, and then changed otherwise
    (f"[{LAST}, {{set: 'procedures.turn[log Two].log', to: Three}}]",
     f"[{LAST}, {{set: 'procedures.turn[log Two].log', to: Four}}]"),
])  # fmt: skip
def test_changes_that_cannot_go_together_are_told_in_any_order(changes, tmp_path):
    assert laid_over_each_other(tmp_path, changes) == ["V007"]


def test_every_pair_that_cannot_go_together_is_told(tmp_path):
    (tmp_path / "base").symlink_to(FOLDER / "game")
    files = [tmp_path / f"v{number}.yaml" for number in range(3)]
    for number, file in enumerate(files):
        file.write_text(f"extends: base\nid: v{number}\nchanges: [{{set: options.goal.default, to: {number + 4}}}]\n")
    _, diagnostics = rulespec.check(tmp_path / "base", variant=files)
    assert [(d.code, Path(d.file).name) for d in diagnostics] == [("V007", "v1.yaml"), ("V007", "v2.yaml")]


def test_a_path_that_names_what_another_variant_changes(tmp_path):
    """A step is named by its text, which another variant makes another one."""
    file = tmp_path / "tail.yaml"
    file.write_text(
        "extends: connect_four\nid: tail\nchanges:\n"
        "  - {insert: {log: It is full}, after: 'phases.game[repeat columns * rows]'}\n"
        "  - {insert: {log: '{active} drops'}, before: 'phases.game[choose column]'}\n"
    )
    pairs = ["five_in_a_row", file], [file, "five_in_a_row"]
    made = [rulespec.load("connect_four", variant=pair) for pair in pairs]
    assert made[0].digest == made[1].digest != rulespec.load("connect_four", variant="five_in_a_row").digest


def test_two_variants_that_differ_at_several_places_are_refused_once():
    """With all places, and without what those say that extend them."""
    with pytest.raises(rulespec.RulespecError) as refused:
        rulespec.load(ROOT / "games/chess_family", variant=["four_by_six", "makruk"])
    (found,) = refused.value.diagnostics
    assert found.code == "V007"
    assert [text for _, text in found.related] == ["the change of `gardner`", "here too"]


def test_what_two_variants_say_alike_is_made_once():
    game = rulespec.load(FOLDER / "chain_1.yaml", variant=FOLDER / "apart.yaml")
    assert {option.name: option.default for option in game.options} == {"pace": "fast", "goal": "5", "weather": "dry"}


def test_the_digest_is_of_the_rules_alone(tmp_path):
    file = tmp_path / "other.yaml"
    text = (ROOT / "games/tic_tac_toe/variants/misere.yaml").read_text().replace("id: misere", "id: other")
    file.write_text(text.replace("title: Mis", "title: Other mis").split("cases:")[0])
    assert rulespec.load(file).digest == rulespec.load("tic_tac_toe", variant="misere").digest


def test_variants_are_listed():
    info = next(game for game in rulespec.list_games() if game.id == "tic_tac_toe")
    assert [variant.id for variant in info.variants] == ["misere", "wild", "wild_misere"]
    assert info.variants[0].about == "Whoever makes three in a row has lost."


def test_options_say_in_words_what_they_may_be():
    words = {option.name: option.allowed for option in rulespec.load("hobbit_board_game").options}
    assert words["start_level"] == "0 to 2" and words["defeat"] == "yes or no" and words["handicap_p1"] == "-2 to 2"
    assert rulespec.load("hobbit_card_game").options[0].allowed == "evil or good"


@pytest.mark.parametrize("values", ["9..1", "0..10000", "-5..20000"])
def test_ranges_of_options_have_an_order_and_a_size(values, tmp_path):
    file = tmp_path / "game.yaml"
    file.write_text(
        f"rulespec: 1\nid: x\nplayers: 2\noptions: {{size: {{values: {values}}}}}\nphases: {{game: {{do: []}}}}\n"
    )
    assert [d.code for d in rulespec.check(file)[1]] == ["S011"]


# --- saves and transcripts ----------------------------------------------------------------------------------------------
def test_saves_and_transcripts_name_their_variants_and_are_refused_elsewhere():
    base = rulespec.load("tic_tac_toe")
    plain, misere = interpreter.Game(base), interpreter.Game(base, variant="misere")
    state = misere.playout(3, record=True)
    saved, written = state.to_json(), transcript.write(state)
    assert json.loads(saved)["variants"] == ["misere"] == json.loads(written.splitlines()[0])["variants"]
    assert misere.state_from_json(saved) == state == misere.replay(written)
    for game, said in (
        (plain, "the game without variants"),
        (interpreter.Game(base, variant="wild"), "the variant wild"),
    ):
        for code, ask in (("T004", lambda g: g.state_from_json(saved)), ("T012", lambda g: g.replay(written))):
            with pytest.raises(rulespec.RulespecError) as caught:
                ask(game)
            assert caught.value.diagnostics[0].code == code
            assert "the variant misere" in str(caught.value) and said in str(caught.value)
    with pytest.raises(rulespec.RulespecError) as caught:
        misere.state_from_json(plain.new_state(seed=1).to_json())
    assert caught.value.diagnostics[0].code == "T004"
    assert "variants" not in json.loads(plain.new_state(seed=1).to_json())


@pytest.mark.parametrize("odd", [3, None, "misere", {"a": 1}, [1], ["misere", "misere"], [["misere"]]])
def test_variants_of_a_save_may_be_anything(odd):
    game = interpreter.Game(rulespec.load("tic_tac_toe"), variant="misere")
    data = json.loads(game.new_state(seed=1).to_json())
    data["variants"] = odd
    data["checksum"] = checksum(data)
    with pytest.raises(rulespec.RulespecError) as caught:
        game.state_from_json(json.dumps(data))
    assert caught.value.diagnostics[0].code == "T004"


# --- the cache ----------------------------------------------------------------------------------------------------------
@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A cache, and a game with a variant that extends another, all files the test's own."""
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "game"
    (folder / "variants").mkdir(parents=True)
    for name in ("game.yaml", "more.yaml", "cards.csv"):
        (folder / name).write_text((FOLDER / "game" / name).read_text())
    (folder / "variants/one.yaml").write_text(
        "extends: a_game\nid: one\nchanges:\n  - {set: options.goal.default, to: 4}\n  - {set: pieces.Card.rows.cup_1.rank, to: 8}\n"
    )
    (folder / "variants/two.yaml").write_text(
        "extends: one\nid: two\nchanges:\n  - {set: options.pace.default, to: fast}\n"
    )
    return folder


def test_a_cached_variant_is_the_variant(mine):
    real = rulespec.load(mine, variant="two")
    for path, variant in ((mine, "two"), (mine, mine / "variants/two.yaml"), (mine / "variants/two.yaml", None)):
        for _ in range(2):
            found = rulespec.load(path, variant=variant, cache=True)
            assert (found.digest, found.variants, found.title) == (real.digest, ("two",), real.title)
            assert found.program() == real.program() and found.program(players=3) == real.program(players=3)
    base = rulespec.load(mine, cache=True)
    assert base.variants == () and base.program(variant="two") == real.program()


@pytest.mark.parametrize(("name", "old", "new"), [
    ("variants/two.yaml", "to: fast", "to: slow"), ("variants/one.yaml", "to: 4", "to: 5"), ("cards.csv", "cup_5,cups,5", "cup_5,cups,6"),
    ("game.yaml", "points: 0..99", "points: 0..98"), ("more.yaml", "Play a card", "Play one"),
])  # fmt: skip
@pytest.mark.parametrize("itself", [True, False])
def test_a_change_of_any_file_of_a_variant_counts(mine, name, old, new, itself):
    def load():
        return rulespec.load(
            *([mine / "variants/two.yaml"] if itself else [mine]), variant=None if itself else "two", cache=True
        )

    load().program()
    file = mine / name
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))
    if new == "to: slow":  # which changes nothing, and is refused
        with pytest.raises(rulespec.RulespecError):
            load()
        return
    found, real = load(), rulespec.load(mine, variant="two")
    assert found.digest == real.digest and found.program() == real.program()


# --- differences --------------------------------------------------------------------------------------------------------
def test_differences_are_told_in_paths_that_a_variant_can_use():
    for file in SHIPPED:
        _, old = read_resolved(file.parent.parent / "game.yaml", Diagnostics())
        _, new = read_resolved(file, Diagnostics())
        found = differences(old, new)
        assert found, file
        for own in found:
            if own.what in ("removed", "changed"):
                diagnostics = Diagnostics()
                assert resolve(old, word(own.path), diagnostics) is not None, (
                    f"{file}: {own.path} {rendered(diagnostics)}"
                )
        assert differences(new, new) == [] == differences(old, old)


def test_differences_of_each_kind():
    old = tree(
        "types: {A: [x, y], B: [z]}\nfunctions: {f: 1, g: 2}\nphases: {game: {do: [{log: a}, {log: b}, skip]}}\n"
    )
    new = tree(
        "types: {A: [x, w], B: [z]}\nfunctions: {g: 2, f: 3, h: 4}\nphases: {game: {do: [{log: a}, {log: c}, {win: p1}]}}\n"
    )
    assert isinstance(old, MapNode) and isinstance(new, MapNode)
    assert [(own.what, own.path) for own in differences(old, new)] == [
        ("removed", "types.A[y]"),
        ("added", "types.A[w]"),
        ("changed", "functions.f"),
        ("added", "functions.h"),
        ("reordered", "functions"),
        ("changed", "phases.game.do[log b].log"),
        ("removed", "phases.game.do[skip]"),
        ("added", "phases.game.do[win p1]"),
    ]


# --- whatever is written ------------------------------------------------------------------------------------------------
SIGNS = "[].,'\": \t\n{}()-#*&!|>%@0aé"


@pytest.mark.parametrize("seed", range(150))
def test_variants_with_random_damage(seed, tmp_path):
    """Letters and lines of real variants changed at random: findings or a game, never an exception."""
    draw = random.Random(seed)
    file = draw.choice([*SHIPPED, *FILES])
    lines = file.read_text(encoding="utf-8").splitlines()
    for _ in range(draw.randint(1, 4)):
        at, other = draw.randrange(len(lines)), draw.randrange(len(lines))
        match draw.randrange(5):
            case 0:
                lines[at] = ""
            case 1:
                lines.insert(at, lines[other])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                lines[at] = lines[at].partition(":")[0] + ":"
            case _:
                cut = draw.randrange(len(lines[at]) + 1)
                lines[at] = lines[at][:cut] + draw.choice(SIGNS) + lines[at][cut + draw.randrange(2) :]
    if file in FILES:
        (tmp_path / "game").symlink_to(FOLDER / "game")
        for chain in FOLDER.glob("chain_?.yaml"):
            (tmp_path / chain.name).write_text(chain.read_text())
    made = tmp_path / file.name
    made.write_text("\n".join(lines) + "\n", encoding="utf-8")
    _, diagnostics = load_cases(made)
    rendered(diagnostics)


def test_paths_of_random_signs():
    draw = random.Random(5)
    root = example()
    for _ in range(3000):
        text = "".join(
            draw.choice(["options", "pace", "phases", "game", "turn", "deal", *SIGNS])
            for _ in range(draw.randint(0, 12))
        )
        try:
            parts = list(parts_of(text))
        except Unreadable as error:
            assert 0 <= error.start <= error.end <= len(text) + 1
            continue
        assert parts
        diagnostics = Diagnostics()
        found = resolve(root, word(text), diagnostics)
        assert (found is None) == diagnostics.has_errors
        rendered(diagnostics)


def test_large_and_deep_variants_do_not_blow_up(tmp_path):
    deep = "[" * 60 + "skip" + "]" * 60
    for name, text, code in (
        ("many", "changes:\n" + "  - {remove: functions.has_line}\n" * 1001, {"V013"}),
        ("long", f"changes:\n  - remove: {'a.' * 5000}b\n", {"V003"}),
        ("brackets", f"changes:\n  - remove: phases{'[choose cell]' * 3000}\n", {"V003"}),
        ("deep", f"changes:\n  - insert: {deep}\n    into: 'phases.game.do[while].do[if].then'\n", {"Y020"}),
        ("growing", "changes:\n" + "  - {insert: [skip, skip], after: 'phases.game.do[while]'}\n" * 300, set()),
    ):
        file = tmp_path / f"{name}.yaml"
        file.write_text(f"extends: tic_tac_toe\nid: {name}\n{text}")
        found, diagnostics = rulespec.check(file)
        rendered(diagnostics)
        assert {d.code for d in diagnostics} == code and (found is None) == bool(code)


def test_changes_of_what_is_no_list_of_changes():
    for text in ("changes: 3", "changes: [1, [2]]", "changes: {a: b}", "a: b"):
        assert changes_of(tree(text)) == []
