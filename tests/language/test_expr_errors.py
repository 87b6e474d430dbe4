"""Expressions that are refused: messages, places, codes, and limits."""

import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.expr import parser, template
from rulespec.expr.parser import ExprSyntaxError, parse_binder, parse_expr, parse_type
from rulespec.expr.printer import to_text
from rulespec.expr.syntax import (
    Binary,
    Comp,
    Name,
    TypeName,
    shift,
)
from rulespec.expr.template import parse_template
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source
from rulespec.text.yaml_tree import MapNode, ScalarNode, parse

BLOW_UP = 10  # seconds of work that only an answer without bounds takes; speed is for benchmarks
A, B, C, D = (Name(x) for x in "abcd")
WORDS = "a b 1 ( ) , . .. + - * == none if then else or and not in is of where have by for includes"


# --- errors -------------------------------------------------------------------------------------

ERRORS: list[tuple[Callable[[str], object], str, str, int, int, str]] = [
    # parser, text, message, start, end, help (or, if there is none, what was expected)
    (parse_expr, "", "the expression is empty", 0, 0, "a value"),
    (parse_expr, " # x", "the expression is empty", 0, 4, "a value"),
    (parse_expr, "a = b", "an expression has no `=`", 2, 3, "use `==` to compare"),
    (parse_expr, "a && b", "an expression has no `&&`", 2, 4, "write `and`"),
    (parse_expr, "a || b", "an expression has no `||`", 2, 4, "write `or`"),
    (parse_expr, "!a", "an expression has no `!`", 0, 1, "write `not a`"),
    (parse_expr, "p[hand]", "an expression has no `[`", 1, 2,
     "index by a dot: p.hand; write a list as list(a, b)"),
    (parse_expr, "{a}", "an expression has no `{`", 0, 1,
     "write a set as set(a, b); braces belong into texts only"),
    (parse_expr, "a ? b", "an expression has no `?`", 2, 3,
     "write `x otherwise y`, or `if c then x else y`"),
    (parse_expr, "'so'", "an expression has no `'`", 0, 1,
     'put texts in double quotes: "so"'),
    (parse_expr, "a % 2", "an expression has no `%`", 2, 3, "use mod(a, b) for the remainder"),
    (parse_expr, "Zoë", "an expression has no `ë`", 2, 3,
     "names are written with the letters a to z, digits and _"),
    (parse_expr, "a\x00", "an expression has no U+0000", 1, 2, ""),
    (parse_expr, 'f("ab\n, c)', "this text is not closed", 2, 5, "a text ends on its line"),
    (parse_expr, "f(a, (b", "this parenthesis is not closed", 5, 6, "`)`"),
    (parse_expr, "f(a, (b) + 1", "this parenthesis is not closed", 1, 2, "`)`"),
    (parse_expr, "f(a))", "this parenthesis closes nothing", 4, 5, "an operator or the end"),
    (parse_expr, "a +", "something is missing after `+`", 3, 3, "a value"),
    (parse_expr, "f(a,)", "`)` does not fit here", 4, 5, "a value"),
    (parse_expr, "x if c else y", "`if` does not fit here", 2, 4, "write `if c then x else y`"),
    (parse_expr, "if a then b", "something is missing after `b`", 11, 11,
     "every `if` has a `then` and an `else`"),
    (parse_expr, "a < b < c", "`<` does not fit here", 6, 7,
     "comparisons do not chain: join two with `and`"),
    (parse_expr, "a == not b", "`not` does not fit here", 5, 8,
     "put parentheses around it: (not ...)"),
    (parse_expr, "1 + if a then b else c", "`if` does not fit here", 4, 6,
     "put parentheses around it: (if ...)"),
    (parse_expr, "a.of", "`of` does not fit here", 2, 4,
     "`of` is a word of the language and cannot be a name"),
    (parse_expr, "1.5", "`5` does not fit here", 2, 3,
     "numbers are whole; a range has two dots"),
    (parse_expr, "f(a b)", "`b` does not fit here", 4, 5, "an operator or a comma is missing before `b`"),
    (parse_expr, "a, b", "`,` does not fit here", 1, 2,
     "a list is written `list(a, b)`"),
    (parse_expr, "a ** b", "`*` does not fit here", 3, 4, "there are no powers"),
    (parse_expr, "a is b", "`is` does not ask for `b`", 5, 6, "use `==` to compare"),
    (parse_expr, "a is not b", "`is` does not ask for `b`", 9, 10, "use `!=` to compare"),
    (parse_expr, "a is", "something is missing after `is`", 4, 4,
     "`none` or `known` or `empty` or `not`"),
    (parse_expr, "any(a where b)", "`where` must follow `x in collection`", 6, 11,
     "for example: p in players where p.score > 0"),
    (parse_expr, "(a in b) by c", "`by` must follow `x in collection`", 9, 11,
     "for example: p in players by p.score"),
    (parse_expr, "a in b where c where d", "`where` does not fit here", 15, 20,
     "one `where` takes all conditions, joined with `and`"),
    (parse_expr, "f(a in b by c for d in e)", "`for` does not fit here", 14, 17,
     "put parentheses around the inner comprehension"),
    (parse_expr, "f(a)(b)", "`(` does not fit here", 4, 5, "an operator or the end"),
    (parse_binder, "players", "something is missing after `players`", 7, 7,
     "a loop gives each item a name: for example `p in players`"),
    (parse_binder, "p in", "something is missing after `in`", 4, 4, "a value"),
    (parse_binder, "for p in a", "`for` does not fit here", 0, 3,
     "`for` is a word of the language and cannot be a name"),
    (parse_binder, "p in a, q in b", "`,` does not fit here", 6, 7,
     "these steps go through one collection: write another loop below `do:`"),
    (parse_binder, "p in a by b", "`by` does not fit here", 7, 9,
     "an operator or `where` or the end"),
    (parse_type, "", "the type is empty", 0, 0, "a type"),
    (parse_type, "Player?", "a type has no `?`", 6, 7, "write `Player or none`"),
    (parse_type, "Player or", "something is missing after `or`", 9, 9, "`none`"),
    (parse_type, "Player or Card", "only `none` follows `or` in a type", 10, 14,
     "name an enum of its own in `types`"),
    (parse_type, "A or none or none", "`or none` stands here twice", 13, 17, ""),
    (parse_type, "array of Card", "there is no type `array of`", 0, 5,
     "`set` or `bag` or `list`"),
    (parse_type, "6", "something is missing after `6`", 1, 1, "`..`"),
    (parse_template, "You {led", "this brace is not closed", 4, 5,
     "write `{{` for a brace in the text"),
    (parse_template, "You led}", "this brace closes nothing", 7, 8,
     "write `}}` for a brace in the text"),
    (parse_template, "a {} b", "there is no expression in these braces", 2, 4,
     "write `{{` for a brace in the text"),
    (parse_template, "You {a = b}", "an expression has no `=`", 7, 8,
     "use `==` to compare"),
    (parse_template, "{a} {b +}", "something is missing after `+`", 8, 8, "a value"),
]  # fmt: skip


@pytest.mark.parametrize(("parse", "text", "message", "start", "end", "help"), ERRORS)
def test_errors(parse: Callable[[str], object], text: str, message: str, start: int, end: int, help: str) -> None:
    for _ in range(2):
        with pytest.raises(ExprSyntaxError) as caught:
            parse(text)
        error = caught.value
        assert (error.message, error.start, error.end) == (message, start, end)
        assert " ".join(error.help) or " or ".join(error.expected) == help or help == ""
        if error.help:
            assert error.help == (help,)
        assert error.code == "E001"


@given(st.text(max_size=30) | st.lists(st.sampled_from(WORDS.split()), max_size=12).map(" ".join))
def test_any_text_parses_or_is_refused(text: str) -> None:
    parsers: list[Callable[[str], object]] = [parse_expr, parse_binder, parse_type, parse_template]
    for read in parsers:
        try:
            read(text)
        except ExprSyntaxError as error:
            assert 0 <= error.start <= error.end <= len(text)


def scalar_of(text: str) -> ScalarNode:
    tree = parse(Source("game.yaml", text), Diagnostics())
    assert isinstance(tree, MapNode)
    node = tree.get("if")
    assert isinstance(node, ScalarNode)
    return node


@pytest.mark.parametrize(
    ("reader", "text", "code", "found"),
    [
        (parser.expression, "if: a = b\n", "E001", "="),
        (parser.expression, "if: |\n  a and\n  b ? c\n", "E001", "?"),
        (parser.expression, "if: '''a'''\n", "E001", "''"),
        (parser.binder, 'if: "p\\x20in a by b"\n', "E001", "by"),
        (parser.type_, "if: Player or Card\n", "E001", "Card"),
        (template.template, 'if: "You {led ! x}"\n', "E001", "!"),
        (parser.expression, "if: 1 + 1234567890123456789\n", "E002", "1234567890123456789"),
    ],
)
def test_diagnostics_point_into_the_file(
    reader: Callable[[ScalarNode, Diagnostics], object], text: str, code: str, found: str
) -> None:
    diagnostics = Diagnostics()
    assert reader(scalar_of(text), diagnostics) is None
    (diagnostic,) = diagnostics
    assert diagnostic.code == code
    assert diagnostic.span is not None
    assert diagnostic.span.text == found


def test_no_diagnostics_without_a_fault() -> None:
    diagnostics = Diagnostics()
    assert parser.expression(scalar_of("if: a + b\n"), diagnostics) == Binary("+", A, B)
    assert parser.binder(scalar_of("if: a in b\n"), diagnostics) == Comp(None, "a", B)
    assert parser.type_(scalar_of("if: A\n"), diagnostics) == TypeName("A")
    assert template.template(scalar_of("if: so {a}\n"), diagnostics) == ("so ", A)
    assert len(diagnostics) == 0


# --- limits -------------------------------------------------------------------------------------

HUGE = {
    "parentheses": "(" * 2000 + "a" + ")" * 2000,
    "unclosed": "(" * 4000,
    "calls": "f(" * 1300 + "a" + ")" * 1300,
    "nots": "not " * 1000 + "a",
    "ifs": "if a then b else " * 230 + "c",
    "if conditions": "if " * 160 + "a" + " then b else c" * 160,
    "attributes": "a" + ".b" * 2000,
    "methods": "a" + ".b()" * 1000,
    "sums": "a" + "+a" * 2000,
    "products": "a" + "*a" * 2000,
    "ors": "a" + " or a" * 800,
    "ofs": "a" + " of a" * 800,
    "length": "a " * 3000,
    "digits": "1" * 4000,
}


@pytest.mark.parametrize("name", HUGE)
def test_too_much_is_refused_at_once(name: str) -> None:
    parse_expr("a")
    began = time.process_time()
    with pytest.raises(ExprSyntaxError) as caught:
        parse_expr(HUGE[name])
    assert caught.value.code == "E002"
    assert time.process_time() - began < BLOW_UP
    with pytest.raises(ExprSyntaxError) as caught:
        parse_template(f"so {{{HUGE[name][:4000]}}}")
    assert time.process_time() - began < BLOW_UP


def test_too_deep_types_are_refused() -> None:
    with pytest.raises(ExprSyntaxError) as caught:
        parse_type("set of " * 500 + "A")
    assert caught.value.code == "E002"


def test_all_that_is_allowed_can_be_walked() -> None:
    for text in ("(" * 64 + "a" + ")" * 64, "a" + " + a" * 63, "not " * 63 + "a", "a" + ".b" * 63):
        expr = parse_expr(text)
        assert parse_expr(to_text(shift(expr, 3))) == expr
    for text in ("(" * 65 + "a" + ")" * 65, "a" + " + a" * 64, "not " * 64 + "a", "a" + ".b" * 64):
        with pytest.raises(ExprSyntaxError):
            parse_expr(text)


@pytest.mark.parametrize("text", ["{" * 4000, "{a" * 1300, '{"' * 1300, "{}" * 2000, "{a}" * 1365])
def test_wild_braces_in_texts_of_expressions_are_read_at_once(text: str) -> None:
    began = time.process_time()
    for written in (f'"{text}"', f'"{text}', f'a("{text}", "b")'):
        with suppress(ExprSyntaxError):
            parse_expr(written[:4000])
    assert time.process_time() - began < BLOW_UP


@pytest.mark.parametrize("text", ["{" * 4000, "{a" * 1300, '{"' * 1300, "{}" * 2000, "{a}" * 1365])
def test_wild_braces_are_read_at_once(text: str) -> None:
    began = time.process_time()
    with suppress(ExprSyntaxError):
        parse_template(text)
    assert time.process_time() - began < BLOW_UP
