"""What a build tells a package index: where the project lives, and its README with links that hold there.

The README's links name files beside it, which an index does not have. `RULESPEC_REPOSITORY` is the address of the repository that is
built from, such as `https://host/owner/name`: links become its pages, and the index lists them beside the project. Without it a link
to a file becomes its text and a picture is left out: no address is made up.

Hatchling runs this file (`[tool.hatch.metadata.hooks.custom]`); it imports nothing of ours.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

VARIABLE = "RULESPEC_REPOSITORY"
ADDRESS = re.compile(r"https?://[^\s/?#<>()]+(?:/[^\s/?#<>()]+)+")
CODE = r"^```.*?^```|`[^`\n]+`"
LINK = re.compile(
    rf"{CODE}|(?P<sign>!?)\[(?P<text>(?:`[^`]*`|[^][`])*)\]\((?P<target>[^)\s]+)\)(?P<end>\n*)", re.M | re.S
)
ELSEWHERE = re.compile(r"#|[a-z][a-z0-9+.-]*:")  # within the page, or an address already


class Description(MetadataHookInterface):
    """Sets the fields that `pyproject.toml` calls dynamic for this."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Write the README as an index shows it, and the addresses where there is one. ValueError for what is no address."""
        address = repository(os.environ.get(VARIABLE, ""))
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": described(text, address)}
        metadata["urls"] = (
            {}
            if address is None
            else {
                "Repository": address,
                "Documentation": f"{address}/blob/HEAD/docs/README.md",
                "Changelog": f"{address}/blob/HEAD/CHANGELOG.md",
                "Issues": f"{address}/issues",
            }
        )


def repository(value: str) -> str | None:
    """The address of a repository, without the end that `git clone` allows; None for an empty one, ValueError for another."""
    address = value.strip().rstrip("/").removesuffix(".git")
    if address and not ADDRESS.fullmatch(address):
        raise ValueError(
            f"{VARIABLE} is `{value}`: write the address of the repository's page, as https://host/owner/name"
        )
    return address or None


def described(text: str, address: str | None) -> str:
    """Markdown with its links to files as those of a repository (`blob` and, for pictures, `raw`), or as plain text without one."""

    def linked(match: re.Match[str]) -> str:
        target = match["target"]
        if target is None or ELSEWHERE.match(target):
            return match[0]
        picture = match["sign"] == "!"
        if address is not None:
            kind = "raw" if picture else "blob"
            return f"{match['sign']}[{match['text']}]({address}/{kind}/HEAD/{target}){match['end']}"
        return "" if picture else match["text"] + match["end"]

    return LINK.sub(linked, text)
