"""Builds small Office packages for the tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from xml.sax.saxutils import quoteattr

REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
PACKAGE_REL = "http://schemas.openxmlformats.org/package/2006/relationships"
NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" '
    'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
)
WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
SHOW_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"

Parts = Mapping[str, str | bytes]
Rels = Mapping[str, tuple[str, str]]


def element(name: str, content: str, attributes: str = "") -> str:
    """A root element with every namespace that the tests use."""
    return f"<{name} {NAMESPACES} {attributes}>{content}</{name}>"


def rels(relations: Rels) -> str:
    """A relationships part: id to (last word of the type, target)."""
    lines = "".join(
        f'<Relationship Id="{key}" Type="{REL}{kind}" Target={quoteattr(target)}/>' for key, (kind, target) in relations.items()
    )
    return f'<Relationships xmlns="{PACKAGE_REL}">{lines}</Relationships>'


def package(parts: Parts, main: str, content_type: str) -> bytes:
    """A package with its content types and its root relationship."""
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/><Default Extension="html" ContentType="text/html"/>'
        '<Default Extension="txt" ContentType="text/plain"/><Default Extension="png" ContentType="image/png"/>'
        f'<Override PartName="/{main}" ContentType="{content_type}"/></Types>'
    )
    everything = {"[Content_Types].xml": types, "_rels/.rels": rels({"rId1": ("officeDocument", main)}), **parts}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in everything.items():
            file.writestr(zipfile.ZipInfo(name), content)
    return target.getvalue()


def docx(body: str, relations: Rels | None = None, parts: Parts | None = None) -> bytes:
    """A Word document with this body; `relations` are those of its main part."""
    return package(
        {
            "word/document.xml": element("w:document", f"<w:body>{body}</w:body>"),
            "word/_rels/document.xml.rels": rels(relations or {}),
            **(parts or {}),
        },
        "word/document.xml",
        WORD_TYPE,
    )


def pptx(slides: list[str], parts: Parts | None = None, slide_relations: Rels | None = None) -> bytes:
    """A presentation whose slides have these shapes; `slide_relations` are those of the first slide."""
    listed = "".join(f'<p:sldId id="{256 + n}" r:id="rId{n}"/>' for n in range(1, len(slides) + 1))
    made: dict[str, str | bytes] = {
        "ppt/presentation.xml": element("p:presentation", f"<p:sldIdLst>{listed}</p:sldIdLst>"),
        "ppt/_rels/presentation.xml.rels": rels(
            {f"rId{n}": ("slide", f"slides/slide{n}.xml") for n in range(1, len(slides) + 1)}
        ),
        "ppt/slides/_rels/slide1.xml.rels": rels(slide_relations or {}),
    }
    for n, shapes in enumerate(slides, 1):
        made[f"ppt/slides/slide{n}.xml"] = element("p:sld", f"<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>")
    return package({**made, **(parts or {})}, "ppt/presentation.xml", SHOW_TYPE)


def p(text: str) -> str:
    """A paragraph of one run."""
    return f'<w:p><w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def box(text: str, left: int = 0, top: int = 0, width: int = 1000, height: int = 500, placeholder: str = "") -> str:
    """A text box on a slide."""
    paragraphs = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n"))
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr><p:spPr><a:xfrm>'
        f'<a:off x="{left}" y="{top}"/><a:ext cx="{width}" cy="{height}"/></a:xfrm></p:spPr>'
        f"<p:txBody><a:bodyPr/>{paragraphs}</p:txBody></p:sp>"
    )
