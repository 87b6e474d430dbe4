"""A game that was played, walked through forwards and back."""

from __future__ import annotations

from typing import Any

from interpreter import CHANCE, EVERYTHING, State

from ..steps import positions
from .sheet import Meant
from .stage import Stage

AUTOMATIC = 1.0  # seconds from one step to the next


class WatchApp(Stage):
    """The positions of a game, one after the other, as one viewer sees them."""

    def __init__(self, end: State, viewer: int | None = EVERYTHING, system: str | None = None, at: int = 0) -> None:
        super().__init__(system)
        self.viewer = viewer
        self.states = positions(end)
        self.at = max(0, min(at, len(self.states) - 1))
        self.running = False

    def begin(self) -> None:
        """Show the first position."""
        self.set_interval(AUTOMATIC, self.tick)
        self.go(0)

    def go(self, step: int) -> None:
        """So many positions on, or back."""
        self.at = max(0, min(len(self.states) - 1, self.at + step))
        state = self.states[self.at]
        status = f"Step {self.at} of {len(self.states) - 1}"
        if state.is_terminal():
            status += "; the game is over"
        elif not state.is_chance_node():
            asked = ", ".join(state.game.seat_labels[seat] for seat in state.pending_players())
            status += f"; to act: {asked}"
        self.show(state.table(self.viewer), status, ask=False)

    def log_lines(self) -> list[str]:
        """All lines of the log up to here that the one who looks may read."""
        return self.states[self.at].log_lines(self.viewer)

    def written(self, meant: Meant) -> dict[str, Any] | None:
        """What can be read about a thing."""
        return self.states[self.at].game.about(self.shown.view, meant.thing) if meant.thing else None

    def turn(self, way: int) -> None:
        """On, or back, to the next position at which somebody else is asked."""
        start = self.states[self.at].current_player()
        while 0 <= self.at + way < len(self.states):
            self.at += way
            if self.states[self.at].current_player() not in (start, CHANCE):
                break
        self.go(0)

    def tick(self) -> None:
        """One step on, if it runs by itself."""
        if self.running and len(self.screen_stack) == 1:
            self.go(1)
            self.running = self.at < len(self.states) - 1

    async def pressed(self, key: str, character: str | None) -> None:
        """Arrows go from position to position."""
        match key:
            case "right" | "enter":
                self.go(1)
            case "left" | "backspace":
                self.go(-1)
            case "down" | "pagedown":
                self.turn(1)
            case "up" | "pageup":
                self.turn(-1)
            case "home":
                self.go(-len(self.states))
            case "end":
                self.go(len(self.states))
            case "space":
                self.running = not self.running
            case "escape":
                self.exit("left")
            case _:
                await super().pressed(key, character)

    def hints(self) -> list[tuple[str, str]]:
        """The keys of the last line."""
        return [("← →", "step"), ("↑ ↓", "turn"), ("Home End", "first, last"), ("Space", "by itself"), ("Tab", "look about"),
                ("i", "look"), ("l", "log"), ("m", "table"), ("q", "leave")]  # fmt: skip
