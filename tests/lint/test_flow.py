"""Information flow: planted leaks are found on their lines, and nothing else is."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

import rulespec
from rulespec.checker.program import CheckedGame
from rulespec.lint.flow import analysis, leaks
from rulespec.lint.flow.findings import CHANGED, Places, looked_at
from rulespec.lint.flow.labels import Atom, Secret
from rulespec.lint.flow.setups import Setups, joint, single
from rulespec.lint.flow.shown import Leak
from rulespec.lint.flow.sight import atom_under, needed
from tests.helpers.flow import FOLDER, completed, findings_in, found_in, marked, snippets
from tests.helpers.places import GAMES, PLAY, ROOT
from tools.dev.bench.plan import DATA


@pytest.mark.parametrize("steps", [pytest.param(steps, id=name) for name, steps in snippets("leaks.yaml")])
def test_a_leak_is_found_on_its_line(steps: str) -> None:
    text = completed(steps)
    assert marked(text)
    assert found_in(text) == marked(text)


@pytest.mark.parametrize("steps", [pytest.param(steps, id=name) for name, steps in snippets("clean.yaml")])
def test_what_does_not_leak_is_not_reported(steps: str) -> None:
    assert found_in(completed(steps)) == []


HIDING = sorted(
    (FOLDER / "games").glob("*.yaml")
)  # small games of many kinds, in which much is hidden and nothing told


WRITTEN = [
    DATA / f"{name}.yaml" for name in ("dark_chess", "gin_rummy", "colored_trails")
]  # as authors would, for comparisons


@pytest.mark.parametrize("folder", [*GAMES, *PLAY, *HIDING, *WRITTEN], ids=lambda f: f.stem)
def test_no_game_here_leaks(folder: Path) -> None:
    game, findings = rulespec.check(folder)
    assert game is not None and not findings
    assert [rulespec.render(d) for d in leaks(game)] == []


def test_whose_places_are_read_is_known() -> None:
    """Of zones of a player and a number: those of another may be read by who sees them, and one's own may not."""
    text = (FOLDER / "games/places.yaml").read_text(encoding="utf-8")
    assert [d.code for d in findings_in(text.replace("place(friend, n)", "place(p, n)"))] == ["F001", "F001"]


# A game, a text in one of its files, what stands there instead, and what then leaks.
MUTATIONS = [
    ("kuhn_poker", "game.yaml", "say: Pass\n", 'say: "Pass, though {best} is best"\n', "F002"),
    ("kuhn_poker", "game.yaml", '"{p} bets"', '"{p} bets on {number(first(p.hand))}"', "F004"),
    ("kuhn_poker", "game.yaml", "for: p in players\n", "for: p in players where p == best\n", "F003"),
    ("kuhn_poker", "game.yaml", "where p != bettor", "where p != bettor and p == best", "F003"),
    ("leduc_poker", "game.yaml", "say: Fold\n", 'say: "Fold before a {rival(active).card.rank}"\n', "F002"),
    ("leduc_poker", "game.yaml", "if: raises < 2", "if: raises < 2 and rival(active).card.rank != king", "F001"),
    ("leduc_poker", "game.yaml", '"{active} folds"', '"{active} folds a {active.card.rank}"', "F004"),
    ("hobbit_card_game", "game.yaml", '"You hold {led} and must play it"',
     '"{leader} has {count(c in leader.hand where c.colour == led)} of them"', "F002"),
    ("hobbit_card_game", "game.yaml", '"{p} plays {card}"',
     '"{p} has {count(c in p.hand where c.colour == led)} more"', "F004"),
    ("hobbit_card_game", "game.yaml", "by: p\n        from: p.hand\n        only",
     "by: p\n        from: leader.hand\n        only", "F005"),
    ("hobbit_card_game", "game.yaml", "card.colour == led or not any(c in p.hand",
     "card.colour == led or not any(c in leader.hand", "F001"),
    ("hobbit_card_game", "game.yaml", "p.played is empty and p.hand is not empty",
     "p.played is empty and any(c in p.hand where c.colour == led)", "F003"),
    ("hobbit_card_game", "game.yaml", "      - move: card\n        to: p.played\n",
     "      - log: It is {card.colour}\n      - move: card\n        to: p.played\n", "F004"),
    ("hobbit_card_game", "game.yaml", "        to: opener\n",
     "        to: first(most(p in players by sum(c.value for c in p.hand)))\n", "F006"),
    ("hobbit_board_game", "journeys.yaml", "Ahead are {ahead}.",
     "Ahead are {sum(sum(c.number for c in q.hand) for q in players)}.", "F002"),
    ("hobbit_board_game", "journeys.yaml", '"{extra} is the extra card"', '"Left are {sum(c.number for c in dwarf_deck)}"', "F004"),
    ("hobbit_board_game", "journeys.yaml", "      - together: p in players\n        do:\n          - choose: card",
     "      - together: p in players where any(c in p.hand where c.number > 30)\n        do:\n          - choose: card", "F003"),
    ("smaugs_treasure", "game.yaml", "say: Play a card\n",
     'say: "Play a card, for your rival has {kinds(rival(active).hand)}"\n', "F002"),
    ("smaugs_treasure", "game.yaml", "        from: active.hand\n        say", "        from: rival(active).hand\n        say", "F005"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "code"), MUTATIONS, ids=[f"{m[0]}-{m[4]}-{n}" for n, m in enumerate(MUTATIONS)]
)
def test_a_game_that_is_made_to_leak(name: str, file: str, old: str, new: str, code: str, tmp_path: Path) -> None:
    """A shipped game with one text changed: the leak is found."""
    assert code in {d.code for d in leaks(checked(changed(name, file, old, new, tmp_path)))}


def changed(name: str, file: str, old: str, new: str, target: Path) -> Path:
    """A copy of a shipped game with one text changed."""
    folder = target / name
    shutil.copytree(ROOT / "games" / name, folder, ignore=shutil.ignore_patterns("cases"))
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


def checked(path: Path) -> CheckedGame:
    """A game that has no faults."""
    game, findings = rulespec.check(path)
    assert isinstance(game, CheckedGame), "\n".join(map(rulespec.render, findings))
    return game


def seen_in(game: CheckedGame, programs: Iterable[Setups]) -> set[Leak]:
    """What leaks in some programs of a game."""
    places = Places(game)
    return {leak for program, counts in programs for leak in looked_at(program, counts, places).shown.leaks}


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "code"), MUTATIONS[::3], ids=[f"{m[0]}-{m[4]}" for m in MUTATIONS[::3]]
)
def test_what_leaks_in_a_setup_leaks_in_all_of_them_together(
    name: str, file: str, old: str, new: str, code: str, tmp_path: Path
) -> None:
    """The quick look at all setups at once misses nothing that a look at one of them finds."""
    game = checked(changed(name, file, old, new, tmp_path))
    one_by_one = seen_in(game, single(game))
    assert code in {leak.code for leak in one_by_one}
    for programs in joint(game):
        assert one_by_one <= seen_in(game, programs)


def test_a_game_that_is_too_large_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not looked at is never passed over in silence."""
    game = checked(ROOT / "games/hobbit_card_game")
    assert leaks(game) == []
    monkeypatch.setattr(analysis, "MOST_RUNS", 5)
    assert [(d.code, d.severity) for d in leaks(game)] == [("F008", "warning")]


# How what lies in a zone of the base game is shown to all.
REVEAL = {
    "deck": ["- reveal: deck"],
    "spare": ["- reveal: spare"],
    "pile": ["- reveal: pile"],
    "target": ["- reveal: target"],
    "card": ["- reveal: card"],
    **{zone: ["- for: q in players", "  do:", f"    - reveal: q.{zone}"] for zone in ("hand", "vault", "pair", "far")},
    "niche": ["- for: q in players", "  do:", "    - for: k in Colour", "      do:", "        - reveal: niche(q, k)"],
}
SECRET = re.compile(r"(?:what lies in|how many lie in|the top of|the piece in) `(\w+)`")


@pytest.mark.parametrize("steps", [s for _, s in snippets("leaks.yaml")], ids=[n for n, _ in snippets("leaks.yaml")])
def test_what_help_advises_to_reveal_is_no_leak_when_it_is_revealed(steps: str) -> None:
    """Before the step in which it is told, and so in as little time as can be; or before the step by which it may be gone."""
    lines = completed(steps).splitlines()
    for finding in findings_in(completed(steps)):
        if not any("reveal:" in text for text in finding.help):
            continue
        secret = SECRET.search(finding.message)
        assert secret is not None and finding.span is not None
        gone = [span.line for span, text in finding.related if text.endswith(CHANGED.format(what=""))]
        at = gone[0] if gone else last_step(steps, finding.span.line)
        indent = lines[at - 1][: lines[at - 1].index("-")]
        shown = [indent + line for line in REVEAL[secret[1]]]
        left = findings_in("\n".join([*lines[: at - 1], *shown, *lines[at - 1 :], ""]))
        line = finding.span.line + (len(shown) if at <= finding.span.line else 0)
        assert (line, finding.code, finding.message) not in [(d.span and d.span.line, d.code, d.message) for d in left]


def last_step(steps: str, line: int) -> int:
    """The line of the last step of the game, and of none of its procedures, that does not begin behind a line of it."""
    above = len(completed("").splitlines())
    played = steps.partition("===\n")[0].splitlines()
    return max(n for n, text in enumerate(played, above + 1) if text.startswith("- ") and (n <= line or n == above + 1))


WAYS = {
    "log_of_what_was_worked_out_before": ["be: highest(c.value for c in p2.hand)", "let: twice"],
    "log_of_an_implicit_flow": ["if: secret > 3", "set: word"],
    "given_by_a_procedure": ["give: highest(c.value for c in p.hand)", "best_of: p2"],
    "told_by_a_procedure": ["tell: p1.role"],
    "after_many_steps": ["be: secret", "let: b", "let: c", "let: d", "let: e", "let: f", "let: g"],
    "said_by_a_lasting_effect_that_was_given_a_secret": ["with: {strength: secret}"],
    "after_a_procedure_that_may_end_the_game": ["if: secret > 3", "end: game", "try_it"],
    "which_of_two_rules_with_a_secret_test_comes_first": [],
}


@pytest.mark.parametrize(("name", "way"), WAYS.items(), ids=list(WAYS))
def test_a_finding_names_the_way_of_the_secret(name: str, way: list[str]) -> None:
    """The lines of what leads from where it is read to where it is told, in this order, then where it is declared."""
    finding = findings_in(completed(dict(snippets("leaks.yaml"))[name]))[0]
    *steps, declared = finding.related
    assert declared[1] == "declared here"
    assert [span.source.text.splitlines()[span.line - 1].strip().removeprefix("- ") for span, _ in steps] == way


def test_a_secret_that_is_read_under_fewer_tests_stands_for_all_under_more() -> None:
    """Conditions within one another would have one for each combination of their tests: a game of fog had no end of them."""
    one, other = Atom(Secret("var", 1, 0)), Atom(Secret("var", 2, 0))
    few, many, apart = (atom_under(one, frozenset(tests)) for tests in ("a", "ab", "cd"))
    assert needed(frozenset([few, many, apart, other])) == {few, apart, other}
    assert needed(frozenset([one, few, many, apart])) == {one}
    assert needed(frozenset([many, atom_under(other, frozenset("a"))])) == {many, atom_under(other, frozenset("a"))}
