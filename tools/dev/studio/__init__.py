"""The libraries of the studio's editor in one file: `make studio` writes `tools/studio/page/libraries.js` anew.

They come from npm in the versions of `package-lock.json`, and are bundled by the esbuild of the same file.  The first line of the bundle
says of which inputs it was made, and the licences of all that is in it stand beside it.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
INPUTS = ("libraries.js", "package.json", "package-lock.json")
PAGE = HERE.parents[1] / "studio" / "page"
BUNDLE, LICENCES = PAGE / "libraries.js", PAGE / "libraries.LICENSES.txt"
MOST_BYTES = 500_000
HEAD = re.compile(r"// Bundled by `make studio` of inputs ([0-9a-f]{64}); what follows is ([0-9a-f]{64})\.")


def inputs() -> str:
    """The digest of what the bundle is made of."""
    digest = hashlib.sha256()
    for name in INPUTS:
        digest.update((HERE / name).read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def head(body: str) -> str:
    """The first line of the bundle."""
    own = hashlib.sha256(body.encode()).hexdigest()
    return f"// Bundled by `make studio` of inputs {inputs()}; what follows is {own}."


def bundled() -> list[str]:
    """The packages that the bundle is made of, by the lock: not those that only make it."""
    packages = json.loads((HERE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    return sorted(path.removeprefix("node_modules/") for path, one in packages.items() if path and not one.get("dev"))


def make(room: Path) -> None:
    """Bundle the libraries, in a folder that npm may fill; raises CalledProcessError and OSError."""
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir(parents=True)
    for name in INPUTS:
        shutil.copy(HERE / name, room)
    subprocess.run(["npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=room, check=True)
    built = subprocess.run(["npm", "run", "--silent", "build"], cwd=room, check=True, capture_output=True)
    body = built.stdout.decode()
    PAGE.mkdir(parents=True, exist_ok=True)
    BUNDLE.write_text(f"{head(body)}\n{body}", encoding="utf-8", newline="\n")
    LICENCES.write_text("\n".join(licences(room)), encoding="utf-8", newline="\n")


def licences(room: Path) -> list[str]:
    """The licence of each package, those that are the same told once."""
    texts: dict[str, list[str]] = {}
    for name in bundled():
        found = [
            path for path in sorted((room / "node_modules" / name).iterdir()) if path.name.upper().startswith("LICEN")
        ]
        text = "\n".join(line.rstrip() for line in found[0].read_text(encoding="utf-8").strip().splitlines())
        texts.setdefault(text, []).append(name)
    return [f"{', '.join(names)}\n\n{text}\n\n{'-' * 80}\n" for text, names in texts.items()]
