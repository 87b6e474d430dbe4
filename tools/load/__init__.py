"""What a server of tables can carry, and what hostile clients can do to it: `make load`.

- `player`: a client that keeps its view, for measuring and for tests.
- `measure`: delays, sizes and times, each with its bound.
- `mischief`: clients that do harm, and what that costs others.
"""
