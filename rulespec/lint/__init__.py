"""Lint: rules that find likely mistakes in a checked game, and comments that allow a finding.

`linter` runs them.  Each rule is a module of `rulespec.lint.rules`.  A finding holds for every setup.  A rule that is not sure says
nothing, or reports a note, which is shown only on request (`--notes`).
"""
