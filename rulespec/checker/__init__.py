"""From the tree of a game to a program: names resolved, every term typed, every fault reported.

One pass does what two would repeat to each other: a term is typed and becomes an expression of the program at once, and a step
emits its instructions, with their places in the file.  What depends on the setup (the players, the options) stays open as
`ir.Setting` and is folded for each setup by `rulespec.passes.fold`.

The rooms, from below: `context` and `env` hold what is known, `kinds` and `declare` make the symbols, `reader`, `names`, `calls`,
`operators` and `expressions` read expressions, `layers`, `alive` and `menus` what rules change, `body` and `verbs` the steps, with
`reasons`, `lookahead`, `sites` and `several` for choices, `rules` and `always` what reacts, `scoping` what may run where,
`beginning` and `ending` how a game starts and what each player gets; `program` goes the whole way, and `assemble` puts the parts
together.
"""
