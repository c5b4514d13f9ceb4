"""No fonts of the machine while PDFium reads: equal bytes then give equal text on every machine.

A font that a document does not embed gets another one in its place, and what the machine has installed decides how wide
and how high its letters are: with more fonts a vertical Japanese page read in another order. Pages are drawn with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pypdfium2.raw as pdfium_c

_NO_FONTS = pdfium_c.FPDF_SYSFONTINFO(version=1)  # has no function that finds one; kept, because PDFium points to it


@contextmanager
def without_system_fonts() -> Iterator[None]:
    """Keep PDFium from the machine's fonts for the length of a block; costs 15 µs."""
    pdfium_c.FPDF_SetSystemFontInfo(_NO_FONTS)
    try:
        yield
    finally:
        if default := pdfium_c.FPDF_GetDefaultSystemFontInfo():  # a new one: PDFium frees it with the next change
            pdfium_c.FPDF_SetSystemFontInfo(default)
