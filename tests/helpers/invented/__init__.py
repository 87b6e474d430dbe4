"""Games that nobody thought of, made of a seed: random expressions and steps, typed so that most of them check."""
