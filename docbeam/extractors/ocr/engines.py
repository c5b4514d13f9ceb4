"""Which engine is installed, which languages it has, and the versions that belong into the fingerprint."""

from __future__ import annotations

import hashlib
import os
import shutil
from functools import lru_cache

from docbeam.extractors.ocr.protocol import OcrEngine
from docbeam.extractors.ocr.tesseract import COMMAND, TesseractEngine
from docbeam.schemas.errors import ExtractionError, UsageError

DIGEST_CHARS = 16  # 64 bits tell two releases of a language file apart
ORIENTATION_DATA = "osd"  # decides how a page is turned, and so what is read


def find_engine() -> TesseractEngine | None:
    """Return the installed engine, or None where the tesseract command is missing or does not start."""
    command = shutil.which(COMMAND)
    return _probed(command) if command else None


def check_languages(engine: OcrEngine, languages: str) -> None:
    """Raise UsageError naming each language that the engine lacks and the package that has it."""
    missing = [code for code in dict.fromkeys(languages.split("+")) if code not in engine.languages]
    if missing:
        packages = " ".join(_package(code) for code in missing)
        raise UsageError(
            f"ocr_languages: {engine.name} has no {', '.join(missing)} (it has {', '.join(engine.languages) or 'none'}); "
            f"install with: apt-get install {packages}"
        )


def engine_versions(languages: str = "eng") -> dict[str, str]:
    """Return the version of the engine and a digest of each language file in use; empty without an engine."""
    engine = find_engine()
    if engine is None:
        return {}
    versions = {engine.name: engine.version}
    for code in sorted({*languages.split("+"), ORIENTATION_DATA}):
        path = os.path.join(engine.data_folder or "", f"{code}.traineddata")
        if os.path.isfile(path):
            versions[f"{code}.traineddata"] = _data_digest(path)
    return versions


def _package(code: str) -> str:
    return "tesseract-ocr-" + code.lower().replace("/", "-").replace("_", "-")


@lru_cache(maxsize=4)
def _probed(command: str) -> TesseractEngine | None:
    try:
        return TesseractEngine(command)
    except (ExtractionError, OSError):
        return None


@lru_cache(maxsize=64)
def _data_digest(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()[:DIGEST_CHARS]
