"""Games to begin with, and what an editor checks them by."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from rulespec.system.resources import schemas_dir

TEMPLATES = Path(__file__).resolve().parent / "templates"
KINDS = ("blank", "card", "board", "map")
# A template is a game that can be played as it stands; these are its id and title.
ID, TITLE = "my_game", "My game"
WORDS = {"null", "true", "false", "yes", "no", "on", "off"}  # which are no texts to every reader of YAML
NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
FOLDER = "schemas"


def copy(template: Path, target: Path, name: str, title: str) -> list[Path]:
    """Copy a template under another id and title; the files written, in their order."""
    written = []
    for source in sorted(p for p in template.rglob("*") if p.is_file()):
        text = source.read_text(encoding="utf-8")
        if source.name == "game.yaml":
            # JSON's quotes are YAML's: any title is a text, whatever signs it has.
            plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9 ]*", title) and title.lower() not in WORDS
            quoted = title if plain else json.dumps(title, ensure_ascii=False)
            text = text.replace(f"\nid: {ID}\n", f"\nid: {name}\n").replace(
                f"\ntitle: {TITLE}\n", f"\ntitle: {quoted}\n"
            )
        else:
            text = text.replace(f"# {TITLE}\n", f"# {title}\n")
        path = target / source.relative_to(template)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        written.append(path)
    return written


def language_schema(name: str) -> Path:
    """The file of a schema of the language: the one copy that is installed, or the checkout's."""
    return schemas_dir() / f"{name}.schema.json"


def link_schemas(game: Path) -> list[Path]:
    """Write schemas into a game's folder that only refer to those of the language; the files written.

    Where the game lies in the checkout that holds them the reference is relative, so that it holds wherever that is.
    """
    folder = game / FOLDER
    folder.mkdir(exist_ok=True)
    linked = []
    for name in ("game", "cases", "bot"):
        target = language_schema(name)
        near = folder.resolve().is_relative_to(target.parent.parent)
        place = Path(os.path.relpath(target, folder.resolve())).as_posix() if near else target.as_uri()
        path = folder / target.name
        path.write_text(as_text({"$ref": place}) + "\n", encoding="utf-8", newline="\n")
        linked.append(path)
    return linked


def as_text(schema: object) -> str:
    """A schema as text, the same bytes everywhere."""
    return json.dumps(schema, indent=1, ensure_ascii=False)
