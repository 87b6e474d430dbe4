"""Mutation operators for games. Each family is a function from a game to its mutants; none depends on the game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator

from rulespec.language.registry import verbs
from rulespec.system.records import dataclass
from rulespec.text.numbers import natural
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode

from ...mutants.places import GUARDS, TEXTS, TreePath, end, gap, is_log, is_steps, parts
from .texts import IDENTIFIER, File, GameText, keywords


@dataclass(frozen=True, slots=True)
class Mutant:
    """A game with one text replaced."""

    game: str
    family: str
    file: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def text(self, original: str) -> str:
        """The file with the change."""
        return original[: self.start] + self.new + original[self.end :]


Edit = tuple[File, int, int, str]
Find = Callable[[GameText], Iterator[Edit]]


@dataclass(frozen=True, slots=True)
class Family:
    """A way to break a game, and its weight: how many of a hundred or so mutants are of this kind."""

    name: str
    about: str
    weight: int
    find: Find


FAMILIES: dict[str, Family] = {}


def family(name: str, weight: int, about: str) -> Callable[[Find], Find]:
    """Enter a family."""

    def enter(find: Find) -> Find:
        FAMILIES[name] = Family(name, about, weight, find)
        return find

    return enter


def mutants(game: GameText, name: str) -> list[Mutant]:
    """All mutants of a family, in the order of the text; none equals the original."""
    unique: dict[tuple[str, int, int, str], Mutant] = {}
    for file, start, stop, new in FAMILIES[name].find(game):
        old = file.text[start:stop]
        if new != old:
            unique.setdefault(
                (file.name, start, stop, new),
                Mutant(game.id, name, file.name, file.line(start), start, stop, old, new),
            )
    return [unique[key] for key in sorted(unique)]


# --- what is the same for several families --------------------------------------------------------
MEANINGLESS = frozenset({"about", "title", "cites", "noun", "log", "say", "why", "rulespec", "sources", "table"})
EXITS = frozenset(name for name, verb in verbs().items() if verb.traits.inside == "loop" and verb.value.role == "exit")
LIMITS = frozenset({"limit", "only", "count", "up to", "at most", "stops", "max", *EXITS})


def typo(word: str) -> str:
    """Two letters in the wrong order, those in the middle; a word of equal letters loses one."""
    middle = len(word) // 2
    for at in [*range(middle, len(word)), *range(1, middle)]:
        if at and word[at] != word[at - 1]:
            return word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
    return word + "e"


def without(file: File, neighbours: list[tuple[int, int]], index: int) -> Edit | None:
    """One of several neighbours taken out."""
    cut = gap(neighbours, index)
    return None if cut is None else (file, *cut, "")


def only_told(node: Node) -> bool:
    """Whether some steps are lines of the log alone."""
    return isinstance(node, ListNode) and all(map(is_log, node))


def drop_keys(
    game: GameText, wanted: Callable[[str], bool], nothing: Callable[[Node], bool] = lambda _: False
) -> Iterator[Edit]:
    """Mappings without one of their keys, but for those whose values are nothing that counts."""
    for file in game.files:
        for place, node in file.mappings():
            if place.path[:1] == ("table",):  # how it is drawn
                continue
            for index, (key, value) in enumerate(node.entries):
                edit = without(file, parts(node), index) if wanted(key.value) and not nothing(value) else None
                if edit is not None:
                    yield edit


def replaced(game: GameText, pattern: str, new: Callable[[re.Match[str]], str | None]) -> Iterator[Edit]:
    """What matches in expressions, with something else in its place."""
    matcher = re.compile(pattern)
    for file in game.files:
        for place, start, stop in file.code():
            if place.key in ("table", "parts"):
                continue
            for match in matcher.finditer(file.text, start, stop):
                text = new(match)
                if text is not None:
                    yield file, match.start(), match.end(), text


def names_used(game: GameText) -> Iterator[tuple[File, TreePath | None, int, str]]:
    """Every use of a name that the game declares: (file, place, offset, name); no place in a CSV file."""
    known = set(game.names)
    for file in game.files:
        for place, start, stop in file.code():
            for match in IDENTIFIER.finditer(file.text, start, stop):
                if match[0] in known:
                    yield file, place, match.start(), match[0]
        for cell in file.cells:
            if cell.row and cell.column and cell.text in known:
                yield file, None, cell.start, cell.text


# --- slips of the pen -----------------------------------------------------------------------------
@family("misspelt name", 10, "a name where it is used, with two letters swapped")
def misspelt_name(game: GameText) -> Iterator[Edit]:
    for file, _, at, name in names_used(game):
        yield file, at, at + len(name), typo(name)


@family("misspelt key", 9, "a key of the language with two letters swapped")
def misspelt_key(game: GameText) -> Iterator[Edit]:
    words = keywords() - {"Player", "players", "game"}
    for file in game.files:
        for _, node in file.mappings():
            for key, _ in node.entries:
                if key.value in words and key.style == "plain":
                    yield file, key.span.start, key.span.end, typo(key.value)


@family("misspelt declaration", 6, "a name where it is declared, with two letters swapped; its uses stay")
def misspelt_declaration(game: GameText) -> Iterator[Edit]:
    words = Counter(word for file in game.files for word in IDENTIFIER.findall(file.text))
    known = {name for name in game.names if words[name] > 1}  # a name that nobody uses is as good as any other
    for file in game.files:
        for place, node in file.mappings():
            for key, _ in node.entries:
                if place.path and key.value in known and key.style == "plain":
                    yield file, key.span.start, key.span.end, typo(key.value)
        for cell in file.cells:
            if cell.text in known and (cell.row == 0 or cell.column == 0):
                yield file, cell.start, cell.start + len(cell.text), typo(cell.text)


@family("wrong name", 7, "a name where it is used, replaced by another name of the game")
def wrong_name(game: GameText) -> Iterator[Edit]:
    for file, _, at, name in names_used(game):
        index = game.names.index(name)
        yield file, at, at + len(name), game.names[(index + 1 + at % 7) % len(game.names)]


@family("wrong indentation", 3, "a line of a block one column further to the right")
def wrong_indentation(game: GameText) -> Iterator[Edit]:
    for file in game.files:
        for _, node in file.mappings():
            for key, _ in node.entries:
                start = file.source.line_start(file.line(key.span.start))
                if key.span.start > start and not file.text[start : key.span.start].strip():
                    yield file, start, start, " "


# --- something is missing, or there twice ---------------------------------------------------------
@family("missing key", 9, "a key with all below it taken out, but for texts")
def missing_key(game: GameText) -> Iterator[Edit]:
    words = keywords()
    yield from drop_keys(game, lambda key: key in words and key not in MEANINGLESS)


@family("missing declaration", 4, "a declaration, member or row with all below it taken out")
def missing_declaration(game: GameText) -> Iterator[Edit]:
    known = set(game.names)
    yield from drop_keys(game, lambda key: key in known)
    for file in game.files:
        for start, stop in file.rows[1:]:
            yield file, start, stop, ""


@family("missing step", 5, "a step or entry of a list taken out")
def missing_step(game: GameText) -> Iterator[Edit]:
    for file in game.files:
        for _, node in file.sequences():
            for index, item in enumerate(node):
                edit = without(file, parts(node), index)
                if edit is not None and not is_log(item):
                    yield edit


@family("missing branch", 2, "an `else` or `or none` taken out")
def missing_branch(game: GameText) -> Iterator[Edit]:
    yield from drop_keys(game, lambda key: key in ("else", "or none"), only_told)


@family("missing end", 2, "a phase, the end of the game, or a step that ends or wins it taken out")
def missing_end(game: GameText) -> Iterator[Edit]:
    for file in game.files:
        for place, node in file.mappings():
            for index, (key, _) in enumerate(node.entries):
                top = place.path == () and key.value in ("end of game", "phases")
                if top or place.path in (("phases",), ("end of game",)):
                    edit = without(file, parts(node), index)
                    if edit is not None:
                        yield edit
        for _, steps in file.sequences():
            for index, item in enumerate(steps):
                verb = verbs().get(item.keys()[0]) if isinstance(item, MapNode) and item.keys() else None
                if verb is not None and (verb.traits.ends or verb.name in EXITS):
                    edit = without(file, parts(steps), index)
                    if edit is not None:
                        yield edit


@family("missing reason", 1, "a `why` taken out")
def missing_reason(game: GameText) -> Iterator[Edit]:
    yield from drop_keys(game, lambda key: key == "why")


@family("missing limit", 2, "a limit taken out: `limit`, `only`, `count`, `stop when` and the like")
def missing_limit(game: GameText) -> Iterator[Edit]:
    yield from drop_keys(game, lambda key: key in LIMITS)


@family("twice", 3, "a row or a step that is there twice")
def twice(game: GameText) -> Iterator[Edit]:
    for file in game.files:
        for start, stop in file.rows[1:]:
            row = file.text[start:stop]
            yield file, stop, stop, row if row.endswith("\n") else f"\n{row}"
        for place, node in file.mappings():
            if place.key in ("rows", "members") and len(node) > 1:
                for index in range(len(node) - 1):
                    low, high = parts(node)[index][0], parts(node)[index + 1][0]
                    yield file, high, high, file.text[low:high]
        for _, steps in file.sequences():
            if not is_steps(steps):
                continue
            for item, after in zip(steps.items, steps.items[1:], strict=False):
                if not is_log(item):
                    yield file, after.span.start, after.span.start, file.text[item.span.start : after.span.start]


# --- something of another kind --------------------------------------------------------------------
@family("wrong type", 8, "a number where a name stands, or a text where a number stands")
def wrong_type(game: GameText) -> Iterator[Edit]:
    known = set(game.names)
    for file in game.files:
        for place, node in file.scalars():
            if node.style != "plain" or place.key in TEXTS:
                continue
            if isinstance(node.resolve(), int) and not isinstance(node.resolve(), bool):
                yield file, node.span.start, node.span.end, "many"
            elif node.value in known:
                yield file, node.span.start, node.span.end, "7"
        for cell in file.cells:
            if cell.row and natural(cell.text) is not None:
                yield file, cell.start, cell.start + len(cell.text), "many"


@family("wrong option", 2, "a value or default of an option that is not among the others")
def wrong_option(game: GameText) -> Iterator[Edit]:
    for file in game.files:
        for place, node in file.scalars():
            if place.path[:1] == ("options",) and place.key in ("values", "default") and node.style == "plain":
                yield file, node.span.start, node.span.end, typo(node.value)


@family("wrong zone", 3, "another zone in the `from` or `to` of a step")
def wrong_zone(game: GameText) -> Iterator[Edit]:
    for file in game.files:
        for place, node in file.scalars():
            if place.key not in ("from", "to") or node.style != "plain":
                continue
            for index, zone in enumerate(game.zones):
                other = game.zones[(index + 1) % len(game.zones)]
                if node.value == zone:
                    yield file, node.span.start, node.span.end, other
                elif node.value.endswith(f".{zone}"):
                    yield file, node.span.end - len(zone), node.span.end, other


# --- numbers and operators ------------------------------------------------------------------------
@family("off by one", 5, "a number in an expression or a range, greater by one")
def off_by_one(game: GameText) -> Iterator[Edit]:
    pattern = r"(?<![\w.])\d+(?![\w])|(?<=\.\.)\d+(?!\w)"
    yield from replaced(game, pattern, lambda match: str(int(match[0]) + 1))


@family("wrong number in a table", 2, "a number in a table or a CSV file, less by one or greater by one")
def wrong_number(game: GameText) -> Iterator[Edit]:
    for file in game.files:
        for place, node in file.scalars():
            if "rows" in place.path and node.style == "plain" and natural(node.value) is not None:
                number = int(node.value)
                yield file, node.span.start, node.span.end, str(number - 1 if number else 1)
        for cell in file.cells:
            if cell.row and natural(cell.text) is not None:
                number = int(cell.text)
                yield file, cell.start, cell.start + len(cell.text), str(number - 1 if number > 1 else number + 1)


@family("wrong comparison", 3, "`<` for `<=`, `>` for `>=`, `==` for `!=`, or the other way round")
def wrong_comparison(game: GameText) -> Iterator[Edit]:
    other = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
    yield from replaced(game, r" (<=|>=|==|!=|<|>) ", lambda match: f" {other[match[1]]} ")


@family("and for or", 2, "`and` for `or`, or the other way round")
def and_for_or(game: GameText) -> Iterator[Edit]:
    other = {"and": "or", "or": "and"}
    yield from replaced(game, r" (and|or)(?= (?!none\b))", lambda match: f" {other[match[1]]}")


@family("swapped operands", 2, "the two sides of `-`, `<`, `<=`, `>` or `>=`")
def swapped_operands(game: GameText) -> Iterator[Edit]:
    operand = r"[\w.]+(?:\([^()]*\))?"
    pattern = rf"(?<![\w.)])({operand}) (-|<=|>=|<|>) ({operand})"
    yield from replaced(game, pattern, lambda match: f"{match[3]} {match[2]} {match[1]}")


@family("negated guard", 2, "the opposite of a condition")
def negated_guard(game: GameText) -> Iterator[Edit]:
    for file in game.files:
        for place, node in file.scalars():
            if place.key in GUARDS and node.style == "plain" and not isinstance(node.resolve(), bool):
                yield file, node.span.start, node.span.end, f"not ({file.slice(node)})"


@family("swapped steps", 2, "two neighbouring steps in the wrong order, neither of them a line of the log")
def swapped_steps(game: GameText) -> Iterator[Edit]:
    for file in game.files:
        for _, node in file.sequences():
            if not is_steps(node):
                continue
            for first, two in zip(node.items, node.items[1:], strict=False):
                if not is_log(first) and not is_log(two):
                    between = file.text[end(first) : two.span.start]
                    yield file, first.span.start, end(two), file.slice(two) + between + file.slice(first)


@family("reversed border", 1, "the two ends of a link of a map")
def reversed_border(game: GameText) -> Iterator[Edit]:
    for file in game.files:
        for place, node in file.sequences():
            if "links" in place.path and place.key == "rows" and len(node) > 1 and isinstance(node[0], ScalarNode):
                if not any(isinstance(item, ScalarNode) and item.value == "yes" for item in node):
                    continue  # it goes both ways
                a, b = node[0], node[1]
                between = file.text[end(a) : b.span.start]
                yield file, a.span.start, end(b), file.slice(b) + between + file.slice(a)
    for file, first, second, one_way in game.link_tables():
        for cells in file.lines():
            low, high = cells[first], cells[second]
            if one_way is None or cells[one_way].text == "yes":  # the others say the same either way round
                yield file, low.start, high.end, high.text + file.text[low.end : high.start] + low.text


# --- who sees what --------------------------------------------------------------------------------
def seen(game: GameText) -> Iterator[tuple[File, ScalarNode]]:
    """What stands under `seen by`."""
    for file in game.files:
        for place, node in file.scalars():
            if place.key == "seen by":
                yield file, node


@family("seen by too many", 2, "`seen by: all` where fewer saw it")
def seen_by_too_many(game: GameText) -> Iterator[Edit]:
    for file, node in seen(game):
        yield file, node.span.start, node.span.end, "all"


@family("seen by too few", 2, "`seen by: none` where more saw it")
def seen_by_too_few(game: GameText) -> Iterator[Edit]:
    for file, node in seen(game):
        yield file, node.span.start, node.span.end, "none"
    for file in game.files:
        for place, zone in file.mappings():
            # A zone without `seen by` is seen by all.
            if len(place.path) == 2 and place.path[0] == "zones" and "of" in zone and "seen by" not in zone:
                value: Node | None = zone.get("of")
                assert value is not None
                flow = file.text[zone.span.start] == "{"
                column = file.source.position(zone.entries[0][0].span.start)[1] - 1
                yield file, end(value), end(value), ", seen by: none" if flow else f"\n{' ' * column}seen by: none"
