"""Faces of pieces as values: `types: {Face: {faces of: Card}}` has a member for each row of `Card`, and each card has its `face`.

A face says what a piece is and not which one or where it lies.  So it is no piece: whoever reads a face that somebody named reads its name.
"""

from __future__ import annotations

from rulespec.checker import symbols
from rulespec.checker.kinds import Kinds, add_member, snake
from rulespec.text.quoting import ticked


def declare(kinds: Kinds) -> None:
    """The members of all types of faces, once their pieces are there."""
    context = kinds.context
    pieces = {name: kind for name, kind in context.kinds.items() if kind.what == "piece"}
    for face, of in kinds.faces:
        kind = pieces.get(of.value)
        if kind is None:
            context.unknown("E101", "kind of piece", of.value, of.span, pieces)
            continue
        context.used.add(kind.name)
        face.faces_of, face.called = kind, snake(face.name).replace(" ", "_")
        face.noun = f"face of a {kind.noun}"
        for number, row in enumerate(rows_of(kind)):
            if row not in face.members:
                add_member(context, face, row, kind.labels[number], kind.spans[number], row)


def declare_fields(kinds: Kinds) -> None:
    """What is printed on a piece is printed on its face, and each piece has a face: a field with the name of the type, in small letters."""
    context = kinds.context
    for face, of in kinds.faces:
        kind = face.faces_of
        if kind is None:
            continue
        rows = rows_of(kind)
        first = {row: number for number, row in reversed([*enumerate(rows)])}
        face.labels[:] = [kind.labels[first[row]] for row in face.members]
        for field in kind.fields.values():
            values = [field.values[first[row]] for row in face.members] if field.values else []
            face.attributes[field.name] = symbols.Field(field.name, field.type, values, field.span)
        name = face.called
        if name in kind.attributes:
            context.error(
                "E108",
                f"there are two things named {ticked(name)} of a {kind.name}: a field, and its {face.name}",
                of.span,
                related=[(kind.fields[name].span, "the field")] if name in kind.fields else (),
                help=["give the field, or the type of faces, another name"],
            )
            continue
        kind.attributes[name] = symbols.Field(name, face.type, [face.members.index(row) for row in rows], of.span)


def rows_of(kind: symbols.Kind) -> list[str]:
    """For each member of a kind the name of its row, which its copies share."""
    copied = {name: row for row, names in kind.copies.items() for name in names}
    return [copied.get(name, name) for name in kind.members]
