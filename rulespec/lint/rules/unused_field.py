"""A field that nothing reads."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.language.types import EntityType, OptionType, TextType, Type
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame

RULE = LintRule("L019")
ENDS = ("a", "b", "one_way")  # what makes a link


def check(game: LintGame) -> Iterator[Finding]:
    """Fields of kinds in use that no expression reads, but for notes to people and what rows by rule are made of."""
    for kind in game.kinds():
        for field in kind.fields.values():
            if field.name in kind.by_rule:
                continue
            if kind.what in ("cell", "part") or note(game, field.type) or (kind.what == "link" and field.name in ENDS):
                continue
            if ("field", f"{kind.name}.{field.name}") not in game.context.in_play and game.spoken_of(kind):
                yield Finding(RULE, f"nothing reads the field `{field.name}` of {kind.name}", field.span)


def note(game: LintGame, t: Type) -> bool:
    """Whether values of a type can only be notes to people: texts, and words that no expression speaks of."""
    if isinstance(t, OptionType):
        return note(game, t.item)
    if not isinstance(t, EntityType) or t.kind in game.context.wholes:
        return isinstance(t, TextType)
    kind = game.context.kinds[t.kind]
    named = any(("member", f"{kind.name}.{member}") in game.context.in_play for member in kind.members)
    return kind.what == "enum" and not named
