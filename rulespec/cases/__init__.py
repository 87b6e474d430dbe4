"""Cases: tests of a game as data; compiled to scripts, and the items of a game that they can cover."""
