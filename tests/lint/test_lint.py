"""Lint rules: their examples, the games that must be clean, comments that allow, and fixes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rulespec.analysis import transfer
from rulespec.analysis.domain import join, number, of_value
from rulespec.cases.compiler import load_cases
from rulespec.checker.reasons import GENERAL
from rulespec.codes.catalogue import CATALOGUE
from rulespec.language.registry import body
from rulespec.lint import evaluate
from rulespec.lint.allow import ALLOWANCES
from rulespec.lint.evaluate import Knowledge
from rulespec.lint.finding import Finding
from rulespec.lint.game import LintGame
from rulespec.lint.linter import RULES, lint
from rulespec.lint.rules import told_nowhere
from rulespec.loading.examples import completed
from rulespec.loading.reading import read_tree
from rulespec.text.diagnostics import Diagnostics, render
from rulespec.text.source import Source
from rulespec.text.yaml_tree import parse
from tests.helpers.games import suite_of
from tests.helpers.places import ALL_GAMES, PLAY, ROOT, variants_of
from tools.cli import main

CODES = sorted(rule.code for rule in (*(rule for rule, _ in RULES), *ALLOWANCES))
NOTES = {rule.code for rule, _ in RULES if rule.severity == "note"}
HERE = "# here"
MARK = re.compile(r"# finding: (L\d{3}(?:, L\d{3})*)")
FILES = sorted((ROOT / "tests/conformance/lint").glob("*.yaml"))
EXPR = sorted((ROOT / "tests/conformance/expr").glob("*.yaml"))
ASIDE = ("L10", "L11")  # games that test one thing each ask what nothing reads, and let decks lie open
TIDY = ("L01", "L02", "L072", *ASIDE)  # and declare what nothing uses


def found_in(snippet: str, notes: bool = False) -> list[Finding]:
    """What lint finds in a snippet that is laid over the example game."""
    diagnostics = Diagnostics()
    source = Source("example", snippet)
    root = parse(source, diagnostics)
    assert root is not None
    game = read_tree(completed(root, snippet, diagnostics), None, diagnostics)
    assert game is not None, "\n".join(map(render, diagnostics))
    return [finding for finding in lint(game, notes) if finding.span.source is source]


def told(findings: list[Finding]) -> str:
    return "\n\n".join(render(finding.diagnostic()) for finding in findings)


def test_every_rule_is_catalogued_once() -> None:
    assert len(set(CODES)) == len(CODES)
    assert {code for code in CATALOGUE if code[0] == "L"} == set(CODES)


def test_nothing_is_left_to_fill_in() -> None:
    """`make new-rule`, `new-verb`, `new-function` and `new-code` mark what is still to be said; each mark is told with its place."""
    modules = ("lint/rules", "codes", "library", "checker/verbs")
    files = (f"rulespec/{folder}/*.{kind}" for folder in modules for kind in ("py", "yaml"))
    places = (*files, "tests/conformance/*/*.yaml")
    left = [
        f"{path.relative_to(ROOT).as_posix()}:{number}: {line[line.index('FILL IN') :]}"
        for pattern in places
        for path in sorted(ROOT.glob(pattern))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if "FILL IN" in line
    ]
    assert left == [], "\n" + "\n".join(left)


@pytest.mark.parametrize("code", CODES)
def test_examples(code: str) -> None:
    """The bad one has just this finding, on its marked line; the good one has none."""
    bad, good = CATALOGUE[code].bad, CATALOGUE[code].good
    lines = [number for number, line in enumerate(bad.splitlines(), 1) if line.endswith(HERE)]
    found = found_in("\n".join(line.removesuffix(HERE).rstrip() for line in bad.splitlines()), code in NOTES)
    assert [(f.rule.code, f.span.line) for f in found] == [(code, line) for line in lines], told(found)
    clean = found_in(good, code in NOTES)
    assert clean == [], told(clean)


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_conformance(file: Path, tmp_path: Path) -> None:
    """Every finding stands on its marked line, and nothing else is found."""
    lines = file.read_text(encoding="utf-8").splitlines()
    expected = sorted(
        (number, code)
        for number, line in enumerate(lines, 1)
        for match in MARK.findall(line)
        for code in match.split(", ")
    )
    assert expected, "no finding is marked"
    copy = tmp_path / file.name
    copy.write_text("\n".join(MARK.sub("", line).rstrip() for line in lines) + "\n", encoding="utf-8")
    suite, faults = load_cases(copy)
    assert suite is not None, "\n".join(map(render, faults))
    codes = {code for _, code in expected}
    found = [
        f for f in lint(suite.game, bool(codes & NOTES)) if f.rule.code in codes or not f.rule.code.startswith(ASIDE)
    ]
    assert sorted((f.span.line, f.rule.code) for f in found) == expected, told(found)


@pytest.mark.parametrize("folder", ALL_GAMES, ids=lambda f: f.name)
def test_shipped_games_are_clean(folder: Path) -> None:
    found = list(lint(suite_of(folder).game))
    assert found == [], told(found)


@pytest.mark.parametrize(
    "folder, variant",
    [(folder, variant) for folder in ALL_GAMES for variant in (None, *(file.stem for file in variants_of(folder)))],
    ids=lambda own: own.name if isinstance(own, Path) else own or "",
)
def test_no_shipped_game_shows_a_player_the_general_sentence(folder: Path, variant: str | None) -> None:
    """Whatever is refused, a reason is given: not one condition of a question or an option is without."""
    program = suite_of(folder, variant).game.template
    options = [branch for site in program.sites for branch in site.branches]
    options += [rule.option for rule in program.rules if rule.option is not None]
    willing = [site.none for site in program.sites if site.none is not None]
    listed = [reason for asked in (*program.sites, *options, *willing) for reason in asked.reasons]
    assert any(reason.why.parts != (GENERAL,) for reason in listed) or not listed
    unsaid = [reason.where for reason in listed if reason.why.parts == (GENERAL,)]
    assert [where.label() for where in unsaid if where is not None] == [] == unsaid


@pytest.mark.parametrize(
    "path", [*ALL_GAMES, *sorted((ROOT / "tests/legitimate").glob("*.yaml"))], ids=lambda path: path.stem
)
def test_what_rules_read_is_told_or_marked(path: Path) -> None:
    found = list(told_nowhere.check(LintGame(suite_of(path).game)))
    assert found == [], told(found)


@pytest.mark.parametrize("file", PLAY, ids=lambda f: f.stem)
def test_small_games_give_no_false_alarm(file: Path) -> None:
    found = [finding for finding in lint(suite_of(file).game) if not finding.rule.code.startswith(TIDY)]
    assert found == [], told(found)


def test_what_holds_in_play_is_never_said_not_to() -> None:
    """The facts of cases hold in play; ranges, which know nothing of the case, must not rule one out."""
    looked_at, wrong = 0, []
    for file in (*ALL_GAMES, *PLAY, *EXPR):
        suite = suite_of(file)
        worlds = {}  # one for each size of boards
        for case in suite.cases:
            sized = suite.game.at(dict(case.options))
            if id(sized) not in worlds:
                worlds[id(sized)] = LintGame(sized).ranges.world
                worlds[id(sized)].functions = tuple(sized.context.out_functions)
            world = worlds[id(sized)]
            for fact in (*case.facts, *(f for entry in case.script for f in entry.facts)):
                looked_at += 1
                if world.range(world.functions[fact.function].body, Knowledge()).truth is False:
                    wrong.append(fact.span.label())
    assert looked_at > 500 and wrong == []


def test_ranges_of_operations_hold_every_value() -> None:
    """What an operation gives of any numbers in two ranges is in the range that is said of it."""
    spans = [(-3, -1), (-2, 2), (0, 0), (0, 3), (1, 4)]
    for name in (
        "add",
        "sub",
        "mul",
        "divide",
        "modulo",
        "least_number",
        "greatest_number",
        "lt",
        "le",
        "eq",
        "ne",
        "compare",
    ):
        for a in spans:
            for b in spans:
                said = transfer.result(name, [number(*a), number(*b)])
                for x in range(a[0], a[1] + 1):
                    for y in range(b[0], b[1] + 1):
                        if y or name not in ("divide", "modulo"):
                            assert said.has(int(body(name)(x, y))), (name, a, b, x, y)


def test_ranges_of_collections_hold_every_value() -> None:
    """The same for what is made of collections."""
    values = [(), (1,), (0, 2), (1, 2, 3)]
    for name in ("union", "concat", "minus"):
        for left in values:
            for right in values:
                said = transfer.result(name, [of_value(left), of_value(right)])
                given = body(name)(left, right)
                assert said.least <= len(given) and (said.size is None or len(given) <= said.size)
                assert not given or said.item is None or all(said.item.has(x) for x in given)
    for name in ("sorted_by", "most", "least"):
        for own in ((), ((4, 1),), ((4, 2), (9, 0), (4, 0))):
            said = transfer.result(name, [of_value(own)])
            given = body(name)(own)
            assert said.least <= len(given) and (said.size is None or len(given) <= said.size)
            assert not given or (said.item is not None and all(said.item.has(x) for x in given))
    for name in ("size", "total", "any_item", "no_item", "to_set"):
        for own in values:
            said = transfer.result(name, [join(of_value(own), of_value((2, 2)))])
            given = body(name)(own)
            if isinstance(given, tuple):
                assert said.least <= len(given) and (said.size is None or len(given) <= said.size)
            else:
                assert said.has(int(given)), (name, own)


def test_each_number_of_players_by_itself() -> None:
    """A finding for some number of players says for which."""
    found = found_in("phases: {game: {do: [{choose: n, by: p1, from: 3..size(players)}, {add: n, to: p1.coins}]}}")
    assert [f.message for f in found] == ["there is nothing to choose from here with 2 players"]


def test_notes_are_shown_to_who_asks_and_are_no_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "plain.yaml"
    plain = PLAIN + "cases: {it_ends: {expect: soft == 3}}\n"
    file.write_text(plain.replace(", if: n < 9", ""), encoding="utf-8")
    assert main(["lint", str(file)]) == 0
    assert capsys.readouterr() == ("", "1 game, no findings\n")
    assert main(["lint", str(file), "--notes"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("note[L061]: `n` may leave its range here\n") and err == "1 game, 1 note\n"
    assert main(["lint", str(file), "--notes", "--format", "github"]) == 0
    assert capsys.readouterr().out.startswith("::notice file=")
    allowed = "{add: 1, to: n}  # lint: allow L061 because three are few\n"
    file.write_text(plain.replace("{add: 1, to: n, if: n < 9}\n", allowed), encoding="utf-8")
    assert main(["lint", str(file)]) == 0 and main(["lint", str(file), "--notes"]) == 0
    assert capsys.readouterr().out == ""


def test_a_single_value_of_an_option_is_said() -> None:
    found = found_in(
        "options: {n: {values: 1..3}}\nphases: {game: {do: [{choose: k, by: p1, from: 2..n}, {add: k, to: p1.coins}]}}"
    )
    assert [f.message for f in found] == ["there is nothing to choose from here with n=1"]


def test_names_in_messages_come_from_the_file() -> None:
    found = found_in("state: {storm: Yes or no}")
    assert told(found).splitlines()[:4] == [
        "warning[L012]: no rule uses the variable `storm`",
        " --> example:1:9",
        "  |",
        "1 | state: {storm: Yes or no}",
    ]


# --- variants ---------------------------------------------------------------------------------------------------------
PLAIN = """\
rulespec: 1
id: plain
players: 2
state:
  n: 0..9
  soft: 0..9
phases:
  game:
    do:
      - {set: n, to: size(players)}
      - repeat: 3
        do:
          - {add: 1, to: n, if: n < 9}
          - {add: 1, to: soft, if: soft < 9}
      - if: soft > n
        then:
          - win: p1
"""
HARMLESS = """\
extends: ..
id: harmless
changes:
  - replace: "phases.game[if soft > n]"
    with: {if: n > 3, then: [{win: p1}]}
"""
HOOKED = """\
functions:
  bound: {takes: {p: Player}, is: 3}  # lint: allow L028 because variants look at it
"""
USED = """\
extends: ..
id: used
changes:
  - {set: functions.bound.is, to: "if p == p1 then 3 else 4"}
"""
HARMFUL = """\
extends: ..
id: harmful
changes:
  - set: state.n
    to: 3..9
  - set: "phases.game[add 1, to n].if"
    to: n > 9
  - set: "phases.game[if soft > n].if"
    to: soft > 9
"""


def laid_out(folder: Path, **variants: str) -> Path:
    """A game in a folder with variants beside it."""
    made = folder / "plain"
    (made / "variants").mkdir(parents=True)
    (made / "game.yaml").write_text(PLAIN, encoding="utf-8")
    for name, text in variants.items():
        (made / f"variants/{name}.yaml").write_text(text, encoding="utf-8")
    return made


def test_variants_are_looked_through_with_their_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the game has too is said once, what a variant no longer uses is not said, and an error is said wherever it stands."""
    folder = laid_out(tmp_path, harmless=HARMLESS)
    assert main(["lint", str(folder)]) == 0, capsys.readouterr().out
    folder = laid_out(tmp_path / "two", harmful=HARMFUL)
    assert main(["lint", str(folder), "--no-variants"]) == 0
    assert main(["lint", str(folder), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    told = [(Path(own["file"]).name, own["range"]["line"], own["code"]) for own in found]
    assert told == [("game.yaml", 10, "L060"), ("harmful.yaml", 7, "L030"), ("harmful.yaml", 9, "L030")]
    cure = "correct the number or the range; `stops: yes` stops at its ends"
    assert found[0]["help"] == [cure, "it is so in the variant `harmful`, not in the game itself"]


def test_what_the_game_allows_itself_need_not_be_found_in_a_variant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A base may allow what is meant for variants; one that uses it says nothing of the comment, but of its own."""
    folder = laid_out(
        tmp_path, used=USED, idle=f"{HARMLESS}# lint: allow L016 because of nothing\n".replace("harmless", "idle")
    )
    (folder / "game.yaml").write_text(PLAIN.replace("repeat: 3", "repeat: bound(p1)") + HOOKED, encoding="utf-8")
    assert main(["lint", str(folder), "--no-variants"]) == 0, capsys.readouterr().out
    assert main(["lint", str(folder / "variants/used.yaml")]) == 0, capsys.readouterr().out
    assert main(["lint", str(folder / "variants/idle.yaml")]) == 1
    assert "idle.yaml:6" in capsys.readouterr().out


# --- fixes ------------------------------------------------------------------------------------------------------------
SPOILT = """\
rulespec: 1
id: spoilt
players: 2..3
tables:
  prize:
    by: players
    rows:
      2: 4
      3: 3
      4: 1   # for four
state:
  # lint: allow L012 because of nothing
  n: 0..9  # lint: allow L013 because of nothing
phases:
  game:
    do:
      - repeat: n
        do:
          - win: p1
      - {add: prize, to: n}
"""
MENDED = """\
rulespec: 1
id: spoilt
players: 2..3
tables:
  prize:
    by: players
    rows:
      2: 4
      3: 3
state:
  n: 0..9
phases:
  game:
    do:
      - repeat: n
        do:
          - win: p1
      - {add: prize, to: n}
"""


def test_fixes_change_their_places_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "spoilt.yaml"
    file.write_text(SPOILT, encoding="utf-8")
    assert main(["lint", str(file)]) == 1
    assert capsys.readouterr().out.count("warning[") == 3
    assert main(["lint", str(file), "--fix", "--diff"]) == 1
    shown = capsys.readouterr().out
    assert "-      4: 1   # for four" in shown and "+  n: 0..9\n" in shown and file.read_text() == SPOILT
    assert main(["lint", str(file), "--fix"]) == 0
    assert file.read_text(encoding="utf-8") == MENDED
    assert main(["lint", str(file), "--fix"]) == 0 and file.read_text(encoding="utf-8") == MENDED


def test_diff_wants_fix(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "tic_tac_toe", "--diff"]) == 2
    assert "add --fix" in capsys.readouterr().err


def test_a_game_with_faults_is_not_looked_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "faulty.yaml"
    file.write_text(SPOILT.replace("win: p1", "wni: p1"), encoding="utf-8")
    assert main(["lint", str(file)]) == 1
    out = capsys.readouterr().out
    assert "error[E500]" in out and "warning[" not in out


def test_a_variable_for_people_says_so() -> None:
    step = 'phases: {game: {do: [{set: storm, to: "yes"}]}}\n'
    assert [f.rule.code for f in found_in(step + "state: {storm: Yes or no}")] == ["L012"]
    assert found_in(step + "state: {storm: {is: Yes or no, seen by: all}}") == []
    unseen = found_in(step + "state: {storm: {is: Yes or no, seen by: all, shown: no}}")
    assert [f.rule.code for f in unseen] == ["L012"], "no person sees it, and no rule reads it"
    assert [f.rule.code for f in found_in(step + "state: {storm: {is: Yes or no, seen by: none}}")] == ["L012"]


NESTED = "c0.value > 9"
for _depth in range(1, 18):
    NESTED = f"any(c{_depth - 1} in Card where {NESTED})"
DEEP = f"""
functions: {{deep: "{NESTED}"}}
phases: {{game: {{do: [{{if: deep, then: [turn]}}]}}}}
views: {{V: {{of: Place, where: "yes"}}}}
"""


def test_deep_conditions_are_looked_through() -> None:
    """Collections within collections do not take ever longer."""
    assert [f.rule.code for f in found_in(DEEP) if not f.rule.code.startswith(ASIDE)] == ["L030", "L027"]


def test_a_game_too_large_to_look_through_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not looked at is never passed over in silence, and the other rules still speak."""
    suite = suite_of(ROOT / "games/tic_tac_toe")
    assert lint(suite.game) == ()
    monkeypatch.setattr(evaluate, "MAX_LOOKS", 50)
    assert [(f.rule.code, f.span.line) for f in lint(suite.game)] == [("E004", 2)]
    assert [f.rule.code for f in found_in(DEEP) if not f.rule.code.startswith(ASIDE)] == [
        "L027"
    ]  # it stands at the head of the game, not in the snippet


def test_functions_that_call_each_other_deeply() -> None:
    chain = ", ".join(f"f{n}: f{n - 1} + 1" for n in range(1, 35))
    found = found_in(
        f"functions: {{f0: p1.coins, {chain}}}\nphases: {{game: {{do: [{{if: f34 > 50, then: [turn]}}]}}}}"
    )
    assert found == []
