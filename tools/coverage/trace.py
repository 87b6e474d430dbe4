"""A trace: the lines of the rules as they run, and the answers between them."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.text.source import Span

from .. import console


class Trace:
    """Tells each step with its place; a line that runs several times running is told once, with how often."""

    def __init__(self, tell: Callable[[str], None] = console.data) -> None:
        self.tell = tell
        self.last: tuple[str, int] | None = None
        self.times = 0
        self.text = ""

    def step(self, where: Span) -> None:
        """A step runs; that of the game as a whole goes without saying."""
        if where.column == 1 and not where.source.text[where.end :].strip():
            return
        line = where.line
        place = (where.source.name, line)
        if place == self.last:
            self.times += 1
            return
        self.done()
        self.last, self.times = place, 1
        self.text = where.source.line(line).strip()

    def answer(self, who: str, answer: str) -> None:
        """Somebody answers."""
        self.done()
        self.tell(console.paint(f"  > {console.printable(who)}: {console.printable(answer)}", "cyan"))

    def done(self) -> None:
        """Tell what is left to tell."""
        if self.last is not None:
            name, line = self.last
            often = f"  (x{self.times})" if self.times > 1 else ""
            self.tell(f"  {console.paint(f'{name}:{line}', 'dim')}  {console.printable(self.text)}{often}")
        self.last = None
