"""Mutation testing of games: the shipped games are broken in one small way at a time, to see what notices.

`make mutation` runs it. A mutant is a game with one change in its text. It is caught by `rulespec lint`, else by the
game's own cases, else by random play; what nobody notices survives and is listed in docs/reports/mutation.md.
"""
