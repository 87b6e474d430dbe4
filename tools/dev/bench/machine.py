"""On what the measurements were made."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path
from typing import Any

import rulespec


def describe() -> dict[str, Any]:
    """The processor, the system, Python, our own version, and how busy the machine is."""
    return {
        "cpu": processor(),
        "cores": os.cpu_count() or 0,
        "system": system(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "rulespec": rulespec.__version__,
        "load": load(),
    }


def processor() -> str:
    """The model of the processor, as far as the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "Model") and value.strip():
                return value.strip()
    except OSError:
        pass
    if platform.system() == "Darwin":
        try:
            asked = subprocess.run(
                ["sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True, check=False
            )
        except OSError:
            return platform.machine()
        return asked.stdout.strip() or platform.machine()
    return platform.processor() or platform.machine() or "unknown"


def system() -> str:
    """The operating system's name."""
    try:
        return f"{platform.freedesktop_os_release()['PRETTY_NAME']}, {platform.system()} {platform.machine()}"
    except (OSError, KeyError):
        return f"{platform.system()} {platform.release()} {platform.machine()}"


def load() -> float | None:
    """How many processes wanted to run in the last minute; None where the system does not tell."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None
