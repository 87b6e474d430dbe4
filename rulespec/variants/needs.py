"""What a variant for any game needs of one: it is refused with its own reason where a game lacks it."""

from __future__ import annotations

from rulespec.text.diagnostics import Diagnostics
from rulespec.text.numbers import whole_range
from rulespec.text.quoting import ticked
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode
from rulespec.variants.everywhere import places
from rulespec.variants.paths import resolve
from rulespec.variants.stack import Overlay


def meets_needs(overlay: Overlay, root: MapNode, diagnostics: Diagnostics) -> bool:
    """Whether a game has all that a variant needs of it; reports V017."""
    listed = overlay.root.get("needs")
    met = True
    for need in listed.items if isinstance(listed, ListNode) else ():
        if not isinstance(need, MapNode) or holds(need, root):
            continue
        why = need.get("why")
        reason = why.value.strip() if isinstance(why, ScalarNode) else ""
        diagnostics.add("V017", f"{ticked(overlay.id)} does not fit this game: {reason}", need.span)
        met = False
    return met


def holds(need: MapNode, root: MapNode) -> bool:
    """Whether a game meets a need."""
    players = need.get("players")
    if isinstance(players, ScalarNode) and not played_by(root.get("players"), players.value):
        return False
    wanted = words(need.get("has"))
    if wanted and not any(there(root, word) for word in wanted):
        return False
    return not any(there(root, word) for word in words(need.get("lacks")))


def words(node: Node | None) -> list[ScalarNode]:
    """The paths of a need."""
    items = node.items if isinstance(node, ListNode) else (node,)
    return [word for word in items if isinstance(word, ScalarNode)]


def there(root: MapNode, word: ScalarNode) -> bool:
    """Whether a path leads anywhere in a game."""
    quiet = Diagnostics()
    found = places(root, word, quiet, any_game=True)
    return bool(found) if found is not None else resolve(root, word, quiet) is not None


def played_by(node: Node | None, wanted: str) -> bool:
    """Whether a game is for so many players and no others, or, of a range, whether some number in it may play."""
    ends, asked = counted(node), whole_range(wanted)
    if ends is None or asked is None:
        return False
    return ends == asked if asked[0] == asked[1] else ends[0] <= asked[1] and asked[0] <= ends[1]


def counted(node: Node | None) -> tuple[int, int] | None:
    """The fewest and the most players of a game."""
    if isinstance(node, MapNode):
        return len(node), len(node)
    return whole_range(node.value) if isinstance(node, ScalarNode) else None
