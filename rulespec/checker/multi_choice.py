"""Choices of several items: a set of them one after another, or a bag kind by kind, each answer leaving a way to complete it.

- choose: hostages            the set so far is in a local; the question asks for one more item or `done`,
  from: prisoners             again and again, and offers only items with which the conditions of `whole` can
  count: 1..3                 still be met
  whole: [{if: sum(h.worth for h in hostages) <= 9}]

What is chosen of a list that may hold equal items is a list too: each different choice of them is one way, however often an item is in it.
"""

from __future__ import annotations

from dataclasses import replace

from rulespec import ir
from rulespec.checker.body import Body
from rulespec.checker.context import CheckContext
from rulespec.checker.env import Env
from rulespec.checker.lookahead import Items, bounds, choose_items, repeats
from rulespec.checker.reasons import TRUE, bound_text, cannot, holds, literal, reasons
from rulespec.checker.sites import (
    check_steps,
    coding,
    declines,
    new_site,
    none_option,
    otherwise,
    question,
    run_declined,
    store_into,
)
from rulespec.language.types import (
    NATURAL,
    UNKNOWN,
    BagType,
    EntityType,
    ListType,
    OptionType,
    SetType,
    Type,
    UnknownType,
)
from rulespec.system.records import dataclass
from rulespec.text.yaml_tree import MapNode, ScalarNode

ONE = ir.Const(1)


@dataclass(frozen=True, slots=True)
class Several:
    """A choice of several items while it is compiled."""

    body: Body
    node: MapNode
    name: ScalarNode
    env: Env  # before it
    player: ir.Expr
    source: Items
    least: ir.Expr
    most: ir.Expr | None
    no: ir.NoneOption | None  # the willing no, said instead of the first item or number

    def or_none(self, *types: Type) -> list[Type]:
        """The types of locals that only a willing no needs."""
        return [] if self.no is None else [OptionType(t) for t in types]

    def whole(self, env: Env, t: Type) -> Whole:
        """The conditions under `whole`, in which the name stands for all that is chosen."""
        inner, index = env.fresh(t)
        inner = inner.called(self.name.value, index, t)
        return Whole(reasons(self.body, self.node.get("whole"), inner), index)

    def prompt(self, inner: Env) -> ir.Text:
        """What is asked, without how many; `inner` is where it is asked."""
        return question(self.body, self.node, self.env.behind(inner), f"Choose {self.name.value.replace('_', ' ')}")

    def first(self, test: ir.Expr, first: ir.Expr) -> ir.Expr:
        """Whether to ask: `test`, and at the first question always where the willing no can be said."""
        return ir.Cond(first, TRUE, test) if self.no is not None and "else" not in self.node else test

    def decline(self, live: int, answer: int, first: ir.Expr) -> int | None:
        """Where the answer to the first question was the willing no, local `live` is none; the jump from there."""
        if self.no is None:
            return None
        body, span = self.body, self.node.span
        said = body.unless(ir.Cond(first, ir.Op("is_none", (ir.Local(answer),)), ir.Const(False)), span)
        body.emit(ir.Let(live, ir.Const(None), span))
        declined = body.jump(span)
        body.aim(said)
        return declined

    def end(self, k: int, size: ir.Expr, whole: Whole, t: Type, live: int, declined: int | None) -> Env:
        """Nothing more is asked: local `k` is enough, or `else`, or a fault; the environment with the name.

        With a willing no the name is local `live`, which is none behind the jump `declined`.
        """
        body, node = self.body, self.node
        result: Type = t if self.no is None else OptionType(t)
        if self.no is None:
            live = k
        else:
            body.emit(ir.Let(live, ir.Local(k), node.span))
        after = self.env.called(self.name.value, live, result)
        enough = whole.added(ir.Op("le", (self.least, size)), ir.Local(k))
        if "else" in node:
            short = body.unless(ir.Op("not_", (enough,)), node.span)
            body.at = self.env.behind(after)
            otherwise(body, node.get("else"), body.at, node.span)
            body.aim(short)
        else:
            body.emit(ir.Claim(enough, literal("There is not enough to choose from"), node.span))
        if declined is not None:
            body.aim(declined)
            run_declined(body, node, live, after)
        store_into(body, node, live, t, self.env, self.no is not None)
        return after if not declines(node) else self.env.called(self.name.value, live, t)


@dataclass(frozen=True, slots=True)
class Whole:
    """What all that are chosen must satisfy together: conditions about the local `index`."""

    reasons: tuple[ir.Reason, ...]
    index: int

    @property
    def test(self) -> ir.Expr | None:
        """All conditions as one; None without any."""
        return holds(self.reasons) if self.reasons else None

    def added(self, enough: ir.Expr, chosen: ir.Expr) -> ir.Expr:
        """A condition, and those of the whole about what is chosen."""
        test = self.test
        return enough if test is None else ir.Cond(enough, ir.Bind(self.index, chosen, test), ir.Const(False))

    def why(self, plain: str) -> ir.Text:
        """What is said of an item with which the conditions cannot be met any more: what they say, if that is the same for all."""
        if not self.reasons or any(isinstance(part, tuple) for part in self.reasons[0].why.parts):
            return literal(plain)
        return self.reasons[0].why


def choose_several(body: Body, node: MapNode, name: ScalarNode, env: Env) -> Env:
    """Several items: of a bag, or with `repeats`, as a bag, otherwise as a set."""
    player = body.player(node, env)
    source = choose_items(body, node, env)
    low, high = bounds(body, node, env)
    if repeats(node) and source.bag is None and high is None and (written := node.get("count")) is not None:
        body.context.error(
            "E201", "what may be chosen more than once needs a most", written.span, expected="an interval: 1..4"
        )
    no = none_option(body, node.get("or none"), env)
    counts = source.bag is not None or repeats(node)
    least = low or ir.Const(0)
    if no is not None and not counts:  # who chooses nothing at all says the willing no
        least = ir.Const(max(1, least.value)) if isinstance(least, ir.Const) else ir.Op("greatest_number", (least, ONE))
    several = Several(body, node, name, env, player, source, least, high, no)
    return choose_bag(several) if counts else choose_set(several)


# --- sets -------------------------------------------------------------------------------------------------------------
def choose_set(several: Several) -> Env:
    """One item after another, in canonical order, until it is said to be enough or no more can be."""
    body, node, source = several.body, several.node, several.source
    t: Type = SetType(source.item) if source.distinct else ListType(source.item)
    # the chosen so far; the answer; a candidate; with a willing no, the chosen or none
    inner, k = several.env.fresh(t, OptionType(source.item), source.item, *several.or_none(t))
    chosen, answer, index, live = ir.Local(k), k + 1, k + 2, k + 3
    first = ir.Op("eq", (ir.Op("size", (chosen,)), ir.Const(0)))
    inner = inner.called(several.name.value, index, source.item)
    legal = reasons(body, node.get("only"), inner, (index, source.item))
    allowed: ir.Expr = ir.Comp(index, source.items, holds(legal)) if legal else source.items
    most = ir.Op("size", (allowed,)) if several.most is None else several.most
    whole = several.whole(inner, t)
    check_steps(body, source, most, node.span)
    body.emit(ir.Let(k, ir.Const(()), node.span))
    head = body.here()
    full = body.unless(several.first(ir.Op("lt", (ir.Op("size", (chosen,)), most)), first), node.span)
    following = ir.Op("legal_after", (source.items, chosen))
    candidate = ir.Op("concat", (chosen, ir.Op("pack", (ir.Local(index),))))
    completable = ir.Completable(candidate, allowed, several.least, most, whole.index, whole.test)
    tests = (*legal, ir.Reason(completable, whole.why("The choice could not be completed after this one")))
    some = ir.Op("lt", (ir.Const(0), ir.Op("size", (ir.Comp(index, following, holds(tests)),))))
    none_left = body.unless(several.first(some, first), node.span)
    enough = done(several, whole, chosen)
    no = enough if several.no is None else no_or_done(body.context, several.no, enough, first)
    site = set_site(several, index, following, tests, no, tray_of(several, chosen, t, most), inner)
    body.emit(ir.Ask(new_site(body, site, several.env, source.item), answer, node.span))
    declined = several.decline(live, answer, first)
    more = body.unless(ir.Op("is_none", (ir.Local(answer),)), node.span)
    ended = body.jump(node.span)
    body.aim(more)
    body.emit(ir.Let(k, ir.Op("concat", (chosen, ir.Op("pack", (ir.Local(answer),)))), node.span))
    body.emit(ir.Jump(head, node.span))
    for position in (full, none_left, ended):
        body.aim(position)
    return several.end(k, ir.Op("size", (chosen,)), whole, t, live, declined)


def tray_of(several: Several, chosen: ir.Expr, t: Type, most: ir.Expr) -> ir.Tray:
    """What is chosen so far, as it is shown."""
    return ir.Tray("set", chosen, several.body.context.type_of(t), several.least, most)


def no_or_done(context: CheckContext, no: ir.NoneOption, enough: ir.NoneOption, first: ir.Expr) -> ir.NoneOption:
    """The willing no at the first question, and that it is enough at those that follow."""
    told = ir.Cond(first, context.text_value(no.text), context.text_value(enough.text))
    before = [replace(one, test=ir.Cond(first, one.test, TRUE)) for one in no.reasons]
    behind = [replace(one, test=ir.Cond(first, TRUE, one.test)) for one in enough.reasons]
    return ir.NoneOption(no.name, ir.Text(((told, ir.types.TEXT),)), (*before, *behind), no.where)


def done(several: Several, whole: Whole, chosen: ir.Expr) -> ir.NoneOption:
    """The option to say that it is enough."""
    tests = [cannot("More must be chosen", ir.Op("le", (several.least, ir.Op("size", (chosen,)))))]
    for part in whole.reasons:
        test = ir.Bind(whole.index, chosen, part.test)
        tests.append(ir.Reason(test, bound_text(part.why, whole.index, chosen), part.where))
    return ir.NoneOption("done", literal("Done"), tuple(tests))


def set_site(
    several: Several,
    index: int,
    items: ir.Expr,
    tests: tuple[ir.Reason, ...],
    none: ir.NoneOption,
    tray: ir.Tray,
    inner: Env,
) -> ir.Site:
    """The question for one more item; `inner` is where a candidate, in the local `index`, has the name."""
    body, node, source = several.body, several.node, several.source
    code, low, size = coding(body, source.item)
    shown = node.get("shown")
    count = ir.Op("size", (tray.chosen,)), ir.types.INT
    return ir.Site(
        index=0,
        name=several.name.value,
        player=several.player,
        items=items,
        item=index,
        type=body.context.type_of(source.item),
        prompt=ir.Text((*several.prompt(inner).parts, " (", count, " of ", (tray.high, ir.types.INT), ")")),
        reasons=tests,
        none=none,
        shown=None if shown is None else body.expressions.text(shown, inner),
        code=code,
        low=low,
        size=size,
        secret=source.secret,
        move=body.move,
        tray=tray,
        where=node.span,
    )


# --- bags -------------------------------------------------------------------------------------------------------------
def choose_bag(several: Several) -> Env:
    """So many of each kind: one number a kind, in the order of the rows."""
    body, node, source, env = several.body, several.node, several.source, several.env
    if not isinstance(source.item, EntityType):
        if not isinstance(source.item, UnknownType):
            message = "only members of a type with names can be chosen more than once"
            body.context.error("E201", message, several.name.span)
        return env.bind(several.name.value, UNKNOWN)[0]
    kind = body.context.kinds[source.item.kind]
    t = BagType(kind.name)
    size = body.context.size_of(kind)
    # the bag so far; three locals of the loop, the last of them its kind; how many of it; a candidate; a number considered;
    # with a willing no, the answer and the bag, or none
    inner, k = env.fresh(
        t, SetType(source.item), NATURAL, source.item, NATURAL, source.item, NATURAL, *several.or_none(NATURAL, t)
    )
    chosen, at_hand, number, index, amount = ir.Local(k), ir.Local(k + 3), ir.Local(k + 4), k + 5, k + 6
    inner = inner.called(several.name.value, index, source.item)
    legal = reasons(body, node.get("only"), inner, (index, source.item))
    allowed = ir.Comp(index, source.items, holds(legal) if legal else None)
    everything = available(several, allowed, size)
    total = ir.Op("bag_size", (everything,))
    most = total if several.most is None else ir.Op("least_number", (several.most, total))
    whole = several.whole(inner, t)
    nothing = ir.Const((0,) * len(kind.members))
    possible: ir.Expr = ir.Op("le", (several.least, total))
    if whole.reasons:
        possible = completes(whole, ir.Op("bag_ways", (nothing, everything, several.least, most)))
    body.emit(ir.Let(k, nothing, node.span))
    kinds: ir.Expr = ir.Op("bag_kinds", (everything,))
    if several.no is not None:  # something is asked even if there is nothing
        kinds = ir.Cond(ir.Op("lt", (ir.Const(0), ir.Op("size", (kinds,)))), kinds, ir.Const((0,)))
    first = ir.Op("eq", (ir.Local(k + 2), ONE))  # kind, as the head of the loop counts them
    body.emit(ir.Let(k + 1, ir.Cond(several.first(possible, TRUE), kinds, ir.Const(())), node.span))
    body.emit(ir.Let(k + 2, ir.Const(0), node.span))
    head = body.emit(ir.Next(k + 1, -1, node.span))
    numbers = ir.Op("bag_amounts", (chosen, everything, at_hand, several.least, most))
    tests: tuple[ir.Reason, ...] = ()
    if whole.reasons:
        more = ir.Op("bag_add", (chosen, ir.Op("bag_one", (ir.Local(amount), at_hand, size))))
        rest = ir.Op("bag_after", (everything, at_hand))
        ways = ir.Op("bag_ways", (more, rest, several.least, most))
        tests = (ir.Reason(completes(whole, ways), whole.why("Not all together")),)
    tray = ir.Tray("counts", chosen, ir.types.bag(kind.index), several.least, most, at_hand)
    declined = ask_amount(several, numbers, k, tests, inner, tray, first)
    body.emit(ir.Let(k, ir.Op("bag_add", (chosen, ir.Op("bag_one", (number, at_hand, size)))), node.span))
    body.emit(ir.Jump(head, node.span))
    body.aim(head)
    return several.end(k, ir.Op("bag_size", (chosen,)), whole, t, k + 8, declined)


def available(several: Several, allowed: ir.Expr, size: ir.Expr) -> ir.Expr:
    """The bag of all that might be chosen: what is legal of a bag, or so many of each as are chosen at most."""
    if several.source.bag is not None:
        return ir.Op("bag_only", (several.source.bag, allowed))
    return ir.Op("bag_all", (allowed, several.most or ir.Const(0), size))


def completes(whole: Whole, ways: ir.Expr) -> ir.Expr:
    """Whether one of the ways to complete a choice satisfies the whole."""
    return ir.Op("lt", (ir.Const(0), ir.Op("size", (ir.Comp(whole.index, ways, whole.test),))))


def in_plural(context: CheckContext, item: Type, member: ir.Expr) -> tuple[ir.Expr, ir.Type]:
    """A member as it stands behind `how many`: by its plural, where one is declared."""
    assert isinstance(item, EntityType)
    kind = context.kinds[item.kind]
    if not any(label in context.plurals for label in kind.labels):
        return member, ir.types.entity(kind.index)
    return ir.Column(tuple(context.plurals.get(label, label) for label in kind.labels), member), ir.types.TEXT


def ask_amount(
    several: Several,
    numbers: ir.Expr,
    k: int,
    tests: tuple[ir.Reason, ...],
    inner: Env,
    tray: ir.Tray,
    first: ir.Expr,
) -> int | None:
    """Ask how many of the kind at hand, unless one number alone is possible; the answer is in the local behind it.

    `k` is the first of the locals of the choice.  Where the kind is the `first`, the willing no can be said, to which the jump leads that
    is given back.
    """
    body, node, amount = several.body, several.node, k + 6
    shown = in_plural(body.context, several.source.item, ir.Local(k + 3))
    label = ir.Text((*several.prompt(inner).parts, " - how many ", shown, "?"))
    site = ir.Site(
        index=0,
        name=several.name.value,
        player=several.player,
        items=numbers,
        item=amount,
        type=ir.types.INT,
        prompt=label,
        reasons=tests,
        none=None if several.no is None else instead(several.no, first),
        size=1000,
        secret=several.source.secret,
        move=body.move,
        tray=tray,
        where=node.span,
    )
    left: ir.Expr = ir.Comp(amount, numbers, holds(tests)) if tests else numbers
    several_left: ir.Expr = ir.Op("lt", (ONE, ir.Op("size", (left,))))
    if several.no is not None:
        several_left = ir.Cond(first, TRUE, several_left)
    only_one = body.unless(several_left, node.span)
    answer = k + 4 if several.no is None else k + 7
    body.emit(ir.Ask(new_site(body, site, several.env, several.source.item), answer, node.span))
    declined = several.decline(k + 8, answer, first)
    if several.no is not None:
        body.emit(ir.Let(k + 4, ir.Local(answer), node.span))
    asked = body.jump(node.span)
    body.aim(only_one)
    body.emit(ir.Let(k + 4, ir.Op("first", (left,)), node.span))
    body.aim(asked)
    return declined


def instead(no: ir.NoneOption, first: ir.Expr) -> ir.NoneOption:
    """The willing no, which is said instead of the first number."""
    return replace(no, reasons=(cannot("A number has been chosen", first), *no.reasons))
