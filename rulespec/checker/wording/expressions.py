"""Expressions as sentences of a rulebook: `any(c in Cell where c.mark is none)` is `there is a cell that has no mark`.

What must be exact stands beside the sentence, as it is written; so this may be short where people understand it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, assert_never

import yaml

from rulespec.checker import symbols
from rulespec.checker.wording.ink import bare, emphasis, link, plain, quoted
from rulespec.checker.wording.names import LINKS, NOTHING, SHORT, WHOLE, Names, Scope, anchor, article, words
from rulespec.expr.parser import ExprSyntaxError, parse_expr
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
    Num,
    Text,
    Tuple,
    Unary,
)
from rulespec.expr.template import parse_template
from rulespec.ir.wording import listing
from rulespec.language.registry import builds, functions
from rulespec.language.types import BagType, Type, is_many
from rulespec.text.yaml_syntax import LOADER

RELATIONS = {
    "==": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than", ">=": "is at least",
}  # fmt: skip
DENIED = {
    "==": "is not", "!=": "is", "<": "is not less than", "<=": "is more than", ">": "is at most", ">=": "is less than",
}  # fmt: skip
OPERATORS = {"+": "plus", "-": "less", "*": "times", "/": "divided by"}
JOINED = {"+": "together with", "-": "without"}
ACTS = (
    "can_",
    "has_",
    "have_",
    "is_",
    "may_",
    "must_",
    "was_",
    "needs_",
    "holds_",
)  # begin names of what somebody does or is
WHERE = ("in_", "on_", "at_", "under_", "between_")  # begin names of where something is
BY = "_by"  # ends names of what is done by somebody
STATES = ("ed", "en", "ing", "able", "ly")  # end names of fields that say what something is
DOES = {"has": "have", "have": "have", "needs": "need", "holds": "hold"}  # verbs that are denied by `does not`
OPEN = frozenset(
    {"points", "sum", "highest", "lowest", "min", "max", "count", "after"}
)  # functions whose phrases run on
PLAIN_VERBS = {"is": "are", "has": "have", "was": "were", "needs": "need", "holds": "hold"}
SEVERAL = tuple(f"{letter}s" for letter in "bcdefghklmnoprtwy")  # ends of what are several, most likely
OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
HOLE = re.compile(r"\{([^{}]+)\}")
HEAD = re.compile(r" (?:of|in|from|for|that|which|whose) ")  # what a phrase is about stands before these
LONG = 48  # letters of a phrase behind which no `'s` is written


@cache
def patterns() -> dict[str, dict[str, dict[str, Any]]]:
    """How steps and functions are said."""
    with (Path(__file__).parent / "sentences.yaml").open(encoding="utf-8") as file:
        loaded: dict[str, dict[str, dict[str, Any]]] = yaml.load(file, LOADER)
    return loaded


def last(expr: Expr) -> str:
    """The last name of what is called or owned; nothing where there is none."""
    while isinstance(expr, Call):
        expr = expr.func
    return expr.name if isinstance(expr, Attr) else expr.id if isinstance(expr, Name) else ""


def single(name: str) -> str:
    """One of what a plural names."""
    word = name.rpartition(" ")[2]
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def whose(who: str) -> str:
    """What belongs to somebody: `your`, `its`, `the active player's`."""
    if who in ("you", "it"):
        return {"you": "your", "it": "its"}[who]
    return f"{who}'" if bare(who).endswith("s") else f"{who}'s"


def plural(who: str) -> bool:
    """Whether a verb in the plural goes with something: with you and with several, as far as the last word tells."""
    return who == "you" or HEAD.split(bare(who))[0].endswith(SEVERAL)


def agreed(who: str, verb: str) -> str:
    """A verb in the form that goes with who does it."""
    return PLAIN_VERBS.get(verb, verb) if plural(who) else verb


def parsed(text: str) -> Expr | None:
    """The expression of a text; None where it is none."""
    try:
        return parse_expr(text)
    except ExprSyntaxError:
        return None


def ranging(expr: Expr) -> Expr:
    """`x in xs` as what goes through a collection, as it stands in the head of a loop; others as they are."""
    return Comp(None, expr.item.id, expr.coll) if isinstance(expr, In) and isinstance(expr.item, Name) else expr


def several(t: Type | None) -> bool:
    """Whether a value of a type holds items."""
    return t is not None and (is_many(t) or isinstance(t, BagType))


def acts(who: str, said: str, negated: bool) -> str:
    """What somebody does, by words that begin with the verb: `has a line`, `does not have a line`, `can not move`."""
    verb, _, rest = said.partition(" ")
    if negated and verb in DOES:
        return f"{'do' if who == 'you' else 'does'} not {DOES[verb]} {rest}"
    return f"{agreed(who, verb)} {'not ' if negated else ''}{rest}".strip()


def truth(said: str, negated: bool) -> str:
    """What is said with `whether`, as what holds or not."""
    said = said.removeprefix("whether ")
    return f"it is not so that {said}" if negated else said


def ranged(args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Arguments of which each goes through a collection, `a in xs, b in ys where ...`, all as such; others as they are."""
    every = tuple(map(ranging, args))
    through = any(isinstance(arg, Comp) for arg in args) and all(isinstance(arg, Comp) for arg in every)
    return every if through else args


def peeled(expr: Expr, negated: bool) -> tuple[Expr, bool]:
    """What stands within any `not`, and whether it is denied all in all."""
    while isinstance(expr, Unary) and expr.op == "not":
        expr, negated = expr.x, not negated
    return expr, negated


def joined_by(expr: Binary, negated: bool) -> str:
    """The word between two conditions, which a denial turns round."""
    return {"and": "or", "or": "and"}[expr.op] if negated else expr.op


def cases_of(expr: If) -> tuple[list[If], Expr]:
    """Each case of a choice, those within its `else` too, and what it is if none holds."""
    cases, rest = [expr], expr.other
    while isinstance(rest, If):
        cases.append(rest)
        rest = rest.other
    return cases, rest


class Speech:
    """Says the expressions of a game; with `each` texts are kept that speak of `this`, to be filled in for each piece."""

    def __init__(self, names: Names, each: bool = False) -> None:
        self.names = names
        self.each = each

    # --- texts ----------------------------------------------------------------------------------------------------------
    def value(self, text: str, scope: Scope = NOTHING) -> str:
        """The text of an expression, as a thing."""
        tree = parsed(text)
        return plain(text) if tree is None else self.thing(tree, scope)

    def condition(self, text: str, scope: Scope = NOTHING) -> str:
        """The text of an expression, as what holds or not."""
        tree = parsed(text)
        if tree is None:
            return plain(text)
        said = self.holds(tree, scope)
        return f"({said})" if isinstance(peeled(tree, False)[0], If) else said

    def said(self, text: str, scope: Scope = NOTHING) -> str:
        """A text with expressions in braces, as players read it; what is filled in stands out."""
        try:
            parts = parse_template(plain(text))
        except ExprSyntaxError:
            return plain(text)
        return "".join(part if isinstance(part, str) else self.hole(part, scope) for part in parts)

    def hole(self, expr: Expr, scope: Scope) -> str:
        """What stands in braces; of what depends on something, all that it may be."""
        if self.each and expr in (Name("this"), Attr(Name("this"), last(expr))):
            return f"{{this.{last(expr)}}}" if isinstance(expr, Attr) else "{this}"
        if isinstance(expr, If):
            return f"{self.hole(expr.then, scope)}/{self.hole(expr.other, scope)}"
        if isinstance(expr, Text):
            return self.said(expr.value, scope)
        said = bare(self.thing(expr, scope))
        return emphasis(said.removeprefix("the "))

    # --- things ---------------------------------------------------------------------------------------------------------
    def thing(self, expr: Expr, scope: Scope) -> str:
        """An expression as a noun."""
        match expr:
            case Name(id):
                return self.name(id, scope)
            case Num(value):
                return str(value)
            case Text(value):
                return quoted(self.said(value, scope))
            case Attr(Name(kind), member) if kind not in scope.phrases and self.names.is_member(kind, member):
                return self.names.label_in(kind, member)
            case Attr(obj, field):
                return self.owned(self.thing(obj, scope), self.names.part(field))
            case Call(Name(func), args):
                return self.called(func, args, scope)
            case Call(Attr(obj, func), args):
                return self.called(func, (obj, *args), scope)
            case Call():
                return self.all_of(expr.args, scope)
            case Tuple(items):
                return self.all_of(items, scope)
            case Binary("and" | "or", _, _) | Unary("not", _) | Compare() | In() | Includes() | Is():
                return f"whether {self.holds(expr, scope)}"
            case Unary(_, x):
                return f"minus {self.thing(x, scope)}"
            case Binary("otherwise", left, right):
                return f"{self.thing(left, scope)}, or {self.thing(right, scope)} where there is none"
            case Binary("of", left, right):
                return f"{self.thing(left, scope)} {self.thing(right, scope).removeprefix('the ')}"
            case Binary(op, left, right):
                table = JOINED if op in JOINED and (self.many(left) or self.many(right)) else OPERATORS
                return f"{self.operand(left, scope)} {table[op]} {self.operand(right, scope)}"
            case Interval(low, high):
                return self.interval(low, high, scope)
            case If():
                return self.either(expr, scope)
            case Comp():
                return self.fill("those", (expr,), scope)
            case _:
                assert_never(expr)

    def either(self, expr: If, scope: Scope) -> str:
        """One of several values, each with when it is; a choice within a choice in brackets."""
        cases, rest = cases_of(expr)
        parts = [f"{self.thing(case.then, scope)} if {self.holds(case.cond, scope)}" for case in cases]
        return f"{'; '.join(parts)}{'; ' if len(parts) > 1 else ', '}otherwise {self.thing(rest, scope)}"

    def operand(self, expr: Expr, scope: Scope, of: Literal["comparison", "call", "sum"] = "sum") -> str:
        """A part of a longer phrase: in brackets where it would not be clear how far it goes."""
        said = self.thing(expr, scope)
        func = expr.func.id if isinstance(expr, Call) and isinstance(expr.func, Name) else ""
        open_ended = isinstance(expr, If | Compare | In | Includes | Is) or func == "points"
        if isinstance(expr, Binary) and expr.op != "of":
            open_ended |= of != "comparison" or expr.op in ("and", "or", "otherwise")
        open_ended |= of == "sum" and func in OPEN
        return f"({said})" if open_ended else said

    def name(self, id: str, scope: Scope) -> str:
        """A bare word."""
        if id in scope.phrases:
            return scope.phrases[id]
        if id == "me":
            return "you"
        if id == "this":
            return "it"
        return self.names.known(id) or f"the {words(id)}"

    def owned(self, who: str, part: str) -> str:
        """A part of something."""
        if len(bare(who)) > LONG or " of " in bare(who) or "'s " in bare(who):
            return f"the {part} of {who}"
        return f"{whose(who)} {part}"

    def all_of(self, exprs: Sequence[Expr], scope: Scope) -> str:
        """`a`, `a and b`, `a, b and c`."""
        return listing([self.thing(expr, scope) for expr in exprs]) if exprs else "nothing"

    def interval(self, low: Expr | None, high: Expr | None, scope: Scope) -> str:
        """A range of numbers, open at one end perhaps."""
        if low is None:
            return "" if high is None else f"at most {self.thing(high, scope)}"
        return (
            f"at least {self.thing(low, scope)}"
            if high is None
            else f"{self.thing(low, scope)} to {self.thing(high, scope)}"
        )

    def many(self, expr: Expr) -> bool:
        """Whether an expression is a collection, as far as its words tell."""
        match expr:
            case Comp() | Interval():
                return True
            case Name(id) | Attr(_, id):
                symbol = self.names.context.names.get(id)
                if isinstance(symbol, symbols.Variable):
                    return several(symbol.type)
                if isinstance(symbol, symbols.Function):
                    return several(symbol.result)
                return isinstance(symbol, symbols.Zone) or id in ("players", "empty")
            case Call(Name(id), _):
                known = functions().get(id)
                symbol = self.names.context.names.get(id)
                if isinstance(symbol, symbols.Function):
                    return several(symbol.result)
                return known is not None and builds(known.signatures[0].body)
            case Binary("+" | "-", left, right):
                return self.many(left) or self.many(right)
            case _:
                return False

    # --- calls ----------------------------------------------------------------------------------------------------------
    def called(self, func: str, args: tuple[Expr, ...], scope: Scope) -> str:
        """What a function gives, or what a variable, zone, field or table holds for its keys."""
        args = ranged(args)
        symbol = self.names.context.names.get(func)
        found = symbol or self.names.attribute(func)
        if found is None and func in patterns()["functions"]:
            return self.fill(func, args, scope)
        if func in self.names.context.procedures:
            return f"{link(words(func), anchor('procedure', func))} ({self.all_of(args, scope)})"
        own = found if isinstance(found, symbols.Function | symbols.Table) else None
        if own is None and args:
            return self.owned(self.all_of(args, scope), self.names.part(func))
        said = words(func)
        linked = link(said, anchor("table" if isinstance(own, symbols.Table) else "meaning", func))
        if func.startswith((*ACTS, *WHERE)) and args:
            return f"whether {self.does(func, args, scope)}"
        named = f"the {linked}" if not func.startswith(WHOLE) else linked
        if args and said.rpartition(" ")[2] in LINKS:
            return f"{named} {self.all_of(args, scope)}"
        return f"{named} of {self.all_of(args, scope)}" if args else named

    def does(self, func: str, args: tuple[Expr, ...], scope: Scope, negated: bool = False) -> str:
        """What somebody can, is or has, by a function of the game."""
        who = self.thing(args[0], scope)
        part = "meaning" if self.names.function(func) else "table"
        said = acts(who, words(func if func.startswith(ACTS) else f"is_{func}"), negated)
        more = self.all_of(args[1:], scope) if args[1:] else ""
        if more:
            more = f" {more}" if func.endswith(BY) else f" ({more})"
        return f"{who} {link(said, anchor(part, func))}{more}"

    def fill(self, func: str, args: tuple[Expr, ...], scope: Scope, negated: bool = False) -> str:
        """The pattern of a function of the language with its arguments in it."""
        if func == "size" and args == (Name("players"),):
            return "the number of players"
        if func == "rival" and self.names.context.counts == (2,):
            return "the other player"
        pattern = patterns()["functions"][func]
        text: str = pattern["two"] if "two" in pattern and len(args) == 2 else pattern["says"]
        if "of" in pattern and args and all(isinstance(arg, Comp) for arg in args):
            text, values = pattern["of"], self.collected(args, scope)
        else:
            text = OPTIONAL.sub(lambda part: part[1] if int(HOLE.findall(part[1])[0]) < len(args) else "", text)
            values = {str(n): self.operand(arg, scope, "call") for n, arg in enumerate(args)}
            values |= {f"{n}?": self.holds(arg, scope) for n, arg in enumerate(args) if f"{{{n}?}}" in text}
            values["all"] = listing([self.operand(arg, scope, "call") for arg in args]) if args else "nothing"
        if negated:
            text = text.replace("there is a {one}", "there is no {one}")
        if "a {one}" in text:
            text, values["one"] = text.replace("a {one}", "{one}"), article(values["one"])
        return HOLE.sub(lambda found: values[found[1]], text)

    def collected(self, args: Sequence[Expr], scope: Scope) -> dict[str, str]:
        """What is asked of the items of collections: `one` and `many` of them, the `value` of each, what is compared (`key`)."""
        ones, manies = [], []
        value = key = test = part = ""
        wanted: Comp | None = None
        for arg in args:
            assert isinstance(arg, Comp)
            noun = self.noun(arg, scope)
            source = self.source(arg.coll, scope)
            scope, shown = self.bound(arg.var, noun, scope)
            asked = "" if arg.where is None else self.relative(arg.var, arg.where, scope)
            ones.append(f"{shown}{source}{asked}")
            manies.append(f"{self.names.plural(noun)}{shown.removeprefix(noun)}{source}{asked}")
            wanted = arg if arg.value is not None else wanted
            if arg.key is not None:
                key, test = self.thing(arg.key, scope), self.holds(arg.key, scope)
        if wanted is not None and wanted.value is not None:  # it may speak of all of them
            value = self.thing(wanted.value, scope)
            if isinstance(wanted.value, Attr) and wanted.value.obj == Name(wanted.var):
                part = self.names.part(wanted.value.name)
        many = " and ".join(manies)
        return {
            "one": " and ".join(ones),
            "many": f"{part} of the {many}" if part else f"{value} for every {' and '.join(ones)}" if value else many,
            "value": value,
            "key?": test,
            "key": key,
        }

    def noun(self, comp: Comp, scope: Scope) -> str:
        """What an item of a collection is called."""
        found = ""
        match comp.coll:
            case Name(id) if scope.nouns.get(id) == "line":
                found = self.names.of_library("ray")
            case Name(id) | Attr(_, id) | Call(Name(id), _):
                found = self.names.of_collection(id) or self.names.of_library(id)
            case Interval():
                found = "number"
            case _:
                pass
        if found:
            return found
        if len(comp.var) > SHORT:
            return words(comp.var)
        return single(words(id)) if isinstance(comp.coll, Name | Attr | Call) and (id := last(comp.coll)) else "item"

    def bound(self, var: str, noun: str, scope: Scope, pronoun: bool = True) -> tuple[Scope, str]:
        """The scope in which an item has its name, `it` where that is clear and wanted, and the noun that begins it."""
        outer = {
            name: (f"that {scope.nouns[name]}" if phrase == "it" and name in scope.nouns else phrase)
            for name, phrase in scope.phrases.items()
        }
        taken = [other for name, other in scope.nouns.items() if name != var]
        if noun in taken or noun == "item":
            return Scope(outer, scope.nouns).having(var, emphasis(words(var)), noun), f"{noun} {emphasis(words(var))}"
        free = pronoun and "it" not in outer.values() and "this" not in outer
        return Scope(outer, scope.nouns).having(var, "it" if free else f"that {noun}", noun), noun

    def source(self, coll: Expr, scope: Scope) -> str:
        """Where items come from, where their noun does not say it."""
        if isinstance(coll, Name) and (coll.id == "players" or coll.id in self.names.context.kinds):
            return ""
        said = self.thing(coll, scope)
        word = "from" if isinstance(coll, Interval) else "among" if bare(said).startswith("all ") else "in"
        return f" {word} {said}"

    def relative(self, var: str, where: Expr, scope: Scope) -> str:
        """What must be true of an item, as a clause behind its noun."""
        match where:
            case Is(Attr(Name(id), field), "none", negated) if id == var:
                return f" that has {'a' if negated else 'no'} {self.names.part(field)}"
            case Is(Attr(Name(id), field), "known", negated) if id == var:
                return f" that has {'no' if negated else 'a'} {self.names.part(field)}"
            case Compare(op, Attr(Name(id), field), right) if id == var:
                part = self.names.part(field)
                return f" whose {part} {RELATIONS[op].replace('is', agreed(part, 'is'), 1)} {self.operand(right, scope, 'comparison')}"
            case _:
                return f" for which {self.holds(where, scope)}"

    # --- what holds -----------------------------------------------------------------------------------------------------
    def holds(self, expr: Expr, scope: Scope, negated: bool = False) -> str:
        """An expression as what holds, or with `negated` as what does not."""
        match expr:
            case Unary("not", x):
                return self.holds(x, scope, not negated)
            case Binary("and" | "or", _, _):
                return self.both(expr, scope, negated)
            case Compare(op, left, right):
                who = self.operand(left, scope, "comparison")
                verb, _, rest = (DENIED if negated else RELATIONS)[op].partition(" ")
                return (
                    f"{who} {agreed(who, verb)} {f'{rest} ' if rest else ''}{self.operand(right, scope, 'comparison')}"
                )
            case In(item, coll, inverse):
                who, items = self.operand(item, scope, "comparison"), self.operand(coll, scope, "comparison")
                link_word = "one of" if self.many(coll) and isinstance(coll, Call) else "in"
                return f"{who} {agreed(who, 'is')} {'not ' if inverse != negated else ''}{link_word} {items}"
            case Includes(coll, item):
                who = self.operand(coll, scope, "comparison")
                return (
                    f"{who} {'does not include' if negated else 'includes'} {self.operand(item, scope, 'comparison')}"
                )
            case Is(x, what, inverse):
                return self.state(x, what, inverse != negated, scope)
            case If():
                return self.whichever(expr, scope, negated)
            case Call(Name(func), args) if args and self.names.attribute(func) is None:
                return self.called_true(func, ranged(args), scope, negated)
            case Name("yes" | "no" as id):
                return "always" if (id == "yes") != negated else "never"
            case Attr(obj, field):
                return self.quality(self.thing(obj, scope), field, negated)
            case Name(id) if id not in scope.phrases and self.is_condition(id):
                return f"{self.thing(expr, scope)} {'does not hold' if negated else 'holds'}"
            case Name():
                return f"{self.thing(expr, scope)} is {'no' if negated else 'yes'}"
            case _:
                return truth(self.thing(expr, scope), negated)

    def called_true(self, func: str, args: tuple[Expr, ...], scope: Scope, negated: bool) -> str:
        """That what a function gives is a yes, or with `negated` a no."""
        if func in self.names.context.names:
            if func.startswith((*ACTS, *WHERE)) or (func.endswith(BY) and len(args) > 1):
                return self.does(func, args, scope, negated)
            if self.names.function(func):
                target = link(words(func), anchor("meaning", func))
                return f"{target} {'does not hold' if negated else 'holds'} for {self.all_of(args, scope)}"
        elif func == "after" and len(args) == 2:
            return f"after {self.thing(args[0], scope)}, {self.holds(args[1], scope, negated)}"
        elif func == "any" and all(isinstance(arg, Comp) for arg in args):
            return self.fill(func, args, scope, negated)
        return truth(self.called(func, args, scope), negated)

    def whichever(self, expr: If, scope: Scope, negated: bool) -> str:
        """One of several conditions, each with when it is the one."""
        cases, rest = cases_of(expr)
        parts = [f"if {self.holds(case.cond, scope)}, then {self.holds(case.then, scope, negated)}" for case in cases]
        return f"{'; '.join(parts)}; otherwise {self.holds(rest, scope, negated)}"

    def is_condition(self, name: str) -> bool:
        """Whether a name is one of the game's functions."""
        return isinstance(self.names.context.names.get(name), symbols.Function)

    def both(self, expr: Binary, scope: Scope, negated: bool) -> str:
        """Two conditions; of what is denied, the opposite of each.  A side is in brackets where it would not be clear how far it goes."""
        word = joined_by(expr, negated)
        sides = []
        for n, side in enumerate((expr.left, expr.right)):
            said, (inner, denied) = self.holds(side, scope, negated), peeled(side, negated)
            other = isinstance(inner, Binary) and inner.op in ("and", "or") and joined_by(inner, denied) != word
            swallows = isinstance(inner, If) or (n == 0 and self.runs_on(inner))
            sides.append(f"({said})" if other or swallows else said)
        return f"{sides[0]} {word} {sides[1]}"

    def runs_on(self, expr: Expr) -> bool:
        """Whether what stands behind a condition would be read as a part of it."""
        match expr:
            case Binary("and" | "or", _, right):
                return self.runs_on(peeled(right, False)[0])
            case Call(Name("any" | "all" | "after"), _):
                return True
            case _:
                return False

    def state(self, x: Expr, what: str, negated: bool, scope: Scope) -> str:
        """That something is there or not, or empty."""
        if what == "empty":
            who = self.thing(x, scope)
            return f"{who} {agreed(who, 'is')} {'not ' if negated else ''}empty"
        there = (what == "known") != negated
        if isinstance(x, Attr):
            who = self.thing(x.obj, scope)
            part = self.names.part(x.name)
            return f"{who} {agreed(who, 'has')} {article(part) if there else f'no {part}'}"
        said = self.thing(x, scope)
        return f"there is {said}" if there else f"there is no {said.removeprefix('the ')}"

    def quality(self, who: str, field: str, negated: bool) -> str:
        """That a yes or no of something holds: `it is activated`, `the ford has moved`."""
        if field.startswith(ACTS):
            return f"{who} {acts(who, words(field), negated)}"
        if field.endswith(STATES):
            return f"{who} {agreed(who, 'is')} {'not ' if negated else ''}{self.names.part(field)}"
        return f"{self.owned(who, self.names.part(field))} is {'no' if negated else 'yes'}"
