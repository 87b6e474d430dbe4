"""The codes of the command line, for the catalogue that `rulespec explain` reads."""

from rulespec.errors import CATALOGUE, entry


def add() -> None:
    """Enter them, once."""
    if "C001" in CATALOGUE:
        return
    entry(
        "C001",
        "The command cannot be understood",
        cause="A command, an option or an argument is not known, is missing, or has a value that "
        "cannot stand there.",
        bad="rulespec simulate --gmaes 10",
        good="rulespec simulate GAME --games 10",
        fix="`rulespec COMMAND --help` shows examples and all options.",
    )
    entry(
        "C002",
        "A file cannot be written",
        cause="A save or a transcript was asked for, and the system refused to write it.",
        fix="Check that the folder exists, that you may write there, and that there is room.",
    )
    entry(
        "C003",
        "The tree is too large to be walked",
        cause="More nodes than `--limit` allows were met. The trees of all but the smallest games "
        "are out of reach.",
        bad="rulespec tree GAME",
        good="rulespec tree GAME --depth 4",
        fix="Walk only its top with `--depth`, raise `--limit`, or play at random with "
        "`rulespec simulate`.",
    )
    entry(
        "C900",
        "Rulespec itself failed",
        cause="A fault of the program, not of your file: it met something that nobody thought of.",
        fix="Run the command again with the variable RULESPEC_DEBUG set to 1, and report what it "
        "prints, with the command and the file if you can share it.",
    )
