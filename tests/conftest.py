"""What holds for all tests: the command line keeps no games in the cache of whoever runs them."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session", autouse=True)
def cache_of_its_own(tmp_path_factory):
    """A cache folder for this run; processes that tests start inherit it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULESPEC_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
