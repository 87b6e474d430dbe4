"""Expressions as players read them: `me.target_number >= 4` is `your target number is at least 4`.

It is for people who ask what a card does, and not exact: names lose their underscores, `me` is the reader's `you`, `this` is `it`.
What must be exact is printed by `printer`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import assert_never

from rulespec.expr.parser import ExprSyntaxError, parse_expr
from rulespec.expr.syntax import (
    Attr,
    Binary,
    Call,
    Comp,
    Compare,
    Expr,
    If,
    In,
    Includes,
    Interval,
    Is,
    Name,
    Num,
    Text,
    Tuple,
    Unary,
)
from rulespec.expr.template import parse_template
from rulespec.system.records import dataclass

RELATIONS = {
    "==": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
}
OPERATORS = {"+": "plus", "-": "less", "*": "times", "/": "divided by"}
# Functions whose names alone would not be read as words; the others are `name of arguments`.
CALLED = {
    "size": "the number of {}",
    "count": "the number of {}",
    "those": "those {}",
    "set": "{}",
    "any": "there is any {}",
    "all": "all {}",
    "min": "the least of {}",
    "max": "the most of {}",
    "sum": "the sum of {}",
}
LINKS = frozenset(
    ("at", "by", "from", "for", "in", "is", "of", "on", "over", "to", "with")
)  # that end names of functions
STATES = ("can_", "has_", "have_", "is_")  # that begin names of what holds or not
PARTICIPLES = ("ed", "en", "ing", "able")  # the ends of fields that say what something is
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def words(name: str) -> str:
    """A name of the game as words: `draw_pile`, `CombatRound`."""
    return CAMEL.sub(" ", name.replace("_", " ")).strip()


@dataclass(frozen=True, slots=True)
class Wording:
    """Says expressions in words; `labels` are what people call members of types, by their names."""

    labels: Mapping[str, str]

    def name(self, word: str) -> str:
        """A name of the game as words, `draw_pile` or `CombatRound`; of a member of a type what people call it."""
        return self.labels.get(word) or words(word)

    def expression(self, text: str) -> str:
        """The text of an expression in words; itself where it is none."""
        try:
            return self.in_words(parse_expr(text))
        except ExprSyntaxError:
            return text

    def sentence(self, text: str) -> str:
        """A text with expressions in braces, these in words; but those about `this` are left, to be filled in for each piece."""
        try:
            parts = parse_template(text)
        except ExprSyntaxError:
            return text
        return "".join(part if isinstance(part, str) else self.hole(part) for part in parts)

    def hole(self, expr: Expr) -> str:
        """What stands in braces."""
        match expr:
            case Name("this"):
                return "{this}"
            case Attr(Name("this"), field):
                return f"{{this.{field}}}"
            case _:
                return self.in_words(expr)

    def condition(self, text: str) -> str:
        """The text of what holds or not, in words; itself where it is none."""
        try:
            return self.holds(parse_expr(text))
        except ExprSyntaxError:
            return text

    def holds(self, expr: Expr) -> str:
        """What holds or not, in words."""
        match expr:
            case Unary("not", Attr(obj, field)):
                return self.state(obj, field, "not ")
            case Unary("not", x):
                return f"not {self.holds(x)}"
            case Binary("and" | "or" as op, left, right):
                return f"{self.holds(left)} {op} {self.holds(right)}"
            case Attr(obj, field):
                return self.state(obj, field)
            case _:
                return self.in_words(expr)

    def state(self, obj: Expr, field: str, negated: str = "") -> str:
        """That a field holds: `it is activated`, `you are not silenced`, `the ford has moved`."""
        who = self.in_words(obj)
        if field.startswith(STATES):
            verb, _, rest = self.name(field).partition(" ")
            return f"{who} {verb} {negated}{rest}"
        if not field.endswith(PARTICIPLES):
            return f"{negated}{self.in_words(Attr(obj, field))}"
        return f"{who} {be(who)} {negated}{self.name(field)}"

    def called(self, func: str, args: tuple[Expr, ...]) -> str:
        """What a function gives: `damage to it`, `the number of cards`; of two things, `the ford is held by you`."""
        words = self.name(func)
        link = words.rpartition(" ")[2]
        if not args or func in CALLED:
            return CALLED.get(func, words).format(self.listing(args))
        if link == "by" and len(args) > 1:
            who = self.in_words(args[0])
            return f"{who} {be(who)} {words} {self.listing(args[1:])}"
        return f"{words} {self.listing(args)}" if link in LINKS else f"{words} of {self.listing(args)}"

    def in_words(self, expr: Expr) -> str:
        """An expression in words."""
        match expr:
            case Name("me"):
                return "you"
            case Name("this"):
                return "it"
            case Name(id):
                return self.name(id)
            case Num(value):
                return str(value)
            case Text(value):
                return value
            case Attr(Name("me"), field):
                return f"your {self.name(field)}"
            case Attr(Name("this"), field):
                return f"its {self.name(field)}"
            case Attr(obj, field):
                return f"the {self.name(field)} of {self.in_words(obj)}"
            case Call(Name(func), args):
                return self.called(func, args)
            case Call(Attr(obj, func), args):
                return self.called(func, (obj, *args))
            case Call():
                return self.listing(expr.args)
            case Tuple(items):
                return self.listing(items)
            case Binary("and" | "or", _, _) | Unary("not", _):
                return self.holds(expr)
            case Unary("neg", x):
                return f"-{self.in_words(x)}"
            case Unary():
                return self.holds(expr)
            case Binary(op, left, right):
                return f"{self.in_words(left)} {OPERATORS.get(op, op)} {self.in_words(right)}"
            case Compare(op, left, right):
                who = self.in_words(left)
                return f"{who} {RELATIONS[op].replace('is', be(who), 1)} {self.in_words(right)}"
            case In(item, coll, negated):
                who = self.in_words(item)
                return f"{who} {be(who)} {'not ' if negated else ''}in {self.in_words(coll)}"
            case Includes(coll, item):
                return f"{self.in_words(coll)} includes {self.in_words(item)}"
            case Is(x, what, negated):
                who = self.in_words(x)
                return f"{who} {be(who)} {'not ' if negated else ''}{what}"
            case Interval(low, high):
                return self.interval(low, high)
            case If(cond, then, other):
                return f"{self.in_words(then)} if {self.holds(cond)}, else {self.in_words(other)}"
            case Comp():
                return self.comprehension(expr)
            case _:
                assert_never(expr)

    def interval(self, low: Expr | None, high: Expr | None) -> str:
        """A range of numbers, open at one end perhaps."""
        if low is None:
            return "" if high is None else f"at most {self.in_words(high)}"
        return f"at least {self.in_words(low)}" if high is None else f"{self.in_words(low)} to {self.in_words(high)}"

    def comprehension(self, comp: Comp) -> str:
        """Those of a collection for which something holds."""
        text = f"{self.name(comp.var)} in {self.in_words(comp.coll)}"
        if comp.value is not None:
            text = f"{self.in_words(comp.value)} for each {text}"
        if comp.where is not None:
            text += f" where {self.holds(comp.where)}"
        if comp.key is not None:
            text += f" {comp.word} {self.in_words(comp.key)}"
        return text

    def listing(self, exprs: tuple[Expr, ...]) -> str:
        """`a`, `a and b`, `a, b and c`."""
        said = [self.in_words(expr) for expr in exprs]
        return f"{', '.join(said[:-1])} and {said[-1]}" if len(said) > 1 else "".join(said)


def be(who: str) -> str:
    """`is`, or what goes with `you`."""
    return "are" if who == "you" else "is"
