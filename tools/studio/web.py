"""The files of the page: its own, and those of the table, which is shown within it."""

from __future__ import annotations

import secrets
from pathlib import Path

from ..serve.web import PAGE, Page, security

OWN = Path(__file__).parent / "page"
START = "studio.html"


class StudioPage(Page):
    """Files below `/page/` are those of the table, below `/studio/` those of the studio."""

    def __init__(self) -> None:
        super().__init__(PAGE)
        self.nonce = secrets.token_hex(16)  # the editor's styles are written by its scripts
        own = Page(OWN).files
        for name, (_, body, _) in own.items():
            self.put(f"studio/{name}", body.replace(b"{nonce}", self.nonce.encode()) if name == START else body)

    def name(self, path: str) -> str | None:
        """The file that a path stands for, None if it is none."""
        if path == "/":
            return f"studio/{START}"
        if path.startswith("/studio/") and not path.endswith(".html"):
            return path[1:] if path[1:] in self.files else None
        found = super().name(path)
        return None if found is not None and found.startswith("studio/") else found

    def security(self, name: str | None, *hosts: str) -> dict[str, str]:
        """The table may stand within the studio; the studio shows it, and lets its editor write styles and what it has marked up."""
        if name != f"studio/{START}":
            return security(*hosts, policy={"frame-ancestors": "'self'"})
        policy = {
            "style-src": f"'self' 'nonce-{self.nonce}'",
            "frame-src": "'self'",
            "trusted-types": "rulespec-studio",
        }
        return security(*hosts, policy=policy)
