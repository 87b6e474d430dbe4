"""A field that rules read, and that nobody is shown."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.checker import symbols
from rulespec.ir.printed import title
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L134", "note")
ENDS = ("a", "b", "one_way")  # of a link: they are drawn


def check(game: LintGame) -> Iterator[Finding]:
    """Fields that no face, label, look or picture tells, unless the game says that nobody reads them."""
    context = game.context
    looks = {look.kind: look for look in context.table.looks}
    seen, untold = shown(game), context.read_in_play - context.tells
    for kind in game.kinds():
        look = looks.get(kind.index)
        marked = {"name"} | {name for name, called in (() if look is None else look.facts) if not called}
        read = [f for name, f in kind.fields.items() if f"{kind.name}.{name}" in untold and name not in marked]
        if kind.index in seen:
            yield from (unread(kind, field) for field in read if title(field.name, look) is None)
        elif kind.what == "link":
            yield from (drawn(kind, field) for field in read if field.name not in ENDS)
        elif kind.what == "rows" and read:  # pieces that lie nowhere are not in the game
            yield unseen(kind, read)


def drawn(kind: symbols.Kind, field: symbols.Field) -> Finding:
    """What tells of a link that is no answer and in no line of the log is the picture of the map."""
    help_ = (
        f'`map: {{picture: {{links: {{title: "{{this.{field.name}}}"}}}}}}` writes it next to the link, `style` draws it',
        mark(kind, f"{{{field.name}: no}}"),
    )
    return Finding(
        RULE, f"rules read the field `{field.name}` of {kind.name}, and no picture tells it", field.span, help_
    )


def unread(kind: symbols.Kind, field: symbols.Field) -> Finding:
    """Some names are taken for notes of the author."""
    help_ = (
        f"`table: {{look: {{{kind.name}: {{facts: {{{field.name}: yes}}}}}}}}` tells it whoever looks closely",
        mark(kind, f"{{{field.name}: no}}"),
    )
    message = f"rules read the field `{field.name}` of {kind.name}, and people are not shown it"
    return Finding(RULE, message, field.span, help_)


def unseen(kind: symbols.Kind, fields: list[symbols.Field]) -> Finding:
    """What is neither in a zone nor the value of a variable, no answer and in no line of the log is never looked at."""
    names = " and ".join(f"`{field.name}`" for field in fields[:2]) + (", and more," if len(fields) > 2 else "")
    message = f"rules read {names} of {kind.name}, and people are shown none of its members"
    return Finding(RULE, message, kind.span, (mark(kind, "no"),))


def mark(kind: symbols.Kind, facts: str) -> str:
    """How it is said that nobody is to read something."""
    return f"`table: {{look: {{{kind.name}: {{facts: {facts}}}}}}}` says that people need not know it"


def shown(game: LintGame) -> set[int]:
    """The kinds of which people are shown members that they can look at closely: in zones and variables, among answers, in the log."""
    program = game.program
    hidden = {spot.name for spot in (*program.table.zones, *program.table.state) if not spot.shown}
    out = {kind.index for kind in program.kinds if kind.what == "node"} | {grid.kind for grid in program.table.boards}
    out |= {zone.kind for zone in program.zones if zone.name not in hidden}
    for variable in (*program.variables, *(one.told for one in program.shown)):
        if variable.shown and variable.name not in hidden and variable.seen.who != "none":
            out |= {*named(variable.type), *variable.per}
    for site in game.reach.sites:
        out |= {*named(program.sites[site].type)}
    for procedure, _ in game.steps():
        texts = (i.text for i in procedure.code if isinstance(i, ir.Say))
        out |= {kind for text in texts for part in text.parts if not isinstance(part, str) for kind in named(part[1])}
    return out


def named(t: ir.Type) -> Iterator[int]:
    """The kinds whose members values of a type name."""
    if t.kind is not None:
        yield t.kind
    for part in t.parts:
        yield from named(part)
