"""What is known so far of inputs with pages to recognise: their readings, and each page as soon as it is done.

Kept in storage and never shuffled, so that memory stays flat and a killed run does not recognise a page twice. Pages are
filed by the SHA-256 of their document inside a folder for the engine fingerprint: equal bytes share the work.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
from typing import Any

from docbeam.extractors.recognition import PageText
from docbeam.extractors.sandbox.wire import page_text_form, page_text_from, reading_form, reading_from
from docbeam.extractors.tree import Node
from docbeam.schemas.records import BlobRef, Identity, Target
from docbeam.transforms.copies import NO_COPIES, Copies, copies_from
from docbeam.transforms.places import local_path, local_ref
from docbeam.transforms.storage import Folder, StorageOptions


class Scratch:
    """The scratch folder of one engine fingerprint. Raises: OSError as the storage raises it."""

    def __init__(self, url: str, fingerprint: str, storage_options: StorageOptions) -> None:
        self._arguments = (url, fingerprint, storage_options)
        self._folder = Folder(f"{url.rstrip('/')}/{fingerprint}", storage_options)

    def __reduce__(self) -> tuple[Any, ...]:
        return Scratch, self._arguments

    def put_tree(self, root: Identity, nodes: list[Node], copies: Copies = NO_COPIES) -> str:
        """Keep an input's readings, and whose rows repeat them; return the key under which they are found."""
        forms = [reading_form(node.reading) for node in nodes]
        kept = [
            {
                "parent": node.parent,
                "path": node.path,
                "depth": node.depth,
                "size_bytes": node.size_bytes,
                "sha256": node.sha256,
                "md5": node.md5,
                "declared": node.declared,
                "duration_ms": node.duration_ms,
                "reading": header,
                "body_bytes": len(body),
            }
            for node, (header, body) in zip(nodes, forms, strict=True)
        ]
        names = [root.uri, root.source_version, root.sha256, *(copy.uri for copy in copies.refs)]
        key = hashlib.sha256("\0".join(map(str, names)).encode("utf-8", "surrogatepass")).hexdigest()
        header = {"root": dataclasses.asdict(root), "nodes": kept, "copies": copies.form()}
        self._put(f"trees/{key}", header, b"".join(body for _, body in forms))
        return key

    def tree(self, key: str) -> tuple[Identity, list[Node], Copies]:
        """Return an input's identity and readings, and the copies that repeat them. Raises FileNotFoundError."""
        header, bodies = self._get(f"trees/{key}")
        nodes, start = [], 0
        for kept in header["nodes"]:
            end = start + kept.pop("body_bytes")
            nodes.append(Node(**{**kept, "reading": reading_from(kept["reading"], bodies[start:end], sys.maxsize)}))
            start = end
        return Identity(**header["root"]), nodes, copies_from(header["copies"])

    def put_source(self, sha256: str, path: str) -> BlobRef:
        """Keep the bytes of an embedded document whose pages will be drawn; return where they are."""
        name = _name(sha256, "source")
        with open(path, "rb") as file:
            self._folder.write(name, file.read())
        local = local_path(self._folder.url)
        if local is not None:
            return local_ref(f"{local}/{name}".encode("utf-8", "surrogateescape"))
        return BlobRef(uri=f"{self._folder.url}/{name}")

    def put_page(self, sha256: str, page: PageText) -> None:
        """Keep a recognised page, or why it could not be recognised."""
        self._put(_name(sha256, _target_name(Target(page.number, page.picture))), *page_text_form(page))

    def page(self, sha256: str, target: Target) -> PageText | None:
        """Return a recognised page or picture, or None if it is not there yet."""
        try:
            header, body = self._get(_name(sha256, _target_name(target)))
            return page_text_from(header, body, sys.maxsize)
        except (FileNotFoundError, ValueError):
            return None

    def put_same(self, sha256: str, page: PageText) -> None:
        """Keep under the digest of a picture where its text is."""
        if page.digest is not None and page.error is None:
            self._put(_same_name(page.digest), {"sha256": sha256, "number": page.number, "picture": page.picture}, b"")

    def same(self, digest: str) -> PageText | None:
        """Return what was read from a picture with this digest, or None if none was read yet."""
        try:
            where, _ = self._get(_same_name(digest))
        except (FileNotFoundError, ValueError):
            return None
        page = self.page(where["sha256"], Target(where["number"], where["picture"]))
        return page if page is not None and page.error is None else None

    def _put(self, name: str, header: dict[str, Any], body: bytes) -> None:
        self._folder.write(name, json.dumps(header).encode() + b"\n" + body)

    def _get(self, name: str) -> tuple[Any, bytes]:
        header, _, body = self._folder.read(name).partition(b"\n")
        return json.loads(header), body


def _same_name(digest: str) -> str:
    return f"pictures/{digest[:2]}/{digest}"


def _target_name(target: Target) -> str:
    return f"{'page' if target.picture is None else 'picture'}-{target.number:06d}"


def _name(sha256: str, part: str) -> str:
    return f"{sha256[:2]}/{sha256}/{part}"
