"""The compiled code of a program: each function is generated and compiled when it is first called, once for all games and threads."""

from __future__ import annotations

import ast
from collections import deque
from threading import Lock, RLock
from types import CodeType
from weakref import WeakValueDictionary

from interpreter.python.expressions import ExpressionWriter
from interpreter.python.pool import Pool
from interpreter.python.procedures import ProcedureWriter
from interpreter.python.questions import QuestionWriter
from interpreter.runtime.values import Bodies
from rulespec import ir

# Raised by code generation or Python's compiler for a function that is too deep or too long.
TOO_DEEP = (SyntaxError, ValueError, RecursionError, MemoryError)


# Of all programs that have a game: by the identities of the program and of the bodies.
SHARED: WeakValueDictionary[tuple[int, int], Library] = WeakValueDictionary()
RECENT: deque[Library] = deque(maxlen=8)  # kept for those who make a game again and again
SHARING = Lock()


class Library:
    """The code of a program's functions by title: a letter for the kind of function, and a number."""

    def __init__(self, program: ir.Program, bodies: Bodies) -> None:
        self.program = program
        self.pool = Pool(program, bodies, ExpressionWriter)
        self.callees = self.pool.callees
        self.point_of = program.point_of or {(p.procedure, p.position): i for i, p in enumerate(program.points)}
        self.instructions = tuple(map(program.instruction, range(len(program.points))))
        self.kinds = tuple(i.__class__ for i in self.instructions)
        # Whether the legal answers of a point are a list.
        self.listed = tuple(isinstance(i, ir.Ask) and program.sites[i.site].code == "value" for i in self.instructions)
        self.procedures: dict[int, ProcedureWriter] = {}
        self.first_lines: list[int] = []
        line = 1
        for procedure in program.procedures:
            self.first_lines.append(line)
            line += len(procedure.code)
        self.codes: dict[str, CodeType | None] = {}
        self.lock = RLock()

    @classmethod
    def of(cls, program: ir.Program, bodies: Bodies) -> Library:
        """The library that all games of one program object share; one that no game has any more stays a while."""
        key = id(program), id(bodies)  # a library holds both, so while it is here nothing else has these ids
        with SHARING:
            library = SHARED.get(key)
            if library is None:
                library = SHARED[key] = cls(program, bodies)
            RECENT.append(library)
        return library

    def code(self, title: str) -> CodeType | None:
        """The code of a function; None where Python cannot compile it, so that the reference machine is to run it."""
        with self.lock:
            if title not in self.codes:
                try:
                    self.codes[title] = self.compile(self.write(title))
                except TOO_DEEP:
                    self.codes[title] = None
            return self.codes[title]

    def compile(self, definition: ast.FunctionDef) -> CodeType:
        """The code of a definition.

        There is no source text: the syntax tree consists of this package's templates and of constants.
        """
        module = compile(ast.Module([definition], []), f"<{self.program.id}>", "exec", dont_inherit=True)
        return next(c for c in module.co_consts if isinstance(c, CodeType))

    def write(self, title: str) -> ast.FunctionDef:
        """The definition of a function."""
        kind, number = title[0], int(title[1:])
        if title in self.pool.pending:
            return self.pool.pending[title]()
        if kind == "f":
            self.pool.function(number)
            return self.pool.pending[title]()
        if kind == "p":
            return self.procedure(number).entry()
        if kind == "o":
            return QuestionWriter(self.pool, self.procedure(0)).option(self.program.rules[number])
        procedure = self.procedure(self.program.points[number].procedure)
        if kind == "r":
            return procedure.resume(number)
        if kind == "u":
            return procedure.unwind(number)
        questions = QuestionWriter(self.pool, procedure)
        return {"s": questions.seat, "a": questions.legal, "c": questions.lottery}[kind](number)

    def procedure(self, index: int) -> ProcedureWriter:
        """The writer of the functions of a procedure."""
        if index not in self.procedures:
            self.procedures[index] = ProcedureWriter(
                self.pool, self.callees, index, self.point_of, self.first_lines[index]
            )
        return self.procedures[index]
