"""Studies: many games that are played to learn something, read from YAML."""
