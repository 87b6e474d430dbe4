"""`rulespec fmt`: it changes no value and loses no comment, and what it has written it leaves alone."""

from __future__ import annotations

import io
import os
import re
from collections import Counter

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import rulespec
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.formatter import equal_trees, formatted
from rulespec.text.source import Source
from rulespec.text.yaml_tree import parse
from tests.helpers.games import loaded
from tests.helpers.places import GAMES, ROOT
from tools import cli

FILES = sorted(
    path for folder in ("games", "tests/conformance", "tools/templates", "rulespec/library")
    for path in (ROOT / folder).rglob("*.yaml")
)  # fmt: skip


def is_yaml(path):
    diagnostics = Diagnostics()
    return parse(Source("x", path.read_text(encoding="utf-8")), diagnostics) is not None and not len(diagnostics)


# Only among the errors are there files that are not YAML: to read all others here would take each process of a run a second.
READABLE = [path for path in FILES if path.parent.name != "errors" or is_yaml(path)]
SHIPPED = [path for path in READABLE if not path.is_relative_to(ROOT / "tests")]
WITHOUT_BLOCKS = [path for path in READABLE if not re.search(r"[|>][-+0-9]*$", path.read_text(encoding="utf-8"), re.M)]


def layout(text):
    diagnostics = Diagnostics()
    made = formatted(Source("x", text), diagnostics)
    assert made is not None, [rulespec.render(d) for d in diagnostics]
    return made


def tree(text):
    found = parse(Source("x", text), Diagnostics())
    assert found is not None
    return found


def checked(text):
    """The layout of a text, with all that is promised of it."""
    made = layout(text)
    assert equal_trees(tree(text), tree(made))
    assert layout(made) == made
    lines = made.replace("\r\n", "\n") if "\r\n" in text else made
    assert lines.endswith("\n") and not lines.endswith("\n\n")
    assert "\r" not in lines and "\t" not in re.sub(r"#.*", "", lines)
    return made


def words_of_comments(text):
    return Counter(word for line in text.splitlines() if "#" in line for word in line[line.index("#") :].split())


@pytest.mark.parametrize("path", READABLE, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_files_keep_what_they_say(path):
    text = path.read_text(encoding="utf-8")
    made = checked(text)
    assert words_of_comments(made) == words_of_comments(text)


@pytest.mark.parametrize("path", WITHOUT_BLOCKS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_another_indentation_comes_to_the_same(path):
    """Each file with four columns for each level, dashes under their key, and blanks where none are needed."""
    text = path.read_text(encoding="utf-8")
    wide = re.sub(r"(?m)^ +", lambda found: found[0] * 2, text)
    wide = re.sub(r"(?m)^( *)- (?=\S)", r"\1-   ", wide)
    wide = re.sub(r"(?m)^(\s*(?:-   )?[A-Za-z_]+):(?=\s*(#.*)?$)", r"\1:   ", wide)
    made = checked(wide + "\n\n\n")
    uncommented = [[re.sub(r" +#.*", "", line).strip() for line in own.split("\n")] for own in (made, layout(text))]
    assert uncommented[0] == uncommented[1]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_a_file_keeps_its_line_ends_and_its_mark(path):
    """Each shipped file as another editor leaves it: a byte order mark, CRLF, and no end of the last line."""
    text = path.read_text(encoding="utf-8")
    other = "\ufeff" + text[:-1].replace("\n", "\r\n")
    made = layout(other)
    assert equal_trees(tree(other), tree(made))
    if path in WITHOUT_BLOCKS:  # the last text of a file may end with the file
        assert made == "\ufeff" + layout(text).replace("\n", "\r\n")


def test_the_digest_of_a_game_stays(tmp_path):
    for folder in GAMES:
        target = tmp_path / folder.name
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.parent.name != "cases"):  # no part of it
            copy = target / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8")
            copy.write_text(layout(text) if path.suffix == ".yaml" else text, encoding="utf-8")
        assert rulespec.load(target).digest == loaded(folder).digest


def test_shipped_games_are_in_the_layout():
    stale = [p for p in FILES if p.is_relative_to(ROOT / "games") or p.is_relative_to(ROOT / "tools")]
    assert [str(p) for p in stale if layout(p.read_text(encoding="utf-8")) != p.read_text(encoding="utf-8")] == []


EXAMPLES = {
    "lists go under their key": ("a:\n- x\n- y   # why\n", "a:\n  - x\n  - y  # why\n"),
    "four columns become two": ("a:\n    b:\n        - c: 1\n          d: 2\n", "a:\n  b:\n    - c: 1\n      d: 2\n"),
    "blanks around signs": ("a:   1\nb : 2\nc:  [ 1,2 ,{d:   e}]\n", "a: 1\nb: 2\nc: [1, 2, {d: e}]\n"),
    "blanks at the end": ("a: 1   \nb: 2\t\n", "a: 1\nb: 2\n"),
    "sections": ("a: 1\nb:\n  c: 1\n# of d\nd:\n  e: 1\nf: 2\n", "a: 1\n\nb:\n  c: 1\n\n# of d\nd:\n  e: 1\n\nf: 2\n"),
    "many blank lines": ("\n\na: 1\n\n\n\nb: 2\n\n\n", "a: 1\n\nb: 2\n"),
    "comments stay under each other": ("a: 1      # x\nlong: 2   # y\n", "a: 1      # x\nlong: 2   # y\n"),
    "comments keep off": ("a: 1 # x\n", "a: 1  # x\n"),
    "comments stay with what they are under": (
        "a:\n    b: 1\n    # of b\n# of c\nc: 2\n", "a:\n  b: 1\n  # of b\n\n# of c\nc: 2\n"),
    "comments of the list above": ("a:\n- b\n# of c\nc: 1\n", "a:\n  - b\n\n# of c\nc: 1\n"),
    "block texts": ("a: |\n      x\n        y\n\n      z  \nb: 1\n", "a: |\n  x\n    y\n\n  z  \nb: 1\n"),
    "block texts that keep their end": ("a:\n    - |+\n        x\n\n\n    - b\n", "a:\n  - |+\n    x\n\n\n  - b\n"),
    "block texts with a digit": ("a:\n    b: |2\n           x\n          y\n", "a:\n  b: |2\n         x\n        y\n"),
    "folded texts": ("a: >-\n     x\n     y\n", "a: >-\n  x\n  y\n"),
    "texts of several lines": ("a: x\n      y\nb: \"p\n  q \\\n      r\"\n", "a: x\n  y\nb: \"p\n  q \\\n  r\"\n"),
    "brackets of several lines": ("a: [x,\n  y,   # c\n z]\n", "a: [x,\n    y,  # c\n    z]\n"),
    "brackets on lines of their own": ("a: [\n x,\n # c\n y,\n]\n", "a: [\n    x,\n    # c\n    y,\n  ]\n"),
    "pairs in lists": ("a: [ b:   c ,d]\n", "a: [b: c, d]\n"),
    "a lonely dash": ("-\n  a: 1\n-   # c\n  b: 2\n-\n", "- a: 1\n-   # c\n  b: 2\n-\n"),
    "lists in lists": ("-   - a\n    - b\n-   -   - c\n", "- - a\n  - b\n- - - c\n"),
    "values on their own line": ("a:\n      b\nc:\n  # why\n  d\n", "a:\n  b\nc:\n  # why\n  d\n"),
    "keys in quotes and long keys": ("\"a b\" : 1\n? c\n: d\n", "\"a b\": 1\nc:\n  d\n"),
    "line ends of Windows": ("a:\r\n   b: 1 # x\r\n\r\n\r\n   c: 2\r\n", "a:\r\n  b: 1  # x\r\n\r\n  c: 2\r\n"),
    "a byte order mark": ("\ufeffa:   1\n", "\ufeffa: 1\n"),
    "the mark of a document": ("---\n# c\na:   1\n...\n", "---\n# c\na: 1\n"),
    "no end of line": ("a: 1\n# end", "a: 1\n# end\n"),
    "signs in comments": ("a:\n  # - b: [\n  -   c - d  # - e\n", "a:\n  # - b: [\n  - c - d    # - e\n"),
    "signs of comments in texts": ("a: x#y\nb:   '#'\n", "a: x#y\nb: '#'\n"),
    "nothing": ("a:\nb: {}\nc: [ ]\n", "a:\nb: {}\nc: []\n"),
    "one text": ("x  # c\n", "x  # c\n"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after"), EXAMPLES.values(), ids=EXAMPLES)
def test_examples(before, after):
    assert checked(before) == after


# --- any tree in any hand --------------------------------------------------------------------------------------------
TEXTS = st.text(alphabet="ab:#-{}[],'\"| \\?&*!%@ü\n", max_size=12) | st.sampled_from(["yes", "1", "null", "a b"])
TREES = st.recursive(
    TEXTS | st.integers(-9, 9) | st.none(),
    lambda own: (
        st.lists(own, max_size=4)
        | st.dictionaries(st.text(alphabet="abc-_ :#", min_size=1, max_size=5), own, max_size=4)
    ),
    max_leaves=12,
)


@given(TREES, st.integers(2, 6), st.sampled_from([None, True, False]), st.sampled_from([20, 80]), st.booleans())
@settings(max_examples=400, deadline=None, derandomize=True)
def test_any_tree(value, indent, flow, width, commented):
    text = yaml.safe_dump(
        value, indent=indent, default_flow_style=flow, width=width, allow_unicode=True, sort_keys=False
    )
    if commented and not re.search(r"[|>'\"?\\]", text):
        text = "# first\n" + re.sub(r"(?m)(:| [a-z0-9]+|\},|\],)$", r"\1 # c \1", text) + "   # last\n"
    diagnostics = Diagnostics()
    if parse(Source("x", text), diagnostics) is None or len(diagnostics):
        return  # not in our subset: long keys, merge keys and the like
    made = checked(text)
    assert words_of_comments(made) == words_of_comments(text) or not commented


# --- the command ------------------------------------------------------------------------------------------------------
def run(capsys, *arguments):
    code = cli.main([str(a) for a in arguments])
    return code, *capsys.readouterr()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "good.yaml").write_text("a: 1\n")
    (tmp_path / "odd.yaml").write_text("a:   1\nb: 2\n")
    (tmp_path / "other.txt").write_text("a:   1\n")
    return tmp_path


def test_check_and_diff_write_nothing(folder, capsys):
    code, out, err = run(capsys, "fmt", "--check", folder)
    assert (code, err) == (1, "1 file would be changed, 1 left as it was\n") and out.endswith("odd.yaml\n")
    code, out, err = run(capsys, "fmt", "--diff", folder)
    assert code == 0 and "-a:   1\n+a: 1\n b: 2\n" in out
    assert run(capsys, "fmt", "--diff", "--check", folder)[0] == 1
    assert (folder / "odd.yaml").read_text() == "a:   1\nb: 2\n"


def test_fmt_writes(folder, capsys):
    (folder / "odd.yaml").chmod(0o640)
    assert run(capsys, "fmt", folder) == (0, "", "1 file changed, 1 left as it was\n")
    assert (folder / "odd.yaml").read_text() == "a: 1\nb: 2\n"
    if os.name == "posix":
        assert (folder / "odd.yaml").stat().st_mode & 0o777 == 0o640
    assert run(capsys, "fmt", "--check", folder) == (0, "", "no files would be changed, 2 left as they were\n")
    assert (folder / "other.txt").read_text() == "a:   1\n"
    assert sorted(p.name for p in folder.iterdir()) == ["good.yaml", "odd.yaml", "other.txt"]


def test_what_is_no_yaml_is_told_and_left(folder, capsys):
    bad = folder / "bad.yaml"
    bad.write_text("a: [1\nb: 2\n")
    code, out, err = run(capsys, "fmt", folder)
    assert code == 1 and out == "" and "error[Y010]" in err and "1 file changed, 1 left as it was" in err
    assert bad.read_text() == "a: [1\nb: 2\n"
    code, _, err = run(capsys, "fmt", folder / "nothing.yaml")
    assert code == 2 and "error[Y001]" in err


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a:  1\nb: 2", b"a: 1\nb: 2\n"),
        (b"a: |\n  x", b"a: |-\n  x\n"),  # the text still ends without a break
        (b"a: |+\n  x", b"a: |-\n  x\n"),
        (b"a: >2\n    x # y", b"a: >-2\n    x # y\n"),
        (b"a: 1  # end", b"a: 1  # end\n"),
        (b"a:  1\r\nb: 2\r\n", b"a: 1\r\nb: 2\r\n"),
        (b"a:  1\rb: 2\r", b"a: 1\rb: 2\r"),
        (b"a: 1\r\nb: 2\nc: 3\r\n", b"a: 1\r\nb: 2\r\nc: 3\r\n"),
        (b"\xef\xbb\xbfa:  1\n", b"\xef\xbb\xbfa: 1\n"),
    ],
)
def test_line_ends_and_marks_of_files(before, after, tmp_path, capsys):
    file = tmp_path / "x.yaml"
    file.write_bytes(before)
    assert cli.main(["fmt", "--diff", str(file)]) == 0
    shown = capsys.readouterr().out
    assert any(line[:1] in "+-" and line[1:2] not in "+-" for line in shown.splitlines()) == (before != after)
    cli.main(["fmt", str(file)])
    assert file.read_bytes() == after
    assert cli.main(["fmt", "--check", str(file)]) == 0


def test_standard_input(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("a:   1\n"))
    assert run(capsys, "fmt", "-") == (0, "a: 1\n", "1 file changed, 0 left as they were\n")
