"""HTML pages, SVG pictures and EPUB books with a canary in each part."""

from __future__ import annotations

import io
import zipfile

from tests.canaries.planting import Bed


def html() -> Bed:
    """Return a page."""
    bed = Bed("page.html")
    t = bed.plant
    bed.data = f"""<!DOCTYPE html><html lang="en"><head><title>{t("title")}</title><meta name="description" content="{t("meta description")}">
<meta name="keywords" content="{t("meta keywords")}"><meta name="author" content="{t("meta author")}">
<meta property="og:title" content="{t("Open Graph title")}"><style>.{t("style sheet")} {{}}</style>
<script>var x = "{t("script")}"</script><script type="application/ld+json">{{"name": "{t("linked data", "data in scripts")}"}}</script></head><body>
<p>{t("body")}</p><p title="{t("tooltip")}">x</p><img src="a.png" alt="{t("alternative text")} of it"><!-- {t("comment")} -->
<form><input value="{t("input value")}"><input type="hidden" value="{t("hidden input")}"><input placeholder="{t("placeholder")}">
<textarea>{t("text area")}</textarea><select><option>{t("option not chosen")}<option selected>{t("chosen option")}</select>
<button>{t("button")}</button></form><noscript><p>{t("noscript", "<noscript>")}</p></noscript><p hidden>{t("hidden", "hidden elements")}</p>
<p style="display:none">{t("display none", "hidden elements")}</p><template><p>{t("template", "template")}</p></template>
<iframe srcdoc="&lt;p&gt;{t("iframe srcdoc")}&lt;/p&gt;"></iframe><svg><title>{t("SVG title")}</title><text>{t("SVG text")}</text></svg>
<table summary="{t("table summary")}"><caption>{t("table caption")}</caption><tr><th abbr="x">{t("table header")}</th><td>{t("table cell")}</td></tr></table>
<details><summary>{t("summary")}</summary>{t("details")}</details><dialog>{t("dialog")}</dialog><figure><figcaption>{t("figure caption")}</figcaption></figure>
<math><mi>{t("formula")}</mi></math><object data="x.swf"><p>{t("fallback of an object")}</p></object><video><p>{t("fallback of a video", "<video>")}</p></video>
<canvas>{t("fallback of a canvas", "<canvas>")}</canvas><p aria-label="{t("aria label")}">x</p><input type="submit" value="{t("submit button")}">
<area alt="{t("alternative text of an area")}"><meter>{t("meter", "<meter>")}</meter><datalist><option value="{t("datalist")}"></datalist>
<ruby>{t("ruby base")}<rt>{t("ruby")}</rt></ruby><del>{t("deletion")}</del></body></html>""".encode()
    return bed


def svg() -> Bed:
    """Return a picture."""
    bed = Bed("picture.svg")
    t = bed.plant
    bed.data = f"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><title>{t("title")}</title>
<desc>{t("description")}</desc><metadata><rdf>{t("metadata", "metadata")}</rdf></metadata><defs><text id="a">{t("text that is used")}</text></defs><use xlink:href="#a"/>
<g><title>{t("title of a group")}</title><text><tspan>{t("text")}</tspan><textPath>{t("text on a path")}</textPath></text></g>
<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">{t("foreign object")}</p></foreignObject><a><text>{t("link text")}</text></a>
<text display="none">{t("hidden text", "hidden")}</text><switch><text systemLanguage="xx">{t("switch")}</text></switch></svg>""".encode()
    return bed


def epub() -> Bed:
    """Return a book."""
    bed = Bed("book.epub")
    t = bed.plant
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>{}</title></head><body>{}</body></html>'
    package = f"""<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>{t("title")}</dc:title><dc:creator>{t("author")}</dc:creator><dc:contributor>{t("contributor")}</dc:contributor><dc:description>{t("description")}</dc:description>
<dc:publisher>{t("publisher")}</dc:publisher><dc:subject>{t("subject")}</dc:subject><dc:rights>{t("rights")}</dc:rights><dc:identifier id="i">x</dc:identifier></metadata>
<manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="b.xhtml" media-type="application/xhtml+xml"/>
<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/><item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>
<item id="s" href="s.svg" media-type="image/svg+xml"/></manifest>
<spine><itemref idref="a"/><itemref idref="b" linear="no"/><itemref idref="s"/></spine></package>"""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="p.opf" '
            'media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        archive.writestr("p.opf", package)
        archive.writestr(
            "a.xhtml",
            page.format(
                "x",
                f"<p>{t('chapter')}</p><aside epub:type='footnote' xmlns:epub='http://www.idpf.org/2007/ops'>{t('footnote')}</aside>",
            ),
        )
        archive.writestr("b.xhtml", page.format("x", f"<p>{t('chapter out of line')}</p>"))
        archive.writestr("c.xhtml", page.format("x", f"<p>{t('chapter that is not in the spine', 'c.xhtml')}</p>"))
        archive.writestr(
            "nav.xhtml",
            page.format("x", f"<nav><ol><li><a href='a.xhtml'>{t('table of contents', 'nav.xhtml')}</a></li></ol></nav>"),
        )
        archive.writestr("s.svg", f'<svg xmlns="http://www.w3.org/2000/svg"><text>{t("SVG chapter")}</text></svg>')
    bed.data = file.getvalue()
    return bed
