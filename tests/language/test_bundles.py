"""Several variants at once as one: what a bundle lists, in which order, and what is refused in bounded time."""

from __future__ import annotations

import time
from itertools import permutations

import pytest

import rulespec
from rulespec.loading.reading import read_resolved
from rulespec.text.diagnostics import Diagnostics
from rulespec.variants.changes import data
from tests.helpers.places import ROOT
from tools import cli
from tools.linting import look_through

GAME = """\
rulespec: 1
id: paths
title: Paths
players: {a: A, b: B}
state: {per Player: {coins: 0..9}}
procedures: {turn: {do: [{add: 1, to: a.coins}, {add: 1, to: b.coins}]}}
phases: {game: {do: [turn]}}
end of game: {rank: ranking(p in players by p.coins)}
"""


@pytest.fixture
def write(tmp_path):
    """Writes a variant beside a game."""
    (tmp_path / "variants").mkdir()
    (tmp_path / "game.yaml").write_text(GAME)

    def written(name, changes="[]", extends="..", more=""):
        file = tmp_path / f"variants/{name}.yaml"
        file.write_text(f"extends: {extends}\nid: {name}\nchanges: {changes}\n{more}")
        return file

    return written


def logs(file, variants=()):
    """The texts of the steps of `turn`, in order."""
    found = Diagnostics()
    resolved = read_resolved(file, found, tuple(map(str, variants)))
    assert resolved is not None and not len(found), "\n".join(map(rulespec.render, found))
    return " ".join(step.get("log", "-") for step in data(resolved[1])["procedures"]["turn"]["do"])


def insert(text, where):
    return f"[{{insert: {{log: {text}}}, {where}}}]"


AFTER, BEFORE = "after: 'procedures.turn.do[1]'", "before: 'procedures.turn.do[2]'"


@pytest.mark.parametrize("where", [(AFTER,) * 3, (BEFORE,) * 3, (AFTER, BEFORE, AFTER), (BEFORE, AFTER, BEFORE)])
def test_the_order_of_a_bundle_is_the_order_at_one_place(where, write):
    for name, place in zip("xyz", where, strict=True):
        write(name, insert(name, place))
    for order in permutations("xyz"):
        bundle = write("bundle", extends=f"[{', '.join(order)}]")
        assert logs(bundle) == f"- {' '.join(order)} -"
    found = rulespec.check(bundle.parent.parent, variant=["x", "y"])[1]
    assert [d.code for d in found] == ["V007"] and "extends: [x, y]" in rulespec.render(found[0])


def test_the_order_at_the_end_of_a_list(write):
    for name in "xyz":
        write(name, insert(name, "into: procedures.turn.do" if name != "y" else "after: 'procedures.turn.do[2]'"))
    for order in permutations("xyz"):
        assert logs(write("bundle", extends=f"[{', '.join(order)}]")) == f"- - {' '.join(order)}"


def test_orders_of_several_bundles_hold_together_or_are_refused(write):
    for name in "xyz":
        write(name, insert(name, AFTER))
    game = write("one", extends="[z, x]").parent.parent
    write("two", extends="[x, y]")
    write("three", extends="[y, z]")
    assert logs(game / "game.yaml", ["one", "two"]) == logs(game / "game.yaml", ["two", "one"]) == "- z x y -"
    assert logs(write("both", extends="[one, two]")) == "- z x y -"
    codes = [d.code for d in rulespec.check(game, variant=["one", "two", "three"])[1]]
    assert codes and not set(codes) - {"V007"}


def test_a_bundle_changes_what_its_variants_have_made(write):
    write("x", insert("x", AFTER))
    write("y", insert("y", AFTER))
    write("same", insert("x", AFTER))
    own = "[{set: 'procedures.turn[log x].log', to: xx}, {insert: {log: z}, after: 'procedures.turn[log y]'}]"
    bundle = write("bundle", own, "[x, y]", "title: All\ncases: {it_ends: {run: game, expect: [a.coins == 1]}}\n")
    assert logs(bundle) == "- xx y z -"
    assert logs(bundle, ["same"]) == logs(bundle, ["x"]) == "- xx y z -"
    game = rulespec.load(bundle)
    assert game.title == "All" and game.variants == ("bundle",)


def test_a_bundle_without_texts_of_its_own_has_those_of_its_variants(write):
    write("x", insert("x", AFTER), more="title: The x\nabout: One.\n")
    write("y", insert("y", AFTER), more="about: Two.\n")
    game = rulespec.load(write("bundle", extends="[x, y]"))
    assert (game.title, game.about) == ("Paths (The x, y)", "One. Two.")


def test_a_bundle_is_the_same_as_its_variants_together():
    file = ROOT / "games/tic_tac_toe/variants"
    both = rulespec.load("tic_tac_toe", variant=["wild", "misere"])
    assert both.digest == rulespec.load(file / "wild_misere.yaml").digest


def test_a_diamond_is_laid_once(write):
    write("top", insert("top", AFTER))
    write("left", insert("left", "before: 'procedures.turn[log top]'"), "top")
    write("right", insert("right", "after: 'procedures.turn[log top]'"), "top")
    assert logs(write("bundle", extends="[right, left]")) == "- left top right -"


def test_from_any_folder(write, monkeypatch, tmp_path):
    file = write("x", insert("x", AFTER))
    for folder in (tmp_path, file.parent, tmp_path.parent):
        monkeypatch.chdir(folder)
        assert rulespec.load(file.relative_to(folder)).variants == ("x",)
    away = tmp_path.parent / f"{tmp_path.name}_away"
    away.mkdir()
    (away / "y.yaml").write_text(f"extends: ../{tmp_path.name}\nid: y\n")
    monkeypatch.chdir(away)
    assert rulespec.load("y.yaml").id == "paths"
    (away / "z.yaml").write_text(f"extends: {tmp_path}\nid: z\n")
    found = rulespec.check("z.yaml")[1]
    assert [d.code for d in found] == ["V001"] and "so that both can be moved" in rulespec.render(found[0])


def test_hostile_bundles_are_refused_in_bounded_time(write):
    names = [f"n{number}" for number in range(101)]
    for number, name in enumerate(names):
        write(name, f"[{{insert: {{log: t{number}}}, into: procedures.turn.do}}]")
    start = time.process_time()
    assert logs(write("fifty", extends=f"[{', '.join(names[:50])}]")).split()[2:] == [f"t{n}" for n in range(50)]
    for what, code in (
        (names, "V013"),
        (["n0", "n0"], "V014"),
        ([], "V014"),
        (["n0", "nowhere"], "V001"),
        (["n0", ".."], "V014"),
        (["bundle", "n0"], "V002"),
    ):
        found = rulespec.check(write("bundle", extends=f"[{', '.join(what)}]"))[1]
        assert {d.code for d in found} == {code}, what
    for number in range(8):  # each extends the one below twice over: two to the eighth ways down
        write(f"l{number}", extends=f"[l{number - 1}, r{number - 1}]" if number else "..")
        write(f"r{number}", extends=f"[r{number - 1}, l{number - 1}]" if number else "..")
    assert rulespec.check(write("l8", extends="l7"))[0] is None
    assert rulespec.check(write("wide", extends="[l6, r6]"))[0] is not None
    assert time.process_time() - start < 20


def test_lint_of_too_many_changes_ends(write):
    for number in range(6):
        write(
            f"m{number}",
            "[" + ", ".join(f"{{insert: {{log: t{k}}}, into: procedures.turn.do}}" for k in range(990)) + "]",
        )
    start = time.process_time()
    found = look_through(str(write("many", extends="[m0, m1, m2, m3, m4, m5]")))
    assert [fault.code for fault in found.faults] == ["V013"] and time.process_time() - start < 20


def test_the_order_of_a_bundle_holds_for_its_stamp(write, capsys):
    write("x", insert("x", AFTER))
    write("y", insert("y", AFTER))
    bundle = write("bundle", extends="[y, x]")
    assert cli.main(["variant", str(bundle), "--stamp"]) == 0
    assert cli.main(["lint", str(bundle), "--format", "json"]) == 0, capsys.readouterr().out
