"""Functions of players and of kinds whose members have an order."""

from __future__ import annotations

from rulespec.language import bounds
from rulespec.language.facts import C, CForm, Facts, Form, Needs, Python, Result
from rulespec.language.registry import function
from rulespec.library.errors import DomainError

Seats = tuple[int, ...]


@function(
    "seats_from(player: Player) -> list of Player",
    hidden=("players",),
    examples={"seats_from(p2)": "list(p2, p1)"},
    facts=Facts(
        result=Result.TURN_ORDER, total=True, heavy=True, python=Python(form=Form.MEMBERS), c=C(form=CForm.SEATS)
    ),
)
def seats_from(player: int, players: int) -> Seats:
    """All players clockwise, beginning with the one given."""
    return tuple((player + step) % players for step in range(players))


@function(
    "left_of(player: Player) -> Player",
    hidden=("players",),
    examples={"left_of(p1)": "p2"},
    facts=Facts(result=bounds.member, total=True, others=True, python=Python("($a + 1) % $b"), c=C("(($a+1)%$b)")),
)
def left_of(player: int, players: int) -> int:
    """The next player clockwise."""
    return (player + 1) % players


@function(
    "right_of(player: Player) -> Player",
    hidden=("players",),
    examples={"right_of(p1)": "p2"},
    facts=Facts(result=bounds.member, total=True, others=True, python=Python("($a - 1) % $b"), c=C("(($a+$b-1)%$b)")),
)
def right_of(player: int, players: int) -> int:
    """The next player anticlockwise."""
    return (player - 1) % players


@function(
    "rival(player: Player) -> Player",
    hidden=("players",),
    examples={"rival(p1)": "p2"},
    facts=Facts(
        result=bounds.member,
        total_for=2,
        others=True,
        python=Python("1 - $a", last=2),
        c=C("rival_(S,$a,$b)", sure="(1-$a)"),
    ),
)
def rival(player: int, players: int) -> int:
    """The other player, in a game of two."""
    if players != 2:
        raise DomainError("`rival` is for two players")
    return 1 - player


@function(
    "next(member: K) -> K",
    hidden=("members of K",),
    examples={"next(red)": "blue", "next(green)": "red"},
    facts=Facts(result=bounds.member, total=True, others=True, python=Python("($a + 1) % $b"), c=C("(($a+1)%$b)")),
)
def next_member(member: int, members: int) -> int:
    """The member of the kind that stands after this one; after the last, the first."""
    return (member + 1) % members


@function(
    "previous(member: K) -> K",
    hidden=("members of K",),
    examples={"previous(red)": "green"},
    facts=Facts(result=bounds.member, total=True, others=True, python=Python("($a - 1) % $b"), c=C("(($a+$b-1)%$b)")),
)
def previous_member(member: int, members: int) -> int:
    """The member of the kind that stands before this one; before the first, the last."""
    return (member - 1) % members


@function(
    "number(member: K) -> 1..",
    examples={"number(blue)": "2"},
    facts=Facts(
        result=bounds.successor,
        total=True,
        python=Python("$a + 1", needs=Needs.BOUNDED),
        c=C("((V)$a+1)", tested="add_(S,$a,1)"),
    ),
)
def member_number(member: int) -> int:
    """The place of a member in its kind, counted from 1."""
    return member + 1
