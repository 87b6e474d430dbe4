"""Lint: what can never happen, never end or never hold, and data that does not add up.

The line of each bad example where the finding stands is marked `# here`.
"""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "L030",
        "A condition always or never holds",
        cause="The ranges of variables, options and the number of players, and the conditions around it, leave one answer "
        "in every setup. One of the ways on is never taken: a sign, a bound or a name is wrong.",
        bad="""
            phases:
              game:
                do:
                  - if: size(players) > 4  # here
                    then: [turn]
        """,
        good="""
            phases:
              game:
                do:
                  - if: size(players) == 4
                    then: [turn]
        """,
        fix="Correct the condition, or leave it out.",
    ),
    entry(
        "L040",
        "No way leads to a step",
        cause="The step before it always leaves these steps: by `stop`, `return`, `give`, `end` or `win`, or by a loop without an end.",
        bad="""
            phases:
              game:
                do:
                  - win: p1
                  - log: The game is over  # here
        """,
        good="""
            phases:
              game:
                do:
                  - log: The game is over
                  - win: p1
        """,
        fix="Put the step before the one that leaves, or give that one an `if`.",
    ),
    entry(
        "L041",
        "A loop never ends",
        cause="Nothing in the loop changes what its condition reads, and nothing leads out of it: once begun, the game stands still.",
        bad="""
            phases:
              game:
                do:
                  - while: size(deck) > 2  # here
                    do:
                      - {set: active, to: left_of(active)}
        """,
        good="""
            phases:
              game:
                do:
                  - while: size(deck) > 2
                    do:
                      - {draw: 1, from: deck, to: active.hand}
                      - {set: active, to: left_of(active)}
        """,
        fix="Change in the loop what the condition reads, or leave it by `stop when`.",
    ),
    entry(
        "L043",
        "Rules set each other off without an end",
        cause="Each of the rules announces, whatever happens, an event that the next one hears, and none has a condition or a limit.",
        bad="""
            events:
              storm:
            rules:
              thunder:  # here
                after: storm
                do:
                  - announce: storm
            phases:
              game:
                do:
                  - announce: storm
        """,
        good="""
            events:
              storm:
            rules:
              thunder:
                after: storm
                limit: once per game
                do:
                  - announce: storm
            phases:
              game:
                do:
                  - announce: storm
        """,
        fix="Give one of the rules a `limit` or a `where`.",
    ),
    entry(
        "L044",
        "A rule does nothing about what it waits for",
        cause="A rule `always` acts as long as its condition holds. Its steps change nothing that the condition reads.",
        bad="""
            rules:
              ruin:
                always: x in Place where x.damage > 8  # here
                do:
                  - {set: target, to: x}
            phases:
              game:
                do:
                  - {add: 1, to: target.damage}
        """,
        good="""
            rules:
              ruin:
                always: x in Place where x.damage > 8
                do:
                  - {set: x.damage, to: 0}
            phases:
              game:
                do:
                  - {add: 1, to: target.damage}
        """,
        fix="Change in its steps what it waits for, or let it react to an event.",
    ),
    entry(
        "L050",
        "There is nothing to choose from",
        cause="Always, or for some number of players, the choice is from nothing, and neither `or none` nor `else` stands there.",
        bad="""
            phases:
              game:
                do:
                  - choose: number  # here
                    by: p1
                    from: 3..size(players)
                  - {add: number, to: p1.coins}
        """,
        good="""
            phases:
              game:
                do:
                  - choose: number
                    by: p1
                    from: 1..size(players)
                  - {add: number, to: p1.coins}
        """,
        fix="Choose from something else, say what happens `else`, or put the choice under an `if`.",
    ),
    entry(
        "L060",
        "A number leaves the range of its variable",
        cause="Whenever this step is done, always or for some number of players, the number is outside the range: an error in play.",
        bad="""
            state:
              hour: 1..12
            phases:
              game:
                do:
                  - if: hour == 6
                    then: [turn]
                  - {set: hour, to: size(players) - 2}  # here
        """,
        good="""
            state:
              hour: 0..12
            phases:
              game:
                do:
                  - if: hour == 6
                    then: [turn]
                  - {set: hour, to: size(players) - 2}
        """,
        fix="Correct the number or the range; `stops: yes` stops at its ends.",
    ),
    entry(
        "L070",
        "The number of members is not what it should be",
        cause="`count` says how many there must be, copies included, and there are more or fewer rows.",
        bad="""
            types:
              Coin:
                count: 5  # here
                rows: {crown: {copies: 2}, penny: {copies: 2}}
            state: {paid: Coin}
            phases:
              game:
                do:
                  - if: paid == crown_1
                    then: [turn]
                  - {set: paid, to: penny_1}
        """,
        good="""
            types:
              Coin:
                count: 5
                rows: {crown: {copies: 2}, penny: {copies: 3}}
            state: {paid: Coin}
            phases:
              game:
                do:
                  - if: paid == crown_1
                    then: [turn]
                  - {set: paid, to: penny_1}
        """,
        fix="Add the row that is missing, remove what is there twice, or correct `copies` or `count`.",
    ),
    entry(
        "L071",
        "A row is for a number of players that cannot be",
        cause="A table by `players` has a row for more or fewer players than may play. It is left over, or `players:` is wrong.",
        bad="""
            tables:
              hand_size:
                by: players
                rows:
                  2: 2
                  3: 1
                  4: 1
                  5: 1  # here
        """,
        good="""
            tables:
              hand_size:
                by: players
                rows:
                  2: 2
                  3: 1
                  4: 1
        """,
        fix="Remove the row (`rulespec lint --fix` does, if it has lines of its own), or let so many play.",
    ),
    entry(
        "L072",
        "The map falls into parts",
        cause="No link leads from some places to the rest of the map. Most often a link is missing. Parts of one shape, such "
        "as a board for each player, are meant to be parts, and so are those that a field distinguishes.",
        bad="""
            rulespec: 1
            id: split
            players: 2
            map:
              nodes:
                Place:
                  rows:
                    shore: {}
                    hill: {}
                    tower: {}  # here
              links:
                Path: {fields: {a: Place, b: Place}, rows: [[shore, hill]]}
            state: {at: Place}
            phases:
              game:
                do:
                  - until: at == hill
                    do:
                      - {set: at, to: first(neighbours(at))}
        """,
        good="""
            rulespec: 1
            id: whole
            players: 2
            map:
              nodes:
                Place:
                  rows:
                    shore: {}
                    hill: {}
                    tower: {}
              links:
                Path: {fields: {a: Place, b: Place}, rows: [[shore, hill], [hill, tower]]}
            state: {at: Place}
            phases:
              game:
                do:
                  - until: at == hill
                    do:
                      - {set: at, to: first(neighbours(at))}
        """,
        fix="Add the link; allow the finding where a part is meant to stand alone.",
    ),
    entry(
        "L073",
        "A place can be entered and not left",
        cause="On a map where nearly all links lead both ways, only links that lead one way touch this place.",
        bad="""
            map:
              nodes:
                Place: {rows: {cave: {}}}
              links:
                Path:
                  fields: {a: Place, b: Place, steep: "Yes or no = no", one_way: "Yes or no = no"}
                  rows:
                    - [shore, ford]
                    - [ford, hill]
                    - [hill, tower]
                    - [tower, island]
                    - {a: island, b: cave, one_way: "yes"}  # here
            phases:
              game:
                do:
                  - {set: target, to: first(neighbours(target))}
                  - if: border(shore, ford).steep
                    then: [turn]
        """,
        good="""
            map:
              nodes:
                Place: {rows: {cave: {}}}
              links:
                Path:
                  fields: {a: Place, b: Place, steep: "Yes or no = no"}
                  rows:
                    - [shore, ford]
                    - [ford, hill]
                    - [hill, tower]
                    - [tower, island]
                    - {a: island, b: cave}
            phases:
              game:
                do:
                  - {set: target, to: first(neighbours(target))}
                  - if: border(shore, ford).steep
                    then: [turn]
        """,
        fix="Let the link lead both ways, or add a way out; allow the finding where a trap or a goal is meant.",
    ),
    entry(
        "L074",
        "Two links join the same places",
        cause="The places are joined already in this direction, by a link of which the same is written, or a link leads from "
        "a place to itself.",
        bad="""
            map:
              links:
                Path:
                  rows:
                    - [shore, ford]
                    - [ford, hill]
                    - [hill, ford]  # here
                    - [hill, tower]
                    - [tower, island]
            phases:
              game:
                do:
                  - {set: target, to: first(neighbours(target))}
                  - if: border(shore, ford).steep
                    then: [turn]
        """,
        good="""
            map:
              links:
                Path:
                  rows:
                    - [shore, ford]
                    - [ford, hill]
                    - [hill, tower]
                    - [tower, island]
            phases:
              game:
                do:
                  - {set: target, to: first(neighbours(target))}
                  - if: border(shore, ford).steep
                    then: [turn]
        """,
        fix="Remove one of the links, or correct its ends.",
    ),
    entry(
        "L052",
        "There is not enough to deal to all",
        cause="So many to each player are more, all together, than there are pieces of the kind, always or for some number of players: "
        "the last players get fewer, or nothing.",
        bad="""
            phases:
              game:
                do:
                  - deal: 2  # here
                    from: deck
                    to: hand
        """,
        good="""
            phases:
              game:
                do:
                  - deal: hand_size
                    from: deck
                    to: hand
        """,
        fix="Deal fewer, look the number up in a table by `players`, or add pieces; allow the finding if some shall get less.",
    ),
    entry(
        "L075",
        "A way leads there and none back",
        cause="Nearly all links, or lists of neighbours, name each pair of places in both directions. Here one direction is missing.",
        bad="""
            rulespec: 1
            id: one_way
            players: 2
            types:
              Place:
                fields: {near: set of Place}
                rows:
                  shore: {near: [ford, hill]}
                  ford: {near: [shore, hill]}
                  hill: {near: [shore, ford, tower]}  # here
                  tower: {near: []}
            state: {at: Place}
            phases:
              game:
                do:
                  - until: at == tower
                    do:
                      - {set: at, to: first(at.near)}
        """,
        good="""
            rulespec: 1
            id: both_ways
            players: 2
            types:
              Place:
                fields: {near: set of Place}
                rows:
                  shore: {near: [ford, hill]}
                  ford: {near: [shore, hill]}
                  hill: {near: [shore, ford, tower]}
                  tower: {near: [hill]}
            state: {at: Place}
            phases:
              game:
                do:
                  - until: at == tower
                    do:
                      - {set: at, to: first(at.near)}
        """,
        fix="Name the other direction too, or remove this one; allow the finding where it is meant.",
    ),
    entry(
        "L076",
        "A row has what another has, and a combination is missing",
        cause="The rows would have every combination of some values once, were it not for this one, which has the same as another.",
        bad="""
            types:
              Shape: [ring, cross, star]
              Size: [small, middle, large]
              Token:
                fields: {shape: Shape, size: Size}
                rows:
                  a: [ring, small]
                  b: [ring, middle]
                  c: [ring, large]
                  d: [cross, small]
                  e: [cross, middle]
                  f: [cross, large]
                  g: [star, small]
                  h: [star, middle]
                  i: [cross, large]  # here
            phases:
              game:
                do:
                  - {add: size(those(t in Token where t.shape == star and t.size == large)), to: p1.coins, if: p1.coins < 9}
        """,
        good="""
            types:
              Shape: [ring, cross, star]
              Size: [small, middle, large]
              Token:
                fields: {shape: Shape, size: Size}
                rows:
                  a: [ring, small]
                  b: [ring, middle]
                  c: [ring, large]
                  d: [cross, small]
                  e: [cross, middle]
                  f: [cross, large]
                  g: [star, small]
                  h: [star, middle]
                  i: [star, large]
            phases:
              game:
                do:
                  - {add: size(those(t in Token where t.shape == star and t.size == large)), to: p1.coins, if: p1.coins < 9}
        """,
        fix="Correct the row; allow the finding if both are meant.",
    ),
    entry(
        "L078",
        "A set names a member twice",
        cause="A set has each member once. The second is a slip, most often for another member.",
        bad="""
            types:
              Line:
                fields: {places: set of Place}
                rows:
                  coast: [[shore, ford, ford]]  # here
                  heights: [[hill, tower]]
            phases:
              game:
                do:
                  - {set: target, to: first(first(Line).places)}
                  - if: target == ford
                    then: [turn]
        """,
        good="""
            types:
              Line:
                fields: {places: set of Place}
                rows:
                  coast: [[shore, ford, island]]
                  heights: [[hill, tower]]
            phases:
              game:
                do:
                  - {set: target, to: first(first(Line).places)}
                  - if: target == ford
                    then: [turn]
        """,
        fix="Name the member that is meant, or leave the second out.",
    ),
    entry(
        "L079",
        "A condition does not say why",
        cause="A player who chooses what the condition refuses, or asks for all options, reads only that the rules do not allow it.",
        bad="""
            phases:
              game:
                do:
                  - choose: rival
                    by: p1
                    from: players
                    only:
                      - if: rival.coins < 3  # here
                  - set: active
                    to: rival
        """,
        good="""
            phases:
              game:
                do:
                  - choose: rival
                    by: p1
                    from: players
                    only:
                      - if: rival.coins < 3
                        why: "{rival} is too rich"
                  - set: active
                    to: rival
        """,
        fix="Say why in a few words, as a person would at the table.",
    ),
    entry(
        "L062",
        "`rival` where more than two may play",
        cause="`rival(p)` is the other one of two players. With three or more it has no answer, and each game ends there in an error. "
        "It is reported for the first number of players with which the step is reached.",
        bad="""
            players: 2..4
            phases:
              game:
                do:
                  - set: active  # here
                    to: rival(active)
        """,
        good="""
            players: 2..4
            phases:
              game:
                do:
                  - set: active
                    to: left_of(active)
        """,
        fix="Say `left_of(p)`, let a player be chosen, or go through all others: `q in players where q != p`. What is for two players "
        "alone stands under `if: size(players) == 2`.",
    ),
    entry(
        "L063",
        "What is stated of the returns is never so",
        cause="What `utility` states contradicts itself, or what `end of game` gives: no game could end without an error (R021).",
        bad="""
            end of game:
              winners: most(p in players by p.coins)
              utility: {max: -2}  # here
        """,
        good="""
            end of game:
              returns: this.coins
              utility: {min: 0}
        """,
        fix="State what holds at all ends, or leave it out; without it programs take what follows from the rules.",
    ),
    entry(
        "L131",
        "A loop asks who does not fit any more",
        cause="`for` settles before the first step whom it goes through. A step for one of them changes what the condition reads of "
        "another, who then is asked, though the condition does not hold for that player any longer: the dead have a turn.",
        bad="""
            state:
              per Player:
                life: {is: 0..5, starts: 3, stops: yes, seen by: all}
            phases:
              game:
                do:
                  - for: p in players where p.life > 0  # here
                    do:
                      - choose: victim
                        by: p
                        from: those(q in players where q.life > 0)
                      - {lose: 2, from: victim.life}
        """,
        good="""
            state:
              per Player:
                life: {is: 0..5, starts: 3, stops: yes, seen by: all}
            phases:
              game:
                do:
                  - for: p in players where p.life > 0
                    do:
                      - if: p.life > 0
                        then:
                          - choose: victim
                            by: p
                            from: those(q in players where q.life > 0)
                          - {lose: 2, from: victim.life}
        """,
        fix="Test again before the question.",
    ),
    entry(
        "L132",
        "Two may take the same",
        cause="Players choose together from what is the same for all, and what each has chosen goes to their place. Where two choose "
        "the same, the second takes it from the first, and nothing says so.",
        bad="""
            pieces:
              Stone: {rows: {flint: {}, slate: {}, chalk: {}}}
            zones:
              market: {of: Stone, starts with: all, seen by: all}
              shelf: {of: Stone, per: Player, seen by: all}
            phases:
              game:
                do:
                  - together: p in players
                    do:
                      - choose: stone
                        by: p
                        from: market
                    then:
                      - move: p.stone  # here
                        to: p.shelf
        """,
        good="""
            pieces:
              Stone: {rows: {flint: {}, slate: {}, chalk: {}}}
            zones:
              market: {of: Stone, starts with: all, seen by: all}
              shelf: {of: Stone, per: Player, seen by: all}
            phases:
              game:
                do:
                  - for: p in players
                    do:
                      - choose: stone
                        by: p
                        from: market
                      - move: stone
                        to: p.shelf
        """,
        fix="Compare the answers before they are moved, or let players choose in turn.",
    ),
)
