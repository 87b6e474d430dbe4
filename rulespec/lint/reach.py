"""Reachability: what a game can come to from its beginning, and what is read and written on the way.

procedures: {old_rule: {do: [{log: "{rare}"}]}}     # nobody calls it: it is unused, and so is `rare`, which nothing else reads
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any, NamedTuple

from rulespec import ir
from rulespec.checker.context import CheckContext
from rulespec.ir.roles import goal_of, run_by, site_of
from rulespec.ir.walk import within
from rulespec.system.records import dataclass


class Uses(NamedTuple):
    """What the expressions in a part of a program read, call, look ahead at and do; of what a store writes not the old value."""

    reads: frozenset[int]
    functions: frozenset[int]
    ahead: frozenset[int]
    settings: frozenset[str]
    operations: frozenset[str]


Known = dict[int, tuple[Any, Uses]]  # by the identity of a part, which is kept so that it lives as long


def uses_of(node: Any, known: Known) -> Uses:
    """What the expressions in a part of a program use, looked for once."""
    if id(node) not in known:
        reads: list[int] = []
        functions: list[int] = []
        ahead: list[int] = []
        settings: list[str] = []
        operations: list[str] = []
        slot = node.base if isinstance(node, ir.Store) else None
        for e in within((node.value, node.index) if isinstance(node, ir.Store) else node):
            match e:
                case ir.Load(base):
                    if base != slot:
                        reads.append(base)
                case ir.Invoke(function):
                    functions.append(function)
                case ir.After(procedure):
                    ahead.append(procedure)
                case ir.Setting(name):
                    settings.append(name)
                case ir.Op(name):
                    operations.append(name)
        sets = frozenset(reads), frozenset(functions), frozenset(ahead), frozenset(settings), frozenset(operations)
        known[id(node)] = node, Uses(*sets)
    return known[id(node)][1]


@dataclass(slots=True)
class Reachable:
    """What is reachable: procedures, functions, rules and sites by number, slots by the base of their variable or zone."""

    procedures: set[int] = field(default_factory=set)
    functions: set[int] = field(default_factory=set)
    rules: set[int] = field(default_factory=set)
    sites: set[int] = field(default_factory=set)
    reads: set[int] = field(default_factory=set)
    writes: set[int] = field(default_factory=set)
    entered: set[int] = field(default_factory=set)  # zones by their number
    begun: set[int] = field(default_factory=set)  # lasting effects
    settings: set[str] = field(default_factory=set)
    operations: set[str] = field(default_factory=set)
    ahead: set[int] = field(default_factory=set)  # procedures that expressions look ahead at, still to be followed
    known: Known = field(default_factory=dict)  # what parts of the program use, which others may have looked for

    def add(self, other: Reachable) -> None:
        """Add all that is reachable elsewhere."""
        for name in self.__slots__:
            getattr(self, name).update(getattr(other, name))

    def follow(self, context: CheckContext, roots: list[int], functions: list[int]) -> None:
        """Add all that can be come to from some procedures and functions."""
        for number in functions:
            self.function(context, number)
        options = {
            rule.procedure: rule.option for rule in context.out_rules if rule is not None and rule.option is not None
        }
        todo = list(roots)
        while todo or self.ahead:
            number = todo.pop() if todo else self.ahead.pop()
            procedure = context.out_procedures[number]
            if number in self.procedures or procedure is None:
                continue
            self.procedures.add(number)
            self.expressions(context, options.get(number))  # of a rule that adds to a menu: its text and conditions
            for i in procedure.code:
                todo.extend(self.instruction(context, i))

    def instruction(self, context: CheckContext, i: ir.Instruction) -> Iterator[int]:
        """What an instruction uses; the procedures that it runs."""
        self.expressions(context, i)
        run, site = run_by(i), site_of(i)
        if run is not None:
            yield run
        if site is not None:
            self.sites.add(site)
            self.expressions(context, context.out_sites[site])
        goal = goal_of(i)
        self.entered.update(() if goal is None else (goal,))
        match i:
            case ir.Store(base):
                self.writes.add(base)
            case ir.Begin(lasting):
                self.begun.add(lasting)
            case ir.Collect(rules):
                for number in rules:
                    rule = context.out_rules[number]
                    if rule is None or number in self.rules:
                        continue
                    self.rules.add(number)
                    self.expressions(context, rule)
                    for function in (rule.alive, rule.test, rule.player):
                        if function is not None:
                            self.function(context, function)
                    yield rule.procedure

    def function(self, context: CheckContext, number: int) -> None:
        """A function and all that it uses."""
        symbol = context.out_functions[number]
        if number not in self.functions and symbol is not None:
            self.functions.add(number)
            self.expressions(context, symbol.body)

    def expressions(self, context: CheckContext, node: object) -> None:
        """What the expressions in something use."""
        uses = uses_of(node, self.known)
        self.reads |= uses.reads
        self.ahead |= uses.ahead
        self.settings |= uses.settings
        self.operations |= uses.operations
        for function in uses.functions - self.functions:
            self.function(context, function)
