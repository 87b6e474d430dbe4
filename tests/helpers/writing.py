"""Somebody who writes a game in the studio, in a browser."""

from __future__ import annotations

import re

from tests.helpers.browsing import PATIENCE

GAME = """\
rulespec: 1
id: wells
title: Wells
players: 2
types:
  Well: [deep, dry]
state:
  lamps: {is: 0..9, starts: 9}
phases:
  game:
    do:
      - while: lamps > 1
        do:
          - for: p in players
            do:
              - turn: p
procedures:
  turn:
    takes: {p: Player}
    do:
      - choose: well
        by: p
        from: Well
      - if: well == deep
        then: {lose: 1, from: lamps}
        else: {lose: 2, from: lamps}
end of game:
  winners: all
"""


# As somebody pastes: what a driver inserts by itself goes past the editor, and the browser styles it in line.
PASTE = """(text) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const paste = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
  document.querySelector(".cm-content").dispatchEvent(paste);
}"""


class Author:
    """Somebody who writes in the studio: `complaints` is what the browser's console says."""

    def __init__(self, browser, link: str, size=(1400, 900), theme: str = "light", open_policy: bool = False) -> None:
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=theme,
            reduced_motion="reduce",
            bypass_csp=open_policy,
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.complaints: list[str] = []
        self.page.on(
            "console", lambda said: self.complaints.append(said.text) if said.type in ("error", "warning") else None
        )
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.goto(link)
        self.table = self.page.frame_locator("#table")

    def press(self, name: str) -> None:
        """Press a button of the page."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def make(self, what: str, name: str, of: str | None = None, **fields: str) -> None:
        """Fill in what is asked for something new."""
        box = self.page.locator("dialog")
        box.locator("[name=what]").select_option(what)
        if of is not None:
            box.locator("[name=of]").select_option(of)
        for label, value in fields.items():
            box.locator(f"[name={label}]").fill(value)
        box.locator("[name=name]").fill(name)
        box.get_by_role("button", name="Make it").click()
        box.wait_for(state="hidden")

    def write(self, text: str) -> None:
        """Put a text in place of the one that is shown."""
        self.page.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.evaluate(PASTE, text)

    def replace(self, line: str, old: str, text: str) -> None:
        """Type something in place of the end of the line that has a text."""
        self.page.locator(".cm-line", has_text=line).first.click()
        self.page.keyboard.press("End")
        for _ in old:
            self.page.keyboard.press("Backspace")
        self.page.keyboard.type(text)

    def standing(self, good: bool = True) -> str:
        """What is said of the table, once it follows the text or does not."""
        self.page.wait_for_selector(f"#playing{'' if good else '.stale'} .standing{':not(.bad)' if good else '.bad'}")
        return self.page.inner_text("#standing")

    def panel(self, name: str) -> str:
        """What a panel below the text shows."""
        self.page.get_by_role("tab", name=re.compile(f"^{name}")).click()
        return self.page.inner_text("#panel")

    def close(self) -> None:
        assert [one for one in self.complaints if "ERR_CONNECTION_REFUSED" not in one and "WebSocket" not in one] == []
        self.context.close()
