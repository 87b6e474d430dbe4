"""Signs that stand for the icons of a game: one column wide each; what has none is said in letters."""

from __future__ import annotations

GLYPHS = {
    "arrow": "➤", "bird": "ʌ", "book": "▤", "castle": "♜", "club": "♣", "coin": "●", "cross": "✚", "crown": "♛", "cup": "∪",
    "diamond": "♦", "die": "⚄", "drop": "◊", "eye": "◉", "fire": "▴", "fist": "●", "flag": "⚑", "flower": "✿", "gem": "◆",
    "heart": "♥", "helmet": "♝", "hill": "∩", "horse": "♞", "house": "⌂", "key": "⚷", "leaf": "❧", "lightning": "ϟ", "moon": "☾",
    "mountain": "▲", "note": "♪", "pawn": "♟", "pipe": "♪", "plain": "▭", "ring": "○", "ruin": "▞", "scroll": "§", "ship": "⊿",
    "skull": "☠", "spade": "♠", "star": "★", "sun": "☼", "sword": "†", "tower": "♖", "tree": "♠", "wand": "⌇", "wave": "≈",
    "wheel": "☸",
}  # fmt: skip
BACK = "▒"
SHORT = 2  # letters of a sign that has no glyph

# Of colours, where there are none to be shown.
LETTERS = {
    "green": "gn", "red": "rd", "yellow": "yl", "blue": "bl", "orange": "or", "purple": "pu", "teal": "tl", "pink": "pk",
    "brown": "br", "grey": "gy", "white": "wh", "black": "bk",
}  # fmt: skip


def sign(symbol: str | None) -> str:
    """An icon or a few letters as one or two columns; nothing for none."""
    if not symbol:
        return ""
    return GLYPHS.get(symbol, symbol[:SHORT])
