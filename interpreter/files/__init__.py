"""Saves and transcripts: positions and games as text, written and read."""
