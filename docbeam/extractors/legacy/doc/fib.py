"""The file information block: which Word wrote the document, where its parts stand, how long each of its texts is.

Source: [MS-DOC] 2.5 (Fib); for Word 6 and 95, Microsoft's Word 97 binary file format description and what Word 6 writes.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.compound_file import CompoundFile
from docbeam.extractors.legacy.code_pages import codec_of_language
from docbeam.extractors.legacy.doc.decrypt import WHAT, Plain, opened, plain_main
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

BEGINNINGS = (b"\xec\xa5", b"\xdc\xa5")  # of Word 97 and Word 6
WORD_2, WORD_6, WORD_97 = 2, 6, 8
VERSIONS = {WORD_2: "Word 2", WORD_6: "Word 6 or 95", WORD_97: "Word 97 or later"}
MIN_FIB_BYTES = 0x180
STORIES = ("text", "footnotes", "headers", "macros", "comments", "endnotes", "text boxes", "header text boxes")
_COMPLEX, _ENCRYPTED, _TABLE_1, _EXTENDED = 0x0004, 0x0100, 0x0200, 0x1000
_PAIRS_6, _COUNTS_6 = 0x58, 0x34
_MAC = 0x0100
_OLDEST = 0x65  # Word 6
_WORD_2_IDENTITY = 0xA5DB

# Indexes of the pairs of offset and length; Word 6 has the first ones in the same order.
STYLES, FOOTNOTE_REFS, FOOTNOTE_TEXTS, COMMENT_REFS, COMMENT_TEXTS, SECTIONS = 1, 2, 3, 4, 5, 6
HEADERS, CHARACTERS, PARAGRAPHS, FONTS, CLX, COMMENT_AUTHORS = 11, 12, 13, 15, 33, 36
SHAPES, HEADER_SHAPES, ENDNOTE_REFS, ENDNOTE_TEXTS, DRAWINGS = 40, 41, 46, 47, 50
BOX_TEXTS, HEADER_BOX_TEXTS, LISTS, LIST_OVERRIDES = 56, 58, 73, 74
_LAST_IN_WORD_6 = 36


@dataclass(frozen=True, slots=True)
class Fib:
    """`counts` are the lengths of STORIES in characters; `table` is the stream that the pairs point into."""

    version: int
    main: bytes
    table: bytes
    pairs_at: int
    pair_count: int
    first: int
    last: int
    counts: tuple[int, ...]
    codec: str
    is_complex: bool
    is_wide: bool  # Word 95 with characters of two bytes
    plain: Plain | None = None  # opens the document's other streams, if it is encrypted

    def place(self, index: int) -> tuple[int, int]:
        """Return offset and length of a part of the table stream, both 0 if the document has none."""
        if index >= self.pair_count or (self.version != WORD_97 and index > _LAST_IN_WORD_6):
            return 0, 0
        at = self.pairs_at + index * 8
        offset, size = struct.unpack_from("<II", self.main, at) if at + 8 <= len(self.main) else (0, 0)
        return (offset, size) if offset < len(self.table) else (0, 0)

    def part(self, index: int) -> bytes:
        """Return a part of the table stream."""
        offset, size = self.place(index)
        return self.table[offset : offset + size]

    def story(self, name: str) -> tuple[int, int]:
        """Return where a story begins and ends in the document's characters."""
        index = STORIES.index(name)
        start = sum(self.counts[:index])
        return start, start + self.counts[index]


def read_fib(compound: CompoundFile, source: Source, out: TextBuilder) -> Fib:
    """Return the document's FIB, its streams in plain.

    Raises: Full; ExtractionError ENCRYPTED_NO_KEY; CORRUPT if there is none.
    """
    entry = compound.find("worddocument")
    main = compound.salvaged(BEGINNINGS) if entry is None else compound.read(entry)
    if len(main) < 0x20:
        raise ExtractionError(ErrorCategory.CORRUPT, "the compound file has no WordDocument stream")
    identity, version, _, language, _, flags = struct.unpack_from("<HHHHHH", main)
    if identity not in (0xA5EC, 0xA5DC, 0xA697, 0xA698, 0xA699, 0xA59B, 0xA59C) and version < _OLDEST:
        raise ExtractionError(ErrorCategory.CORRUPT, f"the WordDocument stream begins with {identity:#06x}")
    is_word_6 = version < 0x6A
    table = b"" if is_word_6 else _table(compound, flags)
    plain = None
    if flags & _ENCRYPTED:
        plain = opened(main, table, source, out)
        main, table = plain_main(main, plain, is_word_6=is_word_6), plain(table)
    main = main.ljust(MIN_FIB_BYTES, b"\0")
    first, last = struct.unpack_from("<II", main, 0x18)
    if is_word_6:
        codec = "mac_roman" if struct.unpack_from("<H", main, 0x14)[0] == _MAC else codec_of_language(language)
        counts = struct.unpack_from("<8I", main, _COUNTS_6)
        sizes = (_PAIRS_6, 93, first, last, counts, codec, bool(flags & _COMPLEX), bool(flags & _EXTENDED))
        return Fib(WORD_6, main, main, *sizes)
    return replace(_word_97(main, table, flags, (first, last)), plain=plain)


def read_old_fib(main: bytes) -> Fib:
    """Return what a file of Word 2, which is not a compound file, says of its text; its formatting is not read.

    Raises: ExtractionError ENCRYPTED_NO_KEY; CORRUPT; UNSUPPORTED_MEDIA_TYPE for Word 1.
    """
    if len(main) < MIN_FIB_BYTES or main[1] != 0xA5:
        raise ExtractionError(ErrorCategory.CORRUPT, "the file is no compound file, and no document of Word 2")
    identity, version, _, language, _, flags = struct.unpack_from("<HHHHHH", main)
    if identity != _WORD_2_IDENTITY:
        raise ExtractionError(ErrorCategory.UNSUPPORTED_MEDIA_TYPE, f"a document of Word 1 (version {version})")
    if flags & _ENCRYPTED:
        raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"{WHAT}: the encryption of Word 2 is not supported")
    counts = struct.unpack_from("<6I", main, _COUNTS_6)
    first, last = struct.unpack_from("<II", main, 0x18)
    return Fib(
        WORD_2, main, b"", 0, 0, first, last, (*counts, 0, 0), codec_of_language(language), bool(flags & _COMPLEX), False
    )


def _table(compound: CompoundFile, flags: int) -> bytes:
    names = ("1table", "0table") if flags & _TABLE_1 else ("0table", "1table")
    entry = compound.find(names[0]) or compound.find(names[1])
    return b"" if entry is None else compound.read(entry)


def _word_97(main: bytes, table: bytes, flags: int, ends: tuple[int, int]) -> Fib:
    at = 32
    at += 2 + struct.unpack_from("<H", main, at)[0] * 2
    longs = struct.unpack_from("<H", main, at)[0] if at + 2 <= len(main) else 0
    counts_at = at + 2 + 12
    at += 2 + longs * 4
    if at + 2 > len(main):
        raise ExtractionError(ErrorCategory.CORRUPT, "the FIB is longer than the WordDocument stream")
    counts = struct.unpack_from("<8I", main, counts_at)
    pairs = struct.unpack_from("<H", main, at)[0]
    return Fib(WORD_97, main, table, at + 2, pairs, *ends, counts, "cp1252", bool(flags & _COMPLEX), False)


def positions(plc: bytes, item_bytes: int) -> tuple[list[int], list[bytes]]:
    """Return the positions of a PLC and the items between them, one less."""
    count = (len(plc) - 4) // (4 + item_bytes)
    if count <= 0:
        return [], []
    items_at = (count + 1) * 4
    items = [plc[items_at + index * item_bytes : items_at + (index + 1) * item_bytes] for index in range(count)]
    return list(struct.unpack_from(f"<{count + 1}I", plc)), items
