"""`rulespec lsp`: the language server."""

from __future__ import annotations

import click

from .. import console
from ..extras import install
from ..framework import CLEAN, MISUSE, Command


@click.command("lsp", cls=Command, examples=["rulespec lsp"])
def command() -> int:
    """Answer an editor: findings while you type, completion, explanations, other names.

    An editor starts it and talks to it over standard input and output; docs/editor.md says how to set yours up.
    """
    try:
        import pygls  # noqa: F401
    except ImportError:
        console.error("C008", "`rulespec lsp` needs one more package", install("lsp"))
        return MISUSE
    from ..lsp.start import make

    make().start_io()
    return CLEAN
