"""How parent and child talk: frames of a fixed head, a JSON header and raw bytes. Nothing that can run code is ever sent.

    magic (4) | header length (4, network order) | body length (8) | header: JSON, UTF-8 | body: bytes as they are

The parent checks every length before it makes room for it: a parser that was taken over speaks for the child.
"""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Sequence
from typing import Any

MAGIC = b"DBS1"
HEAD = struct.Struct("!4sIQ")
MAX_HEADER_BYTES = 16 << 20  # 100 000 pages take 4 MB
RECEIVE_BYTES = 1 << 18  # more than a Unix socket holds by default
ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":"))
MAX_BUFFERS = 512  # sendmsg takes IOV_MAX (1024) at most


class Malformed(ValueError):
    """An answer that breaks the rules of this conversation."""


def packed(header: dict[str, Any], bodies: Sequence[bytes] = ()) -> list[memoryview]:
    """Return the buffers of one frame; bodies are not copied."""
    text = ENCODER.encode(header).encode("utf-8", "surrogatepass")  # names of files can have surrogates
    if len(text) > MAX_HEADER_BYTES:
        raise Malformed(f"frame header: {len(text)} bytes, limit {MAX_HEADER_BYTES}")
    first = HEAD.pack(MAGIC, len(text), sum(map(len, bodies))) + text
    return [memoryview(part) for part in (first, *bodies) if len(part)]


def head_of(data: bytes | bytearray, max_body_bytes: int) -> tuple[int, int]:
    """Return the lengths of header and body. Raises Malformed for foreign bytes and absurd lengths."""
    magic, header_bytes, body_bytes = HEAD.unpack_from(data)
    if magic != MAGIC:
        raise Malformed("frame: foreign bytes")
    if header_bytes > MAX_HEADER_BYTES:
        raise Malformed(f"frame header: {header_bytes} bytes, limit {MAX_HEADER_BYTES}")
    if body_bytes > max_body_bytes:
        raise Malformed(f"frame body: {body_bytes} bytes, limit {max_body_bytes}")
    return header_bytes, body_bytes


def header_from(data: bytes | bytearray) -> dict[str, Any]:
    """Return the header of a frame. Raises Malformed if it is not a JSON object in UTF-8."""
    try:
        header = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"frame header: {type(error).__name__}") from error
    if type(header) is not dict:
        raise Malformed("frame header: not an object")
    return header


def sent_part(sock: socket.socket, buffers: list[memoryview]) -> None:
    """Send as much as the socket takes at once and drop it from the buffers."""
    sent = sock.sendmsg(buffers[:MAX_BUFFERS])
    while sent:
        if sent < len(buffers[0]):
            buffers[0] = buffers[0][sent:]
            return
        sent -= len(buffers.pop(0))


def send_all(sock: socket.socket, buffers: list[memoryview]) -> None:
    """Send a frame through a blocking socket."""
    while buffers:
        sent_part(sock, buffers)


def receive_exactly(sock: socket.socket, size: int) -> bytes:
    """Return exactly so many bytes from a blocking socket. Raises EOFError if the other end closes.

    MSG_WAITALL lets the kernel fill the one bytes object that becomes the document: no copy in between.
    """
    if size == 0:
        return b""
    data = sock.recv(size, socket.MSG_WAITALL)
    while len(data) < size:
        more = sock.recv(size - len(data), socket.MSG_WAITALL)
        if not more:
            raise EOFError("the other end has closed the connection")
        data += more
    return data


def receive_head(sock: socket.socket) -> tuple[dict[str, Any], int]:
    """Return the header of the next frame and the length of the body that follows, from a blocking socket.

    Raises: EOFError if the other end closes.
    """
    header_bytes, body_bytes = head_of(receive_exactly(sock, HEAD.size), 1 << 62)
    return header_from(receive_exactly(sock, header_bytes)), body_bytes
