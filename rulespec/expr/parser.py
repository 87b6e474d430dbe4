"""From text to syntax trees, with errors a newcomer can act on.

Nothing here recurses with the text: the parser works bottom-up and builds the tree as it goes, and
a tree higher than `MAX_DEPTH` is refused, so that whoever walks an expression may recurse.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeVar, cast

from rulespec.expr import hints
from rulespec.expr.syntax import (
    Attr,
    Binary,
    Call,
    Comp,
    Compare,
    Expr,
    If,
    In,
    Includes,
    Interval,
    Is,
    KeyWord,
    Name,
    Node,
    Num,
    Text,
    Tuple,
    TypeExpr,
    TypeName,
    TypeOf,
    TypeOption,
    TypePer,
    TypeRange,
    Unary,
    children,
)
from rulespec.text.quoting import ticked

if TYPE_CHECKING:
    from lark import Lark, Token

    from rulespec.text.diagnostics import Diagnostics
    from rulespec.text.yaml_tree import ScalarNode

MAX_SOURCE = 4096
MAX_DEPTH = 64
MAX_DIGITS = 18

DIGITS = re.compile("[0-9]+")
TABLES = "tables.json"  # what one version of Lark makes of the grammar, by `tools/dev/expr_tables.py`: it takes a while
OPTIONS: dict[str, Any] = {
    "parser": "lalr",
    "lexer": "basic",
    "start": ["expr", "binder", "type"],
    "keep_all_tokens": True,
    "maybe_placeholders": False,
}

Start: TypeAlias = Literal["expr", "binder", "type"]
NOUNS = {"expr": "expression", "binder": "loop header", "type": "type"}
EMPTY = {"expr": "a value", "binder": "a name", "type": "a type"}
T = TypeVar("T")


class ExprSyntaxError(Exception):
    """Why a text is no expression: where, what could stand there, and how to put it right."""

    def __init__(
        self,
        message: str,
        start: int,
        end: int,
        expected: tuple[str, ...] = (),
        *,
        found: str | None = None,
        help: tuple[str, ...] = (),
        code: str = "E001",
    ) -> None:
        super().__init__(message)
        self.message, self.start, self.end, self.expected = message, start, end, expected
        self.found, self.help, self.code = found, help, code

    def shifted(self, by: int) -> ExprSyntaxError:
        """The same error in a text that begins `by` characters earlier."""
        start, end = self.start + by, self.end + by
        rest: dict[str, Any] = {"found": self.found, "help": self.help, "code": self.code}
        return ExprSyntaxError(self.message, start, end, self.expected, **rest)

    def report(self, scalar: ScalarNode, diagnostics: Diagnostics) -> None:
        """Add this error to the diagnostics of the file that the scalar stands in, unless it follows from another."""
        if scalar.value in diagnostics.refused or (self.found or "").strip("`") in diagnostics.refused:
            return
        nothing = EMPTY["expr"] in self.expected and scalar.style == "plain" and not scalar.value
        null = nothing and bool(scalar.span.text)  # YAML's word for nothing is written
        diagnostics.add(
            self.code,
            self.message,
            scalar.span if null else scalar.at(self.start, self.end),
            expected=" or ".join(self.expected) or None,
            found=self.found,
            help=("it is written `none`",) if null else self.help,
        )


# --- the tree, from the bottom up ---------------------------------------------------------------


class Tail(NamedTuple):
    """What follows the collection of a comprehension."""

    where: Expr | None
    key: Expr | None
    word: KeyWord | None
    first: Token
    end: int


class Build:
    """One method for each form of the grammar; its parts are tokens and finished nodes."""

    def name(self, p: list[Token]) -> Name:
        return Name(str(p[0]), **_at(p))

    def number(self, p: list[Token]) -> Num:
        return Num(int(p[0]), **_at(p))

    def text(self, p: list[Token]) -> Text:
        return Text(str(p[0][1:-1]), _start(p[0]) + 1, **_at(p))

    def parens(self, p: list[Any]) -> Expr:
        return cast("Expr", replace(p[1], **_at(p)))

    def tuple_(self, p: list[Any]) -> Tuple:
        return Tuple(tuple(p[1:-1:2]), **_at(p))

    def attr(self, p: list[Any]) -> Attr:
        return Attr(p[0], str(p[2]), p[2].start_pos, **_at(p))

    def arguments(self, p: list[Any]) -> list[Expr]:
        return p[::2]

    def call(self, p: list[Any]) -> Call:
        return Call(self.name(p[:1]), tuple(p[2]), **_at(p))

    def method(self, p: list[Any]) -> Call:
        return Call(self.attr(p[:3]), tuple(p[4]), **_at(p))

    def unary(self, p: list[Any]) -> Unary:
        return Unary("not" if p[0].type == "NOT" else "neg", p[1], **_at(p))

    def binary(self, p: list[Any]) -> Binary:
        return Binary(cast("Any", str(p[1])), p[0], p[2], **_at(p))

    def compare(self, p: list[Any]) -> Compare:
        return Compare(cast("Any", str(p[1])), p[0], p[2], **_at(p))

    def in_(self, p: list[Any]) -> In:
        return In(p[0], p[-1], len(p) == 4, **_at(p))

    def includes(self, p: list[Any]) -> Includes:
        return Includes(p[0], p[2], **_at(p))

    def is_(self, p: list[Any]) -> Is:
        word = p[-1]
        if word not in ("none", "known", "empty"):
            raise _refusal(
                f"`is` does not ask for {ticked(word)}",
                word,
                expected=("`none`", "`known`", "`empty`"),
                help=("use `!=` to compare" if len(p) == 4 else "use `==` to compare",),
            )
        return Is(p[0], cast("Any", str(word)), len(p) == 4, **_at(p))

    def interval(self, p: list[Any]) -> Interval:
        low, high = _ends(p)
        return Interval(low, high, **_at(p))

    def if_(self, p: list[Any]) -> If:
        return If(p[1], p[3], p[5], **_at(p))

    def tail(self, p: list[Any]) -> Tail:
        parts = {token.type: expr for token, expr in zip(p[::2], p[1::2], strict=True)}
        word: KeyWord | None = "by" if "BY" in parts else "have" if "HAVE" in parts else None
        key = parts.get("BY") or parts.get("HAVE")
        return Tail(parts.get("WHERE"), key, word, p[0], p[-1].end)

    def narrowed(self, p: list[Any]) -> Comp:
        head, tail = p
        match head:
            case In(Name(id) as var, coll, False) if var.start == head.start and _bare(var):
                where, key, word, _, end = tail
                comp = Comp(None, id, coll, where, key, word, var_start=var.start)
                return replace(comp, start=head.start, end=end)
        example = {"WHERE": "where p.score > 0", "BY": "by p.score", "HAVE": "have p.passed"}
        help = f"for example: p in players {example[tail.first.type]}"
        raise _refusal(f"{ticked(tail.first)} must follow `x in collection`", tail.first, help=(help,))

    def mapped(self, p: list[Any]) -> Comp:
        where, key, word = p[5][:3] if len(p) == 6 else (None, None, None)
        var = p[2]
        return Comp(p[0], str(var), p[4], where, key, word, var_start=var.start_pos, **_at(p))

    def binder(self, p: list[Any]) -> Comp:
        where = p[4] if len(p) == 5 else None
        return Comp(None, str(p[0]), p[2], where, var_start=p[0].start_pos, **_at(p))

    def type_name(self, p: list[Token]) -> TypeName:
        return TypeName(" ".join(p[0].split()), **_at(p))

    def type_of(self, p: list[Any]) -> TypeOf:
        if p[0] not in ("set", "bag", "list"):
            expected = ("`set`", "`bag`", "`list`")
            raise _refusal(f"there is no type `{p[0]} of`", p[0], expected=expected)
        return TypeOf(cast("Any", str(p[0])), p[2], **_at(p))

    def type_per(self, p: list[Any]) -> TypePer:
        return TypePer(str(p[1]), p[3], **_at(p))

    def bound(self, p: list[Token]) -> tuple[int, int, int]:
        return int("".join(p)), _start(p[0]), _end(p[-1])

    def range_(self, p: list[Any]) -> TypeRange:
        low, high = _ends(p)
        return TypeRange(low and low[0], high and high[0], **_at(p))

    def option(self, p: list[Any]) -> TypeOption:
        if p[2] != "none":
            plain = "Yes or no" if p[2].casefold() == "no" else "none" if p[2].casefold() == "none" else None
            help = (f"it is written {ticked(plain)}" if plain else "name an enum of its own in `types`",)
            raise _refusal("only `none` follows `or` in a type", p[2], expected=("`none`",), help=help)
        if isinstance(p[0], TypeOption):
            raise _refusal("`or none` stands here twice", p[2])
        return TypeOption(p[0], **_at(p))


def _start(part: Any) -> int:
    match part:
        case Node():
            return part.start
        case (_, int(start), _):
            return start
    return cast("int", part.start_pos)


def _end(part: Any) -> int:
    match part:
        case Node() | Tail():
            return part.end
        case (_, _, int(end)):
            return end
    return cast("int", part.end_pos)


def _at(parts: list[Any]) -> dict[str, Any]:
    return {"start": _start(parts[0]), "end": _end(parts[-1])}


def _ends(parts: list[Any]) -> tuple[Any, Any]:
    """What stands on either side of the dots."""
    dots = 0 if getattr(parts[0], "type", "") == "DOTS" else 1
    low, high = parts[:dots], parts[dots + 1 :]
    return (low[0] if low else None), (high[0] if high else None)


def _bare(name: Name) -> bool:
    return name.end - name.start == len(name.id)


def _refusal(message: str, token: Token, **rest: Any) -> ExprSyntaxError:
    return ExprSyntaxError(message, _start(token), _end(token), found=ticked(token), **rest)


# --- parsing ------------------------------------------------------------------------------------


@cache
def _lark() -> Lark:
    # Imported when first needed: a compiled game is played without ever parsing an expression.
    import lark

    kept = with_numbers(files(__package__).joinpath(TABLES).read_text(encoding="utf-8"))
    if kept["lark"] != lark.__version__:
        return lark.Lark(grammar(), **OPTIONS, transformer=cast("Any", Build()))
    loaded: Lark = cast("Any", lark.Lark)._load_from_dict(kept["data"], kept["memo"], transformer=Build())
    return loaded


def grammar() -> str:
    """What Lark reads expressions, loop headers and types by."""
    return files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8")


def with_numbers(text: str) -> dict[str, Any]:
    """JSON data in which the names of fields that are numbers are numbers, as Lark wants them."""
    data: dict[str, Any] = json.loads(
        text,
        object_pairs_hook=lambda pairs: {int(key) if DIGITS.fullmatch(key) else key: value for key, value in pairs},
    )
    return data


def _parser(start: Start, text: str = "") -> Any:
    """A parser that is fed one token after the other (Lark leaves its methods untyped)."""
    return _lark().parse_interactive(text, start=start)


def parse_expr(text: str) -> Expr:
    """An expression, perhaps with a trailing comprehension."""
    return cast("Expr", _parse(text, "expr"))


def parse_binder(text: str) -> Comp:
    """The header of a loop: `p in players`, `x in coll where cond`."""
    return cast("Comp", _parse(text, "binder"))


def parse_type(text: str) -> TypeExpr:
    """A type: `set of Place`, `Player or none`, `0..6`."""
    return cast("TypeExpr", _parse(text, "type"))


def expression(scalar: ScalarNode, diagnostics: Diagnostics) -> Expr | None:
    """The expression in a scalar, or None with a diagnostic."""
    return checked(parse_expr, scalar, diagnostics)


def binder(scalar: ScalarNode, diagnostics: Diagnostics) -> Comp | None:
    """The loop header in a scalar, or None with a diagnostic."""
    return checked(parse_binder, scalar, diagnostics)


def type_(scalar: ScalarNode, diagnostics: Diagnostics) -> TypeExpr | None:
    """The type in a scalar, or None with a diagnostic."""
    return checked(parse_type, scalar, diagnostics)


def checked(parse: Callable[[str], T], scalar: ScalarNode, diagnostics: Diagnostics) -> T | None:
    """What a parser makes of a scalar, or None with a diagnostic."""
    try:
        return parse(scalar.value)
    except ExprSyntaxError as error:
        error.report(scalar, diagnostics)
        return None


@lru_cache(maxsize=4096)
def _parse(text: str, start: Start) -> Node:
    from lark import UnexpectedToken

    check_length(text)
    tokens = _tokens(text, start)
    parser = _parser(start)
    try:
        for token in tokens[:-1]:
            parser.feed_token(token)
        node = cast("Node", parser.feed_token(tokens[-1]))
    except UnexpectedToken as error:
        # Lexers may share equal tokens, hence the search by place.
        place = next(i for i, token in enumerate(tokens) if token is error.token)
        raise _unexpected(tokens, place, start) from None
    _check_depth(node)
    return node


def check_length(text: str) -> None:
    """Refuse a text that is too long to be read by anybody."""
    if len(text) > MAX_SOURCE:
        raise _too_much(f"this text is longer than {MAX_SOURCE} characters", MAX_SOURCE, len(text))


def _check_depth(node: Node) -> None:
    level = [node]
    for _ in range(MAX_DEPTH):
        level = [child for parent in level for child in children(parent)]
        if not level:
            return
    raise _too_deep(level[0].start, level[0].end)


def _too_deep(start: int, end: int) -> ExprSyntaxError:
    return _too_much(f"this is nested or chained more than {MAX_DEPTH} deep", start, end)


def _too_much(message: str, start: int, end: int) -> ExprSyntaxError:
    help = ("give a part of it a name: a value, a function or a `let`",)
    return ExprSyntaxError(message, start, end, help=help, code="E002")


def _check_spelling(tokens: list[Token]) -> None:
    """Raise ExprSyntaxError for a number that is not spelt as numbers are in data: `017`, `0x1F`."""
    for token, behind in pairwise([*tokens, None]):
        if token is None or token.type != "INT" or not token.startswith("0"):
            continue
        if len(token) > 1:
            message, end, number = (
                f"{ticked(token)} is no number: no zero stands before a number",
                _end(token),
                int(token),
            )
        elif behind is not None and _start(behind) == _end(token) and BASED.fullmatch(behind):
            message, end = f"`0{behind}` is no number: numbers are written to the base ten", _end(behind)
            number = int(f"0{behind}", 0)
        else:
            continue
        raise ExprSyntaxError(message, _start(token), end, help=(f"write {ticked(number)}",))


BASED = re.compile(r"[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+")  # behind a zero: a number to another base, elsewhere


def _tokens(text: str, start: Start) -> list[Token]:
    """The tokens of a text and an end; the parentheses are known not to be too deep."""
    from lark import Token, UnexpectedCharacters

    parser = _parser(start, text)
    try:
        tokens = list(parser.lexer_thread.lex(parser.parser_state))
    except UnexpectedCharacters as error:
        raise _stray(text, error.pos_in_stream or 0, start) from None
    depth = 0
    for token in tokens:
        depth += (token.type == "LPAR") - (token.type == "RPAR")
        if depth > MAX_DEPTH:
            raise _too_deep(_start(token), _end(token))
        if token.type == "INT" and len(token) > MAX_DIGITS:
            message = f"this number has more than {MAX_DIGITS} digits"
            raise ExprSyntaxError(message, _start(token), _end(token), code="E002")
    _check_spelling(tokens)
    if not tokens:
        message = f"the {NOUNS[start]} is empty"
        raise ExprSyntaxError(message, 0, len(text), (EMPTY[start],))
    last = _end(tokens[-1])
    return [*tokens, Token("$END", "", start_pos=last, end_pos=last)]


# --- errors -------------------------------------------------------------------------------------


def _stray(text: str, at: int, start: Start) -> ExprSyntaxError:
    """The error for characters that begin no token."""
    if text[at] == '"':
        end = at + len(text[at:].split("\n")[0])
        message = "this text is not closed"
        return ExprSyntaxError(message, at, end, ('`"`',), help=("a text ends on its line",))
    if text[at] == "=" and text[at - 2 : at] in ("==", "!="):
        right = text[at - 2 : at]
        return ExprSyntaxError(
            f"an expression has no `{right}=`",
            at - 2,
            at + 1,
            found=f"`{right}=`",
            help=(f"use {ticked(right)}",),
        )
    sign, help = hints.stray(text, at, start == "type")
    if start == "binder" and sign in ("=", ":") and text[:at].strip().isidentifier():
        help = f"it is written {ticked(f'{text[:at].strip()} in {text[at + 1 :].strip()}')}"
    shown = ticked(sign) if sign.isprintable() else f"U+{ord(sign):04X}"
    message = f"{'a type' if start == 'type' else 'an expression'} has no {shown}"
    return ExprSyntaxError(message, at, at + len(sign), found=shown, help=(help,) if help else ())


WORDS = {
    "IN": "`in`",
    "THEN": "`then`",
    "ELSE": "`else`",
    "FOR": "`for`",
    "WHERE": "`where`",
    "BY": "`by`",
    "HAVE": "`have`",
    "OF": "`of`",
    "OR": "`or none`",
    "DOTS": "`..`",
    "COMMA": "`,`",
    "RPAR": "`)`",
    "$END": "the end",
}


def _words(accepts: set[str], start: Start) -> tuple[str, ...]:
    """What could stand at a place, in words."""
    if accepts == {"NAME", "NOT"}:
        return ("`none`", "`known`", "`empty`", "`not`")
    words: list[str] = []
    skip: set[str] = set()
    if "INT" in accepts:
        noun = "a number" if "NAME" not in accepts else "a type" if start == "type" else "a value"
        words.append(noun)
        skip |= {"DOTS", "BY"}
    elif "NAME" in accepts:
        words.append("a name")
    if "PLUS" in accepts:
        words.append("an operator")
        skip |= {"IN", "OR", "OF", "DOTS", "FOR", "BY", "HAVE"}
        skip |= set() if start == "binder" else {"WHERE"}
    return (*words, *(word for key, word in WORDS.items() if key in accepts - skip))


def _unexpected(tokens: list[Token], place: int, start: Start) -> ExprSyntaxError:
    """The error for a token that cannot stand where it does."""
    # The parser that failed has already reduced what the token made it reduce.
    parser = _parser(start)
    for token in tokens[:place]:
        parser.feed_token(token)
    accepts: set[str] = parser.accepts()
    token = tokens[place]
    opened: list[Token] = []
    for before in tokens[:place]:
        if before.type == "LPAR":
            opened.append(before)
        elif before.type == "RPAR":
            opened.pop()
    last = tokens[place - 1].type if place else ""
    at_end, in_value = token.type == "$END", "PLUS" in accepts
    if at_end and opened and "RPAR" in accepts:
        message = "this parenthesis is not closed"
        return ExprSyntaxError(message, _start(opened[-1]), _end(opened[-1]), ("`)`",))
    found = "the end" if at_end else ticked(token)
    message = f"{found} does not fit here"
    if at_end:
        message = f"something is missing after {ticked(tokens[place - 1])}" if place else f"the {NOUNS[start]} is empty"
    if token.type == "RPAR" and not opened:
        message = "this parenthesis closes nothing"
    help = hints.hint(tokens, place, accepts, start, bool(opened), in_value)
    return ExprSyntaxError(
        message,
        _start(token),
        _end(token),
        ("`none`",) if start == "type" and last == "OR" else _words(accepts, start),
        found=found,
        help=(help,) if help else (),
    )
