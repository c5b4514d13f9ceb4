"""A storage of a compound file as a compound file of its own, so that an embedded document can be read like any other.

Source: [MS-CFB] 2.2 to 2.6 (version 3, sectors of 512 bytes).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from docbeam.extractors.compound_file import MINI_BYTES, ROOT, SIGNATURE, STORAGE, STREAM, CompoundFile, Entry

SECTOR_BYTES = 512
PER_SECTOR = SECTOR_BYTES // 4
CUTOFF_BYTES = 4_096
HEADER_DIFAT = 109
MAX_ENTRIES = 20_000  # of one storage; the rest is left out
MAX_STORAGES = 400  # each may lie in the one before, and costs a Python frame
FREE, END, FAT_SECTOR, DIFAT_SECTOR, NONE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFC, 0xFFFFFFFF


@dataclass(slots=True)
class _Node:
    entry: Entry
    kind: int
    declared: int = 0
    size_bytes: int = 0
    start: int = 0
    links: list[int] = field(default_factory=lambda: [NONE, NONE, NONE])


def storage_file(compound: CompoundFile, storage: Entry) -> Iterator[bytes]:
    """Yield the bytes of a compound file whose root is the storage.

    Raises: what CompoundFile.read raises.
    """
    nodes = [_Node(storage, ROOT)]
    _collect(compound, 0, nodes, {storage.links[2]})
    small: list[bytes] = []
    mini_fat: list[int] = []
    left = compound.file_bytes
    for node in nodes:
        if node.kind == STREAM:
            size = compound.size_of(node.entry)
            node.declared = size if size <= left else 0  # streams that lie over each other
            left -= node.declared
    for node in nodes:
        if node.kind == STREAM and 0 < node.declared < CUTOFF_BYTES:
            data = compound.read(node.entry)
            node.size_bytes, node.start = len(data), len(mini_fat) if data else END
            count = -(-len(data) // MINI_BYTES)
            mini_fat += [*range(len(mini_fat) + 1, len(mini_fat) + count), END] if count else []
            small.append(data.ljust(count * MINI_BYTES, b"\0"))
    mini_stream = b"".join(small)
    yield from _laid_out(compound, nodes, mini_stream, mini_fat)


def _laid_out(compound: CompoundFile, nodes: list[_Node], mini_stream: bytes, mini_fat: list[int]) -> Iterator[bytes]:
    """Give every stream its sectors, then yield header, FAT, directory, mini FAT, mini stream and the large streams."""
    large = [node for node in nodes if node.kind == STREAM and node.declared >= CUTOFF_BYTES]
    counts = [_sectors(len(nodes) * 128), _sectors(len(mini_fat) * 4), _sectors(len(mini_stream))]
    counts += [_sectors(node.declared) for node in large]
    fat_count, difat_count = _fat_sectors(sum(counts))
    fat = [FAT_SECTOR] * fat_count + [DIFAT_SECTOR] * difat_count
    starts = []
    for count in counts:
        starts.append(len(fat) if count else END)
        fat += [*range(len(fat) + 1, len(fat) + count), END] if count else []
    for node, start in zip(large, starts[3:], strict=True):
        node.start, node.size_bytes = start, node.declared
    nodes[0].start, nodes[0].size_bytes = starts[2], len(mini_stream)
    fat += [FREE] * (fat_count * PER_SECTOR - len(fat))
    difat = list(range(fat_count))
    header = SIGNATURE + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(10)
    header += struct.pack("<IIII", fat_count, starts[0], 0, CUTOFF_BYTES)
    header += struct.pack("<IIII", starts[1], counts[1], fat_count if difat_count else END, difat_count)
    yield header + _numbers(difat[:HEADER_DIFAT], HEADER_DIFAT)
    yield _numbers(fat, len(fat))
    for index in range(difat_count):
        part = difat[HEADER_DIFAT + index * (PER_SECTOR - 1) :][: PER_SECTOR - 1]
        yield _numbers(part, PER_SECTOR - 1) + struct.pack("<I", fat_count + index + 1 if index + 1 < difat_count else END)
    yield _padded(b"".join(_record(node) for node in nodes))
    yield _numbers(mini_fat, counts[1] * PER_SECTOR) + _padded(mini_stream)
    for node in large:
        yield from _exactly(compound, node.entry)


def _collect(compound: CompoundFile, parent: int, nodes: list[_Node], seen: set[int]) -> None:
    """Add the entries below a storage and join them to a balanced tree, as [MS-CFB] 2.6.4 orders them."""
    first = len(nodes)
    children = list(compound.children(nodes[parent].entry).values())[: max(0, MAX_ENTRIES - first)]
    children.sort(key=lambda entry: (len(entry.name), entry.name.upper()))
    nodes += [_Node(entry, entry.kind) for entry in children]
    nodes[parent].links[2] = _tree(nodes, first, len(nodes))
    for index in range(first, first + len(children)):
        below = nodes[index].entry.links[2]
        if nodes[index].kind == STORAGE and below not in seen and len(seen) < MAX_STORAGES:
            seen.add(below)
            _collect(compound, index, nodes, seen)


def _tree(nodes: list[_Node], low: int, high: int) -> int:
    if low >= high:
        return NONE
    middle = (low + high) // 2
    nodes[middle].links[0] = _tree(nodes, low, middle)
    nodes[middle].links[1] = _tree(nodes, middle + 1, high)
    return middle


def _fat_sectors(others: int) -> tuple[int, int]:
    """Return how many FAT and DIFAT sectors a file with so many other sectors needs."""
    fat, difat = 0, 0
    while fat * PER_SECTOR < others + fat + difat:
        fat += 1
        difat = -(-max(0, fat - HEADER_DIFAT) // (PER_SECTOR - 1))
    return fat, difat


def _record(node: _Node) -> bytes:
    entry = node.entry
    name = "Root Entry" if node.kind == ROOT else entry.name
    raw = (name[:31] + "\0").encode("utf-16-le", "replace")[:64]
    head = raw.ljust(64, b"\0") + struct.pack("<HBB", len(raw), node.kind, 1) + struct.pack("<III", *node.links)
    return head + entry.class_id + bytes(4) + struct.pack("<QQIQ", entry.created, entry.modified, node.start, node.size_bytes)


def _exactly(compound: CompoundFile, entry: Entry) -> Iterator[bytes]:
    """Yield a stream's bytes, filled up to whole sectors of the size that it declares."""
    left = _sectors(compound.size_of(entry)) * SECTOR_BYTES
    for chunk in compound.chunks(entry):
        left -= len(chunk)
        yield chunk
    while left > 0:
        yield bytes(min(left, 1 << 20))
        left -= 1 << 20


def _sectors(size: int) -> int:
    return -(-size // SECTOR_BYTES)


def _numbers(numbers: list[int], count: int) -> bytes:
    return struct.pack(f"<{count}I", *numbers, *([FREE] * (count - len(numbers))))


def _padded(data: bytes) -> bytes:
    return data.ljust(_sectors(len(data)) * SECTOR_BYTES, b"\0")
