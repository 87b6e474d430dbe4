"""What a studio reads and writes, what it refuses, and that no text is lost."""

from __future__ import annotations

import asyncio
import errno
import http.client
import json
import os
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from rulespec.system import files
from tests.helpers.studying import Page, studied
from tests.helpers.wells import WELLS
from tools.cli import main
from tools.dev.studio import BUNDLE, LICENCES, MOST_BYTES, bundled, head
from tools.serve.storage import Folder
from tools.serve.web import security
from tools.studio import shared
from tools.studio.projects import MAX_BYTES, Projects, Refused, digest
from tools.studio.studio import HIDDEN, SOCKET, Studio
from tools.studio.web import StudioPage

NO_FILES = ("../out.yaml", "/etc/x.yaml", "a/../b.yaml", ".x.yaml", ".rulespec-studio/x.yaml", "a\\b.yaml", "x.py", "x", "a//b.yaml",
            "link.yaml", "way/x.yaml", "a/b/c/d/e.yaml", "x\0.yaml", "c:x.yaml")  # fmt: skip


NONSENSE = (
    "{", "[]", '{"type":"nosuch"}', '{"type":"read","id":"a"}', '{"type":"lsp","text":"{"}', '{"type":"lsp","text":"[]"}',
    '{"type":"lsp","text":"{\\"jsonrpc\\":\\"2.0\\",\\"method\\":\\"exit\\"}"}',
)  # fmt: skip


@pytest.fixture
def wells(tmp_path: Path) -> Path:
    file = tmp_path / "wells" / "game.yaml"
    file.parent.mkdir()
    file.write_text(WELLS, encoding="utf-8")
    return file


def test_the_bundle_is_made_of_what_is_locked() -> None:
    first, _, body = BUNDLE.read_text(encoding="utf-8").partition("\n")
    assert first == head(body), "`make studio` bundles the libraries anew"
    assert BUNDLE.stat().st_size <= MOST_BYTES
    told = LICENCES.read_text(encoding="utf-8")
    assert [name for name in bundled() if name not in told] == []
    assert told.count("Permission is hereby granted") >= 3


def test_a_file_is_saved_only_over_what_it_was_changed_from(wells: Path) -> None:
    async def work(made: Studio, port: int) -> None:
        async with Page(made, port, "one") as one, Page(made, port, "two") as two:
            for page in (one, two):
                assert (await page.ask(type="open", game="wells"))["files"][0]["file"] == "game.yaml"
            read = await one.ask(type="read", file="game.yaml")
            assert (read["text"], "draft" in read) == (WELLS, False)
            longer = WELLS + "# mine\n"
            saved = await one.ask(type="save", file="game.yaml", before=read["digest"], text=longer)
            assert (saved["type"], wells.read_text(encoding="utf-8")) == ("saved", longer)
            told = await two.until(lambda said: said["type"] == "changed")
            assert (told["file"], told["digest"]) == ("game.yaml", saved["digest"])
            other = await two.ask(type="save", file="game.yaml", before=read["digest"], text=WELLS + "# other\n")
            assert (other["type"], other["text"]) == ("conflict", longer)
            assert wells.read_text(encoding="utf-8") == longer
            new = await two.ask(type="save", file="cases/new.yaml", before="", text="cases: {}\n")
            assert (new["type"], (wells.parent / "cases/new.yaml").read_text()) == ("saved", "cases: {}\n")
            again = await one.ask(type="save", file="cases/new.yaml", before="", text="cases: {a: {}}\n")
            assert again["type"] == "conflict"

    studied(wells.parent, work)


def test_nothing_is_written_or_read_but_the_files_of_the_game(wells: Path, tmp_path: Path) -> None:
    (tmp_path / "out.yaml").write_text("out")
    (wells.parent / "link.yaml").symlink_to(tmp_path / "out.yaml")
    (wells.parent / "way").symlink_to(tmp_path)

    async def work(made: Studio, port: int) -> None:
        async with Page(made, port) as page:
            assert "no game is open" in (await page.ask(type="read", file="game.yaml"))["why"]
            opened = await page.ask(type="open", game="wells")
            assert [one["file"] for one in opened["files"]] == ["game.yaml"]
            for name in NO_FILES:
                for message in (
                    {"type": "read"},
                    {"type": "save", "before": "", "text": "x"},
                    {"type": "draft", "before": "", "text": "x"},
                ):
                    assert (await page.ask(**message, file=name))["type"] == "illegal", (name, message)
            for game in ("../wells", "", "shipped/../wells", "shipped/nosuch", "nosuch"):
                assert (await page.ask(type="open", game=game))["type"] == "illegal", game
            assert (await page.ask(type="open", game="shipped/tic_tac_toe"))["writable"] is False
            read = await page.ask(type="read", file="game.yaml")
            refused = await page.ask(type="save", file="game.yaml", before=read["digest"], text="x")
            assert "only read" in refused["why"]

    studied(wells.parent, work)
    assert (tmp_path / "out.yaml").read_text() == "out"
    assert {path.name for path in tmp_path.iterdir()} == {"wells", "out.yaml"}
    assert {path.name for path in wells.parent.iterdir()} == {"game.yaml", "link.yaml", "way", HIDDEN}


def test_a_file_that_is_too_large_or_no_text_is_refused(wells: Path) -> None:
    (wells.parent / "large.csv").write_bytes(b"x" * (MAX_BYTES + 1))
    (wells.parent / "odd.md").write_bytes(b"\xff\xfe")
    os.mkfifo(wells.parent / "pipe.yaml")
    (project,) = Projects(wells.parent).own()
    for name, why in (("large.csv", "more than"), ("odd.md", "not UTF-8")):
        with pytest.raises(Refused, match=why):
            project.read(name)
    assert project.read("pipe.yaml") == ""  # nobody waits for one who writes into it
    with pytest.raises(Refused, match="at most"):
        project.write("new.yaml", "", "é" * (MAX_BYTES // 2 + 1))


def test_what_is_typed_is_there_after_the_page_and_the_server_are_gone(wells: Path) -> None:
    typed = WELLS.replace("Wells", "Deep wells")
    before = digest(WELLS)

    async def type_it(made: Studio, port: int) -> None:
        async with Page(made, port, "one") as page:
            await page.ask(type="open", game="wells")
            assert (await page.ask(type="draft", file="game.yaml", before=before, text=typed))["type"] == "ok"
            async with Page(made, port, "beside") as beside:
                await beside.ask(type="open", game="wells")
                assert "draft" not in await beside.ask(type="read", file="game.yaml")  # its page is there and goes on

    async def find_it(made: Studio, port: int) -> None:
        async with Page(made, port, "another") as page:
            await page.ask(type="open", game="wells")
            read = await page.ask(type="read", file="game.yaml")
            assert (read["text"], read["draft"]) == (WELLS, {"text": typed, "before": before})
            saved = await page.ask(type="save", file="game.yaml", before=before, text=typed)
            assert saved["type"] == "saved"
            assert "draft" not in await page.ask(type="read", file="game.yaml")
            assert not made.drafts.known

    studied(wells.parent, type_it)
    assert wells.read_text(encoding="utf-8") == WELLS
    studied(wells.parent, find_it)
    assert not list((wells.parent / HIDDEN / "drafts").iterdir())


def test_where_the_disk_is_full_nothing_is_lost_and_the_page_is_told(
    wells: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    async def work(made: Studio, port: int) -> None:
        async with Page(made, port) as page:
            await page.ask(type="open", game="wells")
            await page.table(good=True)
            with monkeypatch.context() as patched:
                patched.setattr(files, "replace", full)
                for what in ("draft", "save"):
                    said = await page.ask(type=what, file="game.yaml", before=digest(WELLS), text="x")
                    assert (said["type"], "space" in said["why"]) == ("illegal", True)
            assert wells.read_text(encoding="utf-8") == WELLS
            assert (await page.ask(type="save", file="game.yaml", before=digest(WELLS), text="y"))["type"] == "saved"

    studied(wells.parent, work)


def test_a_page_is_told_of_what_others_do_to_its_files(wells: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "EVERY", 0.05)

    async def work(made: Studio, port: int) -> None:
        async with Page(made, port) as page:
            await page.ask(type="open", game="wells")
            await page.table(good=True)
            watching = asyncio.create_task(made.watch())
            await asyncio.sleep(0.3)
            start = len(page.said)
            wells.write_text(WELLS.replace("players: 2", "players: 2..3"), encoding="utf-8")
            told = await page.until(lambda one: one["type"] == "changed", start)
            assert (told["file"], told["digest"]) == ("game.yaml", digest(wells.read_text(encoding="utf-8")))
            assert (await page.table(good=True, start=start))["counts"] == [2, 3]
            watching.cancel()

    studied(wells.parent, work)


def test_one_folder_has_one_studio(wells: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Folder(wells.parent / HIDDEN)
    try:
        assert main(["studio", str(wells.parent)]) == 2
    finally:
        folder.close()
    assert "another studio is open in" in capsys.readouterr().err


def test_strangers_are_not_let_in(wells: Path) -> None:
    async def work(made: Studio, port: int) -> None:
        address = f"ws://127.0.0.1:{port}{SOCKET}"
        with pytest.raises(InvalidStatus):
            await connect(address, origin="http://evil.example")  # type: ignore[arg-type]
        for hello in (
            {"type": "hello", "protocol": 1, "token": "0" * 32, "page": "x"},
            {"type": "open", "game": "wells"},
            [],
            "x" * 100,
        ):
            async with connect(address) as connection:
                await connection.send(json.dumps(hello))
                with pytest.raises(ConnectionClosed):
                    await connection.recv()
        async with Page(made, port) as page:
            for frame in NONSENSE:
                await page.connection.send(frame)
            assert (await page.ask(type="open", game="wells"))["type"] == "game"
            assert sum(one["type"] == "error" for one in page.said) == 4

    studied(wells.parent, work)


def test_the_page_runs_its_own_files_and_is_shown_nowhere_else(wells: Path) -> None:
    pages = StudioPage()
    assert pages.name("/studio/studio.html") is None and pages.name("/page/studio/studio.js") is None
    assert pages.name("/studio/../page/table.js") is None and pages.name("/studio/table.js") is None
    body = pages.files["studio/studio.html"][1].decode()
    assert "{nonce}" not in body and pages.nonce in body
    start = pages.answer("/", {}, "localhost").headers["Content-Security-Policy"]
    assert "script-src 'self';" in start and "frame-ancestors 'none'" in start and f"'nonce-{pages.nonce}'" in start
    table = pages.answer("/t/abc", {}, "localhost").headers
    assert "frame-ancestors 'self'" in table["Content-Security-Policy"] and table["X-Frame-Options"] == "SAMEORIGIN"
    assert pages.nonce not in table["Content-Security-Policy"]
    assert security("localhost")["X-Frame-Options"] == "DENY"

    def asked(port: int) -> list[int]:
        statuses = []
        for path in ("/", "/studio/studio.js", "/page/table.js", "/studio", "/lobby.html"):
            line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            line.request("GET", path, headers={"Host": f"localhost:{port}"})
            statuses.append(line.getresponse().status)
            line.close()
        return statuses

    async def work(_: Studio, port: int) -> None:
        assert await asyncio.to_thread(asked, port) == [200, 200, 200, 426, 404]

    studied(wells.parent, work)
