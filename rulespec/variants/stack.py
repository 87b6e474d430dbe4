"""Reads a variant, and all that it extends down to the game; `laying` lays them over it."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path

from rulespec.system.records import dataclass
from rulespec.text.diagnostics import Diagnostics, nearest
from rulespec.text.disk import circular, files_named, is_file, place
from rulespec.text.locate import MAIN, VARIANTS, find_variant, folders
from rulespec.text.quoting import ticked
from rulespec.text.source import Source, inside, read_source, shown_path
from rulespec.text.yaml_tree import ListNode, MapNode, Node, ScalarNode, parse

MAX_CHAIN = 8  # variants that extend each other
MAX_TOGETHER = 100  # variants that are laid over one game
MAX_CHANGES = 1_000
SUFFIX = ".yaml"
ANY = "any game"  # what a variant extends that any game can have

Named = list[tuple[str, Source]]  # texts by their paths


@dataclass(frozen=True, slots=True, eq=False)
class Overlay:
    """A variant as written, and the variants that it extends; none where it extends the game itself.

    One that extends several is a bundle: where two of them insert at one place, their order in it is the order there.
    """

    id: str
    path: Path
    root: MapNode
    parents: tuple[Overlay, ...]
    base: Path  # the main file of the game
    depth: int = 1  # how many extend each other

    @property
    def general(self) -> bool:
        """Whether any game can have it."""
        return not self.parents and [word.value for word in words_of(self.root)] == [ANY]

    def line(self) -> list[Overlay]:
        """All variants that it extends, each once and behind those that it extends itself, and itself at the end."""
        return line_of((self,))

    def text(self, key: str) -> str:
        """Its title or its `about`."""
        node = self.root.get(key)
        return node.value if isinstance(node, ScalarNode) else ""


def line_of(leaves: tuple[Overlay, ...]) -> list[Overlay]:
    """Some variants and all that they extend, each once and behind those that it extends."""
    found: dict[Overlay, None] = {}
    todo = [(leaf, False) for leaf in reversed(leaves)]
    while todo:
        overlay, opened = todo.pop()
        if opened:
            found[overlay] = None
        elif overlay not in found:
            todo.append((overlay, True))
            todo += [(parent, False) for parent in reversed(overlay.parents)]
    return list(found)


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


def words_of(root: MapNode) -> list[ScalarNode]:
    """What a variant extends, word by word."""
    node = root.get("extends")
    items = node.items if isinstance(node, ListNode) else (node,)
    return [word for word in items if isinstance(word, ScalarNode)]


def reached(folder: Path, file: Path) -> bool:
    """Whether a variant in a folder may read a file: one of its own game, or elsewhere a main file or a variant in its folder."""
    own = folder.parent if place(folder).name == VARIANTS else folder
    there = place(file)
    return (
        inside(own, str(file.absolute())) is not None
        or there.name == MAIN
        or (there.parent.name == VARIANTS and is_file(there.parent.parent / MAIN))
    )


@dataclass(slots=True)
class StackReader:
    """Reads a file and what it extends; every file once."""

    file: Path
    diagnostics: Diagnostics
    sources: Named
    trees: dict[Path, Node | None] = field(default_factory=dict)
    overlays: dict[Path, Overlay | None] = field(default_factory=dict)
    base: Path | None = None  # the game over which variants of any game are laid

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
        self.base = base
        complete = True
        for name in names:
            path = find_variant(base, name, self.title(base), self.diagnostics)
            top = None if path is None else self.overlay(path, ())
            complete = complete and top is not None
            if top is None or top in leaves:
                continue
            if place(top.base) != place(base):
                word = next(iter(words_of(top.root)), None)
                self.diagnostics.add(
                    "V012",
                    f"{ticked(top.id)} is no variant of {self.title(base)}",
                    None if word is None else word.span,
                    origin=shown_path(top.path),
                )
                complete = False
            leaves.append(top)
        root = self.tree(base)
        if not complete or root is None:
            return None
        line = line_of(tuple(leaves))
        if len(line) > MAX_TOGETHER:
            message = f"{len(line)} variants are laid over one game, and {MAX_TOGETHER} may be"
            self.diagnostics.add("V013", message, origin=shown_path(leaves[-1].path))
            return None
        return Stack(base, root, tuple(leaves))

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
        name, listed = root.get("id"), root.get("changes")
        if isinstance(listed, ListNode) and len(listed) > MAX_CHANGES:
            message = f"there are {len(listed):,} changes, and a variant may have {MAX_CHANGES:,}"
            self.diagnostics.add("V013", message, listed.items[MAX_CHANGES].span)
        if len(self.diagnostics.errors) > before or not isinstance(name, ScalarNode):
            return None
        if name.value != path.stem:
            self.diagnostics.add(
                "V010",
                f"the id is {ticked(name.value)}, and the file is named {ticked(path.name)}",
                name.span,
                expected=path.stem,
            )
            return None
        below = [self.below(path, word, line) for word in words_of(root)]
        bases = [one for one in below if one is not None]
        if len(bases) < len(below) or not bases or not self.fit(words_of(root), bases):
            if not below:
                self.diagnostics.add(
                    "V014", "this extends nothing", root.entries[0][0].span, expected="a game, or its variants"
                )
            return None
        parents = tuple(one for one in bases if isinstance(one, Overlay))
        base = parents[0].base if parents else bases[0]
        assert isinstance(base, Path)
        return Overlay(name.value, path, root, parents, base, 1 + max((one.depth for one in parents), default=0))

    def below(self, path: Path, word: ScalarNode, line: tuple[Path, ...]) -> Overlay | Path | None:
        """What one word of `extends` names: another variant, or the main file of a game; None after a fault, which is reported."""
        target = self.target(path, word)
        root = None if target is None else self.tree(target)
        if target is None or root is None:
            return None
        if not is_variant(root):
            return target
        circle = place(target) in line
        parent = None if circle or len(line) >= MAX_CHAIN else self.overlay(target, line)
        if circle or len(line) >= MAX_CHAIN or (parent is not None and parent.depth >= MAX_CHAIN):
            way = " -> ".join([*(p.stem for p in line), target.stem])
            message = (
                f"this comes back to itself: {way}"
                if circle
                else f"more than {MAX_CHAIN} variants extend each other: {way}"
            )
            self.diagnostics.add("V002", message, word.span)
            return None
        return parent

    def fit(self, words: list[ScalarNode], bases: list[Overlay | Path]) -> bool:
        """Whether what a bundle extends are several variants of one game; reports V012 and V014."""
        if len(bases) == 1:
            return True
        first: dict[Path, ScalarNode] = {}
        game: Path | None = None
        before = len(self.diagnostics.errors)
        for word, base in zip(words, bases, strict=True):
            if isinstance(base, Path):
                message = f"{ticked(word.value)} is a game, and several at once are its variants"
                self.diagnostics.add("V014", message, word.span, help=["leave it out: the variants extend it"])
                continue
            key = place(base.path)
            if key in first:
                related = [(first[key].span, "the first time")]
                self.diagnostics.add("V014", f"{ticked(base.id)} is named twice", word.span, related=related)
            first.setdefault(key, word)
            game = game or place(base.base)
            if place(base.base) != game:
                message = f"{ticked(base.id)} is no variant of {self.title(game)}, of which the others are"
                self.diagnostics.add("V012", message, word.span, related=[(words[0].span, "this one is")])
        return len(self.diagnostics.errors) == before

    def around(self, folder: Path) -> dict[str, Path]:
        """What can be extended from a folder by a name, but for the variants in it: the game around it, and shipped games."""
        known = {id_.name: id_ / MAIN for id_ in folders()}
        if folder.name == VARIANTS and is_file(folder.parent / MAIN):
            game = folder.parent / MAIN
            quiet = StackReader(game, Diagnostics(), [])
            root = quiet.tree(game)
            id_ = root.get("id") if isinstance(root, MapNode) else None
            names = (place(folder).parent.name, id_.value if isinstance(id_, ScalarNode) else "")
            known |= {name: game for name in names if name}
        return known

    def known(self, folder: Path) -> dict[str, Path]:
        """What can be extended from a folder by a name."""
        beside = files_named(folder, SUFFIX)
        files = {file.stem: file for file in beside if inside(folder, file.name) is not None}
        games = {game.name: game / MAIN for game in files_named(folder, "") if is_file(game / MAIN)}
        return self.around(folder) | files | games

    def meant(self, path: Path, folder: Path, name: str) -> Path | None:
        """What a name in a variant means, as `known` has it, without a look at other names; the variant itself only if nothing else is."""
        if any(game.name == name for game in files_named(folder, name)) and is_file(folder / name / MAIN):
            return folder / name / MAIN
        file = next((file for file in files_named(folder, f"{name}{SUFFIX}") if file.stem == name), None)
        if file is not None and file.name != path.name and inside(folder, file.name) is not None:
            return file
        return self.around(folder).get(name) or (path if name == path.stem else None)

    def target(self, path: Path, word: ScalarNode) -> Path | None:
        """The file that a variant extends: a game's, or another variant's."""
        text, folder = word.value, path.absolute().parent
        if text == ANY:
            if self.base is None:
                self.diagnostics.add(
                    "V017",
                    f"{ticked(path.stem)} is for any game, and none is named",
                    word.span,
                    help=[f"name the game, and `--variant {path.stem}`"],
                )
            return self.base
        meant = self.meant(path, folder, text)
        if meant is not None:
            return meant
        away = Path(text).is_absolute()
        for candidate in () if away else (folder / text, folder / text / MAIN):
            if (
                candidate.suffix == SUFFIX
                and not circular(candidate)
                and is_file(candidate)
                and reached(folder, candidate)
            ):
                return candidate
        known = self.known(folder)
        close = nearest(text, [name for name in known if known[name] not in (folder / path.name, path)])
        self.diagnostics.add(
            "V001",
            f"there is no game or variant {ticked(text)}",
            word.span,
            help=[
                f"did you mean {ticked(close)}?"
                if close
                else "write a path from the folder of the variant, so that both can be moved together"
                if away
                else "write the id of a shipped game, or the path of a game or variant from the folder of this one"
            ],
        )
        return None
