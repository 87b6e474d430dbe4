"""Counts in words, as people say how many of each kind they mean: `2 captains, contessa`."""

from __future__ import annotations

import re

from rulespec.ir.expressions import Expr, Op
from rulespec.ir.program import Kind
from rulespec.ir.questions import Site
from rulespec.language.facts import CForm
from rulespec.language.registry import facts

PARTS = re.compile(r"\s*[,+]\s*")
PARTS_WITH_COMMAS = re.compile(r"\s*[;+]\s*(?:and\s+)?")  # of a text that has semicolons
AND = re.compile(r"\s+and\s+")
COUNTED = re.compile(r"(?:(?P<number>0|[1-9][0-9]{0,8})\s*(?:x\s+|×\s*|of\s+)?\s*)?(?P<name>[^\s0-9].*)")
ENDING = 3  # letters that a plural may have more
LONGEST = 300  # characters of a text that may be counts


def counted_kind(site: Site) -> int | None:
    """The kind of which a question asks how many, one member after another; None where it asks something else."""
    return None if amounts(site.items) is None or site.tray is None else site.tray.type.kind


def amounts(items: Expr | None) -> tuple[Expr, ...] | None:
    """Where candidates are how many of a kind may be added to a bag, what that is made of: the arguments of the function."""
    counted = isinstance(items, Op) and facts(items.name).c.form is CForm.BAG_AMOUNTS
    return items.args if isinstance(items, Op) and counted else None


def counts_named(text: str, kind: Kind) -> dict[int, int] | None:
    """How many of each member a text names; None where a part of it names none."""
    if len(text) > LONGEST:
        return None
    whole = (PARTS_WITH_COMMAS if ";" in text else PARTS).split(text.strip())
    for parts in (whole, [part for one in whole for part in AND.split(one)]):
        counts: dict[int, int] = {}
        for part in filter(None, parts):
            match = COUNTED.fullmatch(part)
            member = None if match is None else member_named(match["name"], kind)
            if match is None or member is None:
                break
            counts[member] = counts.get(member, 0) + int(match["number"] or 1)
        else:
            if counts:
                return counts
    return None


def member_named(text: str, kind: Kind) -> int | None:
    """The member with this name, label or declared plural, or the one whose plural it may be: a few other letters at the end."""
    wanted = " ".join(text.casefold().split())
    plurals = kind.plurals or kind.labels
    names = zip(kind.members, kind.labels, plurals, strict=True)
    words = [{name.casefold() for name in of_it if name} for of_it in names]
    near = [n for n, of_it in enumerate(words) if wanted in of_it] or [
        n
        for n, of_it in enumerate(words)
        if any(wanted.startswith(word[:-1]) and 0 < len(wanted) - len(word) <= ENDING for word in of_it)
    ]
    return near[0] if len(near) == 1 else None
