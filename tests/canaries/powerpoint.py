"""PowerPoint presentations with a canary in each part."""

from __future__ import annotations

from tests.canaries.planting import Bed
from tests.canaries.word import chart, properties, smart_art
from tests.extractors.ooxml.office import NAMESPACES, box, element, pptx, rels

TITLE = '<p:ph type="title"/>'
FRAME = (
    '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="x" descr="{}"/><p:nvPr/></p:nvGraphicFramePr>'
    "<a:graphic><a:graphicData>{}</a:graphicData></a:graphic></p:graphicFrame>"
)
SECTIONS = (
    '<p:extLst><p:ext uri="{{521415D9-36F7-43E2-AB2F-B90AF26B5E84}}"><p14:sectionLst '
    'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"><p14:section name="{}" id="1"/></p14:sectionLst></p:ext></p:extLst>'
)


def _tree(shapes: str) -> str:
    return f"<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>"


def powerpoint() -> Bed:
    """Return a presentation with macros."""
    bed = Bed("show.pptm")
    t = bed.plant
    table = f"<a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>{t('table')}</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl>"
    hidden = box(t("hidden shape")).replace('name="x"', 'name="x" hidden="1"')
    shapes = [
        box(t("title"), placeholder=TITLE),
        box(t("body"), placeholder='<p:ph idx="1"/>'),
        f'<p:grpSp><p:nvGrpSpPr><p:cNvPr id="5" name="x" descr="{t("alternative text of a group")}"/></p:nvGrpSpPr>{box(t("group"))}</p:grpSp>',
        box(t("text box")).replace('name="x"', f'name="x" descr="{t("alternative text of a shape")}"'),
        hidden,
        FRAME.format(t("alternative text of a table"), table),
        FRAME.format("", '<c:chart r:id="rC"/>'),
        FRAME.format("", '<dgm:relIds r:dm="rD"/>'),
        f'<p:pic><p:nvPicPr><p:cNvPr id="6" name="x" title="{t("title of a picture")}" descr="{t("alternative text of a picture")}"/>'
        "</p:nvPicPr></p:pic>",
        f'<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="7" name="x" descr="{t("alternative text of a connector")}"/></p:nvCxnSpPr></p:cxnSp>',
        box("x").replace("<a:r><a:t>x", f"<a14:m><m:oMath><m:r><m:t>{t('equation')}</m:t></m:r></m:oMath></a14:m><a:r><a:t>x"),
        box(t("footer"), placeholder='<p:ph type="ftr"/>'),
    ]
    parts: dict[str, str | bytes] = {
        "ppt/charts/chart1.xml": chart(bed),
        "ppt/diagrams/data1.xml": smart_art(bed),
        "ppt/notesSlides/notesSlide1.xml": element("p:notes", _tree(box(t("notes"), placeholder='<p:ph type="body"/>'))),
        "ppt/comments/comment1.xml": element("p:cmLst", f'<p:cm authorId="0"><p:text>{t("comment")}</p:text></p:cm>'),
        "ppt/comments/modern1.xml": f'<p188:cmLst xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main" {NAMESPACES}>'
        f'<p188:cm authorId="0"><p188:replyLst><p188:reply authorId="0"><p188:txBody><a:p><a:r><a:t>{t("reply to a comment")}</a:t></a:r></a:p></p188:txBody>'
        f"</p188:reply></p188:replyLst><p188:txBody><a:p><a:r><a:t>{t('modern comment')}</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>",
        "ppt/handoutMasters/handoutMaster1.xml": element(
            "p:handoutMaster", _tree(box(t("handout master", "ppt/handoutMasters")))
        ),
        "ppt/notesMasters/notesMaster1.xml": element("p:notesMaster", _tree(box(t("notes master", "ppt/notesMasters")))),
        "ppt/commentAuthors.xml": element("p:cmAuthorLst", f'<p:cmAuthor id="0" name="{t("comment author")}"/>'),
        "ppt/slideLayouts/slideLayout1.xml": element("p:sldLayout", _tree(box(t("layout's own text")))),
        "ppt/slideLayouts/_rels/slideLayout1.xml.rels": rels({"r1": ("slideMaster", "../slideMasters/slideMaster1.xml")}),
        "ppt/slideMasters/slideMaster1.xml": element("p:sldMaster", _tree(box(t("master's own text")))),
        "ppt/tags/tag1.xml": element("p:tagLst", f'<p:tag name="X" val="{t("tag", "ppt/tags/tag1.xml")}"/>'),
        "ppt/vbaProject.bin": t("macro", "ppt/vbaProject.bin").encode(),
        "ppt/embeddings/note.txt": t("embedded file"),
        **properties(bed),
    }
    second = element("p:sld", _tree(box(t("hidden slide"))), 'show="0"')
    listed = '<p:sldId id="256" r:id="rId1"/><p:sldId id="257" r:id="rId2"/>'
    parts["ppt/slides/slide2.xml"] = second
    parts["ppt/presentation.xml"] = element(
        "p:presentation", f"<p:sldIdLst>{listed}</p:sldIdLst>{SECTIONS.format(t('section name'))}"
    )
    parts["ppt/_rels/presentation.xml.rels"] = rels(
        {
            "rId1": ("slide", "slides/slide1.xml"),
            "rId2": ("slide", "slides/slide2.xml"),
            "r3": ("commentAuthors", "commentAuthors.xml"),
            "r4": ("notesMaster", "notesMasters/notesMaster1.xml"),
            "r5": ("handoutMaster", "handoutMasters/handoutMaster1.xml"),
        }
    )
    bed.data = pptx(
        ["".join(shapes)],
        parts,
        {
            "rC": ("chart", "../charts/chart1.xml"),
            "rD": ("diagramData", "../diagrams/data1.xml"),
            "rN": ("notesSlide", "../notesSlides/notesSlide1.xml"),
            "rM": ("comments", "../comments/comment1.xml"),
            "rM2": ("comments", "../comments/modern1.xml"),
            "rL": ("slideLayout", "../slideLayouts/slideLayout1.xml"),
            "rT": ("tags", "../tags/tag1.xml"),
        },
    )
    return bed
