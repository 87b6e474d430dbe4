"""Bots: random, by search, or by the preferences of a file."""

from interpreter.bots.basics import Bot
from interpreter.bots.crew import Crew
from interpreter.bots.guess import Guesses
from interpreter.bots.judge import Judge
from interpreter.bots.preferences import PreferenceBot
from interpreter.bots.random_bot import RandomBot
from interpreter.bots.search import SearchBot

__all__ = ["Bot", "Crew", "Guesses", "Judge", "PreferenceBot", "RandomBot", "SearchBot"]
