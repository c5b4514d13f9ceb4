"""Excel workbooks with a canary in each part."""

from __future__ import annotations

from tests.canaries.planting import Bed
from tests.canaries.word import chart, properties, smart_art
from tests.extractors.ooxml.office import element, rels
from tests.extractors.ooxml.workbooks import ROOT, sheet, strings, xlsx

XDR = 'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"'
THREADED = 'xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"'


def _cell(reference: str, text: str) -> str:
    return f'<c r="{reference}" t="inlineStr"><is><t>{text}</t></is></c>'


def excel() -> Bed:
    """Return a workbook with macros."""
    bed = Bed("book.xlsm")
    t = bed.plant
    rows = (
        f'<row r="1"><c r="A1" t="s"><v>0</v></c>{_cell("B1", t("inline string"))}<c r="C1" t="str"><f>X()</f><v>{t("formula result")}</v></c>'
        f'<c r="D1" t="s"><v>1</v></c></row><row r="2" hidden="1">{_cell("A2", t("hidden row"))}</row>'
        f'<row r="3">{_cell("A3", t("text beside a hidden column"))}{_cell("F3", t("hidden column"))}</row>'
        f'<row r="5">{_cell("A5", t("table header"))}</row><row r="6">{_cell("A6", t("table cell"))}</row>'
        f'<row r="9"><c r="A9" t="e"><v>#N/A</v></c></row>'
    )
    after = (
        f'<scenarios><scenario name="{t("scenario")}" comment="{t("comment of a scenario")}"/></scenarios>'
        '<dataValidations count="1"><dataValidation type="list" showInputMessage="1" sqref="A1" '
        f'promptTitle="{t("validation prompt title")}" prompt="{t("validation prompt")}" errorTitle="{t("validation error title")}" '
        f'error="{t("validation error")}"><formula1>"{t("validation list")},b"</formula1></dataValidation></dataValidations>'
        f'<hyperlinks><hyperlink ref="A1" location="x" tooltip="{t("hyperlink tooltip")}"/></hyperlinks>'
        f"<headerFooter differentOddEven='1' differentFirst='1'><oddHeader>&amp;C{t('header')}</oddHeader>"
        f"<oddFooter>&amp;L{t('footer')}</oddFooter>"
        f"<evenHeader>&amp;C{t('even header')}</evenHeader><firstHeader>&amp;C{t('first header')}</firstHeader></headerFooter>"
        '<drawing r:id="rDraw"/><legacyDrawing r:id="rVml"/>'
    )
    cols = '<cols><col min="6" max="6" hidden="1"/></cols>'
    box = (
        f'<xdr:sp><xdr:nvSpPr><xdr:cNvPr id="2" name="x" descr="{t("alternative text")}"/></xdr:nvSpPr>'
        f"<xdr:txBody><a:p><a:r><a:t>{t('text box')}</a:t></a:r></a:p></xdr:txBody></xdr:sp>"
    )
    graphic = "<xdr:graphicFrame><a:graphic><a:graphicData>{}</a:graphicData></a:graphic></xdr:graphicFrame>"
    anchors = "".join(
        f"<xdr:twoCellAnchor>{inner}</xdr:twoCellAnchor>"
        for inner in (box, graphic.format('<c:chart r:id="rC"/>'), graphic.format('<dgm:relIds r:dm="rD"/>'))
    )
    person = "00000000-0000-0000-0000-000000000001"
    names = {
        t("sheet name"): sheet(rows, after, cols),
        t("hidden sheet's name"): sheet(f"<row>{_cell('A1', t('hidden sheet'))}</row>"),
        t("very hidden sheet's name"): sheet(f"<row>{_cell('A1', t('very hidden sheet'))}</row>"),
    }
    names[t("name of a chart sheet")] = ""
    states = dict(zip(names, ("visible", "hidden", "veryHidden"), strict=False))
    external = (
        f'<externalLink {ROOT}><externalBook r:id="r1"><sheetNames><sheetName val="{t("external sheet name", "xl/externalLinks/externalLink1.xml")}"/>'
        f'</sheetNames><sheetDataSet><sheetData sheetId="0"><row r="1"><cell r="A1" t="str"><v>'
        f"{t('external cached value', 'xl/externalLinks/externalLink1.xml')}</v></cell></row></sheetData></sheetDataSet></externalBook></externalLink>"
    )
    external_rels = rels({}).replace(
        "</Relationships>",
        f'<Relationship Id="r1" Type="x/externalLinkPath" TargetMode="External" Target="{t("external link")}.xlsx"/></Relationships>',
    )
    cache = (
        f'<pivotCacheDefinition {ROOT} r:id="r1"><cacheFields count="1"><cacheField name="{t("pivot field", "pivotCache")}"><sharedItems>'
        f'<s v="{t("pivot item", "pivotCache")}"/></sharedItems></cacheField></cacheFields></pivotCacheDefinition>'
    )
    records = f'<pivotCacheRecords {ROOT}><r><s v="{t("pivot record", "pivotCache")}"/></r></pivotCacheRecords>'
    parts: dict[str, str | bytes] = {
        "xl/sharedStrings.xml": strings(
            f"<t>{t('shared string')}</t>",
            f"<r><t>{t('rich string')}</t></r><rPh sb='0' eb='1'><t>{t('phonetic reading')}</t></rPh>",
        ),
        "xl/comments1.xml": f"<comments {ROOT}><authors><author>{t('note author')}</author></authors><commentList>"
        f'<comment ref="A1" authorId="0"><text><t>{t("note")}</t></text></comment></commentList></comments>',
        "xl/threaded1.xml": f'<ThreadedComments {THREADED}><threadedComment ref="A1" personId="{person}" id="1">'
        f"<text>{t('threaded comment')}</text></threadedComment></ThreadedComments>",
        "xl/persons/person.xml": f'<personList {THREADED}><person displayName="{t("comment author")}" id="{person}"/></personList>',
        "xl/tables/table1.xml": f'<table {ROOT} id="1" displayName="{t("table name")}" ref="A5:A6"><tableColumns count="1">'
        '<tableColumn id="1" name="x"/></tableColumns></table>',
        "xl/drawings/drawing1.xml": element("xdr:wsDr", anchors, XDR),
        "xl/drawings/_rels/drawing1.xml.rels": rels(
            {"rC": ("chart", "../charts/chart1.xml"), "rD": ("diagramData", "../d.xml")}
        ),
        "xl/charts/chart1.xml": chart(bed),
        "xl/d.xml": smart_art(bed),
        "xl/drawings/vml1.vml": '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel">'
        f'<v:shape><v:textbox><div>{t("form button")}</div></v:textbox><x:ClientData ObjectType="Button"/></v:shape></xml>',
        "xl/externalLinks/externalLink1.xml": external,
        "xl/externalLinks/_rels/externalLink1.xml.rels": external_rels,
        "xl/pivotCache/pivotCacheDefinition1.xml": cache,
        "xl/pivotCache/pivotCacheRecords1.xml": records,
        "xl/connections.xml": f'<connections {ROOT}><connection id="1" name="x" description="{t("connection", "xl/connections.xml")}"/></connections>',
        "xl/slicers/slicer1.xml": f'<slicers {ROOT}><slicer name="x" caption="{t("slicer")}"/></slicers>',
        "xl/chartsheets/sheet1.xml": f'<chartsheet {ROOT}><headerFooter><oddHeader>{t("header of a chart sheet")}</oddHeader></headerFooter><drawing r:id="r1"/></chartsheet>',
        "xl/chartsheets/_rels/sheet1.xml.rels": rels({"r1": ("drawing", "../drawings/drawing2.xml")}),
        "xl/drawings/drawing2.xml": element(
            "xdr:wsDr", "<xdr:absoluteAnchor>" + graphic.format('<c:chart r:id="rC"/>') + "</xdr:absoluteAnchor>", XDR
        ),
        "xl/drawings/_rels/drawing2.xml.rels": rels({"rC": ("chart", "../charts/chart2.xml")}),
        "xl/charts/chart2.xml": element(
            "c:chartSpace",
            f"<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>{t('chart sheet')}</a:t></a:r></a:p></c:rich></c:tx></c:title></c:chart>",
        ),
        "xl/embeddings/inner.xlsx": xlsx({"S": sheet(f"<row>{_cell('A1', t('embedded workbook'))}</row>")}),
        "xl/vbaProject.bin": t("macro", "xl/vbaProject.bin").encode(),
        **properties(bed),
    }
    defined = f'<definedNames><definedName name="{t("defined name")}">"{t("defined name value")}"</definedName></definedNames>'
    bed.data = xlsx(
        names,
        parts,
        sheet_relations={
            "rDraw": ("drawing", "../drawings/drawing1.xml"),
            "rVml": ("vmlDrawing", "../drawings/vml1.vml"),
            "rNote": ("comments", "../comments1.xml"),
            "rThread": ("threadedComment", "../threaded1.xml"),
            "rTable": ("table", "../tables/table1.xml"),
        },
        book_relations={
            "rId4": ("chartsheet", "chartsheets/sheet1.xml"),
            "rCon": ("connections", "connections.xml"),
            "rPerson": ("person", "persons/person.xml"),
            "rLink": ("externalLink", "externalLinks/externalLink1.xml"),
            "rPivot": ("pivotCacheDefinition", "pivotCache/pivotCacheDefinition1.xml"),
        },
        states=states,
        properties=defined,
    )
    return bed
