"""New games and variants, from a template or from a game that is there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from rulespec.system import files
from rulespec.text.locate import MAIN, VARIANTS
from rulespec.text.quoting import ticked

from ..templating import KINDS, NAME, TEMPLATES, copy, link_schemas
from .projects import SHIPPED, Project, Projects, Refused, title

MOST_BYTES = 20_000_000  # of a game that is copied
HEAD = {"id": re.compile(r"(?m)^id:.*$"), "title": re.compile(r"(?m)^title:.*$")}


def made(projects: Projects, wish: dict[str, Any]) -> tuple[str, str]:
    """Make what is wished for; the name of the game in the studio, and the file to look at.  Raises Refused and OSError."""
    what, name, of = wish["what"], wish["name"], wish["of"]
    if not NAME.fullmatch(name):
        raise Refused(f"{ticked(name)} cannot be the id of a game: small letters, digits and _ only, a letter first")
    shown = " ".join(wish.get("title", "").split()) or name.replace("_", " ").capitalize()
    if what == "variant":
        return variant(projects, projects.named(of), name, shown)
    if what not in ("template", "copy"):
        raise Refused("a game is made from a template or as a copy, or as a variant")
    target = room(projects, name)
    if what == "template":
        if of not in KINDS:
            raise Refused(f"there is no template {ticked(of)}")
        copy(TEMPLATES / of, target, name, shown)
    else:
        copied(projects.named(of), target, name, shown)
    link_schemas(target)
    return name, MAIN


def room(projects: Projects, name: str) -> Path:
    """The folder for a new game; raises Refused."""
    if projects.whole:
        raise Refused("this folder is that of a game: start the studio in the folder above to make another one")
    target = projects.root / name
    if target.exists() or target.is_symlink():
        raise Refused(f"{ticked(name)} is there already: choose another name")
    return target


def copied(project: Project, target: Path, name: str, shown: str) -> None:
    """Copy the files of a game under another id and title; raises Refused and OSError."""
    texts = {one: project.read(one) or "" for one in project.names()}
    if sum(map(len, texts.values())) > MOST_BYTES:
        raise Refused("the game is too large to be copied here")
    for one, text in texts.items():
        if one == project.main.name:
            text = HEAD["id"].sub(f"id: {name}", text, count=1)
            text = HEAD["title"].sub(lambda _: f"title: {json.dumps(shown, ensure_ascii=False)}", text, count=1)
            one = MAIN
        place = target / one
        place.parent.mkdir(parents=True, exist_ok=True)
        files.replace(place, text)


def variant(projects: Projects, project: Project, name: str, shown: str) -> tuple[str, str]:
    """A variant that changes nothing yet: of one's own game beside it, of a shipped game in a folder of its own.

    Raises Refused and OSError.
    """
    shipped = project.name.startswith(SHIPPED)
    base = project.name.removeprefix(SHIPPED) if shipped else project.main.stem if project.main.name != MAIN else ".."
    head = [f"extends: {base}", f"id: {name}", f"title: {json.dumps(f'{title(project)}: {shown}', ensure_ascii=False)}"]
    text = "\n".join([*head, "", "changes: []", ""])
    if shipped:
        files.replace(folder_of(projects, name) / f"{name}.yaml", text)
        return name, f"{name}.yaml"
    file = f"{VARIANTS}/{name}.yaml"
    if project.read(file) is not None:
        raise Refused(f"{ticked(name)} is there already: choose another name")
    project.write(file, "", text)
    return project.name, file


def folder_of(projects: Projects, name: str) -> Path:
    """A new folder for a variant that stands alone; raises Refused and OSError."""
    target = room(projects, name)
    target.mkdir()
    return target
