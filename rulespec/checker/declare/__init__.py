"""The sections of a game that declare something, each as the symbols that it makes; finite types are made in `kinds` before."""
