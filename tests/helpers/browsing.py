"""A server of tables in a process of its own, and a person who plays at it in a browser."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from websockets.sync.client import connect

from tests.helpers.places import ROOT

VARIABLE = "RULESPEC_BROWSER"
ALL = bool(
    os.environ.get("BROWSER_ALL")
)  # each game is looked at in every way, and not in one of two that change by turns
EYES = ROOT / "tests/browser/eyes.js"
PATIENCE = 60.0  # seconds that anything may take, on a machine that does other things as well
LINK = re.compile(r"^ {2}(\S.*?) {2,}(http://\S+)", re.M)
OTHERS = ("spectators", "the host", "the lobby", "all at one machine")


def by_turns(names: Sequence[str], *ways: object) -> list[tuple[str, object]]:
    """Each name with one of the ways, that change from name to name; with each of them where `BROWSER_ALL` is set."""
    return [(name, way) for n, name in enumerate(names) for k, way in enumerate(ways) if ALL or n % len(ways) == k]


class Server:
    """`rulespec serve`, with the links that it prints, by what they are for; `seats` are those of the seats, in order."""

    def __init__(self, game: str, arguments: tuple[str, ...], folder: Path, port: int = 0) -> None:
        common = ["--pace", "0", "--folder", str(folder / "tables"), "--port", str(port), "--links", "-"]
        self.path = folder / f"serve{time.monotonic_ns()}.txt"
        self.output = self.path.open("a", encoding="utf-8")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rulespec", "serve", game, *common, *arguments],
            cwd=ROOT,
            stdout=self.output,
            stderr=self.output,
            env={**os.environ, "NO_COLOR": "1"},
        )
        until(lambda: "Ctrl-C" in self.printed() or self.process.poll() is not None, self.printed, 90)
        self.links = dict(LINK.findall(self.printed()))
        assert self.links, self.printed()
        self.seats = [link for name, link in self.links.items() if name not in OTHERS]
        self.port = int(self.seats[0].split(":")[2].split("/")[0])

    def printed(self) -> str:
        return self.path.read_text(encoding="utf-8")  # not by `output`: where that stands, the server goes on writing

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)
        self.output.close()

    def ask(self, link: str, **message: object) -> dict[str, object]:
        """What the server answers who has a link."""
        table, _, token = self.links[link].rpartition("/")[2].partition("#")
        with connect(f"ws://localhost:{self.port}/ws", max_size=None) as socket:
            socket.send(json.dumps({"type": "hello", "protocol": 1, "table": table, "token": token}))
            socket.send(json.dumps({**message, "id": "x"}))
            while True:
                reply = json.loads(socket.recv(PATIENCE))
                if reply.get("id") == "x":
                    return reply


def until(holds, told=lambda: "it did not happen", patience: float = PATIENCE) -> None:
    """Wait for something; `told` says what there is instead."""
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end, told()
        time.sleep(0.02)


class Person:
    """Somebody with a browser: `complaints` is what its console says, `answers` how many were given by pointing or by keys."""

    def __init__(
        self, browser, link: str, size=(1400, 900), theme: str = "light", seed: int = 1, open_policy: bool = False
    ) -> None:
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=theme,
            reduced_motion="reduce",
            device_scale_factor=1,
            bypass_csp=open_policy,
        )
        self.page = self.context.new_page()
        self.page.add_init_script(path=EYES)
        self.page.set_default_timeout(PATIENCE * 1000)
        self.complaints: list[str] = []
        self.page.on(
            "console", lambda said: self.complaints.append(said.text) if said.type in ("error", "warning") else None
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.random = random.Random(seed)
        self.answers = 0
        self.page.goto(link)
        self.page.wait_for_selector(".question, .curtain, .plain")

    def close(self) -> None:
        self.context.close()

    def look(self, what: str):
        """What the page shows of something: see eyes.js."""
        return self.page.evaluate(f"() => eyes.{what}()")

    def resize(self, size: tuple[int, int]) -> None:
        """Give the window another size."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.look("settled")

    def begin(self) -> None:
        self.page.wait_for_selector(".begin .primary")
        self.look("settled")
        self.page.click(".begin .primary")
        self.page.wait_for_selector(".question:not(.begin)")

    @property
    def over(self) -> bool:
        return bool(self.look("over"))

    def asked(self) -> bool:
        """Wait until there is a question; whether there is one, and not the end."""
        return bool(self.page.evaluate("patience => eyes.asked(patience)", PATIENCE * 1000))

    def answer(self, by: str) -> None:
        """Give one random answer by `clicks` or by `keys`, to a page that stands still, and wait for what comes of it."""
        self.look("settled")
        before = self.look("state")
        {"clicks": self.click, "keys": self.press}[by]()
        self.page.evaluate("([before, patience]) => eyes.changed(before, patience)", [before, PATIENCE * 1000])
        self.answers += 1

    def click(self) -> None:
        """At a random answer, wherever it is shown; where several are picked, on Done if it can be pressed and as chance has it."""
        self.page.mouse.click(
            *self.page.evaluate("chance => eyes.aim(chance)", [self.random.random() for _ in range(2)])
        )
        if self.page.query_selector("dialog[open]"):  # a piece lay there, with which several things can be done
            self.page.locator("dialog .answer:not(.no)").first.click()

    def press(self) -> None:
        """Type the number of an answer, or walk to one by the arrows and take it."""
        keyboard, seen = self.page.keyboard, self.look("keyboard")
        if seen["done"] and self.random.random() < 0.6:
            self.page.locator(".done").focus()
            keyboard.press("Enter")
            return
        numbers = seen["numbers"]
        if numbers and self.random.random() < 0.5:
            number = self.random.choice(numbers)
            keyboard.type(number)
            if any(other != number and other.startswith(number) for other in numbers):
                keyboard.press("Enter")  # it is this one, and not the first digit of another
            return
        for _ in range(self.random.randrange(1, 6)):
            keyboard.press(self.random.choice(["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]))
        assert self.look("onAnswer"), "the arrows lead nowhere"
        keyboard.press("Enter")
        if self.page.query_selector("dialog[open]"):  # of several verbs one is to be chosen
            while not self.page.evaluate("() => document.activeElement.matches('dialog .answer:not(.no)')"):
                keyboard.press("Tab")
            keyboard.press("Enter")
