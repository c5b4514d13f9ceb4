"""Presentations under a password: every object of the stream is encrypted for itself, by RC4 under a key of its number.

Source: [MS-PPT] 2.1.3 (Pictures stream), 2.3.7 (CryptSession10Container); [MS-OFFCRYPTO] 2.3.5 (CryptoAPI RC4); [MS-ODRAW]
2.2.23 (pictures).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.encryption.passwords import POWERPOINT, Keys, Opened
from docbeam.extractors.encryption.rc4 import Key, Rc4, key_by, mixed_with, scheme_of
from docbeam.extractors.legacy.office_art import HEADER_BYTES
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

SESSION = 0x2F14  # the record with the encryption's header
METAFILES = (0xF01A, 0xF01B, 0xF01C)  # EMF, WMF, PICT
DIGEST_BYTES, METAFILE_BYTES = 16, 34  # of a picture's heads
PIECE_BYTES = 65_536  # between two looks at the clock
WHAT = "the newest edit names an encryption session"


def key_of_session(info: bytes, source: Source, out: TextBuilder) -> Key:
    """Return the keys of objects by the session's header. Raises: ExtractionError ENCRYPTED_NO_KEY."""
    scheme = scheme_of(info)
    if scheme is None:
        raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"{WHAT}: its kind of encryption is not known")
    key, by = Keys(source, out.options, (POWERPOINT,)).fitting(lambda password: key_by(info, password), WHAT)
    Opened(scheme, by).describe(out)
    return key


def plain_objects(data: bytes, key: Key, places: Iterable[tuple[int, int]], out: TextBuilder) -> bytes:
    """Return the stream with its objects, given as number and place, in plain. At the deadline the others stay as they are."""
    stream = bytearray(data)
    done: set[int] = set()
    left = len(data)  # objects that lie over each other would cost more than the stream has
    for number, at in places:
        if at not in done and left > 0 and out.remaining_seconds() > 0:
            done.add(at)
            left -= _open_object(stream, at, Rc4(key(number)), out.remaining_seconds)
    return bytes(stream)


def plain_pictures(data: bytes, key: Key, out: TextBuilder) -> bytes:
    """Return the Pictures stream in plain: header, digests, tag and picture of a record begin the key stream anew."""
    stream = bytearray(data)
    at = 0
    while at + HEADER_BYTES <= len(stream) and out.remaining_seconds() > 0:
        _open_piece(stream, at, HEADER_BYTES, key)
        first, kind, size = struct.unpack_from("<HHI", stream, at)
        at, end = at + HEADER_BYTES, min(at + HEADER_BYTES + size, len(stream))
        heads = [DIGEST_BYTES] * (1 + (first >> 4 & 1)) + [METAFILE_BYTES if kind in METAFILES else 1]  # odd: two digests
        for piece in heads:
            _open_piece(stream, at, min(piece, end - at), key)
            at = min(at + piece, end)
        _open_piece(stream, at, end - at, key)
        at = end
    return bytes(stream)


def _open_piece(stream: bytearray, at: int, size: int, key: Key) -> None:
    stream[at : at + size] = mixed_with(bytes(stream[at : at + size]), Rc4(key(0)).stream(size))


def _open_object(stream: bytearray, at: int, rc4: Rc4, remaining: Callable[[], float]) -> int:
    """Open one object in its place; return its size."""
    header = mixed_with(bytes(stream[at : at + HEADER_BYTES]), rc4.stream(len(stream[at : at + HEADER_BYTES])))
    stream[at : at + len(header)] = header
    if len(header) < HEADER_BYTES:
        return HEADER_BYTES
    size = struct.unpack_from("<I", header, 4)[0]
    place, end = at + HEADER_BYTES, min(at + HEADER_BYTES + size, len(stream))
    while place < end and remaining() > 0:
        piece = bytes(stream[place : min(place + PIECE_BYTES, end)])
        stream[place : place + len(piece)] = mixed_with(piece, rc4.stream(len(piece)))
        place += len(piece)
    return place - at
