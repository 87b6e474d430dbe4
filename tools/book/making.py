"""The book of a game: its chapters in order, with pictures, worked examples and variants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from rulespec.cases.compiler import roots
from rulespec.checker.program import CheckedGame
from rulespec.checker.wording.effects import citations, words_of
from rulespec.checker.wording.expressions import Speech
from rulespec.checker.wording.ink import capital, emphasis, plain, sentence
from rulespec.checker.wording.names import NOTHING, Names, anchor, section, text_of, words
from rulespec.checker.wording.steps import Origin, Step, Telling, items_of
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

from ..wording import players_text
from .blocks import Block, Book, Chapter, Heading, Paragraph, Picture, Steps
from .components import Components, options
from .order import drawing as order_drawing
from .play import Play

if TYPE_CHECKING:
    from interpreter import State

INNER = ("cases", "variants")  # folders within that of a game
MOST_EXAMPLES = 3  # cases beside one sentence


def where(span: Span) -> str:
    """A place in the files of a game, without the folders around them: a book travels."""
    parts = PurePath(span.source.name).parts
    kept = parts[-2:] if len(parts) > 1 and parts[-2] in INNER else parts[-1:]
    return f"{'/'.join(kept)}:{span.line}"


class Cited:
    """What the parts of a game cite, and which cases rest on the same."""

    def __init__(self, game: CheckedGame, cases: list[tuple[ScalarNode, MapNode]]) -> None:
        self.context = game.context
        self.around = citations(game.context)
        self.examples: dict[str, list[str]] = {}
        for key, node in cases:
            for source in self.words(node):
                self.examples.setdefault(source, []).append(anchor("case", key.value))

    def words(self, node: MapNode) -> tuple[str, ...]:
        """What a part cites itself."""
        return words_of(self.context, node, "cites")

    def origin(self, node: Node) -> Origin:
        """Where a sentence comes from."""
        cites = self.around.get(node.span, ())
        examples = dict.fromkeys(example for source in cites for example in self.examples.get(source, ()))
        return Origin(node.span, where(node.span), cites, tuple(examples)[:MOST_EXAMPLES])


def book(game: CheckedGame, file: Path, state: State | None, changes: Sequence[str]) -> Book:
    """The rulebook of a game, read from `file`; `state` is the position whose boards and map are drawn, `changes` what variants change.

    Returns chapters with at least one block each; without a `state` the rules alone, without pictures and examples.
    """
    cases = list(cases_of(game, file)) if state is not None else []
    cited = Cited(game, cases)
    speech = Speech(Names.of(game.context))
    telling = Telling(speech, cited.origin, sentence)
    table = game.context.table
    components = Components(telling, table)
    play = Play(telling)
    box = components.box()
    if state is not None:
        box.blocks += drawn(state, game.title)
    how = play.how()
    how.blocks[:0] = order_drawing(play.order)
    chapters = [
        box,
        components.places(),
        options(components),
        components.laid(),
        how,
        play.end(),
        play.reacting(),
        play.meanings(),
        play.tables(),
        variants(changes),
        examples(cases, cited, telling),
    ]
    names = {source.id: plain(source.text) for source in table.sources}
    return Book(
        plain(game.title),
        plain(game.about),
        players_text(game.players),
        list(placed([chapter for chapter in chapters if chapter is not None and chapter.blocks])),
        names,
        f"Made from the rules of {plain(game.title)} as of {game.digest[:12]}.",
    )


def placed(chapters: list[Chapter]) -> Iterator[Chapter]:
    """The chapters with headings that each have a place of their own: two types may have a value of one name."""
    taken: dict[str, int] = {}
    for chapter in chapters:
        for n, block in enumerate(chapter.blocks):
            if isinstance(block, Heading):
                taken[block.anchor] = taken.get(block.anchor, 0) + 1
                if taken[block.anchor] > 1:
                    chapter.blocks[n] = replace(block, anchor=f"{block.anchor}-{taken[block.anchor]}")
        yield chapter


def cases_of(game: CheckedGame, file: Path) -> Iterator[tuple[ScalarNode, MapNode]]:
    """The cases of a game, in the order of their files."""
    for root in roots(game, file, Diagnostics()):
        group = root.get("cases")
        for key, node in group.entries if isinstance(group, MapNode) else ():
            if isinstance(node, MapNode):
                yield key, node


def drawn(state: State, title: str) -> Iterator[Block]:
    """The boards or the map at the beginning."""
    from ..maps import board_svg, svg

    picture = state.picture(None)
    boards = state.boards(None)
    if picture is not None:
        yield Picture(svg.drawing(picture), f"The map of {title} at the beginning")
    elif boards:
        yield Picture(board_svg.drawing(title, boards, {}), f"The board of {title} at the beginning")


def variants(changes: Sequence[str]) -> Chapter | None:
    """What the variants of a game change, in words."""
    if not changes:
        return None
    return Chapter("Variants", "variants", [Paragraph(line) for line in changes])


def examples(cases: list[tuple[ScalarNode, MapNode]], cited: Cited, telling: Telling) -> Chapter | None:
    """The cases: each is an example that is tested, with what happens in it."""
    chapter = Chapter("Worked examples", "examples")
    speech = telling.speech
    for key, node in cases:
        chapter.blocks.append(
            Heading(
                capital(words(key.value)),
                anchor("case", key.value),
                Origin(node.span, where(node.span), cited.words(node)),
            )
        )
        if about := text_of(node.get("about")):
            chapter.blocks.append(Paragraph(sentence(about)))
        steps = (*laid(node, telling), *played(node, speech), *expected(node, speech))
        if steps:
            chapter.blocks.append(Steps(steps))
    return chapter if chapter.blocks else None


def laid(node: MapNode, telling: Telling) -> Iterator[Step]:
    """How a case begins: the position, what is put where, and what is run if it is not the whole game."""
    for name in items_of(node.get("position")):
        yield Step(sentence(f"the position {emphasis(words(text_of(name)))}"))
    given = tuple(telling.steps(node.get("given"), NOTHING))
    if given:
        yield Step("Before it:", given)
    run = tuple(telling.steps(node.get("run"), NOTHING))
    if run:
        yield Step("Then:", run)


def expected(node: MapNode, speech: Speech) -> Iterator[Step]:
    """What holds at the end of a case."""
    for fact in items_of(node.get("expect")):
        yield Step(sentence(f"now {speech.condition(text_of(fact))}"))
    if "returns" in node:
        yield Step(sentence(f"at the end, the players get {answers(node.get('returns'), speech)}"))
    if "winners" in node:
        yield Step(sentence(f"winners: {answers(node.get('winners'), speech)}"))


def played(node: MapNode, speech: Speech) -> Iterator[Step]:
    """What happens in a case, line by line."""
    play = node.get("play")
    for entry in play.items if isinstance(play, ListNode) else ():
        if not isinstance(entry, MapNode):
            continue
        for key, value in entry.entries:
            said = answers(value, speech)
            if key.value == "chance":
                yield Step(sentence(f"by chance: {said}"))
            elif key.value in ("refuse", "offers"):
                word = "may not answer" if key.value == "refuse" else "may answer just"
                for who, options in value.entries if isinstance(value, MapNode) else ():
                    why = text_of(section(entry, "why"))
                    reason = f", as “{why}”" if why and key.value == "refuse" else ""
                    yield Step(sentence(f"{speech.names.label(who.value)} {word} {answers(options, speech)}{reason}"))
            elif key.value in speech.names.labels:
                yield Step(sentence(f"{speech.names.label(key.value)}: {said}"))
            elif key.value == "expect":
                for fact in items_of(value):
                    yield Step(sentence(f"now {speech.condition(text_of(fact))}"))


def answers(node: Node | None, speech: Speech) -> str:
    """Answers as people read them."""
    if isinstance(node, ListNode):
        return ", ".join(answers(item, speech) for item in node.items)
    if isinstance(node, MapNode):
        return ", ".join(f"{speech.names.label(key.value)}: {answers(value, speech)}" for key, value in node.entries)
    return emphasis(speech.names.label(node.value)) if isinstance(node, ScalarNode) else ""
