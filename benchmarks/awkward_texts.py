"""Honest text that looks odd: numbers, parts, code, digests, formulas, addresses, capitals. None of it is garbage.

Patterns: `#3` is a number of up to three digits, `@2` two capitals, `~` a word, `^` one with a capital, `%9` nine bytes in
hexadecimal, `[a|b]` one of some; all else stands for itself.
"""

from __future__ import annotations

import argparse
import base64
import csv
import hashlib
import inspect
import io
import json
import random
import re
import string
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import docbeam

PAGES = 60
WORDS = Path(__file__).with_name("words.txt").read_text().split()
PLACE = re.compile(r"#(\d)|@(\d)|(~)|(\^)|%(\d+)|\[([^\]]*\|[^\]]*)\]")
LINES = {
    "tables of numbers": (40, "-#6.#2\t#3,#3.#2\t#5.#2\t(#4.#2)\t#2.#1%"),
    "part lists": (40, "@3-#5/[A|B|C|X]#1  #2 pcs  M#2x#2 DIN #4"),
    "ticker symbols": (40, "@4 #3.#2  @3 #3.#2  @4 #3.#2  @3 #2.#2"),
    "web addresses": (20, "https://www.example.org/~/%5?q=~&id=#5#s=#1"),
    "mail addresses and telephone numbers": (20, "^ ^ <~.~@~.example>  +49 #3 #7"),
    "legal references": (
        15,
        "§ #3 Abs. #1 S. #1 Nr. #1 BGB i.V.m. Art. #2 GG; #3 U.S.C. § #4(a)(#1); R v. ^ (#4) UKHL #2",
    ),
    "formulas": (
        15,
        "∫₀∞ [x|y|α](t) dt = ∑_{[a|k|β]=1}{n} ([x|u]_k − [z|σ]²)/(2π√[x|y]) ≤ #2·10⁻#1 , ∀ [a|λ] ∈ ℝ, ∂u/∂v ≠ 0   (#1.#2)",
    ),
    "hexadecimal dumps": (40, "%1 %1 %1 %1 %1 %1 %1 %1 %1 %1 %1 %1"),
    "digests": (20, "%32  ~.tar.gz"),
    "tables of contents": (25, "#2.#1 ^ ~ ~ .......................................... #3"),
    "forms": (15, "^: ______________________________ [ ] ~ [x] ~"),
    "short pages": (
        1,
        "[Page |- |Figure |Appendix |© ACME |Übersicht |第 |Глава |الفصل |Q|N/A ]#2" + 30 * " ",
    ),
    "chess games": (20, "#2. [N|B|R|Q][a|c|e|h]#1 [a|b|d|f]x[b|c|g]#1 #2. O-O [K|R][a|f]#1+"),
    "schedules": (25, "[Mo|Tu|We|Th|Fr] #2:#2–#2:#2 [LHR|JFK|CDG|FRA|NRT]→[MXP|ZRH|SFO|HKG] @2#3"),
    "boxes of line drawing": (12, "│ ~ │ #3 │ ~ │\n├────────────────┼────────┼──────────┤"),
    "chemical names": (15, "#1-[methyl|ethyl|hydroxy]-N,N-di[methyl|ethyl][benzene|phenol]-#1-amine C#2H#2N#1O#1 CAS #5-#2-#1"),
    "minified code": (12, "function [a|b|c][n|t|r](i){var [x|y|z]=i.~||{};return!x[#1]&&[p|q]<#2?[s|t]:null};"),
    "JSON": (12, '{"~": 0.#7, "id": "%8", "ok": true, "tags": ["~", null]},'),
}


def _filled(pattern: str, chance: random.Random) -> str:
    def one(match: re.Match[str]) -> str:
        digits, capitals, word, title, size, choices = match.groups()
        if digits:
            return str(chance.randrange(10 ** int(digits)))
        if capitals:
            return "".join(chance.choices(string.ascii_uppercase, k=int(capitals)))
        if word or title:
            found = chance.choice(WORDS)
            return found.title() if title else found
        return chance.randbytes(int(size)).hex() if size else chance.choice(choices.split("|"))

    return PLACE.sub(one, pattern)


def _patterned(name: str) -> Callable[[], Iterator[str]]:
    lines, pattern = LINES[name]

    def pages() -> Iterator[str]:
        for chance in map(random.Random, range(PAGES)):
            yield "\n".join(_filled(pattern, chance) for _ in range(lines))

    return pages


def _base64() -> Iterator[str]:
    for chance in map(random.Random, range(PAGES)):
        yield "\n".join(textwrap.wrap(base64.b64encode(chance.randbytes(1_500)).decode(), 76))


def _capitals() -> Iterator[str]:
    for chance in map(random.Random, range(PAGES)):
        yield "\n".join(" ".join(chance.choices(WORDS, k=10)).upper() for _ in range(20))


def _our_code() -> Iterator[str]:
    for file in sorted(Path(docbeam.__file__).parent.rglob("*.py")):
        yield from _pieces(file.read_text(encoding="utf-8"), 3_000)


def _library_code() -> Iterator[str]:
    for module in (argparse, base64, csv, hashlib, inspect, io, json, random, textwrap):
        yield from _pieces(inspect.getsource(module), 2_000)


def _pieces(text: str, size: int) -> Iterator[str]:
    for start in range(0, len(text), size):
        yield text[start : start + size]


AWKWARD: dict[str, Callable[[], Iterator[str]]] = {
    **{name: _patterned(name) for name in LINES},
    "base64": _base64,
    "all capitals": _capitals,
    "Python, our own": _our_code,
    "Python, the library's": _library_code,
}
