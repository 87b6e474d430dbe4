"""What is under the cursor, in words: names with their types and declarations, keys and verbs with an example, calls."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulespec.checker import symbols
from rulespec.checker.mentions import FUNCTION, Mention
from rulespec.language.registry import functions
from rulespec.text.quoting import ticked
from rulespec.text.source import Source, Span

from .reading import Reading, tree_of, whole
from .shapes import about, schema_for, shapes, spot_at

if TYPE_CHECKING:
    from .playing import Ran

MOST_PARTS = 12  # of a fact
MOST_BACK = 2_000  # characters before the cursor in which the call is looked for


def described(reading: Reading | None, file: Path, source: Source, offset: int) -> tuple[str, Span] | None:
    """What is said of a character of a file, as Markdown, and of which place."""
    mention = None if reading is None else reading.at(file, offset)
    if reading is not None and mention is not None:
        return of_name(reading, mention), mention.span
    tree = tree_of(source)
    spot = None if tree is None else spot_at(tree, offset)
    if tree is None or spot is None:
        return None
    context = None if reading is None else reading.mentions.context
    schema = schema_for(file, tree, None if context is None else context.root)
    text = about(shapes(schema, tree, (*spot.path, spot.at.value) if spot.key else spot.path))
    return (text, spot.at.span) if text else None


def of_name(reading: Reading, mention: Mention) -> str:
    """What a name stands for."""
    if mention.what == FUNCTION:
        return of_function(mention.name)
    t = reading.mentions.type_at(mention.span)
    said = f"{mention.what} `{mention.name}`" + ("" if t is None else f": {t}")
    if mention.declared is None:
        return said
    return f"{said}\n\n```yaml\n{whole(mention.declared)}\n```"


def of_function(name: str) -> str:
    """A function of the language."""
    function = functions()[name]
    forms = "\n".join(signature.text for signature in function.signatures)
    return f"```\n{forms}\n```\n\n{function.doc}"


# --- calls ------------------------------------------------------------------------------------------------------------
def call_at(text: str, offset: int) -> tuple[str, int] | None:
    """The name of the function whose arguments a character is among, and how many commas are before it."""
    depth = commas = 0
    for at in range(offset - 1, max(offset - MOST_BACK, 0) - 1, -1):
        sign = text[at]
        if sign in ")]":
            depth += 1
        elif sign in "([" and depth:
            depth -= 1
        elif sign == "," and not depth:
            commas += 1
        elif sign == "(":
            start = at
            while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
                start -= 1
            return (text[start:at], commas) if start < at else None
        elif sign == "\n":
            return None
    return None


def signatures(reading: Reading | None, name: str) -> list[tuple[str, list[str], str]]:
    """The forms of a function: as it is written, its parameters, what it says."""
    context = None if reading is None else reading.mentions.context
    symbol = None if context is None else context.names.get(name)
    if isinstance(symbol, symbols.Function):
        parameters = [symbols.signed(p) for p in symbol.parameters]
        return [(f"{name}({', '.join(parameters)})", parameters, "")]
    function = functions().get(name)
    if function is None:
        return []
    forms = [signature.text for signature in function.signatures]
    return [(form, parameters_of(form), function.doc) for form in forms]


def parameters_of(form: str) -> list[str]:
    """The parameters of a signature as written."""
    inner, depth, found = form.partition("(")[2].rpartition(")")[0], 0, [""]
    for sign in inner:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and not depth:
            found.append("")
        else:
            found[-1] += sign
    return [parameter.strip() for parameter in found if parameter.strip()]


# --- values -----------------------------------------------------------------------------------------------------------
def of_fact(parts: list[tuple[str, str]]) -> str:
    """What the parts of a fact are where its case looks at it."""
    return "\n".join(["here:", *(f"- {ticked(text)} is {ticked(value)}" for text, value in parts)]) if parts else ""


def of_ran(ran: Ran, mention: Mention) -> str:
    """What a variable or zone was at the end of the case that was run last."""
    if mention.what not in ("variable", "zone"):
        return ""
    values = [(place, value) for place, value in ran.values if place.rpartition(".")[2] == mention.name]
    if not values:
        return ""
    lines = [f"- {ticked(place)} is {ticked(value)}" for place, value in values[:MOST_PARTS]]
    lines += [f"- and {len(values) - MOST_PARTS} more"] if len(values) > MOST_PARTS else []
    return "\n".join([f"after the case {ticked(ran.case)}:", *lines])
