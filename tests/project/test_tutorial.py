"""The handbook's games, cases and commands, page by page: what it shows is what happens."""

from __future__ import annotations

import contextlib
import functools
import io
import math
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import interpreter
import rulespec
from interpreter.testing.cases import run_cases
from rulespec.cases.compiler import load_cases
from rulespec.lint.flow import leaks
from rulespec.lint.linter import lint
from tests.helpers.games import walk
from tests.helpers.places import ROOT
from tools import cli
from tools.session import Session
from tools.terminal import pictures

DOCS = ROOT / "docs"
RECIPES = sorted(
    f"howto/{file.stem}" for file in (DOCS / "howto").glob("*.md")
)  # they change the game of the page `howto`
LESSONS = [f"learn/{name}" for name in ("guess", "noughts", "kuhn", "cave", "helmets")]  # in their order
CASES = ["cases/keys", "cases/coverage", "cases/mutants"]
PAGES = [
    *LESSONS,
    "tutorial_map",
    "yaml",
    "rulebook_to_spec",
    "maps",
    "howto",
    *RECIPES,
    "testing",
    "review",
    "playtest",
    "cases",
    *CASES,
    "bots",
    "odds",
    "knowledge",
]  # whose blocks are executed
BEFORE = {
    "learn/helmets": "learn/cave",
    "playtest": "review",
    **dict.fromkeys(CASES, "cases"),
}  # a page that goes on with the games of another
GAMES_EACH = 8
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEAD = re.compile(r"# (game|change|mistake|whole|recipe|bot): (\w+)\n")
WAS = re.compile(r"^(.*?)(\S+)  # was: (.+)$")  # a line with one word changed, and that word as it was
TABLE = "table"  # the game that recipes change
DATA = "cards.csv"  # the file of a block of comma-separated values
UNUSED = {"L012", "L013", "L014", "L015", "L019"}  # what a recipe may leave of the table as it is
CUT_OUT = {"L101"}  # a recipe shows how something is asked: what comes of the answer is the reader's game
PICTURE = re.compile(r"!\[[^\]]*\]\((?:\.\./)?(pictures/[^)]*\.svg)\)")
SCREEN = (80, 24)  # columns and rows of the pictures
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")


class Block(NamedTuple):
    """A fenced block of a page."""

    line: int
    language: str
    text: str


def text_of(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def blocks(name: str) -> Iterator[Block]:
    page = text_of(name)
    for found in BLOCK.finditer(page):
        yield Block(page.count("\n", 0, found.start()) + 1, found[1], found[2])


def entries(lines: list[str]) -> dict[str, list[str]]:
    """The entries of a mapping in block style: each key's line with all lines up to the next key."""
    margin = next(indent(line) for line in lines if line.strip())
    found: dict[str, list[str]] = {}
    name = ""
    for line in lines:
        if line.strip() and indent(line) == margin:
            name = line.strip().partition(":")[0]
        found.setdefault(name, []).append(line)
    return found


def indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def opened(entry: list[str]) -> bool:
    """Whether an entry is a mapping in block style."""
    return len(entry) > 1 and entry[0].endswith(":") and not entry[1].lstrip().startswith("- ")


def merged(old: list[str], new: list[str]) -> list[str]:
    """A change: mappings are opened, lists and values replaced, and what is not there is added."""
    found = entries(old)
    for name, entry in entries(new).items():
        there, gap = trimmed(found.get(name, []))
        entry, _ = trimmed(entry)
        if opened(there) and opened(entry):
            entry = [entry[0], *merged(there[1:], entry[1:])]
        first = [] if there or indent(entry[0]) else [""]  # a new section stands apart
        found[name] = [*first, *entry, *gap]
    return [line for entry in found.values() for line in entry]


def trimmed(entry: list[str]) -> tuple[list[str], list[str]]:
    """An entry without the empty lines at its end, and those."""
    end = len(entry)
    while end and not entry[end - 1].strip():
        end -= 1
    return entry[:end], entry[end:]


def changed(file: str, block: str) -> str:
    """The file with the change that the block shows."""
    if one := WAS.match(block):
        was = f"{one[1]}{one[3]}\n"
        assert file.count(was) == 1, was
        return file.replace(was, block)
    return "\n".join(merged(file.splitlines(), block.splitlines())) + "\n"


class Reader:
    """Somebody who follows a page in a folder of his own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.spoilt: dict[Path, str] = {}  # files with a mistake on purpose, as they were before

    def type_in(self, block: Block) -> tuple[str, Path]:
        """Write or change the file of a block; what kind of block it is, and which file."""
        head = HEAD.match(block.text)
        assert head, f"line {block.line}: a game's block begins with `# game: NAME` or the like"
        kind, file = head[1], self.folder / f"{head[2]}.yaml"
        if kind == "bot":
            file = self.folder / "bots" / file.name
            file.parent.mkdir(exist_ok=True)
            file.write_text(block.text, "utf-8")
            return kind, file
        rest = block.text[head.end() :]
        assert file.exists() == (kind in {"change", "mistake", "whole"}), f"line {block.line}: {file.name}"
        if kind == "whole":
            text = file.read_text(encoding="utf-8").partition("\n")[2]
            assert text == rest, f"line {block.line}: {file.name} is now\n{text}"
            return kind, file
        if kind == "recipe":
            file.write_text(self.table_named(head[2]), "utf-8")
        if kind == "mistake":
            self.spoilt[file] = file.read_text(encoding="utf-8")
        file.write_text(block.text if kind == "game" else changed(file.read_text(encoding="utf-8"), rest), "utf-8")
        return kind, file

    @property
    def table(self) -> set[str]:
        """The words of the table."""
        file = self.folder / f"{TABLE}.yaml"
        return set(re.findall(r"\w+", file.read_text(encoding="utf-8"))) if file.exists() else set()

    def table_named(self, name: str) -> str:
        """The file of the table, as a game of another name."""
        text = (self.folder / f"{TABLE}.yaml").read_text(encoding="utf-8")
        return text.replace(f"id: {TABLE}\n", f"id: {name}\n")

    def mend(self) -> None:
        for file, text in self.spoilt.items():
            file.write_text(text, "utf-8")
        self.spoilt.clear()


def printed(arguments: list[str], typed: list[str]) -> str:
    """What a command prints, on both streams, where these lines are typed."""
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        patch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        patch.setattr("tools.console.SILENT", math.inf)  # a slow machine says how far it is, which no page shows
        cli.main(arguments)
    return out.getvalue()


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a console block with the lines that are shown below it."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def matches(shown: str, real: str) -> bool:
    """Whether the lines shown are the lines printed, where a line of `...` stands for any lines or none."""
    pattern = "".join(r"(?:.*\n)*" if line == "..." else re.escape(line + "\n") for line in shown.splitlines())
    return re.fullmatch(pattern, real) is not None


def on_screen(arguments: list[str], typed: list[str], picture: str | None) -> None:
    """The screen that a command fills at a terminal, after what is typed there, reads as its picture does."""
    assert picture is not None, f"{' '.join(arguments)}: a picture shows what fills the screen"
    file, seat, seed = arguments[1], arguments[arguments.index("--as") + 1], arguments[arguments.index("--seed") + 1]
    players = int(arguments[arguments.index("--players") + 1]) if "--players" in arguments else None
    game = interpreter.Game(rulespec.load(file), players=players)
    session = Session(game, game.new_state(int(seed)), {game.seats.index(seat)}, int(seed))
    real = pictures.drawn(session, SCREEN, typed)
    path = DOCS / picture
    if os.environ.get("RULESPEC_GOLDEN") == "write":
        path.write_text(real, encoding="utf-8")
    assert pictures.words(real) == pictures.words(path.read_text(encoding="utf-8")), picture


def drawn_as(file: Path, picture: str | None) -> None:
    """The map that a command has written is the picture below the command."""
    assert picture is not None, f"{file}: a picture shows the map that is written"
    real, path = file.read_text(encoding="utf-8"), DOCS / picture
    if os.environ.get("RULESPEC_GOLDEN") == "write":
        path.write_text(real, encoding="utf-8")
    assert real == path.read_text(encoding="utf-8"), picture


def follow(block: Block, picture: str | None = None) -> None:
    """Type the commands of a block; `picture` is that which stands below it."""
    for command, shown in commands(block.text):
        program, *arguments = shlex.split(command)
        if program != "rulespec":
            continue
        if arguments[0] == "play" and not {"--plain", "--bots"} & set(arguments):
            on_screen(arguments, [line[1:].strip() for line in shown.splitlines()], picture)
            continue
        lines = shown.splitlines(keepends=True)
        typed = [line[1:].strip() for line in lines if line.startswith(">")]
        expected = "".join(line for line in lines if not line.startswith(">"))
        real = printed(arguments, typed)
        assert matches(expected, real), f"line {block.line}: $ {command}\n{real}"
        if arguments[0] == "map" and "--svg" in arguments:
            drawn_as(Path(arguments[arguments.index("--svg") + 1]), picture)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_from_its_first_line_to_its_last(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    reader = Reader(tmp_path)
    shown: dict[Path, list[str]] = {}  # of each file, as it stands at last
    if page in RECIPES:
        reader.type_in(next(blocks("howto")))
    for block in blocks(BEFORE[page]) if page in BEFORE else ():
        if block.language == "yaml":
            reader.type_in(block)
            reader.mend()
    for block in blocks(page):
        if block.language == "yaml" and block.text.startswith(" "):
            continue  # a line or two of some game
        if block.language == "yaml":
            reader.mend()
            kind, file = reader.type_in(block)
            if kind not in {"mistake", "bot", "whole"}:
                works(block, file)
                shown[file] = idle(file, reader.table)
        elif block.language == "csv":
            (tmp_path / DATA).write_text(block.text, "utf-8")
        elif block.language == "console":
            after = "\n".join(text_of(page).splitlines()[block.line + block.text.count("\n") + 1 :])
            below = PICTURE.search(after.partition("\n```")[0])  # before the next block
            follow(block, below and below[1])
    assert "\n".join(finding for findings in shown.values() for finding in findings) == ""


def idle(file: Path, table: set[str]) -> list[str]:
    """What lint finds in a game, but for what the table that recipes change has and they do not use."""
    suite, _ = load_cases(file)
    assert suite is not None
    return [
        f"{file.name}: {finding.rule.code}: {finding.message}"
        for finding in lint(suite.game)
        if finding.rule.code not in CUT_OUT and (finding.rule.code not in UNUSED or finding.span.text not in table)
    ]


def works(block: Block, file: Path) -> None:
    """The game has no findings, tells no secret, can be played to its end at every number of players, and its cases pass."""
    where = f"line {block.line}: {file.name}"
    gamedef, diagnostics = rulespec.check(file)
    assert not diagnostics and gamedef is not None, "\n".join([where, *map(rulespec.render, diagnostics)])
    told = leaks(gamedef)
    assert not told, "\n".join([where, *map(rulespec.render, told)])
    for players in gamedef.players:
        game = interpreter.Game(gamedef, players=players)
        for seed in range(GAMES_EACH):
            assert game.playout(seed).is_terminal(), where
        walk(game, 0)
    suite, diagnostics = load_cases(file)
    assert suite is not None, "\n".join([where, *map(rulespec.render, diagnostics)])
    assert not leaks(suite.game), where
    for case in run_cases(suite):
        assert case.passed, f"{where}: {case.name}: {case.message}"


@pytest.mark.parametrize("page", PAGES)
def test_it_is_about_games_not_about_programs(page):
    assert {block.language for block in blocks(page)} <= {"yaml", "console", "csv"}


def test_it_shows_what_goes_wrong():
    assert any(block.text.startswith("# mistake:") for page in LESSONS for block in blocks(page))


@pytest.mark.parametrize("page", sorted(str(file.relative_to(DOCS))[:-3] for file in DOCS.rglob("*.md")))
def test_its_links_lead_somewhere(page):
    """To files that are there, and to headings or anchors that they have."""
    for target, place in LINK.findall(BLOCK.sub("", text_of(page))):
        if target.startswith(("https://", "http://")):
            continue
        file = (DOCS / page).parent / target if target else DOCS / f"{page}.md"
        assert file.exists(), target
        if place and file.suffix == ".md":
            assert place in places(file), f"{target}#{place}"


@functools.cache
def places(file: Path) -> set[str]:
    """What a link may name in a page: its headings and anchors."""
    text = BLOCK.sub("", file.read_text(encoding="utf-8"))
    seen: dict[str, int] = {}
    for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        name = anchor(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title))
        seen[name] = seen.get(name, 0) + 1
    again = {f"{name}-{number}" for name, count in seen.items() for number in range(1, count)}
    return {*seen, *again, *re.findall(r'<a id="([^"]+)">', text)}


def test_the_index_names_every_page():
    assert {file.name for file in DOCS.glob("*.md")} - {"README.md"} <= {
        target for target, _ in LINK.findall(text_of("README"))
    }


def test_the_pages_of_the_path_lead_from_one_to_the_next():
    path = re.findall(r"^ *\d+\. \[.+?\]\(([\w/]+)\.md\)", text_of("README"), re.MULTILINE)
    assert len(path) >= 6
    for number, page in enumerate(path):
        foot = text_of(page).rstrip().splitlines()[-1]
        home = (DOCS / page).parent
        before = f"({os.path.relpath(DOCS / path[number - 1], home)}.md)" if number else ""
        after = f"({os.path.relpath(DOCS / path[number + 1], home)}.md)" if number + 1 < len(path) else "(howto.md)"
        assert ("Previous: " in foot) == bool(number) and before in foot and "Next: [" in foot and after in foot, page
        assert "howto.md#common-mistakes" in foot


def test_every_recipe_is_in_the_table_of_contents():
    """Each entry has the anchor that the recipe had when all of them were one page."""
    listed = re.findall(r"^- <a id=\"([\w-]+)\"></a>\[(.+)\]\((.+)\.md#(.+)\)$", text_of("howto"), re.MULTILINE)
    titles = [
        (anchor(title), title, page, anchor(title))
        for page in RECIPES
        for title in re.findall(r"^## (.+)$", text_of(page), re.MULTILINE)
    ]
    assert sorted(listed) == sorted(titles)


@pytest.mark.parametrize("page", ["howto", "testing", "environments"])
def test_its_links_to_recipes_name_their_place(page):
    places = {
        f"{name}.md#{anchor(title)}"
        for name in RECIPES
        for title in re.findall(r"^## (.+)$", text_of(name), re.MULTILINE)
    }
    named = set(re.findall(r"\]\((?:docs/)?(howto/[^)]*#[^)]*)\)", text_of(page)))
    assert named <= places, named - places


@pytest.mark.parametrize("page", RECIPES)
def test_a_recipe_says_the_rule_as_a_rulebook_does(page):
    for recipe in text_of(page).split("\n## ")[1:]:
        title, said, _ = recipe.split("\n\n", 2)
        assert re.fullmatch(r"> .+[.\"]", said), title


def anchor(title: str) -> str:
    """The fragment by which a page of Markdown names a heading."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
