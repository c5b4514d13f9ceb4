"""The control words by what the reader does with them. Source: RTF 1.9.1, "Contents of an RTF file", appendix B."""

from __future__ import annotations

# Words and symbols that stand for a character.
CHARACTERS = {
    "tab": "\t", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•",
    "emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005", "zwj": "\u200d", "zwnj": "\u200c", "ltrmark": "\u200e",
    "rtlmark": "\u200f", "line": "\n", "lbr": "\n", "softline": "\n",
}  # fmt: skip
SYMBOLS = {"~": "\u00a0", "_": "-", "{": "{", "}": "}", "\\": "\\", "\t": "\t"}

# Groups that are no text: tables of settings, what other readers are shown instead, marks.
SKIPPED = frozenset((
    "colortbl", "stylesheet", "listtable", "listoverridetable", "revtbl", "rsidtbl", "filetbl", "xmlnstbl", "mmathPr", "pgptbl",
    "generator", "themedata", "colorschememapping", "datastore", "latentstyles", "wgrffmtfilter", "docvar", "template",
    "passwordhash", "password", "writereservation", "writereservhash", "xform", "background", "nonesttables", "nonshppict",
    "shprslt", "mmathPict", "objalias", "objsect", "objclass", "objname", "objtime", "bkmkstart", "bkmkend", "xe", "tc", "tcn",
    "rxe", "txe", "atrfstart", "atrfend", "atnref", "atndate", "atntime", "atnid", "atnparent", "atnicn", "atnpage",
    "pn", "pnseclvl", "pntxta", "pntxtb", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "fchars", "lchars",
    "fontemb", "fontfile", "panose", "falt", "blipuid", "bliptag", "picprop", "sp", "dpcallout", "private", "htmltag",
    "nextfile", "hlsrc", "hlfr", "hlloc", "gridtbl", "wpeqn", "listname", "listpicture", "mailmerge", "annotationref",
    "datafield", "fldtype", "oldcprops", "oldpprops", "oldsprops", "oldtprops", "protusertbl", "protstart", "protend",
    "factoidname", "mvfmf", "mvfml", "mvtof", "mvtol", "movefrom", "xmlattrname", "xmlattrvalue", "xmlname", "xmlclose",
    "xmlopen", "ebcstart", "ebcend", "pgdsctbl", "pgdsc", "lsdlockedexcept", "defchp", "defpap",
))  # fmt: skip
# Properties of formulas; some hold words (`{\mlimLoc undOvr}`).
MATH_PROPERTIES = frozenset(f"m{name}Pr" for name in (
    "oMathPara", "f", "nary", "d", "rad", "sSup", "sSub", "sSubSup", "acc", "bar", "box", "borderBox", "eqArr", "func",
    "groupChr", "limLow", "limUpp", "m", "phant", "sPre", "ctrl", "r", "arg",
))  # fmt: skip
# Groups with \* in front that are read all the same.
READ_WHEN_STARRED = frozenset((
    "shppict", "shpinst", "shptxt", "do", "dptxbxtext", "nesttableprops", "ud", "annotation", "atnauthor", "footnote",
    "fldinst", "formfield", "ffname", "ffl", "userprops", "propname", "staticval", "objdata", "result", "pntext", "listtext",
    "fldrslt",
    "company", "moMath", "moMathPara", "docvar", "pict", "keycode", "object", "upr", "txfieldtext", "title",
    "author", "subject", "keywords", "doccomm", "category", "manager", "operator",
))  # fmt: skip
HEADERS = frozenset(("header", "headerl", "headerr", "headerf"))
FOOTERS = frozenset(("footer", "footerl", "footerr", "footerf"))
INFO = {
    "title": "title", "subject": "subject", "author": "author", "manager": "manager", "company": "company",
    "operator": "lastModifiedBy", "category": "category", "keywords": "keywords", "comment": "comment",
    "doccomm": "description", "hlinkbase": "hyperlinkBase",
}  # fmt: skip
DATES = {"creatim": "created", "revtim": "modified", "printim": "printed", "buptim": "backedUp"}
DATE_PARTS = ("yr", "mo", "dy", "hr", "min", "sec")
