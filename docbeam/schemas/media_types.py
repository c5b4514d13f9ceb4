"""The media types that docbeam knows by name: what sniffing can answer and what the registry maps to extractors."""

from __future__ import annotations

OOXML = "application/vnd.openxmlformats-officedocument."


class MediaType:
    """Media types as IANA writes them, and the groups that one extractor reads."""

    EMPTY = "application/x-empty"
    UNKNOWN_BINARY = "application/octet-stream"
    PLAIN = "text/plain"
    MARKDOWN = "text/markdown"
    HTML = "text/html"
    XHTML = "application/xhtml+xml"
    CSV = "text/csv"
    TSV = "text/tab-separated-values"
    JSON = "application/json"
    JSON_LINES = "application/x-ndjson"
    XML = "application/xml"
    YAML = "application/yaml"
    PDF = "application/pdf"
    DOCX = OOXML + "wordprocessingml.document"
    XLSX = OOXML + "spreadsheetml.sheet"
    PPTX = OOXML + "presentationml.presentation"
    PNG = "image/png"
    JPEG = "image/jpeg"
    TIFF = "image/tiff"
    WEBP = "image/webp"
    BMP = "image/bmp"
    GIF = "image/gif"

    WORD: tuple[str, ...] = (
        DOCX,
        OOXML + "wordprocessingml.template",
        "application/vnd.ms-word.document.macroenabled.12",
        "application/vnd.ms-word.template.macroenabled.12",
    )
    SPREADSHEET: tuple[str, ...] = (
        XLSX,
        OOXML + "spreadsheetml.template",
        "application/vnd.ms-excel.sheet.macroenabled.12",
        "application/vnd.ms-excel.template.macroenabled.12",
    )
    PRESENTATION: tuple[str, ...] = (
        PPTX,
        OOXML + "presentationml.template",
        OOXML + "presentationml.slideshow",
        "application/vnd.ms-powerpoint.presentation.macroenabled.12",
        "application/vnd.ms-powerpoint.template.macroenabled.12",
        "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
    )
    PICTURES: tuple[str, ...] = (PNG, JPEG, TIFF, WEBP, BMP, GIF)
    TEXTS: tuple[str, ...] = (PLAIN, MARKDOWN, JSON, JSON_LINES, XML, YAML)
