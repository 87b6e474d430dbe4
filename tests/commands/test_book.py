"""`rulespec book`: the rulebook that the rules make, judged by what the rules say and by what a page must hold."""

from __future__ import annotations

import json
import re
import shutil
from html.parser import HTMLParser

import pytest

from rulespec.checker.wording import ink
from rulespec.checker.wording.expressions import Speech, patterns
from rulespec.checker.wording.names import Names
from rulespec.language.registry import functions, verbs
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import ListNode, MapNode, ScalarNode, parse
from tests.helpers.goldens import golden
from tests.helpers.places import ROOT
from tools import cli
from tools.book import markdown, marking, page
from tools.book.rulebook import rulebook

GAMES = sorted(folder.name for folder in (ROOT / "games").iterdir() if (folder / "game.yaml").exists())
HOLE = re.compile(r"\{([^{}|]+)")
HELPERS = {"by_like", "count"}  # holes that no key fills
PLAIN = re.compile(r"[^a-z0-9]+")
VOID = {"meta", "br", "path", "rect", "circle", "line"}


def book_of(name):
    return rulebook(str(ROOT / "games" / name), None, (), ())


def test_every_verb_has_a_sentence_of_its_own_keys():
    assert set(patterns()["verbs"]) == set(verbs())
    for name, verb in verbs().items():
        pattern = patterns()["verbs"][name]
        if name == "log":  # the log is for players while they play
            assert pattern == {}
            continue
        texts = [pattern["says"], *(pattern[key] for key in ("gains", "endless") if key in pattern)]
        for hole in HOLE.findall(" ".join(texts)):
            assert hole == verb.name or hole in verb.keys or hole in HELPERS, f"{name}: {hole}"
        assert set(pattern.get("leads", ())) <= set(verb.keys)


def test_every_key_of_a_verb_is_said_or_stands_below():
    apart = {"steps", "branches", "arms", "none", "reasons", "flag"}  # by their shapes, below the sentence
    named = {
        ("choose", "from"),
        ("offer", "from"),
        ("choose", "shown"),
        ("let", "is"),
    }  # below it, or for the table alone
    for name, verb in verbs().items():
        says = " ".join(str(part) for part in patterns()["verbs"][name].values())
        for key, about in verb.keys.items():
            said = key in HOLE.findall(says) or about.shape in apart or (name, key) in named
            assert said or patterns()["verbs"][name] == {}, f"{name}: {key}"


def test_every_function_has_a_phrase_for_each_of_its_arguments():
    operators = {"after", "closure", "counted"}  # written as functions, and declared elsewhere
    assert set(patterns()["functions"]) == set(functions()) | operators
    for name, function in functions().items():
        pattern = patterns()["functions"][name]
        for signature in function.signatures:
            size = len(signature.parameters)
            text = pattern["two"] if "two" in pattern and size == 2 else pattern["says"]
            said = {hole.rstrip("?") for hole in HOLE.findall(text)}
            assert "all" in said or {str(n) for n in range(size)} <= said, f"{name}: {signature}"
        assert bool(function.binds) <= ("of" in pattern), name  # what goes through a collection says what it asks of it


WORDS = {
    "any(c in Cell where c.mark is none)": "there is a cell that has no mark",
    "not any(c in Cell where c.mark is none)": "there is no cell that has no mark",
    "all(c in Cell have c.mark == active)": "for every cell, its mark is the active player",
    "count(c in Cell where c.mark == active) > 2": "the number of cells whose mark is the active player is more than 2",
    "not (a1.mark is none and b1.mark is known)": "a1 has a mark or b1 has no mark",
    "rival(active) == x": "the other player is X",
    "not has_line(active)": "the active player does not have line",
    "a1.mark is none and not (b1.mark is none and c1.mark is none)": "a1 has no mark and (b1 has a mark or c1 has a mark)",
    "all(c in Cell have c.mark == x) or a1.mark is none": "(for every cell, its mark is X) or a1 has no mark",
    "2 * (count(c in Cell where c.mark is none) + 1) > 3": "2 times ((the number of cells that has no mark) plus 1) is more than 3",
    "any(p in players, c in Cell where c.mark == p)": "there is a player and cell whose mark is that player",
    "count(neighbours(a1, set(n, e))) == 2": "the number of the neighbours of a1 along north and east is 2",
    "me == x and not (this in Cell)": "you are X and it is not in every cell",
    "Cell.mark == x": "every cell's mark is X",
    "me.mark.kind + this.mark.kind": "your mark's kind plus its mark's kind",
    "size(players) == 2": "the number of players is 2",
    "a1 in set(b1, c1)": "a1 is one of b1 and c1",
    "if a1.mark == x then b1.mark is none else no": "(if a1's mark is X, then b1 has no mark; otherwise never)",
}


@pytest.fixture(scope="module")
def speech():
    game = __import__("rulespec.api", fromlist=["check"]).check(ROOT / "games/tic_tac_toe")[0]
    return Speech(Names.of(game.context))


@pytest.mark.parametrize(("text", "words"), WORDS.items(), ids=list(WORDS))
def test_conditions_as_sentences(speech, text, words):
    assert ink.bare(speech.condition(text)) == words


def test_a_small_book_as_it_is_read():
    text = markdown.written(book_of("tic_tac_toe"))
    assert text == golden(ROOT / "tests/golden/book.txt", text)


@pytest.mark.parametrize("name", GAMES)
def test_a_book_holds_what_the_rules_say_and_its_links_lead_somewhere(name):
    book = book_of(name)
    text, html = markdown.written(book), page.written(book)
    assert not re.search("[\ue000-\uf8ff]", text + html)
    anchors = re.findall(r'<a id="([^"]*)"', text)
    assert len(anchors) == len(set(anchors)), "two places of one name"
    assert set(re.findall(r"\]\(#([^)]*)\)", text)) <= {*anchors}
    Balanced.check(html)
    ids = re.findall(r' id="([^"]*)"', html)
    assert set(re.findall(r'href="#([^"]*)"', html)) <= {*ids}
    said = squeezed(text)
    for words in texts(ROOT / "games" / name):
        assert squeezed(words) in said, words


@pytest.mark.parametrize(("game", "variant"), [("connect_four", "pop_out"), ("hobbit_card_game", "")])
def test_links_of_a_marked_book_lead_somewhere(game, variant):
    variants = (variant,) if variant else ()
    book = marking.marked(book_of(game), rulebook(str(ROOT / "games" / game), None, (), variants))
    html = page.written(book)
    assert set(re.findall(r'href="#([^"]*)"', html)) <= set(re.findall(r' id="([^"]*)"', html))
    assert bool(variant) == ("<ins>" in html)


def test_a_variable_with_the_name_of_a_function_is_what_the_rules_say():
    book = rulebook(str(ROOT / "tests/conformance/play/teams.yaml"), None, (), ())
    assert "'s [*points*](#kept-points) go up by" in markdown.written(book)


def texts(folder):
    """The plain texts with which the rules ask and refuse, and the names of procedures and cases."""
    for file in folder.glob("*.yaml"):
        root = parse(Source(file.name, file.read_text(encoding="utf-8")), Diagnostics())
        assert isinstance(root, MapNode)
        for part in ("phases", "procedures"):
            group = root.get(part)
            for key, node in group.entries if isinstance(group, MapNode) else ():
                yield key.value.replace("_", " ")
                yield from asked(node)


def asked(node):
    """The questions and reasons in steps; those with something filled in are left out."""
    if isinstance(node, MapNode):
        for key, value in node.entries:
            if key.value in ("say", "why") and isinstance(value, ScalarNode) and "{" not in value.value:
                yield value.value
            yield from asked(value)
    elif isinstance(node, ListNode):
        for item in node.items:
            yield from asked(item)


def squeezed(text):
    return PLAIN.sub("", text.casefold())


class Balanced(HTMLParser):
    """Checks that elements are closed in their order."""

    def __init__(self):
        super().__init__()
        self.open = []

    @classmethod
    def check(cls, text):
        parser = cls()
        parser.feed(text)
        parser.close()
        assert parser.open == []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        assert not (tag == "script" or any(name.startswith("on") for name, _ in attrs))

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag


def test_the_same_as_data(capsys):
    assert cli.main(["book", "tic_tac_toe", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [chapter["title"] for chapter in data["chapters"]][:3] == [
        "What is in the box", "The table at the beginning, and who sees it", "How it is played"
    ]  # fmt: skip
    heading, steps = data["chapters"][2]["blocks"]
    assert (heading["text"], heading["at"]) == (["Game"], "game.yaml:26")
    assert steps["steps"][0]["text"] == [
        "Again and again, as long as there is a cell that has no ",
        {"is": "a", "to": "kept-mark", "of": [{"is": "em", "of": ["mark"]}]},
        ":",
    ]
    assert cli.main(["book", "tic_tac_toe", "--json", "--out", "x.md"]) == 2


def test_what_a_variant_changes_is_marked(capsys):
    assert cli.main(["book", "tic_tac_toe", "--variant", "misere", "--marked"]) == 0
    text = capsys.readouterr().out
    assert re.findall(r"<(ins|del)>(.*?)</", text) == [
        ("del", "The game is over: the *active* player wins."),
        ("ins", "The game is over: the other player wins."),
    ]
    assert cli.main(["book", "tic_tac_toe", "--marked"]) == 2


def test_a_book_beside_itself_has_no_marks():
    book = book_of("hobbit_card_game")
    assert markdown.written(marking.marked(book, book)) == markdown.written(book)


def test_texts_of_a_game_are_no_markup(tmp_path):
    shutil.copytree(ROOT / "games/tic_tac_toe", tmp_path / "mine", ignore=shutil.ignore_patterns("variants", "bots"))
    file = tmp_path / "mine/game.yaml"
    hostile = 'title: "<script>alert(1)</script> [x](javascript:x) \ue003y\ue004 |"'
    file.write_text(
        file.read_text().replace("title: Tic-tac-toe", hostile).replace("say: Mark a cell", 'say: "<img onerror=x>"')
    )
    book = rulebook(str(tmp_path / "mine"), None, (), ())
    Balanced.check(page.written(book))
    assert "&lt;img onerror=x&gt;" in page.written(book)
    text = markdown.written(book)
    assert text.startswith("# \\<script\\>alert(1)\\</script\\> \\[x\\](javascript:x) y \\|\n")
    assert "<img" not in text.replace("\\<", "")


def test_the_command_writes_and_never_over_something_else(tmp_path, capsys):
    out = tmp_path / "rules.html"
    assert cli.main(["book", "tic_tac_toe", "--out", str(out)]) == 0
    assert out.read_text().startswith("<!doctype html>")
    assert cli.main(["book", "tic_tac_toe", "--variant", "misere", "--out", str(out)]) == 0
    assert "Misère tic-tac-toe" in out.read_text()
    other = tmp_path / "mine.md"
    other.write_text("my notes")
    assert cli.main(["book", "tic_tac_toe", "--out", str(other)]) == 2
    assert other.read_text() == "my notes"
    assert "is there and is something else" in capsys.readouterr().err


def test_a_board_has_the_size_that_options_say():
    book = rulebook(str(ROOT / "games/connect_four"), None, (("columns", "9"),), ())
    assert "54 in all" in markdown.written(book)
