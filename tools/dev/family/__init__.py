"""Plays the family of chess in step with `pyffish`, the library of Fairy-Stockfish, and writes what came of it."""
