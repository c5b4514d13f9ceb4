"""Pictures that a flat OpenDocument file holds as base64 in its XML, found again by the digest in their names.

Source: ODF 1.3 part 3, 10.4.5 (office:binary-data).
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from lxml import etree

from docbeam.extractors.image.embedded import embedded_picture
from docbeam.extractors.odf.frames import digest
from docbeam.extractors.odf.names import OFFICE
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

if TYPE_CHECKING:
    from PIL.Image import Image


def flat_picture(source: Source, part: str, options: ExtractOptions) -> Image:
    """Return the picture that `part` names. Raises ExtractionError as embedded_picture does."""
    wanted = part.rpartition("(")[2].rstrip(")")
    with source.open() as file:
        elements = etree.iterparse(
            file, events=("end",), tag=OFFICE + "binary-data", resolve_entities=False, no_network=True, load_dtd=False,
            huge_tree=b"<!DOCTYPE" not in source.head(), recover=True,
        )  # fmt: skip
        for _, element in elements:
            text = element.text or ""
            if digest(text) == wanted:
                try:
                    return embedded_picture(base64.b64decode(text), part, options)
                except binascii.Error as error:
                    raise ExtractionError(ErrorCategory.CORRUPT, f"{part}: not base64: {error}") from error
            element.clear()
    raise ExtractionError(ErrorCategory.CORRUPT, f"{part}: not in the document")
