"""The Pythons of this machine that can play, each with what it needs in a folder of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from rulespec.system.records import dataclass

ROOT = Path(__file__).resolve().parents[3]
PLACE = Path(sys.prefix) / "sameness"
OLDEST = (3, 11)
NAMES = [f"python3.{minor}" for minor in range(OLDEST[1], 20)]
ASK = "import sys; print(sys.implementation.name, *sys.version_info[:3]); print(sys.executable)"
NEEDED = "import click, jsonschema, networkx, yaml"


@dataclass(frozen=True)
class InstalledPython:
    """A Python: its version, the program, and why it cannot play (None: it can)."""

    version: str
    program: Path
    problem: str | None = None


def installed() -> list[InstalledPython]:
    """Each version that is there, this one first; of each series the newest."""
    programs = [Path(sys.executable)]
    programs += [Path(path) for name in NAMES if (path := shutil.which(name))]
    roots = [Path(root) for root in (os.environ.get("PYENV_ROOT"), Path.home() / ".pyenv") if root]
    programs += [path for root in roots for path in sorted(root.glob("versions/*/bin/python3"))]
    series: dict[tuple[str, int], tuple[tuple[int, ...], Path]] = {}
    for program in programs:
        asked = version(program)
        if asked is not None and asked[1][:2] >= OLDEST:
            key = asked[0], asked[1][1]
            if key not in series or (series[key][0] < asked[1] and series[key][1] != Path(sys.executable)):
                series[key] = asked[1], program
    return [InstalledPython(".".join(map(str, numbers)), program) for numbers, program in series.values()]


def version(program: Path) -> tuple[str, tuple[int, ...]] | None:
    """The implementation and version of a Python; None where it does not start."""
    try:
        done = subprocess.run([str(program), "-c", ASK], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    name, *numbers = done.stdout.splitlines()[0].split()
    return name, tuple(map(int, numbers))


def ready(python: InstalledPython) -> InstalledPython:
    """The Python with what is needed to play, installed if it has to be; or with why that cannot be."""
    if plays(python.program):
        return python
    folder = PLACE / python.version
    program = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not plays(program):
        with (ROOT / "pyproject.toml").open("rb") as file:
            wanted = tomllib.load(file)["project"]["dependencies"]
        steps = (
            [str(python.program), "-m", "venv", "--clear", str(folder)],
            [str(program), "-m", "pip", "install", "-qq", "--disable-pip-version-check", *wanted],
        )
        for step in steps:
            try:
                done = subprocess.run(step, capture_output=True, text=True, timeout=900)
            except (OSError, subprocess.SubprocessError) as error:
                return InstalledPython(python.version, python.program, str(error))
            if done.returncode:
                said = (done.stderr or done.stdout).strip().splitlines() or ["it ended in an error"]
                return InstalledPython(python.version, python.program, said[-1][:200])
    problem = None if plays(program) else "what it needs was installed and is not found"
    return InstalledPython(python.version, program, problem)


def plays(program: Path) -> bool:
    """Whether a Python has what is needed."""
    try:
        return subprocess.run([str(program), "-c", NEEDED], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False
