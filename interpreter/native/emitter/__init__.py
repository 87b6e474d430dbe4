"""Writes C: a program as one text, and its positions as numbers.  `program` puts it together, `kit` is how others ask for it."""
