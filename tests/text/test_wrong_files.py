"""Files that are taken for a game: each is answered by one message that says what it is, and what to do."""

from __future__ import annotations

import pytest

import rulespec

WRONG = {
    "rules.docx": (b"PK\x03\x04\x14\x00", "Y004", "a document or an archive and no text"),
    "rules.rtf": (b"{\\rtf1 Hello}", "Y004", "a document of a word processor and no text"),
    "rules.pdf": (b"%PDF-1.7", "Y004", "a PDF and no text"),
    "picture.yaml": (b"\x89PNG\r\n", "Y004", "a picture and no text"),
    "wide.yaml": ("rulespec: 1".encode("utf-16"), "Y004", "is not UTF-8 text"),
    "story.yaml": (b"Once upon a time\n", "S001", "written in sections"),
    "page.yaml": (b"<html><body>Hello</body></html>", "S001", "written in sections"),
    "cases.yaml": (b"cases:\n  a: {run: skip}\n", "S003", "is test cases and no game"),
    "greedy.yaml": (b"bot: greedy\nprefers: []\n", "S003", "is a bot and no game"),
    "nothing.yaml": (b"", "Y011", "the file is empty"),
}


@pytest.mark.parametrize("name", WRONG)
def test_one_message_says_what_it_is(name, tmp_path):
    data, code, said = WRONG[name]
    (tmp_path / name).write_bytes(data)
    game, found = rulespec.check(tmp_path / name)
    assert game is None
    assert [(one.code, said in one.message) for one in found] == [(code, True)], found
    assert found[0].help or code == "Y011"
