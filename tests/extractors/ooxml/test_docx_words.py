"""Real documents of the corpus: every word that stands in a text element of a part is in the content.

The words are found without the extractors: all w:t and a:t of all body, header, footer, note, comment and slide parts,
paragraph by paragraph; deletions and the fallbacks of markup alternatives are left out.
"""

import re
import zipfile
from pathlib import Path

import pytest
from lxml import etree

from docbeam.extractors.ooxml.docx import DocxExtractor
from docbeam.extractors.ooxml.pptx import PptxExtractor
from docbeam.extractors.ooxml.xml import A, M, W
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.options import ExtractOptions

OPTIONS = ExtractOptions(max_extracted_chars=5_000_000)
PARTS = re.compile(r"word/(document|header|footer|footnotes|endnotes|comments)\d*\.xml|ppt/slides/slide\d+\.xml")
LEFT_OUT = {"del", "moveFrom", "Fallback", "ffData"}


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{2,}", text))


def words_of_parts(path: Path) -> set[str]:
    found: set[str] = set()
    with zipfile.ZipFile(path) as file:
        for name in file.namelist():
            if PARTS.fullmatch(name):
                for paragraph in etree.fromstring(file.read(name)).iter("{*}p"):
                    found |= words(own_text(paragraph))
    return found


def own_text(paragraph: etree._Element) -> str:
    parts = []
    for node in paragraph.iter(W + "t", A + "t", "{*}tab", "{*}br", M + "oMath"):
        around = [etree.QName(element).localname for element in node.iterancestors()]
        if next(node.iterancestors("{*}p")) is paragraph and not LEFT_OUT.intersection(around):
            parts.append(node.text or " ")
    return "".join(parts)


@pytest.mark.parametrize(("folder", "extractor"), [("docx", DocxExtractor()), ("pptx", PptxExtractor())])
def test_no_word_of_a_real_document_is_lost(shared: Path, folder: str, extractor: DocxExtractor | PptxExtractor) -> None:
    read = 0
    for path in sorted((shared / "corpus" / folder).iterdir()):
        try:
            content = extractor.extract(Source(path=str(path)), "", OPTIONS).content
        except ExtractionError:
            continue  # encrypted and broken ones
        assert words_of_parts(path) - words(content) == set(), path.name
        read += 1
    assert read > 5
