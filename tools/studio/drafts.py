"""Texts that are not saved yet: kept on the disk as they are typed, until they are saved or thrown away.

A page that dies leaves its drafts behind; the next that opens the file is shown the newest of them.
"""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path

from rulespec.system import files
from rulespec.system.records import dataclass

MOST = 1000  # that are kept; the oldest go


@dataclass(frozen=True, slots=True)
class Draft:
    """A text of a file, by whose page it was written, and the digest of the file that it changes."""

    file: str
    page: str
    before: str
    text: str
    when: float


class Drafts:
    """The drafts of a folder, by page and path."""

    def __init__(self, folder: Path) -> None:
        """Read those that are there; raises OSError where the folder cannot be made."""
        self.folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.known: dict[tuple[str, str], Draft] = {}
        for path in sorted(folder.glob("*.json")):
            draft = read(path)
            if draft is not None:
                self.known[draft.page, draft.file] = draft

    def keep(self, file: Path, page: str, before: str, text: str) -> None:
        """Keep a text; it is on the disk when this returns.  Raises OSError."""
        draft = Draft(str(file), page, before, text, time.time())
        data = {"file": draft.file, "page": page, "before": before, "text": text, "when": draft.when}
        files.replace(self.place(page, draft.file), json.dumps(data), durable=True, mode=files.PRIVATE)
        self.known[page, draft.file] = draft
        while len(self.known) > MOST:
            oldest = min(self.known.values(), key=lambda one: one.when)
            self.drop(Path(oldest.file), oldest.page)

    def drop(self, file: Path, page: str) -> None:
        """Forget a text that is saved, or not wanted any more."""
        if self.known.pop((page, str(file)), None) is not None:
            self.place(page, str(file)).unlink(missing_ok=True)

    def newest(self, file: Path, living: set[str]) -> Draft | None:
        """The newest draft of a file that no page of `living` goes on with."""
        found = [one for one in self.known.values() if one.file == str(file) and one.page not in living]
        return max(found, key=lambda one: one.when, default=None)

    def place(self, page: str, file: str) -> Path:
        """Where a draft is kept."""
        return self.folder / f"{hashlib.sha256(f'{page} {file}'.encode()).hexdigest()[:24]}.json"


def read(path: Path) -> Draft | None:
    """A draft that was kept; None for what is none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        file, page, before, text = (data[name] for name in ("file", "page", "before", "text"))
        sound = all(isinstance(one, str) for one in (file, page, before, text))
        return Draft(file, page, before, text, float(data["when"])) if sound else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
