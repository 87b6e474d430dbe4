"""Payments: the C of `payments.h`, once for each number of kinds and each column of what cards stand for."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from interpreter.native.emitter.forms import EMPTY, NUMBER, Record, Row, Val
from interpreter.native.emitter.operations.bags import as_bag, members, wide
from interpreter.native.emitter.operations.call import Call, Writers
from interpreter.native.emitter.types import MOST_WAYS, Unsupported
from rulespec.analysis.domain import ANY
from rulespec.language.facts import CForm
from rulespec.library.errors import DomainError
from rulespec.library.payments import alike, what_it_meets

TEMPLATE = ("interpreter.native.emitter", "payments.h")
MOST_COVERED = 256  # ways to cover a need by cards
MOST_PIECES = 1 << 20  # of a kind, beyond which the reference machine goes on
MOST_MET = 4096  # needs that cards of all groups can meet
MOST_GROUPS = 64


def text(number: int, kinds: int, bonus: Any) -> str:
    """The C of one instance."""
    groups = alike(tuple(range(len(bonus))), bonus)
    try:
        meets = [(g, met) for g, units in enumerate(groups) for met in what_it_meets(units, kinds)]
    except DomainError:
        raise Unsupported("cards that stand for too much") from None
    if len(groups) > MOST_GROUPS or len(meets) > MOST_MET:
        raise Unsupported("cards that stand for too much")
    group_of = {card: g for g, cards in enumerate(groups.values()) for card in cards}
    numbers = {
        "KINDS": kinds,
        "GROUPS": max(1, len(groups)),
        "CARDS": max(1, len(group_of)),
        "ALL": max(1, len(bonus)),
        "MEETS": len(meets),
        "MOST": MOST_WAYS,
        "COVERED": MOST_COVERED,
        "PIECES": MOST_PIECES,
    }
    stands = [sum(kind in unit for unit in units) for units in groups for kind in range(kinds)]
    tables = {
        "GROUP": [group_of.get(card, -1) for card in range(len(bonus))],
        "STANDS": stands or [0] * kinds,
        "SEVERAL": [int(len(units) > 1) for units in groups],
        "MEETING": [g for g, _ in meets],
        "MET": [n for _, met in meets for n in met],
    }
    head = f"enum {{ {', '.join(f'{name}{number}={value}' for name, value in numbers.items())} }};"
    rows = [
        f"static const int16_t {name}{number}[]={{{','.join(map(str, row)) or '0'}}};" for name, row in tables.items()
    ]
    package, file = TEMPLATE
    return "\n".join([head, *rows, files(package).joinpath(file).read_text("utf-8").replace("$", str(number))])


def instance(call: Call) -> tuple[int, int]:
    """The number of the instance that a call wants, written if it is not yet, and its number of kinds."""
    kinds, bonus = members(call.vals[1]), call.constant(5)
    if not kinds:
        raise Unsupported("payments of no kinds")
    key = ("payments", kinds, bonus)
    if key not in call.w.tables:
        number = len(call.w.tables)
        call.w.small.append(text(number, kinds, bonus))
        call.w.tables[key] = f"{number}"
    return int(call.w.tables[key]), kinds


def listed(prices: Val) -> int:
    """For how many items a list is made room for: as many as its form has, which is less than its type says where that is much."""
    if isinstance(prices.form, Row):
        return prices.form.most
    return 1 if prices.form == EMPTY else max(1, len(prices.const) if prices.known else prices.fact.size or 64)


def prepared(call: Call) -> tuple[int, int, str, str]:
    """The instance, its number of kinds, C that puts the arguments into `prices`, `stock` and `hand`, and the arguments after them."""
    number, kinds = instance(call)
    prices, cards = call.vals[0], call.vals[2]
    form = Row(listed(prices), wide(kinds), "")
    p, b, s, h, n = (call.w.name(x) for x in "pbshn")
    copy = f"for(int i=0;i<{p}.n;i++)for(int k=0;k<{kinds};k++){b}[i].a[k]={p}.a[i].a[k];"
    hold = call.w.each_of(cards, lambda x: f"hold{number}(S,&{h},{x.code});")
    code = (
        f"{call.w.type(form)} {p}={call.w.as_form(prices, form)}; Bag{number} {b}[{form.most}]; {copy} int {n}={p}.n; "
        f"{call.w.type(wide(kinds))} {s}={as_bag(call, 1, kinds)}; Hand{number} {h}; memset({h}.have,0,sizeof {h}.have); {hold}"
    )
    return number, kinds, code, f"S,{b},{n},{s}.a,&{h},{call.number(3)},{call.number(4)}"


def payable(call: Call) -> Val:
    """Whether there is a way."""
    number, _, head, args = prepared(call)
    return call.gives_test(f"({{{head} payable{number}({args});}})")


def payments(call: Call) -> Val:
    """Every way, sorted."""
    number, kinds, head, args = prepared(call)
    form, item = call.form, call.fact.item or ANY
    if not isinstance(form, Row) or not isinstance(form.item, Record) or item.parts is None:
        raise Unsupported("payments in another form")
    w, n, out, g, c = (call.w.name(x) for x in "wnogc")
    gems = Val(g, wide(kinds), item.parts[0])
    cards, cards_form = Val(f"{w}[z].card[j]", NUMBER, item.parts[1].item or ANY), form.item.parts[1]
    fill = call.w.adder(c, cards_form)(cards) if cards_form != EMPTY else "fault(S);"
    one = (
        f"{call.w.type(gems.form)} {g}={{{kinds}}}; for(int k=0;k<{kinds};k++){g}.a[k]={w}[z].cover.a[k]; "
        f"{call.w.forms.fresh(c, cards_form)} for(int j=0;j<{w}[z].cards;j++){{{fill}}} "
    )
    parts = f"{call.w.as_form(gems, form.item.parts[0])},{c},{w}[z].swapped"
    put = f"{out}.a[{out}.n++]=({call.w.type(form.item)}){{{parts}}};"
    ways = f"Way{number} {w}[{MOST_WAYS}]; int {n}=payments{number}({args},{w});"
    if form.most < MOST_WAYS:  # a list that its type does not bound has less room
        ways += f" if({n}>{form.most})full(S);"
    return call.filled(out, f"{head} {ways}", f"for(int z=0;z<{n};z++){{{one} {put}}}")


PAYING: Writers = {CForm.PAYMENTS: payments, CForm.PAYABLE: payable}
