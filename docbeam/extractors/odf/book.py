"""What the walks over one OpenDocument file share: the text so far, styles, numbering, form controls, endnotes."""

from __future__ import annotations

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.odf.names import FORM, TABLE, TEXT, XML, Element, local_name
from docbeam.extractors.odf.numbering import Numbering
from docbeam.extractors.odf.styles import Styles
from docbeam.extractors.ooxml.package import Package
from docbeam.extractors.story_lines import StoryLines
from docbeam.schemas.vocabulary import TruncationReason, WarningCode

MAX_ONCE = 1_000  # warnings that are told apart
CHECKED, UNCHECKED = "☒", "☐"


class Book(StoryLines):
    """The state of one document while it is read. `package` is None for a flat XML file."""

    def __init__(self, package: Package | None, out: TextBuilder) -> None:
        super().__init__(out)
        self.package = package
        self.styles = Styles()
        self.numbering = Numbering()
        self.endnotes: list[tuple[str, Element]] = []
        self.folder = ""  # of the embedded object that is being read
        self.objects_seen: set[str] = set()
        self.pictures_seen: set[str] = set()
        self.depth = 0  # of objects inside objects
        self.hidden_chars = 0
        self.links: dict[str, None] = {}  # to files outside of the document
        self.page_number = 0  # of the slide that is being read
        self._controls: dict[str, str] = {}
        self._waiting_chars = 0
        self._once: set[tuple[str, str]] = set()

    def wait(self, chars: int) -> None:
        """Count text that waits in cells or pages. Raises Full when there is far more of it than the document may have."""
        self._waiting_chars += chars
        if self._waiting_chars > 2 * self.out.options.max_extracted_chars:
            self.out.stop(TruncationReason.MAX_EXTRACTED_CHARS)

    def name_deletions(self, changes: Element) -> None:
        """Name what tracked changes took away, which is left out."""
        count = sum(1 for node in changes.iter(TEXT + "deletion", TABLE + "deletion") if "".join(node.itertext()).strip())
        if count:
            self.warn_once(WarningCode.PART_NOT_READ, "tracked changes", f"deletions that are left out: {count}")

    def warn_once(self, code: WarningCode, part: str, message: str) -> None:
        """Record a warning the first time."""
        if (part, message) not in self._once and len(self._once) < MAX_ONCE:
            self._once.add((part, message))
            self.out.warn(code, part, message)

    def add_forms(self, forms: Element) -> None:
        """Read the values of the controls of office:forms."""
        for control in forms.iter():
            if isinstance(control.tag, str) and control.tag.startswith(FORM):
                key = control.get(XML + "id") or control.get(FORM + "id")
                if key and (value := _control_value(control)):
                    self._controls.setdefault(key, value)

    def take_control(self, key: str) -> str:
        """Return the value of the form control that a shape shows, the first time that it is asked for."""
        return self._controls.pop(key, "")

    def left_controls(self) -> list[str]:
        """Return the values of the controls that no shape showed."""
        left, self._controls = list(self._controls.values()), {}
        return left


def _control_value(control: Element) -> str:
    kind = local_name(control)
    label = " ".join((control.get(FORM + "label") or "").split())
    if kind in ("checkbox", "radio"):
        name = "current-state" if kind == "checkbox" else "current-selected"
        state = control.get(FORM + name) or control.get(FORM + name.replace("current-", "")) or ""
        return f"{CHECKED if state in ('checked', 'true') else UNCHECKED} {label}".rstrip()
    if kind == "listbox":
        options = control.findall(FORM + "option")
        for name in ("current-selected", "selected"):
            chosen = [option.get(FORM + "label", "") for option in options if option.get(FORM + name) == "true"]
            if chosen:
                return ", ".join(chosen)
        return ""
    if kind in ("password", "hidden", "form", "option", "item", "column", "property", "properties", "list-property"):
        return ""
    if kind in ("button", "fixed-text", "frame"):
        return label
    paragraphs = "\n".join("".join(node.itertext()) for node in control.iter(TEXT + "p"))
    value = control.get(FORM + "current-value") or control.get(FORM + "value") or paragraphs
    return value.strip()
