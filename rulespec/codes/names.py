"""Faults of names: what is not there, what is there twice, what cannot be a name."""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "E100",
        "There is nothing of that name",
        cause="A name in an expression is no local, no variable, zone, function or value, and no member of a type.",
        bad="""
            functions:
              rich: activ.coins > 5
        """,
        good="""
            functions:
              rich: active.coins > 5
        """,
        fix="Check the spelling; locals and parameters are known only in their own steps.",
    ),
    entry(
        "E101",
        "There is no such type",
        cause="A type, a kind of piece or a view is named that is not declared.",
        bad="""
            zones:
              market: {of: Crad}
        """,
        good="""
            zones:
              market: {of: Card}
        """,
        fix="Declare it under `types`, `pieces`, `map` or `views`, or check the spelling.",
    ),
    entry(
        "E102",
        "This type cannot stand here",
        cause="A bag holds members of a type with names, some types cannot be part of others, and a range begins with its "
        "lowest number.",
        bad="""
            state:
              purse: bag of Number
        """,
        good="""
            state:
              purse: bag of Gem
        """,
        fix="Use a set or a list, or a type with rows; write the lower number of a range first.",
    ),
    entry(
        "E103",
        "A name could be a member of several types",
        cause="Two types have a member of this name, and nothing here says which is meant.",
        bad="""
            types:
              Flower: [red, yellow]
            functions:
              warm: list(red)
        """,
        good="""
            types:
              Flower: [red, yellow]
            functions:
              warm: list(Flower.red)
        """,
        fix="Write the type before it.",
    ),
    entry(
        "E104",
        "There is no such member or part",
        cause="A type has no member of this name, a row no such field, or the members of a type nothing called so.",
        bad="""
            functions:
              dear: those(c in Card where c.prize > 3)
        """,
        good="""
            functions:
              dear: those(c in Card where c.value > 3)
        """,
        fix="Check the spelling; the declaration of the type lists what there is.",
    ),
    entry(
        "E105",
        "There is no `me` or `this` here",
        cause="`this` is the member whose value or rule it is, `me` the player whose rule it is; elsewhere is none.",
        bad="""
            functions:
              mine: me.hand
        """,
        good="""
            functions:
              mine: {takes: {p: Player}, is: p.hand}
        """,
        fix="Give a parameter, or move it to the `values` of a type or to a rule.",
    ),
    entry(
        "E106",
        "This cannot be a name",
        cause="Names have letters, digits and _ only, and begin with no digit.",
        bad="""
            zones:
              draw-pile: {of: Card}
        """,
        good="""
            zones:
              draw_pile: {of: Card}
        """,
        fix="Write _ for spaces and hyphens, and a word for a number at the beginning.",
    ),
    entry(
        "E107",
        "This word is taken",
        cause="Words of the language, and verbs for procedures, cannot be names.",
        bad="""
            procedures:
              move: {do: [skip]}
        """,
        good="""
            procedures:
              march: {do: [skip]}
        """,
        fix="Choose another name.",
    ),
    entry(
        "E108",
        "There are two things of one name",
        cause="All declarations of a game share their names, and so do the members of a type and what is said of them.",
        bad="""
            functions:
              deck: size(discard)
        """,
        good="""
            functions:
              discarded: size(discard)
        """,
        fix="Rename one of them.",
    ),
    entry(
        "E109",
        "There is no such scope",
        cause="A scope is named that is not declared.",
        bad="""
            - scope: Fight
              do: [skip]
        """,
        good="""
            - scope: Combat
              do: [skip]
        """,
        fix="Declare it under `scopes`, or check the spelling.",
    ),
    entry(
        "E110",
        "There is no such event",
        cause="An event is announced or waited for that is not declared.",
        bad="""
            rules:
              thorns: {after: damage_doen, do: [skip]}
        """,
        good="""
            rules:
              thorns: {after: damage_done, do: [skip]}
        """,
        fix="Declare it under `events`, or check the spelling.",
    ),
    entry(
        "E111",
        "There is no such menu",
        cause="A menu is offered or added to that is not declared.",
        bad="""
            rules:
              nap: {adds to: day_actions, say: Take a nap, do: [skip]}
        """,
        good="""
            rules:
              nap: {adds to: turn_actions, say: Take a nap, do: [skip]}
        """,
        fix="Declare it under `menus`, or check the spelling.",
    ),
    entry(
        "E112",
        "There is no such source",
        cause="`cites` names a ruling or lines that `sources` does not list, or lines beyond the last.",
        bad="""
            functions:
              high: {cites: [L39-41], is: active.coins > 5}
        """,
        good="""
            functions:
              high: {cites: [L39-40, H1], is: active.coins > 5}
        """,
        fix="Put the source right, or list it under `sources`.",
    ),
    entry(
        "E113",
        "The name is in use",
        cause="A new local would hide something of the same name.",
        bad="""
            - let: active
              be: p1
        """,
        good="""
            - let: leader
              be: p1
        """,
        fix="Choose another name, or change the old one with `set`.",
    ),
    entry(
        "E114",
        "There is no such phase, scope or event",
        cause="Something that ends, or within which something counts, is named and not declared.",
        bad="""
            - end: round_of_play
        """,
        good="""
            - end: turn
        """,
        fix="Check the spelling; `game` is the whole game.",
    ),
    entry(
        "E115",
        "There is no such table",
        cause="The weights of a die are a table by the type of its faces.",
        bad="""
            - roll: 1
              die: Colour
              weights: colour_weights
              as: face
        """,
        good="""
            - roll: 1
              die: Colour
              as: face
        """,
        fix="Declare the table with `by:` the type of the faces, or leave `weights` out: all faces are then alike.",
    ),
    entry(
        "E116",
        "There is no such lasting effect",
        cause="An effect begins or ends that is not declared.",
        bad="""
            - cease: broken_grounds
        """,
        good="""
            - cease: broken_ground
        """,
        fix="Declare it under `lasting`, or check the spelling.",
    ),
    entry(
        "E117",
        "There is no phase named `game`",
        cause="Play begins in the phase `game`, which has no parameters.",
        bad="""
            rulespec: 1
            id: never_begun
            players: 2
            phases:
              round: {do: [skip]}
        """,
        good="""
            rulespec: 1
            id: begun
            players: 2
            phases:
              game: {do: [round]}
              round: {do: [skip]}
        """,
        fix="Declare it under `phases`.",
    ),
    entry(
        "E118",
        "A part of a position says nothing",
        cause="What makes a position is named twice under `repetition`, or is the same in all positions.",
        bad="""
            repetition:
              position: [active, damage, active]
        """,
        good="""
            repetition:
              position: [active, damage]
        """,
        fix="Leave it out.",
    ),
    entry(
        "E119",
        "It is not said what makes a position",
        cause="A step remembers the position, or a rule asks for `times_before`, and the game has no section `repetition`.",
        bad="""
            rulespec: 1
            id: come_and_go
            players: 2
            state: {here: Yes or no}
            phases:
              game:
                do:
                  - remember position
                  - {set: here, to: not here}
        """,
        good="""
            rulespec: 1
            id: come_and_go
            players: 2
            state: {here: Yes or no}
            repetition: {position: [here]}
            phases:
              game:
                do:
                  - remember position
                  - {set: here, to: not here}
                  - check: times_before == 0
                    why: It was so before
        """,
        fix="Say under `repetition: {position: [...]}` which variables and zones make a position.",
    ),
)
