"""What learners and solvers ask of a game: numbers for its actions, vectors of what a seat sees, and its measures."""
