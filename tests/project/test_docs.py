"""What the guides for contributors name is there: paths, modules, commands of make, and commands of the command line."""

import functools
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.helpers.places import ROOT
from tools import cli

PAGES = (
    "CONTRIBUTING.md",
    "docs/architecture.md",
    "docs/decisions.md",
    "interpreter/README.md",
    "README.md",
    "SECURITY.md",
    "docs/guarantees.md",
    "docs/install.md",
    "docs/python.md",
    "docs/environments.md",
    "docs/limits.md",
    "docs/compare.md",
    "docs/games.md",
    "docs/commands.md",
)
QUOTED = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#[^)]*)?\)")
FOLDERS = ("rulespec/", "interpreter/", "tools/", "tests/", "games/", "docs/", "schemas/", ".github/", ".ci/")
MODULE = re.compile(r"^(?!rulespec\.toml$)(?:rulespec|interpreter)(?:\.[a-z_]+)+$")


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def words(page: str) -> Iterator[tuple[int, str]]:
    """Each word that a page quotes, with its line."""
    for number, line in enumerate(text_of(page).splitlines(), 1):
        for quoted in QUOTED.findall(line):
            for word in re.split(r"[\s,]+", quoted):
                yield number, word


@pytest.mark.parametrize("page", PAGES)
def test_every_path_is_there(page: str) -> None:
    missing = [
        f"{page}:{number}: {word}"
        for number, word in words(page)
        if word.startswith(FOLDERS) and not any(mark in word for mark in "*<{") and not word.isupper()
        if not (ROOT / word).exists() and not re.search(r"\b(?:NAME|GAME|mygame)\b", word)
    ]
    assert not missing, "\n".join(missing)


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    folder = (ROOT / page).parent
    missing = [link for link in LINK.findall(text_of(page)) if link and not (folder / link).resolve().exists()]
    assert not missing, f"{page}: {missing}"


def test_every_promise_has_a_test() -> None:
    """In a file that is there; a promise without one is none."""
    rows = [line.split(" | ") for line in text_of("docs/guarantees.md").splitlines() if line.startswith("| ")]
    promises = [row for row in rows if row[0] != "| promise"]
    assert len(promises) >= 25
    for promise, tests, _ in promises:
        files = LINK.findall(tests)
        assert files and all(re.fullmatch(r"\.\./tests/\w+/test_\w+\.py", file) for file in files), promise
        assert all("\ndef test_" in (ROOT / "docs" / file).read_text(encoding="utf-8") for file in files), promise


@pytest.mark.parametrize("page", PAGES)
def test_every_module_is_there(page: str) -> None:
    def there(name: str) -> bool:
        path = ROOT / name.replace(".", "/")
        if path.is_dir() or path.with_suffix(".py").is_file():
            return True
        home, _, last = name.rpartition(".")  # a name that a package or module offers
        source = next((p for p in (file_of(home), file_of(f"{home}.__init__")) if p.is_file()), None)
        return source is not None and re.search(rf"\b{last}\b", source.read_text(encoding="utf-8")) is not None

    missing = [f"{page}:{n}: {word}" for n, word in words(page) if MODULE.match(word) and not there(word)]
    assert not missing, "\n".join(missing)


def file_of(module: str) -> Path:
    return ROOT / f"{module.replace('.', '/')}.py"


@pytest.mark.parametrize("page", PAGES)
def test_every_command_is_there(page: str) -> None:
    goals = set(re.findall(r"(?m)^([a-z][\w-]*):", text_of("Makefile")))
    commands = {path.stem for path in (ROOT / "tools/commands").glob("*.py")}
    text = text_of(page)
    unknown = [f"make {goal}" for goal in re.findall(r"`make ([a-z][\w-]*)", text) if goal not in goals]
    unknown += [
        f"rulespec {name}" for name in re.findall(r"`(?:\.venv/bin/)?rulespec ([a-z]+)", text) if name not in commands
    ]
    assert not unknown, f"{page}: {unknown}"


EVERY_PAGE = sorted([*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), *(ROOT / "games").glob("*/README.md")])
TYPED = re.compile(r"(?m)(?:`|^\$ )(?:\.venv/bin/)?rulespec ([a-z][^`\n#]*)")  # a command, quoted or in a console block


@functools.cache
def options_of(command: str) -> set[str]:
    """The options that a command takes."""
    params = import_module(f"tools.commands.{cli.MODULES[command][0]}").command.params
    return {"-h", "--help", *(name for one in params for name in (*one.opts, *one.secondary_opts))}


@pytest.mark.parametrize("page", EVERY_PAGE, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_that_are_shown_take_what_they_are_given(page: Path) -> None:
    unknown = [
        f"rulespec {command} {word}"
        for command, *given in (typed.split() for typed in TYPED.findall(page.read_text(encoding="utf-8")))
        for word in (one.partition("=")[0] for one in given)
        if re.fullmatch(r"--?[a-z][\w-]*", word) and word not in options_of(command)
    ]
    assert not unknown, f"{page}: {unknown}"
