"""Texts with places: sources and spans, a YAML tree, diagnostics and their rendering, the formatter."""
