"""Faults of files and of YAML."""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "Y001",
        "There is no such file",
        cause="The path names nothing.",
        fix="Check the spelling, and from which directory the path is meant.",
    ),
    entry(
        "Y002",
        "The file cannot be read",
        cause="The path names a directory, a pipe or a device, or the file may not be read.",
        fix="Give the path of a plain file that you may read.",
    ),
    entry(
        "Y003",
        "The file is too large",
        cause="A file may have 2,000,000 bytes.",
        fix="Move large tables to files of their own.",
    ),
    entry(
        "Y004",
        "The file is not UTF-8",
        cause="The file has bytes that are not UTF-8: it was saved in another encoding.",
        fix="Save the file as UTF-8.",
    ),
    entry(
        "Y005",
        "A character is not allowed",
        cause="Control characters, and line breaks that only some programs know, cannot stand in "
        "a file: people do not see them, and programs count lines by them differently. They cannot stand in a text as an "
        "escape either: a terminal obeys some of them, and where they turn the order of what is shown (U+202A to U+202E, "
        "U+2066 to U+2069) a label would read as another one. The marks that Hebrew and Arabic texts need (U+200E, "
        "U+200F, U+061C) may.",
        fix="Delete the character.",
    ),
    entry(
        "Y006",
        "A file outside the folder of the game",
        cause="A game is one folder: `parts` and `table` name files in it. A link that leads to itself is in no folder.",
        bad="""
            parts: [../common/cards.yaml]
        """,
        good="""
            parts: [cards.yaml]
        """,
        fix="Copy the file into the folder of the game.",
    ),
    entry(
        "Y007",
        "A part of the game is missing",
        cause="`parts` or `table` names a file that is not there.",
        fix="Check the spelling; the path is meant from the folder of the game.",
    ),
    entry(
        "Y008",
        "A row of a table has too many or too few cells",
        cause="Each line of a table of comma-separated values has one cell for each column of the header.",
        bad="""
            card,colour,value
            red_1,red
        """,
        good="""
            card,colour,value
            red_1,red,1
        """,
        fix="Add what is missing; put a cell with a comma in double quotes.",
    ),
    entry(
        "Y009",
        "Two rows of a table have one name",
        cause="The first cell of a line of comma-separated values is the name of its row.",
        bad="""
            card,value
            red_1,1
            red_1,2
        """,
        good="""
            card,value
            red_1,1
            red_2,2
        """,
        fix="Give each row a name of its own; `copies` in a column makes several of one.",
    ),
    entry(
        "Y010",
        "The file is not YAML",
        cause="The text cannot be read as YAML. Nothing after this place has been read.",
        bad="""
            title: Hearts: a game of tricks
        """,
        good="""
            title: "Hearts: a game of tricks"
        """,
        fix="Check indentation, brackets and quotes at this place; quote texts that hold `: ` or ` #`.",
    ),
    entry(
        "Y011",
        "The file is empty",
        cause="The file has nothing but spaces and comments.",
        bad="""
            # to be written
        """,
        good="""
            name: hearts
        """,
        fix="Write the file, or delete it.",
    ),
    entry(
        "Y012",
        "There are several documents in one file",
        cause="A line of `---` begins a second document.",
        bad="""
            name: hearts
            ---
            name: spades
        """,
        good="""
            name: hearts
        """,
        fix="Put each document into a file of its own.",
    ),
    entry(
        "Y013",
        "A key is here twice",
        cause="Two entries of one mapping have the same key; only one could count.",
        bad="""
            hand: 5
            deck: 52
            hand: 7
        """,
        good="""
            hand: 7
            deck: 52
        """,
        fix="Delete one of the two, or give it another name.",
    ),
    entry(
        "Y014",
        "Anchors and aliases are not allowed",
        cause="YAML can name a value with `&` and repeat it with `*`. That makes files that explode "
        "when read, and hides where a value comes from.",
        bad="""
            red: &cards [1, 2, 3]
            blue: *cards
        """,
        good="""
            red: [1, 2, 3]
            blue: [1, 2, 3]
        """,
        fix="Write the value out, or quote a text that begins with `&` or `*`.",
    ),
    entry(
        "Y015",
        "Tags are not allowed",
        cause="A word that begins with `!` is a YAML tag, which would change how a value is read.",
        bad="""
            rank: !!str 7
        """,
        good="""
            rank: "7"
        """,
        fix="Delete the tag; quotes make a text of a number. Quote a text that begins with `!`.",
    ),
    entry(
        "Y016",
        "The merge key is not allowed",
        cause="`<<` would copy entries from another mapping.",
        bad="""
            king:
              <<: {worth: 10}
              rank: 13
        """,
        good="""
            king:
              worth: 10
              rank: 13
        """,
        fix="Write the entries out.",
    ),
    entry(
        "Y017",
        "A key is not a text",
        cause="What stands before a `:` must be a text, and not be left out.",
        bad="""
            [3, 4]: castle
        """,
        good="""
            "[3, 4]": castle
        """,
        fix="Quote the key.",
    ),
    entry(
        "Y018",
        "A key in { } has no value",
        cause="Inside { } a comma begins the next key, even one that was meant as part of a text; "
        "the rest of the text is then a key without a value.",
        bad="""
            card: {text: draw one, or two}
        """,
        good="""
            card: {text: "draw one, or two"}
        """,
        fix="Quote the value, or write the mapping in block style, one key to a line.",
    ),
    entry(
        "Y019",
        "Parentheses inside { } or [ ] do not match",
        cause="Inside { } and [ ] a comma ends a value, so a call of a function with several arguments is cut in two.",
        bad="""
            step: {if: same(a, b)}
        """,
        good="""
            step:
              if: same(a, b)
        """,
        fix="Write this in block style, one key or item to a line, or quote the value.",
    ),
    entry(
        "Y020",
        "Nested too deep",
        cause="Lists and mappings may stand 64 deep in one another.",
        fix="Give inner parts a name and a place of their own.",
    ),
    entry(
        "Y021",
        "Too many values in a file",
        cause="A file may have 100,000 keys, texts, lists and mappings.",
        fix="Move large tables to files of their own.",
    ),
    entry(
        "Y022",
        "A text is too long",
        cause="One text may have 65,536 characters.",
        fix="Split the text.",
    ),
    entry(
        "Y023",
        "A number is out of bounds",
        cause="A number may have 25 digits, and must be finite.",
        bad="""
            worth: .inf
        """,
        good="""
            worth: 1000
        """,
        fix="Write a smaller number, or quote it if it is meant as a text.",
    ),
    entry(
        "Y024",
        "Directives are not allowed",
        cause="A line before the document that begins with `%` says to a YAML reader how to read.",
        bad="""
            %YAML 1.1
            ---
            name: hearts
        """,
        good="""
            name: hearts
        """,
        fix="Delete the line.",
    ),
    entry(
        "Y026",
        "A part is named twice",
        cause="`parts` names each file once, however its path is written.",
        bad="parts: [cards.yaml, cards.yaml]",
        good="parts: [cards.yaml, maps.yaml]",
        fix="Delete one of the two.",
    ),
    entry(
        "Y027",
        "A game of too many files",
        cause="The main file, its parts and its tables are at most 500 files with 8,000,000 bytes together.",
        fix="Put small files together; leave out what the game does not need.",
    ),
    entry(
        "Y028",
        "A column of a table has no name of its own",
        cause="The first line of comma-separated values names the columns: each has a name, no two have the same, and commas part them.",
        bad="""
            card,value,colour,value
            red_1,1,red,7
        """,
        good="""
            card,value,colour,worth
            red_1,1,red,7
        """,
        fix="Name each column once. A program for spreadsheets may have parted them with semicolons: save the table with commas.",
    ),
    entry(
        "Y025",
        "There are more findings than are shown",
        cause="At most 200 errors and 200 warnings are kept; more than that usually have a cause in common.",
        fix="Correct those that are shown, and check again.",
    ),
)
