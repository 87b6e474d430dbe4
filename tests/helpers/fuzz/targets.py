"""The readers of strangers' texts: each takes a text and answers it, with findings or without, and raises nothing."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import rulespec
from interpreter import Fault, Game
from interpreter.files import transcript as files
from interpreter.testing.cases import run_cases
from rulespec.bots.sight import check_bots
from rulespec.cases.compiler import load_cases
from rulespec.checker.program import CheckedGame
from rulespec.expr.parser import expression
from rulespec.loading.reading import read_csv, read_tree
from rulespec.text.diagnostics import Diagnostics, RulespecError, render, to_json
from rulespec.text.source import Source, Span
from rulespec.text.yaml_tree import ScalarNode, parse
from tests.helpers.places import ROOT

PLAY = ROOT / "tests/conformance/play"
STEPS = 60  # decisions that a game which was read all the same is played for
GAME = """\
rulespec: 1
id: inn
title: An inn
players: 1..3
options: {rooms: {values: 1..5, default: 3}}
types:
  Meal: [soup, bread, cake]
pieces:
  Coin: {fields: {worth: 1..4}, rows: {penny: [1], groat: [4]}}
zones:
  purse: {of: Coin, per: Player, seen by: owner}
  till: {of: Coin, starts with: all, order: shuffled, seen by: none}
state:
  eaten: {is: list of Meal}
  rest: {is: 0..9, by: Player}
functions:
  rich: {takes: {p: Player}, is: sum(c.worth for c in p.purse)}
phases:
  game:
    do:
      - for: p in players
        do:
          - choose: meal
            by: p
            from: Meal
            only:
              - {if: meal != cake, why: The cake is gone}
            or none: Nothing
          - if: meal is known
            then:
              - set: eaten
                to: eaten + list(meal)
          - {draw: 1, from: till, to: p.purse, log: "{p} is paid"}
      - roll: 1
        die: 6
        as: faces
end of game:
  winners: those(p in players where all(q in players have rich(q) <= rich(p)))
"""
CASES = """\
cases:
  a_meal:
    about: One eats.
    players: 1
    options: {rooms: 2}
    given: [{set: p1.rest, to: 3}]
    play:
      - refuse: {p1: cake}
        why: gone
      - offers: {p1: [soup, bread, none]}
      - p1: soup
      - chance: [penny]
      - sees: {p1: {purse.p1: [penny], till: 1}}
    expect: [size(eaten) == 1, rich(p1) >= 1]
invariants: [size(eaten) < 9]
"""
VARIANT = """\
extends: inn
id: feast
title: A feast
changes:
  - set: options.rooms.default
    was: 3
    to: 4
  - insert: [pie]
    into: types.Meal
  - remove: pieces.Coin.rows.groat
cases:
  one: {expect: [size(eaten) == 0]}
"""
BOT = """\
bot: hungry
title: Hungry
prefers:
  - at: meal
    score: 3 + rich(me) - 2 * size(eaten)
  - at: meal
    choose: none
"""
TABLE = 'card,colour,"value"\nred_1,red,1\nred_2,"a, b",2\n# none\nblue_1,,3\n'


@cache
def folder() -> Path:
    """A game in a folder of its own, with a variant, a bot and cases that are written anew for each text."""
    made = Path(tempfile.mkdtemp(prefix="rulespec-fuzz-"))
    for name in ("variants", "bots", "cases"):
        (made / name).mkdir()
    (made / "game.yaml").write_text(GAME, encoding="utf-8")
    return made


@cache
def table() -> Game:
    """A table at which saves and transcripts are read."""
    return Game(rulespec.load("kuhn_poker"), players=2)


@cache
def inn() -> CheckedGame:
    """The game above, checked."""
    found, findings = rulespec.check(folder() / "game.yaml")
    assert found is not None, findings
    return found


def write(name: str, text: str) -> Path:
    """A file of the folder."""
    path = folder() / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


def shown(found: Diagnostics | tuple[rulespec.Diagnostic, ...]) -> None:
    """All findings as people and programs read them."""
    for one in found:
        assert len(render(one)) < 100_000
        json.dumps(to_json(one))


# --- the readers ------------------------------------------------------------------------------------------------------
def yaml(text: str) -> None:
    found = Diagnostics()
    parse(Source("fuzzed", text), found)
    shown(found)


def game(text: str) -> None:
    found = Diagnostics()
    root = parse(Source("fuzzed", text), found)
    checked = None if root is None or found.has_errors else read_tree(root, None, found)
    shown(found)
    if checked is not None:
        play(checked)


def play(checked: CheckedGame) -> None:
    """A few decisions of a game that is sound."""
    try:
        state = Game(checked).new_state(seed=1)
        for number in range(STEPS):
            if state.is_terminal():
                return
            actions = state.legal_actions()
            state.apply_action(actions[number % len(actions)])
            state.observation(0)
            state.log_lines(-1)
    except (Fault, RulespecError):
        pass


def formula(text: str) -> None:
    source = Source("fuzzed", text)
    found = Diagnostics()
    expression(ScalarNode(text, "plain", Span(source, 0, len(text))), found)
    shown(found)


def rows(text: str) -> None:
    found = Diagnostics()
    read_csv(Source("fuzzed", text), found)
    shown(found)


def cases(text: str) -> None:
    suite, found = load_cases(write("cases/fuzzed.yaml", text))
    shown(found)
    if suite is not None:
        for result in run_cases(suite):
            assert len(result.message) < 100_000


def variant(text: str) -> None:
    checked, found = rulespec.check(write("variants/feast.yaml", text))
    shown(found)
    if checked is not None:
        play(checked)


def bot(text: str) -> None:
    write("bots/hungry.yaml", text)
    found = Diagnostics()
    check_bots(inn(), folder() / "game.yaml", found)
    shown(found)


def save(text: str) -> None:
    try:
        state = table().state_from_json(text)
    except RulespecError as error:
        shown(error.diagnostics)
        return
    state.observation(0)
    state.legal_actions()


def transcript(text: str) -> None:
    try:
        table().replay(text)
    except RulespecError as error:
        shown(error.diagnostics)


@cache
def played() -> tuple[str, str]:
    """A save and a transcript of a game."""
    state = table().new_state(seed=3)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    return state.to_json(), files.write(state)


def small_games() -> list[str]:
    """Sound games that are soon read."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(PLAY.glob("*.yaml"))]
    return [GAME, *(text for text in texts if len(text) < 5_000)]


FORMULAS = [
    "rich(p1) + 2 * (3 - size(eaten))", "if a then b else c", "sum(c.worth for c in p.purse where c in hand(p) and not c is none)",
    'all(p in players have p.rest >= 1..3)', "list(1, 2) + set(a, b) - 2 of ruby + 1 of jade", "first(deck, 2) includes x or y is known",
]  # fmt: skip

# Each reader with the texts that it begins with.
TARGETS: dict[str, tuple[Callable[[str], None], Callable[[], list[str]]]] = {
    "yaml": (yaml, lambda: [GAME, CASES, VARIANT, "a: [b, {c: 'd'}]\n? |\n  e\n", "- !x &y *z\n"]),
    "game": (game, small_games),
    "expression": (formula, lambda: FORMULAS),
    "csv": (rows, lambda: [TABLE]),
    "cases": (cases, lambda: [CASES]),
    "variant": (variant, lambda: [VARIANT]),
    "bot": (bot, lambda: [BOT]),
    "save": (save, lambda: [played()[0]]),
    "transcript": (transcript, lambda: [played()[1]]),
}  # fmt: skip
