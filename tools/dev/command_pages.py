"""The page of the commands, from what they say of themselves."""

from __future__ import annotations

import inspect

import click

from ..cli import GROUPS, root
from ..framework import Command, example_game
from .pages import NOTE, table

HEAD = f"""{NOTE}

# Commands

`.venv/bin/rulespec` in this folder, or `rulespec` where it is [installed](install.md). `rulespec COMMAND --help` prints what follows.

Exit codes: 0 clean, 1 findings, 2 wrong usage or a file that is not there, 130 interrupted, 143 asked to end (SIGTERM) while a game
is played.

Commands that play keep checked games in the user's cache folder, and check a game again when one of its files has changed; `lint`
keeps there what it finds, and looks again at what has changed; `test` always checks. Set the environment variable
`RULESPEC_CACHE` to use another folder (one that nobody else can write to), or to `off`.
"""


def commands() -> str:
    """The page: an index by group, then each command."""
    lines = [HEAD]
    for title, group in GROUPS.items():
        rows = [(f"[`rulespec {name}`](#rulespec-{name})", about) for name, (_, about) in group.items()]
        lines += [f"**{title}**", "", *table(rows, "command", "what it does")]
    for group in GROUPS.values():
        for name in group:
            command = root.get_command(click.Context(root, info_name="rulespec"), name)
            assert isinstance(command, Command), name
            lines += described(name, command)
    return "\n".join(lines).rstrip() + "\n"


def described(name: str, command: Command) -> list[str]:
    """A command's part of the page: its usage and examples, what it does, its options."""
    context = click.Context(command, info_name=name)
    usage = " ".join(["rulespec", name, *command.collect_usage_pieces(context)])
    examples = [example.replace("{game}", example_game()) for example in command.examples]
    about = inspect.cleandoc(command.help or "").replace("\b\n", "")
    options = [
        record
        for option in command.params
        if not isinstance(option, click.Argument)
        for record in [option.get_help_record(context)]
        if record is not None
    ]
    lines = [f"## rulespec {name}", "", f"`{usage}`", "", about, "", "```sh", *examples, "```", ""]
    if options:
        lines += [*table(((f"`{spelt}`", spaced(said)) for spelt, said in options), "option", "what it does")]
    return lines


def spaced(text: str) -> str:
    """A text of a help, in a cell: what click appends stands apart by one blank."""
    return text.replace("  [", " [")
