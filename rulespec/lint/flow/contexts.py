"""Ways of calling a procedure, told apart only where that could matter, and the names of values on both sides of a call.

Two calls are one context if they differ only in which values are passed, not in what is known of them.  In

    - play_out: card        # Named(Made(main, 7)), a card of `p1.hand`
    - play_out: other       # Named(Made(main, 9)), another card of it

both pass `Named(Passed(0))`, a card of a hand whose owner is `Named(Passed(1))`: `play_out` is looked at once.  What cannot matter
within is left out: secrets that all know, and what has been shown of zones that nothing there looks at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from rulespec.lint.flow.labels import Atom, Label, Secret, Val
from rulespec.lint.flow.secrecy import Grants
from rulespec.lint.flow.terms import (
    ANY,
    EVERYBODY,
    Answer,
    Answers,
    Argument,
    Carrier,
    Constant,
    Departed,
    Fact,
    Generalised,
    Keeps,
    Kept,
    Made,
    Named,
    Operation,
    Passed,
    Returned,
    Term,
    Token,
    like,
    replaced,
    size_of,
)

MANY_PARTS = 4
T = TypeVar("T")


class Context(NamedTuple):
    """One way in which a procedure is called.

    `hard` are secrets that decide whether it runs.  `soft` are those that decide whether a rule that a piece carries is alive: what it
    does shows it, by the rules, but a question must not come before.
    """

    procedure: int
    args: tuple[Val, ...]
    hard: Label
    soft: Label
    grants: Grants
    sealed: bool


Names = Mapping[Token, Token]


def tokens(item: Any) -> Iterator[Token]:
    """The tokens in a term, label or value, in an order that does not depend on their names where that can be."""
    if isinstance(item, Atom):
        yield from tokens(item.base.index)
        if item.token is not None and not isinstance(item.token, Kept):  # which means the same everywhere
            yield item.token
    elif isinstance(item, frozenset):
        yield from (token for part in sorted(item, key=order) for token in tokens(part))
    elif isinstance(item, Named | Carrier):
        yield item.token
    elif isinstance(item, Answers):
        yield item.token
        yield from tokens(item.term)
    elif isinstance(item, tuple) and item.__class__ is not Constant:
        yield from (token for part in item if isinstance(part, tuple | frozenset) for token in tokens(part))


def order(item: Any) -> str:
    """A place among the members of a label: by what is hidden first."""
    return repr((item.base[:2], item.token, item.base)) if isinstance(item, Atom) else repr(item)


def renamed(item: T, names: Names) -> T:
    """A term, label or value with other tokens."""
    new: Any = item
    if isinstance(item, Atom):
        new = Atom(renamed(item.base, names), None if item.token is None else names.get(item.token, item.token))
    elif isinstance(item, Named | Carrier):
        new = item._replace(token=names.get(item.token, item.token))
    elif isinstance(item, Answers):
        new = Answers(names.get(item.token, item.token), renamed(item.term, names))
    elif isinstance(item, frozenset):
        new = frozenset([renamed(part, names) for part in item]) if item else item
    elif isinstance(item, tuple) and item.__class__ is not Constant:
        new = like(item, [renamed(part, names) if isinstance(part, tuple | frozenset) else part for part in item])
    return new  # type: ignore[no-any-return]


def renamed_grants(grants: Grants, names: Names) -> Grants:
    """What has been shown, by the names of a called procedure: tokens, and what is hidden with its index."""
    return frozenset(
        (renamed(what, names) if isinstance(what, Secret | Fact) else renamed_token(what, names), renamed(to, names))
        for what, to in grants
    )


def renamed_token(token: Token, names: Names) -> Token:
    """A token, by the names of a called procedure."""
    if isinstance(token, Departed):
        return token._replace(token=names.get(token.token, token.token))
    return names.get(token, token)


def canonical(context: Context, coarse: bool) -> tuple[Context, Names]:
    """A context with the names of within, and what they stand for.

    What is composed of many parts is only a value within; with `coarse`, so is every number and whatever is composed.
    """
    args = tuple(
        [arg._replace(term=Named(Argument(n))) if arg.term == ANY else arg for n, arg in enumerate(context.args)]
    )
    names: dict[Token, Token] = {}
    args, context = generalised(args, context, coarse)
    for part in (*(arg.term for arg in args), *args, context.hard, context.soft):
        for token in tokens(part):
            names.setdefault(token, Passed(len(names)))
    of_all = {
        what.token for what, to in context.grants if isinstance(what, Answer) and what.seat == ANY and to == EVERYBODY
    }
    shown = context.grants | {
        (answer, EVERYBODY) for answer in names if isinstance(answer, Answer) and answer.token in of_all
    }
    grants = frozenset(
        (what, to)
        for what, to in shown
        if (
            what in names
            or isinstance(what, Secret | Fact)
            or of_effects(what)
            or (isinstance(what, Departed) and what.token in names)
        )
        and all(token in names for token in tokens((terms_of(what), to)))
    )
    canon = Context(
        context.procedure,
        tuple([renamed(a, names) for a in args]),
        renamed(context.hard, names),
        renamed(context.soft, names),
        renamed_grants(grants, names),
        context.sealed,
    )
    return canon, {new: old for old, new in names.items()}


def of_effects(what: Token | Secret) -> bool:
    """Whether something is known of lasting effects, which are the same for all procedures."""
    return isinstance(what.token if isinstance(what, Departed) else what, Kept | Keeps)


def terms_of(what: Token | Secret) -> Any:
    """The term in what is known, or nothing."""
    return what.index if isinstance(what, Secret) else what.term if isinstance(what, Fact) else ()


def generalised(args: tuple[Val, ...], context: Context, coarse: bool) -> tuple[tuple[Val, ...], Context]:
    """Arguments as values of which only this is known: not which number they are, nor what they were composed of."""
    hard, soft, grants = context.hard, context.soft, context.grants
    values = args
    for term in dict.fromkeys(arg.term for arg in args):
        number = isinstance(term, Constant) and term.value.__class__ is int
        composed = isinstance(term, Operation) and (coarse or size_of(term) > MANY_PARTS)
        if not (number and coarse) and not composed:
            continue
        new: Term = Named(Generalised(term))
        if number:
            values = tuple([arg._replace(term=new) if arg.term == term else arg for arg in values])
        else:
            values, hard, soft, grants = (
                replaced(values, term, new),
                replaced(hard, term, new),
                replaced(soft, term, new),
                replaced(grants, term, new),
            )
    return values, context._replace(hard=hard, soft=soft, grants=grants)


# --- what a called procedure leaves behind ----------------------------------------------------------------------------
def outside(item: T, names: Names, call: Made) -> T:
    """What a called procedure leaves behind, in the names of the caller; what came out of it is told from another time's."""
    left: Any = item
    if isinstance(item, Atom):
        token = None if item.token is None else outside_token(item.token, names, call)
        left = Atom(outside(item.base, names, call), token)
    elif isinstance(item, Named | Carrier | Answers):
        passed = names.get(item.token)
        if isinstance(passed, Generalised):
            return passed.term  # type: ignore[no-any-return]
        left = item._replace(token=outside_token(item.token, names, call))
        if isinstance(left, Answers):
            left = left._replace(term=outside(left.term, names, call))
    elif isinstance(item, frozenset):
        left = frozenset([outside(part, names, call) for part in item]) if item else item
    elif isinstance(item, tuple) and item.__class__ is not Constant:
        left = like(
            item, [outside(part, names, call) if isinstance(part, tuple | frozenset) else part for part in item]
        )
    return left  # type: ignore[no-any-return]


def outside_token(token: Token, names: Names, call: Made) -> Token:
    """A token of a called procedure, as the caller calls it."""
    if token in names:
        return names[token]
    if isinstance(token, Kept | Keeps):
        return token
    if isinstance(token, Departed):
        return token._replace(token=outside_token(token.token, names, call))
    if isinstance(token, Answer):
        return Answer(outside_token(token.token, names, call), outside(token.seat, names, call))
    return Returned(call, token)


def outside_grant(what: Token | Secret, names: Names, call: Made) -> Token | Secret:
    """What has been shown by a called procedure."""
    return outside(what, names, call) if isinstance(what, Secret | Fact) else outside_token(what, names, call)
