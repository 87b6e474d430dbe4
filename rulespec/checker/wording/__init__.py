"""Rules in words: typed names, expressions and steps as sentences, for the rulebook and for what is told of a piece."""
