"""The random numbers of a game: a counter-based generator, the same on every machine.

The number `counter` of the game `seed` is `mix(mix(seed ^ KEY) + (counter + 1) * GAMMA)`, all modulo
2**64, where `mix` is the finaliser of splitmix64.  There is no other state, so that a copy of a
position is a copy of its future, and nothing has to be drawn again to go back.
"""

from __future__ import annotations

MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15
KEY = 0x5DEECE66D1CE4E5B
MAX_SEED = MASK


def mix(z: int) -> int:
    """The finaliser of splitmix64: a permutation of the numbers below 2**64."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def number(seed: int, counter: int) -> int:
    """The number `counter` of a seed: 0 <= number < 2**64."""
    return mix((mix(seed ^ KEY) + (counter + 1) * GAMMA) & MASK)


def below(seed: int, counter: int, limit: int) -> tuple[int, int]:
    """A number 0 <= n < limit, each exactly as likely, and the counter after it.

    Numbers that would favour the small results are thrown away, so a draw may take several.
    Raises ValueError unless 0 < limit <= 2**64.
    """
    if not 0 < limit <= MASK + 1:
        raise ValueError(f"no number below {limit} can be drawn")
    fair = MASK + 1 - (MASK + 1) % limit
    while True:
        drawn = number(seed, counter)
        counter += 1
        if drawn < fair:
            return drawn % limit, counter


def check_seed(seed: int) -> int:
    """The seed; raises ValueError if it is no whole number of at most 64 bits."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
        raise ValueError(f"a seed is a whole number from 0 to {MAX_SEED}, not {str(seed)[:40]}")
    return seed
