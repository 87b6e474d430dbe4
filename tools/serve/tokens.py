"""Tokens: 128 random bits each, by which somebody comes in as a seat, a spectator or the host."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from typing import Literal

from rulespec.system.records import dataclass

Role = Literal["seat", "machine", "spectator", "host", "lobby"]
BYTES = 16
LENGTH = 2 * BYTES  # as text


@dataclass(frozen=True, slots=True)
class Pass:
    """What a token lets somebody be: `seats` are those of a seat or of one machine."""

    role: Role
    seats: tuple[int, ...] = ()


def new() -> str:
    """A token."""
    return secrets.token_hex(BYTES)


def equal(one: str, other: str) -> bool:
    """Whether two tokens are the same, in a time that tells nothing."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def looked_up(token: str, passes: Mapping[str, Pass]) -> Pass | None:
    """What a token is for; each one is compared, so that the time tells nothing."""
    match: Pass | None = None
    for known, meant in passes.items():
        if equal(token, known):
            match = meant
    return match


def well_formed(token: object) -> bool:
    """Whether this could be a token."""
    return isinstance(token, str) and len(token) == LENGTH and all(c in "0123456789abcdef" for c in token)
