"""Good text made to garbage, in the ways in which documents do it. None where a way does not apply to a text."""

from __future__ import annotations

import random
import re
import string
import unicodedata
from collections.abc import Callable

Broken = Callable[[str, random.Random], str | None]
MOST_LATIN = 0.6  # of the letters, before a text is Latin
LOOKALIKES = {
    "e": "c", "h": "b", "n": "u", "m": "rn", "i": "l", "o": "0", "s": "5", "t": "f", "a": "ii", "r": "t", "d": "cl",
    "u": "ii", "l": "|", "g": "q", "c": "(", "p": "i>", "b": "6", "k": "lc", "w": "vv", "y": "v", "f": "(", "v": "\\'",
}  # fmt: skip
SPECKS = ".,'`:;~^-_|\\/!i1l"


def _is_latin(text: str) -> bool:
    letters = [letter for letter in text if letter.isalpha()]
    return bool(letters) and sum(letter < "\u0250" for letter in letters) > MOST_LATIN * len(letters)


def _shifted_glyphs(text: str, chance: random.Random) -> str | None:
    """TrueType glyph numbers as codes: 29 less than ASCII; blanks are control codes that come out as spaces."""
    if not _is_latin(text):
        return None
    return "".join(
        chr(ord(letter) - 29) if " " < letter <= "~" and ord(letter) > 61 else " " if letter == " " else letter
        for letter in text
    )


def _shifted_glyphs_lost(text: str, chance: random.Random) -> str | None:
    """The same, where what falls below the space is lost."""
    found = _shifted_glyphs(text, chance)
    return found and "".join("\ufffd" if letter.isspace() and chance.random() < 0.5 else letter for letter in found)


def _shifted_letters(text: str, chance: random.Random) -> str | None:
    if not _is_latin(text):
        return None
    by = chance.randint(1, 25)
    small, large = string.ascii_lowercase, string.ascii_uppercase
    return text.translate(str.maketrans(small + large, small[by:] + small[:by] + large[by:] + large[:by]))


def _shuffled(text: str, chance: random.Random) -> str | None:
    """Every letter of the alphabet another one of it, as subset fonts with a made-up encoding have it."""
    letters = sorted({letter for letter in text.lower() if letter.isalpha() and letter.upper().lower() == letter})
    if len(letters) < 10 or not unicodedata.name(letters[0], "").startswith(("LATIN", "CYRILLIC", "GREEK", "ARABIC", "HEBREW")):
        return None
    others = letters[:]
    chance.shuffle(others)
    table = dict(zip(letters, others, strict=True))
    return "".join(table.get(letter.lower(), letter) for letter in text)


def _numbered(text: str, chance: random.Random) -> str | None:
    """Codes in the order in which letters come first, from `!` on, as subsetting programs number glyphs."""
    seen: dict[str, str] = {}
    return "".join("\n" if letter == "\n" else seen.setdefault(letter, chr(0x21 + len(seen) % 94)) for letter in text)


def _numbered_from_one(text: str, chance: random.Random) -> str | None:
    """The same from 1 on: control codes are shown as unknown letters."""
    seen: dict[str, int] = {}
    codes = (seen.setdefault(letter, 1 + len(seen)) for letter in text)
    return "".join(chr(code) if code >= 0x20 else "\ufffd" for code in codes)


def _no_map(text: str, chance: random.Random) -> str | None:
    return re.sub(r"\S", "\ufffd", text)


def _private_use(text: str, chance: random.Random) -> str | None:
    return "".join(letter if letter.isspace() else chr(0xE000 + ord(letter) % 0x1800) for letter in text)


def _half_unknown(text: str, chance: random.Random) -> str | None:
    return "".join("\ufffd" if letter.isalpha() and chance.random() < 0.4 else letter for letter in text)


def _glyph_ids(text: str, chance: random.Random) -> str | None:
    return "".join(letter if letter.isspace() else f"(cid:{ord(letter) % 500})" for letter in text)


def _glyph_names(text: str, chance: random.Random) -> str | None:
    return "".join(letter if letter == "\n" else f"/G{ord(letter) % 256}" for letter in text)


def _glyph_codes(text: str, chance: random.Random) -> str | None:
    """Glyph numbers of a large font taken for Unicode: letters of scripts at random."""
    table: dict[str, str] = {}
    return "".join(
        letter
        if letter.isspace()
        else table.setdefault(letter, chr(chance.choice((0x180, 0x400, 0x700, 0xE00, 0x1100)) + chance.randrange(0x100)))
        for letter in text
    )


def _utf8_as_western(text: str, chance: random.Random) -> str | None:
    if text.isascii() or sum(letter > "\x7f" for letter in text) < 0.15 * len(text):
        return None
    return text.encode().decode("cp1252", "replace")


def _cyrillic_as_western(text: str, chance: random.Random) -> str | None:
    data = text.encode("cp1251", "ignore")
    return None if sum(byte > 0x7F for byte in data) < len(data) / 2 else data.decode("latin-1")


def _greek_as_western(text: str, chance: random.Random) -> str | None:
    data = text.encode("cp1253", "ignore")
    return None if sum(byte > 0x7F for byte in data) < len(data) / 2 or "α" not in text else data.decode("latin-1")


def _arabic_as_western(text: str, chance: random.Random) -> str | None:
    data = text.encode("cp1256", "ignore")
    return None if sum(byte > 0x7F for byte in data) < len(data) / 2 or "ا" not in text else data.decode("latin-1")


def _koi8_as_windows(text: str, chance: random.Random) -> str | None:
    data = text.encode("koi8_r", "ignore")
    return None if sum(byte > 0x7F for byte in data) < len(data) / 2 or "о" not in text else data.decode("cp1251", "replace")


def _chinese_as_western(text: str, chance: random.Random) -> str | None:
    data = text.encode("gb18030", "ignore")
    return data.decode("latin-1") if re.search("[\u4e00-\u9fff]{8}", text) else None


def _chinese_at_random(text: str, chance: random.Random) -> str | None:
    if not re.search("[\u4e00-\u9fff]{8}", text):
        return None
    table: dict[str, str] = {}
    return "".join(
        table.setdefault(letter, chr(chance.randrange(0x4E00, 0x9FFF))) if letter > "\u3040" else letter for letter in text
    )


def _latin_as_chinese(text: str, chance: random.Random) -> str | None:
    """Two letters taken for one of UTF-16."""
    data = text.encode("latin-1", "ignore")
    return data[: len(data) // 2 * 2].decode("utf-16-be", "replace") if _is_latin(text) else None


def _poor_recognition(text: str, chance: random.Random) -> str | None:
    """What an engine makes of a page that it can't read: lookalikes, specks and torn words."""
    if not _is_latin(text):
        return None
    out = []
    for letter in text:
        if chance.random() < 0.2:
            out.append(chance.choice(SPECKS))
        elif chance.random() < 0.1:
            out.append(" ")
        out.append(LOOKALIKES.get(letter.lower(), letter) if chance.random() < 0.6 else letter)
    return "".join(out)


BROKEN: dict[str, Broken] = {
    "glyph numbers 29 below ASCII": _shifted_glyphs,
    "the same with lost blanks": _shifted_glyphs_lost,
    "alphabet shifted": _shifted_letters,
    "alphabet shuffled": _shuffled,
    "glyphs numbered from ! on": _numbered,
    "glyphs numbered from 1 on": _numbered_from_one,
    "no map at all": _no_map,
    "private use": _private_use,
    "40 % of the letters unknown": _half_unknown,
    "(cid:12)": _glyph_ids,
    "/G12": _glyph_names,
    "glyph numbers as Unicode": _glyph_codes,
    "UTF-8 read as Windows-1252": _utf8_as_western,
    "Cyrillic read as Latin-1": _cyrillic_as_western,
    "Greek read as Latin-1": _greek_as_western,
    "Arabic read as Latin-1": _arabic_as_western,
    "KOI8-R read as Windows-1251": _koi8_as_windows,
    "GB 18030 read as Latin-1": _chinese_as_western,
    "Chinese characters at random": _chinese_at_random,
    "bytes read as UTF-16": _latin_as_chinese,
    "very poor recognition": _poor_recognition,
}
