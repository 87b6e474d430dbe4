"""A text that tells another number than the steps or the condition beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulespec.expr import syntax
from rulespec.lint.finding import Finding, LintRule
from rulespec.lint.game import LintGame
from rulespec.lint.stages import BRACES, Step, below, called, parsed, read, steps
from rulespec.lint.trees import written
from rulespec.text.numbers import natural
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

RULE = LintRule("L105")
NUMBERS = {
    word: number
    for number, word in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 2
    )
}
NUMERAL = re.compile(rf"(?<![\w.:#-])(?:\d+|{'|'.join(NUMBERS)})(?![\w.:-]|\s*(?:to|or|and|x|%)\s+\d)", re.IGNORECASE)
COST = re.compile(r"\b(pay|pays|cost|costs|price|spend|spends|for|afford)\b", re.IGNORECASE)
MORE = re.compile(r"\b(more|fewer|less|too|over|under|than|below|above|already|only|most|least)\b", re.IGNORECASE)
PHRASE = re.compile(
    rf"\b(fewer than|less than|more than|at least|at most)\s+(\d+|{'|'.join(NUMBERS)})\b", re.IGNORECASE
)
WHOLE = re.compile(
    rf"(?:\}}|\b(?:\d+|out|{'|'.join(NUMBERS)}))\s*(?:/|of(?: the)?)\s*$", re.IGNORECASE
)  # before `8` in `{n} of 8`
DEPTH = 3


def check(game: LintGame) -> Iterator[Finding]:
    """Options and rules of one number that no step behind them has, lines of the log beside a number, reasons beside a condition."""
    for node in written(game):
        if isinstance(node, MapNode):
            yield from of_option(game, node)
            yield from of_reason(node)
    for step in steps(game):
        yield from of_log(step)


def numerals(text: str) -> list[tuple[int, int, int]]:
    """The numbers in a text outside of braces, with their places; not what others are a part of, `{n} of 8`."""
    plain = BRACES.sub(lambda match: " " * len(match[0]), text)
    return [(value(m[0]), m.start(), m.end()) for m in NUMERAL.finditer(plain) if not WHOLE.search(text, 0, m.start())]


def value(word: str) -> int:
    """The number that a word is."""
    return NUMBERS[word.lower()] if word.lower() in NUMBERS else int(word)


def of_option(game: LintGame, node: MapNode) -> Iterator[Finding]:
    """What people read of an option or a rule, and what its steps do."""
    say, do = node.get("say"), node.get("do")
    if not isinstance(say, ScalarNode) or do is None:
        return
    said = numerals(say.value)
    if len(said) != 1 or said[0][0] in numbers(do):
        return
    number, start, end = said[0]
    spoken = {stem(word) for word in re.findall(r"[A-Za-z]{3,}", say.value)}
    noun = re.match(r"\s*([A-Za-z]{3,})", say.value[end:])
    every = [*counted(game, do, DEPTH)]
    places = [
        place
        for _, place, step in every
        if (
            noun is not None
            and stem(noun[1]) in {stem(part) for word in read(step.node, texts=False) for part in word.split("_")}
        )
        or (step.role("amount") is not None and stem(step.verb) in spoken)
    ]
    if not places or number in {amount for amount, _, _ in every}:
        return
    yield Finding(
        RULE,
        f"the text says {number}, and no step behind it does so",
        say.at(start, end),
        help=("let the text and the steps have the same number",),
        related=((places[0].span, "a number of the steps"),),
    )


def stem(word: str) -> str:
    """What words of one family begin with."""
    return word[:4].lower()


def counted(game: LintGame, node: Node, depth: int) -> Iterator[tuple[int, ScalarNode, Step]]:
    """The numbers of steps and of the procedures that they run, with their steps."""
    for step in below(node, ()):
        many = step.role("amount") is not None
        if many or step.verb in game.context.procedures:
            for _, operand in step.node.entries[:1] if many else step.node.entries:
                if isinstance(operand, ScalarNode) and (number := natural(operand.value)) is not None:
                    yield number, operand, step
    for name in called(node) if depth else ():
        procedure = game.context.procedures.get(name)
        inner = procedure.node.get("do") if procedure is not None else None
        if inner is not None:
            yield from counted(game, inner, depth - 1)


def numbers(node: Node) -> set[int]:
    """Every number in some steps."""
    match node:
        case ScalarNode():
            return {int(word) for word in re.findall(r"\d+", node.value)}
        case MapNode():
            return {number for _, part in node.entries for number in numbers(part)}
        case ListNode():
            return {number for part in node.items for number in numbers(part)}


def of_reason(node: MapNode) -> Iterator[Finding]:
    """A reason and its condition."""
    test, why = node.get("if"), node.get("why")
    if not isinstance(test, ScalarNode) or not isinstance(why, ScalarNode):
        return
    said, bounds = numerals(why.value), limits(test)
    if len(said) != 1 or len(bounds) != 1:
        return
    number, start, end = said[0]
    op, bound = bounds[0]
    if number not in fitting(op, bound, why.value):
        yield Finding(
            RULE,
            f"the reason says {number}, and the condition is about {op} {bound}",
            why.at(start, end),
            help=("let the text and the condition have the same number",),
            related=((test.span, "the condition"),),
        )


def limits(test: ScalarNode) -> list[tuple[str, int]]:
    """The comparisons of a condition with numbers."""
    tree = parsed(test.value)
    bounds: list[tuple[str, int]] = []
    flip = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    for node in syntax.walk(tree) if tree is not None else ():
        match node:
            case syntax.Compare(op, _, syntax.Num(number)):
                bounds.append((op, number))
            case syntax.Compare(op, syntax.Num(number), _):
                bounds.append((flip.get(op, op), number))
    return bounds


def fitting(op: str, bound: int, text: str) -> set[int]:
    """The numbers that a reason for such a comparison may tell."""
    if op in ("==", "!="):
        return {bound}
    exact = bound + {">": 1, "<": -1}.get(op, 0)
    if COST.search(text) and op in (">", ">="):
        return {exact}
    beyond = exact + (1 if op in ("<", "<=") else -1)
    return {exact, beyond} if MORE.search(text) or op in ("<", ">") else {exact}


def of_log(step: Step) -> Iterator[Finding]:
    """A step of a number and its own line of the log; a condition and the line that says that it holds."""
    log, operand = step.scalar("log"), step.operand
    if (
        log is not None
        and step.role("amount") is not None
        and isinstance(operand, ScalarNode)
        and (number := natural(operand.value)) is not None
    ):
        said = numerals(log.value)
        if len(said) == 1 and said[0][0] != number:
            yield Finding(
                RULE,
                f"the log says {said[0][0]}, and the step is of {operand.value}",
                log.at(*said[0][1:]),
                help=("let the text and the step have the same number",),
                related=((operand.span, "the step"),),
            )
    then = step.node.get("then")
    if (
        step.role("test") is None
        or not isinstance(operand, ScalarNode)
        or not isinstance(then, ListNode)
        or not then.items
    ):
        return
    first, bounds = then.items[0], limits(operand)
    line = first.get("log") if isinstance(first, MapNode) else None
    phrase = PHRASE.search(line.value) if isinstance(line, ScalarNode) else None
    if isinstance(line, ScalarNode) and phrase is not None and len(bounds) == 1:
        words, number = phrase[1].lower(), value(phrase[2])
        op, bound = bounds[0]
        least = {"<": bound - 1, "<=": bound, ">": bound + 1, ">=": bound}.get(op)
        meant = number + {"fewer than": -1, "less than": -1, "more than": 1}.get(words, 0)
        upwards = words in ("more than", "at least")
        if least is not None and upwards == (op in (">", ">=")) and meant != least:
            yield Finding(
                RULE,
                f"the log says {ticked(phrase[0])}, and the condition is about {op} {bound}",
                line.at(phrase.start(), phrase.end()),
                help=("let the text and the condition have the same number",),
                related=((operand.span, "the condition"),),
            )
