"""Frames: messages between the parsing processes and the reader. Each has a JSON header and bytes, but no pickle."""

import json
import struct
from collections.abc import Mapping
from typing import IO, Any, Final

#: the lengths of the header and of the bytes that follow the header
LENGTHS: Final = struct.Struct("!II")


def pack_frame(header: Mapping[str, Any], body: bytes = b"") -> bytes:
    """Return a frame: the lengths of header and body, the header as JSON, and the body."""
    return frame_head(header, len(body)) + body


def frame_head(header: Mapping[str, Any], length: int) -> bytes:
    """Return the beginning of a frame; the body of `length` bytes must follow."""
    head = json.dumps(header).encode()
    return LENGTHS.pack(len(head), length) + head


def read_frame(pipe: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """Return the next frame of a pipe; None at the end of the pipe. Raises ValueError if there is no valid frame."""
    lengths = pipe.read(LENGTHS.size)
    if len(lengths) < LENGTHS.size:
        return None
    head, body = (pipe.read(length) for length in LENGTHS.unpack(lengths))
    header = json.loads(head)
    if not isinstance(header, dict):
        raise ValueError("invalid frame: the header must be a JSON object")
    return header, body
