"""The pictures of files that are packages (Open XML, OpenDocument, EPUB): handed out by the name of their part.

What a Windows metafile writes is read at once, as it is text already. Source: [MS-EMF], [MS-WMF].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.package import FATAL, Package
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode

if TYPE_CHECKING:
    from PIL.Image import Image

METAFILE_ENDINGS = (".emf", ".wmf", ".emz", ".wmz")
MAX_METAFILE_BYTES = 16 << 20  # that are looked through for words; larger ones are bitmaps
MAX_METAFILES_BYTES = 64 << 20  # of one document
NO_WORDS = "a picture; text in it is not recognised: a drawing of lines and shapes without words"


def part_lines(package: Package, name: str, out: TextBuilder) -> list[str]:
    """Hand out the picture in a part; return the lines that stand in its place: its anchor, the words of a metafile."""
    data = _small_part(package, name) if name.lower().endswith(METAFILE_ENDINGS) else b""
    return metafile_lines_of(data, name, out) if data else list(filter(None, [out.picture(name)]))


def _small_part(package: Package, name: str) -> bytes:
    """Return a part that is looked through for words; nothing where it is broken, or too much of them was looked through."""
    pieces: list[bytes] = []
    most = min(MAX_METAFILE_BYTES, MAX_METAFILES_BYTES - package.looked_through_bytes)
    if package.size(name) > most:
        return b""
    try:
        for piece in package.chunks(name):
            package.looked_through_bytes += len(piece)
            most -= len(piece)
            if most < 0:
                return b""
            pieces.append(piece)
    except ExtractionError as error:
        if error.category in FATAL:
            raise
        return b""
    return b"".join(pieces)


def metafile_lines_of(data: bytes, name: str, out: TextBuilder) -> list[str]:
    """Return the lines for a metafile: its words, and an anchor where it shows a bitmap; one that has neither is named."""
    from docbeam.extractors.image.embedded import picture_type, unpacked  # late: Pillow costs more than most documents
    from docbeam.extractors.image.metafile import METAFILES, has_bitmap, metafile_text

    try:
        data = unpacked(data, out.options.max_decompressed_bytes)
    except ExtractionError:
        return list(filter(None, [out.picture(name)]))
    if picture_type(data) not in METAFILES:
        return list(filter(None, [out.picture(name)]))
    words = metafile_text(data)
    anchor = out.picture(name) if has_bitmap(data) else ""
    if not words and not has_bitmap(data, least=False):
        out.warn(WarningCode.NEEDS_OCR, name, NO_WORDS)
    return list(filter(None, [anchor, words]))


def part_picture(source: Source, part: str, options: ExtractOptions) -> Image:
    """Return the picture in a part of a package. Raises ExtractionError as embedded_picture does."""
    from docbeam.extractors.image.embedded import embedded_picture

    with source.open() as file:
        package = Package(file, options)
        if not package.has(part):
            raise ExtractionError(ErrorCategory.CORRUPT, f"{part}: not in the package")
        data = package.part(part)
    return embedded_picture(data, part, options)
