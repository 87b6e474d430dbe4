"""What those at a table say, and what comes of it: one function for each message."""

from __future__ import annotations

import asyncio

from interpreter import Fault, State
from rulespec.text.diagnostics import RulespecError
from rulespec.text.quoting import ticked

from .. import console
from . import cases, journal
from .clients import Client
from .messages import Message
from .rooms import PATIENCE, Room
from .storage import CHATS
from .tables import Reply, fault_text, illegal


async def heard(room: Room, client: Client, message: Message) -> None:
    """Do what a message says."""
    handler = HANDLERS.get(message.type)
    if handler is None:
        client.say({"type": "error", "text": f"{ticked(message.type)} is not for a table"})
        return
    try:
        reply = await handler(room, client, message)
    except Fault as fault:
        journal.fault(f"table {room.name}, {ticked(message.type)}", fault)
        reply = illegal(fault_text(fault))
    except (OSError, RulespecError) as problem:
        journal.fault(f"table {room.name}", problem)
        reply = illegal("The server cannot do this now")
    except Exception as problem:
        journal.fault(f"table {room.name}, {ticked(message.type)}", problem)
        reply = illegal("The server has trouble with this")
    if reply is not None:
        client.say({"type": reply["type"], "id": message.id, **reply} if message.id else reply)


async def answered(room: Room, client: Client, message: Message) -> Reply | None:
    """`answer`."""
    seat = seat_of(client)
    if seat is None:
        return illegal("This link has no seat that may answer now")
    reply = await room.run(lambda: room.table.reply(seat, message))
    if reply["type"] == "ok":
        room.touch()
    return reply


async def looked(room: Room, client: Client, message: Message) -> Reply | None:
    """`select`, `why` and `ahead`: what an answer would be."""
    seat = seat_of(client)
    if seat is None:
        return illegal("This link has no seat that may answer now")
    data = message.data

    def work() -> Reply:
        if (stale := room.table.stale(seat, data["at"])) is not None:
            return stale
        if message.type == "select":
            reply = room.table.selection_of(seat, data["picked"])
        elif message.type == "why":
            reply = room.table.why(seat, data["action"])
        else:
            reply = room.table.looked_ahead(seat, data.get("action"))
        return reply if message.type == "why" else {**reply, "at": data["at"]}

    return await room.run(work)


async def read(room: Room, client: Client, message: Message) -> Reply | None:
    """`about`: what can be read about a thing that is shown, to whoever is shown it."""
    if client.covered:
        return illegal("No table is shown now")
    viewer, data = client.viewer, message.data

    def work() -> Reply:
        shown = room.table.show(viewer)
        if data["at"] != shown.at:
            return {"type": "stale", "at": shown.at}
        told = room.table.game.about(shown.view, data["thing"])
        return illegal("That is not on the table") if told is None else {**told, "type": "about", "at": shown.at}

    return await room.run(work)


async def ruled(room: Room, _client: Client, _message: Message) -> Reply | None:
    """`rules`: what the game says of itself, and the rulings that it lists."""
    return await room.run(lambda: {"type": "rules", **room.table.rules})


async def opened(room: Room, _client: Client, message: Message) -> Reply | None:
    """`book`: the titles of the game's rulebook, and one of its chapters; or that it is being written."""
    book = room.library.book(room.table.record)
    if book is None:
        return {"type": "book", "writing": True}
    number = message.data["chapter"]
    if not 0 <= number < len(book.chapters):
        return illegal("There is no such chapter" if book.chapters else "This game has no rulebook")
    return {
        "type": "book", "titles": [chapter["title"] for chapter in book.chapters], "chapter": number,
        "blocks": book.chapters[number]["blocks"], "places": book.places,
    }  # fmt: skip


async def undone(room: Room, client: Client, message: Message) -> Reply | None:
    """`undo`."""
    seat = seat_of(client)
    if seat is None:
        return illegal("This link has no seat that may answer now")
    if message.data.get("withdraw"):
        asked = room.table.asked
        if asked is None or asked.seat != seat:
            return illegal("You have not asked for anything")
        room.table.asked = None
        room.settled(asked, False)
        return {"type": "ok"}
    reply = await room.run(lambda: room.table.reply(seat, message))
    asked = room.table.asked
    if reply["type"] == "asking" and asked is not None:
        room.say(room.ask(asked), room.of(asked.waiting))
        loop = asyncio.get_running_loop()
        room.timer = loop.call_later(PATIENCE, room.run_out, asked)
    elif reply["type"] == "ok":
        room.touch()
    return reply


async def agreed(room: Room, client: Client, message: Message) -> Reply | None:
    """`agree`."""
    asked = room.table.asked
    seats = client.passed.seats if client.passed is not None else ()
    if asked is None:
        return None
    number, yes = message.data["ask"], message.data["yes"]
    for seat in asked.waiting & set(seats):
        done = await room.run(lambda seat=seat: room.table.agreed(seat, number, yes))  # type: ignore[misc]
        if done is not None:
            room.settled(asked, done)
            return None
    return None


async def whole(_room: Room, client: Client, _message: Message) -> Reply | None:
    """`view`: the whole view again."""
    client.have = ""
    client.wake.set()
    return None


async def here(room: Room, client: Client, message: Message) -> Reply | None:
    """`here`: one of several people at a machine sits down."""
    seats = room.table.game.seats
    seat = seats.index(message.data["seat"]) if message.data["seat"] in seats else -1
    if client.passed is None or client.passed.role != "machine" or seat not in client.passed.seats:
        return {"type": "error", "text": "this link has no such seat"}
    if client.covered:
        client.curtain = None
        client.look(seat)
        room.changed.set()
    return None


async def away(room: Room, client: Client, _message: Message) -> Reply | None:
    """`away`: he gets up."""
    if client.passed is not None and client.passed.role == "machine" and not client.covered:
        client.cover()
        client.curtain = None
        room.changed.set()
    return None


async def begun(room: Room, client: Client, _message: Message) -> Reply | None:
    """`begin`."""
    if client.passed is None or client.passed.role == "spectator":
        return illegal("Who watches does not begin")
    if not room.table.record.begun:
        await room.run(lambda: room.table.begin())
        room.table.shown.clear()
        room.tell_presence()
        room.touch()
    return {"type": "ok"}


async def stood(room: Room, client: Client, _message: Message) -> Reply | None:
    """`stand`: leave a seat to a bot."""
    seat = seat_of(client)
    if seat is None:
        return illegal("You have no seat")
    return await room.seat_given(seat, "bot")


async def seated(room: Room, client: Client, message: Message) -> Reply | None:
    """`seat`: the host gives a seat to a bot or a person."""
    seats, by = room.table.game.seats, message.data["by"]
    if client.passed is None or client.passed.role != "host":
        return illegal("Only the host does this")
    if message.data["seat"] not in seats or by not in ("person", "bot"):
        return illegal("There is no such seat, or nobody of that kind")
    return await room.seat_given(seats.index(message.data["seat"]), by)


async def chatted(room: Room, client: Client, message: Message) -> Reply | None:
    """`chat`: of who has a seat, or of the host."""
    if client.passed is None or client.passed.role == "spectator":
        return {"type": "error", "text": "spectators cannot write to the table"}
    text = console.printable(message.data["text"]).strip()
    seat = seat_of(client)
    by = "host" if client.passed.role == "host" else None if seat is None else room.table.game.seats[seat]
    if text and by is not None:
        chat = {"type": "chat", "by": by, "text": text}
        room.say(chat, room.clients)
        record = room.table.record
        record.chats = [*record.chats, {"by": by, "text": text}][-CHATS:]
        await room.run(room.table.keep_record)
    return None


async def paced(room: Room, client: Client, message: Message) -> Reply | None:
    """`pace`: how long bots wait."""
    if client.passed is None or client.passed.role == "spectator":
        return illegal("Who watches does not do this")
    room.table.record.pace = float(message.data["seconds"])
    await room.run(lambda: room.table.keep_record())
    room.tell_presence()
    return {"type": "ok"}


async def recorded(room: Room, client: Client, _message: Message) -> Reply | None:
    """`record`: all of a game that is over."""
    if client.passed is None or client.passed.role != "host":
        return illegal("Only the host is told")
    return await room.run(lambda: room.table.told())


async def stepped(room: Room, client: Client, message: Message) -> Reply | None:
    """`step`: a game that is over, as it was before."""
    if client.covered:
        return illegal("Nobody is shown anything now")
    viewer = client.viewer
    return await room.run(lambda: room.table.walked(viewer, message.data["step"]))


async def once_more(room: Room, client: Client, _message: Message) -> Reply | None:
    """`again`: another game."""
    if client.passed is None or client.passed.role == "spectator":
        return illegal("Who watches does not do this")
    recording, ending = room.table.recording, room.table.state
    reply = await room.run(lambda: room.table.again())
    if reply["type"] == "ok":
        room.touch()
        room.tell()
        if recording is not None and recording.name is not None:
            tell_hosts(room, await case_ended(room, ending))
    return reply


async def cased(room: Room, client: Client, message: Message) -> Reply | None:
    """`case`: one begins here, or the one that goes on ends, where no name is given."""
    if client.passed is None or client.passed.role != "host":
        return illegal("Only the host does this")
    if room.table.recording is None:
        return illegal("This server writes no cases of this game")
    name = message.data.get("name")
    if name is not None:
        return tell_hosts(room, await room.run(lambda: cases.begun(room.table, name)), client)
    here = await room.run(lambda: room.table.state.clone())
    return tell_hosts(room, await case_ended(room, here), client)


async def case_ended(room: Room, state: State) -> str:
    """End the case that goes on at a position of its game; what came of it, in words.

    It is worked out in a thread of its own, so that the table goes on meanwhile.
    """
    assert room.table.recording is not None
    try:
        said = await asyncio.to_thread(room.table.recording.end, room.table.game, state)
    except OSError as problem:
        journal.fault(f"table {room.name}, its case", problem)
        said = f"no case: {console.reason(problem)}"
    await room.run(lambda: cases.keep(room.table))
    return said


def tell_hosts(room: Room, said: str, asker: Client | None = None) -> Reply:
    """Tell every page of the host what came of a case but the one that asked, whose reply it is."""
    reply = cases.told(room.table, said)
    room.say(reply, (one for one in room.clients if one is not asker and one.passed and one.passed.role == "host"))
    return reply


async def linked(room: Room, client: Client, _message: Message) -> Reply | None:
    """`links`."""
    if client.passed is None or client.passed.role != "host":
        return illegal("Only the host is told")
    return room.links()


def seat_of(client: Client) -> int | None:
    """The seat for which a connection may speak: its own, or the one whose view is shown at a machine of several people."""
    if client.passed is None or not client.passed.seats:
        return None
    if client.passed.role == "machine":
        return None if client.covered else client.viewer
    return client.passed.seats[0]


HANDLERS = {
    "answer": answered,
    "select": looked,
    "why": looked,
    "ahead": looked,
    "about": read,
    "rules": ruled,
    "book": opened,
    "undo": undone,
    "agree": agreed,
    "view": whole,
    "here": here,
    "away": away,
    "begin": begun,
    "stand": stood,
    "seat": seated,
    "chat": chatted,
    "pace": paced,
    "record": recorded,
    "step": stepped,
    "again": once_more,
    "case": cased,
    "links": linked,
}
