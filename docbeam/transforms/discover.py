"""List the inputs: every entry below them becomes one reference, also those that can't be read.

Inputs are files, folders and globs, local or by any fsspec URL, or a manifest of URIs. Folders are walked whole,
hidden names too. A link to a folder is followed once; one that leads back to a folder already walked is an entry of
its own with a problem, so that circles end.
"""

from __future__ import annotations

import glob
import itertools
import os
from collections.abc import Iterator, Sequence
from typing import Any

import fsspec

from docbeam.schemas.errors import UsageError
from docbeam.schemas.records import BlobRef
from docbeam.schemas.vocabulary import ErrorCategory
from docbeam.transforms.manifest import manifest_entries
from docbeam.transforms.places import (
    GLOB_CHARS,
    first_line,
    has_glob,
    is_http,
    local_bytes_of,
    local_path,
    local_ref,
    local_uri,
)
from docbeam.transforms.remote_listing import objects_below
from docbeam.transforms.storage import StorageOptions
from docbeam.transforms.supersede import key_of

VERSION_KEYS = ("etag", "ETag", "md5Hash", "generation", "VersionId")


def list_blobs(
    inputs: Sequence[str], manifest: str | None, storage_options: StorageOptions, without: str | None = None
) -> Iterator[BlobRef]:
    """Return a reference for each entry of the manifest and of the inputs, each URI once.

    What is in both is taken from the manifest, which knows its digests. `without` is the output's URL: what lies in it is
    no input, unless the manifest names it.
    """
    refs = itertools.chain(_manifest_refs(manifest, storage_options), _input_refs(inputs, storage_options, without))
    if len(inputs) == 1 and not manifest and not has_glob(inputs[0]):  # a walk meets nothing twice
        yield from refs
        return
    seen: set[bytes] = set()
    for ref in refs:
        key = key_of(ref.uri)
        if key not in seen:
            seen.add(key)
            yield ref


def check_inputs(inputs: Sequence[str], manifest: str | None, storage_options: StorageOptions) -> None:
    """Raise UsageError for an input that is not there, before anything starts."""
    if manifest:
        for _ in manifest_entries(manifest, storage_options):
            pass
    for given in inputs:
        if not given:
            raise UsageError("an INPUT is empty; for this folder write .")
        path = local_path(given)
        if path is not None:
            if not (os.path.lexists(path) or (has_glob(given) and glob.glob(path, recursive=True))):
                raise UsageError(f"input {given!r}: no such file or folder{_glob_hint(given)}")
            continue
        try:
            fs, remote = fsspec.core.url_to_fs(given, **storage_options)
            found = is_http(given) or (bool(fs.glob(remote)) if has_glob(given) else fs.exists(remote))
        except Exception as error:  # every storage library has its own kinds
            raise UsageError(f"input {given!r}: {first_line(error)}") from error
        if not found:
            raise UsageError(f"input {given!r}: nothing is there")


def check_apart(inputs: Sequence[str], output: str, storage_options: StorageOptions) -> None:
    """Raise UsageError for an input that is the output or lies in it: it would be left out, and nobody told."""
    for given in inputs:
        if not is_http(given) and _true_place(given, storage_options).startswith(_true_place(output, storage_options)):
            raise UsageError(f"input {given!r} lies in the output {output!r}; give the output a folder of its own")


def _true_place(url: str, storage_options: StorageOptions) -> str:
    """Return the URL of a file or folder, links resolved, with a / at its end."""
    path = local_path(url)
    if path is not None:
        return os.path.join(os.path.realpath(path), "")
    try:
        return _folder_uri(url, storage_options)
    except Exception:  # no such storage: whoever opens it says why
        return url


def _input_refs(inputs: Sequence[str], storage_options: StorageOptions, without: str | None) -> Iterator[BlobRef]:
    hidden = _folder_uri(without, storage_options) if without else None
    hidden_key = _folder_key(local_path(without)) if without else None
    for given in inputs:
        for ref in _refs_of(given, storage_options, hidden_key):
            if not (hidden and ref.uri.startswith(hidden)):
                yield ref


def _refs_of(given: str, storage_options: StorageOptions, hidden_key: tuple[int, int] | None) -> Iterator[BlobRef]:
    path = local_path(given)
    if path is None:
        yield from _remote_refs(given, storage_options)
    elif os.path.lexists(path) or not has_glob(given):
        yield from _local_refs(os.fsencode(path), hidden_key)
    else:
        for match in sorted(glob.glob(os.fsencode(path), recursive=True, include_hidden=False)):
            if not (b"**" in os.fsencode(path) and os.path.isdir(match)):
                yield from _local_refs(match, hidden_key)


def _folder_key(path: str | None) -> tuple[int, int] | None:
    """Return what a local folder is the same by, whichever links lead to it; None if it is not there."""
    try:
        status = os.stat(path) if path is not None else None
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if status is not None else None


def _local_refs(root: bytes, hidden_key: tuple[int, int] | None) -> Iterator[BlobRef]:
    if not os.path.isdir(root):
        yield local_ref(root)
        return
    walked: set[tuple[int, int]] = set()
    pending, links = [root], list[bytes]()
    while pending or links:
        is_link = not pending
        folder = links.pop() if is_link else pending.pop()
        try:
            status = os.stat(folder)
            key = (status.st_dev, status.st_ino)
            if key == hidden_key:
                continue
            if key in walked:
                if is_link:
                    reason = "a link to a folder that is listed already"
                    yield BlobRef(uri=local_uri(folder), path=folder, problem=(ErrorCategory.NOT_A_REGULAR_FILE, reason))
                continue
            walked.add(key)
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            problem = (ErrorCategory.TRANSIENT_IO, f"folder can't be listed: {error.strerror}")
            yield BlobRef(uri=local_uri(folder), path=folder, problem=problem)
            continue
        for entry in entries:
            try:
                is_folder = entry.is_dir()
                is_linked = is_folder and entry.is_symlink()
            except OSError:
                is_folder = is_linked = False
            if is_linked:
                links.append(entry.path)
            elif is_folder:
                pending.append(entry.path)
            else:
                yield local_ref(entry.path)


def _remote_refs(url: str, storage_options: StorageOptions) -> Iterator[BlobRef]:
    fs, path = fsspec.core.url_to_fs(url, **storage_options)
    if is_http(url):
        yield _remote_ref(fs, url, _info_or_nothing(fs, url))
        return
    if not has_glob(url):
        for name, info in objects_below(fs, path):
            yield _remote_ref(fs, fs.unstrip_protocol(name), info)
        return
    fs.invalidate_cache()
    found = fs.glob(path, detail=True)
    for name in sorted(found):
        info = found[name]
        if info.get("type") == "file" and not (info.get("size") == 0 and name.endswith("/")):
            yield _remote_ref(fs, fs.unstrip_protocol(name), info)
        elif info.get("type") == "directory":
            yield from _remote_refs(fs.unstrip_protocol(name), storage_options)


def _remote_ref(fs: Any, uri: str, info: dict[str, Any]) -> BlobRef:
    version = next((str(info[key]).strip('"') for key in VERSION_KEYS if info.get(key)), None)
    if version is None and info:
        changed = info.get("mtime") or info.get("LastModified") or info.get("updated") or info.get("created")
        version = f"{info.get('size')}-{changed}" if changed is not None else None
    size = info.get("size")
    return BlobRef(uri=uri, size_bytes=size if isinstance(size, int) else None, source_version=version)


def _info_or_nothing(fs: Any, path: str) -> dict[str, Any]:
    try:
        return dict(fs.info(path))
    except Exception:  # a server may refuse the question and still serve the file: the read step finds out
        return {}


def _manifest_refs(manifest: str | None, storage_options: StorageOptions) -> Iterator[BlobRef]:
    for entry in manifest_entries(manifest, storage_options) if manifest else ():
        yield entry.expected_of(ref_of(entry.uri, storage_options))


def ref_of(uri: str, storage_options: StorageOptions) -> BlobRef:
    """Return the reference of one URI, whether it is there or not: the read step finds out and says why."""
    path = local_bytes_of(uri)
    if path is not None:
        return local_ref(path)
    try:
        fs, remote = fsspec.core.url_to_fs(uri, **storage_options)
    except Exception:  # no such storage here: the read step tries again and says why
        return BlobRef(uri=uri)
    return _remote_ref(fs, uri, _info_or_nothing(fs, uri if is_http(uri) else remote))


def input_prefix(given: str, storage_options: StorageOptions) -> str:
    """Return what the URIs of an input begin with: all that lies below a folder, or, for a pattern, below its fixed part."""
    path = local_path(given)
    if has_glob(given) and not (path is not None and os.path.lexists(path)):
        fixed = min(given.index(char) for char in GLOB_CHARS if char in given)
        given = given[:fixed].rpartition("/")[0] or ("/" if given.startswith("/") else ".")
    return _folder_uri(given, storage_options)


def _folder_uri(url: str, storage_options: StorageOptions) -> str:
    path = local_path(url)
    if path is not None:
        return local_uri(os.fsencode(path)).rstrip("/") + "/"
    fs, remote = fsspec.core.url_to_fs(url, **storage_options)
    return str(fs.unstrip_protocol(remote)).rstrip("/") + "/"


def _glob_hint(given: str) -> str:
    return " matches this pattern" if has_glob(given) else ""
