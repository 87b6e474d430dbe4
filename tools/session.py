"""A game that people and bots play together, as every front end plays it: who answers next, what people have picked, saves.

It prints nothing and asks nobody; what a front end shows of it is `Session.table`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import InitVar, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter import CHANCE, Game, IllegalAction, State
from interpreter.bots import Crew, RandomBot
from interpreter.copies import shown_once, standing_for
from interpreter.counting import Counting
from interpreter.position import illegal
from interpreter.selection import PICKED, Selection
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import RulespecError
from rulespec.text.numbers import whole

from . import console
from .answers import Unclear, find, numbered, why_not
from .guarding import guard_game
from .playouts import Dice

if TYPE_CHECKING:
    from interpreter import Choice, Decision

    from .bots import Seating
    from .casebook.recording import Recording

SENTENCE = re.compile(r"(?<=[.?!;]) (?=[A-Z])")
CONTINUES = "the game goes on, and each answer tries again"


@dataclass(eq=False)
class Session:
    """A game with its bots: seats that are in `people` are asked, the crew has the others."""

    game: Game
    state: State
    people: set[int]
    bot_seed: int
    save: Path | None = None
    seating: InitVar[Seating | None] = None
    loaded: Path | None = None
    # Of several items, those that the rules do not know of yet.
    picked: dict[int, tuple[Any, ...]] = field(init=False, default_factory=dict)
    unsaved: bool = field(init=False, default=False)  # the last answer could not be saved
    recording: Recording | None = field(init=False, default=None)  # where cases may be written of what is played

    def __post_init__(self, seating: Seating | None) -> None:
        bots = dict.fromkeys(range(self.game.num_players), RandomBot(self.bot_seed))
        self.crew = Crew(bots) if seating is None else seating.crew(self.bot_seed)
        self.dice = Dice(self.bot_seed)
        self.files = {path.absolute() for path in (self.save, self.loaded) if path is not None}  # those of this game

    def tell(self, text: str) -> None:
        """A message about the game, not of it: a front end says where it goes."""
        console.message(text)

    # --- whose turn it is -----------------------------------------------------------------------------
    def mover(self) -> int | None:
        """Chance, or the seat of a bot, that is to answer now; None where only people can go on, or nobody."""
        state = self.state
        if state.is_terminal():
            return None
        if state.is_chance_node():
            return CHANCE
        self.crew.watch(state)
        return next((seat for seat in state.pending_players() if seat not in self.people), None)

    def waiting(self) -> list[int]:
        """The people who are asked."""
        if self.state.is_terminal() or self.state.is_chance_node():
            return []
        return [seat for seat in self.state.pending_players() if seat in self.people]

    def choose(self, seat: int) -> int:
        """The answer of chance or of a bot, which may think for some time; raises Fault."""
        return self.dice.throw(self.state) if seat == CHANCE else self.crew.choose(self.state, seat)

    def answer(self, action: int, seat: int) -> None:
        """Give an answer to the rules, and save; raises IllegalAction and Fault."""
        self.state.apply_action(action, None if seat == CHANCE else seat)
        self.keep()

    # --- what people are asked ------------------------------------------------------------------------
    def selection(self, seat: int) -> Selection | None:
        """What a person has picked of several, where several are chosen."""
        return Selection.of(self.state, seat, self.picked.get(seat, ()))

    def decision(self, seat: int) -> Decision:
        """What a person is asked: of several, every item that may still be part of the answer, in whatever order they are picked."""
        selection, question = self.selection(seat), self.state.question(seat)
        decision = self.state.decision(seat) if selection is None else selection.decision
        return decision if question is None else replace(decision, options=shown_once(question, decision.options))

    def forced(self, seat: int) -> Choice | None:
        """The only answer that a person has, where being asked tells nothing."""
        decision = self.decision(seat)
        legal = numbered(decision.options)
        return legal[0] if len(legal) == 1 and not decision.secret and not self.picked.get(seat) else None

    def table(self, viewer: int | None) -> dict[str, Any]:
        """`State.table`, with what is picked, `full` where it may be given, and `again` at options that are the same as one before."""
        view = self.state.table(viewer)
        question = None if viewer is None or viewer < 0 else self.state.question(viewer)
        if view["decision"] is not None and viewer is not None and question is not None:
            asked: Sequence[Choice] = self.state.decision(viewer).options
            if (selection := self.selection(viewer)) is not None:
                asked = selection.decision.options
                lay_over(view["decision"], selection)
            first = standing_for(question, asked)
            for option in view["decision"]["options"]:
                if first.get(option["action"], option["action"]) != option["action"]:
                    option["again"] = True
        return view

    # --- what people answer ---------------------------------------------------------------------------
    def take(self, option: Choice, seat: int, at_once: bool = True) -> None:
        """Do what an option says; `at_once` gives a choice of several to the rules when nothing can be added any more."""
        selection = self.selection(seat)
        if selection is None:
            self.answer(option.action, seat)
        else:
            self.pick(selection.adding(option), at_once)

    def act(self, action: int, seat: int, at_once: bool = True) -> None:
        """The same for the option of an action; raises IllegalAction."""
        selection = self.selection(seat)
        if selection is None:
            self.answer(action, seat)
        else:
            option = next((option for option in selection.decision.options if option.action == action), None)
            if option is None:
                raise illegal(str(action), None)
            self.pick(selection.adding(option), at_once)

    def pick(self, selection: Selection, at_once: bool = True) -> None:
        """Keep what is picked; give it to the rules where it is whole and shall be given."""
        if selection.enough or (at_once and selection.over):
            self.give(selection)
        else:
            self.picked[selection.seat] = selection.picked

    def give(self, selection: Selection) -> None:
        """Answer the rules with all that is picked."""
        state, seat = self.state.clone(), selection.seat
        selection.give(state, lambda action: state.apply_action(action, seat))
        self.picked.pop(seat, None)
        self.state = state
        self.keep()

    def put_back(self, action: int, seat: int) -> bool:
        """Take an item out of what is picked; whether it was there."""
        selection = self.selection(seat)
        if selection is None:
            return False
        value = dict(selection.question.candidates()).get(action)
        picked = self.picked.get(seat, ())
        if value is None or value not in picked:
            return False
        self.picked[seat] = tuple(item for item in picked if item != value)
        return True

    def counted(self, text: str, seat: int) -> bool:
        """Answer so many of each kind by their names, as in `2 captains, contessa`; whether the text says so.  Raises Unclear."""
        counting = Counting.of(self.state, seat)
        counts = None if counting is None else counting.named(text)
        if counting is None or counts is None:
            return False
        state = self.state.clone()
        try:
            counting.give(counts, state, lambda action: state.apply_action(action, seat))
        except IllegalAction as problem:
            raise Unclear(problem.diagnostic.message) from None
        self.state = state
        self.keep()
        return True

    def several(self, texts: list[str], decision: Decision) -> None:
        """Several items at once, in any order: the questions take them in their own.  Raises Unclear."""
        seat, site = decision.player, decision.site
        state, selection = self.state.clone(), self.selection(seat)
        if selection is not None:
            self.pick(adding(selection, texts, decision.options))
            return
        if self.counted("; ".join(texts), seat):
            return
        chosen = {find(text.strip(), decision.options).name for text in texts if text.strip()}
        while chosen:
            asked = state.decision(seat) if seat in state.pending_players() else None
            if asked is None or asked.site != site:
                raise Unclear(f"there was no question left for {', '.join(sorted(chosen))}")
            option = next((o for o in asked.options if o.name in chosen), None)
            if option is None:
                raise Unclear(f"{', '.join(sorted(chosen))} cannot be chosen any more")
            if not option.legal:
                raise Unclear(why_not(option))
            chosen.remove(option.name)
            state.apply_action(option.action, seat)
        self.state = state
        self.keep()

    def can_undo(self, seat: int) -> bool:
        """Whether the seat may take something back now."""
        return bool(self.picked.get(seat)) or self.before(seat) is not None

    def undo(self, seat: int) -> bool:
        """Take back the seat's last choice, and forced choices after it; whether there was one."""
        if self.picked.get(seat):
            self.picked[seat] = self.picked[seat][:-1]
            return True
        state = self.before(seat)
        if state is None:
            return False
        self.state = state
        self.keep()
        return True

    def before(self, seat: int) -> State | None:
        """The position at the seat's last choice, if that may be taken back."""
        state = self.state
        while state.can_take_back(seat):
            state = state.before_last(seat)
            decision = state.decision(seat)
            if decision.secret or len(numbered(decision.options)) > 1:
                return state
        return None

    # --- cases ----------------------------------------------------------------------------------------
    def write_case(self, name: str) -> str:
        """Begin a case of this name here, or end the one that goes on, where there is no name; what came of it, in words."""
        if self.recording is None:
            return "cases are written of a game's own rules, and not of a variant"
        if name:
            return self.recording.begin(name, self.state)
        try:
            return self.recording.end(self.game, self.state)
        except OSError as error:
            return f"no case: {console.reason(error)}"

    # --- saves ----------------------------------------------------------------------------------------
    def keep(self) -> None:
        """Save, where a file for it was named; where that fails, say so, and try again with the next answer."""
        if self.save is None:
            return
        try:
            self.state.save_to(self.save)
        except (OSError, RulespecError) as error:
            if not self.unsaved:
                why = console.reason(error) if isinstance(error, OSError) else str(error)
                self.tell(f"not saved: {console.printable(why)}; {CONTINUES}")
            self.unsaved = True
        else:
            if self.unsaved:
                self.tell("saved again")
            self.unsaved = False

    def save_to(self, name: str) -> str:
        """Save where somebody said, or where the game is saved anyway; what came of it, in words."""
        path = Path(name).expanduser() if name else self.save or Path(f"{self.game.id}.save.json")
        try:
            guard_game(path, *self.files)
            self.state.save_to(path)
        except OSError as error:
            return f"not saved: {console.printable(console.reason(error))}"
        except RulespecError as error:
            return f"not saved: {error}"
        self.files.add(path.absolute())
        return f"saved to {console.printable(str(path))}"


def lay_over(decision: dict[str, Any], selection: Selection) -> None:
    """Show in a decision what is picked, and what may still be."""
    asked = {option.action: option for option in selection.decision.options}
    actions = {value: action for action, value in selection.question.candidates()}
    shown = {option["action"]: option for option in decision["options"]}
    for action, option in shown.items():
        now = asked[action]
        option.pop("legal", None)
        option.pop("why", None)
        if not now.legal:
            option["legal"] = False
        if now.why is not None:
            option["why"] = now.why
    if selection.over:
        decision["collected"]["full"] = True
    for value in selection.picked:
        option = shown[actions[value]]
        item = {"text": option.get("text", option["name"])}
        if option.get("things"):
            item["thing"] = option["things"][0]
        decision["collected"]["chosen"].append(item)


def adding(selection: Selection, texts: list[str], shown: Sequence[Choice]) -> Selection:
    """The selection with the items that are named, or numbered as they were `shown`, each once; raises Unclear."""
    for text in filter(None, map(str.strip, texts)):
        named = find(text, shown).name if whole(text) is not None else text
        option = find(named, selection.decision.options)
        if option.legal:
            selection = selection.adding(option)
        elif option.why != PICKED:
            raise Unclear(why_not(option))
    return selection


def answered(decision: Decision, text: str) -> str:
    """The last sentence of a question with its answer, as people would say it: `Which army? The first`, `Play a card: red 7`."""
    prompt = uncounted(decision)
    prompt = SENTENCE.split(prompt)[-1]
    return f"{prompt} {text}" if prompt.endswith(("?", "!", ".")) else f"{prompt}: {text}"


def uncounted(decision: Decision) -> str:
    """A question without how many of several are chosen."""
    prompt = decision.prompt.strip().rstrip(":")
    several = decision.collected is not None and decision.collected.what == "set"
    return prompt.rpartition(" (")[0] if several else prompt
