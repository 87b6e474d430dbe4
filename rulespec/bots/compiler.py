"""Compiles bots from YAML to preferences.  Their expressions are checked like those of the rules, and for what their seat may know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from rulespec import ir
from rulespec.bots.data import Formula, Policy, Preference, Tally, Wish
from rulespec.checker import symbols
from rulespec.checker.ahead import check_looks
from rulespec.checker.alive import full_name
from rulespec.checker.assemble import settings_of
from rulespec.checker.declare.declarations import Declarations
from rulespec.checker.env import call_frame
from rulespec.checker.kinds import Kinds, check_name, declare_name
from rulespec.checker.program import CheckedGame
from rulespec.ir.counts import amounts
from rulespec.ir.walk import within
from rulespec.language.types import BOOL, INT, PLAYER, EntityType, Type, UnknownType
from rulespec.passes.fold import fold, settled
from rulespec.passes.invariants import invariants
from rulespec.passes.ungiven import reading
from rulespec.schema import validate_bot
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.quoting import ticked
from rulespec.text.source import Source, Span, read_source, shown_path
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode, parse

PLAYOUTS = 100  # of a search that does not say `playouts`
MOST_EXPRESSIONS = 2_000  # that a bot comes to, each once for every kind of question it is about
Parameters = tuple[tuple[str, Type], ...]
Held = Mapping[str, tuple[int, Type]]  # names in sight where something is asked, each with its local and type
NAME = re.compile(r"[^\W\d]\w*")
Group = int | None  # the options of a site itself, or those that a rule adds to its menu


def load_bot(game: CheckedGame, path: Path, diagnostics: Diagnostics) -> Policy | None:
    """A bot for a game from its file; None where it has faults, which are reported."""
    before = len(diagnostics.errors)
    source = read_source(path, shown_path(path), diagnostics=diagnostics)
    root = None if source is None else parse(source, diagnostics)
    if isinstance(root, MapNode):
        validate_bot(root, diagnostics)
    elif root is not None:
        diagnostics.add("B008", "a bot is a mapping with its name and what it prefers", root.span, expected="bot: NAME")
    if not isinstance(root, MapNode) or len(diagnostics.errors) > before:
        return None
    policy = compile_bot(game, root, path.stem, diagnostics)
    return None if len(diagnostics.errors) > before else policy


def compile_bot(game: CheckedGame, root: MapNode, name: str, diagnostics: Diagnostics) -> Policy:
    """A bot from the tree of its file; faults are reported."""
    return BotCompiler(game, diagnostics).bot(root, name)


def compile_tally(game: CheckedGame, text: str, name: str, diagnostics: Diagnostics) -> tuple[Tally, Type]:
    """The expression of `--tally`, with its type; faults are reported in a source of that name."""
    source = Source(name, text)
    scalar = ScalarNode(text, "plain", Span(source, 0, len(text)))
    formula, t = BotCompiler(game, diagnostics).typed(scalar, (), frozenset(), None)
    return Tally(text, formula.function, formula.span), t


def functions_of(game: CheckedGame, players: int | None, options: Mapping[str, str]) -> tuple[ir.Function, ...]:
    """The functions of a game in one setup, with those of the bots and tallies compiled since."""
    count, chosen = game.setup(players, options)
    functions = tuple(function for function in game.context.out_functions if function is not None)
    variables = game.program(players=players, options=options, optimise=False).variables
    return reading(settled(functions, settings_of(game.context, count, chosen)), variables)


def played_functions(game: CheckedGame, players: int | None, options: Mapping[str, str]) -> tuple[ir.Function, ...]:
    """The same after the passes of the optimizer: for play."""
    program = replace(game.template, functions=functions_of(game, players, options), procedures=(), sites=(), rules=())
    return invariants(fold(program)).functions


# --- bots and preferences -------------------------------------------------------------------------------------------------
class BotCompiler:
    """The bots of one game; each expression becomes a function for each kind of question that it is about."""

    def __init__(self, game: CheckedGame, diagnostics: Diagnostics) -> None:
        self.checked = game
        self.context = game.context
        self.diagnostics = diagnostics
        self.known: dict[tuple[int, Parameters], Formula] = {}
        self.reached: dict[str, frozenset[str]] = {}

    def bot(self, root: MapNode, name: str) -> Policy:
        """The bot of a file's tree."""
        written = root.get("bot")
        if isinstance(written, ScalarNode) and written.value != name:
            self.diagnostics.add(
                "B002",
                f"the bot is named {ticked(written.value)} and its file {ticked(name)}",
                written.span,
                expected=name,
            )
        names = dict(self.context.names)
        try:
            self.functions(root.get("functions"))
            return self.policy(root, name)
        finally:  # names declared by the bot itself
            self.context.names.clear()
            self.context.names.update(names)

    def functions(self, node: Node | None) -> None:
        """Declare the functions of a bot, and check them."""
        context, expressions = self.context, self.checked.expressions
        outer, context.diagnostics = context.diagnostics, self.diagnostics
        kinds = Kinds(context, expressions)
        declarations = Declarations(context, expressions, kinds)
        declared = []
        for key, body in node.entries if isinstance(node, MapNode) else ():
            if check_name(context, key, "a function"):
                declared.append(declarations.declare_function(key, body, "function", None, None))
                declare_name(context, key, declared[-1])
        for function in declared:
            expressions.compile_function(function)
        context.diagnostics = outer

    def policy(self, root: MapNode, name: str) -> Policy:
        """The policy of a bot, once its functions are declared."""
        listed = root.get("prefers")
        preferences = (
            [self.preference(item) for item in listed if isinstance(item, MapNode)]
            if isinstance(listed, ListNode)
            else []
        )
        search = root.get("search")
        value, playouts, depth = None, None, None
        if isinstance(search, MapNode):
            playouts = number(search.get("playouts")) or PLAYOUTS
            depth = number(search.get("depth"))
            value = self.formula(search.get("value"), (("me", PLAYER),), frozenset(), INT)
        title, about = (
            " ".join(n.value.split()) if isinstance(n := root.get(key), ScalarNode) else ""
            for key in ("title", "about")
        )
        return Policy(
            name=name,
            title=title,
            about=about,
            preferences=tuple(preferences),
            playouts=playouts,
            depth=depth,
            value=value,
        )

    def preference(self, node: MapNode) -> Preference:
        """One of its preferences."""
        names, runs = self.context.words(node.get("at")), self.context.words(node.get("in"))
        sites = self.sites(names, runs)
        choose, avoid = self.context.words(node.get("choose")), self.context.words(node.get("avoid"))
        if sites:
            self.check_options(sites, [*choose, *avoid])
        if "count" in node and not any(self.of_a_kind(site) for site in sites):
            key = node.key("count")
            if sites and key is not None:
                self.diagnostics.add("B009", "no question here asks how many of a kind", key.span)
        at = {site: self.wishes(node, site, tuple(word.value for word in choose)) for site in sites}
        compiled = Preference(
            node.span,
            tuple(word.value for word in runs),
            tuple(word.value for word in choose),
            tuple(word.value for word in avoid),
            {site: group for site, group in at.items() if group},
        )
        if sites and not any(key in node for key in ("choose", "avoid", "score", "weight", "count")):
            tests = [wish.test for group in at.values() for wish in group.values()]
            if not any(test is not None and test.about for test in tests):
                self.diagnostics.add(
                    "B006",
                    "this prefers nothing",
                    node.entries[0][0].span,
                    help=("add `choose`, `avoid`, `score`, `weight` or `count`",),
                )
        return compiled

    # --- which questions ------------------------------------------------------------------------------------------------
    def sites(self, names: list[ScalarNode], runs: list[ScalarNode]) -> list[int]:
        """The questions that a preference is about."""
        procedures = self.context.procedures
        for run in runs:
            if run.value not in procedures:
                self.unknown("B003", "procedure or phase", run, procedures)
        asked = [(n, question) for n, question in enumerate(self.context.asked) if question.owner in self.context.needs]
        if any(run.value not in procedures for run in runs):
            return []
        if runs:
            below = frozenset().union(*(self.below(f"procedure {run.value}") for run in runs))
            inside = [(n, question) for n, question in asked if question.owner in below]
        else:
            inside = asked
        for name in names:
            if any(question.name == name.value for _, question in inside):
                continue
            if any(question.name == name.value for _, question in asked):
                where = " or ".join(ticked(run.value) for run in runs)
                self.diagnostics.add("B003", f"{ticked(name.value)} is not asked in {where}", name.span)
            else:
                self.unknown("B003", "question", name, {question.name for _, question in asked})
        wanted = {name.value for name in names}
        return [n for n, question in inside if not wanted or question.name in wanted]

    def below(self, key: str) -> frozenset[str]:
        """All procedures that a procedure can lead to: calls, rules and events."""
        if key not in self.reached:
            reached, todo = {key}, [key]
            while todo:
                needs = self.context.needs.get(todo.pop())
                more = set() if needs is None else {callee for callee, _ in needs.calls} - reached
                reached |= more
                todo += sorted(more)
            self.reached[key] = frozenset(reached)
        return self.reached[key]

    def unknown(self, code: str, kind: str, word: ScalarNode, names: Iterable[str]) -> None:
        outer, self.context.diagnostics = self.context.diagnostics, self.diagnostics
        self.context.unknown(code, kind, word.value, word.span, sorted(names), owner="the game")
        self.context.diagnostics = outer

    # --- which options --------------------------------------------------------------------------------------------------
    def additions(self, asked: symbols.Asked) -> list[symbols.Rule]:
        """The rules that add to the menu of a question."""
        return [] if asked.menu is None else [rule for rule in asked.menu.additions if rule.index is not None]

    def check_options(self, sites: list[int], words: list[ScalarNode]) -> None:
        """Report options that none of these questions has."""
        names: set[str] = set()
        anything = False
        for n in sites:
            site, asked = self.context.out_sites[n], self.context.asked[n]
            assert site is not None
            if site.none is not None:
                names.add(site.none.name)
            names |= {branch.name for branch in site.branches}
            if isinstance(asked.item, EntityType) and site.type.what == "entity":
                names |= set(self.context.kinds[asked.item.kind].members)
            elif not site.branches and asked.menu is None:
                anything = True  # numbers, sets, rules that are arranged: as answers of cases write them
            for rule in self.additions(asked):
                name = short(rule)
                names.add(name)
                names |= (
                    {f"{name}.{rule.kind.members[piece]}" for piece in rule.pieces} if rule.kind is not None else set()
                )
        for word in words:
            if word.value not in names and not anything:
                self.unknown("B004", "option", word, names)

    def wishes(self, node: MapNode, site: int, choose: tuple[str, ...]) -> Mapping[Group, Wish]:
        """A preference for a question: a `Wish` for its own options, and one for those of each rule that adds to its menu."""
        asked = self.context.asked[site]
        shared: Parameters = (("me", PLAYER),)
        if asked.menu is not None:
            shared += tuple((p.name, p.type) for p in asked.menu.parameters)
        item: Parameters = (
            () if asked.item is None or isinstance(asked.item, UnknownType) else ((asked.name, asked.item),)
        )
        held = asked.locals
        groups: dict[Group, Wish] = {None: self.wish(node, shared, held, item)} if self.meant(site, choose) else {}
        for rule in self.additions(asked):
            carried: Parameters = () if rule.kind is None else (("this", rule.kind.type),)
            if rule.lasting is not None:
                carried = tuple((p.name, p.type) for p in rule.lasting.parameters)
            if not choose or any(word == short(rule) or word.startswith(f"{short(rule)}.") for word in choose):
                groups[rule.index] = self.wish(node, shared, held, carried)
        return groups

    def of_a_kind(self, n: int) -> bool:
        """Whether a question asks how many of each kind, one kind after the other."""
        site = self.context.out_sites[n]
        return site is not None and amounts(site.items) is not None

    def meant(self, n: int, choose: tuple[str, ...]) -> bool:
        """Whether one of the named options may be one of the question's own, not one that a rule adds."""
        site, asked = self.context.out_sites[n], self.context.asked[n]
        assert site is not None
        names = {branch.name for branch in site.branches} | ({site.none.name} if site.none is not None else set())
        return asked.menu is None or not choose or bool(names & set(choose))

    def wish(self, node: MapNode, shared: Parameters, held: Held, option: Parameters) -> Wish:
        keys = ("if", BOOL), ("score", INT), ("weight", INT), ("count", INT)
        return Wish(*(self.asked(node.get(key), shared, held, option, want) for key, want in keys))

    def asked(
        self, node: Node | None, shared: Parameters, held: Held, option: Parameters, want: Type
    ) -> Formula | None:
        """An expression about a question: it may read `shared`, the locals there that it names, and the `option`."""
        if not isinstance(node, ScalarNode):
            return None
        taken = {name for name, _ in (*shared, *option)}
        read = {name: held[name] for name in dict.fromkeys(NAME.findall(node.value)) if name in held.keys() - taken}
        first = (*shared, *((name, t) for name, (_, t) in read.items()))
        parameters = (*first, *option)
        about = frozenset(range(len(first), len(parameters)))
        formula = self.formula(node, parameters, about, want)
        return None if formula is None else replace(formula, locals=tuple(local for local, _ in read.values()))

    # --- expressions ----------------------------------------------------------------------------------------------------
    def formula(self, node: Node | None, parameters: Parameters, about: frozenset[int], want: Type) -> Formula | None:
        """An expression with these parameters; `about` are the parameters that stand for the option."""
        if not isinstance(node, ScalarNode):
            return None
        key = (id(node), parameters)
        if key not in self.known:
            if len(self.known) >= MOST_EXPRESSIONS:
                self.diagnostics.add(
                    "E003",
                    f"the bot comes to more than {MOST_EXPRESSIONS:_} expressions",
                    node.span,
                    help=("say with `at` and `in` which questions a preference is about",),
                )
                return None
            self.known[key] = self.typed(node, parameters, about, want)[0]
        return self.known[key]

    def typed(
        self, node: ScalarNode, parameters: Parameters, about: frozenset[int], want: Type | None
    ) -> tuple[Formula, Type]:
        """The same, with its type."""
        context = self.context
        outer, context.diagnostics = context.diagnostics, self.diagnostics
        parsed, context.expressions = context.expressions, 0
        env = call_frame(list(parameters), held=False)
        expr, t = self.checked.expressions.of(node, env, want)
        check_looks(context)
        context.diagnostics, context.expressions = outer, parsed
        reads = any(isinstance(e, ir.Local) and e.index in about for e in within(expr))
        number = context.add_function(f"bot {node.value}", len(parameters), env, expr, t, node.span)
        return Formula(node.value, number, reads, node.span), t


def short(rule: symbols.Rule) -> str:
    """The name of the option that a rule adds to a menu."""
    return full_name(rule).rpartition(".")[2]


def number(node: Node | None) -> int | None:
    """A whole number that the schema has checked."""
    value = node.resolve() if isinstance(node, ScalarNode) else None
    return value if isinstance(value, int) else None
