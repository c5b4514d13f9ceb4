"""HTML and XHTML as a browser lays them out in blocks: nothing is fetched, nothing is run, no boilerplate is cut away."""

from docbeam.extractors.html.extractor import HtmlExtractor

__all__ = ["HtmlExtractor"]
