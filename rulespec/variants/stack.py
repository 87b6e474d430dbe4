"""Reads variants and all that they extend, down to the game, and applies them to the game's tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from pathlib import Path

from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics, nearest
from rulespec.text.disk import files_named, is_file, place
from rulespec.text.locate import MAIN, VARIANTS, find_variant, folders
from rulespec.text.quoting import ticked
from rulespec.text.source import Source, inside, read_source, shown_path
from rulespec.text.yaml_tree import MAX_DEPTH, ListNode, MapNode, Node, ScalarNode, parse
from rulespec.variants.changes import Identity, Touch, apply, changes_of, made
from rulespec.variants.conflicts import settle

MAX_CHAIN = 8  # variants that extend each other
MAX_CHANGES = 1_000
SUFFIX = ".yaml"

Named = list[tuple[str, Source]]  # texts by their paths


@dataclass(frozen=True, slots=True, eq=False)
class Overlay:
    """A variant as written, and the variant that it extends; None where it extends the game itself."""

    id: str
    path: Path
    root: MapNode
    parent: Overlay | None
    base: Path  # the main file of the game

    def line(self) -> list[Overlay]:
        """All variants that it extends, beginning with the one that extends the game, and itself."""
        return [*([] if self.parent is None else self.parent.line()), self]

    def text(self, key: str) -> str:
        """Its title or its `about`."""
        node = self.root.get(key)
        return node.value if isinstance(node, ScalarNode) else ""


@dataclass(frozen=True, slots=True)
class Stack:
    """The tree of a game's main file, and the variants that are asked for."""

    base: Path
    root: Node
    leaves: tuple[Overlay, ...]


def read_stack(file: Path, names: tuple[str, ...], diagnostics: Diagnostics, sources: Named) -> Stack | None:
    """The game of a main file or a variant's file, with more variants by their names or paths; None if any cannot be read.

    Every text that is read is added to `sources`: that of the file under its name, others under their whole paths.
    """
    return StackReader(file, diagnostics, sources).stack(names)


def is_variant(root: Node | None) -> bool:
    """Whether a file is that of a variant."""
    return isinstance(root, MapNode) and "extends" in root


@dataclass(slots=True)
class StackReader:
    """Reads a file and what it extends; every file once."""

    file: Path
    diagnostics: Diagnostics
    sources: Named
    trees: dict[Path, Node | None] = field(default_factory=dict)
    overlays: dict[Path, Overlay | None] = field(default_factory=dict)

    def stack(self, names: tuple[str, ...]) -> Stack | None:
        """See `read_stack`."""
        root = self.tree(self.file)
        if root is None:
            return None
        leaves: list[Overlay] = []
        base = self.file
        if is_variant(root):
            leaf = self.overlay(self.file, ())
            if leaf is None:
                return None
            leaves.append(leaf)
            base = leaf.base
        complete = True
        for name in names:
            path = find_variant(base, name, self.title(base), self.diagnostics)
            top = None if path is None else self.overlay(path, ())
            complete = complete and top is not None
            if top is None or top in leaves:
                continue
            if place(top.base) != place(base):
                word = top.root.get("extends")
                self.diagnostics.add(
                    "V012",
                    f"{ticked(top.id)} is no variant of {self.title(base)}",
                    None if word is None else word.span,
                    origin=shown_path(top.path),
                )
                complete = False
            leaves.append(top)
        root = self.tree(base)
        return Stack(base, root, tuple(leaves)) if complete and root is not None else None

    def tree(self, path: Path) -> Node | None:
        """The tree of a file."""
        key = place(path)
        if key not in self.trees:
            source = read_source(path, shown_path(path), diagnostics=self.diagnostics)
            if source is not None:
                self.sources.append((path.name if path == self.file else str(path.absolute()), source))
            self.trees[key] = None if source is None else parse(source, self.diagnostics)
        return self.trees[key]

    def title(self, file: Path) -> str:
        """What a game is called in messages."""
        root = self.tree(file)
        word = None if not isinstance(root, MapNode) else root.get("title") or root.get("id")
        return word.value if isinstance(word, ScalarNode) else file.parent.name

    def overlay(self, path: Path, below: tuple[Path, ...]) -> Overlay | None:
        """A variant and all that it extends; `below` are the variants that extend it, to notice a cycle."""
        key = place(path)
        if key not in self.overlays:
            self.overlays[key] = self.read_overlay(path, (*below, key))
        return self.overlays[key]

    def read_overlay(self, path: Path, line: tuple[Path, ...]) -> Overlay | None:
        from rulespec.schema import validate_variant

        root = self.tree(path)
        if root is None:
            return None
        if not isinstance(root, MapNode) or "extends" not in root:
            self.diagnostics.add(
                "V012",
                "this is no variant: it does not say what it extends",
                root.span,
                expected="extends: the id or path of a game",
            )
            return None
        before = len(self.diagnostics.errors)
        validate_variant(root, self.diagnostics)
        word, name = root.get("extends"), root.get("id")
        listed = root.get("changes")
        if isinstance(listed, ListNode) and len(listed) > MAX_CHANGES:
            message = f"there are {len(listed):,} changes, and a variant may have {MAX_CHANGES:,}"
            self.diagnostics.add("V013", message, listed.items[MAX_CHANGES].span)
        if (
            len(self.diagnostics.errors) > before
            or not isinstance(word, ScalarNode)
            or not isinstance(name, ScalarNode)
        ):
            return None
        if name.value != path.stem:
            self.diagnostics.add(
                "V010",
                f"the id is {ticked(name.value)}, and the file is named {ticked(path.name)}",
                name.span,
                expected=path.stem,
            )
            return None
        target = self.target(path, word)
        below = None if target is None else self.tree(target)
        if target is None or below is None:
            return None
        if not is_variant(below):
            return Overlay(name.value, path, root, None, target)
        if place(target) in line or len(line) >= MAX_CHAIN:
            way = " -> ".join([*(p.stem for p in line), target.stem])
            message = (
                f"this comes back to itself: {way}"
                if place(target) in line
                else f"more than {MAX_CHAIN} variants extend each other: {way}"
            )
            self.diagnostics.add("V002", message, word.span)
            return None
        parent = self.overlay(target, line)
        return None if parent is None else Overlay(name.value, path, root, parent, parent.base)

    def target(self, path: Path, word: ScalarNode) -> Path | None:
        """The file that a variant extends: a game's, or another variant's."""
        text, folder = word.value, path.parent
        known: dict[str, Path] = {id_.name: id_ / MAIN for id_ in folders()}
        if folder.name == VARIANTS and is_file(folder.parent / MAIN):
            game = folder.parent / MAIN
            quiet = StackReader(game, Diagnostics(), [])
            root = quiet.tree(game)
            id_ = root.get("id") if isinstance(root, MapNode) else None
            known |= {
                name: game
                for name in (place(folder).parent.name, id_.value if isinstance(id_, ScalarNode) else "")
                if name
            }
        known |= {
            beside.stem: beside
            for beside in files_named(folder, SUFFIX)
            if beside.name != path.name and inside(folder, beside.name) is not None
        }
        known |= {game.name: game / MAIN for game in files_named(folder, "") if is_file(game / MAIN)}
        if text == path.stem and text not in known:
            known[text] = path
        if text in known:
            return known[text]
        # A variant reads nothing outside the game's folder.
        top = folder.parent if place(folder).name == VARIANTS else folder
        if not Path(text).is_absolute():
            for candidate in (folder / text, folder / text / MAIN):
                if candidate.suffix == SUFFIX and is_file(candidate) and inside(top, str(candidate.absolute())):
                    return candidate
        close = nearest(text, known)
        self.diagnostics.add(
            "V001",
            f"there is no game or variant {ticked(text)}",
            word.span,
            help=[
                f"did you mean {ticked(close)}?"
                if close
                else "a path is meant from the folder of the variant, and stays in the game's"
            ],
        )
        return None


# --- laying them over the game ------------------------------------------------------------------------------------------
def compose(tree: MapNode, leaves: tuple[Overlay, ...], diagnostics: Diagnostics) -> MapNode:
    """The tree of a game with variants laid over it; faults are reported, and faulty changes left out.

    Each change is planned in the tree that its variant speaks of: the game with what the variant extends.  Then all are made in one
    tree, by the names of the variants: the order in which they are asked for decides nothing.
    """
    laid: list[tuple[Overlay, list[Touch]]] = []
    names: dict[Identity, Identity] = {}
    current, whole = tree, True
    ordered = sorted(leaves, key=lambda leaf: (leaf.id, leaf.root.span.source.text))
    for overlay, touches in planned(tree, ordered, diagnostics):
        under = overlay.line()
        others = [(other.id, touch) for other, theirs in laid if other not in under for touch in theirs]
        left = settle(others, touches, overlay.id, names, diagnostics)
        whole = whole and left is not None
        laid.append((overlay, [touch.renamed(names) for touch in touches]))
        for touch in left or () if whole else ():
            current = made(current, touch)
    check_depth(current, diagnostics)
    return named(current, leaves)


def planned(
    tree: MapNode, leaves: Iterable[Overlay], diagnostics: Diagnostics
) -> Iterator[tuple[Overlay, list[Touch]]]:
    """Variants and all that they extend, each with its changes as they are planned in the tree that it speaks of; faults are reported."""
    spoken_of: dict[Overlay, MapNode] = {}
    for overlay in (overlay for leaf in leaves for overlay in leaf.line()):
        if overlay not in spoken_of:
            before = tree if overlay.parent is None else spoken_of[overlay.parent]
            spoken_of[overlay], touches = apply(before, changes_of(overlay.root), diagnostics)
            yield overlay, touches


def check_depth(tree: MapNode, diagnostics: Diagnostics) -> None:
    """Report Y020 where changes have nested the tree deeper than a file may be."""
    layer: list[Node] = [tree]
    for _ in range(MAX_DEPTH):
        layer = [inner for node in layer if not isinstance(node, ScalarNode) for inner in children(node)]
    deep = next((node for node in layer if not isinstance(node, ScalarNode)), None)
    if deep is not None:
        diagnostics.add("Y020", f"nested deeper than {MAX_DEPTH} levels", deep.span)


def children(node: MapNode | ListNode) -> list[Node]:
    """The nodes in a collection."""
    return [value for _, value in node.entries] if isinstance(node, MapNode) else list(node.items)


def named(tree: MapNode, leaves: tuple[Overlay, ...]) -> MapNode:
    """The tree with the title, `about` and cases of its variants; the cases of the game are not theirs."""
    title, name = tree.get("title"), tree.get("id")
    plain = (
        title.value
        if isinstance(title, ScalarNode)
        else name.value.replace("_", " ")
        if isinstance(name, ScalarNode)
        else ""
    )
    titles = [leaf.text("title") for leaf in leaves]
    if len(leaves) > 1 or not titles[0]:
        full = f"{plain} ({', '.join(text or leaf.id for text, leaf in zip(titles, leaves, strict=True))})"
    else:
        full = titles[0]
    about = " ".join(leaf.text("about").strip() for leaf in leaves).strip()
    new: dict[str, Node] = {"title": written(full, leaves[-1])}
    if about:
        new["about"] = written(about, leaves[-1])
    for section_name, before in (("positions", tree.get("positions")), ("cases", None)):
        written_there = (before, *(leaf.root.get(section_name) for leaf in leaves))
        sections = [section for section in written_there if isinstance(section, MapNode)]
        if sections:
            new[section_name] = MapNode(
                tuple(entry for section in sections for entry in section.entries), sections[0].span
            )
    entries = [(key, new.pop(key.value, node)) for key, node in tree.entries if key.value != "cases"]
    entries += [(written(key, leaves[-1]), node) for key, node in new.items()]
    return MapNode(tuple(entries), tree.span)


def written(text: str, leaf: Overlay) -> ScalarNode:
    """A scalar with a text of a variant."""
    node = leaf.root.get("title") or leaf.root.get("id")
    return ScalarNode(text, "plain", node.span if node is not None else leaf.root.span)


# --- tables -------------------------------------------------------------------------------------------------------------
def inlined(node: MapNode, tables: dict[str, Node]) -> MapNode:
    """A tree in which the rows of CSV tables replace the names of the tables, so that paths lead into them."""
    entries: list[tuple[ScalarNode, Node]] = []
    for key, value in node.entries:
        if key.value == "table" and isinstance(value, ScalarNode) and value.value in tables and "rows" not in node:
            entries.append((ScalarNode("rows", "plain", key.span), tables[value.value]))
        elif isinstance(value, MapNode):
            entries.append((key, inlined(value, tables)))
        else:
            entries.append((key, value))
    return MapNode(tuple(entries), node.span)


def with_rows(tree: MapNode, tables: dict[str, Node]) -> MapNode:
    """The same for the sections of a game that name tables."""
    entries = [
        (
            key,
            inlined(value, tables) if key.value in ("types", "pieces", "map") and isinstance(value, MapNode) else value,
        )
        for key, value in tree.entries
    ]
    return MapNode(tuple(entries), tree.span)
