"""Lint: comments that allow findings, and what is declared and never used.

The line of each bad example where the finding stands is marked `# here`.
"""

from rulespec.codes.entry import ErrorCode, entry

CODES: tuple[ErrorCode, ...] = (
    entry(
        "L001",
        "A finding is allowed without a reason",
        cause="A comment that allows a finding says why, so that a later reader can see whether it still holds.",
        bad="""
            options:
              weather: {values: [fair, foul]}  # lint: allow L018 # here
        """,
        good="""
            options:
              weather: {values: [fair, foul]}  # lint: allow L018 because the table decides what foul weather means
        """,
        fix="Write the reason behind `because`.",
    ),
    entry(
        "L002",
        "A comment allows what is not found",
        cause="What it allowed has been corrected. Left there, it would hide the next finding on its line.",
        bad="""
            state:
              storm: Yes or no  # lint: allow L012 because nobody looks at it yet # here
            phases:
              game:
                do:
                  - {set: storm, to: not storm}
                  - if: storm
                    then: [turn]
        """,
        good="""
            state:
              storm: Yes or no
            phases:
              game:
                do:
                  - {set: storm, to: not storm}
                  - if: storm
                    then: [turn]
        """,
        fix="Remove the comment; `rulespec lint --fix` does.",
    ),
    entry(
        "L003",
        "A comment allows what cannot be allowed",
        cause="The comment names no code, a code that no rule has, or one that must be corrected and not allowed.",
        bad="""
            options:
              # lint: allow L918 because the table decides what foul weather means # here
              pace: {values: [slow, fast]}
            phases:
              game:
                do:
                  - if: pace == fast
                    then: [turn]
        """,
        good="""
            options:
              # lint: allow L018 because the table decides what foul weather means
              weather: {values: [fair, foul]}
        """,
        fix="Correct the code; `rulespec explain` lists all.",
    ),
    entry(
        "L010",
        "A type is not used",
        cause="No variable, zone, parameter or expression speaks of the type. It is left over, or another is used for it.",
        bad="""
            types:
              Weather: [fair, foul]  # here
        """,
        good="""
            types:
              Weather: [fair, foul]
            state:
              weather: Weather
            phases:
              game:
                do:
                  - if: weather == foul
                    then: [turn]
                  - {set: weather, to: foul}
        """,
        fix="Use the type, or remove it.",
    ),
    entry(
        "L011",
        "No value is ever this member",
        cause="No expression and no row names the member, and nothing takes all members of its type, so that nothing can be it. "
        "Often the step that would set it is missing.",
        bad="""
            types:
              Weather:
                - fair
                - foul
                - frosty  # here
            state:
              weather: Weather
            phases:
              game:
                do:
                  - if: weather == foul
                    then: [turn]
                  - {set: weather, to: foul}
        """,
        good="""
            types:
              Weather:
                - fair
                - foul
                - frosty
            state:
              weather: Weather
            phases:
              game:
                do:
                  - if: weather == foul
                    then: [turn]
                  - {set: weather, to: "if p1.coins > 1 then foul else frosty"}
        """,
        fix="Set something to it, or remove it.",
    ),
    entry(
        "L012",
        "A variable is not read",
        cause="Nothing that happens depends on the variable, whatever it is set to. Either a rule that should look at it is missing, "
        "or it looks at another.",
        bad="""
            state:
              storm: Yes or no  # here
            phases:
              game:
                do:
                  - {set: storm, to: "yes"}
                  - turn
        """,
        good="""
            state:
              storm: Yes or no
            phases:
              game:
                do:
                  - if: storm
                    then: [turn]
                  - {set: storm, to: "yes"}
        """,
        fix="Look at it where it matters, or remove it; write `seen by: all` next to it if it is there for people to see.",
    ),
    entry(
        "L013",
        "A variable is never changed",
        cause="It is read and always holds what it started with. The step that sets it is missing, or it need not be a variable.",
        bad="""
            state:
              prize: {is: 0..9, starts: 4}  # here
            phases:
              game:
                do:
                  - {add: prize, to: p1.coins}
        """,
        good="""
            functions:
              prize: 4
            phases:
              game:
                do:
                  - {add: prize, to: p1.coins}
        """,
        fix="Set it where it should change; a value that never changes is a function, a table or an option.",
    ),
    entry(
        "L014",
        "A zone is not used",
        cause="Nothing lies there at the beginning and nothing speaks of it.",
        bad="""
            zones:
              vault: {of: Card}  # here
        """,
        good="""
            zones:
              vault: {of: Card}
            phases:
              game:
                do:
                  - {draw: 1, from: deck, to: vault}
        """,
        fix="Use the zone, or remove it.",
    ),
    entry(
        "L015",
        "Nothing ever enters a zone",
        cause="The zone is spoken of, but it starts empty and nothing is moved there, so that it is always empty.",
        bad="""
            zones:
              vault: {of: Card}  # here
            phases:
              game:
                do:
                  - while: size(deck) > 2
                    do:
                      - draw: 1 + size(vault)
                        from: deck
                        to: p1.hand
        """,
        good="""
            zones:
              vault: {of: Card}
            phases:
              game:
                do:
                  - while: size(deck) > 2
                    do:
                      - {draw: 1, from: deck, to: vault}
                      - draw: 1 + size(vault)
                        from: deck
                        to: p1.hand
        """,
        fix="Say what it `starts with`, or move something there.",
    ),
    entry(
        "L016",
        "A function, value or condition is not used",
        cause="Play does not need it, whatever cases do. Often a rule that should ask it asks something else.",
        bad="""
            functions:
              richest: first(most(p in players by p.coins))  # here
        """,
        good="""
            functions:
              richest: first(most(p in players by p.coins))
            phases:
              game:
                do:
                  - win: richest
        """,
        fix="Use it, or remove it.",
    ),
    entry(
        "L017",
        "A table is not used",
        cause="Nothing looks into the table.",
        bad="""
            tables:
              first_coins: {by: players, rows: {2: 7, 3: 5, 4: 4}}  # here
        """,
        good="""
            tables:
              first_coins: {by: players, rows: {2: 7, 3: 5, 4: 4}}
            phases:
              game:
                do:
                  - {add: first_coins, to: p1.coins}
        """,
        fix="Use the table, or remove it.",
    ),
    entry(
        "L018",
        "An option changes nothing",
        cause="Nothing reads the option: whoever sets it plays the same game.",
        bad="""
            options:
              bonus: {values: 0..3}  # here
        """,
        good="""
            options:
              bonus: {values: 0..3}
            phases:
              game:
                do:
                  - {add: bonus, to: p1.coins}
        """,
        fix="Ask for the option where it should change something, or remove it.",
    ),
    entry(
        "L019",
        "A field is not read",
        cause="No expression reads this column. Texts, and words that no expression speaks of, are taken for notes to people.",
        bad="""
            types:
              Coin:
                fields: {worth: 1..9, weight: 1..9}  # here
                rows: {crown: [5, 2], penny: [1, 1]}
            phases:
              game:
                do:
                  - {add: sum(c.worth for c in Coin), to: p1.coins}
        """,
        good="""
            types:
              Coin:
                fields: {worth: 1..9}
                rows: {crown: [5], penny: [1]}
            phases:
              game:
                do:
                  - {add: sum(c.worth for c in Coin), to: p1.coins}
        """,
        fix="Use the field, or remove it with its column.",
    ),
    entry(
        "L020",
        "A procedure or phase never runs",
        cause="No way leads to it from the phase `game`. What only cases run is not played: most often the step that runs it is gone.",
        bad="""
            procedures:
              pay_out:  # here
                do:
                  - {add: 1, to: p1.coins}
        """,
        good="""
            procedures:
              pay_out:
                do:
                  - {add: 1, to: p1.coins}
            phases:
              game:
                do:
                  - pay_out
        """,
        fix="Run it, or remove it.",
    ),
    entry(
        "L021",
        "An event is never announced",
        cause="No step announces it, so that no rule that waits for it ever acts.",
        bad="""
            events:
              paid_out:  # here
            rules:
              tax:
                after: paid_out
                do:
                  - {lose: 1, from: p1.coins}
        """,
        good="""
            events:
              paid_out:
            rules:
              tax:
                after: paid_out
                do:
                  - {lose: 1, from: p1.coins}
            phases:
              game:
                do:
                  - announce: paid_out
                    do:
                      - {add: 9, to: p1.coins}
        """,
        fix="Announce the event where it happens, or remove it.",
    ),
    entry(
        "L022",
        "No rule hears an event",
        cause="The event is announced, and nothing waits for it, though rules wait for others.",
        bad="""
            events:
              dealt:
              paid_out:  # here
            rules:
              bonus:
                after: dealt
                do:
                  - {add: 1, to: p1.coins}
            phases:
              game:
                do:
                  - announce: dealt
                  - announce: paid_out
                    do:
                      - {add: 9, to: p1.coins}
        """,
        good="""
            events:
              dealt:
            rules:
              bonus:
                after: dealt
                do:
                  - {add: 1, to: p1.coins}
            phases:
              game:
                do:
                  - announce: dealt
                  - {add: 9, to: p1.coins}
        """,
        fix="Remove the event and do its steps as they are; allow the finding if variants shall have something to wait for.",
    ),
    entry(
        "L023",
        "A lasting effect never begins",
        cause="No step of play begins it; what cases begin does not count.",
        bad="""
            lasting:
              bright_day:  # here
                modify: strength
                by: {add: 1}
        """,
        good="""
            lasting:
              bright_day:
                modify: strength
                by: {add: 1}
            phases:
              game:
                do:
                  - begin: bright_day
        """,
        fix="Let it begin, or remove it.",
    ),
    entry(
        "L024",
        "A menu is never offered",
        cause="No step offers it, so that what rules add to it can never be chosen.",
        bad="""
            menus:
              market:  # here
                options:
                  leave: {say: Leave}
        """,
        good="""
            menus:
              market:
                options:
                  leave: {say: Leave}
            phases:
              game:
                do:
                  - offer: deal_done
                    by: p1
                    from: market
        """,
        fix="Offer it, or remove it.",
    ),
    entry(
        "L025",
        "A scope never begins",
        cause="No step of play begins it, so that rules that live during it never do; what cases begin does not count.",
        bad="""
            scopes:
              Fair: {}  # here
        """,
        good="""
            scopes:
              Fair: {}
            phases:
              game:
                do:
                  - scope: Fair
                    do: [turn]
        """,
        fix="Begin it, or remove it.",
    ),
    entry(
        "L026",
        "A part of the map is not used",
        cause="Nothing speaks of the places or the links, or no function of maps is given the graph.",
        bad="""
            map:
              graphs:
                steep_ways: l in Path where l.steep  # here
        """,
        good="""
            map:
              graphs:
                steep_ways: l in Path where l.steep
            phases:
              game:
                do:
                  - if: connected(shore, island, steep_ways)
                    then: [turn]
        """,
        fix="Use it, or remove it.",
    ),
    entry(
        "L027",
        "A view is not used",
        cause="It stands in no type and no expression.",
        bad="""
            views:
              Ruined: {of: Place, where: this.damage > 5}  # here
        """,
        good="""
            views:
              Ruined: {of: Place, where: this.damage > 5}
            phases:
              game:
                do:
                  - if: size(Ruined) > 2
                    then: [turn]
        """,
        fix="Use it, or remove it.",
    ),
    entry(
        "L028",
        "A parameter is not looked at",
        cause="What is given for it makes no difference. Often another name is used inside where this one was meant. Where "
        "three or more take the same, such as the effects of cards, each need not look at all of it.",
        bad="""
            functions:
              wealth:
                takes: {p: Player, other: Player}  # here
                is: 2 * p.coins
            phases:
              game:
                do:
                  - if: wealth(p1, p2) > 9
                    then: [turn]
        """,
        good="""
            functions:
              wealth:
                takes: {p: Player, other: Player}
                is: p.coins + other.coins
            phases:
              game:
                do:
                  - if: wealth(p1, p2) > 9
                    then: [turn]
        """,
        fix="Use the parameter, or remove it where it is declared and given.",
    ),
    entry(
        "L081",
        "A plural is not read",
        cause="Nothing is called so: no title of a member, no noun, and no word of `counted`. Words stand there as people read them.",
        bad="""
            plurals: {Ruby: Rubies}  # here
        """,
        good="""
            plurals: {ruby: rubies, card: cards}
        """,
        fix="Write the singular as it is shown, or leave it out.",
    ),
)
