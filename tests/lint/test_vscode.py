"""The extension for Visual Studio Code: what it declares, how its grammars colour, and how it starts the language server.

All of this is looked at without npm.  `make vscode` builds the package, colours a sample as the editor does, and names the package in
RULESPEC_VSIX, so that what is in it is looked at, too.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
import zipfile
import zlib
from pathlib import Path

import pytest

from rulespec.language.registry import functions
from tests.helpers.places import ROOT
from tools.cli import main
from tools.dev.editors import grammar, icon

FOLDER = ROOT / "tools/dev/editors/vscode"
MANIFEST = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
LOCK = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))
EXACT = re.compile(r"\d+\.\d+\.\d+")
PACKAGE = os.environ.get("RULESPEC_VSIX", "")
# Stands in place of the editor and of the library that talks to servers: prints what the extension asks of them.
STAGE = """
const Module = require("module"), path = require("path");
const asked = {}, commands = [];
const parts = {
  vscode: {
    commands: { registerCommand: (name) => commands.push(name) },
    window: {
      showErrorMessage: (text) => { asked.error = text; },
      createTerminal: () => ({ show() {}, sendText: (text) => { asked.typed = text; } }),
    },
    workspace: {
      getConfiguration: (section) => ({ get: (key) => manifest.contributes.configuration.properties[`${section}.${key}`].default }),
      onDidChangeConfiguration: () => 0,
    },
  },
  "vscode-languageclient/node": {
    LanguageClient: class {
      constructor(id, name, run, options) { this.options = options; Object.assign(asked, { run, files: options.documentSelector }); }
      async start() {
        await this.options.middleware.executeCommand("rulespec.runCase", [], async () => ({ passed: true }));
        await this.options.middleware.executeCommand("rulespec.playFromCase", [], async () => ({ command: "rulespec play x" }));
        this.leave();
      }
      leave() { if (process.argv[2] === "missing") throw new Error("not found"); }
      async stop() { asked.stopped = true; }
    },
  },
};
const manifest = require(path.join(process.argv[1], "package.json"));
const load = Module._load;
Module._load = (name, ...rest) => parts[name] ?? load(name, ...rest);
const extension = require(path.join(process.argv[1], manifest.main));
extension.activate({ subscriptions: [] }).then(extension.deactivate).then(() => console.log(JSON.stringify({ ...asked, commands })));
"""


def words(text: str) -> list[tuple[str, str]]:
    """The tokens of an expression and their scopes, as its patterns name them."""
    found, at = [], 0
    patterns = [(re.compile(own["match"]), own["name"]) for own in grammar.expression()]
    while at < len(text):
        matches = [(match, name) for own, name in patterns if (match := own.search(text, at)) is not None]
        if not matches:
            break
        match, name = min(matches, key=lambda pair: pair[0].start())
        found.append((match[0], name.removesuffix(".rulespec")))
        at = match.end()
    return found


def test_versions_are_pinned() -> None:
    wanted = {**MANIFEST["dependencies"], **MANIFEST["devDependencies"]}
    assert all(EXACT.fullmatch(version) for version in wanted.values())
    assert {name: LOCK["packages"][f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert all("integrity" in own for path, own in LOCK["packages"].items() if path and "link" not in own)


def test_what_is_declared_is_there() -> None:
    declared = [own["path"] for own in MANIFEST["contributes"]["grammars"]]
    declared += [own["configuration"] for own in MANIFEST["contributes"]["languages"]]
    for name in (*declared, MANIFEST["main"], MANIFEST["icon"], "README.md"):
        assert (FOLDER / name).is_file(), name
    for own in MANIFEST["contributes"]["grammars"]:
        text = json.loads((FOLDER / own["path"]).read_text(encoding="utf-8"))
        assert text["scopeName"] == own["scopeName"] and own["injectTo"] == ["source.yaml"]
    assert len(declared) == len(grammar.files()) + 1
    json.loads((FOLDER / "language-configuration.json").read_text(encoding="utf-8"))


def test_expressions_have_colours() -> None:
    assert words("highest(c.value for c in p.hand where c.value >= 3)") == [
        ("highest", "support.function"),
        ("value", "variable.other.property"),
        ("for", "keyword.operator.word"),
        ("in", "keyword.operator.word"),
        ("hand", "variable.other.property"),
        ("where", "keyword.operator.word"),
        ("value", "variable.other.property"),
        (">=", "keyword.operator"),
        ("3", "constant.numeric"),
    ]
    assert words("Card.red or none") == [
        ("Card", "support.type"),
        ("red", "variable.other.property"),
        ("or", "keyword.operator.word"),
        ("none", "constant.language"),
    ]
    assert [words(f"{name}(x)")[0] for name in functions()] == [(name, "support.function") for name in functions()]


@pytest.mark.parametrize(
    ("line", "key", "text"),
    [
        ("log: They go in", "log", "They go in"),
        ("why: There are none, or few", "why", "There are none, or few"),
        ("say: Take {card}", "say", "Take {card}"),
    ],
)
def test_texts_are_no_expressions(line: str, key: str, text: str) -> None:
    match = re.search(grammar.grammars()["text"]["patterns"][0]["match"], f"  - {line}")
    assert match is not None and (match[1], match[3]) == (key, text)


def test_only_games_are_coloured() -> None:
    begin = re.compile(grammar.grammars()["game"]["patterns"][0]["begin"])
    assert all(begin.match(head) for head in ("rulespec: 1", "part of: higher", "extends: chess", "cases:"))
    assert not any(begin.match(head) for head in ("name: x", "  rulespec: 1", "jobs:"))


def test_the_icon_is_drawn_from_its_shapes() -> None:
    assert (FOLDER / "icon.svg").read_text(encoding="utf-8") == icon.SVG
    drawn, kept = icon.png(icon.SVG), (FOLDER / "icon.png").read_bytes()
    assert raw(drawn) == raw(kept)
    assert len(ET.fromstring(icon.SVG)) == len(icon.shapes_of(icon.SVG))
    assert kept[16:24] == (128).to_bytes(4, "big") * 2  # what the marketplace wants


def raw(png: bytes) -> bytes:
    """The pixels of a PNG of one chunk, however they are packed."""
    start = png.index(b"IDAT") + 4
    return zlib.decompress(png[start : start + int.from_bytes(png[start - 8 : start - 4], "big")])


@pytest.mark.parametrize("there", ["there", "missing"])
def test_the_server_is_started_by_its_command(there: str) -> None:
    """What the extension starts is a command that we have; where it is missing, people are told what to install."""
    assert MANIFEST["contributes"]["configuration"]["properties"]["rulespec.command"]["default"] == "rulespec"
    assert main(["lsp", "--help"]) == 0
    node = shutil.which("node")
    if node is None:
        assert re.search(r'args: \["lsp"\]', (FOLDER / "extension.js").read_text(encoding="utf-8"))
        return
    done = subprocess.run([node, "-e", STAGE, str(FOLDER), there], capture_output=True, text=True, check=True)
    asked = json.loads(done.stdout)
    assert asked["run"] == {"command": "rulespec", "args": ["lsp"]}
    assert {"scheme": "file", "language": "yaml"} in asked["files"]
    assert asked["commands"] == [own["command"] for own in MANIFEST["contributes"]["commands"]]
    if there == "there":
        assert asked["stopped"] and "error" not in asked
        assert asked["typed"] == "rulespec play x"
    else:
        assert "rulespec[lsp]" in asked["error"]


@pytest.mark.skipif(not PACKAGE, reason="`make vscode` builds the package")
def test_the_package_holds_what_it_needs_and_no_more() -> None:
    with zipfile.ZipFile(Path(PACKAGE)) as package:
        names = {name.removeprefix("extension/") for name in package.namelist() if name.startswith("extension/")}
        manifest = json.loads(package.read("extension/package.json"))
    own = {name for name in names if not name.startswith("node_modules/")}
    syntaxes = {f"syntaxes/{name}" for name in grammar.files()}
    assert own == {
        "LICENSE.txt", "extension.js", "icon.png", "language-configuration.json", "package.json", "readme.md", *syntaxes
    }  # fmt: skip
    assert "node_modules/vscode-languageclient/node.js" in names
    assert not any(name.startswith("node_modules/@vscode/vsce") for name in names)
    assert EXACT.match(manifest["version"]) and Path(PACKAGE).name == f"rulespec-{manifest['version']}.vsix"
