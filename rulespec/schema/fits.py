"""Whether plain data has the shape that a schema says: yes or no, and no more.

It knows the keywords of draft-07 that our schemas are made of.  Most files have the right shape, so that this answer is all
that is wanted; what is wrong with the others `validate` tells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Schema = Mapping[str, Any]
NOTES = frozenset({
    "$schema", "$id", "$comment", "title", "description", "markdownDescription", "errorMessage", "patternErrorMessage",
    "definitions", "then", "else",
})  # fmt: skip  # what tests nothing by itself
TYPES: dict[str, Callable[[Any], bool]] = {
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, dict),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
    "integer": lambda v: (isinstance(v, int) and not isinstance(v, bool)) or (isinstance(v, float) and v.is_integer()),
}


class Fits:
    """A schema; with `steps`, an `allOf` whose comment is `by_key` means the one of them that the value's first key names."""

    def __init__(self, schema: Schema, steps: Mapping[str, Schema], by_key: str) -> None:
        self.schema = schema
        self.definitions: Mapping[str, Schema] = schema.get("definitions", {})
        self.steps = steps
        self.by_key = by_key

    def __call__(self, value: Any) -> bool:
        """Whether a value has the shape; False also where the schema says something that is not known here."""
        return self.fits(value, self.schema)

    def fits(self, value: Any, schema: Any) -> bool:
        if isinstance(schema, bool):
            return schema
        if "$ref" in schema:  # which stands for everything beside it
            return self.fits(value, self.definitions[schema["$ref"].rpartition("/")[2]])
        for word, own in schema.items():
            if word not in NOTES:
                test = TESTS.get(word)
                if test is None or not test(self, value, own, schema):
                    return False
        return True

    # --- keywords: the value, what stands behind the keyword, and all that stands beside it -------------------------------------
    def type(self, value: Any, own: Any, schema: Schema) -> bool:
        return TYPES[own](value) if isinstance(own, str) else any(TYPES[one](value) for one in own)

    def enum(self, value: Any, own: Any, schema: Schema) -> bool:
        return any(one == value and isinstance(one, bool) == isinstance(value, bool) for one in own)

    def all_of(self, value: Any, own: Any, schema: Schema) -> bool:
        if schema.get("$comment") == self.by_key:
            verb = next(iter(value), None) if isinstance(value, dict) else None
            return verb is None or verb not in self.steps or self.fits(value, self.steps[verb])
        return all(self.fits(value, one) for one in own)

    def not_(self, value: Any, own: Any, schema: Schema) -> bool:
        return not self.fits(value, own)

    def if_(self, value: Any, own: Any, schema: Schema) -> bool:
        return self.fits(value, schema.get("then" if self.fits(value, own) else "else", True))

    def items(self, value: Any, own: Any, schema: Schema) -> bool:
        return not isinstance(value, list) or all(self.fits(one, own) for one in value)

    def properties(self, value: Any, own: Any, schema: Schema) -> bool:
        return not isinstance(value, dict) or all(self.fits(value[key], one) for key, one in own.items() if key in value)

    def pattern_properties(self, value: Any, own: Any, schema: Schema) -> bool:
        if not isinstance(value, dict):
            return True
        return all(self.fits(one, shape) for key, one in value.items() for text, shape in own.items() if re.search(text, key))

    def additional_properties(self, value: Any, own: Any, schema: Schema) -> bool:
        if not isinstance(value, dict):
            return True
        named, patterns = schema.get("properties", ()), schema.get("patternProperties", ())
        more = [one for key, one in value.items() if key not in named and not any(re.search(text, key) for text in patterns)]
        return all(self.fits(one, own) for one in more)

    def property_names(self, value: Any, own: Any, schema: Schema) -> bool:
        return not isinstance(value, dict) or all(self.fits(key, own) for key in value)

    def required(self, value: Any, own: Any, schema: Schema) -> bool:
        return not isinstance(value, dict) or all(key in value for key in own)

    def dependencies(self, value: Any, own: Any, schema: Schema) -> bool:
        return not isinstance(value, dict) or all(need in value for key, needs in own.items() if key in value for need in needs)

    def min_properties(self, value: Any, own: Any, schema: Schema) -> bool:
        return not isinstance(value, dict) or len(value) >= int(own)

    def max_length(self, value: Any, own: Any, schema: Schema) -> bool:
        return not isinstance(value, str) or len(value) <= int(own)

    def pattern(self, value: Any, own: Any, schema: Schema) -> bool:
        return not isinstance(value, str) or re.search(own, value) is not None

    def minimum(self, value: Any, own: Any, schema: Schema) -> bool:
        return not TYPES["number"](value) or bool(value >= own)

    def maximum(self, value: Any, own: Any, schema: Schema) -> bool:
        return not TYPES["number"](value) or bool(value <= own)


TESTS: dict[str, Callable[[Fits, Any, Any, Schema], bool]] = {
    "type": Fits.type, "enum": Fits.enum, "allOf": Fits.all_of, "not": Fits.not_, "if": Fits.if_, "items": Fits.items,
    "properties": Fits.properties, "patternProperties": Fits.pattern_properties,
    "additionalProperties": Fits.additional_properties, "propertyNames": Fits.property_names, "required": Fits.required,
    "dependencies": Fits.dependencies, "minProperties": Fits.min_properties, "maxLength": Fits.max_length,
    "pattern": Fits.pattern, "minimum": Fits.minimum, "maximum": Fits.maximum,
}  # fmt: skip
