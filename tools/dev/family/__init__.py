"""Plays the variants of a base in step with another library, such as `pyffish` of Fairy-Stockfish, and writes what came of it."""
