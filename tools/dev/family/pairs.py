"""`python -m tools.dev.family.pairs`: two variants at once, drawn by seed: each pair plays, or says why not in one message."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from itertools import combinations

import click

import rulespec
from interpreter import Game
from interpreter.runtime.faults import Fault
from rulespec.text.diagnostics import RulespecError
from rulespec.text.quoting import ticked

from .games import FAMILIES, Family

DECISIONS = 40  # of a random game


@dataclass(frozen=True, slots=True)
class Pair:
    """Two variants at once: how many decisions were played, or the codes of the messages, each once, that say why they cannot be."""

    one: str
    two: str
    decisions: int = 0
    codes: tuple[str, ...] = ()
    message: str = ""

    @property
    def outcome(self) -> str:
        """`plays`, `over at once` where the set-up of one ends the other, the code of the one message, or `not clear`."""
        if self.codes:
            return self.codes[0] if len(self.codes) == 1 else "not clear"
        return "plays" if self.decisions else "over at once"


def drawn(family: Family, count: int, seed: int) -> list[tuple[str, str]]:
    """So many different pairs of variants."""
    pairs = [*combinations([one.id for one in family.members() if one.extends], 2)]
    return random.Random(seed).sample(pairs, count)


def tried(family: Family, one: str, two: str, decisions: int = DECISIONS) -> Pair:
    """A pair loaded and played at random; a fault of its set-up, which has a code and a place, says why not, too.

    Raises what a fault of the rules in later play raises.
    """
    try:
        game = Game(rulespec.load(family.folder, variant=[one, two]), backend="python")
    except RulespecError as refused:
        return Pair(
            one,
            two,
            codes=tuple(
                code for code, _ in dict.fromkeys((found.code, found.message) for found in refused.diagnostics)
            ),
            message=str(refused),
        )
    try:
        state = game.new_state(seed=0, undo=False, record=False)
    except Fault as fault:
        return Pair(one, two, codes=(fault.diagnostic.code,), message=str(fault))
    dice, played = random.Random(0), 0
    while played < decisions and not state.is_terminal():
        state.apply_action(dice.choice(state.legal_actions()))
        played += 1
    return Pair(one, two, played)


@click.command()
@click.option("--count", default=200, show_default=True, help="How many pairs of each family.")
@click.option("--seed", default=0, show_default=True, help="By which they are drawn.")
@click.option("--decisions", default=DECISIONS, show_default=True, help="Decisions of a random game, at most.")
@click.option("--all", "every", is_flag=True, help="Show each pair, not only those of which it is not clear why.")
def main(count: int, seed: int, decisions: int, every: bool) -> None:
    """Ends with 1 where a pair neither plays nor says why in one message."""
    outcomes = Counter[str]()
    for family in FAMILIES:
        for one, two in drawn(family, count, seed):
            pair = tried(family, one, two, decisions)
            outcomes[pair.outcome] += 1
            if every or pair.outcome == "not clear":
                click.echo(f"{ticked(one)} and {ticked(two)}: {pair.outcome} {pair.message}")
    click.echo(", ".join(f"{outcome} {n}" for outcome, n in outcomes.most_common()))
    if outcomes["not clear"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
