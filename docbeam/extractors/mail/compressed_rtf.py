"""RTF bodies of Outlook messages: decompressed, and the HTML taken out that they may wrap.

Source: [MS-OXRTFCP] (LZFu); [MS-OXRTFEX] (HTML and text in RTF).
"""

from __future__ import annotations

import re
import struct

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.codepages import decoded
from docbeam.extractors.legacy.code_pages import codec_of_charset, codec_of_page

DICTIONARY = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans Serif"
    b"SymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
RING_BYTES = 4_096
CHECK_EVERY_RUNS = 4_096
MAX_DEPTH = 2_000

TOKEN = re.compile(rb"\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\")
FONT = re.compile(rb"\\f(\d{1,5})[^{};]*?\\fcharset(\d{1,3})")
SILENT = frozenset(
    (b"fonttbl", b"colortbl", b"stylesheet", b"info", b"pict", b"object", b"listtable", b"generator", b"header", b"footer")
)
IN_TEXT = {b"par": "\r\n", b"line": "\r\n", b"tab": "\t", b"lquote": "\u2018", b"rquote": "\u2019", b"ldblquote": "\u201c",
           b"rdblquote": "\u201d", b"bullet": "\u2022", b"endash": "\u2013", b"emdash": "\u2014", b"emspace": "\u2003",
           b"enspace": "\u2002", b"zwj": "\u200d", b"zwnj": "\u200c"}  # fmt: skip
SYMBOLS = {b"\\": "\\", b"{": "{", b"}": "}", b"~": "\xa0", b"_": "\xad", b"-": "\xad"}


def decompressed(data: bytes, out: TextBuilder) -> bytes:
    """Return the RTF of a PR_RTF_COMPRESSED value; broken data gives what comes before the break. Raises Full."""
    if len(data) < 16:
        return b""
    _, raw_bytes, kind = struct.unpack("<IIi", data[:12])
    if kind == 0x414C454D:  # MELA: not compressed
        return data[16 : 16 + raw_bytes]
    ring = bytearray(DICTIONARY.ljust(RING_BYTES, b"\0"))
    place, at, result, runs = len(DICTIONARY), 16, bytearray(), 0
    limit = min(raw_bytes, out.options.max_decompressed_bytes)
    while at < len(data) and len(result) < limit:
        runs += 1
        if runs % CHECK_EVERY_RUNS == 0:
            out.check_deadline()
        flags = data[at]
        at += 1
        for bit in range(8):
            if not flags >> bit & 1:
                if at >= len(data):
                    break
                ring[place] = data[at]
                result.append(data[at])
                place = (place + 1) % RING_BYTES
                at += 1
                continue
            if at + 2 > len(data):
                return bytes(result[:limit])
            offset, count = data[at] << 4 | data[at + 1] >> 4, (data[at + 1] & 15) + 2
            at += 2
            if offset == place:
                return bytes(result[:limit])
            for _ in range(count):
                byte = ring[offset]
                result.append(byte)
                ring[place] = byte
                place, offset = (place + 1) % RING_BYTES, (offset + 1) % RING_BYTES
    return bytes(result[:limit])


def wrapped_html(rtf: bytes, out: TextBuilder) -> str | None:
    """Return the HTML that an RTF body wraps, or None if it wraps none. Raises Full."""
    if b"\\fromhtml" not in rtf[:4_096]:
        return None
    page = re.search(rb"\\ansicpg(\d{1,5})", rtf[:4_096])
    default = codec_of_page(int(page[1])) if page else "cp1252"
    fonts = {int(font[1]): codec_of_charset(int(font[2])) or default for font in FONT.finditer(rtf[:200_000])}
    return _Unwrapper(default, fonts, out).html(rtf)


class _Unwrapper:
    """The state machine: what is in an \\htmltag group or outside of \\htmlrtf is HTML, as is all plain text."""

    def __init__(self, default: str, fonts: dict[int, str], out: TextBuilder) -> None:
        self._default, self._fonts, self._out = default, fonts, out
        self._parts: list[str] = []
        self._bytes = bytearray()
        self._codec = default
        self._skip_chars = 0
        self._state = (False, False, default, 1)  # silent, in htmlrtf, codec, characters behind \u
        self._stack: list[tuple[bool, bool, str, int]] = []

    def html(self, rtf: bytes) -> str:
        is_first = False  # of a group
        for count, token in enumerate(TOKEN.finditer(rtf)):
            if count % CHECK_EVERY_RUNS == 0:
                self._out.check_deadline()
            word, number, byte, symbol, brace, text = token.groups()
            silent, in_rtf, codec, behind = self._state
            if brace == b"{":
                if len(self._stack) < MAX_DEPTH:
                    self._stack.append(self._state)
                is_first = True
                continue
            if brace == b"}":
                self._state = self._stack.pop() if self._stack else self._state
            elif word is not None:
                self._word(word, int(number) if number else None, is_first)
            elif symbol == b"*" and is_first:
                follows = rtf.startswith((b"\\htmltag", b"\\mhtmltag"), token.end())
                is_tag = rtf.startswith(b"\\htmltag", token.end())
                self._state = (silent or not (follows and is_tag), False if is_tag else in_rtf, codec, behind)
            elif not silent and not in_rtf:
                self._visible(byte, symbol, text)
            is_first = False
        self._flush()
        return "".join(self._parts)

    def _visible(self, byte: bytes | None, symbol: bytes | None, text: bytes | None) -> None:
        if byte is not None:
            if self._skip_chars:
                self._skip_chars -= 1
            else:
                self._put(bytes.fromhex(byte.decode("ascii")))
        elif symbol is not None:
            self._skip_chars = 0
            self._flush()
            self._parts.append(SYMBOLS.get(symbol, ""))
        elif text is not None:
            skipped = min(self._skip_chars, len(text))
            self._skip_chars -= skipped
            self._put(text[skipped:])

    def _word(self, word: bytes, number: int | None, is_first: bool) -> None:
        silent, in_rtf, codec, behind = self._state
        if word == b"htmlrtf":
            self._state = (silent, number != 0, codec, behind)
        elif is_first and word in SILENT:
            self._state = (True, in_rtf, codec, behind)
        elif word == b"f" and number is not None:
            self._state = (silent, in_rtf, self._fonts.get(number, self._default), behind)
        elif word == b"uc" and number is not None:
            self._state = (silent, in_rtf, codec, max(0, min(number, 16)))
        elif silent or in_rtf:
            return
        elif word == b"u" and number is not None:
            self._flush()
            self._parts.append(chr(number % 0x10000))
            self._skip_chars = behind
        elif word in IN_TEXT:
            self._flush()
            self._parts.append(IN_TEXT[word])

    def _put(self, data: bytes) -> None:
        if self._codec != self._state[2]:
            self._flush()
            self._codec = self._state[2]
        self._bytes += data

    def _flush(self) -> None:
        if self._bytes:
            self._parts.append(decoded(bytes(self._bytes), self._codec)[0])
            self._bytes.clear()
