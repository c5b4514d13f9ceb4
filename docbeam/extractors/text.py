"""Plain text, Markdown, data and source code: decoded and kept as written, with LF line ends.

Source: XML 1.0, 4.3.3 and annex F; PEP 263; GNU gettext manual, 6.2; LaTeX inputenc, for the declared charset.
"""

from __future__ import annotations

import re

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.charset import Decoded, decode
from docbeam.extractors.markdown import markdown_headings
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import TruncationReason, WarningCode

DECLARATION_BYTES = 1_024  # in which a charset is declared
MAX_BYTES_PER_CHAR = 4  # of any charset
MARGIN_BYTES = 65_536  # read past the character cap, so that a cut at a line end still fills it
MAX_JUNK_SHARE = 0.005  # control characters in honest text: escapes of a terminal log, an odd form feed

XML_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
CODING_COOKIE = re.compile(rb"^(?:[^\n]*\n)?[ \t\f]*(?:#|//|;|%|/?\*|\"|--)[^\n]{0,200}?coding[:=][ \t]*([-\w.]{1,40})")
PO_CHARSET = re.compile(rb'^"Content-Type: text/plain; charset=([-\w.]{1,40})', re.MULTILINE)
TEX_ENCODING = re.compile(rb"^\s*\\usepackage\[([-\w]{1,40})\]\{inputenc\}", re.MULTILINE)
DECLARATIONS = {"text/x-gettext-translation": PO_CHARSET, "text/x-tex": TEX_ENCODING}
TEX_NAMES = {"ansinew": "cp1252", "applemac": "mac_roman", "latin9": "iso-8859-15", "utf8x": "utf-8"}
JUNK = re.compile("[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]")


class TextExtractor:
    """Reads every type whose text is the document."""

    name = "text"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is read as plain text."""
        return media_type in MediaType.TEXTS

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the text; past the character cap neither bytes are read nor charsets tried."""
        out = TextBuilder(options)
        data, is_whole = start_of(source, options.max_extracted_chars)
        found = decode(data, declared=declared_charset(data[:DECLARATION_BYTES], media_type))
        found.report(out)
        _report_junk(found, out)
        with out.until_full():
            out.add(found.text)
            if not is_whole:
                out.cut(TruncationReason.MAX_EXTRACTED_CHARS)
        if not found.text.strip():
            out.warn(WarningCode.NO_TEXT, "document", "only white space")
        if media_type == MediaType.MARKDOWN:
            out.meta("markdown.headings", "; ".join(markdown_headings(found.text)))
        return out.extracted(confidence=found.confidence)


def declared_charset(start: bytes, media_type: str) -> str | None:
    """Return the charset that the document itself declares, in the way of its format."""
    if start.lstrip().startswith(b"<?xml"):
        pattern = XML_ENCODING
    else:
        pattern = DECLARATIONS.get(media_type, CODING_COOKIE)
        if b"coding" not in start and pattern is CODING_COOKIE:
            return None
    match = pattern.search(start)
    label = match[1].decode("ascii", "replace") if match else None
    return TEX_NAMES.get(label, label) if label else None


def start_of(source: Source, max_chars: int) -> tuple[bytes, bool]:
    """Return the bytes that can matter under the character cap, cut at a line end, and whether they are all."""
    wanted = 2 * MAX_BYTES_PER_CHAR * max_chars + MARGIN_BYTES  # twice: CRLF is two characters that become one
    if source.size_bytes <= wanted:
        return source.read(), True
    data = source.head(wanted // 4 * 4)
    end = data.rfind(b"\n", len(data) - MARGIN_BYTES)
    is_wide = b"\0" in data[:MARGIN_BYTES]
    return (data if end < 0 or is_wide else data[: end + 1]), False


def _report_junk(found: Decoded, out: TextBuilder) -> None:
    """Warn of NULs, which content can't have, and of so many control characters that the text must be broken."""
    if found.nuls:
        out.warn(WarningCode.GARBAGE_TEXT, "document", f"{found.nuls} NUL characters were left out")
    look = found.text[:MARGIN_BYTES]
    junk = sum(1 for _ in JUNK.finditer(look))
    if junk > MAX_JUNK_SHARE * len(look):
        out.warn(WarningCode.GARBAGE_TEXT, "document", f"{junk} control characters in the first {len(look)} characters")
