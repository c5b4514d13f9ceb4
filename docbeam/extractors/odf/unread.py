"""What a package holds beside its content: embedded files become members, macros, sounds and old versions are named."""

from __future__ import annotations

from docbeam.extractors.odf.book import Book
from docbeam.schemas.vocabulary import WarningCode

MAX_LINKS = 10  # that one warning names
_OWN = ("content.xml", "styles.xml", "meta.xml", "settings.xml", "mimetype", "manifest.rdf", "layout-cache", "versionlist.xml")
_OWN_FOLDERS = ("meta-inf", "thumbnails", "configurations2", "objectreplacements", "pictures", "fonts", "dialogs", "forms")
_NAMED = {
    "basic": "macros are not read",
    "scripts": "macros are not read",
    "media": "a sound or video is not transcribed",
    "versions": "an earlier version of the document is not read",
}
_NO_DOCUMENTS = (".xml", ".rdf", ".dtd", ".ttf", ".otf", ".xlb", ".xlc", ".png", ".svm", ".xba")


def unpack_and_warn(book: Book) -> None:
    """Unpack the embedded files that nothing in the content has shown, and name what is not read. Raises Full."""
    if book.links:
        more = f" and {len(book.links) - MAX_LINKS} more" if len(book.links) > MAX_LINKS else ""
        shown = "; ".join(list(book.links)[:MAX_LINKS])
        book.out.warn(WarningCode.EXTERNAL_LINK, "content.xml", f"not fetched: {shown}{more}")
    package = book.package
    for name in package.names() if package is not None else ():
        folder, has_folder, _ = name.partition("/")
        if name.lower() in _OWN or (has_folder and folder.lower() in _OWN_FOLDERS) or name in book.objects_seen:
            continue
        if has_folder and (message := _NAMED.get(folder.lower())):
            is_code = folder.lower() in ("basic", "scripts")
            code = WarningCode.MACROS if is_code else WarningCode.PART_NOT_READ
            book.warn_once(code, folder if is_code else name, message)
        elif name.endswith("/content.xml"):
            if name.removesuffix("/content.xml") not in book.objects_seen and f"formula {name[:-12]}" not in book.objects_seen:
                book.warn_once(WarningCode.EMBEDDED_NOT_READ, name, "an embedded object that the document does not show")
        elif package is not None and not name.lower().endswith(_NO_DOCUMENTS) and not _is_part_of_object(book, name):
            book.out.member(name, package.chunks(name))


def _is_part_of_object(book: Book, name: str) -> bool:
    folder = name.rpartition("/")[0]
    return bool(folder) and book.package is not None and book.package.has(f"{folder}/content.xml")
