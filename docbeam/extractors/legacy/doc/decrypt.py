"""Word documents under a password: RC4 of Word 97 and later, the XOR obfuscation of Word 6 and 95 that Word 97 kept.

Source: [MS-DOC] 2.2.6 (what is encrypted), 2.5.2 (lKey, fObfuscated); [MS-OFFCRYPTO] 2.3.5 to 2.3.7.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from docbeam.extractors.bounded import TextBuilder
from docbeam.extractors.encryption.passwords import Keys, Opened
from docbeam.extractors.encryption.rc4 import Rc4Stream, key_by, scheme_of
from docbeam.extractors.encryption.xor import word_key, word_plain
from docbeam.extractors.source import Source
from docbeam.schemas.errors import ExtractionError
from docbeam.schemas.vocabulary import ErrorCategory

BLOCK_BYTES = 512  # each has a key of its own
OBFUSCATED = 0x8000
PLAIN_BYTES, PLAIN_BYTES_WORD_6 = 0x44, 0x34  # at the beginning of the main stream
KEY_AT = 0x0E
WHAT = "the FIB says that the document is encrypted"
Plain = Callable[[bytes], bytes]  # a whole stream


def opened(main: bytes, table: bytes, source: Source, out: TextBuilder) -> Plain:
    """Return what opens a stream of the document; `table` is its table stream, empty for Word 6 and 95.

    Raises: Full; ExtractionError ENCRYPTED_NO_KEY.
    """
    keys = Keys(source, out.options)
    flags = struct.unpack_from("<H", main, 0x0A)[0]
    if not table or flags & OBFUSCATED:
        both = struct.unpack_from("<I", main, KEY_AT)[0]
        xor, by = keys.fitting(lambda password: word_key(both, password), WHAT)
        Opened("XOR, 16 bits", by).describe(out)
        return lambda data: word_plain(data, 0, xor)
    scheme = scheme_of(table)
    if scheme is None:
        raise ExtractionError(ErrorCategory.ENCRYPTED_NO_KEY, f"{WHAT}: its kind of encryption is not known")
    key, by = keys.fitting(lambda password: key_by(table, password), WHAT)
    Opened(scheme, by).describe(out)
    return lambda data: Rc4Stream(key, BLOCK_BYTES, out.check_deadline).plain(data, 0)


def plain_main(main: bytes, plain: Plain, *, is_word_6: bool) -> bytes:
    """Return the main stream in plain: its beginning is so already."""
    size = PLAIN_BYTES_WORD_6 if is_word_6 else PLAIN_BYTES
    return main[:size] + plain(main)[size:]
