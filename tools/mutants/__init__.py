"""Mutants of an author's own rules: small changes that leave them well formed, to see whether the cases notice.

`rulespec test --mutants` runs it.  `changes` finds what may be changed, `reach` which cases come to each place, `trial` tries one
change, `run` shares them out, `report` tells.  What finds places in a game's text serves the project's own harness too.
"""
