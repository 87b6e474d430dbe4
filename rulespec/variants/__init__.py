"""Variants: files that say what they change in a game; the changes are made to its tree before it is checked.

`paths` finds the place that is meant, `changes` makes the changes, `conflicts` says when two variants cannot be combined, `stack` reads
a variant and all that it extends down to the game, `laying` lays them over it, and `difference` compares two games, in the same notation.
"""
