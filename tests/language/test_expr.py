"""Expressions: grammar, tree, positions, printing, templates."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import lark
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.expr import parser
from rulespec.expr.parser import ExprSyntaxError, parse_binder, parse_expr, parse_type
from rulespec.expr.printer import to_text, type_to_text
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
    Name,
    Node,
    Num,
    Text,
    Tuple,
    TypeName,
    TypeOf,
    TypeOption,
    TypePer,
    TypeRange,
    Unary,
    children,
    shift,
    walk,
)
from rulespec.expr.template import parse_template, template_to_text
from tools.dev import expr_tables

A, B, C, D = (Name(x) for x in "abcd")

FORMS = {
    "a": A,
    "yes": Name("yes"),
    "none": Name("none"),
    "iffy": Name("iffy"),
    "in_range": Name("in_range"),
    "42": Num(42),
    '"a # text, (not) b"': Text("a # text, (not) b"),
    '"so {a.b} it is"': Text("so {a.b} it is"),
    '"so {if a then "b" else "{c}"} it is"': Text('so {if a then "b" else "{c}"} it is'),
    'a("{{", "}}", "{b", "c")': Call(A, (Text("{{"), Text("}}"), Text("{b"), Text("c"))),
    "a.b.c": Attr(Attr(A, "b"), "c"),
    "a()": Call(A, ()),
    "a(b, c)": Call(A, (B, C)),
    "a.b(c).d": Attr(Call(Attr(A, "b"), (C,)), "d"),
    "-a.b": Unary("neg", Attr(A, "b")),
    "not not a": Unary("not", Unary("not", A)),
    "a + b": Binary("+", A, B),
    "a - b": Binary("-", A, B),
    "a * b": Binary("*", A, B),
    "a and b": Binary("and", A, B),
    "a or b": Binary("or", A, B),
    "a otherwise b": Binary("otherwise", A, B),
    "2 of a": Binary("of", Num(2), A),
    "a == b": Compare("==", A, B),
    "a != b": Compare("!=", A, B),
    "a < b": Compare("<", A, B),
    "a <= b": Compare("<=", A, B),
    "a > b": Compare(">", A, B),
    "a >= b": Compare(">=", A, B),
    "a in b": In(A, B, False),
    "a not in b": In(A, B, True),
    "a includes b": Includes(A, B),
    "a is none": Is(A, "none", False),
    "a is known": Is(A, "known", False),
    "a is not empty": Is(A, "empty", True),
    "a..b": Interval(A, B),
    "a..": Interval(A, None),
    "..b": Interval(None, B),
    "-5..5": Interval(Unary("neg", Num(5)), Num(5)),
    "if a then b else c": If(A, B, C),
    "(a, b, c)": Tuple((A, B, C)),
    "((a))": A,
    "a in b where c": Comp(None, "a", B, C),
    "a in b by c": Comp(None, "a", B, None, C, "by"),
    "a in b have c": Comp(None, "a", B, None, C, "have"),
    "a in b where c by d": Comp(None, "a", B, C, D, "by"),
    "a in b where c have d": Comp(None, "a", B, C, D, "have"),
    "a.x for a in b": Comp(Attr(A, "x"), "a", B),
    "a.x for a in b where c": Comp(Attr(A, "x"), "a", B, C),
    "a.x for a in b where c by d": Comp(Attr(A, "x"), "a", B, C, D, "by"),
    "a(b in c)": Call(A, (In(B, C),)),
    "a(b in c where d)": Call(A, (Comp(None, "b", C, D),)),
    "a(b in c by (c, d), 1)": Call(A, (Comp(None, "b", C, None, Tuple((C, D)), "by"), Num(1))),
    "(a in b where c).d": Attr(Comp(None, "a", B, C), "d"),
    "a in 1..4 where b": Comp(None, "a", Interval(Num(1), Num(4)), B),
    "a # a remark, with ) and [\n  + b": Binary("+", A, B),
}

# Each text reads as the one beside it.
PRECEDENCE = [
    ("if a then b else c otherwise d", "if a then b else (c otherwise d)"),
    ("if a then b else if c then d else e", "if a then b else (if c then d else e)"),
    ("a otherwise b or c", "a otherwise (b or c)"),
    ("a otherwise b otherwise c", "(a otherwise b) otherwise c"),
    ("a or b and c", "a or (b and c)"),
    ("a and b or c", "(a and b) or c"),
    ("a or b or c", "(a or b) or c"),
    ("not a and b", "(not a) and b"),
    ("not a == b", "not (a == b)"),
    ("not a in b", "not (a in b)"),
    ("not a is none", "not (a is none)"),
    ("a == b + c", "a == (b + c)"),
    ("a in b..c", "a in (b..c)"),
    ("a + b is empty", "(a + b) is empty"),
    ("a - 1..a + 1", "(a - 1)..(a + 1)"),
    ("a.. in b", "(a..) in b"),
    ("a - b - c", "(a - b) - c"),
    ("a + b * c", "a + (b * c)"),
    ("2 of a + 3 of b", "(2 of a) + (3 of b)"),
    ("a * b of c", "(a * b) of c"),
    ("a of b of c", "a of (b of c)"),
    ("a of b - c", "(a of b) - c"),
    ("-a * b", "(-a) * b"),
    ("a * -b", "a * (-b)"),
    ("a - -b", "a - (-b)"),
    ("-a.b(c)", "-(a.b(c))"),
    ("-a..b", "(-a)..b"),
    ("a for a in b where c or d", "a for a in b where (c or d)"),
    ("if a then b else c for d in e", "(if a then b else c) for d in e"),
]

VARIED = """
sum(c.leadership for c in this.characters) + this.banners
those(p in players where p.level.initiative == level)
most(p in tied by first(p.shown).number)
size(tied) > 1
first(tied)
card.colour == led or not must_follow(p)
r.army_of == defender or r.control == defender
border(r, target).kind != ford
ways(active, foe, yes) is not empty
if helped then p.open else empty
if helped and p.played == joker then 2 else 0
answers(die, muster) and any(p in Place where p.bats > 0)
p in list(attacker, defender) where p.plays_cards
p.hand + p.ready_cards
shown.kind != unit or shown.unit in p.army.units
captain.bodyguards > 0 and captain.place.on_army + captain.place.on_walls > 0
this == attacker and this.army.first_round and border(this.army, target).kind == ford
target == ground and attacker.army.first_round
ranking(p in players by (p.jewels, p.provisions))
l in Link where l.kind in set(normal, ford, slope) or l.kind == tunnel and l.a.open
this.kind != slope or (this.a.terrain == mountains) != (this.b.terrain == mountains)
those(p in Place where p.area == region)
any(p in players where size(p.dice) > 0)
if size(active.rival.dice) > 0 then active.rival else active
general is none and size(active.dice) < size(active.rival.dice)
1 of die
not answers(die, army) and answers(die, character)
if die == lidless_eye then goblins else none
this == me.card and not me.silenced
count(f in dice where f >= 4)
any(a in Army where a.owner == me and a.settlement and a.fortification == 0)
site.breach >= 2 or site.control == shadow
a in Army where a.owner == fp and a.territory == land
count(shared, a)
the(p in players where p != this)
those(c in this.kit where not c in this.used)
sum(u.rating for u in this.army.units)
count(u in this.army.units where target.terrain in u.favoured)
this.fortification - this.breach
attacker.army is known and attacker.army != army
compare(attacker.terrain_units, defender.terrain_units)
exit in set(retreated, routed, destroyed)
dice + help + shields(hero.level.initiative) of shield + axes(hero.level.strength) of axe
total includes card.needs
top(events(n))
sorted(c in all_sealed by c.number)
d.player is known and not hero.adventure
if event.highest then first(most(d in s by d.number)) else first(least(d in s by d.number))
not this.boss or all(f in display have f.boss)
if this.white == 0 then set(this.price) else each(this.price + this.white of g for g in Gem)
sum(f.vp for f in this.open + this.closed) + div(size(this.stock), 4)
any(f in display where f.accessible and ways(p, f, no) is not empty)
min(card.discard, size(active.stock))
foe_is_optional(foe) or not must_meet(active) or way.cards is empty and not way.swapped
4 - size(active.hand)
card.suit == suit_asked or card.rank == top(journey).rank
ring_pile is empty or card.power == 0 or card.power > top(ring_pile).power
if top(journey).major then suit else top(journey).suit
p in players where passing.cards > 0
neighbour(p, passing.to).hand
out is known or draw_pile is empty
clamp(x - 1, 0..6)
led otherwise first(trick).suit
(p.shown otherwise first(p.hand)).number
a.army.units - 2 of goblins
3 of orcs + 1 of wargs
mod(round + seat, size(players)) == 0
not (a or b) and not c.open
p.score * 2 - 1
-(a + b) * 3
abs(a.score - b.score) in 0..2
all(p in players have p.passed or p.hand is empty)
first(p in seats_from(dealer) where p is known)
distance(me.place, x, adjacent) <= 2
players - set(me)
Colour.red
deck.top.kind not in set(event, ring)
max(p.total for p in players where p != me)
sum(if c.suit == hearts then 1 else 0 for c in p.taken)
reach(from, 2, marching) includes target
highest(p in players where p.bid > 0 by p.bid)
kinds(p in players where a in b)
""".strip().split("\n")


@pytest.mark.parametrize("text", FORMS)
def test_forms(text: str) -> None:
    assert parse_expr(text) == FORMS[text]


@pytest.mark.parametrize(("text", "meant"), PRECEDENCE)
def test_precedence(text: str, meant: str) -> None:
    assert parse_expr(text) == parse_expr(meant)
    assert to_text(parse_expr(meant)) == text


@pytest.mark.parametrize("text", VARIED)
def test_varied(text: str) -> None:
    assert to_text(parse_expr(text)) == text


def test_binders() -> None:
    assert parse_binder("a in b") == Comp(None, "a", B)
    assert parse_binder("a in 1..4") == Comp(None, "a", Interval(Num(1), Num(4)))
    assert parse_binder("a in b.c where d") == Comp(None, "a", Attr(B, "c"), D)


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("Number", TypeName("Number")),
        ("Yes or no", TypeName("Yes or no")),
        ("Yes or no or none", TypeOption(TypeName("Yes or no"))),
        ("Player or none", TypeOption(TypeName("Player"))),
        ("set of Place", TypeOf("set", TypeName("Place"))),
        ("list of Yes or no", TypeOf("list", TypeName("Yes or no"))),
        ("bag of Unit or none", TypeOption(TypeOf("bag", TypeName("Unit")))),
        ("list of set of Card", TypeOf("list", TypeOf("set", TypeName("Card")))),
        ("0..6", TypeRange(0, 6)),
        ("-5..5", TypeRange(-5, 5)),
        ("1..", TypeRange(1, None)),
        ("..0", TypeRange(None, 0)),
        ("0..99 or none", TypeOption(TypeRange(0, 99))),
        ("by players of EventKind", TypePer("players", TypeName("EventKind"))),
    ],
)
def test_types(text: str, type_: Node) -> None:
    parsed = parse_type(text)
    assert parsed == type_
    assert type_to_text(parsed) == text
    assert (parsed.start, parsed.end) == (0, len(text))


# --- positions ----------------------------------------------------------------------------------


def places(node: Node, text: str) -> list[str]:
    return [text[n.start : n.end] for n in walk(node)]


def test_positions() -> None:
    text = " f( p.x for  p in (a + b) where not c by -1..) "
    assert places(parse_expr(text), text) == [
        "f( p.x for  p in (a + b) where not c by -1..)",
        "f",
        "p.x for  p in (a + b) where not c by -1..",
        "p.x",
        "p",
        "(a + b)",
        "a",
        "b",
        "not c",
        "c",
        "-1..",
        "-1",
        "1",
    ]
    text = 'if (a) is not none then b.c.d("x", (1, 2)) else ..e'
    assert places(parse_expr(text), text) == [
        text,
        "(a) is not none",
        "(a)",
        'b.c.d("x", (1, 2))',
        "b.c.d",
        "b.c",
        "b",
        '"x"',
        "(1, 2)",
        "1",
        "2",
        "..e",
        "e",
    ]


def test_positions_of_names() -> None:
    attr = parse_expr("a . \n bc")
    assert isinstance(attr, Attr)
    assert (attr.name_start, attr.end) == (6, 8)
    for text in ("f(x in a where b)", "f(1 for x in a)"):
        call = parse_expr(text)
        assert isinstance(call, Call)
        comp = call.args[0]
        assert isinstance(comp, Comp)
        assert text[comp.var_start] == "x"
    assert parse_binder(" x in a").var_start == 1


@given(st.sampled_from(VARIED))
def test_children_lie_inside_their_parents(text: str) -> None:
    for node in walk(parse_expr(text)):
        assert node.start < node.end
        for child in children(node):
            assert node.start <= child.start < child.end <= node.end


def test_shift() -> None:
    text, by = "f(x.y for x in a where (b, c)) + 1", 5
    before, after = parse_expr(text), shift(parse_expr(text), by)
    assert after == before
    assert places(after, " " * by + text) == places(before, text)
    names = [
        (a.name_start, b.name_start)
        for a, b in zip(walk(before), walk(after), strict=True)
        if isinstance(a, Attr) and isinstance(b, Attr)
    ]
    assert names == [(4, 9)]


# --- printing -----------------------------------------------------------------------------------

WORDS = "a b 1 ( ) , . .. + - * == none if then else or and not in is of where have by for includes"
KEYWORDS = {*WORDS.split(), "otherwise"}
names = st.from_regex(r"[a-z_][a-z0-9_]{0,5}", fullmatch=True).filter(lambda x: x not in KEYWORDS)
texts = st.text(st.characters(exclude_characters='"\n', exclude_categories=["Cs"]), max_size=8)


def bigger(some: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    maybe = st.none() | some
    attr = st.builds(Attr, some, names, st.just(0))
    key = st.tuples(some, st.sampled_from(["by", "have"]))
    comp = st.builds(
        lambda value, var, coll, where, key: Comp(value, var, coll, where, *key),
        maybe,
        names,
        some,
        maybe,
        key | st.just((None, None)),
    )
    comparisons = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])
    operators = st.sampled_from(["+", "-", "*", "and", "or", "otherwise", "of"])
    return st.one_of(
        attr,
        st.builds(Call, st.builds(Name, names) | attr, st.lists(some, max_size=3).map(tuple)),
        st.builds(Unary, st.sampled_from(["neg", "not"]), some),
        st.builds(Binary, operators, some, some),
        st.builds(Compare, comparisons, some, some),
        st.builds(In, some, some, st.booleans()),
        st.builds(Includes, some, some),
        st.builds(Is, some, st.sampled_from(["none", "known", "empty"]), st.booleans()),
        st.builds(Interval, some, maybe) | st.builds(Interval, maybe, some),
        st.builds(If, some, some, some),
        st.lists(some, min_size=2, max_size=3).map(tuple).map(Tuple),
        # Without value, condition and key it would be the comparison `x in coll`.
        comp.filter(lambda c: c.value or c.where or c.key),
    )


leaves = st.builds(Name, names) | st.builds(Num, st.integers(0, 10**18 - 1)) | st.builds(Text, texts)
exprs: st.SearchStrategy[Expr] = st.recursive(leaves, bigger, max_leaves=12)


@given(exprs)
def test_printed_expressions_read_the_same(expr: Expr) -> None:
    text = to_text(expr)
    parsed = parse_expr(text)
    assert parsed == expr
    assert to_text(parsed) == text


@given(exprs)
def test_parentheses_are_needed(expr: Expr) -> None:
    """Taking away any pair of parentheses of a group changes the expression."""
    text = to_text(expr)
    for node in walk(parse_expr(text)):
        inside = text[node.start : node.end]
        if inside.startswith("(") and not isinstance(node, Tuple):
            try:
                inner = parse_expr(inside[1:-1])
            except ExprSyntaxError:
                continue  # `(a).b + (c)`: two groups
            if inner == node and inside != to_text(node):
                bare = text[: node.start] + " " + inside[1:-1] + " " + text[node.end :]
                with suppress(ExprSyntaxError):
                    assert parse_expr(bare) != expr


# --- templates ----------------------------------------------------------------------------------


def test_templates() -> None:
    text = 'You hold {led}, {{not}} {f(a, "}")}{b}'
    parts = parse_template(text)
    call = Call(Name("f"), (A, Text("}")))
    assert parts == ("You hold ", Name("led"), ", {not} ", call, B)
    found = [text[part.start : part.end] for part in parts if not isinstance(part, str)]
    assert found == ["led", 'f(a, "}")', "b"]
    assert template_to_text(parts) == text
    assert parse_template("") == ()
    assert parse_template("{{{a}}}") == ("{", A, "}")


@given(st.lists(texts.filter(bool) | exprs, max_size=4))
def test_printed_templates_read_the_same(parts: list[str | Expr]) -> None:
    merged: list[str | Expr] = []
    for part in parts:
        if merged and isinstance(part, str) and isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    assert parse_template(template_to_text(tuple(merged))) == tuple(merged)


def test_another_version_of_lark_reads_the_grammar_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept of the tables is of one version; the trees and the refusals are the same without it."""
    text, wrong = "sum(c.value for c in hand where c.x > 3) otherwise none", "a + * b"
    kept, refused = parse_expr(text), refusal(wrong)
    monkeypatch.setattr("lark.__version__", "0.0.1")
    made = parser._lark.__wrapped__()
    monkeypatch.setattr(parser, "_lark", lambda: made)
    parser._parse.cache_clear()
    assert made.options.source_path != "<deserialized>" and (parse_expr(text), refusal(wrong)) == (kept, refused)


def test_tables_that_say_something_else_are_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And those that only number their states in another order are not, nor those of another version for the same grammar."""
    text = expr_tables.FILE.read_text("utf-8")
    assert expr_tables.tables() == text
    changed = tmp_path / "tables.json"
    monkeypatch.setattr(expr_tables, "FILE", changed)
    for version, grammar, same in ((lark.__version__, False, False), ("0.0.1", False, True), ("0.0.1", True, False)):
        kept = parser.with_numbers(text.replace('"STAR"', '"STRAY"')) | {"lark": version}
        changed.write_text(json.dumps(kept | ({"grammar": "another"} if grammar else {})), encoding="utf-8")
        assert (expr_tables.tables() == changed.read_text("utf-8")) is same


def refusal(text: str) -> tuple[Any, ...]:
    """What is said of a text that is no expression."""
    with pytest.raises(ExprSyntaxError) as error:
        parse_expr(text)
    return error.value.message, error.value.start, error.value.end, error.value.expected, error.value.help
