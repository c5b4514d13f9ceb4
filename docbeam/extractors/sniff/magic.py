"""Signatures: the first bytes of the formats that have some, also of those that nothing here reads, so that they get a name.

Source: the formats' specifications; IANA media type registrations; Apache Tika's tika-mimetypes.xml for the rarer ones.
"""

from __future__ import annotations

import re

from docbeam.schemas.media_types import MediaType

PDF_MARK = re.compile(rb"%PDF-\d|%!PS-Adobe-\d\.\d PDF-\d")

SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", MediaType.PDF), (b"PK\x03\x04", MediaType.ZIP), (b"PK\x05\x06", MediaType.ZIP), (b"PK\x07\x08PK", MediaType.ZIP),
    (b"PK00PK\x03\x04", MediaType.ZIP), (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", MediaType.OLE2),
    (b"{\\rtf", MediaType.RTF), (b"{\\urtf", MediaType.RTF), (b"%!PS", MediaType.POSTSCRIPT), (b"\xc5\xd0\xd3\xc6",
    MediaType.POSTSCRIPT),
    (b"\xffWPC", MediaType.WORDPERFECT), (b"\xcb\x0a\x01", MediaType.WORDPERFECT),
    (b"\x89PNG\r\n\x1a\n", MediaType.PNG), (b"\xff\xd8\xff", MediaType.JPEG), (b"II*\0", MediaType.TIFF), (b"MM\0*",
    MediaType.TIFF),
    (b"II+\0", MediaType.TIFF), (b"MM\0+", MediaType.TIFF), (b"GIF87a", MediaType.GIF), (b"GIF89a", MediaType.GIF),
    (b"\0\0\0\x0cjP  \r\n\x87\n", "image/jp2"), (b"\xff\x4f\xff\x51", "image/jp2"), (b"\0\0\0\x0cJXL \r\n\x87\n", "image/jxl"),
    (b"\xff\x0a", "image/jxl"), (b"8BPS", "image/vnd.adobe.photoshop"), (b"\0\0\x01\0", "image/vnd.microsoft.icon"),
    (b"\xd7\xcd\xc6\x9a", "image/wmf"), (b"AT&TFORM", "image/vnd.djvu"), (b"AC10", "image/vnd.dwg"),
    (b"\x1f\x8b", MediaType.GZIP), (b"BZh", "application/x-bzip2"), (b"\xfd7zXZ\0", "application/x-xz"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"), (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"), (b"MSCF\0\0\0\0", "application/vnd.ms-cab-compressed"), (b"LZIP\x01",
    "application/x-lzip"),
    (b"070701", "application/x-cpio"), (b"x\x9f>\"", "application/vnd.ms-tnef"), (b"!BDN", "application/vnd.ms-outlook-pst"),
    (b"ITSF\x03\0\0\0", "application/vnd.ms-htmlhelp"),
    (b"WARC/1.", MediaType.WARC), (b"WARC/0.", MediaType.WARC), (b"WordPro", "application/vnd.lotus-wordpro"),
    (b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d", "application/onenote"), (b"HWP Document File", "application/vnd.hancom.hwp"),
    (b"\x09\x04\x06\0", MediaType.XLS), (b"\x09\x02\x06\0", MediaType.XLS), (b"\x09\0\x04\0", MediaType.XLS),
    (b"\x09\x08\x08\0\0\x05", MediaType.XLS), (b"\x09\x08\x10\0\0\x06", MediaType.XLS), (b"\xdb\xa5", MediaType.DOC),
    (b"\x31\xbe\0\0", MediaType.DOC), (b"\xfe\x37\0\x1c", MediaType.DOC),
    (b"\0\0\x02\0\x06\x04\x06\0", "application/vnd.lotus-1-2-3"), (b"\0\0\x1a\0\0\x10\x04\0", "application/vnd.lotus-1-2-3"),
    (b"fLaC", "audio/flac"), (b"ID3", "audio/mpeg"), (b"OggS", "audio/ogg"), (b"MThd\0\0\0\x06", "audio/midi"), (b"#!AMR",
    "audio/amr"),
    (b"\x1a\x45\xdf\xa3", "video/x-matroska"), (b"FLV\x01", "video/x-flv"), (b"\0\0\x01\xba", "video/mpeg"),
    (b"\0\0\x01\xb3", "video/mpeg"), (b"0&\xb2u\x8ef\xcf\x11\xa6\xd9\0\xaa\0b\xcel", "video/x-ms-asf"),
    (b"\0\x01\0\0\0", "font/ttf"), (b"true\0", "font/ttf"), (b"OTTO\0", "font/otf"), (b"wOFF", "font/woff"), (b"wOF2",
    "font/woff2"),
    (b"ttcf\0", "font/collection"), (b"\x7fELF", "application/x-elf"), (b"\xfe\xed\xfa\xce", "application/x-mach-binary"),
    (b"\xfe\xed\xfa\xcf", "application/x-mach-binary"), (b"\xcf\xfa\xed\xfe", "application/x-mach-binary"),
    (b"\xce\xfa\xed\xfe", "application/x-mach-binary"), (b"\xca\xfe\xba\xbe", "application/java-vm"), (b"\0asm",
    "application/wasm"),
    (b"!<arch>\n", "application/x-sharedlib"), (b"SQLite format 3\0", "application/vnd.sqlite3"), (b"PAR1",
    "application/vnd.apache.parquet"),
    (b"\x89HDF\r\n\x1a\n", "application/x-hdf5"), (b"ARROW1\0\0", "application/vnd.apache.arrow.file"), (b"Obj\x01",
    "application/vnd.apache.avro"),
    (b"\0\x01\0\0Standard Jet DB", "application/x-msaccess"), (b"\0\x01\0\0Standard ACE DB", "application/x-msaccess"),
    (b"\x4c\0\0\0\x01\x14\x02\0", "application/x-ms-shortcut"), (b"FWS", "application/x-shockwave-flash"), (b"CWS",
    "application/x-shockwave-flash"),
    (b"\x93NUMPY", "application/x-npy"), (b"bplist00", "application/x-apple-bplist"),
)  # fmt: skip

BINARY_ONLY = frozenset(
    ("image/jxl", "application/x-bzip2", "audio/mpeg", "application/x-shockwave-flash", "application/x-cpio", "image/vnd.dwg",
     "application/vnd.apache.parquet", "font/woff", "font/woff2", "application/vnd.lotus-wordpro")
)  # fmt: skip  # their few letters can begin a text too

BRANDS = {
    b"heic": "image/heic", b"heix": "image/heic", b"hevc": "image/heic", b"mif1": "image/heic", b"msf1": "image/heic",
    b"heim": "image/heic", b"heis": "image/heic", b"avif": "image/avif", b"avis": "image/avif", b"qt  ": "video/quicktime",
    b"M4A ": "audio/mp4", b"M4B ": "audio/mp4", b"jp2 ": "image/jp2",
}  # fmt: skip
RIFF = {b"WEBP": MediaType.WEBP, b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}

_BY_FIRST_BYTE: dict[int, list[tuple[bytes, str]]] = {}
for _signature, _media_type in sorted(SIGNATURES, key=lambda entry: -len(entry[0])):
    _BY_FIRST_BYTE.setdefault(_signature[0], []).append((_signature, _media_type))


def type_by_signature(head: bytes) -> str | None:
    """Return the media type that the first bytes stand for, ZIP and OLE2 for all that is kept in them, or None."""
    for signature, media_type in _BY_FIRST_BYTE.get(head[0], ()):
        if head.startswith(signature) and (media_type not in BINARY_ONLY or _has_binary(head)):
            return media_type
    return _type_by_structure(head)


def _has_binary(head: bytes) -> bool:
    return b"\0" in head[:512] or any(byte < 8 or 0x80 <= byte < 0xA0 for byte in head[4:64])


def _type_by_structure(head: bytes) -> str | None:
    """Return the type where the signature is not at the start, or too short to be believed alone."""
    if head.startswith((b"RIFF", b"FORM")):
        return RIFF.get(head[8:12]) or ("audio/aiff" if head[8:11] == b"AIF" else None)
    if head[4:8] == b"ftyp":
        brand = head[8:12]
        if brand in (b"mif1", b"msf1") and (b"avif" in head[16 : int.from_bytes(head[:4], "big")]):
            return MediaType.AVIF
        return BRANDS.get(brand) or ("video/3gpp" if brand.startswith(b"3g") else "video/mp4")
    if head.startswith(b"BM") and len(head) >= 26 and int.from_bytes(head[14:18], "little") in (12, 40, 52, 56, 64, 108, 124):
        return MediaType.BMP
    if _is_lzma(head):
        return MediaType.LZMA
    if head[257:262] == b"ustar" or _is_old_tar(head):
        return MediaType.TAR
    if head.startswith(b"MZ") and (b"\0" in head[:64]):
        return "application/vnd.microsoft.portable-executable"
    if head[40:44] == b" EMF" and head.startswith(b"\x01\0\0\0"):
        return "image/emf"
    if head[128:132] == b"DICM":
        return "application/dicom"
    if head[60:68] == b"BOOKMOBI":
        return "application/x-mobipocket-ebook"
    if head[2:4] == b"\r\n" and head[8:12] == b"\0\0\0\0" and head[1:2] in b"\x0c\x0d":
        return "application/x-python-code"
    if head.startswith((b"\xff\xfb", b"\xff\xfa", b"\xff\xf3", b"\xff\xf2")) and b"\0" in head:
        return "audio/mpeg"
    if head.startswith((b"\xff\xf1", b"\xff\xf9")) and b"\0" in head:
        return "audio/aac"
    if re.match(rb"P[1-6]\s+(?:#[^\n]*\n)?\d+\s+\d+\s", head):
        return "image/x-portable-anymap"
    return None


def _is_lzma(head: bytes) -> bool:
    """Say whether the 13 bytes of an .lzma header are plausible: the usual properties, a round dictionary, a sane size."""
    if len(head) < 14 or head[0] != 0x5D or head[13] != 0:
        return False
    dictionary, size = int.from_bytes(head[1:5], "little"), int.from_bytes(head[5:13], "little")
    is_round = dictionary >= 4096 and bin(dictionary).count("1") <= 2
    return is_round and (size == 0xFFFFFFFFFFFFFFFF or size < 1 << 40)


def _is_old_tar(head: bytes) -> bool:
    """Say whether the first 512 bytes are a tar header from before POSIX: octal numbers whose checksum is right."""
    checksum = re.fullmatch(rb" *([0-7]{1,7})[ \0]*", head[148:156])
    if len(head) < 512 or head[0] == 0 or checksum is None:
        return False
    return sum(head[:148]) + 8 * 32 + sum(head[156:512]) == int(checksum[1], 8)
