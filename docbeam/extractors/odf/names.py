"""The names of OpenDocument that the walks use, and what they do with each element. Source: ODF 1.3 part 3."""

from __future__ import annotations

from typing import Any

Element = Any  # lxml has no types of its own

_OASIS = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
OFFICE, TEXT, TABLE, DRAW = _OASIS % "office", _OASIS % "text", _OASIS % "table", _OASIS % "drawing"
STYLE, META, FORM, CHART = _OASIS % "style", _OASIS % "meta", _OASIS % "form", _OASIS % "chart"
PRESENTATION, SVG, DR3D = _OASIS % "presentation", _OASIS % "svg-compatible", _OASIS % "dr3d"
XLINK, DC = "{http://www.w3.org/1999/xlink}", "{http://purl.org/dc/elements/1.1/}"
MATH, XML = "{http://www.w3.org/1998/Math/MathML}", "{http://www.w3.org/XML/1998/namespace}"
PREFIXES = {
    "office": OFFICE, "text": TEXT, "table": TABLE, "draw": DRAW, "style": STYLE, "meta": META, "form": FORM, "chart": CHART,
    "presentation": PRESENTATION, "svg": SVG, "dr3d": DR3D, "xlink": XLINK, "dc": DC, "math": MATH,
}  # fmt: skip

BODIES = frozenset(OFFICE + name for name in ("text", "spreadsheet", "presentation", "drawing", "image", "database"))
# Read child by child, so that a long document need not be in memory as a whole. All others are read as a whole.
CONTAINERS = BODIES | {
    *(OFFICE + name for name in ("document", "document-content", "body")),
    TEXT + "section",
    *(TABLE + name for name in ("table", "table-rows", "table-header-rows", "table-row-group")),
}
# Settings and marks without text, texts for editors, and what tracked changes took away.
SKIPPED = frozenset(
    (
        *(TEXT + name for name in (
            "tracked-changes", "changed-region", "change", "change-start", "change-end", "soft-page-break", "number",
            "note-citation", "script", "list-style", "variable-decls", "sequence-decls", "user-field-decls",
            "dde-connection-decls", "alphabetical-index-auto-mark-file", "table-of-content-source", "illustration-index-source",
            "table-index-source", "object-index-source", "user-index-source", "alphabetical-index-source",
            "bibliography-source", "section-source", "label",
        )),
        *(TABLE + name for name in (
            "tracked-changes", "content-validations", "calculation-settings", "label-ranges", "named-expressions",
            "database-ranges", "data-pilot-tables", "consolidation", "dde-links", "table-source", "scenario",
        )),
        *(DRAW + name for name in (
            "enhanced-geometry", "glue-point", "image-map", "page-thumbnail", "contour-polygon", "contour-path", "layer-set",
        )),
        *(OFFICE + name for name in (
            "annotation-end", "event-listeners", "forms", "dde-source", "binary-data", "scripts", "settings", "font-face-decls",
            "change-info",
        )),
        SVG + "title", SVG + "desc", PRESENTATION + "sound", PRESENTATION + "settings", FORM + "form",
    )
)  # fmt: skip
DRAWN_NAMES = (
    "a", "frame", "g", "custom-shape", "rect", "line", "polyline", "polygon", "regular-polygon", "path", "circle", "ellipse",
    "connector", "caption", "measure", "control",
)  # fmt: skip
DRAWN = frozenset((*(DRAW + name for name in DRAWN_NAMES), DR3D + "scene")) - {DRAW + "a"}


def local_name(element: Element) -> str:
    """Return the element's name without its namespace."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def number(text: str | None, default: int, most: int) -> int:
    """Return a whole number from 0 to `most`, or the default where the text is none."""
    text = (text or "").strip()
    return min(int(text), most) if text.isascii() and text.isdigit() and len(text) < 10 else default
