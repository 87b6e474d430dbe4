"""The links of a server: what they begin with, and where they are told."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rulespec.system import files
from rulespec.system.records import dataclass

from .. import console
from ..framework import Misuse
from ..report import counted
from .address import Address, here

if TYPE_CHECKING:
    from .house import House
    from .rooms import Room


@dataclass(frozen=True, slots=True)
class Place:
    """Where a server listens, and how it is reached."""

    host: str
    port: int
    names: tuple[str, ...] = ()
    url: Address | None = None

    def address(self, port: int) -> Address:
        """The address that links begin with; `port` is the one that the system has given."""
        named = self.names[0] if self.names else "localhost" if self.host in ("0.0.0.0", "::") else self.host
        return here(named, port) if self.url is None else self.url


def tell(house: House, room: Room | None, where: Address, file: Path | None) -> None:
    """Print the links, or write them to a file (`-`: print them, whatever stdout is); raises Misuse.

    Whoever has a link is that seat, and what a service prints is kept and read by others: unasked, links are shown on a terminal only.
    """
    asked = file is not None and str(file) != "-"
    shown = not asked and (file is not None or console.is_terminal(sys.stdout))
    title = [] if room is None else [console.printable(room.table.game.title)]
    links = [f"  {line}" for line in console.columns(rows(house, room, where))]
    for line in title:
        console.data(console.paint(line, "bold"))
    for line in links if shown else [f"  the lobby at {where}/ ({counted(len(house.rooms), 'table')})"]:
        console.data(line)
    if file is not None and asked:
        try:
            files.replace(file, "".join(f"{line}\n" for line in [*title, *links]), mode=files.PRIVATE, keep_mode=False)
        except OSError as error:
            raise Misuse(
                f"the links cannot be written: {console.reason(error)}", "`--links FILE` names another file"
            ) from None
        console.message(f"the links are in {console.printable(str(file))}")
    elif not shown:
        console.message(
            "the links are shown on a terminal: `--links FILE` writes them to a file, `--links -` prints them"
        )
    folder = console.printable(str(house.folder.path))
    console.message(f"tables are kept in {folder}; Ctrl-C stops the server, and the same command goes on")


def rows(house: House, room: Room | None, where: Address) -> list[list[str]]:
    """What each link is for, the link, and who is there."""
    out = []
    if room is not None:
        links, game = room.links(), room.table.game
        states = {"person": "", "bot": "(a bot)", "empty": "(a bot, until somebody opens it)"}
        for number, name in enumerate(game.seats):
            label, by = console.printable(game.seat_labels[number]), states[room.table.record.by[number]]
            out.append([label, f"{where}{links['seats'][name]}", by])
        if "machine" in links:
            out.append(["all at one machine", f"{where}{links['machine']}", ""])
        out += [["spectators", f"{where}{links['spectator']}", ""], ["the host", f"{where}{links['host']}", ""]]
    return [*out, ["the lobby", f"{where}/#{house.token}", f"({counted(len(house.rooms), 'table')})"]]
