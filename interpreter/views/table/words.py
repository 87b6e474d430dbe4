"""Words that every player knows: colours, suits and signs that are drawn where a game names something so and says nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.language.palette import COLOURS, ICONS

# Of seats that have no colour of their own, in an order that also people tell apart who see few colours.
SEATS = ("blue", "red", "green", "yellow", "purple", "teal", "orange", "pink", "brown", "grey", "black", "white")
ALSO = {
    "gray": "grey",
    "gold": "yellow",
    "golden": "yellow",
    "silver": "grey",
    "violet": "purple",
    "cyan": "teal",
    "amber": "orange",
}
# Suits and the like: the sign, and the colour where there is a usual one.
SUITS: dict[str, tuple[str, str | None]] = {
    "hearts": ("heart", "red"),
    "diamonds": ("diamond", "red"),
    "clubs": ("club", "black"),
    "spades": ("spade", "black"),
    "swords": ("sword", "blue"),
    "wands": ("wand", "green"),
    "cups": ("cup", "red"),
    "coins": ("coin", "yellow"),
}
SIGNS = {
    "mountains": "mountain",
    "hills": "hill",
    "swamp": "wave",
    "swamps": "wave",
    "water": "wave",
    "sea": "wave",
    "ruins": "ruin",
    "plains": "plain",
    "forest": "tree",
    "eagle": "bird",
    "bats": "bird",
    "gold": "coin",
    "jewel": "gem",
    "jewels": "gem",
    "poison": "skull",
}
NOTHING = frozenset({"blank", "none", "no", "neither", "never", "nobody", "anyone"})
# Ranks that are written as words.
NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
} | {"ace": "A", "jack": "J", "queen": "Q", "king": "K", "knight": "Kn", "page": "P"}
CORNERS = ("value", "points", "rank", "number", "power", "strength")  # fields that stand in a corner


def empty(word: str) -> bool:
    """Whether a word says that there is nothing."""
    return word in NOTHING or word.startswith(("no_", "nothing"))


def colour(word: str) -> str | None:
    """The colour that a word names."""
    word = word.lower()
    word = ALSO.get(word, word)
    if word in COLOURS:
        return word
    return SUITS[word][1] if word in SUITS else None


def icon(word: str) -> str | None:
    """The sign that a word names."""
    word = word.lower()
    if word in ICONS:
        return word
    return SUITS[word][0] if word in SUITS else SIGNS.get(word)


def coloured(words: Sequence[str]) -> bool:
    """Whether most words name colours."""
    return sum(colour(word) is not None for word in words) >= 0.6 * len(words)


def short(word: str) -> str:
    """A rank as it stands in a corner."""
    return NUMBERS.get(word.lower(), word)


def plain(name: str) -> str:
    """`draw_pile` as words."""
    return name.replace("_", " ")


def seat_colours(names: Sequence[str], labels: Sequence[str], said: dict[str, str]) -> tuple[str, ...]:
    """A colour for each seat: what was said, what its name says, or one that no other has."""
    fixed = [said.get(name) or colour(name) or colour(label) for name, label in zip(names, labels, strict=True)]
    left = [one for one in SEATS if one not in fixed]
    return tuple(one or left.pop(0) if one or left else SEATS[0] for one in fixed)
