"""What the package offers under its own name, imported when it is first asked for, and where its interpreter is."""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGE = Path(__file__).resolve().parents[1]
NAME = "interpreter"


@cache
def homes() -> dict[str, str]:
    """The module in which each name is defined that the package's stub imports."""
    stub = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module or "" for node in imports for alias in node.names}


def offered(name: str) -> Any:
    """An attribute of the package that is not there yet: its `__getattr__`."""
    if name == NAME:
        return interpreter()
    if name == "__all__":
        return sorted(homes())
    if name.startswith("_") or name not in homes():
        raise AttributeError(f"module {PACKAGE.name!r} has no attribute {name!r}")
    home = homes()[name]
    return getattr(interpreter() if home.endswith(NAME) else import_module(home), name)


def interpreter() -> ModuleType:
    """The interpreter: a wheel carries it inside this package, a checkout beside it. ImportError if another package has its name."""
    if (PACKAGE / NAME).is_dir():
        return import_module(f"{PACKAGE.name}.{NAME}")
    package = import_module(NAME)
    if Path(package.__file__ or "").resolve().parent != PACKAGE.parent / NAME:
        raise ImportError(
            f"`{NAME}` is another package here, {package.__file__}, and hides the one of this checkout: put {PACKAGE.parent} "
            f"first on PYTHONPATH, or install {PACKAGE.name} as a wheel, which keeps its own as `{PACKAGE.name}.{NAME}`"
        )
    return package


def names() -> list[str]:
    """What `dir` shows of the package: what it offers, and what every module has."""
    return sorted({*homes(), "__all__", "__doc__", "__file__", "__name__", "__path__", "__version__"})
