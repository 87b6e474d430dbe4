"""The coverable items of a game: everything that its author wrote and that can run, hold, fail, be offered or be taken.

The outcomes have the names under which `interpreter.testing.coverage` counts them.  Example: `if: coins > 3` at rules.yaml:7:9 is an
`Item` "branch" with the outcomes "holds" and "fails".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.program import CheckedGame
from rulespec.ir.walk import within
from rulespec.language.facts import Result
from rulespec.language.registry import facts
from rulespec.passes.fold import folded
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Source, Span

GROUPS = ("steps", "branches", "conditions", "choices", "rules", "procedures", "functions", "rows")
MARK = re.compile(r"(?<![^\s])#[ \t]*coverage:(?P<rest>.*)$")
REASON = re.compile(r"[ \t]*unreachable[ \t]+because[ \t]+(?P<why>\S.*)$")
BRANCHES = {"if": ("holds", "fails"), "loop": ("goes on", "ends"), "arm": ("taken",)}


@dataclass(frozen=True, slots=True)
class Item:
    """Something to cover, with its possible outcomes.  The key of a count is (`what`, `where`, `name`, outcome)."""

    group: str
    what: str
    where: Span
    name: str
    outcomes: tuple[str, ...]
    title: str  # what it is called in a report; "" where its line says it

    def counted(self) -> tuple[tuple[str, Span, str, str], ...]:
        """The keys of its counts, one for each outcome."""
        return tuple((self.what, self.where, self.name, outcome) for outcome in self.outcomes)


@dataclass(frozen=True, slots=True)
class Mark:
    """A comment `# coverage: unreachable because WHY`: about its own line, or about the next if it stands alone."""

    where: Span
    line: int  # the line that it is about
    why: str


def items(checked: CheckedGame) -> tuple[Item, ...]:
    """Everything to cover, by file and place."""
    program = checked.template
    unique: dict[tuple[str, Span, str], Item] = {}
    for item in (*named(checked), *choices(program), *tests(program), *steps(checked), *rows_of(checked)):
        key = (item.what, item.where, item.name)
        before = unique.get(key)
        outcomes = item.outcomes if before is None else tuple(dict.fromkeys((*before.outcomes, *item.outcomes)))
        first = before or item
        unique[key] = Item(first.group, first.what, first.where, first.name, outcomes, first.title)
    order = {source: number for number, source in enumerate(sources(checked))}
    return tuple(
        sorted(unique.values(), key=lambda i: (order[i.where.source], i.where.start, GROUPS.index(i.group), i.name))
    )


def sources(checked: CheckedGame) -> tuple[Source, ...]:
    """The files of the rules that something can be covered in, the main one first."""
    program = checked.template
    files: dict[Source, None] = {checked.context.root.span.source: None}
    spans = [i.where for p in program.procedures for i in p.code] + [f.where for f in program.functions]
    spans += [span for table in tables(checked) for span in table.spans.values()]
    spans += [rule.span for rule in checked.context.rules]
    return tuple({**files, **{span.source: None for span in spans if span is not None}})


# --- the items --------------------------------------------------------------------------------------------------------
def named(checked: CheckedGame) -> Iterator[Item]:
    """Rules, procedures and functions."""
    context = checked.context
    by_index = {rule.index: rule for rule in checked.template.rules}
    for rule in context.rules:
        if "modify" in rule.node or "adds to" in rule.node:
            continue  # only their tests and options are counted
        compiled = None if rule.index is None else by_index.get(rule.index)
        tested = compiled is not None and compiled.test is not None
        yield Item(
            "rules", "rule", rule.span, "", ("applies", "does not apply", "runs") if tested else ("runs",), rule.name
        )
    for lasting in context.lastings.values():
        if lasting.at_end is not None:
            yield Item("rules", "rule", lasting.span, "", ("runs",), f"end of {lasting.name}")
    for procedure in context.procedures.values():
        kind = "phase" if procedure.phase else "procedure"
        yield Item("procedures", "rule", procedure.span, "", ("runs",), f"{kind} {procedure.name}")
    named = [
        *context.names.values(),
        *(symbol for kind in context.kinds.values() for symbol in kind.attributes.values()),
    ]
    for symbol in named:
        if isinstance(symbol, symbols.Function) and symbol.what in ("function", "value") and symbol.index is not None:
            yield Item("functions", "function", symbol.span, "", ("called",), symbol.name)


def choices(program: ir.Program) -> Iterator[Item]:
    """Named options, and the conditions that allow and refuse."""
    holders: list[Any] = []
    for site in program.sites:
        for branch in site.branches:
            where = branch.where or site.where
            if where is not None:
                yield Item("choices", "choice", where, branch.name, ("offered", "taken"), branch.name)
        if site.none is not None and (where := site.none.where) is not None:
            yield Item("choices", "choice", where, site.none.name, ("offered", "taken"), site.none.name)
        holders.extend([site, *site.branches, *([] if site.none is None else [site.none])])
    for rule in program.rules:
        if rule.option is not None and rule.where is not None:
            yield Item("choices", "choice", rule.where, rule.option.name, ("offered", "taken"), rule.option.name)
            holders.append(rule.option)
    for holder in holders:
        for reason in holder.reasons:
            if reason.where is not None:
                yield Item("conditions", "condition", reason.where, "", ("allows", "refuses"), "")


def tests(program: ir.Program) -> Iterator[Item]:
    """Both outcomes of every test that somebody wrote; of `while: yes` only one."""
    for procedure in program.procedures:
        for i in procedure.code:
            if isinstance(i, ir.Unless) and i.where is not None and i.what in BRANCHES:
                ways, test = BRANCHES[i.what], folded(i.test)
                if isinstance(test, ir.Const):
                    ways = ways[:1] if test.value else ways[1:]
                yield Item("branches", "branch", i.where, "", ways, "")
    reasons = {item.where for item in choices(program) if item.group == "conditions"}
    drawn = set(program.drawn())  # no rule of the game needs them
    functions = tuple(function for number, function in enumerate(program.functions) if number not in drawn)
    for part in (program.procedures, functions, program.sites, program.rules):
        for e in within(part):
            if isinstance(e, ir.Cond) and e.where is not None and e.where not in reasons:
                yield Item("branches", "branch", e.where, "", ("holds", "fails"), "")


def steps(checked: CheckedGame) -> Iterator[Item]:
    """Every step of every procedure; an instruction at the place of a whole procedure or rule is not one."""
    context, program = checked.context, checked.template
    wholes = {p.where for p in program.procedures} | {rule.span for rule in context.rules}
    wholes |= {lasting.span for lasting in context.lastings.values()} | {context.root.span, None}
    wholes |= {
        i.where for p in program.procedures for i in p.code if isinstance(i, ir.Unless) and i.what in ("arm", "option")
    }
    for procedure in program.procedures:
        for i in procedure.code:
            if i.where is not None and i.where not in wholes:
                yield Item("steps", "step", i.where, "", ("done",), "")


def rows_of(checked: CheckedGame) -> Iterator[Item]:
    """The rows of tables that the rules look up."""
    for table in tables(checked):
        for span in table.spans.values():
            yield Item("rows", "row", span, "", ("read",), table.name)


def tables(checked: CheckedGame) -> list[symbols.Table]:
    """The tables that the rules look up in play, not those that are weights of a die."""
    program, read = checked.template, set[int]()
    for part in (program.procedures, program.functions, program.sites, program.rules):
        for e in within(part):
            if isinstance(e, ir.Op) and facts(e.name).result is Result.ROW:
                read.add(id(e.args[0]))
    named = (symbol for symbol in checked.context.names.values() if isinstance(symbol, symbols.Table))
    return [table for table in named if table.read and id(table.read[0]) in read]


def rows(checked: CheckedGame) -> dict[int, Mapping[Any, Span]]:
    """For each table, by its constant in the program: the span of the row of each key."""
    spans: dict[int, Mapping[Any, Span]] = {}
    for table in tables(checked):
        single = len(table.keys) == 1
        spans[id(table.read[0])] = {key[0] if single else key: span for key, span in table.spans.items()}
    return spans


# --- marks ------------------------------------------------------------------------------------------------------------
def marks(sources: Iterable[Source], diagnostics: Diagnostics) -> tuple[Mark, ...]:
    """The marks in some files.  Reports K005 for a malformed one."""
    texts = []
    for source in sources:
        starts = [source.line_start(1)]
        for number, text in enumerate(source.text[starts[0] :].splitlines(), 1):
            match = MARK.search(text)
            if match is None:
                continue
            start = source.line_start(number) + match.start()
            where = Span(source, start, start + len(match[0].rstrip()))
            reason = REASON.match(match["rest"])
            if reason is None:
                diagnostics.add(
                    "K005", "this mark is not understood", where, expected="# coverage: unreachable because ..."
                )
                continue
            alone = not text[: match.start()].strip()
            texts.append(Mark(where, number + 1 if alone else number, reason["why"].rstrip()))
    return tuple(texts)
