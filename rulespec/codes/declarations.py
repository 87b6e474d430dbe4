"""Faults of declarations: data and tables, zones, rules, maps and payments."""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "E211",
        "A number is outside its range",
        cause="A number in a row, the key of a table, what a variable is set to or an argument is not one that its type allows.",
        bad="""
            types:
              Coin:
                fields: {worth: 1..9}
                rows: {crown: {worth: 12}}
        """,
        good="""
            types:
              Coin:
                fields: {worth: 1..9}
                rows: {crown: {worth: 9}}
        """,
        fix="Correct the number, or widen the range.",
    ),
    entry(
        "E212",
        "A row has too many values",
        cause="A row written as a list has more values than its type has fields.",
        bad="""
            types:
              Coin:
                fields: {worth: 1..9}
                rows: {crown: [5, gold]}
        """,
        good="""
            types:
              Coin:
                fields: {worth: 1..9}
                rows: {crown: [5]}
        """,
        fix="Remove a value, or declare a field for it.",
    ),
    entry(
        "E213",
        "A row lacks a value",
        cause="A field has no value in this row, and no default.",
        bad="""
            types:
              Coin:
                fields: {worth: 1..9, ring: Yes or no}
                rows: {crown: {worth: 5}}
        """,
        good="""
            types:
              Coin:
                fields: {worth: 1..9, ring: Yes or no}
                rows: {crown: {worth: 5, ring: yes}}
        """,
        fix="Add the value, or give the field a default after ` = `.",
    ),
    entry(
        "E214",
        "A variable or zone has too many parts",
        cause="One for each combination of the types it is counted by makes more than 4096.",
        bad="""
            state:
              grid: {is: Number, by: [1..100, 1..100]}
        """,
        good="""
            state:
              grid: {is: Number, by: [1..10, 1..10]}
        """,
        fix="Count it by fewer types.",
    ),
    entry(
        "E215",
        "A table has no row for a key",
        cause="A table has a value for every key that can occur, for each number of players as well.",
        bad="""
            tables:
              worth: {by: Colour, rows: {red: 1, blue: 2}}
        """,
        good="""
            tables:
              worth: {by: Colour, rows: {red: 1, blue: 2, green: 3}}
        """,
        fix="Add the rows that the message names.",
    ),
    entry(
        "E216",
        "A type has too many members",
        cause="There is a limit to the members of one type.",
        fix="Use numbers, or a zone `kept as: counts` for pieces that are alike.",
    ),
    entry(
        "E217",
        "The state is too large",
        cause="All variables and zones together have more parts than a game may have.",
        fix="Count variables and zones by fewer types.",
    ),
    entry(
        "E401",
        "There is no owner here",
        cause="Only what is `per: Player` has an owner who could see it.",
        bad="""
            zones:
              market: {of: Card, seen by: owner}
        """,
        good="""
            zones:
              market: {of: Card, per: Player, seen by: owner}
        """,
        fix="Write `all`, `none`, or a set of players.",
    ),
    entry(
        "E402",
        "These pieces are not alike",
        cause="Pieces with an identity cannot be kept as counts.",
        bad="""
            zones:
              market: {of: Card, kept as: counts}
        """,
        good="""
            zones:
              market: {of: Gem, kept as: counts}
        """,
        fix="Leave `kept as` out, or declare the kind under `types`, if its copies are alike.",
    ),
    entry(
        "E403",
        "These pieces are alike",
        cause="Members of a type are not pieces with an identity: a zone can only count them.",
        bad="""
            zones:
              market: {of: Gem}
        """,
        good="""
            zones:
              market: {of: Gem, kept as: counts}
        """,
        fix="Write `kept as: counts`, or declare the kind under `pieces`.",
    ),
    entry(
        "E404",
        "The rule is never heard of",
        cause="A rule reacts to an event, holds always, changes a value or adds to a menu; this one does none of it.",
        bad="""
            rules:
              thorns: {do: [skip]}
        """,
        good="""
            rules:
              thorns: {after: damage_done, do: [skip]}
        """,
        fix="Say when: before, after, instead of, always, modify, or adds to.",
    ),
    entry(
        "E410",
        "Not everything can start there",
        cause="`starts with: all` is for one zone of pieces with an identity.",
        bad="""
            zones:
              hand: {starts with: all}
        """,
        good="""
            zones:
              hand: {starts with: those(c in Card where c.value == number(this))}
        """,
        fix="Give a bag or a set of pieces, which may speak of `this`.",
    ),
    entry(
        "E411",
        "Pieces start nowhere",
        cause="There are zones for these pieces, and none says that they start there.",
        bad="""
            pieces:
              Token: {rows: {crown: {}}}
            zones:
              box: {of: Token}
        """,
        good="""
            pieces:
              Token: {rows: {crown: {}}}
            zones:
              box: {of: Token, starts with: all}
        """,
        fix="Write `starts with` in one of their zones.",
    ),
    entry(
        "E412",
        "A variable of a scope starts with a plain value",
        cause="The start of a scope's variable must be known before the game; here it is worked out.",
        bad="""
            scopes:
              Duel:
                state: {stake: {is: 0..99, starts: active.coins}}
        """,
        good="""
            scopes:
              Duel:
                state: {stake: {is: 0..99, starts: 1}}
        """,
        fix="Give the value by `with:` where the scope begins.",
    ),
    entry(
        "E413",
        "A rule that is heard in this way has no such key",
        cause="Each way in which a rule is heard reads some keys. `if`, `why` and `only` belong to the option that a rule adds to a menu; "
        "whether another rule acts, `where` says. A rule that is always true acts by itself, in the order of the file: nobody "
        "declines or ranks it. `by` belongs to `modify`.",
        bad="""
            rules:
              sunk: {always: p in Place where p.damage > 8, me: p1, may: Sink?, do: [{set: p.damage, to: 0}]}
        """,
        good="""
            rules:
              sunk: {always: p in Place where p.damage > 8, do: [{set: p.damage, to: 0}]}
        """,
        fix="Write the key that the message names, leave this one out, or let the rule react to an event.",
    ),
    entry(
        "E414",
        "The rule is heard in two ways",
        cause="A rule is heard in one way: at one event, always, in a value or in a menu.",
        bad="""
            rules:
              thorns: {before: damage_done, after: damage_done, do: [skip]}
        """,
        good="""
            rules:
              thorns_before: {before: damage_done, do: [skip]}
              thorns_after: {after: damage_done, do: [skip]}
        """,
        fix="Write a rule for each; what they share is a procedure.",
    ),
    entry(
        "E415",
        "There is no such value to change",
        cause="`modify` names a value with layers, by its type where several types have one of that name.",
        bad="""
            rules:
              banner: {modify: strenght, by: {add: 1}}
        """,
        good="""
            rules:
              banner: {modify: strength, by: {add: 1}}
        """,
        fix="Check the spelling, or write the type before the name.",
    ),
    entry(
        "E416",
        "The value has no such layer",
        cause="A rule changes a value where that has a layer for it: `modifiers` of the kind, or one of the name.",
        bad="""
            rules:
              banner: {modify: strength, by: {subtract: 1}}
        """,
        good="""
            rules:
              banner: {modify: strength, by: {add: 1}}
        """,
        fix="Add the layer to the value, or change it in a way that it has.",
    ),
    entry(
        "E417",
        "This is not for such a zone",
        cause="A zone of a scope is empty when that begins, and can give its pieces back when it ends; others cannot.",
        bad="""
            zones:
              market: {of: Card, returns to: discard}
        """,
        good="""
            scopes:
              Fair:
                zones:
                  market: {of: Card, returns to: discard}
        """,
        fix="Move the zone into a scope or out of it, or leave the key out.",
    ),
    entry(
        "E601",
        "The game has no map",
        cause="A function of maps is used, and there are no places with links.",
        bad="""
            rulespec: 1
            id: nowhere
            players: 2
            functions:
              near: neighbours(p1)
            phases:
              game: {do: [skip]}
        """,
        good="""
            rulespec: 1
            id: nowhere
            players: 2
            map:
              nodes: {Place: {rows: {ford: {}, hill: {}}}}
              links: {Road: {fields: {a: Place, b: Place}, rows: [[ford, hill]]}}
            functions:
              near: neighbours(ford)
            phases:
              game: {do: [skip]}
        """,
        fix="Declare `map:` with nodes and links.",
    ),
    entry(
        "E602",
        "There is no such graph",
        cause="The last argument of a function of maps is the name of a graph.",
        bad="""
            functions:
              near: neighbours(shore, steep)
        """,
        good="""
            functions:
              near: neighbours(shore, gentle)
        """,
        fix="Declare it under `graphs` of the map, or leave it out: all links then count.",
    ),
    entry(
        "E603",
        "The cards have no `bonus`",
        cause="Cards that help to pay say in a field `bonus` for which pieces they stand.",
        bad="""
            functions:
              ways: payments(list(1 of ruby), active.stock, players)
        """,
        good="""
            functions:
              ways: payments(list(1 of ruby), active.stock, active.hand)
        """,
        fix="Give the cards a field `bonus: set of` the type of the prices, or `list of set of` it.",
    ),
    entry(
        "E604",
        "A place of a picture is not fixed",
        cause="Where a place lies on the picture of a map follows from something that changes in play, or has no value for a place.",
        bad="""
            map:
              picture: {x: this.damage, y: this.y}
        """,
        good="""
            map:
              picture: {x: this.x, y: this.y}
        """,
        fix="Give the places fields for it. What changes is shown by `lines`, `colour` and `symbol`.",
    ),
    entry(
        "E605",
        "The picture speaks of links that are not there",
        cause="The picture of a map says how links are drawn, and the map has none.",
        bad="""
            rulespec: 1
            id: islands
            players: 2
            map:
              nodes:
                Island:
                  rows: {north: {}, south: {}}
              picture:
                links: {title: "{this}"}
            phases:
              game: {do: [skip]}
        """,
        good="""
            rulespec: 1
            id: islands
            players: 2
            map:
              nodes:
                Island:
                  rows: {north: {}, south: {}}
              links: {Bridge: {fields: {a: Island, b: Island}, rows: [[north, south]]}}
              picture:
                links: {title: "{this}"}
            phases:
              game: {do: [skip]}
        """,
        fix="Declare `links` of the map, or leave the key out.",
    ),
    entry(
        "E606",
        "There is no such board",
        cause="A function of boards is used in a game without one, or it is not known which of several boards is meant.",
        bad="""
            boards:
              Sea: {square: 3 x 3}
              Sky: {square: 3 x 3}
            functions:
              ends: corners()
        """,
        good="""
            boards:
              Sea: {square: 3 x 3}
              Sky: {square: 3 x 3}
            functions:
              ends: corners(Sea)
        """,
        fix="Declare a board under `boards`. With several, name one before the arguments, unless a cell is among them.",
    ),
    entry(
        "E607",
        "That is no board",
        cause="The shape or the size of a board cannot be read, no cell of it is left, it does not go with the other boards, or options "
        "make more sizes of boards than can be checked.",
        bad="""
            boards:
              Sea: {square: 8}
        """,
        good="""
            boards:
              Sea: {square: 8 x 8}
        """,
        fix="Write columns and rows as numbers, or as options that are numbers: `square: 8 x 8`, `square: size x size`, `hex: 11 x 11`, or "
        "`hex: 5` for a hexagon with sides of 5 cells.",
    ),
    entry(
        "E608",
        "It is not said which way is forward",
        cause="`forward(p)` is asked of a board that does not say it for every player.",
        bad="""
            boards:
              Sea: {square: 8 x 8, forward: {p1: n}}
        """,
        good="""
            boards:
              Sea: {square: 8 x 8, forward: {p1: n, p2: s, p3: n, p4: s}}
        """,
        fix="Give the board `forward` with a direction for each player.",
    ),
    entry(
        "E609",
        "That makes no rows",
        cause="Rows by rule are not written as fields with their values, what says which there are is not known before a game, or a type "
        "of faces has rows of its own.",
        bad="""
            pieces:
              Marble: {fields: {size: 1..3}, rows: each(1..3)}
        """,
        good="""
            pieces:
              Marble: {fields: {size: 1..3}, rows: each(size in 1..3)}
        """,
        fix="Write `each(field in Type, field in 1..9)`; `where` and `copies` next to it use these fields and of nothing that changes.",
    ),
    entry(
        "E610",
        "What stands on a component changes",
        cause="The table says of a component what follows from something that changes in play; what stands on it is printed there.",
        bad="""
            rulespec: 1
            id: pairs
            players: 2
            pieces:
              Card: {fields: {rank: 1..9}, rows: {low: [1], high: [9]}}
            zones:
              deck: {of: Card, starts with: all}
            table:
              look: {Card: {corner: "{size(deck)}"}}
            phases:
              game: {do: [skip]}
        """,
        good="""
            rulespec: 1
            id: pairs
            players: 2
            pieces:
              Card: {fields: {rank: 1..9}, rows: {low: [1], high: [9]}}
            zones:
              deck: {of: Card, starts with: all}
            table:
              look: {Card: {corner: "{this.rank}"}}
            phases:
              game: {do: [skip]}
        """,
        fix="Use fields of `this`. What changes is shown by the variables and zones themselves.",
    ),
    entry(
        "E611",
        "A track without an end",
        cause="A variable is to be drawn as a track, and it is not a number with a range.",
        bad="""
            rulespec: 1
            id: race
            players: 2
            state: {laps: Number}
            table:
              state: {laps: {as: track}}
            phases:
              game: {do: [{add: 1, to: laps}]}
        """,
        good="""
            rulespec: 1
            id: race
            players: 2
            state: {laps: Number}
            table:
              state: {laps: {as: track, to: 20}}
            phases:
              game: {do: [{add: 1, to: laps}]}
        """,
        fix="Say how far it goes: `to: 20`, or give the variable a range.",
    ),
    entry(
        "E612",
        "A title without words",
        cause="The title of a member is empty, or so long that no line has room for it.",
        bad="""
            types:
              Side: {members: [left, right], title: {left: ""}}
        """,
        good="""
            types:
              Side: {members: [left, right], title: {left: the left}}
        """,
        fix="Give it one or a few words, or leave it out: the member is then called by its id.",
    ),
    entry(
        "E613",
        "What is shown takes too much",
        cause="What is shown is shown of the table, or of each player or other member of a type; this takes more than that.",
        bad="""
            functions:
              wealth:
                takes: {p: Player, amount: 0..9}
                is: p.coins > amount
                shown: yes
        """,
        good="""
            functions:
              wealth:
                takes: {p: Player}
                is: p.coins > 5
                shown: yes
        """,
        fix="Show a function of one member, or of none, that gives what people are to read.",
    ),
    entry(
        "E614",
        "What is stated of the returns is not known before play",
        cause="Under `utility` stands what holds at the end of every game, for whoever asks before it begins: a number that follows "
        "from the number of players and from options. This one changes in play, or cannot be worked out before.",
        bad="""
            end of game:
              returns: this.coins
              utility: {sum: 2 * p1.coins}
        """,
        good="""
            end of game:
              returns: this.coins
              utility: {max: 10 * size(players)}
        """,
        fix="Give a number, or leave out what is not the same in all games.",
    ),
)
