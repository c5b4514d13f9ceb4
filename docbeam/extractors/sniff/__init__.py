"""The media type, found from the bytes; the name's extension is a hint, and a contradiction is said."""

from docbeam.extractors.sniff.decide import Sniffed, sniff

__all__ = ["Sniffed", "sniff"]
