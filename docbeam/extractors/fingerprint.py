"""The engine fingerprint: versions of everything that can change the text, and the options, as one short digest."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from importlib.metadata import PackageNotFoundError, entry_points, version

from docbeam import __version__
from docbeam.extractors.ocr import engine_versions
from docbeam.extractors.registry import ENTRY_POINT_GROUP
from docbeam.schemas.options import ExtractOptions

PARSERS = ("pypdfium2", "pikepdf", "lxml", "selectolax", "pillow", "pycld2")
DIGEST_CHARS = 16  # 64 bits: no two option sets of one dataset will meet


def engine_parts(options: ExtractOptions) -> dict[str, object]:
    """Return what the fingerprint is made of: the versions and the options."""
    third_party = {
        point.dist.name: point.dist.version for point in entry_points(group=ENTRY_POINT_GROUP) if point.dist is not None
    }
    return {
        "docbeam": __version__,
        "parsers": {name: found for name in PARSERS if (found := _version(name)) is not None},
        "third_party": dict(sorted(third_party.items())),
        "ocr": engine_versions(options.ocr_languages) if options.ocr else {},
        "options": dataclasses.asdict(options),
    }


def fingerprint_of(parts: dict[str, object]) -> str:
    """Return the digest of the parts: equal parts, equal digest, on every machine."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:DIGEST_CHARS]


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
