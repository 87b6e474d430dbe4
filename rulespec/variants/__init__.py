"""Variants: files that say what is otherwise in a game, laid over its tree before it is checked.

`paths` says which place is meant, `changes` what becomes of it, `conflicts` when two variants cannot stand together, `stack` reads
variants down to the game they are of, and `difference` tells two games apart, in the same notation.
"""
