"""Pictures of text to text: the engine protocol, Tesseract behind it as a program or a library, and how a page is read."""

from docbeam.extractors.ocr.engines import check_languages, engine_versions, find_engine
from docbeam.extractors.ocr.protocol import OcrEngine, Orientation, Recognised
from docbeam.extractors.ocr.reading import read_picture

__all__ = ["OcrEngine", "Orientation", "Recognised", "check_languages", "engine_versions", "find_engine", "read_picture"]
