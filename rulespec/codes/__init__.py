"""What each code means, family by family; `rulespec.errors` gathers them."""
