"""The language of expressions: syntax tree, parser, templates and printer."""
