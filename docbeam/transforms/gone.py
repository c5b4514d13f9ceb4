"""Deleted inputs: they have rows, lie below today's inputs, were not listed today, and are seen not to be there.

A wrong answer here takes a document out of the datasets, so that whatever is unclear is not gone: a folder that could not be
listed, storage that does not answer, a link that leads nowhere, and an empty folder, which may be a share that is not mounted.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import fsspec
import pyarrow.parquet as pq

from docbeam.transforms.discover import input_prefix
from docbeam.transforms.ledger import Ledger
from docbeam.transforms.places import first_line, is_http, local_bytes_of, local_uri
from docbeam.transforms.storage import Folder, StorageOptions
from docbeam.transforms.supersede import key_of

THREADS = 16  # storage may be slow to answer
CHUNK = 1_000  # URIs that are asked for at a time
MOST_NAMED = 1_000
BATCH_ROWS = 10_000
EMPTY_FOLDER = "its folder is there and empty: is it a share that is not mounted?"
NOT_LISTED = "a folder above it could not be listed"


@dataclass(frozen=True, slots=True)
class Gone:
    """Inputs that are gone, by the keys of their URIs, and how many can't be told. Some of both are named, with reasons."""

    keys: frozenset[bytes] = frozenset()
    named: tuple[str, ...] = ()
    unclear: int = 0
    unclear_named: tuple[tuple[str, str], ...] = ()

    def form(self) -> dict[str, Any]:
        """Return what the run file says of it."""
        unclear = [{"uri": uri, "reason": reason} for uri, reason in self.unclear_named]
        return {"inputs": len(self.keys), "named": list(self.named), "unclear": self.unclear, "unclear_named": unclear}


NOTHING_GONE = Gone()


def find_gone(
    output: Folder,
    ledger: Ledger,
    unlisted: Collection[bytes],
    inputs: Sequence[str],
    problems: Collection[str],
    storage_options: StorageOptions,
) -> Gone:
    """Return which of the unlisted inputs (keys of their URIs) are gone. `problems`: URIs that could not be listed or read."""
    prefixes = {input_prefix(given, storage_options) for given in inputs if not is_http(given)}  # below those nothing lies
    hidden = {problem.rstrip("/") + "/" for problem in problems}
    found = _candidates(output, ledger, unlisted, prefixes) if unlisted and prefixes else iter(())
    keys: set[bytes] = set()
    named, unclear_named, unclear = list[str](), list[tuple[str, str]](), 0
    probe = _Probe(prefixes, hidden, storage_options)
    with ThreadPoolExecutor(THREADS, thread_name_prefix="docbeam-gone") as threads:
        while chunk := list(itertools.islice(found, CHUNK)):
            for uri, reason in zip(chunk, threads.map(probe.why_not_gone, chunk), strict=True):
                if reason is None:
                    keys.add(key_of(uri))
                    named += [uri] if len(named) < MOST_NAMED else []
                elif reason:
                    unclear += 1
                    unclear_named += [(uri, reason)] if len(unclear_named) < MOST_NAMED else []
    return Gone(frozenset(keys), tuple(named), unclear, tuple(unclear_named))


class _Probe:
    """Asks storage whether an input is there."""

    def __init__(self, prefixes: Collection[str], hidden: Collection[str], storage_options: StorageOptions) -> None:
        self._prefixes = prefixes
        self._hidden = hidden
        self._storage_options = dict(storage_options)
        self._folders: dict[str, str | None] = {}

    def why_not_gone(self, uri: str) -> str | None:
        """Return None if an input is gone for sure; else why it can't be told, or nothing if it is there."""
        if any(above in self._hidden for above in _above(uri)):
            return NOT_LISTED
        path = local_bytes_of(uri)
        try:
            return self._local(path) if path is not None else self._remote(uri)
        except Exception as error:  # every storage library has its own kinds; whatever fails, nothing is known
            return f"storage did not answer: {first_line(error)}"

    def _local(self, path: bytes) -> str | None:
        if _is_there(path):
            return ""
        folder = os.path.dirname(path)
        while not _is_there(folder):
            folder = os.path.dirname(folder)
        if not any(above in self._prefixes for above in _above(local_uri(folder).rstrip("/") + "/x")):
            return "the input above it is not there any more"
        if not os.path.isdir(folder):
            return "a link above it leads nowhere" if os.path.islink(folder) else None
        with os.scandir(folder) as entries:
            return None if next(entries, None) is not None else EMPTY_FOLDER

    def _remote(self, uri: str) -> str | None:
        fs, path = fsspec.core.url_to_fs(uri, **self._storage_options)
        try:
            fs.info(path)
            return ""
        except FileNotFoundError:
            pass
        folder = fs._parent(path)
        if folder not in self._folders:
            if len(self._folders) > CHUNK:
                self._folders.clear()
            self._folders[folder] = _why_unclear(fs, folder)
        return self._folders[folder]


def _why_unclear(fs: Any, folder: str) -> str | None:
    """Return why what is missing in a folder can't be told to be gone: the nearest folder that is there is empty."""
    while True:
        try:
            return None if fs.ls(folder, detail=False) else EMPTY_FOLDER
        except FileNotFoundError:
            above = fs._parent(folder)
            if above == folder:
                return "no folder above it is there any more"
            folder = above


def _is_there(path: bytes) -> bool:
    """Say whether there is an entry of this name. Raises: OSError if it can't be told."""
    try:
        os.lstat(path)
        return True
    except (FileNotFoundError, NotADirectoryError):
        return path == b"/"


def _candidates(output: Folder, ledger: Ledger, unlisted: Collection[bytes], prefixes: Collection[str]) -> Iterator[str]:
    """Yield each unlisted input below the prefixes once."""
    seen: set[bytes] = set()
    for part in ledger.live:
        for uri in root_uris(output, part.name):
            key = key_of(uri)
            if key in unlisted and key not in seen and any(above in prefixes for above in _above(uri)):
                seen.add(key)
                yield uri


def root_uris(output: Folder, name: str) -> Iterator[str]:
    """Yield the URIs of the inputs that have their own rows in a part file; none if it is not there any more."""
    try:
        with output.open(name) as file:
            for batch in pq.ParquetFile(file).iter_batches(batch_size=BATCH_ROWS, columns=["uri", "depth"]):
                depths = batch.column(1).to_pylist()
                yield from (uri for uri, depth in zip(batch.column(0).to_pylist(), depths, strict=True) if depth == 0)
    except FileNotFoundError:  # somebody has removed it; `docbeam verify` names it
        return


def _above(uri: str) -> Iterator[str]:
    """Yield what a URI can lie below: itself and each folder above it, with a / at the end."""
    yield uri.rstrip("/") + "/"
    place = uri.find("/", uri.find("://") + 3)
    while place >= 0:
        yield uri[: place + 1]
        place = uri.find("/", place + 1)
