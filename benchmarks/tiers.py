"""Which tier won how many documents, from a dataset: `python -m benchmarks.tiers OUT`."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import pyarrow.dataset as ds

COLUMNS = ["media_type", "tiers"]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tiers", description=__doc__)
    parser.add_argument("output", type=Path, help="what `docbeam extract --output` has written")
    parser.add_argument("--media-type", default="application/pdf", help="documents to count; empty is all")
    flags = parser.parse_args()
    documents, quarantine = (counted(flags.output / name, flags.media_type) for name in ("documents", "quarantine"))
    print(f"| {'tiers':<24} | {'documents':>9} | {'quarantine':>10} |\n|{'-' * 26}|{'-' * 11}|{'-' * 12}|")
    for tiers in sorted({*documents, *quarantine}, key=lambda tiers: (len(tiers), tiers)):
        print(f"| {' → '.join(tiers) or 'none':<24} | {documents[tiers]:>9,} | {quarantine[tiers]:>10,} |")
    print(f"| {'all':<24} | {documents.total():>9,} | {quarantine.total():>10,} |")
    for (branch, origins), number in sorted(pages(flags.output / "documents", flags.media_type).items()):
        print(f"{branch} documents, pages {origins}: {number:,}")


def counted(folder: Path, media_type: str) -> Counter[tuple[str, ...]]:
    """Return the number of rows for each sequence of tiers."""
    rows = ds.dataset(folder, format="parquet").to_table(columns=COLUMNS).to_pylist() if folder.is_dir() else []
    return Counter(tuple(row["tiers"]) for row in rows if not media_type or row["media_type"] == media_type)


def pages(folder: Path, media_type: str) -> Counter[tuple[str, str]]:
    """Return the number of pages by the branch of their document and where their text came from."""
    found: Counter[tuple[str, str]] = Counter()
    if folder.is_dir():
        for row in ds.dataset(folder, format="parquet").to_table(columns=["media_type", "branch", "pages"]).to_pylist():
            if not media_type or row["media_type"] == media_type:
                found.update((row["branch"], page["origin"]) for page in row["pages"] or ())
    return found


if __name__ == "__main__":
    main()
