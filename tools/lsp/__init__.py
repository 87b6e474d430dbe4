"""The language server: findings, completion, explanations and names of games, while they are written in an editor."""
