"""What the language server knows of cases: answers, values, traces, what covers a rule, a case for it; by messages alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the language server is an extra")

from lsprotocol import types

from tests.helpers.editing import GAME, Editor
from tools import cli

RULES = """\
events:
  shown: {takes: {p: Player}}
rules:
  who_shows_gains:
    after: shown
    do:
      - {add: 1, to: p.coins}
"""
CASES = """\
cases:
  all_show:
    players: 2
    play:
      - chance: [card_1_red, card_2_red, card_3_red, card_4_blue, card_5_blue, card_6_blue]
      - p1: card_3_red
      - expect: [rounds == 0]
      - p2: card_4_blue
    expect: [rounds == 1, size(p1.hand) == 3]
    winners: p2
"""


def written(folder: Path) -> tuple[Path, Path]:
    """A game with rules, and a file with its cases."""
    game, cases = folder.resolve() / "game.yaml", folder.resolve() / "cases" / "all.yaml"
    text = GAME[: GAME.index("cases:")].replace("functions:", RULES + "functions:")
    text = text.replace(
        '      - {reveal: p.card, log: "{p} shows {p.card}"}',
        '      - {reveal: p.card, log: "{p} shows {p.card}"}\n          - {announce: shown, with: {p: p}}',
    )
    cases.parent.mkdir()
    game.write_text(text, encoding="utf-8")
    cases.write_text(CASES, encoding="utf-8")
    return game, cases


async def answers(folder: Path) -> dict[str, list[str]]:
    """What is offered while the entries of a script are written."""
    _, cases = written(folder)
    places = {
        "p1: card_3_red": "p1: |",
        "p2: card_4_blue": "p2: |",
        "[card_1_red, card_2_red": "[card_1_red, |",
        "expect: [rounds == 0]\n": "offers: {p2: [|]}\n",
        "- expect: [rounds == 0]\n": "- refuse: {p2: |}\n",
    }
    found = {}
    async with Editor() as editor:
        for old, place in places.items():
            editor.open(cases, CASES.replace(old, place.replace("|", "")))
            at = CASES.index(old) + place.index("|")
            document = types.TextDocumentIdentifier(cases.as_uri())
            items = await editor.client.text_document_completion_async(
                types.CompletionParams(document, editor.position(cases, at))
            )
            assert isinstance(items, list)
            found[place] = [item.label for item in items if item.detail == "an answer"]
            editor.close(cases)
    return found


def test_a_script_is_offered_what_its_question_offers(tmp_path: Path) -> None:
    found = asyncio.run(answers(tmp_path))
    assert found["p1: |"] == ["card_1_red", "card_2_red", "card_3_red"]
    assert found["p2: |"] == ["card_4_blue", "card_5_blue", "card_6_blue"]
    assert found["offers: {p2: [|]}\n"] == found["p2: |"]
    assert found["- refuse: {p2: |}\n"] == []
    assert "card_1_red" not in found["[card_1_red, |"] and len(found["[card_1_red, |"]) == 11


async def values(folder: Path) -> list[str]:
    """What is said of facts, and of the rules before and after a case was run."""
    game, cases = written(folder)
    async with Editor() as editor:
        editor.open(game)
        editor.open(cases)
        said = [await editor.explained(cases, place) for place in ("expect: [rou|nds == 0", "[rounds == 1, si|ze(")]
        said.append(await editor.explained(game, "  rou|nds: 0..9"))
        await editor.run(cases, "run", "all_show")
        said += [
            await editor.explained(game, place) for place in ("  rou|nds: 0..9", "    coi|ns: 0..20", "  ha|nd: {of")
        ]
    return said


def test_values_are_those_of_the_case(tmp_path: Path) -> None:
    soon, late, before, rounds, coins, hand = asyncio.run(values(tmp_path))
    assert "- `rounds` is `0`" in soon
    assert "- `size(p1.hand)` is `3`" in late
    assert "after the case" not in before
    assert "after the case `all_show`:\n- `rounds` is `1`" in rounds
    assert "- `p1.coins` is `1`\n- `p2.coins` is `1`" in coins
    assert "`list(card_1_red, card_2_red, card_3_red)`" in hand


async def looked_at(folder: Path) -> tuple[list[str], str, list[str], list[str], list[str]]:
    """The trace of a case, the command that plays on, the cases that cover a rule and a procedure; then what was said."""
    game, cases = written(folder)
    async with Editor() as editor:
        editor.open(game)
        editor.open(cases)
        traced = await editor.run(cases, "show its trace", "all_show")
        (shown,) = editor.shown
        assert Path(shown.removeprefix("file://")).read_text(encoding="utf-8").splitlines() == traced["trace"]
        playing = await editor.run(cases, "play from its end", "all_show")
        covering = [
            [case["name"] for case in (await editor.run(game, "cases that cover this", name))["cases"]]
            for name in ("who_shows_gains", "count_up")
        ]
        editor.type(
            cases, "      - p2: card_4_blue\n    expect: [rounds == 1, size(p1.hand) == 3]\n    winners: p2\n", ""
        )
        covering.append([c["name"] for c in (await editor.run(game, "cases that cover this", "count_up"))["cases"]])
    return traced["trace"], playing["command"], *covering


def test_a_case_is_traced_and_played_on_and_rules_know_their_cases(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace, command, rule, procedure, shorter = asyncio.run(looked_at(tmp_path))
    assert any("- {add: much, to: rounds}" in line for line in trace) and "  > p1: card_3_red" in trace
    assert rule == procedure == ["all_show"] and shorter == []
    words = command.split()
    assert words[:2] == ["rulespec", "play"] and words[3:] == ["--case", "all_show"]
    assert cli.main([*words[1:], "--bots"]) == 0
    assert "Player 2" in capsys.readouterr().out


async def covered(folder: Path) -> tuple[list[bool], list[bool], str]:
    """Have a case written for a procedure and for a rule, and run them; the text of their file."""
    game, _ = written(folder)
    book = game.parent / "cases" / "recorded.yaml"
    async with Editor() as editor:
        editor.open(game)
        names = ("count_up", "who_shows_gains")
        done = [(await editor.run(game, "write a case", name))["written"] for name in names]
        passed = [(await editor.run(book, "run", f"{name}_does"))["passed"] for name in names]
        return done, passed, editor.texts[book]


def test_a_case_is_written_for_a_procedure_and_for_a_rule(tmp_path: Path) -> None:
    done, passed, text = asyncio.run(covered(tmp_path))
    assert done == passed == [True, True]
    assert text.startswith("cases:\n") and "  who_shows_gains_does:" in text
    assert not (tmp_path / "cases" / "recorded.yaml").read_text(encoding="utf-8")  # the author saves it
