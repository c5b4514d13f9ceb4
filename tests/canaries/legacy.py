"""Binary Office files: real documents, with words that they are known to have in many parts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.canaries.planting import Bed

GOLDEN = Path(__file__).parents[1] / "golden/legacy"
WORDS: dict[str, dict[str, str]] = {
    "notes_box_lists.doc": {
        "header": "the header text", "body": "Bold italic", "text box": "Here is a text box", "footnote": "This is a footnote",
        "list number": "2) Number bullet 2", "hyperlink text": "This is a hyperlink", "table": "Row 2 Col 3",
        "caption": "This is a caption", "footer": "the footer text", "field result": "Kramer",
    },
    "fields_in_all_parts.doc": {
        "text box in the header": "Textbox in header", "endnote": "Field in EndNote", "comment": "Field in comment",
        "comment author": "Comment by Fridrich Strba",
    },
    "comments.xls": {"comment": "third cell", "comment author": "Yegor Kozlov", "sheet name": "Sheet3"},
    "text_box.xls": {"text box": "this is some autoshape text"},
    "headers_footers.ppt": {
        "notes": "Notes Footer", "footer": "Global Slide Footer", "footer of one slide": "per-slide footer",
    },
    "comment.ppt": {"title": "Test Slide", "comment": "This is a test comment", "comment author": "Administrator"},
    "levels.ppt": {"text box": "With bullets", "body": "follows the design pattern"},
    "everything.xlsb": {
        "header": "OddCenterHeader", "even header": "EvenLeftHeader", "first header": "FirstPageRightHeader",
        "footer": "OddLeftFooter", "cell": "This is a string", "hyperlink text": "tika_link", "comment": "comment5 between cells",
        "text box": "test textbox", "WordArt": "test WordArt", "chart title": "myChartTitle",
    },
}  # fmt: skip


def _known(name: str) -> Callable[[], Bed]:
    def build() -> Bed:
        bed = Bed(name, (GOLDEN / name).read_bytes())
        for place, word in WORDS[name].items():
            bed.known(place, word)
        return bed

    return build


LEGACY = [_known(name) for name in WORDS]
