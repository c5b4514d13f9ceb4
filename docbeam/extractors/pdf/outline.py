"""What a PDF says beside its pages: bookmarks, alternative texts of figures, and whether it holds scripts.

Source: ISO 32000-2, 12.3.3 (outlines), 14.9.3 (alternative descriptions), 12.6.4.17 (ECMAScript actions).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docbeam.extractors.bounded import MAX_METADATA_CHARS, TextBuilder
from docbeam.schemas.vocabulary import WarningCode

MAX_BOOKMARKS = 1_000  # more than the metadata can show
MAX_LEVELS = 20  # of bookmarks in bookmarks
MAX_PAGES = 500  # that are looked at for figures
MAX_ELEMENTS = 20_000  # of one page's structure
MAX_TITLE_BYTES = 2_000


def describe_outline(document: pdfium.PdfDocument, out: TextBuilder) -> None:
    """Record the bookmarks and the alternative texts as metadata, and name scripts."""
    out.meta("pdf.bookmarks", _joined(_bookmarks(document)))
    if pdfium_c.FPDFCatalog_IsTagged(document):
        out.meta("pdf.alternativeTexts", _joined(_alternative_texts(document, out)))
    count = pdfium_c.FPDFDoc_GetJavaScriptActionCount(document)
    if count > 0:
        out.warn(WarningCode.MACROS, "document", f"scripts are not read, nor run: {count}")


def _joined(texts: Iterator[str]) -> str:
    """Return different texts in one line, about as many as the metadata can hold."""
    found: dict[str, None] = {}
    chars = 0
    for text in texts:
        if text and text not in found:
            found[text] = None
            chars += len(text)
        if chars > MAX_METADATA_CHARS:
            break
    return "; ".join(found)


def _bookmarks(document: pdfium.PdfDocument) -> Iterator[str]:
    first = pdfium_c.FPDFBookmark_GetFirstChild(document, None)
    waiting = [(first, 0)]
    for _ in range(MAX_BOOKMARKS):  # a file can make them a circle
        if not waiting:
            return
        mark, level = waiting.pop()
        if not mark:
            continue
        yield _text(lambda *to, mark=mark: pdfium_c.FPDFBookmark_GetTitle(mark, *to))
        waiting.append((pdfium_c.FPDFBookmark_GetNextSibling(document, mark), level))
        if level < MAX_LEVELS:
            waiting.append((pdfium_c.FPDFBookmark_GetFirstChild(document, mark), level + 1))


def _alternative_texts(document: pdfium.PdfDocument, out: TextBuilder) -> Iterator[str]:
    for index in range(min(len(document), MAX_PAGES)):
        if out.remaining_seconds() <= 0:
            return
        page = pdfium_c.FPDF_LoadPage(document, index)
        tree = pdfium_c.FPDF_StructTree_GetForPage(page) if page else None
        try:
            if tree:
                yield from _of_tree(tree)
        finally:
            if tree:
                pdfium_c.FPDF_StructTree_Close(tree)
            if page:
                pdfium_c.FPDF_ClosePage(page)


def _of_tree(tree: pdfium_c.FPDF_STRUCTTREE) -> Iterator[str]:
    count = min(pdfium_c.FPDF_StructTree_CountChildren(tree), MAX_ELEMENTS)
    waiting = [pdfium_c.FPDF_StructTree_GetChildAtIndex(tree, index) for index in range(count)]
    for _ in range(MAX_ELEMENTS):
        if not waiting:
            return
        element = waiting.pop()
        if not element:
            continue
        yield _text(lambda *to, element=element: pdfium_c.FPDF_StructElement_GetAltText(element, *to))
        count = min(pdfium_c.FPDF_StructElement_CountChildren(element), MAX_ELEMENTS)
        waiting += [pdfium_c.FPDF_StructElement_GetChildAtIndex(element, index) for index in reversed(range(count))]


def _text(call: Callable[..., int]) -> str:
    """Return a UTF-16 text that PDFium writes into a buffer, in one line."""
    size = min(call(None, 0), MAX_TITLE_BYTES * 8)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    call(buffer, size)
    return " ".join(buffer.raw.decode("utf-16-le", "replace").replace("\0", " ").split())[:MAX_TITLE_BYTES]
