"""Objects of games: who compiles them, where they lie, what is not loaded, and that nothing of it ever keeps a game from being played."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import interpreter
import rulespec
from interpreter.files.transfer import unpacked_program
from interpreter.game import NativeState
from interpreter.native import background, building, compiler, compiling, kit, objects
from interpreter.native.compiler import Compiler, find_compiler
from interpreter.native.compiling import CompileError, shared_object
from interpreter.native.emitter.kit import EMITTER
from interpreter.native.objects import ObjectStore, key_of
from tests.helpers import race
from tests.helpers.commands import run
from tests.helpers.native import NEEDS_C
from tests.helpers.places import ROOT
from tools.dev import native_check

pytestmark = NEEDS_C
KEY = "0" * 64


@pytest.fixture(scope="module")
def gamedef() -> Any:
    return rulespec.load(race.GAME)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for objects, and native play."""
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(building.VARIABLE, "on")
    return tmp_path / "cache" / "native"


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> race.Race:
    """What writes the C, and counts how often."""
    one = race.Race()
    monkeypatch.setattr(kit, "KIT", one)
    return one


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def problem(gamedef: Any) -> str:
    """Why the game cannot be played natively; and it can be played."""
    with pytest.raises(interpreter.IllegalAction) as caught:
        interpreter.Game(gamedef, backend="native")
    assert caught.value.diagnostic.code == "P013"
    assert not isinstance(interpreter.Game(gamedef).new_state(1), NativeState)
    return str(caught.value)


# --- the compiler -----------------------------------------------------------------------------------------------------
def test_cc_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = script(tmp_path / "mycc", 'exec cc "$@"')
    monkeypatch.setenv("CC", f"{mine} -DA -O0")
    one = find_compiler()
    assert one is not None and one.command == (str(mine), "-DA", "-O0")
    monkeypatch.setenv("CC", f"{mine} -DB")
    two = find_compiler()
    assert two is not None and two.identity != one.identity
    for nonsense in ("no such compiler", "'", " "):
        monkeypatch.setenv("CC", nonsense)
        other = find_compiler()
        assert other is not None and other.command[0].endswith("cc")


def test_no_compiler(gamedef: Any, written: race.Race, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    assert find_compiler() is None and "no C compiler" in problem(gamedef) and not written.written


def test_a_compiler_may_come_as_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / compiler.PACKAGED
    package.mkdir()
    (package / "__init__.py").touch()
    zig = script(package / "zig", 'shift; exec /usr/bin/env cc "$@"')
    monkeypatch.syspath_prepend(str(tmp_path))
    first = find_compiler()
    assert first is not None and first.command[0] != str(zig)  # the system's own comes first
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(compiler, "CANDIDATES", ())
    brought = find_compiler()
    assert brought is not None and brought.command == (str(zig), "cc")
    assert shared_object(brought, {"a.c": "int a;"})


def test_whatever_is_missing_is_told(gamedef: Any, written: race.Race, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv(building.VARIABLE, "OFF")
        assert "RULESPEC_NATIVE is off" in problem(gamedef)
    with monkeypatch.context() as patch:
        patch.setattr(building, "core", None)
        assert "extension module" in problem(gamedef)
    with monkeypatch.context() as patch:
        patch.setenv("RULESPEC_CACHE", "off")
        assert "RULESPEC_CACHE" in problem(gamedef)
    with monkeypatch.context() as patch:
        patch.setattr(kit, "KIT", None)
        assert "nothing writes C" in problem(gamedef)
    assert not written.written


def test_what_a_compiler_says_is_bounded(tmp_path: Path) -> None:
    talkative = Compiler((str(script(tmp_path / "cc", "yes error | head -c 200000 >&2; exit 1")),), "x")
    with pytest.raises(CompileError) as caught:
        shared_object(talkative, {"a.c": ""})
    assert str(caught.value).startswith("error") and len(str(caught.value)) <= 2000


def test_a_compiler_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all that it has started."""
    monkeypatch.setattr(compiling, "SECONDS", 0.5)
    marker = tmp_path / "alive"
    slow = Compiler((str(script(tmp_path / "cc", f"(sleep 1.5; touch {marker}) & sleep 30")),), "x")
    start = time.perf_counter()
    with pytest.raises(CompileError, match=r"more than 0\.5 s"):
        shared_object(slow, {"a.c": ""})
    assert time.perf_counter() - start < 10
    time.sleep(1.6)
    assert not marker.exists()


def test_a_compiler_has_so_much_memory_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_compiler()
    assert found is not None
    monkeypatch.setattr(compiling, "BOUNDED", compiling.BOUNDED.replace(str(compiling.KIBIBYTES), "20000"))
    if subprocess.run(["sh", "-c", "ulimit -v 20000"]).returncode:
        pytest.skip("this system does not bound memory")
    with pytest.raises(CompileError):
        shared_object(found, {"a.c": "int a;"})


def test_units_are_compiled_apart_and_linked() -> None:
    found = find_compiler()
    assert found is not None
    texts = {
        "a.c": '#include "b.h"\nint a(void) { return b() + 1; }',
        "b.c": "int b(void) { return 1; }",
        "b.h": "int b(void);",
    }
    content = shared_object(found, texts)
    assert content[:4] in (b"\x7fELF", b"\xcf\xfa\xed\xfe")
    with pytest.raises(CompileError):
        shared_object(found, {**texts, "c.c": "int a(void) { return 2; }"})


# --- the folder -------------------------------------------------------------------------------------------------------
def kept(folder: Path, content: bytes = b"object") -> ObjectStore:
    store = ObjectStore(folder)
    built = store.put(KEY, content, (0.5, 1.0), (("here", "why"),) * 3, [1, {"a": None}])
    assert built is not None and built.path == folder / f"{KEY}.so" and built.path.read_bytes() == content
    assert (built.emitting, built.compiling, built.handed, built.layout, built.size) == (
        0.5,
        1.0,
        3,
        [1, {"a": None}],
        len(content),
    )
    return store


def trim(store: ObjectStore) -> None:
    with store.entries.opened() as folder:
        assert folder is not None
        store.trim(folder)


def test_only_the_user_has_rights(folder: Path) -> None:
    kept(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(path.stat().st_mode) & 0o077 for path in sorted(folder.iterdir())] == [0, 0, 0]


def spoilt(folder: Path) -> None:
    (folder / f"{KEY}.so").write_bytes(b"another")


def shared_file(folder: Path) -> None:
    (folder / f"{KEY}.so").chmod(0o722)


def shared_folder(folder: Path) -> None:
    folder.chmod(0o777)


def link(folder: Path) -> None:
    (folder / f"{KEY}.so").rename(folder / "elsewhere")
    (folder / f"{KEY}.so").symlink_to(folder / "elsewhere")


def other_entry(folder: Path) -> None:
    (folder / f"{KEY}.json").rename(folder / f"{'1' * 64}.json")


def new_secret(folder: Path) -> None:
    (folder / "key").write_bytes(b"k" * 32)


@pytest.mark.parametrize("change", [spoilt, shared_file, shared_folder, link, other_entry, new_secret])
def test_what_may_be_of_others_is_not_loaded(folder: Path, change: Callable[[Path], None]) -> None:
    store = kept(folder)
    assert store.get(KEY) is not None
    change(folder)
    assert store.get(KEY) is None


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_objects_of_others_are_not_loaded(folder: Path) -> None:
    store = kept(folder)
    os.chown(folder / f"{KEY}.so", 12345, -1)
    assert store.get(KEY) is None
    os.chown(folder / f"{KEY}.so", 0, -1)
    assert store.get(KEY) is not None
    os.chown(folder, 12345, -1)
    assert store.get(KEY) is None and store.put("1" * 64, b"", (0, 0)) is None


def test_old_objects_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "MAX_TOTAL", 2500)
    store = ObjectStore(folder)
    names = [str(number) * 64 for number in range(4)]
    for number, name in enumerate(names):
        store.put(name, bytes(1000), (0, 0))
        os.utime(folder / f"{name}.json", (number, number))
    stray = folder / f"{'f' * 64}.so"
    stray.write_bytes(b"nobody knows what it is")
    os.utime(stray, (0, 0))
    trim(store)
    assert [store.get(name) is not None for name in names] == [False, False, True, True]
    assert len(list(folder.glob("*.so"))) == 2


def test_an_object_whose_entry_is_not_written_yet_stays(folder: Path) -> None:
    """Between the two another process may trim."""
    store = kept(folder)
    new = folder / f"{'f' * 64}.so"
    new.write_bytes(b"just written")
    trim(store)
    assert new.exists() and store.get(KEY) is not None


def test_what_the_compiler_keeps_counts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "MAX_TOTAL", 2500)
    store = ObjectStore(folder)
    beside = store.beside()
    assert beside is not None
    (beside / "o").mkdir(parents=True)
    (beside / "o" / "libc.a").write_bytes(bytes(1000))
    for number, name in enumerate(("1" * 64, "2" * 64)):
        store.put(name, bytes(1000), (0, 0))
        os.utime(folder / f"{name}.json", (number, number))
    trim(store)
    assert [store.get(name * 64) is not None for name in "12"] == [False, True] and beside.exists()
    (beside / "o" / "libm.a").write_bytes(bytes(500))
    trim(store)
    assert not beside.exists() and store.get("2" * 64) is not None


def test_a_compiler_keeps_its_own_libraries_with_the_objects(tmp_path: Path, folder: Path) -> None:
    cc = script(tmp_path / "cc", 'echo "$ZIG_GLOBAL_CACHE_DIR" >&2; exit 1')
    beside = ObjectStore(folder).beside()
    with pytest.raises(CompileError, match=str(beside)):
        shared_object(Compiler((str(cc),), "x"), {"game.c": ""}, beside)


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("game.c:1: error: expected identifier", objects.DAY),
        ("ld: final link failed: No space left on device", objects.MINUTE),
    ],
)
def test_how_long_a_failure_is_believed(said: str, seconds: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = ObjectStore(folder)
    store.refuse(KEY, said)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + seconds - 10)
    assert store.get(KEY) is not None
    monkeypatch.setattr(time, "time", lambda: now + seconds + 10)
    assert store.get(KEY) is None


def test_keys_tell_what_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = Compiler(("cc",), "one"), Compiler(("cc",), "two")
    keys = {key_of("a", one), key_of("b", one), key_of("a", two)}
    monkeypatch.setattr(compiler, "features", lambda: ("-mother",))
    keys.add(key_of("a", one))
    monkeypatch.setattr(objects, "emitter", lambda: "another")
    assert len(keys | {key_of("a", one)}) == 5


# --- switching --------------------------------------------------------------------------------------------------------
def here(key: str, packed: bytes) -> None:
    """What the process does that makes an object, in this one."""
    there = building.tools()
    assert isinstance(there, building.Tools)
    there.store.get(key) or building.build(unpacked_program(packed), key, there)


def test_play_begins_in_python_and_goes_on_in_c(
    gamedef: Any, written: race.Race, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "make", here)
    game = interpreter.Game(gamedef)
    assert not written.written  # nobody has played yet
    first = game.new_state(1)
    assert not isinstance(first, NativeState)
    assert game.switch is not None and game.switch.done.wait(60)
    second = game.new_state(1)
    assert isinstance(second, NativeState) and isinstance(second, interpreter.State)
    assert first == second and isinstance(game.playout(1), NativeState)
    again = interpreter.Game(gamedef)
    assert isinstance(again.new_state(1), NativeState) and written.written == 1
    assert isinstance(interpreter.Game(gamedef, backend="native").new_state(1), NativeState) and written.written == 1
    for backend in ("python", "generated", "reference"):
        assert not isinstance(interpreter.Game(gamedef, backend=backend).new_state(1), NativeState)


def test_an_object_serves_wherever_the_file_was_read_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a path from here, by a whole one, and where it was moved to."""
    monkeypatch.setattr(kit, "KIT", EMITTER)
    text = (ROOT / "games" / "tic_tac_toe" / "game.yaml").read_text(encoding="utf-8")
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "game.yaml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert isinstance(interpreter.Game(rulespec.load("one/game.yaml"), backend="native").playout(1), NativeState)
    for path in (tmp_path / "one" / "game.yaml", tmp_path / "two" / "game.yaml"):
        game = interpreter.Game(rulespec.load(path))
        assert game.switch is not None and game.switch.kept(), path
        assert isinstance(game.playout(1), NativeState)


def test_what_cannot_be_compiled_is_played_in_python(
    gamedef: Any, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    """It is tried once, and the reason kept."""
    wrong = race.Race(spoilt="\n#error not today\n")
    monkeypatch.setattr(kit, "KIT", wrong)
    for _ in range(2):
        assert "not today" in problem(gamedef)
    assert wrong.written == 1 and not list(folder.glob("*.so"))
    later = time.time() + objects.DAY + 60
    monkeypatch.setattr(objects.time, "time", lambda: later)
    assert "not today" in problem(gamedef) and wrong.written == 2


def test_a_mistake_in_what_writes_c_is_no_players(gamedef: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(race.Race):
        def write(self, _program: Any) -> Any:
            raise KeyError("oh")

    monkeypatch.setattr(kit, "KIT", Broken())
    assert "KeyError: 'oh'" in problem(gamedef)


@pytest.mark.parametrize(
    ("one", "told"),
    [
        (race.Race(ABI=99), "interface 99"),
        (race.Race(spoilt="\nint nowhere(void);int x(void){return nowhere();}"), "nowhere"),
    ],
)
def test_objects_that_cannot_be_loaded(
    gamedef: Any, monkeypatch: pytest.MonkeyPatch, one: race.Race, told: str
) -> None:
    monkeypatch.setattr(kit, "KIT", one)
    assert told in problem(gamedef)


def test_the_process_that_makes_objects(gamedef: Any, folder: Path) -> None:
    """It takes a packed program, and ends with 1 where there is nothing to be made."""
    packed = interpreter.Game(gamedef).packed.data
    command = [sys.executable, "-m", "interpreter.native.worker", f"{KEY}:{len(packed)}"]
    environment = {**os.environ, building.VARIABLE: "off"}
    done = subprocess.run(command, input=packed, cwd=ROOT, env=environment, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")
    background.make(KEY, b"nonsense")  # raises nothing: whoever waits finds no object
    assert not folder.exists() or not list(folder.glob("*.so"))


SHORT_LIVED = """\
import rulespec
for name in ("tic_tac_toe", "kuhn_poker"):
    rulespec.Game(rulespec.load(name)).playout(1)
"""


def test_a_program_that_ends_at_once_leaves_its_games_to_be_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them, not only the one that was begun."""
    monkeypatch.setattr(kit, "KIT", EMITTER)
    subprocess.run([sys.executable, "-c", SHORT_LIVED], cwd=ROOT, check=True, timeout=60)
    games = [interpreter.Game(rulespec.load(name)) for name in ("tic_tac_toe", "kuhn_poker")]
    end = time.monotonic() + 60
    while time.monotonic() < end and not all(game.switch is not None and game.switch.kept() for game in games):
        time.sleep(0.05)
    assert all(game.switch is not None and game.switch.kept() for game in games)


def test_the_module_and_the_header_agree() -> None:
    assert building.core is not None
    text = (ROOT / "interpreter" / "native" / "abi.h").read_text(encoding="utf-8")
    assert f"#define RS_ABI {building.core.ABI}\n" in text


def test_a_game_is_compiled_while_it_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a process of its own, which writes the C of a shipped game."""
    monkeypatch.setattr(kit, "KIT", EMITTER)
    game = interpreter.Game(rulespec.load("tic_tac_toe"))
    before = game.playout(3)
    assert not isinstance(before, NativeState) and game.switch is not None
    assert game.switch.done.wait(120), "no object after two minutes"
    after = game.playout(3)
    assert isinstance(after, NativeState) and after.slots == before.slots, game.switch.problem


def test_commands(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """`build` makes objects ahead, `--backend` chooses, `list --verbose` says what there is."""
    monkeypatch.setattr(kit, "KIT", race.Race())
    game = str(race.GAME)
    code, out, err = run(capsys, "build", game)
    assert (
        code == 0
        and not err
        and out.startswith("race, 2 players: written in ")
        and "compiled in" in out
        and str(folder) in out
    )
    assert "1 place left to Python" in out and "race.yaml:9 (Ask of game): written by hand" in out
    code, out, err = run(capsys, "build", game, "--json")
    (report,) = json.loads(out)
    assert code == 0 and report["was_there"] and Path(report["path"]).stat().st_size == report["bytes"]
    ends = set()
    for backend in ("auto", "native", "python", "reference"):
        code, out, err = run(capsys, "simulate", game, "--games", "5", "--backend", backend)
        ends.add(out)
        code, out, err = run(capsys, "play", game, "--bots", "--seed", "1", "--backend", backend)
        assert code == 0 and "The game is over" in out
    assert len(ends) == 1
    assert (
        "left to Python: race.yaml:9 (Ask of game): written by hand" in run(capsys, "simulate", game, "--games", "5")[2]
    )
    code, out, err = run(capsys, "list", game, "--verbose")
    assert out.splitlines()[-2] == "race is played by: native, 1 place left to Python"
    assert out.splitlines()[-1].startswith("native play: yes, with ") and out.splitlines()[-1].endswith(str(folder))
    monkeypatch.setenv(building.VARIABLE, "off")
    assert run(capsys, "list", game, "-v")[1].splitlines()[-1] == "native play: no, RULESPEC_NATIVE is off"
    code, out, err = run(capsys, "play", game, "--bots", "--backend", "native")
    assert code == 2 and "P013" in err
    code, out, err = run(capsys, "build", game)
    assert code == 1 and "RULESPEC_NATIVE is off" in out


def test_the_check_says_what_is_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout without its extension module: one message, not a failed assertion."""
    monkeypatch.setattr(building, "core", None)
    done = CliRunner().invoke(native_check.command, ["tic_tac_toe"])
    assert (done.exit_code, done.output) == (2, f"{native_check.UNBUILT}\n")


def test_native_check_makes_what_is_played_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the key that play looks for: in the process with the sanitizers nothing can be compiled."""
    monkeypatch.setattr(kit, "KIT", EMITTER)
    monkeypatch.setattr(compiling, "BOUNDED", compiling.BOUNDED)
    monkeypatch.setattr(compiling, "SECONDS", compiling.SECONDS)
    native_check.make("tic_tac_toe")
    switch = interpreter.Game(rulespec.load("tic_tac_toe")).switch
    assert switch is not None and switch.kept()
