"""The words that a question of some rules could be answered by, whatever is legal, or even a candidate, at the moment.

A script may name an answer that must be refused.  That a word is refused says something only if the question knows the word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rulespec.ir.counts import counted_kind, counts_named
from rulespec.ir.expressions import Const
from rulespec.ir.program import Kind, Rule
from rulespec.ir.questions import Site, Text
from rulespec.ir.types import Type
from rulespec.system.records import dataclass
from rulespec.text.numbers import WHOLE, whole

_COUNTED = re.compile(rf"{WHOLE} +(?P<member>.+)")
_BRACKETS = str.maketrans("", "", "()")
ANYTHING = ".+"
MOST_OPEN = 3  # parts of a text that may be anything, so that a word is soon seen not to fit
LONGEST = 300  # characters of a word that may be what a text comes to
WRITTEN_OUT = ("set", "list", "bag", "record")  # shown otherwise than they are named
NO_RULES = ("set", "list", "bag", "record", "option", "entity", "bool")  # candidates of these are no options of rules


@dataclass(frozen=True, slots=True)
class Words:
    """What the answers to some questions are called: words, and printers for those that are too many to list.

    `words` are folded; `shown` has them as they are written, to suggest one.
    """

    words: frozenset[str]
    shown: tuple[str, ...]
    printers: tuple[tuple[Type, Site], ...]
    kinds: tuple[Kind, ...]
    instances: frozenset[str]  # names of rules that may be followed by `.` and what they are about
    texts: tuple[re.Pattern[str], ...] = ()  # as what they are shown
    counted: frozenset[int] = frozenset()  # kinds of which is asked how many

    def or_else(self, other: Words) -> Words:
        """These and those of other questions of the same game."""
        return Words(
            self.words | other.words,
            tuple(dict.fromkeys((*self.shown, *other.shown))),
            (*self.printers, *other.printers),
            self.kinds,
            self.instances | other.instances,
            tuple(dict.fromkeys((*self.texts, *other.texts))),
            self.counted | other.counted,
        )

    def has(self, word: str) -> bool:
        """Whether one of the questions could be answered by this word."""
        text = word.strip()
        if text.casefold() in self.words:
            return True
        name, dot, _ = text.partition(".")
        if dot and name in self.instances:
            return True
        if len(text) <= LONGEST and any(pattern.fullmatch(text) for pattern in self.texts):
            return True
        if any(counts_named(text, self.kinds[kind]) is not None for kind in self.counted):
            return True
        return any(self.fits(printer, site, text) for printer, site in self.printers)

    def fits(self, printer: Type, site: Site | None, text: str) -> bool:
        """Whether a text could be a value of a printer.  `site` bounds numbers that are answered by themselves."""
        match printer.what:
            case "int":
                number = whole(text)
                if number is None:
                    return False
                return site is None or site.code != "value" or site.low <= number < site.low + site.size
            case "set" | "list":
                parts = text.translate(_BRACKETS).split("+")
                return text == "nothing" or all(self.fits(printer.parts[0], None, part.strip()) for part in parts)
            case "bag":
                members = self.kinds[printer.kind or 0].members
                counted = [_COUNTED.fullmatch(part.strip()) for part in text.split("+")]
                return text == "nothing" or all(one is not None and one["member"] in members for one in counted)
            case "option":
                return text == "none" or self.fits(printer.parts[0], site, text)
            case "record":
                values = text.split(", ")
                return len(values) == len(printer.parts) and all(
                    self.fits(part, None, value.removeprefix(f"{name}: "))
                    for part, name, value in zip(printer.parts, printer.names, values, strict=True)
                )
            case "text":
                return True
        return text.casefold() in {word.casefold() for word in listed(printer, self.kinds)}


def words(sites: Iterable[Site], rules: Iterable[Rule], kinds: tuple[Kind, ...]) -> Words:
    """What the answers to these questions are called; `rules` are all of the program, whose options may be added to them."""
    sites, rules = tuple(sites), tuple(rules)
    options = [r.option.name for r in rules if r.option is not None]
    texts: dict[Text, None] = {}
    shown: dict[str, None] = {}
    instances: set[str] = set()
    printers: dict[tuple[Type, str, int, int], Site] = {}
    for site in sites:
        shown.update(dict.fromkeys(branch.name for branch in site.branches))
        texts.update(dict.fromkeys(branch.text for branch in site.branches))
        texts.update(dict.fromkeys(part.text for part in (site.none,) if part is not None))
        if site.shown is not None or site.type.what in WRITTEN_OUT:
            texts[site.shown or Text(((Const(None), site.type),))] = None
        if site.branches or site.arguments or site.type.what not in NO_RULES:
            shown.update(dict.fromkeys(options))
            instances.update(options)
            texts.update(dict.fromkeys(rule.option.text for rule in rules if rule.option is not None))
        if not site.branches:
            printers.setdefault((site.type, site.code, site.low, site.size), site)
            shown.update(dict.fromkeys(listed(site.type, kinds)))
        if site.none is not None:
            shown[site.none.name] = None
    asked = tuple((key[0], site) for key, site in printers.items())
    patterns = tuple(re.compile(pattern(text, kinds), re.IGNORECASE) for text in texts)
    folded = frozenset(word.casefold() for word in shown)
    counted = frozenset(kind for kind in map(counted_kind, sites) if kind is not None)
    return Words(folded, tuple(shown), asked, kinds, frozenset(instances), patterns, counted)


def pattern(text: Text, kinds: tuple[Kind, ...]) -> str:
    """A regular expression for what a text may come to, whatever is filled in."""
    parts = [re.escape(part) if isinstance(part, str) else filling(part[1], kinds) for part in text.parts]
    return ANYTHING if parts.count(ANYTHING) > MOST_OPEN else "".join(parts)


def one_of(words: list[str]) -> str:
    """A regular expression for one of several words, the longest that fits."""
    return f"(?>{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})"


def filling(printer: Type, kinds: tuple[Kind, ...]) -> str:
    """A regular expression for the values of a printer, as they are shown to people; it is matched without going back within one."""
    match printer.what:
        case "int":
            return r"[+-]?[0-9]{1,18}"
        case "bool" | "entity":
            words = [kinds[printer.kind or 0].noun or "?", "?"] if printer.what == "entity" else []
            return one_of([*listed(printer, kinds), *words])
        case "option":
            return f"(?>none|{filling(printer.parts[0], kinds)})"
        case "set" | "list" | "bag":
            of_one = Type("entity", kind=printer.kind) if printer.what == "bag" else printer.parts[0]
            kind = kinds[of_one.kind or 0] if of_one.what == "entity" else None
            if printer.what == "bag" and kind is not None:
                item = f"[0-9]{{1,18}} {one_of([*listed(of_one, kinds), *filter(None, kind.plurals)])}"
            else:
                item = f"{filling(of_one, kinds)}(?: ×[0-9]+)?"
            if printer.what != "bag" and kind is not None and kind.nouns:
                item = f"(?>[0-9]{{1,18}} {re.escape(kind.nouns)}|{item})"
            return f"(?>nothing|{item}(?:, {item})*+(?: and {item})?)"
        case "record":
            return ", ".join(filling(part, kinds) for part in printer.parts)
    return ANYTHING


def orders(rules: Iterable[Rule], kinds: tuple[Kind, ...]) -> Words:
    """What rules are called that a player puts into an order."""
    names = {rule.name.rpartition(".")[2] if rule.option is None else rule.option.name for rule in rules}
    return Words(frozenset(name.casefold() for name in names), tuple(sorted(names)), (), kinds, frozenset(names))


def listed(printer: Type, kinds: tuple[Kind, ...]) -> Iterator[str]:
    """The words for the values of a printer that has few: their names, then what they are shown as."""
    match printer.what:
        case "bool":
            yield from ("yes", "no")
        case "entity":
            kind = kinds[printer.kind or 0]
            yield from kind.members
            yield from kind.labels
        case "option":
            yield from listed(printer.parts[0], kinds)
            yield "none"
