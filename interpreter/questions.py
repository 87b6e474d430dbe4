"""The pending decision: who is asked what, which answers there are, and why some are refused.

It is derived from the control stack; nothing of it is part of a position.  What is legal is worked out when somebody asks, by
the back end that the game is played with; texts and reasons are the reference machine's, which is made when a text is wanted.
"""

from __future__ import annotations

from itertools import repeat
from typing import Any, Literal

from interpreter.reference.machine import Machine
from interpreter.reference.sites import OptionCode, SiteCode
from interpreter.reference.templates import Template
from interpreter.runtime.chance import Lottery
from interpreter.runtime.renaming import NO_OTHERS, Renaming, renamed
from interpreter.runtime.texts import MOST_LISTED, Thing
from interpreter.runtime.values import Frame, Locals, Slots
from interpreter.runtime.visibility import Viewer
from interpreter.runtime.windows import instance
from interpreter.setup import Setup
from rulespec import ir
from rulespec.system.records import dataclass
from rulespec.text.source import Span


@dataclass(frozen=True, slots=True)
class Choice:
    """A candidate: its action, canonical name, label, whether (or why not) it is legal, and the things that it names."""

    action: int
    name: str
    text: str
    legal: bool
    why: str | None = None
    things: tuple[Thing, ...] = ()


@dataclass(frozen=True, slots=True)
class Collected:
    """What a choice of several has so far: one item each, of counts one each as well, and from how many to how many it wants.

    `what` is `set`, `order` or `counts`; of counts, `kind` is the thing whose number is asked now; those before it are settled.
    """

    what: Literal["set", "order", "counts"]
    chosen: tuple[str, ...]  # labels
    things: tuple[Thing | None, ...]  # of each; None where it is none, or is not seen
    low: int
    high: int
    kind: Thing | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player is asked: the site of the rules, the prompt, and all candidates in order."""

    player: int
    site: str
    prompt: str
    options: tuple[Choice, ...]
    secret: bool = False  # to be put even with one answer: being asked tells something
    move: int | None = None  # a stage of a move of several stages: which move
    collected: Collected | None = None  # where several are chosen, one after another

    @property
    def legal(self) -> tuple[Choice, ...]:
        """The options that may be chosen."""
        return tuple(option for option in self.options if option.legal)


class Question:
    """A player's part of the pending decision: what the frame asks on these slots."""

    __slots__ = ("_legal", "_told", "_values", "child", "frame", "seat", "setup", "slots")

    def __init__(
        self, setup: Setup, slots: Slots, frame: Frame, seat: int | None = None, child: int | None = None
    ) -> None:
        self.setup = setup
        self.slots = slots
        self.frame = frame
        self.child = child
        self.seat: int = setup.workshop.backend.seat(slots, frame) if seat is None else seat
        self._legal: dict[int, Any] | None = None
        self._told: dict[Viewer, Decision] = {}
        self._values: dict[int, Any] | None = None

    @property
    def legal(self) -> dict[int, Any]:
        """The legal actions, ascending, and what each answers; worked out once.  Raises Fault R008 if there is none."""
        actions = self._legal
        if actions is None:
            actions = self._legal = self.setup.workshop.backend.legal(self.slots, self.frame)
        return actions

    @property
    def site(self) -> ir.Site:
        """The place in the rules where it is asked."""
        site = self.setup.sites[self.frame[0]]
        assert site is not None
        return site

    # --- texts, by the reference machine ---------------------------------------------------------------
    @property
    def machine(self) -> Machine:
        """The reference machine."""
        return self.setup.machine

    @property
    def code(self) -> SiteCode:
        """The site, made ready."""
        return self.machine.site(self.frame[0])

    @property
    def queue(self) -> Any:
        """The rules that are to be arranged, None where something else is asked."""
        instruction = self.machine.points[self.frame[0]].instruction
        return self.locals()[instruction.live] if isinstance(instruction, ir.NextRule) else None

    def locals(self) -> Locals:
        """The locals of the frame that asks, with room for what the site binds."""
        return self.machine.points[self.frame[0]].locals(self.frame)

    def candidates(self) -> list[tuple[int, Any]]:
        """(action, value) of every candidate."""
        return self.code.candidates(self.machine.items(self.slots, self.frame))

    @property
    def values(self) -> dict[int, Any]:
        """What every candidate answers, legal or not, by its action; worked out once."""
        if self._values is None:
            self._values = dict(reversed(self.candidates()))
        return self._values

    def name(self, value: Any, renaming: Renaming = NO_OTHERS) -> str:
        """The canonical name of a candidate, as far as pieces stand for others with their names."""
        site, queue = self.code, self.queue
        if queue is not None and value is not None:
            return self.rule_name(queue[value], renaming)
        if site.is_rule(value):
            return self.rule_name(value, renaming)
        if not site.branches:
            value = self.standing(site.site.type, value, renaming)
        return self.machine.candidate_name(site, value)

    def standing(self, printer: ir.Type, value: Any, renaming: Renaming) -> Any:
        """A value with the pieces that stand for others."""
        return renamed(self.machine.program, printer, value, renaming) if renaming else value

    def rule_name(self, entry: Any, renaming: Renaming = NO_OTHERS) -> str:
        """`rule`, or `rule.piece`."""
        rule: ir.Rule = self.machine.program.rules[entry[0]]
        name = rule.name.rpartition(".")[2] if rule.option is None else rule.option.name
        args = instance(entry[1])
        if not args:
            return name
        if rule.kind is not None and len(args) == 1:
            piece = renaming.get(rule.kind, {}).get(args[0], args[0])
            return f"{name}.{self.machine.program.kinds[rule.kind].members[piece]}"
        shown = map(self.standing, rule.arguments, args, repeat(renaming))
        return ".".join([name, *map(self.machine.printing.name, rule.arguments, shown)])

    def text(self, L: Locals, value: Any, viewer: Viewer) -> str:
        """The label of a candidate."""
        S, site, queue = self.slots, self.code, self.queue
        if value is None and site.none is not None:
            return site.none_text.render(S, L, viewer)
        L[site.site.item] = value
        if queue is not None or site.is_rule(value):
            entry = value if queue is None else queue[value]
            option: OptionCode | None = self.machine.options[entry[0]]
            if option is None:
                return self.rule_label(entry)
            arguments = tuple(a(S, L) for a in site.arguments)
            return option.text.render(S, option.locals(entry[1], arguments), viewer)
        if site.branches and isinstance(value, int):
            branch: Template = site.branches[value][1]
            return branch.render(S, L, viewer)
        if site.shown is not None:
            return site.shown.render(S, L, viewer)
        sight, printer = self.machine.sight, site.site.type
        masks = sight.masks(S, printer, value)
        return self.machine.printing.label(printer, value, masks, sight.bits(viewer))

    def rule_label(self, entry: Any) -> str:
        rule = self.machine.program.rules[entry[0]]
        name: str = rule.name.replace("_", " ")
        args = instance(entry[1])
        if rule.kind is not None and len(args) == 1:
            return f"{name} ({self.machine.program.kinds[rule.kind].labels[args[0]]})"
        return name

    def why(self, value: Any, viewer: Viewer) -> str | None:
        """Why a candidate is refused; None if it is legal.  Raises Fault."""
        with self.machine.asking(self.frame):
            failing = self.code.failing(self.slots, self.locals(), value)
            if failing is None:
                return None
            reason: Template = failing[0]
            return reason.render(self.slots, failing[1], viewer)

    def prompt(self, viewer: Viewer) -> str:
        """What is asked, as a viewer may read it.  Raises Fault."""
        with self.machine.asking(self.frame):
            return self.code.prompt.render(self.slots, self.locals(), viewer)

    def decision(self, viewer: Viewer) -> Decision:
        """The question with all its candidates, as a viewer may read it; worked out once.  Raises Fault."""
        told = self._told.get(viewer)
        if told is None:
            told = self._told[viewer] = self.worked_out(viewer)
        return told

    def worked_out(self, viewer: Viewer) -> Decision:
        """See `decision`."""
        options = []
        candidates = self.candidates()
        with self.machine.asking(self.frame):
            L = self.locals()
            texts = [(action, value, self.text(L, value, viewer), self.name(value)) for action, value in candidates]
        for action, value, text, name in texts:
            legal = action in self.legal
            why = None if legal else self.why(value, viewer)
            options.append(Choice(action, name, text, legal, why, self.things(value, viewer)))
        site = self.site
        prompt, collected = self.prompt(viewer), self.collected(viewer)
        return Decision(self.seat, site.name, prompt, tuple(options), site.secret, site.move, collected)

    def things(self, value: Any, viewer: Viewer) -> tuple[Thing, ...]:
        """The things that a candidate names, as far as a viewer sees them."""
        site = self.site
        if value is None or self.queue is not None:
            return ()
        if not self.code.menu and not self.code.is_rule(value):
            return self.machine.printing.things(self.slots, site.type, value, viewer)
        if isinstance(value, int):
            return ()
        rule, args = self.machine.program.rules[value[0]], instance(value[1])
        printers = rule.arguments if rule.kind is None else (ir.types.entity(rule.kind),)
        pairs = zip(printers, args, strict=False)
        return tuple(thing for t, arg in pairs for thing in self.machine.printing.things(self.slots, t, arg, viewer))

    def collected(self, viewer: Viewer) -> Collected | None:
        """What a choice of several has so far, as a viewer may see it; None where one alone is chosen.  Raises Fault."""
        tray, code, printing = self.site.tray, self.code, self.machine.printing
        if tray is None or code.tray is None:
            return None
        S, kind = self.slots, None
        with self.machine.asking(self.frame):
            L = self.locals()
            chosen, high = (part(S, L) for part in code.tray)
            low = high if code.low is None else code.low(S, L)
            if code.at_hand is not None:
                kind = printing.things(S, ir.types.entity(tray.type.kind or 0), code.at_hand(S, L), viewer)[0]
        if tray.what == "counts":
            item = ir.types.entity(tray.type.kind or 0)
            chosen = tuple(member for member, n in enumerate(chosen) for _ in range(min(n, MOST_LISTED)))
        else:
            item = tray.type.parts[0]
        sight = self.machine.sight
        bits = sight.bits(viewer)
        texts = tuple(printing.label(item, one, sight.masks(S, item, one), bits) for one in chosen)
        each = (printing.things(S, item, one, viewer) for one in chosen)
        return Collected(tray.what, texts, tuple(one[0] if one else None for one in each), low, high, kind)


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

    @property
    def where(self) -> Span | None:
        """The place in the rules where the first answer is asked for."""
        if self.draw is not None:
            return self.draw.where
        return self.questions[0].site.where if self.questions else None

    def of(self, seat: int) -> Question | None:
        """The question that a seat has to answer."""
        for question in self.questions:
            if question.seat == seat:
                return question
        return None


OVER = Pending()


def pending(setup: Setup, slots: Slots, before: Pending = OVER) -> Pending:
    """The pending decision of a position; raises Fault where nobody can be asked.

    Sealed choices that are as they were `before` are taken from there.
    """
    frame = slots[ir.CONTROL]
    if frame is None:
        return OVER
    instruction = setup.program.instruction(frame[0])
    new = Pending()
    if isinstance(instruction, ir.Draw):
        new.draw = instruction
        new.chance = setup.workshop.backend.lottery(slots, frame)
    elif isinstance(instruction, ir.Fork):
        children = frame[-1]
        new.participants = tuple(child[0] for child in children)
        old = {id(q.frame): q for q in before.questions}
        new.questions = tuple(
            old.get(id(waiting)) or Question(setup, slots, waiting, seat, number)
            for number, (seat, waiting, _) in enumerate(children)
            if waiting is not None
        )
    else:
        new.questions = (Question(setup, slots, frame),)
    return new
