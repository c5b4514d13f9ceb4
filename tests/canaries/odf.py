"""OpenDocument texts, spreadsheets and presentations with a canary in each part."""

from __future__ import annotations

from tests.canaries.planting import Bed
from tests.extractors.odf.packages import NAMES, content, package, styles

META = (
    "<office:document-meta {}><office:meta><dc:title>{}</dc:title><meta:initial-creator>{}</meta:initial-creator>"
    "<dc:subject>{}</dc:subject><dc:description>{}</dc:description><meta:keyword>{}</meta:keyword>"
    '<meta:user-defined meta:name="Client">{}</meta:user-defined></office:meta></office:document-meta>'
)
PLACES = ("title", "author", "subject", "description", "keyword", "custom property")
HIDDEN = '<style:style style:name="H" style:family="{}"><style:{}-properties {}/></style:style>'


def _parts(bed: Bed, master: str = "") -> dict[str, str | bytes]:
    return {
        "meta.xml": META.format(NAMES, *(bed.plant(f"property {place}") for place in PLACES)),
        "styles.xml": styles(master),
        "Basic/Standard/Module1.xml": f"<m>{bed.plant('macro', 'Basic')}</m>",
        "files/note.txt": bed.plant("embedded file"),
        "Object 1/content.xml": content(
            f"<chart:chart><chart:title><text:p>{bed.plant('chart title')}</text:p></chart:title><table:table><table:table-row>"
            f'<table:table-cell office:value-type="string"><text:p>{bed.plant("chart data")}</text:p></table:table-cell>'
            "</table:table-row></table:table></chart:chart>",
            "chart",
        ),
    }


def _annotation(bed: Bed) -> str:
    return f"<office:annotation><dc:creator>{bed.plant('comment author')}</dc:creator><text:p>{bed.plant('comment')}</text:p></office:annotation>"


def _frames(bed: Bed) -> str:
    t = bed.plant
    return (
        f"<draw:frame><draw:text-box><text:p>{t('text box')}</text:p></draw:text-box></draw:frame>"
        f'<draw:frame><draw:object xlink:href="./Object 1"/><svg:title>{t("title of a drawing")}</svg:title>'
        f"<svg:desc>{t('alternative text')}</svg:desc></draw:frame>"
        f"<draw:custom-shape><svg:desc>{t('alternative text of a shape')}</svg:desc><text:p>{t('shape')}</text:p></draw:custom-shape>"
    )


def odf_text() -> Bed:
    """Return a text."""
    bed = Bed("document.odt")
    t = bed.plant
    cell = "<table:table-cell><text:p>{}</text:p>{}</table:table-cell>"
    nested = f"<table:table><table:table-row>{cell.format(t('nested table'), '')}</table:table-row></table:table>"
    form = (
        f'<office:forms><form:form><form:text form:id="c1" form:current-value="{t("form value")}"/></form:form></office:forms>'
    )
    change = (
        '<text:tracked-changes><text:changed-region text:id="ct1"><text:deletion><office:change-info/>'
        f"<text:p>{t('deletion', 'tracked changes')}</text:p></text:deletion></text:changed-region></text:tracked-changes>"
    )
    body = (
        form + change + f"<text:h>{t('heading')}</text:h><text:p>{t('body')}<text:change text:change-id='ct1'/>"
        f'<text:span text:style-name="H">{t("hidden span")}</text:span>'
        f"<text:note text:note-class='footnote'><text:note-citation>1</text:note-citation><text:note-body><text:p>{t('footnote')}</text:p>"
        f"</text:note-body></text:note><text:note text:note-class='endnote'><text:note-citation>i</text:note-citation><text:note-body>"
        f"<text:p>{t('endnote')}</text:p></text:note-body></text:note>{_annotation(bed)}<text:a xlink:href='x'>{t('hyperlink text')}</text:a>"
        f"<text:author-name>{t('field result')}</text:author-name><text:hidden-text text:string-value='{t('hidden text field')}' "
        f"text:is-hidden='true'>{t('hidden text field value')}</text:hidden-text>"
        f"<text:ruby><text:ruby-base>{t('ruby base')}</text:ruby-base><text:ruby-text>{t('ruby')}</text:ruby-text></text:ruby></text:p>"
        f"<table:table><table:table-row>{cell.format(t('table'), nested)}</table:table-row></table:table>"
        f"<text:list><text:list-item><text:p>{t('list')}</text:p></text:list-item></text:list>"
        f'<text:section text:name="S" text:display="none"><text:section-source xlink:href="{t("linked section")}.odt"/><text:p>{t("hidden section")}</text:p></text:section>'
        f'<text:p><draw:frame><draw:image xlink:href="https://example.org/{t("linked picture")}.png"/></draw:frame></text:p>'
        f"<text:p>{_frames(bed)}<draw:control draw:control='c1'/></text:p>"
        f"<text:p><text:sequence>1</text:sequence> {t('caption')}</text:p>"
    )
    margins = "".join(
        f"<style:{kind}><text:p>{t(kind)}</text:p></style:{kind}>"
        for kind in ("header", "header-left", "header-first", "footer", "footer-left", "footer-first")
    )
    master = f'<style:master-page style:name="Standard">{margins}</style:master-page>'
    automatic = HIDDEN.format("text", "text", 'text:display="none"')
    bed.data = package(content(body, automatic=automatic), parts=_parts(bed, master))
    return bed


def odf_sheet() -> Bed:
    """Return a spreadsheet."""
    bed = Bed("book.ods")
    t = bed.plant
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p>{}</table:table-cell>'
    validation = (
        '<table:content-validations><table:content-validation table:name="v">'
        f'<table:help-message table:title="{t("validation prompt title")}"><text:p>{t("validation prompt")}</text:p></table:help-message>'
        f"<table:error-message><text:p>{t('validation error')}</text:p></table:error-message></table:content-validation></table:content-validations>"
    )
    hidden = (
        f"<table:table-row table:visibility='collapse'>{cell.format(t('hidden row'), '')}</table:table-row>"
        f"<table:table-row>{cell.format('x', '')}{cell.format(t('hidden column'), '')}</table:table-row>"
    )
    body = (
        f'{validation}<table:table table:name="{t("sheet name")}"><table:shapes>{_frames(bed)}</table:shapes><table:table-column/>'
        f'<table:table-column table:visibility="collapse"/><table:table-row>{cell.format(t("cell"), _annotation(bed))}</table:table-row>'
        f'{hidden}</table:table><table:table table:name="{t("hidden sheet name")}" table:style-name="H"><table:table-row>'
        f"{cell.format(t('hidden sheet'), '')}</table:table-row></table:table>"
        f'<table:named-expressions><table:named-range table:name="{t("defined name")}" table:cell-range-address="$A$1"/>'
        f'<table:named-expression table:name="n" table:expression="of:=&quot;{t("defined name value")}&quot;"/></table:named-expressions>'
        f'<table:database-ranges><table:database-range table:name="{t("database range")}"/></table:database-ranges>'
    )
    margins = f"<style:header><text:p>{t('header')}</text:p></style:header><style:footer><text:p>{t('footer')}</text:p></style:footer>"
    master = f'<style:master-page style:name="Default">{margins}</style:master-page>'
    automatic = HIDDEN.format("table", "table", 'table:display="false"')
    bed.data = package(content(body, "spreadsheet", automatic), "spreadsheet", _parts(bed, master))
    return bed


def odf_slides() -> Bed:
    """Return a presentation."""
    bed = Bed("show.odp")
    t = bed.plant
    table = f"<draw:frame><table:table><table:table-row><table:table-cell><text:p>{t('table')}</text:p></table:table-cell></table:table-row></table:table></draw:frame>"
    body = (
        f"<presentation:footer-decl presentation:name='f'>{t('footer field')}</presentation:footer-decl>"
        f'<draw:page draw:name="{t("slide name")}" draw:master-page-name="M" presentation:use-footer-name="f">'
        f"<draw:frame presentation:class='title'><draw:text-box><text:p>{t('title')}</text:p></draw:text-box></draw:frame>"
        f"<draw:g>{_frames(bed)}</draw:g>{table}{_annotation(bed)}"
        f"<presentation:notes><draw:frame><draw:text-box><text:p>{t('notes')}</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>"
        f"<draw:page draw:style-name='H'><draw:frame><draw:text-box><text:p>{t('hidden slide')}</text:p></draw:text-box></draw:frame></draw:page>"
    )
    own = f"<draw:frame><draw:text-box><text:p>{t('master page text')}</text:p></draw:text-box></draw:frame>"
    master = f'<style:master-page style:name="M">{own}<draw:frame presentation:class="footer"><draw:text-box><text:p><presentation:footer/></text:p></draw:text-box></draw:frame></style:master-page>'
    automatic = HIDDEN.format("drawing-page", "drawing-page", 'presentation:visibility="hidden"')
    bed.data = package(content(body, "presentation", automatic), "presentation", _parts(bed, master))
    return bed
