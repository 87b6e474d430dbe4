"""What people write who know another language, or plain English, and how it is said here."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulespec.text.quoting import ticked

NAMES = {
    "true": "yes", "True": "yes", "false": "no", "False": "no", "null": "none", "None": "none", "nil": "none",
    "self": "this", "length": "size", "len": "size", "filter": "those", "map": "each", "sort": "sorted",
    "random": "roll` or `pick", "choice": "choose", "others": "players - set(p)", "opponents": "players - set(p)",
    "everybody": "players", "everyone": "players", "all_players": "players", "opponent": "rival(p)", "other": "rival(p)",
    "other_player": "rival(p)", "next_player": "left_of(p)",
    "current_player": "active", "deck_size": "size(deck)", "maximum": "highest", "minimum": "lowest", "largest": "highest",
    "smallest": "lowest", "exists": "any", "some": "any", "every": "all", "floor": "div(a, b)", "contains": "x in items",
    "includes": "x in items", "range": "1..3", "Yes": "yes", "No": "no", "YES": "yes", "NO": "no", "nobody": "none",
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
}  # fmt: skip
VERBS = {
    "subtract": "lose", "decrease": "lose", "reduce": "lose", "decrement": "lose",
    "increase": "add", "increment": "add", "gain": "add", "pay": "transfer` or `lose", "spend": "lose",
    "append": "move` or `add", "push": "move` or `add", "insert": "move",
    "assign": "set", "change": "set", "var": "let", "variable": "let", "define": "let",
    "for each": "for", "foreach": "for", "each": "for", "loop": "while` or `repeat", "switch": "match", "case": "match",
    "break": "stop", "exit": "stop", "elif": "if` under `else:",
    "else if": "if` under `else:", "ask": "choose`, `offer` or `may", "question": "choose`, `offer` or `may",
    "select": "choose", "choice": "choose` or `offer", "option": "offer", "decide": "choose` or `offer",
    "print": "log", "say": "log", "write": "log", "message": "log", "tell": "log", "show": "reveal` or `look", "peek": "look",
    "put": "move", "place": "move", "take": "move` or `draw", "discard": "move",
    "play": "move", "lay": "move", "destroy": "move", "kill": "move",
    "throw": "roll", "dice": "roll", "random": "roll` or `pick", "trigger": "announce", "raise": "announce", "winner": "win",
    "finish": "end", "quit": "end", "assert": "check", "wait": "skip", "pass": "skip", "continue": "if",
}  # fmt: skip
OPERATORS = {  # words where an operator is wanted
    "AND": "and", "And": "and", "OR": "or", "Or": "or", "NOT": "not", "equals": "==", "equal": "==", "is_equal": "==", "eq": "==",
    "unequal": "!=", "more": ">", "greater": ">", "bigger": ">", "above": ">", "over": ">", "less": "<", "fewer": "<",
    "smaller": "<", "below": "<", "under": "<", "least": ">=", "most": "<=", "plus": "+", "minus": "-", "times": "*", "x": "*",
}  # fmt: skip
OF_MANY = {"max": "highest(...)", "min": "lowest(...)"}  # of numbers one by one: how it is said of a list or set
ONE_BY_ONE = {"highest": "max", "lowest": "min", "sum": "+"}  # of a list or set: how of numbers one by one
HINTS = {
    "flip": "a coin is a die with two faces: `roll: 1`, `die: 2`",
    "toss": "a coin is a die with two faces: `roll: 1`, `die: 2`",
    "call": "the name of a procedure is a step by itself: `- turn`, or `- turn: p1` with what it takes",
    "run": "the name of a procedure is a step by itself: `- turn`, or `- turn: p1` with what it takes",
    "remove": "`lose` takes from a number, `move` moves pieces",
    "leave": "`stop` leaves a loop, `end` a phase or scope",
    "given": "a position is its steps themselves; in a case they are written under `given`",
    "swap": "keep one of the two by `let`, then `move` or `set` each",
}
BESIDE = {  # beside which key: a hint
    "else if": ("then", "write another step `if:` under `else:`"),
    "in": ("for", "write both in one line: `for: p in players`"),
}
SECTIONS = {
    "variables": "state", "attributes": "state", "resources": "state", "turn": "phases", "turns": "phases",
    "rounds": "phases", "steps": "phases", "actions": "procedures", "moves": "procedures", "verbs": "procedures",
    "cards": "pieces", "components": "pieces", "tokens": "pieces", "dice": "types", "enums": "types", "areas": "zones",
    "piles": "zones", "decks": "zones", "places": "map", "name": "title", "version": "rulespec", "description": "about",
    "triggers": "rules", "effects": "rules", "scoring": "end of game", "winner": "end of game", "victory": "end of game",
    "game end": "end of game", "game over": "end of game", "end": "end of game", "ending": "end of game", "goal": "end of game",
    "tests": "cases", "settings": "options", "includes": "parts", "constants": "tables",
}  # fmt: skip
KEYS = {
    "steps": "do", "actions": "do", "effect": "do", "then": "do", "when": "if", "condition": "if", "reason": "why",
    "type": "is", "start": "starts", "initial": "starts", "default": "starts", "begins": "starts", "value": "starts",
    "visible to": "seen by", "visible": "seen by", "visibility": "seen by", "hidden": "seen by", "owner": "per", "by": "per",
    "prompt": "say", "text": "say", "question": "say", "label": "say", "player": "by", "who": "by", "options": "from",
    "returns": "gives", "result": "gives", "arguments": "takes", "parameters": "takes", "params": "takes", "args": "takes",
    "cards": "rows", "members": "rows",
    "several": "count", "how many": "count", "amount": "count", "quantity": "count", "optional": "or none",
}  # fmt: skip
SETUP = "what is done first are the first steps of `game`, under `phases`"
BODY = "a function is one expression, under `is`; steps with a result are a procedure that `gives` it"
FOREIGN = {  # where a key stands that may be meant: what is said of it
    "elseif": ("then", "write another step `if:` under `else:`"),
    "where": ("only", "which of them may be chosen is written `only`"),
    "otherwise": ("else", "it is written `else`"),
    "into": ("as", "it is written `as`"),
    "shuffled": ("order", "it is written `order: shuffled`"),
    "elif": ("else", "put a whole `if` step under `else:`"),
    "do": ("then", "the steps are written under `then`"),
    "on": ("after", "it is written `after`, or `before` or `instead of`"),
    "when": ("after", "what sets it off is written `after`, `before` or `instead of`; a condition `where`"),
    "trigger": ("after", "it is written `after`, or `before` or `instead of`"),
    "then": ("do", "the steps are written under `do`"),
    "effect": ("do", "the steps are written under `do`"),
    "default": ("starts", "what it is at the beginning is written `starts`"),
    "type": ("is", "the type is written `is`"),
    "for": ("to", "who reads it is written `to`"),
}
ASSIGNMENT = re.compile(
    r"(?P<place>[A-Za-z_][\w.]*(?:\([^()]*\)[\w.]*)?)\s*(?P<sign>[-+:]?)==?\s*(?P<value>[^=].*)\Z", re.DOTALL
)
CALL = re.compile(r"([A-Za-z_]\w*)\((.*)\)\Z", re.DOTALL)


def of_many(function: str) -> list[str]:
    """The help where a function of numbers one by one is given a list or set of them."""
    return [f"of a list or set it is written `{OF_MANY[function]}`"] if function in OF_MANY else []


def one_by_one(function: str, given: Sequence[str]) -> list[str]:
    """The help where a function of a list or set is given numbers one by one, which are as `given`, or nothing to make one of."""
    if not given:
        return ["without items it is written `empty`"] if function in ("set", "list") else []
    if function not in ONE_BY_ONE or len(given) == 1:
        return []
    written = " + ".join(given) if function == "sum" else f"{ONE_BY_ONE[function]}({', '.join(given)})"
    return [f"of numbers one by one it is written {ticked(written)}"]


def verb(name: str) -> str:
    """How a verb of elsewhere is said, as a hint; empty if it is none."""
    word = name.casefold()
    return HINTS.get(word) or (f"it is written `{VERBS[word]}`" if word in VERBS else "")


def key(name: str, names: Sequence[str], is_verb: bool) -> str:
    """How a key of elsewhere, or a verb that should begin a step, is said beside the keys that may stand there; empty if it is none."""
    target, known = FOREIGN.get(name.casefold(), ("", ""))
    if target in names:
        return known
    if name in ("do", "steps", "body") and "is" in names and "layers" in names:
        return BODY
    if name.casefold() in ("setup", "set up", "start", "beginning") and "rulespec" in names:
        return SETUP
    if name.casefold() == "type" and "of" in names:
        return "it is written `of`"
    if is_verb:
        return f"{ticked(name)} is a step of its own: begin it with a dash; keys here: {', '.join(names)}"
    other, hint = BESIDE.get(name.casefold(), ("", ""))
    if "rulespec" in names and name.casefold() in SECTIONS:
        return f"it is written {ticked(SECTIONS[name.casefold()])}"
    said = KEYS.get(name.casefold(), "")
    return hint if hint and other in names else f"it is written {ticked(said)}" if said and said in names else ""


def call(text: str) -> str:
    """A step that is written like a call, `next_player(active)`: how it is said."""
    if (match := CALL.match(text)) is None:
        return ""
    if match[1].casefold() in VERBS or match[1].casefold() in HINTS:
        return verb(match[1])
    first, _, more = match[2].partition(",")
    said = f"{match[1]}: {first.strip()}" if first.strip() else match[1]
    return f"a step is a verb and what it is about: {ticked(said)}" + (
        "; the others follow as keys, by their names" if more else ""
    )


def assignment(text: str) -> str:
    """A step that is written like an assignment, `coins = 8` or `coins += 1`: how it is said."""
    if (match := ASSIGNMENT.match(text)) is None:
        return ""
    place, value = match["place"].strip(), match["value"].strip()
    if match["sign"] == "+":
        return f"more is added by a step: {ticked(f'{{add: {value}, to: {place}}}')}"
    if match["sign"] == "-":
        return f"some is taken by a step: {ticked(f'{{lose: {value}, from: {place}}}')}"
    return f"a variable is changed by a step: {ticked(f'{{set: {place}, to: {value}}}')}"


def seat(name: str, seats: list[str]) -> str:
    """A seat that is called otherwise, such as `player1`: which one is meant; empty if none is."""
    match = re.fullmatch(r"(?:player|seat)[ _]?(\d{1,2})", name.casefold())
    number = int(match[1]) if match else 0
    return f"did you mean {ticked(seats[number - 1])}?" if 0 < number <= len(seats) else ""
