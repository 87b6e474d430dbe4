"""What a variant changes in play: both games are played by the same bots with the same seeds, and compared."""
