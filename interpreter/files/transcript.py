"""Transcripts: the answers of a game as JSON lines, chance included, and playing them again.

The first line has the setup, each further line one answer `{"by", "at", "answer"}`, and the last one,
where the game is over, `{"end": {"returns": [...]}}`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Generic, NoReturn, TypeVar

from interpreter.files import saves
from interpreter.position import Position, SlotPosition
from interpreter.runtime.faults import Fault, IllegalAction
from interpreter.runtime.values import CHANCE, exact
from interpreter.setup import Setup
from rulespec import ir
from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostic, RulespecError
from rulespec.text.quoting import ticked
from rulespec.text.source import BOM, Source, Span

P = TypeVar("P", bound=SlotPosition)

VERSION = 1


@dataclass(frozen=True, slots=True)
class Answer:
    """A line: the player, the site, the answer, and the place of the line."""

    by: str
    at: str
    answer: str
    span: Span


@dataclass(frozen=True, slots=True)
class Transcript:
    """A transcript as it is written; `first` and `last` are the places of its first and last line."""

    first: Span
    last: Span
    setup: dict[str, Any]
    answers: tuple[Answer, ...]
    returns: tuple[int | str, ...] | None  # as `exact` writes them


def dump(data: Any) -> str:
    """One line."""
    return json.dumps(data, ensure_ascii=False)


def header(program: ir.Program) -> dict[str, Any]:
    """The setup of a transcript's first line, without how chance is answered."""
    setup: dict[str, Any] = {
        "rulespec_transcript": VERSION,
        "game": program.id,
        "digest": program.digest,
        "players": program.players,
        "settings": dict(program.settings),
    }
    if program.variants:
        setup["variants"] = list(program.variants)
    return setup


def write(state: Position) -> str:
    """The transcript of the game that led to a position.

    Raises IllegalAction P009 where no history is kept, Fault if it cannot be played, RulespecError T008 if it is too long to be read.
    """
    state.recorded("transcript")
    program = state.setup.program
    setup = header(program)
    if state.seed is None:
        setup["chance"] = "explicit"
    else:
        setup["seed"] = state.seed
    if state.main != program.main:
        setup["procedure"] = program.procedures[state.main].name
    lines = [dump(setup)]
    replay = SlotPosition.start(state.setup, chance="explicit", undo=False, main=state.main)
    for actor, site, action, _ in list(state.answers())[::-1]:
        answer = replay.action_to_string(action, actor)
        lines.append(dump({"by": replay.seat_name(actor), "at": site, "answer": answer}))
        replay.apply_action(action, actor)
    if state.is_terminal():
        lines.append(dump({"end": {"returns": exact(state.returns())}}))
    return saves.bounded("\n".join(lines) + "\n", "transcript")


def continues(text: str, older: str) -> bool:
    """Whether a transcript continues an older one of the same game, or is equal to it."""
    lines = [line for line in older.splitlines() if not line.startswith('{"end":')]
    return bool(lines) and text.splitlines()[: len(lines)] == lines


def read(text: str, name: str = "transcript") -> Transcript:
    """A transcript from its text; raises RulespecError T010 or T011 with the line."""
    if saves.too_long(text):
        message = f"the transcript is larger than {saves.MAX_BYTES:_} bytes"
        raise RulespecError([Diagnostic("T010", message, origin=name)])
    source = Source(name, text.removeprefix(BOM))
    objects = list(parsed(source))
    if not objects or "rulespec_transcript" not in objects[0][1]:
        raise RulespecError([Diagnostic("T011", "this is not a transcript of a game", origin=name)])
    span, setup = objects[0]
    if setup["rulespec_transcript"] != VERSION:
        version = str(setup["rulespec_transcript"])[:20]
        refuse("T011", f"the transcript has version {version}, this program reads {VERSION}", span)
    returns = None
    answers: list[Answer] = []
    for number, (span, data) in enumerate(objects[1:], 2):
        if data.keys() == {"end"} and number == len(objects):
            returns = ended(data["end"])
            if returns is None:
                refuse("T010", "the last line has no `returns`", span)
        elif data.keys() == {"by", "at", "answer"} and all(isinstance(part, str) for part in data.values()):
            answers.append(Answer(data["by"], data["at"], data["answer"], span))
        else:
            refuse("T010", "the line has not the three texts `by`, `at` and `answer`", span)
    return Transcript(objects[0][0], objects[-1][0], setup, tuple(answers), returns)


def parsed(source: Source) -> Iterator[tuple[Span, dict[str, Any]]]:
    """The JSON object of each line that is not blank, with its place."""
    for number in range(1, source.text.count("\n") + source.text.count("\r") + 2):
        try:
            line, start = source.line(number), source.line_start(number)
        except IndexError:
            return
        if not line.strip():
            continue
        span = Span(source, start, start + len(line))
        try:
            data = json.loads(line, object_pairs_hook=saves.single)
        except saves.Doubled as doubled:
            key = json.dumps(str(doubled)[:40], ensure_ascii=False)
            refuse("T010", f"the line has the key {key} twice in one object", span)
        except (ValueError, RecursionError):
            refuse("T010", "the line is not JSON", span)
        if not isinstance(data, dict):
            refuse("T010", "the line is not a JSON object", span)
        yield span, data


def ended(data: Any) -> tuple[int | str, ...] | None:
    """The returns of the last line; None if it has none."""
    returns = data.get("returns") if isinstance(data, dict) else None
    if not isinstance(returns, list) or not all(type(n) is int or type(n) is str for n in returns):
        return None
    return tuple(returns)


def refuse(code: str, message: str, span: Span) -> NoReturn:
    """Raise the one exception of this module."""
    raise RulespecError([Diagnostic(code, message, span)])


def replay(setup: Setup, text: str, kind: type[P], name: str = "transcript") -> P:
    """The position at the end of a transcript, as one of a kind.

    Raises RulespecError: T010, T011 for the text, T012 for another game or setup, T013 where an
    answer cannot be given, T014 where somebody else is asked, T015 where the end differs, and the
    code of a fault.
    """
    transcript = read(text, name)
    program = setup.program
    head = transcript.setup
    variants = head.get("variants", [])
    if variants != list(program.variants):
        message = f"the transcript is of {saves.of_variants(variants)}, not of {saves.of_variants(program.variants)}"
        refuse("T012", message, transcript.first)
    expected = {
        "game": program.id,
        "digest": program.digest,
        "players": program.players,
        "settings": dict(program.settings),
    }
    for key, value in expected.items():
        if head.get(key) != value:
            refuse("T012", f"the transcript was made with another {ticked(key)}", transcript.first)
    main = None
    if "procedure" in head:
        names = {p.name: i for i, p in enumerate(program.procedures)}
        main = names.get(str(head["procedure"]))
        if main is None:
            refuse("T012", "the transcript starts at a procedure that is not there", transcript.first)
    try:
        shadow = SlotPosition.start(setup, chance="explicit", undo=False, main=main)
        if head.get("chance") == "explicit":
            state = kind.start(setup, chance="explicit", main=main)
        else:
            state = kind.start(setup, head.get("seed", -1), main=main)
        return Replay(state, shadow, transcript).run()
    except IllegalAction as error:
        refuse("T012", f"the transcript's seed cannot be used: {error}", transcript.first)
    except Fault as fault:
        raise RulespecError([fault.diagnostic]) from fault


class Replay(Generic[P]):
    """Applies the answers of a transcript to a fresh position.

    `shadow` is the same position with explicit chance: it has the names of what chance drew
    from a seed, so that a difference is found on its own line.
    """

    def __init__(self, state: P, shadow: SlotPosition, transcript: Transcript) -> None:
        self.state = state
        self.shadow = shadow
        self.transcript = transcript
        self.seats = {name: seat for seat, name in enumerate(state.setup.seats)}
        self.seats["chance"] = CHANCE
        self.drawn = since(state, None)  # draws of chance that the transcript has not been compared with yet

    def run(self) -> P:
        """The position after all answers; raises RulespecError or Fault."""
        transcript, state = self.transcript, self.state
        for answer in transcript.answers:
            if answer.by not in self.seats:
                refuse("T014", f"there is no seat {ticked(answer.by[:60])}", answer.span)
            self.give(answer)
        if self.drawn and (transcript.answers or transcript.returns is not None):
            refuse("T014", "the game draws what the transcript does not have", transcript.last)
        if transcript.returns is not None and (
            not state.is_terminal() or list(transcript.returns) != exact(state.returns())
        ):
            message = "the game does not end here with the returns of the transcript"
            refuse("T015", message, transcript.last)
        return state

    def give(self, answer: Answer) -> None:
        """One answer."""
        state, shadow, span = self.state, self.shadow, answer.span
        actor = self.seats[answer.by]
        inline = actor == CHANCE and state.seed is not None
        if inline and not self.drawn:
            refuse("T014", "chance answers here, but the game draws nothing", span)
        if self.drawn and not inline:
            refuse("T014", "the game draws what the transcript does not have", span)
        site = waiting(shadow, actor)
        if site != answer.at:
            here = ticked(site) if site else f"nothing of {answer.by}"
            refuse("T014", f"the game asks {here} here, not {ticked(answer.at[:60])}", span)
        try:
            action = shadow.string_to_action(answer.answer, actor)
        except IllegalAction as error:
            refuse("T013", f"the answer cannot be given: {error}", span)
        if inline:
            drawn = self.drawn.pop(0)[2]
            if drawn != action:
                name = shadow.action_to_string(drawn)
                refuse("T013", f"the seed gives {ticked(name)} here, not {ticked(answer.answer[:60])}", span)
        shadow.apply_action(action, actor)
        if not inline:
            before = state.history
            state.apply_action(action, actor)
            self.drawn = since(state, before)[1:]


def since(state: Position, before: Any) -> list[Any]:
    """The answers after a point in the history, the oldest first."""
    answers = []
    at = state.history
    while at is not before:
        answers.append(at[0])
        at = at[1]
    answers.reverse()
    return answers


def waiting(state: Position, actor: int) -> str | None:
    """The site where somebody is asked now."""
    pending = state.pending()
    if actor == CHANCE:
        return pending.draw.name if pending.draw else None
    question = pending.of(actor)
    return question.site.name if question else None
