"""The command line as a whole: the names of the commands, and how errors are reported.

Exit codes: 0 clean, 1 findings, 2 misuse or a fault of ours, 130 interrupted, 143 told to end while a game is played, 141 nobody reads on.
"""

import os
import shlex
import sys
from collections.abc import Sequence

import click

from rulespec.text.quoting import ticked

from . import console, stopping
from .framework import (
    BROKEN_PIPE,
    CLEAN,
    COMPLETE,
    FINDINGS,
    HELP,
    MISNAMED,
    MISUSE,
    Group,
    Misuse,
    did_you_mean,
    nearest,
)

DEBUG = "RULESPEC_DEBUG"  # if set, internal errors are shown with a traceback

GROUPS = {
    "Play": {
        "play": ("play", "Play a game in the terminal, with people and bots."),
        "serve": ("serve", "Play in browsers, with people on several machines and bots."),
        "list": ("list", "The games that are here, their variants and options."),
        "watch": ("watch", "Walk through a game that was played, forwards and back."),
        "book": ("book", "The rulebook that the rules make, to read or to print."),
    },
    "Write": {
        "studio": ("studio", "Write a game in a browser, and play it there as it stands."),
        "new": ("new", "Make a folder with a small game to begin with."),
        "lint": ("lint", "Check games: errors, secrets that leak, likely mistakes."),
        "explain": ("explain", "What a code such as E204 means: cause, example, cure."),
        "fmt": ("fmt", "Put the files of games into one layout."),
        "map": ("map", "Show the map or the boards of a game, here or as an SVG file."),
        "lsp": ("lsp", "Answer an editor while you write: findings, completion, names."),
        "schema": ("schema", "Print or write what an editor checks a game by."),
        "variant": ("variant", "Write a variant from a changed copy of a game."),
    },
    "Test": {
        "test": ("test", "Run a game's test cases; coverage and planted mistakes."),
        "case": ("case", "Write a test case from a game that was played."),
        "verify": ("verify", "Check in random games what holds for every game: undo, saves, secrets."),
        "review": ("review", "Playtest by machine: play all setups and ask what is odd."),
        "diff": ("diff", "Show what a variant changes, or another game."),
        "replay": ("replay", "Play a transcript again and check that it ends the same."),
    },
    "Balance": {
        "simulate": ("simulate", "Play many games with bots and count how they end."),
        "compare": ("compare", "Say what a variant changes in play: length, first player, draws."),
        "odds": ("odds", "Say how probable each outcome is, as fractions."),
        "lab": ("lab", "Play a study of variants and bots in many processes, and report."),
        "tree": ("tree", "Walk a small game's whole tree."),
    },
    "Look inside": {
        "table": ("table", "Print the table as a seat sees it, as JSON for front ends."),
        "ir": ("ir", "Print the program that a game becomes."),
        "python": ("python", "Print the Python that is generated from it."),
        "build": ("build", "Compile a game ahead, for native play."),
        "completion": ("completion", "Print a script that completes commands in your shell."),
    },
}  # by what one wants: each command's module and what it does
MODULES = {name: entry for group in GROUPS.values() for name, entry in group.items()}


def print_version(ctx: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    """`--version`, read only when asked for."""
    if asked and not ctx.resilient_parsing:
        from importlib.metadata import PackageNotFoundError, version

        try:
            console.data(f"rulespec {version('rulespec')}")
        except PackageNotFoundError:
            console.data("rulespec (not installed)")
        ctx.exit()


@click.group(
    cls=Group,
    groups=GROUPS,
    examples=[
        "rulespec play {game}",
        "rulespec new my_game",
        "rulespec lint my_game",
    ],
    context_settings=HELP,
    no_args_is_help=False,
    invoke_without_command=True,
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_version,
    help="Show the version and leave.",
)
@click.pass_context
def root(ctx: click.Context) -> None:
    """The rules of tabletop games as data: check them, play them, count them.

    `rulespec COMMAND --help` shows examples and options of a command. Codes: 0 clean, 1 findings,
    2 misuse.
    """
    if ctx.invoked_subcommand is None:
        console.data(ctx.get_help())


def main(argv: Sequence[str] | None = None, command: click.Command = root, name: str = "rulespec") -> int:
    """Run a command line and return its exit code; no exception leaves this function."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    console.prepare()
    try:
        if COMPLETE in os.environ:
            return complete(os.environ[COMPLETE])
        return run(arguments, command, name)
    except (KeyboardInterrupt, click.Abort) as interrupt:
        if console.is_terminal(sys.stderr):
            console.message()
        return stopping.code_of(interrupt)
    except BrokenPipeError:
        console.abandon()
        return BROKEN_PIPE
    except OSError as error:
        console.abandon()
        console.error("C002", f"cannot be written: {console.reason(error)}")
        return MISUSE
    except Exception as error:
        report_our_fault(error, [*name.split(), *arguments])
        return MISUSE


def run(arguments: list[str], command: click.Command, name: str) -> int:
    """Run a command; misuse and findings are printed here."""
    from rulespec.text.diagnostics import Diagnostic, RulespecError

    from . import report

    try:
        with command.make_context(name, arguments) as ctx:
            result = command.invoke(ctx)
        sys.stdout.flush()
        return result if isinstance(result, int) else CLEAN
    except click.exceptions.Exit as leave:
        sys.stdout.flush()
        return leave.exit_code
    except click.ClickException as error:
        report_misuse(error)
        return MISUSE
    except RulespecError as error:
        report.to_stderr(error.diagnostics)
        return MISUSE if any(d.code in MISNAMED for d in error.diagnostics) else FINDINGS
    except Exception as error:
        # Faults of a game's rules, and answers that it refuses.
        diagnostic = getattr(error, "diagnostic", None)
        if not isinstance(diagnostic, Diagnostic):
            raise
        report.to_stderr([diagnostic])
        return MISUSE if diagnostic.code in MISNAMED else FINDINGS


def complete(instruction: str) -> int:
    """Answer a shell that asks what could come next."""
    from click.shell_completion import shell_complete

    return shell_complete(root, {}, "rulespec", COMPLETE, instruction)


def report_misuse(error: click.ClickException) -> None:
    """Report a wrong usage, in the layout of all findings."""
    text = error.format_message()
    ctx = getattr(error, "ctx", None)
    hint = error.hint if isinstance(error, Misuse) else None
    if isinstance(error, click.NoSuchOption):
        text = f"there is no option {ticked(error.option_name)}"
        hint = near_option(error, ctx)
    if hint is None:
        path = ctx.command_path if ctx else "rulespec"
        hint = f"`{path} --help` shows how it is used"
    console.error("C001", text, hint)


def near_option(error: click.NoSuchOption, ctx: click.Context | None) -> str | None:
    known = [name for p in ctx.command.params for name in p.opts] if ctx else []
    return did_you_mean(nearest(error.option_name, known))


def report_our_fault(error: Exception, words: list[str]) -> None:
    """Report an internal error: one line, and how to report it to the project."""
    if os.environ.get(DEBUG):
        import traceback

        traceback.print_exc()
    reason = " ".join(str(error).split())[:200]
    console.error(
        "C900",
        f"Rulespec itself failed: {type(error).__name__}{f': {reason}' if reason else ''}",
        f"this is an error of Rulespec, not yours; please report it with what this prints: {DEBUG}=1 {shlex.join(words)}",
    )
