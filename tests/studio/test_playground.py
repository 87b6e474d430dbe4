"""The files of the playground, and games in links: without a network."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.dev import playground
from tools.dev.playground import HERE, Absent, fetched, ours, pages
from tools.studio import warming

LOCK = HERE / "package-lock.json"


def test_all_that_a_page_names_is_there():
    files = pages()
    assert {"index.html", "table.html", "worker.js", "page/socket.js", "studio/studio.js"} <= files.keys()
    for name in ("index.html", "table.html"):
        named = re.findall(r'(?:href|src)="([^"]+)"', files[name].decode())
        assert named and set(named) <= files.keys()
        assert b"Content-Security-Policy" in files[name] and b"unsafe-inline" not in files[name]
    for name, body in files.items():
        if name.endswith(".js") and not name.endswith("libraries.js"):
            for other in re.findall(r'(?:from|import)\s*\(?"(\.[^"]+)"', body.decode()):
                path = (Path("/") / name).parent.joinpath(other).resolve().as_posix()[1:]
                assert path in files or path.startswith("pyodide/"), f"{name} names {other}"


def test_the_page_reaches_no_server():
    assert b"WebSocket(" not in pages()["page/socket.js"]
    assert not any(re.search(rb"(?:import|fetch)\s*\(?[\"']https?:", body) for body in pages().values())


def test_the_package_holds_the_rules_and_nothing_of_a_checkout_s_own():
    names = ours().keys()
    assert {"rulespec/api.py", "tools/studio/alone.py", "games/tic_tac_toe/game.yaml"} <= names
    assert not any("__pycache__" in name or name.startswith("tools/dev/") or name.endswith(".so") for name in names)


def test_versions_are_pinned_with_digests():
    packages = json.loads(LOCK.read_text(encoding="utf-8"))["packages"]
    assert all(one.get("integrity") for path, one in packages.items() if path)
    lines = (HERE / "packages.txt").read_text(encoding="utf-8").splitlines()[1:]
    assert lines and all(re.fullmatch(r"[a-z-]+==[\d.]+ --hash=sha256:[0-9a-f]{64}", line) for line in lines)


def test_without_npm_it_says_what_helps(tmp_path, monkeypatch):
    monkeypatch.setattr(playground.shutil, "which", lambda _: None)
    with pytest.raises(Absent, match=r"npm is not there.*install Node\.js"):
        fetched(tmp_path)


@pytest.mark.skipif(shutil.which("node") is None, reason="runs the script of the page in node")
def test_links_hold_games_and_hostile_ones_are_refused(tmp_path):
    (tmp_path / "links.mjs").write_bytes((HERE / "page/links.js").read_bytes())
    (tmp_path / "run.mjs").write_text("""
        import { deflateRawSync } from "node:zlib";
        import { packed, unpacked, SIGN } from "./links.mjs";
        const link = (data) =>
          SIGN + deflateRawSync(typeof data === "string" ? data : JSON.stringify(data)).toString("base64url");
        const files = { "game.yaml": "id: wells\\ntitle: Über\\n", "cases/first.yaml": "" };
        const back = await unpacked(await packed("wells", files));
        const good = await packed("wells", files);
        const hostile = {
          "no game": "#token", "empty": SIGN, "letters": SIGN + "<script>",
          "cut": good.slice(0, -9), "noise": SIGN + "AAAA",
          "long": SIGN + "A".repeat(200001),
          "bomb": link(" ".repeat(50_000_000)), "no json": link("{"), "null": link("null"), "list": link([]),
          "name": link({ name: "../x", files }),
          "up": link({ name: "x", files: { "../game.yaml": "" } }),
          "root": link({ name: "x", files: { "/game.yaml": "" } }),
          "number": link({ name: "x", files: { "game.yaml": 1 } }),
          "none": link({ name: "x", files: {} }), "array": link({ name: "x", files: ["game.yaml"] }),
          "many": link({ name: "x", files: Object.fromEntries(Array.from({ length: 61 }, (_, n) => [`f${n}.yaml`, ""])) }),
        };
        const said = {};
        for (const [what, one] of Object.entries(hostile))
          said[what] = await unpacked(one).then(
            () => "taken", (problem) => (problem.constructor === Error ? problem.message : `fault ${problem}`));
        console.log(JSON.stringify({ back, said }));
    """, encoding="utf-8")  # fmt: skip
    done = subprocess.run(["node", "run.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    told = json.loads(done.stdout)
    assert told["back"] == {"name": "wells", "files": {"game.yaml": "id: wells\ntitle: Über\n", "cases/first.yaml": ""}}
    assert len(told["said"]) == 17
    assert not [what for what, said in told["said"].items() if said == "taken" or said.startswith("fault")], told


@pytest.mark.skipif(shutil.which("node") is None, reason="runs the script of the page in node")
def test_files_are_laid_out_as_they_were_packed(tmp_path):
    (tmp_path / "files.mjs").write_bytes((HERE / "page/files.js").read_bytes())
    (tmp_path / "run.mjs").write_text("""
        import { joined, laid, roomy } from "./files.mjs";
        const files = [["a.txt", "Über"], ["b/c/d.yaml", ""], ["b/e", "x".repeat(9)]];
        const found = {}, folders = [];
        const system = {
          mkdirTree: (path) => folders.push(path),
          writeFile: (path, bytes) => (found[path] = new TextDecoder().decode(bytes)),
        };
        laid(system, "/r", joined(files.map(([name, text]) => [name, new TextEncoder().encode(text)])));
        const grown = [];
        const make = async () => ({ HEAP8: [], _malloc(size) { grown.push(size); this.HEAP8 = { length: grown.length * size }; } });
        const module = await roomy(make)({ INITIAL_MEMORY: 10 << 20 });
        console.log(JSON.stringify({ found, folders, enough: module.HEAP8.length >= 10 << 20 }));
    """, encoding="utf-8")  # fmt: skip
    done = subprocess.run(["node", "run.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    told = json.loads(done.stdout)
    assert told["found"] == {"/r/a.txt": "Über", "/r/b/c/d.yaml": "", "/r/b/e": "x" * 9}
    assert told["folders"] == ["/r", "/r/b/c", "/r/b"] and told["enough"]


@pytest.mark.skipif(
    shutil.which("node") is None, reason="starts Python in node, as the playground does when it is made"
)
def test_a_python_that_does_not_start_is_told(tmp_path):
    (tmp_path / "pyodide.mjs").write_text("export async function loadPyodide() { throw new Error('no room'); }")
    with pytest.raises(Absent, match="Error: no room"):
        playground.freeze(tmp_path, {"a.py": b"a = 1"}, tmp_path / "files", tmp_path)
    assert (tmp_path / "files/a.py").read_bytes() == b"a = 1"


def test_what_is_done_ahead_is_what_a_page_does(tmp_path, monkeypatch):
    monkeypatch.setattr(warming, "PLACE", tmp_path / "warm")
    with asyncio.Runner() as runner:
        runner.run(asyncio.wait_for(warming.warmed(), 60))
    assert not (tmp_path / "warm").exists()
