"""What a drawing points to: charts and SmartArt are read, embedded files and pictures handed out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.drawing import body_lines, chart_lines, diagram_lines
from docbeam.extractors.ooxml.embedded import hand_out_embedded
from docbeam.extractors.ooxml.package import Package, Relation, part_of_rels
from docbeam.extractors.ooxml.xml import A, Element, R, local_name
from docbeam.extractors.package_pictures import part_lines
from docbeam.schemas.vocabulary import WarningCode

EMU_PER_PIXEL = 9525  # at 96 dots per inch
MIN_WIDTH_PIXELS = 100  # as shown; smaller pictures are signs and rules, not text
MIN_HEIGHT_PIXELS = 40
MIN_PICTURE_BYTES = 500  # spacers and dots
MAX_DATA_BYTES = 1 << 20  # of a data part that is looked into
MAX_LINKS = 10  # that one warning names
MAX_LINK_CHARS = 200
_CUSTOM_XML = re.compile(r"customXml/item\d*\.xml$", re.IGNORECASE)
_MEDIA = {"audio": "sound", "video": "video", "media": "sound or video"}


class Graphics:
    """The charts, diagrams and pictures of one package. Every chart is parsed once, every picture handed out once."""

    def __init__(self, package: Package, out: TextBuilder) -> None:
        self._package = package
        self._out = out
        self._lines: dict[str, list[str]] = {}
        self._pictures: set[str] = set()
        self._lost: set[tuple[str, str]] = set()

    def lines(self, part: str, element: Element) -> list[str]:
        """Return the words of the chart or diagram that an element (c:chart, cx:chart, dgm:relIds) points to."""
        relation = self._package.rels(part).get(element.get(R + "dm") or element.get(R + "id") or "")
        if relation is None or relation.is_external:
            self._out.warn(WarningCode.ENTRY_MISSING, part, f"a {local_name(element)} whose part is not in the package")
            return []
        if relation.target not in self._lines:
            self._lines[relation.target] = list(self._read(relation))
        return self._lines[relation.target]

    def picture(self, part: str, relation_id: str | None, size: tuple[int, int] | None) -> list[str]:
        """Hand out a picture the first time that it is shown; return the lines that stand in its place.

        `size` is in EMU, None if it isn't known.
        """
        relation = self._package.rels(part).get(relation_id or "")
        if relation is None and relation_id and (part, relation_id) not in self._lost:
            self._lost.add((part, relation_id))
            self._out.warn(WarningCode.ENTRY_MISSING, part, f"a picture {relation_id[:20]!r} that the part has no target for")
        if relation is None or relation.is_external or relation.target in self._pictures:
            return []
        if size is not None and (size[0] < MIN_WIDTH_PIXELS * EMU_PER_PIXEL or size[1] < MIN_HEIGHT_PIXELS * EMU_PER_PIXEL):
            return []
        self._pictures.add(relation.target)
        if not self._package.has(relation.target):
            self._out.warn(WarningCode.ENTRY_MISSING, relation.target, "a picture that is not in the package")
        elif self._package.size(relation.target) >= MIN_PICTURE_BYTES:
            return part_lines(self._package, relation.target, self._out)
        return []

    def warn_unread(self) -> None:
        """Hand out the embedded files of the package; name sounds, videos and macros, which are not read."""
        with self._out.until_full():
            for name in self._package.names():
                if name.lower().rpartition("/")[0].endswith("/embeddings"):
                    hand_out_embedded(self._package, name, self._out)
        for name in self._package.names():
            folder, _, last = name.lower().rpartition("/")
            if last == "vbaproject.bin":
                self._out.warn(WarningCode.MACROS, name, "macros are not read")
            elif folder == "word/glossary" and last == "document.xml":
                self._out.warn(WarningCode.PART_NOT_READ, name, "building blocks, which the document itself does not show")
            elif folder.endswith("/activex") and last.endswith(".xml"):
                self._out.warn(WarningCode.PART_NOT_READ, name, "a form control whose value is not read")
            elif kind := _media_kind(self._package.content_type(name)):
                self._out.warn(WarningCode.PART_NOT_READ, name, f"{kind} is not transcribed")

        self._name_data()
        self._name_links()

    def _name_data(self) -> None:
        """Name the data that programs keep in the package; what a content control shows of it stands in the text."""
        caches = [name for name in self._package.names() if "/pivotcache/" in name.lower() and "_rels/" not in name.lower()]
        if caches:
            message = f"copies of the data that pivot tables sum up; parts: {len(caches)}"
            self._out.warn(WarningCode.PART_NOT_READ, caches[0], message)
        for name in self._package.names():
            if name.lower().rpartition("/")[2] in ("connections.xml", "connections.bin"):
                self._out.warn(WarningCode.EXTERNAL_LINK, name, "connections to data outside of the workbook; never opened")
        names = [name for name in self._package.names() if _CUSTOM_XML.match(name) and self._has_words(name)]
        if names:
            more = f" and {len(names) - MAX_LINKS} more" if len(names) > MAX_LINKS else ""
            self._out.warn(WarningCode.PART_NOT_READ, ", ".join(names[:MAX_LINKS]) + more, "data of a program")

    def _has_words(self, name: str) -> bool:
        if self._package.size(name) > MAX_DATA_BYTES:
            return True
        root, problem = self._package.xml_or_problem(name)
        return root is None or problem is not None or any(text.strip() for text in root.itertext())

    def _name_links(self) -> None:
        """Name the files outside of the package that it takes content from: linked workbooks, pictures, objects, templates."""
        links: dict[str, str] = {}
        parts: dict[str, None] = {}
        for relation_part in self._package.names():
            if "_rels/" not in relation_part.lower():
                continue
            part = part_of_rels(relation_part)
            for relation in self._package.rels(part).values():
                if relation.is_external and relation.type.lower() != "hyperlink":
                    links.setdefault(relation.target[:MAX_LINK_CHARS], relation.type)
                    parts.setdefault(part)
        if links:
            shown = "; ".join(f"{target} ({kind})" for target, kind in list(links.items())[:MAX_LINKS])
            more = f" and {len(links) - MAX_LINKS} more" if len(links) > MAX_LINKS else ""
            kept = "; values that the workbook keeps of them are not read" if "externalLinkPath" in links.values() else ""
            self._out.warn(WarningCode.EXTERNAL_LINK, ", ".join(list(parts)[:MAX_LINKS]), f"not fetched: {shown}{more}{kept}")

    def _read(self, relation: Relation) -> Iterator[str]:
        root = self._package.xml_or_warn(relation.target, self._out)
        if root is None:
            return
        if relation.type == "diagramData":
            yield from diagram_lines(root)
            return
        yield from chart_lines(root)
        for shapes in self._package.related(relation.target, "chartUserShapes"):
            drawn = self._package.xml_or_warn(shapes.target, self._out)
            if drawn is not None:
                yield from body_lines(drawn)


def shape_size(shape: Element) -> tuple[int, int] | None:
    """Return the width and height in EMU of the first extent (wp:extent, a:ext with cx) of a shape, or None."""
    for extent in shape.iter("{*}extent", A + "ext", "{*}ext"):
        width, height = extent.get("cx", ""), extent.get("cy", "")
        if width.isascii() and width.isdigit() and height.isascii() and height.isdigit():
            return int(width), int(height)
    return None


def description(element: Element) -> str:
    """Return the title and alternative text of a drawing's properties (wp:docPr, *:cNvPr) as a line, or an empty text."""
    words = [element.get("title", "").strip(), element.get("descr", "").strip()]
    return alt_text(": ".join(dict.fromkeys(filter(None, words))))


def alt_text(text: str | None) -> str:
    """Return a picture's alternative text as a line, or an empty text where it is blank or a file's name."""
    words = " ".join((text or "").split())
    is_name = " " not in words and words.lower().endswith(
        (".png", ".jpg", ".jpeg", ".gif", ".emf", ".wmf", ".bmp", ".tif", ".tiff")
    )
    is_path = "\\" in words or words.lower().startswith(("http:", "https:", "cid:", "file:"))
    return "" if not words or is_name or is_path else f"[Image: {words}]"


def _media_kind(content_type: str) -> str | None:
    kind = content_type.partition("/")[0]
    return _MEDIA.get(kind)
