"""Whether plain data fit a schema, as one function made of it: what a game without faults needs to know of its shape.

The library that reports each fault takes eight to fifteen times as long to find none (325 ms and 42 ms for a game of 5,900 lines),
and longer to be imported than most games to be read; it is asked where something does not fit.  The keywords are those that our
schemas use, with their meaning in draft 7.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rulespec.schema.build import BY_VERB, Schema

Test = Callable[[Any], bool]
TYPES: dict[str, Test] = {
    "object": lambda value: value.__class__ is dict,
    "array": lambda value: value.__class__ is list,
    "string": lambda value: value.__class__ is str,
    "boolean": lambda value: value is True or value is False,
    "null": lambda value: value is None,
    "number": lambda value: value.__class__ is int or value.__class__ is float,
    "integer": lambda value: value.__class__ is int or (value.__class__ is float and value.is_integer()),
}
# What tells people and editors something.
TOLD = {
    "$id",
    "$schema",
    "definitions",
    "title",
    "description",
    "markdownDescription",
    "errorMessage",
    "patternErrorMessage",
}
MEMBERS = {"properties", "patternProperties", "additionalProperties"}
CONDITION = {"if", "then", "else"}


class Fits:
    """Makes tests of a schema with definitions; `steps` are the schemas of steps by their first keys."""

    def __init__(self, schema: Schema, steps: dict[str, Schema]) -> None:
        self.definitions: dict[str, Schema] = schema["definitions"]
        self.known: dict[int, Test] = {}  # by the identity of a part of the schema
        self.steps = {verb: self.test(step) for verb, step in steps.items()}

    def test(self, schema: Schema | bool) -> Test:
        """Whether data fit a part of the schema: made when that is first asked, since parts contain each other."""

        def run(value: Any) -> bool:
            test = self.known.get(id(schema))
            if test is None:
                test = self.known[id(schema)] = self.made(schema)
            return test(value)

        return run

    def made(self, schema: Schema | bool) -> Test:
        """Whether data fit all keywords of a part of the schema."""
        if isinstance(schema, bool):
            return lambda _value: schema
        if "$ref" in schema:  # nothing beside it counts
            return self.test(self.definitions[schema["$ref"].rpartition("/")[2]])
        if schema.get("$comment") == BY_VERB:
            return self.by_verb({**schema, "$comment": ""})
        tests = [self.members(schema)] if schema.keys() & MEMBERS else []
        tests += [self.condition(schema)] if "if" in schema else []
        others = schema.keys() - TOLD - MEMBERS - CONDITION - {"$comment"}
        tests += [self.keyword(word, schema[word]) for word in sorted(others, key=list(schema).index)]
        return tests[0] if len(tests) == 1 else lambda value: all(test(value) for test in tests)

    def by_verb(self, schema: Schema) -> Test:
        """Whether a step fits what all steps have, and what those with its first key have."""
        alike = self.made({word: part for word, part in schema.items() if word != "allOf"})
        steps = self.steps

        def run(value: Any) -> bool:
            if not alike(value):
                return False
            step = steps.get(next(iter(value), "")) if value.__class__ is dict else None
            return step is None or step(value)

        return run

    def members(self, schema: Schema) -> Test:
        """Whether each value of a mapping fits what is said of its key."""
        known = {name: self.test(part) for name, part in schema.get("properties", {}).items()}
        alike = [(re.compile(text), self.test(part)) for text, part in schema.get("patternProperties", {}).items()]
        other = self.test(schema.get("additionalProperties", True))

        def fits(name: str, value: Any) -> bool:
            if name in known and not known[name](value):
                return False
            tests = [test for pattern, test in alike if pattern.search(name)]
            return all(test(value) for test in tests) and (name in known or bool(tests) or other(value))

        return lambda value: value.__class__ is not dict or all(fits(name, value[name]) for name in value)

    def condition(self, schema: Schema) -> Test:
        """Whether data fit one of two parts, as a third says."""
        test, then, other = (
            self.test(schema["if"]),
            self.test(schema.get("then", True)),
            self.test(schema.get("else", True)),
        )
        return lambda value: then(value) if test(value) else other(value)

    def keyword(self, word: str, said: Any) -> Test:
        """Whether data fit one keyword; raises LookupError for one that no schema of ours has had yet."""
        match word:
            case "type":
                kinds = [TYPES[name] for name in ([said] if isinstance(said, str) else said)]
                return kinds[0] if len(kinds) == 1 else lambda value: any(kind(value) for kind in kinds)
            case "enum":
                words = {(word.__class__ is bool, word) for word in said}
                return lambda value: value.__class__ not in (dict, list) and (value.__class__ is bool, value) in words
            case "allOf":
                tests = [self.test(part) for part in said]
                return lambda value: all(test(value) for test in tests)
            case "not":
                wrong = self.test(said)
                return lambda value: not wrong(value)
            case "items":
                item = self.test(said)
                return lambda value: value.__class__ is not list or all(map(item, value))
            case "required":
                return lambda value: value.__class__ is not dict or all(name in value for name in said)
            case "dependencies":
                wants = [(name, needs) for name, needs in said.items() if isinstance(needs, list)]
                if len(wants) == len(said):
                    return lambda value: (
                        value.__class__ is not dict
                        or all(need in value for name, needs in wants if name in value for need in needs)
                    )
            case "propertyNames":
                named = self.test(said)
                return lambda value: value.__class__ is not dict or all(map(named, value))
            case "pattern":
                pattern = re.compile(said)
                return lambda value: value.__class__ is not str or pattern.search(value) is not None
            case "minimum":
                return lambda value: not TYPES["number"](value) or value >= said
            case "maximum":
                return lambda value: not TYPES["number"](value) or value <= said
            case "maxLength":
                return lambda value: value.__class__ is not str or len(value) <= said
            case "minProperties":
                return lambda value: value.__class__ is not dict or len(value) >= said
        raise LookupError(f"`{word}` of a schema")
