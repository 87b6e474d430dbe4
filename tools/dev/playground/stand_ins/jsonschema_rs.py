"""Stands in for `jsonschema_rs` where there is only Python: it can tell nothing, so that `jsonschema` is asked."""

from __future__ import annotations

from typing import Any


class Draft7Validator:
    """A validator that leaves all to another one."""

    def __init__(self, schema: Any, **_: Any) -> None:
        """Nothing is made of the schema."""

    def is_valid(self, _value: Any) -> bool:
        """Never an answer.

        Raises:
            ValueError: Always.
        """
        raise ValueError("there is no quick validator here")
