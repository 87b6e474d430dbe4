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

from .dead import dead

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
    parser.add_argument(
        "--playground",
        type=Path,
        default=ROOT / "dist/playground",
        help="what `make playground` has made, if it is there",
    )
    args = parser.parse_args()
    out, playground = args.out.resolve(), args.playground.resolve()
    with_playground = (playground / "index.html").is_file()
    with tempfile.TemporaryDirectory() as folder:
        extra = Path(folder) / "extra"
        books = written(extra / "books")
        variables = {"RULESPEC_SITE_EXTRA": str(extra), "RULESPEC_SITE_BOOKS": books}
        if with_playground:
            shutil.copytree(playground, extra / "playground")
            variables["RULESPEC_SITE_PLAYGROUND"] = "yes"
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
        lost = list(dead(made))
        for one in lost:
            print(f"error: a link leads nowhere: {one}", file=sys.stderr)
        if lost:
            return 1
        shutil.rmtree(out, ignore_errors=True)
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(made, out)
    pages = sum(1 for _ in out.rglob("*.html"))
    also = "with the playground" if with_playground else "without the playground, which `make playground` makes"
    print(f"{pages} pages, with {len(books.split(','))} rulebooks, {also}: {out / 'index.html'}")
    return 0


def written(folder: Path) -> str:
    """Write the rulebooks of all games; their names with titles, with commas between."""
    from ...book import page
    from ...book.rulebook import rulebook

    folder.mkdir(parents=True)
    for game in list_games():
        (folder / f"{game.id}.html").write_text(page.written(rulebook(str(game.path), None, (), ())), encoding="utf-8")
    return ",".join(f"{game.id}:{escape(game.title).replace(',', '')}" for game in list_games())


if __name__ == "__main__":
    sys.exit(main())
