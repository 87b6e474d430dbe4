"""Under which addresses a server is reached, and whether a request came by one of them."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from urllib.parse import urlsplit

from rulespec.system.records import dataclass
from rulespec.text.quoting import ticked

HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]{1,253})(?::(?P<port>[0-9]{1,5}))?")
PATH = re.compile(r"(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9._~-]+)*")
NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0[xX][0-9a-fA-F]*)")
PORTS = {"http": 80, "https": 443}
EXAMPLE = "`--url https://tables.example.org`, or below a path `--url https://example.org/games`"


@dataclass(frozen=True, slots=True)
class Address:
    """An address as people write it: of `https://example.org:81/games`, `https`, `example.org:81` and `/games`."""

    scheme: str
    host: str
    path: str = ""

    def __str__(self) -> str:
        """The address, without a `/` at its end."""
        return f"{self.scheme}://{self.host}{self.path}"


def address_of(url: str) -> Address:
    """The address that a text is; raises ValueError, which says what is wrong with it."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise ValueError(f"{ticked(url)} is no address") from None
    if parts.scheme not in PORTS or not HOST.fullmatch(parts.netloc):
        raise ValueError(f"{ticked(url)} is no address of a page")
    if parts.query or parts.fragment or url.endswith(("?", "#")):
        raise ValueError(f"{ticked(url)} has more than an address below which pages lie")
    path = parts.path.rstrip("/")
    if not PATH.fullmatch(path):
        raise ValueError(f"the path of {ticked(url)} may have letters, digits and `._~-` between its `/`")
    return Address(parts.scheme, parts.netloc.lower(), path)


def here(host: str, port: int) -> Address:
    """The address of a host, named or by its number, without TLS."""
    bare = host.strip("[]")
    return Address("http", f"[{bare}]:{port}" if ":" in bare else f"{bare}:{port}")


def named(text: str) -> bool:
    """Whether a text names a machine: its name, or the number of its address, and nothing more."""
    match = HOST.fullmatch(f"[{text}]" if text.count(":") > 1 and not text.startswith("[") else text)
    return match is not None and match["port"] is None


def plain(host: str) -> str:
    """The name of a host, in the one spelling in which names are compared; its port is left out."""
    match = HOST.fullmatch(host)
    return (host if match is None else match["name"]).lower().removesuffix(".")


def alone(host: str) -> bool:
    """Whether nobody but who uses this machine reaches a server that listens there."""
    try:
        return plain(host) == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def checked_host(header: str | None, names: Collection[str]) -> str | None:
    """The host that a request names, if it is one of ours: by a name of `names`, as this machine itself, or by the number of an address.

    So a page of a stranger, whose name he lets stand for our address, reaches nothing: what a browser shows is called by that name.
    """
    match = HOST.fullmatch(header or "")
    if match is None:
        return None
    name = plain(match["name"])
    return header if name == "localhost" or name in names or numeric(name) else None


def numeric(name: str) -> bool:
    """Whether a host is an address, and no name: nobody can have a name that ends in a number (`127.1` is 127.0.0.1)."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return NUMBER.fullmatch(name) is not None
    return True


def same_origin(origin: str | None, host: str, url: Address | None = None) -> bool:
    """Whether a websocket was opened by a page of this host, or of the address by which others reach us, whatever host a server in
    between names to us; a program that is no browser sends no origin.
    """
    if origin is None:
        return True
    found = origin_of(origin)
    if found is None:
        return False
    return found in (origin_of(f"{found[0]}://{host}"), origin_of(str(url)))


def origin_of(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port of an address, the port of its scheme where none is said; None if it is none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in PORTS or not HOST.fullmatch(parts.netloc):
        return None
    return parts.scheme, plain(parts.netloc), PORTS[parts.scheme] if port is None else port
