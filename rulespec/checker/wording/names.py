"""What people call the things that a game declares: its types and their members, variables, zones, functions and parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from rulespec.checker import symbols
from rulespec.checker.wording.ink import bare, emphasis, link, plain
from rulespec.language.registry import functions
from rulespec.language.types import EntityType, OptionType, Type, item_of
from rulespec.system.records import dataclass
from rulespec.text.yaml_tree import MapNode, Node, ScalarNode

if TYPE_CHECKING:
    from rulespec.checker.context import CheckContext

PERSONS = ("er", "or", "ee", "player", "winner")  # the ends of names that say who somebody is
SHORT = 2  # letters of a name that is no word
WHOLE = ("all_", "every_", "any_", "who_", "what_", "how_", "where_")  # begin names that no article goes with
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
LINKS = frozenset(
    ("at", "by", "from", "for", "in", "is", "of", "on", "over", "to", "with")
)  # that end names of functions, or are keys before a value
PLACES = ("at ", "in ", "not ", "off ", "on ", "out ", "under ")  # begin titles that no article goes with
FIXED = {
    "yes": "yes",
    "no": "no",
    "none": "nothing",
    "empty": "nothing",
    "players": "all players",
    "winners": "the winners",
}


def words(name: str) -> str:
    """A name of the game as words: `draw_pile`, `CombatRound`."""
    return CAMEL.sub(" ", name.replace("_", " ")).strip()


def lower(name: str) -> str:
    """A name of a type as people say it within a sentence."""
    said = words(name)
    return said if said.isupper() else said.lower()


def article(noun: str) -> str:
    """A noun with `a` or `an`."""
    return f"{'an' if bare(noun)[:1].casefold() in 'aeiou' else 'a'} {noun}"


def anchor(*parts: str) -> str:
    """A place in the book, for links."""
    return "-".join(re.sub(r"[^a-z0-9]+", "-", part.casefold()).strip("-") for part in parts)


def section(node: Node | None, *keys: str) -> Node | None:
    """What stands under these keys; None where one is not there."""
    for key in keys:
        if not isinstance(node, MapNode):
            return None
        node = node.get(key)
    return node


def text_of(node: Node | None) -> str:
    """The text of a scalar on one line; nothing of anything else."""
    return plain(node.value) if isinstance(node, ScalarNode) else ""


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that steps and expressions have made, each with what it is called there, and the nouns that are taken."""

    phrases: Mapping[str, str]
    nouns: Mapping[str, str]  # of a name: "cell"

    def having(self, name: str, phrase: str, noun: str = "") -> Scope:
        """The same with one name more."""
        return Scope({**self.phrases, name: phrase}, {**self.nouns, **({name: noun} if noun else {})})


NOTHING = Scope({}, {})


@dataclass(slots=True)
class Names:
    """The names of a game, as its book has them."""

    context: CheckContext
    labels: dict[str, str]  # of members, by their ids; of those that mean two things in two types, none

    @classmethod
    def of(cls, context: CheckContext) -> Names:
        """Those of a game."""
        every: dict[str, set[str]] = {}
        for kind in context.kinds.values():
            for member, label in zip(kind.members, kind.labels, strict=True):
                every.setdefault(member, set()).add(plain(label))
        return cls(context, {member: labels.pop() for member, labels in every.items() if len(labels) == 1})

    def label(self, member: str) -> str:
        """What a member of a type is called."""
        return self.labels.get(member, words(member))

    def is_member(self, kind: str, member: str) -> bool:
        """Whether a type of this name has this member."""
        return kind in self.context.kinds and member in self.context.kinds[kind].members

    def label_in(self, kind: str, member: str) -> str:
        """What a member of one type is called."""
        known = self.context.kinds[kind]
        return plain(known.labels[known.members.index(member)])

    def noun(self, kind: symbols.Kind) -> str:
        """What one of a type is called."""
        return lower(kind.name) if kind.what == "cell" else plain(kind.noun) or lower(kind.name)

    def plural(self, noun: str) -> str:
        """Several of what a noun says: as the game has it, or by the rules of English."""
        known = self.context.plurals.get(noun)
        if known:
            return plain(known)
        if noun.endswith(("s", "x", "z", "ch", "sh")):
            return f"{noun}es"
        return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2:-1] not in "aeiou" else f"{noun}s"

    def title(self, part: str, name: str) -> str:
        """What the table calls a variable (`state`) or a zone (`zones`); its name where that has no title."""
        return text_of(section(self.context.root, "table", part, name, "title")) or words(name)

    def titled(self, part: str, name: str) -> str:
        """The title of a variable or zone as a noun behind `the`; its name where the title is none: `fights in`, `not in play`."""
        said = self.title(part, name).removeprefix("the ")
        return words(name) if said.rpartition(" ")[2] in LINKS or said.startswith(PLACES) else said

    def known(self, name: str) -> str | None:
        """What is called by a name everywhere in the game; None where nothing is."""
        symbol = self.context.names.get(name)
        if isinstance(symbol, symbols.Variable):
            return self.variable(symbol)
        if isinstance(symbol, symbols.Zone):
            said = self.titled("zones", name)
            return emphasis(said) if self.title("zones", name).startswith(PLACES) else f"the {said}"
        if isinstance(symbol, symbols.Option):
            return link(f"the option {emphasis(words(name))}", anchor("option", name))
        if isinstance(symbol, symbols.Function):
            said = link(words(name), anchor("meaning", name))
            return said if name.startswith(WHOLE) else f"the {said}"
        if symbol is not None:
            return f"the {link(words(name), anchor('table', name))}"
        if name in self.labels:
            return self.labels[name]
        if name in self.context.kinds:
            return f"every {self.noun(self.context.kinds[name])}"
        return FIXED.get(name)

    def variable(self, variable: symbols.Variable) -> str:
        """What a variable is called: the *active* player, *quiet*."""
        said = self.term(variable)
        kept = variable.type.item if isinstance(variable.type, OptionType) else variable.type
        if not isinstance(kept, EntityType) or kept.kind != "Player" or variable.per:
            return said
        return f"the {said}" if variable.name.endswith(PERSONS) else f"the {said} player"

    def term(self, variable: symbols.Variable) -> str:
        """The name of a variable as a term that the book explains."""
        return link(emphasis(self.titled("state", variable.name)), anchor("kept", variable.name))

    def attribute(self, name: str) -> symbols.Symbol | None:
        """What a name after a dot stands for: the first of it, as a game means one thing by a word."""
        return next((kind.attributes[name] for kind in self.context.kinds.values() if name in kind.attributes), None)

    def function(self, name: str) -> bool:
        """Whether a name is a function, value or condition of the game."""
        return isinstance(self.context.names.get(name) or self.attribute(name), symbols.Function)

    def part(self, name: str) -> str:
        """What a field, variable, zone or value of something is called, after `its`."""
        symbol = self.attribute(name)
        if isinstance(symbol, symbols.Variable):
            return self.term(symbol)
        if isinstance(symbol, symbols.Function):
            return link(words(name), anchor("meaning", name))
        return self.titled("zones", name) if isinstance(symbol, symbols.Zone) else words(name)

    def item_noun(self, t: Type | None) -> str:
        """What one item of a collection is called, by its type; nothing where that does not tell."""
        item = None if t is None else item_of(t)
        kind = self.context.kinds.get(item.kind) if isinstance(item, EntityType) else None
        return self.noun(kind) if kind is not None else ""

    def of_collection(self, name: str) -> str:
        """What one item of what has a name is called; nothing where nothing tells."""
        if name == "players":
            return "player"
        if name in self.context.kinds:
            return self.noun(self.context.kinds[name])
        symbol = self.context.names.get(name)
        if symbol is None:
            symbol = self.attribute(name)
        if isinstance(symbol, symbols.Zone):
            return self.noun(symbol.kind)
        if isinstance(symbol, symbols.Variable):
            return self.item_noun(symbol.type)
        return self.item_noun(symbol.result) if isinstance(symbol, symbols.Function) else ""

    def of_library(self, name: str) -> str:
        """What one item of what a function of boards or maps gives is called; nothing where there are several sorts of them."""
        known = functions().get(name)
        sort = {"boards": "cell", "maps": "node", "players": "player"}.get(known.group, "") if known is not None else ""
        kinds = [kind for kind in self.context.kinds.values() if kind.what == sort]
        return self.noun(kinds[0]) if len(kinds) == 1 and name != "lines" else ""
