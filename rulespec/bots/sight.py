"""Checks what bots read: nothing that the seat which is asked may not know by the declared visibility.

Example: in `score: card.value - sum(c.value for c in p1.hand)` the label of the sum says that it reads the hands, which their owners
alone see; the seat that is asked need not be p1, so this is B005.  `size(p1.hand)` reads nothing hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from rulespec.bots.compiler import functions_of, load_bot
from rulespec.bots.data import Formula, Policy
from rulespec.checker.program import CheckedGame
from rulespec.lint.flow.findings import Places
from rulespec.lint.flow.labels import Val
from rulespec.lint.flow.secrecy import Secrecy
from rulespec.lint.flow.setups import tried
from rulespec.lint.flow.terms import Given, Named, Seat
from rulespec.lint.flow.values import Values
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.locate import bots_of


def check_bots(game: CheckedGame, file: Path, diagnostics: Diagnostics) -> None:
    """Report the faults of all bots beside a game, and what they read that their seat may not know in any setup that is tried."""
    for sized in (game, *game.sizes.values()):
        findings = Diagnostics()
        policies = [policy for path in bots_of(file) if (policy := load_bot(sized, path, findings)) is not None]
        for players, options in tried(game) if policies else ():
            if game.at(options) is sized:
                check_sight(sized, policies, players, options, findings)
        diagnostics.take(findings)


def formulas(policy: Policy) -> Iterator[Formula]:
    """Every expression of a bot that is evaluated at what the seat sees, each once.

    `value` of a search is not among them: it is evaluated at guesses (determinizations) of the position.
    """
    seen: set[int] = set()
    for preference in policy.preferences:
        for wishes in preference.at.values():
            for wish in wishes.values():
                for formula in (wish.test, wish.score, wish.weight, wish.count):
                    if formula is not None and formula.function not in seen:
                        seen.add(formula.function)
                        yield formula


def check_sight(
    game: CheckedGame, policies: list[Policy], players: int | None, options: Mapping[str, str], diagnostics: Diagnostics
) -> None:
    """Report what bots read in one setup that their seat may not know by the declared visibility."""
    functions = functions_of(game, players, options)
    program = game.program(players=players, options=options, optimise=False)
    secrecy = Secrecy(replace(program, functions=functions), game.players if players is None else (players,))
    if not secrecy.hides:
        return
    values, me, places = Values(secrecy), Named(Seat()), Places(game)
    told = {(diagnostic.span, diagnostic.code) for diagnostic in diagnostics}
    for formula in [used for policy in policies for used in formulas(policy)]:
        function = functions[formula.function]
        # The seat that is asked sees the option.
        given = {n: Val(Named(Given(n))) for n in range(1, function.parameters)}
        read = values.of(function.body, {0: Val(me), **given})
        hidden = secrecy.hidden(read.label, me, frozenset())
        if hidden and (formula.span, "B005") not in told:
            told.add((formula.span, "B005"))
            secrets = " and ".join(sorted({places.secret(atom.base) for atom in hidden}))
            diagnostics.add(
                "B005",
                f"this reads {secrets}, which the seat that is asked may not see",
                formula.span,
                help=("a bot knows what its seat sees: `me.hand`, and how many cards the others hold",),
            )
