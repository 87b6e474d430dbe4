"""Operators: arithmetic, bags and sets, comparisons, and what may be none."""

from __future__ import annotations

from rulespec import ir
from rulespec.checker.env import Env, Typed
from rulespec.checker.inference import (
    article,
    number_type,
    unwrap,
)
from rulespec.checker.reader import BAD, Reader
from rulespec.checker.sentences import tested, unlike
from rulespec.expr import printer, syntax
from rulespec.language import operators, registry
from rulespec.language.types import (
    BOOL,
    INT,
    PLAYER,
    BagType,
    EmptyType,
    EntityType,
    IntType,
    ListType,
    NoneType,
    OptionType,
    RecordType,
    SetType,
    Type,
    UnknownType,
    is_many,
    item_of,
    join,
)  # fmt: skip
from rulespec.text.quoting import ticked


class Operators(Reader):
    """Checks operators."""

    def binary(self, node: syntax.Binary, env: Env, want: Type | None) -> Typed:
        match node.op:
            case "and":
                left = self.condition(node.left, env)
                right = self.condition(node.right, env.knowing(self.facts(node.left, True)))
                return ir.Cond(left, right, ir.Const(False)), BOOL
            case "or":
                left = self.condition(node.left, env)
                if self.one_of_two(node, env):
                    return BAD
                right = self.condition(node.right, env.knowing(self.facts(node.left, False)))
                return ir.Cond(left, ir.Const(True), right), BOOL
            case "otherwise":
                return self.otherwise(node, env, want)
            case "of":
                return self.of_kind(node, env)
            case "/":
                return self.bad(
                    "E219",
                    "`/` gives a fraction, which only `returns` may be: as a whole, in a branch of `if`, or beside `+` and `-`",
                    node,
                    help=["use div(a, b) to divide whole numbers"],
                )
        a = self.expr(node.left, env, want)
        b = self.expr(node.right, env, a[1])
        if isinstance(a[1], UnknownType) or isinstance(b[1], UnknownType):
            return BAD
        if isinstance(a[1], IntType) and isinstance(b[1], IntType):
            op = operators.ARITHMETIC[node.op]
            return ir.Op(op, (a[0], b[0])), number_type(op, INT, [a[1], b[1]])
        if node.op == "*":
            if isinstance(a[1], BagType) and isinstance(b[1], IntType):
                return ir.Op("bag_mul", (a[0], b[0])), a[1]
            return self.bad("E207", f"`*` does not multiply {article(a[1])} by {article(b[1])}", node)
        return self.joined(node, a, b)

    def joined(self, node: syntax.Binary, a: Typed, b: Typed) -> Typed:
        """+ and - of bags, lists and sets."""
        (left, s), (right, t) = a, b
        if isinstance(s, BagType) or isinstance(t, BagType):
            bag = s if isinstance(s, BagType) else t
            if isinstance(bag, BagType):
                x, y = (self.convert(v, bag, n) for v, n in ((a, node.left), (b, node.right)))
                return ir.Op("bag_add" if node.op == "+" else "bag_sub", (x, y)), bag
        if isinstance(s, EmptyType) and is_many(t):
            s = t
        if is_many(s):
            one = not (is_many(t) or isinstance(t, EmptyType))
            if one and (join(item_of(s), t) is not None):
                right, t = ir.Op(operators.PACK, (right,)), ListType(t)
            inner = item_of(s) if isinstance(t, EmptyType) else join(item_of(s), item_of(t))
            if inner is not None and (is_many(t) or isinstance(t, EmptyType)):
                if node.op == "-":
                    return ir.Op(operators.WITHOUT, (left, right)), s
                if isinstance(s, SetType):
                    return ir.Op(operators.UNION, (left, right)), SetType(inner)
                return ir.Op(operators.CONCAT, (left, right)), ListType(inner)
        if isinstance(s, OptionType) or isinstance(t, OptionType):
            which = node.left if isinstance(s, OptionType) else node.right
            return self.bad(
                "E203",
                f"{ticked(printer.to_text(which))} may be none",
                which,
                help=[tested(printer.to_text(which))],
            )
        verb = "be added to" if node.op == "+" else "be taken from"
        next_one = s == PLAYER and isinstance(t, IntType)
        help = [f"the next player is {ticked(f'left_of({printer.to_text(node.left)})')}"] if next_one else []
        return self.bad("E207", f"{article(t)} cannot {verb} {article(s)}", node, found=f"{s} {node.op} {t}", help=help)

    def otherwise(self, node: syntax.Binary, env: Env, want: Type | None) -> Typed:
        value, t = self.expr(node.left, env, want)
        if isinstance(t, UnknownType):
            return BAD
        if isinstance(node.left, syntax.Call) and not isinstance(t, OptionType | NoneType):
            match value:
                case ir.Op(name, (items,)) if registry.facts(name).picks:
                    return self.otherwise_of_nothing(node, env, items, (value, t), want)
        if not isinstance(t, OptionType | NoneType):
            return self.bad(
                "E208",
                f"{ticked(printer.to_text(node.left))} is never none, so `otherwise` does nothing",
                node.left,
                help=["leave out `otherwise` and what follows it, or declare what is read as `... or none`"],
            )
        inner, index = env.hold(t)
        other = self.expr(node.right, inner, want or t)
        plain = t.item if isinstance(t, OptionType) else other[1]
        both = join(plain, other[1])
        if both is None:
            return self.differ(node, plain, other[1])
        test = ir.Op(operators.IS_NONE, (ir.Local(index),))
        return ir.Bind(index, value, ir.Cond(test, self.convert(other, both, node.right), ir.Local(index))), both

    def otherwise_of_nothing(
        self, node: syntax.Binary, env: Env, items: ir.Expr, value: Typed, want: Type | None
    ) -> Typed:
        """What one of some items is, `first` or `highest` of them, and where there is no item what stands after `otherwise`."""
        other = self.expr(node.right, env, want or value[1])
        both = join(value[1], other[1])
        if both is None:
            return self.differ(node, value[1], other[1])
        absent = ir.Op(operators.NO_ITEM, (items,))
        return ir.Cond(absent, self.convert(other, both, node.right), self.convert(value, both, node.left)), both

    def differ(self, node: syntax.Binary, t: Type, other: Type) -> Typed:
        return self.bad("E205", f"the two sides of `otherwise` differ: {t} and {other}", node)

    def of_kind(self, node: syntax.Binary, env: Env) -> Typed:
        number, given = self.number(node.left, env)
        kind, t = self.expr(node.right, env)
        if isinstance(t, UnknownType) or isinstance(given, UnknownType):
            return BAD
        if not isinstance(t, EntityType):
            return self.bad(
                "E201", unlike(printer.to_text(node.right), t, "a kind of piece") + ", after `of`", node.right
            )
        size = self.context.size_of(self.context.kinds[t.kind])
        return ir.Op(operators.AMOUNT, (number, kind, size)), BagType(t.kind)

    def one_of_two(self, node: syntax.Binary, env: Env) -> bool:
        """Report `x == a or b`, where b is no yes or no but another one that x might be."""
        left, right = node.left, node.right
        if not isinstance(left, syntax.Compare) or left.op != "==" or not isinstance(right, syntax.Name):
            return False
        if right.id in env.locals or right.id in self.context.names or right.id not in self.context.members:
            return False
        x, a, b = map(printer.to_text, (left.left, left.right, right))
        self.bad(
            "E201",
            f"{ticked(b)} is no yes or no",
            right,
            expected=str(BOOL),
            help=[f"write {ticked(f'{x} in set({a}, {b})')}"],
        )
        return True

    def pair(self, left: syntax.Expr, right: syntax.Expr, env: Env) -> tuple[Typed, Typed]:
        """Both sides of a comparison: each may tell the other which type's members are meant."""
        if not self.resolvable(left, env) and self.resolvable(right, env):
            b = self.expr(right, env)
            return self.expr(left, env, b[1]), b
        a = self.expr(left, env)
        return a, self.expr(right, env, a[1])

    def compare(self, node: syntax.Compare, env: Env) -> ir.Expr:
        if node.op in operators.ORDERED:
            op, swap = operators.ORDERED[node.op]
            a, b = self.ordered(node.left, env), self.ordered(node.right, env)
            return ir.Op(op, (b, a) if swap else (a, b))
        (a, s), (b, t) = self.pair(node.left, node.right, env)
        if isinstance(s, UnknownType) or isinstance(t, UnknownType):
            return ir.Const(False)
        both = join(s, t)
        if both is not None and (isinstance(s, EmptyType) or isinstance(t, EmptyType)):
            many = printer.to_text(node.right if isinstance(s, EmptyType) else node.left)
            asked = f"{many} is {'' if node.op == '==' else 'not '}empty"
            self.bad("E209", "compare with `empty` by `is empty`", node, help=[f"write {ticked(asked)}"])
            return ir.Const(False)
        if both is None:
            text = next((side.value for side in (node.left, node.right) if isinstance(side, syntax.Text)), None)
            owner = next((side for side in (s, t) if isinstance(side, EntityType)), None)
            meant = text is not None and owner is not None and text in self.context.kinds[owner.kind].members
            hints = [f"without quotes, {ticked(text)} is a member of {owner}"] if meant else [*self.one_in(node, s, t)]
            hints += self.faces(node.left, s, t) + self.faces(node.right, t, s)
            hints = hints or self.number_of(node.left, node.op, node.right, s, t)
            message = f"{article(s)} and {article(t)} are never equal"
            self.bad("E210", message, node, found=f"{s} {node.op} {t}", help=hints)
            return ir.Const(False)
        return ir.Op(operators.EQUAL if node.op == "==" else operators.DIFFERENT, (a, b))

    def number_of(self, left: syntax.Expr, op: str, right: syntax.Expr, s: Type, t: Type) -> list[str]:
        """The cure where something is compared with a number: a number that it has."""
        if not isinstance(s, EntityType) or not isinstance(t, IntType):
            return []
        names = [
            name
            for name, part in self.context.kinds[s.kind].attributes.items()
            if isinstance(getattr(part, "type", None), IntType)
        ]
        parts = [ticked(f"{printer.to_text(left)}.{name} {op} {printer.to_text(right)}") for name in names[:2]]
        return [f"compare a number that it has: {' or '.join(parts)}"] if parts else []

    def one_in(self, node: syntax.Compare, s: Type, t: Type) -> list[str]:
        """The cure where a list or set is compared with what may be one of its items."""
        left, right = printer.to_text(node.left), printer.to_text(node.right)
        pairs = ((s, t, right, left), (t, s, left, right))
        many = next(
            ((one, all_of) for u, v, one, all_of in pairs if is_many(u) and join(item_of(u), v) is not None), None
        )
        return [] if many is None else [f"ask whether it is among them: {ticked(f'{many[0]} in {many[1]}')}"]

    def ordered(self, node: syntax.Expr, env: Env) -> ir.Expr:
        value, t = self.expr(node, env, INT)
        if isinstance(t, RecordType | UnknownType):
            return value
        return self.convert((value, t), INT, node)

    def contains(self, node: syntax.In, env: Env) -> ir.Expr:
        test: ir.Expr
        if isinstance(node.coll, syntax.Interval):
            value, _ = self.number(node.item, env)
            inner, index = env.hold(INT)
            low = None if node.coll.low is None else self.number(node.coll.low, inner)[0]
            high = None if node.coll.high is None else self.number(node.coll.high, inner)[0]
            above = ir.Const(True) if low is None else ir.Op(operators.AT_MOST, (low, ir.Local(index)))
            below = ir.Const(True) if high is None else ir.Op(operators.AT_MOST, (ir.Local(index), high))
            test = ir.Bind(index, value, ir.Cond(above, below, ir.Const(False)))
        else:
            if self.resolvable(node.item, env):
                item, s = self.expr(node.item, env)
                coll, t = self.expr(node.coll, env, SetType(unwrap(s) or s))
            else:
                coll, t = self.expr(node.coll, env)
                item, s = self.expr(node.item, env, item_of(t))
            if isinstance(s, UnknownType) or isinstance(t, UnknownType):
                return ir.Const(False)
            if isinstance(t, BagType):
                coll, t = ir.Op("bag_kinds", (coll,)), SetType(EntityType(t.kind))
            if not is_many(t) and not isinstance(t, EmptyType):
                self.bad("E201", unlike(printer.to_text(node.coll), t, "a list or set") + ", after `in`", node.coll)
            elif not isinstance(t, EmptyType) and join(unwrap(s) or s, item_of(t)) is None:
                self.bad("E210", f"{article(s)} is never in {article(t)}", node, found=f"{s} in {t}")
            test = ir.Op(operators.CONTAINS, (coll, item))
        return ir.Op(operators.NOT, (test,)) if node.negated else test

    def includes(self, node: syntax.Includes, env: Env) -> ir.Expr:
        coll, s = self.expr(node.coll, env)
        item, t = self.expr(node.item, env, item_of(s) if isinstance(node.item, syntax.Name) and is_many(s) else s)
        if isinstance(s, UnknownType) or isinstance(t, UnknownType):
            return ir.Const(False)
        if isinstance(s, BagType):
            if isinstance(t, EntityType) and t.kind == s.kind:
                return ir.Op(operators.CONTAINS, (ir.Op("bag_kinds", (coll,)), item))
            return ir.Op("bag_includes", (coll, self.convert((item, t), s, node.item)))
        if is_many(s):
            if is_many(t):
                return ir.Op("includes", (coll, item))
            if join(item_of(s), t) is not None:
                return ir.Op(operators.CONTAINS, (coll, item))
        self.bad("E207", f"{article(s)} does not include {article(t)}", node)
        return ir.Const(False)

    def state_of(self, node: syntax.Is, env: Env) -> ir.Expr:
        value, t = self.expr(node.x, env.unknowing(printer.to_text(node.x)))
        if isinstance(t, UnknownType):
            return ir.Const(False)
        if node.what == "empty":
            if isinstance(t, BagType):
                test: ir.Expr = ir.Op(operators.EQUAL, (ir.Op("bag_size", (value,)), ir.Const(0)))
            elif is_many(t):
                test = ir.Op(operators.EQUAL, (ir.Op("size", (value,)), ir.Const(0)))
            else:
                self.bad(
                    "E201",
                    f"this is {article(t)}, and only a list, set or bag can be empty",
                    node.x,
                    found=str(t),
                    help=[f"ask whether there is one: {ticked(f'{printer.to_text(node.x)} is none')}"]
                    if isinstance(t, OptionType)
                    else [],
                )
                return ir.Const(False)
            return ir.Op(operators.NOT, (test,)) if node.negated else test
        if not isinstance(t, OptionType | NoneType):
            self.bad(
                "E208",
                f"{ticked(printer.to_text(node.x))} is never none",
                node,
                found=str(t),
                help=["leave this test out, or declare what is read as `... or none`"],
            )
            return ir.Const(False)
        test = ir.Op(operators.IS_NONE, (value,))
        return ir.Op(operators.NOT, (test,)) if (node.what == "known") != node.negated else test
