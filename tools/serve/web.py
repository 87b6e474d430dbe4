"""The files of the page, and the headers that every answer has."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from rulespec.system.records import dataclass

PAGE = Path(__file__).parent / "page"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}
TABLE = re.compile(r"/t/[a-z0-9]{1,20}")  # no `/` at its end: what the page names is named beside it
SOCKET, HEALTH = "/ws", "/health"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a request for a file."""

    status: int
    headers: dict[str, str]
    body: bytes = b""


class Page:
    """All files of a folder, read once: nothing else is ever served."""

    def __init__(self, folder: Path = PAGE) -> None:
        self.files: dict[str, tuple[str, bytes, str]] = {}
        for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
            if path.is_file() and path.suffix in TYPES:
                self.put(path.relative_to(folder).as_posix(), path.read_bytes())

    def put(self, name: str, body: bytes) -> None:
        """Serve these bytes under a name from now on."""
        tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        self.files[name] = TYPES[Path(name).suffix], body, tag

    def name(self, path: str) -> str | None:
        """The file that a path stands for, None if it is none."""
        name = "lobby.html" if path == "/" else "table.html" if TABLE.fullmatch(path) else path.removeprefix("/page/")
        return name if name in self.files and name != path else None

    def security(self, _name: str | None, *hosts: str) -> dict[str, str]:
        """The headers of a file, or of the answer that there is none."""
        return security(*hosts)

    def answer(self, path: str, headers: Mapping[str, str], *hosts: str) -> Answer:
        """What a request for a path is answered with; `hosts` are those by which it may have come."""
        name = self.name(path)
        common = self.security(name, *hosts)
        if name is None:
            return Answer(
                404, {**common, "Content-Type": TYPES[".html"]}, b"<!doctype html><title>Not here</title>Not here.\n"
            )
        kind, body, tag = self.files[name]
        common |= {"Content-Type": kind, "ETag": tag, "Cache-Control": "no-cache"}
        if headers.get("If-None-Match") == tag:
            return Answer(304, common)
        return Answer(200, common, body)


def security(*hosts: str, policy: Mapping[str, str] | None = None) -> dict[str, str]:
    """Headers by which a browser runs nothing but the page's own files, and tells nobody where it was.

    `policy` is where a page may do more, or is shown within another one.
    """
    sockets = [
        f"{scheme}://{host}" for host in dict.fromkeys(hosts) for scheme in ("ws", "wss")
    ]  # not all browsers count one as 'self'
    rules = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "manifest-src": "'self'",
        "connect-src": " ".join(["'self'", *sockets]),
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
        **(policy or {}),
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in rules.items()),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY" if rules["frame-ancestors"] == "'none'" else "SAMEORIGIN",
    }
