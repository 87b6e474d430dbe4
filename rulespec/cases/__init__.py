"""Cases: tests of a game as data, what they run and what of a game they can cover."""
