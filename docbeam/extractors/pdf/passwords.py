"""The passwords of a PDF: in which bytes each may have been typed, which fitted last, and how the document was opened.

Source: ISO 32000-2, 7.6.4 (standard security handler); RFC 4013 (SASLprep), which revision 6 asks for.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress

import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docbeam.extractors.encryption.passwords import Opened
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError

CHARSETS = ("utf-8", "pdfdoc", "cp1252", "mac_roman")  # revisions 5 and 6 take UTF-8, older ones what the writer's system had
MAPPED_TO_NOTHING = {0xAD: None, 0x200B: None, 0x2060: None, 0xFEFF: None}
TRY_SECONDS = 10.0  # for pikepdf, which is asked after PDFium and knows then which password fits
MAX_REMEMBERED = 8
SCHEMES = {2: "RC4 40 bits", 3: "RC4", 4: "RC4 or AES 128 bits", 5: "AES 256 bits", 6: "AES 256 bits"}
FOR_STREAMS, FOR_STRINGS = (re.compile(rb"/%b\s*/([^\s/<>\[\]()]+)" % name) for name in (b"StmF", b"StrF"))

_fitted: list[str] = []  # the latest first: page after page of one document is drawn with the same one


def spellings(password: str) -> Iterator[bytes]:
    """Yield a password in the bytes that a writer may have used, each once."""
    seen = set()
    prepared = unicodedata.normalize("NFKC", password.translate(MAPPED_TO_NOTHING))
    for text in (password, prepared):
        for charset in CHARSETS:
            with suppress(UnicodeError):
                spelt = text.encode(charset)
                if spelt not in seen and b"\0" not in spelt:
                    seen.add(spelt)
                    yield spelt


def likely_first(passwords: tuple[str, ...]) -> tuple[str, ...]:
    """Return passwords with those in front that fitted a document lately. Whichever opens it, the document is the same."""
    lately = [password for password in _fitted if password in passwords]
    return tuple(dict.fromkeys((*lately, *passwords))) if lately else passwords


def remember(password: str) -> None:
    """Put a password that has fitted in front."""
    _fitted[:] = [password, *(other for other in _fitted if other != password)][:MAX_REMEMBERED]


def open_with_passwords(source: Source, open_with: Callable[[bytes], pikepdf.Pdf]) -> pikepdf.Pdf | None:
    """Return what pikepdf opens with one of the document's passwords, or None if none fits in the time for trying."""
    deadline = time.monotonic() + TRY_SECONDS
    for password in likely_first(source.passwords):
        for spelt in spellings(password):
            with suppress(pikepdf.PasswordError):
                pdf = open_with(spelt)
                remember(password)
                return pdf
        if time.monotonic() > deadline:
            break
    return None


def is_beyond_pdfium(source: Source, error: ExtractionError) -> bool:
    """Say whether PDFium may have refused a document for its kind of encryption: another handler, or two kinds in one file.

    An encryption dictionary stands in plain, and outside of object streams.
    """
    if getattr(error.__cause__, "err_code", None) == pdfium_c.FPDF_ERR_SECURITY:
        return True
    streams, strings = (pattern.findall(source.read()) for pattern in (FOR_STREAMS, FOR_STRINGS))
    return set(streams) != set(strings)


def opened_native(document: pdfium.PdfDocument, by: str) -> Opened | None:
    """Return how PDFium has opened a document, None if it is not encrypted."""
    return scheme(pdfium_c.FPDF_GetSecurityHandlerRevision(document), by)


def scheme(revision: int, by: str) -> Opened | None:
    """Return how a document of a revision of the security handler was opened, None for none."""
    return Opened(f"PDF revision {revision}, {SCHEMES.get(revision, 'unknown')}", by) if revision > 0 else None
