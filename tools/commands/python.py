"""`rulespec python`: the Python that is generated from a game's program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .. import console
from ..framework import Command
from ..parameters import open_game, setup_options
from ..program_parts import chosen, function_option, procedure_option, rule_line

if TYPE_CHECKING:
    from interpreter.python.library import Library
    from interpreter.python.listing import Listed


@click.command(
    "python",
    cls=Command,
    examples=[
        "rulespec python {game}",
        "rulespec python {game} --procedure game",
        "rulespec python my_game --players 3 --function score",
    ],
)
@setup_options
@procedure_option
@function_option
def command(
    game: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    procedures: tuple[str, ...],
    functions: tuple[str, ...],
) -> int:
    """Print the Python that is generated from a game's program, with the lines of the rules as comments.

    S are the slots, l0 is a local, F[0] what may still be worked out, J the journal. What is printed is never run: play compiles
    the same trees without a text.
    """
    from interpreter.python.listing import constants, listing

    opened = open_game(game, players, settings, variants)
    program, library = opened.program, opened.library
    assert library is not None  # `open_game` plays with generated Python
    if procedures or functions:
        some = chosen("procedure", procedures, [procedure.name for procedure in program.procedures])
        others = chosen("function", functions, [function.name for function in program.functions])
    else:
        some, others = list(range(len(program.procedures))), list(range(len(program.functions)))
    code = list(listing(library, some, others))
    for name, held in constants(library, code):
        console.data(console.printable(f"{name} = {held!r}"))
    for function in code:
        for line in commented(library, function):
            console.data(console.printable(line))
    return 0


def commented(library: Library, function: Listed) -> list[str]:
    """A function's lines, with the line of the rules before what comes from another one."""
    from interpreter.python.listing import place

    lines = ["", f"# {function.about}"]
    last: tuple[str, str] | None = None
    for text, number in function.lines:
        if number is None:
            lines.append(text)
            continue
        instruction = place(library, number)
        rule = None if instruction is None else rule_line(instruction.where)
        if rule is not None and (text, rule) != last:
            lines.append(f"{text}# {rule}")
            last = (text, rule)
    return lines
