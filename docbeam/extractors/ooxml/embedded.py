"""The files embedded in an Office file: whole documents as they are, OLE objects by what they wrap.

Source: ECMA-376-1 15.2.10 and 15.2.11 (embedded objects and packages); [MS-OLEDS].
"""

from __future__ import annotations

import io

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.compound_file import SIGNATURE, CompoundFile
from docbeam.extractors.legacy.embedded import add_object
from docbeam.extractors.member_names import harmless_path
from docbeam.extractors.ooxml.package import Package
from docbeam.schemas.errors import ExtractionError

WRAPPERS = frozenset(("\x01ole10native", "package", "contents", "embeddedodf", "equation native"))


def hand_out_embedded(package: Package, name: str, out: TextBuilder) -> None:
    """Hand out one part of an embeddings folder. Raises Full, and what Package.part raises for a cap of the whole file."""
    path = harmless_path(name) or "embedded"
    if path.lower().endswith(".bin"):
        try:
            data = package.part(name)
        except ExtractionError as error:
            out.failed_member(path, error.category, error.message)
            return
        if data.startswith(SIGNATURE) and _is_unwrapped(data, path, out):
            return
        out.member(path, data)
    else:
        out.member(path, package.chunks(name))


def _is_unwrapped(data: bytes, path: str, out: TextBuilder) -> bool:
    """Hand out the file inside an OLE object, if it is there only to wrap one."""
    compound = CompoundFile(io.BytesIO(data), out.options.max_decompressed_bytes)
    if compound.root is None or not WRAPPERS & set(compound.streams):
        return False
    add_object(out, compound, compound.root, path[: -len(".bin")])
    return True
