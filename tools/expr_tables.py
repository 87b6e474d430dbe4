"""The tables of expressions (`rulespec/expr/tables.json`): those that Lark makes of the grammar, its states in a fixed order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lark import Lark

GRAMMAR = Path(__file__).resolve().parent.parent / "rulespec" / "expr" / "grammar.lark"
STARTS = ("expr", "binder", "type")


def parser(**more: Any) -> Lark:
    """Lark's own parser of the grammar."""
    text = GRAMMAR.read_text(encoding="utf-8")
    return Lark(
        text,
        parser="lalr",
        lexer="basic",
        start=[*STARTS],
        keep_all_tokens=True,
        maybe_placeholders=False,
        **more,
    )


def tables() -> str:
    """The tables as JSON, a line for each state."""
    lark: Any = parser()
    table, lexer = lark.parser.parser._parse_table, lark.parser.lexer
    [scanner] = lexer.scanner._mres
    [(named, unless)] = lexer.callback.items()
    if named != "NAME":
        raise ValueError(f"words of the language are to be names, not {named}")
    rules = sorted(lark.rules, key=lambda rule: (rule.origin.name, [part.name for part in rule.expansion]))
    number = {rule: n for n, rule in enumerate(rules)}
    order = ordered(table)
    states = [
        {
            kind: order[target] if action.name == "Shift" else ~number[target]
            for kind, (action, target) in sorted(table.states[state].items())
        }
        for state in order
    ]
    data = {
        "pattern": scanner.pattern,
        "words": {word.pattern.value: word.name for word in unless.scanner.terminals},
        "ignored": sorted(lexer.ignore_types),
        "starts": {start: [order[table.start_states[start]], order[table.end_states[start]]] for start in STARTS},
    }
    lines = [f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}," for name, value in data.items()]
    lines += [f' "rules": [\n{rows(list(map(row, rules)))}],', f' "states": [\n{rows(states)}]']
    return "{\n" + "\n".join(lines) + "\n}\n"


def rows(items: list[Any]) -> str:
    """Items of a list, each on a line."""
    return ",\n".join(f"  {json.dumps(item, ensure_ascii=False)}" for item in items)


def row(rule: Any) -> list[Any]:
    """A rule as `rulespec.expr.lalr.Rule` has it."""
    helper = rule.origin.name.startswith("_")
    spliced = [place for place, part in enumerate(rule.expansion) if part.name.startswith("_")]
    name = "" if helper else rule.alias or rule.origin.name
    alone = bool(rule.options.expand1 and rule.alias is None)
    return [str(rule.origin.name), len(rule.expansion), spliced, "" if alone else str(name), alone]


def ordered(table: Any) -> dict[int, int]:
    """A number for each state, the same in each process: the states as they are come to from those that a text begins with."""
    order: dict[int, int] = {}
    todo = [table.start_states[start] for start in reversed(STARTS)]
    while todo:
        state = todo.pop()
        if state not in order:
            order[state] = len(order)
            after = [target for _, (action, target) in sorted(table.states[state].items()) if action.name == "Shift"]
            todo += reversed(after)
    return order
