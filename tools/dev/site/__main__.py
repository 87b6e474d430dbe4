"""`python -m tools.dev.site`: make the site in a folder that any web host serves; a dead link is an error."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

from rulespec.api import list_games

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent
FRONT = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Rulespec</title>'
    '<meta http-equiv="refresh" content="0; url=docs/README.html"></head>'
    '<body><p><a href="docs/README.html">The handbook</a></p></body></html>\n'
)


def main() -> int:
    """Make it; the exit code is that of Sphinx."""
    parser = argparse.ArgumentParser(prog="python -m tools.dev.site", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist/site", help="the folder; what is in it is replaced")
    out = parser.parse_args().out.resolve()
    with tempfile.TemporaryDirectory() as folder:
        extra = Path(folder) / "extra"
        books = written(extra / "books")
        variables = {"RULESPEC_SITE_EXTRA": str(extra), "RULESPEC_SITE_BOOKS": books}
        made = Path(folder) / "site"
        code = subprocess.run(
            [
                sys.executable,
                "-m",
                "sphinx",
                "-W",
                "--keep-going",
                "-q",
                "-b",
                "html",
                "-c",
                str(HERE),
                str(ROOT),
                str(made),
            ],
            env={**os.environ, **variables},
            check=False,
        ).returncode
        if code:
            return code
        (made / "index.html").write_text(FRONT, encoding="utf-8")
        shutil.rmtree(made / ".doctrees", ignore_errors=True)
        shutil.rmtree(out, ignore_errors=True)
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(made, out)
    pages = sum(1 for _ in out.rglob("*.html"))
    print(f"{pages} pages, with {len(books.split(','))} rulebooks: {out / 'index.html'}")
    return 0


def written(folder: Path) -> str:
    """Write the rulebooks of all games; their names with titles, with commas between."""
    from ...book import page
    from ...commands.book import rulebook

    folder.mkdir(parents=True)
    for game in list_games():
        (folder / f"{game.id}.html").write_text(page.written(rulebook(str(game.path), None, (), ())), encoding="utf-8")
    return ",".join(f"{game.id}:{escape(game.title).replace(',', '')}" for game in list_games())


if __name__ == "__main__":
    sys.exit(main())
