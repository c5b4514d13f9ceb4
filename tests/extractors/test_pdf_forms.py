"""Form values, typewriter text and notes of a PDF page: each once, and in its place."""

from __future__ import annotations

from pikepdf import Dictionary, Name, String

from tests.extractors.pdfs import Pdf, line
from tests.extractors.test_pdf import read


def test_a_value_stands_beside_its_label_whether_drawn_or_not() -> None:
    pdf = Pdf()
    page = pdf.page(line("First name:", y=700) + line("Last name:", x=300, y=700) + line("End of the form.", y=600))
    pdf.field(page, "Tx", "first", (130, 696, 280, 714), V="Alice")
    drawn = pdf.field(page, "Tx", "last", (370, 696, 500, 714), V="Bobson")
    drawn.AP = Dictionary(N=pdf.appearance(b"BT /F1 10 Tf 2 4 Td (Bobson) Tj ET", 130, 18))
    assert read(pdf.bytes()).content == "First name: Alice Last name: Bobson\nEnd of the form."


def test_a_value_is_read_as_it_is_shown() -> None:
    pdf = Pdf()
    page = pdf.page(line("Amount:", y=700))
    field = pdf.field(page, "Tx", "amount", (130, 696, 280, 714), V="1234.5")
    field.AP = Dictionary(N=pdf.appearance(b"BT /F1 10 Tf 2 4 Td ($1,234.50) Tj ET", 150, 18))
    assert read(pdf.bytes()).content == "Amount: $1,234.50"


def test_a_value_that_does_not_fit_its_field_is_whole() -> None:
    pdf = Pdf()
    page = pdf.page(line("Remarks:", y=700))
    field = pdf.field(page, "Tx", "remarks", (130, 696, 280, 714), V="The crane has to be repaired before spring.")
    field.AP = Dictionary(N=pdf.appearance(b"BT /F1 10 Tf 2 4 Td (The crane has) Tj ET", 150, 18))
    assert read(pdf.bytes()).content == "Remarks: The crane has to be repaired before spring."


def test_boxes_show_whether_they_are_checked() -> None:
    pdf = Pdf()
    page = pdf.page(line("I agree", x=80, y=700) + line("I object", x=80, y=670))
    for name, y, state in (("agree", 698, "Yes"), ("object", 668, "Off"), ("alone", 300, "Yes")):
        box = pdf.field(page, "Btn", name, (60, y, 72, y + 12), V=Name(f"/{state}"), AS=Name(f"/{state}"))
        box.AP = Dictionary(N=Dictionary(Yes=pdf.appearance(b"BT /F1 9 Tf (4) Tj ET", 12, 12), Off=pdf.appearance(b"", 12, 12)))
    assert read(pdf.bytes()).content == "[x] I agree\n[ ] I object\n[x] alone"


def test_a_choice_shows_its_label_and_not_its_code() -> None:
    pdf = Pdf()
    page = pdf.page(line("Country:", y=700))
    options = [[String("DE"), String("Germany")], [String("FR"), String("France")]]
    pdf.field(page, "Ch", "country", (130, 696, 280, 714), V="FR", Ff=1 << 17, Opt=options)
    assert read(pdf.bytes()).content == "Country: France"


def test_notes_are_read_once_and_typewriter_text_in_its_place() -> None:
    pdf = Pdf()
    page = pdf.page(line("Article one.", y=700) + line("Article two.", y=600))
    typed = pdf.annotate(page, "FreeText", (60, 640, 300, 660), Contents="Strike this article")
    typed.AP = Dictionary(N=pdf.appearance(b"BT /F1 10 Tf 2 4 Td (Strike this article) Tj ET", 240, 20))
    note = pdf.annotate(page, "Text", (400, 700, 420, 720), Contents="Ask the ferryman", T="Ada")
    pdf.annotate(page, "Popup", (420, 700, 500, 760), Parent=note, Contents="Ask the ferryman")
    pdf.annotate(page, "Highlight", (60, 596, 140, 614), Contents="Article two.")
    pdf.annotate(page, "Highlight", (60, 696, 140, 714), Contents="Agreed in June")
    pdf.annotate(page, "Link", (60, 696, 140, 714), Contents="a link's own description")
    assert read(pdf.bytes()).content == (
        "Article one.\nStrike this article\nArticle two.\n[Comment by Ada: Ask the ferryman]\n[Comment: Agreed in June]"
    )


def test_hidden_annotations_say_nothing() -> None:
    pdf = Pdf()
    page = pdf.page(line("Article one.", y=700))
    pdf.annotate(page, "Text", (400, 700, 420, 720), Contents="hidden", F=2)
    assert read(pdf.bytes()).content == "Article one."


def test_a_signature_is_read_from_its_appearance() -> None:
    pdf = Pdf()
    page = pdf.page(line("Signed:", y=700))
    field = pdf.field(page, "Sig", "signature", (130, 690, 380, 714))
    field.AP = Dictionary(N=pdf.appearance(b"BT /F1 10 Tf 2 6 Td (Digitally signed by Ada) Tj ET", 250, 24))
    assert read(pdf.bytes()).content == "Signed: Digitally signed by Ada"


def test_a_dynamic_form_gives_its_texts_and_values() -> None:
    pdf = Pdf()
    pdf.page(line("Please wait..."))
    template = b'<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><draw><text>Berth</text></draw></template>'
    data = b'<d:datasets xmlns:d="http://www.xfa.org/schema/xfa-data/1.0/"><d:data><berth>North 7</berth></d:data></d:datasets>'
    packets = [String("template"), pdf.pdf.make_stream(template), String("datasets"), pdf.pdf.make_stream(data)]
    pdf.pdf.Root.AcroForm = Dictionary(Fields=[], XFA=packets)
    pdf.pdf.Root.NeedsRendering = True
    assert read(pdf.bytes()).content == "Please wait...\n\nBerth\nberth: North 7"
