"""Ways of calling a procedure, told apart only where that could matter.

Two calls are one context if they differ only in which values are passed, not in what is known of them: what came out of places
of the caller has other names within, `("in", 0)`, `("in", 1)`, in the order of the arguments.  What cannot matter within is
left out: secrets that all know, and what has been shown of zones that nothing there looks at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from rulespec.lint.flow.labels import ANY, Atom, Label, Term, Token, Val, is_answer, like, parts, replaced
from rulespec.lint.flow.secrecy import EVERYBODY, Grants
from rulespec.lint.flow.values import CARRIER

NAMED = frozenset({"t", CARRIER, "answers"})  # terms of what came out of one place in the rules
MANY_PARTS = 4


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
        yield from tokens(item.base[2])
        if item.token is not None:
            yield item.token
    elif isinstance(item, frozenset):
        yield from (token for part in sorted(item, key=order) for token in tokens(part))
    elif isinstance(item, tuple) and item[:1] != ("c",):
        if len(item) > 1 and item[0] in NAMED:
            yield item[1]
            yield from (token for part in item[2:] for token in tokens(part))
        else:
            yield from (token for part in item if isinstance(part, tuple | frozenset) for token in tokens(part))


def order(item: Any) -> str:
    """A place among the members of a label: by what is hidden first."""
    return repr((item.base[:2], item.token, item.base)) if isinstance(item, Atom) else repr(item)


def renamed(item: Any, names: Names) -> Any:
    """A term, label or value with other tokens."""
    if isinstance(item, Atom):
        index = renamed(item.base[2], names)
        return Atom((*item.base[:2], index), names.get(item.token, item.token))
    if isinstance(item, frozenset):
        return frozenset([renamed(part, names) for part in item]) if item else item
    if isinstance(item, tuple) and item[:1] != ("c",):
        if len(item) > 1 and item[0] in NAMED:
            return (item[0], names.get(item[1], item[1]), *[renamed(part, names) for part in item[2:]])
        return like(item, [renamed(part, names) if isinstance(part, tuple | frozenset) else part for part in item])
    return item


def renamed_grants(grants: Grants, names: Names) -> Grants:
    """What has been shown, with other tokens."""
    return frozenset(
        (names[what] if what in names else shown_again(what, names), renamed(to, names)) for what, to in grants
    )


def shown_again(what: Any, names: Names) -> Any:
    """What has been shown: a token, or what is hidden with its index."""
    return (*what[:2], renamed(what[2], names)) if of_something(what) else what


def of_something(what: Any) -> bool:
    """Whether it is what lies in a zone that has been shown, not single pieces."""
    return isinstance(what, tuple) and what[:1] in (("zone",), ("var",), ("place",), ("count",), ("top",), ("held",))


def canonical(context: Context, coarse: bool) -> tuple[Context, Names]:
    """A context with the names of within, and what they stand for.

    What is composed of many parts is only a value within; with `coarse`, so is every number and whatever is composed.
    """
    args = tuple(
        [arg._replace(term=("t", ("argument", n))) if arg.term == ANY else arg for n, arg in enumerate(context.args)]
    )
    within: dict[Token, Token] = {}
    args, context = generalised(args, context, coarse)
    for part in (*(arg.term for arg in args), *args, context.hard, context.soft):
        for token in tokens(part):
            within.setdefault(token, ("in", len(within)))
    of_all = {what[1]: to for what, to in context.grants if is_answer(what) and what[2] == ANY and to == EVERYBODY}
    shown = context.grants | {(own, EVERYBODY) for own in within if is_answer(own) and own[1] in of_all}
    grants = frozenset(
        (what, to)
        for what, to in shown
        if (what in within or of_something(what))
        and all(token in within for token in tokens((what[2:] if of_something(what) else (), to)))
    )
    made = Context(
        context.procedure,
        tuple([renamed(a, within) for a in args]),
        renamed(context.hard, within),
        renamed(context.soft, within),
        renamed_grants(grants, within),
        context.sealed,
    )
    return made, {new: old for old, new in within.items()}


def generalised(args: tuple[Val, ...], context: Context, coarse: bool) -> tuple[tuple[Val, ...], Context]:
    """Arguments of which it is not known any more which number they are, or what they were composed of."""
    hard, soft, grants = context.hard, context.soft, context.grants
    made = args
    for term in dict.fromkeys(arg.term for arg in args):
        number = term[0] == "c" and term[1].__class__ is int
        if not (number and coarse) and not (term[0] == "o" and (coarse or parts(term) > MANY_PARTS)):
            continue
        new: Term = ("t", ("any", term))
        if number:
            made = tuple([arg._replace(term=new) if arg.term == term else arg for arg in made])
        else:
            made, hard, soft, grants = (replaced(part, term, new) for part in (made, hard, soft, grants))
    return made, context._replace(hard=hard, soft=soft, grants=grants)
