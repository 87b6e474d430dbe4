"""What the language has: sections, types, functions and verbs, each defined once."""
