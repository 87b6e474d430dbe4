"""Turns jumps into structured control flow: `if`, `while`, `break` and `continue`.

The instructions that are reachable from one position are a graph.  Where it is reducible (each loop has one entry) and its branches meet
again, it becomes nested statements; otherwise a loop over numbered blocks, which does the same more slowly.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

from interpreter.python.patterns import statement
from interpreter.python.templates import constant, expression, statements
from rulespec.system.records import dataclass

SHORT = 5  # instructions, at most, of an ending that is duplicated


@dataclass(slots=True)
class WrittenInstruction:
    """An instruction as statements, and its successors: with `test`, `then` after the statements `first` if it holds,
    else to `other`."""

    body: list[ast.stmt]
    then: int | None = None
    test: ast.expr | None = None
    other: int | None = None
    first: list[ast.stmt] = field(default_factory=list)


Write = Callable[[int], WrittenInstruction]
Follow = Callable[[int], tuple[int, ...]]  # the successors of a position
Cost = Callable[[int], int]


class Tangled(Exception):
    """Raised for a graph that cannot become nested statements."""


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """A loop that is being written: its head, its positions, where a `break` leads, and other exits."""

    head: int
    inside: frozenset[int]
    after: int | None
    beyond: list[int] = field(default_factory=list)


class Shaper:
    """Writes the statements of one entry of a procedure.  `write` may be called more than once for a position."""

    def __init__(self, entry: int, follow: Follow, write: Write, cost: Cost) -> None:
        self.entry = entry
        self.follow = follow
        self.write = write
        self.cost = cost
        self.order: dict[int, int] = {}  # position -> index in reverse postorder
        self.back: set[tuple[int, int]] = set()
        self.before: dict[int, list[int]] = {}
        self.widths: list[int] = []  # the cost of each numbered block
        self.walk()

    def walk(self) -> None:
        """A depth-first search: the order, the back edges, and the predecessors."""
        state = {self.entry: 1}
        stack: list[tuple[int, Iterator[int]]] = [(self.entry, iter(self.follow(self.entry)))]
        post: list[int] = []
        while stack:
            at, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                stack.pop()
                state[at] = 2
                post.append(at)
                continue
            self.before.setdefault(following, []).append(at)
            if state.get(following) == 1:
                self.back.add((at, following))
            elif following not in state:
                state[following] = 1
                stack.append((following, iter(self.follow(following))))
        self.order = {at: i for i, at in enumerate(reversed(post))}

    def statements(self) -> list[ast.stmt]:
        """The whole body."""
        try:
            return self.at(self.entry, None, ())
        except Tangled:
            return self.blocks()

    # --- nested ------------------------------------------------------------------------------------
    def heads(self) -> set[int]:
        return {head for _, head in self.back}

    def loop_of(self, head: int) -> frozenset[int]:
        """The natural loop of a head: the positions from which it is reached again without passing it."""
        inside = {head}
        todo = [at for at, to in self.back if to == head]
        while todo:
            at = todo.pop()
            if at in inside:
                continue
            if at == self.entry:
                raise Tangled
            inside.add(at)
            todo += self.before.get(at, ())
        return frozenset(inside)

    def at(self, at: int, follow: int | None, loops: tuple[OpenLoop, ...], entered: bool = False) -> list[ast.stmt]:
        """The statements from a position on, up to `follow`, where control falls through."""
        if not entered and any(head == at for _, head in self.back):
            return self.loop(at, follow, loops)
        node = self.write(at)
        out = node.body
        if node.test is None:
            return out if node.then is None else out + self.edge(node.then, follow, loops)
        assert node.then is not None and node.other is not None
        meet = self.meeting(node.then, node.other, follow, loops)
        inner = follow if meet is None else meet
        first = node.first + self.edge(node.then, inner, loops)
        second = self.edge(node.other, inner, loops)
        if meet is None and ends(first) and second:
            out += branch(node.test, first, [])
            return out + second
        if meet is None and ends(second) and first:
            out += branch(opposite(node.test), second, [])
            return out + first
        out += branch(node.test, first, second)
        return out if meet is None else out + self.edge(meet, follow, loops, joined=True)

    def edge(self, to: int, follow: int | None, loops: tuple[OpenLoop, ...], joined: bool = False) -> list[ast.stmt]:
        """The statements that lead to a position."""
        if to == follow:
            return []
        if loops:
            loop = loops[-1]
            if to == loop.head:
                return statements("continue")
            if to == loop.after:
                return statements("break")
            if any(to in (outer.head, outer.after) for outer in loops[:-1]):
                if to not in loop.beyond:
                    loop.beyond.append(to)
                return statements("go = $n\nbreak", n=constant(to))
        if self.short(to):
            return self.at(to, follow, loops)
        if loops and to not in loops[-1].inside:
            raise Tangled
        forward = [at for at in self.before.get(to, ()) if (at, to) not in self.back]
        if not joined and len(set(forward)) > 1 and not any(head == to for _, head in self.back if to == self.entry):
            raise Tangled
        return self.at(to, follow, loops)

    def loop(self, head: int, follow: int | None, loops: tuple[OpenLoop, ...]) -> list[ast.stmt]:
        """A `while True` and what follows it."""
        inside = self.loop_of(head)
        out = [to for at in sorted(inside, key=self.order.__getitem__) for to in self.follow(at) if to not in inside]
        ways = [to for to in dict.fromkeys(out) if not self.short(to)] or list(dict.fromkeys(out))
        around = {at for loop in loops for at in (loop.head, loop.after) if at is not None}
        after = self.together(ways, around) if ways else None
        tails: set[int] = set()
        if after is not None and len(ways) > 1:  # code between the exits and where they meet is written in the loop
            tails = set().union(*(self.reach(way, {after, *around}) for way in ways))
        inner = OpenLoop(head, inside | tails, after)
        body = self.at(head, head, (*loops, inner), entered=True)
        count = statements("F[0] -= $n\nif F[0] < 0: raise Stop", n=constant(sum(map(self.cost, inside))))
        written: list[ast.stmt] = statements("while True:\n $b", b=count + body)
        rest = [] if after is None else self.edge(after, follow, loops, joined=True)
        if not inner.beyond:
            return written + rest
        for to in reversed(inner.beyond):  # what falls through to `follow` passes by what a `break` leads to
            way = self.edge(to, follow, loops)
            test = expression("go == $n", n=constant(to))
            rest = branch(test, way, []) + rest if ends(way) else branch(test, way, rest)
        return statements("go = -1") + written + rest

    def together(self, ways: list[int], around: set[int]) -> int:
        """Where all exits of a loop meet; not beyond the heads and ends of the loops around it."""
        if len(ways) == 1:
            return ways[0]
        common = set.intersection(*(self.ahead(way, around) for way in ways))
        if common:
            return min(common, key=self.order.__getitem__)
        return next((way for way in ways if self.ahead(way, around) & around), ways[0])

    def ahead(self, start: int, around: set[int]) -> set[int]:
        """The positions reachable before an enclosing loop is left or repeated, that end included."""
        reached = self.reach(start, set(around))
        return reached | ({start, *(to for at in reached for to in self.follow(at))} & around)

    def short(self, at: int) -> bool:
        """Whether a position begins an ending of a few instructions."""
        for _ in range(SHORT):
            following = self.follow(at)
            if not following:
                return True
            if len(following) > 1 or any(head == at for _, head in self.back):
                return False
            at = following[0]
        return False

    def meeting(self, a: int, b: int, follow: int | None, loops: tuple[OpenLoop, ...]) -> int | None:
        """Where two branches meet again, if they do before `follow`, a `break` or a `continue`."""
        stops = {follow}
        if loops:
            stops |= {loops[-1].head, loops[-1].after}
        common = self.reach(a, stops) & self.reach(b, stops)
        common = {at for at in common if not self.short(at) or at in (a, b)}
        return min(common, key=self.order.__getitem__) if common else None

    def reach(self, start: int, stops: set[int | None]) -> set[int]:
        """The positions reachable without back edges."""
        seen: set[int] = set()
        todo = [start]
        while todo:
            at = todo.pop()
            if at in stops or at in seen:
                continue
            seen.add(at)
            todo += [to for to in self.follow(at) if (at, to) not in self.back]
        return seen

    # --- numbered ----------------------------------------------------------------------------------
    def blocks(self) -> list[ast.stmt]:
        """A loop over numbered blocks."""
        starts = {self.entry}
        for at in self.order:
            following = self.follow(at)
            if len(following) > 1:
                starts |= set(following)
        starts |= {to for to, before in self.before.items() if len(before) > 1}
        cases: list[ast.stmt] = []
        for start in sorted(starts, key=self.order.__getitem__, reverse=True):
            body = self.straight(start, starts)
            body[:0] = statements("F[0] -= $n\nif F[0] < 0: raise Stop", n=constant(self.widths[-1]))
            cases = statements(
                "if pc == $n:\n $b\nelse:\n $rest" if cases else "if pc == $n:\n $b",
                n=constant(start),
                b=body,
                rest=cases,
            )
        return statements("pc = $n\nwhile True:\n $b", n=constant(self.entry), b=cases)

    def straight(self, start: int, starts: set[int]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        at: int | None = start
        self.widths.append(0)
        while at is not None:
            node = self.write(at)
            out += node.body
            self.widths[-1] += self.cost(at)
            if node.test is not None:
                assert node.then is not None and node.other is not None
                out += branch(node.test, node.first + go(node.then), go(node.other))
                return out
            at = node.then
            if at in starts:
                return out + go(at)
        return out


def go(to: int) -> list[ast.stmt]:
    return statements("pc = $n", n=constant(to))


def branch(test: ast.expr, first: list[ast.stmt], second: list[ast.stmt]) -> list[ast.stmt]:
    """An `if` without empty parts."""
    if isinstance(test, ast.Constant):
        return first if test.value else second
    if first and second:
        return statements("if $t:\n $a\nelse:\n $b", t=test, a=first, b=second)
    if first:
        return statements("if $t:\n $a", t=test, a=first)
    if second:
        return statements("if $t:\n $b", t=opposite(test), b=second)
    return [statement(test)] if isinstance(test, ast.Call | ast.Subscript) else []


def opposite(test: ast.expr) -> ast.expr:
    """`not test`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.UnaryOp(ast.Not(), test, lineno=test.lineno, col_offset=0, end_lineno=test.lineno, end_col_offset=0)


def ends(body: Sequence[ast.stmt]) -> bool:
    """Whether control never falls off the end of a block."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ast.Return | ast.Raise | ast.Continue | ast.Break):
        return True
    return isinstance(last, ast.If) and ends(last.body) and ends(last.orelse)
