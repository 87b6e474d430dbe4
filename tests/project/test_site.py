"""The tree of the site: each page that the front page names stands in it once, below the heading that names it first."""

from __future__ import annotations

import re

from tests.helpers.places import ROOT
from tools.dev.site import conf


def test_the_tree_holds_each_page_once_below_its_heading():
    text = (ROOT / "docs/README.md").read_text(encoding="utf-8")
    tree = conf.contents(text)
    pages = re.findall(r"^/docs/(\S+)$", tree, re.M)
    assert pages[0] == "install" and len(pages) == len(set(pages))
    assert set(pages) == set(re.findall(r"\]\(([\w/]+)\.md\)", text))
    captions = re.findall(r":caption: (.+)", tree)
    assert captions == [heading for heading in re.findall(r"^## (.+)$", text, re.M) if heading in captions]
    assert captions[0] == "Learn"
