"""Looking ahead: a procedure is run in the position itself, and what it may write is put back.

What the instructions of such a procedure write is known: those members of the position are copied before it runs, not the whole. The
outermost of several that stand in each other keeps them behind the position, where a fault finds them: it puts back all that anything
looked at may have written.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from interpreter.native.emitter.slots import Slots, stored
from rulespec import ir
from rulespec.ir.ahead import Ahead
from rulespec.ir.walk import within


class Lookahead:
    """What the procedures that a program looks ahead at may write."""

    def __init__(self, program: ir.Program, slots: Slots, declared: Mapping[str, str], sealed: bool) -> None:
        self.program = program
        self.slots = slots
        # The members of the position as C declares them, by their names.
        self.declared = {**declared, "leaving": "int32_t leaving", "stack": "uint8_t stack[STACK]"}
        self.sealed = sealed  # whether choices can be sealed: their frames lie above those of who looks ahead
        self.ahead = Ahead(program)

    @cached_property
    def procedures(self) -> list[int]:
        """Those that are looked ahead at."""
        program = self.program
        every = within((program.functions, program.procedures, program.sites, program.rules))
        return sorted({e.procedure for e in every if isinstance(e, ir.After)})

    @cached_property
    def members(self) -> list[str]:
        """The members of the position that any of them may write."""
        return list(dict.fromkeys(member for number in self.procedures for member in self.written(number)))

    def written(self, procedure: int) -> list[str]:
        """The members of the position that running a procedure may write."""
        slots = set(self.ahead.touched(procedure))
        names = ["sp", "leaving"]
        for i in self.ahead.code(procedure):
            slots.update(stored(i))
            if "lasts" in self.declared and isinstance(
                i, ir.Begin | ir.Cease | ir.Collect | ir.NextRule | ir.CallRule | ir.Leave
            ):
                names += ["lasts", "lasting"]
            if self.sealed and isinstance(i, ir.CallRule):
                names += ["stack"]
        if ir.KNOWN in slots:
            names += [f"known{kind.index}" for kind in self.program.kinds if kind.location is not None]
        for slot in sorted(slots):
            group = self.slots.of.get(slot)
            if group is not None:
                names.append(f"g{group.base}")
                if group.base in self.slots.boards:
                    names.append(f"b{group.base}")
        return list(dict.fromkeys(names))

    def kept(self) -> list[str]:
        """Members behind the position: what is put back if a fault happens while something is looked at."""
        if not self.procedures:
            return []
        return [f" int32_t looking; struct {{ {self.fields(self.members)} }} kept;"]

    def functions(self) -> list[str]:
        """C that keeps and puts back what each of them may write, and what all of them may."""
        lines = [f"#define AHEAD {int(bool(self.procedures))}"]
        for number in self.procedures:
            fields = self.written(number)
            lines.append(f"typedef struct {{ {self.fields(fields)} }} Kept{number};")
            lines.append(f"static inline void keep{number}(RsState*S,Kept{number}*k){{{copies('k->', 'S->', fields)}}}")
            lines.append(f"static inline void back{number}(RsState*S,Kept{number}*k){{{copies('S->', 'k->', fields)}}}")
        if self.procedures:
            lines.append(f"static void keep_all(RsState*S){{{copies('S->kept.', 'S->', self.members)} S->looking=1;}}")
            lines.append(f"static void put_back(RsState*S){{{copies('S->', 'S->kept.', self.members)} S->looking=0;}}")
            again = copies("S->", "S->kept.", self.members)
            lines.append(f"static inline void back_again(RsState*S){{{again}}}")
        return lines

    def fields(self, names: list[str]) -> str:
        """The same members, in a struct."""
        return " ".join(f"{self.declared[name]};" for name in names)


def copies(to: str, source: str, names: list[str]) -> str:
    """C that copies members."""
    return " ".join(f"memcpy(&{to}{name},&{source}{name},sizeof {to}{name});" for name in names)


def looked(number: int, run: str, value: str, kind: str, x: str, kept: bool) -> str:
    """C of a value, of C type `kind` and kept in `x`, in the position that a procedure would leave.

    `kept`: whoever asks for many of them, one after another, has kept the position, and says when all are done.
    """
    if kept:
        return f"({{DEEPER(S); {run} {kind} {x}={value}; back_again(S); SHALLOWER(S); {x};}})"
    return (
        f"({{DEEPER(S); Kept{number} k_; int outer=!S->looking; if(outer)keep_all(S);else keep{number}(S,&k_); {run} "
        f"{kind} {x}={value}; if(outer)put_back(S);else back{number}(S,&k_); SHALLOWER(S); {x};}})"
    )
