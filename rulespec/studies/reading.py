"""Reads a study from YAML: its shape, and the arms that its sections come to.  Games and expressions are checked where they are opened."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from rulespec.schema import validate_study
from rulespec.studies.data import CONFIDENCE, FOLLOWED, GAMES, MOST_GAMES, OTHERS, WATCHED, Arm, Measures, Study, Word
from rulespec.text.diagnostics import Diagnostics, RulespecError
from rulespec.text.quoting import ticked
from rulespec.text.source import read_source, shown_path
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode, parse

MOST_ARMS = 1_000
NONE = "none"  # a variant: the game itself
SHARE = (0.0, 100.0)  # of percentages


def read_study(path: Path) -> Study:
    """The study of a file.  Raises RulespecError with everything that is wrong with its shape."""
    diagnostics = Diagnostics()
    source = read_source(path, shown_path(path), diagnostics=diagnostics)
    root = None if source is None else parse(source, diagnostics)
    if isinstance(root, MapNode):
        validate_study(root, diagnostics)
    elif root is not None:
        diagnostics.add("X001", "a study is a mapping with its name and its arms", root.span, expected="study: NAME")
    if diagnostics.has_errors or not isinstance(root, MapNode):
        raise RulespecError(diagnostics)
    study = Reader(path, diagnostics).study(root)
    if diagnostics.has_errors:
        raise RulespecError(diagnostics)
    return study


class Reader:
    """Makes a study of a tree that fits the schema."""

    def __init__(self, path: Path, diagnostics: Diagnostics) -> None:
        self.path = path
        self.diagnostics = diagnostics

    def study(self, root: MapNode) -> Study:
        """The study; what does not go together is reported."""
        name, stem = text(root, "study"), self.path.stem
        if name != stem:
            key = root.get("study")
            assert key is not None
            self.diagnostics.add(
                "X002", f"the study is named {ticked(name)} and its file {ticked(stem)}", key.span, expected=stem
            )
        sections = root.get("arms")
        arms: list[Arm] = []
        for key, node in sections.entries if isinstance(sections, MapNode) else ():
            if isinstance(node, MapNode):
                arms += self.crossed(key, node)
        if isinstance(sections, MapNode) and not arms and not self.diagnostics.has_errors:
            self.diagnostics.add("X003", "a study plays something", sections.span, expected="usual: {players: 2}")
        return Study(
            name=name,
            title=text(root, "title") or name,
            about=" ".join(text(root, "about").split()),
            file=self.path,
            arms=tuple(arms),
            seed=number(root, "seed", 1),
            games=number(root, "games", GAMES),
            interval=self.percent(root, "interval"),
            most_games=number(root, "most games", MOST_GAMES),
            confidence=self.percent(root, "confidence") or CONFIDENCE,
            measures=measures(root.get("measure")),
        )

    def percent(self, root: MapNode, name: str) -> float | None:
        """A percentage above 0 and below 100; what is none is reported."""
        node = root.get(name)
        value = node.resolve() if isinstance(node, ScalarNode) else None
        if node is None or (isinstance(value, (int, float)) and SHARE[0] < value < SHARE[1]):
            return None if value is None else float(value)
        self.diagnostics.add("S005", f"{ticked(name)} is above 0 and below 100", node.span, expected="4")
        return None

    def crossed(self, key: ScalarNode, node: MapNode) -> list[Arm]:
        """All combinations of what the keys of a section list."""
        factors = dict(self.factors(node))
        count = prod(len(levels) for levels in factors.values())
        if count > MOST_ARMS:
            self.diagnostics.add(
                "X003", f"this comes to {count:_} arms; {MOST_ARMS:_} at most", key.span, help=("list fewer values",)
            )
            return []
        arms = []
        for chosen in product(*(list(enumerate(levels)) for levels in factors.values())):
            named = [
                label
                for (label, _), many in zip((c[1] for c in chosen), factors.values(), strict=True)
                if len(many) > 1
            ]
            given = {factor: level for factor, (_, (_, level)) in zip(factors, chosen, strict=True)}
            options = tuple(level for factor, level in given.items() if factor.startswith("option "))
            game = node.get("game")
            most = node.get("most decisions")
            arms.append(
                Arm(
                    name=", ".join([key.value, *named]),
                    section=key.value,
                    span=key.span,
                    game=Word(game.value, game.span) if isinstance(game, ScalarNode) else Word("", key.span),
                    players=given.get("players"),
                    variants=given.get("variants", ()),
                    options=options,
                    bots=given.get("bots", ()),
                    most_decisions=whole(most) if isinstance(most, ScalarNode) else None,
                    levels=tuple((factor, n) for factor, (n, _) in zip(factors, chosen, strict=True)),
                )
            )
        return arms

    def factors(self, node: MapNode) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
        """What a section crosses: each factor with its levels, as (label, what is meant)."""
        if players := scalars(node.get("players")):
            yield "players", [(f"{n.value} players", (whole(n), n.span)) for n in players]
        if variants := scalars(node.get("variants")):
            yield "variants", [(v.value, stacked(v)) for v in variants]
        options = node.get("options")
        for key, values in options.entries if isinstance(options, MapNode) else ():
            named = Word(key.value, key.span)
            yield (
                f"option {key.value}",
                [(f"{key.value} {v.value}", (named, Word(v.value, v.span))) for v in scalars(values)],
            )
        bots = node.get("bots")
        if bots is not None:
            yield "bots", [seating(one) for one in (bots if isinstance(bots, ListNode) else [bots])]


def seating(node: Node) -> tuple[str, tuple[tuple[Word, Word], ...]]:
    """Who plays, with a label: one bot for all seats, or seats with their bots."""
    if isinstance(node, ScalarNode):
        return node.value, ((Word(OTHERS, node.span), Word(node.value, node.span)),)
    pairs = tuple(
        (Word(key.value, key.span), Word(value.value, value.span))
        for key, value in (node.entries if isinstance(node, MapNode) else ())
        if isinstance(value, ScalarNode)
    )
    return " ".join(f"{seat.text}={bot.text}" for seat, bot in pairs), pairs


def stacked(node: ScalarNode) -> tuple[Word, ...]:
    """The variants of `a + b`."""
    return tuple(Word(word.strip(), node.span) for word in node.value.split("+") if word.strip() != NONE)


def measures(node: Node | None) -> Measures:
    """What is measured."""
    if not isinstance(node, MapNode):
        return Measures()
    lead = node.get("lead")
    return Measures(
        tallies=expressions(node.get("tallies")),
        causes=expressions(node.get("causes")),
        lead=lead if isinstance(lead, ScalarNode) else None,
        followed=number(node, "followed", FOLLOWED),
        watched=number(node, "watched", WATCHED),
        questions=words(node, "questions"),
        pieces=words(node, "pieces"),
        rules=words(node, "rules"),
    )


def expressions(node: Node | None) -> tuple[tuple[str, ScalarNode], ...]:
    """Expressions by name."""
    entries = node.entries if isinstance(node, MapNode) else ()
    return tuple((key.value, value) for key, value in entries if isinstance(value, ScalarNode))


def words(node: MapNode, name: str) -> tuple[Word, ...] | None:
    """What a key lists; None where it is left out."""
    return None if name not in node else tuple(Word(word.value, word.span) for word in scalars(node.get(name)))


def scalars(node: Node | None) -> list[ScalarNode]:
    """The items of a list, or one alone."""
    return [n for n in (node if isinstance(node, ListNode) else [node]) if isinstance(n, ScalarNode)]


def text(node: MapNode, name: str) -> str:
    value = node.get(name)
    return value.value if isinstance(value, ScalarNode) else ""


def number(node: MapNode, name: str, usual: int) -> int:
    value = node.get(name)
    return whole(value) if isinstance(value, ScalarNode) else usual


def whole(node: ScalarNode) -> int:
    """A whole number that the schema has checked."""
    value = node.resolve()
    assert isinstance(value, int)
    return value
