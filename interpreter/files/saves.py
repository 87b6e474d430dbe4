"""Saves: a position as JSON text, and back; the text is untrusted."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any, NoReturn, TypeVar

from interpreter.files import frames, shapes
from interpreter.files.known import known
from interpreter.files.shapes import Malformed
from interpreter.position import Position, SlotPosition
from interpreter.runtime.faults import Fault, IllegalAction
from interpreter.setup import Setup
from interpreter.views.observation import log_lines, observe
from rulespec import ir
from rulespec.system import files
from rulespec.text.diagnostics import Diagnostic, RulespecError
from rulespec.text.source import BOM

P = TypeVar("P", bound=SlotPosition)

VERSION = 1
MAX_BYTES = 32_000_000  # of a save or a transcript
KEYS = {
    "rulespec_save", "game", "digest", "program", "players", "settings", "main", "slots",
    "control", "log", "history", "checksum",
}  # fmt: skip
OPTIONAL = {"variants"}  # only where a variant is played


def to_json(position: Position) -> str:
    """A position as JSON text (see `schemas/`): a save for `from_json`; raises RulespecError T008 for one too long to be read."""
    program = position.setup.program
    slots = position.slots.copy()
    slots[ir.CONTROL] = None
    data = {
        "rulespec_save": VERSION,
        "game": program.id,
        "digest": program.digest,
        "program": position.setup.fingerprint,
        "players": program.players,
        "settings": dict(program.settings),
        "main": position.main,
        "slots": slots,
        "control": flatten(program, position.slots[ir.CONTROL]),
        "log": listed(position.log),
        "history": listed(position.history),
    }
    if program.variants:
        data["variants"] = list(program.variants)
    data["checksum"] = checksum(data)
    return bounded(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", "save")


def bounded(text: str, what: str) -> str:
    """The text, if it will be read again; raises RulespecError T008."""
    if too_long(text):
        refuse("T008", f"the {what} would be larger than {MAX_BYTES:_} bytes")
    return text


def too_long(text: str) -> bool:
    """Whether a text has more bytes than are read."""
    return len(text) > MAX_BYTES or len(text.encode("utf-8", "replace")) > MAX_BYTES


def checksum(data: dict[str, Any]) -> str:
    """The checksum of a save's data, without the checksum, in canonical form."""
    rest = {key: value for key, value in data.items() if key != "checksum"}
    text = json.dumps(rest, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def listed(linked: Any) -> list[Any]:
    """The entries of a linked list, the oldest first."""
    out = []
    while linked is not None:
        entry, linked = linked
        out.append(entry)
    out.reverse()
    return out


def flatten(program: ir.Program, frame: Any) -> list[Any]:
    """The frames of a control stack, the top first; a fork's children are stacks themselves."""
    out: list[Any] = []
    while frame is not None:
        point, parent, *values = frame
        if isinstance(program.instruction(point), ir.Fork):
            values[-1] = [
                [seat, None if child is None else flatten(program, child), result] for seat, child, result in values[-1]
            ]
        out.append([point, *values])
        frame = parent
    return out


def refuse(code: str, message: str, help: tuple[str, ...] = ()) -> NoReturn:
    """Raise RulespecError with one finding."""
    raise RulespecError([Diagnostic(code, message, origin="save", help=help)])


def parse(text: str) -> dict[str, Any]:
    """A save's data, its checksum checked; raises RulespecError (T001 to T003, T006)."""
    if too_long(text):
        refuse("T001", f"the save is larger than {MAX_BYTES:_} bytes")
    try:
        data = json.loads(
            text.removeprefix(BOM), parse_float=no_number, parse_constant=no_number, object_pairs_hook=single
        )
    except Doubled as doubled:
        refuse("T001", f"the save has the key {json.dumps(str(doubled)[:40], ensure_ascii=False)} twice in one object")
    except (ValueError, RecursionError):
        refuse("T001", "the save is not JSON text of whole numbers")
    if not isinstance(data, dict) or "rulespec_save" not in data:
        refuse("T002", "this is not a save of a game")
    if data["rulespec_save"] != VERSION or isinstance(data["rulespec_save"], bool):
        version = str(data["rulespec_save"])[:20]
        refuse("T003", f"the save has version {version}, and this program reads {VERSION}")
    if data.keys() - OPTIONAL != KEYS:
        odd = ", ".join(sorted(str(key)[:40] for key in (data.keys() - OPTIONAL) ^ KEYS)[:5])
        refuse("T002", f"the save has too many or too few entries: {odd}")
    try:
        shapes.depth(data)
        sum_ = checksum(data)
    except (Malformed, RecursionError, ValueError):
        refuse("T007", "the save is nested too deep")
    if data["checksum"] != sum_:
        refuse("T006", "the checksum does not fit: the save was damaged or changed")
    return data


class Doubled(ValueError):
    """A key that an object of JSON has twice: readers differ in which they take."""


def single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON as a dictionary; raises Doubled."""
    data = dict(pairs)
    if len(data) < len(pairs):
        names = [name for name, _ in pairs]
        raise Doubled(next(name for name in names if names.count(name) > 1))
    return data


def no_number(text: str) -> NoReturn:
    """Refuse a number that no position has, such as NaN."""
    raise ValueError(text)


def from_json(setup: Setup, text: str, kind: type[P]) -> P:
    """The position of a save, as one of a kind; raises RulespecError: T001 to T003 and T006 for the text, T004 for
    another game, T005 for other rules, players or options, T007 for contents that make no sense."""
    data = parse(text)
    program = setup.program
    if data["game"] != program.id:
        refuse("T004", f"the save is of the game {str(data['game'])[:60]}, not of {program.id}")
    variants = data.get("variants", [])
    if variants != list(program.variants):
        refuse(
            "T004",
            f"the save is of {of_variants(variants)}, not of {of_variants(program.variants)}",
            ("open the game with the variants of the save: `--variant NAME`, or `variant=...`",),
        )
    settings = dict(program.settings)
    if data["players"] != program.players or data["settings"] != settings:
        refuse(
            "T005",
            "the save was made with other players or options",
            (f"it has {str(data['players'])[:20]} players and {str(data['settings'])[:200]}",),
        )
    if data["digest"] != program.digest or data["program"] != setup.fingerprint:
        refuse(
            "T005",
            "the rules have changed since the save was made",
            ("play its transcript again with `rulespec replay`, or use the rules as they were",),
        )
    try:
        return build(setup, data, kind)
    except Malformed as error:
        refuse("T007", f"the save makes no sense: {error}")
    except (Fault, IllegalAction) as error:
        refuse("T007", f"the save makes no sense: {error}")
    except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError, RecursionError):
        refuse("T007", "the save makes no sense: a value has the wrong form")


def of_variants(names: Any) -> str:
    """The variants of a save in words, for a message; `names` is untrusted."""
    if not isinstance(names, list | tuple):
        return "no variants that can be read"
    shown = ", ".join(str(name)[:40] for name in names[:5])
    return "the game without variants" if not names else f"the variant{'s' if len(names) > 1 else ''} {shown}"


def build(setup: Setup, data: dict[str, Any], kind: type[P]) -> P:
    """The position, every part of it checked; questions, observations and returns are computed once, so that any fault shows now."""
    main = data["main"]
    if not shapes.is_int(main) or not 0 <= main < len(setup.program.procedures):
        raise Malformed("main")
    checks = known(setup)
    slots = shapes.slots(checks, data["slots"], checks.begin(setup, main))
    slots[ir.CONTROL] = frames.control(setup, data["control"])
    position = kind(setup, slots, main)
    position.log = frames.log(checks, data["log"])
    position.history = frames.history(checks, data["history"])
    position.decisions = sum(1 for actor, *_ in position.answers() if actor >= 0)
    for player in position.pending_players():
        position.decision(player)
    for seat in (None, *range(setup.num_players)):
        observe(position, seat)
        log_lines(position, seat)
    position.returns()
    for action, _ in position.chance_outcomes():
        position.action_to_string(action)
    return position


def write(path: str | os.PathLike[str], text: str) -> None:
    """Write a save or a transcript atomically; it is on the disk when this returns, and only its owner may read it.  Raises OSError."""
    files.replace(path, text, durable=True, mode=files.PRIVATE)
