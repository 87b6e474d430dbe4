"""Under which address a server is reached: through another one, below a path, by a number; who is told the links, and how it is."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from rulespec.text.quoting import ticked
from tests.helpers.commands import run
from tests.helpers.serving import place
from tools import console
from tools.framework import Misuse
from tools.serve import journal, server
from tools.serve.address import Address, address_of, alone, here, named, same_origin
from tools.serve.house import House
from tools.serve.links import Place, tell
from tools.serve.storage import Folder, saves

GAMES = address_of("https://example.org/games")
TOKEN = re.compile(r"[0-9a-f]{32}")


def fetched(port: int, path: str, host: str) -> tuple[int, dict[str, str], bytes]:
    """What a server answers to a request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path, headers={"Host": host})
    answer = connection.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read()


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://Example.org", "https://example.org"), ("https://example.org/", "https://example.org"), ("http://[::1]:80/a", "http://[::1]:80/a"),
        ("HTTPS://example.org:8443/games/of/ours/", "https://example.org:8443/games/of/ours"), ("http://10.0.0.1/~me", "http://10.0.0.1/~me"),
    ],
)  # fmt: skip
def test_an_address_is_read(url: str, address: str) -> None:
    assert str(address_of(url)) == address


@pytest.mark.parametrize(
    "url",
    [
        "", "example.org", "example.org/games", "ftp://example.org", "https://", "https://a b", "https://me:pass@example.org", "https://[::1",
        "https://example.org:99999", "https://example.org:x", "https://example.org/?a", "https://example.org/#", "https://example.org/a#b",
        "https://example.org/../x", "https://example.org/a//b", "https://example.org/%2e", "https://example.org/a;b", "https://example.org/é",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_with_an_example(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match=re.escape(ticked(url))):
        address_of(url)
    code, out, err = run(capsys, "serve", "tic_tac_toe", "--url", url)
    assert code == 2 and not out and err.startswith("error[C001]: --url: ") and "https://tables.example.org" in err


def test_names_and_numbers_of_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert all(map(named, ("localhost", "tables.example.org", "10.0.0.1", "::1", "[::1]")))
    assert not any(map(named, ("", "https://example.org", "example.org:80", "example.org/games", "a b")))
    assert all(map(alone, ("localhost", "LOCALHOST", "127.0.0.1", "127.0.0.2", "::1")))
    assert not any(map(alone, ("0.0.0.0", "::", "10.0.0.1", "localhost.example.org", "")))
    for host in ("", "[]", "a..b", "a" * 80):
        code, _, err = run(capsys, "serve", "tic_tac_toe", "--host", host)
        assert code == 2 and err.startswith("error[C001]: --host: ") and "0.0.0.0" in err
    code, _, err = run(capsys, "serve", "tic_tac_toe", "--name", "https://example.org")
    assert code == 2 and err.startswith("error[C001]: --name: `https://example.org`") and "--url" in err


@pytest.mark.parametrize(
    ("where", "link"),
    [
        (Place("localhost", 0), "http://localhost:81"), (Place("0.0.0.0", 0), "http://localhost:81"), (Place("::", 0), "http://localhost:81"),
        (Place("::1", 0), "http://[::1]:81"), (Place("0.0.0.0", 0, ("fd00::1",)), "http://[fd00::1]:81"),
        (Place("::", 0, ("tables.example",)), "http://tables.example:81"), (Place("localhost", 0, ("x",), GAMES), "https://example.org/games"),
    ],
)  # fmt: skip
def test_what_links_begin_with(where: Place, link: str) -> None:
    assert str(where.address(81)) == link and urlsplit(link).hostname


@pytest.mark.parametrize(
    ("origin", "host", "ours"),
    [
        ("https://example.org", "localhost:8017", True), ("https://example.org", "example.org", True),
        ("https://example.org", "example.org:443", True), ("https://example.org:443", "x", True),
        ("http://localhost:80", "localhost", True), ("http://example.org", "localhost:8017", False),
        ("https://example.org:8443", "localhost", False), ("https://evil.example", "localhost:8017", False),
        ("https://example.org.evil.example", "example.org", False), ("null", "example.org", False),
        ("http://localhost:443", "localhost", False),
    ],
)  # fmt: skip
def test_pages_below_our_address_open_websockets_whatever_host_is_named_on_the_way(
    origin: str, host: str, ours: bool
) -> None:
    assert same_origin(origin, host, GAMES) is ours


@pytest.mark.parametrize("kept", [True, False], ids=["the path is passed on", "the path is left out"])
@pytest.mark.parametrize("named", ["example.org", "127.0.0.1:8017"])
def test_a_table_below_a_path_of_another_server(tmp_path: Path, kept: bool, named: str) -> None:
    """Pages, all that they name, and the websocket; the server in between passes the path and the host on, or not."""

    async def work() -> None:
        async with place(tmp_path, url=GAMES) as there:

            async def get(url: str) -> tuple[int, dict[str, str], bytes]:
                path = urlsplit(url).path
                assert url.startswith("https://example.org/games/")
                return await asyncio.to_thread(
                    fetched, there.port, path if kept else path.removeprefix("/games"), named
                )

            room = await there.table("tic_tac_toe")
            for link in (f"{GAMES}{room.links()['host']}", f"{GAMES}/#{there.house.token}"):
                status, headers, body = await get(link)
                assert status == 200 and "wss://example.org" in headers["Content-Security-Policy"]
                found = {urljoin(link, name) for name in re.findall(r'(?:href|src)="([^"]*)"', body.decode())}
                for script in [name for name in found if name.endswith(".js")]:
                    text = (await get(script))[2].decode()
                    found |= {urljoin(script, name) for name in re.findall(r'from "(\./[^"]*)"', text)}
                assert len(found) > 6
                for name in found:
                    assert (await get(name))[0] == 200, name
            assert (await get(f"{GAMES}/health"))[0] == 200
            link = f"ws://{named}{'/games' * kept}/ws"
            way = {"host": "127.0.0.1", "port": there.port}
            async with connect(link, origin=Origin("https://example.org"), **way) as one:
                seat = room.table.record.tokens["seat.x"]
                await one.send(json.dumps({"type": "hello", "protocol": 1, "table": room.name, "token": seat}))
                assert json.loads(await one.recv())["type"] == "welcome"
            with pytest.raises(InvalidStatus):
                await connect(link, origin=Origin("https://evil.example"), **way)

    asyncio.run(work())


def test_the_path_alone_leads_to_the_lobby_and_what_only_begins_like_it_nowhere(tmp_path: Path) -> None:
    async def work() -> None:
        async with place(tmp_path, url=GAMES) as there:
            for path, status in (
                ("/games", 308),
                ("/games?x", 308),
                ("/gamesx/", 404),
                ("/games/x", 404),
                ("/t/abc/", 404),
                ("/", 200),
            ):
                found, headers, _ = await asyncio.to_thread(fetched, there.port, path, "localhost")
                assert found == status, path
                assert headers.get("Location") == ("/games/" if status == 308 else None)

    asyncio.run(work())


def test_whether_all_is_well_is_told_without_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        async with place(tmp_path, names=["tables.example"]) as there:

            async def health(host: str = "127.0.0.1") -> tuple[int, Any]:
                status, headers, body = await asyncio.to_thread(fetched, there.port, "/health", host)
                assert (headers["Content-Type"], headers["Cache-Control"]) == ("application/json", "no-store")
                return status, json.loads(body)

            assert await health() == (200, {"status": "ok", "tables": 0, "saving": True})
            room = await there.table("tic_tac_toe")
            assert await health("tables.example") == (200, {"status": "ok", "tables": 1, "saving": True})
            async with there.player(room, "x") as one:
                await one.until(lambda me: me.asked)
                with monkeypatch.context() as patched:
                    patched.setattr(saves.files, "replace", full)
                    assert (await one.answer(one.legal()[0]))["type"] == "illegal"
                assert await health() == (503, {"status": "not saving", "tables": 1, "saving": False})
                assert (await one.answer(one.legal()[0]))["type"] == "ok"
                assert (await health())[0] == 200
            there.house.loaded = False
            assert await health() == (503, {"status": "not ready", "tables": 1, "saving": True})
            assert (await asyncio.to_thread(fetched, there.port, "/health", "evil.example"))[0] == 421

    asyncio.run(work())


def full(*_: object, **__: object) -> None:
    """A disk that is full."""
    raise OSError(28, os.strerror(28))


# --- links ----------------------------------------------------------------------------------------------
@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """What is printed of a table's links."""

    def work(file: Path | None, terminal: bool, where: Address = GAMES) -> tuple[str, str]:
        monkeypatch.setattr(console, "is_terminal", lambda _: terminal)
        monkeypatch.setenv("NO_COLOR", "1")

        async def opened() -> None:
            async with place(tmp_path / "tables") as there:
                tell(there.house, await there.table("tic_tac_toe", people=["x"]), where, file)

        asyncio.run(opened())
        return capsys.readouterr()

    return work


def test_links_are_shown_on_a_terminal_and_where_they_are_asked_for(told: Callable[..., tuple[str, str]]) -> None:
    for out, err in (told(None, True), told(Path("-"), False), told(Path("-"), True)):
        assert len(TOKEN.findall(out)) == 5 and not TOKEN.search(err)
        assert all(
            link.startswith(("https://example.org/games/t/", "https://example.org/games/#"))
            for link in re.findall(r"https?:\S+", out)
        )
    out, err = told(None, False)
    assert "https://example.org/games/" in out and not TOKEN.search(out + err) and "--links FILE" in err


def test_links_in_a_file_are_for_its_owner_and_not_printed(
    told: Callable[..., tuple[str, str]], tmp_path: Path
) -> None:
    file = tmp_path / "links.txt"
    file.write_text("old", encoding="utf-8")
    file.chmod(0o644)
    shown, _ = told(Path("-"), True)
    for terminal in (True, False):
        out, err = told(file, terminal, here("::1", 81))
        assert not TOKEN.search(out + err) and "links.txt" in err and "http://[::1]:81/" in out
    text = file.read_text(encoding="utf-8")
    assert (
        len(TOKEN.findall(text)) == 5 and text.splitlines()[0] == shown.splitlines()[0] and "http://[::1]:81/t/" in text
    )
    if os.name == "posix":
        assert file.stat().st_mode & 0o777 == 0o600
    with pytest.raises(Misuse, match="cannot be written"):
        told(tmp_path / "none" / "x", True)


def written_to() -> list[journal.Writing]:
    """Where the log is written; pytest listens as well."""
    return [handler for handler in journal.LOG.handlers if isinstance(handler, journal.Writing)]


def test_the_command_tells_links_that_open_from_where_it_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By each number of this machine: its links lead to the page, and `localhost` is reached by 127.0.0.1, too."""
    tried: list[str] = []

    async def stopped(ready: Callable[[], None]) -> None:
        ready()
        port = int(re.findall(r":(\d+)/", capsys.readouterr().out)[0])
        status, _, _ = await asyncio.to_thread(fetched, port, "/", f"127.0.0.1:{port}")
        tried.append(str(status))
        journal.fault("a table", OSError(28, os.strerror(28)))

    monkeypatch.setattr(server, "until_stopped", stopped)
    links = tmp_path / "links"
    words = ("serve", "tic_tac_toe", "--port", "0", "--folder", str(tmp_path / "t"), "--links", str(links))
    log = tmp_path / "serve.log"
    assert run(capsys, *words, "--host", "localhost", "--log", str(log))[0] == 0 and tried == ["200"]
    assert log.read_text(encoding="utf-8").endswith(f"Z ERROR a table: {os.strerror(28)}\n") and not written_to()
    assert "http://localhost:" in links.read_text(encoding="utf-8")
    code, _, err = run(capsys, *words[:-1], str(tmp_path / "none" / "x"))
    assert code == 2 and err.startswith("error[C001]: the links cannot be written: ")
    kept = Folder(tmp_path / "t")  # nobody has it any more
    assert House(kept).folder is kept
    kept.close()


@pytest.mark.skipif(not socket.has_ipv6, reason="there is no IPv6")
def test_an_address_of_ipv6_is_listened_at_with_and_without_brackets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def stopped(ready: Callable[[], None]) -> None:
        ready()

    monkeypatch.setattr(server, "until_stopped", stopped)
    for host in ("::1", "[::1]"):
        code, out, err = run(
            capsys,
            "serve",
            "tic_tac_toe",
            "--port",
            "0",
            "--folder",
            str(tmp_path / "t"),
            "--links",
            "-",
            "--host",
            host,
        )
        if "error[C006]" in err:
            pytest.skip("this machine has no address of IPv6")
        assert code == 0 and re.search(r"http://\[::1\]:\d+/t/", out)


def test_a_host_that_nobody_knows_is_told_with_what_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(server, "serve", unknown)
    code, out, err = run(capsys, "serve", "tic_tac_toe", "--host", "nosuch.invalid", "--folder", str(tmp_path / "t"))
    assert (
        code == 2
        and not out
        and err.startswith("error[C006]: nosuch.invalid, port 8017, cannot be listened at: Name or")
    )
    assert "`--host` names" in err
