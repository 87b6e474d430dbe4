"""Compiles cases from YAML to scripts that a machine can run.  Their steps and facts are checked like those of the rules."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from rulespec import ir
from rulespec.cases.data import Case, CaseFact, Laid, ScriptEntry, Suite
from rulespec.cases.doubtful import Doubtful
from rulespec.cases.positions import Positions
from rulespec.cases.telling import telling
from rulespec.checker import symbols
from rulespec.checker.ahead import check_looks
from rulespec.checker.body import Body
from rulespec.checker.context import MAX_EXPRESSIONS, MAX_IN_CASES, CheckContext
from rulespec.checker.declare.base import check_citations
from rulespec.checker.ending import ending
from rulespec.checker.env import call_frame
from rulespec.checker.expressions import Expressions
from rulespec.checker.mentions import Mentions
from rulespec.checker.program import CheckedGame
from rulespec.checker.verbs.scopes import enter
from rulespec.expr import syntax
from rulespec.expr.parser import expression
from rulespec.ir.answers import Words, orders, words
from rulespec.ir.gamedef import in_words
from rulespec.language import registry
from rulespec.language.registry import verbs
from rulespec.language.types import BOOL
from rulespec.loading.reading import CUT, read
from rulespec.passes.fold import folded
from rulespec.schema import validate_cases
from rulespec.text.diagnostics import Diagnostic, Diagnostics
from rulespec.text.disk import place
from rulespec.text.locate import CASES, Variants, files_of, find, game_of, named
from rulespec.text.quoting import ticked
from rulespec.text.source import Span, read_source, shown_path
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode, as_data, parse

MOST_PARTS = 8  # of a fact that are shown where it does not hold


def load_cases(
    path_or_id: str | Path, variant: Variants = None, mentions: Mentions | None = None
) -> tuple[Suite | None, tuple[Diagnostic, ...]]:
    """The game with its cases, from its own file and its folder `cases`, and all findings; None where the game has faults.

    A case that has faults is left out, the others can be played.  The path of a file in a folder `cases` means the game beside that
    folder, with the cases of this file alone.  A variant has the cases in its own file.  With `mentions`, what names stand for is kept
    there.
    """
    diagnostics = Diagnostics()
    alone = Path(path_or_id)
    beside = game_of(alone)
    file = find(path_or_id, diagnostics) if beside is None else beside
    game = None if file is None else read(file, diagnostics, None, named(variant), mentions)
    if game is None or file is None:
        return None, diagnostics.sorted()
    suite = compile_cases(game, roots(game, file, diagnostics), diagnostics)
    if beside is not None:
        return only_of(suite, place(alone), diagnostics.sorted())
    return suite, diagnostics.sorted()


def only_of(suite: Suite, file: Path, findings: tuple[Diagnostic, ...]) -> tuple[Suite, tuple[Diagnostic, ...]]:
    """The cases of one file, and the findings in it and in the game."""
    cases = tuple(case for case in suite.cases if place(Path(case.span.source.name)) == file)
    faulty = tuple(one for one in suite.faulty if place(Path(one[1].source.name)) == file)
    told = [d for d in findings if d.file is None or place(Path(d.file)).parent != file.parent]
    told += [d for d in findings if d.file is not None and place(Path(d.file)) == file]
    return replace(suite, cases=cases, faulty=faulty), tuple(told)


def roots(game: CheckedGame, file: Path, diagnostics: Diagnostics) -> list[MapNode]:
    """The trees that may have `cases:`, `positions:` and `invariants:`: that of the game, and of each file in its folder `cases`."""
    trees = [game.context.root]
    folder = file.parent / CASES
    for path in files_of(folder) if not game.variants else ():
        source = read_source(path, shown_path(path), diagnostics=diagnostics)
        root = None if source is None else parse(source, diagnostics)
        if any(d.code in CUT and d.span is not None and d.span.source is source for d in diagnostics):
            continue
        if isinstance(root, MapNode) and any(name in root for name in ("cases", "positions", "invariants")):
            trees.append(validate_cases(root, diagnostics))
        elif root is not None:
            message = "a file of cases has the section `cases:`, `positions:` or `invariants:`"
            diagnostics.add("K001", message, root.span)
    return trees


def compile_cases(game: CheckedGame, roots: list[MapNode], diagnostics: Diagnostics) -> Suite:
    """The cases and invariants of some files.  A finding within a case that `diagnostics` has already makes that case faulty."""
    cases: list[Case] = []
    faulty: list[tuple[str, Span]] = []
    always: dict[int, list[CaseFact]] = {id(sized): [] for sized in (game, *game.sizes.values())}
    seen: dict[str, ScalarNode] = {}
    told = [fault.span for fault in diagnostics.errors if fault.span is not None]
    positions = Positions(roots, diagnostics)
    apart = Apart(game, positions)
    doubtful = Doubtful(diagnostics)
    for root in roots:
        section = root.get("cases")
        for key, node in section.entries if isinstance(section, MapNode) else ():
            findings = Diagnostics()
            if key.value in seen:
                first = (seen[key.value].span, "the first")
                findings.add("K002", f"there are two cases named {ticked(key.value)}", key.span, related=[first])
            seen.setdefault(key.value, key)
            whole = replace(key.span, end=node.span.end)
            case = apart.case(key, node, findings)
            known = any(whole.holds(span) for span in told)
            if not known:
                findings.unsilenced()
            diagnostics.take(findings)
            if case is None or known or findings.has_errors:
                faulty.append((key.value, key.span))
            else:
                cases.append(case)
                doubtful.look(case, node, game.at(dict(case.options)).context)
                if not case.checks() and not has_check(node):
                    diagnostics.add(
                        "K007",
                        f"the case {ticked(key.value)} checks nothing",
                        key.span,
                        severity="warning",
                        help=("add what must hold: `expect`, `returns`, `asks`, `sees` or `refuse`",),
                    )
        if (written := root.get("invariants")) is not None:
            for sized in (game, *game.sizes.values()):
                findings = Diagnostics()
                stated = apart.of(sized).invariants(written, findings)
                always[id(sized)].extend(stated)
                sized.context.asides.update(fact.function for fact in stated)
                diagnostics.take(findings)
                if findings.has_errors:
                    break
    positions.check_used(diagnostics)
    usual, *_ = facts = [tuple(listed) for listed in always.values()]
    sizes = dict(zip(always, facts, strict=True))
    del sizes[id(game)]
    return Suite(game, tuple(cases), usual, tuple(faulty), tuple(positions.named), sizes)


def has_check(node: Node) -> bool:
    """Whether a step that claims something stands in the steps of a case."""
    if isinstance(node, MapNode):
        claims = (about.value.role == "claim" for key, _ in node.entries if (about := verbs().get(key.value)))
        return any(claims) or any(has_check(value) for _, value in node.entries)
    return isinstance(node, ListNode) and any(map(has_check, node))


def compile_apart(
    game: CheckedGame, roots: list[MapNode]
) -> list[tuple[ScalarNode, Case | None, tuple[Diagnostic, ...]]]:
    """The cases of some trees compiled for another game, each by itself: with its faults, and None where it has any."""
    apart = Apart(game, Positions(roots, Diagnostics()))
    compiled: list[tuple[ScalarNode, Case | None, tuple[Diagnostic, ...]]] = []
    for root in roots:
        section = root.get("cases")
        for key, node in section.entries if isinstance(section, MapNode) else ():
            if isinstance(node, MapNode):
                findings = Diagnostics()
                case = apart.case(key, node, findings)
                compiled.append((key, case, findings.sorted()))
    return compiled


class Apart:
    """Compiles the cases of a game one by one, so that a case with faults has no effect on the others."""

    def __init__(self, checked: CheckedGame, positions: Positions) -> None:
        self.checked = checked
        self.positions = positions
        self.context = checked.context
        self.expressions = checked.expressions
        self.context.most_expressions = MAX_EXPRESSIONS + MAX_IN_CASES
        self._words: tuple[int, Words] | None = None
        self._sizes: dict[int, Apart] = {}

    def of(self, sized: CheckedGame) -> Apart:
        """The compiler of cases for one size of boards."""
        if sized is self.checked:
            return self
        return self._sizes.setdefault(id(sized), Apart(sized, self.positions))

    def invariants(self, written: Node, findings: Diagnostics) -> tuple[CaseFact, ...]:
        """The invariants as facts; none where they have faults, which are added to `findings`."""
        outer, self.context.diagnostics = self.context.diagnostics, findings
        name = ScalarNode("invariants", "plain", written.span)
        facts = CaseCompiler(self, name, MapNode((), written.span)).facts(written)
        check_looks(self.context)
        self.context.diagnostics = outer
        return () if findings.has_errors else facts

    def case(self, key: ScalarNode, node: Node, findings: Diagnostics) -> Case | None:
        """A case; None where it has faults, which are added to `findings`, or there are some already."""
        if not isinstance(node, MapNode):
            findings.add("S001", "a case is a mapping", node.span, expected="given, run, play, expect")
            return None
        options = node.get("options")
        entries = options.entries if isinstance(options, MapNode) else ()
        sized = self.checked.at({name.value: word.value for name, word in entries if isinstance(word, ScalarNode)})
        return self.of(sized).sized_case(key, node, findings)

    def sized_case(self, key: ScalarNode, node: MapNode, findings: Diagnostics) -> Case | None:
        """A case for boards of this size."""
        context = self.context
        parts = (context.out_procedures, context.out_functions, context.out_sites, context.asked, context.targets)
        sizes = [len(part) for part in parts]
        outer, context.diagnostics = context.diagnostics, findings
        case = CaseCompiler(self, key, node).case()
        check_looks(context)
        context.diagnostics = outer
        if not findings.has_errors:
            return case
        for part, size in zip(parts, sizes, strict=True):
            del part[size:]  # type: ignore[attr-defined]
        return None

    def words(self) -> Words:
        """All words by which some question of the game, or of the cases compiled so far, may be answered."""
        sites = self.context.out_sites
        if self._words is None or self._words[0] != len(sites):
            template = self.checked.template
            rules = template.rules
            asked = words((site for site in sites if site is not None), rules, template.kinds)
            self._words = (len(sites), asked.or_else(orders(rules, template.kinds)))
        return self._words[1]


NOBODY = "nobody"  # stands for a player in `asks: nobody`: what was run is over
UNKNOWN_ANSWER = "write an answer as it is written where it is allowed: an option's name, a card, a number"
ALL = "all"  # stands for all players
SHARE = re.compile(r"(0|-?[1-9][0-9]{0,17})(/[1-9][0-9]{0,9})?")  # what a player gets
ENTRIES = ("chance", "given", "refuse", "offers", "asks", "expect", "sees", "take back", "cannot take back")


class CaseCompiler:
    """One case."""

    def __init__(self, apart: Apart, key: ScalarNode, node: MapNode) -> None:
        self.apart = apart
        self.context: CheckContext = apart.context
        self.expressions: Expressions = apart.expressions
        self.key = key
        self.node = node

    def case(self) -> Case:
        """The case as a script; faults are reported."""
        node = self.node
        cites = tuple(word.value for word in self.context.words(node.get("cites")))
        self.citations()
        fault = node.get("fault")
        about = node.get("about")
        options = node.get("options")
        laid = node.get("given") or node.get("position")
        return Case(
            name=self.key.value,
            span=self.key.span,
            players=self.integer("players"),
            options=self.pairs(options),
            seed=self.integer("seed") or 0,
            procedure=self.procedure(),
            script=self.script(node.get("play")),
            facts=self.facts(node.get("expect")),
            invariants=self.facts(node.get("invariants")),
            returns=self.returns(),
            winners=self.winners(),
            fault=fault.value if isinstance(fault, ScalarNode) else None,
            finish="finish" in node,
            cites=cites,
            about=about.value if isinstance(about, ScalarNode) else "",
            laid=None if laid is None else laid.span,
        )

    def citations(self) -> None:
        """Sources that the game does not list."""
        check_citations(self.context, self.node)

    def integer(self, name: str) -> int | None:
        node = self.node.get(name)
        if node is None:
            return None
        value = node.resolve() if isinstance(node, ScalarNode) else None
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        self.context.error("S001", f"{ticked(name)} is a whole number", node.span)
        return None

    def pairs(self, node: Node | None) -> tuple[tuple[str, str], ...]:
        """Options as pairs of names and values."""
        if not isinstance(node, MapNode):
            return ()
        for key, value in node.entries:
            option = self.context.options.get(key.value)
            if option is None:
                self.context.unknown("E104", "option", key.value, key.span, self.context.options)
            elif isinstance(value, ScalarNode) and value.value not in option.words:
                self.context.unknown("E104", f"value of the option {key.value}", value.value, value.span, option.words)
            elif isinstance(value, ScalarNode) and value.value != option.default:
                count = self.integer("players") or self.context.counts[0]
                if count in self.context.counts and count not in option.counts:
                    text = in_words(tuple(map(str, option.counts)))
                    self.context.error("P011", f"the option {key.value} is for {text} players, not {count}", value.span)
        return tuple((key.value, value.value) for key, value in node.entries if isinstance(value, ScalarNode))

    def returns(self) -> tuple[Fraction, ...] | None:
        node = self.node.get("returns")
        if not isinstance(node, ListNode):
            return None
        words = [item.value if isinstance(item, ScalarNode) else "" for item in node]
        if not all(SHARE.fullmatch(word) for word in words):
            self.context.error(
                "S001", "returns are whole numbers or fractions, one a player", node.span, expected="[1, -1]"
            )
            return None
        return tuple(map(Fraction, words))

    def winners(self) -> tuple[str, ...] | None:
        """Who is said to have won; None where nothing is said."""
        node = self.node.get("winners")
        if node is None:
            return None
        names = self.context.words(node)
        together = [ALL, NOBODY] if len(names) == 1 else []
        for name in names:
            if name.value not in (*self.context.kinds["Player"].members, *together):
                self.context.unknown(
                    "K003", "player", name.value, name.span, [*self.context.kinds["Player"].members, ALL, NOBODY]
                )
        return tuple(name.value for name in names)

    # --- steps --------------------------------------------------------------------------------------------------------
    def procedure(self) -> int:
        """Set-up, `given` as one batch, then `run`, or the whole game."""
        context, node = self.context, self.node
        body = Body(context, self.expressions, f"case {self.key.value}", self.key.span)
        env = call_frame([])
        env, unwinding = env.hold(ir.types.TARGET)
        body.run_procedure(context.set_up, (), env, self.key.span)
        opened = []
        for scope in self.around():
            _, leaving, env = enter(body, scope, env, self.key.span)
            opened.append((leaving, scope.target))
            body.scopes.append(scope.name)
        body.nest("add", self.key.span)
        body.batch += 1
        for steps in (*self.apart.positions.of(node.get("position"), context), node.get("given")):
            env = body.block(steps, env)
        body.batch -= 1
        body.nest("sub", self.key.span)
        body.emit(ir.Let(unwinding, ir.Const(None), self.key.span))
        begin = body.here()
        if context.always_procedure is not None:
            body.run_procedure(context.always_procedure, (), env, self.key.span)
        if "run" in node:
            env = body.block(node.get("run"), env)
            body.emit(ir.Return(None, self.key.span))
            for leaving, target in reversed(opened):
                stop = body.here()
                body.emit(ir.Resume(leaving, self.key.span))
                body.emit(ir.Return(None, self.key.span))
                body.regions.append(ir.Region(begin, stop, stop, leaving, target))
        else:
            body.run_procedure(context.procedures["game"].index, (), env, self.key.span)
            body.emit(ir.Let(unwinding, ir.Const(None), self.key.span))
        stop = body.here()
        body.emit(ir.Resume(unwinding, self.key.span))
        body.regions.append(ir.Region(begin, stop, stop, unwinding, context.target("the game")))
        ending(context, self.expressions, body, env)
        context.out_procedures.append(body.finish(0, env))
        return len(context.out_procedures) - 1

    def around(self) -> list[symbols.Scope]:
        """The scope of `within`, after the scopes that it is itself `within`."""
        context, node = self.context, self.node.get("within")
        name = node.value if isinstance(node, ScalarNode) else None
        if isinstance(node, ScalarNode) and name not in context.scopes:
            context.unknown("E109", "scope", node.value, node.span, context.scopes)
        scopes: list[symbols.Scope] = []
        while name is not None and name in context.scopes and context.scopes[name] not in scopes:
            scopes.insert(0, context.scopes[name])
            name = scopes[0].within
        context.refs.update(("scope", scope.name) for scope in scopes)
        return scopes

    def facts(self, node: Node | None) -> tuple[CaseFact, ...]:
        """Yes/no expressions about the state."""
        items = node.items if isinstance(node, ListNode) else [node] if node is not None else []
        claims = []
        for item in items:
            if not isinstance(item, ScalarNode):
                self.context.error("S001", "a fact is an expression", item.span)
                continue
            tree = expression(item, Diagnostics())
            parts = () if tree is None else self.parts(item, tree)
            function, scopes = self.function(item)
            claims.append(CaseFact(item.value, function, item.span, parts, scopes))
        return tuple(claims)

    def function(self, item: ScalarNode) -> tuple[int, tuple[tuple[str, int], ...]]:
        """A yes/no expression about the state as a function of the program, and the scopes whose state it reads."""
        env = call_frame([])
        expr = self.expressions.of(item, env, BOOL)[0]
        number = self.context.add_function(f"fact {item.value}", 0, env, expr, BOOL, item.span)
        about = tuple((name, self.context.scopes[name].alive) for name in sorted(env.frame.scopes))
        return number, about

    def parts(self, item: ScalarNode, tree: syntax.Expr) -> tuple[tuple[str, int, ir.Type], ...]:
        """The subexpressions of a fact whose values explain why it does not hold."""
        sides = []
        outer, self.context.diagnostics = self.context.diagnostics, Diagnostics()
        for text, part in list(telling(item.value, tree))[:MOST_PARTS]:
            env = call_frame([])
            expr, t = self.expressions.tree(item, part, env, None)
            if self.context.diagnostics.has_errors:
                self.context.diagnostics = Diagnostics()
                continue
            if isinstance(folded(expr), ir.Const | ir.Op) and isinstance(part, syntax.Name):
                continue  # a member, or all players: its value is its text
            number = self.context.add_function(f"part {text}", 0, env, expr, t, item.span)
            sides.append((text, number, self.context.type_of(t)))
        self.context.diagnostics = outer
        return tuple(sides)

    # --- the script ---------------------------------------------------------------------------------------------------
    def script(self, node: Node | None) -> tuple[ScriptEntry, ...]:
        """The entries of `play`."""
        entries: list[ScriptEntry] = []
        for item in node.items if isinstance(node, ListNode) else ():
            if not isinstance(item, MapNode) or not item.entries:
                self.context.error("S001", "this is no entry of a script", item.span, expected="p1: an option's name")
                continue
            entries.extend(self.entry(item))
        return tuple(entries)

    def entry(self, item: MapNode) -> list[ScriptEntry]:
        key, value = item.entries[0]
        players = self.context.kinds["Player"].members
        for other, _ in item.entries[1:] if key.value in (*players, *ENTRIES) else ():
            if not (key.value == "refuse" and other.value == "why"):
                self.context.error(
                    "S002", f"{ticked(other.value)} does not stand beside {ticked(key.value)}", other.span
                )
        match key.value:
            case "chance":
                return [ScriptEntry("chance", words=tuple(w.value for w in self.context.words(value)), span=item.span)]
            case "expect":
                return [ScriptEntry("expect", facts=self.facts(value), span=item.span)]
            case "given":
                return [ScriptEntry("given", laid=self.laid(value), span=item.span)]
            case "refuse" | "offers" | "asks":
                return self.about_player(key, value, item)
            case "take back" | "cannot take back":
                word = value.value if isinstance(value, ScalarNode) else ""
                self.player(word, value)
                return [ScriptEntry(key.value, word, span=item.span)]
            case "sees":
                return self.sees(value, item)
        if key.value not in players:
            step = key.value in registry.verbs() or key.value in self.context.procedures
            hint = f"steps stand under `given:`, `- given: [{{{key.value}: ...}}]`" if step else ""
            self.context.unknown(
                "K003", "player or entry of a script", key.value, key.span, [*players, *ENTRIES], hint=hint
            )
            return []
        return [ScriptEntry("answer", key.value, tuple(w.value for w in self.context.words(value)), span=item.span)]

    def laid(self, steps: Node) -> Laid:
        """Steps between two answers, as a procedure."""
        context, span = self.context, self.key.span
        body = Body(context, self.expressions, f"case {self.key.value}, given", span)
        body.scopes.extend(scope.name for scope in self.around())
        env = call_frame([])
        body.nest("add", span)
        body.batch += 1
        env = body.block(steps, env)
        body.batch -= 1
        body.nest("sub", span)
        body.emit(ir.Return(None, span))
        about = tuple((name, context.scopes[name].alive) for name in sorted(env.frame.scopes))
        context.out_procedures.append(body.finish(0, env))
        return Laid(len(context.out_procedures) - 1, about)

    def player(self, word: str, node: Node) -> bool:
        players = self.context.kinds["Player"].members
        if word not in players:
            self.context.unknown("K003", "player", word, node.span, players)
        return word in players

    def about_player(self, key: ScalarNode, value: Node, item: MapNode) -> list[ScriptEntry]:
        """`refuse: {p2: blue_11}`, `offers: {p2: [...]}`, `asks: p2`, `asks: nobody`."""
        why = item.get("why")
        reason = why.value if isinstance(why, ScalarNode) else ""
        if key.value == "asks" and isinstance(value, ScalarNode):
            if value.value == NOBODY and NOBODY not in self.context.kinds["Player"].members:
                return [ScriptEntry("asks", span=item.span)]
            self.player(value.value, value)
            return [ScriptEntry("asks", value.value, span=item.span)]
        entries = []
        for who, answers in value.entries if isinstance(value, MapNode) else ():
            self.player(who.value, who)
            texts = tuple(w.value for w in self.context.words(answers))
            if key.value == "refuse":
                self.refusable(answers)
            entries.append(ScriptEntry(key.value, who.value, texts, reason, span=item.span))  # type: ignore[arg-type]
        if not entries:
            self.context.error(
                "S001", f"{ticked(key.value)} does not say of whom", value.span, expected=f"{key.value}: {{p1: ...}}"
            )
        return entries

    def refusable(self, node: Node) -> None:
        """Each answer that must be refused is one that some question could be given; reports K008."""
        known = self.apart.words()
        for word in self.context.words(node):
            if not known.has(word.value):
                self.context.unknown("K008", "answer", word.value, word.span, known.shown, hint=UNKNOWN_ANSWER)

    def sees(self, value: Node, item: MapNode) -> list[ScriptEntry]:
        """`sees: {p2: {hand.p1: 3}}`."""
        views = []
        for who, view in value.entries if isinstance(value, MapNode) else ():
            self.player(who.value, who)
            pairs = tuple((k.value, as_data(v, worth)) for k, v in view.entries) if isinstance(view, MapNode) else ()
            self.context.refs.update(("sight", name.partition(".")[0]) for name, _ in pairs)
            views.append(ScriptEntry("sees", who.value, view=pairs, span=item.span))
        return views


def worth(scalar: ScalarNode) -> Any:
    """A scalar as the value that a player sees."""
    value = scalar.resolve()
    return {"yes": True, "no": False, "none": None}.get(value, value) if isinstance(value, str) else value
