"""Expressions are read by tables; Lark itself, which made them, reads the same texts alike."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import UnexpectedToken

from rulespec.expr import lalr
from tools import expr_tables


class Plain:
    """Builds lists: the name of a form and its parts."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name.isupper():  # Lark asks for one of each kind of token too
            raise AttributeError(name)
        return lambda parts: [name, *parts]


LARK = {start: expr_tables.parser(transformer=Plain()) for start in ("expr", "binder", "type")}
SIGNS = [
    "a",
    "b",
    "1",
    '"t"',
    "(",
    ")",
    ",",
    ".",
    "..",
    "+",
    "-",
    "*",
    "==",
    "in",
    "not",
    "is",
    "of",
    "or",
    "and",
    "if",
]
SIGNS += [
    "then",
    "else",
    "where",
    "by",
    "have",
    "for",
    "otherwise",
    "includes",
    "none",
    "Yes or no",
    "# x",
    "Yes or none",
]


def by_lark(text: str, start: str) -> Any:
    """What Lark makes of a text, or what it would take at the place where it fails."""
    parser = LARK[start].parse_interactive(text, start=start)
    tokens = list(parser.lexer_thread.lex(parser.parser_state))
    try:
        for token in tokens:
            parser.feed_token(token)
        return parser.feed_eof()
    except UnexpectedToken:
        again = LARK[start].parse_interactive("", start=start)
        done = []
        for token in tokens:
            try:
                again.copy().feed_token(token)
            except UnexpectedToken:
                break
            again.feed_token(token)
            done.append(token)
        return len(done), set(again.accepts())


def by_tables(text: str, start: str) -> Any:
    """The same by the tables."""
    grammar = lalr.grammar(Plain())
    tokens = [*grammar.tokens(text), lalr.Token(lalr.END, "", len(text), len(text))]
    try:
        return grammar.parse(tokens, start)
    except lalr.UnexpectedToken as error:
        return error.place, set(error.accepted)


@given(st.lists(st.sampled_from(SIGNS), max_size=9).map(" ".join), st.sampled_from(["expr", "binder", "type"]))
@settings(max_examples=400, deadline=None)
def test_the_tables_read_as_lark_does(text: str, start: str) -> None:
    assert by_tables(text, start) == by_lark(text, start)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("sum(a.b(1, 2).c for x in p of q where x is not none by x.y)", "expr"),
        ('if not a in (b, c, 1..3) then "x {f(\\"y\\")}" else -a * b of c', "expr"),
        ("x in places where x.y includes z", "binder"),
        ("by Player of set of 1..6", "type"),
        ("Yes or no or none", "type"),
        ("a b", "expr"),
        ("x in", "binder"),
    ],
)
def test_long_texts_are_read_as_lark_does(text: str, start: str) -> None:
    assert by_tables(text, start) == by_lark(text, start)
