"""Coverage of a game by its cases and by random games: measured, as text, as JSON, as a page."""
