"""The reference machine: the meaning of programs."""
