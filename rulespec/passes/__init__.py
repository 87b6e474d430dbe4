"""Functions from a program to a program, one to a file, each with its examples in `tests/passes/`.

| file | what it does |
|---|---|
| `fold` | works out what is constant, with `inline`: small functions in place of their calls; and `closed`: fixed loops and maps |
| `silent` | windows collect only the rules that can be alive |
| `constants` | constants in place of locals that hold them |
| `regions` | drops regions that nothing leaves |
| `jumps` | shortens ways, drops what is never reached |
| `unread` | drops values that nobody reads |
| `calls` | drops calls of procedures that do nothing |
| `invariants` | keeps what a loop would work out again for each item |
| `secret` | marks the questions whose answers hidden things decide: no optimisation, it is made for every program |
| `liveness` | makes the points: which locals a frame keeps |

`pipeline` says in which order.  `rewrite`, `locals`, `flow` and `total` are what they look at programs with.
"""
