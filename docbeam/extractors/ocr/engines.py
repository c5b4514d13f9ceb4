"""Which engine is installed, which languages it has, and the versions that belong into the fingerprint.

The resident engine comes first where its extra is installed; it finds the language files of the tesseract command.
"""

from __future__ import annotations

import glob
import hashlib
import importlib.util
import os
import shutil
from functools import lru_cache

from docbeam.extractors.ocr.languages import AUTO
from docbeam.extractors.ocr.protocol import OcrEngine
from docbeam.extractors.ocr.resident import LANGUAGE_SUFFIX, MODULE, ResidentEngine
from docbeam.extractors.ocr.tesseract import COMMAND, ORIENTATION_DATA, TesseractEngine, data_folders
from docbeam.schemas.errors import ExtractionError, UsageError

DIGEST_CHARS = 16  # 64 bits tell two releases of a language file apart


def find_engine() -> OcrEngine | None:
    """Return the installed engine, or None where there is neither a resident one nor a tesseract command that starts."""
    command = shutil.which(COMMAND)
    program = _probed(command) if command else None
    if importlib.util.find_spec(MODULE) is not None:
        folder = program.data_folder if program else next(filter(_has_languages, data_folders()), None)
        resident = _loaded(folder) if folder else None
        if resident is not None:
            return resident
    return program


def check_languages(engine: OcrEngine, languages: str) -> None:
    """Raise UsageError naming what is no language, or each language that the engine lacks and the package that has it."""
    wanted = [ORIENTATION_DATA] if languages == AUTO else languages.split("+")
    if languages != AUTO and ORIENTATION_DATA in wanted:
        raise UsageError(f"ocr_languages: {ORIENTATION_DATA} is no language, it tells how pages lie; name a language, or auto")
    missing = [code for code in dict.fromkeys(wanted) if code not in engine.languages]
    if missing:
        packages = " ".join(_package(code) for code in missing)
        raise UsageError(
            f"ocr_languages: {engine.name} has no {', '.join(missing)} (it has {', '.join(engine.languages) or 'none'}); "
            f"install with: apt-get install {packages}"
        )
    if languages == AUTO and not set(engine.languages) - {ORIENTATION_DATA}:
        raise UsageError(f"ocr_languages: {engine.name} has no language; install with: apt-get install {_package('eng')}")


def engine_versions(languages: str = "eng") -> dict[str, str]:
    """Return the version of the engine and a digest of each language file in use; empty without an engine."""
    engine = find_engine()
    if engine is None:
        return {}
    versions = {engine.name: engine.version}
    codes = engine.languages if languages == AUTO else languages.split("+")
    for code in sorted({*codes, ORIENTATION_DATA}):
        path = os.path.join(engine.data_folder or "", code + LANGUAGE_SUFFIX)
        if os.path.isfile(path):
            versions[code + LANGUAGE_SUFFIX] = _data_digest(path)
    return versions


def _package(code: str) -> str:
    return "tesseract-ocr-" + code.lower().replace("/", "-").replace("_", "-")


def _has_languages(folder: str) -> bool:
    return bool(glob.glob(os.path.join(glob.escape(folder), "*" + LANGUAGE_SUFFIX)))


@lru_cache(maxsize=4)
def _probed(command: str) -> TesseractEngine | None:
    try:
        return TesseractEngine(command)
    except (ExtractionError, OSError):
        return None


@lru_cache(maxsize=4)
def _loaded(folder: str) -> ResidentEngine | None:
    try:
        return ResidentEngine(folder)
    except (ExtractionError, OSError):
        return None


@lru_cache(maxsize=256)
def _data_digest(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()[:DIGEST_CHARS]
