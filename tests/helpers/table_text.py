"""A table as text that people can compare: every part of the view in a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

FACES = 14  # of the faces so many are written, spread over all


def as_text(view: dict[str, Any]) -> str:
    return "\n".join(lines(view)) + "\n"


def lines(view: dict[str, Any]) -> Iterator[str]:
    yield f"{view['game']['title']}: {view['you'] or 'a spectator'} looks, to act {', '.join(view['to_act']) or 'nobody'}"
    for counter in view["counters"]:
        yield f"counter {told(counter)}"
    for seat in view["seats"]:
        marks = "".join(f" [{badge}]" for badge in seat["badges"])
        score = "".join(f" {name} {text};" for name, text in seat.get("score", ()))
        yield f"seat {seat['id']} {seat['label']} ({seat['colour']}){marks}{score}".rstrip(";")
        for counter in seat["counters"]:
            yield f"  {told(counter)}"
        for name in seat["zones"]:
            yield f"  {zone(view, name)}"
    for group in view["groups"]:
        if group["what"] == "matrix":
            yield f"rows of {group['kind']}"
            for row in group["rows"]:
                yield f"  {row['label']}: {' | '.join(zone(view, name) for name in row['zones'])}"
        else:
            yield f"{group['what']}"
            for name in group["zones"]:
                yield f"  {zone(view, name)}"
    for board in view["boards"]:
        yield f"board {board['kind']} {board['shape']} {board['columns']} x {board['rows']} {board['look']}"
        if "edges" in board:
            yield f"  edges: {', '.join(f'{edge} {colour}' for edge, colour in board['edges'].items())}"
        for cell in board["cells"]:
            if len(cell) > 3:
                what = f"{cell.get('sign', '')} {cell.get('colour', '')} {here(view, cell)}"
                yield f"  {cell['thing']} {cell['x']},{cell['y']} {what.strip()}"
    if view["map"] is not None:
        yield f"map {len(view['map']['places'])} places, {len(view['map']['links'])} links"
        for place in view["map"]["places"]:
            text = f"{place.get('colour', '')} {place.get('symbol', '')} {here(view, place)} {'; '.join(place.get('lines', ()))}"
            yield f"  {place['thing']} {place['x']},{place['y']} {' '.join(text.split())}"
    for sheet in view["sheets"]:
        yield f"sheet {sheet['label']}: " + " / ".join(
            f"{row['label']}: {', '.join(row['cells'])}" for row in sheet["rows"]
        )
    for thing, held in view["attached"].items():
        yield f"at {thing}: {here(view, {'holds': held})}"
    if view["decision"] is not None:
        yield from question(view["decision"])
    for turn in view["log"][-4:]:
        yield f"log {turn['by']}"
        for line in turn["lines"]:
            yield "  " + "".join(part(one) for one in line)
    changes = view["changes"] or {}
    for name in ("came", "counts", "numbers", "spots"):
        if name in changes:
            yield f"changed {name}: {changes[name]}"
    if view["known"]:
        yield f"known: {view['known']}"
    if view["over"] is not None:
        yield f"over: {view['over']}"
    names = list(view["things"])
    for name in names[:: max(1, len(names) // FACES)]:
        yield f"face {name}: {view['things'][name]}"


def question(decision: dict[str, Any]) -> Iterator[str]:
    yield f"asked {decision['site']}: {decision['prompt']}"
    if "collected" in decision:
        yield f"  so far {decision['collected']}"
    for stage in decision.get("stages", ()):
        yield f"  after {stage['site']}: {stage['text']}"
    for option in decision["options"]:
        means = " ".join([*option.get("things", ()), *(f"in {spot}" for spot in option.get("spots", ()))])
        why = f" NOT: {option['why']}" if "why" in option else ""
        button = " (button)" if "button" in option else ""
        yield f"  {option.get('text', option['name'])}{button} -> {means or option['name']}{why}"


def told(counter: dict[str, Any]) -> str:
    track = f" track {counter['track']}" if "track" in counter else ""
    return f"{counter['id']} {counter['label']}: {counter['text']}{track}"


def zone(view: dict[str, Any], name: str) -> str:
    one = view["zones"][name]
    if "bag" in one:
        inside = ", ".join(f"{entry['n']} {entry['thing']}" for entry in one["bag"])
    else:
        inside = ", ".join("?" if item is None else item for item in one["items"])
    return f"{name} {one['label']} @{one['at']} {one['form']} {one['count']}: {inside}".rstrip(": ")


def here(view: dict[str, Any], place: dict[str, Any]) -> str:
    held = [zone(view, one) if isinstance(one, str) else told(one) for one in place.get("holds", ())]
    flags = [f"<{flag['label']}>" for flag in place.get("flags", ())]
    stands = [place["stands"]] if "stands" in place else []
    return "; ".join([*stands, *held, *flags])


def part(one: Any) -> str:
    if isinstance(one, dict):
        return f"[{one['text']}]"
    return str(one)
