"""Faults of the command line."""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "C001",
        "The command cannot be understood",
        cause="A command, an option or an argument is not known, is missing, or cannot have that value.",
        bad="rulespec simulate GAME --gmaes 10",
        good="rulespec simulate GAME --games 10",
        fix="`rulespec COMMAND --help` shows examples and all options.",
    ),
    entry(
        "C002",
        "Something cannot be written",
        cause="A save, a transcript or the output was to be written, and the system refused.",
        fix="Check that the folder exists, that you may write there, and that there is room.",
    ),
    entry(
        "C003",
        "The tree is too large to be walked",
        cause="More nodes than `--limit` allows were met. The trees of all but the smallest games are out of reach.",
        bad="rulespec tree GAME",
        good="rulespec tree GAME --depth 4",
        fix="Walk only its top with `--depth`, raise `--limit`, or play with `rulespec simulate`.",
    ),
    entry(
        "C004",
        "There is no such game",
        cause="A game is named by its folder, its file, or the id of a shipped game, and this is none.",
        fix="`rulespec list` shows the shipped games; a path is meant from where you are.",
    ),
    entry(
        "C005",
        "A file cannot be put into the layout",
        cause="What `rulespec fmt` would write does not say the same as the file, or has lost a comment, so nothing is written.",
        fix="Put the odd place in plainer words, and please report the file: the layout should manage.",
    ),
    entry(
        "C006",
        "The server cannot listen there",
        cause="Another program has the port, or the address is none of this machine.",
        bad="rulespec serve GAME --port 80",
        good="rulespec serve GAME --port 0",
        fix="Stop the other program, or name another `--port`; 0 is any that is free.",
    ),
    entry(
        "C007",
        "What a server keeps cannot be written there",
        cause="The folder, or the file of `--log` or `--links`, cannot be written, or another server keeps its tables in the folder.",
        bad="rulespec serve GAME --folder /",
        good="rulespec serve GAME --folder tables",
        fix="Name a folder or a file of yours, or stop the other server.",
    ),
    entry(
        "C008",
        "A package is missing that only this command needs",
        cause="Rulespec is installed without what `rulespec serve` talks to browsers with, or what `rulespec lab` draws and computes with.",
        fix="Install the extra `web`, `lab` or `lsp`: in the folder of Rulespec `pip install --editable '.[web]'`, "
        "from a wheel `pip install 'rulespec[web]'`.",
    ),
    entry(
        "C010",
        "A process that played games has died",
        cause="The system ended it, most often because memory ran short, or somebody did.",
        bad="rulespec simulate GAME --games 1000 --jobs 64",
        good="rulespec simulate GAME --games 1000 --jobs 2",
        fix="Play with fewer `--jobs`; the same games in fewer processes give the same result.",
    ),
    entry(
        "C011",
        "A setting is not understood",
        cause="`rulespec.toml`, or `[tool.rulespec]` in `pyproject.toml`, is no TOML, or has a setting that there is not, or a value "
        "that it cannot have.",
        bad="[lint]\ngmaes = ['my_game']",
        good="[lint]\ngames = ['my_game']",
        fix="Settings are `games`, `notes`, `variants` and `format`, below `[lint]` or `[tool.rulespec.lint]`.",
    ),
    entry(
        "C900",
        "Rulespec itself failed",
        cause="An error of the program, not of your file: it met something that nobody thought of.",
        fix="Run the command again with the variable RULESPEC_DEBUG set to 1, and report what it prints, with the "
        "file if you can share it.",
    ),
)
