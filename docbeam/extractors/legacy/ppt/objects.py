"""Embedded objects of a presentation: compound files, often compressed, as members; sounds, videos and macros are named.

Source: [MS-PPT] 2.10.27 (ExOleEmbedContainer), 2.10.12 (ExOleObjAtom), 2.10.34 (ExOleObjStg).
"""

from __future__ import annotations

import io
import struct
import zlib

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.compound_file import SIGNATURE, CompoundFile
from docbeam.extractors.legacy.embedded import add_object, harmless_path
from docbeam.extractors.legacy.office_art import Art
from docbeam.extractors.legacy.ppt.stream import Stream
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode

OBJECT_LIST, EMBEDDED, CONTROL, OBJECT_ATOM, STORAGE, STRING = 0x0409, 0x0FCC, 0x0FEE, 0x0FC3, 0x1011, 0x0FBA
_MEDIA = {0x1006: "a video", 0x1007: "a video", 0x100D: "a sound", 0x100E: "a sound", 0x100F: "a sound", 0x1010: "a sound"}
_MACROS = 0x03FF
MAX_OBJECT_BYTES = 256 << 20  # held in memory while it is unpacked


def add_objects(stream: Stream, document: Art, out: TextBuilder) -> None:
    """Unpack the objects that the document lists. Raises Full."""
    left = out.options.max_decompressed_bytes
    found = stream.child(document, OBJECT_LIST)
    for number, record in enumerate(stream.children(found) if found is not None else ()):
        if record.kind in (EMBEDDED, CONTROL):
            left -= _add(stream, record, number, left, out)
        elif kind := _MEDIA.get(record.kind):
            out.warn(WarningCode.PART_NOT_READ, f"object {number}", f"{kind} is not transcribed")
    if stream.child(document, _MACROS) is not None:
        out.warn(WarningCode.MACROS, "document", "macros are not read")


def _add(stream: Stream, record: Art, number: int, left: int, out: TextBuilder) -> int:
    """Unpack one object; return how many bytes it had."""
    words = {child.instance: stream.wide(child) for child in stream.children(record) if child.kind == STRING}
    name = harmless_path(" ".join((words.get(1) or words.get(3) or "object").replace("&", "").split())) or "object"
    name = f"{name} {number}"
    atom = stream.child(record, OBJECT_ATOM)
    storage = None
    if atom is not None and atom.end - atom.start >= 20:
        storage = stream.object(struct.unpack_from("<I", stream.data, atom.start + 16)[0])
    if storage is None or storage.kind != STORAGE:
        out.warn(WarningCode.ENTRY_MISSING, name, "an embedded object that is not in the file")
        return 0
    try:
        data = _unpacked(stream.body(storage), bool(storage.instance & 1), min(left, MAX_OBJECT_BYTES))
        if not data.startswith(SIGNATURE):
            raise ExtractionError(ErrorCategory.CORRUPT, "the object is no compound file")
    except ExtractionError as error:
        out.failed_member(name, error.category, error.message)
        return 0
    compound = CompoundFile(io.BytesIO(data), out.options.max_decompressed_bytes)
    if compound.root is not None:
        add_object(out, compound, compound.root, name)
    return len(data)


def _unpacked(body: bytes, is_compressed: bool, limit: int) -> bytes:
    if not is_compressed:
        return body
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(body[4:], max(limit, 1))
    except zlib.error as error:
        raise ExtractionError(ErrorCategory.STREAM_DECOMPRESSION_FAIL, f"the object's storage: {error}") from error
    if unpacker.unconsumed_tail:
        raise ExtractionError(ErrorCategory.TOO_LARGE_DECOMPRESSED, f"the object's storage: more than {limit} bytes")
    return data
