"""A small client of the language server for YAML: opens a file and asks what an editor would ask.

The server is `yaml-language-server` (npm), found by RULESPEC_YAML_SERVER or on the PATH.
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

VARIABLE = "RULESPEC_YAML_SERVER"
SETTINGS = {
    "yaml": {
        "validate": True,
        "hover": True,
        "completion": True,
        "schemaStore": {"enable": False},
        "schemas": {},
        "yamlVersion": "1.2",
        "disableDefaultProperties": False,
        "suggest": {"parentSkeletonSelectedFirst": False},
    },
    "http": {},
    "[yaml]": {"editor.tabSize": 2, "editor.insertSpaces": True},
}
CAPABILITIES = {
    "textDocument": {
        "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
        "hover": {"contentFormat": ["markdown"]},
        "publishDiagnostics": {"relatedInformation": True},
    },
    "workspace": {"configuration": True, "workspaceFolders": True},
}
PATIENCE = 60.0  # seconds until a server that says nothing is given up


def server() -> list[str] | None:
    """The command that starts the server, if it is there."""
    named = os.environ.get(VARIABLE) or shutil.which("yaml-language-server")
    if not named:
        return None
    return [*(["node", named] if named.endswith(".js") else [named]), "--stdio"]


class Editor:
    """A running server with the files that are open in it; a context manager."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder
        )
        self.messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        self.number = 0
        self.told: dict[str, list[Any]] = {}
        self.ask(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": folder.as_uri(),
                "capabilities": CAPABILITIES,
                "workspaceFolders": [{"uri": folder.as_uri(), "name": "games"}],
            },
        )
        self.tell("initialized", {})
        self.tell("workspace/didChangeConfiguration", {"settings": SETTINGS})

    def __enter__(self) -> Editor:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    # --- messages -----------------------------------------------------------------------------------------------------
    def read(self) -> None:
        """Put what the server says into the queue; None when it ends."""
        stream = self.process.stdout
        assert stream is not None
        while True:
            size = None
            while (line := stream.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            if size is None:
                self.messages.put(None)
                return
            self.messages.put(json.loads(stream.read(size)))

    def send(self, message: dict[str, Any]) -> None:
        stream = self.process.stdin
        assert stream is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        stream.flush()

    def tell(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        """The answer to a request; what the server asks meanwhile is answered."""
        self.number += 1
        number = self.number
        self.send({"id": number, "method": method, "params": params})
        while True:
            message = self.next()
            if message.get("id") == number and "method" not in message:
                assert "error" not in message, message["error"]
                return message["result"]

    def next(self) -> dict[str, Any]:
        message = self.messages.get(timeout=PATIENCE)
        assert message is not None, "the server has ended"
        method = message.get("method")
        if method == "textDocument/publishDiagnostics":
            self.told[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif method == "workspace/configuration":
            sections = [item.get("section") for item in message["params"]["items"]]
            self.send({"id": message["id"], "result": [SETTINGS.get(name) for name in sections]})
        elif method is not None and "id" in message:
            self.send({"id": message["id"], "result": None})
        return message

    # --- questions ----------------------------------------------------------------------------------------------------
    def open(self, path: Path, text: str) -> str:
        """Open a file, not opened before, with this text; its URI.  The server keeps what it knows of a URI."""
        if not path.exists():
            path.write_text(text, encoding="utf-8")
        uri = path.as_uri()
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return uri

    def diagnostics(self, uri: str) -> list[Any]:
        """What the server finds in an open file."""
        while uri not in self.told:
            self.next()
        return self.told[uri]

    def completions(self, uri: str, line: int, column: int) -> list[Any]:
        """What may be written at a place (0-based)."""
        answer = self.ask(
            "textDocument/completion", {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
        )
        return answer["items"] if isinstance(answer, dict) else answer or []

    def hover(self, uri: str, line: int, column: int) -> str:
        """What is said of a place (0-based), as markdown; nothing is an empty text."""
        answer = self.ask(
            "textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
        )
        if not answer:
            return ""
        contents = answer["contents"]
        return contents if isinstance(contents, str) else contents.get("value", "")
