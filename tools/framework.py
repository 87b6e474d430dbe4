"""Extensions of click: help begins with examples, a misspelt name gets a suggestion,
and a command's module is imported when it runs."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

import click

from rulespec.system.resources import games_dir
from rulespec.text.numbers import decimal, whole
from rulespec.text.quoting import ticked

CLEAN, FINDINGS, MISUSE = 0, 1, 2  # exit codes
INTERRUPTED = 130
BROKEN_PIPE = 141

HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}  # settings of what is run by itself


class Whole(click.IntRange):
    """A whole number in the one spelling that games have too: digits, none of them a zero before others, no `_`, no `0x1`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and whole(value) is None:
            self.fail(f"{ticked(value)} is no whole number: digits alone, and no zero before others", param, ctx)
        return super().convert(value, param, ctx)


class Decimal(click.FloatRange):
    """A number that may have a fraction, spelt as whole numbers are: no `1e3`, no `inf`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and decimal(value) is None:
            self.fail(f"{ticked(value)} is no number: digits alone, such as 2 or 0.5", param, ctx)
        return super().convert(value, param, ctx)


COMPLETE = "_RULESPEC_COMPLETE"  # set by the scripts that `rulespec completion` prints


class Command(click.Command):
    """A command whose help starts with examples; `{game}` in them is a game that is there.

    `first` names the options that a newcomer needs: they come before the others, under a heading of their own.
    """

    def __init__(self, *args: Any, examples: Sequence[str] = (), first: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = examples
        self.first = first

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_examples(self.examples, formatter)
        super().format_help(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        written = {
            option: option.get_help_record(ctx) for option in self.get_params(ctx) if isinstance(option, click.Option)
        }
        first = [record for word in self.first for option, record in written.items() if record and word in option.opts]
        others = [record for record in written.values() if record and record not in first]
        for title, records in (("The first ones to know", first), ("More options" if first else "Options", others)):
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


class Group(click.Group):
    """The commands in groups, by name: the module of each (its `command` is the command) and what it does."""

    def __init__(
        self,
        *args: Any,
        groups: Mapping[str, Mapping[str, tuple[str, str]]],
        examples: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.groups = groups
        self.modules = {name: entry for group in groups.values() for name, entry in group.items()}
        self.examples = examples

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.modules:
            return None
        module, _ = self.modules[cmd_name]
        command = import_module(f".commands.{module}", __package__).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name in self.modules or name.startswith("-"):
            return super().resolve_command(ctx, args)
        near = nearest(name, self.modules)
        raise Misuse(f"there is no command {ticked(name)}", did_you_mean(near), ctx=ctx)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_examples(self.examples, formatter)
        super().format_help(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, modules in self.groups.items():
            with formatter.section(title):
                formatter.write_dl([(name, about) for name, (_, about) in modules.items()])


# What a command was given that is not there: a game, players, an option, a variant, a bot, a file, a case, any case at all.
MISNAMED = frozenset({"B001", "C004", "C011", "K004", "K009", "P010", "P011", "P012", "P013", "Y001"})


class Misuse(click.UsageError):
    """Raised for wrong usage of a command; `hint` says what would be right."""

    def __init__(self, message: str, hint: str | None = None, ctx: click.Context | None = None) -> None:
        super().__init__(message, ctx)
        self.hint = hint


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The one of `names` that was probably meant, or None."""
    from rulespec.text.diagnostics import nearest as found

    return found(name, names)


def did_you_mean(name: str | None) -> str | None:
    """The line of help for it."""
    return None if name is None else f"did you mean {ticked(name)}?"


def write_examples(examples: Sequence[str], formatter: click.HelpFormatter) -> None:
    if examples:
        game = example_game()
        with formatter.section("Examples"):
            for example in examples:
                formatter.write_text(example.replace("{game}", game))
        formatter.write("\n")


def shipped_games() -> list[str]:
    """The ids of the games that are here."""
    return sorted(path.parent.name for path in games_dir().glob("*/game.yaml"))


def example_game() -> str:
    """A shipped game, for examples that can be copied: the one with the least to learn, by the length of its rules."""
    lengths = {
        name: sum(file.stat().st_size for file in (games_dir() / name).glob("*.yaml")) for name in shipped_games()
    }
    return min(lengths, key=lengths.__getitem__, default="games/mine")
