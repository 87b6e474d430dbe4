"""The rules, one in each file: what `RULE` says of it, and `check`, which gives its findings in a game."""
