"""The elements of WordprocessingML by what the walk does with them. Source: ECMA-376-1 17."""

from __future__ import annotations

from docbeam.extractors.ooxml.xml import M, W


def _named(names: str) -> frozenset[str]:
    return frozenset(W + name for name in names.split())


# Properties, marks without text, and what tracked changes took away.
SKIPPED = _named(
    "pPr rPr del moveFrom sdtPr sdtEndPr smartTagPr customXmlPr fldData proofErr bookmarkStart bookmarkEnd permStart permEnd"
    " commentRangeStart commentRangeEnd moveFromRangeStart moveFromRangeEnd moveToRangeStart moveToRangeEnd sectPr tblPr"
    " tblGrid tcPr delText delInstrText lastRenderedPageBreak footnoteRef endnoteRef annotationRef separator"
    " continuationSeparator softHyphen"
)
SIGNS = {W + "tab": "\t", W + "ptab": "\t", W + "br": "\n", W + "cr": "\n", W + "noBreakHyphen": "-"}
NOTES = _named("footnoteReference endnoteReference commentReference")
DRAWN = _named("drawing pict object")
IN_RUNS = _named("t fldChar instrText sym ruby") | NOTES | frozenset(SIGNS)  # read wherever they stand
MATH = frozenset((M + "oMath", M + "oMathPara"))
