"""The setups of a game: many at once, in one program in which settings are values that all know, or one by one.

    options: {open: {values: [yes, no], default: no}}
    zones: {hand: {of: Card, per: Player, seen by: if open then players else set(this)}}

One program for all setups does not know who sees a hand; with `open` settled, two programs do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import prod

from rulespec import ir
from rulespec.checker.program import CheckedGame
from rulespec.ir.walk import within
from rulespec.lint.flow.secrecy import Secrecy, viewing
from rulespec.passes.fold import fold, settled
from rulespec.passes.members import members

MOST_ROWS = 6  # of values of options that are not the default
MOST_SPLIT = 8  # ways in which options decide who sees something; if there are more, they are left open


Setups = tuple[ir.Program, tuple[int, ...]]  # a program, and the numbers of players that it stands for


def joint(game: CheckedGame) -> Iterator[Iterator[Setups]]:
    """Programs that stand for every setup: first one for all, then those in which it is settled who sees what.

    Whatever leaks in a setup leaks in one of them, but what leaks in one of them need not leak in a setup: they do not know that
    a setting which decides about one step decides about another too.
    """
    template = members(replace(game.template, players=max(game.players)))
    yield iter(((fold(template), game.players),))
    functions = viewing(template)
    read = set().union(*(mentioned(template, number) for number in functions))
    if read:
        yield split(game, template, read)


def split(game: CheckedGame, template: ir.Program, read: set[str]) -> Iterator[Setups]:
    """A program for each way in which some settings may be."""
    values: dict[str, tuple[ir.Value, ...]] = {
        name: game.context.options[name].values for name in sorted(read - {"players"})
    }
    if prod(map(len, values.values())) > MOST_SPLIT:
        values = {}
    for chosen in product(*values.values()):
        program = with_settings(template, dict(zip(values, chosen, strict=True)))
        if "players" not in read or Secrecy(program, game.players).alike(viewing(template)):
            yield fold(program), game.players
        else:
            for count in game.players:
                yield fold(with_settings(program, {"players": count})), (count,)


def tried(game: CheckedGame) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Every number of players with the options as they are by default; then rows of other values, each of them in one row."""
    for players in game.players:
        yield players, {}
    others = [
        (option, words)
        for option in game.options
        if (words := [word for word in option.values if word != option.default])
    ]
    for n in range(min(MOST_ROWS, max((len(words) for _, words in others), default=0))):
        rows: dict[int, dict[str, str]] = {}
        for option, words in others:
            usual = game.players[n % len(game.players) - 1]
            count = usual if usual in option.players else option.players[-1]
            rows.setdefault(count, {})[option.name] = words[n % len(words)]
        yield from rows.items()


def single(game: CheckedGame) -> Iterator[Setups]:
    """The programs of single setups, those that are tried."""
    template, options = members(game.template), game.context.options
    default = {option.name: option.default for option in game.options}
    for players, row in tried(game):
        words = {**default, **row}
        settings = {name: options[name].values[options[name].words.index(word)] for name, word in words.items()}
        yield fold(replace(with_settings(template, {**settings, "players": players}), players=players)), (players,)


def with_settings(program: ir.Program, settings: Mapping[str, ir.Value]) -> ir.Program:
    """A program in which some settings are values."""
    if not settings:
        return program
    return replace(
        program,
        functions=settled(program.functions, settings),
        procedures=settled(program.procedures, settings),
        sites=settled(program.sites, settings),
        rules=settled(program.rules, settings),
    )


def mentioned(template: ir.Program, number: int) -> set[str]:
    """The settings that a function reads."""
    names: set[str] = set()
    for e in within(template.functions[number].body):
        if isinstance(e, ir.Setting):
            names.add(e.name)
        elif isinstance(e, ir.Invoke):
            names |= mentioned(template, e.function)
    return names
