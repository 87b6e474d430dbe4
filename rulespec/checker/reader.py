"""What every part of the expression checker shares: faults, conversions, and what conditions tell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import assert_never

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.context import CheckContext
from rulespec.checker.env import HOLDS, Env, Typed
from rulespec.checker.inference import article, high_of, low_of, never_in, span, unwrap, within
from rulespec.checker.sentences import remedy, tested, unlike
from rulespec.expr import printer, syntax
from rulespec.language.types import (
    BOOL,
    INT,
    UNKNOWN,
    BagType,
    EmptyType,
    EntityType,
    IntType,
    ListType,
    NoneType,
    OptionType,
    SetType,
    Type,
    UnknownType,
    fits,
    is_many,
)  # fmt: skip
from rulespec.library.errors import BIGGEST
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import Node, ScalarNode

BAD: Typed = (ir.Const(None), UNKNOWN)


def never_fits(context: CheckContext, given: Type, wanted: Type, name: str, at: Span) -> None:
    """Report a number that surely lies outside the range of the variable that it is stored in."""
    range_ = unwrap(wanted)
    if range_ is None or not never_in(given, range_):
        return
    context.error(
        "E211",
        f"{article(given)} is never in {range_}, the range of {ticked(name)}",
        at,
        expected=str(range_),
        found=str(low_of(given) if low_of(given) == high_of(given) else given),
    )


def held_to(value: Typed, parameter: symbols.Parameter) -> ir.Expr:
    """The value, which is a fault in play where it is outside its parameter's range.

    Constants and variables are held to their types already; where else the test is idle, `passes.checks` leaves it out.
    """
    expr, given = value
    low, high = span(unwrap(parameter.type))
    if low is None and high is None:
        return expr
    if isinstance(expr, ir.Const | ir.Load) and within(span(unwrap(given)), (low, high)):
        return expr
    ends = ir.Const(-BIGGEST if low is None else low), ir.Const(BIGGEST if high is None else high)
    return ir.Op("in_range", (expr, *ends, ir.Const(f"{unwrap(parameter.type)}, the range of `{parameter.name}`")))


def each_held_to(value: ir.Expr, t: ListType | SetType, name: str) -> ir.Expr:
    """The items of a set or list, of which a number outside the range that `name` has for them is a fault in play."""
    low, high = span(t.item)
    if (low is None and high is None) or isinstance(value, ir.Const):
        return value
    ends = ir.Const(-BIGGEST if low is None else low), ir.Const(BIGGEST if high is None else high)
    return ir.Op("each_in_range", (value, *ends, ir.Const(f"{t.item}, the range of what is in {ticked(name)}")))


class Reader(ABC):
    """Reads the expressions of one game; knows where it stands only through the environment it is given."""

    def __init__(self, context: CheckContext) -> None:
        self.context = context
        self.scalar: ScalarNode | None = None  # the one being read, for places
        self.opened = False  # a `together` was checked: from now on conditions may say who was asked in it
        self.depth = 0  # of functions being checked because others need them
        self.unsaid: list[symbols.Function] = []  # those of which what they say has not been checked

    @abstractmethod
    def expr(self, node: syntax.Expr, env: Env, want: Type | None = None) -> Typed:
        """The typed expression; `want` helps to find the members of types and is not enforced."""

    @abstractmethod
    def of(self, node: Node | None, env: Env, want: Type | None = None) -> Typed:
        """The expression in a scalar; with `want`, converted to that type or reported."""

    @abstractmethod
    def tree(self, scalar: ScalarNode, tree: syntax.Expr, env: Env, want: Type | None = None) -> Typed:
        """A parsed expression of a scalar."""

    @abstractmethod
    def text(self, node: Node | None, env: Env) -> ir.Text:
        """A text with expressions in braces."""

    @abstractmethod
    def default(self, parameter: symbols.Parameter, env: Env) -> ir.Expr:
        """What stands for an argument that is left out."""

    @abstractmethod
    def comprehension(self, node: syntax.Comp, env: Env, want: Type | None) -> Typed:
        """Items of a collection, or what is made of them."""

    @abstractmethod
    def compile_function(self, function: symbols.Function) -> bool:
        """Check a function's body once; False if it is being checked just now, which means recursion."""

    def bad(
        self,
        code: str,
        message: str,
        node: syntax.Node,
        *,
        expected: str | None = None,
        found: str | None = None,
        help: Sequence[str] = (),
    ) -> Typed:
        if self.scalar is not None:
            span = self.scalar.at(node.start, node.end)
            self.context.error(code, message, span, expected=expected, found=found, help=help)
        return BAD

    def convert(self, value: Typed, want: Type, node: syntax.Expr) -> ir.Expr:
        """The value as one of type `want`, reported if it cannot be."""
        expr, t = value
        if isinstance(t, UnknownType) or isinstance(want, UnknownType):
            return expr
        if isinstance(t, EmptyType) and isinstance(want, BagType):
            return ir.Const(self.context.default_of(want))
        if isinstance(want, SetType) and isinstance(t, ListType) and fits(t.item, want.item):
            return ir.Op("to_set", (expr,))
        if isinstance(want, OptionType) and not isinstance(t, OptionType | NoneType):
            return self.convert(value, want.item, node)
        if (
            isinstance(want, EntityType)
            and want.view
            and isinstance(t, EntityType)
            and t.kind == want.kind
            and not t.view
        ):
            test = self.context.views[want.view].test
            self.compile_function(test)
            return ir.Op("narrow", (expr, ir.Invoke(test.index or 0, (expr,))))
        if fits(t, want):
            return expr
        if isinstance(t, OptionType) and fits(t.item, want):
            self.bad(
                "E203",
                f"{ticked(printer.to_text(node))} may be none",
                node,
                expected=str(want),
                found=str(t),
                help=[tested(printer.to_text(node))],
            )
        else:
            holes = is_many(t) and is_many(want) and isinstance(t.item, OptionType) and fits(t.item.item, want.item)
            self.bad(
                "E201",
                unlike(printer.to_text(node), t, article(want)),
                node,
                expected=str(want),
                found=str(t),
                help=["leave out what is none: `where ... is known`, in the `where` itself and not in a function"]
                if holes
                else self.faces(node, t, want)
                or self.hidden_member(node, want)
                or remedy(printer.to_text(node), t, want),
            )
        return expr

    def hidden_member(self, node: syntax.Expr, want: Type) -> list[str]:
        """Help where a name stands for something nearer by, and the type that is needed has a member of that name."""
        kind = unwrap(want)
        if not isinstance(node, syntax.Name) or not isinstance(kind, EntityType):
            return []
        if all(owner.name != kind.kind for owner, _ in self.context.members.get(node.id, ())):
            return []
        return [
            f"something nearer by is called {ticked(node.id)} and hides the member of {kind.kind}: give it another name"
        ]

    def faces(self, node: syntax.Expr, t: Type, want: Type) -> list[str]:
        """Help where a piece stands and its face is expected."""
        face = self.context.face_of(unwrap(t), unwrap(want))
        return [] if face is None else [f"a face is expected: {ticked(f'{printer.to_text(node)}.{face}')}"]

    def argument(self, value: Typed, parameter: symbols.Parameter, node: syntax.Expr) -> ir.Expr:
        """The value as an argument: of its parameter's type and not surely outside its range, or reported."""
        if self.scalar is not None:
            never_fits(self.context, value[1], parameter.type, parameter.name, self.scalar.at(node.start, node.end))
        return held_to((self.convert(value, parameter.type, node), value[1]), parameter)

    def condition(self, node: syntax.Expr, env: Env) -> ir.Expr:
        """A yes or no."""
        test = self.convert(self.expr(node, env, BOOL), BOOL, node)
        if self.scalar is not None:
            self.context.conditions[id(test)] = (test, self.scalar, node.start, node.end)
        return test

    def number(self, node: syntax.Expr, env: Env) -> Typed:
        value = self.expr(node, env, INT)
        if isinstance(value[1], IntType | UnknownType):
            return value
        return self.convert(value, INT, node), INT

    def collection(self, node: syntax.Expr, env: Env, want: Type | None = None) -> Typed:
        """A list or set: of anything countable, a bag or an interval too."""
        value, t = self.expr(node, env, want)
        if isinstance(t, BagType):
            return ir.Op("bag_kinds", (value,)), SetType(EntityType(t.kind))
        if isinstance(t, EmptyType):
            return value, ListType(UNKNOWN)
        if is_many(t) or isinstance(t, UnknownType):
            return value, t
        return self.bad(
            "E201", unlike(printer.to_text(node), t, "a list or set"), node, expected="a list or set", found=str(t)
        )

    def facts(self, node: syntax.Expr | None, holds: bool) -> frozenset[str]:
        """Which expressions are not none where the condition holds (or does not), and which parts of it hold themselves."""
        return self.parts_that_hold(node, holds) | self.proven(node, holds)

    def header(self, tree: syntax.Comp) -> frozenset[str]:
        """What is known of each item of a loop."""
        return self.among(tree) | self.facts(tree.where, True)

    def among(self, tree: syntax.Comp) -> frozenset[str]:
        """What is known of each item of a loop before its condition is looked at."""
        return frozenset({f"{HOLDS}{tree.var} in {printer.to_text(tree.coll)}"} if self.opened else ())

    def parts_that_hold(self, node: syntax.Expr | None, holds: bool) -> frozenset[str]:
        """The conditions that are true, one by one, as they are printed; only where answers of `together` ask for them."""
        match node:
            case None:
                return frozenset()
            case _ if not self.opened:
                return frozenset()
            case syntax.Unary(op="not", x=x):
                return self.parts_that_hold(x, not holds)
            case syntax.Binary(op=op, left=a, right=b) if op in ("and", "or") and (op == "and") == holds:
                return self.parts_that_hold(a, holds) | self.parts_that_hold(b, holds)
        return frozenset({f"{HOLDS}{'' if holds else 'not '}{printer.to_text(node)}"})

    def proven(self, node: syntax.Expr | None, holds: bool) -> frozenset[str]:
        """Which expressions are not none where the condition holds (or does not)."""
        match node:
            case syntax.Is(x=x, what=what, negated=negated):
                if what != "empty" and ((what == "known") != negated) == holds:
                    return frozenset({printer.to_text(x)})
            case syntax.Unary(op=op, x=x):
                return self.proven(x, not holds) if op == "not" else frozenset()
            case syntax.Binary(op=op, left=a, right=b):
                if op in ("and", "or") and (op == "and") == holds:
                    return self.proven(a, holds) | self.proven(b, holds)
            case syntax.Compare(op=op, left=a, right=b):
                if op not in ("==", "!="):
                    return frozenset()
                nothing = [x for x in (a, b) if isinstance(x, syntax.Name) and x.id == "none"]
                if nothing:  # `x != none` says that x is known
                    return frozenset({printer.to_text(x) for x in (a, b) if x not in nothing and (op == "!=") == holds})
                if (op == "==") == holds:  # what is equal to something is something
                    pairs = ((a, b), (b, a))
                    return frozenset({printer.to_text(x) for x, other in pairs if self.surely(other)})
            case syntax.In(item=x, negated=negated):
                if negated != holds:
                    return frozenset({printer.to_text(x)})
            case (
                syntax.Name()
                | syntax.Num()
                | syntax.Text()
                | syntax.Attr()
                | syntax.Call()
                | syntax.Includes()
                | syntax.Interval()
                | syntax.If()
                | syntax.Tuple()
                | syntax.Comp()
                | None
            ):
                pass  # these forms prove nothing about what may be none
            case _:
                assert_never(node)
        return frozenset()

    def surely(self, node: syntax.Expr) -> bool:
        """Whether an expression is never none, as far as the names in it tell without their environment."""
        match node:
            case syntax.Name(id="none"):
                return False
            case syntax.Name(id=name) | syntax.Call(func=syntax.Name(id=name)):
                meant = [self.context.names.get(name)]
            case syntax.Attr(name=name) | syntax.Call(func=syntax.Attr(name=name)):
                meant = [self.context.names.get(name), *(k.attributes.get(name) for k in self.context.kinds.values())]
            case syntax.If(then=then, other=other):
                return self.surely(then) and self.surely(other)
            case (
                syntax.Num()
                | syntax.Call()
                | syntax.Text()
                | syntax.Unary()
                | syntax.Binary()
                | syntax.Compare()
                | syntax.In()
                | syntax.Includes()
                | syntax.Is()
                | syntax.Interval()
                | syntax.Tuple()
                | syntax.Comp()
            ):
                return True
            case _:
                assert_never(node)
        types = [
            s.result if isinstance(s, symbols.Function) else getattr(s, "type", None) for s in meant if s is not None
        ]
        return not any(isinstance(t, OptionType | NoneType) for t in types)

    def resolvable(self, node: syntax.Expr, env: Env) -> bool:
        """Whether a bare name means something without an expected type."""
        if not isinstance(node, syntax.Name):
            return True
        return (
            node.id in env.locals
            or node.id in self.context.names
            or node.id in self.context.kinds
            or node.id in self.context.views
            or node.id in ("yes", "no", "none", "empty", "players", "winners")
        )
