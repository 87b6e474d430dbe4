"""What the checker knows of a game while it reads it: the symbols, the program that grows, and how faults are reported."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from itertools import chain
from typing import Any, NamedTuple, assert_never, get_args

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.env import Env, LocalVar
from rulespec.checker.mentions import Mentions
from rulespec.expr import syntax
from rulespec.ir import types
from rulespec.language import foreign_words
from rulespec.language.types import (
    BOOL,
    INT,
    PLAYER,
    TEXT,
    UNKNOWN,
    BagType,
    BoolType,
    EmptyType,
    EntityType,
    IntType,
    ListType,
    ManyType,
    NoneType,
    OptionType,
    RankedType,
    RecordType,
    SetType,
    TextType,
    Type,
    UnknownType,
    VarType,
)  # fmt: skip
from rulespec.library.texts import TEXT as FILLED_IN
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics, nearest
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

RESERVED = frozenset({
    "if", "then", "else", "or", "and", "not", "in", "is", "of", "where", "have", "by", "for", "includes", "otherwise",
    "yes", "no", "none", "empty", "known", "this", "me", "players", "winners", "all", "done",
})  # fmt: skip

MAX_SLOTS = 20_000
DECLARED_UNDER = {
    "E109": "`scopes:`",
    "E110": "`events:`",
    "E111": "`menus:`",
    "E112": "`sources:`",
    "E114": "`phases:` or `scopes:`",
    "E116": "`lasting:`",
}  # the section in which a name would be, by the code of what is said where it is not
MISSING = ("E100", "E101", "E104", "E300", "E405", "E500")  # codes of names that are not there
PART = "part of "  # what a name after a dot is looked for as
MAX_GUESSES = 30_000
MAX_EXPRESSIONS = 5_000
MAX_IN_CASES = 20_000  # more, in all cases of a game together
COMPARISON = ("fewer", "equal", "more")


def flag(node: MapNode, name: str, default: bool) -> bool:
    """What a key that is `yes` or `no` says."""
    written = node.get(name)
    return written.value == "yes" if isinstance(written, ScalarNode) else default


# What keeps an order: a set would be listed otherwise with another hash seed.
InOrder = Sequence[str] | Mapping[str, object] | chain[str]


def listed(names: InOrder, most: int = 8) -> str:
    """Names in a sentence, the first ones if there are many."""
    known = list(dict.fromkeys(names))
    return ", ".join(known[:most]) + (" ..." if len(known) > most else "")


class Written(NamedTuple):
    """An expression with the scalar that it stands in, and the names of steps and parameters that it may use."""

    scalar: ScalarNode
    tree: syntax.Expr
    locals: Mapping[str, LocalVar]


CELL = re.compile(
    r"[a-z]+[0-9]+(_([a-z]+[0-9]+|[nesw]{1,2}))?\Z"
)  # how cells of boards are named, and their edges and corners


@dataclass(slots=True)
class CheckContext:
    """Everything declared, and the parts of the program made so far."""

    diagnostics: Diagnostics
    root: MapNode
    files: dict[str, Node] = field(default_factory=dict)  # tables in files of their own, by name
    id: str = ""
    title: str = ""
    about: str = ""
    counts: tuple[int, ...] = ()
    kinds: dict[str, symbols.Kind] = field(default_factory=dict)
    boards: dict[str, symbols.Board] = field(default_factory=dict)
    parts: dict[str, symbols.Part] = field(default_factory=dict)  # of boards, by the name of their type
    unsized: bool = False  # whether the size of a board is wrong, which is reported
    views: dict[str, symbols.View] = field(default_factory=dict)
    options: dict[str, symbols.Option] = field(default_factory=dict)
    chosen: Mapping[str, str] = field(
        default_factory=dict
    )  # words of options by which boards have their size, if not the default
    few_rows: bool = False  # whether few rows that a rule makes are worked out: the game has faults whatever they are
    sizing: dict[str, None] = field(default_factory=dict)  # options by which boards have their size
    names: dict[str, symbols.Symbol] = field(
        default_factory=dict
    )  # global: variables, zones, functions, tables, options
    members: dict[str, list[tuple[symbols.Kind, int]]] = field(default_factory=dict)
    zones: list[symbols.Zone] = field(default_factory=list)
    variables: list[symbols.Variable] = field(default_factory=list)
    scopes: dict[str, symbols.Scope] = field(default_factory=dict)
    events: dict[str, symbols.Event] = field(default_factory=dict)
    menus: dict[str, symbols.Menu] = field(default_factory=dict)
    lastings: dict[str, symbols.Lasting] = field(default_factory=dict)
    procedures: dict[str, symbols.Procedure] = field(default_factory=dict)
    rules: list[symbols.Rule] = field(default_factory=list)
    citations: dict[str, int] = field(default_factory=dict)  # ruling id -> 0, or series of lines -> how many
    slot_names: list[str] = field(default_factory=list)
    initial: list[ir.Value] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    out_functions: list[ir.Function | None] = field(default_factory=list)
    out_procedures: list[ir.Procedure | None] = field(default_factory=list)
    out_sites: list[ir.Site | None] = field(default_factory=list)
    out_rules: list[ir.Rule | None] = field(default_factory=list)
    asked: list[symbols.Asked] = field(default_factory=list)  # for each site
    listeners: dict[tuple[str, str], list[symbols.Rule]] = field(default_factory=dict)  # (event, timing) -> rules
    modifiers: dict[str, list[tuple[symbols.Rule, MapNode]]] = field(
        default_factory=dict
    )  # value name -> who modifies it
    always: list[symbols.Rule] = field(default_factory=list)
    repetition: symbols.Repetition | None = None
    always_procedure: int | None = None
    always_reads: set[int] = field(default_factory=set)  # bases of slots
    end_tags: set[str] = field(default_factory=set)  # names of phases and scopes that end something lasting
    limits: dict[str, list[tuple[int, int]]] = field(default_factory=dict)  # phase, scope or event -> slots of counters
    looks: list[Any] = field(default_factory=list)  # see checker.ahead: those that have not been checked yet
    guesses: int = 0  # names compared with misspelt ones, which takes time
    lost: set[str] = field(default_factory=set)  # names declared by a type that is not there, which has been told
    handed: frozenset[str] | None = None  # what steps give to procedures that take nothing, once it is asked for
    expressions: int = 0  # parsed so far
    most_expressions: int = MAX_EXPRESSIONS
    needs: dict[str, Any] = field(default_factory=dict)  # see checker.scoping
    made: int = 0  # members of all kinds
    main: int = 0
    defeats: bool = False  # a step names the losers
    set_up: int = 0  # the procedure that puts everything where it starts
    score: list[tuple[str, int]] = field(default_factory=list)
    picture: ir.Picture | None = None
    table: ir.Table = field(default_factory=ir.Table)
    most_decisions: int = ir.MOST_DECISIONS
    modified: set[tuple[Span, str]] = field(default_factory=set)  # changes by rules that met a layer of a value
    reserved: dict[str, int] = field(default_factory=dict)  # rule -> procedure
    used: set[str] = field(default_factory=set)  # names that something referred to
    refs: set[tuple[str, str]] = field(default_factory=set)  # the same with what they name: ("field", "Card.rank")
    reads: set[str] = field(default_factory=set)  # fields that the rules read: "Card.rank"
    tells: set[str] = field(default_factory=set)  # those that people are told of by a label, a look or a picture
    read_in_play: frozenset[str] = frozenset()  # those of `reads` that not only cases read
    in_play: frozenset[tuple[str, str]] = frozenset()  # the same without what only cases refer to
    unit: int = 1  # in how many parts of 1 returns are counted
    utility: ir.Utility | None = None
    shown: list[symbols.Function] = field(default_factory=list)  # what people are shown beside variables and zones
    plurals: dict[str, str] = field(default_factory=dict)  # by the singular, as people read it
    counted: set[str] = field(default_factory=set)  # words whose plurals expressions ask for
    titles: list[ir.Text] = field(default_factory=list)  # what members are called, by `this`
    wholes: set[str] = field(default_factory=set)  # kinds all of whose members are spoken of at once
    # Every yes or no that is written, by the identity of its expression: the scalar it stands in, from where to where.
    conditions: dict[int, tuple[ir.Expr, ScalarNode, int, int]] = field(default_factory=dict)
    written: dict[tuple[int, int, int], Written] = field(default_factory=dict)  # every expression
    texts: dict[int, tuple[ScalarNode, Mapping[str, LocalVar]]] = field(
        default_factory=dict
    )  # every text with expressions, and the names of steps that it may use
    asides: set[int] = field(default_factory=set)  # functions of invariants and bots, which use a game beside its play
    printers: dict[ir.Type, int] = field(default_factory=dict)  # of what is filled into texts that are values
    public: set[Span] = field(default_factory=set)  # steps that put something into a name that is `seen by: all`
    told_some: dict[tuple[Span, int], int] = field(
        default_factory=dict
    )  # steps that put something into a local that only some are told: the local of those who are
    told_names: dict[tuple[str, str, bool], symbols.Variable] = field(
        default_factory=dict
    )  # by name and type, and whether it is kept for each player: what was last told

    mentions: Mentions | None = None  # for editors: what names stand for

    @property
    def has_map(self) -> bool:
        """Whether the game has places with links."""
        return any(kind.what == "node" for kind in self.kinds.values())

    @contextmanager
    def telling(self) -> Iterator[None]:
        """What is checked meanwhile is shown to people: a field that it reads is told by it."""
        rules, self.reads = self.reads, self.tells
        try:
            yield
        finally:
            self.reads = rules

    def refer(self, what: str, name: str, at: Span, declared: Span) -> None:
        """Keep in mind that a name stands at a place for something that is declared."""
        self.used.add(name)
        self.refs.add((what, name))
        self.mention(what, name, at, declared)

    def mention(self, what: str, name: str, at: Span, declared: Span | None = None) -> None:
        """The same for editors alone."""
        if self.mentions is not None:
            self.mentions.add(what, name, at, declared)

    def reads_field(self, kind: str, name: str) -> None:
        """Keep in mind that an expression reads a field; what is read of a face is printed on a piece."""
        of = self.kinds[kind].faces_of
        kind = kind if of is None else of.name
        self.refs.add(("field", f"{kind}.{name}"))
        self.reads.add(f"{kind}.{name}")

    # --- slots --------------------------------------------------------------------------------------------------------
    def allot(self, name: str, size: int, value: ir.Value) -> int:
        """New slots, all with one value; where they begin."""
        base = len(self.initial)
        if base + size > MAX_SLOTS:
            self.error("E217", f"the state has more than {MAX_SLOTS} parts", self.root.span)
            return 0
        self.initial.extend([value] * size)
        self.slot_names.extend([name] if size == 1 else [f"{name}[{i}]" for i in range(size)])
        return base

    def told(self, name: ScalarNode, t: Type, each: bool = False) -> symbols.Variable:
        """What keeps the value that all, or `each` player, were last told under a name of steps; names of one type share it."""
        optional = t if isinstance(t, OptionType) else OptionType(t)
        variable = self.told_names.get((name.value, str(optional), each))
        if variable is None:
            same = sum(known == name.value for known, *_ in self.told_names)
            shown = f"{name.value} {same + 1}" if same else name.value
            player = self.kinds["Player"]
            per: tuple[symbols.Kind, ...] = (player,) if each else ()
            size = len(player.members) if each else 1
            variable = symbols.Variable(
                name=shown,
                type=optional,
                per=per,
                base=self.allot(shown, size, None),
                size=size,
                stops=False,
                span=name.span,
                seen=ir.Viewers("owner") if each else symbols.ALL,
                over=self.allot(f"{shown} over", 1, 0),
                shown=False,
            )
            self.told_names[name.value, str(optional), each] = variable
            if not each:
                self.public.add(name.span)
            self.variables.append(variable)
        return variable

    def target(self, name: str) -> int:
        """The number of something that can be left by name."""
        if name not in self.targets:
            self.targets.append(name)
        return self.targets.index(name)

    # --- faults -------------------------------------------------------------------------------------------------------
    def error(
        self,
        code: str,
        message: str,
        span: Span | None,
        *,
        expected: str | None = None,
        found: str | None = None,
        help: Sequence[str] = (),
        related: Sequence[tuple[Span, str]] = (),
        subject: str = "",
    ) -> None:
        """Report a fault; checking goes on.  Without help, its code's cure is the help."""
        if not help:
            from rulespec.codes.catalogue import cure  # hundreds of entries, which a game without errors does not need

            help = cure(code)
        self.diagnostics.add(
            code,
            message,
            span,
            expected=expected,
            found=found,
            help=tuple(help),
            related=tuple(related),
            subject=subject,
        )

    def unknown(
        self,
        code: str,
        what: str,
        name: str,
        span: Span,
        candidates: InOrder,
        *,
        owner: str = "",
        hint: str = "",
        last: str = "",
    ) -> None:
        """Report a name that is not there, with the nearest one that is.

        Without one that is near: the `hint`, or what an `owner` of few parts has, or at `last` where it would be declared.
        """
        close = None
        names: list[str] = []
        if (
            self.may_be_cell(name)
            or name in self.lost
            or (code in MISSING and name in self.diagnostics.refused)
            or (self.diagnostics.incomplete and name.isidentifier())
        ):
            self.diagnostics.silence(code, f"there is no {what} named {ticked(name)}", span)
            return  # it is said already why it is not there
        if self.guesses <= MAX_GUESSES:
            names = list(candidates)
            self.guesses += len(names)
            close = nearest(name, names) if self.guesses <= MAX_GUESSES else None
        said = (
            f"there is nothing named {ticked(name)} here"
            if what == "thing"
            else f"{what.removeprefix(PART)} has no {ticked(name)}"
            if what.startswith(PART)
            else f"there is no {what} named {ticked(name)}"
        )
        if what in ("thing", "player or entry of a script") and (meant := foreign_words.seat(name, self.seats())):
            close, hint = None, meant
        said_help = [f"did you mean {ticked(close)}?"] if close else [hint] if hint else []
        copied = self.copies_of(name, names) if code in ("E100", "E104") else ""
        said_help = [copied] if copied else said_help
        if not copied and what in ("thing", "function") and name in foreign_words.NAMES and not hint:
            said_help = [f"it is written `{foreign_words.NAMES[name]}`"]
        elif not said_help and owner:
            said_help = [f"{owner} has {listed(names)}" if names else f"{owner} has none"]
        elif not said_help and code in DECLARED_UNDER:
            said_help = [f"declare it under {DECLARED_UNDER[code]}" + (f"; there is {listed(names)}" if names else "")]
        said_help = said_help or ([last] if last else [])
        self.error(code, said, span, help=said_help, subject=subject(code, what, name, said_help))

    def may_be_cell(self, name: str) -> bool:
        """Whether a name that is not there may be a cell of a board whose size is not known."""
        return self.unsized and CELL.match(name) is not None

    def copies_of(self, name: str, candidates: list[str]) -> str:
        """What the copies of a row are called, where the row's own name stands for a member."""
        for kind in self.kinds.values():
            copies = kind.copies.get(name, [])
            if copies and copies[0] in candidates:
                return f"{ticked(name)} has {len(copies)} copies, each with a name: {listed(copies)}"
        return ""

    def seats(self) -> list[str]:
        """The names of the seats."""
        return list(self.kinds["Player"].members) if "Player" in self.kinds else []

    def may_parse(self, node: ScalarNode) -> bool:
        """Whether one more expression may be parsed: parsing takes time, and a game must not take forever."""
        self.expressions += 1
        if self.expressions == self.most_expressions:
            self.error("E003", f"the game has more than {self.most_expressions} expressions", node.span)
        return self.expressions < self.most_expressions

    # --- reading the tree ---------------------------------------------------------------------------------------------
    def mapping(self, node: Node | None) -> MapNode | None:
        """The node if it is a mapping; the schema has reported it otherwise."""
        return node if isinstance(node, MapNode) else None

    def section(self, name: str) -> tuple[tuple[ScalarNode, Node], ...]:
        """The entries of a top-level section, none if it is absent."""
        node = self.root.get(name)
        return node.entries if isinstance(node, MapNode) else ()

    def scalar(self, node: Node | None) -> ScalarNode | None:
        """The node if it is a scalar."""
        return node if isinstance(node, ScalarNode) else None

    def words(self, node: Node | None) -> list[ScalarNode]:
        """A scalar or a list of scalars as a list."""
        if isinstance(node, ScalarNode):
            return [node]
        return [item for item in node.items if isinstance(item, ScalarNode)] if isinstance(node, ListNode) else []

    # --- types --------------------------------------------------------------------------------------------------------
    def face_of(self, piece: Type | None, face: Type | None) -> str | None:
        """What a piece of one type calls its face, if the other type is that of its faces."""
        if not isinstance(piece, EntityType) or not isinstance(face, EntityType):
            return None
        kind = self.kinds[face.kind]
        return kind.called if kind.faces_of is not None and kind.faces_of is self.kinds[piece.kind] else None

    def default_of(self, t: Type) -> ir.Value:
        """What a variable of a type holds before anything is said."""
        match t:
            case BoolType():
                return False
            case IntType(low=low, high=high):
                if low is not None and low > 0:
                    return low
                return high if high is not None and high < 0 else 0
            case EntityType():
                return 0
            case SetType() | ListType():
                return ()
            case BagType(kind=kind):
                return (0,) * len(self.kinds[kind].members)
            case OptionType():
                return None
            case RecordType(fields=parts):
                return tuple(self.default_of(part) for _, part in parts)
            case TextType():
                return ""
            case NoneType() | EmptyType() | RankedType() | VarType() | ManyType() | UnknownType():
                return None  # nothing is declared as these
            case _:
                assert_never(t)

    def text_value(self, text: ir.Text) -> ir.Expr:
        """A text as a value: its words, with a printer for each place that is filled in, and what fills them."""
        form: list[str | int] = []
        values: list[ir.Expr] = []
        for part in text.parts:
            if isinstance(part, str):
                form.append(part)
                continue
            value, t = part
            values.append(value)
            form.append(FILLED_IN if t == types.TEXT else self.printers.setdefault(t, len(self.printers)))
        return ir.Op("text", (ir.Const(tuple(form)), *values)) if values else ir.Const("".join(map(str, form)))

    def type_of(self, t: Type) -> ir.Type:
        """The type in the program.  Bounds of numbers are left out: only stores and calls hold a number to them."""
        match t:
            case BoolType():
                return types.BOOL
            case IntType():
                return types.INT
            case EntityType(kind=kind):
                return types.entity(self.kinds[kind].index)
            case SetType(item=item):
                most = len(self.kinds[item.kind].members) if isinstance(item, EntityType) else None
                return types.set_of(self.type_of(item), most)
            case ListType(item=item):
                return types.list_of(self.type_of(item))
            case BagType(kind=kind):
                return types.bag(self.kinds[kind].index)
            case OptionType(item=item):
                return types.option(self.type_of(item))
            case RecordType(fields=parts):
                return ir.Type(
                    "record", parts=tuple(self.type_of(p) for _, p in parts), names=tuple(n for n, _ in parts)
                )
            case TextType():
                return types.TEXT
            case NoneType():
                return types.NONE
            case EmptyType():
                return types.set_of(types.INT, 0)
            case RankedType() | VarType() | ManyType() | UnknownType():
                return types.ANY  # of signatures, or reported: nothing of these is in a program
            case _:
                assert_never(t)

    def kept_as(self, t: Type) -> ir.Type:
        """The type of a variable of the state: its numbers are within their bounds, since every store sees to that."""
        match t:
            case IntType(low=low, high=high):
                return types.number(low, high)
            case OptionType(item=item):
                return types.option(self.kept_as(item))
        return self.type_of(t)

    def local_types(self, env: Env) -> tuple[ir.Type, ...]:
        """The types of the locals of a procedure or function."""
        return tuple(t if isinstance(t, ir.Type) else self.type_of(t) for t in env.frame.types)

    def add_function(self, name: str, parameters: int, env: Env, body: ir.Expr, t: Type, where: Span | None) -> int:
        """A function of the program, compiled in an environment; its number."""
        function = ir.Function(name, parameters, self.local_types(env), body, where, self.type_of(t))
        self.out_functions.append(function)
        return len(self.out_functions) - 1

    def name_of_type(self, name: str, span: Span) -> Type:
        """The type that a bare name stands for."""
        match name:
            case "Number":
                return INT
            case "Text":
                return TEXT
            case "Yes or no":
                return BOOL
            case "Player":
                return PLAYER
        if name in self.kinds:
            self.used.add(name)
            return EntityType(name)
        if name in self.views:
            self.used.add(name)
            return EntityType(self.views[name].kind.name, name)
        names = [*self.kinds, *self.views, "Number", "Text", "Yes or no"]
        declared = "Yes or no" if name in ("yes", "no", "true", "false") else "Player" if name in self.seats() else ""
        hint = (
            f"a variable is declared by its type, {ticked(declared)}; what it is at the beginning stands under `starts`"
            if declared
            else ""
        )
        plain = {
            "boolean": "Yes or no",
            "bool": "Yes or no",
            "integer": "0..9",
            "int": "0..9",
            "string": "Text",
            "str": "Text",
        }.get(name.casefold())
        hint = f"it is written {ticked(plain)}" if plain else hint
        if name in get_args(syntax.Ctor):
            hint = f"say of what: {ticked(f'{name} of Card')}, with a type in place of `Card`"
        self.unknown("E101", "type", name, span, () if hint else names, hint=hint)
        return UNKNOWN

    def located(self, kind: symbols.Kind, first: symbols.Kind) -> ir.Expr | None:
        """The rows of a table from a location to the member of `first` whose zone it is; None if there are no such zones."""
        rows: list[tuple[ir.Value, ir.Value]] = []
        for zone in self.zones:
            if zone.kind is kind and zone.per and zone.per[0] is first:
                stride = zone.size // len(first.members)
                rows.extend((zone.base + i, i // stride) for i in range(zone.size))
        return ir.Const(tuple(rows)) if rows else None

    def size_of(self, kind: symbols.Kind) -> ir.Expr:
        """How many members a kind has in this game."""
        self.wholes.add(kind.name)
        return ir.Setting("players") if kind.what == "player" else ir.Const(len(kind.members))

    def members_of(self, kind: symbols.Kind) -> ir.Expr:
        """All members of a kind, as a set."""
        self.wholes.add(kind.name)
        if kind.what == "player":
            return ir.Op("seats", (ir.Setting("players"),))
        return ir.Const(tuple(range(len(kind.members))))


def subject(code: str, what: str, name: str, cures: Sequence[str]) -> str:
    """What a finding about a missing name is about: one name may be missing as a value and as a type.

    Elsewhere the cure may depend on what stands there, as that of `increase: n` does: only those with one cure are the same.
    """
    return name if code in ("E100", "E101") else " ".join((code, what, name, *cures))


def known(t: Type) -> bool:
    """Whether the type is one that has not been reported."""
    return not isinstance(t, UnknownType)
