"""Bots: random, by search, exact, or by the preferences of a file."""

from interpreter.bots.alphabeta import AlphaBetaBot, Solver
from interpreter.bots.basics import Bot
from interpreter.bots.crew import Crew
from interpreter.bots.guess import Guesses
from interpreter.bots.judge import Judge
from interpreter.bots.preferences import PreferenceBot
from interpreter.bots.random_bot import RandomBot
from interpreter.bots.search import SearchBot

__all__ = ["AlphaBetaBot", "Bot", "Crew", "Guesses", "Judge", "PreferenceBot", "RandomBot", "SearchBot", "Solver"]
