"""What each code means, family by family; `rulespec.codes.catalogue` has them all."""
