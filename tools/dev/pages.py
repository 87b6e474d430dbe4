"""The reference pages, from the definitions of the language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rulespec.codes.entry import FAMILIES, ErrorCode
from rulespec.language import registry, sections
from rulespec.language.sections import BLOCKS, UNIONS
from rulespec.language.shapes import Key
from rulespec.lint.allow import ALLOWANCES
from rulespec.lint.linter import RULES
from rulespec.schema.build import COMMON, sentence

TEXTS = """\
In a text, expressions stand in braces: `"{p} has {p.coins} coins"`, in quotes. A brace of the text itself is written twice: `{{`, `}}`.
Several things read as `Ale, Bread and Salt`; where the name of one holds a comma or an "and", as `Ale; Bread and butter; and Salt`.

A text within an expression has double quotes of its own, around which YAML needs others: `aim: '"to rob {p2}"'`. What stands in its
braces is computed where the text is; then it is a value, which may be an argument, a result, a variable or an item of a list.
It holds what is filled in, not the names: a card that a reader does not see is "a card" for that reader wherever the text is shown. What
a text reveals besides is judged as in a log. Texts are equal that have the same words around the same values (`"{2}"` is not `"2"`);
they have no order, so that there is no set of them. A text that is filled in has at most 1000 characters and values (R002).
Texts in the rows of a table are data, in which a brace is a brace."""
NOTE = "<!-- Generated from the definitions by `python -m tools.dev.generate`; do not edit. -->"
GROUPS = {
    "choices": "Choices",
    "control": "Control",
    "pieces": "Pieces",
    "chance": "Chance",
    "state": "Variables",
    "events": "Events",
    "numbers": "Numbers",
    "lists": "Lists and sets",
    "bags": "Bags",
    "players": "Players and members",
    "maps": "Maps",
    "boards": "Boards",
    "payments": "Payments",
}
HEAD = """# Reference

A game is a mapping of sections in YAML. Texts that are *expressions* are written without brackets and braces; quote
them where they stand in `[ ]` or `{ }` and hold a comma. [An editor](editor.md) that knows YAML schemas completes and
explains every key:

```yaml
# yaml-language-server: $schema=../../schemas/game.schema.json
```

All messages are listed in [errors.md](errors.md).
"""


# How expressions are written: what it is, an example about the example game, and what that is at its beginning.
EXPRESSIONS = (
    ("Arithmetic: `+ - *`; `div` and `mod` are functions.", "2 + 3 * 4", "14"),
    ("Comparisons: `== != < <= > >=`, joined by `and`, `or`, `not`.", "p1.coins == 3 and not p2.coins < 3", "yes"),
    ("A dot is \"its\": a field, variable, zone or value of a member.", "red_5.colour", "red"),
    ("A function, or a table by its keys; one with nothing to give, or by `players` only, stands alone.",
     "hand_size", "2"),
    ("`if ... then ... else ...`.", "if p1.coins > 2 then red else blue", "red"),
    ("What may be none: `is none`, `is known`.", "bidder is none", "yes"),
    ("`otherwise`: something else instead of none.", "bidder otherwise p2", "p2"),
    ("Or where `first`, `last`, `top`, `bottom`, `the`, `highest`, `lowest` have no item.",
     "highest(c.value for c in p1.hand) otherwise 0", "0"),
    ("A list, set, bag or zone: `is empty`, `is not empty`.", "p1.hand is empty", "yes"),
    ("One of several: `in`, `not in`.", "red_1 not in p1.hand", "yes"),
    ("`includes`: the same seen from the other side, of one or of several.", "set(1, 2, 3) includes set(1, 3)", "yes"),
    ("Sets are joined by `+`; `-` leaves out.", "set(1, 2) - set(2)", "set(1)"),
    ("Lists too: `+` puts one behind the other, `-` takes one item for each that is named.", "list(5, 3, 5) - list(5)", "list(3, 5)"),
    ("Bags: `NUMBER of KIND`, joined by `+`.", "size(2 of ruby + 1 of jade)", "3"),
    ("An interval; open at one end as `1..` or `..3`.", "sum(n in 1..3)", "6"),
    ("All members of a type; all players are `players`.", "count(c in Card)", "5"),
    ("`where`: those items only.", "count(c in Card where c.value > 4)", "2"),
    ("`for`: something of each item.", "each(c.value for c in Card where c.colour == red)", "list(1, 5)"),
    ("`have`: what all must have.", "all(p in players have p.coins == 3)", "yes"),
    ("`by`: what is compared; in brackets more, where the first is equal.",
     "first(most(c in Card by (number(c.colour), c.value)))", "green_9"),
    ("Several collections: each with each; what stands later may speak of what stands before, and each has its own `where`.",
     "count(p in players where p.coins > 3, c in p.hand where c.value == p.coins)", "0"),
    ("`closure`: what it begins with, and all that a step leads to from there, again and again.",
     "size(closure(neighbours(q) for q in set(hill)))", "4"),
    ("`after`: what something would be after a procedure that asks nobody and draws nothing. Nothing of it stays.",
     "after(earn(p1, 2), p1.coins)", "5"),
    ("`counted`: a number with its word as a text, in the plural that stands under `plurals` unless it is 1.",
     "counted(2, coin) == \"{2} coins\"", "yes"),
    ("A member of a type by both names, where two types have one of that name.", "Colour.red", "red"),
)  # fmt: skip
TYPES = {
    "Yes or no": "`yes` or `no`.",
    "0..9": "A whole number; open as `0..` or `..9`, or any: `Number`.",
    "Colour": "A member of a type, piece, place or player: `Player` is always there.",
    "Player or none": "One, or none. It must be tested (`is known`) before its parts are used.",
    "set of Card": "Several different ones, in no order.",
    "list of Colour": "Several in an order.",
    "bag of Gem": "So many of each kind.",
    "Text": "A text: a name on a card, or words with values filled in. It begins empty.",
}


def table(rows: Iterable[tuple[str, ...]], *heads: str) -> list[str]:
    """A table."""
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines.extend("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in rows)
    return [*lines, ""]


def code(text: str, language: str = "yaml") -> list[str]:
    return [f"```{language}", text, "```", ""]


def anchor(title: str) -> str:
    """Where a heading can be linked to."""
    return re.sub(r"[^a-z0-9 _-]", "", title.lower()).replace(" ", "-")


def stands(shape: str, words: tuple[str, ...] = ()) -> str:
    """A shape for the page, linked to the block that it is about."""
    if words:
        return ", ".join(f"`{word}`" for word in words)
    phrases = []
    for part in sections.parts(shape):
        if part.startswith("names of "):
            phrases.append(f"name → {stands(part.removeprefix('names of '))}")
        elif part.startswith("list of "):
            phrases.append(f"list of: {stands(part.removeprefix('list of '))}")
        elif part in BLOCKS:
            title = BLOCKS[part].title
            phrases.append(f"[{title}](#{anchor(title)})")
        elif part == "bare word":
            continue
        elif part == "step":
            phrases.append("[a step](#steps)")
        else:
            phrases.append("anything" if part == "anything" else sections.SCALARS[part].phrase)
    return ", or ".join(dict.fromkeys(phrases))


def short(shape: str) -> str:
    """A shape for the page; shapes with a plain name are called by it."""
    plain = {
        "steps": "[steps](#steps)",
        "cites": "ids of sources",
        "reasons": "conditions",
        "none": "a text, or say, if, why, do",
        "map": "expressions by name",
        "rows": "rows",
        "parameters": "types by name",
        "columns": "types by name",
    }
    return plain.get(shape) or (
        UNIONS[shape].phrase if shape in ("branches", "arms", "data", "exprs") else stands(shape)
    )


def block_rows(keys: Mapping[str, Key]) -> list[tuple[str, ...]]:
    return [
        (
            f"`{name}`" + (" *" if key.required else ""),
            stands(key.shape, key.words) if key.words else short(key.shape),
            key.about,
            f"`{name}: {key.example}`",
        )
        for name, key in keys.items()
    ]


def reference() -> str:
    """The page of the language."""
    lines = [NOTE, "", *HEAD.split("\n")]
    lines += ["## Sections", "", BLOCKS["game"].about + " Keys with * must be there.", ""]
    lines += table(
        ((f"`{n}`" + (" *" if k.required else ""), short(k.shape), k.about) for n, k in BLOCKS["game"].keys.items()),
        "section",
        "what stands there",
        "what it says",
    )
    lines += ["All sections in one game, which is none to be played:", "", *code(sections_example().rstrip())]
    lines += ["## Declarations", ""]
    for name, block in BLOCKS.items():
        if name not in ("game", "variables"):
            lines += [f"### {capital(block.title)}", "", block.about, ""]
            lines += table(block_rows(block.keys), "key", "what stands there", "what it says", "example")
    lines += expressions() + steps() + function_pages()
    return finished(lines)


def expressions() -> list[str]:
    """How expressions and types are written."""
    lines = ["## Expressions", "", "What they give in [the example game](../rulespec/library/example_game.yaml):", ""]
    lines += table(
        ((about, f"`{example}`", f"`{gives}`") for about, example, gives in EXPRESSIONS),
        "what is written",
        "example",
        "gives",
    )
    lines += [TEXTS, ""]
    lines += ["### Types", ""]
    return lines + table(((f"`{name}`", about) for name, about in TYPES.items()), "type", "what it holds")


def sections_example() -> str:
    """The examples of all sections: a game."""
    return "".join(
        f"{name}: {key.example}\n" for name, key in BLOCKS["game"].keys.items() if not name.startswith("part")
    )


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def steps() -> list[str]:
    """The verbs."""
    lines = [
        "## Steps",
        "",
        "The first key of a step is its verb, the other keys are its prepositions. A bare word is a",
        "procedure without arguments, or `skip`, which does nothing. Any step may have:",
        "",
    ]
    lines += table(
        ((f"`{n}`", short(k.shape), k.about) for n, k in COMMON.items()), "key", "what stands there", "what it says"
    )
    lines += [
        "A procedure of the game is a verb too: `name: first argument`, other parameters as keys, `by` for `me`",
        "(which is the first argument where it is the only one), and `as` for a name of the result.",
        "",
        "`me` is a player: in a rule whose rule it is, in a bot the seat that is asked, elsewhere a parameter that is declared as",
        "`me: Player`. It is nobody else's, and nothing sets it by itself. A verb that asks a player, or shows a player something, takes",
        "that one from `by`; without `by` it is `me`, and where there is no `me` either an error (E504). A procedure that takes",
        "`me` gets it in the same way: from `by`, else the `me` of where it is called, else an error (E301).",
        "",
    ]
    for group in dict.fromkeys(verb.group for verb in registry.verbs().values()):
        lines += [f"### {GROUPS[group]}", ""]
        for verb in registry.verbs().values():
            if verb.group == group:
                lines += [f"#### `{verb.name}`", "", *paragraphs(verb.doc)]
                keys = {verb.name: verb.value, **verb.keys}
                rows = (
                    (f"`{n}`" + (" *" if k.required else ""), verb_key(k), sentence(k.about)) for n, k in keys.items()
                )
                lines += table(rows, "key", "what stands there", "what it says") + code(verb.example)
    return lines


def verb_key(key: registry.VerbKey) -> str:
    if not key.required and key.about == "nothing":
        return "nothing"
    return stands("", key.words) if key.words else ", or ".join(short(shape) for shape in (key.shape, *key.also))


def paragraphs(doc: str) -> list[str]:
    """A docstring without its indentation."""
    return ["\n".join(line.strip() for line in doc.strip().split("\n")), ""]


def function_pages() -> list[str]:
    """The functions."""
    lines = [
        "## Functions",
        "",
        "`x.name(y)` and `name(x, y)` are the same. `many T` is a list or a set of T. The examples",
        "speak of [the example game](../rulespec/library/example_game.yaml).",
        "",
    ]
    functions = registry.functions()
    for group in dict.fromkeys(function.group for function in functions.values()):
        lines += [f"### {GROUPS[group]}", ""]
        for function in functions.values():
            if function.group == group:
                lines += [f"#### `{function.name}`", "", *paragraphs(function.doc)]
                lines += code(
                    "\n".join([*(signature.text for signature in function.signatures), *binding(function)]), "text"
                )
                lines += table(((f"`{a}`", f"`{b}`") for a, b in function.examples.items()), "example", "gives")
    return lines


def binding(function: registry.FunctionDef) -> list[str]:
    """How a function is written that takes a name in a collection."""
    word = {"where": "where condition", "have": "have condition", "by": "by number"}.get(function.binds)
    forms = [] if word is None else [f"{function.name}(x in items {word})"]
    return [*forms, f"{function.name}(value for x in items {word})"] if function.binds == "where" else forms


def errors(catalogue: Mapping[str, ErrorCode]) -> str:
    """The page of all codes."""
    lines = [
        NOTE,
        "",
        "# Codes",
        "",
        "Every finding has a code that keeps its meaning; `rulespec explain CODE` prints its entry.",
        "",
    ]
    for letter, family in FAMILIES.items():
        if letter == "L":
            lines += ["## L: lint", "", "See [lint.md](lint.md).", ""]
            continue
        entries = [entry for entry in catalogue.values() if entry.code[0] == letter]
        if not entries:
            continue
        lines += [f"## {letter}: {family}", ""]
        for entry in entries:
            lines += [f"### {entry.code}", "", f"**{entry.title}.** {entry.cause}", ""]
            if entry.bad:
                lines += ["Wrong:", "", *code(entry.bad, "text"), "Right:", "", *code(entry.good, "text")]
            lines += [entry.fix, ""]
    return finished(lines)


LINT = """
What is allowed and yet most likely a mistake. `rulespec lint` reports it after a game has been checked. It reports only what is true
with every number of players and all options: where a rule is not sure, it says nothing.
The [variants](variants.md) of a game are looked through with it;
of each, only what the game does not have is reported: what is on the variant's own lines, and errors on any line.

`rulespec lint --notes` shows *notes* too: places where something may go wrong, and lint cannot prove that it never will. They are
questions to look at once. They change neither the exit code nor the other findings.

A finding that is right as it stands is allowed in its place, with the reason, by a comment on its line or on the line before:

```yaml
state:
  storm: Yes or no  # lint: allow L012 because players look at it
```

A comment that gives no reason, or that allows what is not found, is itself a finding. `rulespec lint --fix` corrects what can be
corrected without a change in play; `--diff` shows it instead.

If a game is too large to check fully, lint says so: E004 for ranges of values, F008 for secrets ([errors.md](errors.md)).
"""


SECRETS = """
## Secrets

`rulespec lint` also follows what nobody, or not everybody, may know, from where it is read to where somebody is shown something
(codes F001 to F008 of [errors.md](errors.md)); none of these can be allowed by a comment. Reported is what depends on it:

- which answers a player may give, with their reasons, prompts and labels, for that player; that somebody is asked, for all;
- a line of the log: that it stands there, and what it says, for all who read it;
- a variable that others see, and that pieces come to or leave a zone whose number others see: when somebody is asked the next time.

A finding names the way of the secret: where it is read, each step on its way, where it is shown and where it is declared.

It follows values through procedures, functions, rules, menus, sealed choices and lasting effects, and also what runs or not by a
hidden condition, such as all that comes after an `end`, a `stop` or a `give` under one. What the rules make known is no
secret from there on: pieces that are moved to where all see them, `reveal`, `look` for that player, and what is put into a
variable with `seen by: all`.
A player who is shown a value, by `let` with `seen by: set(me)`, knows it from there on. Where the position decides who sees something
(`seen by: those(p in players where tried(p, this))`), lint goes by what is surely so at that place: by conditions and by what was set.
What a `set` with `known to: all` puts into a variable is no secret to whoever sees it.

After an `if`, only what *both* branches reveal counts as known. After a loop that may have no items, what it reveals does not count. A loop
over all players that reveals `p.hand` reveals all hands; a loop over some of them reveals only theirs.

`reveal:` makes known what lies there now. A card that has left unseen before, or a sum that was computed before another card left or came,
is still a secret; the finding names the step that may have changed it.

**Log lines** are part of the information state of whoever reads them, and those to all are public ([what is known](knowledge.md)). A line
says only what its readers may know when it is written. Of a piece they read the name if they see it, and its noun if not. Every
other word is checked here (F004). So the log reveals no secret.

What is *not* found, because it could not be distinguished from what is all right:

- what can be concluded from what is rightly shown, and what the end of the game reveals by itself (what follows, if the game goes on, is
  found);
- what a question, or a line to some players only, reveals of a hidden piece in a variable that all see (what all are shown
  of it is found). A variable `seen by: all` may be given anything;
- that a player is asked which of their rules comes first, where pieces carry them: they run now, which shows them anyway;
- a leak only in options together that no setup has which is tried: all numbers of players with the options as they are by
  default, and rows in which each other value occurs.
"""


def lint(catalogue: Mapping[str, ErrorCode]) -> str:
    """The page of the lint rules: avoid this, prefer that, and why."""
    rules = {rule.code: rule for rule in (*(rule for rule, _ in RULES), *ALLOWANCES)}
    lines = [NOTE, "", "# Lint", *LINT.splitlines(), "", "| code | what it finds | severity |", "|---|---|---|"]
    for code_, rule in sorted(rules.items()):
        lines.append(f"| [{code_}](#{code_.lower()}) | {catalogue[code_].title} | {rule.severity} |")
    lines += SECRETS.splitlines()
    lines.append("")
    for code_, rule in sorted(rules.items()):
        entry = catalogue[code_]
        lines += [
            f"## {code_}",
            "",
            f"**{entry.title}** ({rule.severity}{'' if rule.suppressible else ', cannot be allowed'})",
            "",
            "Avoid:",
            "",
            *code(entry.bad, "yaml"),
            "Prefer:",
            "",
            *code(entry.good, "yaml"),
            f"Why: {entry.cause}",
            "",
            f"What to do: {entry.fix}",
            "",
        ]
    return finished(lines)


def finished(lines: list[str]) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"
