"""C functions that have a name of their own in the program, so that they may stand in any of its files."""

from __future__ import annotations

from dataclasses import replace

from rulespec.system.records import dataclass

LARGE, PARTS_OF_LARGE = 256 << 10, 4  # bytes of functions from which on they are divided, and into how many files


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a C function: what it gives, its name, its parameters, and what the compiler is told of it.  `shared`: among files."""

    gives: str
    name: str
    parameters: str
    told: str = ""
    shared: bool = False

    @property
    def text(self) -> str:
        """The head as it stands before a body."""
        return f"{'' if self.shared else 'static '}{self.gives} {self.name}({self.parameters})"

    def __str__(self) -> str:
        """The prototype."""
        return f"{self.text}{self.told};"


@dataclass(frozen=True, slots=True)
class Function:
    """A C function."""

    head: Head
    body: str

    def __str__(self) -> str:
        """The whole function."""
        return f"{self.head.text}{{{self.body}}}"

    @property
    def shared(self) -> Function:
        """The function, for who stands in another file."""
        return Function(replace(self.head, shared=True), self.body)


def divided(texts: list[str | Head], shared: list[str], functions: list[Function], rest: list[str]) -> dict[str, str]:
    """The files of a program: one, or where there is much of it a header, and parts that are compiled at once."""
    if sum(len(str(one)) for one in functions) < LARGE:
        return {"game.c": "\n".join(map(str, [*texts, *shared, *functions, *rest]))}
    parts: list[list[str]] = [[] for _ in range(PARTS_OF_LARGE)]
    for one in sorted(functions, key=lambda one: len(str(one)), reverse=True):
        min(parts, key=lambda part: sum(map(len, part))).append(str(one.shared))
    declared = [f"{one.shared.head.text};" for one in functions]
    header = [str(replace(one, shared=True) if isinstance(one, Head) else one) for one in texts]
    include = '#include "game.h"'
    files = {f"part{k}.c": "\n".join([include, *part]) for k, part in enumerate(parts)}
    return {"game.h": "\n".join([*header, *shared, *declared]), **files, "game.c": "\n".join([include, *rest])}
