"""Builds small workbooks for the tests."""

from __future__ import annotations

from tests.extractors.ooxml.office import Parts, Rels, package, rels

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
ROOT = f'xmlns="{MAIN}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
BOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"


def sheet(rows: str, after: str = "", before: str = "") -> str:
    """A worksheet part with these rows."""
    return f"<worksheet {ROOT}>{before}<sheetData>{rows}</sheetData>{after}</worksheet>"


def styles(*codes: str) -> str:
    """A styles part in which style n shows numbers by code n, and style 0 as General."""
    formats = "".join(f'<numFmt numFmtId="{163 + n}" formatCode="{_attribute(code)}"/>' for n, code in enumerate(codes, 1))
    cells = '<xf numFmtId="0"/>' + "".join(f'<xf numFmtId="{163 + n}"/>' for n in range(1, len(codes) + 1))
    return f"<styleSheet {ROOT}><numFmts>{formats}</numFmts><cellXfs>{cells}</cellXfs></styleSheet>"


def strings(*items: str) -> str:
    """A shared strings part with these items, each the inside of an `si`."""
    return f"<sst {ROOT}>{''.join(f'<si>{item}</si>' for item in items)}</sst>"


def xlsx(
    sheets: dict[str, str],
    parts: Parts | None = None,
    *,
    sheet_relations: Rels | None = None,
    book_relations: Rels | None = None,
    states: dict[str, str] | None = None,
    properties: str = "",
) -> bytes:
    """A workbook with these sheets by name; `sheet_relations` are those of the first sheet."""
    listed = "".join(
        f'<sheet name="{_attribute(name)}" sheetId="{n}" r:id="rId{n}" state="{(states or {}).get(name, "visible")}"/>'
        for n, name in enumerate(sheets, 1)
    )
    relations = {f"rId{n}": ("worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(sheets) + 1)}
    relations |= {"rStyles": ("styles", "styles.xml"), "rStrings": ("sharedStrings", "sharedStrings.xml")}
    made: dict[str, str | bytes] = {
        "xl/workbook.xml": f"<workbook {ROOT}>{properties}<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": rels({**relations, **(book_relations or {})}),
        "xl/styles.xml": styles(),
        "xl/sharedStrings.xml": strings(),
        "xl/worksheets/_rels/sheet1.xml.rels": rels(sheet_relations or {}),
        **{f"xl/worksheets/sheet{n}.xml": content for n, content in enumerate(sheets.values(), 1)},
        **(parts or {}),
    }
    return package({name: content for name, content in made.items() if content}, "xl/workbook.xml", BOOK_TYPE)


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
