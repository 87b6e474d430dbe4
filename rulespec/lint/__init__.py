"""Findings about games that are well formed and still wrong."""
