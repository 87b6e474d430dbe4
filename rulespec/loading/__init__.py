"""From a path or an id to a checked game."""
