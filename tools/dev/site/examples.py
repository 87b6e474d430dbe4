"""Games of the handbook as links that open them in the playground: the files of a game, packed as `links.js` of it reads them."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping
from pathlib import Path

from rulespec.text.locate import MAIN

MOST_LETTERS = 200_000  # that the playground takes
ENDINGS = (".yaml", ".csv", ".md")
BLOCK = re.compile(r"^```yaml\n(?P<text>.*?)^```$", re.M | re.S)
WHOLE = re.compile(r"\A(?:#.*\n)*rulespec: 1\n", re.M)
NAME = re.compile(r"^id: ([a-z]\w*)\s*$", re.M)
PLACE = "playground/index.html"


def link(name: str, files: Mapping[str, str]) -> str | None:
    """What stands behind the address of the playground to open a game there; None where it is too large."""
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    text = json.dumps({"name": name, "files": dict(files)}, ensure_ascii=False)
    data = squeezed.compress(text.encode()) + squeezed.flush()
    letters = base64.urlsafe_b64encode(data).decode().rstrip("=")
    return f"#game={letters}" if len(letters) <= MOST_LETTERS else None


def opened(text: str, above: str) -> str:
    """A page of the handbook with a link below each block that is a whole game; `above` leads from the page to the site."""

    def shown(block: re.Match[str]) -> str:
        game, name = block["text"], NAME.search(block["text"])
        found = link(name[1], {MAIN: game}) if name is not None and WHOLE.match(game) else None
        return block[0] if found is None else f"{block[0]}\n\n{anchor(above + PLACE + found)}\n"

    return BLOCK.sub(shown, text)


def anchor(address: str) -> str:
    """A link to the playground."""
    return f'<p class="playground"><a href="{address}">Open in the playground</a></p>'


def of_folder(folder: Path) -> str | None:
    """The same for a game with all its files, as `link`."""
    found = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.suffix in ENDINGS and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }
    return link(folder.name, found)
