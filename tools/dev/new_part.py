"""`make new-verb`, `make new-function`, `make new-code`: a part of the language to begin with, in all the places that one has.

`python -m tools.dev.new_part verb "lose turn" [leaving]` writes the verb, a game that plays it and a game of its mistakes;
`function NAME [lists]` a function; `code FILE` the entry of the next code in a file of `rulespec/codes/`.  What is to be filled in is
marked, and `tests/lint/test_lint.py` fails for each mark that is left.  A lint rule has a command of its own (`tools.dev.new_rule`).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from keyword import iskeyword
from pathlib import Path

from rulespec.language.registry import functions, verbs
from rulespec.text.diagnostics import RulespecError

from . import codes

ROOT = Path(__file__).resolve().parents[2]
NAME = re.compile(r"[a-z][a-z0-9]*([_ ][a-z0-9]+)*")
USAGE = "NAME says what it is: new_part verb NAME [FILE], new_part function NAME [FILE], or new_part code FILE"
VERB = '''

@verb(
    "{name}",
    VerbKey("expr", "FILL IN: what stands here", required=True, role="amount"),
    {},  # FILL IN: the keys beside it, each with its role
    group="{group}",
    example="- {name}: 1",
)
def {word}(body: Body, node: MapNode, value: Node, env: Env) -> Env:
    """FILL IN: what the step does."""
    amount, t = body.expressions.of(value, env)
    _, index = env.fresh(t)
    body.emit(ir.Let(index, amount, node.span))  # FILL IN: the instructions that do it
    return env
'''
PLAYED = """# FILL IN: what `{name}` does, and where it does nothing.
rulespec: 1
id: {word}
players: 2

phases:
  game:
    do:
      - {name}: 1
      - win: p1

cases:
  it_is_done:
    run: [game]
"""
MISUSED = """# FILL IN: each mistake that there is with `{name}`, its code on its line.
rulespec: 1
id: {word}_misused
players: 2
phases:
  game:
    do:
      - {name}: nothing_of_this_name     # error: E100
"""
FUNCTION = '''

@function(
    "{name}(number: Number) -> Number",  # FILL IN: what it takes, and what it gives
    examples={"{name}(2)": "2"},  # FILL IN: calls, and what they give
    facts=Facts(c=C("$a")),  # FILL IN: what is true of it, and how C writes it
)
def {name}(number: int) -> int:
    """FILL IN: what it gives, in one sentence."""
    return number
'''
CODE = """
{code}:
  title: "FILL IN: what is wrong, as a title"
  cause: "FILL IN: what is refused, and why."
  # FILL IN: the smallest text with this code and no other
  bad: |-
    - win: p3
  # FILL IN: the same, put right
  good: |-
    - win: p1
  fix: "FILL IN: what the author does about it."
"""


def main() -> int:
    """Write the part that the command line names; 2 and one line where that cannot be."""
    makers: dict[str, Callable[..., list[Path]]] = {"verb": new_verb, "function": new_function, "code": new_code}
    try:
        kind, name, *file = sys.argv[1:]
        if len(file) > (kind != "code"):
            raise KeyError(file)
        paths = makers[kind](ROOT, name, *file)
    except (KeyError, ValueError, RulespecError) as error:
        print(USAGE if isinstance(error, KeyError) or len(sys.argv) < 3 else error, file=sys.stderr)
        return 2
    for path in paths:
        print(f"written: {path.relative_to(ROOT).as_posix()}")
    print("next: `grep -rn 'FILL IN'` in these files, then `make generate`, and a line in CHANGELOG.md")
    return 0


def new_verb(root: Path, name: str, file: str = "state") -> list[Path]:
    """Write a verb, the game that plays it and that of its mistakes. Raises ValueError for a name that is malformed or taken."""
    word = checked(name, verbs().keys() | functions().keys()).replace(" ", "_")
    module = there(root / f"rulespec/checker/verbs/{file}.py")
    games = [root / f"tests/conformance/{folder}/{word}.yaml" for folder in ("play", "errors")]
    for path in games:
        if path.exists():
            raise ValueError(f"{path.relative_to(root).as_posix()} is there already")
    groups = re.findall(r'(?m)^    group="([a-z ]+)",$', module.read_text(encoding="utf-8"))
    append(module, VERB, name=name, word=word, group=groups[-1])
    for path, text in zip(games, (PLAYED, MISUSED), strict=True):
        write(path, filled(text, name=name, word=word))
    return [module, *games]


def new_function(root: Path, name: str, file: str = "numbers") -> list[Path]:
    """Write a function of the language. Raises ValueError for a name that is malformed or taken."""
    if " " in checked(name, verbs().keys() | functions().keys()):
        raise ValueError("the name of a function is one word")
    module = there(root / f"rulespec/library/{file}.py")
    append(module, FUNCTION, name=name)
    return [module]


def new_code(root: Path, file: str) -> list[Path]:
    """Write the entry of the code behind the last one of a file of codes, and the catalogue with it.

    Raises ValueError where there is no such file, RulespecError where an entry of another code is wrong.
    """
    path = there(root / f"rulespec/codes/{file}.yaml")
    taken = codes.entries(root)
    own = re.findall(r"(?m)^([A-Z]\d{3}):", path.read_text(encoding="utf-8"))
    append(path, CODE, code=codes.next_free(max(own), taken))
    return [path, codes.write(root)]


def checked(name: str, taken: set[str]) -> str:
    """The name; ValueError for one that is malformed or taken."""
    if not NAME.fullmatch(name):
        raise ValueError(f"`{name}` cannot be a name: small letters, digits, _ and spaces only, a letter first")
    if name in taken or iskeyword(name):
        raise ValueError(f"`{name}` is a word of the language already")
    return name


def there(module: Path) -> Path:
    """The file; ValueError where there is none."""
    if not module.is_file():
        raise ValueError(f"there is no {module.parent.name}/{module.name}")
    return module


def append(module: Path, text: str, **holes: str) -> None:
    """Add a text with its holes filled in to the end of a file."""
    write(module, module.read_text(encoding="utf-8") + filled(text, **holes))


def filled(text: str, **holes: str) -> str:
    """A text with its holes filled in; other braces stay."""
    for hole, word in holes.items():
        text = text.replace(f"{{{hole}}}", word)
    return text


def write(path: Path, text: str) -> None:
    """Write a file."""
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
