"""A server of tables in a process of its own, and a person who plays at it in a browser."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

from websockets.sync.client import connect

from tests.helpers.places import ROOT

VARIABLE = "RULESPEC_BROWSER"
PATIENCE = 20.0  # seconds that anything may take
LINK = re.compile(r"^ {2}(\S.*?) {2,}(http://\S+)", re.M)


class Server:
    """`rulespec serve`, with the links that it prints: by the label of a seat, and `who watches`, `the host`, `all tables`."""

    def __init__(self, game: str, arguments: tuple[str, ...], folder: Path, port: int = 0) -> None:
        command = [sys.executable, "-m", "rulespec", "serve", game, "--pace", "0", "--folder", str(folder / "tables"), "--port", str(port), *arguments]
        self.output = (folder / f"serve{time.monotonic_ns()}.txt").open("w+")
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=self.output, stderr=self.output, env={**os.environ, "NO_COLOR": "1"})
        until(lambda: "Ctrl-C" in self.printed() or self.process.poll() is not None)
        self.links = dict(LINK.findall(self.printed()))
        assert self.links, self.printed()
        self.seats = [link for name, link in self.links.items() if name not in ("who watches", "the host", "all tables", "all at one machine")]
        self.port = int(next(iter(self.links.values())).split(":")[2].split("/")[0])

    def printed(self) -> str:
        self.output.seek(0)
        return self.output.read()

    def stop(self) -> None:
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


def until(holds, told=lambda: "it did not happen") -> None:
    """Wait for something; `told` says what there is instead."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, told()
        time.sleep(0.02)


class Person:
    """Somebody with a browser: `complaints` is what its console says, `answers` what was given by pointing or by keys."""

    def __init__(self, browser, link: str, size: tuple[int, int] = (1400, 900), theme: str = "light", seed: int = 1) -> None:
        self.context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=theme, reduced_motion="reduce", device_scale_factor=1)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.complaints: list[str] = []
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.random = random.Random(seed)
        self.answers = 0
        self.page.goto(link)
        self.page.wait_for_selector(".question, .curtain, .plain")

    def close(self) -> None:
        self.context.close()

    def begin(self) -> None:
        self.page.click(".begin .primary")
        self.page.wait_for_selector(".question:not(.begin)")

    @property
    def over(self) -> bool:
        return self.page.query_selector(".question.over") is not None

    def moved(self, before: str) -> bool:
        """Whether the table is another than it was."""
        return self.state() != before

    def state(self) -> str:
        """What tells one state of the page from another: the prompt, the log, and what is picked."""
        return self.page.evaluate(STATE)

    def answer(self, by: str) -> bool:
        """Give one random answer by `clicks` or by `keys`; whether there was a question."""
        if not self.ready():
            return False
        before = self.state()
        {"clicks": self.click, "keys": self.press}[by]()
        until(lambda: self.over or self.moved(before), self.shown)
        self.answers += 1
        return True

    def ready(self) -> bool:
        return self.page.evaluate("() => Boolean(document.querySelector('.question:not(.wait):not(.sent):not(.over) .answer[data-action], .question:not(.wait):not(.sent):not(.over) .done:not([disabled])') || (document.querySelector('.question:not(.wait):not(.sent):not(.over)') && document.querySelector('main [data-walk=yes][data-action]')))")

    def shown(self) -> str:
        """What stands in the question, and where the focus is."""
        return self.page.evaluate("() => `${document.querySelector('.question')?.outerHTML}; focus on ${document.activeElement.outerHTML}`")

    def click(self) -> None:
        """At a random answer, wherever it is shown; where several are picked, on Done if it can be pressed and as chance has it."""
        done = self.page.query_selector(".done:not([disabled])")
        number = self.page.evaluate(CHOICES)
        if done and (self.random.random() < 0.5 or not number):
            done.click()
            return
        assert number, "nothing can be clicked"
        self.page.evaluate("n => (window.chosen = window.choices[n])", self.random.randrange(number))
        node = self.page.evaluate_handle("() => window.chosen").as_element()
        node.scroll_into_view_if_needed()
        node.click()

    def press(self) -> None:
        """Tab into the table, walk to a random answer, and take it; or type its number or its name."""
        keyboard = self.page.keyboard
        done = self.page.query_selector(".done:not([disabled])")
        if done and self.random.random() < 0.6:
            done.focus()
            keyboard.press("Enter")
            return
        numbers = self.page.evaluate("() => [...document.querySelectorAll('main kbd:not(.tick)')].map(one => one.textContent).filter(text => /^\\d+$/.test(text))")
        if numbers and self.random.random() < 0.5:
            keyboard.type(self.random.choice(numbers))
            keyboard.press("Enter") if self.page.query_selector(".typed") else None
            return
        for _ in range(self.random.randrange(1, 6)):
            keyboard.press(self.random.choice(["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]))
        assert self.page.evaluate("() => document.activeElement.dataset.walk === 'yes' || document.activeElement.classList.contains('done')"), "the arrows lead nowhere"
        keyboard.press("Enter")
        if self.page.query_selector("dialog[open]"):  # of several verbs one is to be chosen
            while not self.page.evaluate("() => document.activeElement.matches('dialog .answer:not(.no)')"):
                keyboard.press("Tab")
            keyboard.press("Enter")


# What a state of the page is told by.
STATE = """() => [document.querySelector('#prompt')?.textContent, document.querySelector('.tally')?.textContent,
  document.querySelector('.log')?.textContent.slice(-400), document.querySelectorAll('.picked').length,
  document.querySelector('.question')?.className, document.querySelector('.crumbs')?.textContent,
  [...document.querySelectorAll('main [data-walk=yes]')].map(one => one.dataset.action ?? one.dataset.thing).join()].join('|')"""

# All that can be clicked to answer, and is in the window or can be scrolled into it.
CHOICES = """() => {
  window.choices = [...document.querySelectorAll('main [data-action][data-walk=yes], main .stepper .primary')].filter(one => one.getClientRects().length && !one.classList.contains('picked'));
  return window.choices.length; }"""

# What is wider or higher than its place.
OVERFLOW = """() => { const out = []; const root = document.documentElement;
  if (root.scrollWidth > innerWidth || root.scrollHeight > innerHeight) out.push(`page ${root.scrollWidth} x ${root.scrollHeight}`);
  for (const node of document.querySelectorAll('main, .question, aside, .bar')) if (node.scrollWidth > node.clientWidth + 1) out.push(`${node.tagName} ${node.className} ${node.scrollWidth} > ${node.clientWidth}`);
  for (const name of ['.question', 'main', '.bar']) { const node = document.querySelector(name); if (node && node.getBoundingClientRect().bottom > innerHeight + 1) out.push(`${name} is below the window`); }
  return out; }"""
