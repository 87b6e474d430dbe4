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
from rulespec.lint.flow.calls import conditions
from rulespec.lint.flow.contexts import Context, outside
from rulespec.lint.flow.control import rules_of
from rulespec.lint.flow.disequality import facts_of
from rulespec.lint.flow.frame import Frame
from rulespec.lint.flow.labels import NONE, Atom, Label, Secret, Val
from rulespec.lint.flow.secrecy import Grants
from rulespec.lint.flow.states import State
from rulespec.lint.flow.telling import holding_of
from rulespec.lint.flow.terms import ANY, EVERYBODY, Answers, Candidate, Chooser, Named, slots_read


def ask(frame: Frame, pc: int, state: State, site: ir.Site) -> Val:
    """Somebody is asked; what the answer depends on."""
    items = frame.of(site.items, state)
    if frame.judging:
        if not frame.context.sealed:
            quiet = own_branches(frame, pc, site) | asking_again(frame, pc, state, site)
            decided = frame.decided(pc, state, without=quiet) | frame.untold(frame.context.soft, state)
            frame.shown.asked(site, decided, frame.of(site.player, state), state.grants)
        frame.shown.question(site, frame.values, state.env, items, state.grants)
        named = frozenset(
            Atom(Secret("named", number)) for number in frame.shown.by_name.offered(frame.procedure, site)
        )
        frame.shown.report("F005", site.where, ("from",), named, ANY, state.grants, site.name)
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


def chosen(frame: Frame, pc: int, state: State, site: ir.Site) -> Grants:
    """What is known of an answer: the tests that it passes, whom it surely is not, and that whoever was asked knows it."""
    inner = {**state.env, site.item: Val(Candidate(site.index))}
    token, items = frame.made(pc), frame.of(site.items, state)
    tests = [frame.values.whole(reason.test, inner).term for reason in site.reasons]
    known = facts_of(Named(token), items.term, *tests, tested=Candidate(site.index))
    known |= holding_of(frame, state, Named(token), items.term)
    if frame.secrecy.ruled:
        inner[site.item] = Val(Named(token))
        passed = [test for reason in site.reasons for test in frame.values.sight.tests(reason.test, inner)]
        known |= frame.values.that_hold(passed)
    if items.label:
        known |= {(token, frame.of(site.player, state).term)}
    return known


def own_branches(frame: Frame, pc: int, site: ir.Site) -> frozenset[int]:
    """The branches that a choice of several items makes itself, as it asks for one after another."""
    if not frame.shown.several(site):
        return frozenset()
    return frozenset(b for b in frame.control.branches[pc] if frame.code[b].where == site.where)


def asking_again(frame: Frame, pc: int, state: State, site: ir.Site) -> frozenset[int]:
    """The branches that decide whether somebody is asked once more who was asked last, and who knows by what: nobody else sees that."""
    player = frame.of(site.player, state).term
    if player == ANY:
        return frozenset()
    slots = slots_read(player)

    def the_same(branch: int) -> bool:
        """Whether what names the player stays as it is wherever the branch decides that anything is done."""
        there, i = frame.states.get(branch), frame.code[branch]
        if there is None or there.asked != player or not isinstance(i, ir.Unless):
            return False
        label = frame.of(i.test, there).label
        if frame.secrecy.hidden(label, player, there.grants) or any(atom.base.what == "held" for atom in label):
            return False
        return not slots or all(keeps(frame.code[at], slots) for at in frame.control.decides[branch])

    return frozenset(filter(the_same, frame.control.branches[pc]))


def keeps(i: ir.Instruction, slots: frozenset[int]) -> bool:
    """Whether an instruction surely leaves some variables as they are."""
    if isinstance(i, ir.Store):
        return slots.isdisjoint(range(i.base, i.base + i.size))
    return not isinstance(i, ir.Call | ir.CallRule | ir.Enter | ir.Leave | ir.Fork)


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
    return frame.bind(pc, frame.tell(pc, frame.seen(state))._replace(asked=ANY), i.live, answers)


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
