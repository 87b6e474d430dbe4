"""Steps as they are written: each with what follows it, what stands around it, and the names that it gives and reads.

- choose: card          # gives `card`, which the steps behind it may read
  from: me.hand
- move: card
  to: pile
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from rulespec.expr import syntax
from rulespec.expr.parser import ExprSyntaxError, parse_expr
from rulespec.language.registry import Role, Shape, Traits, VerbDef, verbs
from rulespec.lint.game import LintGame
from rulespec.system.records import dataclass
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

SECTIONS = ("procedures", "phases", "rules", "rules of", "menus", "lasting", "end of game")
LISTS = frozenset({"do", "then", "else", "before", "at once", "after", "with"})  # keys of lists of steps
TEXTS = frozenset({"say", "log", "why", "why not", "shown", "or none", "about", "title"})  # what people read
PROSE = frozenset({"cites", "about", "title", "noun"})  # what has no meaning
WORD = re.compile(r"[A-Za-z_]\w*")
NAME = re.compile(
    r"(?<!\w)(?<![^.]\.)(?<!^\.)[A-Za-z_]\w*"
)  # a word that is no part of something; the end of a range is none
BRACES = re.compile(r"\{([^{}]*)\}")
NO_TRAITS = Traits()
QUOTED = re.compile(r'"[^"]*"')


@dataclass(frozen=True, slots=True)
class Step:
    """A step that is a mapping, with the steps behind it in its list, and the mappings around it, the outermost first."""

    node: MapNode
    before: tuple[Node, ...]
    following: tuple[Node, ...]
    around: tuple[MapNode, ...]

    @property
    def verb(self) -> str:
        """What it begins with."""
        return self.node.entries[0][0].value if self.node.entries else ""

    @property
    def operand(self) -> Node | None:
        """What stands behind its verb."""
        return self.node.entries[0][1] if self.node.entries else None

    @property
    def defined(self) -> VerbDef | None:
        """The verb of the language that it begins with, if it does."""
        return verbs().get(self.verb)

    @property
    def traits(self) -> Traits:
        """What is true of it, whatever stands in it."""
        return self.defined.traits if self.defined is not None else NO_TRAITS

    def part(self, *roles: Role) -> ScalarNode | None:
        """What stands there in the first of some roles that its verb has, if it is one word or expression."""
        for role in roles:
            value = self.role(role)
            if value is not None:
                return value if isinstance(value, ScalarNode) else None
        return None

    def role(self, role: Role) -> Node | None:
        """What stands there in a role; None where its verb has no such role, or it is left out."""
        key = self.defined.key_of(role) if self.defined is not None else None
        return None if key is None else self.node.get(key)

    @property
    def assigned(self) -> ScalarNode | None:
        """What it sets to a value of its own."""
        return self.part("target") if self.role("value") is not None else None

    @property
    def change(self) -> tuple[bool, ScalarNode, Node] | None:
        """Whether it adds or takes away in a single place, which, and how much; None if it does neither."""
        goal, source, amount = self.part("goal"), self.part("source"), self.role("amount")
        place = goal if source is None else source
        if (
            amount is None
            or place is None
            or (goal is not None and source is not None)
            or self.role("deck") is not None
        ):
            return None
        return source is None, place, amount

    def shaped(self, shape: Shape) -> Node | None:
        """What stands under the first key beside its verb that has a shape."""
        key = self.defined.key_shaped(shape) if self.defined is not None else None
        return None if key is None else self.node.get(key)

    def scalar(self, key: str) -> ScalarNode | None:
        """What one of its keys says, if it is one word or expression."""
        value = self.node.get(key)
        return value if isinstance(value, ScalarNode) else None


def alone(node: Node) -> Step | None:
    """A mapping as a step, without what stands around it; None of anything else."""
    return Step(node, (), (), ()) if isinstance(node, MapNode) else None


def steps(game: LintGame) -> tuple[Step, ...]:
    """Every step of a game that is a mapping, in the order in which they are written."""
    return game.once(in_sections)


def in_sections(game: LintGame) -> Iterator[Step]:
    """The same, looked for."""
    for name in SECTIONS:
        section = game.context.root.get(name)
        if section is not None:
            yield from below(section, ())


def below(node: Node, around: tuple[MapNode, ...]) -> Iterator[Step]:
    """The steps in a node."""
    match node:
        case MapNode():
            for key, value in node.entries:
                if key.value not in PROSE:
                    yield from below(value, (*around, node))
        case ListNode():
            for number, item in enumerate(node.items):
                if isinstance(item, MapNode):
                    yield Step(item, node.items[:number], node.items[number + 1 :], around)
                    yield from below(item, around)
        case _:
            pass


def lists(game: LintGame) -> Iterator[ListNode]:
    """Every list of steps."""
    for name in SECTIONS:
        section = game.context.root.get(name)
        if section is not None:
            yield from listed(section)


def listed(node: Node) -> Iterator[ListNode]:
    """The lists in a node."""
    match node:
        case MapNode():
            for key, value in node.entries:
                if key.value not in PROSE:
                    yield from listed(value)
        case ListNode():
            yield node
            for item in node.items:
                yield from listed(item)
        case _:
            pass


def called(node: Node) -> Iterator[str]:
    """The first words of the steps in a node, also of those that are a word alone."""
    match node:
        case MapNode():
            for key, value in node.entries:
                if key.value not in PROSE:
                    yield from called(value)
        case ListNode():
            for item in node.items:
                if isinstance(item, ScalarNode):
                    yield item.value
                elif isinstance(item, MapNode) and item.entries:
                    yield item.entries[0][0].value
                yield from called(item)
        case _:
            pass


def read(node: Node | None, texts: bool = True, parts: bool = True) -> set[str]:
    """The words of expressions in a node; of texts those in braces, or none of them.  Without `parts`, `p.hand` is `p` alone."""
    words: set[str] = set()
    match node:
        case ScalarNode():
            words.update((WORD if parts else NAME).findall(QUOTED.sub(in_braces, node.value)))
        case MapNode():
            for key, value in node.entries:
                if key.value in TEXTS and isinstance(value, ScalarNode):
                    words |= (
                        {word for part in spoken(value) for word in (WORD if parts else NAME).findall(part)}
                        if texts
                        else set()
                    )
                elif key.value not in PROSE:
                    words.update(WORD.findall(key.value))
                    words |= read(value, texts, parts)
        case ListNode():
            for item in node.items:
                words |= read(item, texts, parts)
        case _:
            pass
    return words


def in_braces(text: re.Match[str]) -> str:
    """What of a text in an expression is worked out."""
    return " ".join(BRACES.findall(text[0]))


def spoken(text: ScalarNode) -> list[str]:
    """The expressions in the braces of a text."""
    return BRACES.findall(text.value)


@lru_cache(maxsize=20_000)
def parsed(text: str) -> syntax.Expr | None:
    """The expression that a text is, None if it is none."""
    try:
        return parse_expr(text)
    except (ExprSyntaxError, RecursionError):
        return None


def names(tree: syntax.Node | None) -> set[str]:
    """The bare names in an expression, without those of parts; those in texts, too."""
    found: set[str] = set()
    for node in syntax.walk(tree) if tree is not None else ():
        if isinstance(node, syntax.Name):
            found.add(node.id)
        elif isinstance(node, syntax.Text):
            found.update(WORD.findall(" ".join(BRACES.findall(node.value))))
    return found


def names_of(node: Node | None) -> set[str]:
    """The bare names in the expression that a scalar is, or all its words, where it is none."""
    if not isinstance(node, ScalarNode):
        return read(node)
    tree = parsed(node.value)
    return names(tree) if tree is not None else set(WORD.findall(node.value))


def untold(node: Node) -> Iterator[ScalarNode]:
    """Every expression, name and number in a node, without what people read."""
    match node:
        case ScalarNode():
            yield node
        case MapNode():
            for key, value in node.entries:
                if key.value not in TEXTS | PROSE:
                    yield from untold(value)
        case ListNode():
            for item in node.items:
                yield from untold(item)
