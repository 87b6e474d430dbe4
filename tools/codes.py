"""What the codes of the command line mean: rows of (code, title, cause, bad, good, fix)."""

from __future__ import annotations

Row = tuple[str, str, str, str, str, str]

CODES: tuple[Row, ...] = (
    (
        "C001",
        "The command cannot be understood",
        "A command, an option or an argument is not known, is missing, or cannot have that value.",
        "rulespec simulate GAME --gmaes 10",
        "rulespec simulate GAME --games 10",
        "`rulespec COMMAND --help` shows examples and all options.",
    ),
    (
        "C002",
        "Something cannot be written",
        "A save, a transcript or the output was to be written, and the system refused.",
        "",
        "",
        "Check that the folder exists, that you may write there, and that there is room.",
    ),
    (
        "C003",
        "The tree is too large to be walked",
        "More nodes than `--limit` allows were met. The trees of all but the smallest games are out "
        "of reach.",
        "rulespec tree GAME",
        "rulespec tree GAME --depth 4",
        "Walk only its top with `--depth`, raise `--limit`, or play with `rulespec simulate`.",
    ),
    (
        "C004",
        "There is no such game",
        "A game is named by its folder, its file, or the id of a shipped game, and this is none.",
        "",
        "",
        "`rulespec list` shows the shipped games; a path is meant from where you are.",
    ),
    (
        "C900",
        "Rulespec itself failed",
        "A fault of the program, not of your file: it met something that nobody thought of.",
        "",
        "",
        "Run the command again with the variable RULESPEC_DEBUG set to 1, and report what it "
        "prints, with the file if you can share it.",
    ),
)


def enter_all() -> None:
    """Put all codes of play and of the command line into the catalogue."""
    from interpreter.codes import CODES as OF_PLAY
    from rulespec.errors import CATALOGUE, entry

    for code, title, cause, bad, good, fix in (*OF_PLAY, *CODES):
        if code not in CATALOGUE:
            entry(code, title, cause=cause, bad=bad, good=good, fix=fix)
