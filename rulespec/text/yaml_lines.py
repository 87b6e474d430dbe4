"""Where the lines around a syntax error are indented as if they belonged elsewhere: which line is meant, and what to change in it."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from rulespec.text.quoting import ticked

FAR = 40  # lines that are looked at before an error
NEAR = 2  # columns by which a line is out of place
LONG = 60  # letters of a line that is repeated


class Line(NamedTuple):
    """A line that is no remark: its number, where its first letter stands in the text, its indent and what is written."""

    number: int
    at: int
    indent: int
    text: str

    @property
    def dashed(self) -> bool:
        """Whether it begins an item of a list."""
        return self.text.startswith("- ")

    @property
    def opens(self) -> bool:
        """Whether something is to follow below it."""
        return self.text.endswith(":")

    @property
    def key(self) -> str:
        """Its first key, as it is written."""
        body = self.text.removeprefix("- ")
        return body.partition(":")[0] + ":" if ":" in body else body

    @property
    def column(self) -> int:
        """Where its first key begins."""
        return self.indent + 2 * self.dashed


class Cure(NamedTuple):
    """What to change, and the line that is out of place with what is said of it, where it is another one."""

    advice: str
    line: Line | None = None
    note: str = ""


def lines_before(text: str, at: int) -> list[Line]:
    """The lines up to the one that holds a character, which is the last; at most so many."""
    found: list[Line] = []
    end = text.find("\n", at)
    begin = 0
    for number, raw in enumerate(text[: len(text) if end < 0 else end].split("\n"), 1):
        body = re.sub(r"\s#.*", "", raw).strip()
        if body and not body.startswith("#"):
            indent = len(raw) - len(raw.lstrip(" "))
            found.append(Line(number, begin + indent, indent, body))
        begin += len(raw) + 1
    return found[-FAR:]


def cure(text: str, at: int) -> Cure | None:
    """What to change where the line of a character does not line up with those before it; None where nothing is clear."""
    *before, own = lines_before(text, at) or [Line(1, 0, 0, "")]
    beside = next((line for line in reversed(before) if line.indent <= own.indent), None)
    shown = own.text[:LONG]
    if beside is not None and beside.indent == own.indent and beside.dashed != own.dashed:
        if own.dashed:
            return Cure(
                f"begin line {beside.number} with a dash, too: {ticked(f'- {beside.text[:LONG]}')}", beside, "no dash"
            )
        belongs = f"if it belongs to {ticked(beside.key)} above, indent it by two more spaces"
        return Cure(f"{belongs}; if it begins a step of its own, begin it with a dash: {ticked(f'- {shown}')}")
    for line, after in reversed(list(pairwise(before))):
        if line.opens and after.indent == line.column and not after.dashed and line.indent < own.indent:
            return Cure(
                f"nothing is indented under {ticked(line.key)} in line {line.number}: "
                f"begin what belongs to it two spaces further right",
                after,
                f"is this to be under {ticked(line.key)}?",
            )
    at_left = next((n for n in range(len(before) - 1, -1, -1) if before[n].indent < own.indent), None)
    if at_left is not None and any(line.indent == own.indent for line in before[:at_left]):
        left = before[at_left]
        if not left.dashed:
            return Cure(
                f"if line {left.number} is one of these, too, begin it in the same column: after {own.indent} spaces",
                left,
                "this begins further left",
            )
    columns = [
        (abs(column - own.indent), -line.number, column, line)
        for line in before
        if line.dashed or not own.dashed
        for column in (line.indent if own.dashed else line.column,)
    ]
    sections = [one for one in columns if own.indent == 1 and one[2] == 0]
    close = min((one for one in sections or columns if 0 < one[0] <= NEAR), default=None)
    if close is None:
        return None
    return Cure(f"begin it in the column of {ticked(close[3].key)} in line {close[3].number}: after {close[2]} spaces")
