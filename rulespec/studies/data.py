"""Studies as plain data: which games are played by whom, how many, and what is measured in them."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from rulespec.system.records import dataclass
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ScalarNode

GAMES, MOST_GAMES, CONFIDENCE = 1_000, 100_000, 95.0
FOLLOWED, WATCHED = 200, 20
OTHERS = "others"  # in `bots`: the seats that are not named


@dataclass(frozen=True, slots=True)
class Word:
    """Something that a study names, and where."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Arm:
    """One way in which games are played.

    `name` is that of its section, with the levels of what the section crosses: `usual, 3 players, pace fast`.  `levels` has the
    chosen level of each factor, by the factor's name, as numbers: 0 is what the others are compared with.
    """

    name: str
    section: str
    span: Span
    game: Word
    players: tuple[int, Span] | None
    variants: tuple[Word, ...]
    options: tuple[tuple[Word, Word], ...]
    bots: tuple[tuple[Word, Word], ...]  # seat (or `others`) and bot
    most_decisions: int | None
    levels: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Measures:
    """What is looked at; `questions`, `pieces`, `rules` None: all."""

    tallies: tuple[tuple[str, ScalarNode], ...] = ()
    causes: tuple[tuple[str, ScalarNode], ...] = ()
    lead: ScalarNode | None = None
    followed: int = FOLLOWED
    watched: int = WATCHED
    questions: tuple[Word, ...] | None = None
    pieces: tuple[Word, ...] | None = None
    rules: tuple[Word, ...] | None = None


@dataclass(frozen=True, slots=True)
class Study:
    """A study.  `interval` is the widest that an interval of a share of wins may be, in percentage points."""

    name: str
    title: str
    about: str
    file: Path
    arms: tuple[Arm, ...]
    seed: int = 1
    games: int = GAMES
    interval: float | None = None
    most_games: int = MOST_GAMES
    confidence: float = CONFIDENCE
    measures: Measures = field(default_factory=Measures)
