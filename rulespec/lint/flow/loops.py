"""What is known behind a loop of what each way round has shown.

    - for: p in players
      do:
        - reveal: p.hand            # on the way round: (Secret("zone", hand, Named(p)), EVERYBODY)

Behind it this holds for all players, `(Secret("zone", hand, ANY), EVERYBODY)`: the loop goes through all of them, every way round
reveals the hand of its own, and none lays anything into the hand of another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulespec import ir
from rulespec.language.facts import Result
from rulespec.language.registry import facts
from rulespec.lint.flow.indices import across, parts, stays
from rulespec.lint.flow.labels import Secret
from rulespec.lint.flow.secrecy import Grants, Secrecy
from rulespec.lint.flow.shown import named_players
from rulespec.lint.flow.states import State
from rulespec.lint.flow.terms import ANY, EVERYBODY, Across, Answer, Constant, Each, Made, Named, Operation, Term, Token


def all_known(
    secrecy: Secrecy, items: Term, item: Named, rounds: Sequence[State], laid: Iterable[Secret], end: int
) -> Grants:
    """What all ways round have shown of their item, said of each of the items, or of all where these are all that there are.

    `laid` is what may have changed in the loop, which ends at `end`: what was shown of one item before may be something else then.
    """
    moved = {secret[:2] for secret in laid if secret.index != item}
    each: list[set[tuple[Token | Secret, Term]]] = []
    for state in rounds:
        shown: set[tuple[Token | Secret, Term]] = set()
        for what, to in state.grants:
            if isinstance(what, Secret):
                if what[:2] in moved or items == ANY:
                    continue
                per = secrecy.per(what)
                if len(per) == 2 and (row := along(secrecy, items, item, what.index, per, end)) is not None:
                    shown.add((what._replace(index=row), to))
                elif what.index == item and len(per) == 1:
                    whole = goes_through_all(secrecy, items, per[0])
                    shown.add((what._replace(index=ANY if whole else Each(items)), to))
            elif isinstance(what, Answer) and what.seat == item and all_who_answer(secrecy, items):
                shown.add((what._replace(seat=ANY), to))
        each.append(shown)
    return frozenset(set.intersection(*each)) if each else frozenset()


def never_empty(items: Term) -> bool:
    """Whether a loop surely has an item."""
    match items:
        case Constant(tuple() as values):
            return bool(values)
        case Operation(name):
            return facts(name).result in (Result.SEATS, Result.TURN_ORDER)
    return False


def along(
    secrecy: Secrecy, items: Term, item: Named, index: object, per: tuple[ir.Kind, ...], end: int
) -> Term | Across | None:
    """What is shown of all items, where the item is one of two parts of an index and the other stays the same; None elsewhere."""
    stride = len(per[1].members)
    both = parts(index, stride)
    if both is None or item not in both or both[0] == both[1]:
        return None
    number = both.index(item)
    other = both[1 - number]
    head: Made = item.token
    if not stays(other, head.procedure, head.pc, end) or not goes_through_all(secrecy, items, per[number]):
        return None
    row: Term | Across = across(ANY, other, stride) if number == 0 else across(other, ANY, stride)
    return row


def goes_through_all(secrecy: Secrecy, items: Term, kind: ir.Kind) -> bool:
    """Whether items are all members of a kind."""
    if kind.index == secrecy.program.player_kind:
        return named_players(items, secrecy.most) == (EVERYBODY,)
    return isinstance(items, Constant) and set(items.value) == set(range(len(kind.members)))


def all_who_answer(secrecy: Secrecy, items: Term) -> bool:
    """Whether items are all players, or all who have answered."""
    present = isinstance(items, Operation) and items.name == "present"
    return present or named_players(items, secrecy.most) == (EVERYBODY,)
