"""What the answers of a question mean: the things that they point at, their numbers, the beginnings of their names."""

from __future__ import annotations

from typing import Any, NamedTuple

from interpreter import Choice
from interpreter.selection import ENOUGH, NOT_TOGETHER, PICKED
from rulespec.system.records import dataclass
from rulespec.text.numbers import whole

from ..answers import folded, keys, numbered, words
from .sheet import Meant

Data = dict[str, Any]
BY_OTHERS = (PICKED, ENOUGH, NOT_TOGETHER)  # why an item may not be added now, though it may be part of an answer
SAID = "said"  # the zone of a thing that is only named: in the log, in a counter


class Verb(NamedTuple):
    """What can be done with a thing: in words, with the answers that do it, or why it cannot be done."""

    text: str
    actions: tuple[int, ...]
    legal: bool = True
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Pointed:
    """Where an answer points: its things, the zones in which they are meant, and whether it is a button all the same."""

    things: tuple[str, ...]
    spots: tuple[str, ...]
    button: bool


class Asked:
    """A decision of a view; `ahead` is what `State.ahead` says of it, when that is known."""

    def __init__(self, decision: Data | None, ahead: Data | None = None) -> None:
        self.decision: Data = decision or {"prompt": "", "options": []}
        self.ahead: Data = ahead or {}
        self.there = decision is not None
        self.every: list[Choice] = []  # with those that are the same as one before
        self.choices: list[Choice] = []  # as people are shown them
        self.points: dict[int, Pointed] = {}
        self.by_thing: dict[str, list[Choice]] = {}
        for option in self.decision["options"]:
            self.add(option)
        self.legal = numbered(self.choices)
        self.collected: Data | None = self.decision.get("collected")
        numbers = self.legal
        if self.tray:  # what is picked keeps its number, so that the others keep theirs
            numbers = [choice for choice in self.choices if choice.legal or choice.why in BY_OTHERS]
        self.keys = dict(zip((choice.action for choice in numbers), keys(numbers), strict=True))
        self.numbers = {key: choice for choice, key in zip(numbers, keys(numbers), strict=True)}

    def add(self, option: Data) -> None:
        """Take in an option of the view."""
        choice = Choice(
            option["action"],
            option["name"],
            str(option.get("text", option["name"])),
            option.get("legal", True),
            option.get("why"),
        )
        things = tuple(option.get("things", ()))
        self.points[choice.action] = Pointed(things, tuple(option.get("spots", ())), bool(option.get("button")))
        self.every.append(choice)
        if not option.get("again"):
            self.choices.append(choice)
        if not option.get("button"):
            for thing in things:
                self.by_thing.setdefault(thing, []).append(choice)

    @property
    def tray(self) -> bool:
        """Whether a set is collected, so that items can be put in and taken out again."""
        return self.collected is not None and self.collected["what"] == "set"

    @property
    def full(self) -> bool:
        """Whether a set has all that it may have."""
        return self.collected is not None and bool(self.collected.get("full"))

    @property
    def numeric(self) -> bool:
        """Whether it is asked for a number, of which there are several."""
        return len(self.legal) > 1 and all(whole(choice.name) is not None for choice in self.legal)

    def is_in_tray(self, choice: Choice) -> bool:
        """Whether an item is picked already."""
        return self.tray and choice.why == PICKED

    def choice(self, action: int) -> Choice | None:
        """The option of an action."""
        return next((choice for choice in self.every if choice.action == action), None)

    # --- pointing ----------------------------------------------------------------------------------------
    def meant_by(self, meant: Meant) -> list[Choice]:
        """The options, legal or not, that pointing at something means."""
        if meant.action is not None:
            choice = self.choice(meant.action)
            return [] if choice is None else [choice]
        if meant.thing is None or meant.zone == SAID:
            return []
        out = []
        for choice in self.by_thing.get(meant.thing, ()):
            spots = self.points[choice.action].spots
            if not spots or meant.zone is None or meant.zone in spots:
                out.append(choice)
        return out

    def verbs(self, meant: Meant) -> list[Verb]:
        """All that can be done by pointing at something, and what cannot be done there."""
        verbs = [
            Verb(choice.text, (choice.action,), choice.legal or self.is_in_tray(choice), choice.why)
            for choice in self.meant_by(meant)
        ]
        if meant.thing is not None and meant.zone != SAID and meant.action is None:
            for said in self.ahead.get(meant.thing, ()):
                spots = said.get("spots", ())
                if not spots or meant.zone is None or meant.zone in spots:
                    verbs.append(Verb(said["text"], tuple(said.get("actions", ())), "why" not in said, said.get("why")))
        return verbs

    def is_legal(self, meant: Meant) -> bool:
        """Whether pointing at something answers."""
        return any(verb.legal for verb in self.verbs(meant))

    def is_refused(self, meant: Meant) -> bool:
        """Whether pointing at something would answer, but may not."""
        verbs = self.verbs(meant)
        return bool(verbs) and not any(verb.legal for verb in verbs)

    def is_picked(self, meant: Meant) -> bool:
        """Whether something lies in the tray."""
        return any(self.is_in_tray(choice) for choice in self.meant_by(meant))

    def key(self, meant: Meant) -> str:
        """The number to type for something, if it has one."""
        legal = [choice for choice in self.meant_by(meant) if choice.legal]
        return self.keys.get(legal[0].action, "") if len(legal) == 1 else ""

    # --- typing ----------------------------------------------------------------------------------------
    def begun(self, text: str) -> list[Choice]:
        """The options whose number, name or text begins so, the legal ones first; where none does, those that have it within."""
        wanted = folded(text)
        if not wanted:
            return []
        if whole(wanted) is not None:
            return [choice for key, choice in self.numbers.items() if key.startswith(wanted)]
        near = [choice for choice in self.choices if any(word.startswith(wanted) for word in words(choice))]
        near = near or [choice for choice in self.choices if any(wanted in word for word in words(choice))]
        return sorted(near, key=lambda choice: not choice.legal)

    def starts(self, letter: str) -> bool:
        """Whether a legal option's name or text begins with a letter."""
        wanted = folded(letter)
        return bool(wanted) and any(word.startswith(wanted) for choice in self.legal for word in words(choice))

    def settled(self, number: str) -> Choice | None:
        """The option of a typed number that no longer number begins with."""
        if whole(number) is None:
            return None
        longer = any(key != number and key.startswith(number) for key in self.numbers)
        return None if longer else self.numbers.get(number)

    # --- what is refused -------------------------------------------------------------------------------
    def refusals(self) -> dict[str, list[str]]:
        """Why options are not legal, with the options of each reason."""
        out: dict[str, list[str]] = {}
        for choice in self.choices:
            enough = self.tray and not self.points[choice.action].things  # `done`, which says itself when it may be
            enough = enough or (self.full and choice.why == ENOUGH)
            if not choice.legal and not self.is_in_tray(choice) and not enough:
                out.setdefault((choice.why or "not now").replace(choice.text, "…"), []).append(choice.text)
        return out
