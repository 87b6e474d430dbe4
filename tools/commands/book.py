"""`rulespec book`: the rulebook that the rules make."""

from __future__ import annotations

from pathlib import Path

import click

from rulespec.text.quoting import ticked

from .. import console
from ..framework import Command, Misuse
from ..parameters import game_argument, json_option, players_option, settings_option, variant_option

FILE = click.Path(path_type=Path)
MARKS = {".html": "<!doctype html>", ".md": "# "}


@click.command(
    "book",
    cls=Command,
    examples=[
        "rulespec book {game}",
        "rulespec book {game} --out rules.html",
        "rulespec book {game} --variant NAME --marked --out rules.html",
    ],
)
@game_argument
@players_option
@settings_option
@variant_option
@click.option("--out", type=FILE, help="Write it to this file: a page for browsers if it ends in .html, else Markdown.")
@click.option("--marked", is_flag=True, help="Mark what the variants have changed in the book of the game.")
@json_option
def command(
    game: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[str, ...],
    out: Path | None,
    marked: bool,
    as_json: bool,
) -> int:
    """Make the rulebook of a game from its rules: what is in the box, how it is played, what words mean, examples.

    It is Markdown, or with `--out FILE.html` a page for browsers that can be printed. There, the sign next to a
    sentence opens the lines of the rules that made it, what they cite, and the cases that are examples of it.
    """
    from ..book import data, markdown, marking, page
    from ..book.rulebook import rulebook

    if as_json and out is not None:
        raise Misuse("`--json` and `--out` exclude each other")
    if marked and not variants:
        raise Misuse("`--marked` needs `--variant`: it marks what a variant changes")
    made = rulebook(game, players, settings, variants)
    if marked:
        made = marking.marked(rulebook(game, players, settings, (), whole=False), made)
    if as_json:
        console.data_json(data.of_book(made))
        return 0
    html = out is not None and out.suffix.lower() == ".html"
    text = page.written(made) if html else markdown.written(made)
    if out is None:
        console.data(text.rstrip("\n"))
        return 0
    from ..guarding import write_over

    try:
        write_over(out, text, MARKS[".html"] if html else MARKS[".md"])
    except OSError as error:
        raise Misuse(f"{ticked(out)} cannot be written: {console.reason(error)}") from None
    console.message(f"written: {out}")
    return 0
