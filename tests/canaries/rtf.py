"""RTF documents with a canary in each part."""

from __future__ import annotations

from tests.canaries.planting import Bed


def rtf() -> Bed:
    """Return a document."""
    bed = Bed("document.rtf")
    t = bed.plant
    info = "".join(
        rf"{{\{key} {t('property ' + key)}}}"
        for key in (
            "title",
            "subject",
            "author",
            "manager",
            "company",
            "operator",
            "category",
            "keywords",
            "comment",
            "doccomm",
            "hlinkbase",
        )
    )
    head = (
        rf"{{\rtf1\ansi{{\fonttbl{{\f0 Arial;}}}}{{\info{info}}}"
        rf"{{\*\userprops{{\propname Client}}\proptype30{{\staticval {t('custom property')}}}}}"
        rf"{{\*\template {t('attached template')}.dotm}}"
        rf"{{\header {t('header')}\par}}{{\headerf {t('first header')}\par}}{{\headerl {t('even header')}\par}}{{\footer {t('footer')}\par}}"
    )
    body = (
        rf"\pard {t('body')}{{\super{{\footnote\pard {t('footnote')}}}}}{{\footnote\ftnalt {t('endnote')}}}"
        rf"{{\*\atnid x}}{{\*\atnauthor {t('comment author')}}}{{\*\annotation {t('comment')}}}\par "
        rf"{{\v {t('hidden text')}}}{{\deleted {t('deletion', 'tracked changes')}}}{{\revised {t('insertion')}}}\par "
        rf"{{\field{{\*\fldinst AUTHOR}}{{\fldrslt {t('field result')}}}}}"
        rf'{{\field{{\*\fldinst HYPERLINK "x"}}{{\fldrslt {t("hyperlink text")}}}}}\par '
        rf"\trowd\cellx2000\cellx4000\pard\intbl {t('table')}\cell\pard\intbl\itap2 {t('nested table')}\nestcell{{\*\nesttableprops\trowd\cellx1000\nestrow}}"
        r"\pard\intbl\cell\row\pard "
        rf"{{\shp{{\*\shpinst{{\sp{{\sn wzDescription}}{{\sv {t('alternative text')} of it}}}}{{\shptxt \pard {t('text box')}\par}}}}{{\shprslt x}}}}"
        rf"{{\object\objemb{{\*\objclass Package}}{{\result {t('result of an object')}}}}}"
        rf"{{\listtext {t('list label')}\tab}}item\par "
        rf"{{\mmath{{\*\moMath{{\mr {t('equation')}}}}}}}\par"
        rf"{{\xe {t('index entry')}}}{{\tc {t('contents entry')}}}"
        r"\par}"
    )
    bed.data = (head + body).encode()
    return bed
