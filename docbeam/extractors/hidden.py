"""What a document hides is read like the rest of it; this says so in its warnings, one for each kind.

Extractors record what is hidden in the metadata (`xlsx.hiddenSheets`, `docx.hiddenRuns`); the warnings follow from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from docbeam.schemas.records import Notice
from docbeam.schemas.vocabulary import WarningCode

MAX_NAMES_CHARS = 1_000  # of sheets or slides in one warning
KINDS = {
    "hiddenSheets": ("sheets", "hidden sheets: {}"),
    "hiddenRows": ("rows", "hidden rows: {}"),
    "hiddenColumns": ("columns", "hidden columns: {}"),
    "hiddenSlides": ("slides", "hidden slides: {}"),
    "hiddenShapes": ("shapes", "hidden shapes with text: {}"),
    "hiddenSections": ("sections", "hidden sections: {}"),
    "hiddenRuns": ("text", "runs of hidden text: {}"),
    "hiddenChars": ("text", "characters of hidden text: {}"),
}


def hidden_notices(metadata: Mapping[str, str]) -> Iterator[Notice]:
    """Yield one warning for each kind of thing that the metadata says is hidden."""
    for key, value in metadata.items():
        name = key.partition(".")[2]
        if name in KINDS:
            part, sentence = KINDS[name]
            names = value if len(value) <= MAX_NAMES_CHARS else value[:MAX_NAMES_CHARS] + " …"
            yield Notice(WarningCode.HIDDEN, part, sentence.format(names))
