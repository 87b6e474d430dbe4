"""The studio in a real browser: a game is written from nothing, played, tested and varied, without a command line."""

from __future__ import annotations

from tests.helpers.browsing import until
from tests.helpers.writing import GAME, Author
from tools.studio.studio import HIDDEN


def test_a_game_is_written_from_nothing_played_tested_and_varied(browser, studio, tmp_path):
    author = Author(browser, studio().link)
    page, table = author.page, author.table
    author.press("Begin a game")
    author.make("template", "wells", title="Wells")
    table.locator("#prompt").wait_for()
    author.write(GAME.replace("is: 0..9", "is: 0..x"))
    assert "Line 8" in author.standing(good=False)
    page.wait_for_selector(".row.error")
    assert "`x`" in author.panel("Findings")
    author.write(GAME)
    table.get_by_text("Wells").first.wait_for()
    assert "as the text stands" in author.standing()
    page.keyboard.press("Control+s")
    until(lambda: (tmp_path / "wells/game.yaml").read_text(encoding="utf-8") == GAME)
    table.get_by_role("button", name="deep").click()
    table.locator(".question:not(.wait) #prompt").wait_for()
    author.press("Make a case")
    page.locator("dialog [name=name]").fill("a_deep_well")
    page.locator("dialog").get_by_role("button", name="Write it").click()
    page.wait_for_selector(".cases .green >> text=a_deep_well")
    author.replace("then: {lose: 1", "1, from: lamps}", "3, from: lamps}")
    page.wait_for_selector(".cases .red >> text=a_deep_well")
    page.locator(".cases .red").first.click()
    assert "lose: 3" in page.wait_for_selector(".trace").inner_text()
    author.replace("then: {lose: 3", "3, from: lamps}", "1, from: lamps}")
    page.keyboard.press("Control+s")
    author.panel("Cases")
    page.wait_for_selector(".cases .green >> text=a_deep_well")
    author.press("New …")
    author.make("variant", "dark", title="Dark wells")
    author.write("extends: ..\nid: dark\ntitle: Dark wells\n\nchanges:\n  - set: state.lamps.starts\n    to: 4\n")
    table.get_by_text("Dark wells").first.wait_for()
    page.keyboard.press("Control+s")
    until(lambda: "starts" in (tmp_path / "wells/variants/dark.yaml").read_text(encoding="utf-8"))
    assert {path.name for path in tmp_path.iterdir()} == {"wells", HIDDEN}
    author.close()


def test_what_is_typed_outlives_the_page_and_the_server(browser, studio, tmp_path):
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    server = studio()
    author = Author(browser, server.link)
    author.table.locator("#prompt").wait_for()
    author.replace("title: Wells", "Wells", "Deep wells")
    author.table.get_by_text("Deep wells").first.wait_for()
    server.kill()
    author.replace("players: 2", "2", "2..3")
    again = studio(port=server.port)
    author.page.get_by_label("How many play").wait_for()
    author.context.close()
    again.kill()
    other = Author(browser, studio().link)
    other.page.get_by_text("typed and not saved before").wait_for()
    assert "Deep wells" in other.page.inner_text(".cm-content") and "2..3" in other.page.inner_text(".cm-content")
    assert (tmp_path / "game.yaml").read_text(encoding="utf-8") == GAME
    other.press("Throw it away")
    until(lambda: "Deep wells" not in other.page.inner_text(".cm-content"))
    other.close()


def test_two_pages_never_overwrite_each_other(browser, studio, tmp_path):
    file = tmp_path / "game.yaml"
    file.write_text(GAME, encoding="utf-8")
    server = studio()
    one, two = (Author(browser, server.link) for _ in range(2))
    for author in (one, two):
        author.table.locator("#prompt").wait_for()
    two.replace("title: Wells", "Wells", "Two wells")
    one.replace("title: Wells", "Wells", "One well")
    one.page.keyboard.press("Control+s")
    two.page.get_by_text("nothing is overwritten").wait_for()
    assert "One well" in file.read_text(encoding="utf-8") and "Two wells" in two.page.inner_text(".cm-content")
    two.press("Keep mine, and save it")
    until(lambda: "Two wells" in file.read_text(encoding="utf-8"))
    until(lambda: "Two wells" in one.page.inner_text(".cm-content"))
    one.close()
    two.close()


def test_the_table_leads_to_its_lines(browser, studio, tmp_path):
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    author = Author(browser, studio().link)
    author.table.locator("#prompt").click(modifiers=["Alt"])
    until(lambda: "- choose: well" in author.page.inner_text(".cm-activeLine"))
    until(lambda: "dashed" in (author.table.locator("#prompt").get_attribute("style") or ""))
    author.press("Where from?")
    author.table.get_by_role("button", name="deep").click()
    author.close()


def test_what_is_typed_stays_with_its_file_and_its_game(browser, studio, tmp_path):
    """Another file, and another game with a file of the same name, are shown before the text of the first one was sent."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "game.yaml").write_text(GAME.replace("title: Wells", f"title: {name}"), encoding="utf-8")
    (tmp_path / "one" / "notes.md").write_text("", encoding="utf-8")
    author = Author(browser, studio().link)
    author.page.get_by_label("The game").select_option("one")
    author.page.locator(".cm-line", has_text="title: one").wait_for()
    author.replace("title: one", "one", "first")
    author.page.get_by_role("tab", name="notes.md").click()
    author.page.locator(".cm-line", has_text="title: first").wait_for(state="detached")
    author.page.locator(".cm-content").click()
    author.page.keyboard.type("remember")
    author.page.get_by_label("The game").select_option("two")
    author.page.locator(".cm-line", has_text="title: two").wait_for()
    assert not author.page.get_by_text("typed and not saved before").is_visible()
    author.page.get_by_label("The game").select_option("one")
    author.page.locator(".cm-line", has_text="title: first").wait_for()
    author.page.get_by_role("tab", name="notes.md").click()
    author.page.locator(".cm-line", has_text="remember").wait_for()
    author.close()


def test_a_name_is_changed_in_all_files_and_that_is_undone_in_all(browser, studio, tmp_path):
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "cases").mkdir()
    cases = "cases:\n  quiet:\n    play:\n      - p1: deep\n    expect: [lamps == 8]\n"
    (tmp_path / "cases/first.yaml").write_text(cases, encoding="utf-8")
    author = Author(browser, studio().link)
    page = author.page
    author.table.locator("#prompt").wait_for()
    author.replace("title: Wells", "Wells", "Dry wells")
    page.locator(".cm-line", has_text="lamps: {is").click(position={"x": 30, "y": 8})
    page.keyboard.press("F2")
    field = page.locator(".cm-lsp-rename-panel input")
    field.fill("lights")
    field.press("Enter")
    page.locator(".cm-line", has_text="lights > 1").wait_for()
    page.get_by_role("button", name="Save 2 files").wait_for()
    page.get_by_role("tab", name="cases/first.yaml").click()
    page.locator(".cm-line", has_text="lights == 8").wait_for()
    page.get_by_role("button", name="Undo in all files").click()
    page.locator(".cm-line", has_text="[lamps == 8]").wait_for()
    author.panel("Cases")
    page.wait_for_selector(".cases .green >> text=quiet")
    page.get_by_role("button", name="Undo in all files").click()
    page.locator(".cm-line", has_text="title: Wells").wait_for()
    page.keyboard.press("Control+Alt+Shift+z")
    page.locator(".cm-line", has_text="title: Dry wells").wait_for()
    page.get_by_role("button", name="Do again in all files").click()
    page.locator(".cm-line", has_text="lights > 1").wait_for()
    page.keyboard.press("Control+s")
    page.get_by_role("tab", name="cases/first.yaml").click()
    page.keyboard.press("Control+s")
    until(lambda: "lights == 8" in (tmp_path / "cases/first.yaml").read_text(encoding="utf-8"))
    assert "lights > 1" in (tmp_path / "game.yaml").read_text(encoding="utf-8")
    author.close()


def test_a_table_of_cards_is_edited_as_a_table(browser, studio, tmp_path):
    text = GAME.replace("types:\n", "types:\n  Card: {fields: {name: Text, lamps: 0..9}, table: cards.csv}\n")
    (tmp_path / "game.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "cards.csv").write_text("# The cards\nid,name,lamps\noak,Oak,2\nelm,Elm,3\n", encoding="utf-8")
    author = Author(browser, studio().link)
    page = author.page
    author.table.locator("#prompt").wait_for()
    page.get_by_role("tab", name="cards.csv").click()
    cell = page.get_by_label("lamps, row 2")
    cell.fill("x")
    assert "`x`" in author.standing(good=False)
    cell.fill("4")
    author.standing()
    page.get_by_label("name, row 1").fill("Oak, old")
    page.get_by_role("button", name="Another row").click()
    for column, value in (("id", "ash"), ("name", "Ash"), ("lamps", "1")):
        page.get_by_label(f"{column}, row 3").fill(value)
    page.get_by_label("Take row 2 away").click()
    page.get_by_role("button", name="Undo in all files").click()
    page.get_by_label("id, row 3").wait_for()
    page.keyboard.press("Control+s")
    wanted = '# The cards\nid,name,lamps\noak,"Oak, old",2\nelm,Elm,4\nash,Ash,1\n'
    until(lambda: (tmp_path / "cards.csv").read_text(encoding="utf-8") == wanted)
    page.get_by_role("button", name="As text").click()
    assert '"Oak, old"' in page.locator(".cm-content").inner_text()
    author.close()
