"""Converts prepared files to frames and back. A frame has a JSON header, then the bytes of the file's parts.

The frames come from a process that opened an untrusted file. So they may contain only parts, a text, numbers within
limits, and error sentences that are lull's own.
"""

import re
from itertools import accumulate, pairwise
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from shared.reader.decode.sentences import known_sentence
from shared.reader.sandbox.frames import LENGTHS, pack_frame
from shared.values.evolve import evolve
from shared.values.prepared import LONGEST_DOCUMENT, MOST_PREPARED_BYTES, FileFacts, PreparedFile, PreparedPart

#: the maximum bytes of a header; a character of the text has at most 12 bytes in JSON
MOST_HEAD: Final = 12 * LONGEST_DOCUMENT + 65_536
MOST_FRAME: Final = LENGTHS.size + MOST_HEAD + MOST_PREPARED_BYTES
_TYPE: Final = r"[a-z]+/[a-z0-9.+-]{1,90}"
#: the maximum seconds of a part
_LONGEST_S: Final = 2**31


class _PartHead(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    mime_type: str = Field(pattern=f"^{_TYPE}$", max_length=100)
    length: int = Field(ge=0, le=MOST_PREPARED_BYTES)
    duration_s: float = Field(default=0.0, ge=0, le=_LONGEST_S)


class _Head(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    parts: tuple[_PartHead, ...] = Field(default=(), max_length=32)
    text: str = Field(default="", max_length=LONGEST_DOCUMENT)
    facts: FileFacts = FileFacts()
    problem: str = Field(default="", max_length=500)
    may_retry: bool = False
    is_unsupported: bool = False


def prepared_frame(prepared: PreparedFile) -> bytes:
    """Return the frame of a prepared file: a header with the lengths of its parts, then the bytes of the parts."""
    head = _Head(
        parts=tuple(
            _PartHead(mime_type=one.mime_type, length=len(one.content), duration_s=one.duration_s)
            for one in prepared.parts
        ),
        text=prepared.text,
        facts=prepared.facts,
        problem=prepared.problem,
        may_retry=prepared.may_retry,
        is_unsupported=prepared.is_unsupported,
    )
    return pack_frame(head.model_dump(mode="json"), b"".join(one.content for one in prepared.parts))


def prepared_of(head: bytes, body: bytes | memoryview) -> PreparedFile:
    """Return the prepared file in a frame's header and body. Raises ValueError if header and body do not match."""
    found = _Head.model_validate_json(head)
    ends = tuple(accumulate((one.length for one in found.parts), initial=0))
    if ends[-1] != len(body):
        raise ValueError(f"invalid frame: the header announces {ends[-1]} bytes of parts, but there are {len(body)}")
    contents = (bytes(body[begin:end]) for begin, end in pairwise(ends))
    return PreparedFile(
        parts=tuple(
            PreparedPart(one.mime_type, content, one.duration_s)
            for one, content in zip(found.parts, contents, strict=True)
        ),
        text=found.text,
        facts=found.facts if re.fullmatch(_TYPE, found.facts.type) else evolve(found.facts, type=""),
        problem=known_sentence(found.problem),
        may_retry=found.may_retry,
        is_unsupported=found.is_unsupported,
    )


def prepared_in(frame: bytes | bytearray) -> PreparedFile:
    """Return the prepared file that a frame contains, its parts copied. Raises ValueError for an invalid frame."""
    if not LENGTHS.size <= len(frame) <= MOST_FRAME:
        raise ValueError(f"invalid frame of {len(frame)} bytes; expected {LENGTHS.size} to {MOST_FRAME}")
    head, body = LENGTHS.unpack_from(frame)
    if len(frame) != LENGTHS.size + head + body:
        raise ValueError("invalid frame: its length differs from the lengths at its beginning")
    middle = LENGTHS.size + head
    return prepared_of(bytes(frame[LENGTHS.size : middle]), memoryview(frame)[middle:])
