"""Folders that nobody else can change: what is looked at on the way, links at each name, and others who are busy meanwhile."""

from __future__ import annotations

import _ctypes
import ctypes
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from interpreter.native import compiling, objects
from interpreter.native.building import tools
from interpreter.native.compiler import find_compiler
from interpreter.native.compiling import CompileError, shared_object
from interpreter.native.objects import ObjectStore
from rulespec.system import folders
from rulespec.system.folders import Unsafe, own_folder
from rulespec.system.store import EntryStore, entry
from tests.helpers.native import NEEDS_C
from tests.helpers.waiting import said_until

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners and rights as POSIX has them")
NAME, OTHER, STRANGER = "a" * 64, "b" * 64, 54321


@pytest.fixture
def inner(tmp_path: Path) -> Path:
    """A folder in a folder, as a careful user has them."""
    path = tmp_path / "above" / "inner"
    path.mkdir(parents=True, mode=0o755)
    path.parent.chmod(0o755)
    return path


def belongs(status: os.stat_result, owner: int) -> os.stat_result:
    """The same status with another owner."""
    return os.stat_result([owner if number == stat.ST_UID else value for number, value in enumerate(status)])


@pytest.fixture
def give(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Has a file look as a stranger's; only root could give it away."""
    given: set[str] = set()
    look = os.lstat

    def status(path: str) -> os.stat_result:
        found = look(path)
        return belongs(found, STRANGER) if str(path) in given else found

    monkeypatch.setattr(os, "lstat", status)
    return lambda path: given.add(str(path))


def why(path: Path) -> str:
    """Why a folder is not the user's own; empty if it is."""
    try:
        with own_folder(path) as folder:
            assert folder.handle is not None and os.path.samestat(os.fstat(folder.handle), path.stat())
            return ""
    except Unsafe as error:
        return f"{error.strerror}: {Path(error.filename).name}"


@pytest.mark.parametrize(
    ("mode", "found"),
    [
        (0o755, ""),
        (0o700, ""),
        (0o711, ""),
        (0o1777, ""),  # as /tmp is
        (0o777, "others may write to the folder: above"),
        (0o757, "others may write to the folder: above"),
        (0o2775, "others may write to the folder: above"),
    ],
)
def test_rights_of_the_folder_above(inner: Path, mode: int, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "alone_in_group", lambda _group, _user: False)
    inner.parent.chmod(mode)
    assert why(inner) == found


def test_a_group_of_ones_own_may_write(inner: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above, where others would be kept out of the folder by its own rights; not in the folder itself."""
    monkeypatch.setattr(folders, "alone_in_group", lambda _group, _user: True)
    inner.parent.chmod(0o775)
    assert why(inner) == ""
    inner.chmod(0o775)
    assert why(inner) == "the folder is not only the user's: inner"


@pytest.mark.parametrize(
    ("members", "users", "alone"),
    [
        ([], [1000], True),
        (["me"], [1000], True),
        (["me", "root"], [], False),  # a group of nobody's: a program may be of it
        (["you"], [1000], False),
        ([], [1000, 1001], False),
    ],
)
def test_who_is_in_a_group(members: list[str], users: list[int], alone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    grp, pwd = pytest.importorskip("grp"), pytest.importorskip("pwd")
    names = {0: "root", 1000: "me", 1001: "you"}
    people = [pwd.struct_passwd((names[one], "", one, 77, "", "/", "")) for one in users]
    by_number = {one: pwd.struct_passwd((name, "", one, one, "", "/", "")) for one, name in names.items()}
    monkeypatch.setattr(pwd, "getpwuid", by_number.__getitem__)
    monkeypatch.setattr(pwd, "getpwall", lambda: people)
    monkeypatch.setattr(grp, "getgrgid", lambda group: grp.struct_group(("g", "", group, members)))
    assert folders.alone_in_group.__wrapped__(77, 1000) is alone


def test_whose_the_folders_are(inner: Path, give: Callable[[Path], None]) -> None:
    give(inner.parent)
    assert why(inner) == "the folder belongs to another user: above"


def test_in_a_sticky_folder_what_others_made_is_theirs(inner: Path, give: Callable[[Path], None]) -> None:
    """Its rights keep others from what is ours, and not us from what is theirs."""
    inner.parent.chmod(0o1777)
    give(inner)
    assert why(inner) == "the folder belongs to another user: inner"


def test_links_on_the_way(inner: Path, tmp_path: Path, give: Callable[[Path], None]) -> None:
    near, far, up = tmp_path / "near", tmp_path / "far", tmp_path / "up"
    near.symlink_to("above/./inner")
    far.symlink_to(inner.parent)
    up.symlink_to(f"above/../{inner.parent.name}")
    assert [why(path) for path in (near, far / "inner", up / "inner", inner / ".." / "inner")] == [""] * 4
    inner.parent.chmod(0o777)
    assert {why(path) for path in (near, far / "inner", up / "inner")} == {"others may write to the folder: above"}
    inner.parent.chmod(0o755)
    give(near)
    assert why(near) == "the link belongs to another user: near"


def test_links_in_a_circle_have_no_end(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    with pytest.raises(OSError, match="symbolic links"), own_folder(tmp_path / "one"):
        pass


def test_what_is_made_is_for_the_user_alone(tmp_path: Path) -> None:
    mask = os.umask(0)
    try:
        with own_folder(tmp_path / "a" / "b", make=True):
            pass
    finally:
        os.umask(mask)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "a", tmp_path / "a" / "b")] == [0o700, 0o700]


def test_nothing_is_made_among_what_others_may_change(inner: Path) -> None:
    inner.chmod(0o777)
    with pytest.raises(Unsafe), own_folder(inner / "more", make=True):
        pass
    assert not list(inner.iterdir())


# --- entries and objects ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [entry(NAME), "key", f"{NAME}.so"])
@pytest.mark.parametrize("leads_to", ["a file", "a folder", "nothing"])
def test_no_link_is_written_through(tmp_path: Path, name: str, leads_to: str) -> None:
    folder, outside = tmp_path / "cache", tmp_path / "outside"
    folder.mkdir(mode=0o700)
    if leads_to == "a folder":
        outside.mkdir()
    elif leads_to == "a file":
        outside.write_text("mine")
    (folder / name).symlink_to(outside)
    store = ObjectStore(folder)
    assert store.put(NAME, b"object", (0, 0)) is not None
    assert not (folder / name).is_symlink() and store.get(NAME) is not None
    if leads_to == "a file":
        assert outside.read_text() == "mine"
    else:
        assert outside.exists() == (leads_to == "a folder") and not (outside.exists() and list(outside.iterdir()))


def test_others_who_may_rename_the_folder_are_not_believed(inner: Path) -> None:
    """Nor written for: each entry was sound before."""
    store = EntryStore(inner)
    store.put(NAME, 1)
    assert store.get(NAME) == 1
    inner.parent.chmod(0o777)
    store.put(OTHER, 2)
    assert store.get(NAME) is None and not (inner / entry(OTHER)).exists()
    inner.parent.chmod(0o755)
    assert store.get(NAME) == 1


def test_it_is_said_why_nothing_is_kept(inner: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(inner))
    monkeypatch.setenv("RULESPEC_NATIVE", "on")
    inner.parent.chmod(0o777)
    said = tools()
    assert isinstance(said, str)
    if "extension" not in said and "compiler" not in said:
        assert said == f"no objects are kept (RULESPEC_CACHE), as others may write to the folder: `{inner.parent}`"


@NEEDS_C
def test_nothing_is_compiled_where_others_could_replace_it(inner: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner.parent.chmod(0o777)
    monkeypatch.setattr(compiling.tempfile, "tempdir", str(inner))
    found = find_compiler()
    assert found is not None
    with pytest.raises(CompileError, match=r"others may write to the folder: `.*above` \(TMPDIR\)"):
        shared_object(found, {"a.c": "int a;"})


# --- what is loaded is what was looked at -----------------------------------------------------------------------------
@pytest.fixture(scope="module")
def shared() -> tuple[bytes, bytes]:
    """Two objects, of which each tells its number."""
    found = find_compiler()
    assert found is not None
    texts = [f'__attribute__((visibility("default"))) int number(void) {{ return {n}; }}' for n in (1, 2)]
    one, two = (shared_object(found, {"a.c": text}) for text in texts)
    return one, two


@pytest.fixture
def store(tmp_path: Path, shared: tuple[bytes, bytes]) -> ObjectStore:
    """Both of them, kept."""
    kept = ObjectStore(tmp_path / "cache")
    for name, content in zip((NAME, OTHER), shared, strict=True):
        assert kept.put(name, content, (0, 0)) is not None
    return kept


def number(name: str, keep: bool = False) -> int:
    """What the object that is loaded by a name tells; it is let go, unless it is to be kept."""
    loaded = ctypes.CDLL(name)
    told = int(loaded.number())
    if not keep:
        _ctypes.dlclose(loaded._handle)
    return told


@NEEDS_C
def test_a_file_that_is_exchanged_after_it_was_looked_at_is_not_loaded(store: ObjectStore) -> None:
    with store.opened(NAME) as built:
        assert built is not None
        os.replace(store.folder / f"{OTHER}.so", store.folder / f"{NAME}.so")
        if built.name.startswith(objects.DESCRIPTORS):
            assert number(built.name) == 1
    assert store.get(NAME) is None


@NEEDS_C
def test_a_descriptor_that_is_used_again_is_not_taken_for_what_it_was(store: ObjectStore) -> None:
    """The loader keeps objects by the names they were loaded by."""
    told = []
    for name in (NAME, OTHER, NAME):
        with store.opened(name) as built:
            assert built is not None
            told.append(number(built.name, keep=True))
    assert told == [1, 2, 1]


SWAPS = """
import os, sys
one, two = sys.argv[1:]
print("ready", flush=True)
while True:
    for names in ((one, one + "x"), (two, one), (one, two), (one + "x", one)):
        os.replace(*names)
"""


@pytest.fixture
def swapping(store: ObjectStore) -> Iterator[None]:
    """Another process gives the two objects each other's names and back, as fast as it can."""
    paths = [str(store.folder / f"{name}.so") for name in (NAME, OTHER)]
    with subprocess.Popen([sys.executable, "-c", SWAPS, *paths], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said_until(process, process.stdout, "ready")
        yield
        process.kill()


@NEEDS_C
@pytest.mark.skipif(not os.path.exists(objects.DESCRIPTORS), reason="descriptors have no names here")
@pytest.mark.usefixtures("swapping")
def test_while_files_are_exchanged_nothing_else_is_loaded(store: ObjectStore) -> None:
    found = []
    for _ in range(200):
        with store.opened(NAME) as built:
            if built is not None and built.path is not None:
                found.append(number(built.name))
    assert found and set(found) == {1}
