"""The lab: studies of games, played by many processes and kept in one file of results."""
