"""Players that are programs."""

from interpreter.bots.random_bot import RandomBot

__all__ = ["RandomBot"]
