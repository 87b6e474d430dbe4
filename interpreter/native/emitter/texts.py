"""C with what is known of it: each kind is a text like any, and says of itself what no text tells that was put together."""

from __future__ import annotations


class Block(str):
    """C of statements, and of the name that has their value then: `({body name;})`.  Within other C it is a text as any."""

    body: str
    name: str

    def __new__(cls, body: str, name: str) -> Block:
        """The C of both."""
        block = super().__new__(cls, f"({{{body} {name};}})")
        block.body, block.name = body, name
        return block


class NoItems(str):
    """C of an empty list: where it goes only the length is set."""


class Comparison(str):
    """C of whether two numbers are equal, and of whether they differ."""

    negated: str

    def __new__(cls, a: str, b: str) -> Comparison:
        """The C of both."""
        test = super().__new__(cls, f"({a}=={b})")
        test.negated = f"({a}!={b})"
        return test


class Place(str):
    """C of what lies in a slot, a table or a variable, and stays there while an expression is worked out: its address will do."""


class Part(Place):
    """A place that costs nothing to be said again: of a variable, or within one."""


class Variable(Part):
    """The name of a C variable: nothing that goes through what is in it sets it meanwhile."""


class Member(str):
    """C of a member of the position or of a frame, which costs nothing to be said again, and is something else soon."""


def part_of(of: str, member: str) -> str:
    """The C of a part of what has this C, a member as `.f0` or an item as `.a[k]`: no less of a place than that is."""
    kind = next((one for one in (Part, Place, Member) if isinstance(of, one)), str)
    return kind(of + member)
