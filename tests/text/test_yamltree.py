import os
import subprocess
import sys
import time

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from rulespec.text import yaml_tree
from rulespec.text.diagnostics import Diagnostics, render
from rulespec.text.source import Source
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode, parse
from tests.helpers.places import ROOT

BLOW_UP = 10  # seconds of work that only an answer without bounds takes; speed is for benchmarks


def faults(text: str) -> list[str]:
    found = Diagnostics()
    parse(Source("x.yaml", text), found)
    return [f"{d.code} {d.span.line}:{d.span.column}" if d.span else d.code for d in found.sorted()]


def tree(text: str) -> Node:
    found = Diagnostics()
    node = parse(Source("x.yaml", text), found)
    assert node is not None and [render(d) for d in found] == []
    return node


def mapping(text: str) -> MapNode:
    node = tree(text)
    assert isinstance(node, MapNode)
    return node


def scalar(text: str) -> ScalarNode:
    node = mapping(text).get("a")
    assert isinstance(node, ScalarNode)
    return node


def walk(node: Node) -> list[Node]:
    below: list[Node] = []
    if isinstance(node, MapNode):
        below = [n for pair in node.entries for n in pair]
    elif isinstance(node, ListNode):
        below = list(node)
    return [node, *(found for n in below for found in walk(n))]


# The tree


def test_shapes() -> None:
    node = mapping("b: 1\na:\n  - x\n  - {c: [], d: {}}\n")
    assert node.keys() == ("b", "a") and "a" in node and "z" not in node and len(node) == 2
    assert node.get("z") is None and node.key("z") is None
    key, items = node.key("a"), node.get("a")
    assert key is not None and key.span.label() == "x.yaml:2:1"
    assert isinstance(items, ListNode) and len(items) == 2 and list(items) == list(items.items)
    assert items[1].span.text == "{c: [], d: {}}"


def test_spans_end_with_the_last_character_written() -> None:
    text = "a:\n  b: [1, 2]  # c\n\nd: |\n  x\n  y\n\n# c\ne:\n  - 'q'\n\n"
    node = mapping(text)
    assert node.span.text == text.rstrip()
    assert [n.span.text for _, n in node.entries] == ["b: [1, 2]", "|\n  x\n  y", "- 'q'"]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("", None), ("~", None), ("null", None), ("true", True), ("FALSE", False),
        ("0", 0), ("-12", -12), ("+3", "+3"), ("-0", "-0"), ("0x1F", "0x1F"), ("0o17", "0o17"), ("1.50", 1.5),
        (".5", 0.5), ("1e3", 1000.0), ("9" * 25, int("9" * 25)), ('"1"', "1"), ("'true'", "true"),
        ("yes", "yes"), ("no", "no"), ("on", "on"), ("off", "off"), ("y", "y"), ("tRUE", "tRUE"),
        ("0123", "0123"), ("1:30", "1:30"), ("1_000", "1_000"), ("2024-01-02", "2024-01-02"),
        ("1.2.3", "1.2.3"), ("0b1", "0b1"), ("١٢", "١٢"), ("|\n  12", "12"),
        (">\n  true\n", "true\n"), ("=", "="), ("00.5", "00.5"), ("1.", 1.0), ("-1e-3", -0.001), ("+1.5", "+1.5"),
    ],
)  # fmt: skip
def test_meaning(written: str, value: object) -> None:
    got = scalar(f"a: {written}").resolve()
    assert got == value and type(got) is type(value)


# Columns

STYLES = [
    "a: hand(p).size() > 3 + bogus",
    'a: "count(hand) + bogus"',
    "a: 'owner == \"it''s\" and bogus'",
    "a: >\n  count(hand)\n    + bogus\n\n",
    "a: |\n  count(hand)\n    + bogus\n",
    "a: |2\n    count(hand)\n    + bogus\n",
    "a: |+ # c\n  count(hand)\n\n\n  bogus\n\n\n",
    "a: >-\n     x and\n     bogus",
    "a: count(hand) +\n   bogus",
    "a: count(hand) +\n\n\n   bogus\n",
    "a: bogus # bogus",
    "b: {a: [1, bogus]}",
    "b: {a: 'it''s', c: [\"x\\ty\", bogus]}",
    'a: "tab\\tthen\\x20\\u00e9\\U0001F600\\"\\\\\\/ bogus"',
    'a: "one \\\n   two\n\n   \\  bogus"',
    'a: "\\\\x41 bogus"',
    "é: üü\nb: 日本 😀 bogus",
    "- - - bogus",
    "? a\n: bogus",
    "a: '  bogus  '",
]


@pytest.mark.parametrize("crlf", [False, True])
@pytest.mark.parametrize("bom", [False, True])
@pytest.mark.parametrize("text", STYLES)
def test_columns_in_every_style(text: str, crlf: bool, bom: bool) -> None:
    text = ("\ufeff" if bom else "") + (text.replace("\n", "\r\n") if crlf else text)
    found = [n for n in walk(tree(text)) if isinstance(n, ScalarNode) and "bogus" in n.value]
    (node,) = found
    at = node.value.index("bogus")
    span = node.at(at, at + 5)
    assert span.text == "bogus" and span.start == text.index("bogus")
    line_start = max(text.rfind("\n", 0, span.start) + 1, int(bom and span.line == 1))
    assert span.column == span.start - line_start + 1


def test_escapes_have_the_place_of_their_text() -> None:
    node = scalar('a: "x\\u00e9\\n\\"y"')
    assert node.value == 'xé\n"y'
    assert [node.at(i, i + 1).text for i in range(5)] == ["x", "\\u00e9", "\\n", '\\"', "y"]
    assert node.at(1, 4).text == '\\u00e9\\n\\"'
    node = scalar("a: 'it''s'")
    assert [node.at(i, i + 1).text for i in range(4)] == ["i", "t", "''", "s"]


def test_blanks_have_a_place() -> None:
    node = scalar("a: |\n  if x:\n      y\n")
    at = node.value.index("    y")
    assert node.at(at - 1, at).text == "\n" and node.at(at, at + 5).text == "    y"
    node = scalar("a: x  and\n   y")
    assert node.value == "x  and y"
    assert node.at(1, 3).text == "  " and node.at(6, 7).text == "\n"


def test_offsets_are_clamped() -> None:
    node = scalar("a: 'bc'")
    spans = [node.at(0, 0), node.at(2, 2), node.at(9, 12), node.at(-5, 1), node.at(1, 0)]
    assert [(s.start, s.end) for s in spans] == [(4, 4), (6, 6), (6, 6), (4, 5), (5, 5)]


@given(st.text(alphabet="ab(' \"\\\n\té日😀#:", max_size=30), st.sampled_from("'\"|>"))
@example(" a\n\n b ", '"')
@example("a  \n\n   b\n c", "|")
@example("\n\n  a\n b\n\n", ">")
def test_each_character_is_where_at_says(value: str, style: str) -> None:
    text = yaml.safe_dump({"a": value}, default_style=style, allow_unicode=True, width=12)
    found = Diagnostics()
    node = parse(Source("x", text), found)
    if node is None:  # libyaml refuses some of what it writes, as tabs in block style
        return
    assert isinstance(node, MapNode)
    got = node.get("a")
    assert isinstance(got, ScalarNode)
    assert got.value == value
    last = got.span.start
    for i, char in enumerate(value):
        span = got.at(i, i + 1)
        assert last <= span.start <= span.end <= len(text)
        last = span.start
        if char not in " \t\n":
            assert span.text == char or span.text == "''" or span.text.startswith("\\")


@given(st.text(alphabet="a: -[]{}'\"|>&*!#%\n\t,?()0.é\r", max_size=40))
def test_any_text_gives_a_tree_or_a_finding(text: str) -> None:
    found = Diagnostics()
    node = parse(Source("x", text), found)
    assert node is not None or found.has_errors
    for d in found:
        assert render(d)
    for n in walk(node) if node else ():
        assert 0 <= n.span.start <= n.span.end <= len(text)
        if isinstance(n, ScalarNode):
            n.resolve()
            span = n.at(0, len(n.value))
            assert n.span.start <= span.start <= span.end <= n.span.end
            if not found.has_errors and n.value.strip():
                solid = [i for i, c in enumerate(n.value) if not c.isspace()]
                assert n.at(solid[0], solid[0] + 1).text[0] in n.value[solid[0]] + "\\'"


# What is refused


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["Y011"]),
        ("# only\n", ["Y011"]),
        ("a: 1\nb: 2\na: 3\n", ["Y013 3:1"]),
        ("{a: 1, 'a': 2}", ["Y013 1:8"]),
        ("a: &x 1\nb: *x\n", ["Y014 1:4", "Y014 2:4"]),
        ("a: &x {b: 1}", ["Y014 1:4"]),
        ("&x a: 1\n*x : 2\n", ["Y014 1:1", "Y014 2:1"]),
        ("a: !t 1\nb: !!str 2\nc: ! 3\n", ["Y015 1:4", "Y015 2:4", "Y015 3:4"]),
        ("a: !!python/object:os.system [x]", ["Y015 1:4"]),
        ("a: &x !t\n  b: 1\n", ["Y014 1:4", "Y015 1:7"]),
        ("a: {}\n<<: {b: 1}\n", ["Y016 2:1"]),
        ("a: 1\n---\nb: 2\n", ["Y012 2:1"]),
        ("---\na: 1\n...\n# c\n", []),
        ("a: 1\n...\n%TAG ! x\n---\nb: 1\n", ["Y012 3:1"]),
        ("a: 1\n...\nfoo\n", ["Y010 3:1"]),
        ("# c\n%YAML 1.1\n---\na: 1\n", ["Y024 2:1"]),
        ("? [a]\n: 1\n? {b: 1}\n: 2\n", ["Y017 1:3", "Y017 3:3"]),
        ("?\n: 1", ["Y017 1:2"]),
        ("'<<': 1", []),
        ("a: " + "9" * 26, ["Y023 1:4"]),
        ("a: 1." + "0" * 26, ["Y023 1:4"]),
        ("a: 1e999\nb: .inf\nc: -.INF\nd: .NaN", ["Y023 1:4", "Y023 2:4", "Y023 3:4", "Y023 4:4"]),
        ("a: '.inf'", []),
        ("a: {if: f(a, b)}", ["Y019 1:9"]),
        ("a: {if: f(a, b), c}\nb: {if: g(a, b)}", ["Y019 1:9", "Y019 2:9"]),
        ("- [f(a, b)]", ["Y019 1:4"]),
        ('- [f("(")]', []),
        ("- {a: f(b), c: (d)}", []),
        ("- {a: 'f(b, c'}", []),
        ("a: f(a, b", []),
        ("a: {b, c: 1}", ["Y018 1:5"]),
        ("a: {text: draw one, or two}", ["Y018 1:21"]),
        ("a: {b: }", ["Y018 1:5"]),
        ("a: {b: ''}", []),
        ("a: b\x07", ["Y005 1:5"]),
        ("# \u202e\na: b", ["Y005 1:3"]),
        ('a: "b \\u202Ec"', ["Y005 1:7"]),
        ('a: ["b", "\\u2066"]\n"x\\u202a": 1', ["Y005 1:11", "Y005 2:3"]),
        ('a: "b\\e[31mc"', ["Y005 1:6"]),
        *((f'a: "{escape}"', ["Y005 1:5"]) for escape in (r"\0", r"\a", r"\b", r"\r", r"\x7f", r"\x9b", r"\N", r"\L", r"\uFEFF")),
        (r'a: "\t \n \" \\ \_ \xe9"', []),
        ('a: "\\u200E\\u200f\\u061C \u200f \u200d"', []),  # what Hebrew, Arabic, Persian and emoji need
        ("a: \ud800", ["Y005 1:4"]),
        ("a: \0", ["Y005 1:4"]),
        ("a: 1\n\ufeffb: 2", ["Y005 2:1"]),
        ("a: 1\nb: {a: 1, a: 2}\nb: &x 1\n<<: 1\n", ["Y013 2:11", "Y013 3:1", "Y014 3:4", "Y016 4:1"]),
    ],
)  # fmt: skip
def test_refused(text: str, expected: list[str]) -> None:
    assert faults(text) == expected


def test_a_faulty_entry_is_left_out_and_the_rest_stays() -> None:
    found = Diagnostics()
    node = parse(Source("x", "a: 1\n<<: {b: 2}\na: 3\n? [q]\n: 4\nc: *x\n"), found)
    assert isinstance(node, MapNode) and node.keys() == ("a", "c")
    first, alias = node.get("a"), node.get("c")
    assert isinstance(first, ScalarNode) and first.value == "1"
    assert isinstance(alias, ScalarNode) and alias.value == "*x"
    assert [d.code for d in found] == ["Y016", "Y013", "Y017", "Y014"]


def rendered(text: str) -> str:
    found = Diagnostics()
    parse(Source("x", text), found)
    return "\n".join(render(d) for d in found)


def test_a_cut_call_is_shown_in_quotes() -> None:
    assert '= help: put it in quotes, `if: "f(a, g(b))"`, or' in rendered("a: {if: f(a, g(b)), then: 1}")
    assert '`"f(a, b)"`' in rendered("[f(a, b)]")
    whole = "count(p in players where max(n, 3) > 2, p == p1) > 1"
    assert f'`if: "{whole}"`' in rendered(f"a: [{{if: {whole}, then: [f(b, c)]}}]")
    assert "`if: 'f(\"a\", b)'`" in rendered('a: {if: f("a", b)}')


def test_a_call_that_begins_behind_a_brace_is_taken_for_a_text() -> None:
    """In the text `{f(a, b)}` the brace was meant to begin a value that is filled in; behind a remark it begins a mapping."""
    assert "help: put a text that holds braces in quotes" in rendered("a: {\n  f(a, b)}")
    assert "help: put it in quotes, or write each key or item on a line of its own" in rendered(
        "some_key: { # why\n  f(a, b)}"
    )


def test_a_duplicate_points_at_the_first() -> None:
    assert "::: x:1:1\n  |\n1 | a: 1\n  | - first here" in rendered("a: 1\na: 2\n")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("title: Hearts: tricks", "1:14", "a text that holds `: ` needs quotes"),
        ("a:\n\tb: 1", "2:1", "a tab may not be used for indentation"),
        ("a: @x", "1:4", "a text may not begin with `@`"),
        ("a: *", "1:4", "a text may not begin with"),
        ('a: 1\nb: "foo\nc: 1\n', "2:4", "this quote is not closed"),
        ("a: [1, 2\nb: 3\n", "2:2", "the closing `]` is missing"),
        ("a: {b: 1\n\n\n", "1:8", "the closing `}` is missing"),
        ("a: {b: see {c} here}", "1:12", "a text without quotes ends before a brace"),
        ("a: {b: {c: 1} {d: 2}}", "1:15", "a `,` or the closing `}` is missing"),
        ("a: 1\n b: 2\n", "2:2", "this is indented deeper than the line above"),
        ("a:\n  - 1\n  b: 2\n", "3:3", "does not line up with the list"),
        ("a:\n    b: 1\n   c: 2\n", "3:4", "does not line up with the keys"),
        ("a: 'it's'\n", "1:8", "nothing may follow after this `'`"),
        ("a: 1\nfoo\nb: 2\n", "2:1", "this key has no `:`"),
        ('a: "\\q"', "1:5", "this escape does not exist"),
        ("[a] b\n", "1:5", "the document has ended"),
        ("\ufeffé: 1\r\nü: b: c\r\n", "2:5", "a text that holds `: ` needs quotes"),
    ],
)
def test_syntax_errors(text: str, place: str, words: str) -> None:
    found = Diagnostics()
    assert parse(Source("x", text), found) is None
    (d,) = found
    assert d.code == "Y010" and d.span is not None and d.help
    assert f"{d.span.line}:{d.span.column}" == place and words in d.message


# Limits and hostile files


def test_limits_are_exact() -> None:
    depth = yaml_tree.MAX_DEPTH
    assert faults("[" * depth + "]" * depth) == []
    assert faults("[" * (depth + 1) + "]" * (depth + 1)) == [f"Y020 1:{depth + 1}"]
    assert faults("- x\n" * (yaml_tree.MAX_NODES - 1)) == []
    assert faults("- x\n" * yaml_tree.MAX_NODES) == [f"Y021 {yaml_tree.MAX_NODES}:3"]
    assert faults("a: " + "x" * yaml_tree.MAX_SCALAR) == []
    assert faults("a: " + "x" * (yaml_tree.MAX_SCALAR + 1)) == ["Y022 1:4"]
    assert faults("a: " + "é" * 1_000_000) == ["Y003"]


SIZE = 1_990_000
HOSTILE = {
    "brackets": "[" * 200_000,
    "braces": "{" * 200_000,
    "more brackets": "[" * SIZE,
    "dashes": "- " * (SIZE // 2),
    "questions": "? " * (SIZE // 2),
    "colons": "a: " * 330_000,
    "lines of keys": "a:\n" * 330_000,
    "different keys": "".join(f"k{i}: 1\n" for i in range(190_000)),
    "one line": "a" * SIZE,
    "one quote": '"' + "a" * SIZE,
    "quotes": "a: " + '"' * SIZE,
    "escapes": 'a: "' + "\\n" * (SIZE // 2 - 5) + '"',
    "blanks": "a: '" + " " * 65_000 + "b'\n" + " " * 1_900_000,
    "line breaks": "\n" * SIZE,
    "folded line breaks": "a: >\n" + "\n" * SIZE,
    "comments": "#\n" * (SIZE // 2),
    "one comment": "#" * SIZE,
    "tag directives": "".join(f"%TAG !a{i}! x\n" for i in range(110_000)),
    "later tag directives": "a: 1\n...\n" + "".join(f"%TAG !a{i}! x\n" for i in range(110_000)),
    "documents": "---\n" * (SIZE // 4),
    "anchors": "".join(f"- &a{i} x\n" for i in range(150_000)),
    "aliases": "- &a x\n" + "- *a\n" * 390_000,
    "exclamation marks": "!" * SIZE,
    "tags": "- !t x\n" * 280_000,
    "merges": "a0: &a0 {x: 1}\n" + "".join(f"a{i}: &a{i}\n  <<: [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 50_000)),
    "laughs": "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 60)),
    "self": "&a [*a, *a]",
    "flow keys": "{" + "a," * (SIZE // 2),
    "flow calls": "- [f(a, b)]\n" * 160_000,
    "flow calls in one line": "[" + "[f(a, b)]," * 190_000,
    "parentheses": "[" + "(" * SIZE,
    "digits": "a: " + "9" * SIZE,
    "deeper and deeper": "".join(" " * i + "a:\n" for i in range(1990)),
    "surrogates": "\ud800" * 600_000,
    "nuls": "\0" * SIZE,
    "tabs": "\t" * SIZE,
    "percents": "%" * SIZE,
    "pairs": "[" + '"a":' * 400_000,
    "carriage returns": "a: '" + "\r" * 60_000 + "'\n" + "\r" * 1_900_000,
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_hostile_files_are_bounded(name: str) -> None:
    text = HOSTILE[name]
    started = time.process_time()
    found = Diagnostics()
    node = parse(Source("x", text), found)
    for n in walk(node) if node else ():
        if isinstance(n, ScalarNode):
            n.resolve()
            n.at(0, len(n.value))
    for d in found.sorted():
        render(d)
    assert time.process_time() - started < BLOW_UP
    assert found.has_errors or name in {"blanks", "carriage returns", "folded line breaks"}
    assert len(found) <= 200


def test_hostile_files_do_not_end_the_process() -> None:
    # On its own: a fault in the C parser would end the tests.
    code = """
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import parse
for char in ("[", "{", "- ", "? ", "[{a: ", "- [", "!", "&", "*", "'a", '"'):
    for count in (65, 20_000, 200_000):
        found = Diagnostics()
        parse(Source("x", char * count), found)
        assert found.has_errors, (char, count)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_python_parser_gives_the_same_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    def seen(text: str) -> list[tuple[str, int, int]]:
        return [
            (n.value if isinstance(n, ScalarNode) else type(n).__name__, n.span.start, n.span.end)
            for n in walk(tree(text))
        ]

    with_c = [seen(text) for text in STYLES]
    monkeypatch.setattr(yaml_tree, "LOADER", yaml.SafeLoader)
    assert [seen(text) for text in STYLES] == with_c
    assert faults("[" * 100_000) == ["Y020 1:65"]


@pytest.mark.parametrize(
    "text, marked",
    [("a: ]\nb: 1\n", "]"), ("a: 1\nsome words here\nb: 2\n", "some words here"), ("a: {b: 1}} \nc: 2\n", "}")],
)
def test_a_mark_is_as_wide_as_what_is_wrong(text: str, marked: str) -> None:
    found = Diagnostics()
    parse(Source("t", text), found)
    (finding,) = list(found)
    assert finding.span is not None and text[finding.span.start : finding.span.end] == marked
