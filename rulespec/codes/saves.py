"""Saves and transcripts that cannot be used."""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "T001",
        "Not JSON",
        cause="The save is not JSON text of whole numbers, or it is larger than 32 MB.",
        fix="Take the file as it was written.",
    ),
    entry(
        "T002",
        "Not a save",
        cause="The file is JSON, but not a save of a game.",
        fix="Choose another file.",
    ),
    entry(
        "T003",
        "A save of another version",
        cause="The save's format is not the one this program reads.",
        fix="Use the version that wrote it, or replay the transcript.",
    ),
    entry(
        "T004",
        "A save of another game",
        cause="The save belongs to another game.",
        fix="Load it with that game.",
    ),
    entry(
        "T005",
        "Other rules or another setup",
        cause="The rules, the number of players or the options differ from those of the save.",
        fix="Set the game up as it was, or replay the transcript under the new rules.",
    ),
    entry(
        "T006",
        "The checksum does not fit",
        cause="The save was damaged, or changed by hand.",
        fix="Use a copy, or replay the transcript.",
    ),
    entry(
        "T007",
        "A save that makes no sense",
        cause="The checksum fits, but no game can have reached this position.",
        fix="Use a copy, or replay the transcript.",
    ),
    entry(
        "T008",
        "Too long for a file",
        cause="The position with its log and history makes a save or transcript of more than 32 MB, which nobody would read again.",
        fix="Go on without saving; a position made with `record=False` keeps no history.",
    ),
    entry(
        "T010",
        "Not a line of a transcript",
        cause="A line is not JSON, or not an answer with `by`, `at` and `answer`.",
        bad='{"by": "p1", "answer": 4}',
        good='{"by": "p1", "at": "play.card", "answer": "red_7"}',
        fix="Correct the line.",
    ),
    entry(
        "T011",
        "Not a transcript",
        cause="The first line is not that of a transcript this program reads.",
        fix="Choose another file.",
    ),
    entry(
        "T012",
        "A transcript of something else",
        cause="The game, its rules, the players, the options or the seed differ from the transcript's.",
        fix="Set the game up as the first line says.",
    ),
    entry(
        "T013",
        "An answer that cannot be given",
        cause="The answer is not legal at that place, or the seed draws something else there.",
        fix="The game went differently before that line, or the line was changed.",
    ),
    entry(
        "T014",
        "Somebody else is asked",
        cause="The game asks another player, another question, or chance where the transcript has none.",
        fix="The game went differently before that line, or lines are missing.",
    ),
    entry(
        "T015",
        "Another end",
        cause="The game does not end with the returns that the transcript has.",
        fix="The rules of the end have changed, or the transcript was cut.",
    ),
)
