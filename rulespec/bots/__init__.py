"""Bots as data: preferences of a player, compiled and checked for what they read."""
