"""Steps of procedures as sentences: each verb by its pattern, with the steps in it below."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rulespec.checker.wording.expressions import HOLE, OPTIONAL, last, parsed, patterns, plural, ranging
from rulespec.checker.wording.ink import code, emphasis, link, plain, quoted, strong
from rulespec.checker.wording.names import LINKS, NOTHING, SHORT, Scope, anchor, article, text_of, words
from rulespec.expr.syntax import Comp, In, Interval, Name, Num
from rulespec.language.registry import VerbDef, VerbKey, verbs
from rulespec.language.types import IntType
from rulespec.system.records import dataclass
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulespec.checker.wording.expressions import Speech

SILENT = frozenset({"skip"})
LED = {"else": "if nothing can be chosen:"}  # keys whose steps stand behind, and what they begin with
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def items_of(node: Node | None) -> tuple[Node, ...]:
    """The items of a list, or the only one that stands in its place."""
    return node.items if isinstance(node, ListNode) else () if node is None else (node,)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a sentence comes from: its lines in the game's files, what it cites, and which cases are its worked examples."""

    span: Span
    where: str  # the file, from the folder of the game on, and the line
    cites: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()  # anchors of cases


@dataclass(frozen=True, slots=True)
class Step:
    """A sentence of an ordered list, with the steps below it."""

    text: str
    steps: tuple[Step, ...] = ()
    origin: Origin | None = None


class Telling:
    """Says the steps of a game; `origin` says where a node comes from, `sentence` makes a phrase what it is to be there."""

    def __init__(
        self,
        speech: Speech,
        origin: Callable[[Node], Origin | None] = lambda _: None,
        sentence: Callable[[str], str] = str,
    ) -> None:
        self.speech = speech
        self.names = speech.names
        self.origin = origin
        self.sentence = sentence
        self.nothing = (Step(sentence("nothing happens")),)

    # --- steps ----------------------------------------------------------------------------------------------------------
    def steps(self, node: Node | None, scope: Scope) -> Iterator[Step]:
        """Steps one after another; what a step names, those after it may use."""
        for item in items_of(node):
            if isinstance(item, ScalarNode):
                if item.value not in SILENT:
                    yield Step(self.word(item.value), (), self.origin(item))
            elif isinstance(item, MapNode):
                found, scope = self.step(item, scope)
                yield from found

    def word(self, word: str) -> str:
        """A bare word as a step: a verb without a value, or a procedure."""
        known = verbs().get(word)
        if known is not None:
            return self.sentence(patterns()["verbs"][word].get("says", ""))
        return self.sentence(self.run(word))

    def run(self, name: str) -> str:
        """What running a procedure is called."""
        return link(words(name), anchor("procedure", name))

    def verb_of(self, node: MapNode) -> VerbDef | None:
        """The verb of a step; None where it runs a procedure."""
        known = verbs()
        found = [key.value for key, _ in node.entries if key.value in known]
        if len(found) > 1 and "log" in found:
            found.remove("log")
        if len(found) > 1 and "if" in found and "then" not in node:
            found.remove("if")
        main = next(
            (name for name in found if all(name not in known[other].keys for other in found if other != name)), None
        )
        return known[main] if main else known[found[0]] if found else None

    def step(self, node: MapNode, scope: Scope) -> tuple[list[Step], Scope]:
        """One step with what stands behind it, as `If not:`, and the scope of those after it; none where it only writes the log."""
        verb = self.verb_of(node)
        before = ""
        test = node.get("if")
        if isinstance(test, ScalarNode) and (verb is None or (verb.name != "if" and verb.shares("if"))):
            before = f"if {self.speech.condition(test.value, scope)}: "
        if verb is None:
            said = self.procedure(node, scope)
            return [Step(self.sentence(before + said), (), self.origin(node))], scope
        pattern = patterns()["verbs"][verb.name]
        if "says" not in pattern:
            return [], scope
        said = self.filled(node, verb, pattern, scope)
        inner = self.inside(node, verb, scope)
        below = tuple(self.below(node, verb, pattern, inner))
        behind = list(self.behind(node, verb, pattern, inner))
        if not below and said.endswith(":") and not verb.traits.asks:
            if "stands" in pattern:
                said = said.removesuffix(":")
            elif not behind:
                return [], self.after(node, verb, scope)  # whatever is done there is for the log alone
            else:
                below = self.nothing
        return [Step(self.sentence(before + said), below, self.origin(node)), *behind], self.after(node, verb, scope)

    def procedure(self, node: MapNode, scope: Scope) -> str:
        """A step that runs a procedure: its name, and what it is given."""
        said, between = "", " "
        for key, value in node.entries:
            if key.value in ("log", "cites", "if", "about") or (key.value, text_of(value)) == ("by", "me"):
                continue
            given = self.value(value, scope)
            if not said:
                said = f"{self.run(key.value)} {given}".rstrip()
            else:
                between = between if key.value in LINKS else ", "
                said += f"{between}{words(key.value)}{'' if key.value in LINKS else ':'} {given}"
        return said

    # --- a sentence -----------------------------------------------------------------------------------------------------
    def filled(self, node: MapNode, verb: VerbDef, pattern: Mapping[str, Any], scope: Scope) -> str:
        """The sentence of a step."""
        text = pattern["says"]
        if "endless" in pattern and text_of(node.get(verb.name)) == "yes":
            return str(pattern["endless"])
        if "gains" in pattern and self.gains(node, verb):
            text = pattern["gains"]

        def optional(found: re.Match[str]) -> str:
            keys = [hole[1].partition("|")[0] for hole in HOLE.finditer(found[1])]
            return found[1] if all(key in node for key in keys) else ""

        text = OPTIONAL.sub(optional, text)
        return HOLE.sub(lambda found: self.part(found[1], node, verb, pattern, scope), text).replace("  ", " ").strip()

    def part(self, hole: str, node: MapNode, verb: VerbDef, pattern: Mapping[str, Any], scope: Scope) -> str:
        """What a hole of a pattern stands for."""
        key, *forms = hole.split("|")
        if forms:
            who = self.who(node.get(key), scope)
            form = forms[0] if plural(who) or self.several(node.get(key)) else forms[-1]
            return f"{who} {form}"
        if key == "by_like":
            return "like" if self.who(node.get("by"), scope) == "you" else "likes"
        if key == "by":
            return self.who(node.get("by"), scope)
        if key == "count":
            return self.counted(node, scope)
        if key not in node:
            return str(pattern.get(key, ""))
        about = verb.value if key == verb.name else verb.keys[key]
        return self.shaped(node.get(key), about, scope, node, verb)

    def shaped(self, value: Node | None, about: VerbKey, scope: Scope, node: MapNode, verb: VerbDef) -> str:
        """What stands under a key, by its shape."""
        text = value.value if isinstance(value, ScalarNode) else ""
        match about.shape:
            case "expr" | "exprs" if about.role in ("test", "exit", "claim") or about.about.startswith(
                ("a yes or no", "whether")
            ):
                return self.speech.condition(text, scope)
            case "expr" | "exprs":
                if text == "all":
                    source = node.get("from")
                    return "all pieces" if isinstance(source, ScalarNode) else "all players"
                return self.value(value, scope)
            case "new name":
                if verb.name != "choose" or "count" in node:
                    return emphasis(words(text))
                return article(words(text)) if len(text) > SHORT else f"{article(self.one_of(node))} {emphasis(text)}"
            case "binder":
                return self.binder(text, scope)[0]
            case "text":
                return words(text) if about.about.startswith("`end of`") else quoted(self.speech.said(text, scope))
            case "map":
                entries = value.entries if isinstance(value, MapNode) else ()
                return "; ".join(f"{words(key.value)}: {self.value(part, scope)}" for key, part in entries)
            case "name":
                return self.names.part(text) if verb.name == "rotate" else self.named(text)
            case "flag":
                return text
            case _:
                return words(text)

    def named(self, name: str) -> str:
        """A name of the game that a step speaks of: a phase, a scope, an event, a lasting effect, or a zone."""
        root = self.names.context.root
        if name == "game":
            return "the game"
        for part, what in (("scopes", "scope"), ("events", "event"), ("lasting", "lasting"), ("phases", "procedure")):
            group = root.get(part)
            if isinstance(group, MapNode) and name in group:
                return link(f"the {words(name)}", anchor(what, name))
        return self.names.known(name) or words(name)

    def value(self, node: Node | None, scope: Scope) -> str:
        """An expression, or several."""
        if isinstance(node, ListNode):
            return ", ".join(self.value(item, scope) for item in node.items)
        return self.speech.value(node.value, scope) if isinstance(node, ScalarNode) and node.value else ""

    def who(self, node: Node | None, scope: Scope) -> str:
        """Who does it: whoever is named, or you."""
        text = text_of(node)
        if not text:
            return "you"
        return "all players" if text == "all" else self.speech.value(text, scope)

    def several(self, node: Node | None) -> bool:
        """Whether more than one is meant, as far as the words tell."""
        text = text_of(node)
        tree = parsed(text)
        return text == "all" or (tree is not None and self.speech.many(tree))

    def gains(self, node: MapNode, verb: VerbDef) -> bool:
        """Whether what changes holds items, and is no number."""
        about = verb.key_of("goal") or verb.key_of("source") or "to"
        tree = parsed(text_of(node.get(about)))
        name = "" if tree is None else last(tree)
        found = self.names.context.names.get(name) or self.names.attribute(name)
        kept = getattr(found, "type", None)
        return kept is not None and not isinstance(kept, IntType)

    def counted(self, node: MapNode, scope: Scope) -> str:
        """How many are chosen, where it is not one."""
        tree = parsed(text_of(node.get("count")))
        if tree is None:
            return ""
        if isinstance(tree, Num) and tree.value < len(NUMBERS):
            return f"{NUMBERS[tree.value]}: "
        return (
            f"{self.speech.thing(tree, scope)}: "
            if isinstance(tree, Num | Interval)
            else f"so many, {self.speech.thing(tree, scope)}: "
        )

    # --- names ----------------------------------------------------------------------------------------------------------
    def binder(self, text: str, scope: Scope) -> tuple[str, Scope]:
        """The head of a loop, `p in players where ...`, and the scope of its steps."""
        tree = parsed(text)
        tree = tree if tree is None else ranging(tree)
        if not isinstance(tree, Comp):
            return plain(text) if tree is None else self.speech.thing(tree, scope), scope
        noun = self.speech.noun(tree, scope)
        inner, shown = self.speech.bound(tree.var, noun, scope, pronoun=False)
        asked = "" if tree.where is None else self.speech.relative(tree.var, tree.where, inner)
        return f"{shown}{self.speech.source(tree.coll, scope)}{asked}", inner

    def whenever(self, text: str, scope: Scope) -> tuple[str, Scope]:
        """When a rule that holds always acts: as long as something holds, or once for each item; and the scope of its steps."""
        tree = parsed(text)
        fact = isinstance(tree, In) and isinstance(tree.item, Name) and tree.item.id in self.names.labels
        if tree is not None and isinstance(ranging(tree), Comp) and not fact:
            said, inner = self.binder(text, scope)
            return f"for every {said}", inner
        return f"whenever {self.speech.condition(text, scope)}", scope

    def chosen(self, name: str, scope: Scope) -> Scope:
        """The scope in which something has a name that a step gave it."""
        return scope.having(name, emphasis(name) if len(name) <= SHORT else f"the {words(name)}", words(name))

    def inside(self, node: MapNode, verb: VerbDef, scope: Scope) -> Scope:
        """The scope of the steps within a step."""
        value = node.get(verb.name)
        if verb.value.shape == "binder" and isinstance(value, ScalarNode):
            return self.binder(value.value, scope)[1]
        return self.after(node, verb, scope)

    def after(self, node: MapNode, verb: VerbDef, scope: Scope) -> Scope:
        """The scope of the steps behind a step."""
        for key, about in ((verb.name, verb.value), *verb.keys.items()):
            value = node.get(key)
            if about.shape == "new name" and isinstance(value, ScalarNode) and value.value:
                scope = self.chosen(value.value, scope)
        return scope

    # --- below a sentence -----------------------------------------------------------------------------------------------
    def below(self, node: MapNode, verb: VerbDef, pattern: Mapping[str, Any], scope: Scope) -> Iterator[Step]:
        """What stands below the sentence of a step: what may be chosen, with reasons, and the steps in it."""
        if verb.value.shape == "steps":
            yield from self.steps(node.get(verb.name), scope)
        for key, about in verb.keys.items():
            value = node.get(key)
            if value is None or key in LED or key in pattern.get("leads", ()):
                continue
            if about.role == "candidates" and verb.name != "arrange":
                yield Step(self.sentence(f"from: {self.candidates(value, scope)}"), (), self.origin(value))
            elif about.shape == "reasons":
                yield from self.reasons(
                    value, scope, "all together, allowed only if" if key == "whole" else "allowed only if"
                )
            elif about.shape == "branches":
                yield from self.branches(value, scope)
            elif about.shape == "arms" and isinstance(value, MapNode):
                for member, steps in value.entries:
                    said = "anything else" if member.value == "else" else self.names.label(member.value)
                    inner = tuple(self.steps(steps, scope)) or self.nothing
                    yield Step(self.sentence(f"{said}:"), inner, self.origin(member))
            elif about.shape == "none":
                said = self.spoken(value, scope)
                yield self.answer(f"or nothing: {said}" if said else "or nothing", value, scope, value)
            elif about.shape == "flag" and text_of(value) == "yes":
                yield Step(self.sentence("the same may be chosen more than once"))
            elif about.shape == "steps":
                yield from self.steps(value, scope)

    def behind(self, node: MapNode, verb: VerbDef, pattern: Mapping[str, Any], scope: Scope) -> Iterator[Step]:
        """What stands behind a step: what is done where its condition does not hold, or nothing can be chosen."""
        for key, lead in {**LED, **pattern.get("leads", {})}.items():
            value = node.get(key)
            if value is not None and key in verb.keys:
                steps = tuple(self.steps(value, scope))
                if steps or verb.traits.asks:
                    yield Step(self.sentence(lead), steps or self.nothing, self.origin(value))

    def one_of(self, node: MapNode) -> str:
        """What one of the candidates of a choice is called."""
        tree = parsed(text_of(node.get("from")))
        if tree is None:
            return "item"
        return self.speech.noun(tree if isinstance(tree, Comp) else Comp(None, "", tree), NOTHING)

    def candidates(self, value: Node, scope: Scope) -> str:
        """What is chosen from; the name of the choice is what each of them is called there."""
        if isinstance(value, MapNode):  # a menu with its arguments
            return self.procedure(value, scope)
        text = text_of(value)
        tree = parsed(text)
        if tree is None:
            return code(text)
        if isinstance(tree, Name) and tree.id in self.names.context.kinds:
            return f"all {self.names.plural(self.names.noun(self.names.context.kinds[tree.id]))}"
        return self.speech.thing(tree, scope)

    def reasons(self, node: Node | None, scope: Scope, lead: str = "allowed only if") -> Iterator[Step]:
        """What the rules allow, each with what is said where it does not hold."""
        for item in items_of(node):
            test, why = (item.get("if"), item.get("why")) if isinstance(item, MapNode) else (item, None)
            said = self.speech.condition(test.value, scope) if isinstance(test, ScalarNode) else ""
            reason = f"; if not: {quoted(self.speech.said(why.value, scope))}" if isinstance(why, ScalarNode) else ""
            yield Step(self.sentence(f"{lead} {said}{reason}"), (), self.origin(item))

    def branches(self, node: Node | None, scope: Scope) -> Iterator[Step]:
        """Named options: when there are, and what they do."""
        for key, value in node.entries if isinstance(node, MapNode) else ():
            yield self.answer(self.spoken(value, scope) or strong(words(key.value)), value, scope, key)

    def spoken(self, value: Node, scope: Scope) -> str:
        """The text of an answer as players read it; nothing where there is none."""
        say = text_of(value.get("say") if isinstance(value, MapNode) else value)
        return strong(self.speech.said(say, scope)) if say else ""

    def answer(self, said: str, value: Node, scope: Scope, at: Node) -> Step:
        """An answer, with when it may be given, and what it does."""
        steps: tuple[Step, ...] = ()
        if isinstance(value, MapNode):
            allowed = self.reasons(value, scope) if "if" in value else ()
            steps = (*allowed, *self.reasons(value.get("only"), scope), *self.steps(value.get("do"), scope))
        return Step(self.sentence(f"{said}:" if steps else said), steps, self.origin(at))
