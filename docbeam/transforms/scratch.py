"""What is known so far of documents with pages to recognise: their native reading, and each page as soon as it is done.

Kept in storage and never shuffled, so that memory stays flat and a killed run does not recognise a page twice. Keys are
the document's SHA-256 inside a folder for the engine fingerprint: equal bytes under equal options share the work.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from docbeam.extractors.engine import Reading
from docbeam.extractors.recognition import PageText
from docbeam.extractors.sandbox.wire import page_text_form, page_text_from, reading_form, reading_from
from docbeam.transforms.storage import Folder, StorageOptions


class Scratch:
    """The scratch folder of one engine fingerprint. Raises: OSError as the storage raises it."""

    def __init__(self, url: str, fingerprint: str, storage_options: StorageOptions) -> None:
        self._arguments = (url, fingerprint, storage_options)
        self._folder = Folder(f"{url.rstrip('/')}/{fingerprint}", storage_options)

    def __reduce__(self) -> tuple[Any, ...]:
        return Scratch, self._arguments

    def put_reading(self, sha256: str, reading: Reading) -> None:
        """Keep a document's native reading."""
        self._put(_name(sha256, "native"), *reading_form(reading))

    def reading(self, sha256: str) -> Reading:
        """Return a document's native reading. Raises FileNotFoundError."""
        header, body = self._get(_name(sha256, "native"))
        return reading_from(header, body, sys.maxsize)

    def put_page(self, sha256: str, page: PageText) -> None:
        """Keep a recognised page, or why it could not be recognised."""
        self._put(_name(sha256, f"page-{page.number:06d}"), *page_text_form(page))

    def page(self, sha256: str, number: int) -> PageText | None:
        """Return a recognised page, or None if it is not there yet."""
        try:
            header, body = self._get(_name(sha256, f"page-{number:06d}"))
            return page_text_from(header, body, sys.maxsize)
        except (FileNotFoundError, ValueError):
            return None

    def _put(self, name: str, header: dict[str, Any], body: bytes) -> None:
        self._folder.write(name, json.dumps(header).encode() + b"\n" + body)

    def _get(self, name: str) -> tuple[Any, bytes]:
        header, _, body = self._folder.read(name).partition(b"\n")
        return json.loads(header), body


def _name(sha256: str, part: str) -> str:
    return f"{sha256[:2]}/{sha256}/{part}"
