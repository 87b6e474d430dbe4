"""A game in which two players take coins from wells in turn: two procedures, variables of the table and of players, few answers."""

WELLS = """\
rulespec: 1
id: wells
title: Wells
players: 2
types:
  Well: [deep, dry]
state:
  turns: 0..9
  lamps: {is: 0..9, starts: 9}
  per Player:
    coins: {is: 0..99, starts: 2}
phases:
  game:
    do:
      - while: turns < 4
        do:
          - for: p in players
            do:
              - turn: p
          - {add: 1, to: turns}
procedures:
  turn:
    takes: {p: Player}
    do:
      - choose: well
        by: p
        from: Well
      - lose: 1
        from: lamps
      - if: lamps > 2 or well == deep
        then:
          - add: p.coins
            to: p.coins
end of game:
  winners: most(p in players by p.coins)
"""
