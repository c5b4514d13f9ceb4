"""Mutated documents through the sandbox: none may hang, get lost, or end as a fault of ours.

python scripts/fuzz.py --files 20000 [--seed 1] [--keep FOLDER] FOLDER...

Each file is a document from the folders with some bytes flipped, cut, doubled or replaced; of ZIP containers also the
bytes inside one member. Equal seeds give equal files. Ends with 1 if a file ends as `internal`; `timeout`, `crashed` and
`memory_limit` are counted and their seeds named, since the sandbox is there for them.
"""

from __future__ import annotations

import argparse
import io
import random
import sys
import threading
import time
import zipfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from docbeam.extractors.sandbox import SandboxPool
from docbeam.extractors.source import Source
from docbeam.extractors.tree import Node, read_tree
from docbeam.schemas.options import ExtractOptions

MOST_SEED_BYTES = 400_000
INTERESTING = (
    b"\x00",
    b"\xff",
    b"\xff\xff\xff\xff",
    b"\x7f\xff\xff\xff",
    b"\x80\x00\x00\x00",
    b"<",
    b">",
    b"&",
    b"%",
    b"(",
    b"{",
    b"\\",
    b"0",
)
NAMED = ("internal", "timeout", "crashed", "memory_limit")
OPTIONS = ExtractOptions(
    ocr=False, extraction_timeout_seconds=5, max_decompressed_bytes=50_000_000, container_timeout_seconds=20
)


def main() -> int:
    """Run the fuzzer; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("folders", nargs="+", type=Path, help="folders of documents to start from")
    parser.add_argument("--files", type=int, default=2000, help="mutated files to read [files; default 2000]")
    parser.add_argument("--seed", type=int, default=1, help="seed of the mutations [number; default 1]")
    parser.add_argument("--seconds", type=float, default=3600, help="stop after this time [seconds; default 3600]")
    parser.add_argument("--children", type=int, default=2, help="sandbox children [children; default 2]")
    parser.add_argument("--keep", type=Path, help="folder for files that end as internal, timeout, crashed or memory_limit")
    flags = parser.parse_args()
    documents = sorted(path for folder in flags.folders for path in folder.rglob("*") if _is_seed(path))
    outcomes, named = fuzz(documents, flags.files, flags.seed, flags.seconds, flags.children, flags.keep)
    print(f"{sum(outcomes.values()):,} mutated files of {len(documents)} documents")
    for outcome, number in outcomes.most_common():
        print(f"{number:>9,}  {outcome}")
    for line in named:
        print(line)
    return 1 if outcomes["internal"] else 0


def fuzz(
    documents: list[Path], files: int, seed: int, seconds: float, children: int, keep: Path | None = None
) -> tuple[Counter[str], list[str]]:
    """Read mutated documents; return how many ended in which way, and a line for each that deserves a look."""
    outcomes: Counter[str] = Counter()
    named: list[str] = []
    lock, deadline = threading.Lock(), time.monotonic() + seconds
    with SandboxPool(OPTIONS, children) as pool, ThreadPoolExecutor(children) as threads:

        def read(number: int) -> None:
            if time.monotonic() > deadline:
                return
            path = documents[number % len(documents)]
            chance = random.Random(f"{seed}-{number}")
            data = mutated(path.read_bytes(), chance)
            with pool.worker() as worker:
                reading = worker.read(Source(data=data, name=path.name))
                nodes = read_tree(worker, Node(reading=reading), OPTIONS)
            for node in nodes:
                error = node.reading.error
                outcome = str(error.category) if error else "text"
                with lock:
                    outcomes[outcome] += 1
                    if error and outcome in NAMED:
                        named.append(f"{outcome}: {path.name} seed {seed} number {number}: {error.message[:200]}")
                        if keep is not None:
                            keep.mkdir(parents=True, exist_ok=True)
                            (keep / f"{outcome}-{seed}-{number}-{path.name}").write_bytes(data)

        list(threads.map(read, range(files)))
    return outcomes, named


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Return the bytes with one to eight changes, for a ZIP half of the time inside of one member."""
    if data.startswith(b"PK") and chance.random() < 0.6:
        inner = _mutated_member(data, chance)
        if inner is not None:
            return inner
    return _changed(data, chance)


def _mutated_member(data: bytes, chance: random.Random) -> bytes | None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(entry, archive.read(entry)) for entry in archive.infolist() if entry.file_size < MOST_SEED_BYTES]
    except Exception:  # the seed itself may be broken
        return None
    if not members:
        return None
    chosen = chance.randrange(len(members))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (entry, content) in enumerate(members):
            archive.writestr(entry.filename, _changed(content, chance) if number == chosen else content)
    return out.getvalue()


def _changed(data: bytes, chance: random.Random) -> bytes:
    found = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        if not found:
            break
        start = chance.randrange(len(found))
        size = chance.choice((1, 2, 4, 16, 64, 512))
        match chance.randrange(7):
            case 0:
                found[start] ^= 1 << chance.randrange(8)
            case 1:
                found[start : start + size] = chance.randbytes(size)
            case 2:
                del found[start : start + size]
            case 3:
                found[start:start] = found[start : start + size] * chance.choice((1, 3, 50))
            case 4:
                found[start : start + 1] = chance.choice(INTERESTING)
            case 5:
                other = chance.randrange(len(found))
                found[start : start + size] = found[other : other + size]
            case 6:
                if chance.random() < 0.2:
                    del found[start:]
    return bytes(found)


def _is_seed(path: Path) -> bool:
    return path.is_file() and 0 < path.stat().st_size <= MOST_SEED_BYTES and path.suffix not in (".jsonl", ".md")


if __name__ == "__main__":
    sys.exit(main())
