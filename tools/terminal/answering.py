"""Answers on the screen: by what is typed, by what the arrows stand on, by pointing; a choice of several collects in a tray."""

from __future__ import annotations

from collections.abc import Callable

from textual.timer import Timer

from interpreter import Fault, IllegalAction
from rulespec.ir.wording import joined

from ..session import Session
from ..walk import hides_something
from .asked import Verb
from .screens import Menu
from .sheet import Meant
from .stage import Stage

HOLD = 0.5  # seconds in which an answer by pointing at what only comes next can be taken back


class Answering(Stage):
    """Takes the answers of who sits at the keyboard, and gives them to a session."""

    def __init__(self, session: Session, system: str | None = None) -> None:
        super().__init__(system)
        self.session = session
        self.secrets = hides_something(session.game.program)
        self.sitting: int | None = min(session.people) if len(session.people) == 1 else None
        self.notes: dict[int, list[str]] = {}  # answers that were the only ones, to be told with the next question
        self.fault: Fault | None = None
        self.held: Verb | None = None  # an answer that is given in a moment
        self.holding: Timer | None = None
        self.busy = False  # while others play

    def go_on(self) -> None:
        """Let others play until a person is asked, or the game is over."""
        raise NotImplementedError

    def ask(self, seat: int) -> None:
        """Put the question."""
        raise NotImplementedError

    def count_on(self, by: int) -> None:
        """On to the next number, or to the one before."""
        scene = self.shown
        numbers = sorted(scene.asked.legal, key=lambda choice: int(choice.name))
        actions = [choice.action for choice in numbers]
        here = [choice.action for choice in scene.asked.meant_by(scene.focus)] if scene.focus is not None else []
        at = actions.index(here[0]) + by if here and here[0] in actions else 0
        scene.typed = ""
        scene.focus = self.place_of(actions[max(0, min(len(actions) - 1, at))])
        self.draw()

    def typing(self, text: str) -> None:
        """Show what is typed, and stand on what it begins."""
        scene = self.shown
        scene.typed = text
        near = scene.asked.begun(text)
        if near:
            scene.focus = self.place_of(near[0].action)
        self.draw()

    def place_of(self, action: int) -> Meant:
        """Where the arrows stand for an answer: on its thing, if it is on the table."""
        scene = self.shown
        for spot in self.board.sheet.spots:
            meant = spot.meant
            if meant.thing is not None and [choice.action for choice in scene.asked.meant_by(meant)] == [action]:
                return meant
        return Meant(None, None, action)

    async def typed(self, character: str) -> None:
        """A letter or a digit: a number that can be no other is taken at once."""
        scene = self.shown
        text = scene.typed + character
        choice = scene.asked.settled(text)
        if choice is not None:
            scene.typed = ""
            await self.do(Verb(choice.text, (choice.action,)))
        elif scene.asked.begun(text):
            self.typing(text)
        else:
            self.bell()
            self.typing("")
            self.say(f"No answer begins with {text}; ? says why some are not allowed")

    async def enter(self) -> None:
        """Take what is typed, or what the arrows stand on."""
        scene = self.shown
        if scene.typed:
            near = scene.asked.begun(scene.typed)
            legal = [choice for choice in near if choice.legal]
            exact = scene.asked.numbers.get(scene.typed) or next(
                (c for c in near if scene.typed.casefold() in (c.name, c.text.casefold())), None
            )
            choice = exact or (legal[0] if len(legal) == 1 else None)
            if choice is None and len(legal) > 1:
                self.say(f"Which one: {joined([one.text for one in legal[:6]])}?")
                return
            choice = choice or near[0]
            scene.typed = ""
            await self.take(Meant(None, None, choice.action))
        elif scene.asked.tray and scene.asked.full:
            self.give()
        elif scene.focus is not None:
            await self.take(scene.focus)

    def give(self) -> None:
        """The choice of several is whole."""
        seat = self.sitting
        selection = None if seat is None else self.session.selection(seat)
        if selection is not None:
            self.answer(lambda: self.session.give(selection))

    async def take(self, meant: Meant) -> None:
        """Answer by pointing; where several things can be done with one, it is asked which."""
        scene = self.shown
        if not scene.asked.there:
            return
        self.withdraw()
        verbs = scene.asked.verbs(meant)
        legal = [verb for verb in verbs if verb.legal]
        if not verbs:
            self.look(meant)
        elif not legal:
            self.bell()
            self.say("; ".join(f"{verb.text}: {verb.why or 'not now'}" for verb in verbs[:3]))
        elif len(legal) == 1 and len(verbs) == 1 and len(legal[0].actions) > 1:
            self.hold(legal[0], scene.things[meant.thing]["label"] if meant.thing in scene.things else "")
        elif len(legal) == 1 and len(verbs) == 1:
            await self.do(legal[0])
        else:
            items = [
                (verb.text if verb.legal else f"{verb.text}: {verb.why or 'not now'}", verb.legal) for verb in verbs
            ]

            async def chosen(number: int | None) -> None:
                if number is not None:
                    await self.do(verbs[number])

            title = scene.things[meant.thing]["label"] if meant.thing in scene.things else "What do you do?"
            self.push_screen(Menu(title, items), chosen)

    def hold(self, verb: Verb, label: str) -> None:
        """Give an answer in a moment: one key on a thing has answered several questions, and may have been a slip."""
        self.held = verb
        self.holding = self.set_timer(HOLD, self.give_held)
        self.say(f"{verb.text}: {label}. Enter gives it at once, Esc does not")

    async def give_held(self) -> None:
        """Give what is held."""
        verb = self.held
        self.withdraw()
        if verb is not None:
            await self.do(verb)

    def withdraw(self) -> None:
        """Give it not."""
        if self.holding is not None:
            self.holding.stop()
        if self.held is not None:
            self.held = self.holding = None
            self.say("")

    async def do(self, verb: Verb) -> None:
        """Give an answer, or put something into the tray or take it out."""
        self.withdraw()
        scene, seat = self.shown, self.sitting
        assert seat is not None
        session = self.session
        if len(verb.actions) == 1 and scene.asked.tray:
            choice = scene.asked.choice(verb.actions[0])
            collected = scene.asked.collected
            assert collected is not None
            if choice is not None and scene.asked.is_in_tray(choice):
                session.put_back(choice.action, seat)
                self.ask(seat)
                return
            if scene.asked.full and choice is not None and scene.asked.points[choice.action].things:
                self.say("That is all that may be chosen: Enter gives it, Space takes something out again")
                return
            self.answer(lambda: session.act(verb.actions[0], seat, collected["high"] == 1))
            return

        def give() -> None:
            for action in verb.actions:
                session.act(action, seat)

        self.answer(give)

    def answer(self, give: Callable[[], object]) -> None:
        """Give an answer to the rules, and go on."""
        seat = self.sitting
        assert seat is not None
        try:
            give()
        except IllegalAction as problem:
            self.say(problem.diagnostic.message)
            return
        except Fault as fault:
            self.fault = fault
            self.exit("fault")
            return
        if not self.session.picked.get(seat):
            self.notes.pop(seat, None)
        self.go_on()

    def back(self) -> None:
        """One stage back, and nothing more: what is typed, what is in the tray, a stage of a move."""
        scene = self.shown
        if scene.typed:
            self.typing("")
        elif (scene.asked.tray and self.session.picked.get(self.sitting or 0)) or scene.asked.decision.get("stages"):
            self.undo()

    def undo(self) -> None:
        """Take back a choice: of the one who is asked, or where all is open of whoever chose last."""
        seat = self.sitting
        if seat is None or self.busy:
            return
        seats = [seat, *(() if self.secrets else sorted(self.session.people - {seat}))]
        for one in seats:
            if self.session.undo(one):
                self.notes.pop(one, None)
                if self.scene is not None:
                    self.scene.focus = None
                self.sitting = one
                self.go_on()
                return
        self.say("There is nothing of yours to take back, or something was learnt since")
