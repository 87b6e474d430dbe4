"""Questions: who is asked what now, which answers there are, and why some are refused.

A question is derived from the control stack; nothing of it is part of a position.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.chance import Lottery
from interpreter.closures import Compiler, Fn, Locals, Slots
from interpreter.faults import Fault, Problem
from interpreter.texts import Printing, Template
from interpreter.visibility import Viewer
from interpreter.windows import instance
from rulespec import ir
from rulespec.library.errors import DomainError

if TYPE_CHECKING:
    from interpreter.machine import Frame, Machine

Test = tuple[Fn, Template]
# What a value of the wrong form makes Python raise; a fault, so that nobody sees a traceback.
BROKEN = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Choice:
    """A candidate: its action, canonical name, label, and whether (or why not) it is legal."""

    action: int
    name: str
    text: str
    legal: bool
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player is asked: the site of the rules, the prompt, and all candidates in order."""

    player: int
    site: str
    prompt: str
    options: tuple[Choice, ...]
    secret: bool = False  # to be put even with one answer: being asked tells something
    move: int | None = None  # a stage of a move of several stages: which move

    @property
    def legal(self) -> tuple[Choice, ...]:
        """The options that may be chosen."""
        return tuple(option for option in self.options if option.legal)


class OptionCode:
    """What a rule adds to a menu."""

    def __init__(self, rule: ir.Rule, compiler: Compiler, printing: Printing) -> None:
        assert rule.option is not None
        self.rule = rule
        self.printing = printing
        compiler.top = 0
        self.text = Template(rule.option.text, compiler, printing)
        self.tests = tests(rule.option.reasons, compiler, printing)
        self.width = compiler.top

    def locals(self, piece: Any, arguments: tuple[Any, ...]) -> Locals:
        """The locals that its text and reasons read."""
        known = [*instance(piece), *arguments]
        return [*known, *[None] * (self.width - len(known))]


def tests(reasons: Iterable[ir.Reason], compiler: Compiler, printing: Printing) -> list[Test]:
    """Reasons, compiled."""
    return [(compiler.expr(r.test), Template(r.why, compiler, printing)) for r in reasons]


class SiteCode:
    """A site, compiled; its functions read the locals of the frame that asks, and `item`."""

    def __init__(self, site: ir.Site, machine: Machine) -> None:
        compiler, printing = machine.compiler, machine.printing
        self.machine = machine
        self.site = site
        compiler.top = site.item + 1
        self.player = compiler.expr(site.player)
        self.items = compiler.expr(site.items)
        self.prompt = Template(site.prompt, compiler, printing)
        self.tests = tests(site.reasons, compiler, printing)
        self.checks = tuple(test for test, _ in self.tests)
        self.shown = None if site.shown is None else Template(site.shown, compiler, printing)
        self.arguments = compiler.exprs(site.arguments)
        self.branches = [
            (b.name, Template(b.text, compiler, printing), tests(b.reasons, compiler, printing)) for b in site.branches
        ]
        self.menu = bool(site.branches) or bool(site.arguments)
        self.open = any(machine.options) and site.printer.what not in (*PLAIN, "entity", "bool")
        self.none = site.none
        if site.none is not None:
            self.none_text = Template(site.none.text, compiler, printing)
            self.none_tests = tests(site.none.reasons, compiler, printing)
        self.width = compiler.top

    def is_rule(self, value: Any) -> bool:
        """Whether a candidate is a pair (rule, piece) of a menu."""
        return isinstance(value, tuple) and self.site.printer.what not in PLAIN

    def failing(self, S: Slots, L: Locals, value: Any) -> tuple[Template, Locals] | None:
        """The first reason against a candidate, with the locals that its text reads."""
        if value is None and self.none is not None:
            return first(S, L, self.none_tests)
        L[self.site.item] = value
        found = first(S, L, self.tests)
        if found is None and (self.menu or self.is_rule(value)):
            if isinstance(value, int):
                found = first(S, L, self.branches[value][2]) if self.branches else None
            else:
                option, own = self.option(S, L, value)
                found = first(S, own, option.tests)
        return found

    def option(self, S: Slots, L: Locals, value: Any) -> tuple[OptionCode, Locals]:
        """What a menu's candidate (rule, piece) stands for."""
        option = self.machine.options[value[0]]
        if option is None:
            raise Problem("R020", f"rule {self.machine.program.rules[value[0]].name} has no option")
        return option, option.locals(value[1], tuple(a(S, L) for a in self.arguments))

    def candidates(self, items: tuple[Any, ...]) -> list[tuple[int, Any]]:
        """(action, value) of every candidate, the none option last."""
        site = self.site
        if site.code == "value":
            found = [(value - site.low, value) for value in dict.fromkeys(items)]
        else:
            found = list(enumerate(dict.fromkeys(items)))
        if self.none is not None:
            found.append((site.size if site.code == "value" else len(found), None))
        return found

    def legal(self, S: Slots, L: Locals, items: tuple[Any, ...]) -> dict[int, Any]:
        """The legal actions and what they answer, in ascending order of the actions."""
        candidates = self.candidates(items)
        if self.menu or (self.open and any(map(self.is_rule, items))):
            found = [one for one in candidates if self.failing(S, L, one[1]) is None]
        else:
            if self.none is not None:
                willing = candidates.pop()
            checks, item = self.checks, self.site.item
            if not checks:
                found = candidates
            elif len(checks) == 1:
                found = []
                check = checks[0]
                for one in candidates:
                    L[item] = one[1]
                    if check(S, L):
                        found.append(one)
            else:
                found = []
                for one in candidates:
                    L[item] = one[1]
                    for check in checks:
                        if not check(S, L):
                            break
                    else:
                        found.append(one)
            if self.none is not None and first(S, L, self.none_tests) is None:
                found.append(willing)
        if self.site.code == "value":
            found.sort(key=lambda one: one[0])
        return dict(found)


# Printers of tuples that are no pair (rule, piece) of a menu.
PLAIN = ("set", "list", "bag", "record", "option")


def first(S: Slots, L: Locals, reasons: list[Test]) -> tuple[Template, Locals] | None:
    """The first reason that does not hold."""
    for test, why in reasons:
        if not test(S, L):
            return why, L
    return None


class Question:
    """A player's part of the pending decision."""

    __slots__ = ("child", "frame", "items", "legal", "machine", "queue", "seat", "site", "where")

    def __init__(self, machine: Machine, S: Slots, frame: Frame, seat: int | None = None) -> None:
        self.machine = machine
        self.frame = frame
        self.child: int | None = None
        point = machine.points[frame[0]]
        instruction = point.instruction
        self.where = instruction.where
        self.queue: Any = None
        if isinstance(instruction, ir.NextRule) and instruction.arrange is not None:
            self.site = site = machine.sites[instruction.arrange]
            L = self.locals()
            self.queue = L[instruction.live]
            args = machine.codes[point.code.index].operands[point.position][1]
            seat, self.items = machine.windows.tied(S, self.queue, tuple(a(S, L) for a in args))
        elif isinstance(instruction, ir.Ask):
            self.site = site = machine.sites[instruction.site]
            L = self.locals()
            if seat is None:
                seat = site.player(S, L)
            self.items = site.items(S, L)
        else:
            raise Problem("R020", "the frame on top does not ask anybody")
        if seat is None or not 0 <= seat < machine.program.players:
            raise Problem("R016", f"there is no player {seat} to ask", site.site.where)
        self.seat: int = seat
        self.legal = site.legal(S, L, self.items)
        if not self.legal:
            name = machine.program.kinds[machine.program.player_kind].members[seat]
            span = self.where or site.site.where
            raise Problem("R008", f"{name} has nothing to choose for `{site.site.name}`", span)

    def locals(self) -> Locals:
        """The locals of the frame that asks, with room for what the site binds."""
        known = self.frame[2:]
        return [*known, *[None] * (self.site.width - len(known))]

    def candidates(self) -> list[tuple[int, Any]]:
        """(action, value) of every candidate."""
        return self.site.candidates(self.items)

    def name(self, value: Any) -> str:
        """The canonical name of a candidate."""
        site = self.site
        if value is None and site.none is not None:
            return site.none.name
        if self.queue is not None:
            return self.rule_name(self.queue[value])
        if site.is_rule(value):
            return self.rule_name(value)
        if site.branches and isinstance(value, int):
            branch: str = site.branches[value][0]
            return branch
        return self.machine.printing.name(site.site.printer, value)

    def rule_name(self, entry: Any) -> str:
        """`rule`, or `rule.piece`."""
        rule: ir.Rule = self.machine.program.rules[entry[0]]
        name = rule.name.rpartition(".")[2] if rule.option is None else rule.option.name
        args = instance(entry[1])
        if not args:
            return name
        if rule.kind is not None and len(args) == 1:
            return f"{name}.{self.machine.program.kinds[rule.kind].members[args[0]]}"
        return ".".join([name, *map(self.machine.printing.name, rule.printers, args)])

    def text(self, S: Slots, L: Locals, value: Any, viewer: Viewer) -> str:
        """The label of a candidate."""
        site = self.site
        if value is None and site.none is not None:
            return site.none_text.render(S, L, viewer)
        L[site.site.item] = value
        if self.queue is not None or site.is_rule(value):
            entry = value if self.queue is None else self.queue[value]
            option: OptionCode | None = self.machine.options[entry[0]]
            if option is None:
                return self.rule_label(entry)
            own = tuple(a(S, L) for a in site.arguments)
            return option.text.render(S, option.locals(entry[1], own), viewer)
        if site.branches and isinstance(value, int):
            branch: Template = site.branches[value][1]
            return branch.render(S, L, viewer)
        if site.shown is not None:
            return site.shown.render(S, L, viewer)
        sight, printer = self.machine.sight, site.site.printer
        masks = sight.masks(S, printer, value)
        return self.machine.printing.label(printer, value, masks, sight.bits(viewer))

    def rule_label(self, entry: Any) -> str:
        rule = self.machine.program.rules[entry[0]]
        name: str = rule.name.replace("_", " ")
        args = instance(entry[1])
        if rule.kind is not None and len(args) == 1:
            return f"{name} ({self.machine.program.kinds[rule.kind].labels[args[0]]})"
        return name

    def why(self, S: Slots, L: Locals, value: Any, viewer: Viewer) -> str | None:
        """Why a candidate is refused; None if it is legal."""
        found = self.site.failing(S, L, value)
        if found is None:
            return None
        reason: Template = found[0]
        return reason.render(S, found[1], viewer)

    def decision(self, S: Slots, viewer: Viewer) -> Decision:
        """The question with all its candidates, as a viewer may read it."""
        L = self.locals()
        options = []
        for action, value in self.candidates():
            legal = action in self.legal
            why = None if legal else self.why(S, L, value, viewer)
            text = self.text(S, L, value, viewer)
            options.append(Choice(action, self.name(value), text, legal, why))
        prompt = self.site.prompt.render(S, self.locals(), viewer)
        site = self.site.site
        return Decision(self.seat, site.name, prompt, tuple(options), site.secret, site.move)


class Pending:
    """The pending decision: questions by seat, or a lottery, or nothing when the game is over.

    `participants` are the seats of sealed choices, those that have answered included.
    """

    __slots__ = ("chance", "draw", "participants", "questions")

    def __init__(self) -> None:
        self.questions: tuple[Question, ...] = ()
        self.participants: tuple[int, ...] = ()
        self.chance: Lottery | None = None
        self.draw: ir.Draw | None = None

    def of(self, seat: int) -> Question | None:
        """The question that a seat has to answer."""
        for question in self.questions:
            if question.seat == seat:
                return question
        return None


OVER = Pending()


def pending(machine: Machine, S: Slots, before: Pending = OVER) -> Pending:
    """The pending decision of a position; raises Fault where nobody could answer it.

    Sealed choices that are as they were `before` are taken from there.
    """
    frame = S[ir.CONTROL]
    if frame is None:
        return OVER
    machine.compiler.refuel()
    point = machine.points[frame[0]]
    try:
        return _pending(machine, S, frame, before)
    except Problem as problem:
        found = problem
    except DomainError as error:
        found = Problem(error.code, str(error))
    except BROKEN as error:
        found = Problem("R020", f"a value has the wrong form: {error}")
    fault: Fault = machine.fault(found, point.code, point.position, frame[1])
    raise fault


def _pending(machine: Machine, S: Slots, frame: Frame, before: Pending) -> Pending:
    point = machine.points[frame[0]]
    instruction = point.instruction
    new = Pending()
    if isinstance(instruction, ir.Draw):
        _, items, weights = point.code.operands[point.position]
        L = [*frame[2:], *point.pad]
        new.draw = instruction
        new.chance = Lottery(items(S, L), None if weights is None else weights(S, L))
    elif isinstance(instruction, ir.Fork):
        children = frame[-1]
        new.participants = tuple(child[0] for child in children)
        old = {id(q.frame): q for q in before.questions}
        questions = []
        for number, (seat, waiting, _) in enumerate(children):
            if waiting is not None:
                question = old.get(id(waiting)) or Question(machine, S, waiting, seat)
                question.child = number
                questions.append(question)
        new.questions = tuple(questions)
    else:
        new.questions = (Question(machine, S, frame),)
    return new
