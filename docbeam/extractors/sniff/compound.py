"""OLE2 compound files by the streams in their root: Word, Excel, PowerPoint, Outlook, encrypted OOXML and others.

Source: [MS-OFFCRYPTO] 2.3.2 (encrypted packages).
"""

from __future__ import annotations

from docbeam.extractors.compound_file import CompoundFile
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.vocabulary import ErrorCategory

OOXML_TYPES = frozenset((*MediaType.WORD, *MediaType.SPREADSHEET, *MediaType.PRESENTATION, MediaType.XLSB))
LEGACY_TYPES = frozenset((MediaType.DOC, MediaType.XLS, MediaType.PPT, MediaType.MSG))
BY_STREAM = (
    ("worddocument", MediaType.DOC),
    ("workbook", MediaType.XLS),
    ("book", MediaType.XLS),
    ("powerpoint document", MediaType.PPT),
    ("pp40", MediaType.PPT),
    ("__properties_version1.0", MediaType.MSG),
    ("__nameid_version1.0", MediaType.MSG),
    ("visiodocument", "application/vnd.visio"),
    ("quill", "application/vnd.ms-publisher"),
    ("matost", "application/vnd.ms-works"),
    ("mm", "application/vnd.ms-works"),
    ("props9", "application/vnd.ms-project"),
    ("props12", "application/vnd.ms-project"),
    ("props14", "application/vnd.ms-project"),
    ("fileheader", "application/vnd.hancom.hwp"),
)
MSI_CLASS = bytes.fromhex("84100c0000000000c000000000000046")


def type_in_compound(source: Source, declared: str | None) -> tuple[str, ExtractionError | None]:
    """Return the type of an OLE2 file, and the problem if it is an encrypted package; other formats say so themselves."""
    with source.open() as file:
        compound = CompoundFile(file)
        streams = compound.streams
        if "encryptedpackage" in streams or "\x09drmcontent" in streams:
            package = declared if declared in OOXML_TYPES and declared is not None else MediaType.ENCRYPTED_OOXML
            return package, ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, "the OLE2 file holds an encrypted package")
        media_type = next((media_type for name, media_type in BY_STREAM if name in streams), None)
    if media_type is None and compound.root is not None and compound.root.class_id == MSI_CLASS:
        media_type = "application/x-msi"
    if media_type is None and declared in LEGACY_TYPES:
        media_type = declared  # the directory is broken; the name is all there is
    return media_type or MediaType.OLE2, None
