"""Who is let in, what browsers are told, what a client may say, and what those who mean harm achieve."""

from __future__ import annotations

import asyncio
import hmac
import http.client
import json
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from hypothesis import example, settings
from hypothesis import given as tried
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from rulespec.text.diagnostics import RulespecError
from tests.helpers.commands import run
from tests.helpers.serving import place
from tools.dev.load.mischief import NOBODY, Harm, babble, crowd, dawdle
from tools.dev.load.player import Player
from tools.serve import address, house, tokens, web
from tools.serve.messages import FORMS, MOST_BYTES, Malformed, read
from tools.serve.patches import applied, difference
from tools.serve.server import listening, port_of
from tools.serve.storage import Folder, Home, Record

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.text("ab/~", max_size=2),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab/~", max_size=2), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=100, deadline=None)
@example([None, True], [None, 1])
@example({"a": {"b": [0]}}, {"a": {"b": [False]}})
@tried(JSON, JSON)
def test_a_patch_leads_from_one_value_to_the_other(one: Any, other: Any) -> None:
    result = applied(one, list(difference(one, other)))
    assert json.dumps(result, sort_keys=True) == json.dumps(other, sort_keys=True)


@settings(max_examples=100, deadline=None)
@tried(st.text(max_size=40) | JSON.map(json.dumps) | st.builds(lambda n, d: json.dumps({**d, "type": n}), st.sampled_from([*FORMS]),
       st.dictionaries(st.sampled_from(["id", "at", "actions", "token", "seat", "yes", "ask", "protocol"]), JSON)))  # fmt: skip
def test_a_message_is_of_a_known_form_or_is_refused(text: str) -> None:
    try:
        message = read(text)
    except Malformed as problem:
        assert str(problem)
    else:
        assert message.type in FORMS and set(message.data) <= {key.removesuffix("?") for key in FORMS[message.type]}


@pytest.mark.parametrize(
    "text",
    [
        "[" * 15000,
        '{"type": "view", "type": "away"}',
        '{"a":' * 3000,
        "9" * 6000,
        '{"type": "answer", "id": 1e999}',
        "x" * (MOST_BYTES + 1),
    ],
)
def test_messages_that_would_cost_much_are_refused(text: str) -> None:
    with pytest.raises(Malformed):
        read(text)


def test_a_table_whose_file_has_a_key_twice_is_refused(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.keep(Record(game="hex", players=2, by=["person", "bot"]))
    path = tmp_path / "table.json"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"rounds": 1', '"rounds": 1, "rounds": 2'), encoding="utf-8"
    )
    with pytest.raises(RulespecError, match="stands twice"):
        home.record()


def test_tokens_are_long_and_open_one_thing_each() -> None:
    passes = {tokens.new(): tokens.Pass("seat", (n,)) for n in range(4)}
    assert len(passes) == 4 and all(tokens.well_formed(token) and len(token) * 4 == 128 for token in passes)
    for token, meant in passes.items():
        assert tokens.looked_up(token, passes) == meant
        assert tokens.looked_up(token[:-1], passes) is tokens.looked_up("é" * 32, passes) is None


def test_a_token_takes_as_long_whether_it_is_nearly_right_or_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is compared with all there are, in constant time, wherever the right one stands and however much of it is right."""
    compared: list[bytes] = []
    digest = hmac.compare_digest

    def counted(one: bytes, other: bytes) -> bool:
        compared.append(other)
        return digest(one, other)

    monkeypatch.setattr(hmac, "compare_digest", counted)
    passes = {tokens.new(): tokens.Pass("seat", (n,)) for n in range(4)}
    first = next(iter(passes))
    for token in (first, first[:-1] + "0", tokens.new()):
        compared.clear()
        tokens.looked_up(token, passes)
        assert len(compared) == len(passes)


@pytest.mark.parametrize(
    ("header", "ours"),
    [
        ("localhost:8017", True), ("127.0.0.1:8017", True), ("[::1]:8017", True), ("192.168.1.20:8017", True), ("table.example:80", True),
        ("evil.example:8017", False), ("localhost.evil.example", False), ("", False), (None, False), ("localhost:8017/x", False),
        ("LOCALHOST:8017", True), ("localhost.", True), ("127.1:8017", True), ("[::ffff:127.0.0.1]", True), ("0x7f.1", True),
        ("Table.Example.", True),
        ("localhost.localdomain", False), ("127.0.0.1.evil.example:8017", False), ("127.evil", False), ("1.0xevil", False),
        ("a b", False), ("localhost\r\nX: y", False), ("evil.example@localhost", False), ("1.2.3.4.evil.example", False),
    ],
)  # fmt: skip
def test_only_our_names_are_answered(header: str | None, ours: bool) -> None:
    assert (address.checked_host(header, {"table.example"}) is not None) is ours


@pytest.mark.parametrize(
    ("origin", "ours"),
    [
        (None, True), ("http://localhost:8017", True), ("https://localhost:8017", True), ("http://localhost:8018", False),
        ("http://localhost", False), ("null", False),
        ("HTTP://localhost:8017", True), ("http://localhost.:8017", True), ("http://evil.example", False),
        ("http://localhost:8017.evil.example", False),
        ("file://localhost:8017", False), ("http://[", False), ("", False),
    ],
)  # fmt: skip
def test_only_our_page_opens_websockets(origin: str | None, ours: bool) -> None:
    assert address.same_origin(origin, "localhost:8017") is ours


def test_files_of_the_page_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "page"
    (folder / "sub").mkdir(parents=True)
    (folder / "table.html").write_text("the table")
    (folder / "lobby.html").write_text("the lobby")
    (folder / "sub" / "a.js").write_text("run()")
    (folder / "secret.json").write_text("{}")
    (tmp_path / "outside.html").write_text("outside")

    def fetched(port: int, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()

    async def work() -> None:
        async with place(tmp_path / "tables", page=folder) as there:

            async def get(path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
                return await asyncio.to_thread(fetched, there.port, path, method, **headers)

            for path, body in (
                ("/", b"the lobby"),
                ("/t/abc", b"the table"),
                ("/page/sub/a.js", b"run()"),
                ("/?plain=1", b"the lobby"),
            ):
                status, headers, found = await get(path)
                assert (status, found) == (200, body)
                policy = headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
                assert headers["X-Content-Type-Options"] == "nosniff" and headers["Referrer-Policy"] == "no-referrer"
                assert "Set-Cookie" not in headers
                assert (await get(path, **{"If-None-Match": headers["ETag"]}))[0] == 304
            for path in (
                "/page/../outside.html", "/page/..%2foutside.html", "/page/secret.json", "/page//etc/passwd", "/table.html", "/t/A/b", "/x",
            ):  # fmt: skip
                status, headers, found = await get(path)
                assert status == 404 and b"outside" not in found and "Content-Security-Policy" in headers
            assert (await get("/", Host="evil.example"))[0] == 421
            with pytest.raises(InvalidStatus):
                async with connect(f"ws://127.0.0.1:{there.port}/ws", origin="http://evil.example"):  # type: ignore[arg-type]
                    pass

    asyncio.run(work())


def test_the_page_stays_small() -> None:
    """All files of lobby and table together, before they are compressed: a phone loads them in a moment."""
    assert sum(len(body) for _, body, _ in web.Page().files.values()) <= 300_000


def test_the_page_has_all_that_it_names_and_nothing_that_its_policy_forbids() -> None:
    page = web.Page()
    assert {"table.html", "lobby.html"} <= set(page.files)
    for name, (_, body, _) in page.files.items():
        text = body.decode()
        if name.endswith(".html"):
            linked = re.findall(r'(?:href|src)="([^"]*)"', text)
            linked = [urljoin("/t/abc" if name == "table.html" else "/", path) for path in linked]
            assert linked and all(page.answer(path, {}, "localhost").status == 200 for path in linked), (name, linked)
            assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", text), name
        if name.endswith(".js"):
            near = [name.rpartition("/")[0] + path[1:] for path in re.findall(r'from "(\./[^"]*)"', text)]
            assert all(page.answer("/page/" + path.lstrip("/"), {}, "localhost").status == 200 for path in near), (
                name,
                near,
            )
            assert not re.search(
                r"innerHTML|outerHTML|document\.write|\beval\(|insertAdjacentHTML|https?://(?!www\.w3\.org)", text
            ), name


async def closing(player: Player) -> int:
    """The code by which a connection is closed."""
    await player.join()
    with pytest.raises(ConnectionClosed):
        await player.until(lambda _: False)
    assert player.closed is not None and player.closed.rcvd is not None and not player.said and not player.view
    return player.closed.rcvd.code


def test_wrong_links_are_told_apart_by_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        async with place(tmp_path) as there:
            room, other = await there.table("tic_tac_toe"), await there.table("tic_tac_toe")
            token = other.table.record.tokens["seat.x"]
            for link in (
                f"/t/{room.name}#{token}",
                f"/t/{room.name}#{NOBODY}",
                f"/t/zzzzzz#{token}",
                f"/t/{room.name}#x",
                f"/t/#{token}",
            ):
                assert await closing(Player(there.port, link)) == 4401
            assert not room.clients and not other.clients

    asyncio.run(work())


def test_who_comes_before_the_tables_are_read_is_told_to_come_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that has begun anew, and one that stops, say of no link that it is wrong."""
    load, reading, go = house.House.load, asyncio.Event(), asyncio.Event()

    async def slow(self: house.House, name: str) -> Any:
        reading.set()
        await go.wait()
        return await load(self, name)

    async def nothing() -> None:
        """It is closed."""

    async def work() -> None:
        async with place(tmp_path) as there:
            room = await there.table("tic_tac_toe")
            link = room.links()["seats"]["x"]
        monkeypatch.setattr(house.House, "load", slow)
        again = house.House(Folder(tmp_path), (), "python")
        async with listening(again, "127.0.0.1", 0, web.Page()) as server:
            loading = asyncio.create_task(again.load_all())
            await reading.wait()
            assert await closing(Player(port_of(server), link)) == 1012
            go.set()
            await loading
            async with Player(port_of(server), link) as one:
                await one.until(lambda me: me.view)
            assert await closing(Player(port_of(server), f"/t/{room.name}#{NOBODY}")) == 4401
            await again.close()
            assert await closing(Player(port_of(server), link)) == 1012
            monkeypatch.setattr(again, "close", nothing)

    asyncio.run(work())


@pytest.mark.skipif(shutil.which("node") is None, reason="runs the script of the page in node")
def test_a_page_takes_a_wrong_link_as_final_only_when_it_is_told_twice_running(tmp_path: Path) -> None:
    (tmp_path / "wire.mjs").write_bytes((web.PAGE / "wire.js").read_bytes())
    (tmp_path / "socket.js").write_bytes((web.PAGE / "socket.js").read_bytes())
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "run.mjs").write_text("""
        import { address } from "./socket.js";
        import { Wire } from "./wire.mjs";
        globalThis.location = new URL("http://localhost/t/abc#x");
        globalThis.WebSocket = class { static CLOSED = 3; static OPEN = 1; readyState = 1; send() {} };
        globalThis.setTimeout = () => 0;
        const said = [];
        const wire = new Wire({ hello: () => ({}), hears() {}, changed: (line) => said.push(line) });
        const told = (code) => (wire.socket.onclose({ code }), wire.open());
        for (const code of [4401, 1012, 4401]) told(code);
        wire.socket.onmessage({ data: '{"type": "welcome"}' });
        for (const code of [4401, 4401, 4404]) told(code);
        console.log(said.join(" "));
        console.log(address("/t/abc#x"));
    """)
    done = subprocess.run(["node", "run.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=30, check=True)
    *said, link = done.stdout.split()
    assert said == ["off", "off", "off", "on", "off", "shut", "shut"]
    assert link == f"{(tmp_path.parent / 't' / 'abc').as_uri()}#x"  # a link of the lobby, wherever the page lies


def test_those_who_mean_harm_cost_others_nothing_and_learn_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game goes on while strangers and one of its own seats babble, hold connections, and never read; `make load` does more of it."""
    monkeypatch.setattr(house, "MOST_STRANGERS", 20)

    async def work() -> None:
        async with place(tmp_path) as there:
            room = await there.table("connect_four")
            seats = room.table.game.seats
            harm, mine = Harm(), Harm()
            hello = {
                "type": "hello",
                "protocol": 1,
                "table": room.name,
                "token": room.table.record.tokens[f"seat.{seats[1]}"],
            }
            async with there.player(room, seats[0]) as one, there.player(room, seats[1]) as two:
                mischief = asyncio.gather(
                    babble(there.port, None, 150, harm), babble(there.port, hello, 400, mine),
                    crowd(there.port, 60, 0.5, harm), dawdle(there.port, hello, 4, 0.6, harm),
                )  # fmt: skip
                for number in range(8):
                    player = (one, two)[number % 2]
                    await player.until(lambda me: me.asked)
                    before = player.at
                    assert (await player.answer(player.legal()[0], id=f"honest{number}"))["type"] == "ok"
                    await player.until(lambda me, before=before: me.at != before)
                await mischief
                assert sum(1 for actor, *_ in room.table.state.answers()) == 8
            assert harm.sent >= 150 and not harm.leaked and mine.sent == 400
            assert set(mine.heard) <= {
                "welcome",
                "presence",
                "view",
                "patch",
                "error",
                "illegal",
                "stale",
                "same",
                "chat",
                "hello",
            }
            assert mine.closed[4400] + mine.closed[4429] + mine.closed[1009] > 0
            await asyncio.sleep(0.05)
            assert len(there.house.strangers) <= 20 and there.house.rooms[room.name] is room

    asyncio.run(work())


def test_a_port_that_is_taken_and_a_folder_that_is_not_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        words = ("serve", "tic_tac_toe", "--host", "127.0.0.1", "--port", port, "--folder", str(tmp_path / "a"))
        code, out, err = run(capsys, *words)
    assert (
        code == 2
        and out == ""
        and err.startswith("error[C006]")
        and port in err
        and "--port 0" in err
        and err.count("\n") == 2
    )
    (tmp_path / "file").write_text("")
    code, _, err = run(capsys, "serve", "tic_tac_toe", "--folder", str(tmp_path / "file" / "b"))
    assert code == 2 and err.startswith("error[C007]") and "--folder" in err and err.count("\n") == 2


def test_two_servers_do_not_share_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:

    kept = Folder(tmp_path)
    code, _, err = run(capsys, "serve", "tic_tac_toe", "--port", "0", "--folder", str(tmp_path))
    assert code == 2 and err.startswith("error[C007]") and "another server" in err
    kept.close()


def test_without_the_extra_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "websockets", None)
    code, out, err = run(capsys, "serve", "tic_tac_toe")
    assert code == 2 and out == "" and err.startswith("error[C008]") and "pip install --editable '.[web]'" in err
