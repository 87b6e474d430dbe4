"""Programs that are watched: cases that are run, coverage, and properties of every game."""
