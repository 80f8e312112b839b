"""Frames: how a parent and its parsing process speak through pipes, and what the reader answers to files. Nothing is
ever unpickled.
"""

import json
import struct
from collections.abc import Mapping
from typing import IO, Any, Final

#: of the header and of the bytes behind it
LENGTHS: Final = struct.Struct("!II")


def pack_frame(header: Mapping[str, Any], body: bytes = b"") -> bytes:
    """A frame: the lengths of both parts, a header in JSON, and bytes."""
    return frame_head(header, len(body)) + body


def frame_head(header: Mapping[str, Any], length: int) -> bytes:
    """A frame without its bytes, of which there are this many."""
    head = json.dumps(header).encode()
    return LENGTHS.pack(len(head), length) + head


def read_frame(pipe: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """The next frame of a pipe; none at its end. Raises ValueError for what is none."""
    lengths = pipe.read(LENGTHS.size)
    if len(lengths) < LENGTHS.size:
        return None
    head, body = (pipe.read(length) for length in LENGTHS.unpack(lengths))
    header = json.loads(head)
    if not isinstance(header, dict):
        raise ValueError("a header is an object")
    return header, body
