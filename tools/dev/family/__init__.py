"""Plays the variants of one base in step with `pyffish`, the library of Fairy-Stockfish, and writes what came of it."""
