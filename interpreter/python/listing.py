"""Listings of generated Python: each function of a program, with the instructions that its statements come from.

What runs is compiled from the tree that this prints; the text itself is never read back.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from interpreter.python.library import TOO_DEEP, Library
from rulespec import ir
from rulespec.system.records import dataclass

MARK = "instruction "
MARKED = re.compile(rf"""^(\s*)(?:'|\"\"\"){MARK}(\d+)(?:'|\"\"\")$""")
NAMES = re.compile(r"[pfwok]\d+")


@dataclass(frozen=True)
class Listed:
    """A function of generated code: its title, what it is for, and its lines.

    A line is its text and None, or an indent and the number of the instruction (see `place`) that the next lines come from.
    """

    title: str
    about: str
    lines: tuple[tuple[str, int | None], ...]


def listing(library: Library, procedures: Iterable[int], functions: Iterable[int]) -> Iterator[Listed]:
    """The code of some procedures and functions, and of the memos and searches that they call, in reading order."""
    program = library.program
    later: dict[str, None] = {}
    for title, about in titles(program, set(procedures), set(functions)):
        yield written(library, title, about, later)
    done: set[str] = set()
    while waiting := [title for title in later if title not in done]:
        for title in waiting:
            done.add(title)
            about = (
                "keeps its result while the slots that it reads are equal"
                if title[0] == "k"
                else "a part of a longer expression"
            )
            yield written(library, title, about, later)


def titles(program: ir.Program, procedures: set[int], functions: set[int]) -> Iterator[tuple[str, str]]:
    """The titles of the functions generated from some procedures and functions, each with its purpose."""
    for index in sorted(procedures):
        name = f"procedure {index} `{program.procedures[index].name}`"
        yield f"p{index}", name
        for number, point in enumerate(program.points):
            if point.procedure != index:
                continue
            i = program.instruction(number)
            at = f"{name} at instruction {point.position}"
            if isinstance(i, ir.Ask):
                yield f"s{number}", f"{at}: who is asked"
                yield f"a{number}", f"{at}: the legal answers"
            if isinstance(i, ir.Draw):
                yield f"c{number}", f"{at}: what chance draws from"
            yield f"r{number}", f"{at}: goes on with `value`"
            if any(region.start <= point.position < region.end for region in program.procedures[index].regions):
                yield f"u{number}", f"{at}: left from within"
        for rule in program.rules:
            if rule.procedure == index and rule.option is not None:
                yield f"o{rule.index}", f"rule {rule.index} `{rule.name}`: whether a player may choose it"
    for index in sorted(functions):
        yield f"f{index}", f"function {index} `{program.functions[index].name}`"


def written(library: Library, title: str, about: str, later: dict[str, None]) -> Listed:
    """A function as text; the helpers that it calls are added to `later`."""
    try:
        definition = library.write(title)
        for node in ast.walk(definition):
            if isinstance(node, ast.Name) and node.id[0] in "kw" and NAMES.fullmatch(node.id):
                later[node.id] = None
        if title[0] in "prusac":  # in other functions, line numbers mean nothing
            mark(definition, instructions(library, title))
        text = ast.unparse(ast.fix_missing_locations(definition))
    except TOO_DEEP:
        return Listed(title, f"{about}; too deep for Python, so the reference machine runs it", ())
    lines: list[tuple[str, int | None]] = []
    for line in text.split("\n"):
        marked = MARKED.match(line)
        lines.append((line, None) if marked is None else (marked[1], int(marked[2])))
    return Listed(title, about, tuple(lines))


def instructions(library: Library, title: str) -> range:
    """The numbers of the instructions of the procedure that a function is made of."""
    number = int(title[1:])
    index = number if title[0] == "p" else library.program.points[number].procedure
    first = library.first_lines[index]
    return range(first, first + len(library.program.procedures[index].code))


def mark(node: ast.AST, within: range, last: int | None = None) -> None:
    """Insert a mark before each statement that comes from another instruction than the statement before it.

    Loops, and what leaves them, come from no instruction of their own.
    """
    for part in ("body", "orelse", "finalbody"):
        block = getattr(node, part, None)
        if not isinstance(block, list):
            continue
        alone = part == "orelse" and len(block) == 1 and isinstance(block[0], ast.If)  # `elif`
        marked: list[ast.stmt] = []
        before = last
        for statement in block:
            line = statement.test.lineno if isinstance(statement, ast.If) else statement.lineno
            named = line in within and not isinstance(statement, ast.While | ast.Break | ast.Continue)
            if named and line != before and not alone:
                marked.append(ast.Expr(ast.Constant(f"{MARK}{line}")))
            before = line if named else before
            marked.append(statement)
            mark(statement, within, before)
        setattr(node, part, marked)
    for handler in getattr(node, "handlers", ()):
        mark(handler, within, last)


def place(library: Library, number: int) -> ir.Instruction | None:
    """The instruction that a number of a listing means: they are counted from 1 through all procedures."""
    for procedure, first in zip(library.program.procedures, library.first_lines, strict=True):
        if first <= number < first + len(procedure.code):
            return procedure.code[number - first]
    return None


def constants(library: Library, code: Iterable[Listed]) -> Iterator[tuple[str, object]]:
    """The tables that some functions use by name, and what they hold."""
    words = {word for listed in code for line, _ in listed.lines for word in re.findall(r"\b[a-z]\d+\b", line)}
    for name in sorted(words & library.pool.values.keys(), key=lambda word: (word[0], int(word[1:]))):
        yield name, library.pool.values[name]
