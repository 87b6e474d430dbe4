"""What is known of lasting effects as time goes on: whether what they were given may be something else now.

- begin: echo
  with: {strength: first(deck).value}   # `Keeps`: an effect may last that was given what lies in `deck`
- draw: 1                               # `Departed`: what lies there from here on is something else
  from: deck
  to: spare
- reveal: deck                          # does not make known what the effect was given
"""

from __future__ import annotations

from rulespec import ir
from rulespec.lint.flow.contexts import of_effects
from rulespec.lint.flow.frame import Frame
from rulespec.lint.flow.labels import Label, Secret, Val, unworded
from rulespec.lint.flow.lasting import anybodys
from rulespec.lint.flow.secrecy import Grants, departed, first_departed
from rulespec.lint.flow.states import State
from rulespec.lint.flow.terms import EVERYBODY, Departed, Keeps, Kept, Term, Token
from rulespec.lint.flow.versions import of_revealed


def begin(frame: Frame, state: State, i: ir.Begin, decided: Label) -> State:
    """A lasting effect begins: what not all know of its arguments is not known by what was shown of earlier effects."""
    args = (frame.of(arg, state) for arg in i.args)
    values = tuple(
        Val(arg.term, frame.secret(arg.label, state), frame.secret(arg.ident, state), frame.secret(arg.size, state))
        for arg in args
    )
    given = frame.analysis.begin(i.lasting, values, frame.secret(decided, state))
    label = [atom for atom in given if of_revealed(frame, atom)]
    if not label:
        return state
    token = Kept(i.lasting)
    marks: set[tuple[Token | Secret, Term]] = {(Keeps(i.lasting, anybodys(atom, {}).base), EVERYBODY) for atom in label}
    gone = first_departed([d for atom in label if (d := departed(state.grants, unworded(atom.token))) is not None])
    if gone is not None and departed(state.grants, token) is None:
        marks.add((Departed(token, gone.where), EVERYBODY))
    known = {pair for pair in state.grants if pair[0] == token}
    return state._replace(grants=state.grants - known | marks)


def known_of_effects(grants: Grants, after: Grants) -> Grants:
    """What is known of lasting effects after something has run: what was shown before is not shown of those that have begun since."""
    begun = {what.lasting for what, _ in after if isinstance(what, Keeps)}
    stale = {pair for pair in grants - after if isinstance(pair[0], Kept) and pair[0].lasting in begun}
    return grants - stale | {pair for pair in after if of_effects(pair[0]) and not isinstance(pair[0], Kept)}
