"""The site: the handbook with search, and the rulebooks of all games."""
