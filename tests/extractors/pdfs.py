"""Small PDF documents, built with pikepdf for the tests."""

from __future__ import annotations

import io
from collections.abc import Iterable

import pikepdf
from pikepdf import Array, Dictionary, Name, String

A4 = (595, 842)


def line(text: str, x: float = 60, y: float = 700, size: float = 12, mode: int = 0) -> bytes:
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /F1 {size} Tf {mode} Tr 1 0 0 1 {x} {y} Tm ({escaped}) Tj ET\n".encode("cp1252")


def lines(*texts: str, top: float = 760, pitch: float = 16) -> bytes:
    return b"".join(line(text, y=top - pitch * at) for at, text in enumerate(texts))


class Pdf:
    """A document under construction; `bytes()` ends it."""

    def __init__(self) -> None:
        self.pdf = pikepdf.new()
        self.font = self.pdf.make_indirect(
            Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
        )

    def page(self, content: bytes = b"", *, size: tuple[float, float] = A4, **entries: object) -> pikepdf.Page:
        resources = Dictionary(Font=Dictionary(F1=self.font), XObject=Dictionary())
        page = Dictionary(Type=Name.Page, MediaBox=[0, 0, *size], Resources=resources, Contents=self.pdf.make_stream(content))
        for key, value in entries.items():
            page[f"/{key}"] = value
        self.pdf.pages.append(pikepdf.Page(self.pdf.make_indirect(page)))
        return self.pdf.pages[-1]

    def picture(
        self, page: pikepdf.Page, x: float, y: float, width: float, height: float, pixels: tuple[int, int] = (16, 16)
    ) -> None:
        """Draw a grey picture below the page's content."""
        image = self.pdf.make_stream(
            bytes(at % 256 for at in range(pixels[0] * pixels[1])),
            Type=Name.XObject,
            Subtype=Name.Image,
            Width=pixels[0],
            Height=pixels[1],
            ColorSpace=Name.DeviceGray,
            BitsPerComponent=8,
        )
        page.Resources.XObject["/Im0"] = image
        page.contents_add(f"q {width} 0 0 {height} {x} {y} cm /Im0 Do Q\n".encode(), prepend=True)

    def annotate(self, page: pikepdf.Page, subtype: str, rect: Iterable[float], **entries: object) -> Dictionary:
        annotation = Dictionary(Type=Name.Annot, Subtype=Name(f"/{subtype}"), Rect=Array(list(rect)), F=4)
        for key, value in entries.items():
            annotation[f"/{key}"] = String(value) if isinstance(value, str) else value
        if "/Annots" not in page:
            page.Annots = Array()
        page.Annots.append(self.pdf.make_indirect(annotation))
        return page.Annots[-1]

    def field(self, page: pikepdf.Page, kind: str, name: str, rect: Iterable[float], **entries: object) -> Dictionary:
        widget = self.annotate(page, "Widget", rect, T=name, **entries)
        widget.FT = Name(f"/{kind}")
        if "/AcroForm" not in self.pdf.Root:
            resources = Dictionary(Font=Dictionary(Helv=self.font))
            self.pdf.Root.AcroForm = Dictionary(Fields=Array(), DR=resources, DA=String("/Helv 10 Tf 0 g"))
        self.pdf.Root.AcroForm.Fields.append(widget)
        return widget

    def appearance(self, content: bytes, width: float, height: float) -> pikepdf.Stream:
        return self.pdf.make_stream(
            content,
            Type=Name.XObject,
            Subtype=Name.Form,
            BBox=[0, 0, width, height],
            Resources=Dictionary(Font=Dictionary(F1=self.font)),
        )

    def bytes(self, **how: object) -> bytes:
        out = io.BytesIO()
        self.pdf.save(out, **how)
        return out.getvalue()


def document(*contents: bytes) -> bytes:
    """Return a document with a page for each content stream."""
    pdf = Pdf()
    for content in contents:
        pdf.page(content)
    return pdf.bytes()
