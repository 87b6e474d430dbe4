"""Validates a game's plain data against the schema, and reports each fault at its place in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

from rulespec.ir.wording import listing
from rulespec.language import foreign_words, registry, whole_steps
from rulespec.language.sections import BLOCKS, SCALARS, UNIONS, parts
from rulespec.schema import recovery, wrong_form
from rulespec.schema.build import BY_VERB, Schema, bot_schema, cases_schema, game_schema, study_schema, variant_schema
from rulespec.schema.recovery import Path
from rulespec.text.diagnostics import MAX_STORED, Diagnostics, nearest
from rulespec.text.numbers import spelling
from rulespec.text.quoting import ticked
from rulespec.text.source import Span
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode, as_data, reads_otherwise

CODES = {scalar.phrase: scalar.code for scalar in SCALARS.values()}
CODES.update(
    (union.phrase, SCALARS[part].code)
    for union in UNIONS.values()
    for part in parts(union.shape)
    if part in SCALARS and SCALARS[part].code != "S001"
)
LEFT = tuple(scalar.phrase for scalar in SCALARS.values() if scalar.checked)  # an empty one is told by the checker
MAX_REMARK = 9  # letters behind a key in which a remark may begin
MAX_WORDS = 1000  # letters of a text that may hold names
RESULTS = ("returns", "return", "result", "formula", "expression", "value")  # of a function that lacks its own
FEW = 4  # numbers that are named where names are wanted


def validate(root: MapNode, diagnostics: Diagnostics) -> MapNode:
    """Report every place where a game does not fit its schema; returns the tree with the keys that were meant."""
    return look(root, diagnostics, "game")


def validate_cases(root: MapNode, diagnostics: Diagnostics) -> MapNode:
    """Report every place where a file of cases does not fit its schema; returns the tree with the keys that were meant."""
    return look(root, diagnostics, "cases")


def validate_variant(root: MapNode, diagnostics: Diagnostics) -> None:
    """Report every place where a variant does not fit its schema."""
    look(root, diagnostics, "variant")


def validate_bot(root: MapNode, diagnostics: Diagnostics) -> None:
    """Report every place where a bot does not fit its schema."""
    look(root, diagnostics, "bot")


def validate_study(root: MapNode, diagnostics: Diagnostics) -> None:
    """Report every place where a study does not fit its schema."""
    look(root, diagnostics, "study")


def look(root: MapNode, diagnostics: Diagnostics, name: str) -> MapNode:
    """Report every place where a tree does not fit a schema; only then is asked what is wrong there.

    Returns the tree with the keys that were meant: a misspelt section declares what it holds.
    """
    data = as_data(root, ScalarNode.resolve)
    if fits(name, data):
        return root
    report = Report(root, diagnostics)
    report.run(validator(name), data)
    if not report.renamed:
        return root
    meant = {path: name for path, (name, _) in report.renamed.items()}
    better, more = recovery.with_names(root, meant), Diagnostics()
    assert isinstance(better, MapNode)
    Report(better, more).run(validator(name), as_data(better, ScalarNode.resolve))
    for path, (_, near) in report.renamed.items():
        inside = recovery.at(root, path).span
        faults = [fault for fault in more if fault.span is not None and inside.holds(fault.span)]
        if faults and not near:  # a word of elsewhere holds something else than the key that it resembles
            del meant[path]
            diagnostics.refused |= names_under(recovery.at(root, path))
        for fault in faults if near else ():
            diagnostics.keep(fault)
    diagnostics.refused |= more.refused
    better = recovery.with_names(root, meant)
    assert isinstance(better, MapNode)
    return better


@cache
def schema_of(name: str) -> Schema:
    """A schema of ours, with its definitions."""
    schemas = {
        "game": game_schema,
        "cases": cases_schema,
        "variant": variant_schema,
        "bot": bot_schema,
        "study": study_schema,
    }
    return schemas[name]()


@cache
def quick(name: str) -> Any:
    """The validator of a schema that only tells whether data fit it, in a fraction of the time.

    A verb that is a key of other verbs too, such as `if`, is told by its place there: schemas have no word for what comes first.
    """
    from jsonschema_rs import Draft7Validator

    schema = schema_of(name)
    definitions = dict(schema["definitions"])
    if "step" in definitions:
        branches = []
        for branch in definitions["step"]["allOf"]:
            test = branch["if"]
            if "required" in test and len(test) > 1:
                test = {"required": test["required"], "firstKey": test["required"][0]}
            branches.append({**branch, "if": test})
        definitions["step"] = {**definitions["step"], "allOf": branches}
    return Draft7Validator({**schema, "definitions": definitions}, keywords={"firstKey": FirstKey})


class FirstKey:
    """The keyword `firstKey` of the quick validator: the first key of a mapping has this name."""

    def __init__(self, _schema: Schema, name: str, _path: Any) -> None:
        self.name = name

    def validate(self, instance: Any) -> None:
        """Does nothing where it is so.

        Raises:
            ValueError: It is another.
        """
        if next(iter(instance)) != self.name:
            raise ValueError(self.name)


def names_under(node: Node) -> set[str]:
    """The names that an entry under a key that is not known may have been meant to make."""
    if isinstance(node, MapNode):
        return {key.value for key, _ in node.entries}.union(*(names_under(part) for _, part in node.entries))
    if isinstance(node, ListNode):
        return set().union(*map(names_under, node.items))
    return {node.value} if isinstance(node, ScalarNode) and node.value.isidentifier() else set()


def words_in(node: Node) -> set[str]:
    """The names in a text, or in a list of texts, that has the wrong form where names are declared."""
    if isinstance(node, ListNode):
        return {word for item in node.items if isinstance(item, ScalarNode) for word in words_in(item)}
    return set(re.findall(r"[A-Za-z_]\w*", node.value[:MAX_WORDS])) if isinstance(node, ScalarNode) else set()


def all_words(node: MapNode) -> bool:
    """Whether all keys have a word or a text."""
    return all(isinstance(value, ScalarNode) and isinstance(value.resolve(), str) for _, value in node.entries)


def fits(name: str, data: Any) -> bool:
    """Whether data fit a schema for sure; what the quick validator cannot read, such as half a surrogate pair, is left to the other."""
    try:
        return bool(quick(name).is_valid(data))
    except ValueError:
        return False


@cache
def validator(name: str) -> Any:
    """The validator of a schema.  It resolves no reference over the network, and chooses the schema of a step by its first key.

    The validator of each part of the schema is made once, where the library makes one for each value that it meets: no reference
    depends on where it stands.
    """
    from jsonschema import Draft7Validator
    from jsonschema.validators import extend as untyped
    from referencing import Registry

    schema = schema_of(name)
    definitions = schema["definitions"]
    branches = definitions.get("step", {}).get("allOf", ())
    steps = {branch["if"]["required"][0]: branch["then"] for branch in branches if "required" in branch["if"]}

    def reference(checker: Any, target: str, instance: Any, _schema: Schema) -> Iterator[Any]:
        yield from checker.descend(instance, definitions[target.rpartition("/")[2]], resolver=checker._resolver)

    def all_of(checker: Any, branches: list[Schema], instance: Any, schema: Schema) -> Iterator[Any]:
        if schema.get("$comment") == BY_VERB:
            verb = next(iter(instance), None) if isinstance(instance, dict) else None
            branches = [steps[verb]] if verb in steps else []
        for branch in branches:
            yield from checker.descend(instance, branch, resolver=checker._resolver)

    extend: Any = untyped
    extended: Any = extend(Draft7Validator, {"$ref": reference, "allOf": all_of})
    evolve = extended.evolve
    remembered: dict[int, Any] = {}  # by the identity of a schema, which its validator holds

    def of_part(checker: Any, **changes: Any) -> Any:
        part = changes["schema"]
        if id(part) not in remembered:
            remembered[id(part)] = evolve(checker, **changes)
        return remembered[id(part)]

    def descend(
        checker: Any, instance: Any, schema: Any, path: Any = None, schema_path: Any = None, resolver: Any = None
    ) -> Iterator[Any]:
        for error in of_part(checker, schema=schema, _resolver=resolver or checker._resolver).iter_errors(instance):
            if path is not None:
                error.path.appendleft(path)
            if schema_path is not None:
                error.schema_path.appendleft(schema_path)
            yield error

    extended.evolve, extended.descend = of_part, descend
    return extended(schema, registry=Registry())


class Report:
    """Turns the errors of a validator into diagnostics."""

    def __init__(self, root: MapNode, diagnostics: Diagnostics) -> None:
        self.root = root
        self.diagnostics = diagnostics
        self.missing: dict[Path, tuple[Any, list[str]]] = {}
        self.meant: dict[Path, set[str]] = {}  # keys that are there under another name
        self.renamed: dict[
            Path, tuple[str, bool]
        ] = {}  # such keys: their right names, and whether they are misspelt only
        self.empty: set[Path] = set()  # keys under which nothing is written

    def run(self, errors: Any, data: Any) -> None:
        first = islice(errors.iter_errors(data), MAX_STORED + 1)
        for error in sorted(
            first, key=lambda error: error.instance is not None
        ):  # what is empty explains what follows it
            self.fault(error)
        for path, (error, names) in self.missing.items():
            if left := [name for name in names if name not in self.meant.get(path, ())]:
                self.lacks(path, error, left)

    def fault(self, error: Any) -> None:
        path: Path = tuple(error.absolute_path)
        match error.validator:
            case "required":
                self.missing.setdefault(path, (error, []))[1].extend(
                    name
                    for name in error.validator_value
                    if name not in error.instance and name not in self.missing[path][1]
                )
            case "additionalProperties":
                self.unknown(path, error)
            case "dependencies":
                self.wants(path, error)
            case "enum" if isinstance(error.instance, str) or "string" not in error.schema.get("type", ()):
                self.word(path, error)
            case "pattern" if error.schema.get("$comment") == SCALARS["new name"].phrase:
                message = f"{ticked(error.instance)} cannot be a name: letters, digits and _ only, no digit first"
                self.diagnostics.add("E106", message, self.span(path), help=wrong_form.of_name(str(error.instance)))
                self.diagnostics.refused |= words_in(self.node(path))
            case "minimum" | "maximum":
                low, high = error.schema.get("minimum"), error.schema.get("maximum")
                bounds = f"{low}..{'' if high is None else high}"
                self.diagnostics.add("S005", f"{error.instance} is not in {bounds}", self.span(path), expected=bounds)
            case "enum":
                pass  # its type is wrong, which is reported already
            case _:
                self.shape(path, error)

    # --- kinds of faults ----------------------------------------------------------------------------------------------
    def unknown(self, path: Path, error: Any) -> None:
        """Report keys that the schema does not know."""
        if self.below_an_empty_one(path):  # and it is said there that it is to be indented
            return
        node = self.node(path)
        names = list(error.schema.get("properties", ()))
        title = error.schema.get("$comment", "")
        noun = "section" if title == "a game" else f"key of {title}" if title else "key"
        odd = [pair for pair in node.entries if pair[0].value not in names] if isinstance(node, MapNode) else []
        if title == "a type" and isinstance(node, MapNode) and odd == [*node.entries] and all_words(node):
            self.labels(odd)
            return
        for number, (key, value) in enumerate(odd):
            if number >= MAX_STORED:
                self.diagnostics.dropped += 1
            else:
                verb = title.startswith("`") and key.value in registry.verbs()
                foreign = self.loop(node, key, value) or foreign_words.key(key.value, names, verb)
                if key.value.casefold() in RESULTS and "is" in names and isinstance(node, MapNode) and "is" not in node:
                    foreign = "it is written `is`"
                close = None if foreign and not verb else nearest(key.value, names)
                hint = f"did you mean {ticked(close)}?" if close else foreign or "keys: " + ", ".join(names)
                meant = close or next(
                    (name for name in names if hint.endswith((f"written {ticked(name)}", f"under {ticked(name)}"))), ""
                )
                self.meant.setdefault(path, set()).add(meant)
                if close and isinstance(node, MapNode) and close in node:
                    hint = f"{ticked(close)} is there already: write it there, or leave it out"
                inner = next((part for part in path[1:] if part in BLOCKS["game"].keys), None)
                if inner is not None and hint.startswith("keys: "):
                    hint = f"if {ticked(f'{inner}:')} above it is meant as a section of the game, begin it at the very left"
                self.diagnostics.add("S002", f"there is no {noun} named {ticked(key.value)}", key.span, help=[hint])
                if meant and isinstance(node, MapNode) and meant not in node and not verb:
                    self.renamed[(*path, key.value)] = meant, close is not None
                else:
                    self.diagnostics.refused |= names_under(value)

    def loop(self, node: Node, key: ScalarNode, value: Node) -> str:
        """The help where what a loop goes through has a key of its own: `for: c` and `in: deck`; empty where it is none."""
        name = node.get("for") if isinstance(node, MapNode) and key.value in ("in", "from", "of") else None
        if not isinstance(name, ScalarNode) or not name.value.isidentifier() or not isinstance(value, ScalarNode):
            return ""
        self.diagnostics.refused.add(name.value)  # that it lacks `in` is no other fault
        return f"write both in one line: {ticked(f'for: {name.value} in {value.value}')}"

    def labels(self, members: list[tuple[ScalarNode, Node]]) -> None:
        """Report members of a type that stand with their labels where its keys stand."""
        first, label = members[0]
        more = ", ..." if len(members) > 1 else ""
        hint = f"words and their labels stand below `members`: {ticked(f'members: {{{first.value}: {label.span.text}{more}}}')}"
        self.diagnostics.add("S002", f"there is no key of a type named {ticked(first.value)}", first.span, help=[hint])
        self.diagnostics.refused |= {key.value for key, _ in members}

    def lacks(self, path: Path, error: Any, names: list[str]) -> None:
        """Report keys that are missing."""
        title = error.schema.get("$comment", "")
        named = path and isinstance(path[-1], str) and not title.startswith("`")
        who = ticked(path[-1]) if named else title
        properties = error.schema.get("properties", {})
        about = {name: f"{name}: {schema.get('description', '').rstrip('.')}" for name, schema in properties.items()}
        expected = [about.get(name, f"{name}:") for name in names]
        examples = [
            f"{name}: {key.example}" for name in names if title == "a game" and (key := BLOCKS["game"].keys.get(name))
        ]
        message = f"{who} needs {listing([ticked(name) for name in names])}"
        verb = title.strip("`")
        value = error.instance.get(verb) if isinstance(error.instance, dict) else None
        known = title.startswith("`") and verb in registry.verbs()
        hint = whole_steps.assigned(verb, value) if known and isinstance(value, str) else ""
        starts = error.instance.get("starts") if names == ["is"] and isinstance(error.instance, dict) else None
        if isinstance(starts, int) and not isinstance(starts, bool):
            hint = f"the type of a number is its range: `is: 0..{max(starts, 1)}`"
        if examples and not hint:
            hint = f"for example {listing(list(map(ticked, examples)))}, at the very left"
        self.diagnostics.add(
            "S003", message, self.head(path, bool(named)), expected="\n".join(expected), help=[hint] if hint else []
        )

    def wants(self, path: Path, error: Any) -> None:
        """Report keys that another key requires beside it."""
        node = self.node(path)
        for name, needs in error.validator_value.items():
            missing = [need for need in needs if need not in error.instance]
            if name in error.instance and missing and isinstance(node, MapNode) and (key := node.key(name)) is not None:
                self.diagnostics.add(
                    "S003", f"{ticked(name)} needs {ticked(missing[0])} next to it", key.span, expected=f"{missing[0]}:"
                )

    def word(self, path: Path, error: Any) -> None:
        """Report a word that is not one of those that are allowed."""
        words = [str(word) for word in error.validator_value]
        code = CODES.get(error.schema.get("$comment", ""), "S004")
        shown = str(error.instance)
        if code == "S014":
            message = f"this game is written in version {shown} of the language"
            self.diagnostics.add(code, message, self.span(path), expected=words[0])
            return
        close = nearest(shown, words)
        name = str(path[-1]) if path and isinstance(path[-1], str) else "word"
        self.diagnostics.add(
            "S004",
            f"there is no {ticked(f'{name}: {shown}')}",
            self.span(path),
            expected=" or ".join(words),
            found=shown,
            help=[f"did you mean {ticked(close)}?"] if close else [],
        )

    def shape(self, path: Path, error: Any) -> None:
        """Report a scalar, list or mapping where another kind of value is expected."""
        phrase = error.schema.get("$comment", "something else")
        if isinstance(error.instance, bool | None) and phrase.startswith(LEFT):
            return
        if error.schema.get("$comment") == BY_VERB:
            phrase = "a step"
        if self.below_an_empty_one(path):  # and it is said there that it is to be indented
            return
        shown = named(error.instance)
        code = "S004" if "enum" in error.schema and phrase.startswith("`") else CODES.get(phrase, "S001")
        number = error.instance if isinstance(error.instance, int) and not isinstance(error.instance, bool) else None
        if code == "E106" and number is not None and isinstance(listed := self.node(path[:-1]), ListNode):
            self.numbers(path, listed)
            return
        if error.instance is None and path and isinstance(path[-1], str):
            self.empty.add(path)
            self.diagnostics.refused.add(path[-1])
            message = f"nothing is written under {ticked(path[-1])}"
            cure = f"what belongs to it is indented by two more spaces than {ticked(f'{path[-1]}:')} itself"
            if phrase == "a text":
                cure = f"write the text behind the colon: {ticked(f'{path[-1]}: ...')}"
            place = self.span(path)
            if place.source.text[place.end : place.end + MAX_REMARK].lstrip(": ").startswith("#"):
                cure = "a `#` begins a remark: put a text that begins with it in quotes"
            self.diagnostics.add(code, message, self.span(path), expected=phrase, help=[cure])
            return
        if path and isinstance(path[-1], str):
            # what is declared wrongly is not missing where it is used
            self.diagnostics.refused |= {path[-1], *words_in(self.node(path))}
        hint = f"a number is declared by its range: 0..{max(number, 1)}" if number is not None else ""
        if not phrase.startswith("a type") or not hint:
            around = self.node(path[:-1]) if path else None
            kind = around.get("is") if isinstance(around, MapNode) else None
            beside = kind.value if isinstance(kind, ScalarNode) else ""
            hint = wrong_form.cure(phrase, error.instance, str(path[-1]) if path else "", self.span(path).text, beside)
        self.diagnostics.add(
            code,
            f"{ticked(path[-1])} stands alone, without {shown}"
            if phrase == "nothing" and path and isinstance(path[-1], str)
            else f"this must be {phrase}, not {shown}",
            self.span(path),
            expected=phrase,
            found=shown,
            help=(hint,) if hint else spelling(str(error.instance)) if "number" in phrase else (),
        )

    def below_an_empty_one(self, path: Path) -> bool:
        """Whether the key before this one is reported to have nothing under it: then this one probably belongs to it."""
        around = self.node(path[:-1]) if path else None
        keys = [key.value for key, _ in around.entries] if isinstance(around, MapNode) else []
        at = keys.index(str(path[-1])) if path and path[-1] in keys else 0
        return at > 0 and (*path[:-1], keys[at - 1]) in self.empty

    def numbers(self, path: Path, listed: ListNode) -> None:
        """Report numbers in a list of new names, once for all of them."""
        values = [item.resolve() if isinstance(item, ScalarNode) else None for item in listed.items]
        numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
        if path[-1] == values.index(numbers[0]):
            shown = ", ".join(ticked(number) for number in numbers[:FEW])
            more = f" and {len(numbers) - FEW} more" if len(numbers) > FEW else ""
            self.diagnostics.add(
                "E106",
                f"{shown}{more} cannot be names: letters, digits and _ only, no digit first",
                self.span(path),
                help=[
                    f"numbers need no type with names: in place of a type, a field, variable or parameter has the range "
                    f"`{min(numbers)}..{max(numbers)}`"
                ],
            )

    # --- places -------------------------------------------------------------------------------------------------------
    def node(self, path: Path) -> Node:
        """The node at a path."""
        node: Node = recovery.at(self.root, path)
        return node

    def span(self, path: Path) -> Span:
        """The place of a value; of its key, where nothing is written."""
        node = self.node(path)
        empty = isinstance(node, ScalarNode) and not node.value and node.style == "plain"
        return self.head(path, True) if empty else node.span

    def head(self, path: Path, named: bool) -> Span:
        """The key of a value, or the first key of a mapping."""
        node = self.node(path)
        above = self.node(path[:-1])
        if path and (named or not isinstance(node, MapNode)) and isinstance(above, MapNode):
            key = above.key(str(path[-1]))
            if key is not None:
                return key.span
        return node.entries[0][0].span if isinstance(node, MapNode) and node.entries else node.span


def named(value: Any) -> str:
    """The kind of a value in plain words."""
    match value:
        case None:
            return "nothing"
        case bool():
            return ticked(str(value).lower())
        case dict():
            return "a mapping" if value else "an empty mapping"
        case list():
            return "a list"
        case "":
            return "an empty text"
    shown = str(value)
    if len(shown) > 40 or "\n" in shown:
        return "a text"
    # A text that would be something else without its quotes is shown with them.
    quoted = isinstance(value, str) and reads_otherwise(shown)
    return "the text " + ticked(f'"{shown}"') if quoted else ticked(shown)
