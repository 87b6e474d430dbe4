"""How to put a common mistake in an expression right: what is meant by signs that it has not, and by words in a wrong place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulespec.language import foreign_words
from rulespec.language.registry import functions
from rulespec.text.numbers import natural
from rulespec.text.quoting import ticked

if TYPE_CHECKING:
    from lark import Token

STRAY = {
    "&&": "write `and`",
    "&": "write `and`",
    "||": "write `or`",
    "|": "write `or`",
    "!": "write `not`",
    "=": "use `==` to compare",
    "[": "index by a dot: p.hand; write a list as list(a, b)",
    "]": "index by a dot: p.hand; write a list as list(a, b)",
    "{": "write a set as set(a, b); braces belong into texts only",
    "}": "write a set as set(a, b); braces belong into texts only",
    "?": "write `x otherwise y`, or `if c then x else y`",
    "'": 'put texts in double quotes: "so"',
    "“": 'use straight quotes: "so"',
    "”": 'use straight quotes: "so"',
    "„": 'use straight quotes: "so"',
    "‘": 'use straight quotes: "so"',
    "’": 'use straight quotes: "so"',
    "%": "use mod(a, b) for the remainder",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "−": "write `-`",
    "–": "write `-`",
    "×": "write `*`",
    "…": "write `..`",
    ":": "an expression has no colons",
    ";": "an expression has no semicolons",
}
STRAY_IN_TYPE = {
    "?": "write `Player or none`",
    "[": "write `set of Place`, `bag of Unit` or `list of Card`",
    "|": "write `Player or none`; name an enum of its own in `types`",
    "=": "a default has no place here",
}


KEYWORDS = frozenset(
    {"IF", "THEN", "ELSE", "OTHERWISE", "OR", "AND", "NOT", "IN", "INCLUDES", "IS", "OF"}
    | {"FOR", "WHERE", "BY", "HAVE"}
)


def stray(text: str, at: int, in_type: bool) -> tuple[str, str | None]:
    """The sign at a place that begins no token, and what is written instead."""
    table = STRAY | STRAY_IN_TYPE if in_type else STRAY
    sign = next((sign for sign in STRAY if text.startswith(sign, at)), text[at])
    help = table.get(sign)
    if sign == "[":
        help = bracket(text, at) or help
    elif sign == "=" and text[:at].rstrip()[-1:] in ("+", "-"):
        help = "a number is changed by a step: `add: 1` or `lose: 1`"
    elif text.startswith("=>", at) and re.search(r"\(\s*\w+\s*\Z", text[:at]):
        help = "what is worked out of each is written with `for`: `sum(p.coins for p in players)`"
    elif text.startswith(("=>", "=<"), at):
        sign, help = text[at : at + 2], f"write {ticked(f'{text[at + 1]}=')}"
    elif sign == "!" and (word := re.match(r"! ?(\w+)", text[at:])) is not None:
        help = f"write {ticked(f'not {word[1]}')}"
    elif sign == "?" and (ways := re.fullmatch(r"(.+?) ?\? ?([^?:]+?) ?: ?([^?:]+)", text)) is not None:
        help = "write " + ticked("if {} then {} else {}".format(*ways.groups()))
    elif sign == "'" and (owner := re.search(r"(\w+)\Z", text[:at])) and (owned := re.match(r"'s?\s+(\w+)", text[at:])):
        help = f'a dot is "its": {owner[1]}.{owned[1]}'
    if help is None and sign.isalpha():
        help = "names are written with the letters a to z, digits and _"
    return sign, help


def bracket(text: str, at: int) -> str:
    """What is meant by a bracket, where that is clear: an item, a comprehension, or a list in quotes."""
    inner = text[at + 1 :].partition("]")[0].strip()
    owner = re.search(r"([A-Za-z_][\w.]*)\Z", text[:at])
    if owner is not None and (number := natural(inner)) is not None:
        return f"one of a list is {ticked(f'item({owner[1]}, {number + 1})')}, counted from 1"
    if text[:at].rstrip().endswith(" by") and "," in inner:
        return f"several numbers stand in parentheses: {ticked(f'({inner})')}"
    if re.match(r".+ for \w+ in ", inner) is not None and text[:at].endswith("("):
        return f"leave the brackets out: {ticked(f'({inner})')}"
    if re.match(r".+ for \w+ in ", inner) is not None:
        return f"write {ticked(f'each({inner})')}"
    if not text[:at].strip() and text.rstrip().endswith("]"):
        return f"take the quotes away, or write a list as {ticked(f'list({inner})')}"
    return ""


TEXTUAL = frozenset(
    {"NAME", "INT", "OF", "IN", "AND", "OR", "IS", "FOR", "BY", "WHERE", "$END"}
)  # what words of a text look like


def path(tokens: list[Token]) -> str:
    """The name that tokens begin with, and what follows its dots."""
    end = next((n for n, one in enumerate(tokens) if one.type != ("DOT" if n % 2 else "NAME")), len(tokens))
    return "".join(tokens[:end])


def written(tokens: list[Token]) -> str:
    """Tokens of a list as they are written, with a space after each comma."""
    return "".join(f"{one} " if one.type == "COMMA" else one for one in tokens if one.type != "$END")


def prose(tokens: list[Token]) -> bool:
    """Whether tokens are words of a text, as a reason is."""
    return len(tokens) > 2 and all(token.type in TEXTUAL for token in tokens)


def turned(tokens: list[Token], place: int) -> str:
    """`1 if c else 0` in the order of this language."""
    other = next((n for n, one in enumerate(tokens) if n > place and one.type == "ELSE"), place)
    parts = [tokens[a:b] for a, b in ((place + 1, other), (0, place), (other + 1, len(tokens) - 1))]
    alone = all(part and closed(part) for part in parts)
    if not alone or any(one.type in ("IF", "COMMA") for part in parts for one in part):
        return "write `if c then x else y`"
    words = [" ".join(part) for part in parts]
    return "write " + ticked("if {} then {} else {}".format(*(words_of(one) for one in words)))


def closed(tokens: list[Token]) -> bool:
    """Whether each bracket in tokens has its other half there."""
    depth = 0
    for token in tokens:
        depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
        if depth < 0:
            return False
    return depth == 0


def words_of(text: str) -> str:
    """Tokens with spaces between all of them, as people write them."""
    return re.sub(r" ?([.()]) ?", r"\1", text)


def hint(tokens: list[Token], place: int, accepts: set[str], start: str, opened: bool, in_value: bool) -> str | None:
    """How to put a common mistake right; `in_value`: a value has just ended."""
    token, last = tokens[place], tokens[place - 1] if place else None
    kind, before = token.type, last.type if last else None
    if kind == "NAME" and (word := str(token).casefold()) != token and word.upper() in KEYWORDS & accepts:
        return f"it is written {ticked(word)}"
    if last is not None and in_value and place == 1 and last != str(last).casefold() == "if":
        branches = any(one.type == "THEN" for one in tokens)
        return "it is written `if`" if branches else f"leave {ticked(last)} out: the condition stands alone"
    if {"THEN", "ELSE"} & accepts and kind != "IF":
        return "every `if` has a `then` and an `else`"
    if kind == "INT" and before == "DOT":
        return "numbers are whole; a range has two dots"
    if start == "type":
        if before in ("INT", "DOTS") and str(token) in ("-", ".", ",", "to"):
            ends = [str(one) for one in (last, *tokens[place + 1 : place + 2]) if one is not None and one.type == "INT"]
            return f"a range has two dots: {'..'.join(ends) if len(ends) == 2 else '0..6'}"
        return "a type in words: set of Place, Player or none, 0..6" if kind != "$END" else None
    match kind:
        case "NAME" if token == "than" and before == "NAME" and last in foreign_words.OPERATORS:
            return f"write {ticked(foreign_words.OPERATORS[last])} in place of {ticked(f'is {last} than')}"
        case _ if start == "binder" and place == 1 and kind in ("OF", "NAME") and tokens[2].type == "NAME":
            return f"it is written {ticked(f'{last} in {path(tokens[2:])}')}"
        case "$END" if start == "binder" and place == 1:
            many = last if last is not None and last.type == "NAME" and len(last) > 1 else "players"
            letter = "p" if many == "players" else "x"
            return f"a loop gives each item a name: for example {ticked(f'{letter} in {many}')}"
        case "INT" | "NAME" if accepts == {"NAME", "NOT"}:
            return "to compare, write `==`; `is` asks whether something is none, known or empty"
        case "IF" if in_value and last != "return":
            return turned(tokens, place)
        case "IF" | "NOT" if "LPAR" in accepts and not in_value:
            return f"put parentheses around it: ({token} ...)"
        case "COMPARISON" | "IN" | "IS" | "INCLUDES" if in_value:
            return "comparisons do not chain: join two with `and`"
        case "COMMA" if not opened and start == "binder":
            return "these steps go through one collection: write another loop below `do:`"
        case "COMMA" if not opened and prose(tokens[place + 1 :]):
            return "a condition stands under `if`, and its reason under `why`"
        case "COMMA" if not opened and any(one.type == "COMPARISON" for one in tokens[:place]):
            return "join two conditions with `and`"
        case "COMMA" if not opened and all(one.type in ("INT", "NAME", "COMMA", "$END") for one in tokens):
            return f"a list is written {ticked(f'list({written(tokens)})')}"
        case "COMMA" if not opened:
            return "put several items in parentheses: (a, b)"
        case "STAR" if before == "STAR":
            return "there are no powers"
        case "SLASH" if before == "SLASH":
            if prose(tokens[place + 1 :]):
                return "a remark begins with `#`"
            return "use div(a, b) to divide, which rounds down"
        case "NAME" if in_value and before == "INT" and last is not None and re.fullmatch(r"[dD]\d+", token):
            return f"dice are rolled by a step: `roll: {last}` with `die: {token[1:]}`"
        case "NAME" if in_value and token == "times" and tokens[place + 1].type == "$END":
            return "leave `times` out: the number alone says how often"
        case "NAME" if in_value and token == "each" and before == "INT" and tokens[place + 1].type == "$END":
            return "leave `each` out: the number alone says how many"
        case "THEN" | "ELSE" if tokens[place + 1].type == "$END":
            return f"leave {ticked(token)} out here: its steps follow under a line `{token}:`"
        case "NAME" if in_value and token in foreign_words.OPERATORS and tokens[place + 1] == "than":
            return f"write {ticked(foreign_words.OPERATORS[token])} in place of {ticked(f'{token} than')}"
        case "NAME" if in_value and (sign := foreign_words.OPERATORS.get(token)) is not None:
            return f"write {ticked(sign)}"
        case "NAME" if in_value and token == "contains" and tokens[place + 1].type == "NAME":
            return f"turn it round: {ticked(f'{path(tokens[place + 1 :])} in {last}')}"
        case "NAME" | "IF" if in_value and last == "return":
            return "leave `return` out"
        case "NAME" if in_value and token == "to" and before == "INT" and tokens[place + 1].type == "INT":
            return f"a range is written with two dots: {ticked(f'{last}..{tokens[place + 1]}')}"
        case "NAME" if in_value and token in ("to", "from", "by", "with", "as", "at"):
            return f"`{token}:` is a key of its own, on the next line under the verb"
        case "NAME" if in_value and last in ("most", "least", "ranking"):
            return f"say among whom, and by which number: {ticked(f'{last}(p in players by p.{token})')}"
        case "NAME" if in_value and last in functions() and len(tokens) == 3:
            return f"what a function is of stands in parentheses: {ticked(f'{last}({token})')}"
        case "NAME" if in_value and kind == before and all(one.type in TEXTUAL for one in tokens):
            text = " ".join(one for one in tokens if one.type != "$END")
            return f"an operator is missing before {ticked(token)}; a text has quotes within quotes: '\"{text}\"'"
        case "NAME" if in_value and last in functions():
            return f"what a function is of stands in parentheses: {ticked(f'{last}({path(tokens[place:])})')}"
        case "NAME" if in_value and before == "INT" and not opened:
            return (
                f"an operator is missing before {ticked(token)}; so many of a kind are {ticked(f'{last} of {token}')}"
            )
        case "NAME" | "INT" | "STRING" if in_value and opened:
            return f"an operator or a comma is missing before {ticked(token)}"
        case "NAME" if in_value and before == "NAME":
            return f"an operator is missing before {ticked(token)}; a name of several words is joined by `_`"
        case "NAME" | "INT" | "STRING" if in_value:
            return f"an operator is missing before {ticked(token)}"
        case "COMPARISON" if before == "COMPARISON" and last == "<" and token == ">":
            return "unequal is written `!=`"
        case "DOT" if before == "DOTS":
            return "a range is written with two dots: `1..6`"
        case "IN" if before == "IS":
            return "leave `is` out: `x in items`"
        case "WHERE" if any(token.type == "WHERE" for token in tokens[:place]):
            return "one `where` takes all conditions, joined with `and`"
        case "FOR" | "WHERE" | "BY" | "HAVE" if in_value and start == "expr":
            return "put parentheses around the inner comprehension"
        case _ if kind in KEYWORDS and "NAME" in accepts:
            return f"{ticked(token)} is a word of the language and cannot be a name"
    return None
