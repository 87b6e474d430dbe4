"""Sites made ready for the reference machine: who is asked, what the candidates are, and why some are refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.reference.expressions import Compiler, Fn
from interpreter.reference.templates import Template
from interpreter.runtime.faults import astray
from interpreter.runtime.texts import Printing
from interpreter.runtime.values import Locals, Slots
from interpreter.runtime.windows import instance
from rulespec import ir

Test = tuple[Fn, Template]


class OptionCode:
    """What a rule adds to a menu."""

    def __init__(self, rule: ir.Rule, compiler: Compiler, printing: Printing) -> None:
        assert rule.option is not None
        self.rule = rule
        self.printing = printing
        compiler.top = 0
        self.text = Template(rule.option.text, compiler, printing)
        self.tests = tests(rule.option.reasons, compiler, printing)
        self.width = compiler.top

    def locals(self, piece: Any, arguments: tuple[Any, ...]) -> Locals:
        """The locals that its text and reasons read."""
        known = [*instance(piece), *arguments]
        return [*known, *[None] * (self.width - len(known))]


def tests(reasons: Iterable[ir.Reason], compiler: Compiler, printing: Printing) -> list[Test]:
    """Reasons, compiled."""
    return [(compiler.expr(r.test), Template(r.why, compiler, printing)) for r in reasons]


class SiteCode:
    """A site, compiled; its functions read the locals of the frame that asks, and `item`.

    `options` are what rules add to menus, by the rule's number; None for the others.
    """

    def __init__(
        self, site: ir.Site, compiler: Compiler, printing: Printing, options: tuple[OptionCode | None, ...]
    ) -> None:
        self.site = site
        self.options = options
        self.rules = printing.program.rules
        compiler.top = site.item + 1
        self.player = compiler.expr(site.player)
        self.items = compiler.expr(site.items)
        self.prompt = Template(site.prompt, compiler, printing)
        self.tests = tests(site.reasons, compiler, printing)
        self.checks = tuple(test for test, _ in self.tests)
        self.shown = None if site.shown is None else Template(site.shown, compiler, printing)
        tray = site.tray
        self.tray = None if tray is None else tuple(map(compiler.expr, (tray.chosen, tray.high)))
        self.low = None if tray is None or tray.low is None else compiler.expr(tray.low)
        self.at_hand = None if tray is None or tray.kind is None else compiler.expr(tray.kind)
        self.arguments = compiler.exprs(site.arguments)
        self.branches = [
            (b.name, Template(b.text, compiler, printing), tests(b.reasons, compiler, printing)) for b in site.branches
        ]
        self.menu = bool(site.branches) or bool(site.arguments)
        self.open = any(options) and site.type.what not in (*PLAIN, "entity", "bool")
        self.none = site.none
        if site.none is not None:
            self.none_text = Template(site.none.text, compiler, printing)
            self.none_tests = tests(site.none.reasons, compiler, printing)
        self.width = compiler.top

    def is_rule(self, value: Any) -> bool:
        """Whether a candidate is a pair (rule, piece) of a menu."""
        return isinstance(value, tuple) and self.site.type.what not in PLAIN

    def failing(self, S: Slots, L: Locals, value: Any) -> tuple[Template, Locals] | None:
        """The first reason against a candidate, with the locals that its text reads."""
        if value is None and self.none is not None:
            return first(S, L, self.none_tests)
        L[self.site.item] = value
        failure = first(S, L, self.tests)
        if failure is None and (self.menu or self.is_rule(value)):
            if isinstance(value, int):
                failure = first(S, L, self.branches[value][2]) if self.branches else None
            else:
                option, inner = self.option(S, L, value)
                failure = first(S, inner, option.tests)
        return failure

    def option(self, S: Slots, L: Locals, value: Any) -> tuple[OptionCode, Locals]:
        """What a menu's candidate (rule, piece) stands for."""
        option = self.options[value[0]]
        if option is None:
            raise astray(f"rule {self.rules[value[0]].name} has no option")
        return option, option.locals(value[1], tuple(a(S, L) for a in self.arguments))

    def candidates(self, items: tuple[Any, ...]) -> list[tuple[int, Any]]:
        """(action, value) of every candidate, the none option last."""
        site = self.site
        if site.code == "value":
            numbered = [(value - site.low, value) for value in dict.fromkeys(items)]
        else:
            numbered = list(enumerate(dict.fromkeys(items)))
        if self.none is not None:
            numbered.append((site.size if site.code == "value" else len(numbered), None))
        return numbered

    def legal(self, S: Slots, L: Locals, items: tuple[Any, ...]) -> dict[int, Any]:
        """The legal actions and what they answer, in ascending order of the actions."""
        candidates = self.candidates(items)
        if self.menu or (self.open and any(map(self.is_rule, items))):
            allowed = [one for one in candidates if self.failing(S, L, one[1]) is None]
        else:
            if self.none is not None:
                willing = candidates.pop()
            checks, item = self.checks, self.site.item
            if not checks:
                allowed = candidates
            elif len(checks) == 1:
                allowed = []
                check = checks[0]
                for one in candidates:
                    L[item] = one[1]
                    if check(S, L):
                        allowed.append(one)
            else:
                allowed = []
                for one in candidates:
                    L[item] = one[1]
                    for check in checks:
                        if not check(S, L):
                            break
                    else:
                        allowed.append(one)
            if self.none is not None and first(S, L, self.none_tests) is None:
                allowed.append(willing)
        if self.site.code == "value":
            allowed.sort(key=lambda one: one[0])
        return dict(allowed)


# Printers of tuples that are no pair (rule, piece) of a menu.
PLAIN = ("set", "list", "bag", "record", "option", "text")


def first(S: Slots, L: Locals, reasons: list[Test]) -> tuple[Template, Locals] | None:
    """The first reason that does not hold."""
    for test, why in reasons:
        if not test(S, L):
            return why, L
    return None
