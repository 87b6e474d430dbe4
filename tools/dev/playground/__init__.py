"""The playground: the studio as a static folder, with Python in WebAssembly; `python -m tools.dev.playground` makes it.

Pyodide comes from npm in the version of `package-lock.json`, Python's packages by `packages.txt`, both with their digests.  What is
compiled in these is left out: where a package is nothing else, a file of `stand_ins` takes its place.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from ...serve.web import PAGE as TABLE
from ...studio.web import OWN, START

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
OURS = ("rulespec", "interpreter", "tools", "games", "schemas")  # as in a checkout
LEFT_OUT = ("__pycache__", "dev", "node_modules")  # folders that the page does not need
COMPILED = (".so", ".pyd", ".dylib", ".pyc")
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PYTHON = "3.14"  # of this Pyodide
PLATFORM = "manylinux_2_28_x86_64"  # whose wheels hold the Python files that are wanted
LONGEST = 500  # characters of what node says
BODY = re.compile(r"<body.*</body>", re.S)
CARRY = """<nav id="carry" aria-label="Bring in and give away">
<button type="button" class="tool" id="give">Link to this game</button>
<button type="button" class="tool" id="save">Save as a file</button>
<button type="button" class="tool" id="open">Open a file</button>
<input id="chosen" type="file" accept=".json,application/json" hidden aria-label="A game that was saved">
<input id="link" readonly hidden aria-label="The link of the game">
<span id="carried" role="status"></span>
</nav>
</body>"""
POLICY = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'\">"
)


class Absent(Exception):
    """Raised where the playground cannot be made; its text says why, and what helps."""


def make(out: Path, room: Path) -> None:
    """Make the playground in a folder, in place of what is there; `room` is where npm and pip may work.  Raises Absent and OSError."""
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir(parents=True)
    pyodide, packages = fetched(room)
    made = room / "made"
    for name, body in pages().items():
        place = made / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(body)
    (made / "pyodide").mkdir()
    for name in PYODIDE:
        shutil.copy(pyodide / name, made / "pyodide")
    freeze(pyodide, {**ours(), **others(packages)}, room / "files", made)
    shutil.rmtree(out, ignore_errors=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(made, out)


def fetched(room: Path) -> tuple[Path, list[Path]]:
    """The folder of Pyodide and the wheels of the packages, brought from their registries; raises Absent."""
    npm = shutil.which("npm")
    if npm is None:
        raise Absent("npm is not there, which brings Pyodide: install Node.js")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, room)
    wheels = room / "wheels"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:"]
    pip += ["--platform", PLATFORM, "--python-version", PYTHON, "--dest", str(wheels), "-r", str(HERE / "packages.txt")]
    for command in ([npm, "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"], pip):
        done = subprocess.run(command, cwd=room, capture_output=True, text=True, check=False)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["it does not say why"])[-1]
            raise Absent(f"{Path(command[0]).name} cannot bring what the playground needs: {last}")
    return room / "node_modules" / "pyodide", sorted(wheels.glob("*.whl"))


def freeze(pyodide: Path, files: dict[str, bytes], folder: Path, out: Path) -> None:
    """Compile the files, start Python with them and keep its memory, as `freeze.mjs` says; raises Absent."""
    for name, body in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(body)
    node = shutil.which("node")
    if node is None:
        raise Absent("node is not there, which starts Python once: install Node.js")
    done = subprocess.run(
        [node, str(HERE / "freeze.mjs"), str(pyodide), str(folder), str(out)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Absent(f"Python does not start in node: {done.stderr.strip()[:LONGEST]}")


def pages() -> dict[str, bytes]:
    """The files of the page, by their names in the folder: those of the table and of the studio, and its own in place of some."""
    found = {f"page/{path.name}": path.read_bytes() for path in below(TABLE) if not path.name.startswith("lobby")}
    found |= {f"studio/{path.name}": path.read_bytes() for path in below(OWN) if path.name != START}
    table = found.pop("page/table.html").decode().replace("../page/", "page/")
    found["table.html"] = table.replace("<title>", f"{POLICY}\n<title>", 1).encode()
    own = {path.name: path.read_bytes() for path in below(HERE / "page")}
    body = BODY.search((OWN / START).read_text(encoding="utf-8"))
    assert body is not None
    own["index.html"] = own["index.html"].replace(b"{body}", body[0].replace("</body>", CARRY).encode())
    found["page/socket.js"] = own.pop("socket.js")
    return found | own


def ours() -> dict[str, bytes]:
    """The files of Rulespec that the page needs, by their names in the package."""
    return {path.relative_to(ROOT).as_posix(): path.read_bytes() for top in OURS for path in below(ROOT / top)}


def others(wheels: list[Path]) -> dict[str, bytes]:
    """The files of the packages, without what is compiled, and what stands in for others."""
    found = {f"packages/{path.name}": path.read_bytes() for path in below(HERE / "stand_ins")}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as opened:
            for name in opened.namelist():
                if not name.endswith(COMPILED) and "/tests/" not in name and not name.endswith("/"):
                    found[f"packages/{name}"] = opened.read(name)
    return found


def below(folder: Path) -> Iterator[Path]:
    """The files in a folder and those in it."""
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if path.name not in LEFT_OUT:
                yield from below(path)
        elif path.suffix not in COMPILED and not path.name.startswith("."):
            yield path
