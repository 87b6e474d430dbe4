"""The studio without processes, threads and a network, as the playground runs it in a browser; and games that come from elsewhere."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.writing import GAME
from tools.studio.alone import MOST_FILES, TOKEN, Alone, asked
from tools.studio.elsewhere import Elsewhere, looked
from tools.studio.projects import Refused

CASES = """
cases:
  - name: quiet
    setup: {players: 2}
    expect: [players == 2]
"""


class Loop(asyncio.SelectorEventLoop):
    """A loop that does at once what others do in threads, as that of a browser."""

    def run_in_executor(self, _executor: Any, work: Callable[..., Any], *args: Any) -> Any:
        done = self.create_future()
        try:
            done.set_result(work(*args))
        except Exception as problem:
            done.set_exception(problem)
        return done


class Page:
    """A page of the studio: `told` is all that it was told."""

    def __init__(self, studio: Alone, path: str = "/studio", **hello: str) -> None:
        self.told: list[dict[str, Any]] = []
        self.studio = studio
        self.number = studio.connect(path, lambda text: self.told.append(json.loads(text)), lambda _code: None)
        self.say(type="hello", protocol=1, **(hello or {"token": TOKEN, "page": "one"}))

    def say(self, **message: Any) -> None:
        self.studio.hear(self.number, json.dumps(message))

    def write(self, method: str, params: dict[str, Any], **more: Any) -> None:
        self.say(type="lsp", text=json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}))

    async def until(self, holds: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        async with asyncio.timeout(30):
            while True:
                for one in self.told:
                    if holds(one):
                        return one
                await asyncio.sleep(0.01)


def no_thread(_thread: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Alone], Any]], Any]:
    """Does something with a studio where no thread can be started."""

    def run(work: Callable[[Alone], Any]) -> Any:
        async def inside() -> Any:
            asked_elsewhere: list[str] = []
            studio = Alone(tmp_path, asked_elsewhere.append)
            studio.asks = asked_elsewhere  # type: ignore[attr-defined]
            done = await work(studio)
            for number in list(studio.wires):
                studio.disconnect(number)
            await studio.close()
            await studio.house.close()
            return done

        with asyncio.Runner(loop_factory=Loop) as runner:
            monkeypatch.setattr(threading.Thread, "start", no_thread)
            return runner.run(inside())

    return run


def test_a_game_is_made_played_and_tested_without_a_thread(alone, tmp_path):
    async def work(studio: Alone) -> None:
        page = Page(studio)
        page.say(type="make", id="1", what="template", name="wells", title="Wells", of="blank")
        await page.until(lambda one: one["type"] == "made")
        page.say(type="open", id="2", game="wells")
        table = await page.until(lambda one: one["type"] == "table" and one["good"])
        assert table["link"].startswith("/t/")
        await page.until(lambda one: one["type"] == "ran" and one.get("done"))
        results = [result for one in page.told if one["type"] == "ran" for result in one["results"]]
        assert results and all(one["passed"] for one in results)
        page.say(type="trace", id="3", case=results[0]["case"])
        assert (await page.until(lambda one: one.get("id") == "3"))["steps"]
        page.say(type="draft", id="4", file="game.yaml", before="", text="id: wells\nplayers: many\n")
        await page.until(lambda one: one["type"] == "table" and not one["good"] and one.get("line"))
        given = json.loads(asked(studio, '{"give": true}'))
        assert given["name"] == "wells" and given["files"]["game.yaml"] == "id: wells\nplayers: many\n"

    alone(work)
    assert (tmp_path / "wells/game.yaml").is_file()


LINTED = GAME.replace("state:\n", "state:\n  lost: Yes or no\n")


def test_another_python_looks_through_the_game_as_the_text_stands(alone, tmp_path):
    async def work(studio: Alone) -> None:
        page = Page(studio)
        page.write("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, id=1)
        await page.until(lambda one: one["type"] == "lsp")
        page.write("initialized", {})
        page.say(type="make", id="1", what="template", name="wells", title="Wells", of="blank")
        await page.until(lambda one: one["type"] == "made")
        uri = (tmp_path / "wells/game.yaml").resolve().as_uri()
        document = {"uri": uri, "languageId": "yaml", "version": 0, "text": LINTED}
        page.write("textDocument/didOpen", {"textDocument": document})
        params = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        page.write("textDocument/completion", params, id=2)
        told = await page.until(lambda one: one["type"] == "lsp" and json.loads(one["text"]).get("id") == 2)
        assert "result" in json.loads(told["text"])
        asks = studio.asks
        while not asks:
            await asyncio.sleep(0.01)
        sent = json.loads(asks[0])
        assert sent["texts"] == {str((tmp_path / "wells/game.yaml").resolve()): LINTED}
        assert any(name.endswith("wells/game.yaml") for name in sent["files"])
        studio.elsewhere.hear(looked(asks[0]))
        await page.until(lambda one: one["type"] == "lsp" and "L012" in one["text"])

    alone(work)


def test_the_other_python_does_one_thing_at_a_time_and_the_newest_of_what_waits():
    async def work() -> None:
        given: list[str] = []
        other = Elsewhere(given.append)
        first, second, third = (other.ask(name) for name in ("first", "second", "third"))
        assert given == ["first"] and (await second) == ""
        other.hear("done")
        assert given == ["first", "third"] and (await first) == "done" and not third.done()
        other.hear("done too")
        assert (await third) == "done too"
        other.hear("nobody has asked")

    asyncio.run(work())


def test_the_rules_are_those_of_the_text_as_it_stands(alone):
    async def work(studio: Alone) -> None:
        page = Page(studio)
        page.say(type="make", id="1", what="template", name="wells", title="Wells", of="blank")
        await page.until(lambda one: one["type"] == "made")
        page.say(type="open", id="2", game="wells")
        link = (await page.until(lambda one: one["type"] == "table" and one["good"]))["link"]
        page.say(type="draft", id="3", file="game.yaml", before="", text=GAME)
        await page.until(lambda one: one.get("id") == "3")
        anew = await page.until(lambda one: one["type"] == "table" and one["good"] and one["link"] != link)
        name, _, token = anew["link"].removeprefix("/t/").partition("#")
        table = Page(studio, "/ws", table=name, token=token)
        for number in ("4", "5", "6"):
            table.say(type="book", id=number, chapter=0)
            told = await table.until(lambda one, number=number: one.get("id") == number)
            if "titles" in told:
                break
            await asyncio.sleep(0.05)
        assert told["titles"]
        chapters = [chapter for task in studio.house.library.books.values() for chapter in task.result().chapters]
        assert "deep" in json.dumps(chapters)

    alone(work)


def test_a_game_from_elsewhere_stands_beside_the_others(alone, tmp_path):
    async def work(studio: Alone) -> list[str]:
        question = json.dumps({"take": {"name": "wells", "files": {"game.yaml": GAME, "cases/first.yaml": CASES}}})
        names = [json.loads(asked(studio, question))["game"] for _ in range(2)]
        assert studio.described()["start"] == "wells_2"
        return names

    assert alone(work) == ["wells", "wells_2"]
    assert (tmp_path / "wells_2/cases/first.yaml").read_text(encoding="utf-8") == CASES


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("..", {"game.yaml": GAME}),
        ("Wells", {"game.yaml": GAME}),
        ("wells", {"other.yaml": GAME}),
        ("wells", {"game.yaml": GAME, "../game.yaml": GAME}),
        ("wells", {"game.yaml": GAME, "/etc/game.yaml": GAME}),
        ("wells", {"game.yaml": GAME, ".hidden/game.yaml": GAME}),
        ("wells", {"game.yaml": GAME, "run.py": ""}),
        ("wells", {"game.yaml": GAME, **{f"more_{n}.yaml": "" for n in range(MOST_FILES)}}),
        ("wells", {"game.yaml": "x" * 30_000_000}),
    ],
)
def test_what_is_no_game_is_refused_and_nothing_is_written(alone, tmp_path, name, files):
    async def work(studio: Alone) -> None:
        with pytest.raises(Refused):
            studio.take(name, files)
        assert "why" in json.loads(asked(studio, json.dumps({"take": {"name": name, "files": files}})))

    alone(work)
    assert [path.name for path in tmp_path.iterdir()] == [".rulespec-studio"]
