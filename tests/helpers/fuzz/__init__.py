"""Texts of strangers: what each reader of them may do with a broken one, and how broken ones are made."""
