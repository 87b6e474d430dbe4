"""Information flow: nothing that a player is shown may depend on what he may not know."""

from rulespec.lint.flow.findings import leaks

__all__ = ["leaks"]
