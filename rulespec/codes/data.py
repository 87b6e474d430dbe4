"""Lint: rows, tables and maps that do not add up.

The line of each bad example where the finding stands is marked `# here`.
"""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
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
)
