"""The site: each page that the front page names stands in its tree once, whole games open in the playground, no link leads nowhere."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any

from rulespec.system.resources import games_dir
from tests.helpers.places import ROOT
from tools.dev.site import examples, pages
from tools.dev.site.dead import dead

PAGE = """
```yaml
# game: wells
rulespec: 1
id: wells
title: Über wells
```

```yaml
state:
  lamps: 0..9
```
"""


def held(link: str) -> Any:
    """What is in a link."""
    letters = link.split("#game=")[1].split('"')[0]
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4)), -zlib.MAX_WBITS))


def test_the_tree_holds_each_page_once_below_its_heading():
    text = (ROOT / "docs/README.md").read_text(encoding="utf-8")
    tree = pages.contents(text)
    names = re.findall(r"^/docs/(\S+)$", tree, re.M)
    assert names[0] == "install" and len(names) == len(set(names))
    assert set(names) == set(re.findall(r"\]\(([\w/]+)\.md\)", text))
    captions = re.findall(r":caption: (.+)", tree)
    assert captions == [heading for heading in re.findall(r"^## (.+)$", text, re.M) if heading in captions]
    assert captions[0] == "Learn"


def test_a_whole_game_of_a_page_opens_in_the_playground():
    text = examples.opened(PAGE, "../")
    assert text.count("Open in the playground") == 1 and 'href="../playground/index.html#game=' in text
    game = "# game: wells\nrulespec: 1\nid: wells\ntitle: Über wells\n"
    assert held(text) == {"name": "wells", "files": {"game.yaml": game}}
    assert text.index("Open in") < text.index("state:")


def test_each_page_that_teaches_has_such_games():
    for page in ("docs/learn/noughts.md", "docs/tutorial_map.md", "docs/maps.md"):
        assert "Open in the playground" in examples.opened((ROOT / page).read_text(encoding="utf-8"), "../../")


def test_a_shipped_game_opens_with_all_its_files_unless_it_is_too_large(monkeypatch):
    folder = games_dir() / "tic_tac_toe"
    link = examples.of_folder(folder)
    assert link is not None and held(link)["files"].keys() >= {"game.yaml", "README.md"}
    monkeypatch.setattr(examples, "MOST_LETTERS", len(link) - len("#game=") - 1)
    assert examples.of_folder(folder) is None


def test_a_link_that_leads_nowhere_is_found(tmp_path):
    (tmp_path / "a").mkdir()
    links = (
        "b.html",
        "../c.html#x",
        "https://example.org/d",
        "#here",
        "gone.html?x=1#y",
        "../../outside",
        "mailto:e@f.org",
    )
    (tmp_path / "a/page.html").write_text("".join(f'<a href="{one}">x</a>' for one in links), encoding="utf-8")
    (tmp_path / "a/b.html").write_text('<img src="lost.png">', encoding="utf-8")
    (tmp_path / "c.html").write_text("", encoding="utf-8")
    assert list(dead(tmp_path)) == [
        "a/b.html: lost.png", "a/page.html: gone.html?x=1#y", "a/page.html: ../../outside",
    ]  # fmt: skip
