"""What Lark makes of the grammar of expressions, kept (`rulespec/expr/tables.json`), so that no process has to make it again.

It is Lark's own serialised form, for one version of Lark. With another version the grammar is read anew, see `rulespec.expr.parser`.
Lark numbers states in another order each time: what is kept is written again only where it says something else.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from rulespec.expr import parser

FILE = Path(parser.__file__).with_name(parser.TABLES)


def tables() -> str:
    """The file as it is, where it says what its version of Lark makes of the grammar of today; else what it should be.

    Of a file of another version only the grammar is compared: what that version makes of it is not known here.
    """
    digest = hashlib.sha256(json.dumps([parser.grammar(), parser.OPTIONS]).encode()).hexdigest()
    text = FILE.read_text(encoding="utf-8") if FILE.is_file() else "{}"
    kept = parser.with_numbers(text)
    same = kept.get("grammar") == digest
    if same and kept["lark"] != lark.__version__:
        return text
    made: Any = lark.Lark(parser.grammar(), **parser.OPTIONS)
    if same and meaning(loaded(kept)) == meaning(made):
        return text
    data, memo = made.memo_serialize([TerminalDef, Rule])
    fresh = {"lark": lark.__version__, "grammar": digest, "data": data, "memo": memo}
    return json.dumps(fresh, ensure_ascii=False, separators=(",", ":")) + "\n"


def loaded(kept: dict[str, Any]) -> Any:
    """The parser of what is kept."""
    made: Any = lark.Lark
    return made._load_from_dict(kept["data"], kept["memo"])


def meaning(made: Any) -> object:
    """The tables with states numbered in the order in which they are reached, terminals and options."""
    table = made.parser.parser._parse_table
    order: dict[Any, int] = {}
    todo = [table.start_states[start] for start in reversed(parser.OPTIONS["start"])]
    while todo:
        state = todo.pop()
        if state not in order:
            order[state] = len(order)
            after = [to for _, (action, to) in sorted(table.states[state].items(), key=first) if action.name == "Shift"]
            todo += reversed(after)
    states = {
        order[state]: {
            kind: order[to] if action.name == "Shift" else (to.origin.name, [str(part) for part in to.expansion])
            for kind, (action, to) in row.items()
        }
        for state, row in table.states.items()
    }
    rules = sorted((rule.origin.name, str(rule.expansion), str(rule.alias), str(rule.options)) for rule in made.rules)
    terminals = sorted((one.name, str(one.pattern), one.priority) for one in made.terminals)
    ends = {name: order[state] for name, state in table.end_states.items()}
    options = {name: value for name, value in vars(made.options)["options"].items() if name in parser.OPTIONS}
    return states, rules, terminals, ends, sorted(made.lexer_conf.ignore), options


def first(pair: tuple[str, Any]) -> str:
    """The kind of token, or the rule, that an action is for."""
    return pair[0]
