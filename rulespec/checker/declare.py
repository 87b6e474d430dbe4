"""What a game declares besides its finite types: state, zones, tables, functions, events, procedures, rules."""

from __future__ import annotations

from typing import Literal

from rulespec import ir
from rulespec.checker import symbols
from rulespec.checker.constants import constant, member_number
from rulespec.checker.context import CheckContext, flag, listed
from rulespec.checker.expressions import Expressions
from rulespec.checker.kinds import RANGE, Kinds, check_name, typed_default
from rulespec.language.types import (
    BOOL,
    PLAYERS,
    UNKNOWN,
    BagType,
    EntityType,
    IntType,
    ListType,
    SetType,
    Type,
)  # fmt: skip
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

HEARD = ("before", "instead of", "after", "always", "modify", "adds to")
ZONE_ORDERS = {"shuffled": "shuffled", "as laid": "pile", "free": "set"}


class Declarations:
    """Makes the symbols of a game, in an order that lets each refer to those before it; bodies are checked later."""

    def __init__(self, context: CheckContext, expressions: Expressions, kinds: Kinds) -> None:
        self.context = context
        self.expressions = expressions
        self.kinds = kinds

    def declare(self) -> None:
        context = self.context
        self.views()
        self.procedures()
        self.state(context.section("state"), None)
        self.zones(context.section("zones"), None)
        self.scopes()
        self.tables()
        self.functions()
        self.values()
        self.conditions()
        self.graphs()
        self.events()
        self.menus()
        self.lastings()
        self.rules()

    # --- helpers ------------------------------------------------------------------------------------------------------
    def index(self, node: Node | None) -> tuple[symbols.Index, ...]:
        """`per: Player`, `per: [Player, Track]`, `per: 1..4`."""
        made: list[symbols.Index] = []
        for word in self.context.words(node):
            if match := RANGE.match(word.value):
                made.append(symbols.Numbers(int(match[1]), int(match[2] or match[1])))
            elif word.value in self.context.kinds:
                self.context.used.add(word.value)
                self.context.wholes.add(word.value)
                made.append(self.context.kinds[word.value])
            else:
                self.context.unknown("E101", "type", word.value, word.span, self.context.kinds)
        return tuple(made)

    def parameters(self, node: Node | None) -> list[symbols.Parameter]:
        """`takes:` a name and a type each, with a default after ` = `."""
        made: list[symbols.Parameter] = []
        for key, written in node.entries if isinstance(node, MapNode) else ():
            if not isinstance(written, ScalarNode) or (
                key.value not in ("me", "this") and not check_name(self.context, key, "a parameter")
            ):
                continue
            t, default = typed_default(self.expressions, written)
            made.append(symbols.Parameter(key.value, t, key.span, default))
        return made

    def place(self, symbol: symbols.Variable | symbols.Zone, key: ScalarNode) -> None:
        """A name in sight: global, and a part of its first index."""
        self.kinds.name(key, symbol)
        if symbol.per and isinstance(symbol.per[0], symbols.Kind):
            kind = symbol.per[0]
            if symbol.name in kind.attributes:
                self.context.error(
                    "E108",
                    f"{kind.name} has two parts named `{symbol.name}`",
                    key.span,
                    related=[(kind.attributes[symbol.name].span, "the first")],
                )
            kind.attributes[symbol.name] = symbol

    def viewers(self, node: Node | None, per: tuple[symbols.Index, ...], default: ir.Viewers) -> ir.Viewers:
        """Who sees: all, none, owner, or a set of players by an expression about `this`."""
        if not isinstance(node, ScalarNode):
            return default
        if node.value in ("all", "none"):
            return ir.Viewers(node.value)  # type: ignore[arg-type]
        if node.value == "owner":
            if not per or not isinstance(per[0], symbols.Kind) or per[0].what != "player":
                self.context.error("E401", "only what is `per: Player` has an owner", node.span)
                return ir.Viewers("none")
            return ir.Viewers("owner")
        names = ["this", "that"]
        parameters = [symbols.Parameter(names[i], symbols.index_type(x), node.span) for i, x in enumerate(per[:2])]
        function = symbols.Function("seen by", "hidden", parameters, node, node.span, result=PLAYERS)
        self.later.append(function)
        return ir.Viewers("function", len(self.later) - 1)

    later: list[symbols.Function]

    # --- state --------------------------------------------------------------------------------------------------------
    def state(self, entries: tuple[tuple[ScalarNode, Node], ...], scope: symbols.Scope | None) -> None:
        """Variables: `name: type`, or a mapping with `is`, `stops`, `starts`, `seen by`, `shown`; `per Kind:` gathers indexed ones."""
        for key, node in entries:
            if key.value.startswith("per "):
                offset = key.value.index(" ") + 1
                word = ScalarNode(key.value[offset:].strip(), "plain", key.at(offset, len(key.value)))
                per = self.index(word)
                for own, body in node.entries if isinstance(node, MapNode) else ():
                    self.variable(own, body, per, scope)
            else:
                self.variable(key, node, (), scope)

    def variable(
        self, key: ScalarNode, node: Node, per: tuple[symbols.Index, ...], scope: symbols.Scope | None
    ) -> None:
        if not check_name(self.context, key, "a variable"):
            return
        stops, initial, seen, shown = False, None, ir.Viewers("all"), True
        written: Node | None = node
        if isinstance(node, MapNode):
            written = node.get("is")
            per = per + self.index(node.get("by"))
            stops = flag(node, "stops", False)
            shown = flag(node, "shown", True)
            initial = self.context.scalar(node.get("starts"))
            seen = self.viewers(node.get("seen by"), per, seen)
        if isinstance(written, ScalarNode):
            t, default = typed_default(self.expressions, written)
            initial = initial or default
        else:
            t = UNKNOWN
        size = 1
        for index in per:
            size *= symbols.index_size(index)
        if size > 4096:
            self.context.error("E214", f"`{key.value}` has {size} parts, more than 4096", key.span)
            size = 1
        base = self.context.allot(key.value, size, self.context.default_of(t))
        variable = symbols.Variable(
            name=key.value,
            type=t,
            per=per,
            base=base,
            size=size,
            stops=stops,
            span=key.span,
            scope=scope,
            initial=initial,
            seen=seen,
            shown=shown,
        )
        self.context.variables.append(variable)
        self.place(variable, key)
        if scope is not None:
            scope.names[key.value] = variable

    def zones(self, entries: tuple[tuple[ScalarNode, Node], ...], scope: symbols.Scope | None) -> None:
        for key, node in entries:
            if isinstance(node, MapNode) and check_name(self.context, key, "a zone"):
                self.zone(key, node, scope)

    def zone(self, key: ScalarNode, node: MapNode, scope: symbols.Scope | None) -> None:
        context = self.context
        of = node.get("of")
        kind = context.kinds.get(of.value) if isinstance(of, ScalarNode) else None
        if kind is None:
            if isinstance(of, ScalarNode):
                context.unknown("E101", "kind of piece", of.value, of.span, context.kinds)
            return
        context.used.add(kind.name)
        per = self.index(node.get("per"))
        kept = node.get("kept as")
        counts = isinstance(kept, ScalarNode) and kept.value == "counts"
        if counts and kind.what == "piece":
            context.error(
                "E402",
                f"{kind.name} has pieces with identity, which cannot be kept as counts",
                kept.span if kept else None,
                help=["declare it under `types` with rows, if its copies are alike"],
            )
            counts = False
        if not counts and kind.what != "piece":
            context.error("E403", f"members of {kind.name} are alike: a zone of them is `kept as: counts`", key.span)
            counts = True
        word = node.get("order")
        order: Literal["set", "shuffled", "pile"] = "set"
        if isinstance(word, ScalarNode):
            if word.value in ZONE_ORDERS:
                order = ZONE_ORDERS[word.value]  # type: ignore[assignment]
            else:
                context.unknown("S004", "order", word.value, word.span, ZONE_ORDERS)
        size = 1
        for index in per:
            size *= symbols.index_size(index)
        seen = self.viewers(node.get("seen by"), per, ir.Viewers("all"))
        counted = self.viewers(node.get("count seen by"), per, ir.Viewers("all"))
        top = self.viewers(node.get("top seen by"), per, ir.Viewers("none"))
        item = kind.type
        t: Type = BagType(kind.name) if counts else ListType(item) if order == "pile" else SetType(item)
        empty: ir.Value = (0,) * len(kind.members) if counts else ()
        base = context.allot(key.value, size, empty)
        zone = symbols.Zone(
            name=key.value,
            index=len(context.zones),
            kind=kind,
            per=per,
            base=base,
            size=size,
            order=order,
            counts=counts,
            span=key.span,
            type=t,
            scope=scope,
            refill=context.scalar(node.get("refill from")),
            start=context.scalar(node.get("starts with")),
            seen=seen,
            counted=counted,
            top=top,
        )
        zone.back = context.scalar(node.get("returns to"))
        if zone.back is not None and scope is None:
            context.error("E417", "only a zone of a scope ends, and has pieces to give back", zone.back.span)
        if zone.start is not None and scope is not None:
            context.error("E417", "a zone of a scope is empty when it begins", zone.start.span)
        context.zones.append(zone)
        self.place(zone, key)
        if scope is not None:
            scope.names[key.value] = zone

    def scopes(self) -> None:
        context = self.context
        for key, node in context.section("scopes"):
            if not check_name(context, key, "a scope") or not isinstance(node, MapNode):
                continue
            within = node.get("within")
            scope = symbols.Scope(key.value, len(context.scopes), key.span)
            scope.within = within.value if isinstance(within, ScalarNode) else None
            scope.alive = scope.low = context.allot(f"{key.value} alive", 1, 0)
            state, zones = node.get("state"), node.get("zones")
            self.state(state.entries if isinstance(state, MapNode) else (), scope)
            self.zones(zones.entries if isinstance(zones, MapNode) else (), scope)
            scope.high = len(context.initial)
            scope.target = context.target(key.value)
            context.scopes[key.value] = scope
        for scope in context.scopes.values():
            if scope.within is not None and scope.within not in context.scopes:
                context.unknown("E109", "scope", scope.within, scope.span, context.scopes)

    # --- tables, functions --------------------------------------------------------------------------------------------
    def tables(self) -> None:
        """`by` a kind, a range or `players`; `gives` a type; rows by key."""
        context = self.context
        for key, node in context.section("tables"):
            if not check_name(context, key, "a table") or not isinstance(node, MapNode):
                continue
            keys: list[symbols.Index | Literal["players"]] = []
            for word in context.words(node.get("by")):
                keys.append("players") if word.value == "players" else keys.extend(self.index(word))
            t = self.expressions.type(node.get("gives")) if "gives" in node else IntType()
            rows: dict[tuple[int, ...], ir.Value] = {}
            spans: dict[tuple[int, ...], Span] = {}
            body = node.get("rows")
            if body is not None:
                self.table_rows(body, tuple(keys), t, (), rows, spans)
            table = symbols.Table(key.value, tuple(keys), t, rows, key.span, spans)
            self.missing_rows(table)
            self.kinds.name(key, table)

    def table_rows(
        self,
        node: Node,
        keys: tuple[symbols.Index | Literal["players"], ...],
        t: Type,
        prefix: tuple[int, ...],
        rows: dict[tuple[int, ...], ir.Value],
        spans: dict[tuple[int, ...], Span],
    ) -> None:
        if not keys:
            rows[prefix] = constant(self.context, node, t)
            spans[prefix] = node.span
            return
        entries: list[tuple[ScalarNode | None, int, Node]] = []
        if isinstance(node, ListNode):
            index = keys[0]
            first = (
                self.context.counts[0] if index == "players" else index.low if isinstance(index, symbols.Numbers) else 0
            )
            entries = [(None, first + i, item) for i, item in enumerate(node.items)]
        elif isinstance(node, MapNode):
            for key, value in node.entries:
                number = self.key(key, keys[0])
                if number is not None:
                    entries.append((key, number, value))
        else:
            self.context.error("S001", "rows by key are expected here", node.span, expected="a list or a mapping")
        for _, number, value in entries:
            self.table_rows(value, keys[1:], t, (*prefix, number), rows, spans)

    def key(self, key: ScalarNode, index: symbols.Index | Literal["players"]) -> int | None:
        if isinstance(index, symbols.Kind):
            return member_number(self.context, key, index.name)
        value = key.resolve()
        low, high = (1, 32) if index == "players" else (index.low, index.high)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.context.error("E211", f"`{key.value}` is not a key of this table", key.span, expected=f"{low}..{high}")
            return None
        return value

    def missing_rows(self, table: symbols.Table) -> None:
        """A table has a row for every key that can occur."""
        wanted: list[tuple[int, ...]] = [()]
        for index in table.keys:
            if index == "players":
                values = self.context.counts
            elif isinstance(index, symbols.Kind):
                values = tuple(range(len(index.members)))
            else:
                values = tuple(range(index.low, index.high + 1))
            wanted = [(*w, v) for w in wanted for v in values]
            if len(wanted) > 10_000:
                return
        missing = [key for key in wanted if key not in table.rows]
        if missing and table.keys:
            first = missing[0]
            shown = [
                index.members[n] if isinstance(index, symbols.Kind) else str(n)
                for index, n in zip(table.keys, first, strict=True)
            ]
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            self.context.error("E215", f"the table `{table.name}` has no row for {', '.join(shown)}{more}", table.span)

    def declare_function(
        self,
        key: ScalarNode,
        node: Node,
        what: Literal["function", "value"],
        owner: symbols.Kind | None,
        this: Type | None,
    ) -> symbols.Function:
        parameters = [] if this is None else [symbols.Parameter("this", this, key.span)]
        gives: Type | None = None
        if isinstance(node, MapNode):
            parameters += self.parameters(node.get("takes"))
            gives = self.expressions.type(node.get("gives")) if "gives" in node else None
            self.cites(node)
        return symbols.Function(key.value, what, parameters, node, key.span, gives, owner=owner)

    def functions(self) -> None:
        for key, node in self.context.section("functions"):
            if check_name(self.context, key, "a function"):
                self.kinds.name(key, self.declare_function(key, node, "function", None, None))

    def values(self) -> None:
        """What is known of the members of a kind or view beyond their fields."""
        context = self.context
        for owner, body in context.section("values"):
            view = context.views.get(owner.value)
            kind = view.kind if view else context.kinds.get(owner.value)
            if kind is None:
                context.unknown("E101", "type", owner.value, owner.span, [*context.kinds, *context.views])
                continue
            this = EntityType(kind.name, owner.value) if view else kind.type
            for key, node in body.entries if isinstance(body, MapNode) else ():
                if not check_name(context, key, "a value"):
                    continue
                function = self.declare_function(key, node, "value", kind, this)
                if key.value in kind.attributes:
                    context.error(
                        "E108",
                        f"{kind.name} has two parts named `{key.value}`",
                        key.span,
                        related=[(kind.attributes[key.value].span, "the first")],
                    )
                kind.attributes[key.value] = function

    def conditions(self) -> None:
        context = self.context
        for key, node in context.section("conditions"):
            if not check_name(context, key, "a condition") or not isinstance(node, MapNode):
                continue
            self.cites(node)
            body = node.get("all")
            tests: list[tuple[Node, ScalarNode | None]] = []
            for item in body.items if isinstance(body, ListNode) else ():
                if isinstance(item, MapNode) and (test := item.get("if")) is not None:
                    tests.append((test, context.scalar(item.get("why"))))
                elif isinstance(item, ScalarNode):
                    tests.append((item, None))
            test = node.get("if")
            if test is not None:
                tests.append((test, context.scalar(node.get("why"))))
            function = symbols.Function(
                key.value,
                "condition",
                self.parameters(node.get("takes")),
                node,
                key.span,
                BOOL,
                reasons=tuple(tests),
                enough=context.scalar(node.get("enough")),
            )
            self.kinds.name(key, function)

    def views(self) -> None:
        context = self.context
        for key, node in context.section("views"):
            if not check_name(context, key, "a view") or not isinstance(node, MapNode):
                continue
            of = node.get("of")
            kind = context.kinds.get(of.value) if isinstance(of, ScalarNode) else None
            if kind is None:
                if isinstance(of, ScalarNode):
                    context.unknown("E101", "type", of.value, of.span, context.kinds)
                continue
            this = [symbols.Parameter("this", kind.type, key.span)]
            test = symbols.Function(key.value, "view", this, node.get("where"), key.span, BOOL)
            context.views[key.value] = symbols.View(key.value, kind, test, key.span)

    def graphs(self) -> None:
        """Named parts of a map: which links belong to it."""
        context = self.context
        node = context.root.get("map")
        places = next((k for k in context.kinds.values() if k.what == "node"), None)
        graphs = node.get("graphs") if isinstance(node, MapNode) else None
        if places is None or places.links is None:
            return
        for key, body in graphs.entries if isinstance(graphs, MapNode) else ():
            if check_name(context, key, "a graph"):
                links = body.get("links") if isinstance(body, MapNode) else body
                places.graphs[key.value] = symbols.Function(
                    key.value, "hidden", [], links, key.span, SetType(places.links.type)
                )

    # --- what happens -------------------------------------------------------------------------------------------------
    def procedures(self) -> None:
        from rulespec.language.registry import verbs

        context = self.context
        for section in ("procedures", "phases"):
            for key, node in context.section(section):
                if not check_name(context, key, "a procedure"):
                    continue
                if key.value in verbs():
                    context.error("E107", f"`{key.value}` is a verb of the language", key.span)
                    continue
                if key.value in context.procedures:
                    first = context.procedures[key.value].span
                    context.error(
                        "E108",
                        f"there are two procedures named `{key.value}`",
                        key.span,
                        related=[(first, "the first")],
                    )
                    continue
                body = node if isinstance(node, MapNode) else MapNode((), node.span)
                self.cites(body)
                gives = self.expressions.type(body.get("gives")) if "gives" in body else None
                stages = body.get("stages")
                procedure = symbols.Procedure(
                    name=key.value,
                    parameters=[],
                    gives=gives,
                    node=body,
                    span=key.span,
                    index=len(context.out_procedures),
                    phase=section == "phases",
                    stages=stages is not None,
                )
                context.out_procedures.append(None)
                if procedure.phase:
                    procedure.target = context.target(key.value)
                context.procedures[key.value] = procedure

    def procedure_parameters(self) -> None:
        """Types of parameters, once all types are there."""
        for procedure in self.context.procedures.values():
            procedure.parameters = self.parameters(procedure.node.get("takes"))

    def events(self) -> None:
        context = self.context
        for key, node in context.section("events"):
            if check_name(context, key, "an event"):
                takes = node.get("takes") if isinstance(node, MapNode) else None
                context.events[key.value] = symbols.Event(key.value, self.parameters(takes), key.span)

    def menus(self) -> None:
        for key, node in self.context.section("menus"):
            if check_name(self.context, key, "a menu") and isinstance(node, MapNode):
                self.context.menus[key.value] = symbols.Menu(
                    key.value, self.parameters(node.get("takes")), node, key.span
                )

    def lastings(self) -> None:
        context = self.context
        for key, node in context.section("lasting"):
            if check_name(context, key, "a lasting effect") and isinstance(node, MapNode):
                lasting = symbols.Lasting(
                    key.value, len(context.lastings), self.parameters(node.get("takes")), node, key.span
                )
                context.lastings[key.value] = lasting
                self.cites(node)
                rule = symbols.Rule(key.value, node, key.span, key, lasting=lasting)
                lasting.rules.append(rule)
                self.sort(rule)

    def rules(self) -> None:
        context = self.context
        for key, node in context.section("rules"):
            if check_name(context, key, "a rule") and isinstance(node, MapNode):
                self.cites(node)
                self.sort(symbols.Rule(key.value, node, key.span, key))
        for owner, bodies in context.section("rules of"):
            kind = context.kinds.get(owner.value)
            if kind is None or kind.what not in ("piece", "rows", "node", "enum"):
                context.unknown(
                    "E101",
                    "kind of piece",
                    owner.value,
                    owner.span,
                    [k.name for k in context.kinds.values() if k.what in ("piece", "node")],
                )
                continue
            for member, rules in bodies.entries if isinstance(bodies, MapNode) else ():
                if member.value == "each":
                    pieces = tuple(range(len(kind.members)))
                else:
                    own = kind.copies.get(member.value, [member.value])
                    pieces = tuple(n for n, name in enumerate(kind.members) if name in own)
                    if not pieces:
                        context.unknown(
                            "E104",
                            f"member of {kind.name}",
                            member.value,
                            member.span,
                            [*kind.members, "each"],
                            hint=f"{kind.name} has {listed(kind.members)}; `each` stands for all of them",
                        )
                        continue
                for key, node in rules.entries if isinstance(rules, MapNode) else ():
                    if check_name(context, key, "a rule") and isinstance(node, MapNode):
                        self.cites(node)
                        self.sort(symbols.Rule(f"{member.value}.{key.value}", node, key.span, key, kind, pieces))

    def sort(self, rule: symbols.Rule) -> None:
        """Where a rule is heard: at an event, always, in a value, in a menu."""
        context, node = self.context, rule.node
        context.rules.append(rule)
        heard = False
        for timing in ("before", "instead of", "after"):
            event = node.get(timing)
            if isinstance(event, ScalarNode):
                heard = True
                if event.value in context.events:
                    context.listeners.setdefault((event.value, timing), []).append(rule)
                    rule.index = len(context.out_rules)
                    context.out_rules.append(None)
                else:
                    context.unknown("E110", "event", event.value, event.span, context.events)
        if node.get("always") is not None:
            heard = True
            context.always.append(rule)
            for key, _ in node.entries:
                if key.value in ("may", "order rank"):
                    context.error(
                        "E413",
                        f"a rule that is always true has no `{key.value}`",
                        key.span,
                        help=["it acts in the order of the file, as long as it has something to do"],
                    )
        menu = node.get("adds to")
        if isinstance(menu, ScalarNode):
            heard = True
            if menu.value in context.menus:
                context.menus[menu.value].additions.append(rule)
                rule.index = len(context.out_rules)
                context.out_rules.append(None)
            else:
                context.unknown("E111", "menu", menu.value, menu.span, context.menus)
        modify = node.get("modify")
        for part in modify.items if isinstance(modify, ListNode) else [node] if modify is not None else []:
            heard = True
            of = part.get("of") if isinstance(part, MapNode) and part is not node else modify
            if isinstance(of, ScalarNode) and isinstance(part, MapNode):
                value = of.value.rpartition(".")[2].strip()
                context.modifiers.setdefault(value, []).append((rule, part))
        heard_at = [key for key, _ in node.entries if key.value in HEARD]
        if len(heard_at) > 1:
            context.error(
                "E414",
                f"the rule `{rule.name}` is heard in two ways",
                heard_at[1].span,
                related=[(heard_at[0].span, "the first")],
                help=["write a rule for each; what they share is a procedure"],
            )
        if not heard and rule.lasting is None:
            context.error(
                "E404",
                f"nothing sets off the rule `{rule.name}`",
                rule.span,
                expected="one of before, after, instead of, always, modify, adds to",
            )

    def cites(self, node: MapNode) -> None:
        check_citations(self.context, node)


def check_citations(context: CheckContext, node: MapNode) -> None:
    """Each citation names a ruling or lines of a source that the game lists."""
    for word in context.words(node.get("cites")):
        if word.value in context.citations:
            continue
        letters = word.value.rstrip("0123456789-")
        lines = word.value[len(letters) :].split("-")
        limit = context.citations.get(f"{letters}*")
        if limit and all(n.isdigit() for n in lines) and 1 <= int(lines[0]) <= int(lines[-1]) <= limit:
            continue
        listed = [c for c in context.citations if not c.endswith("*")]
        hint = f"`{letters}` has {limit} lines, cited as {letters}1 to {letters}{limit}" if limit else ""
        context.unknown("E112", "source", word.value, word.span, [] if limit else listed, hint=hint)


def start_function(zone: symbols.Zone) -> symbols.Function | None:
    """What a zone starts with, as a function of its indices."""
    if zone.start is None or zone.start.value == "all":
        return None
    names = ["this", "that"]
    parameters = [symbols.Parameter(names[i], symbols.index_type(x), zone.span) for i, x in enumerate(zone.per[:2])]
    want: Type = BagType(zone.kind.name) if zone.counts else ListType(zone.kind.type)
    return symbols.Function(f"start of {zone.name}", "hidden", parameters, zone.start, zone.start.span, want)


def viewers_function(later: list[symbols.Function], viewers: ir.Viewers, expressions: Expressions) -> ir.Viewers:
    """Viewers with the number of their function in the program."""
    if viewers.who != "function":
        return viewers
    function = later[viewers.function or 0]
    expressions.compile_function(function)
    return ir.Viewers("function", function.index)
