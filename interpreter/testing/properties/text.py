"""Scripts as a case and as a transcript, so that what fails can be looked at with the other tools."""

from __future__ import annotations

import json
import re

from interpreter.files import transcript
from interpreter.game import Game
from interpreter.runtime.values import CHANCE
from interpreter.testing.properties.script import Script

WORD = re.compile(r"[A-Za-z][A-Za-z0-9_.]*|[0-9]{1,9}")
NO_TEXT = {"yes", "no", "on", "off", "true", "false", "null"}


def as_case(game: Game, script: Script, name: str) -> str:
    """A case in YAML that plays a script."""
    program = game.program
    lines = [f"{name}:", f"  players: {program.players}"]
    if program.settings:
        lines.append(f"  options: {{{', '.join(f'{key}: {word(value)}' for key, value in program.settings)}}}")
    lines.append("  play:")
    groups: list[tuple[int, list[str]]] = []
    for answer in script:
        if groups and groups[-1][0] == answer.actor:
            groups[-1][1].append(answer.name)
        else:
            groups.append((answer.actor, [answer.name]))
    for actor, names in groups:
        who = "chance" if actor == CHANCE else game.seats[actor]
        words = ", ".join(map(word, names))
        lines.append(f"    - {who}: {words if len(names) == 1 else f'[{words}]'}")
    return "\n".join(lines) + "\n"


def word(text: str) -> str:
    """A word of YAML."""
    return text if WORD.fullmatch(text) and text.casefold() not in NO_TEXT else json.dumps(text, ensure_ascii=False)


def as_transcript(game: Game, script: Script) -> str:
    """A transcript that `rulespec replay` plays; chance is written down."""
    lines = [{**transcript.header(game.program), "chance": "explicit"}]
    for one in script:
        by = "chance" if one.actor == CHANCE else game.seats[one.actor]
        lines.append({"by": by, "at": one.site, "answer": one.name})
    return "".join(f"{transcript.dump(line)}\n" for line in lines)
