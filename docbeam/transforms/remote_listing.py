"""What lies below a folder of remote storage: found in parallel, a subtree at a time, so that memory follows the largest.

A flat listing of a bucket comes page after page, one request after the other, and is in memory as a whole when it ends.
So folders are looked into until there are enough of them to share out, and each is then listed flat by a thread.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

THREADS = 8
ENOUGH_SUBTREES = 4 * THREADS
MOST_LEVELS = 4  # that are looked into; below, everything is listed flat


class Entry(NamedTuple):
    """One object: its path, and what the listing says of it."""

    path: str
    info: dict[str, Any]


def objects_below(fs: Any, path: str) -> Iterator[Entry]:
    """Yield the objects below a path, or the object that it is; folders and their markers are none.

    Raises: OSError and whatever else the storage's library raises.
    """
    fs.invalidate_cache()
    folders = [path]
    for _ in range(MOST_LEVELS):
        if len(folders) >= ENOUGH_SUBTREES:
            break
        deeper: list[str] = []
        for folder in folders:
            inside = _inside(fs, folder)
            if inside is None:  # names that ls can't tell apart, such as `a//b`
                deeper.append(folder)
                continue
            for name, info in inside:
                if info.get("type") == "directory":
                    deeper.append(name)
                elif _is_document(name, info):
                    yield Entry(name, info)
        if deeper == folders:
            break
        folders = deeper
    yield from _flat(fs, folders)


def _inside(fs: Any, folder: str) -> list[tuple[str, dict[str, Any]]] | None:
    """Return what is directly in a folder, sorted; None where only a flat listing can tell."""
    try:
        found = fs.ls(folder, detail=True)
    except (FileNotFoundError, NotADirectoryError):
        return None
    finally:
        fs.invalidate_cache()  # else every listing stays in memory
    entries = sorted(((str(info["name"]), info) for info in found), key=lambda entry: entry[0])
    plain = folder.rstrip("/")
    is_odd = any(info.get("type") == "directory" and not _is_child(name, plain) for name, info in entries)
    return None if is_odd else entries


def _is_child(name: str, folder: str) -> bool:
    """Say whether a folder's name is one more part than its parent's; else listing it would list the parent again."""
    return name.startswith(folder) and name.rstrip("/").removeprefix(folder).strip("/") != "" and not name.endswith("//")


def _flat(fs: Any, folders: list[str]) -> Iterator[Entry]:
    """Yield the objects of subtrees in their order, while the next ones are being listed."""

    def listed(folder: str) -> list[Entry]:
        found = fs.find(folder, detail=True)
        fs.invalidate_cache()
        return [Entry(name, found[name]) for name in sorted(found) if _is_document(name, found[name])]

    waiting: deque[Future[list[Entry]]] = deque()
    left = iter(folders)
    with ThreadPoolExecutor(THREADS, thread_name_prefix="docbeam-list") as threads:
        try:
            while True:
                while len(waiting) < THREADS and (folder := next(left, None)) is not None:
                    waiting.append(threads.submit(listed, folder))
                if not waiting:
                    return
                yield from waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _is_document(name: str, info: dict[str, Any]) -> bool:
    return info.get("type") == "file" and not (info.get("size") == 0 and name.endswith("/"))
