"""PDF documents with a canary in each part."""

from __future__ import annotations

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from tests.canaries.planting import Bed
from tests.extractors.pdfs import Pdf, line


def pdf() -> Bed:
    """Return a document with annotations, a form, layers, bookmarks, an attachment and metadata."""
    bed = Bed("document.pdf")
    t = bed.plant
    made = Pdf()
    content = b"".join(
        (
            line(t("page text"), y=760),
            line(t("invisible text"), y=740, mode=3),
            b"/OC /MC0 BDC " + line(t("hidden layer"), y=720) + b"EMC ",
            f"/Span <</ActualText ({t('actual text')})>> BDC ".encode() + line("x", y=700) + b"EMC ",
            f"/Figure <</MCID 0 /Alt ({t('alternative text in the content')})>> BDC ".encode() + line("y", y=690) + b"EMC ",
            f"/Span <</E ({t('expansion of an abbreviation')})>> BDC ".encode() + line("abbr", y=680) + b"EMC ",
            b"q 1 0 0 1 60 640 cm /Fm0 Do Q ",
        )
    )
    page = made.page(content)
    page.Resources.XObject["/Fm0"] = made.appearance(line(t("form object"), x=0, y=5), 300, 20)
    layer = made.pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String(t("layer name"))))
    page.Resources.Properties = Dictionary(MC0=layer)
    made.pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary(OFF=Array([layer]), Order=Array([layer])))
    made.annotate(
        page, "Text", (400, 700, 420, 720), Contents=t("annotation"), T=t("annotation author"), Subj=t("annotation subject")
    )
    made.annotate(page, "FreeText", (300, 600, 500, 620), Contents=t("free text annotation"), DA="/Helv 10 Tf 0 g")
    made.annotate(
        page,
        "Highlight",
        (60, 760, 100, 780),
        Contents=t("highlight comment"),
        QuadPoints=Array([60, 780, 100, 780, 60, 760, 100, 760]),
    )
    made.annotate(
        page, "Link", (60, 760, 100, 780), A=Dictionary(S=Name.URI, URI=String(f"https://{t('link address')}.example/"))
    )
    made.annotate(page, "Text", (400, 600, 420, 620), Contents=t("hidden annotation", "hidden notes"), F=2)
    made.field(page, "Tx", "name", (60, 500, 300, 520), V=t("form value"), TU=t("form field's tooltip"))
    made.field(page, "Ch", "choice", (60, 470, 300, 490), V=t("choice value"), Opt=Array([String("a")]))
    xfa = f'<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><f><v>{t("XFA value")}</v></f></xfa:data></xfa:datasets></xdp:xdp>'
    made.pdf.Root.AcroForm.XFA = made.pdf.make_stream(xfa.encode())
    made.pdf.Root.NeedsRendering = True
    structure = Dictionary(Type=Name.StructTreeRoot)
    figure = made.pdf.make_indirect(
        Dictionary(
            Type=Name.StructElem, S=Name.Figure, Alt=String(t("alternative text of a figure")), Pg=page.obj, K=0, P=structure
        )
    )
    structure.K = Array([figure])
    page.obj.StructParents = 0
    structure.ParentTree = Dictionary(Nums=Array([0, Array([figure])]))
    made.pdf.Root.StructTreeRoot = made.pdf.make_indirect(structure)
    made.pdf.Root.MarkInfo = Dictionary(Marked=True)
    made.pdf.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(P=String(t("page label")))]))
    with made.pdf.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem(t("bookmark"), 0))
    attachment = pikepdf.AttachedFileSpec(
        made.pdf, t("attachment").encode(), filename="note.txt", description=t("attachment description")
    )
    made.pdf.attachments["note.txt"] = attachment
    made.pdf.Root.Names.JavaScript = Dictionary(
        Names=Array([String("x"), Dictionary(S=Name.JavaScript, JS=String(f"app.alert('{t('script', 'scripts')}')"))])
    )
    for key in ("Title", "Author", "Subject", "Keywords", "Creator", "Producer"):
        made.pdf.docinfo[f"/{key}"] = String(t(f"property {key.lower()}"))
    made.pdf.docinfo["/Department"] = String(t("custom property"))
    with made.pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as metadata:
        metadata["dc:rights"] = t("XMP property")
    bed.data = made.bytes()
    return bed
