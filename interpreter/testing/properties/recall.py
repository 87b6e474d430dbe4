"""Perfect recall: an information state extends the one before it, and nobody who has one has done other things before."""

from __future__ import annotations

import hashlib
from typing import Any

from interpreter.game import State
from interpreter.views.information import InformationTracker

Deeds = tuple[tuple[str, str], ...]


class Recall:
    """The information states of one game as it goes on, and what each seat has done; `met` is shared by many games.

    `met` maps a seat and an information state (its digest) to what the seat had done when it was there.
    """

    def __init__(self, state: State, met: dict[tuple[int, bytes], Deeds]) -> None:
        self.tracker = InformationTracker.start(state)
        self.deeds: list[Deeds] = [()] * state.game.num_players
        self.met = met
        self.digests: list[Any] = [(None, hashlib.sha256())] * state.game.num_players

    def after(self, before: State, state: State) -> str | None:
        """Follow one answer; what is wrong, if anything is."""
        earlier = self.tracker
        self.tracker = earlier.after(before, state)
        actor, site, _, _ = state.history[0]
        if actor >= 0:
            self.deeds[actor] += ((site, before.action_to_string(state.history[0][2], actor)),)
        for seat in range(state.game.num_players):
            if not extends(self.tracker.entries[seat], earlier.entries[seat]):
                return f"the information state of {state.seat_name(seat)} does not extend the one before"
            known = self.met.setdefault((seat, self.digest(seat)), self.deeds[seat])
            if known != self.deeds[seat]:
                return f"{state.seat_name(seat)} has the same information state after having done other things"
        return None

    def digest(self, seat: int) -> bytes:
        """Of the seat's information state, entry by entry."""
        entries = self.tracker.entries[seat]
        last, sha = self.digests[seat]
        fresh = []
        at = entries
        while at is not last:
            fresh.append(at[0])
            at = at[1]
        if fresh:
            sha = sha.copy()
            for text in reversed(fresh):
                sha.update(f"{len(text)}:{text}".encode("utf-8", "surrogatepass"))
            self.digests[seat] = entries, sha
        return bytes(sha.digest())

    def told(self, state: State) -> str | None:
        """Whether a position that is asked for its information states tells the same."""
        for seat in range(state.game.num_players):
            if state.information_state(seat) != self.tracker.information_state(seat):
                return f"the information state of {state.seat_name(seat)} is another when the game is played again"
        return None


def extends(entries: Any, earlier: Any) -> bool:
    """Whether linked entries are earlier ones with others in front."""
    while entries is not earlier:
        if entries is None:
            return False
        entries = entries[1]
    return True
