"""What a wheel of this checkout holds. `make wheel-smoke` installs one and plays from it."""

import configparser
import zipfile

import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.helpers.places import ROOT

LEFT_OUT = (ROOT / "tools" / "bench", ROOT / "tools" / "mutation")  # they measure a checkout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    directory = str(tmp_path_factory.mktemp("wheel"))
    (built,) = WheelBuilder(str(ROOT)).build(directory=directory, versions=["standard"])
    return zipfile.ZipFile(built)


@pytest.fixture(scope="module")
def names(wheel: zipfile.ZipFile) -> set[str]:
    return set(wheel.namelist())


def sources(folder: str, *patterns: str) -> list[str]:
    found = {path for pattern in patterns for path in (ROOT / folder).rglob(pattern)}
    return sorted(path.relative_to(ROOT / folder).as_posix() for path in found if not {*LEFT_OUT} & {*path.parents})


def test_only_our_two_names_are_at_the_top(names: set[str]) -> None:
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"rulespec", "interpreter"}


@pytest.mark.parametrize("package", ["rulespec", "interpreter"])
def test_packages_are_complete_and_typed(package: str, names: set[str]) -> None:
    expected = sources(package, "*.py", "*.lark", "py.typed")
    assert "py.typed" in expected
    assert {f"{package}/{path}" for path in expected} <= names


@pytest.mark.parametrize(
    ("folder", "place", "patterns"),
    [
        ("tools", "rulespec/_tools", ["*.py", "*.yaml", "*.md"]),
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
        assert (folder / "__main__.py").is_file()
        assert not [n for n in names if n.startswith(f"rulespec/_tools/{folder.name}")]


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
    assert not (ROOT / "rulespec" / "data").exists()
    assert not (ROOT / "rulespec" / "_tools").exists()


def test_licence_and_notice_travel(wheel: zipfile.ZipFile, names: set[str]) -> None:
    (file,) = (name for name in names if name.endswith(".dist-info/METADATA"))
    metadata = wheel.read(file).decode()
    assert "License-Expression: MIT" in metadata
    for name in ("LICENSE", "NOTICE"):
        assert wheel.read(f"{file.removesuffix('METADATA')}licenses/{name}") == (ROOT / name).read_bytes()


def test_the_notice_names_every_game_with_a_publisher() -> None:
    """Such a game cites its rulebook in `sources.yaml`."""
    text = (ROOT / "NOTICE").read_text(encoding="utf-8")
    published = sorted(path.parent.name for path in (ROOT / "games").glob("*/sources.yaml"))
    assert published and [name for name in published if f"games/{name} " not in text] == []
