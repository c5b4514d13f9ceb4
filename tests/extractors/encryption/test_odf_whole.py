"""OpenDocument encrypted as a whole, built here by the words of the specifications: no file of a real program is at hand."""

from __future__ import annotations

import base64
import hashlib
import zipfile
import zlib
from io import BytesIO

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from docbeam.extractors.engine import Reading, read_document
from docbeam.extractors.source import Source
from docbeam.schemas.options import ExtractOptions
from docbeam.schemas.vocabulary import ErrorCategory

TYPE = "application/vnd.oasis.opendocument.text"
CONTENT = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>'
    "<text:p>Sealed as a whole</text:p></office:text></office:body></office:document-content>"
)
SALT, START = bytes(range(16)), bytes(range(100, 112))


def zipped(**parts: str | bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("mimetype", TYPE)
        for name, data in parts.items():
            file.writestr(name.replace("__", "/").replace("_xml", ".xml").replace("_package", "-package"), data)
    return out.getvalue()


def sealed(password: str, *, has_start: bool = True, is_deflated: bool = False, memory: int = 1024) -> bytes:
    inner = zipped(content_xml=CONTENT)
    if is_deflated:
        stream = zlib.compressobj(wbits=-15)
        inner = stream.compress(inner) + stream.flush()
    first = hashlib.sha256(password.encode()).digest()
    key = Argon2id(salt=SALT, length=32, iterations=3, lanes=4, memory_cost=min(memory, 1024)).derive(first)
    data = AESGCM(key).encrypt(START, inner, None)
    salt, start = base64.b64encode(SALT).decode(), base64.b64encode(START).decode()
    manifest = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" '
        'xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{TYPE}"/>'
        f'<manifest:file-entry manifest:full-path="encrypted-package" manifest:media-type="{TYPE}"><manifest:encryption-data>'
        '<manifest:algorithm manifest:algorithm-name="http://www.w3.org/2009/xmlenc11#aes256-gcm" '
        f'manifest:initialisation-vector="{start}"/>'
        '<manifest:start-key-generation manifest:start-key-generation-name="http://www.w3.org/2001/04/xmlenc#sha256" '
        'manifest:key-size="32"/><manifest:key-derivation manifest:key-derivation-name='
        '"urn:org:documentfoundation:names:experimental:office:manifest:argon2id" manifest:key-size="32" '
        f'loext:argon2-iterations="3" loext:argon2-memory="{memory}" loext:argon2-lanes="4" manifest:salt="{salt}"/>'
        "</manifest:encryption-data></manifest:file-entry></manifest:manifest>"
    )
    return zipped(META_INF__manifest_xml=manifest, encrypted_package=(START if has_start else b"") + data).replace(
        b"META_INF/", b"META-INF/"
    )


def read(data: bytes, *passwords: str) -> Reading:
    return read_document(Source(data=data, name="a.odt", passwords=passwords), ExtractOptions())


@pytest.mark.parametrize("has_start", [True, False])
@pytest.mark.parametrize("is_deflated", [True, False])
def test_the_package_inside_is_read(has_start: bool, is_deflated: bool) -> None:
    found = read(sealed("schlüssel", has_start=has_start, is_deflated=is_deflated), "no", "schlüssel")
    assert found.extracted is not None and found.extracted.content.strip() == "Sealed as a whole"
    assert found.media_type == TYPE
    assert found.extracted.metadata["encryption.scheme"] == "OpenDocument, AES-GCM 256 bits, Argon2id"


def test_without_its_password_it_is_refused() -> None:
    error = read(sealed("key"), "no").error
    assert error is not None and error.category is ErrorCategory.ENCRYPTED_NO_KEY
    assert error.message.endswith("the given password does not fit")


def test_more_memory_than_an_honest_document_asks_for_is_refused() -> None:
    error = read(sealed("key", memory=4_000_000), "key").error
    assert error is not None and error.category is ErrorCategory.LIMIT_EXCEEDED and "4000000 KiB" in error.message
