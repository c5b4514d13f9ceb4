"""Bytes to text: byte order marks, declared labels, UTF-8, UTF-16 and UTF-32, then legacy code pages by their letters.

Source: WHATWG Encoding Standard; RFC 3629; for what is written in no standard, texts in many languages and code pages.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Literal

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.codepages import codec_of, decoded, name_of
from docbeam.schemas.vocabulary import Confidence, WarningCode

How = Literal["bom", "declared", "utf-8", "detected", "fallback"]

SAMPLE_BYTES = 4_096  # of words with bytes above 0x7F; more does not change the answer
LOOK_BYTES = 65_536  # for the pattern of zero bytes in UTF-16 and UTF-32
MIN_SEQUENCES = 4  # of valid UTF-8, that no text in another charset has by chance
PLAIN_ASCII = bytes((*range(0x20, 0x7F), 9, 10, 13))
MAX_BAD_SHARE = 0.02  # of the bytes above 0x7F: a declared charset with more errors is a wrong one

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf_8"),
    (codecs.BOM_UTF32_LE, "utf_32_le"),  # before UTF-16: its mark begins with the same bytes
    (codecs.BOM_UTF32_BE, "utf_32_be"),
    (codecs.BOM_UTF16_LE, "utf_16_le"),
    (codecs.BOM_UTF16_BE, "utf_16_be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
WIDE = frozenset(("utf_16_le", "utf_16_be", "utf_32_le", "utf_32_be"))
CJK = frozenset(("cp932", "euc_jp", "gb18030", "big5hkscs", "cp949", "shift_jis_2004", "johab", "euc_tw"))
UTF8_SEQUENCE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
HIGH = re.compile(rb"[\x80-\xff]")
HIGH_WORD = re.compile(rb"[A-Za-z]{0,20}(?:[\x80-\xff]+[\x00-\x7f]?)+[A-Za-z]{0,20}")
JIS_ESCAPE = re.compile(rb"\x1b\$[@B]|\x1b\(I")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text with LF line ends, without NUL and byte order mark, and how its charset was found.

    `charset` is the name of the Encoding Standard where it has one, in lower case. `replaced` counts the byte sequences
    that the charset does not have, each of which is one U+FFFD in the text; `nuls` counts the NULs that were left out.
    """

    text: str
    charset: str
    how: How
    replaced: int = 0
    nuls: int = 0

    @property
    def is_guessed(self) -> bool:
        """Whether the bytes allowed several charsets."""
        return self.how in ("detected", "fallback")

    @property
    def confidence(self) -> Confidence:
        """HEURISTIC where the charset was guessed."""
        return Confidence.HEURISTIC if self.is_guessed else Confidence.DETERMINISTIC

    def report(self, out: TextBuilder, part: str = "document") -> None:
        """Record in the row how the text was decoded: metadata text.charset, and warnings for what was guessed or lost."""
        out.meta("text.charset", self.charset)
        if self.is_guessed:
            out.warn(WarningCode.CHARSET_GUESSED, part, f"no charset is declared, {self.charset} fits best")
        if self.replaced:
            out.warn(WarningCode.UNDECODABLE, part, f"{self.replaced} byte sequences are not {self.charset}")


def decode(data: bytes, *, declared: str | None = None) -> Decoded:
    """Return the text of `data`. A label that is unknown, or that the bytes contradict, is passed over."""
    has_nul = b"\0" in data
    if data.isascii() and not has_nul and b"\x1b" not in data:
        return Decoded(with_lf(data.decode("ascii")), "utf-8", "utf-8")
    for mark, codec in BYTE_ORDER_MARKS:
        if data.startswith(mark) and not (codec == "utf_32_le" and len(data) % 4):
            return _as(data[len(mark) :], codec, "bom")
    if (labelled := codec_of(declared)) and (found := _by_label(data, labelled)):
        return found
    if has_nul and (wide := wide_codec(data)):
        return _as(data, wide, "utf-8")
    if JIS_ESCAPE.search(data, 0, LOOK_BYTES) and data.isascii():
        return _as(data, "iso2022_jp_ext", "utf-8")
    return _as_utf8(data) or _by_letters(data)


def with_lf(text: str) -> str:
    """Return the text with LF line ends and without NUL and a leading byte order mark."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        text = text.replace("\0", "")
    return text.removeprefix("\ufeff")


def high_words(data: bytes) -> bytes:
    """Return the words with bytes above 0x7F, one a line, as a sample: long ASCII stretches say nothing about a code page."""
    words: list[bytes] = []
    at = size = 0
    while size < SAMPLE_BYTES and (high := HIGH.search(data, at)):
        at = high.start() + SAMPLE_BYTES
        found = HIGH_WORD.findall(data, max(0, high.start() - 20), at)
        words += found
        size += sum(map(len, found))
    return b"\n".join(words)


def _as(data: bytes, codec: str, how: How) -> Decoded:
    if codec in WIDE and len(data) % 2 and data[-1:] in b"\n\r\0":
        data = data[:-1]  # a line end that an editor added as one byte
    text, replaced = decoded(data, codec)
    return Decoded(with_lf(text), name_of(codec), how, replaced, text.count("\0"))


def _by_label(data: bytes, codec: str) -> Decoded | None:
    """Return the text by its declared charset, or None if the bytes are clearly something else."""
    if codec in WIDE:
        return _as(data, codec, "declared") if wide_codec(data) == codec or _is_wide_without_nul(data) else None
    if codec == "utf_8":
        return _as_utf8(data, "declared")
    if data.isascii() and not codec.startswith(("iso2022", "hz", "utf_7", "cp037", "cp500", "cp1140", "cp273")):
        return _as(data, codec, "declared") if b"\0" not in data else None
    if not data.isascii() and _is_really_utf8(data, codec):
        return _as(data, "utf_8", "utf-8")
    text, replaced = decoded(data, codec)
    if replaced > 1 and replaced > MAX_BAD_SHARE * _high_count(data):
        return None
    if codec == "cp1252":  # what servers and editors claim without looking
        from docbeam.extractors.letters import is_clearly_not_western

        if is_clearly_not_western(high_words(data)):
            return None
    return Decoded(with_lf(text), name_of(codec), "declared", replaced, text.count("\0"))


def _is_really_utf8(data: bytes, codec: str) -> bool:
    """Say whether the bytes are UTF-8 in spite of a legacy label: chance makes no long run of valid sequences.

    A few two-byte sequences (U+0080 to U+07FF) can be a short Chinese or Korean word as well.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    high = sum(1 for char in text if char > "\x7f")
    return codec not in CJK or high >= MIN_SEQUENCES or any(char > "\u07ff" for char in text)


def _as_utf8(data: bytes, how: How = "utf-8") -> Decoded | None:
    """Return the text if it is UTF-8, also with a few bad bytes in it."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text, replaced = decoded(data, "utf_8")
        good = sum(1 for _ in UTF8_SEQUENCE.finditer(data, 0, 16 * LOOK_BYTES))
        if good < 3 * min(replaced, len(data)) and not _is_cut(data):
            return None
        return Decoded(with_lf(text), "utf-8", how, replaced, text.count("\0"))
    return Decoded(with_lf(text), "utf-8", how, 0, text.count("\0") if "\0" in text else 0)


def _is_cut(data: bytes) -> bool:
    """Say whether all but an incomplete last sequence is UTF-8 with at least one good sequence."""
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return False
    return not text.isascii()


def wide_codec(data: bytes) -> str | None:
    """Return the UTF-16 or UTF-32 codec whose pattern of zero bytes the data has, or None."""
    look = data[: min(len(data), LOOK_BYTES) // 4 * 4] or data
    rest = look.replace(b"\0", b"")
    if len(rest) > 0.75 * len(look) and not rest.translate(None, PLAIN_ASCII):
        return None  # ASCII with some zero bytes in it
    zeros = [look[start::4].count(0) for start in range(4)]
    quarter = max(1, len(look) // 4)
    if len(data) % 4 == 0 and zeros[3] == quarter and zeros[2] > 0.9 * quarter and zeros[0] < quarter / 2:
        return _valid("utf_32_le", look)
    if len(data) % 4 == 0 and zeros[0] == quarter and zeros[1] > 0.9 * quarter and zeros[3] < quarter / 2:
        return _valid("utf_32_be", look)
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    if odd > 10 * even and odd > 0.02 * len(look):
        return _valid("utf_16_le", look)
    if even > 10 * odd and even > 0.02 * len(look):
        return _valid("utf_16_be", look)
    return None


def _valid(codec: str, look: bytes) -> str | None:
    """Return the codec if the sample is text in it: few errors, and almost no control or private characters."""
    text = look[: len(look) // 2 * 2].decode(codec, "replace")
    bad = sum(1 for char in text if char == "\ufffd" or (char < " " and char not in "\t\n\r\f") or "\ue000" <= char <= "\uf8ff")
    return codec if bad <= 0.02 * len(text) else None


def _is_wide_without_nul(data: bytes) -> bool:
    """Say whether data declared as UTF-16 can be that although it has no zero byte: no ASCII in it, as in Chinese."""
    odd = len(data) - len(data.translate(None, PLAIN_ASCII))
    return len(data) % 2 == 0 and b"\0" not in data and odd > 0.15 * len(data) and _as_utf8(data) is None


def _high_count(data: bytes) -> int:
    return len(data) - len(data.translate(None, bytes(range(128, 256))))


def _by_letters(data: bytes) -> Decoded:
    """Return the text in the legacy code page that makes the likeliest letters of it."""
    from docbeam.extractors.letters import likeliest_codec

    codec, is_likely = likeliest_codec(data, high_words(data))
    return _as(data, codec, "detected" if is_likely else "fallback")
