"""Checks what bots read: nothing that the seat which is asked may not know by the declared visibility.

Example: in `score: card.value - sum(c.value for c in p1.hand)` the label of the sum says that it reads the hands, which their owners
alone see; the seat that is asked need not be p1, so this is B005.  `size(p1.hand)` reads nothing hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from rulespec import ir
from rulespec.bots.compiler import functions_of, load_bot
from rulespec.bots.data import Formula, Policy
from rulespec.checker.program import CheckedGame
from rulespec.lint.flow.analysis import TaintAnalysis
from rulespec.lint.flow.findings import Places
from rulespec.lint.flow.labels import PUBLIC, Label, Val
from rulespec.lint.flow.secrecy import Grants, Secrecy
from rulespec.lint.flow.setups import tried
from rulespec.lint.flow.shown import Shown
from rulespec.lint.flow.terms import Given, Named, Seat
from rulespec.lint.flow.values import Values
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.locate import bots_of
from rulespec.text.quoting import ticked


def check_bots(game: CheckedGame, file: Path, diagnostics: Diagnostics) -> None:
    """Report the faults of all bots beside a game, and what they read that their seat may not know in any setup that is tried."""
    for sized in (game, *game.sizes.values()):
        findings = Diagnostics()
        first = len(sized.context.out_functions)
        policies = [policy for path in bots_of(file) if (policy := load_bot(sized, path, findings)) is not None]
        sized.context.asides.update(range(first, len(sized.context.out_functions)))
        for players, options in tried(game) if policies and may_read(sized, policies) else ():
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


def may_read(game: CheckedGame, policies: list[Policy]) -> bool:
    """Whether bots may read in some setup what their seat may not know: a program for all setups at once knows least of who sees what.

    Where bots read names of the steps which ask, that is not told of the expressions alone.
    """
    if by_question(policies):
        return True
    functions = tuple(function for function in game.context.out_functions if function is not None)
    program = replace(game.template, players=max(game.players), functions=functions)
    return program.hides and any(hidden for _, hidden in alone(Secrecy(program, game.players), policies))


def alone(secrecy: Secrecy, policies: list[Policy]) -> Iterator[tuple[Formula, Label]]:
    """The expressions that read no names of steps, with what they read that the seat which is asked may not know."""
    values, me = Values(secrecy), Named(Seat())
    for formula in [used for policy in policies for used in formulas(policy) if not used.locals]:
        function = secrecy.program.functions[formula.function]
        # The seat that is asked sees the option.
        given = {n: Val(Named(Given(n))) for n in range(1, function.parameters)}
        read = values.of(function.body, {0: Val(me), **given})
        yield formula, secrecy.hidden(read.label, me, frozenset())


def check_sight(
    game: CheckedGame, policies: list[Policy], players: int | None, options: Mapping[str, str], diagnostics: Diagnostics
) -> None:
    """Report what bots read in one setup that their seat may not know by the declared visibility."""
    functions = functions_of(game, players, options)
    program = replace(game.program(players=players, options=options, optimise=False), functions=functions)
    asked = by_question(policies)
    if asked:
        check_kept(game, asked, game.program(players=players, options=options), diagnostics)
    if not program.hides:
        return
    secrecy = Secrecy(program, game.players if players is None else (players,))
    places = Places(game)
    told = {(diagnostic.span, diagnostic.code) for diagnostic in diagnostics}

    def report(formula: Formula, hidden: Label) -> None:
        if hidden and (formula.span, "B005") not in told:
            told.add((formula.span, "B005"))
            secrets = " and ".join(sorted({places.secret(atom.base) for atom in hidden}))
            diagnostics.add(
                "B005",
                f"this reads {secrets}, which the seat that is asked may not see",
                formula.span,
                help=("a bot knows what its seat sees: `me.hand`, and how many cards the others hold",),
            )

    for formula, hidden in alone(secrecy, policies):
        report(formula, hidden)
    if asked:
        shown = Asking(secrecy, places, asked, report)
        TaintAnalysis(program, secrecy, shown).run()


def by_question(policies: list[Policy]) -> dict[int, list[Formula]]:
    """The expressions that read names of the steps which ask, by the question."""
    asked: dict[int, list[Formula]] = {}
    for preference in [one for policy in policies for one in policy.preferences]:
        for site, wishes in preference.at.items():
            for wish in wishes.values():
                named = [f for f in (wish.test, wish.score, wish.weight, wish.count) if f is not None and f.locals]
                if named:
                    asked.setdefault(site, []).extend(named)
    return asked


class Asking(Shown):
    """Looks at each question at what bots read there: names of the steps that ask hold what these have put into them."""

    def __init__(
        self,
        secrecy: Secrecy,
        places: Places,
        asked: Mapping[int, list[Formula]],
        report: Callable[[Formula, Label], None],
    ) -> None:
        context = places.game.context
        super().__init__(secrecy, places.open_variables, places.counting, context.public, context.told_some)
        self.formulas = asked
        self.read = report

    def question(self, site: ir.Site, values: Values, L: Mapping[int, Val], items: Val, grants: Grants) -> None:
        """What the seat that is asked may not know of what its bot reads."""
        super().question(site, values, L, items, grants)
        for formula in self.formulas.get(site.index, ()):
            seat = values.whole(site.player, L)
            function = self.program.functions[formula.function]
            first = 1 + len(site.arguments)
            given = {n: Val(Named(Given(n))) for n in range(1, function.parameters)}
            held = {first + n: L.get(local, PUBLIC) for n, local in enumerate(formula.locals)}
            read = values.whole(function.body, {**given, 0: seat, **held})
            self.read(formula, self.secrecy.hidden(read.label | read.ident, seat.term, grants))


def check_kept(
    game: CheckedGame, asked: Mapping[int, list[Formula]], program: ir.Program, diagnostics: Diagnostics
) -> None:
    """Report names that a bot reads and that are no more while its question waits."""
    kept = {}
    for point in program.points:
        instruction = program.procedures[point.procedure].code[point.position]
        if isinstance(instruction, ir.Ask):
            kept[instruction.site] = point.kept
    for site, formulas_there in asked.items():
        names = {local: name for name, (local, _) in game.context.asked[site].locals.items()}
        for formula in formulas_there:
            for local in formula.locals:
                if local not in kept.get(site, (local,)):
                    diagnostics.add(
                        "B010",
                        f"{ticked(names[local])} is not kept while `{game.context.asked[site].name}` is asked",
                        formula.span,
                        help=(
                            "neither the question nor what is done after it reads this name: go by what it was made of",
                        ),
                    )
