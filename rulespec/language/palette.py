"""The colours, signs and styles of line that a game may name for how it is shown."""

# Of a picture, in the order in which they are given to members that none is said for.
COLOURS = ("green", "red", "yellow", "blue", "orange", "purple", "teal", "pink", "brown", "grey", "white", "black")
# Signs that every front end can draw.
ICONS = (
    "anchor", "arrow", "axe", "bird", "book", "bow", "castle", "club", "coin", "cross", "crown", "cup", "diamond", "die", "drop", "eye",
    "fire", "fist", "flag", "flower", "gem", "ghost", "hammer", "heart", "helmet", "hill", "horse", "house", "key", "leaf", "lightning",
    "moon", "mountain", "note", "pawn", "pipe", "plain", "ring", "ruin", "scroll", "shield", "ship", "skull", "spade", "star", "sun",
    "sword", "tower", "tree", "wand", "wave", "wheel",
)  # fmt: skip
PLAIN = "solid"
FAINT = "faint"  # of a link that has no style, where a style is plain, too
LINE_STYLES = (PLAIN, "dashed", "thick", "dotted", "double", "wavy", "barred")
