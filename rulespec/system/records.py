"""`dataclass`, as that of the standard library, and ready sooner: each method is compiled when it is first called.

A process that lints a small game makes two hundred of these classes and calls the methods of few; the standard library would take a
quarter of its time for them.  What a field is, and slots, are the standard library's; so are `field`, `fields`, `replace` and `asdict`,
which take these classes as any others.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import MISSING, FrozenInstanceError
from reprlib import recursive_repr
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

AFTER = "__post_init__"
Make = Callable[[], Callable[..., Any]]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        cls: type | None = None, /, *, frozen: bool = False, slots: bool = False, eq: bool = True
    ) -> type | Callable[[type], type]:
        """The class with what its annotations ask for; see `dataclasses.dataclass`, which also says what it raises."""

        def made(cls: type) -> type:
            return record(cls, frozen, slots, eq)

        return made if cls is None else made(cls)


def record(cls: Any, frozen: bool, slots: bool, eq: bool) -> Any:
    """See `dataclass`."""
    if cls.__doc__ is None:
        cls.__doc__ = cls.__name__  # or the standard library asks for the signature
    own = frozenset(cls.__dict__)
    cls = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    fields = dataclasses.fields(cls)
    if "__init__" not in own:
        lazy(cls, "__init__", lambda: init_of(cls, frozen))
    if "__repr__" not in own:
        cls.__repr__ = repr_of([field.name for field in fields if field.repr])
    compared = [field.name for field in fields if field.compare]
    if eq and "__eq__" not in own:
        lazy(cls, "__eq__", lambda: eq_of(compared))
    if eq and ("__hash__" not in own or ("__eq__" in own and cls.__hash__ is None)):
        if frozen:
            hashed = [field.name for field in fields if (field.compare if field.hash is None else field.hash)]
            lazy(cls, "__hash__", lambda: hash_of(hashed))
        else:
            cls.__hash__ = None
    if frozen:
        freeze(cls, frozenset(field.name for field in fields))
        if slots and "__getstate__" not in own:
            cls.__getstate__, cls.__setstate__ = state_of, with_state
    return cls


def lazy(cls: type, name: str, make: Make) -> None:
    """Give a class a method that is made when it is first called, and takes this one's place."""

    def method(*args: Any, **named: Any) -> Any:
        real = named_as(cls, name, make())
        setattr(cls, name, real)
        return real(*args, **named)

    setattr(cls, name, named_as(cls, name, method))


def named_as(cls: type, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that calls itself what it is."""
    method.__name__, method.__qualname__, method.__module__ = name, f"{cls.__qualname__}.{name}", cls.__module__
    return method


def compiled(parameters: Iterable[str], body: Iterable[str], known: dict[str, Any]) -> Callable[..., Any]:
    """The function of some parameters and lines, in which names of fields are all that varies; `known` are the other names in it."""
    lines = "\n  ".join(body) or "pass"
    module = compile(f"def make():\n def method({', '.join(parameters)}):\n  {lines}\n return method", __name__, "exec")
    [make] = (part for part in module.co_consts if isinstance(part, CodeType))
    method: Callable[..., Any] = FunctionType(make, known)()
    return method


# --- the methods --------------------------------------------------------------------------------------------------------
def init_of(cls: Any, frozen: bool) -> Callable[..., Any]:
    """`__init__`: the fields in their order, those by name alone behind the others, and what is given to `__post_init__` only."""
    kept = {field.name for field in dataclasses.fields(cls)}
    given = [
        field
        for field in cls.__dataclass_fields__.values()
        if not str(field.type).startswith(("ClassVar", "typing.ClassVar"))
    ]
    known: dict[str, Any] = {"put": object.__setattr__, "new": MISSING}
    placed: list[str] = ["self"]
    by_name: list[str] = []
    body: list[str] = []
    after: list[str] = []
    for field in given:
        name, value = field.name, field.name
        default = field.default is not MISSING
        made = field.default_factory is not MISSING
        if default:
            known[f"default_{name}"] = field.default
        if made:
            known[f"make_{name}"] = field.default_factory
        if field.init:
            parameter = f"{name}=default_{name}" if default else f"{name}=new" if made else name
            (by_name if field.kw_only else placed).append(parameter)
            value = f"make_{name}() if {name} is new else {name}" if made else name
        elif made:
            value = f"make_{name}()"
        elif default and "__slots__" in cls.__dict__:
            value = f"default_{name}"
        else:
            continue  # a variable of the class holds its default, or __post_init__ sets it
        if name in kept:
            body.append(f"put(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
        else:
            after.append(name)
    if hasattr(cls, AFTER):
        body.append(f"self.{AFTER}({', '.join(after)})")
    return compiled([*placed, *(["*", *by_name] if by_name else [])], body, known)


def eq_of(names: list[str]) -> Callable[..., Any]:
    """`__eq__`: an object of the same class, with equal fields."""
    one, other = ("".join(f"{whose}.{name}, " for name in names) for whose in ("self", "other"))
    body = ["if other.__class__ is self.__class__:", f"  return ({one}) == ({other})", "return NotImplemented"]
    return compiled(["self", "other"], body, {})


def hash_of(names: list[str]) -> Callable[..., Any]:
    """`__hash__`: that of the fields."""
    return compiled(["self"], [f"return hash(({''.join(f'self.{name}, ' for name in names)}))"], {})


def repr_of(names: list[str]) -> Callable[..., Any]:
    """`__repr__`: the class with the fields."""

    @recursive_repr()
    def shown(self: Any) -> str:
        return f"{self.__class__.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return shown


def freeze(cls: Any, names: frozenset[str]) -> None:
    """Let nobody set or delete a field.  The methods raise `FrozenInstanceError`."""

    def set_one(self: Any, name: str, value: Any) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def delete_one(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    cls.__setattr__, cls.__delattr__ = set_one, delete_one


def state_of(self: Any) -> list[Any]:
    """What a copy of a frozen object with slots is made from."""
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def with_state(self: Any, state: list[Any]) -> None:
    """Set the fields of a copy."""
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
