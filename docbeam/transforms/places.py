"""Where a document is: local paths and their URIs, one for each other, and references to local files."""

from __future__ import annotations

import errno
import os
import stat
from urllib.parse import quote, unquote_to_bytes

from docbeam.schemas.records import BlobRef
from docbeam.schemas.vocabulary import ErrorCategory

KINDS = (
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a character device"),
    (stat.S_ISBLK, "a block device"),
)
GLOB_CHARS = frozenset("*?[")


def local_path(url: str) -> str | None:
    """Return the local path that a plain path or file:// URL names, or None for other storage."""
    for prefix in ("file://", "local://"):
        if url.startswith(prefix):
            return os.path.abspath(url[len(prefix) :])
    if "://" in url or ("::" in url and not os.path.lexists(url)):
        return None
    return os.path.abspath(url)


def local_uri(path: bytes) -> str:
    """Return the file:// URI of a local path; bytes that are no UTF-8 are percent-encoded, and then % itself too.

    A name that looks like one so encoded has its % encoded as well: two paths never share a URI.
    """
    try:
        plain = path.decode("utf-8")
        return "file://" + (plain.replace("%", "%25") if _looks_encoded(path) else plain)
    except UnicodeDecodeError:
        pieces = path.decode("utf-8", "surrogateescape")
        escaped = (quote(os.fsencode(c)) if "\udc80" <= c <= "\udcff" or c == "%" else c for c in pieces)
        return "file://" + "".join(escaped)


def _looks_encoded(path: bytes) -> bool:
    """Say whether a path, decoded as often as it can be, is no UTF-8."""
    while b"%" in path and (decoded := unquote_to_bytes(path)) != path:
        path = decoded
        try:
            path.decode("utf-8")
        except UnicodeDecodeError:
            return True
    return False


def local_bytes_of(uri: str) -> bytes | None:
    """Return the local path of a file:// URI made by local_uri, or None if it is another URI."""
    path = local_path(uri)
    if path is None:
        return None
    raw = path.encode("utf-8", "surrogateescape")
    if "%" in path and not os.path.lexists(raw):
        plain = unquote_to_bytes(path)
        return plain if os.path.lexists(plain) else raw
    return raw


def local_ref(path: bytes) -> BlobRef:
    """Return the reference of one local entry, with its problem if it is no regular file."""
    uri = local_uri(path)
    try:
        status = os.stat(path)
    except ValueError as error:
        return BlobRef(uri=uri, path=path, problem=(ErrorCategory.NOT_A_REGULAR_FILE, f"no file can have this name: {error}"))
    except OSError as error:
        if error.errno == errno.ELOOP or os.path.islink(path):
            reason = "a link that leads in a circle" if error.errno == errno.ELOOP else "a link that leads nowhere"
            return BlobRef(uri=uri, path=path, problem=(ErrorCategory.NOT_A_REGULAR_FILE, reason))
        return BlobRef(uri=uri, path=path)  # the read step tries again and says why
    for is_kind, words in KINDS:
        if is_kind(status.st_mode):
            return BlobRef(uri=uri, path=path, problem=(ErrorCategory.NOT_A_REGULAR_FILE, words))
    if stat.S_ISDIR(status.st_mode):
        return BlobRef(uri=uri, path=path, problem=(ErrorCategory.NOT_A_REGULAR_FILE, "a folder"))
    return BlobRef(
        uri=uri,
        size_bytes=status.st_size,
        source_version=local_version(status),
        path=path,
    )


def local_version(status: os.stat_result) -> str:
    """Return the source version of a local file: its size and modification time in nanoseconds."""
    return f"{status.st_size}-{status.st_mtime_ns}"


def is_http(url: str) -> bool:
    """Say whether a URL names one file on a web server."""
    return url.startswith(("http://", "https://"))


def has_glob(url: str) -> bool:
    """Say whether a path or URL is a pattern."""
    return not is_http(url) and not GLOB_CHARS.isdisjoint(url)


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message, or its kind if it has none."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
