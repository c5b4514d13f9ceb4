"""Printed headers and footers: their left, centre and right texts without the codes. Source: ECMA-376-1, 18.3.1.46."""

from __future__ import annotations

import re

from docbeam.extractors.ooxml.xlsx.strings import one_line

_CODE = re.compile(
    r"""&(?:
        (?P<and>&)
      | (?P<section>[LCR])
      | (?P<sheet>A)
      | "[^"]*" | [0-9]+ | K(?:[0-9A-F]{6}|[0-9]{2}[+-][0-9]{3})?   # font, size, colour
      | [PN](?:[+-][0-9]+)? | [DTZFGBIUESXYOH]                       # page, date, time, path, file, picture, style
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def header_footer_lines(texts: list[tuple[str, str]], sheet_name: str) -> tuple[list[str], list[str]]:
    """Return the different header lines and footer lines; page numbers, dates and file names have no text of their own."""
    headers: dict[str, None] = {}
    footers: dict[str, None] = {}
    for kind, text in texts:
        line = "\t".join(part for section in _plain(text, sheet_name).split("\t") if (part := one_line(section)))
        if line:
            (headers if kind.endswith("Header") else footers)[line] = None
    return list(headers), list(footers)


def _plain(text: str, sheet_name: str) -> str:
    def replaced(match: re.Match[str]) -> str:
        return "&" if match["and"] else "\t" if match["section"] else sheet_name if match["sheet"] else ""

    return re.sub(r" {2,}", " ", _CODE.sub(replaced, text.replace("\t", " ")))
