"""The files of the page, and the headers that every answer has."""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

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
TABLE = re.compile(r"/t/[a-z0-9]{1,20}/?")
HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]{1,253})(?::(?P<port>[0-9]{1,5}))?")
LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]"})
SOCKET = "/ws"


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
                body = path.read_bytes()
                tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
                self.files[path.relative_to(folder).as_posix()] = TYPES[path.suffix], body, tag

    def answer(self, path: str, headers: Mapping[str, str], host: str) -> Answer:
        """What a request for a path is answered with; `host` is one that was checked."""
        path = path.partition("?")[0]
        name = "lobby.html" if path == "/" else "table.html" if TABLE.fullmatch(path) else path.removeprefix("/page/")
        common = security(host)
        if name not in self.files or name == path:
            return Answer(
                404, {**common, "Content-Type": TYPES[".html"]}, b"<!doctype html><title>Not here</title>Not here.\n"
            )
        kind, body, tag = self.files[name]
        common |= {"Content-Type": kind, "ETag": tag, "Cache-Control": "no-cache"}
        if headers.get("If-None-Match") == tag:
            return Answer(304, common)
        return Answer(200, common, body)


def security(host: str) -> dict[str, str]:
    """Headers by which a browser runs nothing but the page's own files, and tells nobody where it was."""
    policy = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "manifest-src": "'self'",
        "connect-src": f"'self' ws://{host} wss://{host}",  # some browsers do not count a websocket as 'self'
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
    }


def checked_host(header: str | None, names: Collection[str]) -> str | None:
    """The host that a request names, if it is one of ours: by a name of `names`, or by the number of an address.

    So a page of a stranger, whose name he lets stand for our address, reaches nothing.
    """
    match = HOST.fullmatch(header or "")
    if match is None:
        return None
    name = match["name"].lower()
    return header if name in LOCAL or name in names or numeric(name) else None


def numeric(name: str) -> bool:
    """Whether a host is an address, and no name."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def same_origin(origin: str | None, host: str) -> bool:
    """Whether a websocket was opened by a page of this host; a program that is no browser sends no origin."""
    if origin is None:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()
