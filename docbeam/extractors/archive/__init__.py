"""Archives and compressed files: a listing as text, and every entry unpacked as a document of its own."""

from docbeam.extractors.archive.compressed import CompressedExtractor
from docbeam.extractors.archive.tar import TarExtractor
from docbeam.extractors.archive.warc import WarcExtractor
from docbeam.extractors.archive.zip import ZipExtractor

__all__ = ["CompressedExtractor", "TarExtractor", "WarcExtractor", "ZipExtractor"]
