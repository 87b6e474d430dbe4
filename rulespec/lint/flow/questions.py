"""Questions: what an answer depends on, and what being asked tells.

- choose: card        # the answer is one of these pieces: it depends on what lies in the hand
  by: p
  from: p.hand
- choose: n           # what somebody says is his: it depends on no secret, whatever he may not say
  by: p
  from: n in 1..3 where n != p.secret
"""

from __future__ import annotations

from rulespec import ir
from rulespec.lint.flow.apart import facts_of
from rulespec.lint.flow.calls import conditions
from rulespec.lint.flow.contexts import Context, outside
from rulespec.lint.flow.control import rules_of
from rulespec.lint.flow.frame import Frame
from rulespec.lint.flow.labels import NONE, Label, Val
from rulespec.lint.flow.secrecy import Grants
from rulespec.lint.flow.states import State
from rulespec.lint.flow.terms import EVERYBODY, Answers, Candidate, Chooser, Named


def ask(frame: Frame, pc: int, state: State, site: ir.Site) -> Val:
    """Somebody is asked; what the answer depends on."""
    items = frame.of(site.items, state)
    if frame.judging:
        if not frame.context.sealed:
            decided = frame.decided(pc, state, without=own_branches(frame, pc, site))
            decided |= frame.untold(frame.context.soft, state)
            frame.shown.asked(site, decided, frame.of(site.player, state), state.grants)
        frame.shown.question(site, frame.values, state.env, items, state.grants)
    if site.branches or site.arguments:  # which option is taken is told by taking it, as with options that no rule adds
        return Val(Named(frame.made(pc)))
    several = site.type.what in ("set", "list", "bag", "record")
    among = frame.of(unnarrowed(site.items), state)
    return Val(Named(frame.made(pc)), among.label, among.ident, among.label if several else NONE)


def unnarrowed(items: ir.Expr) -> ir.Expr:
    """What is chosen from without conditions: a test in `from:` is one under `only:`, and what somebody says is his under either."""
    while isinstance(items, ir.Comp) and items.value is None:
        items = items.source
    return items


def others(frame: Frame, pc: int, state: State, site: ir.Site) -> Grants:
    """Which players the one who is chosen surely is not."""
    inner = {**state.env, site.item: Val(Candidate(site.index))}
    tests = [frame.values.whole(reason.test, inner).term for reason in site.reasons]
    return facts_of(Named(frame.made(pc)), frame.of(site.items, state).term, *tests, tested=Candidate(site.index))


def own_branches(frame: Frame, pc: int, site: ir.Site) -> frozenset[int]:
    """The branches that a choice of several items makes itself, as it asks for one after another."""
    if not frame.shown.several(site):
        return frozenset()
    return frozenset(b for b in frame.control.branches[pc] if frame.code[b].where == site.where)


def fork(frame: Frame, pc: int, state: State, i: ir.Fork, decided: Label) -> State:
    """Sealed choices: who chooses is seen by all, what is asked is not."""
    seats = frame.of(i.seats, state)
    if frame.judging:
        frame.shown.together(i, decided | seats.label | seats.size, state.grants)
    call = frame.made(pc)
    token = Chooser(call)
    values = (Val(Named(token)), *(frame.of(a, state) for a in i.args))
    context = Context(i.procedure, values, NONE, NONE, state.grants, True)
    summary, names = frame.analysis.call(context, frame.context, pc, frame.judging)
    result = outside(summary.result, names, call)
    answers = result._replace(term=Answers(token, result.term))
    return frame.bind(pc, frame.tell(pc, frame.seen(state)), i.live, answers)


def tie(frame: Frame, pc: int, state: State, i: ir.NextRule, site: ir.Site, decided: Label) -> None:
    """A player is asked which of two rules comes first, if two of one rank apply: all see that they do.

    That a rule of a piece is alive is no secret any more: it runs now, which shows it.
    """
    if not frame.judging:
        return
    event = tuple(frame.of(a, state) for a in i.args)
    ranks: dict[int, list[ir.Rule]] = {}
    for number in rules_of(frame.procedure, i.live):
        rule = frame.analysis.program.rules[number]
        ranks.setdefault(rule.rank, []).append(rule)
    for rules in ranks.values():
        if len(rules) == 1 and (rules[0].source == "plain" or len(rules[0].pieces) == 1):
            continue
        label = decided | frame.context.soft
        for rule in rules:
            instance = frame.analysis.instance(rule, frame.made(pc), len(event), frame.context)
            alive, test = conditions(frame, rule, instance, event)
            label |= test - alive if rule.source == "pieces" else test | alive
        frame.shown.report("F003", site.where, (), label, EVERYBODY, state.grants, site.name)
