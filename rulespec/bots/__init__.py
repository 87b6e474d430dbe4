"""Bots: players that are data."""
