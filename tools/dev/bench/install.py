"""Installs the peers, each in a separate folder, so that their dependencies do not disturb each other or ours."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

from .plan import Peer

ROOT = Path(__file__).resolve().parents[3]
PLACE = Path(sys.prefix) / "bench-peers"
STAMP = "rulespec-bench.txt"  # what was asked for, in the folder that holds it


def folder(peer: str) -> Path:
    """Where a peer is installed."""
    return PLACE / peer


def requirements() -> dict[str, str]:
    """What the extra `bench` of pyproject.toml asks for, by the plain name of the package."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        lines = tomllib.load(file)["project"]["optional-dependencies"]["bench"]
    return {plain(re.split(r"[\s\[<>=!~;]", line, maxsplit=1)[0]): line for line in lines}


def plain(name: str) -> str:
    """A package's name as indexes compare them."""
    return re.sub(r"[-_.]+", "-", name).lower()


def wanted(peer: Peer) -> list[str]:
    """What has to be installed for a peer; raises KeyError where the extra does not list it."""
    known = requirements()
    return [known[plain(name)] for name in peer.needs]


def version(peer: Peer) -> str | None:
    """The version of a peer that a worker would find; None where it, or something that it needs, is not there."""
    there = {plain(package.name): package.version for package in metadata.distributions(path=[str(folder(peer.id))])}
    versions = [there.get(plain(name)) or version_here(name) for name in peer.needs]
    return versions[0] if all(versions) else None


def version_here(package: str) -> str | None:
    """The version of a package that is installed for all of this Python; None if it is not."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def install(peer: Peer) -> str | None:
    """Install a peer unless the wanted version is there; returns why that failed, or None.

    It is there whole or not at all.
    """
    lines = wanted(peer)
    stamp = folder(peer.id) / STAMP
    if stamp.is_file() and stamp.read_text(encoding="utf-8").split("\n") == lines:
        return None
    fresh = PLACE / f"{peer.id}.new"
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        problem = pip([*lines, "--target", str(fresh)])
        if problem is None:
            (fresh / STAMP).write_text("\n".join(lines), encoding="utf-8")
            shutil.rmtree(folder(peer.id), ignore_errors=True)
            fresh.rename(folder(peer.id))
    except OSError as error:
        problem = f"{error.strerror or error}"
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return problem


def pip(arguments: list[str]) -> str | None:
    """Run `pip install`; why it failed, or None."""
    options = ["--quiet", "--disable-pip-version-check", "--no-input", "--retries", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    return None if done.returncode == 0 else reason(done.stderr)


def reason(messages: str) -> str:
    """The error of pip's output, in one line."""
    lines = [line.strip() for line in messages.splitlines() if line.strip()]
    if any("No module named pip" in line for line in lines):
        return "there is no pip here"
    if any("NewConnectionError" in line or "Failed to establish a new connection" in line for line in lines):
        return "no package index in reach"
    errors = [line.removeprefix("ERROR:").strip() for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["pip failed and did not say why"])[-1][:200]
