"""The intermediate representation: what a checked game becomes, and all that a back end has to know.

Floor: below everything that builds or runs it.  Values are immutable and plain: bool, int, None and tuples of them.
An entity (a player, a card, a region, an enum member) is its number within its kind; a set is a sorted tuple without
repeats; a bag is a tuple of counts, one for each member of its kind; a record is a tuple of its fields.  A text is a str, or words
and the values between them (`rulespec.library.texts`).

A `Program` is flat: each `Procedure` is a list of instructions that jump by position.  Expressions are pure trees; they
read locals and slots and never write.  Only `Ask`, `Draw`, `NextRule` and `Fork` suspend.  A control stack is linked frames
`(point, parent, *locals)`: `point` indexes `Program.points`, which gives the procedure, the position of the instruction
that waits there (a call, a question, a draw), and which locals the frame keeps: those that are alive across it.

Types (`ir.Type`).  What a back end may rely on, in every program that the checker made:

- Each local of a procedure, function or option of a rule has one type, wherever it is set: `Procedure.locals[k]` is that of
  local k, parameters first.  This goes for what instructions set (`Let`, `Next`, `Call`, ...) and for what expressions bind
  (`Bind`, `Comp`, `Fold`, `Once`, ...), and for the local that a site's candidates are in, which is one of the procedure's
  that asks.  What a frame keeps has been set on every way to its point, so that each of its values is one of the local's type.
- `Procedure.result` and `Function.result` are the types of what is returned; a procedure that gives nothing has `none`.
- Every slot has the type that `inhabits.slot_types` gives: that of its variable or zone.  A number in a slot is within
  `low..high`, since each `Store` that may leave them is bounded.
- A number in a local has the bounds that `passes.ranges` finds in the code of its procedure, a parameter those that its author
  gave it: every call is held to them (`in_range`).  `int` without bounds is a number of at most 64 bits.
- `Site.type` is the type of a candidate, `Draw.type` of what is drawn, `Program.lastings` are the types of the arguments of
  what lasts, and `Rule.arguments` those of a rule that belongs to it.  A menu's candidate is a `choice`, whatever its type
  says, which is for people.
- A save is refused unless every slot, and every value that a frame keeps, is of its type: what is read from a frame may be
  trusted as much as what was put into a local.
- A type says nothing about which branch runs: a local `option of entity 3` may be known not to be None at one place, which a
  back end finds by itself.  Types of expressions follow from those of locals and slots (`analysis.evaluate`).
- `any` is the type of nothing that waits in a frame.  It stands for locals of passes whose type cannot be told.
"""

from rulespec.ir import types
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
    BoardPart,
    Field,
    Function,
    Kind,
    Point,
    Procedure,
    Program,
    Region,
    Rule,
    ShownValue,
    Utility,
    Variable,
    Viewers,
    Zone,
)  # fmt: skip
from rulespec.ir.questions import (
    Branch,
    NoneOption,
    Reason,
    Site,
    Text,
    Tray,
)  # fmt: skip
from rulespec.ir.table import Effect, Grid, Look, Said, Source, Spot, Table
from rulespec.ir.types import Type

__all__ = [
    "BATCH", "CONTROL", "KNOWN", "LASTING", "MOST_DECISIONS", "RANDOM", "RETURNS", "SYSTEM_SLOTS", "WINNERS", "After", "Ask", "Begin",
    "Bind", "Board", "BoardPart", "Branch", "Call", "CallRule", "Cease", "Claim", "Collect", "Column", "Comp", "Completable", "Cond",
    "Const", "Draw", "Effect", "Enter", "Expr", "Field", "Finish", "Fold", "Fork", "Function", "Grid", "Instruction", "Invoke", "Jump",
    "Kind", "Known", "Learn", "Leave", "Let", "Load", "Local", "Look", "Move", "MoveCounts", "Next", "NextRule", "NoneOption", "Once",
    "Op", "Picture", "Point", "Procedure", "Program", "Reason", "Region", "Remark", "Reset", "Resume", "Return", "Rule", "Said", "Say",
    "Scale", "Setting", "ShownValue", "Site", "Source", "Spot", "Store", "Table", "Text", "Tray", "Type", "Unless", "Unwind", "Utility",
    "Value", "Variable", "Viewers", "Zone", "types",
]  # fmt: skip
