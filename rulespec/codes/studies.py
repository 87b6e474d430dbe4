"""Faults of studies, and of what plays them."""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "X001",
        "A study that is no mapping",
        cause="The file of a study is a mapping with `study:` and its name, and with the arms that it plays.",
        bad="[1000, my_game]",
        good="study: balance\narms:\n  usual: {players: 2}",
        fix="Begin the file with `study: NAME`.",
    ),
    entry(
        "X002",
        "A study has another name than its file",
        cause="A study's results are found by its name, so `study:` says the name of its file.",
        fix="Give both the same name.",
    ),
    entry(
        "X003",
        "Arms that cannot be played in one study",
        cause="A study has at least one arm, a section has at most 1000 of them, and no two play the same: the same game, players, "
        "variants, options and bots.",
        bad="arms:\n  usual: {players: [2, 3]}\n  two: {players: 2}",
        good="arms:\n  usual: {players: [2, 3]}",
        fix="Take out what is there twice, or list fewer values.",
    ),
    entry(
        "X004",
        "A study names what the game does not have",
        cause="Options, their values, seats, questions, types and rules are named as the game names them.",
        bad="arms:\n  usual: {options: {pcae: [slow, fast]}}",
        good="arms:\n  usual: {options: {pace: [slow, fast]}}",
        fix="Write the name as it stands in the game; `rulespec list GAME` shows its options.",
    ),
    entry(
        "X005",
        "Results of something else",
        cause="The file of results holds games that were played by other rules, other bots or with other expressions, or games are "
        "gone from it that it notes as played, or it is no file of results at all. Figures of two games are never mixed.",
        fix="`--anew` begins the figures of what has changed anew and keeps the old games apart in the same file; `--results FILE` begins "
        "another file.",
    ),
    entry(
        "X006",
        "Workers cannot play this",
        cause="Processes that played some games died again and again, most often because memory ran short; or a worker of a cluster has "
        "another version of Rulespec than the program that asks it.",
        fix="Play with fewer `--jobs`, or give the workers more memory and the same version. What was played is kept.",
    ),
    entry(
        "X007",
        "The scheduler cannot be used",
        cause="Nobody answers at the address of `--scheduler`, it has no workers, or it went away while games were played.",
        bad="rulespec lab games/my_game/studies/balance.yaml --scheduler localhost",
        good="rulespec lab games/my_game/studies/balance.yaml --scheduler tcp://localhost:8786",
        fix="Start it again (`dask scheduler`, `dask worker ADDRESS`) and run the same command: it goes on with what is missing.",
    ),
)
