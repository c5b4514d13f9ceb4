"""Calendars (iCalendar, vCalendar): each event, task and journal entry as lines that a person can read, dates as shown.

Source: RFC 5545; RFC 7986; vCalendar 1.0. Recurrence rules are shown as they are written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.charset import decode
from docbeam.extractors.mail.content_lines import ContentLine, content_lines, split_fields, unescaped
from docbeam.extractors.mail.inner import inner_text
from docbeam.extractors.mail.names import made_up_name, safe_path
from docbeam.extractors.source import Source
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import WarningCode

COMPONENTS = {
    "VEVENT": "Event", "VTODO": "Task", "VJOURNAL": "Journal", "VFREEBUSY": "Free/busy", "VALARM": "Alarm",
    "VAVAILABILITY": "Availability", "AVAILABLE": "Available",
}  # fmt: skip
LABELS = {
    "SUMMARY": "Summary", "DTSTART": "Start", "DTEND": "End", "DUE": "Due", "DURATION": "Duration", "COMPLETED": "Completed",
    "LOCATION": "Location", "ORGANIZER": "Organizer", "ATTENDEE": "Attendee", "DESCRIPTION": "Description",
    "COMMENT": "Comment", "CONTACT": "Contact", "CATEGORIES": "Categories", "RESOURCES": "Resources", "STATUS": "Status",
    "PRIORITY": "Priority", "PERCENT-COMPLETE": "Percent complete", "URL": "URL", "CONFERENCE": "Conference", "GEO": "Place",
    "RRULE": "Repeats", "RDATE": "Repeats on", "EXDATE": "Except on", "EXRULE": "Except", "RECURRENCE-ID": "Occurrence",
    "FREEBUSY": "Busy", "REQUEST-STATUS": "Request status", "CLASS": "Class", "TRIGGER": "Trigger", "ATTACH": "Attachment",
    "DALARM": "Alarm", "AALARM": "Alarm",
}  # fmt: skip
CALENDAR_LABELS = {
    "X-WR-CALNAME": "Calendar", "NAME": "Calendar", "X-WR-CALDESC": "Description", "DESCRIPTION": "Description",
    "METHOD": "Method",
}  # fmt: skip
ORDER = {name: place for place, name in enumerate(LABELS)}
DATES = frozenset(("DTSTART", "DTEND", "DUE", "COMPLETED", "RDATE", "EXDATE", "RECURRENCE-ID", "FREEBUSY", "TRIGGER"))
DATE = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z)?)?")
NOT_SHOWN = {"CLASS": "PUBLIC", "PRIORITY": "0"}  # values that say nothing


class CalendarExtractor:
    """Reads text/calendar."""

    name = "calendar"

    def can_handle(self, media_type: str) -> bool:
        """Say whether the type is a calendar."""
        return media_type == MediaType.CALENDAR

    def extract(self, source: Source, media_type: str, options: ExtractOptions) -> Extracted:
        """Return the calendar's entries, one below the other, with a blank line between them."""
        out = TextBuilder(options)
        found = decode(source.read())
        found.report(out)
        reader = _Reader(out, "document")
        with out.until_full():
            reader.read(found.text, lambda line: out.line(line))
        if reader.is_empty:
            out.warn(WarningCode.NO_TEXT, "document", "no event, task or journal entry")
        for name, count in sorted(reader.counts.items()):
            out.meta(f"ics.{name.lower().removeprefix('v')}Count", count)
        out.meta("ics.method", reader.values.get("METHOD"))
        out.meta("ics.calendarName", reader.values.get("X-WR-CALNAME") or reader.values.get("NAME"))
        out.meta("ics.productId", reader.values.get("PRODID"))
        title = reader.values.get("X-WR-CALNAME") or reader.values.get("NAME") or reader.first_summary
        return out.extracted(confidence=found.confidence, title=title or None)


def calendar_text(text: str, out: TextBuilder, where: str) -> str:
    """Return a calendar that is part of another document as text; files in it become members of that document."""
    lines: list[str] = []
    reader = _Reader(out, where)
    reader.read(text, lines.append)
    return "\n".join(lines) if not reader.is_empty else text


class _Reader:
    """Reads components as they come; a component's lines are put in order at its end."""

    def __init__(self, out: TextBuilder, where: str) -> None:
        self.out = out
        self.where = where
        self.counts: Counter[str] = Counter()
        self.values: dict[str, str] = {}
        self.first_summary = ""
        self.is_empty = True

    def read(self, text: str, write: Callable[[str], None]) -> None:
        """Give each line to `write`."""
        stack: list[tuple[str, list[ContentLine]]] = []
        for line in content_lines(text):
            self.out.check_deadline()
            if line.name == "BEGIN":
                if stack and stack[-1][1] and stack[-1][0] in COMPONENTS:  # an alarm in an event: the event's lines first
                    self._flush(stack[-1], write)
                stack.append((line.value.strip().upper(), []))
            elif line.name == "END":
                if stack:
                    self._flush(stack.pop(), write)
            elif stack and len(stack[-1][1]) < self.out.options.max_zip_entries:
                if stack[-1][0] == "VCALENDAR":
                    self._of_calendar(line, write)
                else:
                    stack[-1][1].append(line)
        while stack:
            self._flush(stack.pop(), write)

    def _of_calendar(self, line: ContentLine, write: Callable[[str], None]) -> None:
        self.values.setdefault(line.name, line.text.strip())
        if (label := CALENDAR_LABELS.get(line.name)) and line.text.strip() and line.name != "METHOD":
            write(f"{label}: {line.text.strip()}")

    def _flush(self, component: tuple[str, list[ContentLine]], write: Callable[[str], None]) -> None:
        name, lines = component
        if name not in COMPONENTS or not lines:
            return
        shown = sorted((line for line in lines if line.name in LABELS), key=lambda line: ORDER[line.name])
        if not any(line.name == "DESCRIPTION" and line.value.strip() for line in lines):
            shown += [line for line in lines if line.name == "X-ALT-DESC"]
        texts = [text for line in shown if (text := self._line(line))]
        if texts:
            if name != "VALARM":
                self.counts[name] += 1
                if not self.is_empty:
                    write("")
            self.is_empty = False
            write(COMPONENTS[name])
            for text in texts:
                write(text)
        lines.clear()

    def _line(self, line: ContentLine) -> str:
        name, value = line.name, line.text.strip()
        if not value or NOT_SHOWN.get(name) == value.upper():
            return ""
        if name == "X-ALT-DESC":
            kind = line.parameters.get("FMTTYPE", "").lower()
            return (
                "Description: " + (inner_text(self.out, MediaType.HTML, value, self.where) if "html" in kind else value).strip()
            )
        if name == "ATTACH" and (data := line.data()) is not None:
            kind = line.parameters.get("FMTTYPE", "").lower()
            path = safe_path(line.parameters.get("FILENAME") or line.parameters.get("X-FILENAME") or "")
            self.out.member(path or made_up_name(kind, ""), data, kind or None)
            return ""
        if name in DATES:
            value = ", ".join(date_text(part, line.parameters.get("TZID")) for part in value.split(","))
        elif name in ("ORGANIZER", "ATTENDEE"):
            value = _person(line, value)
        elif name in ("CATEGORIES", "RESOURCES"):
            value = ", ".join(unescaped(part).strip() for part in split_fields(line.value, ","))
        if name == "SUMMARY":
            self.first_summary = self.first_summary or value
        return f"{LABELS[name]}: {value}"


def date_text(value: str, zone: str | None) -> str:
    """Return a date or time as a person reads it, with its zone; a period keeps its slash."""
    text = DATE.sub(_one_date, value.strip())
    return f"{text} ({zone})" if zone and "UTC" not in text and DATE.search(value) and "T" in value else text


def _one_date(found: re.Match[str]) -> str:
    day = f"{found[1]}-{found[2]}-{found[3]}"
    if found[4] is None:
        return day
    seconds = f":{found[6]}" if found[6] not in (None, "00") else ""
    return f"{day} {found[4]}:{found[5]}{seconds}{' UTC' if found[7] else ''}"


def _person(line: ContentLine, value: str) -> str:
    address = value[7:] if value.lower().startswith("mailto:") else value
    name = unescaped(line.parameters.get("CN", "")).strip()
    who = f"{name} <{address}>" if name and name.lower() != address.lower() else address
    notes = [line.parameters.get(key, "").lower() for key in ("ROLE", "PARTSTAT")]
    shown = [note for note in notes if note not in ("", "req-participant", "needs-action", "chair")]
    return f"{who} ({', '.join(shown)})" if shown else who
