"""The package document of a book: where it is, its manifest, spine and metadata, and which of its files are encrypted.

Source: EPUB 3.3, 4 (OCF) and 5 (package document); OPF 2.0.1 for EPUB 2.
"""

from __future__ import annotations

import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import unquote

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.ooxml.package import Package, resolved
from docbeam.extractors.ooxml.xml import Element, local_name, recover_xml
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory, WarningCode

CONTAINER, ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
OBFUSCATED_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
PAGES = (
    "application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document", "image/svg+xml",
    "application/xml", "text/xml",
)  # fmt: skip
PAGE_ENDINGS = (".xhtml", ".html", ".htm", ".xht")
MAX_FALLBACKS = 10
MAX_CHARS = 4_000


@dataclass(frozen=True, slots=True)
class Item:
    """One file of the manifest. `name` is its name in the archive, None if it isn't there."""

    id: str
    href: str
    media_type: str
    name: str | None
    properties: str = ""
    fallback: str = ""

    @property
    def is_page(self) -> bool:
        """Whether it is a page of text."""
        return self.media_type in PAGES or self.href.partition("#")[0].lower().endswith(PAGE_ENDINGS)


class Names:
    """Finds the files of an archive by what books call them: encoded, in other casing, in another form of Unicode."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._folded: dict[str, str] = {}
        self._last: dict[str, list[str]] = {}
        for name in package.names():
            self._folded.setdefault(_folded(name), name)
            with suppress(UnicodeError):  # UTF-8 that was not marked as such
                self._folded.setdefault(_folded(name.encode("cp437").decode("utf-8")), name)
            self._last.setdefault(_folded(name).rpartition("/")[2], []).append(name)

    def find(self, base: str, href: str) -> str | None:
        """Return the name of the file that an address means, seen from `base`, or None."""
        for target in (href, href.partition("?")[0], unquote(href).replace("#", "%23"), f"/{href}"):
            name = resolved(base, target)
            for form in (name, unquote(name)):
                if self._package.has(form):
                    return form
                if (found := self._folded.get(_folded(form))) is not None:
                    return found
        same = self._last.get(_folded(unquote(href.partition("#")[0])).rpartition("/")[2], [])
        return same[0] if len(same) == 1 else None


class Publication:
    """A book as its package document lists it."""

    def __init__(self, package: Package, out: TextBuilder) -> None:
        self._package = package
        self._out = out
        self.names = Names(package)
        self.items: dict[str, Item] = {}
        self.metadata: list[Element] = []
        self.encrypted = self._read_encryption()
        self.spine: list[Item] = []
        self._read()

    def _read(self) -> None:
        part = self._package_document()
        root = self._package.xml_or_warn(part, self._out) if part else None
        if root is None or part is None:
            self._out.warn(WarningCode.ENTRY_MISSING, part or CONTAINER, "no package document; pages by their names")
            self._all_pages()
            return
        listed: list[str] = []
        for element in root.iter("{*}item", "{*}itemref", "{*}metadata", "item", "itemref", "metadata"):
            kind = local_name(element)
            if kind == "item":
                item = self._item(element, part)
                self.items.setdefault(item.id, item)
            elif kind == "itemref":
                listed.append(element.get("idref") or "")
            else:
                self.metadata += list(element.iter())
        self._read_spine(listed, part)
        if not self.spine:
            self._out.warn(WarningCode.ENTRY_MISSING, part, "the spine is empty or missing; pages in the order of the manifest")
            self.spine = [item for item in self.items.values() if item.is_page and item.name and "nav" not in item.properties]
            if not self.spine:
                self._all_pages()

    def _read_spine(self, listed: list[str], part: str) -> None:
        seen: set[str] = set()
        for idref in listed:
            item = self.items.get(idref)
            if item is None:
                message = f"chapter {idref[:100]!r} of the spine is missing in the manifest"
                self._out.warn(WarningCode.ENTRY_MISSING, part, message)
                continue
            item = self._readable(item)
            key = item.name or item.href
            if key not in seen:
                seen.add(key)
                self.spine.append(item)

    def _readable(self, item: Item) -> Item:
        """Return the page that stands in for an item of a type that is no text, or the item itself."""
        found = item
        for _ in range(MAX_FALLBACKS):
            if found.is_page or found.fallback not in self.items:
                break
            found = self.items[found.fallback]
        return found if found.is_page else item

    def _item(self, element: Element, part: str) -> Item:
        href = (element.get("href") or "").strip()
        return Item(
            element.get("id") or "",
            href,
            (element.get("media-type") or "").strip().lower(),
            self.names.find(part, href) if href else None,
            element.get("properties") or "",
            element.get("fallback") or "",
        )

    def _package_document(self) -> str | None:
        paths: list[str] = []
        if self._package.has(CONTAINER):
            root = self._package.xml_or_warn(CONTAINER, self._out)
            for element in () if root is None else root.iter("{*}rootfile", "rootfile"):
                paths.append(element.get("full-path") or "")
        else:
            self._out.warn(WarningCode.ENTRY_MISSING, CONTAINER, "the container file is missing")
        found = [name for path in paths if path and (name := self.names.find("", path))]
        for name in found[1:]:
            self._out.warn(WarningCode.PART_NOT_READ, name, "another rendition of the book")
        return found[0] if found else next((name for name in self._package.names() if name.lower().endswith(".opf")), None)

    def _all_pages(self) -> None:
        pages = sorted(name for name in self._package.names() if name.lower().endswith(PAGE_ENDINGS))
        self.spine = [Item(name, name, PAGES[0], name) for name in pages]
        if not self.spine:
            raise ExtractionError(ErrorCategory.CORRUPT, "the book has no package document and no pages")

    def _read_encryption(self) -> set[str]:
        """Return the names of the files whose content is encrypted; obfuscated fonts are no matter."""
        names: set[str] = set()
        root = None
        with suppress(KeyError, ExtractionError):
            root = recover_xml(self._package.part(ENCRYPTION))
        for data in () if root is None else root.iter("{*}EncryptedData"):
            methods = [element.get("Algorithm") or "" for element in data.iterchildren("{*}EncryptionMethod")]
            if any(method in OBFUSCATED_FONTS for method in methods):
                continue
            for reference in data.iter("{*}CipherReference"):
                if name := self.names.find("", reference.get("URI") or ""):
                    names.add(name)
        return names


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).replace("\\", "/").lstrip("/").casefold()
