"""`rulespec completion`: a script for a shell."""

import click

from .. import console
from ..framework import COMPLETE, Command

SHELLS = ["bash", "zsh", "fish"]


@click.command(
    "completion",
    cls=Command,
    examples=[
        'eval "$(rulespec completion bash)"',
        'eval "$(rulespec completion zsh)"',
        "rulespec completion fish | source",
    ],
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print a script that makes a shell complete commands, options and games."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    console.data(kind(ctx.find_root().command, {}, "rulespec", COMPLETE).source())
