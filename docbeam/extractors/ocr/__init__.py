"""Pictures of text to text: the engine protocol, the Tesseract behind it, and how one page is read with it."""

from docbeam.extractors.ocr.engines import check_languages, engine_versions, find_engine
from docbeam.extractors.ocr.protocol import OcrEngine, Recognised
from docbeam.extractors.ocr.reading import read_picture

__all__ = ["OcrEngine", "Recognised", "check_languages", "engine_versions", "find_engine", "read_picture"]
