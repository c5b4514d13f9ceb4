"""Compound files for tests: streams by their paths, laid out as version 3 or 4 with a mini stream."""

from __future__ import annotations

import itertools
import struct

FREE, END, FAT, NONE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFF
CUTOFF = 4096


def compound(streams: dict[str, bytes], *, version: int = 3) -> bytes:
    """Return a compound file. A path such as `a/b` puts the stream b into the storage a."""
    size = 512 if version == 3 else 4096
    names = ["Root Entry"]
    children: dict[int, list[int]] = {0: []}
    found: dict[str, int] = {"": 0}
    for path in streams:
        pieces = path.split("/")
        for depth in range(1, len(pieces) + 1):
            key = "/".join(pieces[:depth])
            if key not in found:
                found[key] = len(names)
                names.append(pieces[depth - 1])
                children[found[key]] = []
                children[found["/".join(pieces[: depth - 1])]].append(found[key])
    mini, mini_fat, large = b"", [], {}
    starts, sizes = {}, {}
    for path, data in streams.items():
        index = found[path]
        sizes[index] = len(data)
        if len(data) >= CUTOFF:
            large[index] = data
        elif data:
            starts[index] = len(mini_fat)
            count = -(-len(data) // 64)
            mini_fat += [*range(len(mini_fat) + 1, len(mini_fat) + count), END]
            mini += data.ljust(count * 64, b"\0")
    blocks = [b"", struct.pack(f"<{len(mini_fat)}I", *mini_fat), mini, *large.values()]
    directory_sectors = -(-len(names) * 128 // size)
    counts = [directory_sectors, *(-(-len(block) // size) for block in blocks[1:])]
    fat_sectors = 1
    while fat_sectors * size // 4 < fat_sectors + sum(counts):
        fat_sectors += 1
    fat, places = [FAT] * fat_sectors, []
    for count in counts:
        places.append(len(fat) if count else END)
        fat += [*range(len(fat) + 1, len(fat) + count), END] if count else []
    fat += [FREE] * (fat_sectors * size // 4 - len(fat))
    starts.update(zip(large, places[3:], strict=True))
    links = {index: [NONE, NONE, NONE] for index in range(len(names))}
    for parent, below in children.items():
        for before, after in itertools.pairwise(below):
            links[before][1] = after
        links[parent][2] = below[0] if below else NONE
    records = b""
    for index, name in enumerate(names):
        kind = 5 if index == 0 else 2 if index in sizes else 1
        start, length = (places[2], len(mini)) if index == 0 else (starts.get(index, END), sizes.get(index, 0))
        raw = (name + "\0").encode("utf-16-le")
        records += raw.ljust(64, b"\0") + struct.pack("<HBBIII", len(raw), kind, 1, *links[index]) + bytes(36)
        records += struct.pack("<IQ", start, length)
    header = (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, version, 0xFFFE, size.bit_length() - 1, 6)
    )
    header += bytes(10) + struct.pack("<IIIIIIII", fat_sectors, places[0], 0, CUTOFF, places[1], counts[1], END, 0)
    header += struct.pack("<109I", *range(fat_sectors), *[FREE] * (109 - fat_sectors))
    blocks[0] = records
    body = struct.pack(f"<{len(fat)}I", *fat) + b"".join(block.ljust(-(-len(block) // size) * size, b"\0") for block in blocks)
    return header.ljust(size, b"\0") + body
