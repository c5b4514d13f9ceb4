"""Word documents (DOCX, DOCM) with a canary in each part."""

from __future__ import annotations

from tests.canaries.planting import Bed
from tests.extractors.ooxml.office import docx, element, p, rels

BOX = '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline>{}</wp:inline></w:drawing></mc:Choice></mc:AlternateContent></w:r>'
CHART = (
    "<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>{title}</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart>"
    "<c:ser><c:tx><c:strRef><c:f>A1</c:f><c:strCache><c:pt idx='0'><c:v>{series}</c:v></c:pt></c:strCache></c:strRef></c:tx>"
    "<c:dLbls><c:dLbl><c:idx val='0'/><c:tx><c:rich><a:p><a:r><a:t>{label}</a:t></a:r></a:p></c:rich></c:tx></c:dLbl></c:dLbls>"
    "<c:cat><c:strRef><c:strCache><c:pt idx='0'><c:v>{category}</c:v></c:pt></c:strCache></c:strRef></c:cat>"
    "<c:val><c:numRef><c:numCache><c:pt idx='0'><c:v>1</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart>"
    "<c:valAx><c:title><c:tx><c:rich><a:p><a:r><a:t>{axis}</a:t></a:r></a:p></c:rich></c:tx></c:title></c:valAx></c:plotArea></c:chart>"
)
CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{}</dc:title><dc:creator>{}</dc:creator><dc:subject>{}</dc:subject>'
    "<dc:description>{}</dc:description><cp:keywords>{}</cp:keywords><cp:category>{}</cp:category>"
    "<cp:lastModifiedBy>{}</cp:lastModifiedBy></cp:coreProperties>"
)
APP = (
    '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Company>{}</Company>'
    "<Manager>{}</Manager><HyperlinkBase>{}</HyperlinkBase></Properties>"
)
CUSTOM = (
    '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" '
    'xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"><property pid="2" name="{}">'
    "<vt:lpwstr>{}</vt:lpwstr></property></Properties>"
)
CORE_PLACES = ("title", "author", "subject", "description", "keywords", "category", "last modified by")


def properties(bed: Bed) -> dict[str, str | bytes]:
    """Return the property parts of an Office file."""
    core = CORE.format(*(bed.plant(f"property {place}") for place in CORE_PLACES))
    app = APP.format(*(bed.plant(f"property {place}") for place in ("company", "manager", "hyperlink base")))
    custom = CUSTOM.format(bed.plant("custom property's name"), bed.plant("custom property's value"))
    return {"docProps/core.xml": core, "docProps/app.xml": app, "docProps/custom.xml": custom}


def chart(bed: Bed) -> str:
    """Return a chart part."""
    places = ("title", "series", "label", "category", "axis")
    return element("c:chartSpace", CHART.format(**{place: bed.plant(f"chart {place}") for place in places}))


def smart_art(bed: Bed) -> str:
    """Return the data part of a SmartArt."""
    text = f"<dgm:t><a:p><a:r><a:t>{bed.plant('SmartArt')}</a:t></a:r></a:p></dgm:t>"
    return element(
        "dgm:dataModel", f'<dgm:ptLst><dgm:pt modelId="1" type="doc"/><dgm:pt modelId="2">{text}</dgm:pt></dgm:ptLst>'
    )


def word() -> Bed:
    """Return a document with macros."""
    bed = Bed("document.docm")
    t = bed.plant
    run = '<w:r><w:t xml:space="preserve">{}</w:t></w:r>'
    body = [
        p(t("body")),
        f"<w:tbl><w:tr><w:tc>{p(t('table'))}<w:tbl><w:tr><w:tc>{p(t('nested table'))}</w:tc></w:tr></w:tbl><w:p/></w:tc></w:tr></w:tbl>",
        f'<w:p>{run.format("x")}<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:endnoteReference w:id="2"/></w:r>'
        '<w:r><w:commentReference w:id="0"/></w:r></w:p>',
        f"<w:p><w:r><w:pict><v:shape><v:textbox><w:txbxContent>{p(t('VML text box'))}</w:txbxContent></v:textbox></v:shape>"
        f'<v:shape alt="{t("VML alternative text")} of it"><v:textpath string="{t("WordArt")}"/></v:shape></w:pict></w:r></w:p>',
        "<w:p>"
        + BOX.format(
            f'<wp:docPr id="1" name="x" title="{t("title of a drawing")}" descr="{t("alternative text")}"/><a:graphic><a:graphicData>'
            f"<wps:wsp><wps:txbx><w:txbxContent>{p(t('text box'))}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic>"
        )
        + "</w:p>",
        '<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><c:chart r:id="rChart"/></a:graphicData></a:graphic></wp:inline>'
        '</w:drawing></w:r><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><dgm:relIds r:dm="rArt"/></a:graphicData></a:graphic>'
        "</wp:inline></w:drawing></w:r></w:p>",
        f'<w:tbl><w:tblPr><w:tblCaption w:val="{t("title of a table")}"/><w:tblDescription w:val="{t("description of a table")}"/>'
        f"</w:tblPr><w:tr><w:tc>{p('x')}</w:tc></w:tr></w:tbl>",
        f"<w:sdt><w:sdtPr><w:dropDownList><w:listItem w:displayText='{t('choice of a content control')}'/></w:dropDownList></w:sdtPr>"
        f"<w:sdtContent>{p(t('choice that was made'))}</w:sdtContent></w:sdt>",
        f"<w:p><w:pPr><w:numPr><w:ilvl w:val='0'/><w:numId w:val='1'/></w:numPr></w:pPr>{run.format('item')}</w:p>",
        f"<w:sdt><w:sdtPr><w:alias w:val='x'/></w:sdtPr><w:sdtContent>{p(t('content control'))}</w:sdtContent></w:sdt>",
        f'<w:p><w:hyperlink r:id="rLink" w:tooltip="x">{run.format(t("hyperlink text"))}</w:hyperlink></w:p>',
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>AUTHOR</w:instrText></w:r><w:r>'
        f'<w:fldChar w:fldCharType="separate"/></w:r>{run.format(t("field result"))}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>',
        f'<w:p><w:fldSimple w:instr="TITLE">{run.format(t("simple field"))}</w:fldSimple></w:p>',
        f"<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>{t('hidden run')}</w:t></w:r></w:p>",
        f'<w:p><w:ins w:id="1" w:author="x">{run.format(t("insertion"))}</w:ins>'
        f'<w:moveTo w:id="3" w:author="x">{run.format(t("moved text"))}</w:moveTo>'
        f'<w:del w:id="2" w:author="x"><w:r><w:delText>{t("deletion", "tracked changes")}</w:delText></w:r></w:del></w:p>',
        f'<w:p><w:pPr><w:pStyle w:val="Caption"/></w:pPr>{run.format(t("caption"))}</w:p>',
        f"<w:p><m:oMathPara><m:oMath><m:r><m:t>{t('equation')}</m:t></m:r></m:oMath></m:oMathPara></w:p>",
        f"<w:p><w:r><w:ruby><w:rt>{run.format(t('ruby'))}</w:rt><w:rubyBase>{run.format(t('ruby base'))}</w:rubyBase></w:ruby></w:r></w:p>",
        f'<w:p><w:smartTag w:element="x">{run.format(t("smart tag"))}</w:smartTag></w:p>',
        '<w:altChunk r:id="rChunk"/>',
        '<w:p><w:r><w:object><o:OLEObject Type="Embed" r:id="rObject"/></w:object></w:r></w:p>',
        '<w:sectPr><w:headerReference w:type="default" r:id="rH1"/><w:headerReference w:type="first" r:id="rH2"/>'
        '<w:headerReference w:type="even" r:id="rH3"/><w:footerReference w:type="default" r:id="rF1"/>'
        '<w:footerReference w:type="first" r:id="rF2"/><w:footerReference w:type="even" r:id="rF3"/><w:titlePg/></w:sectPr>',
    ]
    parts: dict[str, str | bytes] = {
        "word/footnotes.xml": element("w:footnotes", f'<w:footnote w:id="2">{p(t("footnote"))}</w:footnote>'),
        "word/endnotes.xml": element("w:endnotes", f'<w:endnote w:id="2">{p(t("endnote"))}</w:endnote>'),
        "word/comments.xml": element(
            "w:comments", f'<w:comment w:id="0" w:author="{t("comment author")}">{p(t("comment"))}</w:comment>'
        ),
        "word/charts/chart1.xml": chart(bed),
        "word/diagrams/data1.xml": smart_art(bed),
        "word/afchunk.html": f"<html><body><p>{t('altChunk')}</p></body></html>",
        "word/embeddings/inner.docx": docx(p(t("embedded document"))),
        "word/glossary/document.xml": element(
            "w:glossaryDocument", f"<w:docParts>{p(t('building block', 'word/glossary'))}</w:docParts>"
        ),
        "customXml/item1.xml": f"<data>{t('custom XML data', 'customXml/item1.xml')}</data>",
        "word/vbaProject.bin": t("macro", "word/vbaProject.bin").encode(),
        "word/settings.xml": element(
            "w:settings", f'<w:docVars><w:docVar w:name="x" w:val="{t("document variable")}"/></w:docVars>'
        ),
        "word/numbering.xml": element(
            "w:numbering",
            f'<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="{t("list label")} %1"/>'
            '</w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
        ),
        "word/_rels/settings.xml.rels": rels({}).replace(
            "</Relationships>",
            f'<Relationship Id="r1" Type="x/attachedTemplate" TargetMode="External" Target="file:///{t("attached template")}.dotm"/>'
            "</Relationships>",
        ),
        **properties(bed),
    }
    relations = {
        "rSet": ("settings", "settings.xml"),
        "rNum": ("numbering", "numbering.xml"),
        "rChart": ("chart", "charts/chart1.xml"),
        "rArt": ("diagramData", "diagrams/data1.xml"),
        "rChunk": ("aFChunk", "afchunk.html"),
        "rObject": ("package", "embeddings/inner.docx"),
        "rN1": ("footnotes", "footnotes.xml"),
        "rN2": ("endnotes", "endnotes.xml"),
        "rN3": ("comments", "comments.xml"),
        "rN4": ("glossaryDocument", "glossary/document.xml"),
    }
    for number, kind in enumerate(("default", "first", "even"), 1):
        for name in ("header", "footer"):
            parts[f"word/{name}{number}.xml"] = element(f"w:{name[:3]}", p(t(f"{kind} {name}")))
            relations[f"r{name[0].upper()}{number}"] = (name, f"{name}{number}.xml")
    bed.data = docx("".join(body), relations, parts)
    return bed
