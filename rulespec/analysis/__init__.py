"""Abstract interpretation: what is known of values before play.  `domain` is the lattice, `transfer` what functions do in it.

Lint and the back ends read both: what a function gives is said once, for all of them.
"""
