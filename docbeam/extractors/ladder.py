"""The ladder that a PDF climbs, as a table: each step is tried for what the one before has left without usable text.

A row's `tiers` are the steps taken, those of a quarantine row the steps tried. Other formats use the same words where they
have such a step.
"""

from __future__ import annotations

from typing import NamedTuple

NATIVE, REPAIRED, OCR = "native", "repaired", "ocr"


class Tier(NamedTuple):
    """One step: its name, what is done, for what, and what becomes of that which it does not help."""

    name: str
    step: str
    applies_to: str
    otherwise: str


LADDER = (
    Tier(NATIVE, "PDFium reads the file", "every file", "no password fits: encrypted_no_key at once, no OCR"),
    Tier(
        REPAIRED,
        "pikepdf rebuilds it, or it is put together from the objects that are left; then PDFium reads it",
        "files in which PDFium finds no page, or no valid cross-reference table, if more text comes of it",
        "no page: malformed_xref, or corrupt without a header; pages that fail are named, the others stay",
    ),
    Tier(
        OCR,
        "the page is drawn and recognised; of the two readings the better one is kept",
        "pages without usable text: none, garbage by its score, or a stamp over a scan",
        "no engine: needs_ocr; OCR off: missing_text_layer; some text: the row stays and names the pages",
    ),
)
