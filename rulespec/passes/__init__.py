"""Passes: functions from a program to a program, one to a file, each with before/after examples in `tests/passes/`.

| file | what it does | for example |
|---|---|---|
| `fold` | constant folding, inlining (`inline`), closed loops and maps (`closed`, `evaluation`) | `2 + 3` becomes `5` |
| `special` | functions of fixed data: a copy for each constant that makes a collection | `lines(n)` called with 5: lines of five cells |
| `tables` | what is worked out from members of types and fixed data alone becomes a look-up | `those(s in Cell where s.row == c.row)` |
| `narrowing` | part of `tables`: loops go through what passes the tests of fixed data, and no further than a prefix | |
| `silent` | windows collect only the rules that can be alive | no rule listens: no window |
| `constants` | constant propagation through locals | `L1 := 4; S2 := L1` becomes `S2 := 4` |
| `regions` | drops regions that nothing leaves | |
| `jumps` | jump threading and dead code | a jump to a jump goes to the end of the chain |
| `unread` | dead stores to locals | `L1 := S2`, never read, is dropped |
| `calls` | drops calls of procedures that do nothing | |
| `invariants` | shared by items of a loop, or twice in a function: computed once | `x in deck where x.cost < limit()`: `limit()` |
| `secret` | marks questions whose legal answers depend on hidden state: no optimisation, it runs on every program | |
| `checks` | redundant checks of bounds are left out | `in_range(L2, 0, 9)`, where `L2` is 1..6, becomes `L2` |
| `liveness` | makes the points: which locals a frame keeps while it waits | |

`pipeline` gives their order.  `rewrite`, `locals` and `total` are what they analyse and rewrite programs with, and
`rulespec.ir.flow`: where control may go.
"""
