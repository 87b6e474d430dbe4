"""What of a game its cases and random games reach: measured, in words, as JSON, as a page."""
