"""Opens the arms of a study: loads their games, seats their bots, checks their expressions, and says at once all that is wrong."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import rulespec
from interpreter import Game
from rulespec.bots import compiler
from rulespec.cases.coverage import items
from rulespec.checker.program import CheckedGame
from rulespec.ir import Program
from rulespec.language.types import BOOL, INT, PLAYER, Type
from rulespec.studies.data import OTHERS, Arm, Study, Word
from rulespec.system.records import dataclass
from rulespec.system.resources import games_dir
from rulespec.system.version import __version__
from rulespec.text.diagnostics import Diagnostic, Diagnostics, RulespecError, nearest
from rulespec.text.locate import MAIN, find, find_bot
from rulespec.text.quoting import ticked
from rulespec.text.source import Span, shown_path
from rulespec.text.yaml_tree import ScalarNode

from .. import bots
from ..framework import Misuse
from .playing import Measured, Table

STUDIES = "studies"  # the folder beside a game


@dataclass(frozen=True)
class Place:
    """An arm that can be played; `digest` changes with everything that its figures depend on beside its key."""

    arm: Arm
    table: Table
    digest: str
    about: dict[str, Any]


def open_study(study: Study) -> list[Place]:
    """The arms of a study.  Raises RulespecError with everything that is wrong in any."""
    opener = Opener(study)
    places = [place for arm in study.arms if (place := opener.place(arm)) is not None]
    if opener.diagnostics.has_errors:
        raise RulespecError(opener.diagnostics)
    return places


class Opener:
    """Opens arms; what several have in common is loaded once, and told once."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.diagnostics = Diagnostics()
        self.loaded: dict[tuple[str, tuple[str, ...]], CheckedGame | None] = {}
        self.told: set[tuple[str, str, Span | None]] = set()
        self.keys: dict[str, Arm] = {}

    def tell(self, findings: Iterable[Diagnostic], span: Span, own: bool = False) -> None:
        """Report each finding once; those about the choice of a game, without a place in the study, at `span`."""
        for one in findings:
            here = one if own and one.span is not None else replace(one, span=span, origin=None)
            if here.severity == "error" and (mark := (here.code, here.message, here.span)) not in self.told:
                self.told.add(mark)
                self.diagnostics.keep(here)

    def place(self, arm: Arm) -> Place | None:
        """An arm; None where something is wrong with it, which is reported."""
        before = len(self.told)
        name = self.game_of(arm)
        checked = self.checked(arm, name)
        if checked is None:
            return None
        self.check_options(checked, arm)
        if len(self.told) > before:
            return None
        settings = {option.text: value.text for option, value in arm.options}
        players, span = arm.players or (None, arm.game.span)
        try:
            program = checked.program(players=players, options=settings)
            unfolded = checked.program(players=players, options=settings, optimise=False)
        except RulespecError as error:
            self.tell(error.diagnostics, span)
            return None
        game = Game.from_program(program)
        names = self.seats(game, arm)
        policies = self.policies(game, checked, name, names, arm)
        sized = checked.at(settings)
        measured = self.measured(sized)
        self.check_filters(program, sized)
        if len(self.told) > before:
            return None
        key = "; ".join(
            [program.id, f"{program.players} players", *(v.text for v in arm.variants)]
            + [f"{option}={value}" for option, value in program.settings]
            + [f"{seat}: {bot}" for seat, bot in zip(game.seats, names, strict=True)]
        )
        if key in self.keys:
            also = [(self.keys[key].span, f"`{self.keys[key].name}`")]
            self.diagnostics.add("X003", f"`{arm.name}` plays the same as another arm", arm.span, related=also)
            return None
        self.keys[key] = arm
        tallies, causes, lead = measured
        types = tuple(sized.context.type_of(tally.type) for tally in tallies)
        functions = compiler.played_functions(sized, program.players, settings)
        table = Table(
            key, self.study.seed, __version__, game, Game.from_program(unfolded, backend="reference"), names,
            {n: policies[n] for n in names if n in policies}, functions, types, tallies, causes, lead, arm.most_decisions,
        )  # fmt: skip
        return Place(arm, table, self.digest(program, name, checked, names), about(arm, game, name, names, sized))

    # --- the game ---------------------------------------------------------------------------------------------------------
    def game_of(self, arm: Arm) -> str:
        """The game that an arm names, as commands name it: that beside the study, one by a path from there, or a shipped one."""
        folder = self.study.file.resolve().parent
        if not arm.game.text:
            folder = folder.parent if folder.name == STUDIES else folder
        else:
            folder = folder / arm.game.text
            if not folder.exists():
                return arm.game.text
        shipped = folder.parent == games_dir().resolve() and (folder / MAIN).is_file()
        return folder.name if shipped else shown_path(folder)

    def checked(self, arm: Arm, name: str) -> CheckedGame | None:
        variants = tuple(variant.text for variant in arm.variants)
        key = (name, variants)
        if key not in self.loaded:
            span = arm.variants[0].span if variants and (name, ()) in self.loaded else arm.game.span
            game, findings = rulespec.check(name, variants)
            self.loaded[key] = game
            self.tell(findings, span, own=True) if game is None else None
        return self.loaded[key]

    def check_options(self, checked: CheckedGame, arm: Arm) -> None:
        """Options and values that the game does not have."""
        known = {option.name: option for option in checked.options}
        for option, value in arm.options:
            if option.text not in known:
                self.unknown(f"{checked.title} has no option {ticked(option.text)}", option, known)
            elif value.text not in known[option.text].values:
                self.unknown(
                    f"the option {option.text} has no value {ticked(value.text)}", value, known[option.text].values
                )

    def unknown(self, message: str, word: Word, names: Iterable[str], code: str = "X004") -> None:
        listed = list(names)
        close = nearest(word.text, listed)
        hint = (
            f"did you mean {ticked(close)}?"
            if close
            else f"there are {', '.join(listed[:12])}"
            if listed
            else "there are none"
        )
        self.tell([Diagnostic(code, message, word.span, help=(hint,))], word.span, own=True)

    # --- who plays --------------------------------------------------------------------------------------------------------
    def seats(self, game: Game, arm: Arm) -> tuple[str, ...]:
        """The bots by seat."""
        named = {seat.text: bot.text for seat, bot in arm.bots}
        for seat, _ in arm.bots:
            if seat.text not in (OTHERS, *game.seats):
                self.unknown(f"there is no seat {ticked(seat.text)}", seat, [*game.seats, OTHERS])
        return tuple(named.get(seat, named.get(OTHERS, bots.RANDOM)) for seat in game.seats)

    def policies(self, game: Game, checked: CheckedGame, name: str, names: tuple[str, ...], arm: Arm) -> dict[str, Any]:
        """How each bot plays; faults of a bot's file are told at their place, a bot that is not there at its name."""
        policies: dict[str, Any] = {}
        for bot in dict.fromkeys(names):
            span = next((word.span for _, word in arm.bots if word.text == bot), arm.span)
            try:
                alone = bots.seating(game, checked, name, (bot,) * game.num_players)
                policies.update(alone.policies)
            except Misuse as misuse:
                hint = () if misuse.hint is None else (misuse.hint,)
                self.tell([Diagnostic("B001", misuse.format_message(), span, help=hint)], span)
            except RulespecError as error:
                self.tell(error.diagnostics, span, own=True)
        return policies

    # --- what is measured -------------------------------------------------------------------------------------------------
    def measured(self, sized: CheckedGame) -> tuple[tuple[Measured, ...], tuple[Measured, ...], Measured | None]:
        """The tallies, the causes and the lead as functions of the game."""
        measures, findings = self.study.measures, Diagnostics()
        formulas = compiler.BotCompiler(sized, findings)

        def one(name: str, node: ScalarNode, want: Type | None, *parameters: tuple[str, Type]) -> Measured:
            formula, t = formulas.typed(node, parameters, frozenset(), want)
            return Measured(name, formula.function, formula.span, t)

        tallies = tuple(one(name, node, None) for name, node in measures.tallies)
        causes = tuple(one(name, node, BOOL) for name, node in measures.causes)
        lead = None if measures.lead is None else one("lead", measures.lead, INT, ("me", PLAYER))
        self.tell(findings.errors, self.study.arms[0].span, own=True)
        return tallies, causes, lead

    def check_filters(self, program: Program, sized: CheckedGame) -> None:
        """Questions, types and rules that are to be looked at and are not there."""
        measures = self.study.measures
        known = {
            "question": (measures.questions, {site.name for site in program.sites}),
            "type": (measures.pieces, {kind.name for kind in program.kinds}),
            "rule": (measures.rules, {title for _, title in rules(sized)}),
        }
        for noun, (wanted, names) in known.items():
            for word in wanted or ():
                if word.text not in names:
                    self.unknown(f"there is no {noun} {ticked(word.text)}", word, sorted(names))

    def digest(self, program: Program, name: str, checked: CheckedGame, names: tuple[str, ...]) -> str:
        """What figures depend on: the rules, the bots' files, the expressions, the seed."""
        measures, findings = self.study.measures, Diagnostics()
        main = find(name, findings)
        files = [
            None if bots.generic(bot) or main is None else find_bot(main, bot, checked.title, findings)
            for bot in dict.fromkeys(names)
        ]
        parts = [
            program.digest,
            self.study.seed,
            [[n, node.value] for n, node in (*measures.tallies, *measures.causes)],
            None if measures.lead is None else measures.lead.value,
            [None if file is None else hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in files],
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def rules(checked: CheckedGame) -> list[tuple[str, str]]:
    """The rules, procedures and phases of a game: where each stands, and what it is called."""
    return [(item.where.label(), item.title) for item in items(checked) if item.group in ("rules", "procedures")]


def about(arm: Arm, game: Game, name: str, names: tuple[str, ...], sized: CheckedGame) -> dict[str, Any]:
    """What the report says of an arm, beside its figures."""
    program = game.program
    return {
        "game": name,
        "title": program.title,
        "players": program.players,
        "section": arm.section,
        "levels": dict(arm.levels),
        "variants": [variant.text for variant in arm.variants],
        "options": dict(program.settings),
        "set": {option.text: value.text for option, value in arm.options},
        "bots": list(names),
        "seats": list(game.seat_labels),
        "seat_ids": list(game.seats),
        "most_decisions": arm.most_decisions,
        "rules": rules(sized),
        "kinds": {kind.name: dict(zip(kind.members, kind.labels, strict=True)) for kind in program.kinds},
        "pieces": [kind.name for kind in program.kinds if kind.what in ("piece", "node")],
    }
