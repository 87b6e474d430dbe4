"""The cache of checked games: their programs on disk, in a folder that belongs to the user.

`rulespec.system.store` keeps entries in a folder and trusts none that it has not written; `games` says what the entries are and when they
still hold.  The environment variable `RULESPEC_CACHE` names another folder, or is `off`.
"""

from rulespec.cache.games import load_cached

__all__ = ["load_cached"]
