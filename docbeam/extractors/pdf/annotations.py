"""What stands on a page beside its content: form values, typewriter text, stamps and notes (ISO 32000-2, 12.5 and 12.7).

A value is read as it is drawn: the appearances are flattened into the page and read alone. Where nothing is drawn, the
value or contents of the dictionary stand in. Values go to their place in the text, notes to the end of the page.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pypdfium2.raw as pdfium_c

from docbeam.extractors.pdf.glyphs import Box, to_display
from docbeam.extractors.pdf.page import Handle, OpenPage, bounded_text

MAX_ANNOTATIONS = 20_000  # of one page; honest forms reach about 1 000
MAX_VALUE_UNITS = 1_000_000  # UTF-16 units of one string
PUSH_BUTTON, CHECK_BOX, RADIO = (
    pdfium_c.FPDF_FORMFIELD_PUSHBUTTON,
    pdfium_c.FPDF_FORMFIELD_CHECKBOX,
    pdfium_c.FPDF_FORMFIELD_RADIOBUTTON,
)
DRAWN = frozenset(
    {pdfium_c.FPDF_ANNOT_WIDGET, pdfium_c.FPDF_ANNOT_FREETEXT, pdfium_c.FPDF_ANNOT_STAMP, pdfium_c.FPDF_ANNOT_WATERMARK}
)
SILENT = frozenset({pdfium_c.FPDF_ANNOT_LINK, pdfium_c.FPDF_ANNOT_UNKNOWN, pdfium_c.FPDF_ANNOT_PRINTERMARK})


@dataclass(slots=True)
class Item:
    """A text with its place as displayed. `name`, of marks alone, is said too where no text of the page stands beside them."""

    text: str
    box: Box
    name: str = ""
    is_mark: bool = False


@dataclass(slots=True)
class Annotations:
    """All that annotations add to a page: items with a place, notes (author, contents) without, names of attached files.

    `hidden` ones are counted and not read: programs keep values in them, and replies to notes that were deleted.
    """

    items: list[Item] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    hidden: int = 0  # with text


@dataclass(slots=True)
class _Found:
    """One annotation as its dictionary says. `box` is in page units: left, bottom, right, top."""

    subtype: int
    box: Box
    contents: str = ""
    author: str = ""
    value: str = ""
    name: str = ""
    kind: int = -1
    is_checked: bool = False
    file: str | None = None


def annotations_on(page: OpenPage) -> Annotations | None:
    """Return what the page's annotations say, None if there is nothing (the usual case, and cheap).

    Flattens the page in memory if appearances have to be read: read everything else of it before.
    """
    hidden: list[str] = []
    found = list(_found(page, hidden))
    if not found:
        return Annotations(hidden=len(hidden)) if hidden else None
    drawn = _drawn_texts(page, found)
    out, display = Annotations(hidden=len(hidden)), to_display(page)
    said: set[str] = set()
    for one, shown in zip(found, drawn, strict=True):
        if one.file is not None:
            out.files.append(one.file)
        item = _item(one, shown, display)
        if item is not None:
            out.items.append(item)
            said.add(_bare(item.text))
            if one.subtype == pdfium_c.FPDF_ANNOT_FREETEXT:
                said.add(_bare(one.contents))
    for one in sorted(found, key=lambda one: one.subtype == pdfium_c.FPDF_ANNOT_POPUP):
        bare = _bare(one.contents)
        if bare and bare not in said and one.subtype != pdfium_c.FPDF_ANNOT_WIDGET:
            said.add(bare)
            out.notes.append((one.author, one.contents))
    return out if out.items or out.notes or out.files or out.hidden else None


def _found(page: OpenPage, hidden: list[str]) -> Iterator[_Found]:
    count = min(pdfium_c.FPDFPage_GetAnnotCount(page.page), MAX_ANNOTATIONS)
    for index in range(count):
        annotation = pdfium_c.FPDFPage_GetAnnot(page.page, index)
        if not annotation:
            continue
        try:
            subtype = pdfium_c.FPDFAnnot_GetSubtype(annotation)
            if subtype in SILENT:
                continue
            if not pdfium_c.FPDFAnnot_GetFlags(annotation) & pdfium_c.FPDF_ANNOT_FLAG_HIDDEN:
                yield _read(page, annotation, subtype)
            elif text := (_string(annotation, b"Contents") or _string(annotation, b"V")).strip():
                hidden.append(text)
        finally:
            pdfium_c.FPDFPage_CloseAnnot(annotation)


def _read(page: OpenPage, annotation: Handle, subtype: int) -> _Found:
    rect = pdfium_c.FS_RECTF()
    pdfium_c.FPDFAnnot_GetRect(annotation, rect)
    one = _Found(
        subtype,
        (min(rect.left, rect.right), min(rect.bottom, rect.top), max(rect.left, rect.right), max(rect.bottom, rect.top)),
    )
    if subtype == pdfium_c.FPDF_ANNOT_WIDGET:
        _read_field(page, annotation, one)
        return one
    one.contents = _string(annotation, b"Contents").strip()
    one.author = _string(annotation, b"T").strip()
    if subtype == pdfium_c.FPDF_ANNOT_FILEATTACHMENT:
        attachment = pdfium_c.FPDFAnnot_GetFileAttachment(annotation)
        one.file = attachment_name(attachment) if attachment else ""
    return one


def _read_field(page: OpenPage, annotation: Handle, one: _Found) -> None:
    forms = page.document.formenv
    if forms is None:
        one.value = _string(annotation, b"V").strip()
        return
    one.kind = pdfium_c.FPDFAnnot_GetFormFieldType(forms, annotation)
    if one.kind in (CHECK_BOX, RADIO):
        one.name = _wide(lambda *to: pdfium_c.FPDFAnnot_GetFormFieldAlternateName(forms, annotation, *to)).strip()
        one.name = one.name or _wide(lambda *to: pdfium_c.FPDFAnnot_GetFormFieldName(forms, annotation, *to)).strip()
        one.is_checked = _string(annotation, b"AS") not in ("", "Off")
    elif one.kind != PUSH_BUTTON:
        one.value = _wide(lambda *to: pdfium_c.FPDFAnnot_GetFormFieldValue(forms, annotation, *to)).strip()
        one.value = _chosen(forms, annotation) or one.value


def _chosen(forms: Handle, annotation: Handle) -> str:
    """Return the labels of the chosen options, one a line; a value can be a code that nobody sees."""
    count = min(pdfium_c.FPDFAnnot_GetOptionCount(forms, annotation), MAX_ANNOTATIONS)
    labels = [
        _wide(lambda *to, at=index: pdfium_c.FPDFAnnot_GetOptionLabel(forms, annotation, at, *to)).strip()
        for index in range(count)
        if pdfium_c.FPDFAnnot_IsOptionSelected(forms, annotation, index)
    ]
    return "\n".join(labels)


def _item(one: _Found, shown: str, display: Callable[[float, float, float, float], Box]) -> Item | None:
    if one.kind in (CHECK_BOX, RADIO):
        return Item("[x]" if one.is_checked else "[ ]", display(*one.box), one.name, is_mark=True)
    if one.subtype not in DRAWN:
        return None
    text = shown or (one.value if one.subtype == pdfium_c.FPDF_ANNOT_WIDGET else one.contents)
    if len(_bare(one.value)) > len(_bare(shown)) and _bare(shown) in _bare(one.value):
        text = one.value  # a small field shows only the beginning
    elif one.kind == pdfium_c.FPDF_FORMFIELD_LISTBOX and _bare(one.value) not in _bare(shown):
        text = f"{one.value}\n{shown}"  # scrolled away
    return Item(text, display(*one.box), one.name) if text.strip() else None


def _drawn_texts(page: OpenPage, found: list[_Found]) -> list[str]:
    """Return the text that each annotation's appearance draws, read from the flattened page without its content."""
    texts = [""] * len(found)
    if not any(one.subtype in DRAWN and one.kind not in (CHECK_BOX, RADIO) for one in found):
        return texts
    own = pdfium_c.FPDFPage_CountObjects(page.page)
    if pdfium_c.FPDFPage_Flatten(page.page, pdfium_c.FLAT_NORMALDISPLAY) != pdfium_c.FLATTEN_SUCCESS:
        return texts
    handle = pdfium_c.FPDF_LoadPage(page.document, page.number - 1)
    if not handle:
        return texts
    try:
        for index in range(min(own, pdfium_c.FPDFPage_CountObjects(handle))):
            pdfium_c.FPDFPageObj_SetIsActive(pdfium_c.FPDFPage_GetObject(handle, index), False)
        text_page = pdfium_c.FPDFText_LoadPage(handle)
        if text_page:
            for at, one in enumerate(found):
                if one.subtype in DRAWN and one.kind not in (CHECK_BOX, RADIO):
                    texts[at] = _lines(bounded_text(text_page, one.box))
            pdfium_c.FPDFText_ClosePage(text_page)
    finally:
        pdfium_c.FPDF_ClosePage(handle)
    return texts


def attachment_name(attachment: Handle) -> str:
    """Return the name of an embedded file."""
    return _wide(lambda *to: pdfium_c.FPDFAttachment_GetName(attachment, *to)).strip()


def _string(annotation: Handle, key: bytes) -> str:
    return _wide(lambda *to: pdfium_c.FPDFAnnot_GetStringValue(annotation, key, *to))


def _wide(call: Callable[..., int]) -> str:
    """Return the UTF-16 string that an API of PDFium writes into a buffer; its length is in bytes."""
    size = call(None, 0)
    if not 2 < size <= 2 * MAX_VALUE_UNITS:
        return ""
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    call(buffer, size)
    text = ctypes.string_at(buffer, size).decode("utf-16-le", "replace")
    return text.rstrip("\x00").replace("\r\n", "\n").replace("\r", "\n")


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\ufffe", "").strip()


def _bare(text: str) -> str:
    return "".join(text.split())
