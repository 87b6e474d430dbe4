"""What the build of a wheel does beside copying: the package `interpreter` moves into `rulespec`, and its extension module is built.

In a checkout `interpreter` is a package of its own. Another well-known package installs that name too, and of two packages with
one name each overwrites the other's files. So a wheel carries ours as `rulespec.interpreter`, and every import of it is changed to
say so, in place, so that lines and columns of tracebacks are those of the checkout's lines.

The extension module is built where a C compiler and Python's headers are (`tools/dev/extension.py`); the wheel is then one for this
system, and for every Python from 3.11 on. Elsewhere it is one for all systems, without that module: the build says why, and so does
a file in the wheel, for `rulespec build` to tell; with `RULESPEC_NATIVE=required` the build fails. An editable install builds it
into the checkout.

Hatchling runs this file (`[tool.hatch.build.targets.wheel.hooks.custom]`); it imports nothing of ours.
"""

from __future__ import annotations

import ast
import os
import runpy
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import sys_tags

MOVED = "interpreter"
HOME = "rulespec"
VARIABLE, REQUIRED = "RULESPEC_NATIVE", "required"


class Relocation(BuildHookInterface[Any]):
    """Gives a wheel the changed files instead of those of the checkout."""

    folder: Path | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the changed files beside the checkout; an editable install runs the checkout as it is."""
        root = Path(self.root)
        extension = runpy.run_path(str(root / "tools" / "dev" / "extension.py"))
        place = f"{extension['FOLDER']}/{extension['NAME']}"
        if version == "editable":
            self.tell(extension["build"](root / place, root))
            return
        self.folder = Path(tempfile.mkdtemp(prefix="rulespec-wheel-"))
        built = self.folder / extension["NAME"]
        problem = extension["build"](built, root)
        self.tell(problem)
        if problem is not None:
            absent = self.folder / extension["ABSENT"]
            absent.write_text(f"{problem}\n", encoding="utf-8")
            build_data["force_include"][str(absent)] = f"{HOME}/{extension['FOLDER']}/{extension['ABSENT']}"
        else:
            build_data["force_include"][str(built)] = f"{HOME}/{place}"
            build_data["pure_python"] = False
            build_data["tag"] = f"cp311-abi3-{own_platform()}"
        for number, file in enumerate(self.build_config.builder.recurse_selected_project_files()):
            if file.path.endswith((".py", ".pyi")):
                text = Path(file.path).read_text(encoding="utf-8")
                moved = relocated(text, file.relative_path)
                if moved != text:
                    changed = self.folder / f"{number}{Path(file.path).suffix}"
                    changed.write_text(moved, encoding="utf-8", newline="\n")
                    build_data["force_include"][str(changed)] = file.distribution_path

    def tell(self, problem: str | None) -> None:
        """Say why there is no extension module, unless none is wanted; RuntimeError where it is required."""
        wanted = os.environ.get(VARIABLE, "").strip().casefold()
        if problem is None or wanted == "off":
            return
        message = f"the extension module for native play was not built, games are played in Python: {problem}"
        if wanted == REQUIRED:
            raise RuntimeError(message)
        self.app.display_warning(message)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove them again."""
        if self.folder is not None:
            shutil.rmtree(self.folder)


def own_platform() -> str:
    """This system, as names of wheels have it; nothing is promised about other systems of its kind."""
    return next(tag.platform for tag in sys_tags() if not tag.platform.startswith(("manylinux", "musllinux")))


def relocated(text: str, name: str) -> str:
    """A module's text with `from interpreter... import` and `import interpreter` changed to name it inside `rulespec`.

    Raises ValueError for an import that cannot be changed in place: `import interpreter.game` binds `interpreter`.
    """
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] == MOVED:
            swap(lines, node, f"from {MOVED}", f"from {HOME}.{MOVED}")
        elif isinstance(node, ast.Import) and any(alias.name.split(".")[0] == MOVED for alias in node.names):
            if len(node.names) > 1 or node.names[0].name != MOVED:
                raise ValueError(f"{name}:{node.lineno}: write `import {MOVED}` alone, or `from {MOVED}... import ...`")
            swap(lines, node, f"import {MOVED}", f"from {HOME} import {MOVED}")
    return "\n".join(lines)


def swap(lines: list[str], node: ast.stmt, old: str, new: str) -> None:
    """Change how a statement begins."""
    line, start = lines[node.lineno - 1], node.col_offset
    if not line.startswith(old, start):
        raise ValueError(f"line {node.lineno}: `{line.strip()}` does not begin with `{old}`")
    lines[node.lineno - 1] = line[:start] + new + line[start + len(old) :]
