"""From leaks to findings for people: every setup of a game, each leak once, at its place in the file.

    error[F004]: Leak: this line of the log shows all players something of what lies in `hand`, which is hidden from some of them

with the way of the secret as related places, and help that works for this secret.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice

from rulespec import ir
from rulespec.checker.program import CheckedGame
from rulespec.checker.symbols import Variable, Zone
from rulespec.lint.flow.analysis import TaintAnalysis
from rulespec.lint.flow.labels import Secret
from rulespec.lint.flow.secrecy import Secrecy
from rulespec.lint.flow.setups import Setups, joint, single
from rulespec.lint.flow.shown import Leak, Part, Shown
from rulespec.lint.flow.trace import Step, way
from rulespec.lint.stages import alone
from rulespec.text.diagnostics import Diagnostic, Diagnostics
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

MOST_STEPS = 8  # of the way of a secret that are shown
WHAT = {
    "F001": "what may be chosen as `{name}`",
    "F002": "the text of `{name}`",
    "F003": "asking this",
    "F004": "this line of the log",
    "F005": "what `{name}` is chosen from",
    "F006": "`{name}`",
    "F007": "that pieces come to or leave `{name}`",
}
# Of pieces: `{zone}` is what they lie in, or what holds them.
HELP = {
    "F001": ("let the condition read only what the player who chooses may see",
             "or show it first, before it is read: `reveal:` or `look:` what lies in `{zone}`"),
    "F002": ("say only what the player who reads it may see",
             "or show it first, before it is read: `reveal:` or `look:` what lies in `{zone}`"),
    "F003": ("ask whether or not it holds, and let a condition under `only:` say what the player may choose",
             "or ask all of them in secret with `together:`, or show it first: `reveal:` what lies in `{zone}`"),
    "F004": ("say only what all who read it may see: the piece itself, which the others read as its noun, or how many there are",
             "or show it first, before it is read: `reveal:` what lies in `{zone}`, or `move:` it to a zone that they see"),
    "F005": ("let chance take one unseen: `pick:`", "or show them first: `look:` at what lies in `{zone}`"),
    "F006": ("write `seen by:` with the variable: who may know it",
             "or `seen by: all`, where the rules make this known; or `reveal:` what lies in `{zone}` first"),
    "F007": ("show first what decides it: `reveal:` what lies in `{zone}`", "or hide how many lie there: `count seen by:`"),
}  # fmt: skip
# Of variables, and of where pieces lie: nothing reveals these.
HELP_OF_OTHERS = {
    "F001": ("let the condition read only what the player who chooses may see",),
    "F002": ("say only what the player who reads it may see",),
    "F003": (HELP["F003"][0], "or ask all of them in secret with `together:`"),
    "F004": ("say only what all who read it may see, or address the line: `to:`",),
    "F005": ("let chance take one unseen: `pick:`",),
    "F006": ("write `seen by:` with the variable: who may know it, or `seen by: all`, where the rules make this known",),
    "F007": ("hide how many lie there: `count seen by:`",),
}  # fmt: skip
SHOW_BEFORE = "or show it first, before pieces leave `{zone}` or come there unseen: `reveal:` what lies there"
CHANGED = "{what} may be something else from here on"
DECLARED = "or let the players know `{variable}`: `seen by:` where it is declared"
REMEMBERED = "or leave out of `repetition` what is hidden from some: then all may know how often the position has been"
ASKED_OF_A_ZONE = "or ask whether a zone that they see holds the piece: `p.hand includes c`"
TOLD_ONE = (
    "where the rules tell it to this player and to no other: `let: ... be: ... seen by: set(...)`, and go by that name"
)
TOLD = "where the rules tell all the answer and no more: `let: ... be: ... seen by: all`, and go by that name"
NAMED = (
    "a piece is shown where it lies, and what is named wherever it lies is its face: `Face: {{faces of: {kind}}}` under `types`, "
    "faces in `{variable}`, and `piece.face`"
)
ACTS = "or let all see that `{rule}` acts, and by what: `seen by: all` at that rule"
READERS = "say only what all who read it may see"
ADDRESSED = f"{READERS}, or name under `to:` only players who may know it"


def helps(leak: Leak, places: Places) -> tuple[str, ...]:
    """What may be done about a leak: each of it is a cure that works for this secret."""
    if leak.code == "F004" and leak.atom.base.what == "place":  # nobody is known to know where pieces lie
        return (READERS, ASKED_OF_A_ZONE, TOLD if leak.to_all else TOLD_ONE)
    if leak.code == "F004" and not leak.to_all:  # `to:` is written already
        return (ADDRESSED, *helps(replace(leak, code="F002"), places)[1:])
    declared = places.declaration(leak.atom.base)
    told = (TOLD,) if leak.to_all and leak.code in ("F003", "F004", "F007") else ()
    if not leak.to_all and leak.code in ("F001", "F002", "F004"):
        told = (TOLD_ONE,)
    if leak.atom.base.what == "place":
        return (*HELP_OF_OTHERS[leak.code], ASKED_OF_A_ZONE, *told)
    assert declared is not None
    if leak.atom.base.what == "named":
        return (NAMED.format(variable=declared.name, kind=places.kind_of(leak.atom.base.number)),)
    if leak.atom.base.what == "var":
        known = (
            REMEMBERED
            if isinstance(declared, Variable) and declared.remembers
            else DECLARED.format(variable=declared.name)
        )
        return (*HELP_OF_OTHERS[leak.code], known, *told)
    cures = HELP[leak.code] if leak.changed is None else (*HELP_OF_OTHERS[leak.code], SHOW_BEFORE)
    return (*(text.format(zone=declared.name) for text in cures), *told)


def helps_of_rules(leak: Leak, rule: str) -> tuple[str, ...]:
    """What may be done where a secret decides that a rule acts: nothing is shown before, as it may act at any time."""
    first = (ADDRESSED,) if leak.code == "F004" and not leak.to_all else HELP_OF_OTHERS[leak.code]
    return (*first, ACTS.format(rule=rule))


def leaks(game: CheckedGame) -> list[Diagnostic]:
    """Every leak of a game in any of its setups that are tried, sorted by place.

    All setups at once may leak more than any of them.  What is suspected then is looked for in one setup, which mostly has it; or
    else in programs that know who sees what, which mostly have not; and what is left, in the other setups.
    """
    if not game.template.hides:
        return []
    search = Search(game)
    programs = single(game)
    for step, together in enumerate(joint(game)):
        search.suspect(together)
        if step == 0:
            search.confirm(islice(programs, 1))
        if not search.suspected:
            break
    search.confirm(programs)
    return search.findings()


class Search:
    """The search for leaks: what is suspected, and what was found in a setup."""

    def __init__(self, game: CheckedGame) -> None:
        self.places = Places(game)
        self.found = Diagnostics()
        self.suspected: set[Leak] | None = None  # not known yet
        self.confirmed: set[Leak] = set()
        self.whole = True

    def look(self, program: ir.Program, counts: tuple[int, ...]) -> TaintAnalysis:
        """What a program shows."""
        analysis = looked_at(program, counts, self.places)
        self.whole &= analysis.whole
        return analysis

    def suspect(self, programs: Iterable[Setups]) -> None:
        """Programs that together stand for all setups: nothing leaks but what leaks in one of them."""
        leaks = {
            leak for program, counts in programs for leak in self.look(program, counts).shown.leaks
        } - self.confirmed
        self.suspected = leaks if self.suspected is None else self.suspected & leaks

    def confirm(self, programs: Iterable[Setups]) -> None:
        """Look at setups until all that is suspected was found in one."""
        for program, counts in programs if self.suspected else ():
            analysis = self.look(program, counts)
            for leak in sorted(analysis.shown.leaks, key=order):
                add(self.found, self.places, leak, way(analysis, leak.where, leak.atom.base))
            self.confirmed |= set(analysis.shown.leaks)
            self.suspected = (self.suspected or set()) - self.confirmed
            if not self.suspected:
                break

    def findings(self) -> list[Diagnostic]:
        """All that was found, by place; and that not all was looked at, if so."""
        if not self.whole:
            self.found.add(
                "F008",
                "the game is too large to be looked through for secrets as a whole: more may leak than is reported",
                self.places.head(self.places.game.context.root.span),
                severity="warning",
                help=("let procedures be called in fewer ways: with fewer different values, and by fewer others",),
            )
        return list(self.found.sorted())


def looked_at(program: ir.Program, counts: tuple[int, ...], places: Places) -> TaintAnalysis:
    """What a program shows, and how its secrets come there."""
    secrecy, context = Secrecy(program, counts), places.game.context
    shown = Shown(secrecy, places.open_variables, places.counting, context.public, context.told_some)
    analysis = TaintAnalysis(program, secrecy, shown)
    if program.hides:
        analysis.run()
    return analysis


def order(leak: Leak) -> tuple[str, int, str]:
    """Where a leak comes among those of one place: the same in every run."""
    return leak.code, leak.where.start if leak.where else 0, repr((leak.part, tuple(leak.atom), leak.name, leak.to_all))


def add(found: Diagnostics, places: Places, leak: Leak, steps: Sequence[Step]) -> None:
    """A leak as a finding, with the way of its secret: where it is read, each step, and where it is declared."""
    what = WHAT[leak.code].format(name=leak.name)
    secret = places.secret(leak.atom.base)
    span = places.part(leak.where, leak.part)
    related = []
    for n, (where, text) in enumerate(steps if len(steps) <= MOST_STEPS else (*steps[: MOST_STEPS - 1], steps[-1])):
        place = places.read_in(where, leak.atom.base) if n == 0 else places.head(where)
        if where != leak.where and place != span:
            related.append((place, text))
    if leak.changed is not None:
        related.append((places.head(leak.changed), CHANGED.format(what=secret)))
    declared = places.declared(leak.atom.base)
    if declared is not None:
        related.append((declared, "declared here"))
    rule = next((places.rules[where] for where, _ in steps if where in places.rules), None)
    cures = helps(leak, places) if rule is None else helps_of_rules(leak, rule)
    whom, hidden = ("all players", "some of them") if leak.to_all else ("a player", "that player")
    message = f"Leak: {what} shows {whom} something of {secret}, which is hidden from {hidden}"
    found.add(leak.code, message, span, help=cures, related=related)


class Places:
    """Where in the files of a game things are written."""

    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.steps: dict[Span, MapNode] = {}
        self.gather(game.context.root)
        self.counting = frozenset(
            span
            for span, tree in self.steps.items()
            if "count" in tree and (step := alone(tree)) is not None and step.role("candidates") is not None
        )

    def gather(self, node: Node) -> None:
        """Every mapping by its place."""
        if isinstance(node, MapNode):
            self.steps.setdefault(node.span, node)
            for _, value in node.entries:
                self.gather(value)
        elif isinstance(node, ListNode):
            for item in node.items:
                self.gather(item)

    @cached_property
    def open_variables(self) -> frozenset[int]:
        """The variables for which it is written that all see them."""
        return frozenset(
            n
            for n, variable in enumerate(self.game.context.variables)
            if variable.seen.who == "all"
            and isinstance(node := self.steps_at(variable.span), MapNode)
            and "seen by" in node
        )

    @cached_property
    def rules(self) -> dict[Span, str]:
        """The names of the rules of which it is not written that all see them act, by their places."""
        context = self.game.context
        written = context.root.get("rules")
        entries = written.entries if isinstance(written, MapNode) else ()
        return {key.span: key.value for key, _ in entries if key.span not in context.public}

    def steps_at(self, span: Span) -> Node | None:
        """What is declared by the name that stands at a place."""
        return self.declarations.get(span)

    @cached_property
    def declarations(self) -> dict[Span, Node]:
        """What stands under each key."""
        return {key.span: value for tree in self.steps.values() for key, value in tree.entries}

    def secret(self, base: Secret) -> str:
        """What is hidden, in words."""
        what, number, _ = base
        game = self.game.template
        match what:
            case "zone":
                return f"what lies in `{game.zones[number].name}`"
            case "top":
                return f"the top of `{game.zones[number].name}`"
            case "count":
                return f"how many lie in `{game.zones[number].name}`"
            case "var":
                return f"`{game.variables[number].name}`"
            case "held":
                return f"the piece in `{game.variables[number].name}`"
            case "named":
                return f"which pieces `{game.variables[number].name}` names"
        return f"where pieces of `{game.kinds[number].name}` lie"

    def kind_of(self, variable: int) -> str:
        """The type of the pieces that a variable names."""
        parts = [self.game.template.variables[variable].type]
        while parts[-1].kind is None:
            parts += parts[-1].parts
        return self.game.template.kinds[parts[-1].kind].name

    def declaration(self, base: Secret) -> Variable | Zone | None:
        """The zone or variable that is hidden; None for where pieces lie."""
        if base.what in ("var", "held", "named"):
            return self.game.context.variables[base.number]
        return None if base.what == "place" else self.game.context.zones[base.number]

    def declared(self, base: Secret) -> Span | None:
        """Where what is hidden is declared."""
        declaration = self.declaration(base)
        return None if declaration is None else declaration.span

    def read_in(self, span: Span, base: Secret) -> Span:
        """The part of a step in which what is hidden is named, or else its first words."""
        node = self.steps.get(span)
        declaration = self.declaration(base)
        if node is not None and declaration is not None:
            for scalar in scalars(node):
                if re.search(rf"\b{re.escape(declaration.name)}\b", scalar.value):
                    return scalar.span
        return self.head(span)

    def head(self, span: Span) -> Span:
        """The first words of a step."""
        tree = self.steps.get(span)
        return span if tree is None or not tree.entries else tree.entries[0][0].span

    def menu(self, offer: MapNode) -> Node | None:
        """The menu that an offer is made from."""
        name, menus = offer.get("from"), self.game.context.root.get("menus")
        if isinstance(name, ScalarNode) and isinstance(menus, MapNode):
            return menus.get(name.value.partition("(")[0].strip())
        return None

    def part(self, where: Span | None, part: Part) -> Span | None:
        """The part of a step that shows something, or else its first words."""
        node: Node | None = None if where is None else self.steps.get(where)
        if node is None:
            return where
        best = self.head(where) if where is not None else None
        if part[:1] == ("options",) and isinstance(node, MapNode) and "options" not in node:
            node = self.menu(node) or node
        for word in part:
            child = child_of(node, word)
            if child is None:
                break
            node, best = child, child.span
        if isinstance(node, MapNode | ListNode) and part and node.span == best:
            best = first_words(node)
        return best


def child_of(node: Node | None, word: str | int) -> Node | None:
    """What stands under a key, or at a position."""
    if isinstance(node, MapNode) and isinstance(word, str):
        return node.get(word)
    if isinstance(node, ListNode) and isinstance(word, int) and word < len(node.items):
        return node.items[word]
    return None


def scalars(node: Node) -> Iterator[ScalarNode]:
    """The values in a step, in their order, without those of the steps in it."""
    if isinstance(node, ScalarNode):
        yield node
    elif isinstance(node, MapNode):
        step = alone(node)
        arms = step.shaped("arms") if step is not None else None
        for key, value in node.entries:
            if key.value not in ("do", "then", "else") and value is not arms:
                yield from scalars(value)
    elif isinstance(node, ListNode):
        for item in node.items:
            yield from scalars(item)


def first_words(node: Node) -> Span:
    """The first scalar in a node."""
    while not isinstance(node, ScalarNode):
        if isinstance(node, MapNode) and node.entries:
            node = node.entries[0][1]
        elif isinstance(node, ListNode) and node.items:
            node = node.items[0]
        else:
            break
    return node.span
