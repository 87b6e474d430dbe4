"""Procedures and rules that run: what they give, show and write, in the names of who calls them.

- best_of: p2         # its result depends on `p2.hand`, as it does within on the hand of its parameter
  as: best
- lay_open: p2        # what it reveals is revealed here too
"""

from __future__ import annotations

from rulespec import ir
from rulespec.lint.flow.contexts import Context, Names, of_effects, outside, outside_grant
from rulespec.lint.flow.control import rules_of
from rulespec.lint.flow.effects import known_of_effects
from rulespec.lint.flow.frame import Frame
from rulespec.lint.flow.labels import NONE, Label, Secret, Val
from rulespec.lint.flow.states import State, Summary, granted, without
from rulespec.lint.flow.terms import ANY, Answer, Departed, Fact, forgotten, mentions
from rulespec.lint.flow.versions import come, dated, dated_again, left


def called(frame: Frame, pc: int, state: State, i: ir.Call, decided: Label) -> State:
    """A call: its result, what it shows, what it writes."""
    args = tuple(frame.of(a, state) for a in i.args)
    if frame.analysis.may_ask(i.procedure):
        state = frame.seen(state)._replace(asked=ANY)
    context = Context(i.procedure, args, decided, frame.context.soft, state.grants, frame.context.sealed)
    summary, names = frame.analysis.call(context, frame.context, pc, frame.judging)
    call = frame.made(pc)
    shown = frozenset(
        (outside_grant(what, names, call), outside(to, names, call))
        for what, to in summary.grants
        if isinstance(what, Secret | Fact)
        or of_effects(what)
        or (what.token if isinstance(what, Departed) else what) in names
        or mentions(summary.result, what.token if isinstance(what, Answer | Departed) else what)
        or (isinstance(what, Departed) and mentions(summary.later, what.token))
    )
    state = after_call(frame, pc, state, summary, names)
    state = frame.holding(state._replace(grants=granted(state.grants, shown)))
    result = forgotten(outside(summary.result, names, call), summary.written, call)
    result = result._replace(label=result.label | frame.decided(pc, state, False))
    return frame.bind(pc, state, i.live, result, shown)


def after_call(frame: Frame, pc: int, state: State, summary: Summary, names: Names) -> State:
    """What slots hold, what is known of zones and what will be seen, after something has run."""
    for secret in summary.laid:
        frame.lay(pc, secret)
    state = come(frame, pc, left(frame, pc, state, summary.gone), [s for s in summary.laid if s.what == "zone"])
    call = frame.made(pc)
    later = frozenset([outside(change, names, call) for change in summary.later])
    for target, label in summary.leaves:
        decides = outside(label, names, call)
        frame.test(pc, decides)
        frame.leave(pc, target, frame.secret(decides | frame.decided(pc, state, False), state))
    grants = without(known_of_effects(state.grants, summary.grants), summary.laid)
    return frame.forget(pc, state._replace(grants=grants, later=state.later | later), summary.written)


def rules(frame: Frame, pc: int, state: State, i: ir.CallRule, decided: Label) -> State:
    """Any of the rules of the window may run."""
    analysis = frame.analysis
    state = dated_again(frame, pc, state)._replace(asked=ANY)
    event = tuple(frame.of(a, state) for a in i.args)
    label: Label = NONE
    after = state
    for number in rules_of(frame.procedure, i.live - 2):
        rule = analysis.program.rules[number]
        instance = analysis.instance(rule, frame.made(pc), len(event), frame.context)
        alive, test = (dated(frame, pc, part) for part in conditions(frame, rule, instance, event))
        if rule.where in frame.shown.public:  # that it acts is known to all
            alive = test = NONE
        soft, hard = frame.context.soft, decided | test
        if rule.source == "pieces":
            soft, hard = soft | alive, decided | (test - alive)
        else:
            hard |= alive | analysis.shown.lasting.decided(rule)
        context = Context(rule.procedure, (*instance, *event), hard, soft, state.grants, False)
        summary, names = analysis.call(context, frame.context, pc, frame.judging)
        after = after_call(frame, pc, after, summary, names)
        label |= hard - frame.context.hard
    return frame.bind(pc, after, i.live, Val(ANY, label))


def conditions(frame: Frame, rule: ir.Rule, instance: tuple[Val, ...], event: tuple[Val, ...]) -> tuple[Label, Label]:
    """The secrets that decide whether a rule is alive, and whether its test holds."""
    alive = NONE if rule.alive is None else frame.values.invoke(rule.alive, instance).label
    test = NONE if rule.test is None else frame.values.invoke(rule.test, (*instance, *event)).label
    return alive, test
