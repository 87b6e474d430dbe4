"""Positions and games as files: saves and transcripts."""
