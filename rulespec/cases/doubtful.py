"""Cases that look as if they checked something: copies of others, and facts that hold whatever the rules do."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import ir
from rulespec.cases.data import Case, CaseFact
from rulespec.checker.context import CheckContext
from rulespec.expr.parser import ExprSyntaxError, parse_expr
from rulespec.expr.syntax import Compare
from rulespec.ir.walk import within
from rulespec.lint.analysis import settings, slots
from rulespec.lint.evaluate import Knowledge, RangeWorld
from rulespec.lint.stages import alone
from rulespec.text.diagnostics import Diagnostics
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

NOTES = frozenset({"about", "cites"})  # keys that change nothing
PLAYED = ("run", "play", "finish")
Shape = str | tuple["Shape", ...]


class Doubtful:
    """Looks at the cases of a game, one after the other."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        self.shapes: dict[Shape, tuple[str, Span]] = {}
        self.worlds: dict[int, RangeWorld] = {}

    def look(self, case: Case, node: Node, context: CheckContext) -> None:
        """Report K014, K015 and K016 in a case that is otherwise in order."""
        if not isinstance(node, MapNode):
            return
        self.copied(case, node)
        told = set()
        for fact in (*case.facts, *(fact for entry in case.script for fact in entry.facts)):
            if self.always(fact, context):
                told.add(fact.span)
                message = f"{ticked(fact.text)} holds whatever the rules do"
                self.warn("K014", message, fact.span, "write what the rules have to bring about")
        laid = [fact for fact in laid_only(node) if fact.span not in told]
        if laid:
            message = f"the case `{case.name}` only expects what it lays under `given` itself"
            help = "let it `run` a procedure, or `play` answers, and expect what they change"
            self.warn("K015", message, laid[0].span, help)

    def warn(self, code: str, message: str, span: Span, help: str) -> None:
        """Add a warning."""
        self.diagnostics.add(code, message, span, severity="warning", help=(help,))

    def copied(self, case: Case, node: MapNode) -> None:
        """A case that does what one before it does."""
        shape = tuple((key.value, shape_of(value)) for key, value in node.entries if key.value not in NOTES)
        if shape not in self.shapes:
            self.shapes[shape] = (case.name, case.span)
            return
        name, span = self.shapes[shape]
        self.diagnostics.add(
            "K016",
            f"the case `{case.name}` is a copy of {ticked(name)}",
            case.span,
            severity="warning",
            help=("change what it was copied for, or take it out",),
            related=((span, "the first"),),
        )

    def always(self, fact: CaseFact, context: CheckContext) -> bool:
        """Whether a fact is true by the types of what it reads alone; one that asks a function or a table is about the rules."""
        function = context.out_functions[fact.function]
        assert function is not None
        parts = list(within(function.body))
        if not any(isinstance(e, ir.Load) for e in parts):
            return False  # about the language
        of_rules = any(
            isinstance(e, ir.Invoke) or (isinstance(e, ir.Const) and isinstance(e.value, tuple)) for e in parts
        )
        if of_rules or same_sides(fact.text):
            return same_sides(fact.text)
        if id(context) not in self.worlds:
            self.worlds[id(context)] = RangeWorld(slots(context), settings(context), (), {})
        return self.worlds[id(context)].range(function.body, Knowledge()).truth is True


def same_sides(text: str) -> bool:
    """Whether a fact compares something with itself, so that it holds."""
    try:
        tree = parse_expr(text)
    except ExprSyntaxError:
        return False
    if not isinstance(tree, Compare) or tree.op not in ("==", "<=", ">="):
        return False
    return text[tree.left.start : tree.left.end] == text[tree.right.start : tree.right.end]


def laid_only(node: MapNode) -> list[ScalarNode]:
    """The facts of a case that runs nothing, if each says of a variable what `given` has just set it to."""
    if any(key in node for key in PLAYED):
        return []
    laid = {f"{name} == {value}" for name, value in settings_of(node.get("given"))}
    expect = node.get("expect")
    facts = list(expect.items) if isinstance(expect, ListNode) else [] if expect is None else [expect]
    scalars = [fact for fact in facts if isinstance(fact, ScalarNode)]
    return scalars if all(" ".join(fact.value.split()) in laid for fact in scalars) else []


def settings_of(given: Node | None) -> Iterator[tuple[str, str]]:
    """The variables that steps set, each with what it is set to."""
    for step in given.items if isinstance(given, ListNode) else () if given is None else (given,):
        laid = alone(step)
        name, value = (laid.assigned, laid.part("value")) if laid is not None else (None, None)
        if name is not None and value is not None:
            yield name.value, value.value


def shape_of(node: Node) -> Shape:
    """A node without its places and quotes."""
    match node:
        case ScalarNode():
            return node.value
        case MapNode():
            return tuple((key.value, shape_of(value)) for key, value in node.entries)
        case ListNode():
            return tuple(map(shape_of, node.items))
