"""Reachability: what a game can come to from its beginning, and what is read and written on the way.

procedures: {old_rule: {do: [{log: "{rare}"}]}}     # nobody calls it: it is unused, and so is `rare`, which nothing else reads
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from rulespec import ir
from rulespec.checker.context import CheckContext
from rulespec.ir.roles import goal_of, run_by, site_of
from rulespec.ir.walk import within
from rulespec.system.records import dataclass


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
        """What the expressions in something read, besides the old value of what a store writes."""
        slot = node.base if isinstance(node, ir.Store) else None
        kept = within((node.value, node.index)) if isinstance(node, ir.Store) else within(node)
        for e in kept:
            match e:
                case ir.Load(base):
                    if base != slot:
                        self.reads.add(base)
                case ir.Invoke(function):
                    self.function(context, function)
                case ir.After(procedure):
                    self.ahead.add(procedure)
                case ir.Setting(name):
                    self.settings.add(name)
                case ir.Op(name):
                    self.operations.add(name)
