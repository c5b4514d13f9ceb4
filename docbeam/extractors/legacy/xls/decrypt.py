"""Workbooks under a password: Excel's own default one, with which it opens them and asks nobody, or one that is given.

Source: [MS-XLS] 2.2.10 (encryption, which records and bytes are not), 2.4.117 (FilePass); [MS-OFFCRYPTO] 2.3.5 to 2.3.7.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.encryption.passwords import EXCEL, Keys, Opened
from docbeam.extractors.encryption.rc4 import Rc4Stream, key_by, scheme_of
from docbeam.extractors.encryption.xor import excel_key, excel_plain
from docbeam.extractors.legacy.xls.records import records
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

BLOCK_BYTES = 1_024  # each has a key of its own
CHECK_EVERY_RECORDS = 1_024
WHAT = "the workbook has a FilePass record"
_XOR, _RC4 = 0, 1
_PLAIN = (0x809, 0x2F, 0xE1, 0xE2, 0x194, 0x195, 0x138)  # records that are not encrypted
_BOUND_SHEET = 0x85
Plain = Callable[[bytes, int, int], bytes]  # data, its place in the stream, the size of its record


def decrypted(data: bytes, file_pass: bytes, source: Source, out: TextBuilder) -> bytes:
    """Return a workbook stream in plain. Raises: Full; ExtractionError ENCRYPTED_NO_KEY."""
    plain, opened = _opened(file_pass, Keys(source, out.options, (EXCEL,)), out)
    opened.describe(out)
    stream = bytearray(data)
    for count, record in enumerate(records(data)):
        if count % CHECK_EVERY_RECORDS == 0:
            out.check_deadline()
        if record.kind in _PLAIN:
            continue
        start = record.end - len(record.data)
        at = start + 4 if record.kind == _BOUND_SHEET else start
        stream[at : record.end] = plain(data[at : record.end], at, len(record.data))
    return bytes(stream)


def _opened(file_pass: bytes, keys: Keys, out: TextBuilder) -> tuple[Plain, Opened]:
    kind = struct.unpack_from("<H", file_pass)[0] if len(file_pass) >= 6 else -1
    if kind == _XOR or len(file_pass) == 4:  # Excel 5 and 95 know of no kinds
        secret, verifier = struct.unpack_from("<HH", file_pass, len(file_pass[:6]) - 4)
        xor, by = keys.fitting(lambda password: excel_key(secret, verifier, password), WHAT)
        return (lambda data, at, size: excel_plain(data, at, size, xor)), Opened("XOR, 16 bits", by)
    info = file_pass[2:]
    scheme = scheme_of(info) if kind == _RC4 else None
    if scheme is None:
        raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"{WHAT}: its kind of encryption is not known")
    key, by = keys.fitting(lambda password: key_by(info, password), WHAT)
    stream = Rc4Stream(key, BLOCK_BYTES, out.check_deadline)
    return (lambda data, at, _: stream.plain(data, at)), Opened(scheme, by)
