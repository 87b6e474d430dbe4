"""What a wheel of this checkout holds. `make wheel-smoke` installs one and plays from it."""

from __future__ import annotations

import ast
import configparser
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

import interpreter
import rulespec
from interpreter.native import building
from tests.helpers.places import ROOT
from tools.dev import extension
from tools.dev.metadata_hook import VARIABLE as REPOSITORY
from tools.dev.metadata_hook import described, repository
from tools.dev.wheel_hook import Relocation, relocated

LEFT_OUT = (ROOT / "tools" / "dev", ROOT / "tools" / "terminal" / "pictures.py")  # they work on a checkout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    directory = str(tmp_path_factory.mktemp("wheel"))
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(REPOSITORY, raising=False)
        (built,) = WheelBuilder(str(ROOT)).build(directory=directory, versions=["standard"])
    return zipfile.ZipFile(built)


@pytest.fixture(scope="module")
def names(wheel: zipfile.ZipFile) -> set[str]:
    return set(wheel.namelist())


def sources(folder: str, *patterns: str) -> list[str]:
    found = {path for pattern in patterns for path in (ROOT / folder).rglob(pattern)}
    return sorted(
        path.relative_to(ROOT / folder).as_posix() for path in found if not {*LEFT_OUT} & {path, *path.parents}
    )


def test_one_name_is_at_the_top(names: set[str]) -> None:
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"rulespec"}


@pytest.mark.parametrize(("package", "place"), [("rulespec", "rulespec"), ("interpreter", "rulespec/interpreter")])
def test_packages_are_complete_and_typed(package: str, place: str, names: set[str]) -> None:
    expected = sources(package, "*.py", "*.pyi", "*.lark", "*.json", "py.typed")
    assert "py.typed" in expected
    assert {f"{place}/{path}" for path in expected} <= names


def test_codes_are_one_file(names: set[str]) -> None:
    own = {name for name in names if name.startswith(("rulespec/codes/", "rulespec/lint/"))}
    assert "rulespec/codes/catalogue.json" in own
    assert not [name for name in own if name.endswith(".yaml")]


def test_the_interpreter_is_named_inside(wheel: zipfile.ZipFile, names: set[str]) -> None:
    """No module of the wheel imports a top-level `interpreter`, which may be another's; nothing but such imports is changed."""
    moved = 0
    for name in sorted(names):
        if not name.endswith((".py", ".pyi")):
            continue
        text = wheel.read(name).decode()
        for node in ast.walk(ast.parse(text)):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                modules = [node.module or ""]
            assert not [m for m in modules if m.split(".")[0] == "interpreter"], name
            moved += [m.startswith("rulespec.interpreter") for m in modules].count(True)
        folder, _, rest = name.removeprefix("rulespec/").partition("/")
        original = {"interpreter": f"interpreter/{rest}", "_tools": f"tools/{rest}"}.get(folder, name)
        assert text.replace("from rulespec.interpreter", "from interpreter") == (ROOT / original).read_text("utf-8")
    assert moved > 100


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from interpreter import Game\n", "from rulespec.interpreter import Game\n"),
        (
            "if x:\n    from interpreter.a import (\n    b,)\n",
            "if x:\n    from rulespec.interpreter.a import (\n    b,)\n",
        ),
        ("import interpreter\n", "from rulespec import interpreter\n"),
        ("from . import interpreter\nimport interpreters\n", None),
        ("T = 'from interpreter import Game'\n", None),
    ],
)
def test_relocation(before: str, after: str | None) -> None:
    assert relocated(before, "m.py") == (before if after is None else after)


@pytest.mark.parametrize(
    "text", ["import interpreter.game\n", "import os, interpreter\n", "x = 1; import  interpreter\n"]
)
def test_what_cannot_be_relocated_stops_the_build(text: str) -> None:
    with pytest.raises(ValueError, match="1"):
        relocated(text, "m.py")


def test_another_interpreter_in_front_of_a_checkout_is_told(tmp_path: Path) -> None:
    other = tmp_path / "interpreter"
    other.mkdir()
    (other / "__init__.py").write_text("", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    code = "import rulespec; rulespec.load; rulespec.Game"
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60
    )
    last = told.stderr.splitlines()[-1]
    assert last.startswith(f"ImportError: `interpreter` is another package here, {other}") and str(ROOT) in last
    command = [sys.executable, "-m", "rulespec", "simulate", "tic_tac_toe", "--games", "2", "--seed", "1"]
    played = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    assert played.returncode == 0, played.stderr


@pytest.mark.parametrize(
    ("folder", "place", "patterns"),
    [
        ("tools", "rulespec/_tools", ["*.py", "*.yaml", "*.md", "*.html", "*.css", "*.js", "*.svg"]),
        ("games", "rulespec/data/games", ["*.yaml", "*.csv", "*.md"]),
        ("schemas", "rulespec/data/schemas", ["*.json"]),
    ],
)
def test_the_other_folders_travel_inside(folder: str, place: str, patterns: list[str], names: set[str]) -> None:
    expected = sources(folder, *patterns)
    assert expected, f"{folder}/ is empty"
    assert {f"{place}/{path}" for path in expected} <= names


def test_what_measures_a_checkout_stays_behind(names: set[str]) -> None:
    for folder in LEFT_OUT:
        assert folder.exists()
        assert not [
            n for n in names if n.startswith(f"rulespec/_tools/{folder.relative_to(ROOT / 'tools').as_posix()}")
        ]


def test_nothing_built_or_cached_travels(names: set[str]) -> None:
    assert not [n for n in names if "__pycache__" in n or n.endswith(".pyc") or "/tests/" in n]


def test_the_console_command(wheel: zipfile.ZipFile, names: set[str]) -> None:
    (file,) = (name for name in names if name.endswith(".dist-info/entry_points.txt"))
    parser = configparser.ConfigParser()
    parser.read_string(wheel.read(file).decode())
    assert dict(parser["console_scripts"]) == {"rulespec": "rulespec.__main__:main"}
    assert "rulespec/__main__.py" in names


def test_a_checkout_holds_no_copy_of_the_data() -> None:
    """Such a copy would hide the real folders: see rulespec/system/resources.py and __main__.py."""
    assert not (ROOT / "rulespec" / "interpreter").exists()
    assert not (ROOT / "rulespec" / "data").exists()
    assert not (ROOT / "rulespec" / "_tools").exists()


def test_licence_and_notice_travel(wheel: zipfile.ZipFile, names: set[str]) -> None:
    (file,) = (name for name in names if name.endswith(".dist-info/METADATA"))
    metadata = wheel.read(file).decode()
    assert "License-Expression: MIT" in metadata
    for name in ("LICENSE", "NOTICE"):
        assert wheel.read(f"{file.removesuffix('METADATA')}licenses/{name}") == (ROOT / name).read_bytes()


def linked(text: str) -> list[str]:
    """The targets of Markdown's links and pictures, those in code left out."""
    return re.findall(r"\]\(([^)]+)\)", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))


def test_a_wheel_makes_no_address_up(wheel: zipfile.ZipFile, names: set[str]) -> None:
    """Nothing of its long description leads to a file that an index does not have."""
    (file,) = (name for name in names if name.endswith(".dist-info/METADATA"))
    head, _, text = wheel.read(file).decode().partition("\n\n")
    assert "Project-URL" not in head and "Description-Content-Type: text/markdown" in head
    assert text.startswith("# Rulespec\n") and "```python\nimport pyspiel\n" in text and "MIT, see LICENSE." in text
    assert [target for target in linked(text) if not target.startswith(("#", "https://"))] == []


def test_a_repository_that_is_named_is_linked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REPOSITORY, "https://forge.example/someone/rulespec.git")
    builder = WheelBuilder(str(ROOT))
    told = builder.config.core_metadata_constructor(builder.metadata)
    address = "https://forge.example/someone/rulespec"
    pages = dict(line.removeprefix("Project-URL: ").split(", ") for line in told.splitlines() if "Project-URL" in line)
    assert pages["Repository"] == address and len(pages) == 4
    files = [target.split("/HEAD/")[1].split("#")[0] for target in linked(told) if target.startswith(f"{address}/")]
    assert len(files) == len(linked((ROOT / "README.md").read_text("utf-8"))) and f"{address}/raw/HEAD/docs" in told
    files += [page.split("/HEAD/")[1] for page in pages.values() if "/HEAD/" in page]
    assert [file for file in files if not (ROOT / file).exists()] == []


@pytest.mark.parametrize(
    ("text", "plain", "absolute"),
    [
        ("see [`a`](b.md#c).", "see `a`.", "see [`a`](https://h/o/n/blob/HEAD/b.md#c)."),
        ("![x](y.png)\n\nz", "z", "![x](https://h/o/n/raw/HEAD/y.png)\n\nz"),
        ("[a](#b) [c](https://d/e)", "[a](#b) [c](https://d/e)", "[a](#b) [c](https://d/e)"),
        ("`[a](b)`\n```\n[a](b)\n```\n", "`[a](b)`\n```\n[a](b)\n```\n", "`[a](b)`\n```\n[a](b)\n```\n"),
    ],
    ids=["file", "picture", "elsewhere", "code"],
)
def test_links_of_a_description(text: str, plain: str, absolute: str) -> None:
    assert described(text, None) == plain and described(text, "https://h/o/n") == absolute


@pytest.mark.parametrize("value", ["forge", "https://forge.example", "ssh://a@b/c", "https://a/b c", "https://a/b?c"])
def test_what_is_no_address_of_a_repository_stops_the_build(value: str) -> None:
    assert repository(" ") is None
    with pytest.raises(ValueError, match=REPOSITORY):
        repository(value)


def test_the_changelog_has_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", text, flags=re.M)
    assert released[0] == rulespec.__version__ and text.index("## [Unreleased]") < text.index(f"## [{released[0]}]")


def test_the_notice_names_every_game_and_only_those() -> None:
    text = (ROOT / "NOTICE").read_text(encoding="utf-8")
    named = re.findall(r"^    games/(\w+) +\S", text, flags=re.M)
    assert sorted(named) == sorted(path.parent.name for path in (ROOT / "games").glob("*/game.yaml"))


def test_the_language_offers_what_the_interpreter_offers() -> None:
    assert set(interpreter.__all__) <= set(rulespec.__all__)
    assert all(getattr(rulespec, name) is getattr(interpreter, name) for name in interpreter.__all__)
    assert all(hasattr(rulespec, name) for name in rulespec.__all__) and rulespec.interpreter is interpreter


class Heard:
    """What a build says."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def display_warning(self, message: str) -> None:
        self.warnings.append(message)


@pytest.mark.parametrize(
    ("wanted", "heard"), [("", ["not built"]), ("off", []), ("required", None)], ids=["anyhow", "off", "required"]
)
def test_a_build_without_the_extension_says_so(
    wanted: str, heard: list[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESPEC_NATIVE", wanted)
    ears = Heard()
    hook = Relocation(str(ROOT), {}, None, None, "", "wheel", ears)  # type: ignore[arg-type]
    if heard is None:
        with pytest.raises(RuntimeError, match="not built"):
            hook.tell("core.c:1: error")
        return
    hook.tell("core.c:1: error")
    hook.tell(None)
    assert len(ears.warnings) == len(heard)
    assert all(part in said and "core.c:1" in said for part, said in zip(heard, ears.warnings, strict=True))


def test_a_wheel_without_the_extension_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cc = tmp_path / "cc"
    cc.write_text("#!/bin/sh\necho no such flag >&2\nexit 1\n", encoding="utf-8")
    cc.chmod(0o755)
    monkeypatch.setenv("CC", str(cc))
    monkeypatch.delenv("RULESPEC_NATIVE", raising=False)
    (built,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(built) as archive:
        said = archive.read("rulespec/interpreter/native/not_built.txt").decode()
    assert said == "no such flag\n" and "py3-none-any" in built
    (tmp_path / building.ABSENT).write_text(said, encoding="utf-8")
    monkeypatch.setattr(building, "__file__", str(tmp_path / "building.py"))
    assert "no such flag" in building.absent()


def test_flags_of_the_environment_come_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "sh")
    monkeypatch.setenv("RULESPEC_NATIVE", "on")
    monkeypatch.setenv("CFLAGS", "-O1 -DNAME='a b'")
    monkeypatch.setenv("LDFLAGS", "-Wl,-z,now")
    words = extension.command(tmp_path / "out.so")
    assert words is not None and words[-1] == "-Wl,-z,now"
    assert words.index("-O1") > words.index("-O3") and "-DNAME=a b" in words
    monkeypatch.setenv("CFLAGS", "'open")
    assert "No closing quotation" in (extension.build(tmp_path / "out.so") or "")


def test_dir_shows_what_is_offered() -> None:
    assert {name for name in dir(interpreter) if not name.startswith("_")} == set(interpreter.__all__)
    assert {name for name in dir(rulespec) if not name.startswith("_")} == set(rulespec.__all__) - {"__version__"}


def test_help_shows_what_is_offered() -> None:
    """In a process that has asked for nothing yet. `help` lists every module, so the text above says which are public."""
    code = "import rulespec; help(rulespec)"
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert told.returncode == 0 and told.stderr == ""
    described = set(re.findall(r"^    (?:class )?(\w+)(?:\(| = |$)", told.stdout, flags=re.M))
    assert set(rulespec.__all__) - {"__version__"} <= described and rulespec.__version__ in told.stdout
    assert "environments in `rulespec.envs`" in told.stdout.partition("PACKAGE CONTENTS")[0]
