"""The formatter: one indentation, one spacing and single blank lines for YAML files; comments and values stay as they are.

The text is written again along its tree; scalars are copied as they are written.  Line breaks stay where they are, blank
lines excepted, and what they are made of (LF or CRLF); a last line without one gets it.  Expressions are not formatted: in
a plain scalar of YAML every blank counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import BOM, Source
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode, parse

STEP = 2  # columns of one level
GAP = 2  # blanks before a comment behind something, at least
HEADER = re.compile(r"[|>][+-]?([1-9])?[+-]?")
MARKER = re.compile(r"---(?=[ \t\r\n]|\Z)")


def formatted(source: Source, diagnostics: Diagnostics) -> str | None:
    """The formatted text of a file.

    None where the file is not YAML, as `parse` reports it, or where formatting would lose anything (C005).
    """
    problems = Diagnostics()
    root = parse(source, problems)
    if root is None or problems.has_errors:
        for d in problems:
            diagnostics.add(
                d.code,
                d.message,
                d.span,
                severity=d.severity,
                expected=d.expected,
                found=d.found,
                help=d.help,
                related=d.related,
                origin=d.origin,
            )
        return None
    whole = Source(source.name, source.text + ("" if source.text.endswith(("\n", "\r")) else "\n"))
    laid_out = Layout(whole).text(root).replace("\n", line_break(source.text))
    again = parse(Source(source.name, laid_out), Diagnostics())
    if (
        again is None
        or not equal_trees(root, again)
        or comments(source, root) != comments(Source(source.name, laid_out), again)
    ):
        diagnostics.add("C005", "this file cannot be put into the layout without losing something", origin=source.name)
        return None
    return laid_out


def line_break(text: str) -> str:
    """What most lines of a text end with."""
    counts = Counter(re.findall(r"\r\n|\r|\n", text))
    return max(("\n", "\r\n", "\r"), key=lambda ends: counts[ends])


def equal_trees(node: Node, other: Node) -> bool:
    """Whether two trees say the same, in the same order."""
    pairs = [(node, other)]
    while pairs:
        a, b = pairs.pop()
        if isinstance(a, ScalarNode) and isinstance(b, ScalarNode):
            if a.value != b.value or (a.style == "plain") != (b.style == "plain"):
                return False
        elif isinstance(a, MapNode) and isinstance(b, MapNode):
            if a.keys() != b.keys():
                return False
            pairs += [(x, y) for (_, x), (_, y) in zip(a.entries, b.entries, strict=True)]
        elif isinstance(a, ListNode) and isinstance(b, ListNode) and len(a) == len(b):
            pairs += zip(a, b, strict=True)
        else:
            return False
    return True


def comments(source: Source, root: Node) -> Counter[str]:
    """Every comment with the number of its occurrences, without those in the header of a block scalar."""
    counts: Counter[str] = Counter()
    at = 0
    for low, high in [*scalar_ends(root), (len(source.text), len(source.text))]:
        counts.update(piece.comment for piece in pieces(source, at, low) if piece.comment)
        at = high
    return counts


def scalar_ends(root: Node) -> Iterator[tuple[int, int]]:
    """Start and end offset of each scalar, keys too, in the order of the file."""
    todo = [root]
    while todo:
        node = todo.pop()
        if isinstance(node, ScalarNode):
            yield node.span.start, node.span.end
        elif isinstance(node, MapNode):
            todo += [part for entry in reversed(node.entries) for part in reversed(entry)]
        else:
            todo += reversed(node.items)


# --- what stands between values ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Piece:
    """A line, or a part of one, between two scalars: its comment, and the comment's column (from 0)."""

    comment: str
    column: int
    blank: bool  # nothing stands in it
    marker: bool  # it begins a document


def pieces(source: Source, low: int, high: int) -> list[Piece]:
    """The text between two scalars, line by line; the first line is the rest of one that has begun."""
    listed = []
    at = low
    for line in re.split(r"\r\n|\r|\n", source.text[low:high]):
        sharp = re.search(r"#.*", line)  # no text stands between values: it begins a comment, whatever is before it
        text = "" if sharp is None else sharp[0].rstrip()
        column = 0 if sharp is None else source.position(at + sharp.start())[1] - 1
        listed.append(Piece(text, column, not line.strip(), MARKER.match(line) is not None))
        at += len(line)
        at += 2 if source.text.startswith("\r\n", at) else 1
    return listed


@dataclass(frozen=True, slots=True)
class Level:
    """An open collection in block style: the column it had, and its new one."""

    was: int
    now: int


class Layout:
    """Writes one file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lines: list[str] = []
        self.line = ""  # the one that is being written
        self.at = len(BOM) if source.text.startswith(BOM) else 0  # how far the file has been read
        self.open: list[Level] = []
        self.closed: list[Level] = []  # since the last entry: a comment may belong to any of them

    def text(self, root: Node) -> str:
        """The whole file."""
        if isinstance(root, ScalarNode) or self.flow(root):
            self.between(root.span.start, Level(0, 0), first=True)
            self.value(root, 0, 0)
        else:
            self.block(root, 0)
        self.between(len(self.source.text), Level(0, 0))
        while self.lines and not self.lines[-1]:
            self.lines.pop()
        return (BOM if self.source.text.startswith(BOM) else "") + "\n".join(self.lines) + "\n"

    # --- lines --------------------------------------------------------------------------------------------------------
    def end_line(self) -> None:
        self.lines.append(self.line if self.line.strip() else "")
        self.line = ""

    def blank(self) -> None:
        """A blank line, unless one is there or the file begins."""
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def between(self, end: int, next_: Level, *, first: bool = False, spaced: bool = False) -> bool:
        """Write the comments before an offset; returns whether a new line has begun.

        `next_` is the level of what follows them, `first` says that nothing has been written yet, `spaced` asks for a blank line.
        """
        gap = pieces(self.source, self.at, end)
        self.at = end
        if first or (not self.line and not self.lines):
            gap = [Piece("", 0, True, False), *gap]
        elif gap[0].comment:
            self.comment_behind(gap[0])
        if len(gap) == 1:
            self.closed.clear()
            return bool(gap[0].comment)
        if self.line or self.lines:
            self.end_line()
        levels = [*self.closed, next_]
        self.closed.clear()
        lines = [piece for piece in gap[1:-1] if piece.blank or piece.comment or piece.marker]
        if gap[-1].comment:  # the file ends with it
            lines.append(gap[-1])
        spaced = spaced and not any(piece.blank and not piece.comment for piece in lines)
        for piece in lines:
            if piece.marker:
                self.lines.append(("---  " + piece.comment).rstrip())
            elif piece.comment:
                column = nearest_level(piece.column, levels)
                if spaced and column == next_.now:
                    self.blank()
                    spaced = False
                self.lines.append(" " * column + piece.comment)
            else:
                self.blank()
        if spaced:
            self.blank()
        return True

    def comment_behind(self, piece: Piece) -> None:
        """A comment at the end of a line keeps its column, so that aligned comments stay aligned."""
        self.line = self.line.rstrip()
        self.line += " " * max(piece.column - len(self.line), GAP) + piece.comment

    # --- block style --------------------------------------------------------------------------------------------------
    def flow(self, node: Node) -> bool:
        """Whether a collection is written with brackets."""
        return self.source.text[node.span.start : node.span.start + 1] in ("{", "[") and not isinstance(
            node, ScalarNode
        )

    def column(self, offset: int) -> int:
        return self.source.position(offset)[1] - 1

    def block(self, node: MapNode | ListNode, indent: int) -> None:
        """A collection in block style at a column; the first entry follows what stands on the current line already."""
        level = Level(self.column(node.span.start), indent)
        self.open.append(level)
        if isinstance(node, MapNode):
            before = None
            for key, value in node.entries:
                spaced = (
                    indent == 0
                    and len(self.open) == 1
                    and (before is not None)
                    and (self.is_block(before) or self.is_block(value))
                )
                self.begin(key.span.start, level, spaced)
                self.scalar(key, indent)
                self.line += ":"
                self.after_key(value, indent)
                before = value
        else:
            for item in node.items:
                self.begin(item.span.start, level, False, dash=True, empty=is_empty(item))
                self.value(item, indent + STEP, indent)
        self.open.pop()
        self.closed.append(level)

    def is_block(self, node: Node) -> bool:
        return not isinstance(node, ScalarNode) and not self.flow(node)

    def begin(self, start: int, level: Level, spaced: bool, dash: bool = False, empty: bool = False) -> None:
        """Go to where the next entry is written, and write its dash; after the dash of an `empty` entry nothing follows."""
        if dash:
            low = self.source.text.find("-", self.dash_from(start))
            self.between(low, level, spaced=spaced)
            self.at = low + 1
            self.start_at(level.now)
            self.line += "-"
            if any(piece.comment for piece in pieces(self.source, self.at, start)):
                self.between(start, Level(level.was + STEP, level.now + STEP))
                self.start_at(level.now + STEP)
            elif not empty:
                self.at = start
                self.line += " "
            return
        self.between(start, level, spaced=spaced)
        self.start_at(level.now)

    def dash_from(self, start: int) -> int:
        """An offset from which the next dash is that of an item: after all comments before it."""
        at = self.at
        for line in re.finditer(r"[^\r\n]*(?:\r\n|\r|\n|\Z)", self.source.text[self.at : start]):
            low = self.at + line.start()
            body = self.source.text[low : self.at + line.end()]
            lead = len(body) - len(body.lstrip(" \t"))
            if body[lead : lead + 1] == "-" and not MARKER.match(body):
                return low + lead
        return at

    def start_at(self, column: int) -> None:
        """Begin a line at a column, unless the current line ends with something that the next text follows, such as a dash."""
        if not self.line.strip():
            self.line = " " * column

    def after_key(self, value: Node, indent: int) -> None:
        """The value of a key."""
        if is_empty(value):
            return
        if self.is_block(value):
            assert not isinstance(value, ScalarNode)
            self.block(value, indent + STEP)
        elif self.between(value.span.start, Level(indent + STEP, indent + STEP)):
            self.start_at(indent + STEP)
            self.value(value, indent + STEP, indent)
        else:
            self.line += " "
            self.value(value, indent + STEP, indent)

    def value(self, node: Node, column: int, parent: int) -> None:
        """A value at a column: a collection in block style, or a scalar or bracketed collection."""
        if isinstance(node, ScalarNode):
            self.scalar(node, parent)
        elif self.flow(node):
            self.brackets(node, parent)
        else:
            self.block(node, column)

    # --- texts --------------------------------------------------------------------------------------------------------
    def scalar(self, node: ScalarNode, parent: int) -> None:
        """A scalar as it is written; its further lines are shifted with the line that it begins on."""
        self.at = node.span.end
        if node.style in ("literal", "folded"):
            self.block_text(node, parent)
            return
        first, *more = re.split(r"\r\n|\r|\n", node.span.text)
        self.line += first
        for line in more:
            self.line = self.line.rstrip(" \t")
            self.end_line()
            self.line = " " * (parent + STEP) + line.strip(" \t") if line.strip(" \t") else ""

    def block_text(self, node: ScalarNode, parent: int) -> None:
        """A block scalar: its lines are shifted together, and keep their trailing blanks."""
        text = self.source.text
        end = re.compile(r"[\r\n]|\Z").search(text, node.span.end)
        assert end is not None
        self.at = end.start()
        head, *lines = re.split(r"\r\n|\r|\n", text[node.span.start : self.at])
        header = HEADER.match(head)
        if any(lines) and not node.value.endswith("\n") and header and "-" not in header[0]:
            # The file ended within its last line: the break that it gets is not the text's.
            head = head[0] + "-" + head[1:].replace("+", "", 1)
        self.line += head.rstrip()
        digit = header[1] if header else None
        solid = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip()]
        if not solid:
            return
        was = self.open[-1].was + int(digit) if digit and self.open else solid[0]
        now = parent + int(digit) if digit else parent + STEP
        for line in lines:
            self.end_line()
            self.line = " " * now + line[was:] if len(line) > was else ""
        if "+" in head.split("#")[0]:  # blank lines behind it belong to it
            tail = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n))*").match(text, self.at)
            for _ in range(len(re.findall(r"\r\n|\r|\n", tail[0])) - 1 if tail else 0):
                self.end_line()

    # --- brackets -----------------------------------------------------------------------------------------------------
    def brackets(self, node: MapNode | ListNode, parent: int) -> None:
        """A collection in brackets: its line breaks stay."""
        opening = self.source.text[node.span.start]
        entries: list[tuple[ScalarNode | None, Node]] = (
            list(node.entries) if isinstance(node, MapNode) else [(None, item) for item in node.items]
        )
        starts = [(value if key is None else key).span.start for key, value in entries]
        self.at = node.span.start + 1
        first = self.source.text[self.at : starts[0] if starts else node.span.end - 1]
        # What begins right behind the bracket goes on under its first item, else everything is indented.
        hanging = not re.search(r"\r|\n", first)
        inside, closer = (len(self.line) + 1, len(self.line)) if hanging else (parent + STEP * 2, parent + STEP)
        self.line += opening
        for number, ((key, value), start) in enumerate(zip(entries, starts, strict=True)):
            if number:
                self.line += ","
            if self.between(start, Level(inside, inside)):
                self.start_at(inside)
            elif number:
                self.line += " "
            self.entry(key, value, inside)
        low = node.span.end - 1
        if re.search(r"\r|\n", self.source.text[self.at : low]):
            if entries and "," in self.source.text[self.at : low].split("#")[0]:
                self.line += ","
            self.between(low, Level(inside, inside))
            self.start_at(closer)
        self.line += "}" if opening == "{" else "]"
        self.at = node.span.end

    def entry(self, key: ScalarNode | None, value: Node, column: int) -> None:
        """An item, or a key with its value, in brackets whose items begin at a column."""
        if key is not None:
            self.scalar(key, column)
            self.line += ":"
            if is_empty(value):
                return
            if self.between(value.span.start, Level(column + STEP, column + STEP)):
                self.start_at(column + STEP)
            else:
                self.line += " "
        if isinstance(value, ScalarNode):
            self.scalar(value, column)
        elif self.flow(value):
            self.brackets(value, column - STEP)
        elif isinstance(value, MapNode):  # one pair without braces: [a: b]
            for entry_key, under in value.entries:
                self.entry(entry_key, under, column)


def is_empty(node: Node) -> bool:
    """Whether nothing is written there."""
    return isinstance(node, ScalarNode) and node.style == "plain" and node.span.start == node.span.end


def nearest_level(column: int, levels: list[Level]) -> int:
    """The new column of a comment on a line of its own: that of the deepest level that it stood under."""
    best = None
    for level in levels:
        if level.was <= column and (best is None or level.was >= best.was):
            best = level
    return best.now if best is not None else min(level.now for level in levels)
