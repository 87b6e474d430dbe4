"""Plays a family of games on boards in step with `pyffish`, the library of Fairy-Stockfish, and writes what came of it."""
