"""What a server of tables can carry, and what hostile clients can do to it: `make load`.

- `child`: a server in a process of its own.
- `player`: a client that keeps its view, for measuring and for tests.
- `measure`: delays, sizes and times, each with its bound.
- `mischief`: clients that do harm; `siege`: what two honest people notice of it.
- `kills`: a server that is killed while people play.
"""
