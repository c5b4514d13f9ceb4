"""The grammar of JSON over tokens, without recursion and without values: numbers, duplicates and depth stay as they are.

Source: RFC 8259. NaN and Infinity, which Python and JavaScript programs write, pass.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

TOKEN = re.compile(r'[ \t\n\r\x1e\ufeff]*(?:("[^"\\]*(?:\\.[^"\\]*)*")|([{}\[\],:])|([^\s{}\[\],:"]+)|(\S))', re.DOTALL)
SCALAR = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|NaN|-?Infinity")
MAX_NAMES = 200  # of the root's properties that are kept
KINDS = {"{": "object", "[": "array", '"': "string", "t": "boolean", "f": "boolean", "n": "null"}
VALUE, VALUE_OR_END, KEY, KEY_OR_END, COLON, COMMA_OR_END, NOTHING = range(7)


@dataclass(slots=True)
class Facts:
    """What the tokens say: the root's kind, its properties or elements, and where the grammar is broken, if it is."""

    root_kind: str | None = None
    names: list[str] = field(default_factory=list)
    count: int = 0
    problem_at: int | None = None
    is_cut: bool = False


def facts_of(text: str) -> Facts:
    """Return the facts of a text. `is_cut`: the text is right as far as it goes, and ends before its value does."""
    facts, stack, state, end = Facts(), bytearray(), VALUE, 0
    for match in TOKEN.finditer(text):
        string, mark, scalar, other = match.groups()
        token = string or mark or scalar or other
        end = match.end()
        if facts.root_kind is None:
            facts.root_kind = KINDS.get(token[0], "number")
        new = None if other else _next(state, token, string, mark, stack)
        if new is None:
            facts.problem_at = end - len(token)
            return facts
        if len(stack) == 1:
            _note(facts, state, token, string, stack)
        state = new
    facts.is_cut = state != NOTHING
    return facts


def _next(state: int, token: str, string: str | None, mark: str | None, stack: bytearray) -> int | None:
    """Return the state behind a token, or None where it can't stand; the stack holds the open brackets."""
    if mark in ("}", "]"):
        is_object = mark == "}"
        allowed = (KEY_OR_END, COMMA_OR_END) if is_object else (VALUE_OR_END, COMMA_OR_END)
        if state not in allowed or not stack or (stack[-1] == 123) != is_object:
            return None
        stack.pop()
        return COMMA_OR_END if stack else NOTHING
    if state in (KEY, KEY_OR_END):
        return COLON if string else None
    if state == COLON:
        return VALUE if mark == ":" else None
    if state == COMMA_OR_END:
        if mark != ",":
            return None
        return KEY if stack[-1] == 123 else VALUE
    if state == NOTHING or mark in (",", ":"):
        return None
    if mark is not None:
        stack.append(ord(mark))
        return KEY_OR_END if mark == "{" else VALUE_OR_END
    if string is None and not SCALAR.fullmatch(token):
        return None
    return COMMA_OR_END if stack else NOTHING


def _note(facts: Facts, state: int, token: str, string: str | None, stack: bytearray) -> None:
    """Count what lies right below the root; the stack is as it is behind the token."""
    if stack[0] == 123:
        if state in (KEY, KEY_OR_END) and string:
            facts.count += 1
            if len(facts.names) < MAX_NAMES:
                facts.names.append(string[1:-1])
    elif (state in (VALUE, VALUE_OR_END) and token not in ("]", "[", "{")) or token in ("]", "}"):
        facts.count += 1
