"""Open Packaging Conventions: the parts of an Office file, their content types and their relationships.

Names in real files differ from the rules: odd casing, backslashes, absolute, dotted and percent-encoded targets all
find their part. Source: ISO/IEC 29500-2 (OPC), ECMA-376-1 15.2 (properties).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import BinaryIO
from urllib.parse import unquote

from lxml import etree

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.xml import Element, local_name, parse_xml, recover_xml
from docbeam.extractors.zip_reader import ZipReader
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode

FATAL = (ErrorCategory.TOO_LARGE_DECOMPRESSED, ErrorCategory.TOO_MANY_ENTRIES)  # caps of the whole file, not of one part
STREAM_BYTES = 65_536  # small enough that leaving a part early saves work
SMALL_CHUNK_BYTES = 4096  # of a damaged part, the last chunk is lost
MAX_CUSTOM_PROPERTIES = 100
MAX_PROPERTY_NAME_CHARS = 100
MAIN_PARTS = ("word/document.xml", "xl/workbook.xml", "ppt/presentation.xml")
MAIN_CONTENT_TYPE_ENDS = (".main+xml", "xl/binary.main")


@dataclass(frozen=True, slots=True)
class Relation:
    """One relationship. `type` is the last word of its URI (`image`); `target` is a part's name, or a URI if external."""

    id: str
    type: str
    target: str
    is_external: bool


class Package:
    """An Office file as parts. A part's name has no leading slash; every lookup forgives casing and slashes.

    Raises on birth: what ZipReader raises. part() and xml() raise KeyError for a part that isn't there.
    """

    def __init__(self, file: BinaryIO, options: ExtractOptions) -> None:
        self._zip = ZipReader(file, options)
        self._names: dict[str, str] = {}
        for name in self._zip.names:
            if not name.endswith("/"):
                self._names.setdefault(_folded(name), name)
        self.looked_through_bytes = 0  # of pictures, for words in them
        self._relations: dict[str, dict[str, Relation]] = {}
        self._types: tuple[dict[str, str], dict[str, str]] | None = None

    def names(self) -> list[str]:
        """Return the names of all parts, in the order of the file's directory."""
        return [name.replace("\\", "/").lstrip("/") for name in self._names.values()]

    def has(self, name: str) -> bool:
        """Say whether there is such a part."""
        return self._stored(name) is not None

    def size(self, name: str) -> int:
        """Return the declared size of a part in bytes, 0 if it isn't there."""
        stored = self._stored(name)
        return 0 if stored is None else self._zip.names[stored].file_size or 0

    def part(self, name: str) -> bytes:
        """Return a part's bytes. Raises: KeyError if it isn't there, ExtractionError if it can't be unpacked."""
        stored = self._stored(name)
        if stored is None:
            raise KeyError(name)
        return self._zip.read(stored)

    def chunks(self, name: str) -> Iterator[bytes]:
        """Yield a part's bytes as they are unpacked, so that a large part can be left early. Raises as part() does."""
        stored = self._stored(name)
        if stored is None:
            raise KeyError(name)
        return self._zip.chunks(stored, STREAM_BYTES)

    def part_so_far(self, name: str) -> bytes:
        """Return the bytes of a part up to the place where it can't be unpacked further."""
        stored = self._stored(name)
        chunks: list[bytes] = []
        try:
            for chunk in self._zip.chunks(stored or name, SMALL_CHUNK_BYTES):
                chunks.append(chunk)
        except ExtractionError as error:
            if error.category in FATAL:
                raise
        return b"".join(chunks)

    def xml(self, name: str) -> Element:
        """Return the root element of a part. Raises: KeyError, ExtractionError, lxml.etree.XMLSyntaxError."""
        return parse_xml(self.part(name))

    def xml_or_warn(self, name: str, out: TextBuilder) -> Element | None:
        """Return the root element of a part other than the main one; what is missing or broken becomes a warning.

        A broken part gives what can be read of it, or None.
        """
        root, problem = self.xml_or_problem(name)
        if problem is not None:
            is_missing = not self.has(name)
            out.warn(WarningCode.ENTRY_MISSING if is_missing else WarningCode.PART_DAMAGED, name, problem)
        return root

    def xml_or_problem(self, name: str) -> tuple[Element | None, str | None]:
        """Return the root element of a part, or of what can be read of it, and what is wrong with it, if anything."""
        if not self.has(name):
            return None, "the document refers to this part, and it is not in the package"
        try:
            data = self.part(name)
        except ExtractionError as error:
            if error.category in FATAL:
                raise
            return recover_xml(self.part_so_far(name)), error.message
        try:
            return parse_xml(data), None
        except etree.XMLSyntaxError as error:
            return recover_xml(data), f"not well-formed: {error.msg}"

    def rels(self, part: str = "") -> dict[str, Relation]:
        """Return the relationships of a part by their ids; of the package itself for an empty name. A broken list is empty."""
        if part not in self._relations:
            self._relations[part] = self._read_rels(part)
        return self._relations[part]

    def related(self, part: str, *types: str) -> list[Relation]:
        """Return a part's relationships of these types, inside the package, in the order of the file."""
        return [relation for relation in self.rels(part).values() if relation.type in types and not relation.is_external]

    def main_part(self) -> str:
        """Return the name of the main part: by relationship, else by content type, else by its usual name.

        Raises: ExtractionError(CORRUPT) if there is none.
        """
        for relation in self.related("", "officeDocument"):
            if self.has(relation.target):
                return relation.target
        names = self.names()
        for name in names:
            if self.content_type(name).endswith(MAIN_CONTENT_TYPE_ENDS):
                return name
        for name in names:
            if name.lower() in MAIN_PARTS:
                return name
        raise ExtractionError(ErrorCategory.CORRUPT, "the package has no main part")

    def content_type(self, name: str) -> str:
        """Return the content type of a part in lower case, or an empty text."""
        if self._types is None:
            self._types = self._read_types()
        defaults, overrides = self._types
        folded = _folded(name)
        return overrides.get(folded) or defaults.get(folded.rpartition(".")[2], "")

    def core_properties(self) -> dict[str, str]:
        """Return the document's properties by local name (title, creator, created, Company …), core before extended."""
        found: dict[str, str] = {}
        for kind, usual in (("core-properties", "docProps/core.xml"), ("extended-properties", "docProps/app.xml")):
            names = [relation.target for relation in self.related("", kind)] or [usual]
            for name in names[:1]:
                with suppress(KeyError, etree.XMLSyntaxError, ExtractionError):
                    for element in self.xml(name):
                        if len(element) == 0 and element.text and element.text.strip():
                            found.setdefault(local_name(element), " ".join(element.text.split()))
        return found

    def custom_properties(self) -> list[tuple[str, str]]:
        """Return the properties that the document's writers have named, with their values as they are written."""
        found: list[tuple[str, str]] = []
        names = [relation.target for relation in self.related("", "custom-properties")] or ["docProps/custom.xml"]
        with suppress(KeyError, etree.XMLSyntaxError, ExtractionError):
            for element in islice(self.xml(names[0]), MAX_CUSTOM_PROPERTIES):
                name = " ".join(element.get("name", "").split())[:MAX_PROPERTY_NAME_CHARS]
                if name and not name.startswith("_"):  # of the program itself: _dlc_DocId, _PID_HLINKS
                    found.append((name, " ".join("".join(element.itertext()).split())))
        return found

    def _stored(self, name: str) -> str | None:
        return self._names.get(_folded(name)) or self._names.get(_folded(unquote(name)))

    def _read_rels(self, part: str) -> dict[str, Relation]:
        folder, _, last = part.rpartition("/")
        name = f"{folder}/_rels/{last}.rels" if folder else f"_rels/{last}.rels"
        try:
            data = self.part(name)
            root = parse_xml(data)
        except KeyError:
            return {}
        except etree.XMLSyntaxError:
            root = recover_xml(data)
        except ExtractionError as error:
            if error.category in FATAL:
                raise
            return {}
        relations: dict[str, Relation] = {}
        for element in () if root is None else root.iter("{*}Relationship"):
            is_external = element.get("TargetMode", "").lower() == "external"
            target = element.get("Target", "")
            relation = Relation(
                element.get("Id", ""),
                element.get("Type", "").rstrip("/").rpartition("/")[2],
                target if is_external else resolved(part, target),
                is_external,
            )
            relations.setdefault(relation.id, relation)
        return relations

    def _read_types(self) -> tuple[dict[str, str], dict[str, str]]:
        defaults: dict[str, str] = {}
        overrides: dict[str, str] = {}
        with suppress(KeyError, ExtractionError):
            root = recover_xml(self.part("[Content_Types].xml"))
            for element in () if root is None else root:
                content_type = element.get("ContentType", "").strip().lower()
                if local_name(element) == "Default":
                    defaults[element.get("Extension", "").lower()] = content_type
                elif local_name(element) == "Override":
                    overrides[_folded(element.get("PartName", ""))] = content_type
        return defaults, overrides


def resolved(part: str, target: str) -> str:
    """Return the name of the part that a target means, seen from `part`: without a leading slash, dots or a fragment."""
    target = target.replace("\\", "/").split("#")[0].strip()
    if not target.startswith("/"):
        target = posixpath.join("/", posixpath.dirname(part), target)
    return posixpath.normpath("/" + target.lstrip("/")).lstrip("/")


def part_of_rels(name: str) -> str:
    """Return the part whose relationships stand in a part like `word/_rels/document.xml.rels`."""
    folder, _, last = name.rpartition("/")
    parent = folder[: -len("_rels")].rstrip("/") if folder.lower().endswith("_rels") else folder
    last = last.removesuffix(".rels")
    return f"{parent}/{last}" if parent and last else last


def parsed_date(text: str | None) -> datetime | None:
    """Return a W3CDTF date as an aware datetime (UTC where no zone is given), or None if it isn't one."""
    if not text:
        return None
    text = text.strip()
    if text.endswith(("Z", "z")):
        text = text[:-1] + "+00:00"
    head, dot, fraction = text.partition(".")
    if dot:  # fromisoformat takes 3 or 6 digits before Python 3.11
        digits = fraction[: len(fraction) - len(fraction.lstrip("0123456789"))]
        text = f"{head}.{digits[:6].ljust(6, '0')}{fraction[len(digits) :]}"
    for form in (text, text + "-01", text + "-01-01"):
        with suppress(ValueError):
            date = datetime.fromisoformat(form)
            return date if date.tzinfo else date.replace(tzinfo=UTC)
    return None


def _folded(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()
