"""What to write where a value has the wrong form: brackets, quotes or a key around it are missing, or are too much."""

from __future__ import annotations

import re
from typing import Any

from rulespec.language.sections import NAMES
from rulespec.text.numbers import natural, spelling, whole_range
from rulespec.text.quoting import ticked

SIGNATURE = re.compile(r"(?P<name>[A-Za-z_]\w*) ?\((?P<takes>[\w, :]*)\)")
WORDS = re.compile(r"\w+(?:[ ,]+\w+)+")
ANSWER = re.compile(r"(?P<who>\w+)[ =]+(?P<what>\w[\w ,]*)")
RANGE = re.compile(r"([0-9]{1,9}) *(?:to|-|–|or|,|bis|\.{3}) *([0-9]{1,9})")
ENDS = (("min", "max"), ("minimum", "maximum"), ("from", "to"), ("least", "most"))
PLAYERS = "a number or a range of players"
PARAMETERS = ("takes", "fields", "state")


def cure(phrase: str, value: Any, key: str, written: str, beside: str = "") -> str:
    """What to write in place of a value under a key, where what `phrase` says is wanted; empty if it is not clear.

    `beside` is the type that stands at the same thing, if there is one.
    """
    if isinstance(value, str):
        return of_text(phrase, value, key, written)
    if isinstance(value, list):
        return of_list(phrase, value, key, written, "set" if beside.startswith("set of ") else "list")
    if isinstance(value, dict) and phrase == "a list":
        first = next(iter(value), "...")
        return f"begin each entry with a dash: {ticked(f'- {first}: ...')}"
    if phrase == "nothing" and key == "return":
        return f"a result is given by {ticked(f'give: {value}')}"
    return ""


def of_text(phrase: str, text: str, key: str, written: str) -> str:
    """The cure where a text stands."""
    if written[:1] in ("'", '"') and text[:1] + text[-1:] in ("[]", "{}"):
        return "take the quotes away"
    names = [part.strip() for part in text.split(",")]
    if phrase == "a new name or a whole number" and whole_range(text) is not None:
        return f"a range stands alone, without brackets: {ticked(f'values: {text}')}"
    if phrase == "a board" and (size := re.fullmatch(r"(?:square )?(\w+) *[x*,] *(\w+)", text)) is not None:
        return f"write {ticked(f'{{square: {size[1]} x {size[2]}}}')}"
    if phrase == "a list":
        if "," in text:
            return f"a list is written in brackets: [{text}]"
        if ".." in text and whole_range(text) is not None:
            return f"a range needs no name of its own: write {ticked(text)} in place of a type, as in `per: [{text}, Player]`"
    elif phrase == "nothing" and key == "return":
        return f"a result is given by {ticked(f'give: {text}')}"
    elif phrase == "a procedure":
        return "write the steps under `do:`, each with a dash"
    elif phrase == "an entry of a script" and (answer := ANSWER.fullmatch(text)) is not None:
        return f"a colon follows who answers: {ticked(': '.join(answer.groups()))}"
    elif phrase == NAMES and key == "score":
        return f"say what people read for it: {ticked(f'{key}: {{Points: {text}}}')}"
    elif phrase == NAMES and all(name.isidentifier() for name in names):
        return typed(key, names)
    if (match := re.fullmatch(r"(\w+) *= *(.+)", text)) is not None:
        return f"a colon follows a name: {ticked(f'{match[1]}: {match[2]}')}"
    return ""


def of_list(phrase: str, items: list[Any], key: str, written: str, made: str) -> str:
    """The cure where a list stands; `made` is the function that makes what is wanted."""
    if key in ("square", "hex") and len(items) == 2:
        return f"columns and rows: {ticked(f'{key}: {items[0]} x {items[1]}')}"
    if phrase == "a text" and len(items) == 1 and isinstance(items[0], str):
        return f"without brackets: {ticked(f'{key}: {items[0]}')}"
    numbers = [item for item in items if isinstance(item, int) and not isinstance(item, bool)]
    listed = ", ".join(map(str, items))
    each = all(isinstance(item, dict) and len(item) == 1 for item in items)
    if numbers and len(numbers) == len(items) and (phrase == PLAYERS or phrase.startswith("a type")):
        return f"a range is written with two dots: {ticked(f'{min(numbers)}..{max(numbers)}')}"
    if phrase.startswith("a type") and items and all(isinstance(item, str) for item in items):
        name = key.title().replace(" ", "").replace("_", "")
        return f"give the list a name under `types`, {ticked(f'{name}: [{listed}]')}, and write {ticked(name)} here"
    match phrase:
        case "a procedure" if items and isinstance(items[0], dict) and "do" in items[0]:
            return "leave out the dash before `do:`"
        case "a procedure":
            return "write the steps under `do:`"
        case "a kind of piece":
            rows = ", ".join(f"{item}: {{}}" for item in items)
            named = all(isinstance(item, str) and item.isidentifier() for item in items)
            return (
                f"write what there is under `rows:`, each with a colon: {ticked(f'{key}: {{rows: {{{rows}}}}}')}"
                if named
                else "write what there is under `rows:`"
            )
        case "an option":
            return "write what may be chosen under `values:`"
        case "an end of the game":
            return "write who has won under `winners:`"
        case "an expression" if items and all(isinstance(item, str | int) for item in items):
            return f"write a {made} as {ticked(f'{made}({listed})')}"
    if phrase == "steps" and written.startswith("- "):
        return f"one dash is enough: {ticked(written.splitlines()[0])}"
    if phrase == NAMES and written.startswith("[") and items and key in PARAMETERS:
        if all(isinstance(item, str) and item.isidentifier() for item in items):
            return typed(key, items)
        if each:
            pairs = ", ".join(f"{name}: {t}" for item in items for name, t in item.items())
            return f"braces in place of brackets: {ticked(f'{key}: {{{pairs}}}')}"
    if phrase == NAMES:
        return "leave the dashes out: each name is a key, `name: ...`"
    if items and each:
        return "write these keys without dashes or brackets: between braces, or each on a line of its own"
    return ""


def typed(key: str, names: list[str]) -> str:
    """Names that stand there without their types."""
    said = "with its type" if len(names) == 1 else "each with its type"
    pairs = ", ".join(f"{name}: ..." for name in names)
    return f"{said}: {ticked(f'{key}: {{{pairs}}}')}"


def of_name(text: str) -> list[str]:
    """The help where a text is no name."""
    if natural(text) is not None:
        return ["write the number as a word, such as `one`, `two`"]
    if (match := SIGNATURE.fullmatch(text)) is not None:
        taken = ", ".join(part if ":" in part else f"{part.strip()}: ..." for part in match["takes"].split(",") if part)
        return [
            f"write the name alone, {ticked(match['name'])}"
            + (f", and below it {ticked(f'takes: {{{taken}}}')}" if taken else "")
        ]
    if WORDS.fullmatch(text) is not None and text[0].isalpha():
        joined = re.sub(r"[ ,]+", "_", text)
        return [f"join the words, {ticked(joined)}; if they are several names, a comma is missing"]
    joined = re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_")
    return [f"begin with a letter, such as {ticked(f'a_{joined}')}"] if re.match("[0-9]", joined) else []


def player_names(value: Any) -> list[str]:
    """The names of players that stand in a list, or in a text with commas; empty where they are something else."""
    parts = [part.strip() for part in value.split(",")] if isinstance(value, str) and "," in value else value
    words = [part for part in parts if isinstance(part, str) and part.isidentifier()] if isinstance(parts, list) else []
    return words if isinstance(parts, list) and len(words) == len(parts) == len(set(words)) else []


def labelled(names: list[str]) -> str:
    """Names of players, each with a label to begin with."""
    return ", ".join(f"{name}: {name.replace('_', ' ').capitalize()}" for name in names)


def players(value: Any) -> tuple[tuple[int, int], list[str]]:
    """How many are meant to play where that is written otherwise, 2 if it is not clear, and the help."""
    match = RANGE.fullmatch(value) if isinstance(value, str) else None
    written = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ()
    numbers = sorted(map(int, match.groups()) if match else (n for n in written if isinstance(n, int)))
    if names := player_names(value):
        return (2, 2), [f"name each with what people read: {ticked(f'players: {{{labelled(names)}}}')}"]
    if not numbers:
        return (2, 2), list(spelling(str(value)))
    low, high = numbers[0], numbers[-1]
    return (low, high), [f"a range is written with two dots: {ticked(f'{low}..{high}')}"]


def ends(keys: tuple[str, ...]) -> bool:
    """Whether keys call the two ends of a range."""
    return keys in ENDS
