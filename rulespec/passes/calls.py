"""Dead calls: a procedure that does nothing is not called.

L1 := call 3()     # procedure 3 is just `return`
say "Done"         # L1 is not read: the call becomes a jump to the next instruction
"""

from __future__ import annotations

from dataclasses import replace

from rulespec import ir
from rulespec.passes.total import total


def empty_calls(program: ir.Program) -> ir.Program:
    """The program with each call of a procedure that only returns a constant replaced by that constant."""
    results = {
        number: ir.Const(None) if first.value is None else first.value
        for number, procedure in enumerate(program.procedures)
        if isinstance(first := procedure.code[0], ir.Return)
        and (first.value is None or isinstance(first.value, ir.Const))
    }
    if not results:
        return program
    procedures = []
    for procedure in program.procedures:
        code = tuple(
            ir.Let(i.live, results[i.procedure], i.where)
            if isinstance(i, ir.Call) and i.procedure in results and all(map(total, i.args))
            else i
            for i in procedure.code
        )
        procedures.append(replace(procedure, code=code) if code != procedure.code else procedure)
    return replace(program, procedures=tuple(procedures))
