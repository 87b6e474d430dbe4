"""`rulespec book`: the rulebook that the rules make."""
