"""The parts of a question: its candidates as actions, its prompt, its named options, its willing no."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.body import Body
from rulespec.checker.env import Env
from rulespec.checker.inference import article
from rulespec.checker.kinds import MAX_MEMBERS
from rulespec.checker.lookahead import Items, feasible
from rulespec.checker.reasons import cannot, literal, reasons, tests
from rulespec.checker.steps import leaves
from rulespec.language.registry import VerbKey
from rulespec.language.types import (
    BoolType,
    EntityType,
    IntType,
    OptionType,
    Type,
    fits,
)  # fmt: skip
from rulespec.library.errors import LIMIT
from rulespec.text.source import Span
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode

BY = VerbKey("expr", "the player who chooses; `me` if left out", role="asked")
SAY = VerbKey("text", "the question")
MOST_OFFERED = (
    MAX_MEMBERS**2
)  # candidates, in all questions of one choice: as many as where all members of a type are put in order
YES_OR_NO = (ir.Branch("yes", literal("Yes")), ir.Branch("no", literal("No")))


def coding(body: Body, t: Type) -> tuple[Literal["value", "index"], int, int]:
    """How candidates of a type become actions: by value where they are few and known, else by position."""
    if isinstance(t, EntityType):
        return "value", 0, len(body.context.kinds[t.kind].members)
    if isinstance(t, IntType) and t.low is not None and t.high is not None and t.high - t.low < 10_000:
        return "value", t.low, t.high - t.low + 1
    return "index", 0, 0


def new_site(
    body: Body, site: ir.Site, env: Env | None, item: Type | None = None, menu: symbols.Menu | None = None
) -> int:
    """Add a site to the program; its number.  `env` is where steps ask it, `item` and `menu` as in `Asked`."""
    body.asks = True
    if body.batch and site.where is not None:
        body.context.error(
            "E513", "nobody can be asked inside `at once`", site.where, help=["ask before, and do it at once then"]
        )
    body.context.asked.append(symbols.Asked(site.name, body.owner, item, menu, {} if env is None else named(env)))
    body.context.out_sites.append(replace(site, index=len(body.context.out_sites)))
    return len(body.context.out_sites) - 1


def named(env: Env) -> dict[str, tuple[int, Type]]:
    """The names in sight, each with its local and type."""
    return {name: (held.index, held.type) for name, held in env.locals.items()}


def check_steps(body: Body, source: Items, most: ir.Expr, span: Span) -> None:
    """The fault of a choice of so many items, one after another, that asking for them would not come to an end in sensible time."""
    many = ir.Op("size", (source.items,))
    if not (source.distinct and few(source.item)) and not (
        isinstance(most, ir.Const) and isinstance(most.value, int) and most.value <= MOST_OFFERED // LIMIT
    ):
        test = ir.Op("le", (ir.Op("mul", (many, ir.Op("least_number", (many, most)))), ir.Const(MOST_OFFERED)))
        body.emit(ir.Claim(test, literal("too many would be chosen from too many, one after another"), span, "R002"))


def few(t: Type) -> bool:
    """Whether a type has no more values than types have members."""
    if isinstance(t, IntType):
        return t.low is not None and t.high is not None and t.high - t.low < MAX_MEMBERS
    return isinstance(t, EntityType | BoolType)


def question(body: Body, node: MapNode, env: Env, default: str) -> ir.Text:
    """The prompt of a choice."""
    say = node.get("say")
    return literal(default) if say is None else body.expressions.text(say, env)


def none_option(body: Body, node: Node | None, env: Env) -> ir.NoneOption | None:
    """`or none`: a text, or a mapping with `say`, `if`, `why`."""
    if node is None:
        return None
    if isinstance(node, ScalarNode):
        return ir.NoneOption("none", body.expressions.text(node, env), (), node.span)
    if not isinstance(node, MapNode):
        return ir.NoneOption("none", literal("None"), (), node.span)
    say, test = node.get("say"), node.get("if")
    text = literal("None") if say is None else body.expressions.text(say, env)
    written = () if test is None else tests(body, test, node.get("why"), env)
    return ir.NoneOption("none", text, (*written, *reasons(body, node.get("only"), env)), node.span)


def branch(body: Body, name: str, node: Node, env: Env, where: Span | None = None) -> ir.Branch:
    """One named option: its text, its conditions, and one choice of looking ahead."""
    if not isinstance(node, MapNode):
        return ir.Branch(name, literal(name.replace("_", " ")), (), where or node.span)
    say, test = node.get("say"), node.get("if")
    text = literal(name.replace("_", " ").capitalize()) if say is None else body.expressions.text(say, env)
    listed: list[ir.Reason] = []
    if test is not None:
        listed.extend(tests(body, test, node.get("why"), env))
        env = env.knowing(body.facts(test, True))
    listed.extend(reasons(body, node.get("only"), env))
    ahead = feasible(body, node.get("do"), env)
    if ahead is not None:
        listed.append(cannot("There is nothing to choose there", ahead))
    return ir.Branch(name, text, tuple(listed), where or node.span)


def otherwise(body: Body, node: Node | None, env: Env, span: Span) -> None:
    """`else: skip`, `else: stop`, or steps."""
    if isinstance(node, ScalarNode) and node.value == "stop":
        body.leave_loop(span)
    else:
        body.block(node, env)


def run_declined(body: Body, node: MapNode, live: int, env: Env) -> None:
    """Run the steps of `or none`, where nothing is in local `live`."""
    declined = node.get("or none")
    if isinstance(declined, MapNode) and "do" in declined:
        taken = body.unless(ir.Op("is_none", (ir.Local(live),)), node.span)
        body.block(declined.get("do"), env)
        body.aim(taken)


def run_else(body: Body, node: MapNode, live: int, skip: int | None, ends: list[int], env: Env) -> None:
    """The end of a question: `else`, to which the jump `skip` leads, and where the jumps `ends` meet."""
    if skip is not None:
        ends.append(body.jump(node.span))
        body.aim(skip)
        body.emit(ir.Let(live, ir.Const(None), node.span))
        body.at = env
        otherwise(body, node.get("else"), env, node.span)
    for position in ends:
        body.aim(position)


def store_into(body: Body, node: MapNode, live: int, t: Type, env: Env, optional: bool) -> None:
    """`into:` a variable."""
    into = node.get("into")
    if into is None:
        return
    target = body.settable(into, replace(env, depth=max(env.depth, live + 1)))
    if target is None:
        return
    value: ir.Expr = ir.Local(live)
    if isinstance(target, tuple):
        wanted = target[0].type
        given = OptionType(t) if optional else t
        if not fits(given, wanted):
            body.context.error(
                "E201", f"this is {article(given)}, and `{target[0].name}` is {article(wanted)}", into.span
            )
    name = node.entries[0][1]
    assert isinstance(into, ScalarNode) and isinstance(
        name, ScalarNode
    )  # only scalars name what is set and what is chosen
    if isinstance(target, int) or body.in_the_open("into", into.span, f"{{set: {into.value}, to: p.{name.value}}}"):
        body.store(target, value, node.span)


def assigned(into: Node | None, env: Env, optional: bool) -> Env:
    """What is known after a variable was set to a choice: old facts about it are dropped; it is not none if the choice must be made."""
    if not isinstance(into, ScalarNode):
        return env
    after = env.forgetting(into.value.rpartition(".")[2])
    return after if optional else after.knowing(frozenset({into.value}))


def surely_chosen(node: MapNode) -> bool:
    """Whether the ways without an answer all leave, so that what follows has one."""
    return declines(node) and ("else" not in node or leaves(node.get("else")))


def declines(node: MapNode) -> bool:
    """Whether the willing no, if there is one, surely leaves."""
    declined = node.get("or none")
    return declined is None or (isinstance(declined, MapNode) and leaves(declined.get("do")))
