"""Reads a text by tables that Lark has made of `grammar.lark` (LALR(1)): `tables.json`, written by `python -m tools.generate`.

To have Lark make them takes longer than to check a small game.  A test has Lark itself read the same texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any, NamedTuple

from rulespec.system.records import dataclass

END = "$END"


class Token(str):
    """A word or sign of a text: what kind it is, and where it stands."""

    __slots__ = ("end_pos", "start_pos", "type")
    type: str
    start_pos: int
    end_pos: int

    def __new__(cls, kind: str, text: str, start: int, end: int) -> Token:
        token = super().__new__(cls, text)
        token.type, token.start_pos, token.end_pos = kind, start, end
        return token


class Rule(NamedTuple):
    """A rule of the grammar: what it makes, of how many parts, which of them are lists of parts; and what builds a node of these."""

    origin: str
    size: int
    spliced: tuple[int, ...]
    build: Callable[[list[Any]], Any] | None  # None: a list of parts
    alone: bool  # a single part stands for itself


class UnexpectedCharacter(Exception):
    """At `place` no token begins."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


class UnexpectedToken(Exception):
    """The token `place`, counted from 0, cannot follow those before it; `accepted` are the kinds that could."""

    def __init__(self, place: int, accepted: frozenset[str]) -> None:
        super().__init__(place)
        self.place, self.accepted = place, accepted


@dataclass(frozen=True, slots=True)
class Grammar:
    """The tables of a grammar, and what builds nodes."""

    pattern: re.Pattern[str]
    words: dict[str, str]  # names that are words of the language
    ignored: frozenset[str]
    rules: tuple[Rule, ...]
    states: tuple[dict[str, int], ...]  # by what comes: the next state, or ~ the rule that ends here
    starts: dict[str, tuple[int, int]]  # by what is read: the first state and the last

    def tokens(self, text: str) -> Iterator[Token]:
        """The tokens of a text.  Raises UnexpectedCharacter."""
        match, at, end = self.pattern.match, 0, len(text)
        while at < end:
            found = match(text, at)
            if found is None:
                raise UnexpectedCharacter(at)
            kind, word, start, at = found.lastgroup or "", found[0], at, found.end()
            if kind not in self.ignored:
                yield Token(self.words.get(word, kind) if kind == "NAME" else kind, word, start, at)

    def parse(self, tokens: list[Token], start: str) -> Any:
        """What is built of tokens, of which the last is END.  Raises UnexpectedToken, and what building raises."""
        rules, states = self.rules, self.states
        first, last = self.starts[start]
        way: list[int] = [first]
        parts: list[Any] = []
        for place, token in enumerate(tokens):
            kind = token.type
            while (action := states[way[-1]].get(kind)) is None or action < 0:
                if action is None:
                    raise UnexpectedToken(place, self.accepted(tokens[:place], start))
                rule = rules[~action]
                made = self.built(rule, parts)
                if rule.size:
                    del way[-rule.size :]
                    del parts[-rule.size :]
                way.append(states[way[-1]][rule.origin])
                parts.append(made)
                if kind == END and way[-1] == last:
                    return made
            way.append(action)
            parts.append(token)
        raise AssertionError("the last token is END")

    def built(self, rule: Rule, parts: list[Any]) -> Any:
        """What a rule makes of the last parts."""
        own = parts[-rule.size :] if rule.size else []
        if rule.alone and len(own) == 1:
            return own[0]
        for place in reversed(rule.spliced):
            own[place : place + 1] = own[place]
        return own if rule.build is None else rule.build(own)

    def accepted(self, tokens: list[Token], start: str) -> frozenset[str]:
        """The kinds of tokens that can come next."""
        first, last = self.starts[start]
        way = [first]
        for token in tokens:
            self.go_on(way, token.type, last)
        return frozenset(kind for kind in self.states[way[-1]] if kind.isupper() and self.go_on(way.copy(), kind, last))

    def go_on(self, way: list[int], kind: str, last: int) -> bool:
        """Take a token of a kind, with nothing built; whether it can come next."""
        while (action := self.states[way[-1]].get(kind)) is not None and action < 0:
            rule = self.rules[~action]
            if rule.size:
                del way[-rule.size :]
            way.append(self.states[way[-1]][rule.origin])
            if kind == END and way[-1] == last:
                return True
        if action is not None:
            way.append(action)
        return action is not None


def grammar(build: object) -> Grammar:
    """The grammar of expressions, loop headers and types; `build` has a method for each form."""
    data = json.loads(files(__package__).joinpath("tables.json").read_bytes())
    rules = [
        Rule(origin, size, tuple(spliced), getattr(build, name) if name else None, alone)
        for origin, size, spliced, name, alone in data["rules"]
    ]
    starts = {start: (first, last) for start, (first, last) in data["starts"].items()}
    return Grammar(
        re.compile(data["pattern"]),
        data["words"],
        frozenset(data["ignored"]),
        tuple(rules),
        tuple(data["states"]),
        starts,
    )
