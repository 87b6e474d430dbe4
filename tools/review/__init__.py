"""What play shows of a game: many games are played and measured, and their author is asked about what is odd in them."""
