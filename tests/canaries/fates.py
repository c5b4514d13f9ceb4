"""What becomes of each canary: read, named in a warning, left out for a reason, or lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from docbeam.extractors import extract_text
from docbeam.extractors.engine import read_document
from docbeam.extractors.library import TextDocument
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from tests.canaries import data, mail
from tests.canaries.excel import excel
from tests.canaries.exceptions import EXCEPTIONS
from tests.canaries.legacy import LEGACY
from tests.canaries.odf import odf_sheet, odf_slides, odf_text
from tests.canaries.pdf import pdf
from tests.canaries.planting import Bed, Canary
from tests.canaries.powerpoint import powerpoint
from tests.canaries.rtf import rtf
from tests.canaries.web import epub, html, svg
from tests.canaries.word import word

LOST = "LOST"
OPTIONS = ExtractOptions(ocr=False)
BUILDERS: tuple[Callable[[], Bed], ...] = (
    *(word, excel, powerpoint, *LEGACY, pdf, odf_text, odf_sheet, odf_slides, rtf, html, svg, epub),
    *(mail.eml, mail.mbox, mail.msg, mail.ics, mail.vcf, data.csv, data.json_file, data.xml, data.yaml, data.markdown),
    *(data.notebook, data.zip_file, data.tar, data.gzip_file, data.jpeg, data.png),
)


def fates(bed: Bed) -> list[tuple[Canary, str]]:
    """Return a document's canaries with what became of each."""
    root, *embedded = _read(bed)
    return [(canary, _fate(canary, root, embedded, bed.name.rpartition(".")[2])) for canary in bed.canaries]


def _read(bed: Bed) -> list[tuple[str, Extracted]]:
    """Return the document and all that is embedded in it, with their paths."""
    if bed.name.endswith((".jpg", ".png")):  # their only text is in what they say of themselves
        extracted = read_document(Source(data=bed.data, name=bed.name), OPTIONS).extracted
        assert extracted is not None
        return [("", extracted)]
    document = extract_text(bed.data, name=bed.name, isolated=False, options=OPTIONS)
    return [("", document.extracted), *_embedded(document)]


def page() -> str:
    """Return the page of all documents, places and fates, in Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield from (
        "# What becomes of each part of a document",
        "",
        "<!-- Made by `python -m tests.canaries`; do not edit. -->",
        "",
    )
    yield "A test plants a word of its own in every part of a document that can hold text, reads the document, and looks for the"
    yield "words. Each is in the text, in the metadata or in a document of its own, or a warning names the part. What is left out"
    yield "without a warning stands here with its reason."
    for build in BUILDERS:
        bed = build()
        yield from ("", f"## {bed.name}", "", "| part | what becomes of it |", "|---|---|")
        for canary, fate in fates(bed):
            yield f"| {canary.place} | {fate} |"


def _fate(canary: Canary, root: tuple[str, Extracted], embedded: list[tuple[str, Extracted]], kind: str) -> str:
    found = root[1]
    if canary.word in found.content:
        return "content"
    if any(canary.word in inner.content for _, inner in embedded):
        return "content of an embedded document"
    for what, value in (("title", found.title), ("author", found.author)):
        if canary.word in (value or ""):
            return what
    for key, value in found.metadata.items():
        if canary.word in value or canary.word in key:
            return f"metadata `{key.replace(canary.word, '…')}`"
    if any(canary.word in path for path, _ in embedded):
        return "path of an embedded document"
    if any(canary.word in f"{inner.title} {inner.author} {inner.metadata}" for _, inner in embedded):
        return "metadata of an embedded document"
    for notice in (notice for _, inner in (root, *embedded) for notice in inner.warnings):
        said = f"{notice.part} {notice.message}"
        if canary.word in said or (canary.part and canary.part in said):
            return f"warning `{notice.code}`"
    reason = EXCEPTIONS.get((kind, canary.place))
    return f"left out: {reason}" if reason else LOST


def _embedded(document: TextDocument) -> Iterator[tuple[str, Extracted]]:
    for item in document.embedded:
        if item.document is not None:
            yield item.path, item.document.extracted
            yield from _embedded(item.document)
