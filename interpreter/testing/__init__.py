"""Programs that are watched: cases that are run, and coverage."""
