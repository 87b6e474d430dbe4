"""The question: the stages before it, its words, what is in the tray, the numbered answers, and why others are not allowed."""

from __future__ import annotations

from interpreter import Choice
from rulespec.ir.wording import joined

from .faces import mini
from .scene import Scene
from .sheet import Meant, Run, Sheet, above, beside, line, paragraph

MOST_NAMED = 3  # options that are refused for one reason
TOO_MANY = 24  # answers that lie on the table and are not listed


def question(scene: Scene, width: int, rows: int) -> Sheet:
    """The question in at most so many rows, the answers and the words of the question before the reasons."""
    paint, asked = scene.paint, scene.asked
    notes = [line([Run(f"  {note}", paint.dim())], width) for note in scene.notes[-2:]] if rows > 3 else []
    if scene.said:
        notes = [
            paragraph([Run(" ! ", paint.accent()), Run(scene.said, paint.accent(bold=False))], width, [Run("   ")]).cut(
                0, 2
            )
        ]
    if not asked.there:
        runs = [Run("   ", paint.dim()), Run(scene.status, paint.dim())]
        return above([*notes, paragraph(runs, width, [Run("   ")]).cut(0, max(1, rows - len(notes)))])
    stages = asked.decision.get("stages", ())
    head: list[Run] = [Run(" ▶ ", paint.accent())]
    for stage in stages:
        head += [Run(stage["text"], paint.dim()), Run(" › ", paint.dim())]
    head.append(Run(asked.decision["prompt"], paint.text(bold=True)))
    asks = paragraph(head, width, [Run("   ")])
    top = [*notes, asks.cut(0, min(asks.height, max(1, rows - len(notes) - 1)))]
    if asked.collected is not None:
        top.append(tray(scene, width))
    left = rows - sum(sheet.height for sheet in top)
    answers = listed(scene, width, max(1, left))
    left -= answers.height
    return above([*top, answers, *([] if left < 1 else [refused(scene, width, left)])], width=width)


def tray(scene: Scene, width: int) -> Sheet:
    """What is chosen so far, of how many."""
    paint, one = scene.paint, scene.asked.collected
    assert one is not None
    chosen = one["chosen"]
    if one["what"] == "counts":
        parts = [item["text"] for item in chosen]
        counts = joined([f"{parts.count(text)} {text}" for text in dict.fromkeys(parts)])
        return line(
            [
                Run("   so far: ", paint.dim()),
                Run(counts or "none", paint.text()),
                Run(f"; {len(parts)} of {wanted(one)} in all", paint.dim()),
            ],
            width,
        )
    runs: list[Run] = [Run("   chosen: ", paint.dim())]
    for item in chosen:
        if item.get("thing") in scene.things:
            runs += [*mini(scene, item["thing"], None), Run(" ")]
        else:
            runs += [Run(item["text"], paint.text()), Run("  ")]
    if not chosen:
        runs.append(Run("none yet, ", paint.dim()))
    many = f"{len(chosen)} of {wanted(one)}"
    runs.append(Run(many, paint.text(bold=True)))
    if scene.asked.tray and scene.asked.full:
        runs.append(Run("   ⏎ done", paint.accent()))
    return line(runs, width)


def wanted(one: dict[str, object]) -> str:
    """How many are wanted: `2`, `1 to 3`, `at most 3`."""
    if one["low"] == one["high"]:
        return str(one["high"])
    return f"{one['low']} to {one['high']}" if one["low"] else f"at most {one['high']}"


def listed(scene: Scene, width: int, rows: int) -> Sheet:
    """The answers with their numbers, in rows; where there are too many, those about the one that the arrows stand on."""
    paint, asked = scene.paint, scene.asked
    on_table = [
        choice
        for choice in asked.legal
        if asked.points[choice.action].things and not asked.points[choice.action].button
    ]
    typed = [Run(f"   {scene.typed}▏", paint.accent())] if scene.typed else []
    if (exact := asked.numbers.get(scene.typed)) is not None:  # it may go on, too
        typed.append(Run(f"⏎ {exact.text} ", paint.accent()))
    if len(on_table) == len(asked.legal) and (len(on_table) > TOO_MANY or not fits(scene, asked.legal, width, rows)):
        text = f"   {len(on_table)} are marked: arrows and Enter, a click, or a name "
        return line([*typed, Run(text, paint.dim())], width)
    choices = asked.legal
    near = [choice for choice in asked.begun(scene.typed) if choice.legal] if scene.typed else []
    if near:
        choices = near
    lines = rows_of(scene, choices, width - (sum(len(run.text) for run in typed) + 3 if typed else 0))
    shown, more = window(scene, lines, rows)
    sheets = []
    for number, parts in enumerate(shown):
        lead = [line(typed)] if typed and not number else [Sheet(3, 1)]
        tail = [line([Run(more, paint.dim())])] if more and number == len(shown) - 1 else []
        sheets.append(beside([*lead, *parts, *tail], 1 if typed and not number else 0))
    return above(sheets, width=width)


def fits(scene: Scene, choices: list[Choice], width: int, rows: int) -> bool:
    """Whether a list of answers has room."""
    return len(rows_of(scene, choices, width)) <= rows


def cell(scene: Scene, choice: Choice, width: int) -> Sheet:
    """An answer with its number."""
    key = scene.asked.keys.get(choice.action, "")
    meant = Meant(None, None, choice.action)
    text = "" if key == choice.text else f" {choice.text}"
    runs = [Run(key, scene.paint.accent(), None), Run(text, scene.paint.text()), Run("   ")]
    if sum(len(run.text) for run in runs) > width:
        runs[1] = Run(f"{text[: max(1, width - len(key) - 4)]}…", scene.paint.text())
    sheet = line(runs)
    sheet.mark(0, 0, sheet.width - 2, 1, meant)
    return sheet


def rows_of(scene: Scene, choices: list[Choice], width: int) -> list[list[Sheet]]:
    """Answers in rows."""
    rows: list[list[Sheet]] = []
    used = 0
    for choice in choices:
        sheet = cell(scene, choice, width - 3)
        if not rows or used + sheet.width > width:
            rows.append([])
            used = 3
        rows[-1].append(sheet)
        used += sheet.width
    return rows


def window(scene: Scene, lines: list[list[Sheet]], rows: int) -> tuple[list[list[Sheet]], str]:
    """The rows about the answer that the arrows stand on, and a word on the others."""
    if len(lines) <= rows:
        return lines, ""
    at = 0
    for number, parts in enumerate(lines):
        if any(spot.meant == scene.focus for part in parts for spot in part.spots):
            at = number
    top = max(0, min(at - rows // 2, len(lines) - rows))
    above_it, below = sum(map(len, lines[:top])), sum(map(len, lines[top + rows :]))
    words = " ".join([*([f"↑{above_it}"] if above_it else []), *([f"↓{below} more"] if below else [])])
    shown = lines[top : top + rows]
    return [*shown[:-1], shown[-1][: max(1, len(shown[-1]) - 1)]] if len(shown[-1]) > 1 else shown, words


def refused(scene: Scene, width: int, rows: int) -> Sheet:
    """What is not allowed, by its reason."""
    lines = []
    reasons = scene.asked.refusals()
    for why, texts in list(reasons.items())[:rows]:
        names = joined(texts[:MOST_NAMED]) + (f" and {len(texts) - MOST_NAMED} more" if len(texts) > MOST_NAMED else "")
        said = why.replace("…", texts[0]) if len(texts) == 1 and "…" in why else f"{names}: {why}"
        lines.append(line([Run(f"   ✕ {said}", scene.paint.dim())], width))
    return above(lines)
