"""The functions of the language, by what they speak of; each is pure and defined once."""
