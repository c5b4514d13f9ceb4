r"""Embedded objects (\objdata): packaged files and whole documents become members.

Source: [MS-OLEDS] 2.2.4 (ObjectHeader), 2.2.5 (EmbeddedObject); RTF 1.9.1, "Objects".
"""

from __future__ import annotations

import binascii
import io
import re
import struct

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.compound_file import CompoundFile
from docbeam.extractors.legacy.embedded import add_object, ending_by_start, harmless_path, read_native
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode

LINKED = 1
MAX_NAME_BYTES = 4_096
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NOT_HEX = re.compile(rb"[^0-9a-fA-F]+")
_CONTROL = re.compile(rb"\\[a-zA-Z]+-?[0-9]* ?|\\'[0-9a-fA-F]{2}|\\.", re.DOTALL)


def unpack_object(out: TextBuilder, digits: bytes, number: int) -> None:
    """Unpack one object as a member, or say in a warning that it is not read. Raises Full."""
    name = f"object {number}"
    clean = _NOT_HEX.sub(b"", _CONTROL.sub(b"", digits))
    data = binascii.unhexlify(clean[: len(clean) // 2 * 2])
    found = _native_data(data)
    if found is None:
        out.warn(WarningCode.EMBEDDED_NOT_READ, name, "an embedded object without readable data")
        return
    kind, program, native = found
    if kind == LINKED:
        out.warn(WarningCode.PART_NOT_READ, name, "an object that is linked and not embedded")
    elif native.startswith(COMPOUND):
        try:
            compound = CompoundFile(io.BytesIO(native), out.options.max_decompressed_bytes)
            if compound.root is None:
                raise ExtractionError(ErrorCategory.CORRUPT, "the object's compound file has no root")
            add_object(out, compound, compound.root, name)
        except ExtractionError as error:
            out.failed_member(name, error.category, error.message)
    elif program.lower() == "package" and (packed := read_native(b"\0\0\0\0" + native)) is not None and packed.name:
        out.member(harmless_path(packed.name) or name, packed.data)
    elif ending := ending_by_start(native):
        out.member(f"{name}.{ending}", native)
    elif native:
        out.warn(WarningCode.EMBEDDED_NOT_READ, name, f"an embedded object of {program[:60] or 'a program'} that is not read")
    else:
        out.failed_member(name, ErrorCategory.CORRUPT, "an embedded object without data")


def _native_data(data: bytes) -> tuple[int, str, bytes] | None:
    """Return kind, class name and native data of an OLE 1 object, or None if the header is broken."""
    at = data.find(COMPOUND, 0, MAX_NAME_BYTES)
    if len(data) < 12:
        return None
    kind = struct.unpack("<I", data[4:8])[0]
    names: list[str] = []
    place = 8
    for _ in range(3):  # class, topic, item
        if place + 4 > len(data):
            return None
        (size,) = struct.unpack("<I", data[place : place + 4])
        if size > MAX_NAME_BYTES or place + 4 + size > len(data):
            return (2, "", data[at:]) if at >= 0 else None
        names.append(data[place + 4 : place + 4 + size].split(b"\0", 1)[0].decode("cp1252", "replace"))
        place += 4 + size
    if kind == LINKED:
        return kind, names[0], b""
    if place + 4 > len(data):
        return None
    (size,) = struct.unpack("<I", data[place : place + 4])
    return kind, names[0], data[place + 4 : place + 4 + size]
