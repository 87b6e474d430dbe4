"""From the tree of a game to a program: names resolved, every term typed, every fault reported."""
