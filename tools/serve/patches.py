"""From one JSON value to another as a JSON Patch (RFC 6902), with nothing but `add`, `remove` and `replace`."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

Step = dict[str, Any]


def difference(old: Any, new: Any, path: str = "") -> Iterator[Step]:
    """The steps that lead from one value to another.

    Lists of one length are compared place by place; of two lengths, where one goes on with what the other has, its end comes or goes.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        for key in old:
            if key not in new:
                yield {"op": "remove", "path": f"{path}/{escaped(key)}"}
        for key, value in new.items():
            if key not in old:
                yield {"op": "add", "path": f"{path}/{escaped(key)}", "value": value}
            elif not same(old[key], value):
                yield from difference(old[key], value, f"{path}/{escaped(key)}")
        return
    if isinstance(old, list) and isinstance(new, list) and old and new:
        shared = min(len(old), len(new))
        if sum(a == b for a, b in zip(old, new, strict=False)) * 2 >= shared or len(old) == len(new) <= 8:
            for n in range(shared):
                if not same(old[n], new[n]):
                    yield from difference(old[n], new[n], f"{path}/{n}")
            for n in reversed(range(shared, len(old))):
                yield {"op": "remove", "path": f"{path}/{n}"}
            for n in range(shared, len(new)):
                yield {"op": "add", "path": f"{path}/{n}", "value": new[n]}
            return
    if not same(old, new):
        yield {"op": "replace", "path": path, "value": new}


def same(old: Any, new: Any) -> bool:
    """Whether two values are written alike: for Python true is 1, and so is a list of them."""
    if old is new:
        return True
    if old != new or type(old) is not type(new):
        return False
    if isinstance(old, dict):
        return all(same(value, new[key]) for key, value in old.items())
    return not isinstance(old, list) or all(map(same, old, new))


def applied(value: Any, steps: list[Step]) -> Any:
    """A value after the steps of a patch that `difference` made; raises LookupError where it is of another value."""
    value = copy.deepcopy(value)
    for step in steps:
        if not step["path"]:
            value = step["value"]
            continue
        *way, last = [part.replace("~1", "/").replace("~0", "~") for part in step["path"][1:].split("/")]
        at = value
        for part in way:
            at = at[int(part)] if isinstance(at, list) else at[part]
        if step["op"] == "remove":
            del at[int(last) if isinstance(at, list) else last]
        elif isinstance(at, list) and step["op"] == "add":
            at.insert(int(last), step["value"])
        else:
            at[int(last) if isinstance(at, list) else last] = step["value"]
    return value


def escaped(key: str) -> str:
    """A key in a path."""
    return key.replace("~", "~0").replace("/", "~1")
