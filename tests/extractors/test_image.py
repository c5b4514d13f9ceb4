"""The picture extractor: header gate, frames, kinds of pixels, broken files and properties."""

from __future__ import annotations

import io
import struct
import zlib
from datetime import datetime, timedelta, timezone

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFile, PngImagePlugin

from docbeam.extractors.image import ImageExtractor
from docbeam.extractors.ocr.blank import is_blank
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.media_types import MediaType
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.records import Extracted
from docbeam.schemas.vocabulary import ErrorCategory, Origin, TruncationReason, WarningCode

OPTIONS = ExtractOptions()
DARK_BAR = (20, 20, 80, 40)  # where a test's picture is dark


def page(size: tuple[int, int] = (600, 400)) -> Image.Image:
    image = Image.new("L", size, 255)
    ImageDraw.Draw(image).rectangle(DARK_BAR, fill=0)
    return image


def saved(image: Image.Image, form: str, **arguments: object) -> bytes:
    file = io.BytesIO()
    image.save(file, form, **arguments)
    return file.getvalue()


def extract(data: bytes, media_type: str, options: ExtractOptions = OPTIONS) -> Extracted:
    return ImageExtractor().extract(Source(data=data), media_type, options)


def render(data: bytes, media_type: str, number: int = 1, options: ExtractOptions = OPTIONS) -> Image.Image:
    return ImageExtractor().render(Source(data=data), media_type, number, options)


def tones(image: Image.Image) -> tuple[int, int]:
    """Return the grey levels of the bar and of the ground."""
    grey, scale = image.convert("L"), image.width / 600
    return grey.getpixel((int(50 * scale), int(30 * scale))), grey.getpixel((int(300 * scale), int(200 * scale)))


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def directories(count: int, last_link: int | None = None, kinds: tuple[int, ...] = ()) -> bytes:
    """Return a TIFF of `count` frames that share one strip; the last one links to frame `last_link`."""
    width, height, first = 60, 40, 8 + 60 * 40
    size = 2 + 12 * 10 + 4
    parts = [struct.pack("<2sHL", b"II", 42, first) + b"\xc8" * (width * height)]
    for index in range(count):
        link = first + size * (index + 1) if index < count - 1 else 0 if last_link is None else first + size * last_link
        tags = [(254, 4, kinds[index] if kinds else 0), (256, 3, width), (257, 3, height), (258, 3, 8), (259, 3, 1)]
        tags += [(262, 3, 1), (273, 4, 8), (277, 3, 1), (278, 3, height), (279, 4, width * height)]
        entries = b"".join(struct.pack("<HHLL", tag, kind, 1, value) for tag, kind, value in tags)
        parts.append(struct.pack("<H", len(tags)) + entries + struct.pack("<L", link))
    return b"".join(parts)


def test_a_picture_is_one_pending_page_with_its_properties() -> None:
    extracted = extract(saved(page(), "PNG", dpi=(300, 300)), MediaType.PNG)
    assert [(page.number, page.origin) for page in extracted.pages] == [(1, Origin.PENDING)]
    assert extracted.content == ""
    assert extracted.metadata["image.width"] == "600"
    assert extracted.metadata["image.height"] == "400"
    assert extracted.metadata["image.format"] == "PNG"
    assert extracted.metadata["image.dpi"] == "300"


@pytest.mark.parametrize("form", ["PNG", "BMP", "GIF", "TIFF", "WEBP"])
def test_a_picture_over_the_pixel_cap_fails_by_its_header(form: str) -> None:
    data = saved(page((500, 300)), form)
    with pytest.raises(ExtractionError) as caught:
        extract(data, f"image/{form.lower()}", ExtractOptions(max_image_pixels=100_000))
    assert caught.value.category is ErrorCategory.IMAGE_TOO_LARGE
    assert "500 x 300" in caught.value.message
    assert "100000" in caught.value.message


def test_a_webp_canvas_is_checked_before_its_decoder_takes_the_memory() -> None:
    body = saved(page(), "WEBP")[12:]
    side = (16_000 - 1).to_bytes(3, "little")
    canvas = b"WEBPVP8X" + struct.pack("<L", 10) + bytes(4) + side + side + body
    with pytest.raises(ExtractionError, match="16000 x 16000"):
        extract(b"RIFF" + struct.pack("<L", len(canvas)) + canvas, MediaType.WEBP)


def test_a_large_sane_scan_raises_no_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1_000)
    data = saved(page((2_000, 1_000)).convert("1"), "TIFF", compression="group4", dpi=(300, 300))
    assert extract(data, MediaType.TIFF).pages
    assert render(data, MediaType.TIFF).size == (2_000, 1_000)
    assert Image.MAX_IMAGE_PIXELS == 1_000
    assert ImageFile.LOAD_TRUNCATED_IMAGES is False


def test_all_frames_of_a_tiff_are_pages() -> None:
    frames = [page((600, 400 + 10 * number)) for number in range(3)]
    data = saved(frames[0], "TIFF", save_all=True, append_images=frames[1:], compression="tiff_lzw")
    assert extract(data, MediaType.TIFF).page_count == 3
    heights = [render(data, MediaType.TIFF, number).height for number in (1, 2, 3)]
    assert heights == sorted(set(heights))


def test_frames_past_the_cap_are_named() -> None:
    extracted = extract(directories(5), MediaType.TIFF, ExtractOptions(max_pages_to_rasterise=2))
    assert len(extracted.pages) == 2
    assert extracted.page_count == 5
    assert extracted.truncation is TruncationReason.MAX_PAGES_TO_RASTERISE
    assert [(notice.code, notice.part) for notice in extracted.warnings] == [(WarningCode.NEEDS_OCR, "pages 3-5")]


@pytest.mark.parametrize("link", [0, 1, 2])
def test_a_chain_of_frames_that_bites_its_tail_ends(link: int) -> None:
    extracted = extract(directories(3, last_link=link), MediaType.TIFF)
    assert extracted.page_count == 3
    assert extracted.truncation is None


def test_a_chain_of_frames_that_breaks_off_is_said() -> None:
    extracted = extract(directories(3)[:-80], MediaType.TIFF)
    assert extracted.truncation is TruncationReason.DAMAGED
    assert extracted.warnings[-1].code is WarningCode.PART_DAMAGED


def test_thumbnails_in_a_tiff_are_not_pages() -> None:
    assert extract(directories(4, kinds=(0, 1, 0, 1)), MediaType.TIFF).page_count == 2


@pytest.mark.parametrize(("form", "media_type"), [("GIF", MediaType.GIF), ("WEBP", MediaType.WEBP), ("PNG", MediaType.PNG)])
def test_of_an_animation_the_first_frame_is_read_and_the_rest_named(form: str, media_type: str) -> None:
    data = saved(page(), form, save_all=True, append_images=[Image.new("L", (600, 400), 100)])
    extracted = extract(data, media_type)
    assert extracted.page_count == 1
    assert [notice.code for notice in extracted.warnings] == [WarningCode.PART_NOT_READ]


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "LA", "CMYK", "I;16", "I", "F"])
def test_dark_stays_dark_and_light_light_in_every_mode(mode: str) -> None:
    image = page()
    if mode in ("I;16", "I"):
        image = image.convert("I").point(lambda value: value * 257 + 0).convert(mode)
    elif mode == "CMYK":
        image = image.convert("RGB").convert(mode)
    else:
        image = image.convert(mode)
    bar, ground = tones(
        render(saved(image, "TIFF" if mode != "P" else "PNG"), MediaType.TIFF if mode != "P" else MediaType.PNG)
    )
    assert bar < 20
    assert ground > 235


def test_twelve_bits_in_sixteen_are_not_night() -> None:
    image = page().convert("I").point(lambda value: value * 16 + 0).convert("I;16")
    assert tones(render(saved(image, "PNG"), MediaType.PNG)) == (0, 255)


def test_floats_from_0_to_1_are_not_night() -> None:
    image = page().convert("F").point(lambda value: value * (1 / 255) + 0)
    assert tones(render(saved(image, "TIFF"), MediaType.TIFF)) == (0, 255)


def test_transparency_is_paper_under_dark_text() -> None:
    image = Image.new("RGBA", (600, 400), (0, 0, 0, 0))
    ImageDraw.Draw(image).rectangle(DARK_BAR, fill=(0, 0, 0, 255))
    assert tones(render(saved(image, "PNG"), MediaType.PNG)) == (0, 255)


def test_transparency_is_night_under_white_text() -> None:
    image = Image.new("RGBA", (600, 400), (255, 255, 255, 0))
    ImageDraw.Draw(image).rectangle(DARK_BAR, fill=(255, 255, 255, 255))
    assert tones(render(saved(image, "PNG"), MediaType.PNG)) == (255, 0)


@pytest.mark.parametrize(("form", "media_type"), [("JPEG", MediaType.JPEG), ("PNG", MediaType.PNG), ("WEBP", MediaType.WEBP)])
def test_a_picture_lies_as_its_exif_orientation_says(form: str, media_type: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    upright = render(saved(page((600, 200)), form, exif=exif), media_type)
    assert upright.height > upright.width


def test_tiny_pictures_grow_and_fine_scans_shrink() -> None:
    assert render(saved(page((200, 100)), "PNG"), MediaType.PNG).size == (600, 300)
    fine = render(saved(page((3_000, 3_000)).convert("1"), "TIFF", compression="group4", dpi=(600, 600)), MediaType.TIFF)
    assert max(fine.size) == 2_000
    assert fine.info["dpi"][0] == pytest.approx(400)


def test_the_resolution_that_cameras_write_is_not_believed() -> None:
    assert "image.dpi" not in extract(saved(page((3_000, 2_000)), "JPEG", dpi=(72, 72)), MediaType.JPEG).metadata


@pytest.mark.parametrize(("form", "media_type"), [("PNG", MediaType.PNG), ("JPEG", MediaType.JPEG), ("GIF", MediaType.GIF)])
def test_of_a_cut_picture_what_is_there_is_drawn_and_the_damage_said(form: str, media_type: str) -> None:
    noise = Image.effect_noise((300, 200), 90)
    noise.paste(page((300, 60)), (0, 0))
    data = saved(noise, form)
    image = render(data[: len(data) // 2], media_type)
    assert "truncated" in image.info["damaged"]


@pytest.mark.parametrize("media_type", [one for one in MediaType.PICTURES if one != MediaType.HEIC])
def test_junk_is_corrupt_and_the_message_is_stable(media_type: str) -> None:
    messages = set()
    for _ in range(2):
        with pytest.raises(ExtractionError) as caught:
            extract(b"\x00junk" * 40, media_type)
        assert caught.value.category is ErrorCategory.CORRUPT
        messages.add(caught.value.message)
    assert len(messages) == 1


def test_a_compressed_text_bomb_costs_its_text_and_not_the_picture() -> None:
    data = saved(page(), "PNG")
    bomb = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(30_000_000), 9))
    extracted = extract(data[:33] + bomb + data[33:], MediaType.PNG)
    assert extracted.pages
    assert "image.comment" not in extracted.metadata


def test_many_text_chunks_that_unpack_past_the_cap_are_refused() -> None:
    data = saved(page(), "PNG")
    text = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"a" * 1_000_000, 9))
    with pytest.raises(ExtractionError) as caught:
        extract(data[:33] + text * 80 + data[33:], MediaType.PNG)
    assert caught.value.category is ErrorCategory.TOO_LARGE_DECOMPRESSED


def test_camera_author_title_and_time_come_from_exif() -> None:
    exif = Image.Exif()
    exif[0x010F], exif[0x0110], exif[0x013B], exif[0x010E] = "Canon", "EOS", "A. Keeper", "OLYMPUS DIGITAL CAMERA"
    exif[0x9C9B] = "Der Kai".encode("utf-16-le")
    inner = exif.get_ifd(0x8769)
    inner[0x9003], inner[0x9011] = "2021:05:04 10:11:12", "+02:00"
    extracted = extract(saved(page(), "JPEG", exif=exif), MediaType.JPEG)
    assert extracted.metadata["image.make"] == "Canon"
    assert extracted.metadata["image.model"] == "EOS"
    assert "image.description" not in extracted.metadata
    assert (extracted.title, extracted.author) == ("Der Kai", "A. Keeper")
    assert extracted.created_at == datetime(2021, 5, 4, 10, 11, 12, tzinfo=timezone(timedelta(hours=2)))


def test_captions_come_from_png_text_and_xmp() -> None:
    packet = (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description><r:Alt><r:li>A quay at dusk</r:li></r:Alt>'
        "</dc:description></r:Description></r:RDF></x:xmpmeta>"
    )
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Title", "Plan")
    texts.add_itxt("Author", "Zoë")
    texts.add_itxt("XML:com.adobe.xmp", packet)
    extracted = extract(saved(page(), "PNG", pnginfo=texts), MediaType.PNG)
    assert (extracted.title, extracted.author) == ("Plan", "Zoë")
    assert extracted.metadata["image.description"] == "A quay at dusk"


def ink_bytes(*, is_adobe: bool) -> bytes:
    """Return a CMYK JPEG as Photoshop writes it, or as printers' programs do: inks not inverted, and no Adobe marker."""
    inks = page().convert("RGB").convert("CMYK")
    data = saved(inks if is_adobe else ImageChops.invert(inks), "JPEG", quality=95)
    if is_adobe:
        return data
    at = data.index(b"\xff\xee")
    return data[:at] + data[at + 2 + int.from_bytes(data[at + 2 : at + 4], "big") :]


@pytest.mark.parametrize("is_adobe", [True, False])
def test_inks_are_dark_in_both_kinds_of_cmyk_jpeg(is_adobe: bool) -> None:
    bar, ground = tones(render(ink_bytes(is_adobe=is_adobe), MediaType.JPEG))
    assert bar < 20
    assert ground > 235


def strip_tiff(bits: int, photometric: int, dark: int, light: int) -> bytes:
    """Return an uncompressed TIFF of page(), with these sample values for dark and light."""
    image, rows = page(), []
    for row in range(400):
        samples = [light if image.getpixel((column, row)) else dark for column in range(600)]
        if bits == 1:
            rows.append(bytes(sum(bit << 7 - n for n, bit in enumerate(samples[at : at + 8])) for at in range(0, 600, 8)))
        else:
            rows.append(struct.pack(f"<600{'B' if bits == 8 else 'H'}", *samples))
    data = b"".join(rows)
    tags = [(256, 3, 600), (257, 3, 400), (258, 3, bits), (259, 3, 1), (262, 3, photometric)]
    tags += [(273, 4, 8), (277, 3, 1), (278, 3, 400), (279, 4, len(data))]
    entries = b"".join(struct.pack("<HHLL", tag, kind, 1, value) for tag, kind, value in tags)
    return struct.pack("<2sHL", b"II", 42, 8 + len(data)) + data + struct.pack("<H", len(tags)) + entries + bytes(4)


@pytest.mark.parametrize(
    ("bits", "photometric", "dark", "light"),
    [(1, 1, 0, 1), (1, 0, 1, 0), (8, 1, 0, 255), (8, 0, 255, 0), (16, 1, 0, 65_535), (16, 0, 65_535, 0)],
)
def test_dark_stays_dark_whether_0_is_black_or_white(bits: int, photometric: int, dark: int, light: int) -> None:
    bar, ground = tones(render(strip_tiff(bits, photometric, dark, light), MediaType.TIFF))
    assert bar < 20
    assert ground > 235


STORED = {  # how a camera with this orientation stores an upright picture
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


@pytest.mark.parametrize("orientation", STORED)
@pytest.mark.parametrize(("form", "media_type"), [("JPEG", MediaType.JPEG), ("TIFF", MediaType.TIFF)])
def test_all_eight_orientations_come_out_upright(orientation: int, form: str, media_type: str) -> None:
    stored, exif = page(), Image.Exif()
    if (transpose := STORED[orientation]) is not None:
        stored = stored.transpose(transpose)
    exif[0x0112] = orientation
    upright = render(saved(stored, form, exif=exif), media_type)
    assert upright.width > upright.height
    bar, ground = tones(upright)
    assert bar < 20
    assert ground > 235


def test_a_palette_with_a_transparent_colour_is_paper_under_dark_text() -> None:
    image = Image.new("P", (600, 400), 0)
    image.putpalette([0, 0, 0, 10, 10, 10])
    ImageDraw.Draw(image).rectangle(DARK_BAR, fill=1)
    bar, ground = tones(render(saved(image, "PNG", transparency=0), MediaType.PNG))
    assert bar < 20
    assert ground > 235


@pytest.mark.parametrize("size", [(1, 1), (2, 900), (900, 2), (6, 6)])
def test_a_picture_with_no_room_for_a_letter_is_drawn_and_blank(size: tuple[int, int]) -> None:
    image = Image.new("L", size, 255)
    image.putpixel((0, 0), 0)
    assert is_blank(render(saved(image, "PNG"), MediaType.PNG)) or size == (6, 6)


@pytest.mark.parametrize("dpi", [(0, 0), (1, 1), (72, 72), (99_999, 99_999)])
def test_insane_resolutions_change_nothing(dpi: tuple[int, int]) -> None:
    plain = render(saved(page((2_000, 1_400)), "PNG"), MediaType.PNG)
    assert render(saved(page((2_000, 1_400)), "PNG", dpi=dpi), MediaType.PNG).size == plain.size
