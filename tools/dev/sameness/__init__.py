"""Tests that the same spec and seed give the same game, for all hash seeds, back ends, Pythons, and numbers of processes.

`digests` plays games and sums them up, here or as a process of its own; `pythons` finds the Pythons of this machine and puts in
place what they need; `compare` runs them all; `golden` are the digests that every machine must come to, kept in the tree.
"""
