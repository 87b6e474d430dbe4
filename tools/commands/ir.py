"""`rulespec ir`: the program that a game is compiled to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from .. import console
from ..framework import Command
from ..parameters import json_option, open_game, setup_options
from ..program_parts import chosen, function_option, procedure_option, rule_line

if TYPE_CHECKING:
    from rulespec.ir import Program


@click.command(
    "ir",
    cls=Command,
    examples=[
        "rulespec ir {game}",
        "rulespec ir {game} --procedure game",
        "rulespec ir my_game --players 3 --variant short --json",
    ],
)
@setup_options
@procedure_option
@function_option
@json_option
def command(
    game: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    procedures: tuple[str, ...],
    functions: tuple[str, ...],
    as_json: bool,
) -> int:
    """Print the program that a game becomes for so many players: its functions, its procedures with the lines of the rules that
    their instructions come from, what players are asked, and its rules.

    L0 is a local, S7 a slot, f3 a function. A procedure that is asked for brings the questions that it asks and the rules that run it.
    """
    program = open_game(game, players, settings, variants).program
    everything = not procedures and not functions
    shown = Selection(
        program,
        list(range(len(program.functions)))
        if everything
        else chosen("function", functions, [function.name for function in program.functions]),
        list(range(len(program.procedures)))
        if everything
        else chosen("procedure", procedures, [procedure.name for procedure in program.procedures]),
    )
    if as_json:
        console.data_json(shown.data())
    else:
        for line in shown.lines():
            console.data(console.printable(line))
    return 0


class Selection:
    """Some functions and procedures of a program, with the sites that are asked there and the rules that run them."""

    def __init__(self, program: Program, functions: list[int], procedures: list[int]) -> None:
        from rulespec import ir

        self.program = program
        self.functions = functions
        self.procedures = procedures
        asked = {i.site for number in procedures for i in program.procedures[number].code if isinstance(i, ir.Ask)}
        self.sites = [site for site in program.sites if site.index in asked]
        self.rules = [rule for rule in program.rules if rule.procedure in set(procedures)]
        self.points = {(p.procedure, p.position): p for p in program.points}

    def lines(self) -> list[str]:
        """The listing: before instructions that come from another line of the rules than the one before stands that line."""
        from rulespec.ir import show

        program = self.program
        lines = [f"# kinds: {', '.join(f'{kind.index} {kind.name}' for kind in program.kinds)}"]
        lines += [line for number in self.functions for line in show.show_function(number, program.functions[number])]
        for number in self.procedures:
            procedure = program.procedures[number]
            text_lines = list(show.show_procedure(number, procedure, self.points))
            first = 1 + len(list(show.show_types(procedure)))
            lines += text_lines[:first]
            last = None
            for position, text in enumerate(text_lines[first:]):
                rule = rule_line(procedure.code[position].where) if position < len(procedure.code) else None
                if rule is not None and rule != last:
                    lines.append(f"      # {rule}")
                    last = rule
                lines.append(text)
        for site in self.sites:
            lines += show.show_site(site)
        for rule_ in self.rules:
            lines += show.show_rule(rule_)
        return lines

    def data(self) -> dict[str, Any]:
        """The same for programs."""
        from rulespec.ir import show

        program = self.program
        return {
            "game": program.id,
            "players": program.players,
            "functions": [
                {
                    "number": n,
                    "name": program.functions[n].name,
                    "text": text(show.show_function(n, program.functions[n])),
                }
                for n in self.functions
            ],
            "procedures": [self.procedure_data(number) for number in self.procedures],
            "sites": [{"number": s.index, "name": s.name, "text": text(show.show_site(s))} for s in self.sites],
            "rules": [{"number": r.index, "name": r.name, "text": text(show.show_rule(r))} for r in self.rules],
        }

    def procedure_data(self, number: int) -> dict[str, Any]:
        """A procedure: each instruction with the file and the line that it comes from, and what a frame that waits there keeps."""
        from rulespec.ir import show

        procedure = self.program.procedures[number]
        code = []
        for position, i in enumerate(procedure.code):
            point = self.points.get((number, position))
            code.append(
                {
                    "op": type(i).__name__,
                    "text": show.instruction(i),
                    "keeps": None if point is None else list(point.kept),
                    "file": None if i.where is None else i.where.source.name,
                    "line": None if i.where is None else i.where.line,
                }
            )
        regions = [
            {"start": r.start, "end": r.end, "target": r.name, "local": r.index, "handler": r.handler}
            for r in procedure.regions
        ]
        return {
            "number": number,
            "name": procedure.name,
            "parameters": procedure.parameters,
            "locals": [show.printed(t) for t in procedure.locals],
            "gives": show.printed(procedure.result),
            "code": code,
            "regions": regions,
        }


def text(lines: Iterable[str]) -> str:
    """Lines as one text."""
    return "\n".join(lines)
