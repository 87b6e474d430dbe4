"""The intermediate representation: what a checked game becomes, and all that a back end has to know.

Floor: below everything that builds or runs it.  Values are immutable and plain: bool, int, None and tuples of them.
An entity (a player, a card, a region, an enum member) is its number within its kind; a set is a sorted tuple without
repeats; a bag is a tuple of counts, one for each member of its kind; a record is a tuple of its fields.  A text is a str, or words
and the values between them (`rulespec.library.texts`).

A `Program` is flat: each `Procedure` is a list of instructions that jump by position.  Expressions are pure trees; they
read locals and slots and never write.  Only `Ask`, `Draw`, `NextRule` and `Fork` suspend.  A control stack is linked frames
`(point, parent, *locals)`: `point` indexes `Program.points`, which gives the procedure, the position of the instruction
that waits there (a call, a question, a draw), and which locals the frame keeps: those that are alive across it.
"""

from rulespec.ir.expressions import (
    BATCH,
    CONTROL,
    KNOWN,
    LASTING,
    RANDOM,
    RETURNS,
    SYSTEM_SLOTS,
    WINNERS,
    After,
    Bind,
    Column,
    Comp,
    Completable,
    Cond,
    Const,
    Expr,
    Fold,
    Invoke,
    Known,
    Load,
    Local,
    Once,
    Op,
    Setting,
    Value,
)  # fmt: skip
from rulespec.ir.instructions import (
    Ask,
    Begin,
    Call,
    CallRule,
    Cease,
    Claim,
    Collect,
    Draw,
    Enter,
    Finish,
    Fork,
    Instruction,
    Jump,
    Learn,
    Leave,
    Let,
    Move,
    MoveCounts,
    Next,
    NextRule,
    Reset,
    Resume,
    Return,
    Say,
    Store,
    Unless,
    Unwind,
)  # fmt: skip
from rulespec.ir.pictures import Picture, Remark, Scale
from rulespec.ir.program import (
    MOST_DECISIONS,
    Board,
    Function,
    Kind,
    Point,
    Procedure,
    Program,
    Region,
    Rule,
    Variable,
    Viewers,
    Zone,
)  # fmt: skip
from rulespec.ir.questions import (
    Branch,
    NoneOption,
    Printer,
    Reason,
    Site,
    Text,
)  # fmt: skip

__all__ = [
    "BATCH", "CONTROL", "KNOWN", "LASTING", "MOST_DECISIONS", "RANDOM", "RETURNS", "SYSTEM_SLOTS", "WINNERS", "After", "Ask", "Begin",
    "Bind", "Board", "Branch", "Call", "CallRule", "Cease", "Claim", "Collect", "Column", "Comp", "Completable", "Cond", "Const", "Draw",
    "Enter", "Expr", "Finish", "Fold", "Fork", "Function", "Instruction", "Invoke", "Jump", "Kind", "Known", "Learn", "Leave", "Let",
    "Load", "Local", "Move", "MoveCounts", "Next", "NextRule", "NoneOption", "Once", "Op", "Picture", "Point", "Printer", "Procedure",
    "Program", "Reason", "Region", "Remark", "Reset", "Resume", "Return", "Rule", "Say", "Scale", "Setting", "Site", "Store", "Text",
    "Unless", "Unwind", "Value", "Variable", "Viewers", "Zone",
]  # fmt: skip
