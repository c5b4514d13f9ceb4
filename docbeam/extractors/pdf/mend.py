"""Mend fonts whose Unicode map loses letters, so that PDFium can read them (ISO 32000-2, 9.10.3: ToUnicode CMaps).

Two faults are known: codes mapped to U+0000, where PDFium drops the letter although the font's encoding names the glyph
(`/fi`); and letters outside the Basic Multilingual Plane, of which it keeps half. Entries of the first kind are taken
out; those of the second are mapped to private-use aliases, which letters.py turns back.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pikepdf

from docbeam.extractors.pdf.loading import open_for_pikepdf
from docbeam.extractors.source import Source

MAX_CMAP_BYTES = 4_000_000  # of one map; the largest honest ones reach about 1 MB
MAX_ENTRIES = 200_000  # of all maps that are rewritten
ALIASES = range(0xE000, 0xF8FF)

BLOCK = re.compile(rb"begin(bfchar|bfrange|codespacerange)(.*?)end\1", re.DOTALL)
TOKEN = re.compile(rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])")


@dataclass(slots=True)
class Mended:
    """A rewritten document, and the letters behind its aliases."""

    data: bytes
    aliases: dict[int, str] = field(default_factory=dict)


def mended(source: Source) -> Mended | None:
    """Return the document with its maps mended, None if there is nothing to mend or it can't be rewritten."""
    try:
        with open_for_pikepdf(source) as pdf:
            aliases = _mend_all(pdf)
            if aliases is None:
                return None
            out = io.BytesIO()
            pdf.save(out, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
            return Mended(out.getvalue(), {alias: letters for letters, alias in aliases.items()})
    except (pikepdf.PdfError, pikepdf.PasswordError, ValueError, TypeError, LookupError, RuntimeError):
        return None


def _mend_all(pdf: pikepdf.Pdf) -> dict[str, int] | None:
    """Rewrite every faulty map. Return the aliases by their letters, None if no map was faulty."""
    maps = {}
    for thing in pdf.objects:
        if isinstance(thing, pikepdf.Dictionary) and thing.get("/Type") == pikepdf.Name.Font:
            stream = thing.get("/ToUnicode")
            if isinstance(stream, pikepdf.Stream) and stream.objgen not in maps:
                maps[stream.objgen] = stream
    taken: set[str] = set()
    faulty: list[tuple[pikepdf.Stream, bytes, dict[bytes, str]]] = []
    entries = 0
    for stream in maps.values():
        data = stream.read_bytes()
        if len(data) > MAX_CMAP_BYTES:
            continue
        letters = dict(_letters(data, MAX_ENTRIES - entries))
        entries += len(letters)
        taken.update(text for text in letters.values() if len(text) == 1)
        if any(not text.strip("\x00") or max(text) > "\uffff" for text in letters.values()):
            faulty.append((stream, data, letters))
    if not faulty:
        return None
    free = (code for code in ALIASES if chr(code) not in taken)
    aliases: dict[str, int] = {}
    for stream, data, letters in faulty:
        stream.write(_map(data, letters, aliases, free))
    return aliases


def _letters(data: bytes, room: int) -> Iterator[tuple[bytes, str]]:
    """Yield each code of a CMap, as upper-case hex digits, with its letters."""
    for block in BLOCK.finditer(data):
        if block[1] == b"codespacerange":
            continue
        for code, text in _chars(block[2]) if block[1] == b"bfchar" else _ranges(block[2]):
            room -= 1
            if room < 0:
                return
            yield code, text


def _chars(block: bytes) -> Iterator[tuple[bytes, str]]:
    strings = [_hex(token[1]) for token in TOKEN.finditer(block) if token[1] is not None]
    for code, text in zip(strings[::2], strings[1::2], strict=False):
        yield code, _utf16(text)


def _ranges(block: bytes) -> Iterator[tuple[bytes, str]]:
    tokens = iter(TOKEN.finditer(block))
    for token in tokens:
        first, last = _hex(token[1] or b""), _hex((next(tokens, token))[1] or b"")
        start = next(tokens, None)
        if not first or not last or start is None or len(first) != len(last):
            return
        if start[2]:
            codes = range(int(first, 16), int(last, 16) + 1)
            for code, item in zip(codes, iter(lambda: next(tokens, None), None), strict=False):
                if item is None or item[3]:
                    break
                yield b"%0*X" % (len(first), code), _utf16(_hex(item[1] or b""))
            else:
                next(tokens, None)
            continue
        text = _utf16(_hex(start[1] or b""))
        for step, code in enumerate(range(int(first, 16), int(last, 16) + 1)):
            if text:
                yield b"%0*X" % (len(first), code), text[:-1] + chr(min(ord(text[-1]) + step, 0x10FFFF))


def _hex(digits: bytes) -> bytes:
    return b"".join(digits.split()).upper()


def _utf16(digits: bytes) -> str:
    return bytes.fromhex(digits.decode("ascii").ljust(-(-len(digits) // 4) * 4, "0")).decode("utf-16-be", "replace")


def _map(data: bytes, letters: dict[bytes, str], aliases: dict[str, int], free: Iterator[int]) -> bytes:
    """Return a CMap with single entries only: nothing for lost letters, aliases for those that PDFium halves."""
    spaces = b"\n".join(block[0] for block in BLOCK.finditer(data) if block[1] == b"codespacerange")
    count = max(data.count(b"begincodespacerange"), 1)
    lines = []
    for code, text in letters.items():
        text = text.strip("\x00")
        if text and max(text) > "\uffff":
            if text not in aliases:
                aliases[text] = next(free, 0xFFFD)
            text = chr(aliases[text])
        if text:
            lines.append(b"<%b> <%b>" % (code, text.encode("utf-16-be").hex().encode()))
    blocks = [b"%d beginbfchar\n%b\nendbfchar" % (len(part), b"\n".join(part)) for part in _hundreds(lines)]
    head = b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n%d %b\n" % (count, spaces)
    return head + b"\n".join(blocks) + b"\nendcmap CMapName currentdict /CMap defineresource pop end end\n"


def _hundreds(lines: list[bytes]) -> Iterator[list[bytes]]:
    for start in range(0, len(lines), 100):
        yield lines[start : start + 100]
