"""Variants for any game, and changes of many places at once: `every` and `wrap`."""

from __future__ import annotations

import pytest

import interpreter
import rulespec
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.locate import general
from rulespec.text.source import Source
from rulespec.text.yaml_tree import parse
from rulespec.variants.changes import apply, data, is_atom
from tests.helpers.places import ALL_GAMES, ROOT
from tools import cli

TREE = """\
pieces:
  Card:
    rows: {ace: {worth: 11, suit: cups}, king: {worth: 4}, joker: {suit: none}}
functions: {score: p.coins + 1, both: "f(a)"}
phases:
  game:
    do:
      - {choose: card, by: a}
      - if: x
        then: [{win: a}, {choose: card, by: b}]
  end: {do: [{win: b}]}
cases: {one: {run: game, play: [{win: c}]}}
"""


def changed(changes, code=None, any_game=False):
    found = Diagnostics()
    tree = parse(Source("tree", TREE), found)
    root, _ = apply(tree, parse(Source("changes", changes), found).items, found, any_game)
    assert [d.code for d in found] == ([] if code is None else [code]), [d.message for d in found]
    return data(root)


def rows(tree):
    return {name: row.get("worth") for name, row in tree["pieces"]["Card"]["rows"].items()}


def test_every_row_and_every_step():
    assert rows(changed("- {set: 'pieces.Card.rows[every].worth', to: 1}")) == {"ace": "1", "king": "1", "joker": None}
    tree = changed("- {wrap: '[every win].win', with: rival(before)}")
    assert tree["phases"]["game"]["do"][1]["then"][0] == {"win": "rival(a)"}
    assert tree["phases"]["end"]["do"] == [{"win": "rival(b)"}] and tree["cases"]["one"]["play"] == [{"win": "c"}]
    tree = changed("- {set: 'phases.game[every choose card].by', to: c}")
    assert [
        step.get("by") for step in (tree["phases"]["game"]["do"][0], tree["phases"]["game"]["do"][1]["then"][1])
    ] == ["c", "c"]
    tree = changed("- {remove: 'phases[every win]'}")
    assert tree["phases"]["end"]["do"] == [] and len(tree["phases"]["game"]["do"][1]["then"]) == 1
    tree = changed("- {replace: 'phases.game[every choose]', with: [{skip: 1}, {skip: 2}]}")
    assert tree["phases"]["game"]["do"][:2] == [{"skip": "1"}, {"skip": "2"}]


def test_into_and_beside_every_place():
    tree = changed("- {insert: {suit: coins, by: 2}, into: 'pieces.Card.rows[every]'}")
    found = tree["pieces"]["Card"]["rows"]
    assert found["ace"] == {"worth": "11", "suit": "cups", "by": "2"}
    assert found["king"] == {"worth": "4", "suit": "coins", "by": "2"}
    tree = changed(
        "- {insert: [{skip: 1}, {skip: 2}], after: '[every win]'}\n- {insert: {log: q}, before: '[every win]'}"
    )
    assert tree["phases"]["game"]["do"][1]["then"] == [
        {"log": "q"}, {"win": "a"}, {"skip": "1"}, {"skip": "2"}, {"choose": "card", "by": "b"}
    ]  # fmt: skip
    assert tree["phases"]["end"]["do"] == [{"log": "q"}, {"win": "b"}, {"skip": "1"}, {"skip": "2"}]


def test_items_that_are_alike_are_told_apart():
    """What `every` has put into several places is changed by number afterwards, and by `every` again."""
    alike = "{replace: 'phases.game[every choose]', with: {skip: 1}}"
    both = "- {replace: 'phases.game[every if]', with: {skip: 0}}\n- {replace: 'phases.game.do[every skip]', with: {log: q}}\n"
    tree = changed(f"- {alike}\n{both}- {{set: 'phases.game.do[2].log', to: second}}")
    assert tree["phases"]["game"]["do"] == [{"log": "q"}, {"log": "second"}]
    tree = changed(f"- {alike}\n{both}- {{replace: 'phases.game.do[every log]', with: [{{win: a}}, {{win: b}}]}}")
    assert tree["phases"]["game"]["do"] == [{"win": "a"}, {"win": "b"}] * 2


def test_every_path_that_fits_nothing_is_reported_where_it_goes_wrong():
    found = Diagnostics()
    text = "- {set: 'pieces.Crad.rows[every].worth', to: 1}\n- {set: 'phases[every draw].draw', to: 1}"
    apply(parse(Source("tree", TREE), found), parse(Source("changes", text), found).items, found)
    assert [(d.code, d.span.text) for d in found] == [("V004", "Crad"), ("V004", "'phases[every draw].draw'")]


def test_what_was_there_is_named_before():
    assert changed("- {wrap: functions.score, with: 0 - before}")["functions"]["score"] == "0 - (p.coins + 1)"
    assert changed("- {wrap: functions.both, with: before * before}")["functions"]["both"] == "f(a) * f(a)"
    twice = (
        "- {wrap: functions.score, with: f(before)}\n- {wrap: functions.score, with: g(before), was: f((p.coins + 1))}"
    )
    assert changed(twice)["functions"]["score"] == "g(f((p.coins + 1)))"
    assert [is_atom(text) for text in ("x", "p.coins", "f(a) + g(b)", "f(g(a), b)", "(a)", "f(a")] == [1, 1, 0, 1, 0, 0]
    assert not is_atom("f('(') + g(')')")


@pytest.mark.parametrize(("change", "code"), [
    ("{set: 'phases[every draw].draw', to: 1}", "V004"),
    ("{set: 'fases[every win].win', to: 1}", "V004"),
    ("{insert: {x: 1}, into: 'pieces.Card.rows[every].worth'}", "V008"),
    ("{insert: skip, after: 'phases[every draw]'}", "V004"),
    ("{wrap: functions.score, with: 1}", "V008"),
    ("{wrap: pieces.Card, with: f(before)}", "V008"),
    ("{wrap: functions.score, with: f(before), was: x}", "V006"),
])  # fmt: skip
def test_what_is_refused(change, code):
    changed(f"- {change}", code)


def test_a_game_is_left_as_it_is_where_it_has_nothing_to_change():
    assert changed(
        "[{wrap: 'end of game.rank', with: f(before)}, {set: 'zones[every].seen by', to: all}]", any_game=True
    ) == changed("[]")


# --- the shipped ones ---------------------------------------------------------------------------------------------------
SMALL = sorted(ALL_GAMES, key=lambda folder: sum(file.stat().st_size for file in folder.glob("*.yaml")))[:5]
FOR_MANY = [ROOT / "tests/legitimate" / f"{name}.yaml" for name in ("z_dummy", "drafting")]
FITTING: dict[str, list[str]] = {}


@pytest.mark.parametrize("file", general(), ids=lambda file: file.stem)
def test_they_fit_or_say_why_not(file):
    for folder in [*SMALL, *FOR_MANY]:
        game, diagnostics = rulespec.check(folder, variant=file)
        assert {d.code for d in diagnostics} <= {"V017"}, "\n".join(map(rulespec.render, diagnostics))
        assert (game is None) == bool(list(diagnostics))
        if game is not None:
            FITTING.setdefault(file.stem, []).append(folder.name)
            assert game.title.startswith(rulespec.load(folder).title) and file.stem in game.variants
    assert len(FITTING[file.stem]) >= 2


def ends(name, variant, count=6):
    """What players get in some random games, with and without a variant."""
    base = rulespec.load(name)
    plain, other = interpreter.Game(base), interpreter.Game(base, variant=variant)
    return [(plain.playout(seed).returns(), other.playout(seed).returns()) for seed in range(count)]


@pytest.mark.parametrize("name", ["tic_tac_toe", "othello", "nine_mens_morris", "leduc_poker"])
def test_misere_is_the_opposite_of_each_game(name):
    file = next(file for file in general() if file.stem == "misere")
    for before, after in ends(name, str(file)):
        assert [float(number) for number in after] == [-float(number) for number in before]


def test_no_draws_gives_draws_to_the_second_and_nothing_else():
    told = ends("tic_tac_toe", "no_draws", 40)
    assert any(before == [0, 0] for before, _ in told)
    for before, after in told:
        assert list(after) == ([-1, 1] if list(before) == [0, 0] else list(before))


ON_BOARDS = ["tic_tac_toe", "connect_four", "hex", "breakthrough", "othello"]


@pytest.mark.parametrize("name", ON_BOARDS)
def test_whoever_changes_sides_plays_on_as_the_other(name):
    """The same answers, given by the other player after the change, bring the other player what they bring in the game."""
    base = rulespec.load(name)
    plain = interpreter.Game(base, backend="python")
    other = interpreter.Game(base, variant="swap", backend="python")
    for answer in ("yes", "no"):
        one, two = plain.new_state(seed=1), other.new_state(seed=1)
        taken = offered = 0
        while not one.is_terminal() and taken < 60:
            asked = {two.action_to_string(action): action for action in two.legal_actions()}
            if set(asked) == {"yes", "no"}:
                offered += 1
                assert two.current_player() == one.current_player() == 1
                two.apply_action(asked[answer])
                continue
            same = two.current_player() == one.current_player()
            assert same == (answer == "no" or not offered)
            action = one.legal_actions()[taken * 7 % len(asked)]
            assert one.action_to_string(action) in asked and len(one.legal_actions()) == len(asked)
            two.apply_action(asked[one.action_to_string(action)])
            one.apply_action(action)
            taken += 1
        assert offered == 1 and one.is_terminal() == two.is_terminal()
        if one.is_terminal():
            assert list(two.returns()) == list(one.returns())[:: -1 if answer == "yes" else 1]


def decided(name, variant, seeds, **options):
    """The players who were asked in some random games, and what they got."""
    game = interpreter.Game(rulespec.load(name), variant=variant, options=options, backend="python")
    for seed in range(seeds):
        state = game.new_state(seed=seed)
        asked = []
        while not state.is_terminal():
            asked.append(state.current_player())
            actions = state.legal_actions()
            state.apply_action(actions[seed * 5 % len(actions)])
        yield asked, list(state.returns())


def test_a_handicap_is_more_turns_in_a_row_in_the_beginning():
    for asked, _ in decided("connect_four", "head_start", 3, head_start_of="second", more_turns=2):
        assert asked[:8] == [0, 1, 1, 1, 0, 1, 0, 1]
    for asked, _ in decided("hex", "head_start", 3, head_start_of="first"):
        assert asked[:5] == [0, 0, 1, 0, 1]


def test_a_limit_of_turns_ends_a_game_as_it_stands():
    for asked, returns in decided("hex", "turn_limit", 4, turns_each=3):
        assert asked == [0, 1] * 3 and returns == [0, 0]
    assert any(returns != [0, 0] for _, returns in decided("othello", "turn_limit", 4, turns_each=3))


def test_the_lower_bid_plays_first_and_loses_what_it_does_not_win():
    for asked, returns in decided("hex", "bid_for_sides", 3, most_bid=1):
        assert asked == [0, 1, 0] and returns == [-1, 1]
    game = interpreter.Game(rulespec.load("hex"), variant="bid_for_sides", backend="python")
    state = game.new_state(seed=1)
    for number in ("3", "2"):
        state.apply_action(next(a for a in state.legal_actions() if state.action_to_string(a) == number))
    asked = []
    while not state.is_terminal():
        asked.append(state.current_player())
        state.apply_action(state.legal_actions()[0])
    assert asked == [1, 0, 1] and list(state.returns()) == [1, -1]


BY_HEIGHT = """\
rulespec: 1
id: height
title: Height
players: 2..5
state:
  per Player: {height: 0..9}
phases:
  game:
    do:
      - for: p in players
        do: [{choose: n, by: p, from: 0..9, into: p.height, say: How high?}]
      - if: p1.height == 9
        then: [{win: p3}]
end of game:
  rank: ranking(p in players by p.height)
"""


@pytest.mark.parametrize(("heights", "returns"), [
    ([1, 5, 3, 0], [-1, 1, -1, 1]),
    ([0, 5, 7, 6], [1, -1, 1, -1]),
    ([4, 4, 0, 0], [0, 0, 0, 0]),
    ([9, 9, 0, 9], [1, -1, 1, -1]),
    ([2, 1, 1, 1, 3], [1, -1, 1, -1, 1]),
])  # fmt: skip
def test_partners_win_and_lose_together(tmp_path, heights, returns):
    (tmp_path / "height.yaml").write_text(BY_HEIGHT, encoding="utf-8")
    game = interpreter.Game(rulespec.load(tmp_path / "height.yaml", variant="teams"), players=len(heights))
    state = game.new_state(seed=0)
    for height in heights:
        state.apply_action(next(a for a in state.legal_actions() if state.action_to_string(a) == str(height)))
    assert [float(number) for number in state.returns()] == returns


def test_on_the_command_line(capsys):
    assert cli.main(["lint", "hex", "--variant", "no_draws"]) == 0
    assert cli.main(["play", "tic_tac_toe", "--variant", "wild", "--variant", "no_draws", "--bots", "--seed", "1"]) == 0
    capsys.readouterr()
    assert cli.main(["lint", "kuhn_poker", "--variant", "misere"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("error[V017]: `misere` does not fit this game: the opposite of winning is clear")
    assert cli.main(["lint", str(ROOT / "rulespec/variants/any_game/misere.yaml")]) == 1
    assert "is for any game, and none is named" in capsys.readouterr().out
