"""What an editor is answered: offers, explanations, declarations, uses and other names, on texts that are not saved."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulespec.text.source import Source
from tests.helpers.places import ROOT

pytest.importorskip("pygls", reason="the language server is an extra")

from lsprotocol import types

from tests.helpers.editing import GAME
from tools.lsp import complete, findings, hover, names, places, reading, thorough

VARIANT = """\
extends: higher
id: open
title: Open hands
changes:
  - set: zones.hand.seen by
    was: owner
    to: all
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    (tmp_path / "variants").mkdir()
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "variants" / "open.yaml").write_text(VARIANT, encoding="utf-8")
    return (tmp_path / "game.yaml").resolve()


def offset(place: str, text: str = GAME) -> int:
    """The character at `|` in a text that is there once."""
    plain = place.replace("|", "")
    assert text.count(plain) == 1, plain
    return text.index(plain) + place.index("|")


# Where something is being written in place of something else, what is offered there among others, and what is not.
WRITTEN = [
    ("rounds == 0,", "rou|,", "rounds coins Suit size", "value"),
    ("p.card.value)", "p.card.|)", "value suit owner", "coins rounds"),
    ("highest(c.value", "highest(c.|", "value suit", "p deck"),
    ("for c in p.hand)", "for c in p.h|)", "hand coins best", "value deck"),
    ("for c in p.hand)", "for c in |", "p deck players Card", "value"),
    ("from: p.hand, say", "from: p.|, say", "hand coins best", "red"),
    ("most(p in players by p.card.value)", "most(p in players by p.|", "card hand coins", "value"),
    ("rounds: 0..9", "rounds: |", "Suit Card Player Number", "deck rounds"),
    ("much: 0..3", "much: Su|", "Suit Card", "deck"),
    ("highest(c.value for c in p.hand)", "count(c in p.hand where c.suit == |)", "red blue", ""),
    ("{add: much, to: rounds}", "{add: |, to: rounds}", "much rounds", "p"),
    ("order: shuffled", "order: |", "shuffled free", "deck"),
    ("seen by: none,", "seen |: none,", "per about", "of order"),
    ("      - count_up: 1", "      - |", "move choose count_up if", "zones"),
    ("say: Play a card}", "say: Play a card, on|}", "only count", "choose move"),
    ("procedures:\n", "pro|\n", "procedures rules options events", "zones move"),
    ("{p} shows", "{p.|} shows", "card hand coins", "red"),
]


@pytest.mark.parametrize(("old", "new", "offered", "others"), WRITTEN)
def test_what_may_be_written_is_offered(game: Path, old: str, new: str, offered: str, others: str) -> None:
    assert GAME.count(old) == 1
    at = GAME.index(old) + new.index("|")
    text = GAME.replace(old, new.replace("|", ""))
    found = [offer.name for offer in complete.complete(reading.Desk({game: text}), game, at)]
    assert set(offered.split()) <= set(found)
    assert not set(others.split()) & set(found)


EXPLAINED = [
    ("to: ha|nd}", "hand: {of: Card, per: Player, seen by: owner}"),
    ("for c in p.ha|nd", "zone `hand`: set of Card"),
    ("- win: fir|st(", "first("),
    ("  ha|nd: {of", "zone `hand`"),
    ("- tog|ether:", "- together: "),
    ("(p in players by p.card.va|lue", "field `value`"),
    ("or|der: shuffled", "as laid"),
]


@pytest.mark.parametrize(("place", "said"), EXPLAINED)
def test_what_is_under_the_cursor_is_explained(game: Path, place: str, said: str) -> None:
    known = reading.Desk({game: GAME}).plain(game)
    text = hover.described(known, game, Source(str(game), GAME), offset(place))
    assert text is not None
    assert said in text[0]


# A use, and the line of what it uses.
DECLARED = [
    ("- count|_up: 1", "  count_up:"),
    ("for c in p.ha|nd", "  hand: {of: Card"),
    ("add: mu|ch", "    takes: {much"),
    ('log: "{|p}', "      - for: p in players"),
    ("highest(|c.value", "  best: {takes"),
    ("suit: Su|it}", "  Suit: [red"),
    ("expect: [rou|nds", "  rounds: 0..9"),
]


@pytest.mark.parametrize(("place", "line"), DECLARED)
def test_a_name_leads_to_its_declaration(game: Path, place: str, line: str) -> None:
    known = reading.Desk({game: GAME}).with_cases(game)
    mention = known.at(game, offset(place))
    assert mention is not None
    where = names.declaration(mention, Source(str(game), GAME))
    assert where is not None
    assert where.source.line(where.line).startswith(line)


def after(game: Path, place: str, name: str, texts: dict[Path, str]) -> dict[Path, str]:
    """The files in which a name is changed, as they are then."""
    desk = reading.Desk(texts)
    mention = desk.with_cases(game).at(game, offset(place, texts[game]))
    assert mention is not None
    edits = names.renamed(desk, mention, name, game, Source(str(game), texts[game]))
    return {file: names.applied(spans[0][0].source.text, spans) for file, spans in edits.items()}


def test_another_name_is_given_in_the_game_its_cases_and_its_variants(game: Path) -> None:
    changed = after(game, "  ha|nd: {of", "held", {game: GAME})
    assert changed[game] == GAME.replace("hand", "held")
    assert changed[game.parent / "variants" / "open.yaml"] == VARIANT.replace("zones.hand", "zones.held")


def test_another_name_of_a_step_stays_in_its_procedure(game: Path) -> None:
    text = GAME.replace("- for: p in players", "- for: q in players").replace(
        "{p} shows {p.card}", "{q} shows {q.card}"
    )
    changed = after(game, "{|q} shows", "who", {game: text.replace("reveal: p.card", "reveal: q.card")})
    expected = text.replace("reveal: p.card", "reveal: q.card").replace("q in", "who in").replace("{q", "{who")
    assert changed == {game: expected.replace("reveal: q", "reveal: who")}


@pytest.mark.parametrize(
    ("place", "name", "why"),
    [
        ("  ha|nd: {of", "deck", "deck"),
        ("  ha|nd: {of", "2nd", "cannot be a name"),
        ("  ha|nd: {of", "players", "word of the language"),
        ("  ha|nd: {of", "size", "word of the language"),
        ("- win: fir|st(", "best", "belongs to the language"),
        ("add: mu|ch", "rounds", "rounds"),
    ],
)
def test_a_name_that_would_change_the_game_is_refused(game: Path, place: str, name: str, why: str) -> None:
    with pytest.raises(names.Refused, match=why):
        after(game, place, name, {game: GAME})


def test_signatures_say_which_argument_is_being_written(game: Path) -> None:
    text = "most(p in players by size(x, "
    assert hover.call_at(text, len(text)) == ("size", 1)
    assert hover.call_at("f(a, g(b), ", 11) == ("f", 2)
    assert hover.call_at("no call", 7) is None
    known = reading.Desk({game: GAME}).plain(game)
    assert hover.signatures(known, "best") == [("best(p: Player)", ["p: Player"], "")]
    assert hover.signatures(known, "first")


def test_findings_come_with_what_mends_them(game: Path) -> None:
    text = GAME.replace("from: p.hand", "from: p.hnad")
    found = thorough.looked_at(game, {game: text})
    everything = types.Range(types.Position(0, 0), types.Position(999, 0))
    offered = list(findings.offered(found, game, everything))
    assert [action.title for action in offered] == ["Write `hand`"]
    assert offered[0].edit is not None
    assert offered[0].edit.changes is not None
    assert [edit.new_text for edit in offered[0].edit.changes[game.as_uri()]] == ["hand"]


def test_a_warning_can_be_allowed_with_a_reason(game: Path) -> None:
    found = thorough.looked_at(game, {game: GAME})
    at = next(f for f in found.findings if f.rule.code == "L012")
    offered = list(findings.offered(found, game, places.range_of(at.span)))
    assert "Allow L012 here" in [action.title for action in offered]


def test_positions_are_counted_in_code_units() -> None:
    source = Source("x", "a: 🎲 b\nc: d\r\ne")
    for number in range(len(source.text) + 1):
        if source.text[number - 1 : number + 1] != "\r\n":
            assert places.offset(source, places.position(source, number)) == number
    assert places.position(source, source.text.index("b")) == types.Position(0, 6)
    assert places.offset(source, types.Position(99, 5)) == len(source.text)


def test_what_is_written_is_read_in_place_of_the_file(game: Path) -> None:
    assert not reading.Desk({}).plain(game).findings
    broken = GAME.replace("from: deck", "from: dekc")
    assert reading.Desk({game: broken}).plain(game).findings
    assert not reading.Desk({}).plain(game).findings


CARDS = "id,value,suit\nr_1,1,red\nb_2,2,blue\n"
TABLED = GAME.replace("    rows: each(value in 1..6, suit in Suit)", "    table: cards.csv").replace(
    "deal: 3", "deal: 1"
)


def test_tables_are_read_as_they_are_written(game: Path) -> None:
    """A table that is not saved: what is wrong there, what its names are, and another name of a row or a column."""
    table = game.parent / "cards.csv"
    table.write_text("", encoding="utf-8")
    game.write_text(TABLED, encoding="utf-8")
    desk = reading.Desk({game: TABLED, table: CARDS})
    assert desk.game_of(table) == game and not desk.plain(game).findings
    (found,) = reading.Desk({game: TABLED, table: CARDS.replace("2,blue", "2,bleu")}).plain(game).findings
    assert found.span is not None and Path(found.span.source.name).resolve() == table and found.span.text == "bleu"
    mention = desk.plain(game).at(table, CARDS.index("blue"))
    assert mention is not None
    edits = names.renamed(desk, mention, "azure", table, Source(str(table), CARDS))
    changed = {file: names.applied(spans[0][0].source.text, spans) for file, spans in edits.items()}
    assert changed == {game: TABLED.replace("blue", "azure"), table: CARDS.replace("blue", "azure")}


def test_procedures_are_offered_where_a_case_runs_them(game: Path) -> None:
    text = GAME.replace("    expect: [rounds", "    run: cou\n    expect: [rounds")
    at = text.index("run: cou") + len("run: cou")
    assert "count_up" in [offer.name for offer in complete.complete(reading.Desk({game: text}), game, at)]
    text = text.replace("run: cou", "run:\n      - cou")
    at = text.index("- cou") + len("- cou")
    assert "count_up" in [offer.name for offer in complete.complete(reading.Desk({game: text}), game, at)]


def test_what_stands_under_a_key_can_be_folded() -> None:
    lines = GAME.splitlines()
    folds = {lines[first].strip(): lines[last].strip() for first, last in names.folds(Source("x", GAME))}
    assert folds["types:"] == "Suit: [red, blue]"
    assert folds["count_up:"] == folds["procedures:"] == "- {add: much, to: rounds}"
    assert "rounds: 0..9" not in folds


@pytest.mark.parametrize(
    ("help", "written", "better"),
    [
        ("did you mean `hand`?", "hnad", "hand"),
        ("it is written `size`", "len", "size"),
        ("it is written `roll` or `pick`", "random", None),
        ("take the quotes away", '"[skip]"', "[skip]"),
        ("take the quotes away", "[skip]", None),
        ("write the step `shuffle: deck`", "deck.shuffle()", "shuffle: deck"),
        ("write the whole step: `{add: 2, to: p.coins}`", "add 2 to p.coins", "{add: 2, to: p.coins}"),
        ("write the whole step: `{move: red_1, to: ...}`", "move red_1", None),
    ],
)
def test_a_cure_takes_the_place_of_what_is_written(help: str, written: str, better: str | None) -> None:
    assert findings.in_place(help, written) == better


def test_any_text_is_answered(game: Path) -> None:
    """Whatever is typed, there is an answer at each place, and never an exception."""
    dice = random.Random(7)
    signs = " \n:-{}[]()\"'.,#|>&*!%@`abcp0\t"
    text = GAME
    for _ in range(60):
        start = dice.randrange(len(text))
        text = (
            text[:start]
            + "".join(dice.choice(signs) for _ in range(dice.randrange(4)))
            + text[start + dice.randrange(6) :]
        )
        desk = reading.Desk({game: text})
        source = Source(str(game), text)
        at = dice.randrange(len(text))
        known = desk.of(game)
        hover.described(known, game, source, at)
        complete.complete(desk, game, at)
        names.outline(source)
        if known is not None:
            names.tokens(known, game)
            if (mention := known.at(game, at)) is not None:
                names.declaration(mention, source)


@pytest.mark.parametrize("name", ["tic_tac_toe", "hobbit_card_game", "lotr_tarot"])
def test_names_of_shipped_games_have_declarations(name: str) -> None:
    """Every name in a game's expressions leads somewhere, and each token is where the text has that name."""
    file = (ROOT / "games" / name / "game.yaml").resolve()
    known = reading.Desk({}).plain(file)
    assert known.names
    for mention in known.names:
        assert mention.span.text == mention.name
        assert mention.declared is not None or mention.what in (names.LOCAL, names.FUNCTION)
    data = names.tokens(known, file)
    assert len(data) % 5 == 0
    assert min(data) >= 0
